#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "treewright/base/error.hpp"
#include "treewright/base/rng.hpp"
#include "treewright/search/limited/search.hpp"

namespace treewright::search {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-12;  // relative, of costs that are compared
constexpr std::size_t bytes_of_entry = 256;
constexpr double further_share = 0.02;

// Thrown where the best tree costs no more than any can.
struct Settled {};

}  // namespace

// What is known of the tests of a node that were tried. A test of the same chain sends some rows
// the other way: a tree below one is a tree below the other, but for what these rows can cost.
class LimitedSearch::Neighbours {
 public:
  Neighbours(double rate, double rate_of_rows) : rate_(rate), rate_of_rows_(rate_of_rows) {}
  void learn(std::size_t chain, const Candidate& candidate, double bound) {
    if (rate_ < infinity)
      of_chain_[chain].push_back({candidate.passing, candidate.n_passing, bound});
  }
  double bound(std::size_t chain, const Candidate& candidate) const {
    double largest = 0.0;
    const auto found = of_chain_.find(chain);
    if (found == of_chain_.end()) return largest;
    for (const Tried& tried : found->second) {
      const double moved = rate_ * std::abs(tried.passing - candidate.passing) +
                           rate_of_rows_ * std::abs(tried.n_passing - candidate.n_passing);
      largest = std::max(largest, tried.bound - moved);
    }
    return largest;
  }

 private:
  struct Tried {
    double passing, n_passing, bound;
  };
  double rate_, rate_of_rows_;
  std::unordered_map<std::size_t, std::vector<Tried>> of_chain_;
};

LimitedSearch::LimitedSearch(const LimitedProblem& problem, const LimitedOptions& options,
                             const Report& report)
    : problem_(problem),
      options_(options),
      columns_(problem.rules, static_cast<std::int32_t>(problem.rules.costs.size())),
      order_(problem.order),
      sets_(problem, options),
      watch_(options.seconds, report),
      most_entries_(options.memory / bytes_of_entry) {
  for (std::size_t c = 0; c < problem.level_columns.size(); ++c) {
    for (std::int32_t level = 0; level < problem.level_columns[c].n_levels; ++level)
      level_tests_.push_back({c, level});
  }
  name_kinds();
  has_levels_ = std::ranges::any_of(
      problem.last_levels, [&](std::int32_t level) { return level < options.max_depth - 1; });
}

LimitedResult LimitedSearch::run() {
  RowSet root = sets_.all();
  const double leaf = sets_.leaf_cost(root.sums);
  slack_ = rounding * leaf;
  set_rates();
  best_ = std::min(leaf, options_.limit);
  bound_ = std::min(best_, std::max(root.floor, options_.least));
  bool is_proven = false;
  try {
    take_hint(root);
    watch_.poll(true);
    // Shallower trees first: they are soon found, and what they cost bounds deeper ones.
    for (pass_ = 1; pass_ <= options_.max_depth; ++pass_) search_root(root);
    is_proven = true;
  } catch (const Settled&) {
    is_proven = true;
  } catch (const Stopped&) {
  }
  if (watch_.failure()) std::rethrow_exception(watch_.failure());
  LimitedResult result;
  result.found = best_ < options_.limit;
  steps_.clear();
  write(result.plan, root);
  result.objective = best_;
  result.lower_bound = is_proven ? best_ : std::min(bound_, best_);
  result.status = is_proven ? Status::optimal : watch_.status();
  result.n_nodes = n_nodes_;
  result.n_remembered = static_cast<std::int64_t>(known_.size() + known_relaxed_.size());
  return result;
}

void LimitedSearch::set_rates() {
  double dearest = 0.0;
  for (const double cost : problem_.rules.costs) dearest += cost;
  // Leaves that must hold some rows forbid trees that other rows have.
  const bool has_least = options_.min_rows > 1 || options_.min_weight > 0;
  // So do rows without a level: they follow a level that a node has, and that may be another's.
  const auto lacks_level = [](const LevelColumn& column) {
    return std::ranges::any_of(column.levels, [](std::int32_t level) { return level < 0; });
  };
  const bool differs = has_least || std::ranges::any_of(problem_.level_columns, lacks_level);
  rate_ = differs ? infinity : sets_.largest_loss() + dearest;
  further_ = differs ? 0.0 : further_share * rate_;
  // Rows of a level that a node had not are a leaf more there.
  rate_of_rows_ = problem_.level_columns.empty() ? 0.0 : options_.penalty;
}

