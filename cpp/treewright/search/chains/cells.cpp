#include "treewright/search/chains/cells.hpp"

#include <utility>

namespace treewright::search {

namespace {

// That chains share: summing them up for each chain takes as long as moving so many rows.
constexpr std::size_t most_shared_cells = 256;
constexpr auto no_cell = static_cast<std::uint32_t>(-1);

}  // namespace

void Cells::begin(std::span<const Ordered::Entry> rows, std::size_t n_rows) {
  rows_ = rows;
  n_rows_ = n_rows;
  chains_.clear();
  n_groups_ = 0;
}

void Cells::add(std::vector<std::uint32_t>& bins, std::size_t n_bins, std::int32_t column) {
  const bool may_share = column >= 0 && n_groups_ > 0 && groups_[n_groups_ - 1].column == column;
  if (may_share && divide(bins, n_bins)) return;
  if (n_groups_ == groups_.size()) groups_.emplace_back();
  Group& group = groups_[n_groups_++];
  group.column = column;
  group.first_chain = chains_.size();
  group.n_cells = n_bins;
  group.cell_of_row.swap(bins);
  bins.resize(n_rows_);
  chains_.emplace_back();
}

bool Cells::divide(std::span<const std::uint32_t> bins, std::size_t n_bins) {
  Group& group = groups_[n_groups_ - 1];
  if (group.n_cells > most_shared_cells || n_bins > most_shared_cells) return false;
  std::vector<std::uint32_t> cell_at(group.n_cells * n_bins, no_cell);  // [cell before][bin]
  std::vector<std::uint32_t> before, bin_of_cell;                       // of each cell
  for (const Ordered::Entry& entry : rows_) {
    const auto row = static_cast<std::size_t>(entry.row);
    std::uint32_t& cell = cell_at[group.cell_of_row[row] * n_bins + bins[row]];
    if (cell != no_cell) continue;
    if (before.size() == most_shared_cells) return false;
    cell = static_cast<std::uint32_t>(before.size());
    before.push_back(group.cell_of_row[row]);
    bin_of_cell.push_back(bins[row]);
  }
  for (const Ordered::Entry& entry : rows_) {
    const auto row = static_cast<std::size_t>(entry.row);
    group.cell_of_row[row] = cell_at[group.cell_of_row[row] * n_bins + bins[row]];
  }
  for (std::size_t c = group.first_chain; c < chains_.size(); ++c) {
    std::vector<std::uint32_t>& its = chains_[c].bin_of_cell;
    if (its.empty()) {  // the first one: its bins were the cells
      its = before;
      continue;
    }
    std::vector<std::uint32_t> divided;
    for (const std::uint32_t cell : before) divided.push_back(its[cell]);
    its = std::move(divided);
  }
  chains_.emplace_back();
  chains_.back().bin_of_cell = std::move(bin_of_cell);
  group.n_cells = before.size();
  return true;
}

void Cells::finish() {
  cells_.resize(n_rows_ * n_groups_);
  n_cells_ = 0;
  for (std::size_t g = 0; g < n_groups_; ++g) {
    const Group& group = groups_[g];
    const std::size_t end = g + 1 < n_groups_ ? groups_[g + 1].first_chain : chains_.size();
    for (std::size_t c = group.first_chain; c < end; ++c) {
      chains_[c].first = n_cells_;
      chains_[c].n = group.n_cells;
    }
    for (const Ordered::Entry& entry : rows_) {
      const auto row = static_cast<std::size_t>(entry.row);
      cells_[row * n_groups_ + g] = static_cast<std::uint32_t>(n_cells_) + group.cell_of_row[row];
    }
    n_cells_ += group.n_cells;
  }
}

}  // namespace treewright::search
