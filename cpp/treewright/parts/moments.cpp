#include "treewright/parts/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright::parts {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t n_classes_of(std::int32_t n_classes) {
  return static_cast<std::size_t>(std::max(1, n_classes));
}

JointLayout layout_of(std::size_t n_columns, std::int32_t n_classes) {
  return {n_columns + (n_classes > 0 ? 0 : 1)};
}

// The numbers of the rows that have them all, one row behind the other.
struct Complete {
  std::vector<std::uint32_t> rows;
  std::vector<double> values;
};

Complete complete_rows(std::span<const std::uint32_t> rows, std::span<const std::int32_t> columns,
                       const Table& table, const Target& target) {
  Complete complete;
  std::vector<double> values;
  for (const std::uint32_t row : rows) {
    values.clear();
    double sum = 0.0;  // not a number if one of them is none
    for (const std::int32_t column : columns) {
      values.push_back(table.at(row, column));
      sum += values.back() * 0.0;
    }
    if (std::isnan(sum)) continue;
    if (!target.is_classification()) values.push_back(target.numbers[row]);
    complete.rows.push_back(row);
    complete.values.insert(complete.values.end(), values.begin(), values.end());
  }
  return complete;
}

void add_moments(const Complete& complete, const JointLayout& layout, const Target& target,
                 std::span<double> numbers) {
  const std::size_t k = layout.width;
  const auto of_class = [&](std::uint32_t row) {
    return target.is_classification()
               ? numbers.data() + static_cast<std::size_t>(target.labels[row]) * layout.size()
               : numbers.data();
  };
  // Around the first row of each class, then around the means.
  std::vector<double> first(numbers.size(), 0.0);
  for (std::size_t i = 0; i < complete.rows.size(); ++i) {
    double* here = of_class(complete.rows[i]);
    double* reference = first.data() + (here - numbers.data());
    const double* value = complete.values.data() + i * k;
    if (here[JointLayout::count] == 0.0) std::copy_n(value, k, reference);
    const double weight = target.weights[complete.rows[i]];
    here[JointLayout::count] += 1.0;
    here[JointLayout::weight] += weight;
    for (std::size_t j = 0; j < k; ++j) here[layout.mean(j)] += weight * (value[j] - reference[j]);
  }
  for (std::size_t at = 0; at < numbers.size(); at += layout.size()) {
    for (std::size_t j = 0; j < k; ++j) {
      double& mean = numbers[at + layout.mean(j)];
      if (numbers[at + JointLayout::weight] > 0) {
        mean = first[at + j] + mean / numbers[at + JointLayout::weight];
      }
    }
  }
  std::vector<double> off(k);
  for (std::size_t i = 0; i < complete.rows.size(); ++i) {
    double* here = of_class(complete.rows[i]);
    const double weight = target.weights[complete.rows[i]];
    for (std::size_t j = 0; j < k; ++j) {
      off[j] = complete.values[i * k + j] - here[layout.mean(j)];
    }
    double* product = here + layout.product(0, 0);
    for (std::size_t a = 0; a < k; ++a) {
      const double weighted = weight * off[a];
      for (std::size_t b = 0; b <= a; ++b) *product++ += weighted * off[b];
    }
  }
}

}  // namespace

std::size_t n_moments(std::span<const ColumnsAt> sets, const Target& target) {
  std::size_t size = 0;
  for (const ColumnsAt& set : sets) {
    size += n_classes_of(target.n_classes) * layout_of(set.columns.size(), target.n_classes).size();
  }
  return size;
}

std::vector<double> moments(std::span<const ColumnsAt> sets, const Standing& standing,
                            const Table& table, const Target& target) {
  std::vector<double> numbers(n_moments(sets, target), 0.0);
  std::size_t at = 0;
  for (const ColumnsAt& set : sets) {
    const JointLayout layout = layout_of(set.columns.size(), target.n_classes);
    const std::size_t size = n_classes_of(target.n_classes) * layout.size();
    const auto rows = standing.at(static_cast<std::size_t>(set.place));
    add_moments(complete_rows(rows, set.columns, table, target), layout, target,
                std::span(numbers).subspan(at, size));
    at += size;
  }
  return numbers;
}

void merge_moments(std::span<const std::int32_t> sizes, std::int32_t n_classes,
                   std::span<double> to, std::span<const double> from) {
  std::size_t at = 0;
  for (const std::int32_t size : sizes) {
    const JointLayout layout = layout_of(static_cast<std::size_t>(size), n_classes);
    for (std::size_t c = 0; c < n_classes_of(n_classes); ++c) {
      layout.merge(to.subspan(at, layout.size()), from.subspan(at, layout.size()));
      at += layout.size();
    }
  }
}

std::vector<double> sides(std::span<const Compared> compared, const Standing& standing,
                          const Table& table) {
  std::vector<double> found;
  std::vector<double> scores;
  for (const Compared& pair : compared) {
    const auto rows = standing.at(static_cast<std::size_t>(pair.place));
    const Linear test = std::get<Linear>(view(pair.test));
    scores.clear();
    for_each_scores(std::get<Linear>(view(pair.other)), table, rows, [&](auto, auto part) {
      scores.insert(scores.end(), part.begin(), part.end());
      return true;
    });
    double numbers[numbers_of_sides] = {infinity, -infinity, infinity, -infinity,
                                        0.0,      0.0,       0.0,      0.0};
    std::size_t next = 0;
    for_each_scores(test, table, rows, [&](auto, auto part) {
      for (const double own : part) {
        const double score = scores[next++];
        if (!std::isnan(score)) {
          const double off = score - numbers[6];
          numbers[6] += off / ++numbers[5];
          numbers[7] += off * (score - numbers[6]);
        }
        if (std::isnan(own)) {
          numbers[4] += std::isnan(score) ? 0.0 : 1.0;
          continue;
        }
        double* side = numbers + (own <= test.threshold ? 0 : 2);
        side[0] = std::min(side[0], score);
        side[1] = std::max(side[1], score);
      }
      return true;
    });
    found.insert(found.end(), std::begin(numbers), std::end(numbers));
  }
  return found;
}

void merge_sides(std::span<double> to, std::span<const double> from) {
  for (std::size_t at = 0; at < to.size(); at += numbers_of_sides) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
      to[at + i] = std::min(to[at + i], from[at + i]);
      to[at + i + 1] = std::max(to[at + i + 1], from[at + i + 1]);
    }
    to[at + 4] += from[at + 4];
    const double n = to[at + 5] + from[at + 5], off = from[at + 6] - to[at + 6];
    if (!(n > 0)) continue;
    to[at + 7] += from[at + 7] + off * off * to[at + 5] * (from[at + 5] / n);
    to[at + 6] += off * (from[at + 5] / n);
    to[at + 5] = n;
  }
}

}  // namespace treewright::parts
