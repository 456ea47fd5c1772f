// The body of every kernel, over a type of vectors. Included by one file for each instruction set,
// which is compiled for that set: it must not use anything of the standard library that the linker
// could share with files compiled for another.
//
// A type of vectors V has `width` lanes of 16-bit integers and load, store, fill, add, subtract,
// larger, smaller, absolute, unless_less (worthless where `a < limit`), largest_lane, count (a
// block) and count_some (some chunks of a block). If it also has count_small, small sets are
// counted by that. If it has spread and count_spread, these take the place of count_some: the words
// of the columns of a call are written once as they are wanted, and `spread_columns` of them are
// counted at once; raise_by_largest then takes the largest lane for each column of the call.
#pragma once

#include "treewright/search/kernel/kernel.hpp"

namespace treewright::search {
namespace {

template <class V>
struct Judge {
  using Lanes = typename V::Lanes;

  static void judge(const CountJob& job, std::int32_t column) {
    const bool priced = job.prices != nullptr, sized = job.min_rows > 1;
    if (job.n_classes == 2) {
      if (priced || sized) {
        with_table<2, true>(job, column);
      } else {
        with_table<2, false>(job, column);
      }
    } else if (priced || sized) {
      with_table<0, true>(job, column);
    } else {
      with_table<0, false>(job, column);
    }
  }

 private:
  template <int fixed_classes, bool restricted>
  static void with_table(const CountJob& job, std::int32_t column) {
    switch (job.use) {
      case Kept::unused:
        return row<fixed_classes, restricted, Kept::unused>(job, column);
      case Kept::write:
        return row<fixed_classes, restricted, Kept::write>(job, column);
      case Kept::read:
        return row<fixed_classes, restricted, Kept::read>(job, column);
    }
  }

  template <int fixed_classes, bool restricted, Kept use>
  static void row(const CountJob& job, std::int32_t column) {
    const std::int32_t n_classes = fixed_classes > 0 ? fixed_classes : job.n_classes;
    const std::int32_t own_block = column / block_columns;
    const std::size_t block_size = static_cast<std::size_t>(job.n_groups) * block_columns;
    const std::uint16_t* bits =
        job.tile + static_cast<std::size_t>(own_block) * block_size + column % block_columns;

    std::uint16_t* rows = job.scratch;
    for (std::int32_t g = 0; g < job.n_groups; ++g)
      rows[g] = bits[static_cast<std::size_t>(g) * block_columns];

    Best own(job.own, column), other(use == Kept::read ? job.other : job.own, column);
    alignas(64) std::int16_t counts[most_counted_classes][block_columns];
    const std::size_t n_columns = static_cast<std::size_t>(job.n_blocks) * block_columns;
    for (std::int32_t block = own_block; block < job.n_blocks; ++block) {
      const std::uint16_t* others = job.tile + static_cast<std::size_t>(block) * block_size;
      for (std::int32_t c = 0; c < n_classes; ++c) {
        const std::int32_t first = job.first_group[c];
        V::count(rows + first, others + static_cast<std::size_t>(first) * block_columns,
                 job.first_group[c + 1] - first, counts[c]);
      }
      std::int16_t* kept = nullptr;
      if constexpr (use != Kept::unused) {
        kept = job.table +
               ((static_cast<std::size_t>(column) * static_cast<std::size_t>(job.n_blocks) +
                 static_cast<std::size_t>(block)) *
                static_cast<std::size_t>(n_classes)) *
                   block_columns;
      }
      for (std::int32_t lane = 0; lane < block_columns; lane += V::width) {
        const std::size_t at =
            static_cast<std::size_t>(block) * block_columns + static_cast<std::size_t>(lane);
        own.template raise<fixed_classes, restricted>(
            job, job.own, n_columns, at, column, [&](std::int32_t c) {
              const Lanes count = V::load(counts[c] + lane);
              if constexpr (use == Kept::write) V::store(kept + c * block_columns + lane, count);
              return count;
            });
        if constexpr (use == Kept::read) {
          other.template raise<fixed_classes, restricted>(
              job, job.other, n_columns, at, column, [&](std::int32_t c) {
                return V::subtract(V::load(kept + c * block_columns + lane),
                                   V::load(counts[c] + lane));
              });
        }
      }
    }
    own.finish(job.own, column);
    if constexpr (use == Kept::read) other.finish(job.other, column);
  }

  // What one column is worth as the upper test of a set.
  struct Best {
    Lanes ones, zeros;

    Best(const CountedSet& set, std::int32_t column)
        : ones(V::fill(set.ones[column])), zeros(V::fill(set.zeros[column])) {}

