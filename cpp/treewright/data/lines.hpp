// Lines: what is kept of rows that share a bin of a column, or a value.
//
//   classes   low, high, rows, weight of each class
//   numbers   low, high, rows, least, most, sum w, sum w (y - m), sum w (y - m)^2
//
// where low and high are the least and largest value of the column, least and most those of the
// target, and m the mean of the node, so that sums stay small. Lines of two parts of a table merge
// by least, largest and sum, in whatever order; sums of whole weights, and of weights on one grid,
// are exact, so that the order does not matter to them either.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "treewright/data/target.hpp"

namespace treewright {

// Where things stand in a line.
struct Line {
  bool is_classification;
  std::size_t n_classes;

  explicit Line(const Target& target)
      : Line(target.is_classification(), static_cast<std::size_t>(target.n_classes)) {}
  Line(bool classification, std::size_t classes)
      : is_classification(classification), n_classes(classes) {}

  static constexpr std::size_t low = 0, high = 1, count = 2, least = 3, most = 4;
  std::size_t first_sum() const { return is_classification ? 3 : 5; }
  std::size_t n_sums() const { return is_classification ? n_classes : 3; }
  std::size_t width() const { return first_sum() + n_sums(); }

  void clear(std::span<double> line) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (double& number : line) number = 0.0;
    line[low] = infinity;
    line[high] = -infinity;
    if (is_classification) return;
    line[least] = infinity;
    line[most] = -infinity;
  }

  void add_row(double* line, const Target& target, std::uint32_t row, double mean) const {
    const double w = target.weights[row];
    line[count] += 1.0;
    if (is_classification) {
      line[3 + static_cast<std::size_t>(target.labels[row])] += w;
      return;
    }
    const double y = target.numbers[row], off = y - mean;
    line[least] = y < line[least] ? y : line[least];
    line[most] = y > line[most] ? y : line[most];
    line[5] += w;
    line[6] += w * off;
    line[7] += w * off * off;
  }

  void merge(std::span<double> to, std::span<const double> from) const {
    const auto least_of = [&](std::size_t i) { to[i] = from[i] < to[i] ? from[i] : to[i]; };
    const auto most_of = [&](std::size_t i) { to[i] = from[i] > to[i] ? from[i] : to[i]; };
    least_of(low);
    most_of(high);
    to[count] += from[count];
    if (!is_classification) {
      least_of(least);
      most_of(most);
    }
    for (std::size_t i = first_sum(); i < width(); ++i) to[i] += from[i];
  }

  // Line by line; two classes, which most tables have, without asking each line how wide it is.
  void merge_all(std::span<double> to, std::span<const double> from) const {
    const auto every = [&](const Line& line) {
      for (std::size_t i = 0; i < to.size(); i += line.width()) {
        line.merge(to.subspan(i, line.width()), from.subspan(i, line.width()));
      }
    };
    if (is_classification && n_classes == 2) {
      every(Line(true, 2));
    } else {
      every(*this);
    }
  }
};

}  // namespace treewright
