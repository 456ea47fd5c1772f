#include "treewright/grow/grow.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "treewright/grow/allowed.hpp"
#include "treewright/grow/choose.hpp"
#include "treewright/grow/division.hpp"
#include "treewright/grow/drawn_columns.hpp"
#include "treewright/grow/held_out.hpp"
#include "treewright/grow/leaf_order.hpp"
#include "treewright/grow/leaf_queue.hpp"
#include "treewright/grow/readable.hpp"
#include "treewright/grow/rules.hpp"
#include "treewright/grow/surrogate.hpp"

namespace treewright {

namespace {

class Grower {
 public:
  Grower(const Table& table, const Target& target, Method& method, const GrowOptions& options,
         const Validation* validation, Monitor& monitor, const Ranks* ranks)
      : table_(table),
        target_(target),
        method_(method),
        options_(options),
        monitor_(monitor),
        fractional_(divides_rows(options.missing)),
        problem_{.table = table,
                 .target = target,
                 .measure = options.measure,
                 .gain = options.gain,
                 .missing = options.missing,
                 .min_leaf = options.min_samples_leaf,
                 .min_leaf_weight = options.min_leaf_weight,
                 .trends = options.trends,
                 .n_threads = options.n_threads,
                 .monitor = &monitor},
        rows_(table, target, method.needs_sorted_columns() || uses_surrogates(options.missing),
              fractional_, monitor, ranks, options.n_threads),
        builder_(target.is_classification(), table.n_levels, target.n_outputs()),
        columns_(table.n_levels.size()),
        branch_of_(table.n_rows) {
    require(rows_.all().size() > 0, "There is no row with a positive weight.");
    std::iota(columns_.begin(), columns_.end(), 0);
    const std::size_t n_rows = rows_.all().size();
    problem_.n_rows = options.origin ? options.origin->n_rows : n_rows;
    same_weights_ = target.weights.data() == target.split_weights.data();
    problem_.unit_weights =
        !fractional_ && !target.is_soft() && (!options.origin || options.origin->unit_weights) &&
        std::ranges::all_of(rows_.ids(rows_.all()),
                            [&](std::uint32_t row) { return target.split_weights[row] == 1.0; });
    if (problem_.unit_weights && need_logarithms(options.measure.traits().sums)) {
      problem_.x_log_x = x_log_x_table(n_rows, problem_.n_rows);
    }
    if (fractional_) {
      weights_.assign(target.split_weights.begin(), target.split_weights.end());
      shares_.assign(table.n_rows, 1.0);
    }
    if (validation != nullptr) {
      held_out_.emplace(validation->table, validation->target, options.cost,
                        options.measure.needs_rows(), fractional_, monitor);
    }
    if (!options.columns.is_empty()) watch_.emplace(options.columns, table.n_columns());
    method.prepare(problem_, rows_);
  }

  Growth run() {
    OpenLeaf root = plant_root();
    // Columns that are few go to the leaves where they are worth most.
    if (options_.max_leaves > 0 || held_out_ || order_ || options_.columns.max_columns > 0) {
      grow_best_first(std::move(root));
    } else {
      grow_depth_first(std::move(root));
    }
    std::vector<bool> cut(builder_.size(), false);
    for (std::size_t node = 0; node < cut.size(); ++node) {
      cut[node] = held_out_ && expanded_at_[node] > best_step_;
    }
    rows_.clear();
    Growth growth{builder_.finish(cut).first, out_of_time_};
    growth.tree.cost = options_.cost;
    if (options_.collapse) growth.tree = collapse(growth.tree, useless_nodes(growth.tree)).first;
    return growth;
  }

 private:
  OpenLeaf plant_root() {
    std::vector<double> statistics(target_.n_outputs(), 0.0);
    for (const std::uint32_t row : rows_.ids(rows_.all())) add_row(statistics, row, 1.0);
    OpenLeaf root;
    root.range = rows_.all();
    root.count = static_cast<double>(rows_.all().size());
    root.path = options_.seed;
    root.mark = rows_.mark();
    if (held_out_) root.held_out = held_out_->all();
    root.node = builder_.add_node(root.count, statistics, value_of(statistics, root.range, 0.0));
    expanded_at_.push_back(0);
    if (!options_.trends.empty() && weight_of(statistics) > 0) {
      order_.emplace(problem_, rows_.ids(rows_.all()), answer_of(target_, statistics));
    }
    const auto split = split_statistics(root);
    if (options_.origin) {
      root_ = options_.origin->root;
      root.depth = options_.origin->depth;
      return root;
    }
    root_ = {.is_classification = target_.is_classification(),
             .rows = root.count,
             .weight = weight_of(split),
             .impurity = impurity_of(root, split),
             .spread = target_.is_classification() ? 0.0 : split[2]};
    return root;
  }