    template <int fixed_classes, bool restricted, class CountOf>
    void raise(const CountJob& job, const CountedSet& set, std::size_t n_columns, std::size_t at,
               std::int32_t column, const CountOf& count_of) {
      const std::int32_t n_classes = fixed_classes > 0 ? fixed_classes : job.n_classes;
      Lanes best11 = V::fill(0), best10 = best11, best01 = best11, best00 = best11;
      Lanes n11 = best11, n10 = best11, n01 = best11, n00 = best11;
      for (std::int32_t c = 0; c < n_classes; ++c) {
        const std::int16_t* singles = set.singles + static_cast<std::size_t>(c) * n_columns;
        const Lanes in11 = count_of(c);
        const Lanes in10 = V::subtract(V::fill(singles[column]), in11);
        const Lanes in01 = V::subtract(V::load(singles + at), in11);
        const Lanes in00 =
            V::subtract(V::fill(static_cast<std::int16_t>(set.totals[c] - singles[column])), in01);
        best11 = V::larger(best11, in11);
        best10 = V::larger(best10, in10);
        best01 = V::larger(best01, in01);
        best00 = V::larger(best00, in00);
        if constexpr (restricted) {
          n11 = V::add(n11, in11);
          n10 = V::add(n10, in10);
          n01 = V::add(n01, in01);
          n00 = V::add(n00, in00);
        }
      }
      Lanes upper_ones = V::add(best11, best10), upper_zeros = V::add(best01, best00);
      Lanes lower_ones = V::add(best11, best01), lower_zeros = V::add(best10, best00);
      if constexpr (restricted) {
        const Lanes least = V::fill(job.min_rows);
        if (job.prices != nullptr) {
          const Lanes theirs = V::load(job.prices + at), mine = V::fill(job.prices[column]);
          upper_ones = V::subtract(upper_ones, theirs);
          upper_zeros = V::subtract(upper_zeros, theirs);
          lower_ones = V::subtract(lower_ones, mine);
          lower_zeros = V::subtract(lower_zeros, mine);
        }
        upper_ones = V::unless_less(V::smaller(n11, n10), least, upper_ones);
        upper_zeros = V::unless_less(V::smaller(n01, n00), least, upper_zeros);
        lower_ones = V::unless_less(V::smaller(n11, n01), least, lower_ones);
        lower_zeros = V::unless_less(V::smaller(n10, n00), least, lower_zeros);
      }
      ones = V::larger(ones, upper_ones);
      zeros = V::larger(zeros, upper_zeros);
      V::store(set.ones + at, V::larger(V::load(set.ones + at), lower_ones));
      V::store(set.zeros + at, V::larger(V::load(set.zeros + at), lower_zeros));
    }

    void finish(const CountedSet& set, std::int32_t column) const {
      const std::int16_t best_ones = V::largest_lane(ones), best_zeros = V::largest_lane(zeros);
      if (best_ones > set.ones[column]) set.ones[column] = best_ones;
      if (best_zeros > set.zeros[column]) set.zeros[column] = best_zeros;
    }
  };
};

// The same for two classes, by differences, several columns at a time.
template <class V>
struct JudgeDifferences {
  using Lanes = typename V::Lanes;
  static constexpr std::int32_t chunks = block_columns / V::width;
  static constexpr bool has_small = requires(const std::uint16_t* words, Lanes* out) {
    V::template count_small<judged_columns>(words, words, 0, 0, out);
  };
  static constexpr bool has_spread = requires { V::spread_columns; };

  static void judge(const DifferenceJob& job, std::int32_t column) {
    switch (job.use) {
      case Kept::unused:
        return priced<Kept::unused>(job, column);
      case Kept::write:
        return priced<Kept::write>(job, column);
      case Kept::read:
        return priced<Kept::read>(job, column);
    }
  }

  static DifferenceWorth add_up(const DifferenceSet& set, std::int32_t n_columns) {
    const Lanes total = V::fill(set.total);
    Lanes one = V::fill(worthless), two = one, three = one;
    for (std::int32_t at = 0; at < n_columns; at += V::width) {
      const Lanes passing = V::load(set.singles + at), failing = V::subtract(total, passing);
      const Lanes best_ones = V::load(set.ones + at), best_zeros = V::load(set.zeros + at);
      const Lanes ones = V::subtract(V::add(best_ones, best_ones), passing);
      const Lanes zeros = V::subtract(V::add(best_zeros, best_zeros), failing);
      V::store(set.ones + at, ones);
      V::store(set.zeros + at, zeros);
      const Lanes leaf_ones = V::absolute(passing), leaf_zeros = V::absolute(failing);
      one = V::larger(one, V::add(leaf_ones, leaf_zeros));
      two = V::larger(two, V::larger(V::add(ones, leaf_zeros), V::add(leaf_ones, zeros)));
      three = V::larger(three, V::add(ones, zeros));
    }
    return {V::largest_lane(one), V::largest_lane(two), V::largest_lane(three)};
  }

