#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <unordered_map>

#include "treewright/base/error.hpp"
#include "treewright/base/rng.hpp"
#include "treewright/search/limited/parts.hpp"
#include "treewright/search/watch.hpp"

namespace treewright::search {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-12;  // relative, of costs that are compared
constexpr std::size_t bytes_of_entry = 256;
constexpr double further_share = 0.02;

// A tree that was found; none for a leaf.
struct Branch {
  std::int32_t test;
  std::shared_ptr<const Branch> passed, failed;
};
using Subtree = std::shared_ptr<const Branch>;

// The optimum with its tree, or a bound that no tree goes below.
struct Known {
  double bound = 0.0;
  bool is_optimum = false;
  Subtree tree;
};

struct HashOfKey {
  std::size_t operator()(const Hash& key) const { return static_cast<std::size_t>(key.low); }
};

class LimitedSearch {
 public:
  LimitedSearch(const LimitedProblem& problem, const LimitedOptions& options, const Report& report)
      : problem_(problem),
        options_(options),
        columns_(problem.rules, static_cast<std::int32_t>(problem.rules.costs.size())),
        sets_(problem, options),
        watch_(options.seconds, report),
        most_entries_(options.memory / bytes_of_entry) {
    name_kinds();
    has_levels_ = std::ranges::any_of(
        problem.last_levels, [&](std::int32_t level) { return level < options.max_depth - 1; });
  }

  LimitedResult run() {
    RowSet root = sets_.all();
    const double leaf = sets_.leaf_cost(root.sums);
    slack_ = rounding * leaf;
    // Leaves that must hold some rows forbid trees that other rows have.
    double dearest = 0.0;
    for (const double cost : problem_.rules.costs) dearest += cost;
    const bool has_least = options_.min_rows > 1 || options_.min_weight > 0;
    rate_ = has_least ? infinity : sets_.largest_loss() + dearest;
    further_ = has_least ? 0.0 : further_share * rate_;
    best_ = std::min(leaf, options_.limit);
    bound_ = std::min(best_, root.floor);
    bool is_proven = false;
    try {
      watch_.poll(true);
      // Shallower trees first: they are soon found, and what they cost bounds deeper ones.
      for (pass_ = 1; pass_ <= options_.max_depth; ++pass_) search_root(root);
      is_proven = true;
    } catch (const Stopped&) {
    }
    if (watch_.failure()) std::rethrow_exception(watch_.failure());
    LimitedResult result;
    result.found = best_ < options_.limit;
    write(result.plan, tree_, root);
    result.objective = best_;
    result.lower_bound = is_proven ? best_ : std::min(bound_, best_);
    result.status = is_proven ? Status::optimal : watch_.status();
    result.n_nodes = n_nodes_;
    result.n_remembered = static_cast<std::int64_t>(known_.size());
    return result;
  }

 private:
  // Tests that read the same columns are allowed together, at the same price.
  struct Permit {
    bool is_allowed = false;
    double price = 0.0;  // of a unit of weight
  };
  struct Candidate {
    std::size_t test;
    double fixed;    // what it costs by itself
    double shallow;  // with leaves below it
    double passing;  // weight of the rows that pass it
  };

  // What is known of the tests of a node that were tried. A test of the same chain sends some rows
  // the other way: a tree below one is a tree below the other, but for what these rows can cost.
  class Neighbours {
   public:
    explicit Neighbours(double rate) : rate_(rate) {}
    void learn(std::size_t chain, const Candidate& candidate, double bound) {
      of_chain_[chain].emplace_back(candidate.passing, bound);
    }
    double bound(std::size_t chain, const Candidate& candidate) const {
      double largest = 0.0;
      const auto found = of_chain_.find(chain);
      if (found == of_chain_.end()) return largest;
      for (const auto& [passing, bound] : found->second) {
        largest = std::max(largest, bound - rate_ * std::abs(passing - candidate.passing));
      }
      return largest;
    }

   private:
    double rate_;
    std::unordered_map<std::size_t, std::vector<std::pair<double, double>>> of_chain_;
  };

