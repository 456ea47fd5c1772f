#include "treewright/data/order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>

#include "treewright/base/parallel.hpp"

namespace treewright {

namespace {

// Order-preserving bits of a double; -0 and +0 are one value. Round numbers keep their trailing
// zeros on both sides of 0.
std::uint64_t ordered_bits(double x) {
  constexpr std::uint64_t zero = 0x8000000000000000ULL;
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return bits >> 63 ? zero - (bits & ~zero) : zero + bits;
}

std::uint64_t bits_of(std::uint64_t item) { return item; }
std::uint64_t bits_of(Entry e) { return std::uint64_t{e.key} << 32 | e.row; }
constexpr int key_starts = 32;  // in the bits of an entry

// Sorts items by the bits from `low` to `high`, at most 33 of them, digit by digit from the least
// significant one; stable.
template <int digit_bits, class Item>
void sort_by_digits(std::span<Item> items, std::vector<Item>& buffer, int low, int high) {
  constexpr std::uint64_t mask = (1u << digit_bits) - 1;
  constexpr std::size_t most_digits = (33 + digit_bits - 1) / digit_bits;
  std::array<std::array<std::uint32_t, mask + 1>, most_digits> counts{};
  const auto n_digits = static_cast<std::size_t>((high - low + digit_bits - 1) / digit_bits);
  const auto digit = [&](Item item, std::size_t d) {
    return (bits_of(item) >> (low + digit_bits * static_cast<int>(d))) & mask;
  };
  for (const Item item : items) {
    for (std::size_t d = 0; d < n_digits; ++d) ++counts[d][digit(item, d)];
  }
  if (buffer.size() < items.size()) buffer.resize(items.size());
  std::span<Item> from = items, to = std::span(buffer).first(items.size());
  for (std::size_t d = 0; d < n_digits; ++d) {
    auto& count = counts[d];
    std::exclusive_scan(count.begin(), count.end(), count.begin(), std::uint32_t{0});
    for (const Item item : from) to[count[digit(item, d)]++] = item;
    std::swap(from, to);
  }
  if (n_digits % 2 == 1) std::ranges::copy(from, items.begin());
}

// Large digits save passes, small ones the counting of digits that do not occur.
template <class Item>
void radix_sort(std::span<Item> items, std::vector<Item>& buffer, int low, int high) {
  if (items.size() > 4096) {
    sort_by_digits<11>(items, buffer, low, high);
  } else {
    sort_by_digits<8>(items, buffer, low, high);
  }
}

int width_of(std::uint64_t x) { return static_cast<int>(std::bit_width(x)); }

// Puts each run of neighbours with equal `part` in the order of `less`; stable.
template <class Part, class Less>
void sort_runs(std::span<std::uint64_t> items, Part part, Less less) {
  for (std::size_t i = 0; i < items.size();) {
    std::size_t end = i + 1;
    bool in_order = true;
    for (; end < items.size() && part(items[end]) == part(items[i]); ++end) {
      in_order = in_order && !less(items[end], items[end - 1]);
    }
    if (!in_order) std::ranges::stable_sort(items.subspan(i, end - i), less);
    i = end;
  }
}

}  // namespace

KeyLayout KeyLayout::for_rows(std::size_t n_rows, const Target& target) {
  if (!target.is_classification() || target.is_soft()) return {};
  const auto width = [](std::size_t n) { return static_cast<std::uint32_t>(std::bit_width(n)); };
  const std::uint32_t for_labels =
      std::max(1u, width(static_cast<std::size_t>(target.n_classes) - 1));
  return {for_labels + width(n_rows) < 32 ? for_labels : 0u};
}

// An item packs a value, a label and a row into 64 bits, so that all work is on one array in order.
// The value is given by the distance of its bits from the smallest one; low bits that do not fit
// are dropped, and values that then look alike are compared themselves.
void sort_by_value(Column values, std::span<const std::uint32_t> rows, const Target& target,
                   KeyLayout layout, std::vector<Entry>& entries) {
  static thread_local std::vector<std::uint64_t> items, buffer;
  static thread_local std::vector<std::uint32_t> without_value;
  items.clear();
  without_value.clear();
  std::uint64_t smallest = ~std::uint64_t{0}, largest = 0, first = 0, varying = 0;
  std::uint32_t last_row = 0;
  for (const std::uint32_t row : rows) {
    const double x = values[row];
    last_row = std::max(last_row, row);
    if (std::isnan(x)) {
      without_value.push_back(row);
      continue;
    }
    const std::uint64_t bits = ordered_bits(x);
    if (items.empty()) first = bits;
    smallest = std::min(smallest, bits);
    largest = std::max(largest, bits);
    varying |= bits ^ first;
    items.push_back(bits);
  }
  const int row_bits = std::max(1, width_of(last_row)),
            label_bits = static_cast<int>(layout.label_bits);
  const int below = row_bits + label_bits;  // of the value
  const int value_bits = items.empty() ? 0 : width_of(largest - smallest);
  const int dropped = std::max(0, value_bits - (64 - below));
  const bool exact = (varying & ((std::uint64_t{1} << dropped) - 1)) == 0;
  const auto row_of = [&](std::uint64_t item) {
    return static_cast<std::uint32_t>(item & ((std::uint64_t{1} << row_bits) - 1));
  };
  const auto value_part = [&](std::uint64_t item) { return item >> below; };
  const auto label_of = [&](std::uint32_t row) {
    return label_bits ? static_cast<std::uint32_t>(target.labels[row]) : 0u;
  };
  std::size_t next = 0;
  for (const std::uint32_t row : rows) {
    if (!without_value.empty() && std::isnan(values[row])) continue;
    const std::uint64_t value = (items[next] - smallest) >> dropped;
    items[next++] = value << below | std::uint64_t{label_of(row)} << row_bits | row;
  }

  const int top = below + value_bits - dropped, sorted_from = std::max(below, top - 33);
  radix_sort(std::span(items), buffer, sorted_from, top);
  if (sorted_from > below) {
    sort_runs(
        std::span(items), [&](std::uint64_t item) { return item >> sorted_from; },
        [&](std::uint64_t a, std::uint64_t b) { return value_part(a) < value_part(b); });
  }
  const auto by_value = [&](std::uint64_t a, std::uint64_t b) {
    return values[row_of(a)] < values[row_of(b)];
  };
  if (!exact) sort_runs(std::span(items), value_part, by_value);

  entries.resize(rows.size());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && (value_part(items[i - 1]) != value_part(items[i]) ||
                  (!exact && by_value(items[i - 1], items[i])))) {
      ++rank;
    }
    const auto key =
        static_cast<std::uint32_t>(rank << label_bits) |
        static_cast<std::uint32_t>((items[i] >> row_bits) & ((std::uint64_t{1} << label_bits) - 1));
    entries[i] = {row_of(items[i]), key};
  }
  for (std::size_t i = 0; i < without_value.size(); ++i) {
    const std::uint32_t row = without_value[i];
    entries[items.size() + i] = {row, (layout.missing_rank() << label_bits) | label_of(row)};
  }
}

