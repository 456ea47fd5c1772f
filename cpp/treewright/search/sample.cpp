#include "treewright/search/sample.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "treewright/search/kernel/transpose.hpp"

namespace treewright::search {

namespace {

constexpr std::int32_t rounded_up(std::int32_t n, std::int32_t unit) {
  return (n + unit - 1) / unit;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29);
}

}  // namespace

void list_rows(const Kernel& kernel, std::span<const std::uint64_t> bits, std::int32_t n_rows,
               bool wanted, std::vector<std::int32_t>& out) {
  const std::int32_t n_passing = kernel.count_bits(bits.data(), bits.size());
  const auto n = static_cast<std::size_t>(wanted ? n_passing : n_rows - n_passing);
  out.resize(n + list_room);
  kernel.list(bits.data(), n_rows, wanted, out.data());
  out.resize(n);
}

void Tile::fill(const Kernel& kernel, const Sample& sample, std::span<const std::int32_t> listed,
                bool by_class) {
  const std::int32_t empty = sample.n_rows();
  padded.clear();
  first_group.assign(1, 0);
  const std::size_t n_classes = by_class ? sample.first_row.size() - 1 : 1;
  auto next = listed.begin();
  for (std::size_t c = 0; c < n_classes; ++c) {
    const auto end =
        by_class ? std::lower_bound(next, listed.end(), sample.first_row[c + 1]) : listed.end();
    padded.insert(padded.end(), next, end);
    next = end;
    padded.resize((padded.size() + group_rows - 1) / group_rows * group_rows, empty);
    first_group.push_back(static_cast<std::int32_t>(padded.size()) / group_rows);
  }
  n_groups = first_group.back();
  n_blocks = sample.stride;
  const std::size_t size =
      static_cast<std::size_t>(n_blocks) * static_cast<std::size_t>(n_groups) * block_columns;
  if (words.size() < size) words.resize(size);
  kernel.fill({sample.by_row.data(), static_cast<std::size_t>(sample.stride), padded.data(),
               n_groups, n_blocks, words.data()});
}

Sample all_rows_and_tests(const Context& context, const std::function<void()>& poll) {
  const std::size_t n = context.task.n_rows(), n_bytes = (n + 7) / 8;
  Sample all;
  all.rows.resize(n);
  std::iota(all.rows.begin(), all.rows.end(), 0);
  all.first_row = context.task.first_row;
  const Problem& problem = context.problem;
  for (std::size_t t = 0; t < problem.n_tests; ++t) {
    all.columns.push_back(
        {static_cast<std::int32_t>(t), -1, problem.prices[t], problem.last_levels[t]});
  }
  all.n_blocks = rounded_up(all.n_columns(), block_columns);
  all.stride = all.n_blocks + rounded_up(context.n_planes, block_columns);
  const auto stride = static_cast<std::size_t>(all.stride);
  all.by_row.assign((n + 1) * stride, 0);
  std::vector<std::size_t> place(n);  // of an original row in the order of the task
  for (std::size_t r = 0; r < n; ++r)
    place[static_cast<std::size_t>(context.task.original_row[r])] = r;
  // 16 rows of a test; bytes beyond the last one are not there.
  const auto word = [&](std::size_t test, std::size_t group) {
    if (test >= problem.n_tests) return 0U;
    const std::uint8_t* bits = problem.bits.data() + test * n_bytes;
    return bits[2 * group] |
           (2 * group + 1 < n_bytes ? static_cast<unsigned>(bits[2 * group + 1]) << 8 : 0U);
  };
  for (std::size_t b = 0; b < static_cast<std::size_t>(all.n_blocks); ++b) {
    poll();
    for (std::size_t first = 0; first < n; first += group_rows) {
      std::uint32_t x[group_rows];
      for (std::size_t r = 0; r < group_rows; ++r) {
        const std::size_t test = b * block_columns + 2 * r;
        x[r] = word(test, first / group_rows) | word(test + 1, first / group_rows) << 16;
      }
      transpose(x);
      const std::size_t end = std::min<std::size_t>(group_rows, n - first);
      for (std::size_t r = 0; r < end; ++r) all.by_row[place[first + r] * stride + b] = x[r];
    }
  }
  for (std::int32_t p = 0; p < context.n_planes; ++p) {
    const std::uint32_t bit = 1U << bit_of(p % block_columns);
    std::uint32_t* column = all.by_row.data() + all.n_blocks + p / block_columns;
    for (std::size_t r = 0; r < n; ++r) {
      if (context.is_in_plane(r, p)) column[r * stride] |= bit;
    }
  }
  return all;
}