  void grow_depth_first(OpenLeaf root) {
    std::vector<OpenLeaf> stack;
    stack.push_back(std::move(root));
    double closed = 0.0;
    while (!stack.empty()) {
      OpenLeaf open = std::move(stack.back());
      stack.pop_back();
      if (monitor_.out_of_time(closed / root_.rows)) {
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
      std::vector<OpenLeaf> children = divide(open);
      double still_open = 0.0;
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        still_open += child->count;
        stack.push_back(std::move(*child));
      }
      closed += count - still_open;
    }
  }

  void grow_best_first(OpenLeaf root) {
    LeafQueue queue;
    std::int64_t leaves = 1, step = 0;
    const auto offer = [&](OpenLeaf open) {
      open.step = step;
      open.chosen = find_split(open);
      if (!open.chosen) {
        if (order_) queue.wait(std::move(open));
        return;
      }
      open.worth = open.chosen->net() * weight_of(split_statistics(open));
      queue.push(std::move(open));
    };
    offer(std::move(root));
    double loss = held_out_ ? held_out_->loss(held_out_->all(), builder_.value(0)) : 0.0;
    double best_loss = loss;
    const double limit = options_.max_leaves > 0 ? options_.max_leaves : root_.rows;
    while (!queue.empty()) {
      if (monitor_.out_of_time(static_cast<double>(leaves) / limit)) out_of_time_ = true;
      if (out_of_time_ && step > 0) return;
      OpenLeaf open = queue.pop();
      if (open.step != step && (order_ || !is_still_allowed(open))) {
        offer(std::move(open));
        continue;
      }
      const auto n_branches = check_test(open.chosen->test, table_.n_levels);
      if (options_.max_leaves > 0 && leaves + n_branches - 1 > options_.max_leaves) continue;
      leaves += n_branches - 1;
      expanded_at_[static_cast<std::size_t>(open.node)] = ++step;
      std::vector<OpenLeaf> children = divide(open);
      if (held_out_) {
        loss += loss_change_;
        if (loss < best_loss - 1e-9 * best_loss) {
          best_loss = loss;
          best_step_ = step;
        } else if (step - best_step_ >= options_.patience) {
          return;
        }
      }
      if (out_of_time_) return;
      for (OpenLeaf& child : children) offer(std::move(child));
      if (order_ && (options_.max_leaves > 0 || queue.empty())) {
        for (OpenLeaf& again : queue.take_waiting()) {
          if (order_->has_rivals(again.node)) offer(std::move(again));
        }
      }
    }
  }

  std::optional<Candidate> find_split(const OpenLeaf& open) {
    if (!may_split(open.depth, open.count, builder_.statistics(open.node))) return std::nullopt;
    if (fractional_) load_shares(open.range);
    const std::vector<double> statistics = split_statistics(open);
    const double weight = weight_of(statistics);
    if (!(weight > 0)) return std::nullopt;
    if (!is_impure(options_, root_, weight, impurity_of(open, statistics))) return std::nullopt;
    Node node = view_of(open, statistics);
    const Rivals rivals = order_ ? order_->rivals_of(open.node) : Rivals{};
    node.rivals = &rivals;
    Columns offered;
    if (watch_) offered = watch_->offered(open.columns_read, open.node == 0);
    const Columns& allowed = watch_ ? offered : columns_;
    if (allowed.empty()) return std::nullopt;
    Rng rng(open.path);
    const auto accepted = [&]() -> std::optional<Candidate> {
      std::optional<Candidate> chosen = choose_from(open, node, rng);
      if (!chosen || !std::isfinite(chosen->decrease)) return std::nullopt;
      return is_worth_it(options_, root_, node, chosen->net()) ? chosen : std::nullopt;
    };
    return find_on_drawn_columns(node, allowed, static_cast<std::size_t>(options_.max_features),
                                 method_.wants_other_columns(), rng, accepted);
  }

  std::optional<Candidate> choose_from(const OpenLeaf& open, const Node& node, Rng& rng) {
    if (watch_) {
      AllowedChoice choice(method_, *watch_, open.columns_read, rng);
      std::optional<Candidate> chosen = choice.best(node);
      out_of_time_ = out_of_time_ || choice.out_of_time();
      return chosen;
    }
    if (!propose_in_time(method_, node, rng, candidates_)) out_of_time_ = true;
    return choose(node, candidates_);
  }

  // Other leaves may have used up the columns of the tree.
  bool is_still_allowed(const OpenLeaf& open) const {
    return !watch_ || watch_->allows(open.columns_read, open.chosen->test);
  }

  bool may_split(std::int32_t depth, double count, std::span<const double> statistics) const {
    return treewright::may_split(options_, root_, depth, count, statistics);
  }

