// LevelSums: the rows of a node added up by their level of a categorical column.
//
// One pass over the rows adds them up in one table, which is as long as the column has levels, or
// where the rows are few, as long as there are levels among them: small nodes cost no more for the
// levels that they do not have.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "treewright/base/lent.hpp"
#include "treewright/split/method.hpp"

namespace treewright {

using WeightedNumbers = std::vector<std::pair<double, double>>;  // (number, weight)

struct LevelSums {
  // `n_levels` of each, behind them that of the rows without a level, if there are any. The vectors
  // may be longer, so that small nodes need not change their lengths.
  std::size_t n_levels = 0;
  std::vector<std::int32_t> levels;  // that occur in the node, ascending
  std::vector<double> counts;        // rows
  std::size_t width = 0;
  // `width` of each: class weights; or weight, sum of w (y - m), of w (y - m)^2 around the mean m
  // of the node.
  std::vector<double> sums;
  std::vector<WeightedNumbers> numbers;  // absolute error only
  bool has_missing = false;

  std::span<const double> sums_of(std::size_t i) const {
    return std::span(sums).subspan(i * width, width);
  }
  // Of rows without a level; empty where there are none.
  std::span<const double> missing_sums() const {
    return has_missing ? sums_of(n_levels) : std::span<const double>();
  }
  void make_room(std::size_t n, std::size_t width_of_sums);
  // Rows without a level become those of one more, `unknown`.
  void make_missing_a_level();
};

// Adds the sums of a level to node statistics.
void add_level(const Node& node, std::span<const double> sums, std::span<double> statistics);

// What every column adds up of a row is looked up once a node.
class LevelCounter {
 public:
  explicit LevelCounter(const Node& node);
  ~LevelCounter();
  LevelCounter(const LevelCounter&) = delete;
  LevelCounter& operator=(const LevelCounter&) = delete;

  // The rows of the node by their level of this column; valid until the next call.
  LevelSums& count(std::int32_t column);

 private:
  struct Kept;
  template <class LevelOf, class LabelOf>
  void count_by(std::int32_t n_levels, LevelOf level_of, LabelOf label_of);
  template <class PlaceOf, class LabelOf>
  void add_up(std::size_t n_places, PlaceOf place_of, LabelOf label_of);
  template <class LevelAt>
  void read_off(std::size_t n_places, std::int32_t n_levels, LevelAt level_at);
  template <class LevelOf>
  void gather_numbers(LevelOf level_of);

  const Node& node_;
  std::unique_ptr<Lent<Kept>> lent_;  // null before the first column
  Kept* kept_ = nullptr;
};

}  // namespace treewright
