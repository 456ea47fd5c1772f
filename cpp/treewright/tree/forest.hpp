// Forests: the answers of many trees to the same rows, summed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "treewright/base/monitor.hpp"
#include "treewright/tree/tree.hpp"

namespace treewright {

// What a tree adds to the sums of a row: the class shares where it ends, or 1 for its class; for
// numbers its number.
enum class Voting : std::uint8_t { soft, hard };

// Sums of each row, n_answers values each; trees must be for the same classes and columns. Rows go
// down in blocks, all trees after each other, so that a block stays in cache. The sums are the same
// on any number of threads. `is_asked` has a flag for each tree and row, a line a tree; a tree adds
// to the rows with flags only. Empty: to all.
void sum_answers(std::span<const Tree* const> trees, const Table& table, Voting voting,
                 std::size_t n_threads, Monitor& monitor, std::span<double> sums,
                 std::span<const std::uint8_t> is_asked = {});

}  // namespace treewright
