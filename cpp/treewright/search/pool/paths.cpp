#include "treewright/search/pool/paths.hpp"

#include <algorithm>

namespace treewright::search {

namespace {

constexpr std::size_t bits_of_word = 64;

bool holds(const Columns& columns, std::int32_t column) {
  return std::ranges::binary_search(columns, column);
}

}  // namespace

Paths::Paths(const Pool& pool) {
  const ColumnRules& rules = pool.rules;
  if (rules.costs.empty() && rules.groups.empty() && rules.enemies.empty() && rules.first.empty())
    return;
  n_ = pool.n_tests;
  const auto columns = pool.columns;
  std::vector<std::size_t> place_of;  // of each column among those with a price
  for (const double cost : rules.costs) place_of.push_back(cost > 0.0 ? n_paid_++ : n_paid_);
  n_words_ = (rules.groups.size() + bits_of_word - 1) / bits_of_word;
  may_begin_.assign(n_, 1);
  reads_.assign(n_ * n_paid_, 0);
  paid_.resize(n_);
  groups_of_.assign(n_ * n_words_, 0);
  for (std::size_t t = 0; t < n_; ++t) {
    if (!rules.first.empty()) may_begin_[t] = std::ranges::includes(rules.first, columns[t]);
    for (std::size_t g = 0; g < rules.groups.size(); ++g) {
      if (std::ranges::includes(rules.groups[g], columns[t]))
        groups_of_[t * n_words_ + g / bits_of_word] |= std::uint64_t{1} << g % bits_of_word;
    }
    if (rules.costs.empty()) continue;
    for (const std::int32_t column : columns[t]) {
      const auto c = static_cast<std::size_t>(column);
      if (!(rules.costs[c] > 0.0)) continue;
      paid_[t].push_back({place_of[c], rules.costs[c]});
      reads_[t * n_paid_ + place_of[c]] = 1;
    }
  }
  are_friends_.assign(n_ * n_, 1);
  for (std::size_t a = 0; a < n_; ++a) {
    for (std::size_t b = 0; b < n_; ++b) {
      const bool are_enemies = std::ranges::any_of(rules.enemies, [&](const auto& pair) {
        const auto one_reads = [&](std::int32_t column) {
          return holds(columns[a], column) || holds(columns[b], column);
        };
        return one_reads(pair.first) && one_reads(pair.second);
      });
      are_friends_[a * n_ + b] = !are_enemies && share_a_group(a, b);
    }
    if (!allow(a, a)) may_begin_[a] = 0;
  }
}

bool Paths::share_a_group(std::size_t one, std::size_t other) const {
  if (n_words_ == 0) return true;
  for (std::size_t w = 0; w < n_words_; ++w) {
    if ((groups_of_[one * n_words_ + w] & groups_of_[other * n_words_ + w]) != 0) return true;
  }
  return false;
}

bool Paths::allow(std::size_t one, std::size_t other, std::size_t third) const {
  if (!allow(one, other) || !allow(one, third) || !allow(other, third)) return false;
  if (n_words_ == 0) return true;
  for (std::size_t w = 0; w < n_words_; ++w) {
    const std::uint64_t both = groups_of_[one * n_words_ + w] & groups_of_[other * n_words_ + w];
    if ((both & groups_of_[third * n_words_ + w]) != 0) return true;
  }
  return false;
}

double Paths::price(std::size_t test) const {
  double price = 0.0;
  if (are_limited()) {
    for (const Paid& one : paid_[test]) price += one.cost;
  }
  return price;
}

double Paths::price(std::size_t test, std::size_t above) const {
  double price = 0.0;
  if (are_limited()) {
    for (const Paid& one : paid_[test]) price += is_read(above, one.column) ? 0.0 : one.cost;
  }
  return price;
}

double Paths::price(std::size_t test, std::size_t above, std::size_t other) const {
  double price = 0.0;
  if (are_limited()) {
    for (const Paid& one : paid_[test])
      price += is_read(above, one.column) || is_read(other, one.column) ? 0.0 : one.cost;
  }
  return price;
}

}  // namespace treewright::search
