// What a leaf costs. Every cost is `base - reward`: the base is a sum over rows, the reward depends
// on sums over the leaf, so that the search only has to make rewards large.
//
//   classes   sums W_c of weights; reward = largest over labels of sum_c gain[label][c] W_c, where
//   a
//             gain is the largest cost of the class less the cost of the label
//   losses    of each row by label: sums G_l of what label l saves against the row's dearest one;
//             reward = largest G_l. With two labels they are classes: the cheaper one, weighing
//             as much as it saves
//   numbers   sums W and WY (numbers counted from the smallest); base = sum w y^2,
//             reward = (WY)^2 / W
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "treewright/search/problem.hpp"

namespace treewright::search {

class Task {
 public:
  // Where leaves need a least weight, weights must stay as they are given.
  Task(const Problem& problem, bool keep_weights);

  // Rows in the order of the search, those of one class side by side.
  std::vector<std::int32_t> original_row;
  std::vector<std::int32_t> first_row;  // of each class, and one past the last; numbers: one class
  std::vector<Value> weight;
  std::vector<Value> moment;  // w y, for numbers
  std::vector<Value> base;    // of each row
  std::int32_t n_classes = 1;
  bool numeric = false;
  bool by_row = false;  // labels cost every row something of its own
  // Errors cost the weight of the row whatever the answer: the reward is the largest class weight.
  bool plain = false;
  Value common_weight = 0;  // of every row; 0 if they differ

  std::size_t n_rows() const { return original_row.size(); }
  // Class weights, or weight and moment; rows counted are added by those who need them.
  std::size_t n_sums() const {
    if (by_row) return n_labels_;
    return numeric ? 2 : static_cast<std::size_t>(n_classes);
  }
  // Adds a row to its sums, or takes it away (sign -1).
  void add(std::size_t row, std::size_t row_class, double sign, double* sums) const {
    if (by_row) {
      for (std::size_t l = 0; l < n_labels_; ++l) sums[l] += sign * row_gain(row, l);
      return;
    }
    sums[numeric ? 0 : row_class] += sign * static_cast<double>(weight[row]);
    if (numeric) sums[1] += sign * static_cast<double>(moment[row]);
  }
  // What a label saves a row against its dearest one, a whole number.
  double row_gain(std::size_t row, std::size_t label) const {
    return row_gains_[row * n_labels_ + label];
  }
  std::size_t n_labels() const { return n_labels_; }
  Value gain(std::size_t label, std::size_t c) const {
    if (plain) return label == c ? 1 : 0;
    return gains_[label * static_cast<std::size_t>(n_classes) + c];
  }
  // Largest cost of a unit of weight of a class.
  Value rate(std::int32_t c) const { return rates_[static_cast<std::size_t>(c)]; }

  double reward(const double* sums) const {
    if (numeric) return number_reward(sums[0], sums[1]);
    double best = 0.0;
    if (plain || by_row) return std::max(best, *std::max_element(sums, sums + n_sums()));
    for (std::size_t l = 0; l < n_labels_; ++l) best = std::max(best, label_reward(l, sums));
    return best;
  }
  double label_reward(std::size_t label, const double* sums) const {
    if (plain || by_row) return sums[label];
    double sum = 0.0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(n_classes); ++c) {
      sum += static_cast<double>(gain(label, c)) * sums[c];
    }
    return sum;
  }
  // A whole number, the true one for sets of equal numbers; at most one off otherwise.
  static double number_reward(double weight, double moment);

 private:
  void read_classes(const Problem& problem, bool keep_weights);
  void read_losses(const Problem& problem);
  void read_numbers(const Problem& problem);

  std::size_t n_labels_ = 0;
  std::vector<Value> gains_;  // none where `plain`
  std::vector<Value> rates_;
  std::vector<double> row_gains_;  // [row][label]
};

}  // namespace treewright::search
