#include "treewright/tree/tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "treewright/tree/builder.hpp"

namespace treewright {

namespace {

std::string at_node(std::size_t node) { return "Node " + std::to_string(node) + ": "; }

}  // namespace

double Tree::weight(std::size_t node) const {
  const auto values = statistics_of(node);
  return is_classification ? std::accumulate(values.begin(), values.end(), 0.0) : values[0];
}

double Tree::wrong_weight() const {
  double wrong = 0.0;
  for (std::size_t node = 0; is_classification && node < n_nodes(); ++node) {
    if (!is_leaf(node)) continue;
    const auto values = statistics_of(node);
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (static_cast<double>(c) != value[node]) wrong += values[c];
    }
  }
  return wrong;
}

std::pair<std::size_t, std::size_t> Tree::surrogate_range(std::size_t node) const {
  return {node == 0 ? 0 : static_cast<std::size_t>(surrogate_end[node - 1]),
          static_cast<std::size_t>(surrogate_end[node])};
}

std::vector<std::int32_t> Tree::parents() const {
  std::vector<std::int32_t> parent(n_nodes(), -1);
  for (std::size_t node = 0; node < n_nodes(); ++node) {
    for (std::int32_t b = 0; b < n_branches[node]; ++b) {
      parent[static_cast<std::size_t>(first_child[node] + b)] = static_cast<std::int32_t>(node);
    }
  }
  return parent;
}

std::vector<std::int32_t> Tree::depths() const {
  std::vector<std::int32_t> depth(n_nodes(), 0);
  for (std::size_t node = 0; node < n_nodes(); ++node) {
    for (std::int32_t b = 0; b < n_branches[node]; ++b) {
      depth[static_cast<std::size_t>(first_child[node] + b)] = depth[node] + 1;
    }
  }
  return depth;
}

void Tree::branch_shares(std::size_t node, std::vector<double>& shares) const {
  shares.resize(static_cast<std::size_t>(n_branches[node]));
  double total = 0.0;
  for (std::size_t b = 0; b < shares.size(); ++b) {
    shares[b] = weight(static_cast<std::size_t>(first_child[node]) + b);
    total += shares[b];
  }
  for (double& share : shares) {
    share = total > 0 ? share / total : 1.0 / static_cast<double>(shares.size());
  }
}

namespace {

// What answering class `said` costs; without a cost matrix, less the weight that it gets right.
double expected_cost(std::span<const double> class_weights, std::span<const double> cost,
                     std::size_t said) {
  if (cost.empty()) return -class_weights[said];
  const std::size_t k = class_weights.size();
  double expected = 0.0;
  for (std::size_t i = 0; i < k; ++i) expected += class_weights[i] * cost[i * k + said];
  return expected;
}

constexpr double cost_rounding = 1e-12;  // relative

}  // namespace

std::size_t cheapest_class(std::span<const double> class_weights, std::span<const double> cost) {
  if (cost.empty()) {
    return static_cast<std::size_t>(std::ranges::max_element(class_weights) -
                                    class_weights.begin());
  }
  std::size_t cheapest = 0;
  double least = expected_cost(class_weights, cost, 0);
  for (std::size_t j = 1; j < class_weights.size(); ++j) {
    const double expected = expected_cost(class_weights, cost, j);
    if (expected < least - cost_rounding * least) {
      cheapest = j;
      least = expected;
    }
  }
  return cheapest;
}

std::size_t cheapest_class(std::span<const double> class_weights, std::span<const double> cost,
                           std::size_t prior) {
  const std::size_t cheapest = cheapest_class(class_weights, cost);
  const double least = expected_cost(class_weights, cost, cheapest);
  const double of_prior = expected_cost(class_weights, cost, prior);
  return of_prior <= least + cost_rounding * std::abs(least) ? prior : cheapest;
}

void Tree::stopped_statistics(std::size_t node, std::span<double> stopped) const {
  std::ranges::fill(stopped, 0.0);
  if (is_leaf(node) || !may_stop(static_cast<Missing>(missing[node]))) return;
  const auto first = static_cast<std::size_t>(first_child[node]);
  const auto end = first + static_cast<std::size_t>(n_branches[node]);
  double n_stopped = rows[node];
  for (std::size_t child = first; child < end; ++child) n_stopped -= rows[child];
  if (!(n_stopped > 0)) return;  // what the weights differ by is rounding
  const auto own = statistics_of(node);
  std::ranges::copy(own, stopped.begin());
  if (is_classification) {
    for (std::size_t child = first; child < end; ++child) {
      const auto below = statistics_of(child);
      for (std::size_t c = 0; c < below.size(); ++c) stopped[c] -= below[c];
    }
    for (double& weight : stopped) weight = std::max(0.0, weight);
    return;
  }
  // The node's mean is the origin, so that little is lost when much is taken away.
  double& weight = stopped[0];
  double& squares = stopped[2];
  double sum = 0.0;
  for (std::size_t child = first; child < end; ++child) {
    const auto below = statistics_of(child);
    const double off = below[1] - own[1];
    weight -= below[0];
    sum -= below[0] * off;
    squares -= below[2] + below[0] * off * off;
  }
  if (!(weight > 0)) {
    std::ranges::fill(stopped, 0.0);
    return;
  }
  stopped[1] += sum / weight;
  squares = std::max(0.0, squares - sum * sum / weight);
}

