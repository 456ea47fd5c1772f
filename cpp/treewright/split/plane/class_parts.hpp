// The rows of each class among standardised rows, with their covariance.
//
// Classes stand in an order of their own, whatever their names are: the heaviest first, and among
// those of equal weight the one whose mean is smaller on the first column where the means differ.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/split/rows/moments.hpp"
#include "treewright/split/rows/standard_rows.hpp"

namespace treewright {

struct ClassPart {
  std::vector<std::size_t> rows;  // positions in the standardised rows
  double weight = 0.0;
  std::vector<double> mean;  // of each standardised column
};

// Of every class that has a row.
std::vector<ClassPart> class_parts(const StandardRows& rows, Labels labels);

// k x k, sum w (z - mean)(z - mean)' / sum w.
std::vector<double> covariance_of(const StandardRows& rows, const ClassPart& part);

}  // namespace treewright
