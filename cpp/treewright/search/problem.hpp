// What the search is asked and what it answers. Everything is a whole number: callers choose the
// units, so that the answer is the same on every processor and for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace treewright::search {

using Value = std::int64_t;  // a cost
inline constexpr Value no_value =
    std::numeric_limits<Value>::max() / 4;  // two of them can be added

inline constexpr std::int32_t any_level = 255;

// A problem: rows, each with a target and a weight, and tests, each a column of bits; or, where the
// search goes along chains, all tests of a chain as one number a row.
struct Problem {
  std::size_t n_rows = 0;
  std::size_t n_tests = 0;
  std::span<const std::uint8_t> bits;  // [test][byte]: bit r of a test is set when row r passes
  // In place of bits: [chain][row], how many tests of a chain a row fails. A test in no chain is
  // one of its own.
  std::span<const std::int32_t> ranks;
  std::span<const std::int64_t> targets;  // class of each row, or its number
  std::span<const std::int64_t> weights;  // > 0
  // [class][label], cost of an answer for a unit of weight; none where every mistake costs 1.
  std::span<const std::int64_t> costs;
  std::size_t n_classes = 0;  // 0 for squared errors of numbers
  std::size_t n_labels = 0;   // that have costs
  // [row][label]: what each label costs a row, in place of its class, weight and costs; or none.
  std::span<const std::int64_t> losses;
  std::span<const std::int64_t> prices;       // of using a test once
  std::span<const std::int32_t> last_levels;  // deepest level where a test may stand; root is 0
  // Tests of one chain stand side by side, each passed by all rows that pass the one before it; -1:
  // no chain. A hint only.
  std::span<const std::int32_t> chains;
  std::span<const std::int32_t> sources;  // the one column that a test reads; -1: several
  // Sets of rows, [set][byte] as in bits, and for each test the set of those whose branch it does
  // not know; -1: it knows all. These rows pass it all together, or fail it; or there are no sets.
  std::span<const std::uint8_t> unknown;
  std::span<const std::int32_t> unknown_of;
};

struct Options {
  std::int32_t max_depth = 3;
  std::int32_t max_nodes = -1;  // tests in the tree; -1: as many as the depth allows
  Value penalty = 0;            // of each test
  std::int64_t min_rows = 1;    // in a leaf
  Value min_weight = 0;
  std::int32_t pair_levels = 0;     // levels where two tests may be joined
  std::int32_t pair_functions = 3;  // 3: and, or, xor; 5: also one test and not the other
  Value pair_price = 0;             // of joining tests that do not read one and the same column
  bool front = false;               // the best tree of every size, in one run
  bool smallest = false;  // no equally good tree has fewer tests; small problems need not ask
  // Only trees that cost less are looked for: the cost of a tree known from elsewhere.
  Value limit = no_value;
  std::int32_t n_threads = 1;
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t memory = std::size_t{1} << 30;  // bytes for remembered results
  std::string kernel = "auto";
  // None of these changes the objective; they are for tests and measurements.
  bool similarity = true;
  bool cache = true;
  bool reduction = true;
  bool ordering = true;
  bool fused = true;
  // Nodes whose chains have on average so many tests are searched chain by chain; 0: none.
  std::int32_t chain_length = 24;
};

// Where joined tests leave open what they are together (one is unknown and the other does not
// settle it), rows take the way of those of unknown branch in the tests; both must send them one
// way.
enum class Function : std::int8_t { single, both, either, exactly_one, first_only };

// A tree in preorder. Children are node numbers, `passed` for rows that pass the test.
struct Plan {
  struct Node {
    std::int32_t first = -1;  // test, -1 in leaves
    std::int32_t second = -1;
    Function function = Function::single;
    std::int32_t passed = -1;
    std::int32_t failed = -1;
    std::int32_t answer = -1;  // label of a leaf; -1 for numbers
    // Of a plan over some columns of bits: those of the rows whose branch the tests do not know.
    std::int32_t first_unknown = -1;
    std::int32_t second_unknown = -1;
    // Of a test with a branch for each level of a column: its children in the order of levels, -1
    // where a level has no rows; over columns of bits, those of the rows of each level stand side
    // by side from `first` on.
    std::vector<std::int32_t> levels = {};
  };
  std::vector<Node> nodes;
};

enum class Status : std::int8_t { optimal, time_limit, memory_limit, interrupted, stopped };

struct Progress {
  double seconds;
  Value best;
  Value bound;
  std::int64_t n_closed;  // tests at the root that are settled
  std::int64_t n_total;
};

struct Statistics {
  std::int64_t nodes = 0;    // sets of rows searched below the root
  std::int64_t fused = 0;    // pairs of siblings solved to depth two
  std::int64_t similar = 0;  // tests skipped by bounds
  std::int64_t cache_hits = 0;
  std::int64_t cache_entries = 0;
  std::int64_t evictions = 0;
  std::int64_t bytes = 0;

  Statistics& operator+=(const Statistics& more) {
    nodes += more.nodes;
    fused += more.fused;
    similar += more.similar;
    cache_hits += more.cache_hits;
    return *this;
  }
};

struct FrontPoint {
  std::int32_t n_tests;
  Value cost;  // without the penalty for size
  Plan plan;
};

struct Result {
  bool found = true;  // a tree below the limit of the options; if not, `plan` is one leaf
  Plan plan;
  Value objective = no_value;
  Value lower_bound = 0;
  Status status = Status::optimal;
  // If the smallest of equally good trees was asked for: why it is not sure to be found.
  Status status_of_size = Status::optimal;
  std::vector<FrontPoint> front;
  Statistics statistics;
  std::string kernel;
};

// Called from the calling thread now and then; false ends the search, as does what it throws.
using Report = std::function<bool(const Progress&)>;

// Whether a search goes along chains at every node, so that ranks may stand for its bits.
bool reads_ranks_only(const Problem& problem, const Options& options);

Result solve(const Problem& problem, const Options& options, const Report& report = {});

}  // namespace treewright::search
