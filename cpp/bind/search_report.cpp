#include "search_report.hpp"

namespace treewright::bind {

std::string name_of(search::Status status) {
  switch (status) {
    case search::Status::optimal:
      return "optimal";
    case search::Status::time_limit:
      return "time_limit";
    case search::Status::memory_limit:
      return "memory_limit";
    case search::Status::interrupted:
      return "interrupted";
    case search::Status::stopped:
      return "stopped";
  }
  return "";
}

bool SearchReport::operator()(const search::Progress& now) {
  nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) return stop_on_interrupt(nb::python_error());
  if (progress_.is_none()) return true;
  try {
    const nb::object answer =
        progress_(now.seconds, now.best, now.bound, now.n_closed, now.n_total);
    return answer.is_none() || nb::cast<bool>(nb::bool_(answer));
  } catch (nb::python_error& error) {
    return stop_on_interrupt(error);
  }
}

void SearchReport::take_late_interrupt() {
  if (PyErr_CheckSignals() != 0) stop_on_interrupt(nb::python_error());
}

bool SearchReport::stop_on_interrupt(const nb::python_error& error) {
  if (!error.matches(PyExc_KeyboardInterrupt)) throw error;
  interrupted = true;
  return false;
}

}  // namespace treewright::bind
