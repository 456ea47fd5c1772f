// Tree: read-only arrays, routing, surgery and state.
#include <nanobind/operators.h>
#include <nanobind/stl/list.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <numeric>
#include <optional>
#include <tuple>

#include "bind.hpp"
#include "treewright/tree/apply.hpp"
#include "treewright/tree/forest.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright::bind {

nb::tuple to_python(const Test& test) {
  return nb::make_tuple(static_cast<int>(test.kind), nb::cast(test.features),
                        nb::cast(test.numbers));
}

Test from_python(nb::handle flat) {
  try {
    const auto [kind, features, numbers] =
        nb::cast<std::tuple<int, std::vector<std::int32_t>, std::vector<double>>>(flat);
    require(is_kind_of_test(kind), "A predicate is of an unknown kind.");
    return {static_cast<Kind>(kind), features, numbers};
  } catch (const nb::cast_error&) {
    throw Error("A predicate must be a tuple (kind, features, numbers).");
  }
}

void check_columns(const Tree& tree, const Table& table) {
  require(tree.n_levels == table.n_levels, "The table does not have the columns of the tree.");
}

namespace {

// Each array of the state: its name and where it lives.
template <class State, class Visit>
void for_each_array(State& tree, Visit visit) {
  visit("n_levels", tree.n_levels);
  visit("cost", tree.cost);
  visit("kind", tree.tests.kind);
  visit("first_child", tree.first_child);
  visit("n_branches", tree.n_branches);
  visit("feature_end", tree.tests.feature_end);
  visit("features", tree.tests.features);
  visit("number_end", tree.tests.number_end);
  visit("numbers", tree.tests.numbers);
  visit("rows", tree.rows);
  visit("value", tree.value);
  visit("gain", tree.gain);
  visit("probabilities", tree.probabilities);
  visit("missing", tree.missing);
  visit("default_branch", tree.default_branch);
  visit("surrogate_end", tree.surrogate_end);
  visit("surrogate_kind", tree.surrogates.kind);
  visit("surrogate_feature_end", tree.surrogates.feature_end);
  visit("surrogate_features", tree.surrogates.features);
  visit("surrogate_number_end", tree.surrogates.number_end);
  visit("surrogate_numbers", tree.surrogates.numbers);
  visit("surrogate_swapped", tree.surrogate_swapped);
  visit("surrogate_agreement", tree.surrogate_agreement);
  visit("surrogate_adjusted", tree.surrogate_adjusted);
}

NamedValues state_of(const Tree& tree) {
  nb::dict state;
  state["is_classification"] = tree.is_classification;
  state["statistics"] = nb::cast(to_matrix(tree.statistics, tree.n_nodes(), tree.n_outputs()));
  for_each_array(tree, [&](const char* name, const auto& values) {
    state[name] = nb::cast(to_array(values));
  });
  return state;
}

nb::object entry(const NamedValues& state, const char* name) {
  require(state.contains(name), std::string("The state of a tree lacks '") + name + "'.");
  return nb::object(state[name]);
}

// A tree whose parts `take` copies out of a state.
template <class Take>
Tree taken(const NamedValues& state, Take take) {
  Tree tree;
  try {
    take(tree, [&]<class T>(const char* name, std::vector<T>& values) {
      values = copy_of(nb::cast<Vector<T>>(entry(state, name), false));
    });
    const auto statistics =
        nb::cast<nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>>(
            entry(state, "statistics"), false);
    tree.statistics.assign(statistics.data(), statistics.data() + statistics.size());
    require(statistics.shape(0) == tree.n_nodes(), "The statistics have the wrong shape.");
  } catch (const nb::cast_error&) {
    throw Error("The state of a tree holds an array of the wrong type.");
  }
  tree.validate();
  return tree;
}

Tree from_state(const NamedValues& state) {
  return taken(state, [&](Tree& tree, auto take) {
    tree.is_classification = nb::cast<bool>(entry(state, "is_classification"));
    for_each_array(tree, take);
  });
}

// A tree without surrogates, where rows of unknown branch follow one branch.
Tree from_nodes(const NamedValues& nodes, const nb::list& tests, bool is_classification,
                const Vector<std::int32_t>& n_levels, const Vector<double>& cost) {
  return taken(nodes, [&](Tree& tree, auto take) {
    tree.is_classification = is_classification;
    tree.n_levels = copy_of(n_levels);
    tree.cost = copy_of(cost);
    take("first_child", tree.first_child);
    take("n_branches", tree.n_branches);
    take("rows", tree.rows);
    take("value", tree.value);
    take("gain", tree.gain);
    take("default_branch", tree.default_branch);
    if (nodes.contains("probabilities")) take("probabilities", tree.probabilities);
    for (const nb::handle flat : tests) {
      if (flat.is_none()) {
        tree.tests.append_leaf();
      } else {
        tree.tests.append(from_python(flat));
      }
    }
    tree.missing.assign(tree.n_nodes(), static_cast<std::int8_t>(Missing::default_branch));
    tree.surrogate_end.assign(tree.n_nodes(), 0);
  });
}

template <auto Member>
auto array_property() {
  return [](nb::handle self) { return view_array(nb::cast<const Tree&>(self).*Member, self); };
}

template <class Walk>
Sparse without_gil(const Tree& tree, const TableHandle& table, Walk walk) {
  check_columns(tree, table.table);
  nb::gil_scoped_release release;
  return walk(tree, table.table);
}

}  // namespace

