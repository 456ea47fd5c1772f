// Decimals, and the handing over of SciPy's LAPACK and special functions.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <string>
#include <string_view>

#include "bind.hpp"
#include "treewright/base/decimal.hpp"
#include "treewright/base/lapack.hpp"
#include "treewright/base/special.hpp"

namespace treewright::bind {

namespace {

// SciPy publishes each function as a capsule in `__pyx_capi__`, named by its C signature.
template <class Function>
void take(nb::handle module, const char* name, Function& function) {
  const nb::object capsule = module.attr("__pyx_capi__")[name];
  const char* signature = PyCapsule_GetName(capsule.ptr());
  function = reinterpret_cast<Function>(PyCapsule_GetPointer(capsule.ptr(), signature));
  if (function == nullptr) throw nb::python_error();
}

// A function of several number types has a name a type; that for doubles is wanted.
template <class Function>
void take_of_doubles(nb::handle module, const std::string& name, Function& function) {
  const nb::dict table = module.attr("__pyx_capi__");
  for (const std::string prefix : {"", "__pyx_fuse_0", "__pyx_fuse_1"}) {
    const std::string full = prefix + name;
    if (!table.contains(full)) continue;
    const nb::object capsule = table[full.c_str()];
    if (std::string_view(PyCapsule_GetName(capsule.ptr())).starts_with("double (double")) {
      return take(module, full.c_str(), function);
    }
  }
  throw nb::import_error(("SciPy does not publish " + name + " for doubles.").c_str());
}

}  // namespace

void bind_base(nb::module_& m) {
  const nb::object lapack = nb::module_::import_("scipy.linalg.cython_lapack");
  auto& functions = treewright::lapack::functions();
  take(lapack, "dsyev", functions.dsyev);
  take(lapack, "dposv", functions.dposv);
  const nb::object special = nb::module_::import_("scipy.special.cython_special");
  auto& tails = treewright::special::functions();
  take_of_doubles(special, "fdtrc", tails.fdtrc);
  take_of_doubles(special, "chdtrc", tails.chdtrc);
  take_of_doubles(special, "betaln", tails.betaln);
  take_of_doubles(special, "gammaln", tails.gammaln);

  m.def(
      "symmetric_eigen",
      [](const Matrix& matrix) {
        const std::size_t n = matrix.shape(0);
        require(n > 0 && matrix.shape(1) == n, "The matrix must be square.");
        std::vector<double> vectors = copy_of(matrix), values(n);
        treewright::lapack::symmetric_eigen(vectors, values);
        return std::pair(to_array(std::move(values)), to_matrix(std::move(vectors), n, n));
      },
      nb::arg("matrix"),
      "Eigenvalues (ascending) and eigenvectors (rows of the second array) of a symmetric matrix.");
  m.def(
      "solve_positive",
      [](const Matrix& matrix, const Vector<double>& right) {
        const std::size_t n = right.size();
        require(n > 0 && matrix.shape(0) == n && matrix.shape(1) == n,
                "The matrix must be square and as long as the right side.");
        std::vector<double> held = copy_of(matrix), solution = copy_of(right);
        require(treewright::lapack::solve_positive(held, solution),
                "The matrix is not positive definite.");
        return to_array(std::move(solution));
      },
      nb::arg("matrix"), nb::arg("right"),
      "The solution of a symmetric positive definite system of equations.");
  m.def("shortest_between", &shortest_between, nb::arg("low"), nb::arg("high"),
        "The shortest decimal t with low <= t < high, nearest the middle.");
  m.def("round_significant", &round_significant, nb::arg("value"), nb::arg("digits"),
        "The value rounded to so many significant decimal digits.");
}

}  // namespace treewright::bind
