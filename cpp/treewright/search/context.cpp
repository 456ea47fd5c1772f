#include "treewright/search/context.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <string>

#include "treewright/base/error.hpp"
#include "treewright/base/rng.hpp"
#include "treewright/search/front.hpp"

namespace treewright::search {

namespace {

constexpr std::size_t most_planes = 64;

// The two lowest levels are for single tests.
Options checked(Options options) {
  options.pair_levels = std::clamp(options.pair_levels, 0, std::max(0, options.max_depth - 2));
  return options;
}

// Bounds along a chain hold only if every test is passed by all rows that pass the one before.
void check_bits(const Problem& problem) {
  const std::size_t n_bytes = (problem.n_rows + 7) / 8;
  for (std::size_t t = 1; t < problem.n_tests; ++t) {
    if (problem.chains[t] < 0 || problem.chains[t] != problem.chains[t - 1]) continue;
    const auto before = problem.bits.subspan((t - 1) * n_bytes, n_bytes);
    const auto bits = problem.bits.subspan(t * n_bytes, n_bytes);
    unsigned missing = 0;
    for (std::size_t byte = 0; byte < n_bytes; ++byte)
      missing |= before[byte] & ~unsigned{bits[byte]};
    require(missing == 0, "The conditions of a chain must be passed by more and more rows.");
  }
}

}  // namespace

Context::Context(const Problem& asked, const Options& wanted)
    : problem(asked),
      options(checked(wanted)),
      task(asked, wanted.min_weight > 0),
      kernel(find_kernel(wanted.kernel)) {
  require(kernel != nullptr, "This processor has no kernel '" + wanted.kernel + "'.");
  require(wanted.max_depth >= 0 && wanted.max_depth < any_level,
          "The depth must be from 0 to 254.");
  require(wanted.penalty >= 0 && wanted.pair_price >= 0, "Penalties must be 0 or more.");
  list_chains();
  list_unknown();
  if (asked.ranks.empty()) {
    check_bits(asked);
  } else {
    check_ranks();
  }
  has_prices = std::ranges::any_of(asked.prices, [](Value price) { return price > 0; });
  has_levels =
      std::ranges::any_of(asked.last_levels, [&](auto l) { return l < wanted.max_depth - 1; });
  sized = wanted.min_rows > 1 || wanted.min_weight > 0;
  Rng random(0x7265'6164'7472'6565ULL);
  row_hash.resize(task.n_rows());
  for (Hash& hash : row_hash) hash = {random.next(), random.next()};
  if (!task.numeric) {
    std::vector<double> sums(task.n_sums(), 0.0);
    for (std::size_t c = 0; c + 1 < task.first_row.size(); ++c) {
      for (std::int32_t r = task.first_row[c]; r < task.first_row[c + 1]; ++r)
        task.add(static_cast<std::size_t>(r), c, 1.0, sums.data());
    }
    for (std::size_t label = 0; label < task.n_labels(); ++label)
      label_rewards.push_back(task.label_reward(label, sums.data()));
  }
  row_floor.assign(task.n_rows(), 0);
  if (task.by_row) {
    make_terms_of_losses();
  } else {
    make_terms();
  }
  find_least_paying_rows();
}

void Context::list_chains() {
  require(problem.chains.size() == problem.n_tests, "Chains must have one entry per condition.");
  for (std::size_t t = 0; t < problem.n_tests; ++t) {
    const bool begins =
        t == 0 || problem.chains[t] < 0 || problem.chains[t] != problem.chains[t - 1];
    if (begins) chains.push_back({static_cast<std::int32_t>(t), 0, true, problem.prices[t]});
    Chain& chain = chains.back();
    const auto first = static_cast<std::size_t>(chain.first_test);
    chain.uniform = chain.uniform && problem.prices[t] == problem.prices[first] &&
                    problem.last_levels[t] == problem.last_levels[first];
    chain.least_price = std::min(chain.least_price, problem.prices[t]);
    ++chain.n_tests;
    chain_of.push_back(static_cast<std::int32_t>(chains.size()) - 1);
  }
}

void Context::list_unknown() {
  if (problem.unknown_of.empty()) return;
  require(problem.ranks.empty(), "Rows of unknown branch are for conditions as bits.");
  require(problem.unknown_of.size() == problem.n_tests,
          "There must be a set of rows of unknown branch, or none, for each condition.");
  unknown_passes.assign(problem.n_tests, false);
  for (std::size_t t = 0; t < problem.n_tests; ++t) {
    const auto test = static_cast<std::int32_t>(t);
    const std::int32_t set = problem.unknown_of[t];
    require(set < static_cast<std::int32_t>(n_unknown_sets()),
            "A condition has a set of rows of unknown branch that is not there.");
    if (set < 0) continue;
    std::size_t n_passing = 0, n_unknown = 0;
    for (std::size_t row = 0; row < problem.n_rows; ++row) {
      if (!is_unknown(set, row)) continue;
      ++n_unknown;
      if (passes(test, row)) ++n_passing;
    }
    require(n_passing == 0 || n_passing == n_unknown,
            "Rows of unknown branch must pass a condition together, or fail it.");
    unknown_passes[t] = n_passing > 0;
  }
}

void Context::check_ranks() const {
  const std::size_t n = problem.n_rows;
  require(problem.ranks.size() == chains.size() * n,
          "The ranks must hold one number per row for each chain.");
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const std::int32_t most = chains[c].n_tests;
    require(std::ranges::all_of(problem.ranks.subspan(c * n, n),
                                [&](std::int32_t rank) { return rank >= 0 && rank <= most; }),
            "The ranks of a chain must lie between 0 and the number of its conditions.");
  }
}

bool Context::passes(std::int32_t test, std::size_t row) const {
  const auto t = static_cast<std::size_t>(test);
  if (problem.ranks.empty()) {
    const std::size_t n_bytes = (problem.n_rows + 7) / 8;
    return (problem.bits[t * n_bytes + row / 8] >> (row % 8) & 1) != 0;
  }
  const auto chain = static_cast<std::size_t>(chain_of[t]);
  return problem.ranks[chain * problem.n_rows + row] <= test - chains[chain].first_test;
}

// Rows that join the other part of a test cost there what they can cost at most. Fronts want trees
// for every penalty, and squared errors are rounded.
void Context::find_least_paying_rows() {
  if (task.numeric || Front::is_wanted(options)) return;
  const Value dearest = std::max<Value>(std::ranges::max(task.base), 1);
  least_paying_rows = options.penalty / dearest + 1;
}

std::int32_t Context::useful_depth(std::int32_t level, std::int32_t depth, Value floor,
                                   Value limit) const {
  if (!bounds_deeper(level)) return depth;
  const Value most_tests = std::max<Value>((limit - floor - 1) / options.penalty, 2);
  return static_cast<std::int32_t>(std::min<Value>(depth, most_tests));
}

bool Context::enough(const double* sums) const {
  if (!sized) return true;
  double weight = 0.0;
  for (std::size_t s = 0; s < (task.numeric ? 1 : task.n_sums()); ++s) weight += sums[s];
  const auto common = static_cast<double>(std::max<Value>(task.common_weight, 1));
  const double rows = rows_sum >= 0 ? sums[rows_sum] : weight / common;
  return weight >= static_cast<double>(options.min_weight) &&
         (options.min_rows <= 1 || rows >= static_cast<double>(options.min_rows));
}

std::int32_t Context::cheapest_label(std::span<const double> sums) const {
  const auto worth = [&](std::size_t label) {
    return std::pair(task.label_reward(label, sums.data()), label_rewards[label]);
  };
  std::size_t best = 0;
  for (std::size_t label = 1; label < task.n_labels(); ++label) {
    if (worth(label) > worth(best)) best = label;
  }
  return static_cast<std::int32_t>(best);
}

Hash Context::key(const Hash& rows, std::int32_t depth, std::int32_t level) const {
  const bool by_level = has_levels || options.pair_levels > 0;
  const auto place =
      static_cast<std::uint64_t>(depth * (any_level + 1) + (by_level ? level + 1 : 0)) + 1;
  return rows ^ Hash{place * 0xD6E8FEB86659FD93ULL, place * 0xA0761D6478BD642FULL};
}

Value Context::class_floor(std::span<const double> sums, std::int32_t depth) const {
  if (!task.plain || depth > 5 || sums.size() <= (std::size_t{1} << depth)) return 0;
  std::vector<double> sorted(sums.begin(), sums.end());
  const auto largest = sorted.begin() + (std::ptrdiff_t{1} << depth);
  std::ranges::partial_sort(sorted, largest, std::greater{});
  return static_cast<Value>(std::accumulate(largest, sorted.end(), 0.0));
}

// What a row adds to a sum of losses: what a label saves, or its base.
Value Context::added(std::size_t row, std::int32_t sum) const {
  return sum == base_sum ? task.base[row]
                         : static_cast<Value>(task.row_gain(row, static_cast<std::size_t>(sum)));
}

bool Context::is_in_plane(std::size_t row, std::int32_t plane) const {
  if (!task.by_row) return (planes[row] >> plane & 1) != 0;
  const auto [sum, place] = digits_[static_cast<std::size_t>(plane)];
  return (added(row, sum) / unit_ >> place & 1) != 0;
}

void Context::make_terms_of_losses() {
  n_sums = static_cast<std::int32_t>(task.n_sums());
  base_sum = n_sums++;
  unit_ = 0;
  for (std::int32_t sum = 0; sum < n_sums; ++sum) {
    for (std::size_t r = 0; r < task.n_rows() && unit_ != 1; ++r)
      unit_ = std::gcd(unit_, added(r, sum));
  }
  unit_ = std::max<Value>(unit_, 1);
  for (std::int32_t sum = 0; sum < n_sums; ++sum) {
    std::uint64_t used_by_any = 0;
    for (std::size_t r = 0; r < task.n_rows(); ++r)
      used_by_any |= static_cast<std::uint64_t>(added(r, sum) / unit_);
    for (int place = 0; place < static_cast<int>(std::bit_width(used_by_any)); ++place) {
      if ((used_by_any >> place & 1) == 0) continue;
      digits_.push_back({sum, place});
      terms.push_back({0, n_planes++, sum,
                       static_cast<double>(unit_) * static_cast<double>(Value{1} << place)});
    }
  }
  if (options.min_rows > 1) {
    rows_sum = n_sums++;
    terms.push_back({0, -1, rows_sum, 1.0});
  }
}

void Context::make_terms() {
  const bool few_classes = task.n_classes <= most_counted_classes;
  counted = !task.numeric && task.plain && task.common_weight > 0 && few_classes;
  n_sums = static_cast<std::int32_t>(task.n_sums());
  const Value unit = std::accumulate(task.weight.begin(), task.weight.end(), Value{0},
                                     [](Value a, Value b) { return std::gcd(a, b); });
  planes.assign(task.n_rows(), 0);
  const auto add_planes = [&](std::int32_t sum, Value divisor, auto number) {
    std::uint64_t used_by_all = 0;
    for (std::size_t r = 0; r < task.n_rows(); ++r)
      used_by_all |= static_cast<std::uint64_t>(number(r) / divisor);
    for (int digit = 0; digit < static_cast<int>(std::bit_width(used_by_all)); ++digit) {
      if ((used_by_all >> digit & 1) == 0) continue;
      require(static_cast<std::size_t>(n_planes) < most_planes,
              "Weights and numbers need more than 64 binary digits.");
      for (std::size_t r = 0; r < task.n_rows(); ++r) {
        planes[r] |= (static_cast<std::uint64_t>(number(r) / divisor) >> digit & 1) << n_planes;
      }
      for (std::int32_t c = 0; c < task.n_classes; ++c) {
        const auto first = planes.begin() + task.first_row[static_cast<std::size_t>(c)];
        const auto last = planes.begin() + task.first_row[static_cast<std::size_t>(c) + 1];
        const bool used =
            std::any_of(first, last, [&](std::uint64_t bits) { return bits >> n_planes & 1; });
        if (used)
          terms.push_back({c, n_planes, task.numeric ? sum : c,
                           static_cast<double>(divisor) * static_cast<double>(Value{1} << digit)});
      }
      ++n_planes;
    }
  };
  if (task.common_weight > 0) {
    for (std::int32_t c = 0; c < task.n_classes; ++c) {
      terms.push_back({c, -1, task.numeric ? 0 : c, static_cast<double>(task.common_weight)});
    }
  } else {
    if (unit > 0) add_planes(0, unit, [&](std::size_t r) { return task.weight[r]; });
    if (options.min_rows > 1) {
      rows_sum = n_sums++;
      for (std::int32_t c = 0; c < task.n_classes; ++c) terms.push_back({c, -1, rows_sum, 1.0});
    }
  }
  if (task.numeric) {
    const Value step = std::accumulate(task.moment.begin(), task.moment.end(), Value{0},
                                       [](Value a, Value b) { return std::gcd(a, b); });
    if (step > 0) add_planes(1, step, [&](std::size_t r) { return task.moment[r]; });
  }
}

}  // namespace treewright::search
