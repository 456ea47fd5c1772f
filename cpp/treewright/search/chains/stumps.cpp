#include "treewright/search/chains/stumps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace treewright::search {

namespace {

constexpr double most_sum = 0x1p60;      // differences may be doubled
constexpr double most_counted = 0x1p29;  // beside a number of rows
constexpr int count_bits = 32;
constexpr std::size_t fewest_rows_of_steps = 1024;
constexpr std::size_t most_cells_of_steps = std::size_t{1} << 20;

// The largest |D| + |T - D| over cuts, where it is largest at one end of the differences D.
struct Extremes {
  Value sum = 0, largest = 0, smallest = 0;

  void add(Value difference) {
    sum += difference;
    largest = std::max(largest, sum);
    smallest = std::min(smallest, sum);
  }
  static Value worth(Value difference, Value total) {
    return std::abs(difference) + std::abs(total - difference);
  }
  Value best() const { return std::max(worth(largest, sum), worth(smallest, sum)); }
};

}  // namespace

Stumps::Stumps(const Context& context, const Ranks& ranks)
    : context_(context),
      ranks_(ranks),
      task_(context.task),
      n_sums_(static_cast<std::size_t>(context.n_sums)) {
  const bool two_labels = task_.n_labels() == 2;
  if (task_.numeric || !(two_labels || task_.plain)) return;
  counted_ = two_labels && context.options.min_rows > 1 && context.options.min_weight <= 0;
  if (context.sized && !counted_) return;
  double total = 0.0;
  for (std::size_t r = 0; r < task_.n_rows(); ++r) {
    const auto c = static_cast<std::size_t>(ranks.class_of(static_cast<std::int32_t>(r)));
    const Value first = task_.base[r] - task_.gain(0, c) * task_.weight[r];
    const Value second = two_labels ? task_.base[r] - task_.gain(1, c) * task_.weight[r] : 0;
    const Value kept = two_labels ? second - first : task_.weight[r];
    total += std::abs(static_cast<double>(kept));
    if (total >= (counted_ ? most_counted : most_sum)) return;
    kept_.push_back(counted_ ? kept * (Value{1} << count_bits) + 1 : kept);
    costs_.push_back(two_labels ? first + second : task_.base[r]);
  }
  fastest_ = two_labels ? By::differences : By::classes;
  class_sums_.resize(task_.n_sums());
}

// Whether the tests of each chain have one price, so that it does not matter which is taken.
bool Stumps::alike() const {
  return std::ranges::all_of(rows_->chains, [&](std::int32_t chain) {
    return ranks_.chains()[static_cast<std::size_t>(chain)].uniform;
  });
}

void Stumps::begin(const Ordered& rows, std::int32_t level) {
  rows_ = &rows;
  level_ = level;
  const bool same = alike();
  by_ = same ? fastest_ : By::sums;
  runs_ = !task_.numeric && !task_.by_row && !context_.sized && same;
  chains_.clear();
  prices_.clear();
  bin_class_.clear();
  may_end_.clear();
  bin_of_row_.resize(task_.n_rows());
  cells_.begin(rows.entries(0), task_.n_rows());
  for (std::size_t place = 0; place < rows.chains.size(); ++place) {
    if (poll) poll();
    list_bins(place);
  }
  cells_.finish();
  fill();
}

