// Depth two for any task: sums over rows from counts of binary digits, whole numbers in doubles.

#include "treewright/base/popcount.hpp"

#include "treewright/search/depth_two/depth_two.hpp"

namespace treewright::search {

namespace {

constexpr double none = -0x1p60;            // reward of a split that is not allowed
constexpr std::size_t few_sums = 64;        // that a block of columns is quickly judged by
constexpr std::int32_t most_groups = 2047;  // that a 16-bit count of rows can hold

using Lanes = std::array<double, block_columns>;

class Sums final : public DepthTwo {
 public:
  explicit Sums(const Context& context)
      : DepthTwo(context),
        task_(context.task),
        n_sums_(static_cast<std::size_t>(context.n_sums)),
        cells_(n_sums_) {}

  std::array<Sizes, 2> split(std::span<const std::int32_t> part) override {
    part_tile_.fill(*context_.kernel, *sample_, part, true);
    take(part_tile_, part_);
    rest_.totals.resize(n_sums_);
    rest_.singles.resize(own_.singles.size());
    for (std::size_t s = 0; s < n_sums_; ++s) rest_.totals[s] = own_.totals[s] - part_.totals[s];
    for (std::size_t k = 0; k < own_.singles.size(); ++k)
      rest_.singles[k] = own_.singles[k] - part_.singles[k];
    Value part_base = 0;
    for (const std::int32_t row : part) {
      part_base +=
          task_.base[static_cast<std::size_t>(sample_->rows[static_cast<std::size_t>(row)])];
    }
    if (context_.options.fused) {
      judge_all(part_tile_, Kept::read, part_, &rest_, 2);
    } else {
      judge_all(part_tile_, Kept::unused, part_, nullptr, 2);
      fill_rest(part);
      judge_all(rest_tile_, Kept::unused, rest_, nullptr, 2);
    }
    return {finish(part_, part_base, 1, false), finish(rest_, sample_->base - part_base, 1, false)};
  }

 private:
  struct Set {
    std::vector<double> singles;  // [sum][column]
    std::vector<double> totals;   // [sum]
    std::vector<double> ones, zeros;
  };

  void count(bool keep) override {
    tile_.fill(*context_.kernel, *sample_, all_rows_, true);
    take(tile_, own_);
    if (keep) {
      const std::size_t size = static_cast<std::size_t>(sample_->n_columns()) * n_padded_ * n_sums_;
      make_room(table_, size);
    }
    judge_all(tile_, keep ? Kept::write : Kept::unused, own_, nullptr, 1);
    sizes_ = finish(own_, sample_->base, 0, true);
    if (keep) add_overlaps();
  }

  bool enough(const double* sums) const { return context_.enough(sums); }

  // For every term the words of the rows it counts, among those of `rows` (all if null).
  void mask_columns(const Tile& tile, const std::uint16_t* rows, std::size_t step = 1) {
    const auto n_groups = static_cast<std::size_t>(tile.n_groups);
    masked_.resize(context_.terms.size() * n_groups);
    for (std::size_t t = 0; t < context_.terms.size(); ++t) {
      const Term& term = context_.terms[t];
      const auto c = static_cast<std::size_t>(term.row_class);
      const std::uint16_t* plane =
          term.plane < 0 ? nullptr
                         : tile.block(sample_->n_blocks + term.plane / block_columns) +
                               term.plane % block_columns;
      for (auto g = static_cast<std::size_t>(tile.first_group[c]);
           g < static_cast<std::size_t>(tile.first_group[c + 1]); ++g) {
        std::uint16_t word = rows == nullptr ? std::uint16_t{0xFFFF} : rows[g * step];
        if (plane != nullptr) word &= plane[g * block_columns];
        masked_[t * n_groups + g] = word;
      }
    }
  }