void for_each_numeric_column(const Table& table, std::size_t n_threads, Monitor& monitor,
                             const std::function<void(std::int32_t, Column)>& visit) {
  std::vector<std::int32_t> numeric;
  for (std::int32_t c = 0; c < table.n_columns(); ++c) {
    if (!table.is_categorical(c)) numeric.push_back(c);
  }
  // A column of a row-major table is spread over all of its memory: several are fetched in one
  // pass.
  constexpr std::size_t at_once = 8;
  const bool spread = table.row_stride != 1;
  std::vector<double> fetched(spread ? std::min(at_once, numeric.size()) * table.n_rows : 0);
  for (std::size_t first = 0; first < numeric.size(); first += at_once) {
    const auto some = std::span(numeric).subspan(first, std::min(at_once, numeric.size() - first));
    monitor.out_of_time(0.0);
    if (spread) {
      for (std::size_t row = 0; row < table.n_rows; ++row) {
        for (std::size_t j = 0; j < some.size(); ++j) {
          fetched[j * table.n_rows + row] = table.at(row, some[j]);
        }
      }
    }
    in_parallel(
        some.size(), n_threads,
        [&](std::size_t j) {
          visit(some[j],
                spread ? Column{fetched.data() + j * table.n_rows, 1} : table.column(some[j]));
        },
        [&] { monitor.out_of_time(0.0); });
  }
}

namespace {

constexpr std::uint32_t few_values = 256;
// Of so few rows a sort by comparing is faster than counting.
constexpr std::size_t few_rows = 32;

// Puts few entries in the order of their ranks; `entries` must be in the order of their rows.
void insert_by_rank(std::span<Entry> entries, KeyLayout layout) {
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const Entry entry = entries[i];
    std::size_t place = i;
    for (; place > 0 && layout.rank(entries[place - 1]) > layout.rank(entry); --place) {
      entries[place] = entries[place - 1];
    }
    entries[place] = entry;
  }
}

// The different values of a column, as they come; a hash table finds them again.
class FewValues {
 public:
  static constexpr std::uint32_t too_many = ~0u;

