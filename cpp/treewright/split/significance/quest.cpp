// QUEST: a column chosen by significance, then cut where two normal groups meet (Loh, Shih 1997,
// "Split selection methods for classification trees").
//
//   numeric column       x <= t with t of normal_point.hpp
//   categorical column   the levels become numbers (crimcoord.hpp); those up to the point go left
//   linear = "yes"       the largest discriminant coordinate of the numeric columns is cut instead
//
// The point must leave enough rows on both sides, otherwise the middle of the means is tried, then
// the next column in the order of significance (the published system stops there).

#include <cmath>
#include <optional>

#include "treewright/split/cut/candidates.hpp"
#include "treewright/split/discriminant/discriminants.hpp"
#include "treewright/split/list.hpp"
#include "treewright/split/significance/crimcoord.hpp"
#include "treewright/split/significance/normal_point.hpp"

namespace treewright {

namespace {

class Quest : public Method {
 public:
  Quest(bool linear, double alpha) : linear_(linear), alpha_(alpha) {}

  void prepare(const Problem& problem, const Rows&) override { require_classes(problem, "QUEST"); }

  void propose(const Node& node, Rng&, std::vector<Candidate>& candidates) override {
    const Labels labels = classes_of(node);
    std::optional<Candidate> found;
    if (linear_) {
      found = cut_coordinate(node, labels);
    } else {
      for (const std::int32_t column : columns_by_significance(node, labels, alpha_)) {
        found = node.problem.table.is_categorical(column) ? divide_levels(node, column, labels)
                                                          : cut_numbers(node, column, labels);
        if (found) break;
      }
    }
    if (found) candidates.push_back(std::move(*found));
  }

 private:
  // The first of the two places to cut that leaves enough on both sides. What was calculated and
  // lies above by no more than the grain lies at the point.
  template <class MakeTest>
  static std::optional<Candidate> at_meeting(const Node& node,
                                             std::span<const ClassMoments> classes,
                                             MakeTest make_test) {
    const auto meeting = meeting_of(classes);
    if (!meeting) return std::nullopt;
    auto found = evaluated(node, make_test(meeting->point, meeting->grain));
    return found ? found : evaluated(node, make_test(meeting->middle, meeting->grain));
  }

  static std::optional<Candidate> cut_numbers(const Node& node, std::int32_t column,
                                              Labels labels) {
    return at_meeting(node, class_moments(node, std::span(&column, 1), labels),
                      [&](double point, double) { return axis_test(column, point); });
  }

  static std::optional<Candidate> divide_levels(const Node& node, std::int32_t column,
                                                Labels labels) {
    const Contingency table = contingency_of(node, column, labels);
    const std::vector<double> coordinates = crimcoord(table);
    if (coordinates.empty()) return std::nullopt;
    return at_meeting(node, moments_along(table, coordinates), [&](double point, double grain) {
      std::vector<std::int32_t> sides[2];
      for (std::size_t level = 0; level < coordinates.size(); ++level) {
        if (std::isnan(coordinates[level])) continue;
        sides[coordinates[level] > point + grain].push_back(static_cast<std::int32_t>(level));
      }
      if (sides[0].empty() || sides[1].empty()) return Test{};
      // Coordinates have no sign of their own: the side of the first level is left.
      const bool turned = sides[1].front() < sides[0].front();
      return subset_test(column, sides[turned], sides[!turned]);
    });
  }

  static std::optional<Candidate> cut_coordinate(const Node& node, Labels labels) {
    const ClassScatter scatter = class_scatter(node, varying_columns(node), labels);
    const Test direction =
        direction_of(scatter.columns, largest_discriminant(scatter, least_component));
    if (direction.is_leaf()) return std::nullopt;
    std::vector<ClassMoments> classes(labels.count);
    const Linear linear = std::get<Linear>(view(direction));
    for (const std::uint32_t row : node.ids()) {
      const double score =
          linear.score([&](std::int32_t c) { return node.problem.table.at(row, c); });
      if (std::isnan(score)) continue;
      ClassMoments& here = classes[static_cast<std::size_t>(labels.of_row[row])];
      here.moments.add({node.weights[row], score, 0.0});
      here.count += node.count_of(row);
    }
    return at_meeting(node, classes, [&](double point, double grain) {
      if (linear.features.size() == 1) return axis_test(linear.features[0], point);
      return linear_test(linear.features, linear.coefficients, point + grain);
    });
  }

  bool linear_;
  double alpha_;
};

std::shared_ptr<Method> make(const Parameters& parameters, Parts) {
  return std::make_shared<Quest>(choice(parameters, "linear", {"yes", "no"}) == "yes",
                                 number(parameters, "alpha"));
}

const Listed listed{"quest", make};

}  // namespace

}  // namespace treewright
