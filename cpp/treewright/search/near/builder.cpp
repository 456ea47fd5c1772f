#include "treewright/search/near/builder.hpp"

#include <algorithm>

namespace treewright::search {

NearBuilder::NearBuilder(SearchState& state, const Questions& questions)
    : state_(state),
      context_(state.context),
      questions_(questions),
      n_words_(questions.n_words()),
      passed_(n_words_),
      failed_(n_words_) {
  for (std::size_t t = 0; t < questions.n_tests(); ++t)
    graph.fixed.push_back(context_.options.penalty + context_.problem.prices[t]);
}

void NearBuilder::build(const NearStart& start, Value slack) {
  Level level, below;
  const std::vector<std::uint64_t> everyone = questions_.all_rows();
  child(level, everyone, tally_of(everyone), start.known, slack);
  shallower_ = start.shallower;
  for (std::int32_t depth = context_.options.max_depth; depth > 0; --depth) {
    below.first = static_cast<std::uint32_t>(graph.nodes.size());
    const std::uint32_t end = below.first;
    for (std::uint32_t node = level.first; node < end; ++node) {
      state_.first().poll();
      check_memory(level, below);
      open(node, depth, level, below);
    }
    std::swap(level, below);
    below = {};
  }
}

void NearBuilder::open(std::uint32_t node, std::int32_t depth, const Level& level, Level& below) {
  const auto rows = rows_of(level, node);
  graph.nodes[node].first_edge = static_cast<std::uint32_t>(graph.edges.size());
  if (depth == 1) {
    open_last(node, rows);
  } else {
    open_upper(node, depth, rows, below);
  }
  NearNode& opened = graph.nodes[node];
  opened.n_edges = static_cast<std::uint32_t>(graph.edges.size()) - opened.first_edge;
  opened.is_open = true;
}

void NearBuilder::open_last(std::uint32_t node, std::span<const std::uint64_t> rows) {
  const Task& task = context_.task;
  const std::int32_t level = context_.options.max_depth - 1;
  const Tally whole = tally_of(rows);
  Tally passed(task), failed(task);
  const auto divide = [&](std::size_t test) {
    passed.clear();
    passed.add(task, state_.root().sample, rows, questions_.bits(test));
    failed = whole;
    failed.remove(passed);
  };
  std::vector<std::pair<std::size_t, Value>> costs;
  Value best = graph.nodes[node].leaf;
  for (std::size_t test = 0; test < questions_.n_tests(); ++test) {
    if (context_.problem.last_levels[test] < level) continue;
    divide(test);
    if (!passed.enough(context_.options) || !failed.enough(context_.options)) continue;
    costs.emplace_back(test, passed.leaf(task) + failed.leaf(task) + graph.fixed[test]);
    best = std::min(best, costs.back().second);
  }
  graph.nodes[node].best = best;
  const Value limit = best + graph.nodes[node].slack;
  std::vector<std::size_t> kept;
  for (const auto& [test, cost] : costs) {
    const auto same_question = [&](std::size_t other) {
      return questions_.are_one(test, other, rows);
    };
    if (cost > limit || std::ranges::any_of(kept, same_question)) continue;
    kept.push_back(test);
    divide(test);
    graph.edges.push_back({static_cast<std::int32_t>(test), leaf(passed), leaf(failed),
                           predict_the_same(passed, failed)});
  }
}

void NearBuilder::open_upper(std::uint32_t node, std::int32_t depth,
                             std::span<const std::uint64_t> rows, Level& below) {
  const std::int32_t level = context_.options.max_depth - depth;
  Worker& worker = state_.first();
  if (level > 0) {
    list_rows(*context_.kernel, rows, static_cast<std::int32_t>(context_.task.n_rows()), true,
              listed_);
    worker.sampler().part(state_.root().sample, listed_, level, worker.node(level).sample);
  }
  NearNode& opened = graph.nodes[node];
  Value known = opened.best;
  opened.best = opened.leaf;
  if (worker.node(level).sample.columns.empty()) return;
  divisions_.read(context_, questions_, rows, level);
  const auto remembered = worker.recall(level, depth - 1);
  worker.list_all(level, depth,
                  std::max(level == 0 ? shallower_ : known, remembered ? remembered->bound : 0));
  std::vector<Settled> settled = settle_all(level, depth, known, opened);
  while (opened.best > known) {
    known = opened.best;
    settled = settle_all(level, depth, known, opened);
  }
  const Value limit = opened.limit() + 1;
  std::vector<bool> is_done(divisions_.size());
  for (const auto& [candidate, parts] : settled) {
    const std::size_t place = divisions_.place_of(candidate->first);
    if (parts.total >= limit || is_done[place]) continue;
    is_done[place] = true;  // for a test, too, that is dearer or may stand deeper
    add_edges(rows, *candidate, parts, depth > 2, limit, below);
  }
}

// The candidates that can cost no more than the best of the node and its slack; `known` is what the
// best costs at most.
std::vector<NearBuilder::Settled> NearBuilder::settle_all(std::int32_t level, std::int32_t depth,
                                                          Value known, NearNode& node) {
  Worker& worker = state_.first();
  std::vector<Settled> settled;
  for (const Candidate& candidate : worker.node(level).candidates) {
    const Value limit = std::min(known, node.best) + node.slack + 1;
    const Parts parts = worker.settle_below(level, depth, candidate, limit);
    if (parts.total >= limit) continue;
    node.best = std::min(node.best, parts.total);
    settled.push_back({&candidate, parts});
  }
  return settled;
}

void NearBuilder::add_edges(std::span<const std::uint64_t> rows, const Candidate& candidate,
                            const Parts& parts, bool are_exact, Value limit, Level& below) {
  const auto bits = questions_.bits(static_cast<std::size_t>(candidate.first));
  for (std::size_t w = 0; w < n_words_; ++w) {
    passed_[w] = rows[w] & bits[w];
    failed_[w] = rows[w] & ~bits[w];
  }
  const Tally ones = tally_of(passed_), zeros = tally_of(failed_);
  const bool is_idle = predict_the_same(ones, zeros);
  const auto tests = divisions_.tests(divisions_.place_of(candidate.first));
  const auto fixed = [this](std::int32_t test) {
    return graph.fixed[static_cast<std::size_t>(test)];
  };
  const Value rest = parts.total - fixed(candidate.first);
  const Value slack = limit - 1 - rest - fixed(std::ranges::min(tests, {}, fixed));
  const std::uint32_t passed =
      child(below, passed_, ones, are_exact ? parts.found.ones : no_value, slack);
  const std::uint32_t failed =
      child(below, failed_, zeros, are_exact ? parts.found.zeros : no_value, slack);
  for (const std::int32_t test : tests) {
    if (rest + fixed(test) >= limit) continue;
    const bool turned = divisions_.is_turned(test) != divisions_.is_turned(candidate.first);
    graph.edges.push_back({test, turned ? failed : passed, turned ? passed : failed, is_idle});
  }
}

std::uint32_t NearBuilder::child(Level& below, std::span<const std::uint64_t> rows,
                                 const Tally& tally, Value best, Value slack) {
  const auto next = static_cast<std::uint32_t>(graph.nodes.size());
  const auto [found, is_new] = below.nodes.try_emplace(hash_of_bits(rows), next);
  if (!is_new) {
    NearNode& known = graph.nodes[found->second];
    known.slack = std::max(known.slack, slack);
    return found->second;
  }
  below.bits.insert(below.bits.end(), rows.begin(), rows.end());
  graph.nodes.push_back({best, slack, tally.leaf(context_.task), label_of(tally)});
  return next;
}

std::uint32_t NearBuilder::leaf(const Tally& tally) {
  const Value cost = tally.leaf(context_.task);
  const std::int32_t label = label_of(tally);
  std::vector<std::uint32_t>& same_cost = leaves_[cost];
  for (const std::uint32_t node : same_cost) {
    if (graph.nodes[node].label == label) return node;
  }
  same_cost.push_back(static_cast<std::uint32_t>(graph.nodes.size()));
  graph.nodes.push_back({cost, 0, cost, label, true});
  return same_cost.back();
}

std::int32_t NearBuilder::label_of(const Tally& tally) const {
  return context_.task.numeric ? -1 : context_.cheapest_label(tally.sums);
}

Tally NearBuilder::tally_of(std::span<const std::uint64_t> rows) const {
  Tally tally(context_.task);
  tally.add(context_.task, state_.root().sample, rows, rows);
  return tally;
}

bool NearBuilder::predict_the_same(const Tally& some, const Tally& others) const {
  if (!context_.task.numeric) return label_of(some) == label_of(others);
  return some.sums[1] * others.sums[0] == others.sums[1] * some.sums[0];
}

void NearBuilder::check_memory(const Level& level, const Level& below) {
  constexpr std::size_t bytes_of_entry = 64;
  const std::size_t n_bytes = graph.n_bytes() +
                              (level.bits.capacity() + below.bits.capacity()) * 8 +
                              (level.nodes.size() + below.nodes.size()) * bytes_of_entry;
  if (n_bytes <= context_.options.memory / 2) return;  // the rest is for counts
  state_.watch.stop(Status::memory_limit);
  throw Stopped{};
}

}  // namespace treewright::search