void Stumps::list_bins(std::size_t place) {
  const auto order = rows_->entries(place);
  const std::int32_t chain = rows_->chains[place];
  const Value penalty = context_.options.penalty;
  const std::size_t first = chains_.empty() ? 0 : chains_.back().first_bin + chains_.back().n_bins;
  std::size_t bin = 0;
  std::int32_t run = -1;  // class of the rows of this bin, -1 if there are several
  const auto end_bin = [&](std::size_t end) {
    if (by_ == By::classes) {
      bin_class_.push_back(ranks_.class_of(order[end - 1].row));
      may_end_.push_back(1);
    } else if (by_ == By::sums) {
      const Value price =
          end == order.size()
              ? Context::forbidden
              : ranks_.test_between(chain, order[end - 1].rank, order[end].rank, level_).price;
      prices_.push_back(price == Context::forbidden ? -none : static_cast<double>(price + penalty));
    }
  };
  for (std::size_t k = 0, end = 0; k < order.size(); k = end) {
    std::int32_t row_class = ranks_.class_of(order[k].row);
    for (end = k + 1; end < order.size() && order[end].rank == order[k].rank; ++end) {
      if (ranks_.class_of(order[end].row) != row_class) row_class = -1;
    }
    if (k > 0 && !(runs_ && row_class >= 0 && row_class == run)) {
      end_bin(k);
      ++bin;
    }
    run = row_class;
    for (std::size_t i = k; i < end; ++i) {
      // Rows of one rank stand class by class.
      if (by_ == By::classes && i > k &&
          ranks_.class_of(order[i].row) != ranks_.class_of(order[i - 1].row)) {
        bin_class_.push_back(ranks_.class_of(order[i - 1].row));
        may_end_.push_back(0);
        ++bin;
      }
      bin_of_row_[static_cast<std::size_t>(order[i].row)] = static_cast<std::uint32_t>(bin);
    }
  }
  end_bin(order.size());
  const Value price = ranks_.test_between(chain, 0, 1, level_).price;
  chains_.push_back({first, bin + 1, price == Context::forbidden ? no_value : price + penalty});
  const std::int32_t test = ranks_.chains()[static_cast<std::size_t>(chain)].first_test;
  cells_.add(bin_of_row_, bin + 1, context_.problem.sources[static_cast<std::size_t>(test)]);
}

// The sums of all rows by cells, and what one test makes of them.
void Stumps::fill() {
  const std::size_t n_cells = cells_.size();
  whole_costs_.clear();
  moved_place_ = chains_.size();
  n_moved_ = 0;
  steps_.clear();
  left_.resize(by_ == By::sums ? 0 : n_cells);
  left_sums_.resize(by_ == By::sums ? n_cells * n_sums_ : 0);
  left_total_.resize(n_sums_);
  right_total_.resize(n_sums_);
  before_after_.resize(2 * n_sums_);
  clear_left();
  if (chains_.empty()) return;
  move_all(rows_->entries(0), true);
  all_difference_ = left_difference_;
  all_cost_ = left_cost_;
  if (by_ == By::sums) {
    all_sums_ = left_sums_;
    const double leaf = task_.reward(left_total_.data());
    for (std::size_t place = 0; place < chains_.size(); ++place) {
      if (poll) poll();
      const double best = best_reward(place, all_sums_, nullptr, left_total_.data());
      whole_costs_.push_back(all_cost_ - static_cast<Value>(std::max(leaf, best)));
    }
    return;
  }
  all_ = left_;
  const Value leaf = rows_->summary.leaf(task_);
  for (std::size_t place = 0; place < chains_.size(); ++place) {
    Value cost = 0;
    if (by_ == By::differences) {
      const Value worth = best_difference(place, true);
      if (worth < 0) {
        whole_costs_.push_back(leaf);
        continue;
      }
      cost = (all_cost_ - worth) / 2;
    } else {
      cost = all_cost_ - heaviest_of(place, true);
    }
    whole_costs_.push_back(std::min(leaf, cost + chains_[place].price));
  }
}

void Stumps::move(std::span<const Ordered::Entry> entries, bool to_left) {
  if (by_ == By::sums) {
    const double sign = to_left ? 1.0 : -1.0;
    for (const auto& [row, rank] : entries) {
      const auto r = static_cast<std::size_t>(row);
      left_cost_ += to_left ? task_.base[r] : -task_.base[r];
      add_row(context_, ranks_, row, sign, left_total_.data());
      for (const std::uint32_t cell : cells_.of(r))
        add_row(context_, ranks_, row, sign, left_sums_.data() + cell * n_sums_);
    }
    return;
  }
  Value* const left = left_.data();
  Value difference = 0;
  Value cost = 0;
  for (const auto& [row, rank] : entries) {
    const auto r = static_cast<std::size_t>(row);
    const Value kept = to_left ? kept_[r] : -kept_[r];
    difference += kept;
    cost += costs_[r];
    for (const std::uint32_t cell : cells_.of(r)) left[cell] += kept;
  }
  left_difference_ += difference;
  left_cost_ += to_left ? cost : -cost;
}

