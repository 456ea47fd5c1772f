// The parts of the module, each in its own file, and the handles that keep NumPy memory alive.
#pragma once

#include <optional>

#include "arrays.hpp"
#include "treewright/base/monitor.hpp"
#include "treewright/data/table.hpp"
#include "treewright/data/target.hpp"
#include "treewright/tree/predicate.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright::bind {

struct TableHandle {
  Matrix values;
  Table table;
};

struct TargetHandle {
  nb::object labels_or_numbers, proportions, weights, split_weights, case_weights;
  Target target;
};

// With the types that the stub gives: dict[str, Any] and Sequence[Any].
using NamedValues = nb::typed<nb::dict, nb::str, nb::any>;
using AnySequence = nb::typed<nb::sequence, nb::any>;

// The flat form of a test as Python sees it: (kind, features, numbers).
nb::tuple to_python(const Test& test);
Test from_python(nb::handle flat);

// For long work without the GIL: lets Python see signals, and tells `progress` (or None).
Monitor::Report report_to(nb::object progress);

// Lets go of Python's lock for work of many steps: shorter work is done before another thread has
// woken up, and would then wait for the lock in its turn.
class LongWork {
 public:
  explicit LongWork(std::size_t n_steps) {
    if (n_steps >= many) release_.emplace();
  }

 private:
  static constexpr std::size_t many = 1 << 15;  // additions: some ten microseconds
  std::optional<nb::gil_scoped_release> release_;
};

void check_columns(const Tree& tree, const Table& table);

void bind_base(nb::module_& m);
void bind_data(nb::module_& m);
void bind_measure(nb::module_& m);
void bind_tree(nb::module_& m);
void bind_split(nb::module_& m);
void bind_sweep(nb::module_& m);
void bind_teach(nb::module_& m);
void bind_descent(nb::module_& m);
void bind_significance(nb::module_& m);
void bind_logistic(nb::module_& m);
void bind_grow(nb::module_& m);
void bind_counting(nb::module_& m);
void bind_parts(nb::module_& m);
void bind_prune(nb::module_& m);
void bind_search(nb::module_& m);
void bind_search_kernel(nb::module_& m);
void bind_proposals(nb::module_& m);
void bind_search_limited(nb::module_& m);
void bind_search_near(nb::module_& m);
void bind_search_pool(nb::module_& m);
void bind_search_rows(nb::module_& m);

}  // namespace treewright::bind
