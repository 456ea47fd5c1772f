#include "treewright/tree/steps.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "treewright/base/prefetch.hpp"

namespace treewright {

namespace {

constexpr std::int32_t doubles_in_a_line = 8;  // of cache

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

// Several rows go down together, so that their memory accesses overlap; those that have arrived
// make room now and then. Rows of a narrow row-major table are fetched before their turn, since
// which part of them will be read is anyone's guess.
template <MissingValues gaps>
void follow_rows(const Steps& tree, const Table& table, std::span<std::int32_t> leaves) {
  constexpr bool watches = gaps == MissingValues::watched;
  constexpr std::size_t width = 64, at_once = 8;
  constexpr int steps_between_looks = 7;
  const auto width_stride = static_cast<std::ptrdiff_t>(width) * table.row_stride;
  const bool narrow = table.column_stride == 1 &&
                      table.row_stride <= static_cast<std::ptrdiff_t>(most_columns_fetched);
  const std::ptrdiff_t stride = gaps == MissingValues::none ? 1 : table.column_stride;
  const Step* steps = tree.steps.data();
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
            const Step& here = steps[node[i]];
            const double x = values[i][here.feature * stride];
            if constexpr (watches) gap[i] += x - x;
            std::uint32_t goes_right = x > here.threshold;
            if constexpr (gaps == MissingValues::settled) {
              goes_right |= static_cast<std::uint32_t>(x != x) & tree.default_branch[node[i]];
            }
            node[i] = here.child + goes_right;
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
        n_left += steps[node].child != node;
      }
      n_walking = n_left;
    }
  }
}

}  // namespace

bool has_only_axis_tests(const Tree& tree) {
  return std::ranges::all_of(tree.tests.kind, [](std::int8_t kind) {
    return is_axis(static_cast<Kind>(kind)) || static_cast<Kind>(kind) == Kind::leaf;
  });
}

Steps steps_of(const Tree& tree) {
  std::vector<Step> steps(tree.n_nodes());
  std::vector<std::uint8_t> default_branch(tree.n_nodes(), 0);
  bool takes_default = true;
  const std::vector<std::int32_t> parent = tree.parents();
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
    steps[node] = tree.is_leaf(node)
                      ? Step{std::numeric_limits<double>::infinity(),
                             steps[static_cast<std::size_t>(parent[node])].feature,
                             static_cast<std::uint32_t>(node)}
                      : Step{tree.tests.numbers_of(node)[0],
                             static_cast<std::uint32_t>(tree.tests.features_of(node)[0]),
                             static_cast<std::uint32_t>(tree.first_child[node])};
  }
  for (std::size_t node = 0; node < tree.n_nodes(); ++node) {
    if (tree.is_leaf(node)) continue;
    takes_default = takes_default && takes_default_branch(static_cast<Missing>(tree.missing[node]));
    default_branch[node] = static_cast<std::uint8_t>(tree.default_branch[node]);
  }
  if (!takes_default) default_branch.clear();
  return {std::move(steps), std::move(default_branch)};
}

void follow(const Steps& steps, const Table& table, Values values, std::span<std::int32_t> leaves) {
  if (values == Values::plain) {
    follow_rows<MissingValues::none>(steps, table, leaves);
  } else if (steps.settles_missing()) {
    follow_rows<MissingValues::settled>(steps, table, leaves);
  } else {
    follow_rows<MissingValues::watched>(steps, table, leaves);
  }
}

}  // namespace treewright