void LimitedSearch::name_kinds() {
  const std::size_t n_tests = problem_.n_tests + level_tests_.size();
  for (std::size_t test = 0; test < n_tests; ++test) {
    const Columns columns = columns_read(test);
    const auto found = std::ranges::find(kinds_, columns);
    kind_of_.push_back(static_cast<std::size_t>(found - kinds_.begin()));
    if (found == kinds_.end()) kinds_.push_back(columns);
  }
  Rng rng(1);
  const ColumnRules& rules = problem_.rules;
  for (std::size_t column = 0; column < rules.costs.size(); ++column) {
    const bool has_enemy = std::ranges::any_of(rules.enemies, [&](const auto& pair) {
      return pair.first == static_cast<std::int32_t>(column) ||
             pair.second == static_cast<std::int32_t>(column);
    });
    const Hash random{rng.next(), rng.next()};
    const bool matters = rules.costs[column] > 0 || has_enemy || !rules.groups.empty();
    column_hash_.push_back(matters ? random : Hash{});
  }
  for (std::int32_t level = 0; level < 2 * options_.max_depth + 2; ++level) {
    level_hash_.push_back({rng.next(), rng.next()});
  }
}

Columns LimitedSearch::columns_read(std::size_t test) const {
  if (!is_of_levels(test)) return problem_.columns[test];
  return {problem_.level_columns[level_test(test).column].column};
}

