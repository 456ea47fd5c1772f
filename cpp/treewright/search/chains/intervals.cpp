#include "treewright/search/chains/intervals.hpp"

#include <algorithm>
#include <cmath>

namespace treewright::search {

namespace {

Value whole(double bound) {
  return static_cast<Value>(std::clamp(bound, 0.0, static_cast<double>(no_value)));
}

}  // namespace

void Intervals::begin(const Ordered& rows, std::int32_t level, std::int32_t depth, Value known) {
  rows_ = &rows;
  level_ = level;
  const Task& task = context_.task;
  similar_ = context_.options.similarity;
  // Where leaves have a least size, a tree for more rows need not be one for fewer.
  grows_ = similar_ && !context_.sized;
  slack_ = static_cast<double>(context_.slack_of_leaf()) *
           static_cast<double>(std::int64_t{1} << std::min(depth, 40));
  unit_ = task.numeric ? std::max(rows.row_loss, 1.0) : 1.0;
  total_loss_ = task.numeric ? rows.summary.sums[0] : static_cast<double>(rows.summary.base);
  cuts_.clear();
  losses_.clear();
  chains_.resize(rows.chains.size());
  const double whole_cost = similar_ ? static_cast<double>(known) - slack_ : 0.0;
  for (std::size_t place = 0; place < chains_.size(); ++place) {
    Chain& chain = chains_[place];
    chain.first = cuts_.size();
    list_cuts(place, level);
    chain.n_cuts = static_cast<std::int32_t>(cuts_.size() - chain.first);
    chain.least_price = static_cast<double>(
        ranks_.chains()[static_cast<std::size_t>(rows.chains[place])].least_price);
    chain.settled.clear();
    chain.settled.push_back({-1, 0.0, 0.0, whole_cost});
    chain.settled.push_back({chain.n_cuts, total_loss_, whole_cost, 0.0});
  }
  items_.clear();
  later_.clear();
  n_closed_ = 0;
}

void Intervals::list_cuts(std::size_t place, std::int32_t level) {
  const Task& task = context_.task;
  const auto order = rows_->entries(place);
  const std::vector<Value>& losses = task.numeric ? task.weight : task.base;
  const bool uniform = ranks_.chains()[static_cast<std::size_t>(rows_->chains[place])].uniform;
  const bool may_be_forbidden = context_.has_levels;
  Value loss = 0, weight = 0;
  for (std::size_t k = 1; k < order.size(); ++k) {
    const auto row = static_cast<std::size_t>(order[k - 1].row);
    loss += losses[row];
    weight += task.weight[row];
    if (order[k].rank == order[k - 1].rank) continue;
    const auto n_left = static_cast<std::int32_t>(k);
    if (context_.sized && !allowed(n_left, weight)) continue;
    if (may_be_forbidden) {
      const Ranks::Test test =
          ranks_.test_between(rows_->chains[place], order[k - 1].rank, order[k].rank, level);
      if (test.number < 0 && uniform) return;
      if (test.number < 0) continue;
    }
    cuts_.push_back(n_left);
    losses_.push_back(static_cast<double>(loss));
  }
}

bool Intervals::allowed(std::int32_t n_left, Value weight) const {
  const Options& options = context_.options;
  const std::vector<double>& sums = rows_->summary.sums;
  double total = 0.0;
  for (std::size_t s = 0; s < (context_.task.numeric ? 1 : context_.task.n_sums()); ++s)
    total += sums[s];
  return std::min(n_left, rows_->n_rows() - n_left) >= options.min_rows &&
         weight >= options.min_weight && static_cast<Value>(total) - weight >= options.min_weight;
}

void Intervals::open_all() {
  items_.clear();
  later_.clear();
  next_ = 0;
  depth_of_items_ = 1;
  to_and_fro_ = backwards_ = false;
  for (std::size_t place = 0; place < chains_.size(); ++place) {
    if (chains_[place].n_cuts > 0) items_.push_back({place, 0, chains_[place].n_cuts - 1});
  }
}

void Intervals::open(std::size_t place) {
  items_.clear();
  later_.clear();
  next_ = 0;
  depth_of_items_ = 1;
  to_and_fro_ = true;
  backwards_ = false;
  if (chains_[place].n_cuts > 0) items_.push_back({place, 0, chains_[place].n_cuts - 1});
}

Intervals::Neighbours Intervals::neighbours(const Chain& chain, std::int32_t index) const {
  const auto after = std::ranges::lower_bound(chain.settled, index, {}, &Settled::index);
  return {*(after - 1), *after};
}

// With L and R the costs of the parts, w what the rows between two cuts can cost, and a, b the
// neighbours: L(j) >= L(a), R(j) >= R(b), L(j) >= L(b) - w(j, b), R(j) >= R(a) - w(a, j).
Intervals::Item Intervals::open_between(const Neighbours& around, std::size_t place,
                                        double room) const {
  const auto& [a, b] = around;
  const double a_left = grows_ ? a.left : 0.0, b_right = grows_ ? b.right : 0.0;
  Item none{place, 0, -1};
  if (a_left + b_right >= room) return none;
  if (b.left + a.right - worth(a.loss, b.loss) >= room) return none;
  Item open{place, a.index + 1, b.index - 1};
  if (!similar_) return open;
  const Chain& chain = chains_[place];
  const auto begin = losses_.begin() + static_cast<std::ptrdiff_t>(chain.first);
  const double near_a = a.loss + (a_left + a.right - room) / unit_;
  if (near_a >= a.loss) {
    const auto at = std::upper_bound(begin + open.low, begin + open.high + 1, near_a);
    open.low = static_cast<std::int32_t>(at - begin);
  }
  const double near_b = b.loss - (b.left + b_right - room) / unit_;
  if (near_b <= b.loss) {
    const auto at = std::lower_bound(begin + open.low, begin + open.high + 1, near_b);
    open.high = static_cast<std::int32_t>(at - begin) - 1;
  }
  return open;
}

PartBounds Intervals::bounds_at(const Neighbours& around, double loss) const {
  const auto& [a, b] = around;
  const double a_left = grows_ ? a.left : 0.0, b_right = grows_ ? b.right : 0.0;
  return {whole(std::max(a_left, b.left - worth(loss, b.loss))),
          whole(std::max(b_right, a.right - worth(a.loss, loss)))};
}

Cut Intervals::cut_at(std::size_t place, std::int32_t index) const {
  const Chain& chain = chains_[place];
  Cut cut;
  cut.place = place;
  cut.index = index;
  cut.n_left = cuts_[chain.first + static_cast<std::size_t>(index)];
  const auto order = rows_->entries(place);
  const auto at = static_cast<std::size_t>(cut.n_left);
  cut.test = ranks_.test_between(rows_->chains[place], order[at - 1].rank, order[at].rank, level_);
  cut.bounds = bounds_at(neighbours(chain, index), loss(chain, index));
  return cut;
}

std::optional<Cut> Intervals::find(std::int32_t test) const {
  const std::int32_t chain = ranks_.chain_of(test);
  const auto found = std::ranges::find(rows_->chains, chain);
  if (found == rows_->chains.end()) return std::nullopt;
  const auto place = static_cast<std::size_t>(found - rows_->chains.begin());
  const auto order = rows_->entries(place);
  const std::int32_t rank = test - ranks_.chains()[static_cast<std::size_t>(chain)].first_test;
  const auto n_left = static_cast<std::int32_t>(
      std::ranges::upper_bound(order, rank, {}, &Ordered::Entry::rank) - order.begin());
  const auto begin = cuts_.begin() + static_cast<std::ptrdiff_t>(chains_[place].first);
  const auto end = begin + chains_[place].n_cuts;
  const auto cut = std::lower_bound(begin, end, n_left);
  if (cut == end || *cut != n_left) return std::nullopt;
  Cut at = cut_at(place, static_cast<std::int32_t>(cut - begin));
  at.reach = whole(total_loss_ * unit_);
  return at;
}

std::optional<Cut> Intervals::next(const Limit& limit) {
  const auto penalty = static_cast<double>(context_.options.penalty);
  while (true) {
    if (next_ == items_.size()) {
      if (later_.empty()) return std::nullopt;
      std::swap(items_, later_);
      later_.clear();
      next_ = 0;
      ++depth_of_items_;
      if (to_and_fro_) {
        std::ranges::reverse(items_);
        backwards_ = !backwards_;
      }
    }
    const Item item = items_[next_++];
    const Chain& chain = chains_[item.place];
    const std::int32_t middle = item.low + (item.high - item.low) / 2;
    const std::uint64_t order = depth_of_items_ << 52 |
                                static_cast<std::uint64_t>(item.place) << 32 |
                                static_cast<std::uint64_t>(middle);
    const auto cost = static_cast<double>(limit.at(order)) - penalty;
    const Neighbours around = neighbours(chain, middle);
    const Item open = open_between(around, item.place, cost - chain.least_price);
    const bool alone = around.before.index < item.low && around.after.index > item.high;
    if (alone && (open.high < item.low || open.low > item.high)) {
      n_closed_ += item.high - item.low + 1;
      continue;
    }
    ++n_closed_;
    const Item low{item.place, item.low, middle - 1}, high{item.place, middle + 1, item.high};
    for (const Item& half : {backwards_ ? high : low, backwards_ ? low : high}) {
      if (half.low <= half.high) later_.push_back(half);
    }
    if (around.after.index == middle || middle < open.low || middle > open.high) continue;
    Cut cut = cut_at(item.place, middle);
    const double least = static_cast<double>(cut.bounds.ones + cut.bounds.zeros + cut.test.price);
    if (least >= cost) continue;
    cut.order = order;
    const double here = loss(chain, middle);
    cut.reach =
        whole(std::max(worth(loss(chain, open.low), here), worth(here, loss(chain, open.high))));
    return cut;
  }
}

void Intervals::learn(const Cut& cut, const PartBounds& found) {
  if (!similar_) return;
  Chain& chain = chains_[cut.place];
  const auto at = std::ranges::lower_bound(chain.settled, cut.index, {}, &Settled::index);
  chain.settled.insert(at,
                       {cut.index, loss(chain, cut.index), static_cast<double>(found.ones) - slack_,
                        static_cast<double>(found.zeros) - slack_});
}

Value Intervals::bound_of_rest() const {
  double least = static_cast<double>(no_value);
  const auto look = [&](const Item& item) {
    const Chain& chain = chains_[item.place];
    const Settled& a = neighbours(chain, item.low).before;
    const auto& b = *std::ranges::upper_bound(chain.settled, item.high, {}, &Settled::index);
    const double apart = worth(a.loss, b.loss);
    double bound = b.left + a.right - apart;
    if (grows_) {
      const double between = (a.left + a.right + b.left + b.right - apart) / 2.0;
      bound = std::max({bound, a.left + b.right, between});
    }
    least = std::min(least, bound + chain.least_price);
  };
  for (std::size_t k = next_; k < items_.size(); ++k) look(items_[k]);
  for (const Item& item : later_) look(item);
  return whole(std::floor(least)) + context_.options.penalty;
}

}  // namespace treewright::search
