#include "treewright/parts/tally.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace treewright::parts {

void Projections::read(const Table& table, std::int32_t column, std::span<const std::uint32_t> rows,
                       std::span<double> values) const {
  if (column < table.n_columns()) {
    const Column cells = table.column(column);
    for (std::size_t i = 0; i < rows.size(); ++i) values[i] = cells[rows[i]];
    return;
  }
  const auto place = static_cast<std::size_t>(column - table.n_columns());
  std::size_t next = 0;
  for_each_scores(std::get<Linear>(view(combinations_[place])), table, rows,
                  [&](auto, auto scores) {
                    for (const double score : scores) {
                      values[next++] = std::isfinite(score) ? score : std::nan("");
                    }
                    return true;
                  });
}

Standing::Standing(std::span<const std::int32_t> place_of, std::size_t n_places,
                   const Target& target)
    : begin(n_places + 1, 0) {
  const auto stands = [&](std::size_t row) {
    return place_of[row] >= 0 && target.weights[row] > 0;
  };
  for (std::size_t row = 0; row < place_of.size(); ++row) {
    if (stands(row)) ++begin[static_cast<std::size_t>(place_of[row]) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  rows.resize(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t row = 0; row < place_of.size(); ++row) {
    if (stands(row)) {
      rows[next[static_cast<std::size_t>(place_of[row])]++] = static_cast<std::uint32_t>(row);
    }
  }
}

namespace {

constexpr std::size_t block = 32;  // rows searched side by side

// The number of edges below each value, by halving; all rows of a block take the same steps, so
// that the processor works on many at once.
void find_bins(std::span<const double> edges, const std::array<double, block>& values,
               std::array<std::uint32_t, block>& bins) {
  bins.fill(0);
  if (edges.empty()) return;
  std::size_t n = edges.size();
  while (n > 1) {
    const std::size_t half = n / 2;
    for (std::size_t i = 0; i < block; ++i) {
      const bool is_above = edges[bins[i] + half - 1] < values[i];
      bins[i] += is_above ? static_cast<std::uint32_t>(half) : 0U;
    }
    n -= half;
  }
  for (std::size_t i = 0; i < block; ++i) bins[i] += edges[bins[i]] < values[i];
}

// Calls visit(cell, row, value, bin) for every row of every cell, bin within the cell.
template <class Visit>
void for_each_bin(const Cells& cells, const Standing& standing, const Table& table, Visit visit) {
  std::array<double, block> values{};
  std::array<std::uint32_t, block> bins{};
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const auto rows = standing.at(static_cast<std::size_t>(cells.place[cell]));
    const auto edges = cells.edges_of(cell);
    for (std::size_t first = 0; first < rows.size(); first += block) {
      const std::size_t n = std::min(block, rows.size() - first);
      cells.projections.read(table, cells.column[cell], rows.subspan(first, n),
                             std::span(values).first(n));
      find_bins(edges, values, bins);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t bin = std::isnan(values[i]) ? edges.size() + 1 : bins[i];
        visit(cell, rows[first + i], values[i], bin);
      }
    }
  }
}

}  // namespace

void tally(const Cells& cells, const Standing& standing, const Table& table, const Target& target,
           std::span<double> lines) {
  const Line line(target);
  const std::size_t width = line.width();
  for (std::size_t i = 0; i < cells.n_bins(); ++i) line.clear(lines.subspan(i * width, width));
  const auto count = [&](auto add) {
    for_each_bin(cells, standing, table,
                 [&](std::size_t cell, std::uint32_t row, double x, std::size_t bin) {
                   double* here = lines.data() + (cells.first_bin(cell) + bin) * width;
                   // Seldom so after the first rows, so that jumps cost less than stores.
                   if (x < here[Line::low]) here[Line::low] = x;
                   if (x > here[Line::high]) here[Line::high] = x;
                   add(here, cell, row);
                 });
  };
  if (!line.is_classification) {
    count([&](double* here, std::size_t cell, std::uint32_t row) {
      line.add_row(here, target, row, cells.means[static_cast<std::size_t>(cells.place[cell])]);
    });
    return;
  }
  const bool has_unit_weights =
      std::ranges::all_of(standing.rows, [&](auto row) { return target.weights[row] == 1.0; });
  if (!has_unit_weights) {
    count(
        [&](double* here, std::size_t, std::uint32_t row) { line.add_row(here, target, row, 0); });
    return;
  }
  count([&](double* here, std::size_t, std::uint32_t row) {
    here[3 + static_cast<std::size_t>(target.labels[row])] += 1.0;
  });
  for (std::size_t i = 0; i < cells.n_bins(); ++i) {
    const auto here = lines.subspan(i * width, width);
    for (const double n : here.subspan(line.first_sum())) here[Line::count] += n;
  }
}

Runs runs(const Cells& cells, std::span<const std::uint8_t> wanted, const Standing& standing,
          const Table& table, const Target& target) {
  struct Found {
    std::uint64_t bin;
    double value;
    std::uint32_t row, place;
  };
  std::vector<Found> found;
  for_each_bin(cells, standing, table,
               [&](std::size_t cell, std::uint32_t row, double x, std::size_t bin) {
                 const std::size_t number = cells.first_bin(cell) + bin;
                 if (wanted[number] == 0 || std::isnan(x)) return;
                 found.push_back({number, x, row, static_cast<std::uint32_t>(cells.place[cell])});
               });
  // Rows of one value stay in their order, in which they are summed.
  std::ranges::stable_sort(found, {}, [](const Found& f) { return std::pair(f.bin, f.value); });
  const Line line(target);
  Runs result{line.width() + 1, {}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Found& f = found[i];
    const bool is_next = i == 0 || f.bin != found[i - 1].bin || f.value != found[i - 1].value;
    if (is_next) {
      result.lines.resize(result.lines.size() + result.width);
      auto whole = std::span(result.lines).last(result.width);
      whole[0] = static_cast<double>(f.bin);
      line.clear(whole.subspan(1));
      whole[1 + Line::low] = whole[1 + Line::high] = f.value;
    }
    line.add_row(result.lines.data() + result.lines.size() - line.width(), target, f.row,
                 line.is_classification ? 0.0 : cells.means[f.place]);
  }
  return result;
}

Runs merge(const Line& line, std::span<const double> first, std::span<const double> second) {
  Runs result{line.width() + 1, {}};
  result.lines.reserve(first.size() + second.size());
  const auto key = [](std::span<const double> lines) { return std::pair(lines[0], lines[1]); };
  while (!first.empty() || !second.empty()) {
    const bool takes_first = second.empty() || (!first.empty() && key(first) <= key(second));
    const bool takes_both = takes_first && !second.empty() && key(first) == key(second);
    std::span<const double>& from = takes_first ? first : second;
    result.lines.insert(result.lines.end(), from.begin(),
                        from.begin() + static_cast<std::ptrdiff_t>(result.width));
    from = from.subspan(result.width);
    if (!takes_both) continue;
    line.merge(std::span(result.lines).last(line.width()), second.subspan(1, line.width()));
    second = second.subspan(result.width);
  }
  return result;
}

}  // namespace treewright::parts
