// What trees cost at least for the rows that a part of one test shares with a part of another.
//
// These rows are the same whichever of the two tests stands above the other, and much the same as
// those of a similar test: what was learned below one test of a node is of use below the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "treewright/search/bounds.hpp"
#include "treewright/search/depth_two/depth_two.hpp"
#include "treewright/search/sample.hpp"

namespace treewright::search {

// Of a node and the nodes right below it, which are visited one at a time. For each pair of columns
// 32 bytes are kept, while the search lasts.
class Crossings {
 public:
  // Whether anything can be told below a node.
  static bool are_for(const Context& context, const Sample& sample);
  // Nothing is known of the sample so far.
  void begin(const Context& context, const Sample& sample, const DepthTwo& two);
  // Nothing is kept, nor told to nodes below.
  void end() { m_ = 0; }
  // Takes what the parts of a test cost at least in trees of two levels less than the node has.
  void learn_parts(std::int32_t column, const PartBounds& least);

  // The node below that is about to be searched; `leave` is called whatever happens to it.
  void enter(std::int32_t column, bool ones);
  void leave() { entered_ = nowhere; }
  bool is_entered() const { return m_ > 0 && entered_ != nowhere; }

  // For the node entered, whose bounds are about parts of one level less:
  // tells the bounds what is known, and takes what they know of all its rows;
  void tell(const Sample& sample, const DepthTwo& two, Bounds& bounds);
  // what parts of the same rows below other tests say of the parts of one of its columns;
  PartBounds of(std::int32_t column);
  // and takes all that its bounds have come to know.
  void learn(const Bounds& bounds);

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  // How many of the rows below that pass some column there also pass one of the node: all of them
  // so many times, and so many times those that pass `column`.
  struct Below {
    std::size_t column = 0;
    double part = 0.0;
    double whole = 0.0;
  };
  // Parts have numbers: that of the rows that pass a test, then that of those that fail it.
  static std::size_t part(std::size_t column, bool ones) { return 2 * column + (ones ? 0 : 1); }
  // Known of a part and of each column, first the rows that pass it.
  double* known(std::size_t part, bool ones) {
    return known_.data() + (2 * part + (ones ? 0 : 1)) * n_padded_;
  }
  void set(std::size_t part, std::size_t column, bool ones, double bound);
  // Calls look(h) for each column that tells of a column of the node.
  template <class Look>
  void for_each_that_tells(std::size_t column, const Look& look) const;

  const DepthTwo* two_ = nullptr;     // of the node
  std::size_t m_ = 0, n_padded_ = 0;  // columns of the node; 0 if nothing is kept
  double loss_ = 0.0;                 // of all its rows together, at most
  std::vector<double> inside_;        // what the rows that pass each column can cost at most
  std::vector<double> known_;         // [part][passes or fails][column], 0 if nothing is

  // Columns whose parts were entered: what is known is about these, and about each column alone.
  std::vector<std::size_t> visited_;
  std::vector<bool> was_visited_;

  std::size_t entered_ = nowhere;  // the part whose node is below
  const Sample* below_ = nullptr;  // its sample
  const DepthTwo* two_below_ = nullptr;
  double loss_elsewhere_ = 0.0;         // of the rows that are not below
  std::vector<double> elsewhere_;       // of those that pass each column,
  std::vector<double> both_elsewhere_;  // and also the column that is asked about
  std::vector<Below> places_below_;     // of each column of the node
  std::vector<double> unusable_;        // added to what a column says: nothing, or far too little
};

}  // namespace treewright::search
