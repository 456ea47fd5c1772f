#include "treewright/search/crossings.hpp"

#include <algorithm>
#include <array>

namespace treewright::search {

namespace {

constexpr std::int32_t most_columns = 512;  // the table has four entries for each pair of them
constexpr std::size_t lanes = 8;            // columns looked at side by side
constexpr double far_too_little = -1e300;

}  // namespace

bool Crossings::are_for(const Context& context, const Sample& sample) {
  // What a row can cost has to be the same at the node and below it.
  const bool is_similar = context.options.similarity && !context.sized && !context.task.numeric;
  return is_similar && sample.n_columns() <= most_columns;
}

void Crossings::begin(const Context& context, const Sample& sample, const DepthTwo& two) {
  end();
  leave();
  if (!are_for(context, sample)) return;
  two_ = &two;
  m_ = static_cast<std::size_t>(sample.n_columns());
  n_padded_ = (m_ + lanes - 1) / lanes * lanes;
  loss_ = static_cast<double>(sample.base);
  inside_.assign(n_padded_, 0.0);
  for (std::size_t h = 0; h < m_; ++h) inside_[h] = two.inside(static_cast<std::int32_t>(h));
  known_.assign(4 * m_ * n_padded_, 0.0);
  elsewhere_.assign(n_padded_, 0.0);
  both_elsewhere_.assign(n_padded_, 0.0);
  unusable_.assign(n_padded_, far_too_little);
  places_below_.assign(m_, {});
  visited_.clear();
  was_visited_.assign(m_, false);
}

void Crossings::enter(std::int32_t column, bool ones) {
  const auto at = static_cast<std::size_t>(column);
  entered_ = part(at, ones);
  if (m_ == 0 || was_visited_[at]) return;
  was_visited_[at] = true;
  visited_.push_back(at);
}

void Crossings::set(std::size_t part, std::size_t column, bool ones, double bound) {
  double& here = known(part, ones)[column];
  if (bound <= here) return;
  here = bound;
  known(Crossings::part(column, ones), part % 2 == 0)[part / 2] = bound;
}

void Crossings::learn_parts(std::int32_t column, const PartBounds& least) {
  if (m_ == 0) return;
  const auto j = static_cast<std::size_t>(column);
  set(part(j, true), j, true, static_cast<double>(least.ones));
  set(part(j, false), j, false, static_cast<double>(least.zeros));
}

void Crossings::tell(const Sample& sample, const DepthTwo& two, Bounds& bounds) {
  below_ = &sample;
  two_below_ = &two;
  set(entered_, entered_ / 2, entered_ % 2 == 0, bounds.whole());
  loss_elsewhere_ = loss_ - static_cast<double>(sample.base);
  for (std::size_t h = 0; h < m_; ++h) {
    const Place place = sample.places[h];
    unusable_[h] = place.is_known() ? 0.0 : far_too_little;
    Below& here_below = places_below_[h];
    here_below = {0, 0.0, place.turned ? 1.0 : 0.0};
    if (place.column >= 0) {
      here_below.column = static_cast<std::size_t>(place.column);
      here_below.part = place.turned ? -1.0 : 1.0;
    }
    if (!place.is_known()) continue;
    double here = place.turned ? static_cast<double>(sample.base) : 0.0;
    if (place.column >= 0) {
      const double inside = two.inside(place.column);
      here += place.turned ? -inside : inside;
      const double passing = known(entered_, true)[h], failing = known(entered_, false)[h];
      if (passing > 0.0 || failing > 0.0) {
        bounds.learn_column(place.column, place.turned ? failing : passing,
                            place.turned ? passing : failing);
      }
    }
    elsewhere_[h] = inside_[h] - here;
  }
}

template <class Look>
void Crossings::for_each_that_tells(std::size_t column, const Look& look) const {
  if (was_visited_[column]) {
    for (std::size_t h = 0; h < m_; ++h) look(h);
    return;
  }
  for (const std::size_t h : visited_) look(h);
  look(column);
}

PartBounds Crossings::of(std::int32_t column) {
  const auto g = static_cast<std::size_t>(below_->columns[static_cast<std::size_t>(column)].above);
  const double inside_below = two_below_->inside(column);
  two_->with_overlaps(static_cast<std::int32_t>(g), [&](const auto* overlaps, double unit) {
    two_below_->with_overlaps(column, [&](const auto* below, double unit_below) {
      for_each_that_tells(g, [&](std::size_t h) {
        const Below& place = places_below_[h];
        const double both_below = unit_below * static_cast<double>(below[place.column]);
        both_elsewhere_[h] = unit * static_cast<double>(overlaps[h]) -
                             (place.whole * inside_below + place.part * both_below);
      });
    });
  });
  const double own = elsewhere_[g], others = loss_elsewhere_ - own;
  const double *const p11 = known(part(g, true), true), *const p10 = known(part(g, true), false),
                      *const p01 = known(part(g, false), true),
                      *const p00 = known(part(g, false), false);
  std::array<double, lanes> ones{}, zeros{};
  const auto look = [&](std::size_t h, std::size_t l) {
    const double both = both_elsewhere_[h], theirs = elsewhere_[h] - both;
    const double a = std::max(p11[h] - both, p10[h] - (own - both)) + unusable_[h];
    const double b = std::max(p01[h] - theirs, p00[h] - (others - theirs)) + unusable_[h];
    ones[l] = std::max(ones[l], a);
    zeros[l] = std::max(zeros[l], b);
  };
  if (was_visited_[g]) {
    for (std::size_t first = 0; first < n_padded_; first += lanes) {
      for (std::size_t l = 0; l < lanes; ++l) look(first + l, l);
    }
  } else {
    for_each_that_tells(g, [&](std::size_t h) { look(h, 0); });
  }
  return {static_cast<Value>(*std::ranges::max_element(ones)),
          static_cast<Value>(*std::ranges::max_element(zeros))};
}

void Crossings::learn(const Bounds& bounds) {
  const double whole = known(entered_, entered_ % 2 == 0)[entered_ / 2];
  for (std::size_t h = 0; h < m_; ++h) {
    const Place place = below_->places[h];
    if (place.column >= 0) {
      set(entered_, h, true, bounds.least(place.column, !place.turned));
      set(entered_, h, false, bounds.least(place.column, place.turned));
    } else if (place.is_known()) {
      set(entered_, h, place.turned, whole);
    }
  }
}

}  // namespace treewright::search
