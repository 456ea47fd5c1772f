// Errors of the core. The core never prints and never exits: it throws one sentence.
#pragma once

#include <stdexcept>
#include <string>

namespace treewright {

// A broken contract or bad input, worded for the person who sees it.
class Error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

inline void require(bool holds, const char* message) {
  if (!holds) throw Error(message);
}

inline void require(bool holds, const std::string& message) {
  if (!holds) throw Error(message);
}

}  // namespace treewright