void Tree::validate() const {
  const std::size_t n = n_nodes();
  require(n > 0, "A tree needs a root.");
  require(n <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
          "A tree has too many nodes.");
  const std::size_t k = n_outputs();
  require(k > 0 && statistics.size() == n * k && (is_classification || k == 3),
          "The statistics have the wrong shape.");
  require(probabilities.empty() || (is_classification && probabilities.size() == n * k),
          "The probabilities have the wrong shape.");
  require(tests.size() == n && n_branches.size() == n && rows.size() == n && value.size() == n &&
              gain.size() == n && missing.size() == n && default_branch.size() == n,
          "The arrays of a tree differ in length.");
  tests.check_shape("the splits");
  surrogates.check_shape("the surrogates");
  check_ends(surrogate_end, n, surrogates.size(), "the surrogates");
  require(surrogate_swapped.size() == surrogates.size() &&
              surrogate_agreement.size() == surrogates.size() &&
              surrogate_adjusted.size() == surrogates.size(),
          "The arrays of surrogates differ in length.");
  for (const std::int32_t levels : n_levels) require(levels >= 0, "A level count is negative.");
  require(cost.empty() || (is_classification && cost.size() == k * k),
          "The cost matrix must have a row and a column per class.");
  for (const double one : cost) {
    require(std::isfinite(one) && one >= 0, "Costs must be finite and not negative.");
  }

  // Children are handed out in order of visit, so the blocks must follow one another in the order
  // of a depth-first walk: that rules out shared, lost and forward-pointing nodes at once.
  std::int64_t next = 1;
  std::vector<std::size_t> stack{0};
  while (!stack.empty()) {
    const std::size_t node = stack.back();
    stack.pop_back();
    if (static_cast<Kind>(tests.kind[node]) == Kind::leaf) {
      require(first_child[node] == -1 && n_branches[node] == 0 && default_branch[node] == -1 &&
                  tests.features_of(node).empty() && tests.numbers_of(node).empty() &&
                  surrogate_range(node).first == surrogate_range(node).second &&
                  missing[node] == 0 && gain[node] == 0,
              at_node(node) + "a leaf has no children, split, gain or missing policy.");
      continue;
    }
    std::int32_t branches = 0;
    try {
      branches = check_test(static_cast<Kind>(tests.kind[node]), tests.features_of(node),
                            tests.numbers_of(node), n_levels);
    } catch (const Error& error) {
      throw Error(at_node(node) + error.what());
    }
    require(branches == n_branches[node], at_node(node) + "the split has " +
                                              std::to_string(branches) + " branches, not " +
                                              std::to_string(n_branches[node]) + ".");
    require(first_child[node] == next && next + branches <= static_cast<std::int64_t>(n),
            at_node(node) + "its children are not where the order of nodes puts them.");
    next += branches;
    require(default_branch[node] >= 0 && default_branch[node] < branches,
            at_node(node) + "the default branch is out of range.");
    for (std::int32_t b = branches; b-- > 0;) {
      stack.push_back(static_cast<std::size_t>(first_child[node] + b));
    }
  }
  require(next == static_cast<std::int64_t>(n), "Some nodes hang on no parent.");

  const double classes = static_cast<double>(k);
  for (std::size_t node = 0; node < n; ++node) {
    require(is_policy(missing[node]), at_node(node) + "unknown missing policy.");
    require(std::isfinite(rows[node]) && rows[node] >= 0, at_node(node) + "bad row count.");
    require(std::isfinite(gain[node]), at_node(node) + "the gain is not finite.");
    require(std::isfinite(value[node]), at_node(node) + "the value is not finite.");
    require(!is_classification || (value[node] >= 0 && value[node] < classes &&
                                   value[node] == std::floor(value[node])),
            at_node(node) + "the predicted class is out of range.");
    const auto values = statistics_of(node);
    for (std::size_t i = 0; i < k; ++i) {
      const bool may_be_negative = !is_classification && i == 1;
      require(std::isfinite(values[i]) && (may_be_negative || values[i] >= 0),
              at_node(node) + "the statistics are not finite or negative.");
    }
    if (!probabilities.empty()) {
      double sum = 0.0;
      for (const double probability : probabilities_of(node)) {
        require(probability >= 0.0 && probability <= 1.0,
                at_node(node) + "a probability is not between 0 and 1.");
        sum += probability;
      }
      require(std::abs(sum - 1.0) < 1e-6, at_node(node) + "the probabilities do not add up to 1.");
    }
    const auto [begin, end] = surrogate_range(node);
    for (std::size_t i = begin; i < end; ++i) {
      const auto kind = static_cast<Kind>(surrogates.kind[i]);
      require(is_literal(kind), at_node(node) + "a surrogate must be an axis or subset predicate.");
      check_test(kind, surrogates.features_of(i), surrogates.numbers_of(i), n_levels);
      require(n_branches[node] == 2, at_node(node) + "surrogates need a two-way split.");
      require(surrogate_swapped[i] == 0 || surrogate_swapped[i] == 1,
              at_node(node) + "a surrogate is swapped or not.");
      require(std::isfinite(surrogate_agreement[i]) && std::isfinite(surrogate_adjusted[i]),
              at_node(node) + "the agreement of a surrogate is not finite.");
    }
  }
}

