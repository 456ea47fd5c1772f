#include "treewright/grow/partitioned.hpp"

#include <algorithm>
#include <numeric>

#include "treewright/data/lines.hpp"
#include "treewright/grow/choose.hpp"
#include "treewright/grow/readable.hpp"
#include "treewright/split/levels/grouped.hpp"
#include "treewright/split/levels/multiway.hpp"
#include "treewright/split/levels/subset.hpp"

namespace treewright {

LevelTests level_tests_named(const std::string& name) {
  if (name == "subset") return LevelTests::subset;
  if (name == "multiway") return LevelTests::multiway;
  if (name == "grouped") return LevelTests::grouped;
  throw Error("There is no kind of split on levels '" + name + "'.");
}

namespace {

Table empty_table(std::vector<std::int32_t> n_levels) {
  Table table;
  table.n_levels = std::move(n_levels);
  return table;
}

Target empty_target(std::int32_t n_classes) {
  Target target;
  target.n_classes = n_classes;
  return target;
}

}  // namespace

PartitionedGrowth::PartitionedGrowth(std::vector<std::int32_t> n_levels, std::int32_t n_classes,
                                     GrowOptions options, LevelTests level_tests,
                                     std::size_t n_rows, bool unit_weights,
                                     std::shared_ptr<Method> method)
    : options_(std::move(options)),
      level_tests_(level_tests),
      table_(empty_table(std::move(n_levels))),
      target_(empty_target(n_classes)),
      rows_(table_, target_, false, false, monitor_),
      problem_{.table = table_,
               .target = target_,
               .measure = options_.measure,
               .gain = options_.gain,
               .missing = options_.missing,
               .min_leaf = options_.min_samples_leaf,
               .min_leaf_weight = options_.min_leaf_weight,
               .n_rows = n_rows,
               .unit_weights = unit_weights},
      builder_(target_.is_classification(), table_.n_levels, target_.n_outputs()),
      columns_(table_.n_levels.size()),
      method_(std::move(method)) {
  std::iota(columns_.begin(), columns_.end(), 0);
  if (method_) method_->prepare(problem_, rows_);
  if (level_tests_ == LevelTests::grouped) require_groups(options_.measure);
}

void PartitionedGrowth::plant(std::span<const double> statistics) {
  require(statistics.size() == target_.n_outputs() && weight_of(statistics) > 0,
          "There is no row with a positive weight.");
  const auto rows = static_cast<double>(problem_.n_rows);
  root_ = {.is_classification = is_classification(),
           .rows = rows,
           .weight = weight_of(statistics),
           .impurity = problem_.measure.of(statistics),
           .spread = is_classification() ? 0.0 : statistics[2]};
  const double value = is_classification() ? class_of(options_, statistics) : statistics[1];
  offer(builder_.add_node(rows, statistics, value), 0, rows);
}

std::pair<Tree, std::vector<std::int32_t>> PartitionedGrowth::tree() const {
  auto [tree, ids] = builder_.finish(std::vector<bool>(builder_.size(), false));
  std::vector<std::int32_t> new_id(builder_.size(), -1), nodes;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    new_id[static_cast<std::size_t>(ids[i])] = static_cast<std::int32_t>(i);
  }
  for (const Open& open : open_) nodes.push_back(new_id[static_cast<std::size_t>(open.node)]);
  return {std::move(tree), std::move(nodes)};
}

double PartitionedGrowth::mean_at(std::size_t place) const {
  return is_classification() ? 0.0 : builder_.statistics(open_[place].node)[1];
}

Node PartitionedGrowth::view_of(const Open& open) const {
  const auto statistics = builder_.statistics(open.node);
  return {.problem = problem_,
          .rows = rows_,
          .range = rows_.all(),
          .weights = {},
          .shares = {},
          .statistics = statistics,
          .weight = weight_of(statistics),
          .noise = problem_.measure.noise_of(statistics),
          .count = open.rows,
          .depth = open.depth,
          .columns = columns_,
          .all_columns = columns_};
}

// Opens a node if the rules of growth let it be split.
void PartitionedGrowth::offer(std::int32_t node, std::int32_t depth, double rows) {
  const auto statistics = builder_.statistics(node);
  if (!may_split(options_, root_, depth, rows, statistics)) return;
  const double weight = weight_of(statistics);
  if (!(weight > 0)) return;
  if (!is_impure(options_, root_, weight, problem_.measure.of(statistics))) return;
  Open open;
  open.node = node;
  open.depth = depth;
  open.rows = rows;
  open_.push_back(std::move(open));
}

