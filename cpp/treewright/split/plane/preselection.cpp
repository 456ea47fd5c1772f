#include "treewright/split/plane/preselection.hpp"

#include <algorithm>
#include <cmath>

namespace treewright {

namespace {

constexpr std::size_t rows_a_bin = 8, most_bins = 512;

}  // namespace

Preselection::Preselection(const Node& node, const StandardRows& rows) {
  switch (node.problem.measure.traits().sums) {
    case Sums::squares:
      steepest_ = 2.0;
      break;
    case Sums::differences:
      steepest_ = 1.0;
      is_twoing_ = true;
      break;
    case Sums::logarithms:
    case Sums::roots:
    case Sums::class_weights:
    case Sums::moments:
    case Sums::medians:
      return;
  }
  n_bins_ = std::min(rows.n_rows() / rows_a_bin, most_bins);
  is_known_ = rows.n_rows() == node.ids().size() && n_bins_ > 1;
  if (!is_known_) return;
  constexpr std::uint32_t none = 0xFFFFFFFF;
  std::vector<std::uint32_t> place(node.statistics.size(), none);
  weights_ = rows.weights;
  weight_ = rows.weight;
  for (std::size_t i = 0; i < rows.n_rows(); ++i) {
    const auto label = static_cast<std::size_t>(node.problem.target.labels[rows.ids[i]]);
    if (place[label] == none) {
      place[label] = static_cast<std::uint32_t>(total_.size());
      total_.push_back(0.0);
    }
    labels_.push_back(place[label]);
    total_[place[label]] += weights_[i];
  }
}

bool Preselection::may_beat(std::span<const double> values, double score) {
  if (!is_known_) return true;
  const auto [low, high] = std::ranges::minmax(values);
  if (!(low < high)) return false;
  count(values, low, high);
  const double enough = score * weight_;
  const std::size_t k = total_.size();
  left_.assign(k, 0.0);
  double on_left = 0.0, before = 0.0;
  for (std::size_t b = 0; b < n_bins_; ++b) {
    double in_bin = 0.0;
    for (std::size_t c = 0; c < k; ++c) {
      left_[c] += bins_[b * k + c];
      in_bin += bins_[b * k + c];
    }
    on_left += in_bin;
    const double after = worth(on_left);
    const auto reaches = [&](double slope) { return before + after + slope * in_bin > 2 * enough; };
    if (reaches(steepest_) &&
        (is_twoing_ || reaches(gini_slope(std::span(bins_).subspan(b * k, k), on_left, in_bin)))) {
      return true;
    }
    before = after;
  }
  return false;
}

void Preselection::count(std::span<const double> values, double low, double high) {
  const std::size_t k = total_.size();
  const double scale = static_cast<double>(n_bins_) / (high - low);
  bins_.assign(n_bins_ * k, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bin = std::min(static_cast<std::size_t>((values[i] - low) * scale), n_bins_ - 1);
    bins_[bin * k + labels_[i]] += weights_[i];
  }
}

double Preselection::gini_slope(std::span<const double> bin, double on_left, double in_bin) const {
  // The shares on a side lie between what it has at one end of the bin and at the other.
  const double least_left = on_left - in_bin, most_right = weight_ - least_left;
  const double least_right = weight_ - on_left;
  const auto at_most = [](double part, double whole) { return part < whole ? part / whole : 1.0; };
  double left_low = 0.0, left_high = 0.0, right_low = 0.0, right_high = 0.0;  // sums of squares
  double rise = 0.0, fall = 0.0;  // the largest of p_c - q_c and of q_c - p_c
  for (std::size_t c = 0; c < bin.size(); ++c) {
    const double right = total_[c] - left_[c];
    const double p_low = (left_[c] - bin[c]) / on_left, p_high = at_most(left_[c], least_left);
    const double q_low = right / most_right, q_high = at_most(right + bin[c], least_right);
    left_low += p_low * p_low;
    left_high += p_high * p_high;
    right_low += q_low * q_low;
    right_high += q_high * q_high;
    if (bin[c] > 0) {
      rise = std::max(rise, p_high - q_low);
      fall = std::max(fall, q_high - p_low);
    }
  }
  return std::max({2 * rise - left_low + right_high, 2 * fall + left_high - right_low, 0.0});
}

double Preselection::worth(double on_left) const {
  const double on_right = weight_ - on_left;
  if (!(on_left > 0 && on_right > limit_slack * weight_)) return 0.0;
  if (is_twoing_) {
    double apart = 0.0;
    const double share = on_left / weight_;
    for (std::size_t c = 0; c < left_.size(); ++c) apart += std::abs(left_[c] - total_[c] * share);
    return apart / on_left * apart / on_right * weight_ / 4;
  }
  double sum = 0.0;
  for (std::size_t c = 0; c < left_.size(); ++c) {
    const double right = total_[c] - left_[c];
    sum +=
        left_[c] / on_left * left_[c] + right / on_right * right - total_[c] / weight_ * total_[c];
  }
  return sum;
}

}  // namespace treewright
