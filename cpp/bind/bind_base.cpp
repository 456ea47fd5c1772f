// Decimals, and the handing over of SciPy's LAPACK.
#include <nanobind/stl/pair.h>

#include "bind.hpp"
#include "treewright/base/decimal.hpp"
#include "treewright/base/lapack.hpp"

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

}  // namespace

void bind_base(nb::module_& m) {
  m.def(
      "use_scipy",
      [](nb::handle blas, nb::handle lapack) {
        auto& functions = treewright::lapack::functions();
        take(blas, "dsyrk", functions.dsyrk);
        take(lapack, "dsyev", functions.dsyev);
        take(lapack, "dposv", functions.dposv);
      },
      nb::arg("blas"), nb::arg("lapack"),
      "Take BLAS and LAPACK from scipy.linalg.cython_blas and cython_lapack.");
  m.def(
      "symmetric_eigen",
      [](const Matrix& matrix) {
        const std::size_t n = matrix.shape(0);
        require(n > 0 && matrix.shape(1) == n, "The matrix must be square.");
        std::vector<double> vectors(n * n), values(n);
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            vectors[i * n + j] = matrix.data()[static_cast<std::int64_t>(i) * matrix.stride(0) +
                                               static_cast<std::int64_t>(j) * matrix.stride(1)];
          }
        }
        lapack::symmetric_eigen(vectors, values);
        return std::pair(to_array(std::move(values)), to_matrix(std::move(vectors), n));
      },
      nb::arg("matrix"),
      "Eigenvalues (ascending) and eigenvectors (rows of the second array) of a symmetric matrix.");
  m.def("shortest_between", &shortest_between, nb::arg("low"), nb::arg("high"),
        "The shortest decimal t with low <= t < high, nearest the middle.");
  m.def("round_significant", &round_significant, nb::arg("value"), nb::arg("digits"),
        "The value rounded to so many significant decimal digits.");
}

}  // namespace treewright::bind