void Sampler::part(const Sample& parent, std::span<const std::int32_t> listed, std::int32_t level,
                   Sample& out) {
  out.rows.clear();
  out.first_row.assign(1, 0);
  std::size_t next = 0;
  for (std::size_t c = 0; c + 1 < parent.first_row.size(); ++c) {
    for (; next < listed.size() && listed[next] < parent.first_row[c + 1]; ++next) {
      out.rows.push_back(parent.rows[static_cast<std::size_t>(listed[next])]);
    }
    out.first_row.push_back(static_cast<std::int32_t>(next));
  }
  out.n_words = static_cast<std::size_t>(rounded_up(out.n_rows(), 64));
  mark_unknown(level, out);
  tile_.fill(*context_.kernel, parent, listed, false);
  read_words(parent);
  reduce(parent, level, out);
  copy_columns(parent, out);
  summarise(out);
}

void Sampler::mark_unknown(std::int32_t level, Sample& out) const {
  out.unknown.clear();
  out.unknown_number.clear();
  if (level >= context_.options.pair_levels || context_.problem.unknown_of.empty()) return;
  const std::size_t n_sets = context_.n_unknown_sets();
  out.unknown.assign(n_sets * out.n_words, 0);
  for (std::size_t set = 0; set < n_sets; ++set) {
    const auto here = std::span(out.unknown).subspan(set * out.n_words, out.n_words);
    for (std::size_t k = 0; k < out.rows.size(); ++k) {
      const auto row = static_cast<std::size_t>(out.rows[k]);
      const auto original = static_cast<std::size_t>(context_.task.original_row[row]);
      if (context_.is_unknown(static_cast<std::int32_t>(set), original))
        here[k / 64] |= std::uint64_t{1} << (k % 64);
    }
    std::int32_t number = 0;
    if (std::ranges::any_of(here, [](std::uint64_t word) { return word != 0; })) {
      std::size_t first = 0;
      while (!std::ranges::equal(
          here, std::span(out.unknown).subspan(first * out.n_words, out.n_words))) {
        ++first;
      }
      number = static_cast<std::int32_t>(first) + 1;
    }
    out.unknown_number.push_back(number);
  }
}

void Sampler::all_rows(Sample& out) const {
  out.rows.resize(context_.task.n_rows());
  std::iota(out.rows.begin(), out.rows.end(), 0);
  out.first_row = context_.task.first_row;
  summarise(out);
}

// The tile, columns side by side.
void Sampler::read_words(const Sample& parent) {
  n_words_ = static_cast<std::size_t>(rounded_up(tile_.n_groups, 4));
  const std::size_t n_columns = static_cast<std::size_t>(parent.stride) * block_columns;
  words_.resize(n_columns * n_words_);
  n_ones_.assign(n_columns, 0);
  nothing_.assign(n_words_, 0);
  for (std::int32_t b = 0; b < parent.stride; ++b) {
    if (poll) poll();
    const std::size_t first = static_cast<std::size_t>(b) * block_columns;
    context_.kernel->write_columns({tile_.block(b), tile_.n_groups,
                                    words_.data() + first * n_words_, n_words_,
                                    n_ones_.data() + first});
  }
}

