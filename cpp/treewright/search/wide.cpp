#include "treewright/search/wide.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

namespace treewright::search {

namespace {

std::int32_t chain_of(const Context& context, const Column& column) {
  return context.problem.chains[static_cast<std::size_t>(column.test)];
}

}  // namespace

bool is_wide(const Context& context, const Sample& sample, std::int32_t level) {
  const Options& options = context.options;
  if (options.chain_length <= 0 || level < options.alpha) return false;
  std::int64_t n_chains = 0;
  for (std::size_t j = 0; j < sample.columns.size(); ++j) {
    const std::int32_t chain = chain_of(context, sample.columns[j]);
    n_chains += chain < 0 || j == 0 || chain != chain_of(context, sample.columns[j - 1]) ? 1 : 0;
  }
  return sample.n_columns() >= n_chains * options.chain_length;
}

void Wide::begin(const Sample& sample, std::int32_t level) {
  sample_ = &sample;
  n_sums_ = static_cast<std::size_t>(context_.n_sums);
  by_differences_ = context_.counted && task_.n_classes == 2 && !context_.sized;
  const auto n = static_cast<std::size_t>(sample.n_rows());
  const auto m = static_cast<std::size_t>(sample.n_columns());
  class_of_.resize(n);
  for (std::size_t c = 0; c + 1 < sample.first_row.size(); ++c) {
    std::fill(class_of_.begin() + sample.first_row[c], class_of_.begin() + sample.first_row[c + 1],
              static_cast<std::int32_t>(c));
  }
  lower_prices_.resize(m);
  for (std::size_t j = 0; j < m; ++j) {
    const Column& column = sample.columns[j];
    lower_prices_[j] = std::min(
        static_cast<double>(context_.price_at(column.price, column.last_level, level + 1)), -none);
  }
  read_chains();

  // The sums of all rows that pass each test.
  std::vector<std::int32_t> everyone(n);
  for (std::size_t k = 0; k < n; ++k) everyone[k] = static_cast<std::int32_t>(k);
  const bool differences = std::exchange(by_differences_, false);
  fill(everyone);
  by_differences_ = differences;
  totals_.assign(n_sums_, 0.0);
  whole_.resize(m * n_sums_);
  whole_differences_.resize(m);
  base_ones_.assign(m, 0);
  std::vector<Value> base_of_bin(histogram_.size() / n_sums_, 0);
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    for (std::size_t k = 0; k < n; ++k) {
      base_of_bin[bins_[c * n + k]] += task_.base[static_cast<std::size_t>(sample.rows[k])];
    }
  }
  std::vector<double> running(n_sums_);
  for (const Chain& chain : chains_) {
    std::ranges::fill(running, 0.0);
    Value base = 0;
    for (std::int32_t k = 0; k <= chain.n_columns; ++k) {
      const std::size_t bin = chain.first_bin + static_cast<std::size_t>(k);
      for (std::size_t s = 0; s < n_sums_; ++s) running[s] += histogram_[bin * n_sums_ + s];
      base += base_of_bin[bin];
      if (k == chain.n_columns) break;
      const auto column = static_cast<std::size_t>(chain.first_column + k);
      std::ranges::copy(running, whole_.begin() + static_cast<std::ptrdiff_t>(column * n_sums_));
      base_ones_[column] = base;
    }
    totals_ = running;
  }
  singles_.resize(m);
  leaf_ones_.resize(m);
  leaf_zeros_.resize(m);
  std::vector<double> zeros(n_sums_);
  for (std::size_t j = 0; j < m; ++j) {
    const double* ones = whole_.data() + j * n_sums_;
    for (std::size_t s = 0; s < n_sums_; ++s) zeros[s] = totals_[s] - ones[s];
    leaf_ones_[j] = base_ones_[j] - static_cast<Value>(reward(ones));
    leaf_zeros_[j] = sample.base - base_ones_[j] - static_cast<Value>(reward(zeros.data()));
    const bool allowed = enough(ones) && enough(zeros.data());
    singles_[j] = allowed ? leaf_ones_[j] + leaf_zeros_[j] + sample.columns[j].price : no_value;
    if (by_differences_) {
      whole_differences_[j] =
          static_cast<std::int32_t>((ones[0] - ones[1]) / static_cast<double>(task_.common_weight));
    }
  }
}

