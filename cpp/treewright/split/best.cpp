// Best: the candidates of several methods side by side; the grower picks the best of all.

#include "treewright/split/list.hpp"

#include <algorithm>

namespace treewright {

namespace {

class Best : public Method {
 public:
  explicit Best(Parts parts) : parts_(std::move(parts)) {
    require(!parts_.empty(), "Best needs at least one split method.");
  }
  void prepare(const Problem& problem, const Rows& rows) override {
    for (const auto& part : parts_) part->prepare(problem, rows);
  }
  bool needs_sorted_columns() const override {
    return std::ranges::any_of(parts_, [](const auto& p) { return p->needs_sorted_columns(); });
  }
  bool wants_other_columns() const override {
    return std::ranges::any_of(parts_, [](const auto& p) { return p->wants_other_columns(); });
  }
  bool works_on_threads() const override {
    return std::ranges::all_of(parts_, [](const auto& p) { return p->works_on_threads(); });
  }
  void propose(const Node& node, Rng& rng, std::vector<Candidate>& candidates) override {
    for (const auto& part : parts_) part->propose(node, rng, candidates);
  }

 private:
  Parts parts_;
};

std::shared_ptr<Method> make(const Parameters&, Parts parts) {
  return std::make_shared<Best>(std::move(parts));
}

const Listed listed{"best", make};

}  // namespace

}  // namespace treewright
