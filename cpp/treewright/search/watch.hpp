// Ends a search in time, and tells how far it is.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>

#include "treewright/search/problem.hpp"

namespace treewright::search {

// Thrown out of the search when it has to end.
struct Stopped {};

class Watch {
 public:
  Watch(double seconds, Report report) : report_(std::move(report)), seconds_(seconds) {}

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  // Called often by every thread; only the calling thread of the search reports.
  void poll(bool calling_thread) {
    if (off_) return;
    if (stopped_.load(std::memory_order_relaxed)) throw Stopped{};
    const double now = elapsed();
    if (now >= seconds_ - set_aside_) stop(Status::time_limit);
    if (calling_thread && report_ && now >= next_report_) {
      next_report_ = now + 0.1;
      try {
        if (!report_(progress(now))) stop(Status::stopped);
      } catch (...) {
        failure_ = std::current_exception();
        stop(Status::interrupted);
      }
    }
    if (stopped_.load(std::memory_order_relaxed)) throw Stopped{};
  }

  void stop(Status why) {
    bool before = false;
    if (stopped_.compare_exchange_strong(before, true)) status_ = why;
  }
  bool stopped() const { return stopped_; }
  Status status() const { return stopped_ ? status_.load() : Status::optimal; }
  std::exception_ptr failure() const { return failure_; }
  // Ends the search so much earlier; told while it has one thread only.
  void set_aside(double seconds) { set_aside_ = seconds; }
  // While it is off nothing ends the work.
  void turn(bool on) { off_ = !on; }

  // What the report tells; written by any thread.
  std::atomic<Value> best{no_value}, bound{0};
  std::atomic<std::int64_t> n_closed{0}, n_total{0};

 private:
  using Clock = std::chrono::steady_clock;
  Progress progress(double now) const { return {now, best, bound, n_closed, n_total}; }

  const Report report_;
  const double seconds_;
  const Clock::time_point begin_ = Clock::now();
  double set_aside_ = 0.0;
  double next_report_ = 0.1;
  bool off_ = false;
  std::atomic<bool> stopped_{false};
  std::atomic<Status> status_{Status::optimal};
  std::exception_ptr failure_;
};

}  // namespace treewright::search
