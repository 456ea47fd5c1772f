// Looks at the clock after much work only, so that short work is done whatever the time.
#pragma once

#include <cstddef>

#include "treewright/base/monitor.hpp"

namespace treewright {

class Pace {
 public:
  explicit Pace(Monitor* monitor) : monitor_(monitor) {}

  // True once the deadline has passed.
  bool is_over_after(std::size_t products) {
    work_ += products;
    if (is_over_ || work_ < much_work) return is_over_;
    work_ = 0;
    is_over_ = monitor_ != nullptr && monitor_->poll();
    return is_over_;
  }

 private:
  static constexpr std::size_t much_work = std::size_t{1} << 20;  // some milliseconds
  Monitor* monitor_;
  std::size_t work_ = 0;
  bool is_over_ = false;
};

}  // namespace treewright
