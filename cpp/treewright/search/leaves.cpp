#include "treewright/search/leaves.hpp"

namespace treewright::search {

std::vector<std::int32_t> leaves_of(const Plan& plan, std::span<const std::uint8_t> bits,
                                    std::size_t n_bytes, std::size_t n_rows) {
  const auto passes = [&](std::int32_t test, std::size_t row) {
    const std::uint8_t byte = bits[static_cast<std::size_t>(test) * n_bytes + row / 8];
    return ((byte >> (row % 8)) & 1U) != 0;
  };
  const auto goes_on = [&](const Plan::Node& node, std::size_t row) {
    const bool first = passes(node.first, row);
    switch (node.function) {
      case Function::single:
        return first;
      case Function::both:
        return first && passes(node.second, row);
      case Function::either:
        return first || passes(node.second, row);
      case Function::exactly_one:
        return first != passes(node.second, row);
      case Function::first_only:
        return first && !passes(node.second, row);
    }
    return first;
  };
  std::vector<std::int32_t> leaves(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) {
    std::int32_t at = 0;
    while (true) {
      const Plan::Node& node = plan.nodes[static_cast<std::size_t>(at)];
      if (node.first < 0) break;
      at = goes_on(node, row) ? node.passed : node.failed;
    }
    leaves[row] = at;
  }
  return leaves;
}

}  // namespace treewright::search