  // Splits the node by its chosen candidate; gives the children that may be split further.
  std::vector<OpenLeaf> divide(const OpenLeaf& open) {
    if (fractional_) load_shares(open.range);
    Division division = route_rows(open);
    count_branches(open, division);
    const std::size_t n = division.n_branches, k = target_.n_outputs();
    const auto statistics_of = [&](std::size_t b) {
      return std::span<const double>(division.statistics).subspan(b * k, k);
    };
    std::vector<bool> kept(n);
    for (std::size_t b = 0; b < n; ++b) {
      kept[b] = may_split(open.depth + 1, division.counts[b], statistics_of(b));
    }
    const double gain = open.chosen->decrease * weight_of(split_statistics(open));
    const Range moving =
        may_stop(options_.missing) ? rows_.set_aside_unknown(open.range, branch_of_) : open.range;
    const std::vector<Range> ranges =
        fractional_ ? rows_.divide_shared(moving, branch_of_, division.part, kept)
                    : rows_.divide(moving, branch_of_, kept);
    std::vector<Range> held_out(n);
    if (held_out_) {
      held_out = held_out_->divide(open.held_out, view(division.test), division.surrogates,
                                   otherwise(division), division.part);
      const Range stays{fractional_ ? open.held_out.end : held_out.back().end, open.held_out.end};
      const double answer = builder_.value(open.node);
      loss_change_ = held_out_->loss(stays, answer) - held_out_->loss(open.held_out, answer);
    }

    Columns columns_read;
    if (watch_) {
      columns_read = joined(open.columns_read, distinct_columns(division.test));
      watch_->take(columns_read);
    }
    std::vector<OpenLeaf> children;
    const auto first_child = static_cast<std::int32_t>(builder_.size());
    for (std::size_t b = 0; b < n; ++b) {
      const double value = is_told(*open.chosen, division, b)
                               ? division.answers[b]
                               : value_of(statistics_of(b), ranges[b], builder_.value(open.node));
      const auto id = builder_.add_node(division.counts[b], statistics_of(b), value);
      expanded_at_.push_back(0);
      if (held_out_) loss_change_ += held_out_->loss(held_out[b], value);
      if (!kept[b]) continue;
      children.push_back({.node = id,
                          .depth = open.depth + 1,
                          .path = Rng::child(open.path, static_cast<std::uint32_t>(b)),
                          .range = ranges[b],
                          .held_out = held_out[b],
                          .mark = rows_.mark(),
                          .count = division.counts[b],
                          .chosen = std::nullopt,
                          .columns_read = columns_read});
    }
    if (order_) {
      std::vector<double> answers;
      for (std::size_t b = 0; b < n; ++b) answers.push_back(answer_of(target_, statistics_of(b)));
      order_->divide(open.node, division.test, otherwise(division), answers);
    }
    builder_.set_test(open.node, division.test, first_child, static_cast<std::int32_t>(n), gain,
                      options_.missing, division.default_branch, std::move(division.surrogates));
    return children;
  }

  // The branch of rows that neither the test nor a surrogate can place.
  std::int32_t otherwise(const Division& division) const {
    return may_stop(options_.missing) ? unknown : division.default_branch;
  }

  Terms kept_terms() const {
    return options_.columns.largest_whole > 0 ? Terms::whole : Terms::needed;
  }

  // Sets `branch_of_` for the node's rows by the finished test. Rows whose branch is unknown are
  // placed by the missing policy; they stay unknown when they are divided or stop.
  Division route_rows(const OpenLeaf& open) {
    const auto ids = rows_.ids(open.range);
    Division division;
    Readable finished{open.chosen->test};
    if (options_.readable) finished = readable(*open.chosen, table_, ids, &monitor_, kept_terms());
    division.test = std::move(finished.test);
    division.n_branches = static_cast<std::size_t>(check_test(division.test, table_.n_levels));
    division.answers = open.chosen->answers;
    if (finished.is_turned) std::ranges::reverse(division.answers);

    const auto counted = uses_surrogates(options_.missing) ? target_.case_weights : target_.weights;
    std::vector<double> known(division.n_branches, 0.0);
    division.known.assign(division.n_branches, 0.0);
    bool has_unknown = false;
    route(view(division.test), table_, ids, [&](std::uint32_t row, std::int32_t branch) {
      if (branch == unknown) {
        has_unknown = true;
        branch_of_[row] = Rows::unknown;
      } else {
        branch_of_[row] = static_cast<std::uint16_t>(branch);
        known[static_cast<std::size_t>(branch)] += counted[row] * share(row);
        division.known[static_cast<std::size_t>(branch)] += share(row);
      }
    });
    division.default_branch = static_cast<std::int32_t>(first_largest(known));

    switch (options_.missing) {
      case Missing::default_branch:
        if (has_unknown) {
          const std::vector<double> statistics = split_statistics(open);
          division.default_branch =
              evaluate(view_of(open, statistics), division.test).default_branch;
        }
        break;
      case Missing::stop:
        break;
      case Missing::surrogate:
      case Missing::surrogate_or_stop:
        if (division.n_branches == 2) {
          const std::vector<double> statistics = split_statistics(open);
          division.surrogates =
              find_surrogates(view_of(open, statistics), branch_of_, columns_of(division.test),
                              static_cast<std::size_t>(options_.max_surrogates), options_.readable);
        }
        break;
      case Missing::fraction: {
        const double total = sum_of(known);
        for (const double weight : known) division.part.push_back(weight / total);
        return division;
      }
    }
    if (has_unknown) {
      place_unknown(ids, division.surrogates, otherwise(division), table_, branch_of_);
    }
    division.part.assign(division.n_branches, 0.0);
    return division;
  }

