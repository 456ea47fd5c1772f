// A pool of conditions for an exact search: those of small greedy trees over soft targets, of all
// rows and of bootstrap samples, no two of which divide the rows alike.
#pragma once

#include "treewright/base/monitor.hpp"
#include "treewright/split/subset/finder.hpp"

namespace treewright {

struct ProposalOptions {
  SubsetOptions subset;
  std::int32_t depth = 4;         // of trees of all rows
  std::int32_t sample_depth = 3;  // of trees of bootstrap samples
  std::int32_t n_samples = 8;
  bool branches_on_all = false;  // the best conditions of different numbers of terms are followed
  std::size_t enough = 100;      // conditions; then no further sample is drawn
  std::uint64_t seed = 0;
};

struct Proposal {
  SubsetCondition condition;
  std::vector<std::uint8_t> is_met;  // by each row
};

// Conditions of fewer terms come first, then in the order of their finding.
std::vector<Proposal> propose(const SoftTable& table, const ProposalOptions& options,
                              Monitor& monitor);

}  // namespace treewright