std::vector<RowSet> LimitedSearch::parts_of(const RowSet& set, std::size_t test) const {
  std::vector<RowSet> parts;
  if (!is_of_levels(test)) {
    parts.push_back(sets_.part(set, test, true));
    parts.push_back(sets_.part(set, test, false));
    return parts;
  }
  const auto [column, level] = level_test(test);
  for (std::int32_t l = 0; l < problem_.level_columns[column].n_levels; ++l) {
    RowSet part = sets_.part_of_level(set, column, l, l == level);
    if (!part.filled.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<LimitedSearch::Permit> LimitedSearch::permits_below(const Columns& path,
                                                                bool is_root) const {
  std::vector<Permit> permits;
  for (const Columns& columns : kinds_) {
    const bool is_first = !is_root || problem_.rules.first.empty() ||
                          std::ranges::includes(problem_.rules.first, columns);
    permits.push_back(
        {is_first && columns_.allows(path, columns), columns_.price_of(path, columns)});
  }
  return permits;
}

// Tests of a node with what they cost, the most promising first.
std::vector<LimitedSearch::Candidate> LimitedSearch::candidates_of(RowSet& set, std::int32_t depth,
                                                                   const Columns& path) {
  const std::int32_t level = pass_ - depth;
  const std::vector<Permit> permits = permits_below(path, level == 0);
  const double weight = sets_.weight(set.sums);
  std::vector<Candidate> candidates;
  Sums failing;
  sets_.for_each_test(set, [&](std::size_t test, std::size_t last, const Sums& passing) {
    const Permit& permit = permits[kind_of_[test]];
    if (!permit.is_allowed || level > problem_.last_levels[test]) return;
    failing = set.sums;
    for (std::size_t i = 0; i < failing.size(); ++i) failing[i] -= passing[i];
    if (!sets_.holds_a_leaf(passing) || !sets_.holds_a_leaf(failing)) return;
    const double fixed = options_.penalty + problem_.prices[test] + permit.price * weight;
    const double leaves = sets_.leaf_cost(passing) + sets_.leaf_cost(failing);
    candidates.push_back(
        {test, last, fixed, fixed + leaves, sets_.weight(passing), sets_.rows(passing)});
  });
  for (std::size_t at = 0; at < level_tests_.size();) {
    const std::size_t first = problem_.n_tests + at, column = level_tests_[at].column;
    at += static_cast<std::size_t>(problem_.level_columns[column].n_levels);
    const Permit& permit = permits[kind_of_[first]];
    if (permit.is_allowed) add_level_tests(set, first, permit.price * weight, candidates);
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::shallow);
  return candidates;
}

void LimitedSearch::add_level_tests(const RowSet& set, std::size_t first, double price,
                                    std::vector<Candidate>& candidates) const {
  const LevelSums sums = sets_.sums_of_levels(set, level_test(first).column);
  double fixed = price - options_.penalty, leaves = 0.0;
  std::size_t n_branches = 0, n_light = 0;
  const auto is_there = [&](const Sums& part) { return sets_.rows(part) > 0; };
  for (const Sums& part : sums.levels) {
    if (!is_there(part)) continue;
    ++n_branches;
    n_light += sets_.holds_a_leaf(part) ? 0 : 1;
    fixed += options_.penalty;
    leaves += sets_.leaf_cost(part);
  }
  if (n_branches < 3 || n_light > 1) return;
  for (std::size_t level = 0; level < sums.levels.size(); ++level) {
    const Sums& own = sums.levels[level];
    if (!is_there(own)) continue;
    Sums together = own;
    for (std::size_t i = 0; i < together.size(); ++i) together[i] += sums.without[i];
    const bool are_enough =
        n_light == 0 || (!sets_.holds_a_leaf(own) && sets_.holds_a_leaf(together));
    const double shallow = fixed + leaves - sets_.leaf_cost(own) + sets_.leaf_cost(together);
    const std::size_t test = first + level;
    if (are_enough) candidates.push_back({test, test, fixed, shallow, 0.0, 0.0});
    if (!is_there(sums.without)) return;
  }
}

// Takes the candidates of a node one by one: the best tree, or a bound if none is below `limit`.
// `told(candidates, place, best)` is called before each.
template <class Told>
KnownTree LimitedSearch::try_all(RowSet& set, std::int32_t depth, const Columns& path,
                                 KnownTree best, double limit, Told told) {
  const auto candidates = candidates_of(set, depth, path);
  double least = best.bound;  // no tree costs less
  Neighbours neighbours(rate_, rate_of_rows_);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& candidate = candidates[i];
    told(candidates, i, best);
    if (candidate.shallow < best.bound - slack_ && are_leaves_in_order(set, candidate)) {
      best = {candidate.shallow, true,
              std::make_shared<Branch>(Branch{static_cast<std::int32_t>(candidate.test),
                                              static_cast<std::int32_t>(candidate.last),
                                              {}})};
    }
    least = std::min(least, best.bound);
    if (depth == 1) continue;
    const bool is_alone = is_of_levels(candidate.test);
    const std::size_t chain = is_alone ? 0 : sets_.chain_of(candidate.test);
    const double needed = std::min(best.bound, limit);
    double bound = candidate.fixed + set.floor;
    if (!is_alone) bound = std::max(bound, neighbours.bound(chain, candidate));
    if (bound < needed - slack_) {
      // A little more than needed is looked for, as it tells of the neighbours.
      const double further = further_ * sets_.weight(set.sums);
      const auto search = [&] { return with_test(set, depth, path, candidate, needed + further); };
      KnownTree found = asks_order() ? relaxed(search) : search();
      // What is known of neighbours holds for trees in any order.
      bound = std::max(bound, found.bound);
      if (!is_alone) neighbours.learn(chain, candidate, bound);
      bool may_be_best = found.is_optimum;
      if (asks_order() && may_be_best) {
        may_be_best = bound < needed - slack_;
        if (may_be_best && !is_in_order(found.tree, set)) {
          found = with_test(set, depth, path, candidate, needed);
          bound = std::max(bound, found.bound);
          may_be_best = found.is_optimum;
        }
      }
      if (may_be_best && found.bound < best.bound - slack_) best = found;
    }
    least = std::min(least, bound);
  }
  if (best.bound >= limit) return {std::max(least, set.floor), false, nullptr};
  return best;
}

void LimitedSearch::search_root(RowSet& root) {
  std::vector<double> open;  // no tree with this test on top, or a later one, costs less
  const auto told = [&](const std::vector<Candidate>& candidates, std::size_t place,
                        const KnownTree& best) {
    take(best.bound, best.tree);
    if (place == 0) {
      open.assign(candidates.size() + 1, infinity);
      for (std::size_t i = candidates.size(); i-- > 0;) {
        open[i] = std::min(open[i + 1], candidates[i].fixed + root.floor);
      }
    }
    if (pass_ == options_.max_depth) bound_ = std::max(bound_, std::min(best_, open[place]));
    tell(place, candidates.size());
  };
  const KnownTree found = try_all(root, pass_, {}, {best_, true, tree_}, infinity, told);
  take(found.bound, found.tree);
}

void LimitedSearch::take(double cost, const Subtree& tree) {
  if (cost < best_) {
    best_ = cost;
    tree_ = tree;
  }
  if (best_ <= options_.least + slack_) throw Settled{};
}

void LimitedSearch::tell(std::size_t n_closed, std::size_t n_total) {
  watch_.best = static_cast<Value>(best_ / options_.unit);
  watch_.bound = static_cast<Value>(bound_ / options_.unit);
  watch_.n_closed = static_cast<std::int64_t>(n_closed);
  watch_.n_total = static_cast<std::int64_t>(n_total);
}

Hash LimitedSearch::key_of(const RowSet& set, std::int32_t depth, const Columns& path) const {
  Hash key = set.hash ^ level_hash_[static_cast<std::size_t>(depth)];
  if (has_levels_) {
    const auto place = static_cast<std::size_t>(options_.max_depth + 1 + pass_ - depth);
    key ^= level_hash_[place];
  }
  for (const std::int32_t column : path) key ^= column_hash_[static_cast<std::size_t>(column)];
  return asks_order() ? key ^ order_.box(steps_) : key;
}

// The optimum if it is below the limit; otherwise no tree costs less than what is returned.
KnownTree LimitedSearch::solve(RowSet& set, std::int32_t depth, const Columns& path, double limit) {
  watch_.poll(true);
  ++n_nodes_;
  const double leaf = sets_.leaf_cost(set.sums);
  if (depth == 0 || set.floor + options_.penalty >= leaf) return {leaf, true, nullptr};
  if (set.floor >= limit) return {set.floor, false, nullptr};
  auto& remembered = asks_order() ? known_ : known_relaxed_;
  const Hash key = key_of(set, depth, path);
  if (const auto found = remembered.find(key); found != remembered.end()) {
    const KnownTree& known = found->second;
    if (known.is_optimum || known.bound >= limit - slack_) return known;
  }
  KnownTree best;
  if (asks_order()) {
    best = relaxed([&] { return solve(set, depth, path, limit); });
    // Of trees in order what is remembered without the limit is a bound only.
    if (best.bound >= limit) best = {best.bound, false, nullptr};
  }
  const bool is_answered = asks_order() && (!best.is_optimum || is_in_order(best.tree, set));
  if (!is_answered) {
    best = try_all(set, depth, path, {leaf, true, nullptr}, limit,
                   [](const auto&, std::size_t, const KnownTree&) {});
  }
  const bool has_room = known_.size() + known_relaxed_.size() < most_entries_;
  if (has_room || remembered.contains(key)) remembered[key] = best;
  return best;
}

LimitedResult solve_limited(const LimitedProblem& problem, const LimitedOptions& options,
                            const Report& report) {
  require(problem.columns.size() == problem.n_tests && problem.prices.size() == problem.n_tests &&
              problem.last_levels.size() == problem.n_tests,
          "There must be columns, a price and a last level a condition.");
  require(problem.weights.size() == problem.n_rows &&
              problem.codes.size() + problem.numbers.size() == problem.n_rows,
          "There must be a target and a weight a row.");
  for (const LevelColumn& column : problem.level_columns) {
    require(column.levels.size() == problem.n_rows &&
                std::ranges::all_of(column.levels,
                                    [&](std::int32_t l) { return l >= -1 && l < column.n_levels; }),
            "There must be a level, or -1, for each row of a column with branches for levels.");
  }
  require(problem.level_columns.empty() || problem.order.trends.empty(),
          "Leaves below a branch for each level of a column cannot be held to an order.");
  return LimitedSearch(problem, options, report).run();
}

}  // namespace treewright::search
