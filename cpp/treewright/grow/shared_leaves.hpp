// Leaves that several threads split: each takes the largest that is open and puts back those of its
// children that are worth sharing, until none is open.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "treewright/grow/leaf_queue.hpp"

namespace treewright {

class SharedLeaves {
 public:
  void put(OpenLeaf leaf) {
    const std::scoped_lock lock(mutex_);
    leaves_.push_back(std::move(leaf));
    std::ranges::push_heap(leaves_, is_smaller);
    changed_.notify_one();
  }

  // The largest leaf; waits while others may still put some, and calls between() meanwhile. None
  // when there are no more or the work has ended. Who takes one says when it is done.
  template <class Between>
  std::optional<OpenLeaf> take(Between between) {
    std::unique_lock lock(mutex_);
    while (!has_ended_ && (!leaves_.empty() || n_taken_ > 0)) {
      if (leaves_.empty()) {
        changed_.wait_for(lock, std::chrono::milliseconds(50));
        lock.unlock();
        between();
        lock.lock();
        continue;
      }
      ++n_taken_;
      std::ranges::pop_heap(leaves_, is_smaller);
      OpenLeaf leaf = std::move(leaves_.back());
      leaves_.pop_back();
      return leaf;
    }
    return std::nullopt;
  }
  void done() {
    const std::scoped_lock lock(mutex_);
    if (--n_taken_ == 0) changed_.notify_all();
  }

  // Nobody gets any more; leaves that are open stay leaves.
  void end() {
    const std::scoped_lock lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
  }
  // The same because of an exception, which the first `rethrow` throws.
  void fail(std::exception_ptr failure) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    has_ended_ = true;
    changed_.notify_all();
  }
  bool has_ended() const {
    const std::scoped_lock lock(mutex_);
    return has_ended_;
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static bool is_smaller(const OpenLeaf& a, const OpenLeaf& b) {
    return a.range.size() < b.range.size();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<OpenLeaf> leaves_;  // a heap
  std::size_t n_taken_ = 0;
  bool has_ended_ = false;
  std::exception_ptr failure_;
};

}  // namespace treewright
