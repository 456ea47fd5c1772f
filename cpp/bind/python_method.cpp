// A split method written in Python: called once a node with a NodeData.
#include "python_method.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "treewright/split/cut/cut.hpp"

namespace treewright::bind {

namespace {

// A node as Python sees it; only alive during the call.
class NodeData {
 public:
  explicit NodeData(const Node& node) : node_(&node) {}
  void expire() { node_ = nullptr; }
  const Node& node() const {
    require(node_ != nullptr, "A node may only be used while its split is being looked for.");
    return *node_;
  }

 private:
  const Node* node_;
};

std::vector<std::int32_t> numeric_columns(const NodeData& self) {
  std::vector<std::int32_t> numeric;
  for (const std::int32_t column : self.node().columns) {
    if (!self.node().problem.table.is_categorical(column)) numeric.push_back(column);
  }
  return numeric;
}

NewMatrix<double> values_of(const NodeData& self, const std::vector<std::int32_t>& columns) {
  const Node& node = self.node();
  const Table& table = node.problem.table;
  std::vector<double> values;
  values.reserve(node.ids().size() * columns.size());
  for (const std::int32_t column : columns) {
    require(column >= 0 && column < table.n_columns(), "A column is out of range.");
  }
  for (const std::uint32_t row : node.ids()) {
    for (const std::int32_t column : columns) values.push_back(table.at(row, column));
  }
  return to_matrix(std::move(values), node.ids().size(), columns.size());
}

class PythonMethod : public Method {
 public:
  explicit PythonMethod(nb::callable propose) : propose_(std::move(propose)) {}
  ~PythonMethod() override {
    nb::gil_scoped_acquire acquire;
    propose_.reset();
  }
  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    const std::uint64_t seed = rng.next();
    nb::gil_scoped_acquire acquire;
    const auto data = std::make_shared<NodeData>(node);
    struct Expire {
      NodeData& data;
      ~Expire() { data.expire(); }
    } expire{*data};
    for (nb::handle flat : propose_(data, seed)) {
      Candidate candidate;
      candidate.test = from_python(flat);
      candidates.push_back(std::move(candidate));
    }
  }

 private:
  nb::callable propose_;
};

}  // namespace

std::shared_ptr<Method> make_python_method(nb::callable propose) {
  return std::make_shared<PythonMethod>(std::move(propose));
}

void bind_node_data(nb::module_& m) {
  nb::class_<NodeData>(m, "NodeData", "A node while its split is being looked for.")
      .def_prop_ro("n_rows", [](const NodeData& self) { return self.node().ids().size(); })
      .def_prop_ro("depth", [](const NodeData& self) { return self.node().depth; })
      .def_prop_ro(
          "rows",
          [](const NodeData& self) {
            const auto ids = self.node().ids();
            return to_array(std::vector<std::uint32_t>(ids.begin(), ids.end()));
          },
          by_value)
      .def_prop_ro("columns",
                   [](const NodeData& self) {
                     const auto columns = self.node().columns;
                     return std::vector<std::int32_t>(columns.begin(), columns.end());
                   })
      .def_prop_ro("numeric_columns", &numeric_columns)
      .def("values", &values_of, nb::arg("columns"))
      .def_prop_ro(
          "X", [](const NodeData& self) { return values_of(self, numeric_columns(self)); },
          by_value)
      .def_prop_ro("y",
                   [](const NodeData& self) -> nb::object {
                     const Node& node = self.node();
                     const Target& target = node.problem.target;
                     if (target.is_classification()) {
                       std::vector<std::int32_t> labels;
                       for (const auto row : node.ids()) labels.push_back(target.labels[row]);
                       return nb::cast(to_array(std::move(labels)));
                     }
                     std::vector<double> numbers;
                     for (const auto row : node.ids()) numbers.push_back(target.numbers[row]);
                     return nb::cast(to_array(std::move(numbers)));
                   })
      .def_prop_ro(
          "w",
          [](const NodeData& self) {
            std::vector<double> weights;
            for (const auto row : self.node().ids()) {
              weights.push_back(self.node().weights[row]);
            }
            return to_array(std::move(weights));
          },
          by_value)
      .def_prop_ro(
          "statistics",
          [](const NodeData& self) {
            const auto values = self.node().statistics;
            return to_array(std::vector<double>(values.begin(), values.end()));
          },
          by_value)
      .def_prop_ro("n_classes",
                   [](const NodeData& self) { return self.node().problem.target.n_classes; })
      .def_prop_ro(
          "seconds_left",
          [](const NodeData& self) {
            const Monitor* monitor = self.node().problem.monitor;
            return monitor == nullptr ? std::numeric_limits<double>::infinity()
                                      : monitor->seconds_left();
          },
          "Seconds until the time limit of the growth; infinity if it has none.")
      .def(
          "cut",
          [](const NodeData& self, const std::vector<std::int32_t>& columns,
             const std::vector<double>& coefficients) -> nb::object {
            require(columns.size() == coefficients.size() && !columns.empty(),
                    "There must be one coefficient a column.");
            const auto candidate = cut_along(self.node(), columns, coefficients);
            if (!candidate) return nb::none();
            return to_python(candidate->test);
          },
          nb::arg("columns"), nb::arg("coefficients"),
          nb::sig("def cut(self, columns: Sequence[int], coefficients: Sequence[float]) -> "
                  "tuple[int, list[int], list[float]] | None"),
          "The linear split along a direction with the best threshold, or None.");
}

}  // namespace treewright::bind
