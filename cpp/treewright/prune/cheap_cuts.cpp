#include "treewright/prune/cheap_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace treewright {

namespace {

constexpr std::size_t rows_in_bin = 64, most_bins = 8192;
constexpr double rounding = 1e-9;  // of all losses, by which sums in another order may differ
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Bin {
  double low = infinity, high = -infinity;  // of its values
  double extra = 0.0, gain = 0.0;           // of all rows, and of those that lose less
  double before = 0.0;                      // of the rows before it
  bool is_sorted = false;
};

class Bins {
 public:
  explicit Bins(std::span<const double> values)
      : bins_(std::clamp<std::size_t>(values.size() / rows_in_bin, 1, most_bins)) {
    const auto [low, high] = std::ranges::minmax(values);
    low_ = low;
    const double width = high - low;
    // Values too far apart, or too near, for a quotient stand in one bin.
    const double scale = static_cast<double>(bins_.size()) / width;
    scale_ = std::isfinite(width) && std::isfinite(scale) ? scale : 0.0;
  }

  // Never falls as the value rises.
  Bin& of(double value) {
    const double place = scale_ > 0.0 ? (value - low_) * scale_ : 0.0;
    return bins_[std::min(static_cast<std::size_t>(place), bins_.size() - 1)];
  }
  std::vector<Bin>& all() { return bins_; }

 private:
  std::vector<Bin> bins_;
  double low_ = 0.0, scale_ = 0.0;
};

}  // namespace

CheapCuts cheap_cuts(std::span<const double> values, std::span<const double> extra, double gap) {
  CheapCuts cuts;
  if (values.empty()) return cuts;
  Bins bins(values);
  double sizes = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Bin& bin = bins.of(values[i]);
    bin.low = std::min(bin.low, values[i]);
    bin.high = std::max(bin.high, values[i]);
    bin.extra += extra[i];
    bin.gain += std::min(extra[i], 0.0);
    sizes += std::abs(extra[i]);
  }
  double lost = 0.0, best = infinity, last = infinity;
  for (Bin& bin : bins.all()) {
    if (bin.low > bin.high) continue;
    if (bin.low - last > gap) best = std::min(best, lost);
    bin.before = lost;
    lost += bin.extra;
    last = bin.high;
  }
  std::vector<std::pair<double, double>> inside;  // value and extra loss
  for (Bin& bin : bins.all()) {
    bin.is_sorted = bin.high - bin.low > gap && bin.before + bin.gain <= best + rounding * sizes;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (bins.of(values[i]).is_sorted) inside.emplace_back(values[i], extra[i]);
  }
  std::ranges::stable_sort(inside, {}, &std::pair<double, double>::first);
  const auto add = [&](double so_far, double low, double high) {
    if (!(high - low > gap)) return;
    cuts.lost.push_back(so_far);
    cuts.low.push_back(low);
    cuts.high.push_back(high);
  };
  std::size_t next = 0;
  last = infinity;
  for (const Bin& bin : bins.all()) {
    if (bin.low > bin.high) continue;
    if (last < infinity) add(bin.before, last, bin.low);
    last = bin.high;
    if (!bin.is_sorted) continue;
    double so_far = bin.before;
    for (; next < inside.size() && inside[next].first <= bin.high; ++next) {
      const auto [value, more] = inside[next];
      so_far += more;
      if (next + 1 < inside.size() && inside[next + 1].first <= bin.high) {
        add(so_far, value, inside[next + 1].first);
      }
    }
  }
  return cuts;
}

}  // namespace treewright
