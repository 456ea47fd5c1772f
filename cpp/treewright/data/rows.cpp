#include "treewright/data/rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace treewright {

namespace {

// Order-preserving bits of a double; -0 and +0 are one value. Round numbers keep their trailing
// zeros on both sides of 0.
std::uint64_t ordered_bits(double x) {
  constexpr std::uint64_t zero = 0x8000000000000000ULL;
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return bits >> 63 ? zero - (bits & ~zero) : zero + bits;
}

// Sorts items by the bits from `low` to `high`, at most 33 of them, digits of 11 bits from the
// least significant one; stable.
void radix_sort(std::vector<std::uint64_t>& items, std::vector<std::uint64_t>& buffer, int low,
                int high) {
  constexpr int digit_bits = 11;
  constexpr std::uint64_t mask = (1u << digit_bits) - 1;
  std::array<std::array<std::uint32_t, mask + 1>, 3> counts{};
  const auto n_digits = static_cast<std::size_t>((high - low + digit_bits - 1) / digit_bits);
  const auto digit = [&](std::uint64_t item, std::size_t d) {
    return (item >> (low + digit_bits * static_cast<int>(d))) & mask;
  };
  for (const std::uint64_t item : items) {
    for (std::size_t d = 0; d < n_digits; ++d) ++counts[d][digit(item, d)];
  }
  buffer.resize(items.size());
  for (std::size_t d = 0; d < n_digits; ++d) {
    auto& count = counts[d];
    std::exclusive_scan(count.begin(), count.end(), count.begin(), std::uint32_t{0});
    for (const std::uint64_t item : items) buffer[count[digit(item, d)]++] = item;
    items.swap(buffer);
  }
}

// Puts each run of neighbours with equal `part` in the order of `less`; stable.
template <class Part, class Less>
void sort_runs(std::span<std::uint64_t> items, Part part, Less less) {
  for (std::size_t i = 0; i < items.size();) {
    std::size_t end = i + 1;
    bool in_order = true;
    for (; end < items.size() && part(items[end]) == part(items[i]); ++end) {
      in_order = in_order && !less(items[end], items[end - 1]);
    }
    if (!in_order) std::ranges::stable_sort(items.subspan(i, end - i), less);
    i = end;
  }
}

}  // namespace

KeyLayout KeyLayout::for_rows(std::size_t n_rows, const Target& target) {
  if (!target.is_classification()) return {};
  const auto width = [](std::size_t n) { return static_cast<std::uint32_t>(std::bit_width(n)); };
  const std::uint32_t for_labels =
      std::max(1u, width(static_cast<std::size_t>(target.n_classes) - 1));
  return {for_labels + width(n_rows) < 32 ? for_labels : 0u};
}

