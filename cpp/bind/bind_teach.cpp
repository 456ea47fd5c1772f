// What models that are too large to read predict for rows they have not learned from.
#include "bind.hpp"
#include "treewright/base/error.hpp"
#include "treewright/teach/boosting.hpp"
#include "treewright/teach/regression.hpp"

namespace treewright::bind {

namespace {

using Terms = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Bins = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

TermMatrix terms_of(const Terms& terms) {
  return {{terms.data(), terms.size()}, terms.shape(0), terms.shape(1)};
}

BinMatrix bins_of(const Bins& bins) {
  return {{bins.data(), bins.size()}, bins.shape(0), bins.shape(1)};
}

template <class Matrix2, class T>
void check_shapes(const Matrix2& learned, const Vector<T>& truth, const Vector<double>& weights,
                  const Matrix2& asked) {
  require(learned.shape(0) == asked.shape(0), "Rows that are asked must have the same terms.");
  require(learned.shape(1) == truth.size() && truth.size() == weights.size() && truth.size() > 0,
          "Each row must have its truth and its weight.");
}

void check_labels(const Vector<std::int32_t>& labels, std::size_t n_classes) {
  std::vector<bool> seen(n_classes, false);
  for (const std::int32_t label : span_of(labels)) {
    require(label >= 0 && static_cast<std::size_t>(label) < n_classes, "There is no such class.");
    seen[static_cast<std::size_t>(label)] = true;
  }
  const auto n_seen = static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
  require(n_classes >= 2 && n_seen == n_classes, "Each of two classes or more must have a row.");
}

BoostingOptions options_of(std::int32_t n_rounds, std::size_t n_leaves, double rate) {
  BoostingOptions options;
  options.n_rounds = n_rounds;
  options.n_leaves = n_leaves;
  options.rate = rate;
  return options;
}

// Does work without the GIL; it is given what lets Python see signals and tells `progress`.
template <class Work>
std::vector<double> without_lock(const nb::object& progress, Work work) {
  Monitor monitor(std::nullopt, report_to(progress));
  const nb::gil_scoped_release release;
  return work(std::function<void()>([&monitor] { monitor.poll(); }));
}

}  // namespace

void bind_teach(nb::module_& m) {
  m.def(
      "logistic_answers",
      [](const Terms& learned, const Vector<std::int32_t>& labels, const Vector<double>& weights,
         std::size_t n_classes, double ridge, const Terms& asked, const nb::object& progress) {
        check_shapes(learned, labels, weights, asked);
        check_labels(labels, n_classes);
        auto answers = without_lock(progress, [&](const std::function<void()>& poll) {
          return logistic_answers(terms_of(learned), span_of(labels), span_of(weights), n_classes,
                                  ridge, terms_of(asked), poll);
        });
        return to_matrix(std::move(answers), asked.shape(1), n_classes);
      },
      nb::arg("learned"), nb::arg("labels"), nb::arg("weights"), nb::arg("n_classes"),
      nb::arg("ridge"), nb::arg("asked"), nb::arg("progress") = nb::none(),
      "Probabilities that logistic regression gives other rows; matrices are term by term.");
  m.def(
      "linear_answers",
      [](const Terms& learned, const Vector<double>& numbers, const Vector<double>& weights,
         double ridge, const Terms& asked) {
        check_shapes(learned, numbers, weights, asked);
        auto answers = without_lock(nb::none(), [&](const std::function<void()>&) {
          return linear_answers(terms_of(learned), span_of(numbers), span_of(weights), ridge,
                                terms_of(asked));
        });
        return to_array(std::move(answers));
      },
      nb::arg("learned"), nb::arg("numbers"), nb::arg("weights"), nb::arg("ridge"),
      nb::arg("asked"), "Numbers that linear regression gives other rows.");
  m.def(
      "boosted_classes",
      [](const Bins& learned, const Vector<std::int32_t>& labels, const Vector<double>& weights,
         std::size_t n_classes, const Bins& asked, std::int32_t n_rounds, std::size_t n_leaves,
         double rate, const nb::object& progress) {
        check_shapes(learned, labels, weights, asked);
        check_labels(labels, n_classes);
        auto answers = without_lock(progress, [&](const std::function<void()>& poll) {
          return boosted_classes(bins_of(learned), span_of(labels), span_of(weights), n_classes,
                                 bins_of(asked), options_of(n_rounds, n_leaves, rate), poll);
        });
        return to_matrix(std::move(answers), asked.shape(1), n_classes);
      },
      nb::arg("learned"), nb::arg("labels"), nb::arg("weights"), nb::arg("n_classes"),
      nb::arg("asked"), nb::arg("n_rounds"), nb::arg("n_leaves"), nb::arg("rate"),
      nb::arg("progress") = nb::none(),
      "Probabilities that boosted trees give other rows; matrices are of bins, term by term.");
  m.def(
      "boosted_numbers",
      [](const Bins& learned, const Vector<double>& numbers, const Vector<double>& weights,
         const Bins& asked, std::int32_t n_rounds, std::size_t n_leaves, double rate,
         const nb::object& progress) {
        check_shapes(learned, numbers, weights, asked);
        auto answers = without_lock(progress, [&](const std::function<void()>& poll) {
          return boosted_numbers(bins_of(learned), span_of(numbers), span_of(weights),
                                 bins_of(asked), options_of(n_rounds, n_leaves, rate), poll);
        });
        return to_array(std::move(answers));
      },
      nb::arg("learned"), nb::arg("numbers"), nb::arg("weights"), nb::arg("asked"),
      nb::arg("n_rounds"), nb::arg("n_leaves"), nb::arg("rate"), nb::arg("progress") = nb::none(),
      "Numbers that boosted trees give other rows.");
}

}  // namespace treewright::bind