 private:
  template <Kept use>
  static void priced(const DifferenceJob& job, std::int32_t first) {
    if (job.prices != nullptr) {
      all<use, true>(job, first);
    } else {
      all<use, false>(job, first);
    }
  }

  template <Kept use, bool with_prices>
  static void all(const DifferenceJob& job, std::int32_t first) {
    const std::int32_t left = job.n_columns - first;
    if constexpr (use == Kept::read && !with_prices && has_small) {
      if (job.small && left >= judged_columns) {
        return Rows<judged_columns, use, false>(job, first).run_small();
      }
    }
    const std::int32_t end = left < judged_columns ? job.n_columns : first + judged_columns;
    if constexpr (has_spread) {
      spread<use, with_prices>(job, first, end);
    } else {
      for (std::int32_t column = first; column < end; column += 2) {
        if (column + 1 < end) {
          Rows<2, use, with_prices>(job, column).run();
        } else {
          Rows<1, use, with_prices>(job, column).run();
        }
      }
    }
  }

  template <Kept use, bool with_prices>
  static void spread(const DifferenceJob& job, std::int32_t first, std::int32_t end) {
    V::spread(block_at(job, first / block_columns) + first % block_columns, job.n_groups,
              job.scratch);
    constexpr std::int32_t many = V::spread_columns;
    Ends own, other;
    std::int32_t column = first;
    for (; column + many <= end; column += many) {
      const std::int32_t place = column - first;
      Rows<many, use, with_prices>(job, column).run_spread(job.scratch + place, own, other, place);
    }
    for (; column < end; ++column) {
      const std::int32_t place = column - first;
      Rows<1, use, with_prices>(job, column).run_spread(job.scratch + place, own, other, place);
    }
    // In the last vector lanes have told everything; any other one is full, and so is this call.
    if (first / V::width == (job.n_columns - 1) / V::width) return;
    own.raise(job.own, first);
    if constexpr (use == Kept::read) other.raise(job.other, first);
  }

  // What the columns of a call are worth as upper tests, lane by lane.
  struct Ends {
    Lanes ones[judged_columns], zeros[judged_columns];

    void raise(const DifferenceSet& set, std::int32_t first) const {
      V::raise_by_largest(ones, set.ones + first);
      V::raise_by_largest(zeros, set.zeros + first);
    }
  };

  static const std::uint16_t* block_at(const DifferenceJob& job, std::int32_t block) {
    return job.tile +
           static_cast<std::size_t>(block) * static_cast<std::size_t>(job.n_groups) * block_columns;
  }

  // What a column is worth as the upper test of a set.
  struct Best {
    Lanes mine;      // difference where the column's test is passed
    Lanes the_rest;  // and where it is not
    Lanes ones, zeros;

    void begin(const DifferenceSet& set, std::int32_t column) {
      mine = V::fill(set.singles[column]);
      the_rest = V::fill(static_cast<std::int16_t>(set.total - set.singles[column]));
      ones = zeros = V::fill(worthless);
    }
    void finish(const DifferenceSet& set, std::int32_t column) const {
      const std::int16_t best_ones = V::largest_lane(ones), best_zeros = V::largest_lane(zeros);
      if (best_ones > set.ones[column]) set.ones[column] = best_ones;
      if (best_zeros > set.zeros[column]) set.zeros[column] = best_zeros;
    }
  };

  template <int rows, Kept use, bool with_prices>
  struct Rows {
    const DifferenceJob& job;
    const std::int32_t column;
    Best own[rows], other[rows];
    Lanes my_price[rows];

    Rows(const DifferenceJob& wanted, std::int32_t first) : job(wanted), column(first) {
      for (int r = 0; r < rows; ++r) {
        own[r].begin(job.own, column + r);
        if constexpr (use == Kept::read) other[r].begin(job.other, column + r);
        if constexpr (with_prices) my_price[r] = V::fill(job.prices[column + r]);
      }
    }