  // cells_[sum][lane]: sums over the masked rows that pass the tests of a block; or, for a column
  // of bits of its own, one number each.
  void count_columns(const Tile& tile, const std::uint16_t* columns, Lanes* cells, double* alone) {
    const auto n_groups = static_cast<std::size_t>(tile.n_groups);
    if (alone != nullptr) {
      std::fill(alone, alone + n_sums_, 0.0);
    } else {
      for (std::size_t s = 0; s < n_sums_; ++s) cells[s].fill(0.0);
    }
    alignas(64) std::int16_t counts[block_columns];
    for (std::size_t t = 0; t < context_.terms.size(); ++t) {
      const Term& term = context_.terms[t];
      const auto c = static_cast<std::size_t>(term.row_class);
      const std::uint16_t* rows = masked_.data() + t * n_groups;
      for (std::int32_t first = tile.first_group[c]; first < tile.first_group[c + 1];
           first += most_groups) {
        const std::int32_t n = std::min(most_groups, tile.first_group[c + 1] - first);
        const auto at = static_cast<std::size_t>(first);
        if (alone != nullptr) {
          std::int64_t total = 0;
          for (std::size_t g = at; g < at + static_cast<std::size_t>(n); ++g)
            total += popcount(rows[g]);
          alone[term.sum] += term.factor * static_cast<double>(total);
          continue;
        }
        context_.kernel->count(rows + at, columns + at * block_columns, n, counts);
        Lanes& sums = cells[term.sum];
        for (std::size_t lane = 0; lane < block_columns; ++lane)
          sums[lane] += term.factor * counts[lane];
      }
    }
  }
  void count_block(const Tile& tile, std::int32_t block) {
    count_columns(tile, tile.block(block), cells_.data(), nullptr);
  }

  // Sums over all rows of a tile and over those that pass each test.
  void take(const Tile& tile, Set& set) {
    set.totals.assign(n_sums_, 0.0);
    set.singles.resize(n_sums_ * n_padded_);
    everything_.assign(static_cast<std::size_t>(tile.n_groups), 0);
    for (std::size_t k = 0; k < tile.padded.size(); ++k) {
      if (tile.padded[k] < sample_->n_rows())
        everything_[k / group_rows] |= static_cast<std::uint16_t>(1U << (k % group_rows));
    }
    mask_columns(tile, everything_.data());
    count_columns(tile, nullptr, cells_.data(), set.totals.data());
    for (std::int32_t block = 0; block < sample_->n_blocks; ++block) {
      if (poll) poll();
      count_block(tile, block);
      for (std::size_t s = 0; s < n_sums_; ++s) {
        std::ranges::copy(cells_[s], set.singles.begin() +
                                         static_cast<std::ptrdiff_t>(s * n_padded_) +
                                         block * block_columns);
      }
    }
  }

  void judge_all(const Tile& tile, Kept use, Set& set, Set* other, std::int32_t below) {
    for (Set* s : {&set, other}) {
      if (s == nullptr) continue;
      s->ones.assign(n_padded_, none);
      s->zeros.assign(n_padded_, none);
    }
    lower_prices_.assign(n_padded_, -none);
    for (std::int32_t j = 0; j < sample_->n_columns(); ++j) {
      lower_prices_[static_cast<std::size_t>(j)] =
          std::min(static_cast<double>(price(j, below)), -none);
    }
    const auto n_blocks = static_cast<std::size_t>(sample_->n_blocks);
    std::vector<Lanes> difference(other != nullptr ? n_sums_ : 0);
    for (std::int32_t i = 0; i < sample_->n_columns(); ++i) {
      const std::int32_t own_block = i / block_columns;
      mask_columns(tile, tile.block(own_block) + i % block_columns, block_columns);
      for (std::int32_t block = own_block; block < sample_->n_blocks; ++block) {
        count_block(tile, block);
        if (use != Kept::unused) {
          double* kept = table_.data() + (static_cast<std::size_t>(i) * n_blocks +
                                          static_cast<std::size_t>(block)) *
                                             n_sums_ * block_columns;
          for (std::size_t s = 0; s < n_sums_; ++s) {
            for (std::size_t lane = 0; lane < block_columns; ++lane) {
              if (use == Kept::write) kept[s * block_columns + lane] = cells_[s][lane];
              if (use == Kept::read)
                difference[s][lane] = kept[s * block_columns + lane] - cells_[s][lane];
            }
          }
        }
        judge(set, i, block, cells_.data());
        if (other != nullptr) judge(*other, i, block, difference.data());
        if (poll && n_sums_ > few_sums) poll();
      }
      if (poll) poll();
    }
  }

