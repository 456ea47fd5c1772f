// Builds the graph of a set of trees, level by level: all nodes of a level are known, each with the
// largest slack that any parent leaves it, before one of them is opened.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "treewright/search/near/graph.hpp"
#include "treewright/search/near/questions.hpp"
#include "treewright/search/state.hpp"
#include "treewright/search/tally.hpp"

namespace treewright::search {

// What is known before: a tree costs no more than `known`, and none of one level less costs less
// than `shallower`.
struct NearStart {
  Value known = no_value;
  Value shallower = 0;
};

class NearBuilder {
 public:
  // The state has read its rows.
  NearBuilder(SearchState& state, const Questions& questions);

  // Adds the trees that cost at most `slack` more than the optimum, which is then the best of the
  // root. Throws Stopped.
  void build(const NearStart& start, Value slack);

  NearGraph graph;

 private:
  struct HashOfKey {
    std::size_t operator()(const Hash& key) const { return static_cast<std::size_t>(key.low); }
  };
  // The nodes of one level, with their rows as bits.
  struct Level {
    std::uint32_t first = 0;
    std::vector<std::uint64_t> bits;
    std::unordered_map<Hash, std::uint32_t, HashOfKey> nodes;
  };

  struct Settled {
    const Candidate* candidate;
    Parts parts;
  };

  std::span<const std::uint64_t> rows_of(const Level& level, std::uint32_t node) const {
    return std::span(level.bits).subspan((node - level.first) * n_words_, n_words_);
  }
  void open(std::uint32_t node, std::int32_t depth, const Level& level, Level& below);
  void open_last(std::uint32_t node, std::span<const std::uint64_t> rows);
  void open_upper(std::uint32_t node, std::int32_t depth, std::span<const std::uint64_t> rows,
                  Level& below);
  std::vector<Settled> settle_all(std::int32_t level, std::int32_t depth, Value known,
                                  NearNode& node);
  // Adds an edge for each question that divides the rows as a candidate does.
  void add_edges(std::span<const std::uint64_t> rows, const Candidate& candidate,
                 const Parts& parts, bool are_exact, Value limit, Level& below);
  std::uint32_t child(Level& below, std::span<const std::uint64_t> rows, const Tally& tally,
                      Value best, Value slack);
  std::uint32_t leaf(const Tally& tally);
  std::int32_t label_of(const Tally& tally) const;
  Tally tally_of(std::span<const std::uint64_t> rows) const;
  bool predict_the_same(const Tally& some, const Tally& others) const;
  // Ends the search if the graph takes more memory than there may be.
  void check_memory(const Level& level, const Level& below);

  SearchState& state_;
  const Context& context_;
  const Questions& questions_;
  const std::size_t n_words_;
  Value shallower_ = 0;
  Divisions divisions_;
  std::vector<std::uint64_t> passed_, failed_;
  std::vector<std::int32_t> listed_;
  std::unordered_map<Value, std::vector<std::uint32_t>> leaves_;  // by cost; of each label one
};

}  // namespace treewright::search
