#include "treewright/search/two_valued.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright::search {

namespace {

constexpr std::size_t byte_rows = CompareJob::n_rows;

// Bit k of each is set where row k of a block has the first or the second value.
struct Same {
  std::vector<std::uint64_t> as_first, as_second;
};

class Reader {
 public:
  Reader(const NumbersView& numbers, const Kernel& kernel)
      : numbers_(numbers),
        kernel_(kernel),
        n_bytes_((numbers.n_rows + byte_rows - 1) / byte_rows),
        second_(numbers.n_columns, std::numeric_limits<double>::quiet_NaN()),
        more_(numbers.n_columns),
        bytes_(numbers.n_columns * n_bytes_) {
    for (std::size_t j = 0; j < numbers.n_columns; ++j) first_.push_back(*numbers.at(0, j));
  }

  TwoValued read() {
    Same same{std::vector<std::uint64_t>(numbers_.n_columns),
              std::vector<std::uint64_t>(numbers_.n_columns)};
    for (std::size_t begin = 0; begin < numbers_.n_rows && n_open_ > 0; begin += byte_rows) {
      const std::size_t end = std::min(begin + byte_rows, numbers_.n_rows);
      if (end - begin == byte_rows && numbers_.column_stride == 1) {
        kernel_.compare({numbers_.at(begin, 0), static_cast<std::ptrdiff_t>(numbers_.row_stride),
                         numbers_.n_columns, first_.data(), second_.data(), same.as_first.data(),
                         same.as_second.data()});
      } else {
        std::ranges::fill(same.as_first, 0);
        std::ranges::fill(same.as_second, 0);
        for (std::size_t row = begin; row < end; ++row) compare(row, 1ULL << (row - begin), same);
      }
      const std::uint64_t every_row = (1ULL << (end - begin)) - 1;
      for (std::size_t j = 0; j < numbers_.n_columns; ++j) {
        if ((same.as_first[j] | same.as_second[j]) != every_row) meet(j, begin, end);
        bytes_[j * n_bytes_ + begin / byte_rows] = static_cast<std::uint8_t>(same.as_first[j]);
      }
    }
    return collect();
  }

 private:
  void compare(std::size_t row, std::uint64_t bit, Same& same) const {
    const double *first = first_.data(), *second = second_.data(), *values = numbers_.at(row, 0);
    std::uint64_t *as_first = same.as_first.data(), *as_second = same.as_second.data();
    for (std::size_t j = 0; j < numbers_.n_columns; ++j) {
      const double value = values[static_cast<std::int64_t>(j) * numbers_.column_stride];
      as_first[j] |= value == first[j] ? bit : 0;
      as_second[j] |= value == second[j] ? bit : 0;
    }
  }

  // Takes the second value, and notes whether there are more; a gap is no value, not even its own.
  void meet(std::size_t j, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end && more_[j] == 0; ++row) {
      const double value = *numbers_.at(row, j);
      if (value == first_[j] || value == second_[j]) continue;
      if (!std::isnan(second_[j]) || std::isnan(value)) {
        more_[j] = 1;
        --n_open_;
      }
      second_[j] = value;
    }
  }

  TwoValued collect() {
    TwoValued found;
    for (std::size_t j = 0; j < numbers_.n_columns; ++j) {
      if (more_[j] != 0) {
        found.rest.push_back(static_cast<std::int32_t>(j));
      } else if (!std::isnan(second_[j])) {
        const auto bytes = bytes_.begin() + static_cast<std::ptrdiff_t>(j * n_bytes_);
        const auto end = bytes + static_cast<std::ptrdiff_t>(n_bytes_);
        if (second_[j] < first_[j]) {
          std::transform(bytes, end, bytes, [](std::uint8_t b) { return ~b & 0xFFU; });
          if (numbers_.n_rows % byte_rows != 0)
            *(end - 1) &= static_cast<std::uint8_t>((1U << (numbers_.n_rows % byte_rows)) - 1U);
        }
        found.columns.push_back(static_cast<std::int32_t>(j));
        found.low.push_back(std::min(first_[j], second_[j]));
        found.high.push_back(std::max(first_[j], second_[j]));
        found.bits.insert(found.bits.end(), bytes, end);
      }
    }
    return found;
  }

  const NumbersView& numbers_;
  const Kernel& kernel_;
  const std::size_t n_bytes_;
  std::size_t n_open_ = numbers_.n_columns;  // columns without a third value so far
  std::vector<double> first_, second_;
  std::vector<std::uint8_t> more_;
  std::vector<std::uint8_t> bytes_;  // [column][byte]: rows with the first value
};

}  // namespace

TwoValued find_two_valued(const NumbersView& numbers, const Kernel& kernel) {
  return numbers.n_rows == 0 ? TwoValued{} : Reader(numbers, kernel).read();
}

}  // namespace treewright::search
