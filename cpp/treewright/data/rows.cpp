#include "treewright/data/rows.hpp"

#include <algorithm>
#include <numeric>

#include "treewright/base/parallel.hpp"

namespace treewright {

Rows::Rows(const Table& table, const Target& target, bool keep_sorted, bool fractional,
           Monitor& monitor, const Ranks* ranks, std::size_t n_threads)
    : has_sorted_(keep_sorted && ranks == nullptr), ranks_(ranks), n_threads_(n_threads) {
  require(table.n_rows < 0xFFFFFFFFu, "A table may have at most 4,294,967,294 rows.");
  for (std::size_t row = 0; row < table.n_rows; ++row) {
    if (target.weights[row] > 0) ids_.push_back(static_cast<std::uint32_t>(row));
  }
  n_root_ = ids_.size();
  layout_ = ranks != nullptr ? ranks->layout() : KeyLayout::for_rows(n_root_, target);
  if (fractional) shares_.assign(n_root_, 1.0);
  n_ids_ = table.n_rows;
  sorted_.resize(table.n_levels.size());
  if (!has_sorted_) return;
  for_each_numeric_column(table, n_threads, monitor, [&](std::int32_t column, Column values) {
    sort_by_value(values, ids_, target, layout_, sorted_[static_cast<std::size_t>(column)]);
  });
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

template <class Change>
void Rows::for_each_sorted(Range node, Change change) {
  in_parallel(
      sorted_.size(), is_for_threads(node) ? n_threads_ : 1,
      [&](std::size_t column) {
        if (sorted_[column].empty()) return;
        static thread_local std::vector<Entry> buffer;
        change(std::span(sorted_[column]).subspan(node.begin, node.size()), buffer);
      },
      [] {});
}

void Rows::divide(Range node, std::span<const std::uint16_t> branch_of,
                  const std::vector<bool>& kept, Buffers& buffers, std::vector<Range>& ranges) {
  const std::size_t n_branches = kept.size();
  const bool keep_sorted = has_sorted_ && std::ranges::find(kept, true) != kept.end();
  const auto branch = [&](const auto& item) {
    return static_cast<std::size_t>(branch_of[row_of(item)]);
  };
  ranges.resize(n_branches);
  const auto id_span = std::span(ids_).subspan(node.begin, node.size());
  if (n_branches == 2) {
    // One byte a row is half of what the branches take, so that more of it stays in cache.
    if (buffers.side.size() < n_ids_) buffers.side.resize(n_ids_);
    const auto side_of = std::span(buffers.side);
    for (const std::uint32_t id : id_span) side_of[id] = static_cast<std::uint8_t>(branch_of[id]);
    const auto side = [&](const auto& item) { return std::size_t{side_of[row_of(item)]}; };
    const std::size_t left = partition_two(id_span, buffers.ids, side);
    ranges[0] = {node.begin, node.begin + left};
    ranges[1] = {node.begin + left, node.end};
    if (!keep_sorted) return;
    for_each_sorted(node,
                    [&](auto entries, auto& buffer) { partition_two(entries, buffer, side); });
  } else {
    std::vector<std::size_t> starts(n_branches + 1, 0);
    for (const std::uint32_t id : id_span) ++starts[branch(id) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    for (std::size_t b = 0; b < n_branches; ++b) {
      ranges[b] = {node.begin + starts[b], node.begin + starts[b + 1]};
    }
    starts.pop_back();
    partition_many(id_span, buffers.ids, starts, branch);
    if (keep_sorted) {
      for_each_sorted(node, [&](auto entries, auto& buffer) {
        partition_many(entries, buffer, starts, branch);
      });
    }
  }
}

Range Rows::set_aside_unknown(Range node, std::span<const std::uint16_t> branch_of,
                              Buffers& buffers) {
  const auto is_unknown = [&](const auto& item) -> std::size_t {
    return branch_of[row_of(item)] == unknown;
  };
  const auto id_span = std::span(ids_).subspan(node.begin, node.size());
  if (std::ranges::none_of(id_span, is_unknown)) return node;
  const std::size_t known = partition_two(id_span, buffers.ids, is_unknown);
  for_each_sorted(node,
                  [&](auto entries, auto& buffer) { partition_two(entries, buffer, is_unknown); });
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