void Stumps::move_all(std::span<const Ordered::Entry> entries, bool to_left) {
  constexpr std::size_t rows_at_once = 4096;
  while (!entries.empty()) {
    if (poll) poll();
    const std::size_t n = std::min(rows_at_once, entries.size());
    move(entries.first(n), to_left);
    entries = entries.subspan(n);
  }
}

void Stumps::clear_left() {
  std::ranges::fill(left_, 0);
  std::ranges::fill(left_sums_, 0.0);
  std::ranges::fill(left_total_, 0.0);
  left_difference_ = 0;
  left_cost_ = 0;
}

void Stumps::take_all() {
  left_difference_ = all_difference_;
  left_cost_ = all_cost_;
  if (by_ == By::sums) {
    left_sums_ = all_sums_;
    left_total_ = rows_->summary.sums;
  } else {
    left_ = all_;
  }
}

void Stumps::list_steps(std::size_t place) {
  steps_.clear();
  n_taken_ = 0;
  const auto order = rows_->entries(place);
  if (order.size() < fewest_rows_of_steps) return;
  const std::size_t n_groups = cells_.of(0).size();
  const std::size_t most_cells = std::min(most_cells_of_steps, order.size() * n_groups / 2);
  const std::size_t most_steps = most_cells / (cells_.size() * (by_ == By::sums ? n_sums_ : 1));
  std::size_t n_steps = 1;
  for (std::size_t k = 1; k < order.size() && n_steps <= most_steps; ++k)
    n_steps += order[k].rank != order[k - 1].rank ? 1 : 0;
  if (n_steps > most_steps) return;
  for (std::size_t k = 0, end = 0; k < order.size(); k = end) {
    for (end = k + 1; end < order.size() && order[end].rank == order[k].rank;) ++end;
    clear_left();
    move_all(order.subspan(k, end - k), true);
    steps_.push_back({end, left_difference_, left_cost_, left_, left_sums_, left_total_});
  }
  clear_left();
}

void Stumps::take_step(std::size_t step, bool to_left) {
  const Step& taken = steps_[step];
  const auto add = [&](const auto& from, auto& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += to_left ? from[i] : -from[i];
  };
  add(taken.cells, left_);
  add(taken.sums, left_sums_);
  add(taken.total, left_total_);
  left_difference_ += to_left ? taken.difference : -taken.difference;
  left_cost_ += to_left ? taken.cost : -taken.cost;
}

PartBounds Stumps::parts(std::size_t place, std::int32_t n_left) {
  const auto order = rows_->entries(place);
  const auto n_rows = static_cast<std::size_t>(rows_->n_rows()),
             wanted = static_cast<std::size_t>(n_left);
  if (place != moved_place_) {
    moved_place_ = place;
    clear_left();
    n_moved_ = 0;
    list_steps(place);
    if (steps_.empty() && 2 * wanted > n_rows) {
      take_all();
      n_moved_ = n_rows;
    }
  }
  if (!steps_.empty()) {
    while (n_taken_ < steps_.size() && steps_[n_taken_].end <= wanted) take_step(n_taken_++, true);
    while (n_taken_ > 0 && steps_[n_taken_ - 1].end > wanted) take_step(--n_taken_, false);
  } else if (n_moved_ < wanted) {
    move(order.subspan(n_moved_, wanted - n_moved_), true);
  } else {
    move(order.subspan(wanted, n_moved_ - wanted), false);
  }
  n_moved_ = wanted;
  switch (by_) {
    case By::differences:
      return parts_by_differences();
    case By::classes:
      return parts_by_classes();
    case By::sums:
      break;
  }
  return parts_by_sums();
}

