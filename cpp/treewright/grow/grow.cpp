#include "treewright/grow/grow.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>

#include "treewright/grow/choose.hpp"
#include "treewright/grow/readable.hpp"
#include "treewright/grow/surrogate.hpp"

namespace treewright {

namespace {

// A node that may still be split.
struct Open {
  std::int32_t node = 0;
  std::int32_t depth = 0;
  std::uint64_t path = 0;
  Range range;
  Range validation;
  std::size_t mark = 0;  // end of the row storage when it was made
  double count = 0.0;
  std::optional<Candidate> chosen;
};

class Grower {
 public:
  Grower(const Table& table, const Target& target, Method& method, const GrowOptions& options,
         const Validation* validation, Monitor& monitor)
      : table_(table),
        target_(target),
        method_(method),
        options_(options),
        monitor_(monitor),
        fractional_(options.missing == Missing::fraction),
        problem_{.table = table,
                 .target = target,
                 .measure = options.measure,
                 .gain = options.gain,
                 .missing = options.missing,
                 .min_leaf = options.min_samples_leaf},
        rows_(table, target,
              method.needs_sorted_columns() || options.missing == Missing::surrogate, fractional_,
              monitor),
        builder_(target.is_classification(), table.n_levels, target.n_outputs()),
        columns_(table.n_levels.size()),
        branch_of_(table.n_rows) {
    require(rows_.all().size() > 0, "There is no row with a positive weight.");
    std::iota(columns_.begin(), columns_.end(), 0);
    same_weights_ = target.weights.data() == target.split_weights.data();
    problem_.unit_weights =
        !fractional_ && std::ranges::all_of(rows_.ids(rows_.all()), [&](std::uint32_t row) {
          return target.split_weights[row] == 1.0;
        });
    if (fractional_) {
      weights_.assign(target.split_weights.begin(), target.split_weights.end());
      shares_.assign(table.n_rows, 1.0);
    }
    if (validation != nullptr) {
      validation_ = validation;
      validation_rows_.emplace(validation->table, validation->target, false, fractional_, monitor);
      validation_branch_of_.resize(validation->table.n_rows);
    }
    method.prepare(problem_, rows_);
  }

  Growth run() {
    Open root = plant_root();
    if (options_.max_leaves > 0 || validation_ != nullptr) {
      grow_best_first(std::move(root));
    } else {
      grow_depth_first(std::move(root));
    }
    std::vector<bool> cut(builder_.size(), false);
    for (std::size_t node = 0; node < cut.size(); ++node) {
      cut[node] = validation_ != nullptr && expanded_at_[node] > best_step_;
    }
    Growth growth{builder_.finish(cut).first, out_of_time_};
    if (options_.collapse) growth.tree = collapse(growth.tree, useless_nodes(growth.tree)).first;
    return growth;
  }

 private:
  Open plant_root() {
    std::vector<double> statistics(target_.n_outputs(), 0.0);
    for (const std::uint32_t row : rows_.ids(rows_.all())) add_row(statistics, row, 1.0);
    Open root;
    root.range = rows_.all();
    root.count = static_cast<double>(rows_.all().size());
    root.path = options_.seed;
    root.mark = rows_.mark();
    if (validation_rows_) root.validation = validation_rows_->all();
    root.node = builder_.add_node(root.count, statistics,
                                  value_of(statistics, root.range, 0.0));
    expanded_at_.push_back(0);
    root_rows_ = root.count;
    const auto split = split_statistics(root);
    root_weight_ = weight_of(split);
    root_impurity_ = problem_.measure.of(split);
    root_spread_ = target_.is_classification() ? 0.0 : split[2];
    return root;
  }

  void grow_depth_first(Open root) {
    std::vector<Open> stack;
    stack.push_back(std::move(root));
    double closed = 0.0;
    while (!stack.empty()) {
      Open open = std::move(stack.back());
      stack.pop_back();
      if (monitor_.out_of_time(closed / root_rows_)) {
        out_of_time_ = true;
        return;
      }
      if (fractional_) rows_.release(open.mark);
      open.chosen = find_split(open);
      if (!open.chosen) {
        closed += open.count;
        continue;
      }
      const double count = open.count;
      std::vector<Open> children = divide(open);
      double still_open = 0.0;
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        still_open += child->count;
        stack.push_back(std::move(*child));
      }
      closed += count - still_open;
    }
  }

