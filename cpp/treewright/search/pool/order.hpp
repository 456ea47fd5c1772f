// Trees over a pool whose answers only rise, or only fall, along some columns.
//
// A condition with a trend has larger answers on one of its sides: where its sum goes up with all
// those columns, or down with all. What a set of rows answers is its share of the second class, or
// its mean. All leaves on one side of a split with a trend answer at most, and all on the other at
// least,
//
//   middle of the split = (answer of the rows that meet it + answer of those that fail it) / 2,
//
// as in scikit-learn. Two rows that differ along such columns part at a split with a trend, so that
// no order is broken wherever they end. Trees that keep the order in another way are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace treewright::search {

// Answers that a leaf may have.
struct Answers {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  bool hold(double answer) const { return answer >= least && answer <= most; }
  // Those of them on one side of a split.
  Answers side(int trend, double middle, bool met) const {
    if (trend == 0) return *this;
    const bool is_upper = (trend > 0) != met;
    return is_upper ? Answers{middle > least ? middle : least, most}
                    : Answers{least, middle < most ? middle : most};
  }
};

// Whether the two leaves of a split stand in its order.
inline bool in_order(int trend, double met, double failed) {
  return trend == 0 || (trend > 0 ? met <= failed : met >= failed);
}

class Order {
 public:
  // trends[condition]: 1 larger answers where it fails, -1 where it is met, 0 either; none: no
  // order is asked for.
  explicit Order(std::vector<int> trends)
      : trends_(std::move(trends)),
        middles_(trends_.size()),
        below_(2 * trends_.size() * trends_.size()) {}

  bool is_asked_for() const { return !trends_.empty(); }
  int trend(std::size_t test) const { return is_asked_for() ? trends_[test] : 0; }
  void set_middle(std::size_t test, double middle) { middles_[test] = middle; }
  // Of a condition among the rows on one side of another one.
  void set_middle(std::size_t test, std::size_t above, bool met, double middle) {
    below_[place_of(test, above, met)] = middle;
  }

  Answers at(std::size_t root, bool met) const {
    return Answers{}.side(trend(root), middles_[root], met);
  }
  Answers at(std::size_t root, bool met, std::size_t second, bool second_met) const {
    return at(root, met).side(trend(second), below_[place_of(second, root, met)], second_met);
  }

 private:
  std::size_t place_of(std::size_t test, std::size_t above, bool met) const {
    return (test * trends_.size() + above) * 2 + (met ? 1 : 0);
  }

  std::vector<int> trends_;
  std::vector<double> middles_, below_;
};

}  // namespace treewright::search
