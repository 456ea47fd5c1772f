// A thread that is waited for where it goes out of scope: std::jthread without its stop token,
// which not every standard library has.
#pragma once

#include <thread>
#include <utility>

namespace treewright {

class JoiningThread {
 public:
  template <class Work>
  explicit JoiningThread(Work work) : thread_(std::move(work)) {}
  JoiningThread(JoiningThread&&) noexcept = default;
  JoiningThread& operator=(JoiningThread&&) = delete;
  ~JoiningThread() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

}  // namespace treewright