ColumnSums PartitionedGrowth::sums_of_values(std::span<const double> lines) const {
  const Line line(target_);
  ColumnSums sums;
  sums.width = line.n_sums();
  for (std::size_t i = 0; i < lines.size(); i += line.width()) {
    const auto from = lines.subspan(i, line.width());
    if (!(from[Line::count] > 0)) continue;
    sums.upper.push_back(from[Line::high]);
    sums.low.push_back(from[Line::low]);
    sums.high.push_back(from[Line::high]);
    sums.counts.push_back(from[Line::count]);
    const auto part = from.subspan(line.first_sum());
    sums.sums.insert(sums.sums.end(), part.begin(), part.end());
    if (is_classification()) continue;
    sums.least.push_back(from[Line::least]);
    sums.most.push_back(from[Line::most]);
  }
  return sums;
}

ColumnSums PartitionedGrowth::sums_of(std::span<const double> edges,
                                      std::span<const double> lines) const {
  const Line line(target_);
  const auto known = lines.first(lines.size() - line.width());
  const auto missing = lines.last(line.width());
  ColumnSums sums = sums_of_values(known);
  // The edges that close the bins which hold rows.
  std::size_t kept = 0;
  for (std::size_t i = 0; i <= edges.size(); ++i) {
    if (!(known[i * line.width() + Line::count] > 0)) continue;
    sums.upper[kept++] = i < edges.size() ? edges[i] : std::numeric_limits<double>::infinity();
  }
  sums.missing_count = missing[Line::count];
  sums.missing_sums.assign(missing.begin() + static_cast<std::ptrdiff_t>(line.first_sum()),
                           missing.end());
  if (!is_classification()) {
    sums.missing_least = missing[Line::least];
    sums.missing_most = missing[Line::most];
  }
  return sums;
}

void PartitionedGrowth::put(std::size_t place, std::int32_t column, std::span<const double> edges,
                            std::span<const double> lines) {
  const Line line(target_);
  require(place < open_.size() && lines.size() == (edges.size() + 2) * line.width(),
          "The sums of a column do not fit its edges.");
  Open& open = open_[place];
  if (column >= table_.n_columns() || !table_.is_categorical(column)) {
    open.judged.erase(column);
    open.numeric[column] = sums_of(edges, lines);
    return;
  }
  LevelGroups& groups = open.levels[column];
  groups = {};
  const double mean = mean_at(place);
  const std::size_t n_levels = static_cast<std::size_t>(table_.levels(column));
  require(edges.size() + 1 == n_levels, "The sums of a column do not fit its levels.");
  for (std::size_t i = 0; i <= n_levels; ++i) {
    const auto from = lines.subspan(i * line.width(), line.width());
    const bool has_value = i < n_levels;
    if (has_value && !(from[Line::count] > 0)) continue;
    LevelGroup& group = has_value ? groups.levels.emplace_back() : groups.without_value;
    group.level = has_value ? static_cast<std::int32_t>(i) : unknown;
    group.count = from[Line::count];
    group.statistics.assign(target_.n_outputs(), 0.0);
    add_sums(group.statistics, from.subspan(line.first_sum()), mean,
             is_classification() ? 0.0 : from[Line::least],
             is_classification() ? 1.0 : from[Line::most], is_classification());
  }
}

ColumnSums& PartitionedGrowth::numeric_at(std::size_t place, std::int32_t column) {
  require(place < open_.size() && open_[place].numeric.contains(column),
          "There is no such column to refine.");
  open_[place].judged.erase(column);
  return open_[place].numeric[column];
}

void PartitionedGrowth::refine(std::size_t place, std::int32_t column,
                               std::span<const double> edges, std::span<const double> lines) {
  numeric_at(place, column).refine(sums_of(edges, lines));
}

void PartitionedGrowth::refine_by_value(std::size_t place, std::int32_t column,
                                        std::span<const double> lines) {
  numeric_at(place, column).refine(sums_of_values(lines));
}

Candidate PartitionedGrowth::candidate_at(const Node& node, const ColumnSums& steps,
                                          const Cut& cut) const {
  Candidate candidate;
  candidate.low = steps.high[cut.position];
  candidate.high = steps.low[cut.position + 1];
  candidate.is_scored = true;
  candidate.decrease = cut.decrease / node.weight;
  if (needs_split_information(problem_.gain)) {
    candidate.split_information = cut_information(node, steps, cut);
  }
  return candidate;
}

void PartitionedGrowth::propose_cuts(const Node& node, const Open& open,
                                     std::vector<Candidate>& candidates) const {
  CutCandidates cuts(node, candidates);
  for (const auto& [column, steps] : open.numeric) {
    if (column >= table_.n_columns()) break;
    const auto cut = best_cut(node, steps);
    if (!cut) continue;
    cuts.add(*cut, [&] {
      Candidate candidate = candidate_at(node, steps, *cut);
      candidate.test = axis_test(column, middle_of(candidate.low, candidate.high));
      return candidate;
    });
  }
}

