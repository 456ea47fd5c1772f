// Depth two where every error costs the same: rows of each class are counted in 16 bits.
#include "treewright/search/depth_two/depth_two.hpp"

namespace treewright::search {

namespace {

constexpr std::int16_t forbidden_price = 0x3FFF;
constexpr std::int32_t most_rows = 0x7FFF;
constexpr std::int64_t much_work = 1 << 17;  // of a kernel; less than a millisecond
// Few enough that a forbidden or worthless split stays below every allowed one.
constexpr std::int32_t most_restricted_rows = 0x3FFF;

bool is_restricted(const Context& context) {
  return context.sized || context.has_prices || context.has_levels;
}

class Counts final : public DepthTwo {
 public:
  explicit Counts(const Context& context)
      : DepthTwo(context),
        unit_(context.task.common_weight),
        n_classes_(static_cast<std::size_t>(context.task.n_classes)) {}

  std::array<Sizes, 2> split(std::span<const std::int32_t> part) override {
    part_tile_.fill(*context_.kernel, *sample_, part, true);
    const auto n_part = static_cast<std::int32_t>(part.size());
    count_singles(part_tile_, part_);
    for (std::size_t i = 0; i < rest_.singles.size(); ++i) {
      rest_.singles[i] = static_cast<std::int16_t>(own_.singles[i] - part_.singles[i]);
    }
    for (std::size_t c = 0; c < n_classes_; ++c)
      rest_.totals[c] = static_cast<std::int16_t>(own_.totals[c] - part_.totals[c]);
    if (context_.options.fused) {
      judge_all(part_tile_, Kept::read, part_, &rest_, deep_prices_);
    } else {
      judge_all(part_tile_, Kept::unused, part_, nullptr, deep_prices_);
      fill_rest(part);
      judge_all(rest_tile_, Kept::unused, rest_, nullptr, deep_prices_);
    }
    return {finish(part_, n_part, 1, false), finish(rest_, sample_->n_rows() - n_part, 1, false)};
  }

 private:
  struct Set {
    std::vector<std::int16_t> singles, totals;
    AlignedVector<std::int16_t> ones, zeros;
  };

  void count(bool keep) override {
    const Options& options = context_.options;
    const std::int64_t by_weight = (options.min_weight + unit_ - 1) / unit_;
    min_rows_ = static_cast<std::int32_t>(std::min<std::int64_t>(
        std::max<std::int64_t>({options.min_rows, by_weight, 1}), most_rows));
    for (Set* set : {&own_, &part_, &rest_}) {
      set->singles.resize(n_classes_ * n_padded_);
      set->totals.resize(n_classes_);
      set->ones.resize(n_padded_);
      set->zeros.resize(n_padded_);
    }
    read_prices(prices_, 1);
    read_prices(deep_prices_, 2);
    tile_.fill(*context_.kernel, *sample_, all_rows_, true);
    count_singles(tile_, own_);
    if (keep) {
      const std::size_t size =
          static_cast<std::size_t>(sample_->n_columns()) * n_padded_ * n_classes_;
      make_room(table_, size);
    }
    judge_all(tile_, keep ? Kept::write : Kept::unused, own_, nullptr, prices_);
    sizes_ = finish(own_, sample_->n_rows(), 0, true);
    if (keep) add_overlaps();
  }

  void read_prices(std::vector<std::int16_t>& prices, std::int32_t below) {
    prices.clear();
    if (!context_.has_prices && !context_.has_levels) return;
    prices.assign(n_padded_, forbidden_price);
    for (std::int32_t j = 0; j < sample_->n_columns(); ++j) {
      const Value rows = price(j, below) / unit_;
      if (rows <= sample_->n_rows())
        prices[static_cast<std::size_t>(j)] = static_cast<std::int16_t>(rows);
    }
  }

  void count_singles(const Tile& tile, Set& set) {
    everything_.assign(static_cast<std::size_t>(tile.n_groups), 0xFFFF);
    std::ranges::fill(set.totals, std::int16_t{0});
    for (std::size_t k = 0, c = 0; k < tile.padded.size(); ++k) {
      while (static_cast<std::int32_t>(k / group_rows) >= tile.first_group[c + 1]) ++c;
      if (tile.padded[k] < sample_->n_rows()) ++set.totals[c];
    }
    for (std::size_t c = 0; c < n_classes_; ++c) {
      const std::int32_t first = tile.first_group[c], n = tile.first_group[c + 1] - first;
      for (std::int32_t block = 0; block < sample_->n_blocks; ++block) {
        context_.kernel->count(
            everything_.data(), tile.block(block) + static_cast<std::size_t>(first) * block_columns,
            n,
            set.singles.data() + c * n_padded_ + static_cast<std::size_t>(block) * block_columns);
      }
    }
  }

