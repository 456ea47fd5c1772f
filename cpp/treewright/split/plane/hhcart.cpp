// HHCART: tests along the axes of reflected spaces (Wickramarachchi, Robertson, Reale, Price, Brown
// 2016, "HHCART: an oblique decision tree").
//
// For each eigenvector q of the covariance of each class ("all"), or for the one of the largest
// eigenvalue ("dominant"), the rows are reflected so that q becomes the first axis:
//
//   u = e1 - q,   H = I - 2 u u' / u'u,   column j of X H = x_j - c_j (X u),   c_j = 2 u_j / u'u
//
// and every column of X H is cut where it is best. X H is never formed: X u is found once a
// reflection, a column in one more pass, and sorted only if it may hold a better cut
// (preselection.hpp). The normal of a cut of column j is H e_j = e_j - c_j u.
//
// An axis has no sign, but e1 is reflected onto q and onto -q by different mirrors, and the other
// columns with it. Both are tried: with one alone, trees depend on which end of the axis is taken
// (on balance_scale by six points). With two columns both give the same cuts. The plain columns
// are cut too, and a reflection that leaves a column as it is, or only changes places of columns,
// adds nothing.

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/cut/cut.hpp"
#include "treewright/split/discriminant/contributions.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/plane/class_parts.hpp"
#include "treewright/split/plane/preselection.hpp"
#include "treewright/split/plane/principal_axes.hpp"
#include "treewright/split/rows/known_columns.hpp"

namespace treewright {

namespace {

// Looks for the best cut in reflected spaces of some rows of a node. A space is that of the columns
// less their means, where a standardised column z_j counts unit_[j] times.
class ReflectedSpaces {
 public:
  // `values` has a place for each row of the table.
  ReflectedSpaces(const Node& node, const StandardRows& rows, bool standardize, double least_score,
                  std::span<double> values)
      : node_(node),
        rows_(rows),
        unit_(rows.n_columns(), 1.0),
        preselection_(node, rows),
        values_(values),
        column_(rows.n_rows()),
        best_score_(least_score) {
    if (!standardize) {
      const double largest = *std::ranges::max_element(rows.scale);
      std::ranges::transform(rows.scale, unit_.begin(), [&](double s) { return s / largest; });
    }
    for (std::size_t j = 0; j < unit_.size(); ++j) {
      constexpr double beyond_mean = 3.0;  // standard deviations
      size_.push_back(unit_[j] * (std::abs(rows.mean[j]) / rows.scale[j] + beyond_mean));
    }
    for (const std::uint32_t row : node.ids()) {  // those with a gap stay so
      values_[row] = std::numeric_limits<double>::quiet_NaN();
    }
  }

  void look_into(const ClassPart& part, bool dominant_only) {
    const std::size_t k = rows_.n_columns();
    std::vector<double> covariance = covariance_of(rows_, part);
    constexpr double least_variance = 1e-24;  // of that of all rows; less is rounding
    double variance = 0.0;
    for (std::size_t j = 0; j < k; ++j) variance = std::max(variance, covariance[j * k + j]);
    if (!(variance > least_variance)) return;  // one row, or equal ones
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) covariance[i * k + j] *= unit_[i] * unit_[j];
    }
    const std::vector<double> axes = principal_axes(covariance, k);
    for (std::size_t a = 0; a < (dominant_only ? 1 : k); ++a) {
      std::vector<double> q = without_specks(std::span(axes).subspan(a * k, k));
      if (std::ranges::count_if(q, [](double x) { return x != 0; }) < 2) continue;
      reflect(q, 0);
      if (k == 2) continue;
      for (double& x : q) x = -x;
      reflect(q, 1);  // the first column is the same but for its sign
    }
  }

  // The direction of the best cut that is clearly better than `least_score`, in the units of the
  // table; empty if there is none.
  std::vector<double> direction() const {
    std::vector<double> direction = without_specks(best_);
    for (std::size_t j = 0; j < direction.size(); ++j) direction[j] *= unit_[j] / rows_.scale[j];
    return direction;
  }

 private:
  // Numbers that are rounding, or say less than that, become 0.
  std::vector<double> without_specks(std::span<const double> direction) const {
    constexpr double rounding = 1e-13, nothing = 1e-9;
    std::vector<double> clean(direction.begin(), direction.end());
    double largest = 0.0;
    for (std::size_t j = 0; j < clean.size(); ++j) {
      largest = std::max(largest, std::abs(clean[j]) * unit_[j]);
    }
    for (std::size_t j = 0; j < clean.size(); ++j) {
      const double part = std::abs(clean[j]);
      if (part <= rounding || part * unit_[j] <= nothing * largest) clean[j] = 0.0;
    }
    return clean;
  }

