#include "treewright/split/levels/level_sums.hpp"

#include <algorithm>
#include <cmath>

#include "treewright/split/cut/column_sums.hpp"
#include "treewright/split/cut/keyed_sums.hpp"

namespace treewright {

namespace {

// Rows of one class.
struct ClassSums {
  double count = 0.0;
  double weight = 0.0;
  ClassSums& operator+=(const ClassSums& other) {
    count += other.count;
    weight += other.weight;
    return *this;
  }
};

ClassSums class_sums_of_row(const Node& node, std::uint32_t row) {
  return {node.count_of(row), node.weights[row]};
}

// A table of no more sums than that for each row is cleared and read in less time than it takes to
// find out which levels the rows have.
constexpr std::size_t most_sums_of_row = 8;

}  // namespace

void LevelSums::make_room(std::size_t n, std::size_t width_of_sums) {
  width = width_of_sums;
  if (levels.size() < n) {
    levels.resize(n);
    counts.resize(n);
  }
  if (sums.size() < n * width) sums.resize(n * width);
}

void LevelSums::make_missing_a_level() {
  if (!has_missing) return;
  levels[n_levels++] = unknown;
  has_missing = false;
}

void add_level(const Node& node, std::span<const double> sums, std::span<double> statistics) {
  const bool is_classification = node.problem.target.is_classification();
  // Whether all numbers are the same one is not among the sums.
  constexpr double least = 0.0, most = 1.0;
  add_sums(statistics, sums, is_classification ? 0.0 : node.statistics[1], least, most,
           is_classification);
}

// So that nothing has to be allocated.
struct LevelCounter::Kept {
  // Of each row of a node that is not large.
  std::vector<ClassSums> classes_of_rows;
  std::vector<NumberSums> numbers_of_rows;

  std::vector<ClassSums> by_class;            // of each place in the table, and of each class there
  std::vector<NumberSums> by_place;           // where the target is numeric
  std::vector<std::int32_t> present;          // levels of the rows of a small node
  std::vector<std::uint32_t> place_of_level;  // of the levels among these only
  LevelSums found;