std::pair<Tree, std::vector<std::int32_t>> splice(const Tree& tree,
                                                  std::span<const std::int32_t> stand_in,
                                                  const std::vector<bool>& marked,
                                                  const std::map<std::size_t, NewTest>& tests) {
  require(marked.size() == tree.n_nodes(), "The mask must have one entry per node.");
  require(stand_in.size() == tree.n_nodes(), "There must be one stand-in per node.");
  TreeBuilder builder(tree.is_classification, tree.n_levels, tree.n_outputs());
  std::vector<std::size_t> old_ids;  // of the nodes in the builder
  std::vector<bool> placed(tree.n_nodes(), false);
  const auto add = [&](std::size_t place) {
    require(stand_in[place] >= static_cast<std::int32_t>(place) &&
                static_cast<std::size_t>(stand_in[place]) < tree.n_nodes(),
            "A stand-in must be a node below the one it stands for.");
    const auto old = static_cast<std::size_t>(stand_in[place]);
    require(!placed[old], "A node can stand in one place only.");
    placed[old] = true;
    old_ids.push_back(old);
    builder.add_node(tree.rows[old], tree.statistics_of(old), tree.value[old]);
  };
  add(0);
  for (std::size_t id = 0; id < old_ids.size(); ++id) {
    const std::size_t old = old_ids[id];
    if (tree.is_leaf(old) || marked[old]) continue;
    const auto first_child = static_cast<std::int32_t>(builder.size());
    const std::int32_t n_branches = tree.n_branches[old];
    const auto changed = tests.find(old);
    const bool swapped = changed != tests.end() && changed->second.swapped;
    require(!swapped || n_branches == 2, "Only two branches can change places.");
    for (std::int32_t b = 0; b < n_branches; ++b) {
      add(static_cast<std::size_t>(tree.first_child[old] + (swapped ? 1 - b : b)));
    }
    std::vector<Surrogate> surrogates;
    const auto [begin, end] = tree.surrogate_range(old);
    for (std::size_t i = begin; i < end; ++i) {
      surrogates.push_back({tree.surrogates.test(i), (tree.surrogate_swapped[i] != 0) != swapped,
                            tree.surrogate_agreement[i], tree.surrogate_adjusted[i]});
    }
    const std::int32_t default_branch = tree.default_branch[old];
    builder.set_test(static_cast<std::int32_t>(id),
                     changed == tests.end() ? tree.tests.test(old) : changed->second.test,
                     first_child, n_branches, tree.gain[old],
                     static_cast<Missing>(tree.missing[old]),
                     swapped ? 1 - default_branch : default_branch, surrogates);
  }
  auto result = builder.finish(std::vector<bool>(builder.size(), false));
  result.first.cost = tree.cost;
  for (std::int32_t& id : result.second) {
    id = static_cast<std::int32_t>(old_ids[static_cast<std::size_t>(id)]);
    if (tree.probabilities.empty()) continue;
    const auto own = tree.probabilities_of(static_cast<std::size_t>(id));
    result.first.probabilities.insert(result.first.probabilities.end(), own.begin(), own.end());
  }
  return result;
}

std::pair<Tree, std::vector<std::int32_t>> collapse(const Tree& tree,
                                                    const std::vector<bool>& marked) {
  std::vector<std::int32_t> itself(tree.n_nodes());
  std::iota(itself.begin(), itself.end(), 0);
  return splice(tree, itself, marked);
}

}  // namespace treewright