std::vector<Candidate> PartitionedGrowth::candidates_of(const Node& node, const Open& open) const {
  std::vector<Candidate> candidates;
  propose_cuts(node, open, candidates);
  for (const auto& [column, groups] : open.levels) {
    switch (level_tests_) {
      case LevelTests::subset:
        propose_subset_of(node, column, groups, candidates);
        break;
      case LevelTests::grouped:
        propose_grouped_of(node, column, groups, candidates);
        break;
      case LevelTests::multiway: {
        std::vector<double> counts(static_cast<std::size_t>(table_.levels(column)), 0.0);
        for (const LevelGroup& group : groups.levels) {
          counts[static_cast<std::size_t>(group.level)] = group.count;
        }
        propose_multiway_of(node, column, counts, candidates);
        break;
      }
    }
  }
  for (Candidate& candidate : candidates) {
    if (candidate.is_scored) continue;
    const Outcome outcome = outcome_of(node, open, candidate.test);
    if (!outcome.is_admissible(problem_)) continue;
    candidate.is_scored = true;
    candidate.decrease = outcome.decrease;
    candidate.split_information = outcome.split_information;
  }
  std::erase_if(candidates, [](const Candidate& c) { return !c.is_scored; });
  return candidates;
}

Outcome PartitionedGrowth::outcome_of(const Node& node, const Open& open, const Test& test,
                                      bool is_turned) const {
  Outcome outcome(check_test(test, table_.n_levels), target_.n_outputs());
  std::int32_t column = columns_of(test)[0];
  if (is_linear(test.kind)) {
    const Linear linear = std::get<Linear>(view(test));
    const auto place = static_cast<std::size_t>(&open - open_.data());
    column = line_of(place, linear.features, linear.coefficients).value();
  }
  const auto put_branch = [&](std::size_t b, std::span<const double> statistics, double count) {
    add_statistics(outcome.statistics_of(b), statistics, is_classification());
    outcome.counts[b] += count;
    outcome.weights[b] += weight_of(statistics);
  };
  std::vector<double> missing;
  if (column < table_.n_columns() && table_.is_categorical(column)) {
    const LevelGroups& groups = open.levels.at(column);
    missing = groups.without_value.statistics;
    outcome.unknown_count = groups.without_value.count;
    for (const LevelGroup& group : groups.levels) {
      const auto level = [&](std::int32_t) { return static_cast<double>(group.level); };
      const std::int32_t branch =
          std::visit([&](const auto& predicate) { return predicate.branch(level); }, view(test));
      put_branch(static_cast<std::size_t>(branch), group.statistics, group.count);
    }
  } else {
    const ColumnSums& steps = steps_at(open, column, test.numbers.back());
    const auto above = std::ranges::upper_bound(steps.high, test.numbers.back());
    const auto position = static_cast<std::size_t>(above - steps.high.begin()) - 1;
    const SumSides sides = sides_of(node, steps, position);
    put_branch(is_turned ? 1 : 0, sides.left, sides.left_count);
    put_branch(is_turned ? 0 : 1, sides.right, sides.right_count);
    missing = missing_statistics(node, steps);
    outcome.unknown_count = steps.missing_count;
  }
  outcome.unknown_weight = weight_of(missing);
  judge(node, outcome, missing);
  return outcome;
}

void PartitionedGrowth::choose_split(std::size_t place) {
  const Open& open = open_[place];
  const Node node = view_of(open);
  const std::optional<Candidate> best = find_split(place, node);
  if (open.gap > 0) gaps_[open.node] = open.gap;
  if (!best || !std::isfinite(best->decrease)) return;
  if (!is_worth_it(options_, root_, node, best->decrease)) return;
  Chosen chosen;
  chosen.depth = open.depth;
  const Readable finished = options_.readable ? readable_of(place, *best) : Readable{best->test};
  chosen.test = finished.test;
  chosen.gain = chosen.worth = best->decrease * node.weight;
  chosen.outcome = outcome_of(node, open, best->test, finished.is_turned);
  chosen_[open.node] = std::move(chosen);
}

void PartitionedGrowth::divide(std::int32_t node) {
  Chosen& chosen = chosen_.at(node);
  Outcome& outcome = chosen.outcome;
  chosen.first_child = static_cast<std::int32_t>(builder_.size());
  for (std::size_t b = 0; b < outcome.counts.size(); ++b) {
    const auto statistics = outcome.statistics_of(b);
    double value = builder_.value(node);
    if (weight_of(statistics) > 0) {
      value = is_classification() ? class_of(options_, statistics) : statistics[1];
    }
    const auto child = builder_.add_node(outcome.counts[b], statistics, value);
    offer(child, chosen.depth + 1, outcome.counts[b]);
  }
  builder_.set_test(node, chosen.test, chosen.first_child, outcome.n_branches, chosen.gain,
                    options_.missing, outcome.default_branch, {});
}

