// NumPy arrays in and out of the core: views in, owned or kept-alive arrays out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

namespace treewright::bind {

namespace nb = nanobind;

// Arrays made here name their owner themselves.
inline constexpr auto by_value = nb::rv_policy::automatic;

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
template <class T>
using NewVector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using NewMatrix = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

template <class T>
std::span<const T> span_of(const Vector<T>& array) {
  return {array.data(), array.size()};
}

template <class T>
std::vector<T> copy_of(const Vector<T>& array) {
  return {array.data(), array.data() + array.size()};
}

// Row by row, whatever the strides.
inline std::vector<double> copy_of(const Matrix& matrix) {
  std::vector<double> values;
  values.reserve(matrix.size());
  for (std::size_t i = 0; i < matrix.shape(0); ++i) {
    for (std::size_t j = 0; j < matrix.shape(1); ++j) {
      values.push_back(matrix.data()[static_cast<std::int64_t>(i) * matrix.stride(0) +
                                     static_cast<std::int64_t>(j) * matrix.stride(1)]);
    }
  }
  return values;
}

template <class T>
nb::capsule keep(std::vector<T>* held) {
  return nb::capsule(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
}

// An array that owns what the vector held.
template <class T>
NewVector<T> to_array(std::vector<T> values) {
  auto* held = new std::vector<T>(std::move(values));
  return NewVector<T>(held->data(), {held->size()}, keep(held));
}

template <class T>
NewMatrix<T> to_matrix(std::vector<T> values, std::size_t n_rows, std::size_t n_columns) {
  auto* held = new std::vector<T>(std::move(values));
  return NewMatrix<T>(held->data(), {n_rows, n_columns}, keep(held));
}

// An array for the core to fill; its memory is not set first.
template <class T>
std::pair<std::span<T>, nb::capsule> new_memory(std::size_t size) {
  T* held = new T[size];
  return {std::span<T>(held, size),
          nb::capsule(held, [](void* p) noexcept { delete[] static_cast<T*>(p); })};
}

// A read-only view of what `owner` holds.
template <class T>
NewVector<const T> view_array(const std::vector<T>& values, nb::handle owner) {
  return NewVector<const T>(values.data(), {values.size()}, owner);
}

}  // namespace treewright::bind
