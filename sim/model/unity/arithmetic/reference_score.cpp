// SPDX-License-Identifier: MIT
// ACCURACY and AUC.
#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/model/unity/arithmetic/labels.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Score;

class Scores {
 public:
  Scores(const Score &operation, Memory &memory)
      : bytes_(read(memory, operation.scores)), unit_(operation.scores.unit), classes_(operation.classes) {}

  [[nodiscard]] double operator[](std::uint64_t i) const { return real_of_bits(load_bits(bytes_, unit_, i), unit_); }

  /// The number of scores of a row that TOPK puts before that of `label`: NaN first, of equal ones the one that stands first.
  [[nodiscard]] std::uint64_t rank(std::uint64_t row, std::uint64_t label) const {
    const std::uint64_t first = row * classes_;
    const double own = (*this)[first + label];
    std::uint64_t before = 0;
    for (std::uint64_t c = 0; c < classes_; ++c) {
      const double other = (*this)[first + c];
      const bool larger = std::isnan(other) ? !std::isnan(own) : other > own;
      const bool equal = std::isnan(other) ? std::isnan(own) : other == own;
      if (larger || (equal && c < label)) ++before;
    }
    return before;
  }

 private:
  const std::byte *bytes_;
  Unit unit_;
  std::uint64_t classes_;
};

double accuracy(const Score &operation, const Scores &scores, const std::byte *labels) {
  const std::uint64_t rows = operation.labels.elements;
  std::uint64_t right = 0;
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (scores.rank(row, label_of(labels, row)) < operation.best) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(rows);
}

/// The share of pairs of a score of label 1 and one of label 0 in which the former is larger; equal ones count half.
double area(const Scores &scores, const std::byte *labels, std::uint64_t count) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (const std::uint64_t i : order) {
    if (std::isnan(scores[i])) return std::numeric_limits<double>::quiet_NaN();
  }
  std::sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) { return scores[a] < scores[b]; });
  std::uint64_t below[2] = {0, 0};  // scores of each label among those that are smaller
  std::uint64_t halves = 0;
  for (std::uint64_t first = 0, end = 0; first < count; first = end) {
    std::uint64_t equal[2] = {0, 0};
    for (; end < count && scores[order[end]] == scores[order[first]]; ++end) ++equal[label_of(labels, order[end])];
    halves += equal[1] * (2 * below[0] + equal[0]);
    below[0] += equal[0];
    below[1] += equal[1];
  }
  // 0 / 0 if there is only one label.
  return static_cast<double>(halves) / (2 * static_cast<double>(below[0]) * static_cast<double>(below[1]));
}

}  // namespace

Status score(const Score &operation, Memory &memory) {
  constexpr std::uint64_t kAucLabels = 2;
  const bool is_auc = operation.op == isa::unity::Opcode::AUC;
  const Scores scores(operation, memory);
  const std::byte *labels = read(memory, operation.labels);
  if (const Status status = check_labels(labels, operation.labels.elements, is_auc ? kAucLabels : operation.classes); !status) {
    return status;
  }
  const double value = is_auc ? area(scores, labels, operation.labels.elements) : accuracy(operation, scores, labels);
  store_bits(write(memory, operation.result), Unit::fp32, 0, bits_of_real(value, Unit::fp32));
  return {};
}

}  // namespace cox::model::unity::reference
