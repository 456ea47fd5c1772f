#include "treewright/data/table.hpp"

#include <string>

namespace treewright {

void check_levels(const Table& table) {
  for (std::int32_t c = 0; c < table.n_columns(); ++c) {
    if (!table.is_categorical(c)) continue;
    const Column column = table.column(c);
    const double levels = table.levels(c);
    for (std::size_t r = 0; r < table.n_rows; ++r) {
      const double code = column[r];
      if (std::isnan(code) || (code >= 0 && code < levels && code == std::floor(code))) continue;
      throw Error("Column " + std::to_string(c) + ", row " + std::to_string(r) + " holds " +
                  std::to_string(code) + ", which is none of its level codes.");
    }
  }
}

}  // namespace treewright
