// The best threshold along any order of a node's rows: a column's own, or a projection's.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

struct Cut {
  std::size_t position = 0;   // entries 0..position go left
  double decrease = 0.0;      // W * Delta over the rows judged
  double score = 0.0;         // what cuts are compared by
  bool unknown_left = false;  // rows without a value go left
  std::size_t n_tries = 0;    // candidate cuts looked at; counted for `min_gap` > 0 only
};

struct CutRules {
  double min_weight = 0.0;   // on each side, beside what a leaf must hold
  double min_gap = 0.0;      // neighbours must differ by more
  int trend = 0;             // which side must have the larger answers (trend.hpp)
  std::int32_t column = -1;  // of the values; -1 for a sum
};

// Entries hold the node's rows in order, those without a value last; `values` are what they were
// sorted by. Ties go to the first cut. Rows without a value are tried on both sides under
// Missing::default_branch and left out otherwise. None when no cut is allowed.
std::optional<Cut> best_cut(const Node& node, std::span<const Entry> entries, Column values,
                            const CutRules& rules = {});

// The number of entries that have a value.
std::size_t count_known(const Node& node, std::span<const Entry> entries);

// The split information of a cut: rows without a value stand with a side under
// Missing::default_branch and are a part of their own otherwise.
double cut_information(const Node& node, std::span<const Entry> entries, const Cut& cut);
// The same from the weight of the rows on the left and of those without a value.
double cut_information(const Node& node, double left, double missing, bool unknown_left);

// Candidates from the best cuts of columns, one after the other: the best of them, ties to the
// earlier column; all of them where the gain compares their split information (`choose`), or where
// that is wanted. The best so far is always proposed: it stands if time runs out.
class CutCandidates {
 public:
  CutCandidates(const Node& node, std::vector<Candidate>& candidates, bool wants_all = false)
      : monitor_(node.problem.monitor),
        wants_all_(wants_all || node.wants_each_column ||
                   needs_split_information(node.problem.gain)),
        candidates_(candidates) {}

  template <class Make>
  void add(const Cut& cut, Make make) {
    if (wants_all_ || !has_best_) {
      candidates_.push_back(make());
    } else if (clearly_better(cut.score, best_score_)) {
      candidates_.back() = make();
    } else {
      return;
    }
    has_best_ = true;
    best_score_ = cut.score;
  }

  // Whether time is over, and something is proposed, before so many rows of a column are looked at.
  bool is_over_before(std::size_t n_rows) {
    constexpr std::size_t rows_between_looks = 4096;  // less takes no longer than a look
    n_seen_ += n_rows;
    if (n_seen_ < rows_between_looks) return false;
    n_seen_ = 0;
    return monitor_ != nullptr && monitor_->poll() && !candidates_.empty();
  }

 private:
  Monitor* monitor_;
  bool wants_all_;
  std::vector<Candidate>& candidates_;
  bool has_best_ = false;  // the last candidate, unless all are wanted
  double best_score_ = 0.0;
  std::size_t n_seen_ = 0;  // rows since the clock was looked at
};

// The middle of a gap, kept below its upper end: low <= t < high.
double middle_of(double low, double high);

// The best cut along values given by row id, without its test: neighbours must differ by more than
// `min_gap`, and rows that are not a number are without a value. None when no cut is allowed.
std::optional<Candidate> cut_values(const Node& node, Column values, double min_gap, int trend = 0,
                                    std::int32_t column = -1);

// The candidate `x <= t` on a numeric column with the best threshold. None when there is none.
std::optional<Candidate> cut_column(const Node& node, std::int32_t column);

// The best of these over the numeric columns of a node.
std::optional<Candidate> best_axis_cut(const Node& node);

// The candidate `sum coefficients[i] * columns[i] <= t` with the best threshold; rows that lack
// one of the columns count as without a value. None when no threshold is allowed.
std::optional<Candidate> cut_along(const Node& node, std::span<const std::int32_t> columns,
                                   std::span<const double> coefficients);

// The same for a direction of any length and sign: the largest coefficient becomes 1 or -1, the
// first one positive, those that are 0 are left out, and one column by itself is an axis test.
std::optional<Candidate> cut_direction(const Node& node, std::span<const std::int32_t> columns,
                                       std::span<const double> direction);

}  // namespace treewright
