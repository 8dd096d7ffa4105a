// SPDX-License-Identifier: MIT
// Norms of floats, with torch's formulas.
#include <algorithm>

#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/partial_sums.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Norm;
using isa::unity::Opcode;

/// Some elements of the tensor: a box.
struct Box {
  std::uint64_t n = 0, s = 0, c = 0;
  std::uint64_t spatial = 1, channels = 1;

  [[nodiscard]] std::uint64_t count() const { return spatial * channels; }
};

template <typename Wide>
class Normaliser {
 public:
  Normaliser(const Norm &operation, Memory &memory)
      : operation_(operation),
        unit_(operation.source.unit),
        source_(read(memory, operation.source)),
        weight_(read_optional(memory, operation.weight)),
        bias_(read_optional(memory, operation.bias)),
        mean_(read_optional(memory, operation.mean)),
        variance_(read_optional(memory, operation.variance)),
        result_(write(memory, operation.result)) {}

  void run() const {
    const std::uint64_t channels = operation_.channels, spatial = operation_.spatial;
    for (std::uint64_t n = 0; n < operation_.batches; ++n) {
      switch (operation_.op) {
        case Opcode::BATCH_NORM:
          for (std::uint64_t c = 0; c < channels; ++c) finish({n, 0, c, spatial, 1}, number(mean_, c), number(variance_, c));
          break;
        case Opcode::INSTANCE_NORM: groups(n, channels); break;
        case Opcode::GROUP_NORM: groups(n, operation_.groups); break;
        default:
          for (std::uint64_t s = 0; s < spatial; ++s) pixel({n, s, 0, 1, channels});
          break;
      }
    }
  }

 private:
  [[nodiscard]] Wide number(const std::byte *run, std::uint64_t i) const {
    return static_cast<Wide>(real_of_bits(load_bits(run, unit_, i), unit_));
  }
  [[nodiscard]] std::uint64_t index(std::uint64_t n, std::uint64_t s, std::uint64_t c) const {
    return operation_.channels_last ? (n * operation_.spatial + s) * operation_.channels + c
                                    : (n * operation_.channels + c) * operation_.spatial + s;
  }
  /// Calls `visit` with the index and the channel of each element.
  template <typename Visit>
  void for_each(const Box &box, Visit visit) const {
    for (std::uint64_t s = box.s; s < box.s + box.spatial; ++s) {
      for (std::uint64_t c = box.c; c < box.c + box.channels; ++c) visit(index(box.n, s, c), c);
    }
  }
  void store(std::uint64_t i, Wide value) const { store_bits(result_, unit_, i, bits_of_wide(value, unit_)); }

  /// (x - mean) / sqrt(variance + epsilon) * weight + bias.
  void finish(const Box &box, Wide mean, Wide variance) const {
    const Wide factor = 1 / std::sqrt(variance + static_cast<Wide>(operation_.epsilon));
    for_each(box, [&](std::uint64_t i, std::uint64_t c) {
      Wide y = (number(source_, i) - mean) * factor;
      if (weight_ != nullptr) y *= number(weight_, c);
      if (bias_ != nullptr) y += number(bias_, c);
      store(i, y);
    });
  }

  /// By the box's own mean and variance.
  void standardise(const Box &box) const {
    const auto count = static_cast<Wide>(box.count());
    PartialSums<Wide> sums, squares;
    for_each(box, [&](std::uint64_t i, std::uint64_t) { sums.add(number(source_, i)); });
    const Wide mean = sums.total() / count;
    for_each(box, [&](std::uint64_t i, std::uint64_t) { squares.add((number(source_, i) - mean) * (number(source_, i) - mean)); });
    finish(box, mean, squares.total() / count);
  }

  void groups(std::uint64_t n, std::uint64_t count) const {
    const std::uint64_t size = operation_.channels / count;
    for (std::uint64_t g = 0; g < count; ++g) standardise({n, 0, g * size, operation_.spatial, size});
  }

  void pixel(const Box &box) const {
    switch (operation_.op) {
      case Opcode::LAYER_NORM: standardise(box); break;
      case Opcode::LRN_NORM: respond(box); break;
      case Opcode::L2_NORM: divide(box, 2); break;
      default: divide(box, static_cast<Wide>(operation_.p)); break;
    }
  }

  /// x / (k + alpha * sum of squares of `size` neighbours / size)^beta; channels outside are 0.
  void respond(const Box &box) const {
    const auto size = std::int64_t{operation_.size}, channels = static_cast<std::int64_t>(box.channels);
    for_each(box, [&](std::uint64_t i, std::uint64_t c) {
      const auto middle = static_cast<std::int64_t>(c);
      const std::int64_t first = std::max<std::int64_t>(middle - size / 2, 0), last = std::min(middle + (size - 1) / 2, channels - 1);
      Wide squares = 0;
      for (std::int64_t other = first; other <= last; ++other) {
        const Wide x = number(source_, index(box.n, box.s, static_cast<std::uint64_t>(other)));
        squares += x * x;
      }
      const Wide base = static_cast<Wide>(operation_.k) + static_cast<Wide>(operation_.alpha) * squares / static_cast<Wide>(size);
      store(i, number(source_, i) / std::pow(base, static_cast<Wide>(operation_.beta)));
    });
  }

  /// x over the p-norm of the channels, which is at least 1e-12.
  void divide(const Box &box, Wide p) const {
    Wide sum = 0;
    for_each(box, [&](std::uint64_t i, std::uint64_t) {
      const Wide x = std::fabs(number(source_, i));
      if (p == 0) {
        sum += x != 0 ? 1 : 0;
      } else if (std::isinf(p)) {
        sum = std::isnan(x) || x > sum ? x : sum;
      } else {
        sum += p == 1 ? x : p == 2 ? x * x : std::pow(x, p);
      }
    });
    Wide length = sum;
    if (p == 2) {
      length = std::sqrt(sum);
    } else if (p != 0 && p != 1 && !std::isinf(p)) {
      length = std::pow(sum, 1 / p);
    }
    if (length < static_cast<Wide>(1e-12)) length = static_cast<Wide>(1e-12);
    for_each(box, [&](std::uint64_t i, std::uint64_t) { store(i, number(source_, i) / length); });
  }

  const Norm &operation_;
  Unit unit_;
  const std::byte *source_, *weight_, *bias_, *mean_, *variance_;
  std::byte *result_;
};

}  // namespace

void norm(const Norm &operation, Memory &memory) {
  in_wider(operation.source.unit, [&](auto wide) { Normaliser<decltype(wide)>(operation, memory).run(); });
}

}  // namespace cox::model::unity::reference
