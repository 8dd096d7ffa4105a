// SPDX-License-Identifier: MIT
// Convolutions of maps and volumes, and matrix products.
#include "sim/model/unity/arithmetic/convolution_finish.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Convolution;
using isa::unity::Depth;

/// A position in the result: plane, line in the plane, column, channel.
struct Position {
  std::uint32_t d = 0, h = 0, w = 0, o = 0;
};

/// The bytes of one convolution. A map is a volume with one plane.
class Convolver {
 public:
  Convolver(const Convolution &operation, const Depth &depth, Memory &memory)
      : operation_(operation),
        depth_(depth),
        source_(read(memory, operation.source, depth)),
        kernel_(memory.read(operation.kernel.address, kernel_bytes(operation.kernel, depth))),
        result_(write(memory, operation.result)),
        padding_(memory, operation.padding, operation.source),
        finish_(operation, memory) {}

  void run() const {
    const auto &to = operation_.result;
    const bool reals = is_float(operation_.source.unit);
    const bool widest = is_fp64(operation_.source.unit) || is_fp64(operation_.kernel.unit) || is_fp64(to.unit) ||
                        (!operation_.plain && (is_fp64(operation_.bias.unit) || is_fp64(operation_.scale.unit) ||
                                               (operation_.has_multiplier && is_fp64(operation_.multiplier.unit))));
    const std::uint32_t lines = depth_.lines(to);
    for (std::uint32_t line = 0; line < to.height; ++line) {
      for (std::uint32_t w = 0; w < to.width; ++w) {
        for (std::uint32_t o = 0; o < to.channels; ++o) {
          const Position at{line / lines, line % lines, w, o};
          const std::uint64_t bits = !reals   ? finish_.whole(whole_sum(at), line, w, o)
                                     : widest ? finish_.real(real_sum<double>(at), line, w, o)
                                              : finish_.real(real_sum<float>(at), line, w, o);
          store_at(result_, to.unit, to.nibble(line, w, o), bits);
        }
      }
    }
  }

 private:
  static bool is_fp64(Unit unit) { return unit == Unit::fp64; }

  /// Position in the source of position `at` of the enlarged source along a direction; -1 for padding.
  static std::int64_t original(std::int64_t at, std::int64_t enlarge, std::int64_t size) {
    return at >= 0 && at % enlarge == 0 && at / enlarge < size ? at / enlarge : -1;
  }

  /// Bits of element (z, y, x, c) of the enlarged source; padding stands outside and in the gaps.
  [[nodiscard]] std::uint64_t source_bits(std::int64_t z, std::int64_t y, std::int64_t x, std::uint32_t c) const {
    const auto &map = operation_.source;
    const std::int64_t plane = original(z, depth_.enlarge, depth_.source);
    const std::int64_t line = original(y, operation_.enlarge_vertical, map.height);
    const std::int64_t column = original(x, operation_.enlarge_horizontal, map.width);
    if (plane < 0 || line < 0 || column < 0) return padding_.bits(0, 0, c);
    const std::uint64_t place = static_cast<std::uint64_t>(plane) * depth_.source_step +
                                map.nibble(static_cast<std::uint64_t>(line), static_cast<std::uint64_t>(column), c);
    return load_at(source_, map.unit, place);
  }

  /// Calls `visit` with the bits of source and weight of each product of a result element, by plane, row, column and channel.
  template <typename Visit>
  void for_each_product(const Position &at, Visit visit) const {
    const auto &kernel = operation_.kernel;
    const std::uint32_t first = at.o / (kernel.number / operation_.groups) * kernel.channels;
    for (std::uint32_t k = 0; k < depth_.kernel; ++k) {
      const std::int64_t z = std::int64_t{at.d} * depth_.stride + k - depth_.front;
      for (std::uint32_t i = 0; i < kernel.height; ++i) {
        const std::int64_t y =
            std::int64_t{at.h} * operation_.stride_vertical + std::int64_t{i} * operation_.rate_vertical - operation_.top;
        for (std::uint32_t j = 0; j < kernel.width; ++j) {
          const std::int64_t x =
              std::int64_t{at.w} * operation_.stride_horizontal + std::int64_t{j} * operation_.rate_horizontal - operation_.left;
          for (std::uint32_t c = 0; c < kernel.channels; ++c) {
            const std::uint64_t place =
                at.o * kernel.number_step + k * depth_.kernel_step + i * kernel.row + j * kernel.column + c * kernel.channel;
            visit(source_bits(z, y, x, first + c), load_at(kernel_, kernel.unit, place));
          }
        }
      }
    }
  }

  /// Modulo 2^64.
  [[nodiscard]] std::uint64_t whole_sum(const Position &at) const {
    std::uint64_t sum = 0;
    for_each_product(at, [&](std::uint64_t source, std::uint64_t weight) {
      const std::int64_t x = isa::unity::integer_of(operation_.source.unit, source);
      const std::int64_t k = isa::unity::integer_of(operation_.kernel.unit, weight);
      sum += static_cast<std::uint64_t>(x) *
             (static_cast<std::uint64_t>(k) - static_cast<std::uint64_t>(std::int64_t{operation_.kernel_zero}));
    });
    return sum;
  }

  template <typename Real>
  [[nodiscard]] Real real_sum(const Position &at) const {
    Real sum = 0;
    for_each_product(at, [&](std::uint64_t source, std::uint64_t weight) {
      const auto x = static_cast<Real>(real_of_bits(source, operation_.source.unit));
      sum = std::fma(x, static_cast<Real>(real_of_bits(weight, operation_.kernel.unit)), sum);
    });
    return sum;
  }

  const Convolution &operation_;
  Depth depth_;
  const std::byte *source_, *kernel_;
  std::byte *result_;
  ParameterValues padding_;
  ConvolutionFinish finish_;
};

}  // namespace

void convolution(const Convolution &operation, Memory &memory) { Convolver(operation, {}, memory).run(); }

void volume_convolution(const isa::unity::VolumeConvolution &operation, Memory &memory) {
  Convolver(operation.planes, operation.depth, memory).run();
}

}  // namespace cox::model::unity::reference
