// Split methods written in Python.
#pragma once

#include <memory>

#include "bind.hpp"
#include "treewright/split/method.hpp"

namespace treewright::bind {

std::shared_ptr<Method> make_python_method(nb::callable propose);
void bind_node_data(nb::module_& m);

}  // namespace treewright::bind
