// Axis: x <= t on one numeric column, all thresholds tried.
//
// rules = "cart": cuts lie in the middle between neighbouring values (Breiman et al. 1984).
// rules = "c45":  release 8 of C4.5 (Quinlan 1996). With m = min_leaf and K classes, each side
//   must weigh at least min(25, max(m, 0.1 known / K)), neighbours must differ by more than 1e-5,
//   the cut is chosen by gain, the gain is charged log2(number of cuts) / W for the choice (under
//   entropy only: other measures are not in bits), and the threshold is the largest training value
//   not above the middle.

#include <algorithm>
#include <atomic>

#include "treewright/base/parallel.hpp"
#include "treewright/split/cut/cut.hpp"
#include "treewright/split/cut/value_cuts.hpp"
#include "treewright/split/evidence.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/trend.hpp"

namespace treewright {

namespace {

class AxisMethod : public Method {
 public:
  explicit AxisMethod(bool c45) : c45_(c45) {}

  bool needs_sorted_columns() const override { return true; }
  bool works_on_threads() const override { return true; }

  void prepare(const Problem& problem, const Rows& rows) override {
    counts_values_ = !c45_ && rows.ranks() != nullptr && has_countable_weights(problem, rows);
    if (!c45_) return;
    training_values_.resize(problem.table.n_levels.size());
    for (std::int32_t c = 0; c < problem.table.n_columns(); ++c) {
      if (problem.table.is_categorical(c)) continue;
      auto& values = training_values_[static_cast<std::size_t>(c)];
      values.clear();
      for (const Entry e : rows.sorted(c, rows.all())) {
        const double x = problem.table.at(e.row, c);
        if (!std::isnan(x) && (values.empty() || values.back() < x)) values.push_back(x);
      }
    }
  }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    if (node.evidence != nullptr) return node.evidence->propose_cuts(candidates);
    CutCandidates cuts(node, candidates);
    if (node.rows.is_for_threads(node.range)) return propose_on_threads(node, cuts);
    ValueCounter counter(node);
    for (const std::int32_t column : node.columns) {
      if (node.problem.table.is_categorical(column)) continue;
      if (cuts.is_over_before(node.range.size())) break;
      if (has_one_value(node, column)) continue;
      if (counts_values_ && may_count_values(node, column) && counter.count(column)) {
        const auto found = counter.best_cut();
        if (!found) continue;
        cuts.add(found->cut, [&] { return treewright::candidate_of(node, column, *found); });
        continue;
      }
      const auto entries = node.rows.sorted(column, node.range);
      const auto cut = cut_of(node, column, entries);
      if (cut) cuts.add(*cut, [&] { return candidate_of(node, column, entries, *cut); });
    }
  }

 private:
  void propose_on_threads(const Node& node, CutCandidates& cuts) const {
    std::vector<std::optional<Cut>> found(node.columns.size());
    std::atomic<bool> in_time = true;
    in_parallel(
        found.size(), node.problem.n_threads,
        [&](std::size_t i) {
          const std::int32_t column = node.columns[i];
          if (!in_time || node.problem.table.is_categorical(column)) return;
          found[i] = cut_of(node, column, node.rows.sorted(column, node.range));
        },
        [&] {
          const bool is_over = node.problem.monitor != nullptr && node.problem.monitor->poll();
          in_time = in_time && !is_over;
        });
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::int32_t column = node.columns[i];
      if (!found[i]) continue;
      cuts.add(*found[i], [&] {
        return candidate_of(node, column, node.rows.sorted(column, node.range), *found[i]);
      });
    }
  }

  std::optional<Cut> cut_of(const Node& node, std::int32_t column,
                            std::span<const Entry> entries) const {
    const Column values = node.problem.table.column(column);
    const int trend = trend_of_column(node.problem, column);
    if (!c45_) return best_cut(node, entries, values, {.trend = trend, .column = column});

    double known = 0.0;
    const std::size_t n_known = count_known(node, entries);
    for (std::size_t i = 0; i < n_known; ++i) known += node.weights[entries[i].row];
    const double m = node.problem.min_leaf;
    if (known < 2 * m - limit_slack) return std::nullopt;
    const double classes = std::max(1, node.problem.target.n_classes);
    const double min_weight = std::min(25.0, std::max(m, 0.1 * known / classes));
    auto cut =
        best_cut(node, entries, values,
                 {.min_weight = min_weight, .min_gap = 1e-5, .trend = trend, .column = column});
    if (!cut) return cut;
    if (node.problem.measure.traits().is_in_bits) {
      cut->decrease -= std::log2(static_cast<double>(cut->n_tries));
      cut->score -= std::log2(static_cast<double>(cut->n_tries));
    }
    if (!(cut->decrease > 0)) return std::nullopt;
    return cut;
  }

  Candidate candidate_of(const Node& node, std::int32_t column, std::span<const Entry> entries,
                         const Cut& cut) const {
    Candidate candidate;
    candidate.low = node.problem.table.at(entries[cut.position].row, column);
    candidate.high = node.problem.table.at(entries[cut.position + 1].row, column);
    double threshold = middle_of(candidate.low, candidate.high);
    if (c45_) {
      const auto& values = training_values_[static_cast<std::size_t>(column)];
      threshold = *std::prev(
          std::ranges::upper_bound(values, threshold + 1e-9 * (candidate.high - candidate.low)));
    }
    candidate.test = axis_test(column, threshold);
    candidate.is_scored = true;
    candidate.decrease = cut.decrease / node.weight;
    if (needs_split_information(node.problem.gain)) {
      candidate.split_information = cut_information(node, entries, cut);
    }
    return candidate;
  }

  bool c45_;
  bool counts_values_ = false;                        // those of columns of few of them
  std::vector<std::vector<double>> training_values_;  // distinct, ascending; c45 only
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  return std::make_shared<AxisMethod>(choice(parameters, "rules", {"cart", "c45"}) == "c45");
}

const Listed listed{"axis", make};

}  // namespace

}  // namespace treewright