    void run() {
      const std::int32_t own_block = column / block_columns;
      for (std::int32_t block = own_block; block < job.n_blocks; ++block) {
        std::int32_t chunk = block == own_block ? column % block_columns / V::width : 0;
        const std::int32_t left = (job.n_columns - block * block_columns + V::width - 1) / V::width;
        const std::int32_t end = left < chunks ? left : chunks;
        if constexpr (chunks >= 4) {
          for (; chunk + 4 <= end; chunk += 4) some<4>(block, chunk);
        }
        if constexpr (chunks >= 2) {
          for (; chunk + 2 <= end; chunk += 2) some<2>(block, chunk);
        }
        for (; chunk < end; ++chunk) some<1>(block, chunk);
      }
      finish();
    }

    // Columns of one vector are all paired with each other, each pair twice: there it is enough to
    // look at the lanes as upper tests.
    void run_spread(const std::uint32_t* mine, Ends& own_ends, Ends& other_ends, int place) {
      std::int32_t at = column / V::width * V::width;
      spread_chunk<true>(mine, at);
      for (at += V::width; at < job.n_columns; at += V::width) spread_chunk<false>(mine, at);
      for (int r = 0; r < rows; ++r) {
        own_ends.ones[place + r] = own[r].ones;
        own_ends.zeros[place + r] = own[r].zeros;
        if constexpr (use == Kept::read) {
          other_ends.ones[place + r] = other[r].ones;
          other_ends.zeros[place + r] = other[r].zeros;
        }
      }
    }

    template <bool lanes_only>
    void spread_chunk(const std::uint32_t* mine, std::int32_t at) {
      const std::int32_t block = at / block_columns;
      const auto shift = static_cast<std::size_t>(at % block_columns),
                 n_first = static_cast<std::size_t>(job.n_first);
      const std::uint16_t* theirs = block_at(job, block) + shift;
      Lanes first[rows], second[rows];
      V::template count_spread<rows>(mine, theirs, job.n_first, first);
      V::template count_spread<rows>(mine + n_first * V::spread_words,
                                     theirs + n_first * block_columns, job.n_groups - job.n_first,
                                     second);
      judge_chunk<lanes_only>(block, shift, first, second);
    }

    void run_small() {
      const std::uint16_t* mine = block_at(job, column / block_columns) + column % block_columns;
      for (std::int32_t first = column / V::width * V::width; first < job.n_columns;
           first += V::width) {
        const std::int32_t block = first / block_columns;
        const auto shift = static_cast<std::size_t>(first % block_columns);
        Lanes in11[rows], rest[rows];
        V::template count_small<rows>(mine, block_at(job, block) + shift, job.n_first, job.n_groups,
                                      in11);
        for (int r = 0; r < rows; ++r) {
          rest[r] = V::subtract(V::load(job.table + kept_at(r, block) + shift), in11[r]);
        }
        raise<false>(job.own, own, static_cast<std::size_t>(first), in11);
        raise<false>(job.other, other, static_cast<std::size_t>(first), rest);
      }
      finish();
    }

    void finish() const {
      for (int r = 0; r < rows; ++r) {
        own[r].finish(job.own, column + r);
        if constexpr (use == Kept::read) other[r].finish(job.other, column + r);
      }
    }

    std::size_t kept_at(int row, std::int32_t block) const {
      return (static_cast<std::size_t>(column + row) * static_cast<std::size_t>(job.n_blocks) +
              static_cast<std::size_t>(block)) *
             block_columns;
    }

    // Some chunks of lanes at a time, so that words are read once for all of them.
    template <int n>
    void some(std::int32_t block, std::int32_t chunk) {
      const std::size_t lane = static_cast<std::size_t>(chunk) * V::width;
      const std::uint16_t* mine = block_at(job, column / block_columns) + column % block_columns;
      const std::uint16_t* theirs = block_at(job, block) + lane;
      const std::size_t first_size = static_cast<std::size_t>(job.n_first) * block_columns;
      Lanes first[rows][n], second[rows][n];
      V::template count_some<rows, n>(mine, theirs, job.n_first, first);
      V::template count_some<rows, n>(mine + first_size, theirs + first_size,
                                      job.n_groups - job.n_first, second);
      for (int k = 0; k < n; ++k) {
        Lanes passing[rows], in_second[rows];
        for (int r = 0; r < rows; ++r) {
          passing[r] = first[r][k];
          in_second[r] = second[r][k];
        }
        judge_chunk<false>(block, lane + static_cast<std::size_t>(k) * V::width, passing,
                           in_second);
      }
    }

