#include "treewright/data/rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace treewright {

namespace {

struct Keyed {
  std::uint64_t key;
  std::uint32_t row;
};

// Order-preserving bits of a double; -0 and +0 are one value.
std::uint64_t ordered_bits(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return bits >> 63 ? ~bits : bits | 0x8000000000000000ULL;
}

// Least-significant-digit radix sort by the upper 32 bits (three digits of 11, 11 and 10 bits),
// then a comparison sort of the short runs that agree there. Stable.
void radix_sort(std::vector<Keyed>& items, std::vector<Keyed>& buffer) {
  constexpr std::array<int, 3> shifts{32, 43, 54};
  constexpr std::size_t n_buckets = 2048;
  std::array<std::array<std::uint32_t, n_buckets>, 3> counts{};
  for (const Keyed& item : items) {
    for (std::size_t d = 0; d < 3; ++d) ++counts[d][(item.key >> shifts[d]) & (n_buckets - 1)];
  }
  buffer.resize(items.size());
  for (std::size_t d = 0; d < 3; ++d) {
    auto& count = counts[d];
    if (std::ranges::find(count, items.size()) != count.end()) continue;  // one bucket holds all
    std::exclusive_scan(count.begin(), count.end(), count.begin(), std::uint32_t{0});
    for (const Keyed& item : items) {
      buffer[count[(item.key >> shifts[d]) & (n_buckets - 1)]++] = item;
    }
    items.swap(buffer);
  }
  for (std::size_t i = 0; i < items.size();) {
    std::size_t end = i + 1;
    bool sorted = true;
    while (end < items.size() && items[end].key >> 32 == items[i].key >> 32) {
      sorted = sorted && items[end - 1].key <= items[end].key;
      ++end;
    }
    if (!sorted) {
      std::stable_sort(items.begin() + static_cast<std::ptrdiff_t>(i),
                       items.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    }
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

void sort_by_value(Column values, std::span<const std::uint32_t> rows, const Target& target,
                   KeyLayout layout, std::vector<Entry>& entries) {
  static thread_local std::vector<Keyed> items, buffer;
  static thread_local std::vector<std::uint32_t> without_value;
  items.clear();
  without_value.clear();
  for (const std::uint32_t row : rows) {
    const double x = values[row];
    if (std::isnan(x)) {
      without_value.push_back(row);
    } else {
      items.push_back({ordered_bits(x), row});
    }
  }
  radix_sort(items, buffer);

  const auto key_of = [&](std::uint32_t rank, std::uint32_t row) {
    const std::uint32_t label =
        layout.label_bits ? static_cast<std::uint32_t>(target.labels[row]) : 0u;
    return (rank << layout.label_bits) | label;
  };
  entries.clear();
  entries.reserve(rows.size());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && items[i].key != items[i - 1].key) ++rank;
    entries.push_back({items[i].row, key_of(rank, items[i].row)});
  }
  for (const std::uint32_t row : without_value) {
    entries.push_back({row, key_of(layout.missing_rank(), row)});
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
  sorted_.resize(table.n_levels.size());
  if (!sort_columns) return;
  for (std::int32_t c = 0; c < table.n_columns(); ++c) {
    if (table.is_categorical(c)) continue;
    monitor.out_of_time(0.0);
    sort_by_value(table.column(c), ids_, target, layout_, sorted_[static_cast<std::size_t>(c)]);
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
void partition_many(std::span<Item> items, std::vector<Item>& buffer,
                    std::vector<std::size_t> next, BranchOf branch_of) {
  buffer.assign(items.begin(), items.end());
  for (const Item item : buffer) items[next[branch_of(item)]++] = item;
}

std::uint32_t row_of(std::uint32_t id) { return id; }
std::uint32_t row_of(Entry entry) { return entry.row; }

}  // namespace

template <class Branch>
std::vector<Range> Rows::divide_in_place(Range node, std::span<const Branch> branch_of,
                                         const std::vector<bool>& kept) {
  const std::size_t n_branches = kept.size();
  const bool keep_sorted = has_sorted_ && std::ranges::find(kept, true) != kept.end();
  const auto branch = [&](const auto& item) {
    return static_cast<std::size_t>(branch_of[row_of(item)]);
  };
  std::vector<Range> ranges(n_branches);
  const auto id_span = std::span(ids_).subspan(node.begin, node.size());
  if (n_branches == 2) {
    const std::size_t left = partition_two(id_span, id_buffer_, branch);
    ranges[0] = {node.begin, node.begin + left};
    ranges[1] = {node.begin + left, node.end};
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
    return ranges;
  }
  if (!keep_sorted) return ranges;
  for (auto& column : sorted_) {
    if (column.empty()) continue;
    partition_two(std::span(column).subspan(node.begin, node.size()), entry_buffer_, branch);
  }
  return ranges;
}

std::vector<Range> Rows::divide(Range node, std::span<const std::uint8_t> branch_of,
                                const std::vector<bool>& kept) {
  return divide_in_place(node, branch_of, kept);
}

std::vector<Range> Rows::divide(Range node, std::span<const std::uint16_t> branch_of,
                                const std::vector<bool>& kept) {
  return divide_in_place(node, branch_of, kept);
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

void Rows::release(std::size_t mark) {
  ids_.resize(mark);
  shares_.resize(mark);
  for (auto& column : sorted_) {
    if (!column.empty()) column.resize(mark);
  }
}

}  // namespace treewright