  // The place of a value among them, which may be a new one.
  std::uint32_t place_of(double x) {
    const std::uint64_t bits = ordered_bits(x);
    std::size_t slot = (bits * 0x9E3779B97F4A7C15ULL) >> (64 - slot_bits);
    for (; slots_[slot] != 0; slot = (slot + 1) % slots_.size()) {
      if (bits_[slots_[slot] - 1u] == bits) return slots_[slot] - 1u;
    }
    if (values.size() == few_values) return too_many;
    values.push_back(x);
    bits_.push_back(bits);
    slots_[slot] = static_cast<std::uint16_t>(values.size());
    return slots_[slot] - 1u;
  }

  // The rank of each.
  std::vector<std::uint32_t> ranks() const {
    std::vector<std::uint32_t> order(values.size()), ranks(values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](std::uint32_t place) { return bits_[place]; });
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
    return ranks;
  }

  std::vector<double> values;

 private:
  static constexpr int slot_bits = 10;                  // four slots for each value
  std::array<std::uint16_t, 1u << slot_bits> slots_{};  // place + 1; 0: free
  std::vector<std::uint64_t> bits_;
};

// What a column of few values gets, and one of levels.
struct ShortKeys {
  std::vector<std::uint16_t> keys;
  std::vector<double> values;
};

bool has_short_keys(std::size_t n_values, KeyLayout layout) {
  return (n_values + 1) << layout.label_bits <= 1u << 16;
}

// The key of a rank, or of the one behind the last, with the label of the row.
std::uint16_t short_key(std::uint32_t rank, std::size_t row, const Target& target,
                        KeyLayout layout) {
  const auto label = layout.label_bits ? static_cast<std::uint32_t>(target.labels[row]) : 0u;
  return static_cast<std::uint16_t>(rank << layout.label_bits | label);
}

std::optional<ShortKeys> short_keys_of(Column column, const Target& target, KeyLayout layout) {
  constexpr std::uint16_t without_value = 0xFFFF;
  FewValues found;
  ShortKeys given{std::vector<std::uint16_t>(target.size()), {}};
  for (std::size_t row = 0; row < given.keys.size(); ++row) {
    const double x = column[row];
    const std::uint32_t place = std::isnan(x) ? without_value : found.place_of(x);
    if (place == FewValues::too_many) return std::nullopt;
    given.keys[row] = static_cast<std::uint16_t>(place);
  }
  const auto n_values = static_cast<std::uint32_t>(found.values.size());
  if (!has_short_keys(n_values, layout)) return std::nullopt;
  const std::vector<std::uint32_t> ranks = found.ranks();
  given.values.resize(n_values + 1, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < n_values; ++i) given.values[ranks[i]] = found.values[i];
  for (std::size_t row = 0; row < given.keys.size(); ++row) {
    std::uint16_t& key = given.keys[row];
    key = short_key(key == without_value ? n_values : ranks[key], row, target, layout);
  }
  return given;
}

// The rank of a level is its code.
std::optional<ShortKeys> short_keys_of_levels(Column codes, std::int32_t n_levels,
                                              const Target& target, KeyLayout layout) {
  const auto n_values = static_cast<std::uint32_t>(n_levels);
  if (!has_short_keys(n_values, layout)) return std::nullopt;
  ShortKeys given{std::vector<std::uint16_t>(target.size()), std::vector<double>(n_values)};
  for (std::size_t row = 0; row < given.keys.size(); ++row) {
    const double code = codes[row];
    const auto rank = std::isnan(code) ? n_values : static_cast<std::uint32_t>(code);
    given.keys[row] = short_key(rank, row, target, layout);
  }
  std::iota(given.values.begin(), given.values.end(), 0.0);
  given.values.push_back(std::numeric_limits<double>::quiet_NaN());
  return given;
}

}  // namespace

Ranks::Ranks(const Table& table, const Target& target, Monitor& monitor)
    : layout_(KeyLayout::for_rows(table.n_rows, target)),
      n_rows_(table.n_rows),
      columns_(table.n_levels.size()) {
  std::vector<std::uint32_t> rows(table.n_rows);
  std::iota(rows.begin(), rows.end(), 0u);
  std::vector<Entry> entries;
  const auto take = [](RankedColumn& ranked, ShortKeys&& few) {
    ranked.short_keys = std::move(few.keys);
    ranked.values = std::move(few.values);
    ranked.n_values = static_cast<std::uint32_t>(ranked.values.size() - 1);
  };
  for (std::int32_t column = 0; column < table.n_columns(); ++column) {
    if (!table.is_categorical(column)) continue;
    monitor.out_of_time(0.0);
    auto few = short_keys_of_levels(table.column(column), table.levels(column), target, layout_);
    if (few) take(columns_[static_cast<std::size_t>(column)], std::move(*few));
  }
  for_each_numeric_column(table, 1, monitor, [&](std::int32_t column, Column values) {
    RankedColumn& ranked = columns_[static_cast<std::size_t>(column)];
    if (auto few = short_keys_of(values, target, layout_)) return take(ranked, std::move(*few));
    sort_by_value(values, rows, target, layout_, entries);
    const auto last = std::ranges::partition_point(
        entries, [&](Entry e) { return layout_.rank(e) != layout_.missing_rank(); });
    ranked.n_values = last == entries.begin() ? 0 : layout_.rank(*(last - 1)) + 1;
    ranked.keys.resize(n_rows_);
    for (const Entry e : entries) ranked.keys[e.row] = e.key;
  });
}

