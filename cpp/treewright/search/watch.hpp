// Ends a search in time, and tells how far it is.
#pragma once

#include <atomic>
#include <chrono>
#include <ctime>
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
    if (!stopped_.load(std::memory_order_relaxed)) {
      const double now = elapsed();
      if (now >= seconds_ - set_aside_) stop(Status::time_limit);
      if (calling_thread && report_ && now >= next_report_) report(now);
    }
    if (!stopped_.load(std::memory_order_relaxed)) return;
    if (!in_grace_ || (std::clock() >= grace_end_ && elapsed() >= grace_until_)) {
      throw Stopped{};
    }
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
  // What cannot be done without, whatever the limits say, may take this much processor time, and go
  // on `until` so many seconds of the search have passed; one thread works then.
  void begin_grace(double seconds, double until = 0.0) {
    in_grace_ = true;
    grace_end_ = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
    grace_until_ = until;
  }
  // The same to write down what was found, with the time that was set aside for it.
  void begin_writing(double seconds) {
    const bool is_limit = status_ == Status::time_limit || status_ == Status::memory_limit;
    begin_grace(seconds, is_limit ? seconds_ : elapsed() + patience);
  }
  void end_grace() { in_grace_ = false; }

  // What the report tells; written by any thread.
  std::atomic<Value> best{no_value}, bound{0};
  std::atomic<std::int64_t> n_closed{0}, n_total{0};

 private:
  using Clock = std::chrono::steady_clock;
  void report(double now) {
    next_report_ = now + 0.1;
    try {
      if (!report_(progress(now))) stop(Status::stopped);
    } catch (...) {
      failure_ = std::current_exception();
      stop(Status::interrupted);
    }
  }
  Progress progress(double now) const { return {now, best, bound, n_closed, n_total}; }

  const Report report_;
  const double seconds_;
  const Clock::time_point begin_ = Clock::now();
  double set_aside_ = 0.0;
  double next_report_ = 0.1;
  static constexpr double patience = 0.1;  // of somebody who ends the search, in seconds

  bool in_grace_ = false;
  double grace_until_ = 0.0;
  std::clock_t grace_end_ = 0;
  std::atomic<bool> stopped_{false};
  std::atomic<Status> status_{Status::optimal};
  std::exception_ptr failure_;
};

}  // namespace treewright::search
