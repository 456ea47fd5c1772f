// Asks for a line of memory that will be read soon; a hint, which a compiler may not know.
#pragma once

namespace treewright {

inline void prefetch([[maybe_unused]] const double* address) {
#if defined(__GNUC__)  // Clang says so too
  __builtin_prefetch(address);
#endif
}

}  // namespace treewright