// Chooses the columns to keep: none that is constant, and of those that divide the rows alike the
// cheapest, then the first; a dearer one as well if it may stand deeper. Where tests are joined,
// those that leave rows open are kept beside others: joined they need not divide the rows alike.
void Sampler::reduce(const Sample& parent, std::int32_t level, const Sample& out) {
  const std::int32_t n_rows = out.n_rows();
  const std::int32_t m = parent.n_columns();
  kept_.clear();
  alike_.assign(static_cast<std::size_t>(m), {});
  opposite_.clear();
  order_.clear();
  for (std::int32_t j = 0; j < m; ++j) {
    if (parent.columns[static_cast<std::size_t>(j)].last_level >= level) order_.push_back(j);
  }
  if (!context_.options.reduction) {
    kept_ = order_;
    for (const std::int32_t j : kept_) {
      opposite_.push_back(parent.columns[static_cast<std::size_t>(j)].opposite);
      alike_[static_cast<std::size_t>(j)].column = j;
    }
    return;
  }
  const auto& columns = parent.columns;
  const auto column = [&](std::int32_t j) -> const Column& {
    return columns[static_cast<std::size_t>(j)];
  };
  if (context_.has_prices) {
    std::ranges::stable_sort(order_, {}, [&](std::int32_t j) { return column(j).price; });
  }
  // Splits that leave too few rows on a side are of no use, unless joined with others.
  const bool alone = level >= context_.options.pair_levels;
  const std::int64_t least =
      alone ? std::max<std::int64_t>(context_.options.min_rows, context_.least_paying_rows) : 1;

  // Joined tests need each test as it is; where prices or levels differ, so do a test and its
  // opposite.
  const bool turning = alone || !(context_.has_prices || context_.has_levels);
  // What a test costs beside another one depends on the column it reads.
  const bool by_source = !alone && context_.options.pair_price > 0;

  // Which rows a test leaves open, and where they go; 0 if none.
  const auto openness = [&](std::int32_t j) {
    const std::int32_t test = column(j).test, set = context_.unknown_set(test);
    if (!out.leaves_open(set)) return 0;
    const std::int32_t number = out.unknown_number[static_cast<std::size_t>(set)];
    return 2 * number + (context_.passes_unknown(test) ? 1 : 0);
  };

  const auto n_slots = std::bit_ceil(static_cast<std::size_t>(m) * 2 + 1);
  slots_.assign(n_slots, -1);
  hashes_.resize(static_cast<std::size_t>(m));
  const std::uint64_t last_mask =
      n_rows % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << n_rows % 64) - 1;
  const auto is_turned = [&](std::int32_t j) {
    return turning && openness(j) == 0 && (words_of(j)[0] & 1) != 0;
  };
  const auto turned_word = [&](std::int32_t j, bool turned, std::size_t w) {
    const std::uint64_t word = turned ? ~words_of(j)[w] : words_of(j)[w];
    return w + 1 == n_words_ ? word & last_mask : word;
  };
  const auto same = [&](std::int32_t a, std::int32_t b) {
    const bool turned_a = is_turned(a), turned_b = is_turned(b);
    for (std::size_t w = 0; w < n_words_; ++w) {
      if (turned_word(a, turned_a, w) != turned_word(b, turned_b, w)) return false;
    }
    return openness(a) == openness(b);
  };
  for (const std::int32_t j : order_) {
    const std::int32_t n_ones = n_ones_[static_cast<std::size_t>(j)], open = openness(j);
    Place& alike = alike_[static_cast<std::size_t>(j)];
    if (open == 0 && (n_ones == 0 || n_ones == n_rows)) alike = {Place::constant, n_ones != 0};
    if (open == 0 && (n_ones < least || n_rows - n_ones < least)) continue;
    const bool turned = is_turned(j);
    std::uint64_t hash = 0x2545F4914F6CDD1DULL + static_cast<std::uint64_t>(open);
    for (std::size_t w = 0; w < n_words_; ++w) hash = mixed(hash, turned_word(j, turned, w));
    hashes_[static_cast<std::size_t>(j)] = hash;
    bool dominated = false;
    std::size_t slot = hash & (n_slots - 1);
    for (; slots_[slot] >= 0; slot = (slot + 1) & (n_slots - 1)) {
      const std::int32_t place = slots_[slot], other = kept_[static_cast<std::size_t>(place)];
      if (hashes_[static_cast<std::size_t>(other)] != hash) continue;
      if (!same(j, other)) continue;
      if (by_source && !context_.same_source(column(j).test, column(other).test)) continue;
      std::int32_t& opposite = opposite_[static_cast<std::size_t>(place)];
      if (opposite < 0) {
        opposite = turned != is_turned(other) ? column(j).test : column(j).opposite;
      }
      if (column(other).last_level >= column(j).last_level) {
        alike = {other, turned != is_turned(other)};
        dominated = true;
        break;
      }
    }
    if (dominated) continue;
    slots_[slot] = static_cast<std::int32_t>(kept_.size());
    kept_.push_back(j);
    alike.column = j;
    opposite_.push_back(column(j).opposite);
  }
  if (context_.has_prices) {
    std::vector<std::pair<std::int32_t, std::int32_t>> by_test;
    for (std::size_t k = 0; k < kept_.size(); ++k) by_test.emplace_back(kept_[k], opposite_[k]);
    std::ranges::sort(by_test);
    for (std::size_t k = 0; k < kept_.size(); ++k) std::tie(kept_[k], opposite_[k]) = by_test[k];
  }
}

