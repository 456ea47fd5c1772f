// Errors that leaves are expected to make on new rows, asked for many leaves at once.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace treewright {

// Writes the extra errors of many leaves, given the weight and the errors of each.
using ExtraErrors = std::function<void(std::span<const double> weights,
                                       std::span<const double> errors, std::span<double> extra)>;

// A list of leaves. The answers for leaves of whole rows come again and again, and are asked for
// once.
class ExpectedErrors {
 public:
  explicit ExpectedErrors(const ExtraErrors& extra_errors) : extra_errors_(extra_errors) {}

  void clear() { leaves_.clear(); }
  // A leaf with these class weights that answers class `said`.
  void add(std::span<const double> class_weights, std::size_t said);
  // One that answers the heaviest class.
  void add(std::span<const double> class_weights);
  std::size_t size() const { return leaves_.size(); }

  // To be called before `sum`.
  void estimate();
  // Errors and extra errors of the leaves from `begin` to `end` in the list.
  double sum(std::size_t begin, std::size_t end) const;

 private:
  struct Leaf {
    double weight, errors;
    bool is_whole() const;
    bool operator==(const Leaf&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Leaf& leaf) const {
      return std::hash<double>{}(leaf.weight) * 31 + std::hash<double>{}(leaf.errors);
    }
  };

  const ExtraErrors& extra_errors_;
  std::vector<Leaf> leaves_;
  std::vector<double> expected_;
  std::unordered_map<Leaf, double, Hash> known_;
  std::vector<std::size_t> asked_;                // leaves that are not known
  std::vector<double> weights_, errors_, extra_;  // of those asked
};

}  // namespace treewright
