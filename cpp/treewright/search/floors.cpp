#include "treewright/search/floors.hpp"

#include <algorithm>
#include <bit>

namespace treewright::search {

namespace {

constexpr std::int32_t none = -1;

// What rows share that pass the same tests, and no others.
struct Name {
  std::uint64_t high = 0x9E3779B97F4A7C15ULL, low = 0xD1B54A32D192ED03ULL;
  bool operator==(const Name&) const = default;

  void mix(std::uint64_t word) {
    high = (high ^ word) * 0xBF58476D1CE4E5B9ULL;
    high ^= high >> 32;
    low = (low + word) * 0x94D049BB133111EBULL;
    low ^= low >> 29;
  }
};

// Rows with the same name, in their order.
class Groups {
 public:
  explicit Groups(const std::vector<Name>& names) : next_(names.size(), none) {
    const std::size_t n_slots = std::bit_ceil(2 * names.size());
    std::vector<std::int32_t> slots(n_slots, none);  // the group whose name leads there
    for (std::size_t r = 0; r < names.size(); ++r) {
      const auto row = static_cast<std::int32_t>(r);
      std::size_t slot = names[r].high & (n_slots - 1);
      while (slots[slot] != none && names[first_of(slots[slot])] != names[r])
        slot = (slot + 1) & (n_slots - 1);
      if (slots[slot] == none) {
        slots[slot] = static_cast<std::int32_t>(groups_.size());
        groups_.push_back({row, row});
      } else {
        std::int32_t& last = groups_[static_cast<std::size_t>(slots[slot])].last;
        next_[static_cast<std::size_t>(last)] = row;
        last = row;
      }
    }
  }

  template <class Visit>
  void for_each_of_several(const Visit& visit) const {
    for (const Group& group : groups_) {
      if (group.first != group.last) visit(group.first);
    }
  }
  std::int32_t after(std::int32_t row) const { return next_[static_cast<std::size_t>(row)]; }

 private:
  struct Group {
    std::int32_t first, last;
  };
  std::size_t first_of(std::int32_t group) const {
    return static_cast<std::size_t>(groups_[static_cast<std::size_t>(group)].first);
  }

  std::vector<Group> groups_;
  std::vector<std::int32_t> next_;  // row of the same group
};

void find_equal_rows(Context& context, const std::vector<Name>& names) {
  const Task& task = context.task;
  std::vector<double> sums(task.n_sums());
  const Groups groups(names);
  groups.for_each_of_several([&](std::int32_t first) {
    std::ranges::fill(sums, 0.0);
    Value base = 0;
    std::size_t c = 0;
    for (std::int32_t row = first; row != none; row = groups.after(row)) {
      const auto r = static_cast<std::size_t>(row);
      base += task.base[r];
      while (row >= task.first_row[c + 1]) ++c;
      task.add(r, c, 1.0, sums.data());
    }
    // Squared errors are rounded: their sum over many groups may be that much too large.
    const Value slack = task.numeric ? 1 : 0;
    const Value cost = base - static_cast<Value>(task.reward(sums.data())) - slack;
    if (cost <= 0) return;
    context.row_floor[static_cast<std::size_t>(first)] = cost;
    context.has_floors = true;
  });
}

}  // namespace

// Rows are equal when 128-bit hashes of their bits are.
void find_floors(Context& context, const Sample& all) {
  std::vector<Name> names(context.task.n_rows());
  const auto stride = static_cast<std::size_t>(all.stride);
  for (std::size_t r = 0; r < names.size(); ++r) {
    for (std::size_t b = 0; b < static_cast<std::size_t>(all.n_blocks); ++b)
      names[r].mix(all.by_row[r * stride + b]);
    // Tests joined can tell rows apart by what is unknown of them.
    const auto original = static_cast<std::size_t>(context.task.original_row[r]);
    for (std::size_t set = 0; set < context.n_unknown_sets(); ++set)
      names[r].mix(context.is_unknown(static_cast<std::int32_t>(set), original) ? 1 : 0);
  }
  find_equal_rows(context, names);
}

void find_floors(Context& context, const Ranks& ranks) {
  std::vector<Name> names(context.task.n_rows());
  for (std::size_t r = 0; r < names.size(); ++r) {
    for (std::size_t c = 0; c < ranks.chains().size(); ++c) {
      const std::int32_t rank =
          ranks.rank(static_cast<std::int32_t>(c), static_cast<std::int32_t>(r));
      names[r].mix(static_cast<std::uint64_t>(rank));
    }
  }
  find_equal_rows(context, names);
}

}  // namespace treewright::search
