// SPDX-License-Identifier: MIT
// Pools.
#include <algorithm>
#include <vector>

#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/parameter.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Pool;

/// The elements of one window, by row and column. `values` has padding, too.
struct Window {
  std::vector<std::uint64_t> bits;
  std::uint64_t valid = 0;  ///< the first ones are no padding
};

/// The element that has `before` others before it in ascending order, -0 before +0; NaN if there is one.
template <typename Value, typename Less>
Value ranked(std::vector<Value> values, std::size_t before, Less less) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(before), values.end(), less);
  return values[before];
}

std::size_t rank(Pool::Kind kind, std::size_t count) {
  return kind == Pool::Kind::max ? count - 1 : kind == Pool::Kind::min ? 0 : (count - 1) / 2;  // the lower one of two middle ones
}

std::uint64_t of_wholes(Pool::Kind kind, const Window &window, Unit unit) {
  if (kind == Pool::Kind::average) {
    Whole sum;
    for (std::uint64_t i = 0; i < window.valid; ++i) sum = sum + whole_of_bits(window.bits[i], unit);
    if (window.valid == 0) return 0;
    return bits_of_whole(quotient(sum, whole(false, window.valid), Rounding::half_from_zero), unit, false);
  }
  std::vector<Whole> values;
  for (const std::uint64_t bits : window.bits) values.push_back(whole_of_bits(bits, unit));
  return bits_of_whole(ranked(values, rank(kind, values.size()), [](Whole a, Whole b) { return a < b; }), unit, false);
}

std::uint64_t of_reals(Pool::Kind kind, const Window &window, Unit unit) {
  if (kind == Pool::Kind::average) {
    return in_wider(unit, [&](auto wide) {
      using Wide = decltype(wide);
      for (std::uint64_t i = 0; i < window.valid; ++i) wide += static_cast<Wide>(real_of_bits(window.bits[i], unit));
      return window.valid == 0 ? 0 : bits_of_wide(wide / static_cast<Wide>(window.valid), unit);
    });
  }
  std::vector<double> values;
  for (const std::uint64_t bits : window.bits) {
    values.push_back(real_of_bits(bits, unit));
    if (std::isnan(values.back())) return bits_of_real(values.back(), unit);
  }
  const auto less = [](double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); };
  return bits_of_real(ranked(values, rank(kind, values.size()), less), unit);
}

}  // namespace

void pool(const Pool &operation, Memory &memory) {
  const auto &map = operation.source, &to = operation.result;
  const std::byte *source = read(memory, map);
  std::byte *result = write(memory, to);
  const ParameterValues padding(memory, operation.padding, map);
  Window window;
  for (std::uint32_t h = 0; h < to.height; ++h) {
    for (std::uint32_t w = 0; w < to.width; ++w) {
      for (std::uint32_t c = 0; c < to.channels; ++c) {
        window.bits.clear();
        for (std::uint32_t i = 0; i < operation.kernel_height; ++i) {
          for (std::uint32_t j = 0; j < operation.kernel_width; ++j) {
            const std::int64_t y = std::int64_t{h} * operation.stride_vertical + i - operation.top;
            const std::int64_t x = std::int64_t{w} * operation.stride_horizontal + j - operation.left;
            if (y < 0 || x < 0 || y >= map.height || x >= map.width) continue;
            window.bits.push_back(load_at(source, map.unit, map.nibble(static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(x), c)));
          }
        }
        window.valid = window.bits.size();
        window.bits.resize(std::size_t{operation.kernel_height} * operation.kernel_width, padding.bits(0, 0, c));
        const std::uint64_t bits =
            is_float(map.unit) ? of_reals(operation.kind, window, map.unit) : of_wholes(operation.kind, window, map.unit);
        store_at(result, to.unit, to.nibble(h, w, c), bits);
      }
    }
  }
}

}  // namespace cox::model::unity::reference
