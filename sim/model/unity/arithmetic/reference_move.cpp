// SPDX-License-Identifier: MIT
// Operations that move elements without changing their bits.
#include "sim/model/unity/arithmetic/mover.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::DataMove;
using isa::unity::MoveMode;
using isa::unity::Surfaces;

/// Bytes from the first to the last element.
std::uint64_t extent_bytes(const Surfaces &map) {
  const std::uint64_t last =
      (map.surfaces - 1) * map.surface + (map.lines - 1) * map.line + std::uint64_t{map.width - 1} * nibbles_of(map.unit);
  return (last + nibbles_of(map.unit) + 1) / 2;
}

std::uint64_t place(const Surfaces &map, std::uint64_t s, std::uint64_t l, std::uint64_t x) {
  return s * map.surface + l * map.line + x * nibbles_of(map.unit);
}
/// Element n in the order (surface, line, x).
std::uint64_t place(const Surfaces &map, std::uint64_t n) {
  return place(map, n / map.width / map.lines, n / map.width % map.lines, n % map.width);
}

/// An index or a tuple of coordinates as a number below `extent`.
template <typename Indices>
Status read_index(const Indices &operation, const std::byte *indices, std::uint64_t number, std::uint64_t &index) {
  const bool tuple = operation.op == isa::unity::Opcode::GATHER_ND || operation.op == isa::unity::Opcode::SCATTER_ND;
  const unsigned coordinates = tuple ? operation.coordinates : 1;
  index = 0;
  for (unsigned i = 0; i < coordinates; ++i) {
    const std::uint64_t at = number * coordinates + i;
    const std::int64_t value = isa::unity::integer_of(operation.index.unit, load_bits(indices, operation.index.unit, at));
    const std::uint64_t extent = tuple ? operation.coordinate_extents[i] : operation.extent;
    if (value < 0 || static_cast<std::uint64_t>(value) >= extent) {
      return Status(ErrorCode::field_out_of_range, "index", static_cast<std::int32_t>(at), value, signed_of(extent));
    }
    index = index * extent + static_cast<std::uint64_t>(value);
  }
  return {};
}

template <typename Indices>
std::uint64_t index_count(const Indices &operation) {
  const bool tuple = operation.op == isa::unity::Opcode::GATHER_ND || operation.op == isa::unity::Opcode::SCATTER_ND;
  return operation.index.elements / (tuple ? operation.coordinates : 1);
}

template <typename Indices>
Status check_indices(const Indices &operation, const std::byte *indices) {
  for (std::uint64_t i = 0; i < index_count(operation); ++i) {
    std::uint64_t index = 0;
    if (const Status status = read_index(operation, indices, i, index); !status) return status;
  }
  return {};
}

}  // namespace

void data_move(const DataMove &operation, Memory &memory) {
  const Surfaces &source = operation.source, &to = operation.destination;
  const std::byte *in = operation.mode == MoveMode::fill ? nullptr : memory.read(source.address, extent_bytes(source));
  std::byte *out = memory.write(to.address, extent_bytes(to));
  const std::uint32_t lines_ratio = to.lines / source.lines, width_ratio = to.width / source.width;  // used in mode repeat
  for (std::uint32_t s = 0; s < to.surfaces; ++s) {
    for (std::uint32_t l = 0; l < to.lines; ++l) {
      for (std::uint32_t x = 0; x < to.width; ++x) {
        std::uint64_t bits = operation.value;
        switch (operation.mode) {
          case MoveMode::fill: break;
          case MoveMode::copy: bits = load_at(in, source.unit, place(source, (std::uint64_t{s} * to.lines + l) * to.width + x)); break;
          case MoveMode::repeat: bits = load_at(in, source.unit, place(source, 0, l / lines_ratio, x / width_ratio)); break;
          case MoveMode::transpose: bits = load_at(in, source.unit, place(source, s, x, l)); break;
        }
        store_at(out, to.unit, place(to, s, l, x), bits);
      }
      clear_spare(out + place(to, s, l, 0) / 2, to.unit, to.width);
    }
  }
}

void copy(const isa::unity::Copy &operation, Memory &memory) {
  const Mover mover(memory, operation.source, operation.result);
  mover.move(0, 0, operation.result.elements);
  mover.finish();
}

