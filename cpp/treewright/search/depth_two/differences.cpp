// Depth two for two classes whose errors all cost the same. A leaf of n rows, d more of one class
// than of the other, has (n - |d|) / 2 errors: differences are all that has to be counted.
#include "treewright/search/depth_two/depth_two.hpp"

namespace treewright::search {

namespace {

constexpr std::int16_t forbidden_price = 0x3FFF;
constexpr std::int32_t most_rows = 0x7FFF;
constexpr std::int32_t most_priced_rows =
    0x1FFF;  // a forbidden split stays below every allowed one

class Differences final : public DepthTwo {
 public:
  explicit Differences(const Context& context)
      : DepthTwo(context), unit_(context.task.common_weight) {}

  std::array<Sizes, 2> split(std::span<const std::int32_t> part) override {
    part_tile_.fill(*context_.kernel, *sample_, part, true);
    const auto n_part = static_cast<std::int32_t>(part.size());
    const std::int32_t n_first = sample_->first_row[1];
    const auto of_first =
        static_cast<std::int32_t>(std::ranges::lower_bound(part, n_first) - part.begin());
    part_.total = static_cast<std::int16_t>(2 * of_first - n_part);
    rest_.total = static_cast<std::int16_t>(own_.total - part_.total);
    count_singles(part_tile_, part_);
    for (std::size_t j = 0; j < n_padded_; ++j) {
      rest_.singles[j] = static_cast<std::int16_t>(own_.singles[j] - part_.singles[j]);
    }
    if (context_.options.fused) {
      judge_all(part_tile_, Kept::read, part_, &rest_, deep_prices_);
    } else {
      judge_all(part_tile_, Kept::unused, part_, nullptr, deep_prices_);
      fill_rest(part);
      judge_all(rest_tile_, Kept::unused, rest_, nullptr, deep_prices_);
    }
    return {finish(part_, n_part, 1), finish(rest_, sample_->n_rows() - n_part, 1)};
  }

 private:
  struct Set {
    AlignedVector<std::int16_t> singles, ones, zeros;
    std::int16_t total = 0;
    DifferenceWorth worth;  // of all columns, where no test has a price
  };

  void count(bool keep) override {
    for (Set* set : {&own_, &part_, &rest_}) {
      set->singles.resize(n_padded_);
      set->ones.resize(n_padded_);
      set->zeros.resize(n_padded_);
    }
    read_prices(prices_, 1);
    read_prices(deep_prices_, 2);
    tile_.fill(*context_.kernel, *sample_, all_rows_, true);
    own_.total = static_cast<std::int16_t>(2 * sample_->first_row[1] - sample_->n_rows());
    count_singles(tile_, own_);
    if (keep) {
      const std::size_t size = static_cast<std::size_t>(sample_->n_columns()) * n_padded_;
      if (table_.size() < size) table_.resize(size);
      if (both_.size() < size) both_.resize(size);
    }
    judge_all(tile_, keep ? Kept::write : Kept::unused, own_, nullptr, prices_);
    sizes_ = finish(own_, sample_->n_rows(), 0);
    keep_each();
    if (keep) add_overlaps();
  }

  void read_prices(std::vector<std::int16_t>& prices, std::int32_t below) {
    prices.clear();
    if (!is_priced()) return;
    prices.assign(n_padded_, forbidden_price);
    for (std::int32_t j = 0; j < sample_->n_columns(); ++j) {
      const Value rows = price(j, below) / unit_;
      if (rows <= sample_->n_rows())
        prices[static_cast<std::size_t>(j)] = static_cast<std::int16_t>(2 * rows);
    }
  }
  bool is_priced() const { return context_.has_prices || context_.has_levels; }

  void count_singles(const Tile& tile, Set& set) {
    everything_.assign(static_cast<std::size_t>(tile.n_groups), 0xFFFF);
    alignas(64) std::int16_t second[block_columns];
    const std::int32_t n_first = tile.first_group[1];
    for (std::int32_t block = 0; block < sample_->n_blocks; ++block) {
      std::int16_t* out = set.singles.data() + static_cast<std::size_t>(block) * block_columns;
      context_.kernel->count(everything_.data(), tile.block(block), n_first, out);
      context_.kernel->count(everything_.data(),
                             tile.block(block) + static_cast<std::size_t>(n_first) * block_columns,
                             tile.n_groups - n_first, second);
      for (int lane = 0; lane < block_columns; ++lane)
        out[lane] = static_cast<std::int16_t>(out[lane] - second[lane]);
    }
  }