GrowOptions PartitionedGrowth::options_at(std::int32_t depth) const {
  require(builder_.size() > 0 && depth >= 0 && options_.max_leaves < 0,
          "The node cannot be handed over.");
  GrowOptions options = options_;
  options.collapse = false;  // when the tree is whole
  options.origin = {root_, problem_.n_rows, problem_.unit_weights, depth};
  return options;
}

void PartitionedGrowth::graft(std::size_t place, const Tree& grown) {
  require(place < open_.size() && grown.n_nodes() > 0 && grown.n_levels == table_.n_levels &&
              grown.n_outputs() == target_.n_outputs(),
          "The branch does not fit the tree.");
  std::vector<std::int32_t> ids(grown.n_nodes());
  ids[0] = open_[place].node;
  for (std::size_t node = 0; node < ids.size(); ++node) {
    if (grown.is_leaf(node)) continue;
    const auto first = static_cast<std::size_t>(grown.first_child[node]);
    const std::int32_t n_branches = grown.n_branches[node];
    const auto first_child = static_cast<std::int32_t>(builder_.size());
    for (std::size_t child = first; child < first + static_cast<std::size_t>(n_branches); ++child) {
      ids[child] =
          builder_.add_node(grown.rows[child], grown.statistics_of(child), grown.value[child]);
    }
    builder_.set_test(ids[node], grown.tests.test(node), first_child, n_branches, grown.gain[node],
                      options_.missing, grown.default_branch[node], {});
  }
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(place));
}

void PartitionedGrowth::settle() {
  if (!method_) {
    for (std::size_t place = 0; place < open_.size(); ++place) choose_split(place);
  }
  const std::vector<Open> asked = std::move(open_);
  open_.clear();
  combinations_.clear();
  if (options_.max_leaves > 0) {
    divide_best_first();
    return;
  }
  for (const Open& open : asked) {
    if (chosen_.contains(open.node)) divide(open.node);
  }
}

void PartitionedGrowth::divide_best_first() {
  // As growth in memory: largest worth first, the earlier made one on ties.
  struct Item {
    double worth;
    std::int64_t made;
    std::int32_t node;
  };
  const auto later = [](const Item& a, const Item& b) {
    return a.worth != b.worth ? a.worth < b.worth : a.made > b.made;
  };
  std::vector<Item> heap;
  std::int64_t made = 0, leaves = 1;
  const auto offer_item = [&](std::int32_t node) {
    const auto found = chosen_.find(node);
    if (found != chosen_.end()) {
      heap.push_back({found->second.worth, made, node});
      std::ranges::push_heap(heap, later);
    }
    ++made;
  };
  taken_.clear();
  offer_item(0);
  while (!heap.empty()) {
    std::ranges::pop_heap(heap, later);
    const Item item = heap.back();
    heap.pop_back();
    const Chosen& chosen = chosen_.at(item.node);
    const std::int32_t n_branches = chosen.outcome.n_branches;
    if (leaves + n_branches - 1 > options_.max_leaves) continue;
    if (chosen.first_child < 0) {
      // Its branches are not known yet. Others that may follow are asked for with it.
      std::vector<std::int32_t> next{item.node};
      while (!heap.empty() &&
             leaves + static_cast<std::int64_t>(next.size()) < options_.max_leaves) {
        std::ranges::pop_heap(heap, later);
        if (chosen_.at(heap.back().node).first_child < 0) next.push_back(heap.back().node);
        heap.pop_back();
      }
      for (const std::int32_t node : next) divide(node);
      if (!open_.empty()) return;
      divide_best_first();  // leaves only: nothing to ask
      return;
    }
    leaves += n_branches - 1;
    taken_.push_back(item.node);
    for (std::int32_t b = 0; b < n_branches; ++b) offer_item(chosen.first_child + b);
  }
}

std::vector<bool> PartitionedGrowth::not_taken() const {
  if (options_.max_leaves < 0) return std::vector<bool>(builder_.size(), false);
  std::vector<bool> cut(builder_.size(), true);
  for (const std::int32_t node : taken_) cut[static_cast<std::size_t>(node)] = false;
  return cut;
}

Growth PartitionedGrowth::finish() {
  Growth growth{builder_.finish(not_taken()).first, !open_.empty()};
  growth.tree.cost = options_.cost;
  if (options_.collapse) growth.tree = collapse(growth.tree, useless_nodes(growth.tree)).first;
  return growth;
}

std::vector<Proof> PartitionedGrowth::proofs() const {
  const auto ids = builder_.finish(not_taken()).second;
  std::vector<Proof> proofs;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto found = gaps_.find(ids[i]);
    if (found != gaps_.end()) proofs.push_back({static_cast<std::int32_t>(i), found->second});
  }
  return proofs;
}

}  // namespace treewright
