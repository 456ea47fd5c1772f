#include "treewright/grow/surrogate.hpp"

#include <algorithm>
#include <optional>

#include "treewright/base/decimal.hpp"
#include "treewright/split/cut/cut.hpp"

namespace treewright {

namespace {

constexpr double least_rows = 2;

struct Sums {
  double weight[2] = {0.0, 0.0};  // by branch of the node's own test
  double rows = 0.0;
};

class Search {
 public:
  Search(const Node& node, std::span<const std::uint16_t> branch_of, bool readable)
      : node_(node), branch_of_(branch_of), readable_(readable) {
    for (const std::uint32_t row : node.ids()) {
      if (branch_of[row] != Rows::unknown) all_.weight[branch_of[row]] += weight_of(row);
    }
  }

  std::optional<Surrogate> on(std::int32_t column) const {
    return node_.problem.table.is_categorical(column) ? on_levels(column) : on_order(column);
  }

 private:
  // Case weights: costs and priors alter how splits are judged, not where rows went.
  double weight_of(std::uint32_t row) const {
    return node_.problem.target.case_weights[row] * node_.count_of(row);
  }
  double heavier() const { return std::max(all_.weight[0], all_.weight[1]); }
  double total() const { return all_.weight[0] + all_.weight[1]; }

  Surrogate rated(Test test, bool swapped, double same) const {
    const double base = heavier() / total(), agreement = same / total();
    return {std::move(test), swapped, agreement, (agreement - base) / (1.0 - base)};
  }

  void count(Sums& sums, std::uint32_t row) const {
    sums.weight[branch_of_[row]] += weight_of(row);
    sums.rows += node_.count_of(row);
  }

  std::optional<Surrogate> on_order(std::int32_t column) const {
    const auto entries = node_.rows.sorted(column, node_.range);
    const KeyLayout layout = node_.rows.layout();
    const auto known_entries = entries.first(count_known(node_, entries));
    Sums known;
    for (const Entry e : known_entries) {
      if (branch_of_[e.row] != Rows::unknown) count(known, e.row);
    }
    // A later cut must be better. Rows that the node's own test cannot place have no vote, but
    // their values bound the cuts, as in rpart.
    std::optional<std::size_t> best;
    bool swapped = false;
    double same = heavier();
    Sums below;
    for (std::size_t i = 0; i + 1 < known_entries.size(); ++i) {
      if (branch_of_[known_entries[i].row] != Rows::unknown) count(below, known_entries[i].row);
      if (layout.rank(known_entries[i]) == layout.rank(known_entries[i + 1])) continue;
      if (below.rows < least_rows || known.rows - below.rows < least_rows) continue;
      const double straight = below.weight[0] + known.weight[1] - below.weight[1];
      const double crossed = below.weight[1] + known.weight[0] - below.weight[0];
      for (const bool cross : {false, true}) {
        const double agree = cross ? crossed : straight;
        if (!clearly_better(agree, same)) continue;
        same = agree;
        swapped = cross;
        best = i;
      }
    }
    if (!best) return std::nullopt;
    const double low = node_.problem.table.at(known_entries[*best].row, column);
    const double high = node_.problem.table.at(known_entries[*best + 1].row, column);
    const double threshold = readable_ ? shortest_between(low, high) : middle_of(low, high);
    return rated(axis_test(column, threshold), swapped, same);
  }

  std::optional<Surrogate> on_levels(std::int32_t column) const {
    const Column codes = node_.problem.table.column(column);
    std::vector<Sums> levels(static_cast<std::size_t>(node_.problem.table.levels(column)));
    for (const std::uint32_t row : node_.ids()) {
      if (branch_of_[row] == Rows::unknown || std::isnan(codes[row])) continue;
      count(levels[static_cast<std::size_t>(codes[row])], row);
    }
    // A level that is torn goes where most rows with a level go.
    double known[2] = {0.0, 0.0};
    for (const Sums& level : levels) {
      known[0] += level.weight[0];
      known[1] += level.weight[1];
    }
    const int ties_go = known[1] > known[0] ? 1 : 0;
    double same = 0.0, rows[2] = {0.0, 0.0};
    std::vector<std::int32_t> sides[2];
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const Sums& level = levels[i];
      if (level.rows <= 0) continue;
      const int side = level.weight[0] > level.weight[1]   ? 0
                       : level.weight[1] > level.weight[0] ? 1
                                                           : ties_go;
      sides[side].push_back(static_cast<std::int32_t>(i));
      rows[side] += level.rows;
      same += level.weight[side];
    }
    if (rows[0] < least_rows || rows[1] < least_rows || !clearly_better(same, heavier())) {
      return std::nullopt;
    }
    return rated(subset_test(column, sides[0], sides[1]), false, same);
  }

  const Node& node_;
  std::span<const std::uint16_t> branch_of_;
  bool readable_;
  Sums all_;
};

}  // namespace

std::vector<Surrogate> find_surrogates(const Node& node, std::span<const std::uint16_t> branch_of,
                                       std::span<const std::int32_t> own, std::size_t at_most,
                                       bool readable) {
  const Search search(node, branch_of, readable);
  std::vector<Surrogate> found;
  for (std::int32_t column = 0; column < node.problem.table.n_columns(); ++column) {
    if (std::ranges::find(own, column) != own.end()) continue;
    if (auto surrogate = search.on(column)) found.push_back(std::move(*surrogate));
  }
  std::ranges::stable_sort(found, [](const Surrogate& a, const Surrogate& b) {
    return clearly_better(a.agreement, b.agreement);
  });
  if (found.size() > at_most) found.resize(at_most);
  return found;
}

}  // namespace treewright