std::uint32_t Ranks::key_of(const RankedColumn& column, std::uint32_t row) const {
  if (column.short_keys.empty()) return column.keys[row];
  const std::uint32_t key = column.short_keys[row];
  const bool is_missing = key >> layout_.label_bits == column.n_values;
  const std::uint32_t behind = (layout_.missing_rank() - column.n_values) << layout_.label_bits;
  return is_missing ? key + behind : key;
}

bool Ranks::fits(const Table& table, const Target& target) const {
  if (n_rows_ != table.n_rows || columns_.size() != table.n_levels.size()) return false;
  for (std::int32_t c = 0; c < table.n_columns(); ++c) {
    const RankedColumn& column = columns_[static_cast<std::size_t>(c)];
    const bool is_empty = column.keys.empty() && column.short_keys.empty();
    const auto n_levels = static_cast<std::uint32_t>(table.levels(c));
    const bool fits = table.is_categorical(c)
                          ? column.keys.empty() && (is_empty || column.n_values == n_levels)
                          : !is_empty;
    if (!fits) return false;
    if (layout_.label_bits == 0 || is_empty) continue;
    for (std::uint32_t row = 0; row < n_rows_; ++row) {
      const auto label = static_cast<std::uint32_t>(target.labels[row]);
      if (layout_.label({row, key_of(column, row)}) != label) return false;
    }
    break;  // the labels of one column are those of all
  }
  return true;
}

void Ranks::sort(std::int32_t column, std::span<const std::uint32_t> rows,
                 std::vector<Entry>& entries) const {
  const RankedColumn& ranked = columns_[static_cast<std::size_t>(column)];
  entries.resize(rows.size());
  if (rows.size() <= few_rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) entries[i] = {rows[i], key_of(ranked, rows[i])};
    return insert_by_rank(entries, layout_);
  }
  if (!ranked.short_keys.empty()) return count_sort(ranked, rows, entries);
  const std::uint32_t* keys = ranked.keys.data();
  const std::uint32_t missing = layout_.missing_rank() << layout_.label_bits;
  std::uint32_t varying = 0;
  std::size_t n_known = 0;
  for (const std::uint32_t row : rows) {
    entries[n_known] = {row, keys[row]};
    const bool is_known = keys[row] < missing;
    varying |= is_known ? keys[row] ^ entries[0].key : 0u;
    n_known += is_known;
  }
  if (n_known < rows.size()) {
    auto next = entries.begin() + static_cast<std::ptrdiff_t>(n_known);
    for (const std::uint32_t row : rows) {
      if (keys[row] >= missing) *next++ = {row, keys[row]};
    }
  }
  const auto known = std::span(entries).first(n_known);
  const auto label_bits = static_cast<int>(layout_.label_bits);
  const int top = width_of(varying);
  if (top <= label_bits) return;
  constexpr std::size_t few = 64;
  if (n_known <= few) {
    const std::uint64_t all_but_label = ~(std::uint64_t{(1u << label_bits) - 1} << key_starts);
    std::ranges::sort(known, {}, [&](Entry e) { return bits_of(e) & all_but_label; });
  } else {
    static thread_local std::vector<Entry> buffer;
    radix_sort(known, buffer, key_starts + label_bits, key_starts + top);
  }
}

void Ranks::count_sort(const RankedColumn& column, std::span<const std::uint32_t> rows,
                       std::vector<Entry>& entries) const {
  std::array<std::uint32_t, few_values + 2> next{};  // place of the next row of each rank
  const std::uint16_t* keys = column.short_keys.data();
  const auto label_bits = layout_.label_bits;
  for (const std::uint32_t row : rows) ++next[(keys[row] >> label_bits) + 1u];
  std::partial_sum(next.begin(), next.begin() + column.n_values + 2, next.begin());
  for (const std::uint32_t row : rows) {
    entries[next[keys[row] >> label_bits]++] = {row, keys[row]};
  }
  // Behind those of the last value.
  for (std::size_t i = column.n_values > 0 ? next[column.n_values - 1] : 0; i < rows.size(); ++i) {
    entries[i].key = key_of(column, entries[i].row);
  }
}

}  // namespace treewright
