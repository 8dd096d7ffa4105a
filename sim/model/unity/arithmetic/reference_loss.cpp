// SPDX-License-Identifier: MIT
// Losses, with torch's formulas. A term is evaluated in a wider format, as sums and means are, and the result rounds once.
#include <algorithm>

#include "sim/model/unity/arithmetic/labels.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Loss;
using isa::unity::LossReduction;
using isa::unity::Opcode;

template <typename Wide>
class Losses {
 public:
  Losses(const Loss &operation, const std::byte *input, const std::byte *target)
      : operation_(operation), unit_(operation.input.unit), input_(input), target_(target) {}

  [[nodiscard]] Wide term(std::uint64_t i) const { return operation_.by_rows() ? of_row(i) : of_element(input(i), target(i)); }

 private:
  [[nodiscard]] Wide input(std::uint64_t i) const { return static_cast<Wide>(real_of_bits(load_bits(input_, unit_, i), unit_)); }
  [[nodiscard]] Wide target(std::uint64_t i) const { return static_cast<Wide>(real_of_bits(load_bits(target_, unit_, i), unit_)); }

  [[nodiscard]] Wide of_element(Wide x, Wide t) const {
    const auto parameter = static_cast<Wide>(operation_.parameter);
    switch (operation_.op) {
      case Opcode::MSE_LOSS: return (x - t) * (x - t);
      case Opcode::L1_LOSS: return std::fabs(x - t);
      case Opcode::SMOOTH_L1_LOSS: {
        const Wide distance = std::fabs(x - t);
        return distance < parameter ? distance * distance / parameter / 2 : distance - parameter / 2;
      }
      case Opcode::LOG_LOSS: return -t * std::log(x + parameter) - (1 - t) * std::log(1 - x + parameter);
      case Opcode::KLDIV_LOSS: return (t == 0 ? 0 : t * std::log(t)) - t * x;
      default: return softplus(-t * x);  // SOFT_MARGIN_LOSS
    }
  }

  [[nodiscard]] Wide of_row(std::uint64_t row) const {
    const std::uint64_t first = row * operation_.classes;
    if (operation_.op == Opcode::NLL_LOSS) return -input(first + label_of(target_, row));
    const LogSoftmax scores(*this, first);
    if (operation_.op == Opcode::SPARSE_CROSS_ENTROPY_LOSS) return -scores(label_of(target_, row));
    Wide sum = 0;
    for (std::uint64_t c = 0; c < operation_.classes; ++c) sum -= target(first + c) * scores(c);
    return sum;
  }

  /// Logarithms of the probabilities that the scores of a row mean.
  class LogSoftmax {
   public:
    LogSoftmax(const Losses &losses, std::uint64_t first) : losses_(losses), first_(first), largest_(losses.input(first)) {
      const std::uint64_t classes = losses.operation_.classes;
      for (std::uint64_t c = 1; c < classes; ++c) largest_ = std::max(largest_, losses.input(first + c));  // NaN appears in the sum
      Wide sum = 0;
      for (std::uint64_t c = 0; c < classes; ++c) sum += std::exp(losses.input(first + c) - largest_);
      log_sum_ = std::log(sum);
    }
    Wide operator()(std::uint64_t c) const { return losses_.input(first_ + c) - largest_ - log_sum_; }

   private:
    const Losses &losses_;
    std::uint64_t first_;
    Wide largest_, log_sum_ = 0;
  };

  const Loss &operation_;
  Unit unit_;
  const std::byte *input_, *target_;
};

template <typename Wide>
void write_terms(const Loss &operation, const Losses<Wide> &losses, std::byte *result) {
  const Unit unit = operation.result.unit;
  const std::uint64_t terms = operation.terms();
  if (operation.reduction == LossReduction::none) {
    for (std::uint64_t i = 0; i < terms; ++i) store_bits(result, unit, i, bits_of_wide(losses.term(i), unit));
    return;
  }
  Wide sum = 0;
  for (std::uint64_t i = 0; i < terms; ++i) sum += losses.term(i);
  store_bits(result, unit, 0, bits_of_wide(operation.reduction == LossReduction::mean ? sum / static_cast<Wide>(terms) : sum, unit));
}

}  // namespace

Status loss(const Loss &operation, Memory &memory) {
  const std::byte *input = read(memory, operation.input), *target = read(memory, operation.target);
  if (operation.has_labels()) {
    if (const Status status = check_labels(target, operation.rows, operation.classes); !status) return status;
  }
  std::byte *result = write(memory, operation.result);
  in_wider(operation.input.unit, [&](auto wide) { write_terms(operation, Losses<decltype(wide)>(operation, input, target), result); });
  return {};
}

}  // namespace cox::model::unity::reference