  void name_kinds() {
    for (const Columns& columns : problem_.columns) {
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

  std::vector<Permit> permits_below(const Columns& path, bool is_root) const {
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
  std::vector<Candidate> candidates_of(RowSet& set, std::int32_t depth, const Columns& path) {
    const std::int32_t level = pass_ - depth;
    const std::vector<Permit> permits = permits_below(path, level == 0);
    const double weight = sets_.weight(set.sums);
    std::vector<Candidate> candidates;
    Sums failing;
    sets_.for_each_test(set, [&](std::size_t test, const Sums& passing) {
      const Permit& permit = permits[kind_of_[test]];
      if (!permit.is_allowed || level > problem_.last_levels[test]) return;
      failing = set.sums;
      for (std::size_t i = 0; i < failing.size(); ++i) failing[i] -= passing[i];
      if (!sets_.holds_a_leaf(passing) || !sets_.holds_a_leaf(failing)) return;
      const double fixed = options_.penalty + problem_.prices[test] + permit.price * weight;
      const double leaves = sets_.leaf_cost(passing) + sets_.leaf_cost(failing);
      candidates.push_back({test, fixed, fixed + leaves, sets_.weight(passing)});
    });
    std::ranges::stable_sort(candidates, {}, &Candidate::shallow);
    return candidates;
  }

  // Takes the candidates of a node one by one: the best tree, or a bound if none is below `limit`.
  // `told(candidates, place, best)` is called before each.
  template <class Told>
  Known try_all(RowSet& set, std::int32_t depth, const Columns& path, Known best, double limit,
                Told told) {
    const auto candidates = candidates_of(set, depth, path);
    double least = best.bound;  // no tree costs less
    Neighbours neighbours(rate_);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Candidate& candidate = candidates[i];
      told(candidates, i, best);
      if (candidate.shallow < best.bound - slack_) {
        best = {candidate.shallow, true,
                std::make_shared<Branch>(static_cast<std::int32_t>(candidate.test))};
      }
      least = std::min(least, best.bound);
      if (depth == 1) continue;
      const std::size_t chain = sets_.chain_of(candidate.test);
      const double needed = std::min(best.bound, limit);
      double bound = std::max(candidate.fixed + set.floor, neighbours.bound(chain, candidate));
      if (bound < needed - slack_) {
        // A little more than needed is looked for, as it tells of the neighbours.
        const double further = further_ * sets_.weight(set.sums);
        const Known found = with_test(set, depth, path, candidate, needed + further);
        if (found.is_optimum && found.bound < best.bound - slack_) best = found;
        bound = std::max(bound, found.bound);
        neighbours.learn(chain, candidate, bound);
      }
      least = std::min(least, bound);
    }
    if (best.bound >= limit) return {std::max(least, set.floor), false, nullptr};
    return best;
  }

  void search_root(RowSet& root) {
    std::vector<double> open;  // no tree with this test on top, or a later one, costs less
    const auto told = [&](const std::vector<Candidate>& candidates, std::size_t place,
                          const Known& best) {
      best_ = best.bound;
      tree_ = best.tree;
      if (place == 0) {
        open.assign(candidates.size() + 1, infinity);
        for (std::size_t i = candidates.size(); i-- > 0;) {
          open[i] = std::min(open[i + 1], candidates[i].fixed + root.floor);
        }
      }
      if (pass_ == options_.max_depth) bound_ = std::max(bound_, std::min(best_, open[place]));
      tell(place, candidates.size());
    };
    const Known found = try_all(root, pass_, {}, {best_, true, tree_}, infinity, told);
    best_ = found.bound;
    tree_ = found.tree;
  }

  void tell(std::size_t n_closed, std::size_t n_total) {
    watch_.best = static_cast<Value>(best_ / options_.unit);
    watch_.bound = static_cast<Value>(bound_ / options_.unit);
    watch_.n_closed = static_cast<std::int64_t>(n_closed);
    watch_.n_total = static_cast<std::int64_t>(n_total);
  }

  Hash key_of(const RowSet& set, std::int32_t depth, const Columns& path) const {
    Hash key = set.hash ^ level_hash_[static_cast<std::size_t>(depth)];
    if (has_levels_) {
      const auto place = static_cast<std::size_t>(options_.max_depth + 1 + pass_ - depth);
      key ^= level_hash_[place];
    }
    for (const std::int32_t column : path) key ^= column_hash_[static_cast<std::size_t>(column)];
    return key;
  }

  // The optimum if it is below the limit; otherwise no tree costs less than what is returned.
  Known solve(RowSet& set, std::int32_t depth, const Columns& path, double limit) {
    watch_.poll(true);
    ++n_nodes_;
    const double leaf = sets_.leaf_cost(set.sums);
    if (depth == 0 || set.floor + options_.penalty >= leaf) return {leaf, true, nullptr};
    if (set.floor >= limit) return {set.floor, false, nullptr};
    const Hash key = key_of(set, depth, path);
    if (const auto found = known_.find(key); found != known_.end()) {
      const Known& known = found->second;
      if (known.is_optimum || known.bound >= limit - slack_) return known;
    }
    const Known best = try_all(set, depth, path, {leaf, true, nullptr}, limit,
                               [](const auto&, std::size_t, const Known&) {});
    if (known_.size() < most_entries_ || known_.contains(key)) known_[key] = best;
    return best;
  }

  // The best tree with this test on top, or a bound if none is below the limit.
  Known with_test(const RowSet& set, std::int32_t depth, const Columns& path,
                  const Candidate& candidate, double limit) {
    const Columns below = joined(path, problem_.columns[candidate.test]);
    RowSet passing = sets_.part(set, candidate.test, true);
    RowSet failing = sets_.part(set, candidate.test, false);
    const Known one = solve(passing, depth - 1, below, limit - candidate.fixed - failing.floor);
    const double first = candidate.fixed + one.bound;
    if (!one.is_optimum || first + failing.floor >= limit) {
      return {first + failing.floor, false, nullptr};
    }
    const Known other = solve(failing, depth - 1, below, limit - first);
    if (!other.is_optimum) return {first + other.bound, false, nullptr};
    return {
        first + other.bound, true,
        std::make_shared<Branch>(static_cast<std::int32_t>(candidate.test), one.tree, other.tree)};
  }

  std::int32_t write(Plan& plan, const Subtree& tree, const RowSet& set) const {
    const std::size_t place = plan.nodes.size();
    plan.nodes.emplace_back();
    if (!tree) {
      plan.nodes[place].answer = sets_.label(set.sums);
      return static_cast<std::int32_t>(place);
    }
    const auto test = static_cast<std::size_t>(tree->test);
    plan.nodes[place].first = tree->test;
    const std::int32_t passed = write(plan, tree->passed, sets_.part(set, test, true));
    const std::int32_t failed = write(plan, tree->failed, sets_.part(set, test, false));
    plan.nodes[place].passed = passed;
    plan.nodes[place].failed = failed;
    return static_cast<std::int32_t>(place);
  }

  const LimitedProblem& problem_;
  const LimitedOptions& options_;
  ColumnWatch columns_;
  RowSets sets_;
  Watch watch_;
  std::size_t most_entries_;
  std::vector<Columns> kinds_;
  std::vector<std::size_t> kind_of_;  // of each test
  std::vector<Hash> column_hash_, level_hash_;
  bool has_levels_ = false;
  std::unordered_map<Hash, Known, HashOfKey> known_;
  std::int32_t pass_ = 0;  // depth of the trees that are searched
  double slack_ = 0.0;
  double rate_ = 0.0;     // what a unit of weight can cost on another path
  double further_ = 0.0;  // of a unit of weight, beyond what is needed
  double best_ = infinity, bound_ = 0.0;
  Subtree tree_;
  std::int64_t n_nodes_ = 0;
};

}  // namespace

LimitedResult solve_limited(const LimitedProblem& problem, const LimitedOptions& options,
                            const Report& report) {
  require(problem.columns.size() == problem.n_tests && problem.prices.size() == problem.n_tests &&
              problem.last_levels.size() == problem.n_tests,
          "There must be columns, a price and a last level a condition.");
  require(problem.weights.size() == problem.n_rows &&
              problem.codes.size() + problem.numbers.size() == problem.n_rows,
          "There must be a target and a weight a row.");
  return LimitedSearch(problem, options, report).run();
}

}  // namespace treewright::search
