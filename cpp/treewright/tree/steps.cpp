#include "treewright/tree/steps.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "treewright/base/prefetch.hpp"

namespace treewright {

namespace {

constexpr std::int32_t doubles_in_a_line = 8;  // of cache
// A branch number in a byte, or that a test does not know a level.
constexpr std::int32_t most_branches = 255;
constexpr std::uint8_t no_branch = 255;
constexpr std::size_t most_branch_bytes = std::size_t{1} << 24;  // of all levels at all nodes

// What is done where a value is missing: there is none (and the table is row-major), the default
// branch is taken, or it is remembered.
enum class MissingValues { none, settled, watched };

// Rows on their way, those that are still walking first. Each list has one value a row.
template <std::size_t width>
struct Walkers {
  std::array<const double*, width> values;
  std::array<std::uint32_t, width> node;
  std::array<std::uint32_t, width> place;  // among the rows that started together
  std::array<double, width> gap;           // NaN when a value was missing
};

// What the walk asks of either layout: the column of a node, the node after it, and whether a row
// stays where it is.
struct AxisWalk {
  const Step* steps;
  const std::uint8_t* default_branch;

  explicit AxisWalk(const Steps& tree)
      : steps(tree.steps.data()), default_branch(tree.default_branch.data()) {}

  std::uint32_t feature(std::uint32_t node) const { return steps[node].feature; }
  bool is_leaf(std::uint32_t node) const { return steps[node].child == node; }
  template <MissingValues gaps>
  std::uint32_t next(std::uint32_t node, double x, double& gap) const {
    const Step& here = steps[node];
    if constexpr (gaps == MissingValues::watched) gap += x - x;
    std::uint32_t branch = x > here.threshold;
    if constexpr (gaps == MissingValues::settled) {
      branch |= static_cast<std::uint32_t>(x != x) & default_branch[node];
    }
    return here.child + branch;
  }
};

struct LevelWalk {
  const LevelStep* steps;
  const std::uint8_t* branches;

  explicit LevelWalk(const Steps& tree)
      : steps(tree.level_steps.data()), branches(tree.branches.data()) {}