Value Stumps::difference_of(Value kept) const { return counted_ ? kept >> count_bits : kept; }

template <class Use>
auto Stumps::with_bins(std::size_t place, bool left, const Use& use) {
  const Cells::Chain& cells = cells_.chain(place);
  const Value* const all = all_.data() + cells.first;
  const Value* const inside = left_.data() + cells.first;
  if (!cells.bin_of_cell.empty()) {
    shared_.assign(chains_[place].n_bins, 0);
    for (std::size_t cell = 0; cell < cells.n; ++cell)
      shared_[cells.bin_of_cell[cell]] += left ? inside[cell] : all[cell] - inside[cell];
    return use([bins = shared_.data()](std::size_t b) { return bins[b]; });
  }
  if (left) return use([inside](std::size_t b) { return inside[b]; });
  return use([all, inside](std::size_t b) { return all[b] - inside[b]; });
}

// The largest |D| + |T - D| over the cuts of a chain, for the rows on a side; -1 if there is none.
Value Stumps::best_difference(std::size_t place, bool left) {
  const std::size_t n_bins = chains_[place].n_bins;
  if (!counted_) {
    return with_bins(place, left, [&](const auto& kept) {
      Extremes extremes;
      for (std::size_t b = 0; b < n_bins; ++b) extremes.add(kept(b));
      return extremes.best();
    });
  }
  const Value whole = left ? left_difference_ : all_difference_ - left_difference_;
  const auto n_rows = static_cast<std::int64_t>(static_cast<std::uint32_t>(whole));
  const Value total = difference_of(whole);
  const std::int64_t least = context_.options.min_rows;
  return with_bins(place, left, [&](const auto& kept) {
    Value sum = 0, best = -1;
    for (std::size_t b = 0; b < n_bins; ++b) {
      sum += kept(b);
      const auto n_before = static_cast<std::int64_t>(static_cast<std::uint32_t>(sum));
      if (n_rows - n_before < least) break;
      if (n_before >= least) best = std::max(best, Extremes::worth(difference_of(sum), total));
    }
    return best;
  });
}

PartBounds Stumps::parts_by_differences() {
  const Value right_cost = all_cost_ - left_cost_;
  const Value left_total = difference_of(left_difference_);
  const Value right_total = difference_of(all_difference_ - left_difference_);
  PartBounds best{(left_cost_ - std::abs(left_total)) / 2,
                  (right_cost - std::abs(right_total)) / 2};
  for (std::size_t place = 0; place < chains_.size(); ++place) {
    const Value price = chains_[place].price;
    const Value left_worth = best_difference(place, true);
    const Value right_worth = best_difference(place, false);
    if (left_worth >= 0) best.ones = std::min(best.ones, (left_cost_ - left_worth) / 2 + price);
    if (right_worth >= 0) best.zeros = std::min(best.zeros, (right_cost - right_worth) / 2 + price);
  }
  return best;
}

// The largest sum of the heaviest class before a cut and that behind it, for the rows on a side.
Value Stumps::heaviest_of(std::size_t place, bool left) {
  const Chain& chain = chains_[place];
  const std::int32_t* bin_class = bin_class_.data() + chain.first_bin;
  const std::uint8_t* may_end = may_end_.data() + chain.first_bin;
  Value* const sums = class_sums_.data();
  heaviest_.resize(chain.n_bins);
  return with_bins(place, left, [&](const auto& weight) {
    std::ranges::fill(class_sums_, 0);
    Value heaviest = 0;
    for (std::size_t bin = 0; bin < chain.n_bins; ++bin) {
      heaviest = std::max(heaviest, sums[bin_class[bin]] += weight(bin));
      heaviest_[bin] = heaviest;
    }
    std::ranges::fill(class_sums_, 0);
    Value best = heaviest;
    heaviest = 0;
    for (std::size_t bin = chain.n_bins; bin-- > 0;) {
      if (may_end[bin] != 0) best = std::max(best, heaviest + heaviest_[bin]);
      heaviest = std::max(heaviest, sums[bin_class[bin]] += weight(bin));
    }
    return best;
  });
}