  void judge_all(const Tile& tile, Kept use, Set& set, Set* other,
                 const std::vector<std::int16_t>& prices) {
    const auto judged = [](Set& s) {
      std::ranges::fill(s.ones, worthless);
      std::ranges::fill(s.zeros, worthless);
      return DifferenceSet{s.singles.data(), s.total, s.ones.data(), s.zeros.data()};
    };
    scratch_.resize(static_cast<std::size_t>(tile.n_groups) * scratch_words);
    DifferenceJob job;
    job.tile = tile.words.data();
    job.scratch = scratch_.data();
    job.n_groups = tile.n_groups;
    job.n_first = tile.first_group[1];
    job.n_blocks = sample_->n_blocks;
    job.n_columns = sample_->n_columns();
    job.prices = prices.empty() ? nullptr : prices.data();
    job.small = tile.first_group[1] <= most_small_groups &&
                tile.n_groups - tile.first_group[1] <= most_small_groups;
    job.own = judged(set);
    job.use = use;
    job.table = table_.data();
    job.both = both_.data();
    if (other != nullptr) job.other = judged(*other);
    const bool long_work = sample_->n_columns() > 256;
    for (std::int32_t i = 0; i < sample_->n_columns(); i += judged_columns) {
      context_.kernel->judge_differences(job, i);
      if (long_work && i % 64 == 0 && poll) poll();
    }
    if (!prices.empty()) return;
    set.worth = context_.kernel->add_up(job.own, job.n_columns);
    if (other != nullptr) other->worth = context_.kernel->add_up(job.other, job.n_columns);
  }

  // What `worth` (absolute differences of the leaves, added up, less prices) costs.
  Value cost(std::int32_t n, std::int32_t worth) const { return unit_ * ((n - worth) / 2); }

  Sizes finish(const Set& set, std::int32_t n, std::int32_t below) const {
    std::int32_t one = set.worth.one, two = set.worth.two, three = set.worth.three;
    if (is_priced()) {
      one = two = three = worthless;
      for (std::size_t i = 0; i < static_cast<std::size_t>(sample_->n_columns()); ++i) {
        const Value dear = price(static_cast<std::int32_t>(i), below) / unit_;
        if (dear > n) continue;
        const std::array<std::int32_t, 3> worth = worth_of(set, i, static_cast<std::int32_t>(dear));
        one = std::max(one, worth[0]);
        two = std::max(two, worth[1]);
        three = std::max(three, worth[2]);
      }
    }
    Sizes sizes;
    sizes[0] = cost(n, std::abs(set.total));
    sizes[1] = std::min(sizes[0], cost(n, one));
    sizes[2] = std::min(sizes[1], cost(n, two));
    sizes[3] = std::min(sizes[2], cost(n, three));
    return sizes;
  }

  static std::array<std::int32_t, 3> worth_of(const Set& set, std::size_t i, std::int32_t price) {
    const std::int32_t leaf_ones = std::abs(set.singles[i]),
                       leaf_zeros = std::abs(set.total - set.singles[i]);
    const std::int32_t ones = set.ones[i], zeros = set.zeros[i];
    return {leaf_ones + leaf_zeros - 2 * price,
            std::max(ones + leaf_zeros, leaf_ones + zeros) - 2 * price, ones + zeros - 2 * price};
  }

  void keep_each() {
    const std::int32_t n = sample_->n_rows();
    for (std::int32_t i = 0; i < sample_->n_columns(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int32_t n_ones = sample_->columns[at].n_ones;
      leaf_ones_[at] = cost(n_ones, std::abs(own_.singles[at]));
      leaf_zeros_[at] = cost(n - n_ones, std::abs(own_.total - own_.singles[at]));
      stump_ones_[at] = cost(n_ones, own_.ones[at]);
      stump_zeros_[at] = cost(n - n_ones, own_.zeros[at]);
      const Value dear = price(i, 0) / unit_;
      Sizes& sizes = below_[at];
      sizes.fill(no_value);
      if (dear > n || n_ones == 0 || n_ones == n) continue;
      const std::array<std::int32_t, 3> worth = worth_of(own_, at, static_cast<std::int32_t>(dear));
      for (std::size_t k = 0; k < 3; ++k) {
        sizes[k + 1] = worth[k] >= -2 * n ? std::min(sizes[k], cost(n, worth[k])) : sizes[k];
      }
    }
  }

  // The kernel has counted each column with those of its own vector and of later ones.
  void add_overlaps() {
    const auto m = static_cast<std::size_t>(sample_->n_columns());
    const auto width = static_cast<std::size_t>(context_.kernel->width);
    for (std::size_t i = width; i < m; ++i) {
      std::int16_t* const row = both_.data() + i * n_padded_;
      for (std::size_t j = 0; j < i / width * width; ++j) row[j] = both_[j * n_padded_ + i];
    }
    rows_of_both_ = both_.data();
    cost_of_row_ = static_cast<double>(unit_);
  }

  const Value unit_;  // weight of every row
  Set own_, part_, rest_;
  AlignedVector<std::int16_t> table_, both_;
  std::vector<std::int16_t> prices_,
      deep_prices_;  // of tests one and two levels below, twice, in rows
  std::vector<std::uint16_t> everything_;
  std::vector<std::uint32_t> scratch_;
};

}  // namespace

bool can_differ(const Context& context, const Sample& sample) {
  if (!context.counted || context.task.n_classes != 2 || context.sized) return false;
  if (!context.has_prices && !context.has_levels) return sample.n_rows() <= most_rows;
  const auto whole_rows = [&](const Column& column) {
    return column.price % context.task.common_weight == 0;
  };
  return sample.n_rows() <= most_priced_rows && std::ranges::all_of(sample.columns, whole_rows);
}

std::unique_ptr<DepthTwo> make_differences(const Context& context) {
  return std::make_unique<Differences>(context);
}

}  // namespace treewright::search
