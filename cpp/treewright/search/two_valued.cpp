#include "treewright/search/two_valued.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright::search {

namespace {

constexpr std::size_t byte_rows = 8;

// What is known of a column after some of its rows.
struct Seen {
  std::size_t column;
  double first;
  double second = std::numeric_limits<double>::quiet_NaN();  // none yet
  bool more = false;
  std::vector<std::uint8_t> bytes;  // rows with the first value

  void read(const NumbersView& numbers, std::size_t begin, std::size_t end) {
    const double* value = numbers.at(begin, column);
    unsigned firsts = 0, seconds = 0;
    const auto compare = [&](std::size_t k) {
      const double here = value[static_cast<std::int64_t>(k) * numbers.row_stride];
      firsts |= static_cast<unsigned>(here == first) << k;
      seconds |= static_cast<unsigned>(here == second) << k;
    };
    const std::size_t count = end - begin;
    if (count == byte_rows) {  // a loop of known length is unrolled
      for (std::size_t k = 0; k < byte_rows; ++k) compare(k);
    } else {
      for (std::size_t k = 0; k < count; ++k) compare(k);
    }
    if ((firsts | seconds) != (1U << count) - 1U) meet(numbers, begin, end);
    bytes[begin / byte_rows] = static_cast<std::uint8_t>(firsts);
  }

  // Takes the second value, and notes whether there are more; a gap is no value, not even its own.
  void meet(const NumbersView& numbers, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const double value = *numbers.at(row, column);
      if (value == first || value == second) continue;
      more |= !std::isnan(second) || std::isnan(value);
      second = value;
    }
  }

  void pass_the_others(std::size_t n_rows) {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(~byte);
    if (n_rows % byte_rows != 0)
      bytes.back() &= static_cast<std::uint8_t>((1U << (n_rows % byte_rows)) - 1U);
  }
};

}  // namespace

TwoValued find_two_valued(const NumbersView& numbers) {
  TwoValued found;
  std::vector<Seen> open;
  for (std::size_t j = 0; j < numbers.n_columns && numbers.n_rows > 0; ++j) {
    const double value = *numbers.at(0, j);
    const std::size_t n_bytes = (numbers.n_rows + byte_rows - 1) / byte_rows;
    open.push_back({.column = j, .first = value, .bytes = std::vector<std::uint8_t>(n_bytes)});
  }
  for (std::size_t begin = 0; begin < numbers.n_rows; begin += byte_rows) {
    const std::size_t end = std::min(begin + byte_rows, numbers.n_rows);
    for (Seen& seen : open) seen.read(numbers, begin, end);
    std::erase_if(open, [&](const Seen& seen) {
      if (seen.more) found.rest.push_back(static_cast<std::int32_t>(seen.column));
      return seen.more;
    });
  }
  std::ranges::sort(found.rest);
  for (Seen& seen : open) {
    if (std::isnan(seen.second)) continue;  // one value only
    if (seen.second < seen.first) seen.pass_the_others(numbers.n_rows);
    found.columns.push_back(static_cast<std::int32_t>(seen.column));
    found.low.push_back(std::min(seen.first, seen.second));
    found.high.push_back(std::max(seen.first, seen.second));
    found.bits.insert(found.bits.end(), seen.bytes.begin(), seen.bytes.end());
  }
  return found;
}

}  // namespace treewright::search