// An item packs a value, a label and a row into 64 bits, so that all work is on one array in order.
// The value is given by the distance of its bits from the smallest one; low bits that do not fit
// are dropped, and values that then look alike are compared themselves.
void sort_by_value(Column values, std::span<const std::uint32_t> rows, const Target& target,
                   KeyLayout layout, std::vector<Entry>& entries) {
  static thread_local std::vector<std::uint64_t> items, buffer;
  static thread_local std::vector<std::uint32_t> without_value;
  items.clear();
  without_value.clear();
  std::uint64_t smallest = ~std::uint64_t{0}, largest = 0, first = 0, varying = 0;
  std::uint32_t last_row = 0;
  for (const std::uint32_t row : rows) {
    const double x = values[row];
    last_row = std::max(last_row, row);
    if (std::isnan(x)) {
      without_value.push_back(row);
      continue;
    }
    const std::uint64_t bits = ordered_bits(x);
    if (items.empty()) first = bits;
    smallest = std::min(smallest, bits);
    largest = std::max(largest, bits);
    varying |= bits ^ first;
    items.push_back(bits);
  }
  const auto width = [](std::uint64_t x) { return static_cast<int>(std::bit_width(x)); };
  const int row_bits = std::max(1, width(last_row)),
            label_bits = static_cast<int>(layout.label_bits);
  const int below = row_bits + label_bits;  // of the value
  const int value_bits = items.empty() ? 0 : width(largest - smallest);
  const int dropped = std::max(0, value_bits - (64 - below));
  const bool exact = (varying & ((std::uint64_t{1} << dropped) - 1)) == 0;
  const auto row_of = [&](std::uint64_t item) {
    return static_cast<std::uint32_t>(item & ((std::uint64_t{1} << row_bits) - 1));
  };
  const auto value_part = [&](std::uint64_t item) { return item >> below; };
  const auto label_of = [&](std::uint32_t row) {
    return label_bits ? static_cast<std::uint32_t>(target.labels[row]) : 0u;
  };
  std::size_t next = 0;
  for (const std::uint32_t row : rows) {
    if (!without_value.empty() && std::isnan(values[row])) continue;
    const std::uint64_t value = (items[next] - smallest) >> dropped;
    items[next++] = value << below | std::uint64_t{label_of(row)} << row_bits | row;
  }

  const int top = below + value_bits - dropped, sorted_from = std::max(below, top - 33);
  radix_sort(items, buffer, sorted_from, top);
  if (sorted_from > below) {
    sort_runs(
        std::span(items), [&](std::uint64_t item) { return item >> sorted_from; },
        [&](std::uint64_t a, std::uint64_t b) { return value_part(a) < value_part(b); });
  }
  const auto by_value = [&](std::uint64_t a, std::uint64_t b) {
    return values[row_of(a)] < values[row_of(b)];
  };
  if (!exact) sort_runs(std::span(items), value_part, by_value);

  entries.resize(rows.size());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && (value_part(items[i - 1]) != value_part(items[i]) ||
                  (!exact && by_value(items[i - 1], items[i])))) {
      ++rank;
    }
    const auto key =
        static_cast<std::uint32_t>(rank << label_bits) |
        static_cast<std::uint32_t>((items[i] >> row_bits) & ((std::uint64_t{1} << label_bits) - 1));
    entries[i] = {row_of(items[i]), key};
  }
  for (std::size_t i = 0; i < without_value.size(); ++i) {
    const std::uint32_t row = without_value[i];
    entries[items.size() + i] = {row, (layout.missing_rank() << label_bits) | label_of(row)};
  }
}

Rows::Rows(const Table& table, const Target& target, bool sort_columns, bool fractional,
           Monitor& monitor)
    : has_sorted_(sort_columns) {
  require(table.n_rows < 0xFFFFFFFFu, "A table may have at most 4,294,967,294 rows.");
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    if (target.weights[row] > 0) ids_.push_back(static_cast<std::uint32_t>(row));
  }
  n_root_ = ids_.size();
  layout_ = KeyLayout::for_rows(n_root_, target);
  if (fractional) shares_.assign(n_root_, 1.0);
  side_.resize(table.n_rows);
  sorted_.resize(table.n_levels.size());
  if (!sort_columns) return;
  std::vector<std::int32_t> numeric;
  for (std::int32_t c = 0; c < table.n_columns(); ++c) {
    if (!table.is_categorical(c)) numeric.push_back(c);
  }
  // A column of a row-major table is spread over all of its memory: several are fetched in one
  // pass.
  constexpr std::size_t at_once = 8;
  const bool spread = table.row_stride != 1;
  std::vector<double> fetched(spread ? std::min(at_once, numeric.size()) * table.n_rows : 0);
  for (std::size_t i = 0; i < numeric.size(); ++i) {
    monitor.out_of_time(0.0);
    const std::size_t place = i % at_once;
    if (spread && place == 0) {
      const std::size_t n = std::min(at_once, numeric.size() - i);
      for (std::size_t row = 0; row < table.n_rows; ++row) {
        for (std::size_t j = 0; j < n; ++j) {
          fetched[j * table.n_rows + row] = table.at(row, numeric[i + j]);
        }
      }
    }
    const Column column =
        spread ? Column{fetched.data() + place * table.n_rows, 1} : table.column(numeric[i]);
    sort_by_value(column, ids_, target, layout_, sorted_[static_cast<std::size_t>(numeric[i])]);
  }
}

namespace {

// Stable two-way partition without a branch: left rows stay in place, right ones pass through the
// buffer.
template <class Item, class Side>
std::size_t partition_two(std::span<Item> items, std::vector<Item>& buffer, Side side) {
  if (buffer.size() < items.size()) buffer.resize(items.size());
  std::size_t left = 0, right = 0;
  for (const Item item : items) {
    const std::size_t goes_right = side(item);
    items[left] = item;
    buffer[right] = item;
    left += 1 - goes_right;
    right += goes_right;
  }
  std::copy_n(buffer.begin(), right, items.begin() + static_cast<std::ptrdiff_t>(left));
  return left;
}

template <class Item, class BranchOf>
void partition_many(std::span<Item> items, std::vector<Item>& buffer, std::vector<std::size_t> next,
                    BranchOf branch_of) {
  buffer.assign(items.begin(), items.end());
  for (const Item item : buffer) items[next[branch_of(item)]++] = item;
}

std::uint32_t row_of(std::uint32_t id) { return id; }
std::uint32_t row_of(Entry entry) { return entry.row; }

}  // namespace