PartBounds Stumps::parts_by_classes() {
  PartBounds best{no_value, no_value};
  const Value right_cost = all_cost_ - left_cost_;
  for (std::size_t place = 0; place < chains_.size(); ++place) {
    const Value price = chains_[place].price;
    best.ones = std::min(best.ones, left_cost_ - heaviest_of(place, true) + price);
    best.zeros = std::min(best.zeros, right_cost - heaviest_of(place, false) + price);
  }
  // Without a test; the sums by classes are those of the last chain.
  const std::size_t last = chains_.size() - 1;
  std::ranges::fill(class_sums_, 0);
  with_bins(last, true, [&](const auto& weight) {
    const std::int32_t* bin_class = bin_class_.data() + chains_[last].first_bin;
    for (std::size_t bin = 0; bin < chains_[last].n_bins; ++bin)
      class_sums_[static_cast<std::size_t>(bin_class[bin])] += weight(bin);
  });
  Value left = 0, right = 0;
  for (std::size_t c = 0; c < class_sums_.size(); ++c) {
    left = std::max(left, class_sums_[c]);
    right = std::max(right, static_cast<Value>(rows_->summary.sums[c]) - class_sums_[c]);
  }
  return {std::min(best.ones, left_cost_ - left), std::min(best.zeros, right_cost - right)};
}

double Stumps::best_reward(std::size_t place, const std::vector<double>& sums, const double* minus,
                           const double* total) {
  const Cells::Chain& cells = cells_.chain(place);
  const Chain& chain = chains_[place];
  const double* bins = sums.data() + cells.first * n_sums_;
  if (minus != nullptr) minus += cells.first * n_sums_;
  if (!cells.bin_of_cell.empty()) {
    shared_sums_.assign(chain.n_bins * n_sums_, 0.0);
    for (std::size_t cell = 0; cell < cells.n; ++cell) {
      double* const to = shared_sums_.data() + cells.bin_of_cell[cell] * n_sums_;
      for (std::size_t s = 0; s < n_sums_; ++s)
        to[s] += bins[cell * n_sums_ + s] - (minus == nullptr ? 0.0 : minus[cell * n_sums_ + s]);
    }
    bins = shared_sums_.data();
    minus = nullptr;
  }
  double* const before = before_after_.data();
  double* const after = before + n_sums_;
  std::fill(before, after, 0.0);
  double best = none;
  for (std::size_t b = 0; b + 1 < chain.n_bins; ++b) {
    for (std::size_t s = 0; s < n_sums_; ++s) {
      before[s] += bins[b * n_sums_ + s] - (minus == nullptr ? 0.0 : minus[b * n_sums_ + s]);
      after[s] = total[s] - before[s];
    }
    if (!context_.enough(before) || !context_.enough(after)) continue;
    best =
        std::max(best, task_.reward(before) + task_.reward(after) - prices_[chain.first_bin + b]);
  }
  return best;
}

PartBounds Stumps::parts_by_sums() {
  const std::vector<double>& sums = rows_->summary.sums;
  for (std::size_t s = 0; s < n_sums_; ++s) right_total_[s] = sums[s] - left_total_[s];
  double left = task_.reward(left_total_.data()), right = task_.reward(right_total_.data());
  for (std::size_t place = 0; place < chains_.size(); ++place) {
    left = std::max(left, best_reward(place, left_sums_, nullptr, left_total_.data()));
    right = std::max(right, best_reward(place, all_sums_, left_sums_.data(), right_total_.data()));
  }
  return {left_cost_ - static_cast<Value>(left),
          rows_->summary.base - left_cost_ - static_cast<Value>(right)};
}

}  // namespace treewright::search