// Numbers the bins: a row of bin k of a chain passes its tests from the k-th on.
void Wide::read_chains() {
  const Sample& sample = *sample_;
  const auto n = static_cast<std::size_t>(sample.n_rows());
  chains_.clear();
  std::size_t n_bins = 0;
  for (std::int32_t j = 0; j < sample.n_columns();) {
    const std::int32_t chain = chain_of(context_, sample.columns[static_cast<std::size_t>(j)]);
    std::int32_t end = j + 1;
    while (chain >= 0 && end < sample.n_columns() &&
           chain_of(context_, sample.columns[static_cast<std::size_t>(end)]) == chain)
      ++end;
    chains_.push_back({j, end - j, n_bins});
    n_bins += static_cast<std::size_t>(end - j) + 1;
    j = end;
  }
  bins_.resize(chains_.size() * n);
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const Chain& chain = chains_[c];
    std::uint32_t* bins = bins_.data() + c * n;
    std::fill(
        bins, bins + n,
        static_cast<std::uint32_t>(chain.first_bin) + static_cast<std::uint32_t>(chain.n_columns));
    for (std::int32_t k = 0; k < chain.n_columns; ++k) {
      const auto bits = sample.bits(chain.first_column + k);
      for (std::size_t w = 0; w < bits.size(); ++w) {
        const std::uint64_t before = k == 0 ? 0 : sample.bits(chain.first_column + k - 1)[w];
        for (std::uint64_t rest = bits[w] & ~before; rest != 0; rest &= rest - 1) {
          bins[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))] =
              static_cast<std::uint32_t>(chain.first_bin) + static_cast<std::uint32_t>(k);
        }
      }
    }
  }
  const std::size_t last = chains_.empty() ? 0 : n_bins;
  histogram_.assign(last * n_sums_, 0.0);
  differences_.assign(last, 0);
}

void Wide::fill(std::span<const std::int32_t> listed) {
  const auto n = static_cast<std::size_t>(sample_->n_rows());
  if (by_differences_) {
    std::ranges::fill(differences_, 0);
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      const std::uint32_t* bins = bins_.data() + c * n;
      const auto middle = std::ranges::lower_bound(listed, sample_->first_row[1]);
      for (auto row = listed.begin(); row < middle; ++row) ++differences_[bins[*row]];
      for (auto row = middle; row < listed.end(); ++row) --differences_[bins[*row]];
    }
    return;
  }
  std::ranges::fill(histogram_, 0.0);
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const std::uint32_t* bins = bins_.data() + c * n;
    for (const std::int32_t row : listed) {
      const auto k = static_cast<std::size_t>(row);
      const auto r = static_cast<std::size_t>(sample_->rows[k]);
      double* sums = histogram_.data() + bins[k] * n_sums_;
      sums[task_.numeric ? 0 : static_cast<std::size_t>(class_of_[k])] +=
          static_cast<double>(task_.weight[r]);
      if (task_.numeric) sums[1] += static_cast<double>(task_.moment[r]);
      if (context_.rows_sum >= 0) sums[context_.rows_sum] += 1.0;
    }
  }
}

Wide::Rewards Wide::best_rewards(const std::vector<double>& listed,
                                 const std::vector<double>& others) {
  Rewards best{none, none};
  std::vector<double> cells(4 * n_sums_);
  double* const inside = cells.data();
  for (const Chain& chain : chains_) {
    std::fill(inside, inside + n_sums_, 0.0);
    for (std::int32_t k = 0; k < chain.n_columns; ++k) {
      const double* sums =
          histogram_.data() + (chain.first_bin + static_cast<std::size_t>(k)) * n_sums_;
      const auto column = static_cast<std::size_t>(chain.first_column + k);
      for (std::size_t s = 0; s < n_sums_; ++s) {
        inside[s] += sums[s];
        cells[n_sums_ + s] = listed[s] - inside[s];
        cells[2 * n_sums_ + s] = whole_[column * n_sums_ + s] - inside[s];
        cells[3 * n_sums_ + s] = others[s] - cells[2 * n_sums_ + s];
      }
      const auto split = [&](std::size_t a, std::size_t b) {
        const double *first = inside + a * n_sums_, *second = inside + b * n_sums_;
        if (!enough(first) || !enough(second)) return none;
        return reward(first) + reward(second) - lower_prices_[column];
      };
      best.listed = std::max(best.listed, split(0, 1));
      best.others = std::max(best.others, split(2, 3));
    }
  }
  return best;
}