    // Takes how many rows of each class pass both tests, from column `shift` of a block on.
    template <bool lanes_only>
    void judge_chunk(std::int32_t block, std::size_t shift, const Lanes* first,
                     const Lanes* second) {
      const std::size_t at = static_cast<std::size_t>(block) * block_columns + shift;
      Lanes difference[rows], rest[rows];
      for (int r = 0; r < rows; ++r) {
        difference[r] = V::subtract(first[r], second[r]);
        std::int16_t* kept = job.table + kept_at(r, block) + shift;
        if constexpr (use == Kept::write) {
          V::store(kept, difference[r]);
          V::store(job.both + kept_at(r, block) + shift, V::add(first[r], second[r]));
        }
        if constexpr (use == Kept::read) rest[r] = V::subtract(V::load(kept), difference[r]);
      }
      raise<lanes_only>(job.own, own, at, difference);
      if constexpr (use == Kept::read) raise<lanes_only>(job.other, other, at, rest);
    }

    // |a| + |b| is the larger of |a + b| and |a - b|. Here a + b belongs to the upper test alone,
    // and is reached where the lower test is the same one; |a - b| is twice the larger of both less
    // a + b. So the largest of all differences is enough, and what belongs to the upper test is
    // taken from twice that at the end.
    template <bool lanes_only>
    void raise(const DifferenceSet& set, Best* best, std::size_t at, const Lanes* in11) {
      if constexpr (with_prices) return raise_priced<lanes_only>(set, best, at, in11);
      const Lanes singles = V::load(set.singles + at);
      Lanes set_ones = V::load(set.ones + at), set_zeros = V::load(set.zeros + at);
      for (int r = 0; r < rows; ++r) {
        const Lanes in10 = V::subtract(best[r].mine, in11[r]);
        const Lanes in01 = V::subtract(singles, in11[r]);
        const Lanes in00 = V::subtract(best[r].the_rest, in01);
        if constexpr (!lanes_only) {
          best[r].ones = V::larger(best[r].ones, V::larger(in11[r], in10));
          best[r].zeros = V::larger(best[r].zeros, V::larger(in01, in00));
        }
        set_ones = V::larger(set_ones, V::larger(in11[r], in01));
        set_zeros = V::larger(set_zeros, V::larger(in10, in00));
      }
      V::store(set.ones + at, set_ones);
      V::store(set.zeros + at, set_zeros);
    }

    // Where a split below costs something, its worth is the sum of both less its price.
    template <bool lanes_only>
    void raise_priced(const DifferenceSet& set, Best* best, std::size_t at, const Lanes* in11) {
      const Lanes singles = V::load(set.singles + at), price = V::load(job.prices + at);
      Lanes set_ones = V::load(set.ones + at), set_zeros = V::load(set.zeros + at);
      for (int r = 0; r < rows; ++r) {
        const Lanes in01 = V::subtract(singles, in11[r]);
        const Lanes a11 = V::absolute(in11[r]),
                    a10 = V::absolute(V::subtract(best[r].mine, in11[r]));
        const Lanes a01 = V::absolute(in01), a00 = V::absolute(V::subtract(best[r].the_rest, in01));
        if constexpr (!lanes_only) {
          best[r].ones = V::larger(best[r].ones, V::subtract(V::add(a11, a10), price));
          best[r].zeros = V::larger(best[r].zeros, V::subtract(V::add(a01, a00), price));
        }
        set_ones = V::larger(set_ones, V::subtract(V::add(a11, a01), my_price[r]));
        set_zeros = V::larger(set_zeros, V::subtract(V::add(a10, a00), my_price[r]));
      }
      V::store(set.ones + at, set_ones);
      V::store(set.zeros + at, set_zeros);
    }
  };
};

// V::compare, if there is one, deals with so many columns as fill its vectors and returns how many.
template <class V>
void compare(const CompareJob& job) {
  std::size_t j = 0;
  if constexpr (requires { V::compare(job); }) j = V::compare(job);
  for (std::size_t at = j; at < job.n_columns; ++at) job.as_first[at] = job.as_second[at] = 0;
  for (std::size_t k = 0; k < CompareJob::n_rows; ++k) {
    const double* row = job.rows + static_cast<std::ptrdiff_t>(k) * job.stride;
    for (std::size_t at = j; at < job.n_columns; ++at) {
      job.as_first[at] |= row[at] == job.first[at] ? std::uint64_t{1} << k : 0;
      job.as_second[at] |= row[at] == job.second[at] ? std::uint64_t{1} << k : 0;
    }
  }
}

// A kernel that does what is not about counting as every processor can.
template <class V>
constexpr Kernel kernel_of(std::string_view name) {
  return {name,
          V::width,
          V::count,
          Judge<V>::judge,
          JudgeDifferences<V>::judge,
          JudgeDifferences<V>::add_up,
          portable_fill,
          portable_rows,
          portable_columns,
          portable_list,
          portable_count,
          compare<V>};
}

}  // namespace
}  // namespace treewright::search
