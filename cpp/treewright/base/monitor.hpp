// Watches long work: a deadline, a way to cancel, and progress, polled between pieces of work.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace treewright {

// Ends work inside a node once the deadline has passed.
struct OutOfTime {};

class Monitor {
 public:
  using Clock = std::chrono::steady_clock;
  // Called at most every `period` with the share of work done; what it throws ends the work.
  using Report = std::function<void(double done)>;

  explicit Monitor(std::optional<double> seconds = std::nullopt, Report report = {})
      : report_(std::move(report)) {
    if (seconds && *seconds < forever) {
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(*seconds));
    }
  }

  // True once the deadline has passed.
  bool out_of_time(double done) {
    done_ = done;
    return poll();
  }

  // The same for pieces of work that take long themselves; lets a report end them.
  bool poll() {
    const auto now = Clock::now();
    report_at(now);
    return deadline_ && now >= *deadline_;
  }

  // Seconds until the deadline, 0 after it; infinity where there is none.
  double seconds_left() const {
    if (!deadline_) return std::numeric_limits<double>::infinity();
    const std::chrono::duration<double> left = *deadline_ - Clock::now();
    return left.count() > 0.0 ? left.count() : 0.0;
  }

 private:
  void report_at(Clock::time_point now) {
    if (!report_ || now < next_report_) return;
    next_report_ = now + period;
    report_(done_);
  }

  static constexpr double forever = 1e9;  // seconds; more would overflow the clock
  static constexpr auto period = std::chrono::milliseconds(50);
  Report report_;
  double done_ = 0.0;
  std::optional<Clock::time_point> deadline_;
  Clock::time_point next_report_ = Clock::now() + period;
};

}  // namespace treewright
