// Questions to the parts of a table as Python holds them, and how the core takes them.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "treewright/parts/moments.hpp"

namespace treewright::bind {

using Lines = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline std::span<const double> span_of(const Lines& lines) { return {lines.data(), lines.size()}; }

// The cells of a question: places, columns, begin, edges, means, and the combinations that stand
// behind the columns.
using FlatCells = std::tuple<Vector<std::int32_t>, Vector<std::int32_t>, Vector<std::int64_t>,
                             Vector<double>, Vector<double>, AnySequence>;
parts::Cells cells_of(const FlatCells& flat, const parts::Projections& projections);

// Sets of columns at open nodes.
using FlatSets = std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>>;

// Linear tests at open nodes with others: (place, test, other).
using FlatSides = std::vector<std::tuple<std::int32_t, nb::object, nb::object>>;
std::vector<parts::Compared> compared_of(const FlatSides& flat);

}  // namespace treewright::bind