void pad(const isa::unity::Pad &operation, Memory &memory) {
  const Mover mover(memory, operation.source, operation.result);
  const Unit unit = operation.result.unit;
  const std::uint64_t value = is_float(unit) ? 0 : static_cast<std::uint64_t>(std::int64_t{operation.value}) & mask_of(unit);
  const std::uint64_t channels = operation.channels;
  const std::uint64_t out_height = operation.top + std::uint64_t{operation.height} + operation.bottom;
  const std::uint64_t out_width = operation.left + std::uint64_t{operation.width} + operation.right;
  for (std::uint64_t h = 0; h < out_height; ++h) {
    for (std::uint64_t w = 0; w < out_width; ++w) {
      const bool inside = h >= operation.top && h < operation.top + std::uint64_t{operation.height} && w >= operation.left &&
                          w < operation.left + std::uint64_t{operation.width};
      const std::uint64_t to = (h * out_width + w) * channels;
      if (inside) {
        mover.move(((h - operation.top) * operation.width + (w - operation.left)) * channels, to, channels);
      } else {
        for (std::uint64_t c = 0; c < channels; ++c) mover.store(to + c, value);
      }
    }
  }
  mover.finish();
}

void concatenate(const isa::unity::Concatenate &operation, Memory &memory) {
  std::byte *result = write(memory, operation.result);
  const Mover first(memory, operation.source[0], operation.result, result), second(memory, operation.source[1], operation.result, result);
  const std::uint64_t both = operation.first + operation.second;
  for (std::uint64_t i = 0; i < operation.outer; ++i) {
    first.move(i * operation.first, i * both, operation.first);
    second.move(i * operation.second, i * both + operation.first, operation.second);
  }
  first.finish();
}

void split(const isa::unity::Split &operation, Memory &memory) {
  const Mover first(memory, operation.source, operation.result[0]), second(memory, operation.source, operation.result[1]);
  const bool slice = operation.op == isa::unity::Opcode::SLICE;
  const std::uint64_t inner = operation.inner;
  std::uint64_t to_first = 0, to_second = 0;
  for (std::uint64_t o = 0; o < operation.outer; ++o) {
    for (std::uint64_t e = 0; e < operation.extent; ++e) {
      const std::uint64_t from = (o * operation.extent + e) * inner;
      if (slice ? e == operation.index : e < operation.index) {
        first.move(from, to_first, inner);
        to_first += inner;
      } else if (operation.result[1].elements != 0) {
        second.move(from, to_second, inner);
        to_second += inner;
      }
    }
  }
  first.finish();
  second.finish();
}

void transpose(const isa::unity::Transpose &operation, Memory &memory) {
  const Mover mover(memory, operation.source, operation.result);
  std::array<std::uint64_t, 4> steps{};
  std::uint64_t step = 1;
  for (unsigned axis = 4; axis-- > 0; step *= operation.extents[axis]) steps[axis] = step;
  const auto extent = [&](unsigned i) { return operation.extents[operation.order[i]]; };
  const auto from = [&](unsigned i) { return steps[operation.order[i]]; };
  std::uint64_t to = 0;
  for (std::uint64_t a = 0; a < extent(0); ++a) {
    for (std::uint64_t b = 0; b < extent(1); ++b) {
      for (std::uint64_t c = 0; c < extent(2); ++c) {
        for (std::uint64_t d = 0; d < extent(3); ++d) mover.move(a * from(0) + b * from(1) + c * from(2) + d * from(3), to++);
      }
    }
  }
  mover.finish();
}

Status gather(const isa::unity::Gather &operation, Memory &memory) {
  const std::byte *indices = read(memory, operation.index);
  if (const Status status = check_indices(operation, indices); !status) return status;
  const Mover mover(memory, operation.source, operation.result);
  const std::uint64_t count = index_count(operation), inner = operation.inner;
  for (std::uint64_t o = 0; o < operation.outer; ++o) {
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t index = 0;
      if (const Status status = read_index(operation, indices, i, index); !status) return status;
      mover.move((o * operation.extent + index) * inner, (o * count + i) * inner, inner);
    }
  }
  mover.finish();
  return {};
}

Status scatter(const isa::unity::Scatter &operation, Memory &memory) {
  const std::byte *indices = read(memory, operation.index);
  if (const Status status = check_indices(operation, indices); !status) return status;
  const Mover mover(memory, operation.update, operation.tensor);
  for (std::uint64_t i = 0; i < index_count(operation); ++i) {
    std::uint64_t index = 0;
    if (const Status status = read_index(operation, indices, i, index); !status) return status;
    mover.move(i * operation.inner, index * operation.inner, operation.inner);
  }
  return {};
}

}  // namespace cox::model::unity::reference
