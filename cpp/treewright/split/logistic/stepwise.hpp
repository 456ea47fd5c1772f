// Concise models by steps: columns are dropped or added while a criterion falls.
#pragma once

#include <cstdint>
#include <functional>

#include "treewright/split/logistic/models.hpp"

namespace treewright {

enum class StepDirection : std::uint8_t { backward, forward, both };

struct StepRules {
  StepDirection direction = StepDirection::backward;
  double k = 2.0;                // paid for a column
  std::size_t most_columns = 0;  // in the end; 0: no limit
  std::function<bool(const LogisticFit&)> is_legal;
};

// The model reached from `full`; that itself where no legal one was met. A step to a model that is
// not legal is not taken, but for two cases: on the way to few enough columns, and forward before
// the first legal model. Where forward steps meet none, backward ones are tried. With more than 15
// columns or 2,000 rows a backward step fits only models without one of the up to three columns
// that matter least to first order; with 2,000 rows columns that clearly save more than they cost
// leave together before.
LogisticFit step_by_step(const LogisticModels& models, const LogisticFit& full,
                         const StepRules& rules);

// Models on ever fewer columns, each without the column whose loss costs least deviance, down to
// one column; `from` is not among them. What `poll`, called before each step, throws ends it.
std::vector<LogisticFit> dropping_columns(const LogisticModels& models, const LogisticFit& from,
                                          const std::function<void()>& poll);

}  // namespace treewright