std::vector<Range> Rows::divide(Range node, std::span<const std::uint16_t> branch_of,
                                const std::vector<bool>& kept) {
  const std::size_t n_branches = kept.size();
  const bool keep_sorted = has_sorted_ && std::ranges::find(kept, true) != kept.end();
  const auto branch = [&](const auto& item) {
    return static_cast<std::size_t>(branch_of[row_of(item)]);
  };
  std::vector<Range> ranges(n_branches);
  const auto id_span = std::span(ids_).subspan(node.begin, node.size());
  if (n_branches == 2) {
    // One byte a row is half of what the branches take, so that more of it stays in cache.
    for (const std::uint32_t id : id_span) side_[id] = static_cast<std::uint8_t>(branch_of[id]);
    const auto side = [&](const auto& item) { return std::size_t{side_[row_of(item)]}; };
    const std::size_t left = partition_two(id_span, id_buffer_, side);
    ranges[0] = {node.begin, node.begin + left};
    ranges[1] = {node.begin + left, node.end};
    if (!keep_sorted) return ranges;
    for (auto& column : sorted_) {
      if (column.empty()) continue;
      partition_two(std::span(column).subspan(node.begin, node.size()), entry_buffer_, side);
    }
  } else {
    std::vector<std::size_t> starts(n_branches + 1, 0);
    for (const std::uint32_t id : id_span) ++starts[branch(id) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    for (std::size_t b = 0; b < n_branches; ++b) {
      ranges[b] = {node.begin + starts[b], node.begin + starts[b + 1]};
    }
    starts.pop_back();
    partition_many(id_span, id_buffer_, starts, branch);
    if (keep_sorted) {
      for (auto& column : sorted_) {
        if (column.empty()) continue;
        partition_many(std::span(column).subspan(node.begin, node.size()), entry_buffer_, starts,
                       branch);
      }
    }
  }
  return ranges;
}

Range Rows::set_aside_unknown(Range node, std::span<const std::uint16_t> branch_of) {
  const auto is_unknown = [&](const auto& item) -> std::size_t {
    return branch_of[row_of(item)] == unknown;
  };
  const auto id_span = std::span(ids_).subspan(node.begin, node.size());
  if (std::ranges::none_of(id_span, is_unknown)) return node;
  const std::size_t known = partition_two(id_span, id_buffer_, is_unknown);
  for (auto& column : sorted_) {
    if (column.empty()) continue;
    partition_two(std::span(column).subspan(node.begin, node.size()), entry_buffer_, is_unknown);
  }
  return {node.begin, node.begin + known};
}

std::vector<Range> Rows::divide_shared(Range node, std::span<const std::uint16_t> branch_of,
                                       std::span<const double> share,
                                       const std::vector<bool>& kept) {
  std::vector<Range> ranges(share.size());
  for (std::size_t b = 0; b < share.size(); ++b) {
    const auto goes = [&](std::uint32_t row) {
      return branch_of[row] == b || (branch_of[row] == unknown && share[b] > 0);
    };
    ranges[b].begin = ids_.size();
    for (std::size_t i = node.begin; i < node.end; ++i) {
      if (!goes(ids_[i])) continue;
      ids_.push_back(ids_[i]);
      shares_.push_back(branch_of[ids_[i]] == unknown ? shares_[i] * share[b] : shares_[i]);
    }
    ranges[b].end = ids_.size();
    for (auto& column : sorted_) {
      if (column.empty()) continue;
      if (kept[b]) {
        for (std::size_t i = node.begin; i < node.end; ++i) {
          if (goes(column[i].row)) column.push_back(column[i]);
        }
      } else {
        column.resize(ids_.size());
      }
    }
  }
  return ranges;
}

void Rows::clear() {
  ids_ = {};
  shares_ = {};
  sorted_ = {};
}

void Rows::release(std::size_t mark) {
  ids_.resize(mark);
  shares_.resize(mark);
  for (auto& column : sorted_) {
    if (!column.empty()) column.resize(mark);
  }
}

}  // namespace treewright