void Sampler::copy_columns(const Sample& parent, Sample& out) {
  const std::int32_t n = out.n_rows(), m = static_cast<std::int32_t>(kept_.size());
  out.columns.clear();
  position_.resize(static_cast<std::size_t>(parent.n_columns()));
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    out.columns.push_back(parent.columns[static_cast<std::size_t>(kept_[k])]);
    out.columns.back().opposite = opposite_[k];
    out.columns.back().n_ones = n_ones_[static_cast<std::size_t>(kept_[k])];
    out.columns.back().above = kept_[k];
    position_[static_cast<std::size_t>(kept_[k])] = static_cast<std::int32_t>(k);
  }
  out.places = alike_;
  for (Place& place : out.places) {
    if (place.column >= 0) place.column = position_[static_cast<std::size_t>(place.column)];
  }
  out.n_blocks = rounded_up(m, block_columns);
  const std::int32_t n_plane_blocks = parent.stride - parent.n_blocks;
  out.stride = out.n_blocks + n_plane_blocks;
  const auto stride = static_cast<std::size_t>(out.stride);
  out.by_column.resize(static_cast<std::size_t>(m) * out.n_words);
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    std::ranges::copy(words_of(kept_[k]),
                      out.by_column.begin() + static_cast<std::ptrdiff_t>(k * out.n_words));
  }
  out.by_row.resize((static_cast<std::size_t>(n) + 1) * stride);
  std::fill(out.by_row.end() - static_cast<std::ptrdiff_t>(stride), out.by_row.end(), 0U);
  // The columns that stand at the 32 places of a block, -1 where there is none.
  const auto place = [&](std::int32_t b, std::int32_t p) {
    if (b >= out.n_blocks) return (parent.n_blocks + b - out.n_blocks) * block_columns + p;
    const std::int32_t k = b * block_columns + p;
    return k < m ? kept_[static_cast<std::size_t>(k)] : -1;
  };
  for (std::int32_t b = 0; b < out.stride; ++b) {
    if (poll) poll();
    RowsJob job;
    for (std::int32_t p = 0; p < block_columns; ++p) {
      const std::int32_t column = place(b, p);
      job.columns[p] = column < 0 ? nothing_.data() : words_of(column).data();
    }
    job.n_rows = n;
    job.by_row = out.by_row.data() + b;
    job.stride = stride;
    context_.kernel->write_rows(job);
  }
}

void Sampler::summarise(Sample& out) const {
  const Task& task = context_.task;
  out.hash = {};
  out.base = 0;
  out.floor = 0;
  out.sums.assign(task.n_sums(), 0.0);
  for (const std::int32_t row : out.rows)
    out.hash ^= context_.row_hash[static_cast<std::size_t>(row)];
  if (context_.has_floors) {
    for (const std::int32_t row : out.rows)
      out.floor += context_.row_floor[static_cast<std::size_t>(row)];
  }
  Value smallest = no_value, largest = 0;
  for (std::size_t c = 0; c + 1 < out.first_row.size(); ++c) {
    const std::int32_t n = out.first_row[c + 1] - out.first_row[c];
    if (n > 0 && !task.numeric && task.common_weight > 0) {  // the rows of a class are all alike
      const auto r = static_cast<std::size_t>(out.rows[static_cast<std::size_t>(out.first_row[c])]);
      out.base += n * task.base[r];
      task.add(r, c, n, out.sums.data());
      continue;
    }
    for (std::int32_t k = out.first_row[c]; k < out.first_row[c + 1]; ++k) {
      const auto r = static_cast<std::size_t>(out.rows[static_cast<std::size_t>(k)]);
      out.base += task.base[r];
      task.add(r, c, 1.0, out.sums.data());
      if (task.numeric) {
        const Value number = task.moment[r] / task.weight[r];
        smallest = std::min(smallest, number);
        largest = std::max(largest, number);
      }
    }
  }
  out.leaf = out.base - static_cast<Value>(task.reward(out.sums.data()));
  const double range = task.numeric ? static_cast<double>(largest - smallest) : 1.0;
  out.row_loss = range * range;
}

}  // namespace treewright::search
