// What greedy trees cost, soon: for each test of a node that of a tree with it on top and below it,
// at every node, the test that leaves the least entropy (for numbers, the least squared error); on
// the last level the test that costs least. Nothing but the cost is kept.
//
// Babbar, McTavish, Rudin and Seltzer (2025) choose tests so, level by level (LicketySPLIT).
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "treewright/search/sample.hpp"

namespace treewright::search {

class Lookahead {
 public:
  explicit Lookahead(const Context& context);

  // For each column of a sample whose node stands at `level` what a tree of at most `depth` levels
  // with its test on top costs; no_value if the test is not allowed.
  const std::vector<Value>& values(const Sample& sample, std::int32_t level, std::int32_t depth);

  // The column that leaves the least impurity, -1 if none is allowed.
  std::int32_t purest_column(const Sample& sample, std::int32_t level);

  std::function<void()> poll;  // called now and then

 private:
  // What is needed at a level of a greedy tree. Rows are bits, a word for each group of a tile.
  struct Step {
    Tile tile;
    std::vector<std::int32_t> listed;
    std::vector<std::uint16_t> rows, ones, zeros;
    std::vector<double> passed;  // [sum][column]: sums over the rows that pass
    std::vector<double> totals;  // [sum]
  };

  // What a greedy tree earns for some rows of a tile: the rewards of its leaves less what its tests
  // cost.
  double worth(const Tile& tile, std::span<const std::uint16_t> rows, std::int32_t level,
               std::int32_t depth);
  double worth_of_stump(const Step& step, std::int32_t level, double leaf);
  // Counts all rows of a sample.
  Step& begin(const Sample& sample, std::int32_t level);
  std::int32_t purest(const Step& step, std::int32_t level);

  void count(const Tile& tile, std::span<const std::uint16_t> rows, Step& step);
  // The sums of the parts of a column in `ones_` and `zeros_`. False if it may not divide the rows.
  bool divide_sums(const Step& step, std::int32_t column, std::int32_t level);
  static void divide_rows(const Tile& tile, std::span<const std::uint16_t> rows,
                          std::int32_t column, Step& step);
  // All rows of a tile.
  void take_all(const Tile& tile, std::vector<std::uint16_t>& rows) const;
  double fixed(std::int32_t column) const;
  double impurity(const std::vector<double>& sums) const;
  double heaviest_behind(const Step& step, std::size_t column) const;
  double entropy_behind(const Step& step, std::int32_t column, std::int32_t level) const;
  double entropy_term(double weight) const {
    if (!entropy_terms_.empty())
      return entropy_terms_[static_cast<std::size_t>(weight * rows_of_weight_ + 0.5)];
    return weight > 0.0 ? weight * std::log(weight) : 0.0;
  }
  double weight_of(const std::vector<double>& sums) const;
  Step& step_at(std::int32_t level);

  const Context& context_;
  const std::size_t n_sums_;
  const Sample* sample_ = nullptr;
  std::size_t n_padded_ = 0;  // columns, rounded up to whole blocks
  std::vector<std::unique_ptr<Step>> steps_;
  std::vector<double> entropy_terms_;  // of each number of rows, where all weigh alike
  double rows_of_weight_ = 0.0;        // rows for each unit of weight there
  std::vector<Value> values_;
  std::vector<std::uint16_t> masked_;
  std::vector<double> ones_, zeros_;
};

}  // namespace treewright::search
