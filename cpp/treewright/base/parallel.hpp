// Independent pieces of work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <vector>

#include "treewright/base/joining_thread.hpp"

namespace treewright {

// Calls work(i) for every i below `n_pieces`, each once, on the calling thread and `n_threads` - 1
// others. `between()` is called on the calling thread after each of its pieces. What either throws
// ends the work and is thrown here, the first of several.
template <class Work, class Between>
void in_parallel(std::size_t n_pieces, std::size_t n_threads, Work work, Between between) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex guards_failure;
  const auto fail = [&] {
    const std::scoped_lock lock(guards_failure);
    if (!failure) failure = std::current_exception();
    next = n_pieces;
  };
  const auto run = [&](auto after) {
    try {
      for (std::size_t i = next++; i < n_pieces; i = next++) {
        work(i);
        after();
      }
    } catch (...) {
      fail();
    }
  };
  {
    std::vector<JoiningThread> others;
    const std::size_t n_others = std::min(n_threads, n_pieces) - (n_pieces > 0 ? 1 : 0);
    try {
      for (std::size_t i = 0; i < n_others; ++i) others.emplace_back([&] { run([] {}); });
      run(between);
    } catch (...) {  // no more threads
      fail();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace treewright
