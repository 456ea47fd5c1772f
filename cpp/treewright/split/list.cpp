// The one list of split methods.
//
// To add a method: copy example.cpp, declare its factory in list.hpp, add one line below, give it a
// parameter class in src/treewright/splits/ and, for a published system, a function in
// recipes/. The common tests pick it up from this list.

#include "treewright/split/list.hpp"

#include <algorithm>

namespace treewright {

namespace {

using Factory = std::shared_ptr<Method> (*)(const Parameters&);

const std::map<std::string, Factory>& factories() {
  static const std::map<std::string, Factory> table{
      {"axis", make_axis},     {"cartlc", make_cart_lc},  {"categorical", make_categorical},
      {"cruise", make_cruise}, {"example", make_example}, {"fact", make_fact},
      {"hhcart", make_hhcart}, {"lmdt", make_lmdt},       {"logistic", make_logistic},
      {"must", make_must},     {"oc1", make_oc1},         {"pairs", make_pairs},
      {"pbot", make_pbot},     {"quest", make_quest},     {"sadt", make_sadt},
      {"wodt", make_wodt},
  };
  return table;
}

}  // namespace

std::shared_ptr<Method> make_method(const std::string& name, const Parameters& parameters,
                                    Parts parts) {
  if (name == "best") return make_best(std::move(parts));
  if (name == "climb") return make_climb(parameters, std::move(parts));
  if (name == "ftest") return make_f_test(parameters, std::move(parts));
  const auto found = factories().find(name);
  require(found != factories().end(), "There is no split method '" + name + "'.");
  return found->second(parameters);
}

std::vector<std::string> method_names() {
  std::vector<std::string> names{"best", "climb", "ftest"};
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
