// Sums of columns and of their squares around a reference, over rows whose weights are 1, as if no
// value were missing; where one is, the sum is not a number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/base/prefetch.hpp"
#include "treewright/data/table.hpp"

namespace treewright {

class CompleteSums {
 public:
  CompleteSums(const Table& table, std::span<const std::int32_t> columns)
      : table_(table), columns_(columns), sums_(columns.size()), squares_(columns.size()) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const bool is_next = j > 0 && columns[j] == columns[j - 1] + 1;
      if (!is_next) runs_.push_back({j, j});
      runs_.back().end = j + 1;
    }
  }

  // `reference` has a number for each column.
  void find(std::span<const std::uint32_t> rows, std::span<const double> reference) {
    if (table_.column_stride == 1) {
      find_by_rows(rows, reference);
    } else {
      find_by_columns(rows, reference);
    }
  }

  double sum(std::size_t j) const { return sums_[j]; }
  double squares(std::size_t j) const { return squares_[j]; }

 private:
  // Positions of columns that are neighbours in the table.
  struct Run {
    std::size_t begin = 0, end = 0;
  };

  void find_by_columns(std::span<const std::uint32_t> rows, std::span<const double> reference) {
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Column column = table_.column(columns_[j]);
      const double center = reference[j];
      double sum = 0.0, squares = 0.0;
      std::size_t i = 0;
      for (; i + 4 <= rows.size(); i += 4) {
        const double a = column[rows[i]] - center, b = column[rows[i + 1]] - center;
        const double c = column[rows[i + 2]] - center, d = column[rows[i + 3]] - center;
        sum += (a + b) + (c + d);
        squares += (a * a + b * b) + (c * c + d * d);
      }
      for (; i < rows.size(); ++i) {
        const double x = column[rows[i]] - center;
        sum += x;
        squares += x * x;
      }
      sums_[j] = sum;
      squares_[j] = squares;
    }
  }

  // The values of a row are neighbours: several columns are summed side by side.
  void find_by_rows(std::span<const std::uint32_t> rows, std::span<const double> reference) {
    constexpr std::size_t ahead = 8;  // rows: so long it takes to fetch one from memory
    std::ranges::fill(sums_, 0.0);
    std::ranges::fill(squares_, 0.0);
    std::size_t i = 0;
    for (; i + 4 <= rows.size(); i += 4) {
      for (std::size_t r = i + ahead; r < std::min(i + ahead + 4, rows.size()); ++r) fetch(rows[r]);
      for (const Run run : runs_) add_four(rows.data() + i, run, reference.data());
    }
    for (; i < rows.size(); ++i) {
      for (const Run run : runs_) {
        const double* values = at(rows[i], run);
        for (std::size_t j = run.begin; j < run.end; ++j) {
          const double x = values[j - run.begin] - reference[j];
          sums_[j] += x;
          squares_[j] += x * x;
        }
      }
    }
  }

  void add_four(const std::uint32_t* rows, Run run, const double* reference) {
    const double *p = at(rows[0], run), *q = at(rows[1], run);
    const double *r = at(rows[2], run), *s = at(rows[3], run);
    const double* center = reference + run.begin;
    double* sum = sums_.data() + run.begin;
    double* squares = squares_.data() + run.begin;
    for (std::size_t j = 0; j < run.end - run.begin; ++j) {
      const double a = p[j] - center[j], b = q[j] - center[j];
      const double c = r[j] - center[j], d = s[j] - center[j];
      sum[j] += (a + b) + (c + d);
      squares[j] += (a * a + b * b) + (c * c + d * d);
    }
  }

  const double* at(std::uint32_t row, Run run) const {
    return table_.column(columns_[run.begin]).base +
           static_cast<std::ptrdiff_t>(row) * table_.row_stride;
  }

  void fetch(std::uint32_t row) const {
    constexpr std::size_t line = 8;  // of the cache, in numbers
    for (const Run run : runs_) {
      const double* values = at(row, run);
      const std::size_t last = run.end - run.begin - 1;
      for (std::size_t j = 0; j < last; j += line) prefetch(values + j);
      prefetch(values + last);
    }
  }

  const Table& table_;
  std::span<const std::int32_t> columns_;
  std::vector<Run> runs_;
  std::vector<double> sums_, squares_;
};

}  // namespace treewright
