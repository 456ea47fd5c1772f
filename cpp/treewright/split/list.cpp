// The list of split methods, and how their parameters are read.

#include "treewright/split/list.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace treewright {

namespace {

// Made when the first method puts itself on it, in whatever order the files come.
std::map<std::string, Factory>& factories() {
  static std::map<std::string, Factory> table;
  return table;
}

// An error before main() would end the program without a word: it waits until
// the names are asked for.
std::set<std::string>& names_told_twice() {
  static std::set<std::string> names;
  return names;
}

}  // namespace

Listed::Listed(const std::string& name, Factory factory) {
  if (!factories().emplace(name, std::move(factory)).second) names_told_twice().insert(name);
}

std::shared_ptr<Method> make_method(const std::string& name, const Parameters& parameters,
                                    Parts parts) {
  const auto found = factories().find(name);
  require(found != factories().end(), "There is no split method '" + name + "'.");
  return found->second(parameters, std::move(parts));
}

std::vector<std::string> method_names() {
  for (const std::string& name : names_told_twice()) {
    throw std::logic_error("Two split methods are listed as '" + name + "'; rename one of them.");
  }
  std::vector<std::string> names;
  for (const auto& entry : factories()) names.push_back(entry.first);
  return names;
}

std::string choice(const Parameters& parameters, const std::string& name,
                   const std::vector<std::string>& allowed) {
  const auto found = parameters.find(name);
  const auto* text = found == parameters.end() ? nullptr : std::get_if<std::string>(&found->second);
  require(text != nullptr && std::ranges::find(allowed, *text) != allowed.end(), [&] {
    std::string message = "The '" + name + "' parameter must be one of";
    for (const auto& word : allowed) message += " '" + word + "'";
    return message + ".";
  }());
  return *text;
}

double number(const Parameters& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  const auto* value = found == parameters.end() ? nullptr : std::get_if<double>(&found->second);
  require(value != nullptr, "The '" + name + "' parameter must be a number.");
  return *value;
}

}  // namespace treewright
