// The list of split methods by name: each method puts itself on it, in its own file.
//
//   const Listed listed{"wodt", [](const Parameters& parameters, Parts) { return ...; }};
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

using Parameter = std::variant<double, std::string>;
using Parameters = std::map<std::string, Parameter>;
// The methods that a method is made of, or asks.
using Parts = std::vector<std::shared_ptr<Method>>;
using Factory = std::function<std::shared_ptr<Method>(const Parameters&, Parts)>;

// An entry of the list; it is made before main() is.
struct Listed {
  Listed(const std::string& name, Factory factory);
};

// A method by its name; an Error names what is not known.
std::shared_ptr<Method> make_method(const std::string& name, const Parameters& parameters,
                                    Parts parts = {});

std::vector<std::string> method_names();

// A text parameter that must be one of `allowed`.
std::string choice(const Parameters& parameters, const std::string& name,
                   const std::vector<std::string>& allowed);

// A number parameter.
double number(const Parameters& parameters, const std::string& name);

}  // namespace treewright