  // Rewards of the four cells of a column with those of a block, and what follows for both.
  void judge(Set& set, std::int32_t column, std::int32_t block, const Lanes* in11) {
    const std::size_t at = static_cast<std::size_t>(block) * block_columns;
    const auto i = static_cast<std::size_t>(column);
    in10_.resize(n_sums_);
    in01_.resize(n_sums_);
    in00_.resize(n_sums_);
    for (std::size_t s = 0; s < n_sums_; ++s) {
      const double* singles = set.singles.data() + s * n_padded_;
      const double mine = singles[i], total = set.totals[s];
      for (std::size_t lane = 0; lane < block_columns; ++lane) {
        const double both = in11[s][lane], theirs = singles[at + lane];
        in10_[s][lane] = mine - both;
        in01_[s][lane] = theirs - both;
        in00_[s][lane] = total - mine - theirs + both;
      }
    }
    Lanes worth[4];
    const Lanes* cells[4] = {in11, in10_.data(), in01_.data(), in00_.data()};
    for (std::size_t k = 0; k < 4; ++k) rewards(cells[k], worth[k]);
    const double my_price = lower_prices_[i];
    double best_ones = none, best_zeros = none;
    for (std::size_t lane = 0; lane < block_columns; ++lane) {
      const double their_price = lower_prices_[at + lane];
      best_ones = std::max(best_ones, worth[0][lane] + worth[1][lane] - their_price);
      best_zeros = std::max(best_zeros, worth[2][lane] + worth[3][lane] - their_price);
      set.ones[at + lane] =
          std::max(set.ones[at + lane], worth[0][lane] + worth[2][lane] - my_price);
      set.zeros[at + lane] =
          std::max(set.zeros[at + lane], worth[1][lane] + worth[3][lane] - my_price);
    }
    set.ones[i] = std::max(set.ones[i], best_ones);
    set.zeros[i] = std::max(set.zeros[i], best_zeros);
  }

  void rewards(const Lanes* sums, Lanes& out) const {
    if (task_.numeric) {
      for (std::size_t lane = 0; lane < block_columns; ++lane)
        out[lane] = Task::number_reward(sums[0][lane], sums[1][lane]);
    } else if (task_.plain || task_.by_row) {
      out.fill(0.0);
      for (std::size_t s = 0; s < task_.n_sums(); ++s) {
        for (std::size_t lane = 0; lane < block_columns; ++lane)
          out[lane] = std::max(out[lane], sums[s][lane]);
      }
    } else {
      out.fill(0.0);
      for (std::size_t label = 0; label < task_.n_labels(); ++label) {
        Lanes worth{};
        for (std::size_t c = 0; c < task_.n_sums(); ++c) {
          const auto gain = static_cast<double>(task_.gain(label, c));
          for (std::size_t lane = 0; lane < block_columns; ++lane)
            worth[lane] += gain * sums[c][lane];
        }
        for (std::size_t lane = 0; lane < block_columns; ++lane)
          out[lane] = std::max(out[lane], worth[lane]);
      }
    }
    if (!context_.sized) return;
    std::vector<double> cell(n_sums_);
    for (std::size_t lane = 0; lane < block_columns; ++lane) {
      for (std::size_t s = 0; s < n_sums_; ++s) cell[s] = sums[s][lane];
      if (!enough(cell.data())) out[lane] = none;
    }
  }

