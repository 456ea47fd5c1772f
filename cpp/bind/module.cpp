// The compiled core, as a table of contents.
#include "bind.hpp"
#include "treewright/base/error.hpp"

NB_MODULE(_core, m) {
  using namespace treewright::bind;
#ifdef NDEBUG
  // Threads that outlive the interpreter hold objects of the core; that is no fault to report.
  nanobind::set_leak_warnings(false);
#endif
  m.doc() = "Loops over rows and the search: the compiled core of treewright.";
  bind_base(m);
  bind_data(m);
  bind_measure(m);
  bind_tree(m);
  bind_split(m);
  bind_descent(m);
  bind_sweep(m);
  bind_significance(m);
  bind_logistic(m);
  bind_grow(m);
  bind_counting(m);
  bind_parts(m);
  bind_prune(m);
  bind_search(m);
  bind_search_kernel(m);
  bind_search_limited(m);
  bind_search_near(m);
  bind_proposals(m);
  bind_search_pool(m);
  bind_search_rows(m);
  bind_teach(m);
}