  void grow_best_first(Open root) {
    // Largest W * decrease first; the earlier made one on ties.
    const auto worth = [&](const Open& open) {
      return open.chosen->decrease * weight_of(builder_.statistics(open.node));
    };
    const auto later = [&](const Open& a, const Open& b) {
      const double x = worth(a), y = worth(b);
      return x != y ? x < y : a.node > b.node;
    };
    std::vector<Open> heap;
    const auto offer = [&](Open open) {
      open.chosen = find_split(open);
      if (!open.chosen) return;
      heap.push_back(std::move(open));
      std::ranges::push_heap(heap, later);
    };
    offer(std::move(root));
    double loss = validation_ != nullptr ? validation_loss(0, validation_rows_->all()) : 0.0;
    double best_loss = loss;
    std::int64_t leaves = 1, step = 0;
    const double limit = options_.max_leaves > 0 ? options_.max_leaves : root_rows_;
    while (!heap.empty()) {
      if (monitor_.out_of_time(static_cast<double>(leaves) / limit)) {
        out_of_time_ = true;
        return;
      }
      std::ranges::pop_heap(heap, later);
      Open open = std::move(heap.back());
      heap.pop_back();
      const auto n_branches = check_test(open.chosen->test, table_.n_levels);
      if (options_.max_leaves > 0 && leaves + n_branches - 1 > options_.max_leaves) continue;
      leaves += n_branches - 1;
      const double before = validation_ != nullptr ? validation_loss(open.node, open.validation) : 0;
      expanded_at_[static_cast<std::size_t>(open.node)] = ++step;
      const double loss_before = loss;
      loss -= before;
      std::vector<Open> children = divide(open);
      if (validation_ != nullptr) {
        loss += children_loss_;
        if (loss < best_loss - 1e-9 * (1.0 + loss_before)) {
          best_loss = loss;
          best_step_ = step;
        } else if (step - best_step_ >= options_.patience) {
          return;
        }
      }
      for (Open& child : children) offer(std::move(child));
    }
  }

  std::optional<Candidate> find_split(const Open& open) {
    if (!may_split(open.depth, open.count, builder_.statistics(open.node))) return std::nullopt;
    if (fractional_) load_shares(open.range);
    const std::vector<double> statistics = split_statistics(open);
    const double weight = weight_of(statistics), impurity = problem_.measure.of(statistics);
    if (!(weight > 0)) return std::nullopt;
    if (weight * impurity < options_.min_impurity_fraction * root_weight_ * root_impurity_) {
      return std::nullopt;
    }
    Node node = view_of(open, statistics);
    Rng rng(open.path);
    const auto accepted = [&]() -> std::optional<Candidate> {
      candidates_.clear();
      method_.propose(node, rng, candidates_);
      std::optional<Candidate> chosen = choose(node, candidates_);
      if (!chosen || !std::isfinite(chosen->decrease)) return std::nullopt;
      const double worth = chosen->decrease * weight / root_weight_;
      const double rounding = 1e-12 * impurity * weight / root_weight_;
      const bool enough = options_.zero_gain ? worth >= options_.min_gain - rounding
                                             : worth > options_.min_gain + rounding;
      return enough ? chosen : std::nullopt;
    };
    const auto n_columns = columns_.size();
    const auto offered = static_cast<std::size_t>(options_.max_features);
    if (offered == 0 || offered >= n_columns) return accepted();
    // A random subset; if it holds no split, the other columns one by one.
    std::vector<std::int32_t> drawn = columns_;
    for (std::size_t i = 0; i + 1 < n_columns; ++i) {
      std::swap(drawn[i], drawn[i + rng.below(static_cast<std::uint32_t>(n_columns - i))]);
    }
    std::ranges::sort(drawn.begin(), drawn.begin() + static_cast<std::ptrdiff_t>(offered));
    node.columns = std::span(drawn).first(offered);
    std::optional<Candidate> chosen = accepted();
    for (std::size_t i = offered; !chosen && i < n_columns; ++i) {
      node.columns = std::span(drawn).subspan(i, 1);
      chosen = accepted();
    }
    return chosen;
  }

  bool may_split(std::int32_t depth, double count, std::span<const double> statistics) const {
    if (options_.max_depth >= 0 && depth >= options_.max_depth) return false;
    if (count < options_.min_samples_split || count < 2 * options_.min_samples_leaf) return false;
    if (target_.is_classification()) {
      return std::ranges::count_if(statistics, [](double w) { return w > 0; }) > 1;
    }
    return statistics[2] > 1e-14 * root_spread_;
  }

