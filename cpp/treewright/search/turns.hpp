// Two threads of a search that take turns on one processor: the one that finds a proof, which is
// the calling thread, and the one that makes the best tree better.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "treewright/search/watch.hpp"

namespace treewright::search {

class Turns {
 public:
  // A turn of the proof is so many times as long as one of the improvement.
  Turns(Watch& watch, int proof_share) : watch_(watch), proof_share_(proof_share) {}

  // Called often by who proves; returns when it is its turn, and goes on reporting until then.
  void prove() {
    std::unique_lock lock(mutex_);
    if (improvement_is_over_ || !is_over()) return;
    give(Side::improvement);
    while (side_ != Side::proof && !improvement_is_over_) {
      changed_.wait_for(lock, patience);
      lock.unlock();
      watch_.poll(true);
      lock.lock();
    }
  }

  // The same for who improves. Throws Stopped if there is nothing more to improve.
  void improve() {
    std::unique_lock lock(mutex_);
    if (side_ == Side::improvement && is_over()) give(Side::proof);
    while (side_ != Side::improvement && !proof_is_over_ && !watch_.stopped())
      changed_.wait_for(lock, patience);
    if (proof_is_over_ || watch_.stopped()) throw Stopped{};
  }

  void end_improvement() {
    const std::scoped_lock lock(mutex_);
    improvement_is_over_ = true;
    changed_.notify_all();
  }
  void end_proof() {
    const std::scoped_lock lock(mutex_);
    proof_is_over_ = true;
    changed_.notify_all();
  }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Side : std::int8_t { proof, improvement };
  static constexpr std::chrono::milliseconds first_turn{40}, turn{20}, patience{2};

  bool is_over() const { return Clock::now() >= end_; }
  void give(Side side) {
    side_ = side;
    end_ = Clock::now() + turn * (side == Side::proof ? proof_share_ : 1);
    changed_.notify_all();
  }

  Watch& watch_;
  int proof_share_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Side side_ = Side::proof;  // a search that is soon over is not disturbed
  Clock::time_point end_ = Clock::now() + first_turn;
  bool improvement_is_over_ = false, proof_is_over_ = false;
};

}  // namespace treewright::search
