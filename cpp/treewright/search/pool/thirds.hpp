// The best third condition below each pair of conditions of the pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace treewright::search {

// Parts of the rows by who meets the first and the second condition: both, first, second, none.
inline constexpr std::size_t n_quadrants = 4;

// The best condition below each pair of conditions, in each of the four parts.
class Thirds {
 public:
  // For pairs either of which may stand above the other, or (n_orders = 2) which of them does.
  Thirds(std::size_t n_tests, std::size_t n_orders)
      : n_tests_(n_tests),
        costs_(n_orders * n_quadrants * n_tests * n_tests, std::numeric_limits<double>::infinity()),
        tests_(n_orders * n_quadrants * n_tests * n_tests, -1.0) {}

  struct Best {
    double cost;
    std::int32_t test;
  };
  // The first condition of a pair comes before the second in the pool.
  Best at(std::size_t quadrant, std::size_t first, std::size_t second) const {
    const std::size_t place = place_of(quadrant, first, second);
    return {costs_[place], static_cast<std::int32_t>(tests_[place])};
  }

  // A condition below a pair, for second conditions from `from` on. Those below one pair must come
  // in the order of the pool: of equally good ones the first stays. A price that is no number is
  // that of a condition which may not stand there.
  template <class Price>
  void take(std::size_t quadrant, std::size_t first, std::size_t from, const double* met,
            const double* failed, Price price, std::size_t test) {
    double* costs = costs_.data() + place_of(quadrant, first, 0);
    double* tests = tests_.data() + place_of(quadrant, first, 0);
    const auto number = static_cast<double>(test);
    for (std::size_t b = from; b < n_tests_; ++b) {
      const double cost = met[b] + failed[b] + price(b);
      const bool is_better = cost < costs[b];
      costs[b] = is_better ? cost : costs[b];
      tests[b] = is_better ? number : tests[b];
    }
  }

  // Conditions from `from` on below one pair.
  template <class Price>
  void take_best(std::size_t quadrant, std::size_t first, std::size_t second, std::size_t from,
                 const double* met, const double* failed, Price price) {
    const std::size_t place = place_of(quadrant, first, second);
    for (std::size_t b = from; b < n_tests_; ++b) {
      const double cost = met[b] + failed[b] + price(b);
      if (cost < costs_[place]) {
        costs_[place] = cost;
        tests_[place] = static_cast<double>(b);
      }
    }
  }

  void take(const Thirds& other) {
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      if (other.costs_[i] < costs_[i] ||
          (other.costs_[i] == costs_[i] && other.tests_[i] < tests_[i])) {
        costs_[i] = other.costs_[i];
        tests_[i] = other.tests_[i];
      }
    }
  }

 private:
  std::size_t place_of(std::size_t quadrant, std::size_t first, std::size_t second) const {
    return (quadrant * n_tests_ + first) * n_tests_ + second;
  }

  std::size_t n_tests_;
  std::vector<double> costs_, tests_;  // [quadrant][first][second]; numbers as wide as costs
};

}  // namespace treewright::search
