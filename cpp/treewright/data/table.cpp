#include "treewright/data/table.hpp"

#include <algorithm>

#include <string>

namespace treewright {

Table by_rows(const Table& table, std::vector<double>& storage) {
  constexpr std::size_t block = 32;  // rows: what is written stays in the cache
  const std::size_t n_columns = table.n_levels.size();
  storage.resize(table.n_rows * n_columns);
  for (std::size_t begin = 0; begin < table.n_rows; begin += block) {
    const std::size_t end = std::min(begin + block, table.n_rows);
    for (std::size_t c = 0; c < n_columns; ++c) {
      const Column column = table.column(static_cast<std::int32_t>(c));
      for (std::size_t row = begin; row < end; ++row) storage[row * n_columns + c] = column[row];
    }
  }
  return {storage.data(), table.n_rows, static_cast<std::ptrdiff_t>(n_columns), 1, table.n_levels};
}

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
