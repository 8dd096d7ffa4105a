// SPDX-License-Identifier: MIT
// Convolutions and matrix products.
#include "sim/model/unity/arithmetic/convolution_finish.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Convolution;

/// The bytes of one convolution.
class Convolver {
 public:
  Convolver(const Convolution &operation, Memory &memory)
      : operation_(operation),
        source_(read(memory, operation.source)),
        kernel_(memory.read(operation.kernel.address, kernel_bytes(operation.kernel))),
        result_(write(memory, operation.result)),
        padding_(memory, operation.padding, operation.source),
        finish_(operation, memory) {}

  void run() const {
    const auto &to = operation_.result;
    const bool reals = is_float(operation_.source.unit);
    const bool widest = is_fp64(operation_.source.unit) || is_fp64(operation_.kernel.unit) || is_fp64(to.unit) ||
                        (!operation_.plain && (is_fp64(operation_.bias.unit) || is_fp64(operation_.scale.unit) ||
                                               (operation_.has_multiplier && is_fp64(operation_.multiplier.unit))));
    for (std::uint32_t h = 0; h < to.height; ++h) {
      for (std::uint32_t w = 0; w < to.width; ++w) {
        for (std::uint32_t c = 0; c < to.channels; ++c) {
          store_at(result_, to.unit, to.nibble(h, w, c),
                   !reals   ? of_wholes(h, w, c)
                   : widest ? of_reals<double>(h, w, c)
                            : of_reals<float>(h, w, c));
        }
      }
    }
  }

 private:
  static bool is_fp64(Unit unit) { return unit == Unit::fp64; }

  /// Bits of element (y, x, c) of the enlarged source; padding stands outside and in the gaps.
  [[nodiscard]] std::uint64_t source_bits(std::int64_t y, std::int64_t x, std::uint32_t c) const {
    const auto &map = operation_.source;
    const std::int64_t step_y = operation_.enlarge_vertical, step_x = operation_.enlarge_horizontal;
    const bool inside = y >= 0 && x >= 0 && y % step_y == 0 && x % step_x == 0 && y / step_y < map.height && x / step_x < map.width;
    if (!inside) return padding_.bits(0, 0, c);
    return load_at(source_, map.unit, map.nibble(static_cast<std::uint64_t>(y / step_y), static_cast<std::uint64_t>(x / step_x), c));
  }

  /// Calls `visit` with the bits of source and weight of each product of a result element, by row, column and channel.
  template <typename Visit>
  void for_each_product(std::uint32_t h, std::uint32_t w, std::uint32_t o, Visit visit) const {
    const auto &kernel = operation_.kernel;
    const std::uint32_t first = o / (kernel.number / operation_.groups) * kernel.channels;
    for (std::uint32_t i = 0; i < kernel.height; ++i) {
      for (std::uint32_t j = 0; j < kernel.width; ++j) {
        const std::int64_t y = std::int64_t{h} * operation_.stride_vertical + std::int64_t{i} * operation_.rate_vertical - operation_.top;
        const std::int64_t x =
            std::int64_t{w} * operation_.stride_horizontal + std::int64_t{j} * operation_.rate_horizontal - operation_.left;
        for (std::uint32_t c = 0; c < kernel.channels; ++c) {
          const std::uint64_t place = o * kernel.number_step + i * kernel.row + j * kernel.column + c * kernel.channel;
          visit(source_bits(y, x, first + c), load_at(kernel_, kernel.unit, place));
        }
      }
    }
  }

  [[nodiscard]] std::uint64_t of_wholes(std::uint32_t h, std::uint32_t w, std::uint32_t o) const {
    std::uint64_t sum = 0;  // modulo 2^64
    for_each_product(h, w, o, [&](std::uint64_t source, std::uint64_t weight) {
      const std::int64_t x = isa::unity::integer_of(operation_.source.unit, source);
      const std::int64_t k = isa::unity::integer_of(operation_.kernel.unit, weight);
      sum += static_cast<std::uint64_t>(x) *
             (static_cast<std::uint64_t>(k) - static_cast<std::uint64_t>(std::int64_t{operation_.kernel_zero}));
    });
    return finish_.whole(sum, h, w, o);
  }

  template <typename Real>
  [[nodiscard]] std::uint64_t of_reals(std::uint32_t h, std::uint32_t w, std::uint32_t o) const {
    Real sum = 0;
    for_each_product(h, w, o, [&](std::uint64_t source, std::uint64_t weight) {
      const auto x = static_cast<Real>(real_of_bits(source, operation_.source.unit));
      sum = std::fma(x, static_cast<Real>(real_of_bits(weight, operation_.kernel.unit)), sum);
    });
    return finish_.real(sum, h, w, o);
  }

  const Convolution &operation_;
  const std::byte *source_, *kernel_;
  std::byte *result_;
  ParameterValues padding_;
  ConvolutionFinish finish_;
};

}  // namespace

void convolution(const Convolution &operation, Memory &memory) { Convolver(operation, memory).run(); }

}  // namespace cox::model::unity::reference
