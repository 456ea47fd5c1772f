#include "treewright/split/subset/proposals.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "treewright/base/rng.hpp"

namespace treewright {

namespace {

using Ids = std::vector<std::uint32_t>;

class Proposer {
 public:
  Proposer(const SoftTable& table, const ProposalOptions& options, Monitor& monitor)
      : table_(table), options_(options), monitor_(monitor), finder_(table, options.subset) {}

  std::vector<Proposal> run() {
    Ids all(table_.n_rows);
    std::iota(all.begin(), all.end(), 0U);
    const std::size_t n_terms = std::min(options_.subset.n_terms, most_subset_terms);
    if (options_.branches_on_all) {
      follow_all(all, options_.depth);
    } else {
      for (std::size_t most = 1; most <= n_terms; ++most) follow(all, options_.depth, most, {});
    }
    known_.clear();
    Rng rng(options_.seed);
    for (std::int32_t sample = 0; sample < options_.n_samples; ++sample) {
      std::vector<double> factors(table_.n_rows, 0.0);
      for (std::size_t i = 0; i < table_.n_rows; ++i)
        factors[rng.below(static_cast<std::uint32_t>(table_.n_rows))] += 1.0;
      Ids drawn;
      for (const std::uint32_t row : all) {
        if (factors[row] > 0.0) drawn.push_back(row);
      }
      follow(drawn, options_.sample_depth, 1, factors);
      if (n_terms > 1) follow(drawn, options_.sample_depth, n_terms, factors);
      known_.clear();
    }
    return without_twins();
  }

 private:
  const std::vector<SubsetCondition>& best_of(const Ids& rows, std::span<const double> factors) {
    const auto found = known_.find(rows);
    if (found != known_.end()) return found->second;
    monitor_.poll();
    return known_.emplace(rows, finder_.best({rows, factors})).first->second;
  }

  // The greedy tree whose conditions have at most so many terms.
  void follow(const Ids& rows, std::int32_t depth, std::size_t most,
              std::span<const double> factors) {
    if (depth == 0) return;
    const auto& best = best_of(rows, factors);
    const auto chosen =
        std::max_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(most),
                         [](const auto& a, const auto& b) { return a.gain < b.gain; });
    if (chosen == best.end() || !(chosen->gain > 0.0)) return;
    const SubsetCondition condition = *chosen;
    add(condition);
    for (const Ids& part : divided(rows, condition)) follow(part, depth - 1, most, factors);
  }

  void follow_all(const Ids& rows, std::int32_t depth) {
    if (depth == 0) return;
    const auto best = best_of(rows, {});
    for (const SubsetCondition& condition : best) {
      if (!(condition.gain > 0.0)) continue;
      add(condition);
      for (const Ids& part : divided(rows, condition)) follow_all(part, depth - 1);
    }
  }

  std::array<Ids, 2> divided(const Ids& rows, const SubsetCondition& condition) const {
    std::array<Ids, 2> parts;
    for (const std::uint32_t row : rows)
      parts[finder_.is_met(condition, row) ? 0 : 1].push_back(row);
    return parts;
  }

  void add(const SubsetCondition& condition) {
    Proposal proposal{condition, std::vector<std::uint8_t>(table_.n_rows)};
    for (std::size_t row = 0; row < table_.n_rows; ++row)
      proposal.is_met[row] = finder_.is_met(condition, row) ? 1 : 0;
    found_.push_back(std::move(proposal));
  }

  std::vector<Proposal> without_twins() {
    std::ranges::stable_sort(found_, {},
                             [](const Proposal& p) { return p.condition.terms.size(); });
    std::set<std::string> seen;
    std::vector<Proposal> kept;
    for (Proposal& proposal : found_) {
      std::string key(proposal.is_met.begin(), proposal.is_met.end());
      if (!key.empty() && key.front() != 0) {
        for (char& met : key) met = met == 0 ? 1 : 0;
      }
      if (seen.insert(std::move(key)).second) kept.push_back(std::move(proposal));
    }
    return kept;
  }

  const SoftTable& table_;
  const ProposalOptions& options_;
  Monitor& monitor_;
  SubsetFinder finder_;
  std::map<Ids, std::vector<SubsetCondition>> known_;
  std::vector<Proposal> found_;
};

}  // namespace

std::vector<Proposal> propose(const SoftTable& table, const ProposalOptions& options,
                              Monitor& monitor) {
  return Proposer(table, options, monitor).run();
}

}  // namespace treewright
