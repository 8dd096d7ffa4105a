// SPDX-License-Identifier: MIT
// Pools of bytes whose channels lie one after another.
#include <algorithm>
#include <vector>

#include "sim/model/unity/arithmetic/elements.h"
#include "sim/model/unity/arithmetic/fast.h"
#include "sim/model/unity/arithmetic/parameter.h"

namespace cox::model::unity::fast {
namespace {

using isa::unity::FeatureMap;
using isa::unity::Pool;

/// Rows or columns of a window that lie on the map.
struct Inside {
  std::int64_t first, last;  ///< [first, last)
  [[nodiscard]] std::int64_t count() const { return std::max<std::int64_t>(last - first, 0); }
};
Inside inside(std::int64_t position, std::int64_t stride, std::int64_t pad, std::int64_t kernel, std::int64_t size) {
  const std::int64_t start = position * stride - pad;
  return {std::max<std::int64_t>(start, 0), std::min(start + kernel, size)};
}

template <typename Element>
class Pooler {
 public:
  Pooler(const Pool &operation, Memory &memory)
      : operation_(operation),
        source_(reinterpret_cast<const Element *>(read(memory, operation.source))),
        result_(reinterpret_cast<Element *>(write(memory, operation.result))),
        padding_(memory, operation.padding, operation.source),
        sums_(operation.source.channels) {}

  void run() {
    const FeatureMap &map = operation_.source, &to = operation_.result;
    for (std::uint32_t h = 0; h < to.height; ++h) {
      for (std::uint32_t w = 0; w < to.width; ++w) {
        const Inside rows = inside(h, operation_.stride_vertical, operation_.top, operation_.kernel_height, map.height);
        const Inside columns = inside(w, operation_.stride_horizontal, operation_.left, operation_.kernel_width, map.width);
        Element *out = result_ + to.nibble(h, w, 0) / 2;
        if (operation_.kind == Pool::Kind::average) {
          average(rows, columns, out);
        } else {
          maximum(rows, columns, out);
        }
      }
    }
  }

 private:
  template <typename Visit>
  void for_each_pixel(Inside rows, Inside columns, Visit visit) const {
    for (std::int64_t y = rows.first; y < rows.last; ++y) {
      for (std::int64_t x = columns.first; x < columns.last; ++x) {
        visit(source_ + operation_.source.nibble(static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(x), 0) / 2);
      }
    }
  }

  void average(Inside rows, Inside columns, Element *out) {
    const std::size_t channels = sums_.size();
    std::fill(sums_.begin(), sums_.end(), 0);
    for_each_pixel(rows, columns, [&](const Element *pixel) {
      for (std::size_t c = 0; c < channels; ++c) sums_[c] += pixel[c];
    });
    const auto count = static_cast<std::int32_t>(rows.count() * columns.count());
    for (std::size_t c = 0; c < channels; ++c) {
      const std::int32_t half = sums_[c] < 0 ? -(count / 2) : count / 2;
      out[c] = count == 0 ? Element{0} : static_cast<Element>((sums_[c] + half) / count);
    }
  }

  void maximum(Inside rows, Inside columns, Element *out) {
    const std::size_t channels = sums_.size();
    const bool padded = rows.count() * columns.count() < std::int64_t{operation_.kernel_height} * operation_.kernel_width;
    for (std::size_t c = 0; c < channels; ++c) {
      out[c] = padded ? static_cast<Element>(padding_.bits(0, 0, c)) : std::numeric_limits<Element>::min();
    }
    for_each_pixel(rows, columns, [&](const Element *pixel) {
      for (std::size_t c = 0; c < channels; ++c) out[c] = std::max(out[c], pixel[c]);
    });
  }

  const Pool &operation_;
  const Element *source_;
  Element *result_;
  ParameterValues padding_;
  std::vector<std::int32_t> sums_;
};

}  // namespace

bool pool(const Pool &operation, Memory &memory) {
  const FeatureMap &map = operation.source, &to = operation.result;
  const bool known = operation.kind == Pool::Kind::average || operation.kind == Pool::Kind::max;
  const bool fits = std::uint64_t{operation.kernel_height} * operation.kernel_width < (std::uint64_t{1} << 22);  // sums and halves
  if (!known || !fits || map.channel != 2 || to.channel != 2) return false;
  if (map.unit == Unit::s8) {
    Pooler<std::int8_t>(operation, memory).run();
  } else if (map.unit == Unit::u8) {
    Pooler<std::uint8_t>(operation, memory).run();
  } else {
    return false;
  }
  return true;
}

}  // namespace cox::model::unity::fast
