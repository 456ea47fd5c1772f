// What a division of rows is worth, kept up to date while rows change sides in any order.
// `clear` puts every row right; `move(row, 1)` takes a row over to the left, `move(row, -1)` back;
// `decrease(on_left)` is that of the impurity, given the weight on the left.
//
//   Contrast     squared errors, and Gini or twoing of two classes: with q = sum over left rows of
//                w (y - mean), the decrease is proportional to q^2 / (W_L W_R)
//   SideGini     of many classes, by running sums of squares
//   SideEntropy  and deviance, by running sums of x log x
//   SideTwoing   of many classes, summed anew only where it can be better than the best so far
//   SideMeasure  from the class weights of both sides, O(classes) at each division
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "treewright/measure/logarithms.hpp"
#include "treewright/measure/measure.hpp"
#include "treewright/split/plane/sweep.hpp"

namespace treewright {

inline std::vector<double> class_weights(const SideRows& rows) {
  std::vector<double> total(rows.n_classes, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    total[static_cast<std::size_t>(rows.labels[i])] += rows.weights[i];
  }
  return total;
}

class Contrast {
 public:
  static Contrast of_numbers(const SideRows& rows) {
    Contrast contrast(rows, 1.0);
    double mean = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      mean += rows.weights[i] / contrast.total_ * (rows.numbers[i] - rows.numbers[0]);
    }
    mean += rows.numbers[0];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      contrast.terms_.push_back(rows.weights[i] * (rows.numbers[i] - mean));
    }
    return contrast;
  }
  // Terms are W times as large, so that they are whole numbers where weights are.
  static Contrast of_two_classes(const SideRows& rows, double factor) {
    Contrast contrast(rows, factor);
    const double total = contrast.total_, ones = class_weights(rows)[1];
    contrast.factor_ /= total * total;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      contrast.terms_.push_back(rows.weights[i] * ((rows.labels[i] == 1 ? total : 0.0) - ones));
    }
    return contrast;
  }

  void clear() { sum_ = 0.0; }
  void move(std::size_t row, double sign) { sum_ += sign * terms_[row]; }
  double decrease(double on_left) const {
    return factor_ * sum_ * sum_ / (on_left * (total_ - on_left));
  }

 private:
  Contrast(const SideRows& rows, double factor) : total_(sum_of(rows.weights)), factor_(factor) {
    terms_.reserve(rows.size());
  }

  std::vector<double> terms_;
  double total_, factor_, sum_ = 0.0;
};

// Keeps the class weights of the left side.
class ClassSides {
 public:
  explicit ClassSides(const SideRows& rows)
      : rows_(rows),
        of_class_(class_weights(rows)),
        total_(sum_of(of_class_)),
        left_(of_class_.size()) {}

 protected:
  std::size_t label(std::size_t row) const { return static_cast<std::size_t>(rows_.labels[row]); }
  double weight(std::size_t row) const { return rows_.weights[row]; }

  const SideRows& rows_;
  std::vector<double> of_class_;  // on both sides
  double total_;
  std::vector<double> left_;
};

class SideGini : public ClassSides {
 public:
  explicit SideGini(const SideRows& rows) : ClassSides(rows) {
    for (const double weight : of_class_) squares_ += weight * weight;
  }
  void clear() {
    std::ranges::fill(left_, 0.0);
    left_squares_ = 0.0;
    right_squares_ = squares_;
  }
  void move(std::size_t row, double sign) {
    const std::size_t c = label(row);
    const double change = sign * weight(row);
    left_squares_ += change * (2.0 * left_[c] + change);
    right_squares_ -= change * (2.0 * (of_class_[c] - left_[c]) - change);
    left_[c] += change;
  }
  double decrease(double on_left) const {
    const double sides = left_squares_ / on_left + right_squares_ / (total_ - on_left);
    return (sides - squares_ / total_) / total_;
  }

 private:
  double squares_ = 0.0, left_squares_ = 0.0, right_squares_ = 0.0;
};

class SideEntropy : public ClassSides {
 public:
  SideEntropy(const SideRows& rows, double unit) : ClassSides(rows), unit_(unit) {
    const auto is_whole = [](double weight) { return weight == std::floor(weight); };
    constexpr double entries_a_row = 4.0;  // a table of more would cost more than it saves
    if (std::ranges::all_of(rows.weights, is_whole) &&
        total_ <= entries_a_row * static_cast<double>(rows.size())) {
      table_ = x_log_x_table(static_cast<std::size_t>(total_));
    }
    for (const double weight : of_class_) inside_all_ += of(weight);
  }
  void clear() {
    std::ranges::fill(left_, 0.0);
    inside_ = inside_all_;
  }
  void move(std::size_t row, double sign) {
    const std::size_t c = label(row);
    const double before = left_[c], after = before + sign * weight(row);
    inside_ += of(after) - of(before) + of(of_class_[c] - after) - of(of_class_[c] - before);
    left_[c] = after;
  }
  double decrease(double on_left) const {
    const double outside = of(on_left) + of(total_ - on_left);
    return unit_ * (of(total_) - inside_all_ + inside_ - outside) / total_;
  }

 private:
  double of(double weight) const {
    return table_.empty() ? x_log_x(weight) : table_[static_cast<std::size_t>(weight)];
  }

  double unit_;
  std::vector<double> table_;  // of x log x, where weights are whole numbers
  double inside_all_ = 0.0, inside_ = 0.0;
};

// With T_c the weight of class c on both sides, Delta = D^2 / (4 W_L W_R) for
// D = sum_c |L_c - T_c W_L / W|. A row of weight w changes D by 2 w at most, either way.
class SideTwoing : public ClassSides {
 public:
  explicit SideTwoing(const SideRows& rows) : ClassSides(rows) {}
  void clear() {
    std::ranges::fill(left_, 0.0);
    most_ = 0.0;
  }
  void move(std::size_t row, double sign) {
    left_[label(row)] += sign * weight(row);
    most_ += 2.0 * weight(row);
  }
  // No less than the decrease, without a sum.
  double at_most(double on_left) const {
    return most_ * most_ / (4.0 * on_left * (total_ - on_left));
  }
  double decrease(double on_left) {
    const double share = on_left / total_;
    most_ = 0.0;
    for (std::size_t c = 0; c < left_.size(); ++c) {
      most_ += std::abs(left_[c] - of_class_[c] * share);
    }
    return at_most(on_left);
  }

 private:
  double most_ = 0.0;  // what D can be, given what it was
};

class SideMeasure : public ClassSides {
 public:
  SideMeasure(const SideRows& rows, const Measure& measure)
      : ClassSides(rows), measure_(measure), both_(2 * of_class_.size()) {}
  void clear() { std::ranges::fill(left_, 0.0); }
  void move(std::size_t row, double sign) { left_[label(row)] += sign * weight(row); }
  double decrease(double) {
    const std::size_t k = left_.size();
    for (std::size_t c = 0; c < k; ++c) {
      // Less than rounding leaves is nothing; a square root would make it matter.
      const double least = 1e-13 * of_class_[c], right = of_class_[c] - left_[c];
      both_[c] = left_[c] > least ? left_[c] : 0.0;
      both_[k + c] = right > least ? right : 0.0;
    }
    return measure_.decrease(of_class_, both_);
  }

 private:
  const Measure& measure_;
  std::vector<double> both_;  // left, then right
};

}  // namespace treewright