Wide::Rewards Wide::best_differences(std::int32_t listed, std::int32_t others) {
  // The rewards of two classes are half of rows plus absolute difference; prices count twice then.
  Rewards best{none, none};
  const bool priced = context_.has_prices || context_.has_levels;
  const auto unit = static_cast<double>(task_.common_weight);
  std::int32_t best_listed = -1, best_others = -1;
  for (const Chain& chain : chains_) {
    const auto m = static_cast<std::size_t>(chain.n_columns);
    running_.resize(m);
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < m; ++k) running_[k] = sum += differences_[chain.first_bin + k];
    const std::int32_t* whole = whole_differences_.data() + chain.first_column;
    if (!priced) {
      for (std::size_t k = 0; k < m; ++k) {
        const std::int32_t inside = running_[k], beside = whole[k] - inside;
        best_listed = std::max(best_listed, std::abs(inside) + std::abs(listed - inside));
        best_others = std::max(best_others, std::abs(beside) + std::abs(others - beside));
      }
    } else {
      for (std::size_t k = 0; k < m; ++k) {
        const std::int32_t inside = running_[k], beside = whole[k] - inside;
        const double price = 2.0 * lower_prices_[static_cast<std::size_t>(chain.first_column) + k];
        best.listed =
            std::max(best.listed, unit * (std::abs(inside) + std::abs(listed - inside)) - price);
        best.others =
            std::max(best.others, unit * (std::abs(beside) + std::abs(others - beside)) - price);
      }
    }
  }
  if (!priced && best_listed >= 0) best = {unit * best_listed, unit * best_others};
  return best;
}

Wide::Halves Wide::halves(std::span<const std::int32_t> listed, bool ones_are_listed) {
  fill(listed);
  Value listed_base = 0;
  for (const std::int32_t row : listed) {
    listed_base +=
        task_.base[static_cast<std::size_t>(sample_->rows[static_cast<std::size_t>(row)])];
  }
  const Value others_base = sample_->base - listed_base;
  Halves found;
  const auto write = [&](bool ones, Value leaf, Value split) {
    (ones ? found.leaf_ones : found.leaf_zeros) = leaf;
    (ones ? found.split_ones : found.split_zeros) = split;
  };
  if (by_differences_) {
    const auto middle = std::ranges::lower_bound(listed, sample_->first_row[1]);
    const auto difference =
        static_cast<std::int32_t>((middle - listed.begin()) - (listed.end() - middle));
    const std::int32_t others = 2 * sample_->first_row[1] - sample_->n_rows() - difference;
    const Rewards best = best_differences(difference, others);
    const auto cost = [&](Value base, double worth) {
      return worth > none / 2 ? (base - static_cast<Value>(worth)) / 2 : no_value;
    };
    const auto unit = static_cast<double>(task_.common_weight);
    write(ones_are_listed, cost(listed_base, unit * std::abs(difference)),
          cost(listed_base, best.listed));
    write(!ones_are_listed, cost(others_base, unit * std::abs(others)),
          cost(others_base, best.others));
    return found;
  }
  std::vector<double> inside(n_sums_, 0.0), outside(n_sums_);
  if (!chains_.empty()) {
    const Chain& chain = chains_.front();
    for (std::size_t bin = chain.first_bin;
         bin <= chain.first_bin + static_cast<std::size_t>(chain.n_columns); ++bin) {
      for (std::size_t s = 0; s < n_sums_; ++s) inside[s] += histogram_[bin * n_sums_ + s];
    }
  }
  for (std::size_t s = 0; s < n_sums_; ++s) outside[s] = totals_[s] - inside[s];
  const Rewards best = best_rewards(inside, outside);
  const auto cost = [&](Value base, double worth) {
    return worth > none / 2 ? base - static_cast<Value>(worth) : no_value;
  };
  write(ones_are_listed, cost(listed_base, reward(inside.data())), cost(listed_base, best.listed));
  write(!ones_are_listed, cost(others_base, reward(outside.data())),
        cost(others_base, best.others));
  return found;
}

}  // namespace treewright::search