  std::uint32_t feature(std::uint32_t node) const { return steps[node].feature; }
  bool is_leaf(std::uint32_t node) const { return steps[node].child == node; }
  template <MissingValues gaps>
  std::uint32_t next(std::uint32_t node, double x, double& gap) const {
    const LevelStep& here = steps[node];
    const bool is_level = (x > -1.0) & (x < here.n_levels);
    const auto level =
        static_cast<std::uint32_t>(static_cast<std::int32_t>(is_level ? x : here.n_levels));
    std::uint32_t branch = branches[here.first + level];
    if constexpr (gaps == MissingValues::watched) {
      const bool is_unknown = branch == no_branch;
      gap += is_unknown ? 1.0 : x - x;
      branch = is_unknown ? 0 : branch;
    }
    branch += x > here.threshold;
    if constexpr (gaps == MissingValues::settled) {
      branch += static_cast<std::uint32_t>(x != x) & here.default_branch;
    }
    return here.child + branch;
  }
};

// Several rows go down together, so that their memory accesses overlap; those that have arrived
// make room now and then. Rows of a narrow row-major table are fetched before their turn, since
// which part of them will be read is anyone's guess.
template <MissingValues gaps, class Walk>
void follow_rows(const Walk walk, const Table& table, std::span<std::int32_t> leaves) {
  constexpr bool watches = gaps == MissingValues::watched;
  constexpr std::size_t width = 64, at_once = 8;
  constexpr int steps_between_looks = 7;
  const auto width_stride = static_cast<std::ptrdiff_t>(width) * table.row_stride;
  const bool narrow = table.column_stride == 1 &&
                      table.row_stride <= static_cast<std::ptrdiff_t>(most_columns_fetched);
  const std::ptrdiff_t stride = gaps == MissingValues::none ? 1 : table.column_stride;
  Walkers<width> walkers;
  for (std::size_t start = 0; start < table.n_rows; start += width) {
    std::size_t n_walking = std::min(width, table.n_rows - start);
    const double* first_row = table.values + static_cast<std::ptrdiff_t>(start) * table.row_stride;
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t place = std::min(i, n_walking - 1);
      walkers.values[i] = first_row + static_cast<std::ptrdiff_t>(place) * table.row_stride;
      walkers.place[i] = static_cast<std::uint32_t>(place);
    }
    walkers.node.fill(0);
    walkers.gap.fill(0.0);
    if (narrow && start + 2 * width <= table.n_rows) {
      for (std::ptrdiff_t i = 0; i < width_stride; i += doubles_in_a_line) {
        prefetch(first_row + width_stride + i);
      }
    }
    while (n_walking > 0) {
      for (std::size_t first = 0; first < n_walking; first += at_once) {
        std::array<std::uint32_t, at_once> node;
        std::array<const double*, at_once> values;
        std::array<double, at_once> gap;
        std::copy_n(&walkers.node[first], at_once, node.begin());
        std::copy_n(&walkers.values[first], at_once, values.begin());
        if constexpr (watches) std::copy_n(&walkers.gap[first], at_once, gap.begin());
        for (int step = 0; step < steps_between_looks; ++step) {
          for (std::size_t i = 0; i < at_once; ++i) {
            const double x = values[i][walk.feature(node[i]) * stride];
            node[i] = walk.template next<gaps>(node[i], x, gap[i]);
          }
        }
        std::copy_n(node.begin(), at_once, &walkers.node[first]);
        if constexpr (watches) std::copy_n(gap.begin(), at_once, &walkers.gap[first]);
      }
      std::size_t n_left = 0;
      for (std::size_t i = 0; i < n_walking; ++i) {
        const std::uint32_t node = walkers.node[i];
        const std::uint32_t place = walkers.place[i];
        leaves[start + place] = static_cast<std::int32_t>(node);
        if constexpr (watches) {
          if (walkers.gap[i] != 0.0) leaves[start + place] = unknown;
          walkers.gap[n_left] = walkers.gap[i];
        }
        walkers.values[n_left] = walkers.values[i];
        walkers.node[n_left] = node;
        walkers.place[n_left] = place;
        n_left += !walk.is_leaf(node);
      }
      n_walking = n_left;
    }
  }
}

template <class Walk>
void follow_rows(const Steps& steps, const Table& table, Values values,
                 std::span<std::int32_t> leaves) {
  if (values == Values::plain && steps.settle(values)) {
    follow_rows<MissingValues::none>(Walk(steps), table, leaves);
  } else if (steps.settles_missing) {
    follow_rows<MissingValues::settled>(Walk(steps), table, leaves);
  } else {
    follow_rows<MissingValues::watched>(Walk(steps), table, leaves);
  }
}

bool tests_levels(Kind kind) {
  switch (kind) {
    case Kind::subset:
    case Kind::multiway:
      return true;
    case Kind::axis:
    case Kind::linear:
    case Kind::pair:
    case Kind::machine:
    case Kind::leaf:
      break;
  }
  return false;
}

bool tests_levels(const Tree& tree) {
  return std::ranges::any_of(
      tree.tests.kind, [](std::int8_t kind) { return tests_levels(static_cast<Kind>(kind)); });
}

std::size_t levels_at(const Tree& tree, std::size_t node) {
  const auto column = static_cast<std::size_t>(tree.tests.features_of(node)[0]);
  return static_cast<std::size_t>(tree.n_levels[column]);
}

void add_levels(const Tree& tree, std::size_t node, Steps& steps) {
  LevelStep& step = steps.level_steps[node];
  const std::size_t n_levels = levels_at(tree, node);
  step.threshold = std::numeric_limits<double>::infinity();
  step.n_levels = static_cast<double>(n_levels);
  step.first = static_cast<std::uint32_t>(steps.branches.size());
  step.default_branch = 0;  // it is among those of the levels
  const Predicate test = tree.tests.view(node);
  for (std::size_t level = 0; level <= n_levels; ++level) {
    const double code =
        level < n_levels ? static_cast<double>(level) : std::numeric_limits<double>::quiet_NaN();
    const std::int32_t branch = std::visit(
        [&](const auto& predicate) { return predicate.branch([&](std::int32_t) { return code; }); },
        test);
    const std::uint8_t otherwise =
        steps.settles_missing ? static_cast<std::uint8_t>(tree.default_branch[node]) : no_branch;
    steps.branches.push_back(branch == unknown ? otherwise : static_cast<std::uint8_t>(branch));
  }
}

// The step of an axis test, or of a leaf; `parent` is that of the parent of a leaf.
template <class AnyStep>
AnyStep plain_step(const Tree& tree, std::size_t node, const AnyStep& parent) {
  AnyStep step{};
  if (tree.is_leaf(node)) {
    step.threshold = std::numeric_limits<double>::infinity();
    step.feature = parent.feature;
    step.child = static_cast<std::uint32_t>(node);
    return step;
  }
  const bool has_threshold = is_axis(static_cast<Kind>(tree.tests.kind[node]));
  step.threshold = has_threshold ? tree.tests.numbers_of(node)[0] : 0.0;
  step.feature = static_cast<std::uint32_t>(tree.tests.features_of(node)[0]);
  step.child = static_cast<std::uint32_t>(tree.first_child[node]);
  return step;
}

}  // namespace