  // Splits the node by its chosen candidate; gives the children that may be split further.
  std::vector<Open> divide(const Open& open) {
    if (fractional_) load_shares(open.range);
    const auto ids = rows_.ids(open.range);
    Test test = open.chosen->test;
    if (options_.readable) test = readable(*open.chosen, table_, ids);
    const auto n_branches = check_test(test, table_.n_levels);
    const auto n = static_cast<std::size_t>(n_branches);
    const Predicate predicate = view(test);

    bool has_unknown = false;
    route(predicate, table_, ids, [&](std::uint32_t row, std::int32_t branch) {
      has_unknown = has_unknown || branch == unknown;
      branch_of_[row] = branch == unknown ? Rows::unknown : static_cast<std::uint16_t>(branch);
    });

    // Weight of the known rows in each branch, then a place for the unknown ones.
    const auto counted =
        options_.missing == Missing::surrogate ? target_.case_weights : target_.weights;
    std::vector<double> known(n, 0.0);
    for (const std::uint32_t row : ids) {
      if (branch_of_[row] != Rows::unknown) known[branch_of_[row]] += counted[row] * share(row);
    }
    auto default_branch =
        static_cast<std::int32_t>(std::ranges::max_element(known) - known.begin());
    std::vector<Surrogate> surrogates;
    const std::vector<double> statistics =
        options_.missing == Missing::surrogate || has_unknown ? split_statistics(open)
                                                              : std::vector<double>{};
    switch (options_.missing) {
      case Missing::default_branch:
        if (!has_unknown) break;
        default_branch = evaluate(view_of(open, statistics), test).default_branch;
        for (const std::uint32_t row : ids) {
          if (branch_of_[row] == Rows::unknown) {
            branch_of_[row] = static_cast<std::uint16_t>(default_branch);
          }
        }
        break;
      case Missing::surrogate:
        if (n == 2) {
          surrogates = find_surrogates(view_of(open, statistics), branch_of_, own_columns(test),
                                       static_cast<std::size_t>(options_.max_surrogates),
                                       options_.readable);
        }
        if (has_unknown) place_by_surrogates(ids, surrogates, default_branch, table_, branch_of_);
        break;
      case Missing::fraction:
        break;
    }

    std::vector<double> part(n, 0.0);
    if (fractional_) {
      const double total = sum_of(known);
      for (std::size_t b = 0; b < n; ++b) part[b] = known[b] / total;
    }

    // Statistics of the children.
    const std::size_t k = target_.n_outputs();
    std::vector<double> child_statistics(n * k, 0.0), counts(n, 0.0);
    for (const std::uint32_t row : ids) {
      if (branch_of_[row] != Rows::unknown) {
        const std::size_t b = branch_of_[row];
        add_row(std::span(child_statistics).subspan(b * k, k), row, share(row));
        counts[b] += share(row);
        continue;
      }
      for (std::size_t b = 0; b < n; ++b) {
        if (!(part[b] > 0)) continue;
        add_row(std::span(child_statistics).subspan(b * k, k), row, share(row) * part[b]);
        counts[b] += share(row) * part[b];
      }
    }
    std::vector<bool> kept(n);
    for (std::size_t b = 0; b < n; ++b) {
      kept[b] = may_split(open.depth + 1, counts[b], std::span(child_statistics).subspan(b * k, k));
    }
    const std::vector<Range> ranges =
        fractional_ ? rows_.divide_shared(open.range, branch_of_, part, kept)
                    : rows_.divide(open.range, branch_of_, kept);

    std::vector<Range> validation(n);
    if (validation_rows_) {
      validation = divide_validation(open.validation, predicate, surrogates, default_branch, part);
    }

    std::vector<Open> children;
    const auto first_child = static_cast<std::int32_t>(builder_.size());
    children_loss_ = 0.0;
    for (std::size_t b = 0; b < n; ++b) {
      const auto child = std::span(child_statistics).subspan(b * k, k);
      const auto id = builder_.add_node(counts[b], child,
                                        value_of(child, ranges[b], builder_.value(open.node)));
      expanded_at_.push_back(0);
      if (validation_rows_) children_loss_ += validation_loss(id, validation[b]);
      if (!kept[b]) continue;
      children.push_back({.node = id,
                          .depth = open.depth + 1,
                          .path = Rng::child(open.path, static_cast<std::uint32_t>(b)),
                          .range = ranges[b],
                          .validation = validation[b],
                          .mark = rows_.mark(),
                          .count = counts[b],
                          .chosen = std::nullopt});
    }
    const double gain = open.chosen->decrease * split_weight(open);
    builder_.set_test(open.node, std::move(test), first_child, n_branches, gain, options_.missing,
                      default_branch, std::move(surrogates));
    return children;
  }