  void put_rows_aside(const Node& node) {
    const Target& target = node.problem.target;
    if (!target.is_classification()) {
      treewright::put_rows_aside(node, numbers_of_rows, sums_of_row);
    } else if (!target.is_soft()) {
      treewright::put_rows_aside(node, classes_of_rows, class_sums_of_row);
    }
  }
};

LevelCounter::LevelCounter(const Node& node) : node_(node) {}
LevelCounter::~LevelCounter() = default;

LevelSums& LevelCounter::count(std::int32_t column) {
  if (kept_ == nullptr) {
    lent_ = std::make_unique<Lent<Kept>>();
    kept_ = &lent_->get();
    kept_->put_rows_aside(node_);
  }
  const std::int32_t n_levels = node_.problem.table.levels(column);
  const auto label_of = [labels = node_.problem.target.labels](std::uint32_t row) {
    return static_cast<std::size_t>(labels[row]);
  };
  const Ranks* ranks = node_.rows.ranks();
  if (ranks != nullptr && !ranks->short_keys(column).empty()) {
    // The rows of a table are far apart; the keys of a column are close together.
    const auto keys = ranks->short_keys(column);
    const std::uint32_t label_bits = ranks->layout().label_bits;
    const auto level_of = [=](std::uint32_t row) {
      return static_cast<std::int32_t>(std::uint32_t{keys[row]} >> label_bits);
    };
    if (label_bits > 0) {
      count_by(n_levels, level_of, [=, mask = (1u << label_bits) - 1u](std::uint32_t row) {
        return std::size_t{keys[row] & mask};
      });
    } else {
      count_by(n_levels, level_of, label_of);
    }
  } else {
    const Column codes = node_.problem.table.column(column);
    const auto level_of = [=](std::uint32_t row) {
      const double code = codes[row];
      return std::isnan(code) ? n_levels : static_cast<std::int32_t>(code);
    };
    count_by(n_levels, level_of, label_of);
  }
  return kept_->found;
}

// Rows without a level have the one behind the last.
template <class LevelOf, class LabelOf>
void LevelCounter::count_by(std::int32_t n_levels, LevelOf level_of, LabelOf label_of) {
  const Target& target = node_.problem.target;
  const std::size_t n_places = static_cast<std::size_t>(n_levels) + 1;
  const std::size_t n_sums = n_places * static_cast<std::size_t>(std::max(1, target.n_classes));
  if (n_sums <= most_sums_of_row * node_.range.size()) {
    const auto place_of = [&](std::uint32_t row) {
      return static_cast<std::size_t>(level_of(row));
    };
    add_up(n_places, place_of, label_of);
    read_off(n_places, n_levels,
             [](std::size_t place) { return static_cast<std::int32_t>(place); });
  } else {
    std::vector<std::int32_t>& present = kept_->present;
    present.clear();
    for (const std::uint32_t row : node_.ids()) present.push_back(level_of(row));
    std::ranges::sort(present);
    present.erase(std::ranges::unique(present).begin(), present.end());
    std::vector<std::uint32_t>& place_of_level = kept_->place_of_level;
    if (place_of_level.size() < n_places) place_of_level.resize(n_places);
    for (std::uint32_t place = 0; place < present.size(); ++place) {
      place_of_level[static_cast<std::size_t>(present[place])] = place;
    }
    const auto place_of = [&](std::uint32_t row) {
      return std::size_t{place_of_level[static_cast<std::size_t>(level_of(row))]};
    };
    add_up(present.size(), place_of, label_of);
    read_off(present.size(), n_levels, [&](std::size_t place) { return present[place]; });
  }
  if (node_.problem.measure.needs_rows()) gather_numbers(level_of);
}

template <class PlaceOf, class LabelOf>
void LevelCounter::add_up(std::size_t n_places, PlaceOf place_of, LabelOf label_of) {
  const Target& target = node_.problem.target;
  if (!target.is_classification()) {
    kept_->by_place.assign(n_places, {});
    add_by_key(node_, kept_->numbers_of_rows, kept_->by_place, place_of, sums_of_row);
    return;
  }
  const auto n_classes = static_cast<std::size_t>(target.n_classes);
  kept_->by_class.assign(n_places * n_classes, {});
  if (!target.is_soft()) {
    const auto key_of = [=](std::uint32_t row) {
      return place_of(row) * n_classes + label_of(row);
    };
    add_by_key(node_, kept_->classes_of_rows, kept_->by_class, key_of, class_sums_of_row);
    return;
  }
  for (const std::uint32_t row : node_.ids()) {
    const auto here = std::span(kept_->by_class).subspan(place_of(row) * n_classes, n_classes);
    const auto proportions = target.proportions_of(row);
    here[0].count += node_.count_of(row);
    for (std::size_t c = 0; c < n_classes; ++c) {
      here[c].weight += node_.weights[row] * proportions[c];
    }
  }
}

// The places that have rows, which stand in the order of their levels.
template <class LevelAt>
void LevelCounter::read_off(std::size_t n_places, std::int32_t n_levels, LevelAt level_at) {
  LevelSums& found = kept_->found;
  const bool is_classification = node_.problem.target.is_classification();
  const std::size_t width = node_.statistics.size();
  found.make_room(n_places, width);
  std::size_t n_found = 0;
  for (std::size_t place = 0; place < n_places; ++place) {
    // Written behind the last one found, and written over where it has no rows.
    double count = 0.0;
    double* sums = found.sums.data() + n_found * width;
    if (is_classification) {
      const ClassSums* by_class = kept_->by_class.data() + place * width;
      for (std::size_t c = 0; c < width; ++c) {
        count += by_class[c].count;
        sums[c] = by_class[c].weight;
      }
    } else {
      const NumberSums& here = kept_->by_place[place];
      count = here.count;
      sums[0] = here.weight;
      sums[1] = here.sum;
      sums[2] = here.squares;
    }
    found.levels[n_found] = level_at(place);
    found.counts[n_found] = count;
    n_found += count > 0.0;
  }
  found.has_missing = n_found > 0 && found.levels[n_found - 1] == n_levels;
  found.n_levels = n_found - (found.has_missing ? 1 : 0);
}

template <class LevelOf>
void LevelCounter::gather_numbers(LevelOf level_of) {
  LevelSums& found = kept_->found;
  const std::size_t n_found = found.n_levels + (found.has_missing ? 1 : 0);
  const auto levels = std::span(found.levels).first(n_found);
  found.numbers.assign(n_found, {});
  for (const std::uint32_t row : node_.ids()) {
    const auto place = std::ranges::lower_bound(levels, level_of(row)) - levels.begin();
    found.numbers[static_cast<std::size_t>(place)].emplace_back(node_.problem.target.numbers[row],
                                                                node_.weights[row]);
  }
}

}  // namespace treewright