  Sizes finish(const Set& set, Value base, std::int32_t below, bool keep) {
    double most[3] = {none, none, none};
    std::vector<double> ones(n_sums_), zeros(n_sums_);
    for (std::int32_t i = 0; i < sample_->n_columns(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (std::size_t s = 0; s < n_sums_; ++s) {
        ones[s] = set.singles[s * n_padded_ + at];
        zeros[s] = set.totals[s] - ones[s];
      }
      const double leaf_ones = task_.reward(ones.data()), leaf_zeros = task_.reward(zeros.data());
      const double dear = std::min(static_cast<double>(price(i, below)), -none);
      const bool allowed = enough(ones.data()) && enough(zeros.data());
      const double worth[3] = {
          leaf_ones + leaf_zeros - dear,
          std::max(set.ones[at] + leaf_zeros, leaf_ones + set.zeros[at]) - dear,
          set.ones[at] + set.zeros[at] - dear};
      if (keep) {
        below_[at][0] = no_value;
        leaf_ones_[at] = leaf_zeros_[at] = 0;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        if (allowed) most[k] = std::max(most[k], worth[k]);
        if (keep) {
          const bool counts = allowed && worth[k] > none / 2;
          below_[at][k + 1] =
              counts ? std::min(below_[at][k], base - static_cast<Value>(worth[k])) : below_[at][k];
        }
      }
      if (keep) {
        leaf_ones_[at] = static_cast<Value>(-leaf_ones);
        leaf_zeros_[at] = static_cast<Value>(-leaf_zeros);
        stump_ones_[at] = set.ones[at] > none / 2 ? static_cast<Value>(-set.ones[at]) : no_value;
        stump_zeros_[at] = set.zeros[at] > none / 2 ? static_cast<Value>(-set.zeros[at]) : no_value;
      }
    }
    if (keep) add_bases();
    Sizes sizes;
    sizes[0] = base - static_cast<Value>(task_.reward(set.totals.data()));
    for (std::size_t k = 0; k < 3; ++k) {
      sizes[k + 1] =
          most[k] > none / 2 ? std::min(sizes[k], base - static_cast<Value>(most[k])) : sizes[k];
    }
    return sizes;
  }

  // Turns the rewards of the two sides of each column into costs.
  void add_bases() {
    for (std::int32_t i = 0; i < sample_->n_columns(); ++i) {
      Value ones = 0;
      list_rows(*context_.kernel, sample_->bits(i), sample_->n_rows(), true, listed_);
      for (const std::int32_t row : listed_)
        ones += task_.base[static_cast<std::size_t>(sample_->rows[static_cast<std::size_t>(row)])];
      const auto at = static_cast<std::size_t>(i);
      for (std::vector<Value>* costs : {&leaf_ones_, &stump_ones_}) (*costs)[at] += ones;
      for (std::vector<Value>* costs : {&leaf_zeros_, &stump_zeros_})
        (*costs)[at] += sample_->base - ones;
    }
  }

  void add_overlaps() {
    const auto m = static_cast<std::size_t>(sample_->n_columns());
    const auto n_blocks = static_cast<std::size_t>(sample_->n_blocks);
    overlaps_.resize(m * n_padded_);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t block = i / block_columns; block < n_blocks; ++block) {
        const double* sums = table_.data() + (i * n_blocks + block) * n_sums_ * block_columns;
        for (std::size_t lane = 0; lane < block_columns; ++lane) {
          double both = 0.0;
          if (task_.numeric) {
            both = sums[lane] * sample_->row_loss;
          } else if (task_.by_row) {
            both = sums[static_cast<std::size_t>(context_.base_sum) * block_columns + lane];
          } else {
            for (std::int32_t c = 0; c < task_.n_classes; ++c) {
              both += sums[static_cast<std::size_t>(c) * block_columns + lane] *
                      static_cast<double>(task_.rate(c));
            }
          }
          const std::size_t j = block * block_columns + lane;
          overlaps_[i * n_padded_ + j] = both;
          if (j < m) overlaps_[j * n_padded_ + i] = both;
        }
      }
      if (poll) poll();
    }
  }

  const Task& task_;
  const std::size_t n_sums_;
  Set own_, part_, rest_;
  std::vector<double> table_;  // [column][block][sum][32]
  std::vector<double> lower_prices_;
  std::vector<std::uint16_t> masked_, everything_;
  std::vector<Lanes> cells_, in10_, in01_, in00_;
  std::vector<std::int32_t> listed_;
};

}  // namespace

std::unique_ptr<DepthTwo> make_sums(const Context& context) {
  return std::make_unique<Sums>(context);
}

}  // namespace treewright::search