  std::vector<Range> divide_validation(Range range, const Predicate& predicate,
                                       const std::vector<Surrogate>& surrogates,
                                       std::int32_t default_branch,
                                       const std::vector<double>& part) {
    const auto ids = validation_rows_->ids(range);
    route(predicate, validation_->table, ids, [&](std::uint32_t row, std::int32_t branch) {
      validation_branch_of_[row] =
          branch == unknown ? Rows::unknown : static_cast<std::uint16_t>(branch);
    });
    const std::vector<bool> kept(part.size(), false);
    if (fractional_) {
      return validation_rows_->divide_shared(range, validation_branch_of_, part, kept);
    }
    place_by_surrogates(ids, surrogates, default_branch, validation_->table,
                        validation_branch_of_);
    return validation_rows_->divide(range, validation_branch_of_, kept);
  }

  // Rows still unknown go by the first surrogate that knows, else to the default branch.
  static void place_by_surrogates(std::span<const std::uint32_t> ids,
                                  const std::vector<Surrogate>& surrogates,
                                  std::int32_t default_branch, const Table& table,
                                  std::vector<std::uint16_t>& branch_of) {
    for (const Surrogate& surrogate : surrogates) {
      const Predicate predicate = view(surrogate.test);
      route(predicate, table, ids, [&](std::uint32_t row, std::int32_t branch) {
        if (branch_of[row] != Rows::unknown || branch == unknown) return;
        branch_of[row] = static_cast<std::uint16_t>(surrogate.swapped ? 1 - branch : branch);
      });
    }
    for (const std::uint32_t row : ids) {
      if (branch_of[row] == Rows::unknown) branch_of[row] = static_cast<std::uint16_t>(default_branch);
    }
  }

  static std::vector<std::int32_t> own_columns(const Test& test) {
    switch (test.kind) {
      case Kind::axis:
      case Kind::linear:
      case Kind::machine:
        return test.features;
      case Kind::subset:
      case Kind::multiway:
        return {test.features[0]};
      case Kind::pair: {
        const auto second = 3 + static_cast<std::size_t>(test.features[2]);
        return {test.features[3], test.features[second + 2]};
      }
      case Kind::leaf:
        break;
    }
    return {};
  }

  // What the validation rows of a node would cost if it were a leaf.
  double validation_loss(std::int32_t node, Range range) const {
    const Target& target = validation_->target;
    const double answer = builder_.value(node);
    const auto ids = validation_rows_->ids(range);
    const auto shares = validation_rows_->shares(range);
    double loss = 0.0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::uint32_t row = ids[i];
      double one = 0.0;
      if (!target.is_classification()) {
        const double off = target.numbers[row] - answer;
        one = options_.measure.impurity == Impurity::absolute_error ? std::abs(off) : off * off;
      } else if (options_.cost.empty()) {
        one = target.labels[row] == static_cast<std::int32_t>(answer) ? 0.0 : 1.0;
      } else {
        one = options_.cost[static_cast<std::size_t>(target.labels[row]) * target.n_outputs() +
                            static_cast<std::size_t>(answer)];
      }
      loss += one * target.weights[row] * (shares.empty() ? 1.0 : shares[i]);
    }
    return loss;
  }

