// A visitor made of one function for each kind: std::visit does not compile if one is lacking.
#pragma once

namespace treewright {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace treewright
