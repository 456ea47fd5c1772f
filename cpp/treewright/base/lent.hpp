// What is kept from one use to the next in each thread, so that nothing has to be allocated. Who
// asks while it is in use, as a fit does that a callback of another one begins, gets one of its
// own.
#pragma once

#include <memory>

namespace treewright {

template <class T>
class Lent {
 public:
  Lent() : own_(is_in_use() ? std::make_unique<T>() : nullptr) {
    if (own_ == nullptr) is_in_use() = true;
  }
  ~Lent() {
    if (own_ == nullptr) is_in_use() = false;
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  T& get() { return own_ == nullptr ? kept() : *own_; }

 private:
  static bool& is_in_use() {
    static thread_local bool in_use = false;
    return in_use;
  }
  static T& kept() {
    static thread_local T kept;
    return kept;
  }

  const std::unique_ptr<T> own_;
};

}  // namespace treewright
