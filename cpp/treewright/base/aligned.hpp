// Vectors that begin on a cache line, for loops over whole lines.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace treewright {

template <class T>
struct CacheLines {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheLines() = default;
  template <class U>
  CacheLines(const CacheLines<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
  bool operator==(const CacheLines&) const = default;
};

template <class T>
using AlignedVector = std::vector<T, CacheLines<T>>;

}  // namespace treewright