void bind_tree(nb::module_& m) {
  m.def(
      "check_test",
      [](nb::handle flat, const Vector<std::int32_t>& n_levels) {
        return check_test(from_python(flat), span_of(n_levels));
      },
      nb::arg("flat"), nb::arg("n_levels"),
      "The number of branches of a well-formed flat split; ValueError otherwise.");
  m.def(
      "route",
      [](nb::handle flat, const TableHandle& table, std::optional<Vector<std::uint32_t>> some) {
        const Test test = from_python(flat);
        check_test(test, table.table.n_levels);
        std::vector<std::uint32_t> rows;
        if (some) {
          rows = copy_of(*some);
          for (const std::uint32_t row : rows) {
            require(row < table.table.n_rows, "There is no such row.");
          }
        } else {
          rows.resize(table.table.n_rows);
          std::iota(rows.begin(), rows.end(), 0U);
        }
        std::vector<std::int32_t> branches;
        {
          const LongWork work(rows.size());
          branches.reserve(rows.size());
          route(view(test), table.table, rows,
                [&](std::uint32_t, std::int32_t branch) { branches.push_back(branch); });
        }
        return to_array(std::move(branches));
      },
      nb::arg("flat"), nb::arg("table"), nb::arg("rows") = nb::none(),
      "The branch of every row, or of some, under a flat split; -1 where it is unknown.");
  m.def(
      "branch_bits",
      [](const nb::sequence& flats, const TableHandle& table) {
        std::vector<Test> tests;
        for (const nb::handle flat : flats) {
          tests.push_back(from_python(flat));
          check_test(tests.back(), table.table.n_levels);
        }
        const std::size_t n_rows = table.table.n_rows, n_bytes = (n_rows + 7) / 8;
        std::vector<std::uint8_t> first(tests.size() * n_bytes), unknown(tests.size() * n_bytes);
        {
          const LongWork work(tests.size() * n_rows);
          std::vector<std::uint32_t> rows(n_rows);
          std::iota(rows.begin(), rows.end(), 0U);
          for (std::size_t i = 0; i < tests.size(); ++i) {
            route(view(tests[i]), table.table, rows, [&](std::uint32_t row, std::int32_t branch) {
              if (branch > 0) return;
              auto& bits = branch == 0 ? first : unknown;
              bits[i * n_bytes + row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
            });
          }
        }
        return std::tuple(to_matrix(std::move(first), tests.size(), n_bytes),
                          to_matrix(std::move(unknown), tests.size(), n_bytes));
      },
      nb::arg("flats"), nb::arg("table"),
      "Of flat splits, bits of the rows that take branch 0, and of those whose branch is unknown.");

  nb::class_<Tree>(m, "Tree", "Flat arrays of nodes; never changes.")
      .def_static("from_state", &from_state, nb::arg("state"))
      .def_static("from_nodes", &from_nodes, nb::arg("nodes"), nb::arg("tests"),
                  nb::arg("is_classification"), nb::arg("n_levels"), nb::arg("cost"),
                  "Arrays of nodes and their flat splits, None in leaves.")
      .def("state", &state_of)
      .def("__getstate__", &state_of)
      .def("__setstate__",
           [](Tree& self, const NamedValues& state) { new (&self) Tree(from_state(state)); })
      .def("validate", &Tree::validate)
      .def(
          "__eq__", [](const Tree& a, const Tree& b) { return a == b; }, nb::is_operator())
      .def_prop_ro("n_nodes", &Tree::n_nodes)
      .def_prop_ro("n_outputs", &Tree::n_outputs)
      .def_prop_ro("wrong_weight", &Tree::wrong_weight,
                   "Of the training rows in leaves that predict another class.")
      .def_prop_ro("is_classification", [](const Tree& self) { return self.is_classification; })
      .def_prop_ro("n_levels", array_property<&Tree::n_levels>(), by_value)
      .def_prop_ro("cost", array_property<&Tree::cost>(), by_value)
      .def_prop_ro("first_child", array_property<&Tree::first_child>(), by_value)
      .def_prop_ro("n_branches", array_property<&Tree::n_branches>(), by_value)
      .def_prop_ro("rows", array_property<&Tree::rows>(), by_value)
      .def_prop_ro("value", array_property<&Tree::value>(), by_value)
      .def_prop_ro("gain", array_property<&Tree::gain>(), by_value)
      .def_prop_ro("missing", array_property<&Tree::missing>(), by_value)
      .def_prop_ro("default_branch", array_property<&Tree::default_branch>(), by_value)
      .def_prop_ro(
          "statistics",
          [](nb::handle self) {
            const Tree& tree = nb::cast<const Tree&>(self);
            return NewMatrix<const double>(tree.statistics.data(),
                                           {tree.n_nodes(), tree.n_outputs()}, self);
          },
          by_value)
      .def_prop_ro(
          "probabilities",
          [](const Tree& self) {
            return to_matrix(answers_of_nodes(self), self.n_nodes(), self.n_answers());
          },
          by_value, "Of the classes at each node: its own, or the proportions in its statistics.")
      .def_prop_ro("has_own_probabilities",
                   [](const Tree& self) { return !self.probabilities.empty(); })
      .def_prop_ro(
          "stopped_statistics",
          [](const Tree& self) {
            std::vector<double> stopped(self.statistics.size());
            const std::size_t k = self.n_outputs();
            for (std::size_t node = 0; node < self.n_nodes(); ++node) {
              self.stopped_statistics(node, std::span(stopped).subspan(node * k, k));
            }
            return to_matrix(std::move(stopped), self.n_nodes(), k);
          },
          by_value, "Of the training rows that ended at each inner node.")
      .def_prop_ro(
          "kind",
          [](nb::handle self) { return view_array(nb::cast<const Tree&>(self).tests.kind, self); },
          by_value)
      .def_prop_ro(
          "parent", [](const Tree& self) { return to_array(self.parents()); }, by_value)
      .def_prop_ro(
          "depth", [](const Tree& self) { return to_array(self.depths()); }, by_value)
      .def(
          "test",
          [](const Tree& self, std::size_t node) -> nb::object {
            require(node < self.n_nodes(), "There is no such node.");
            if (self.is_leaf(node)) return nb::none();
            return to_python(self.tests.test(node));
          },
          nb::arg("node"),
          nb::sig("def test(self, node: int) -> tuple[int, list[int], list[float]] | None"))
      .def(
          "surrogates",
          [](const Tree& self, std::size_t node) {
            require(node < self.n_nodes(), "There is no such node.");
            nb::list found;
            const auto [begin, end] = self.surrogate_range(node);
            for (std::size_t i = begin; i < end; ++i) {
              found.append(nb::make_tuple(to_python(self.surrogates.test(i)),
                                          self.surrogate_swapped[i] != 0,
                                          self.surrogate_agreement[i], self.surrogate_adjusted[i]));
            }
            return found;
          },
          nb::arg("node"),
          nb::sig("def surrogates(self, node: int) -> "
                  "list[tuple[tuple[int, list[int], list[float]], bool, float, float]]"))
      .def(
          "route",
          [](const Tree& self, std::size_t node, const TableHandle& table) {
            require(node < self.n_nodes() && !self.is_leaf(node), "The node has no split.");
            check_columns(self, table.table);
            std::vector<std::int32_t> branches(table.table.n_rows);
            std::vector<std::uint32_t> rows(table.table.n_rows);
            for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = static_cast<std::uint32_t>(r);
            route(self.tests.view(node), table.table, rows,
                  [&](std::uint32_t row, std::int32_t branch) { branches[row] = branch; });
            return to_array(std::move(branches));
          },
          nb::arg("node"), nb::arg("table"))
      .def(
          "apply",
          [](const Tree& self, const TableHandle& table) {
            check_columns(self, table.table);
            const auto [leaves, owner] = new_memory<std::int32_t>(table.table.n_rows);
            {
              const LongWork work(leaves.size());
              apply(self, table.table, leaves);
            }
            return NewVector<std::int32_t>(leaves.data(), {leaves.size()}, owner);
          },
          nb::arg("table"))
      .def(
          "leaf_shares",
          [](const Tree& self, const TableHandle& table) {
            Sparse found = without_gil(self, table, leaf_shares);
            return std::tuple(to_array(std::move(found.begin)), to_array(std::move(found.nodes)),
                              to_array(std::move(found.shares)));
          },
          nb::arg("table"))
      .def(
          "decision_paths",
          [](const Tree& self, const TableHandle& table) {
            Sparse found = without_gil(self, table, decision_paths);
            return std::pair(to_array(std::move(found.begin)), to_array(std::move(found.nodes)));
          },
          nb::arg("table"))
      .def(
          "distribution",
          [](const Tree& self, const TableHandle& table) {
            require(self.is_classification, "Only a classification tree has class probabilities.");
            check_columns(self, table.table);
            const std::size_t k = self.n_outputs();
            const auto [answers, owner] = new_memory<double>(table.table.n_rows * k);
            {
              const LongWork work(answers.size());
              predict(self, table.table, answers);
            }
            return NewMatrix<double>(answers.data(), {table.table.n_rows, k}, owner);
          },
          nb::arg("table"))
      .def_prop_ro("divides_rows", [](const Tree& self) { return divides_rows(self); })
      .def(
          "predict_classes",
          [](const Tree& self, const TableHandle& table) {
            require(self.is_classification, "Only a classification tree predicts classes.");
            check_columns(self, table.table);
            const auto [classes, owner] = new_memory<std::int64_t>(table.table.n_rows);
            {
              const LongWork work(classes.size());
              predict_classes(self, table.table, classes);
            }
            return NewVector<std::int64_t>(classes.data(), {classes.size()}, owner);
          },
          nb::arg("table"))
      .def(
          "predict_values",
          [](const Tree& self, const TableHandle& table) {
            require(!self.is_classification, "Only a regression tree predicts numbers.");
            check_columns(self, table.table);
            const auto [answers, owner] = new_memory<double>(table.table.n_rows);
            {
              const LongWork work(answers.size());
              predict(self, table.table, answers);
            }
            return NewVector<double>(answers.data(), {answers.size()}, owner);
          },
          nb::arg("table"))
      .def(
          "collapse",
          [](const Tree& self, const Vector<bool>& mask) {
            const std::vector<bool> marked(mask.data(), mask.data() + mask.size());
            auto [tree, old_ids] = collapse(self, marked);
            return std::pair(std::move(tree), to_array(std::move(old_ids)));
          },
          nb::arg("mask"))
      .def(
          "splice",
          [](const Tree& self, const Vector<std::int32_t>& stand_in) {
            const std::vector<bool> none(self.n_nodes(), false);
            auto [tree, old_ids] = splice(self, span_of(stand_in), none);
            return std::pair(std::move(tree), to_array(std::move(old_ids)));
          },
          nb::arg("stand_in"))
      .def_prop_ro(
          "divides_rows", [](const Tree& tree) { return divides_rows(tree); },
          "Some node divides rows among its branches.")
      .def(
          "with_tests",
          [](const Tree& self, const nb::dict& changes) {
            std::map<std::size_t, NewTest> tests;
            for (const auto [key, value] : changes) {
              const auto node = nb::cast<std::size_t>(key);
              require(node < self.n_nodes() && !self.is_leaf(node), "There is no such inner node.");
              const auto [flat, swapped] = nb::cast<std::pair<nb::object, bool>>(value);
              const Test test = from_python(flat);
              require(check_test(test, self.n_levels) == self.n_branches[node],
                      "A new split must have as many branches as the old one.");
              tests[node] = {test, swapped};
            }
            std::vector<std::int32_t> itself(self.n_nodes());
            std::iota(itself.begin(), itself.end(), 0);
            const std::vector<bool> none(self.n_nodes(), false);
            auto [tree, old_ids] = splice(self, itself, none, tests);
            return std::pair(std::move(tree), to_array(std::move(old_ids)));
          },
          nb::arg("changes"),
          nb::sig("def with_tests(self, changes: dict[int, tuple[tuple[int, list[int], "
                  "list[float]], bool]]) -> tuple[Tree, Annotated[NDArray[numpy.int32], "
                  "dict(shape=(None,))]]"),
          "The tree with other splits at some nodes, whose two branches change places if the "
          "second item is true; also gives the old id of each node. Statistics stay as they were.");

  m.def(
      "sum_answers",
      [](const std::vector<const Tree*>& trees, const TableHandle& table, bool votes,
         std::size_t n_threads, nb::object progress,
         const std::optional<Vector<std::uint8_t>>& is_asked) {
        require(!trees.empty(), "There is no tree to ask.");
        require(!is_asked || is_asked->size() == trees.size() * table.table.n_rows,
                "There must be a flag for every tree and row.");
        const std::size_t k = trees[0]->n_answers();
        for (const Tree* tree : trees) {
          check_columns(*tree, table.table);
          require(tree->is_classification == trees[0]->is_classification && tree->n_answers() == k,
                  "The trees are for different targets.");
        }
        const auto [sums, owner] = new_memory<double>(table.table.n_rows * k);
        Monitor monitor(std::nullopt, report_to(std::move(progress)));
        const std::span<const std::uint8_t> flags =
            is_asked ? span_of(*is_asked) : std::span<const std::uint8_t>();
        {
          nb::gil_scoped_release release;
          sum_answers(trees, table.table, votes ? Voting::hard : Voting::soft, n_threads, monitor,
                      sums, flags);
        }
        return NewMatrix<double>(sums.data(), {table.table.n_rows, k}, owner);
      },
      nb::arg("trees"), nb::arg("table"), nb::arg("votes") = false, nb::arg("n_threads") = 1,
      nb::arg("progress") = nb::none(), nb::arg("is_asked") = nb::none(),
      "Class probabilities (or votes) or numbers of all trees, summed row by row; `is_asked` has "
      "a flag for each tree and row, all rows of the first tree in front.");
}

}  // namespace treewright::bind