  void count_branches(const OpenLeaf& open, Division& division) const {
    const std::size_t n = division.n_branches, k = target_.n_outputs();
    division.statistics.assign(n * k, 0.0);
    division.counts.assign(n, 0.0);
    const auto add = [&](std::size_t b, std::uint32_t row, double part) {
      add_row(std::span(division.statistics).subspan(b * k, k), row, part);
      division.counts[b] += part;
    };
    for (const std::uint32_t row : rows_.ids(open.range)) {
      if (branch_of_[row] != Rows::unknown) {
        add(branch_of_[row], row, share(row));
        continue;
      }
      for (std::size_t b = 0; b < n; ++b) {
        if (division.part[b] > 0) add(b, row, share(row) * division.part[b]);
      }
    }
  }

  // The split method says what a branch answers.
  bool is_told(const Candidate& chosen, const Division& division, std::size_t branch) const {
    if (chosen.answers.empty()) return false;
    const std::size_t k = target_.n_outputs();
    const std::span<const double> statistics(division.statistics);
    if (!(weight_of(statistics.subspan(branch * k, k)) > 0)) return true;
    // Parts of rows say little about those that are here as a whole.
    const bool is_known = fractional_ || division.counts[branch] == division.known[branch];
    return chosen.overrules_rows && is_known && options_.cost.empty();
  }

  double value_of(std::span<const double> statistics, Range range, double parent) {
    if (!(weight_of(statistics) > 0)) return parent;
    if (!target_.is_classification()) {
      if (!options_.measure.needs_rows()) return statistics[1];
      return weighted_median(target_, rows_, range).median;
    }
    return class_of(options_, statistics);
  }

  // Per weight. The absolute error is not in the statistics.
  double impurity_of(const OpenLeaf& open, std::span<const double> statistics) const {
    if (!options_.measure.needs_rows()) return problem_.measure.of(statistics);
    const Node node = view_of(open, statistics);
    std::vector<std::pair<double, double>> numbers;
    for (const std::uint32_t row : node.ids()) {
      numbers.emplace_back(target_.numbers[row], node.weights[row]);
    }
    return weighted_median(numbers).deviation / node.weight;
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
    treewright::add_row(to, target_, row, target_.weights[row] * share);
  }

  std::vector<double> split_statistics(const OpenLeaf& open) {
    const auto held = builder_.statistics(open.node);
    std::vector<double> statistics(held.begin(), held.end());
    if (same_weights_) return statistics;
    std::ranges::fill(statistics, 0.0);
    const Node node = view_of(open, statistics);
    for (const std::uint32_t row : node.ids()) node.add_row(statistics, row);
    return statistics;
  }

  Node view_of(const OpenLeaf& open, std::span<const double> statistics) const {
    return {.problem = problem_,
            .rows = rows_,
            .range = open.range,
            .weights = fractional_ ? std::span<const double>(weights_) : target_.split_weights,
            .shares = shares_,
            .statistics = statistics,
            .weight = weight_of(statistics),
            .noise = problem_.measure.noise_of(statistics),
            .count = open.count,
            .depth = open.depth,
            .columns = columns_,
            .all_columns = columns_};
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
  std::vector<double> weights_, shares_;  // by row id; fractional growth only
  std::vector<std::uint16_t> branch_of_;  // by row id
  std::vector<Candidate> candidates_;
  Root root_;

  std::optional<LeafOrder> order_;    // where columns have trends
  std::optional<ColumnWatch> watch_;  // where there are rules of columns
  std::optional<HeldOut> held_out_;
  double loss_change_ = 0.0;               // by the last division
  std::vector<std::int64_t> expanded_at_;  // step at which a node was split; 0: never
  std::int64_t best_step_ = 0;
  bool out_of_time_ = false;
};

}  // namespace

Growth grow(const Table& table, const Target& target, Method& method, const GrowOptions& options,
            const Validation* validation, Monitor& monitor, const Ranks* ranks) {
  return Grower(table, target, method, options, validation, monitor, ranks).run();
}

}  // namespace treewright