  double value_of(std::span<const double> statistics, Range range, double parent) {
    if (!(weight_of(statistics) > 0)) return parent;
    if (!target_.is_classification()) {
      if (options_.measure.impurity != Impurity::absolute_error) return statistics[1];
      std::vector<std::pair<double, double>> numbers;
      const auto ids = rows_.ids(range);
      const auto shares = rows_.shares(range);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        numbers.emplace_back(target_.numbers[ids[i]],
                             target_.weights[ids[i]] * (shares.empty() ? 1.0 : shares[i]));
      }
      return weighted_median(numbers).median;
    }
    const std::size_t k = statistics.size();
    if (options_.cost.empty()) {
      return static_cast<double>(std::ranges::max_element(statistics) - statistics.begin());
    }
    std::size_t cheapest = 0;
    double least = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      double cost = 0.0;
      for (std::size_t i = 0; i < k; ++i) cost += statistics[i] * options_.cost[i * k + j];
      if (j == 0 || cost < least - 1e-12 * std::abs(least)) {
        cheapest = j;
        least = cost;
      }
    }
    return static_cast<double>(cheapest);
  }

  // Puts the shares of the node's rows where methods look them up by row.
  void load_shares(Range range) {
    const auto ids = rows_.ids(range);
    const auto shares = rows_.shares(range);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      shares_[ids[i]] = shares[i];
      weights_[ids[i]] = target_.split_weights[ids[i]] * shares[i];
    }
  }

  double share(std::uint32_t row) const { return fractional_ ? shares_[row] : 1.0; }

  double weight_of(std::span<const double> statistics) const {
    return target_.is_classification() ? sum_of(statistics) : statistics[0];
  }

  void add_row(std::span<double> to, std::uint32_t row, double share) const {
    if (target_.is_classification()) {
      to[static_cast<std::size_t>(target_.labels[row])] += target_.weights[row] * share;
    } else {
      add_number(to, target_.numbers[row], target_.weights[row] * share);
    }
  }

  std::vector<double> split_statistics(const Open& open) {
    const auto held = builder_.statistics(open.node);
    std::vector<double> statistics(held.begin(), held.end());
    if (same_weights_) return statistics;
    std::ranges::fill(statistics, 0.0);
    const Node node = view_of(open, statistics);
    for (const std::uint32_t row : node.ids()) node.add_row(statistics, row);
    return statistics;
  }

  double split_weight(const Open& open) { return weight_of(split_statistics(open)); }

  Node view_of(const Open& open, std::span<const double> statistics) const {
    return {.problem = problem_,
            .rows = rows_,
            .range = open.range,
            .weights = fractional_ ? std::span<const double>(weights_) : target_.split_weights,
            .shares = shares_,
            .statistics = statistics,
            .weight = weight_of(statistics),
            .count = open.count,
            .depth = open.depth,
            .columns = columns_};
  }

  const Table& table_;
  const Target& target_;
  Method& method_;
  const GrowOptions& options_;
  Monitor& monitor_;
  bool fractional_;
  bool same_weights_ = true;
  Problem problem_;
  Rows rows_;
  TreeBuilder builder_;
  std::vector<std::int32_t> columns_;
  std::vector<double> weights_, shares_;    // by row id; fractional growth only
  std::vector<std::uint16_t> branch_of_;    // by row id
  std::vector<Candidate> candidates_;
  double root_rows_ = 0, root_weight_ = 0, root_impurity_ = 0, root_spread_ = 0;

  const Validation* validation_ = nullptr;
  std::optional<Rows> validation_rows_;
  std::vector<std::uint16_t> validation_branch_of_;
  double children_loss_ = 0.0;
  std::vector<std::int64_t> expanded_at_;  // step at which a node was split; 0: never
  std::int64_t best_step_ = 0;
  bool out_of_time_ = false;
};

}  // namespace

Growth grow(const Table& table, const Target& target, Method& method, const GrowOptions& options,
            const Validation* validation, Monitor& monitor) {
  return Grower(table, target, method, options, validation, monitor).run();
}

std::vector<bool> useless_nodes(const Tree& tree) {
  std::vector<double> subtree(tree.n_nodes());
  std::vector<bool> useless(tree.n_nodes(), false);
  for (std::size_t node = tree.n_nodes(); node-- > 0;) {
    const auto statistics = tree.statistics_of(node);
    const double own = tree.is_classification
                           ? tree.weight(node) - statistics[static_cast<std::size_t>(tree.value[node])]
                           : statistics[2];
    subtree[node] = own;
    if (tree.is_leaf(node)) continue;
    double below = 0.0;
    for (std::int32_t b = 0; b < tree.n_branches[node]; ++b) {
      below += subtree[static_cast<std::size_t>(tree.first_child[node] + b)];
    }
    const double epsilon = tree.is_classification ? 1e-3 : 1e-12 * own;
    useless[node] = below >= own - epsilon;
    if (!useless[node]) subtree[node] = below;
  }
  return useless;
}

}  // namespace treewright
