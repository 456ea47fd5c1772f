#include "treewright/split/subset/proposals.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "treewright/base/rng.hpp"

namespace treewright {

namespace {

using Ids = std::vector<std::uint32_t>;

constexpr std::size_t followed = 3;  // conditions of a node, where several are

class Proposer {
 public:
  Proposer(const SoftTable& table, const ProposalOptions& options, Monitor& monitor)
      : table_(table), options_(options), monitor_(monitor), finder_(table, options.subset) {}

  std::vector<Proposal> run() {
    Ids all(table_.n_rows);
    std::iota(all.begin(), all.end(), 0U);
    const std::size_t n_terms = std::min(options_.subset.n_terms, most_subset_terms);
    if (options_.branches_on_all) {
      follow_all(all, n_terms);
    } else {
      best_of(all, {}, n_terms);
      for (std::size_t most = 1; most <= n_terms; ++most) follow(all, options_.depth, most, {});
    }
    known_.clear();
    Rng rng(options_.seed);
    for (std::int32_t sample = 0; sample < options_.n_samples && !has_enough(); ++sample) {
      std::vector<double> factors(table_.n_rows, 0.0);
      for (std::size_t i = 0; i < table_.n_rows; ++i)
        factors[rng.below(static_cast<std::uint32_t>(table_.n_rows))] += 1.0;
      Ids drawn;
      for (const std::uint32_t row : all) {
        if (factors[row] > 0.0) drawn.push_back(row);
      }
      best_of(drawn, factors, n_terms);
      follow(drawn, options_.sample_depth, 1, factors);
      if (n_terms > 1) follow(drawn, options_.sample_depth, n_terms, factors);
      known_.clear();
    }
    std::ranges::stable_sort(found_, {},
                             [](const Proposal& p) { return p.condition.terms.size(); });
    return std::move(found_);
  }

 private:
  // The best conditions of rows, of up to so many terms at least.
  const std::vector<SubsetCondition>& best_of(const Ids& rows, std::span<const double> factors,
                                              std::size_t most) {
    auto& best = known_[rows];
    if (best.size() < most) {
      monitor_.poll();
      best = finder_.best({rows, factors}, most);
    }
    return best;
  }

  // The greedy tree whose conditions have at most so many terms.
  void follow(const Ids& rows, std::int32_t depth, std::size_t most,
              std::span<const double> factors) {
    if (depth == 0) return;
    const auto& best = best_of(rows, factors, most);
    const auto chosen =
        std::max_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(most),
                         [](const auto& a, const auto& b) { return a.gain < b.gain; });
    if (chosen == best.end() || !(chosen->gain > 0.0)) return;
    const SubsetCondition condition = *chosen;
    add(condition);
    for (const Ids& part : divided(rows, condition)) follow(part, depth - 1, most, factors);
  }

  // Level by level, so that what is cut off lies deepest.
  void follow_all(const Ids& all, std::size_t most) {
    std::vector<Ids> level{all};
    for (std::int32_t depth = 0; depth < options_.depth; ++depth) {
      std::vector<Ids> next;
      for (const Ids& rows : level) {
        if (has_enough()) return;
        auto best = best_of(rows, {}, most);
        std::ranges::stable_sort(best, {}, [](const auto& c) { return -c.gain; });
        for (std::size_t i = 0; i < std::min(best.size(), followed); ++i) {
          if (!(best[i].gain > 0.0)) break;
          add(best[i]);
          for (Ids& part : divided(rows, best[i])) next.push_back(std::move(part));
        }
      }
      level = std::move(next);
    }
  }

  std::array<Ids, 2> divided(const Ids& rows, const SubsetCondition& condition) const {
    std::array<Ids, 2> parts;
    for (const std::uint32_t row : rows)
      parts[finder_.is_met(condition, row) ? 0 : 1].push_back(row);
    return parts;
  }

  // Of conditions that divide the rows alike, the one with fewer terms stays.
  void add(const SubsetCondition& condition) {
    std::vector<std::uint8_t> is_met(table_.n_rows);
    for (std::size_t row = 0; row < table_.n_rows; ++row)
      is_met[row] = finder_.is_met(condition, row) ? 1 : 0;
    std::string key(is_met.begin(), is_met.end());
    if (!key.empty() && key.front() != 0) {
      for (char& met : key) met = met == 0 ? 1 : 0;
    }
    const auto [twin, is_new] = places_.try_emplace(std::move(key), found_.size());
    if (is_new) {
      found_.push_back({condition, std::move(is_met)});
    } else if (condition.terms.size() < found_[twin->second].condition.terms.size()) {
      found_[twin->second] = {condition, std::move(is_met)};
    }
  }

  bool has_enough() const { return found_.size() >= options_.enough; }

  const SoftTable& table_;
  const ProposalOptions& options_;
  Monitor& monitor_;
  SubsetFinder finder_;
  std::map<Ids, std::vector<SubsetCondition>> known_;
  std::vector<Proposal> found_;
  std::map<std::string, std::size_t> places_;  // by the rows that meet them
};

}  // namespace

std::vector<Proposal> propose(const SoftTable& table, const ProposalOptions& options,
                              Monitor& monitor) {
  return Proposer(table, options, monitor).run();
}

}  // namespace treewright
