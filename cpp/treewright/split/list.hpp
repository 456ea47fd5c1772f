// The registry of split methods by name, with their parameters.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

using Parameter = std::variant<double, std::string>;
using Parameters = std::map<std::string, Parameter>;
using Parts = std::vector<std::shared_ptr<Method>>;

// A method by its name in list.cpp; an Error names what is not known.
std::shared_ptr<Method> make_method(const std::string& name, const Parameters& parameters,
                                    Parts parts);

std::vector<std::string> method_names();

// A text parameter that must be one of `allowed`.
std::string choice(const Parameters& parameters, const std::string& name,
                   const std::vector<std::string>& allowed);

// A number parameter.
double number(const Parameters& parameters, const std::string& name);

// One factory a method, each in the file of the method.
std::shared_ptr<Method> make_axis(const Parameters& parameters);
std::shared_ptr<Method> make_cart_lc(const Parameters& parameters);
std::shared_ptr<Method> make_categorical(const Parameters& parameters);
std::shared_ptr<Method> make_best(Parts parts);
// `parts` holds the method to start from.
std::shared_ptr<Method> make_climb(const Parameters& parameters, Parts parts);
std::shared_ptr<Method> make_example(const Parameters& parameters);
std::shared_ptr<Method> make_must(const Parameters& parameters);
std::shared_ptr<Method> make_quest(const Parameters& parameters);
std::shared_ptr<Method> make_cruise(const Parameters& parameters);
std::shared_ptr<Method> make_hhcart(const Parameters& parameters);
std::shared_ptr<Method> make_fact(const Parameters& parameters);
// `levels` may hold the method for categorical columns.
std::shared_ptr<Method> make_f_test(const Parameters& parameters, Parts levels);
std::shared_ptr<Method> make_lmdt(const Parameters& parameters);
std::shared_ptr<Method> make_logistic(const Parameters& parameters);
std::shared_ptr<Method> make_oc1(const Parameters& parameters);
std::shared_ptr<Method> make_sadt(const Parameters& parameters);
std::shared_ptr<Method> make_wodt(const Parameters& parameters);
std::shared_ptr<Method> make_pairs(const Parameters& parameters);
std::shared_ptr<Method> make_pbot(const Parameters& parameters);

}  // namespace treewright
