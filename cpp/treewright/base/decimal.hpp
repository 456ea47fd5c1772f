// Shortest decimals: the numbers a reader sees are the numbers the model uses.
#pragma once

namespace treewright {

// The number with the fewest significant decimal digits in [low, high), nearest to the middle
// among those; the smaller one on ties. Needs low < high, both finite.
double shortest_between(double low, double high);

// `value` rounded to `digits` significant decimal digits, 1 <= digits <= 17.
double round_significant(double value, int digits);

// The significant decimal digits of the shortest text that reads back as `value`; 1 for 0.
int significant_digits(double value);

// The leading binary digits of a number: what is equal but for rounding becomes equal.
double without_rounding(double x, int digits);

// The e with 2^e <= size < 2^(e + 1), where a size that lacks nothing but rounding of a power of
// two counts as that power. Needs a positive finite size.
int binary_exponent(double size);

}  // namespace treewright