bool has_steps(const Tree& tree) {
  std::size_t n_bytes = 0;
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
    const auto kind = static_cast<Kind>(tree.tests.kind[node]);
    if (is_axis(kind) || kind == Kind::leaf) continue;
    if (!tests_levels(kind) || tree.n_branches[node] > most_branches) return false;
    n_bytes += levels_at(tree, node) + 1;
  }
  return n_bytes <= most_branch_bytes;
}

Steps steps_of(const Tree& tree) {
  const std::vector<std::int32_t> parents = tree.parents();
  const auto parent = [&](std::size_t node) {
    return static_cast<std::size_t>(std::max(parents[node], 0));
  };
  Steps steps;
  steps.settles_missing = true;
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
    steps.settles_missing =
        steps.settles_missing &&
        (tree.is_leaf(node) || takes_default_branch(static_cast<Missing>(tree.missing[node])));
  }
  if (!tests_levels(tree)) {
    steps.steps.resize(tree.n_nodes());
    steps.default_branch.assign(tree.n_nodes(), 0);
    for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
      steps.steps[node] = plain_step(tree, node, steps.steps[parent(node)]);
      if (!tree.is_leaf(node)) {
        steps.default_branch[node] = static_cast<std::uint8_t>(tree.default_branch[node]);
      }
    }
    return steps;
  }
  steps.branches.push_back(0);  // what axis tests and leaves look up
  steps.level_steps.resize(tree.n_nodes());
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
    LevelStep& step = steps.level_steps[node];
    step = plain_step(tree, node, steps.level_steps[parent(node)]);
    if (tree.is_leaf(node)) continue;
    if (tests_levels(static_cast<Kind>(tree.tests.kind[node]))) {
      add_levels(tree, node, steps);
    } else {
      step.default_branch = static_cast<std::uint32_t>(tree.default_branch[node]);
    }
  }
  return steps;
}

void follow(const Steps& steps, const Table& table, Values values, std::span<std::int32_t> leaves) {
  if (steps.level_steps.empty()) {
    follow_rows<AxisWalk>(steps, table, values, leaves);
  } else {
    follow_rows<LevelWalk>(steps, table, values, leaves);
  }
}

}  // namespace treewright