  // Cuts the columns from `first` on of the space in which q is the first axis.
  void reflect(const std::vector<double>& q, std::size_t first) {
    const std::size_t k = q.size();
    std::vector<double> u(k);
    double squares = 0.0;
    for (std::size_t j = 1; j < k; ++j) {
      u[j] = -q[j];
      squares += u[j] * u[j];
    }
    u[0] = q[0] > 0 ? squares / (1.0 + q[0]) : 1.0 - q[0];  // without cancellation
    squares += u[0] * u[0];
    double size = 0.0;
    for (std::size_t j = 0; j < k; ++j) size += std::abs(u[j]) * size_[j];
    project(u);
    for (std::size_t j = first; j < k; ++j) {
      const double c = 2.0 * u[j] / squares;
      if (c == 0) continue;  // the column itself
      node_.poll_deadline();
      find_column(j, c);
      if (!preselection_.may_beat(column_, best_score_)) continue;
      for (std::size_t i = 0; i < column_.size(); ++i) values_[rows_.ids[i]] = column_[i];
      // Values that differ by rounding only are one value.
      const double rounding = 4.0 * static_cast<double>(k) *
                              std::numeric_limits<double>::epsilon() *
                              (size_[j] + std::abs(c) * size);
      const auto found = cut_values(node_, Column{values_.data(), 1}, rounding);
      if (!found || !clearly_better(score_of(node_, *found), best_score_)) continue;
      best_score_ = score_of(node_, *found);
      best_.assign(k, 0.0);
      for (std::size_t i = 0; i < k; ++i) best_[i] = (i == j ? 1.0 : 0.0) - c * u[i];
    }
  }

  void project(std::span<const double> u) {
    along_.assign(rows_.n_rows(), 0.0);
    for (std::size_t b = 0; b < rows_.n_blocks(); ++b) {
      double* to = along_.data() + b * rows_.block_size;
      for (std::size_t j = 0; j < u.size(); ++j) {
        const auto z = rows_.column(b, j);
        const double factor = u[j] * unit_[j];
        for (std::size_t i = 0; i < z.size(); ++i) to[i] += factor * z[i];
      }
    }
  }

  // x_j - c (X u)
  void find_column(std::size_t j, double c) {
    for (std::size_t b = 0; b < rows_.n_blocks(); ++b) {
      const auto z = rows_.column(b, j);
      const double* along = along_.data() + b * rows_.block_size;
      double* to = column_.data() + b * rows_.block_size;
      for (std::size_t i = 0; i < z.size(); ++i) to[i] = unit_[j] * z[i] - c * along[i];
    }
  }

  const Node& node_;
  const StandardRows& rows_;
  std::vector<double> unit_, size_;  // of each column: its weight in the space, its largest terms
  Preselection preselection_;
  std::span<double> values_;            // of the column that is cut, by row id
  std::vector<double> column_, along_;  // the same and X u, by position
  double best_score_;
  std::vector<double> best_;  // the normal of the best cut, in the space
};

class Hhcart : public Method {
 public:
  Hhcart(std::size_t n_features, bool dominant_only, bool standardize)
      : n_features_(n_features), dominant_only_(dominant_only), standardize_(standardize) {}

  void prepare(const Problem& problem, const Rows& rows) override {
    require_classes(problem, "HHCART");
    known_.prepare(problem, rows);
    values_.resize(problem.table.n_rows);
  }

  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    const std::size_t first = candidates.size();
    std::optional<Candidate> best = best_axis_cut(node);
    propose_instead(candidates, first, best);
    const StandardRows rows = standard_rows(
        node.problem.table, leading_columns(node, known_, n_features_), node.ids(), node.weights);
    if (rows.n_columns() > 1) {
      constexpr double below_any = -1.0;
      ReflectedSpaces spaces(node, rows, standardize_, best ? score_of(node, *best) : below_any,
                             values_);
      for (const ClassPart& part : class_parts(rows, classes_of(node))) {
        spaces.look_into(part, dominant_only_);
      }
      keep_better(node, cut_direction(node, rows.columns, spaces.direction()), best);
    }
    propose_instead(candidates, first, best);
  }

 private:
  std::size_t n_features_;  // 0: all
  bool dominant_only_, standardize_;
  KnownColumns known_;
  std::vector<double> values_;  // by row id
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  const std::string reflections = choice(parameters, "reflections", {"all", "dominant"});
  return std::make_shared<Hhcart>(static_cast<std::size_t>(number(parameters, "features")),
                                  reflections == "dominant",
                                  choice(parameters, "standardize", {"yes", "no"}) == "yes");
}

const Listed listed{"hhcart", make};

}  // namespace

}  // namespace treewright
