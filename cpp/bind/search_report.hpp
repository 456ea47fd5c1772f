// What a search tells Python, and how Python ends it.
#pragma once

#include <string>

#include "bind.hpp"
#include "treewright/search/problem.hpp"

namespace treewright::bind {

std::string name_of(search::Status status);

// Ctrl-C ends the search, whose best tree so far is the answer; other errors are raised.
class SearchReport {
 public:
  explicit SearchReport(nb::object progress) : progress_(std::move(progress)) {}

  bool operator()(const search::Progress& now);

  // Ctrl-C while the answer is written down must not lose it.
  void take_late_interrupt();

  bool interrupted = false;

 private:
  bool stop_on_interrupt(const nb::python_error& error);

  nb::object progress_;
};

}  // namespace treewright::bind
