// Ways of dividing the classes of a node in two, for methods that fit a boundary to each.
//
// Up to a number of ways all are given. Beyond, a list in this order, without repeats:
//
//   each class against the others
//   clusters: the class means, where the pooled within-class scatter is the unit of length, are
//     merged by Ward's rule; every merged cluster against the rest
//   prefixes: the classes in order of their means along each principal direction of these means,
//     the longest first; the first 1, 2, ... classes against the rest
//   ways drawn from a stream that is the same for every fit
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "treewright/base/rng.hpp"
#include "treewright/split/rows/standard_rows.hpp"

namespace treewright {

enum class Bipartitions : std::uint8_t {
  automatic,
  exhaustive,
  one_against_rest,
  clustered,
  random,
};

// By the names "auto", "exhaustive", "one_vs_rest", "clustered" and "random".
Bipartitions bipartitions_named(const std::string& name);

// Whether each class is inside, for every way. The first class is inside in all of them.
using Ways = std::vector<std::vector<std::uint8_t>>;

// All ways in order: bit j of the index says whether class j + 1 is inside.
Ways all_ways(std::size_t n_classes);

// Ways for the classes in `present` (ascending), each way over all `n_classes`; absent classes are
// outside. `labels` are by row id; `poll` is called now and then.
Ways ways_to_divide(const StandardRows& rows, std::span<const std::int32_t> labels,
                    std::span<const std::size_t> present, std::size_t n_classes, Bipartitions kind,
                    std::size_t at_most, Rng& rng, const std::function<void()>& poll = {});

}  // namespace treewright
