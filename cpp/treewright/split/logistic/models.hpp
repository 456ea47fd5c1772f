// Logistic models of "the class is inside" on the rows of a node, on any of its columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/logistic/ridge.hpp"
#include "treewright/tree/predicate.hpp"

namespace treewright {

enum class LogisticSolver : std::uint8_t {
  ridge,  // ridge.hpp
  irls,   // irls.hpp
};

// Slopes of fits are those of standardised columns (ridge) or of the columns themselves (irls).
class LogisticModels {
 public:
  // `weights` are by row id, and taken `unit` times.
  LogisticModels(const Table& table, std::span<const std::int32_t> columns,
                 std::span<const std::uint32_t> ids, std::span<const double> weights,
                 LogisticSolver solver, double tau, double unit = 1.0);

  const StandardRows& rows() const { return rows_; }
  LogisticSolver solver() const { return solver_; }
  std::vector<std::size_t> all_columns() const;

  // Sets which rows are inside: inside(id). False if that is all or none of the weight.
  template <class Inside>
  bool divide(Inside inside) {
    y_.resize(rows_.n_rows());
    weight_inside_ = 0.0;
    bool has_inside = false, has_outside = false;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      y_[i] = inside(rows_.ids[i]) ? 1 : 0;
      (y_[i] ? has_inside : has_outside) = true;
      if (y_[i]) weight_inside_ += rows_.weights[i];
    }
    return has_inside && has_outside && weight_inside_ > 0 && weight_inside_ < rows_.weight;
  }
  std::span<const std::uint8_t> y() const { return y_; }
  // The weight of the lighter side.
  double events() const { return std::min(weight_inside_, rows_.weight - weight_inside_); }

  LogisticFit fit(std::vector<std::size_t> used, const LogisticFit* start = nullptr) const;
  // deviance + k * (columns + 1); columns that had to be left out do not count.
  double criterion(const LogisticFit& fit, double k) const;
  std::size_t rank(const LogisticFit& fit) const;

  // The test that sends rows outside to branch 0, in original units; an axis test, which sends low
  // values to branch 0, for one column. Rows on the boundary itself go to branch 1. Of kind leaf if
  // there is no column with a slope.
  Test test_of(const LogisticFit& fit) const;
  // Slopes and intercept in original units.
  LogisticFit original(const LogisticFit& fit) const;
  // A fit of these models from slopes of standardised columns.
  LogisticFit from_standard(LogisticFit fit) const;

 private:
  const Table& table_;
  LogisticSolver solver_;
  double tau_;
  StandardRows rows_;
  std::vector<std::uint8_t> y_;
  double weight_inside_ = 0.0;
};

}  // namespace treewright
