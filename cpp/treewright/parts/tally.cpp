#include "treewright/parts/tally.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

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

constexpr std::size_t block = 256;  // rows searched side by side

// Finds the bin of a value: a table of equal intervals says between which edges to look, and few
// intervals have more than one edge inside.
class Guide {
 public:
  explicit Guide(std::span<const double> edges)
      : edges_(edges.begin(), edges.end()), n_intervals_(4 * edges.size() + 1) {
    if (!edges.empty()) {
      low_ = edges.front();
      scale_ = static_cast<double>(n_intervals_ - 1) / (edges.back() - low_);
    }
    first_.reserve(n_intervals_ + 1);
    for (std::uint32_t edge = 0; edge < edges.size(); ++edge) {
      first_.resize(std::max(first_.size(), interval(edges[edge]) + std::size_t{1}), edge);
    }
    first_.resize(n_intervals_ + 1, static_cast<std::uint32_t>(edges.size()));
    edges_.push_back(0.0);  // read behind the last edge, and not used
  }

  // The number of edges below each value; anything where the value is not a number.
  void find(std::span<const double> values, std::span<std::uint32_t> bins) const {
    for (std::size_t i = 0; i < values.size(); ++i) bins[i] = interval(values[i]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint32_t first = first_[bins[i]], end = first_[bins[i] + 1];
      bins[i] = first + static_cast<std::uint32_t>((first < end) & (edges_[first] < values[i]));
      if (end - first > 1) {
        const auto found =
            std::lower_bound(edges_.begin() + first, edges_.begin() + end, values[i]);
        bins[i] = static_cast<std::uint32_t>(found - edges_.begin());
      }
    }
  }

 private:
  // Never falls as the value rises; 0 for what is not a number.
  std::uint32_t interval(double value) const {
    const double place = (value - low_) * scale_;
    const double last = static_cast<double>(n_intervals_ - 1);
    return static_cast<std::uint32_t>(
        static_cast<std::int32_t>(place > 0.0 ? (place < last ? place : last) : 0.0));
  }

  std::vector<double> edges_;
  std::size_t n_intervals_;
  double low_ = 0.0, scale_ = 0.0;
  std::vector<std::uint32_t> first_;  // edge in or behind each interval
};

// The values of some rows; where they are neighbours in memory, there.
std::span<const double> values_of(const Cells& cells, std::size_t cell, const Table& table,
                                  std::span<const std::uint32_t> rows, std::span<double> room) {
  const std::int32_t column = cells.column[cell];
  if (column < table.n_columns() && rows.back() - rows.front() + 1 == rows.size()) {
    const Column values = table.column(column);
    if (values.stride == 1) return {values.base + rows.front(), rows.size()};
  }
  cells.projections.read(table, column, rows, room);
  return room.first(rows.size());
}

}  // namespace

// Which bin of its cell a value is in, for all cells of a question.
class Bins {
 public:
  explicit Bins(const Cells& cells) : cells_(cells), order_(cells.size()) {
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      guides_.emplace_back(cells.edges_of(cell));
    // Column by column, which stay in the processor's cache for all nodes.
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t cell) { return cells.column[cell]; });
  }

  // Calls visit(cell, place among the standing rows, value, bin) for every row of every cell, bin
  // within the cell.
  template <class Visit>
  void for_each(const Standing& standing, const Table& table, Visit visit) const {
    std::array<double, block> room;
    std::array<std::uint32_t, block> bins;
    for (const std::size_t cell : order_) {
      const auto place = static_cast<std::size_t>(cells_.place[cell]);
      const auto rows = standing.at(place);
      const auto without = static_cast<std::uint32_t>(cells_.edges_of(cell).size() + 1);
      for (std::size_t first = 0; first < rows.size(); first += block) {
        const std::size_t n = std::min(block, rows.size() - first);
        const auto values = values_of(cells_, cell, table, rows.subspan(first, n), room);
        guides_[cell].find(values, bins);
        for (std::size_t i = 0; i < n; ++i) {
          const std::size_t bin = std::isnan(values[i]) ? without : bins[i];
          visit(cell, standing.begin[place] + first + i, values[i], bin);
        }
      }
    }
  }

 private:
  const Cells& cells_;
  std::vector<Guide> guides_;
  std::vector<std::size_t> order_;
};

Tally::Tally(const Cells& cells, const Line& line)
    : cells_(cells),
      line_(line),
      bins_(std::make_unique<Bins>(cells)),
      lines_(cells.n_bins() * line.width()) {
  for (std::size_t i = 0; i < lines_.size(); i += line.width()) {
    line.clear(std::span(lines_).subspan(i, line.width()));
  }
}

Tally::~Tally() = default;

void Tally::add(const Standing& standing, const Table& table, const Target& target) {
  require(!has_ended(), "The lines of the tally have been taken.");
  const auto count = [&](auto add_row) {
    bins_->for_each(standing, table, [&](std::size_t cell, std::size_t place, double x, auto bin) {
      double* here = lines_.data() + (cells_.first_bin(cell) + bin) * line_.width();
      // Seldom so after the first rows, so that jumps cost less than stores.
      here[Line::low] = x < here[Line::low] ? x : here[Line::low];
      here[Line::high] = x > here[Line::high] ? x : here[Line::high];
      add_row(here, cell, place);
    });
  };
  const bool has_unit_weights =
      std::ranges::all_of(standing.rows, [&](auto row) { return target.weights[row] == 1.0; });
  if (line_.is_classification && counts_are_sums_ && has_unit_weights) {
    std::vector<std::int32_t> labels(standing.rows.size());  // one behind the other in memory
    std::ranges::transform(standing.rows, labels.begin(),
                           [&](auto row) { return target.labels[row]; });
    return count([&](double* here, std::size_t, std::size_t place) {
      here[3 + static_cast<std::size_t>(labels[place])] += 1.0;
    });
  }
  count_rows();
  count([&](double* here, std::size_t cell, std::size_t place) {
    const double mean =
        line_.is_classification ? 0.0 : cells_.means[static_cast<std::size_t>(cells_.place[cell])];
    line_.add_row(here, target, standing.rows[place], mean);
  });
}

void Tally::count_rows() {
  if (!line_.is_classification || !counts_are_sums_) return;
  counts_are_sums_ = false;
  for (std::size_t i = 0; i < lines_.size(); i += line_.width()) {
    const auto here = std::span(lines_).subspan(i, line_.width());
    for (const double n : here.subspan(line_.first_sum())) here[Line::count] += n;
  }
}

std::vector<double> Tally::take_lines() {
  require(!has_ended(), "The lines of the tally have been taken.");
  count_rows();
  return std::exchange(lines_, {});
}

Runs runs(const Cells& cells, std::span<const std::uint8_t> wanted, const Standing& standing,
          const Table& table, const Target& target) {
  struct Found {
    std::uint64_t bin;
    double value;
    std::uint32_t row, place;
  };
  std::vector<Found> found;
  Bins(cells).for_each(
      standing, table, [&](std::size_t cell, std::size_t place, double x, std::size_t bin) {
        const std::size_t number = cells.first_bin(cell) + bin;
        if (wanted[number] == 0 || std::isnan(x)) return;
        found.push_back(
            {number, x, standing.rows[place], static_cast<std::uint32_t>(cells.place[cell])});
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
