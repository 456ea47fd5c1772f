// BestSubset: sums of the few columns that part the classes, or explain the numbers, best.
//
// Of the columns that are known together, every subset is ranked by its shrunken discriminant, the
// best few are fitted by ridge logistic (or ridge) regression, and their weights are rounded to two
// digits before the cut (finder.hpp). The columns themselves are cut too.
#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/cut/cut.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/rows/known_columns.hpp"
#include "treewright/split/rows/standard_rows.hpp"
#include "treewright/split/subset/finder.hpp"

namespace treewright {

namespace {

class BestSubset : public Method {
 public:
  BestSubset(const SubsetOptions& options, double ridge) : options_(options), ridge_(ridge) {}

  void prepare(const Problem& problem, const Rows& rows) override { known_.prepare(problem, rows); }
  bool works_on_threads() const override { return true; }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    const std::size_t first = candidates.size();
    std::optional<Candidate> best = best_axis_cut(node);
    propose_instead(candidates, first, best);
    const StandardRows rows =
        standard_rows(node.problem.table, known_.together(node), node.ids(), node.weights);
    if (rows.n_columns() > 1 && rows.n_rows() > 1) {
      for (const SubsetCondition& sum : sums_of(node, rows)) {
        node.poll_deadline();
        std::vector<double> direction(rows.n_columns(), 0.0);
        for (std::size_t i = 0; i < sum.terms.size(); ++i)
          direction[static_cast<std::size_t>(sum.terms[i])] = sum.weights[i];
        keep_better(node, cut_direction(node, rows.columns, direction), best);
      }
    }
    propose_instead(candidates, first, best);
  }

 private:
  std::vector<SubsetCondition> sums_of(const Node& node, const StandardRows& rows) const {
    const Target& target = node.problem.target;
    const std::size_t n = rows.n_rows();
    SoftTable table;
    table.n_rows = n;
    table.n_terms = table.n_numeric = rows.n_columns();
    table.is_classification = target.is_classification();
    table.n_outputs = table.is_classification ? static_cast<std::size_t>(target.n_classes) : 2;
    std::vector<double> values(table.n_terms * n), amounts(n * table.n_outputs, 0.0);
    for (std::size_t j = 0; j < table.n_terms; ++j) {
      const Column column = node.problem.table.column(rows.columns[j]);
      for (std::size_t i = 0; i < n; ++i) values[j * n + i] = column[rows.ids[i]];
    }
    double mean = 0.0;
    if (!table.is_classification) {
      for (std::size_t i = 0; i < n; ++i) mean += rows.weights[i] * target.numbers[rows.ids[i]];
      mean /= rows.weight;
    }
    for (std::size_t i = 0; i < n; ++i) {
      double* to = amounts.data() + i * table.n_outputs;
      if (table.is_classification) {
        add_row({to, table.n_outputs}, target, rows.ids[i], rows.weights[i]);
      } else {
        to[0] = rows.weights[i];
        to[1] = rows.weights[i] * (target.numbers[rows.ids[i]] - mean);
      }
    }
    table.values = values;
    table.amounts = amounts;
    std::vector<std::uint32_t> every(n);
    for (std::size_t i = 0; i < n; ++i) every[i] = static_cast<std::uint32_t>(i);
    SubsetOptions options = options_;
    options.min_weight = 0.0;  // the cut sees to that
    options.ridge = ridge_ * rows.weight;
    return SubsetFinder(table, options).sums({every, {}});
  }

  SubsetOptions options_;
  double ridge_;  // as a share of the node's weight
  KnownColumns known_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  SubsetOptions options;
  options.n_terms = static_cast<std::size_t>(number(parameters, "terms"));
  options.screened = static_cast<std::size_t>(number(parameters, "screened"));
  options.shrinkage = number(parameters, "shrinkage");
  options.only_sums = true;
  return std::make_shared<BestSubset>(options, number(parameters, "ridge"));
}

const Listed listed{"best_subset", make};

}  // namespace

}  // namespace treewright
