// How the root is searched. A pass finds the best tree of one depth; the tests that it leaves open
// at the root are settled by several threads, one test at a time. There are two engines:
//
//   candidates.cpp      by the counts of all pairs of tests, and candidate by candidate above them
//   chains/engine.cpp   along chains of thresholds, too many to count their pairs
//
// Both visit tests in an order that does not depend on the number of threads, and of equally good
// trees keep the one that comes first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "treewright/search/state.hpp"

namespace treewright::search {

class Engine {
 public:
  virtual ~Engine() = default;

  // Reads the rows of the root. Returns about how many seconds it takes to write a tree down.
  virtual double read_rows() = 0;

  // Depth of the trees that are found in some hundredths of a second.
  virtual std::int32_t quick_depth() const = 0;
  // Depth of the trees by which the greedy tree looks ahead.
  virtual std::int32_t greedy_depth() const = 0;
  // Depth of the first pass.
  virtual std::int32_t first_depth() const = 0;

  // Begins a pass. False if the best tree of this depth is found with that.
  virtual bool begin_pass(std::int32_t depth) = 0;
  // Called by each thread of a pass, before it settles tests.
  virtual void begin_worker(std::size_t w) = 0;
  // Settles the next test of the root; unlocks while it works. False if none is open.
  virtual bool settle_next(std::size_t w, std::unique_lock<std::mutex>& lock) = 0;
  // No tree of the pass costs less.
  virtual Value lower_bound() const = 0;
};

// The engine that suits the problem.
std::unique_ptr<Engine> make_engine(SearchState& state);

std::unique_ptr<Engine> make_candidate_engine(SearchState& state);
std::unique_ptr<Engine> make_chain_engine(SearchState& state);

}  // namespace treewright::search
