// Readable tests: the shortest numbers that send every row of the node the same way.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "treewright/split/method.hpp"

namespace treewright {

struct Readable {
  Test test;
  bool is_turned = false;  // whether its two branches changed places
};

// An axis threshold becomes the shortest decimal in its gap, by itself or as part of a pair. A
// linear test loses the terms without which some threshold still sends every row the same way,
// those that spread its scores least first (beyond three columns only while the sides stay half as
// far apart); on one column that remains it becomes an axis test.
// Otherwise it is scaled to a largest coefficient of 1 with a positive first one (which may turn it
// round); then coefficients and threshold, which lies in the middle half of its gap, together get
// the fewest significant digits that change no row: first all coefficients alike, then each for
// itself. So do the weights of a machine. Tests on levels hold no numbers to round.
// A test that a person gave keeps its terms (`Terms::all`), needed or not; whole coefficients stay
// what they are where they must be whole (`Terms::whole`).
// Numbers stay as long as they are when the time of the monitor is over.
enum class Terms { needed, all, whole };

// The values on either side of a test that asks value <= threshold.
struct Gap {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool is_open() const { return low < high; }
  // Its middle half: a boundary there keeps away from the rows on either side.
  Gap middle() const { return {low + (high - low) / 4, high - (high - low) / 4}; }
};

// The rows of a node on the two sides of a linear test, and where others could cut them so.
class LinearSides {
 public:
  virtual ~LinearSides() = default;
  // Where a test of other coefficients can cut, with the sides turned round if asked; closed where
  // it cannot, or when the time is over.
  virtual Gap gap_of(const Test& other, bool is_turned) = 0;
  // The width of that gap, as a share of the range of all scores.
  virtual double relative_gap(const Test& other) = 0;
  // Whether a test on fewer columns, too, has no side for the rows that lack one of the columns.
  virtual bool leaves_unknown(const Test& fewer) = 0;
  // The root of the squared deviations of each term, without its coefficient.
  virtual std::vector<double> spreads() = 0;
  // Tests that are likely to be asked for next.
  virtual void expect(std::span<const Test>) {}
};
Readable readable(const Candidate& candidate, const Table& table,
                  std::span<const std::uint32_t> rows, Monitor* monitor,
                  Terms terms = Terms::needed);
// The same of a linear test whose rows are elsewhere.
Readable readable(const Test& linear, const Table& table, LinearSides& sides);

}  // namespace treewright
