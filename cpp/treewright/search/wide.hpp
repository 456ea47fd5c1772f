// Nodes with long chains of thresholds: too many pairs to count them all. Rows know their place in
// each chain, so that one pass over them tells the sums of every threshold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/search/sample.hpp"

namespace treewright::search {

// Whether the chains of a sample are long enough for it.
bool is_wide(const Context& context, const Sample& sample, std::int32_t level);

class Wide {
 public:
  // Costs of the two parts of a test, prices of lower tests included and penalties not.
  struct Halves {
    Value leaf_ones = 0;
    Value split_ones = no_value;  // with one more test
    Value leaf_zeros = 0;
    Value split_zeros = no_value;
  };

  explicit Wide(const Context& context) : context_(context), task_(context.task) {}

  // Everything below is about this sample, which must stay as it is.
  void begin(const Sample& sample, std::int32_t level);

  // Cost of a column as the only test; no_value if it leaves too few rows on a side.
  Value single(std::int32_t column) const { return singles_[static_cast<std::size_t>(column)]; }
  Value leaf_ones(std::int32_t column) const {
    return leaf_ones_[static_cast<std::size_t>(column)];
  }
  Value leaf_zeros(std::int32_t column) const {
    return leaf_zeros_[static_cast<std::size_t>(column)];
  }

  // The parts of a test: the rows that pass it, or those that fail, are listed.
  Halves halves(std::span<const std::int32_t> listed, bool ones_are_listed);

 private:
  struct Chain {
    std::int32_t first_column;
    std::int32_t n_columns;
    std::size_t first_bin;
  };
  // Best rewards of splitting the listed rows, and the others.
  struct Rewards {
    double listed;
    double others;
  };
  static constexpr double none = -0x1p60;

  void read_chains();
  void fill(std::span<const std::int32_t> listed);
  Rewards best_rewards(const std::vector<double>& listed, const std::vector<double>& others);
  Rewards best_differences(std::int32_t listed, std::int32_t others);
  bool enough(const double* sums) const { return context_.enough(sums); }
  double reward(const double* sums) const { return task_.reward(sums); }

  const Context& context_;
  const Task& task_;
  const Sample* sample_ = nullptr;
  bool by_differences_ = false;
  std::size_t n_sums_ = 0;
  std::vector<Chain> chains_;
  std::vector<std::uint32_t> bins_;     // [chain][row]: the bin of the row
  std::vector<std::int32_t> class_of_;  // of each row
  std::vector<double> histogram_;       // [bin][sum]
  std::vector<double> whole_;           // [column][sum]: over all rows that pass
  std::vector<std::int32_t> differences_, whole_differences_,
      running_;  // as these, for two classes
  std::vector<double> lower_prices_;
  std::vector<double> totals_;
  std::vector<Value> singles_, leaf_ones_, leaf_zeros_, base_ones_;
};

}  // namespace treewright::search