  void judge_all(const Tile& tile, Kept use, Set& set, Set* other,
                 const std::vector<std::int16_t>& prices) {
    const auto counted_set = [](Set& s) {
      std::ranges::fill(s.ones, worthless);
      std::ranges::fill(s.zeros, worthless);
      return CountedSet{s.singles.data(), s.totals.data(), s.ones.data(), s.zeros.data()};
    };
    scratch_.resize(static_cast<std::size_t>(tile.n_groups));
    CountJob job;
    job.tile = tile.words.data();
    job.first_group = tile.first_group.data();
    job.scratch = scratch_.data();
    job.n_groups = tile.n_groups;
    job.n_blocks = sample_->n_blocks;
    job.n_classes = static_cast<std::int32_t>(n_classes_);
    job.min_rows = static_cast<std::int16_t>(min_rows_);
    job.prices = prices.empty() ? nullptr : prices.data();
    job.own = counted_set(set);
    job.use = use;
    job.table = table_.data();
    if (other != nullptr) job.other = counted_set(*other);
    // Groups and classes passed for all columns since somebody last looked at the clock.
    const std::int64_t work_of_column =
        static_cast<std::int64_t>(job.n_blocks) * (job.n_groups + 4 * job.n_classes);
    std::int64_t work = 0;
    for (std::int32_t i = 0; i < sample_->n_columns(); ++i) {
      context_.kernel->judge(job, i);
      if ((work += work_of_column) < much_work || !poll) continue;
      poll();
      work = 0;
    }
  }

  // Costs from what each column is worth on top; those of each column are kept for the whole
  // sample.
  Sizes finish(const Set& set, std::int32_t n, std::int32_t below, bool keep) {
    const std::int32_t m = sample_->n_columns();
    const bool priced = context_.has_prices || context_.has_levels;
    std::int32_t most[3] = {-1, -1, -1}, leaf = 0;
    for (const std::int16_t total : set.totals) leaf = std::max<std::int32_t>(leaf, total);
    const Value base = unit_ * n;
    for (std::int32_t i = 0; i < m; ++i) {
      const auto at = static_cast<std::size_t>(i);
      std::int32_t leaf_ones = 0, leaf_zeros = 0, n_ones = 0;
      for (std::size_t c = 0; c < n_classes_; ++c) {
        const std::int32_t in = set.singles[c * n_padded_ + at];
        leaf_ones = std::max(leaf_ones, in);
        leaf_zeros = std::max(leaf_zeros, set.totals[c] - in);
        n_ones += in;
      }
      const std::int32_t ones = set.ones[at], zeros = set.zeros[at];
      std::int32_t worth[3] = {leaf_ones + leaf_zeros,
                               std::max(ones + leaf_zeros, leaf_ones + zeros), ones + zeros};
      const Value dear = priced ? price(i, below) : 0;
      const bool allowed = n_ones >= min_rows_ && n - n_ones >= min_rows_ && dear <= base;
      for (int k = 0; k < 3; ++k) {
        if (!allowed) worth[k] = -1;
        if (priced && allowed) worth[k] -= static_cast<std::int32_t>(dear / unit_);
        most[k] = std::max(most[k], worth[k]);
      }
      if (keep) {
        Sizes& sizes = below_[at];
        sizes[0] = no_value;
        for (std::size_t k = 0; k < 3; ++k) {
          sizes[k + 1] = worth[k] < 0 ? sizes[k] : std::min(sizes[k], base - unit_ * worth[k]);
        }
        leaf_ones_[at] = unit_ * (n_ones - leaf_ones);
        leaf_zeros_[at] = unit_ * (n - n_ones - leaf_zeros);
        stump_ones_[at] = unit_ * (n_ones - ones);
        stump_zeros_[at] = unit_ * (n - n_ones - zeros);
      }
    }
    Sizes sizes;
    sizes[0] = base - unit_ * leaf;
    for (std::size_t k = 0; k < 3; ++k) sizes[k + 1] = std::min(sizes[k], base - unit_ * most[k]);
    return sizes;
  }

  void add_overlaps() {
    const auto m = static_cast<std::size_t>(sample_->n_columns());
    const auto n_blocks = static_cast<std::size_t>(sample_->n_blocks);
    overlaps_.resize(m * n_padded_);
    const auto unit = static_cast<double>(unit_);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t block = i / block_columns; block < n_blocks; ++block) {
        const std::int16_t* counts =
            table_.data() + (i * n_blocks + block) * n_classes_ * block_columns;
        for (std::size_t lane = 0; lane < block_columns; ++lane) {
          std::int32_t both = 0;
          for (std::size_t c = 0; c < n_classes_; ++c) both += counts[c * block_columns + lane];
          const std::size_t j = block * block_columns + lane;
          overlaps_[i * n_padded_ + j] = unit * both;
          if (j < m) overlaps_[j * n_padded_ + i] = unit * both;
        }
      }
      if (poll) poll();
    }
  }

  const Value unit_;  // weight of every row
  const std::size_t n_classes_;
  std::int32_t min_rows_ = 1;
  Set own_, part_, rest_;
  AlignedVector<std::int16_t> table_;
  std::vector<std::int16_t> prices_, deep_prices_;  // of tests one and two levels below the node
  std::vector<std::uint16_t> scratch_, everything_;
};

}  // namespace

bool can_count(const Context& context, const Sample& sample) {
  if (!context.counted) return false;
  if (!is_restricted(context)) return sample.n_rows() <= most_rows;
  const auto whole_rows = [&](const Column& column) {
    return column.price % context.task.common_weight == 0;
  };
  return sample.n_rows() <= most_restricted_rows && std::ranges::all_of(sample.columns, whole_rows);
}

std::unique_ptr<DepthTwo> make_counts(const Context& context) {
  return std::make_unique<Counts>(context);
}

}  // namespace treewright::search
