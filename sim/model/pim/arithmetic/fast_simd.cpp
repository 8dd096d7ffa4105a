// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "sim/model/pim/arithmetic/elements.h"
#include "sim/model/pim/arithmetic/fast.h"
#include "sim/model/pim/arithmetic/fixed_point.h"
#include "sim/model/pim/arithmetic/simd_block.h"
#include "sim/model/tile/arithmetic/scratch.h"

namespace cox::model::pim::fast {
namespace {

using isa::pim::kMostSimdInputs;
using isa::pim::Simd;
using isa::pim::SimdKind;

constexpr std::uint32_t kChunk = 512;  // elements that are computed together

/// True if a chunk of the output may overwrite elements of `input` that later chunks read.
bool overwrites(const Simd &op, unsigned input) {
  if (op.kinds[input] != SimdKind::vector) return false;  // read before the first chunk
  const std::uint64_t in = op.input[input], in_end = in + vector_bytes(op.length, op.input_width[input]);
  const std::uint64_t out = op.output, out_end = out + vector_bytes(op.length, op.output_width);
  const bool apart = out_end <= in || in_end <= out;
  const bool behind = out <= in && op.output_width <= op.input_width[input];  // the output never passes the input
  return !apart && !behind;
}

/// The operation's inputs, widened to 32 bits.
class Inputs {
 public:
  Inputs(const Simd &op, const CoreMemories &memories, const Kernels &kernels) : op_(op), kernels_(kernels) {
    for (unsigned i = 0; i < kMostSimdInputs; ++i) {
      const SimdKind kind = i < op.inputs ? op.kinds[i] : SimdKind::scalar;
      if (kind == SimdKind::vector) {
        bytes_[i] = bytes_at(memories, op.input[i], vector_bytes(op.length, op.input_width[i]));
      } else if (kind == SimdKind::scalar) {
        std::int32_t value = 0;  // of an input that does not exist
        if (i < op.inputs) value = read_element(bytes_at(memories, op.input[i], vector_bytes(1, op.input_width[i])), 0, op.input_width[i]);
        std::fill_n(elements_[i], std::min(kChunk, op.length), value);
      } else {
        const bool resadd = op.opcode == isa::pim::SimdOpcode::quantify_resadd;
        const std::uint64_t bytes = vector_bytes(resadd ? unsigned{ResaddBlock::count} : unsigned{MultiplyBlock::count}, 32);
        std::memcpy(elements_[i], bytes_at(memories, op.input[i], bytes), bytes);
      }
    }
  }

  void read(std::uint32_t first, std::uint32_t count) {
    for (unsigned i = 0; i < op_.inputs; ++i) {
      if (bytes_[i] == nullptr) continue;
      kernels_.widen(bytes_[i] + vector_bytes(first, op_.input_width[i]), op_.input_width[i], count, Element::bits32, elements_[i]);
    }
  }
  [[nodiscard]] const std::int32_t *elements(unsigned input) const { return elements_[input]; }

 private:
  const Simd &op_;
  const Kernels &kernels_;
  std::array<const std::byte *, kMostSimdInputs> bytes_{};  // of vectors
  alignas(64) std::int32_t elements_[kMostSimdInputs][kChunk];
};

}  // namespace

void simd(const Simd &op, CoreMemories &memories, const Kernels &kernels) {
  if (op.length == 0) return;
  Inputs inputs(op, memories, kernels);
  alignas(64) std::int32_t results[kChunk];
  SimdRow row;
  row.opcode = op.opcode;
  for (unsigned i = 0; i < kMostSimdInputs; ++i) row.in[i] = inputs.elements(i);
  row.block = inputs.elements(2);
  row.headroom = resadd_headroom(op.input_width[0], op.input_width[1]);
  row.low = smallest(op.output_width);
  row.high = largest(op.output_width);
  row.out = results;

  const std::uint64_t bytes = vector_bytes(op.length, op.output_width);
  std::byte *const output = bytes_at(memories, op.output, bytes);
  bool aside = false;
  for (unsigned i = 0; i < op.inputs; ++i) aside = aside || overwrites(op, i);
  std::byte *const to = aside ? arithmetic::scratch(arithmetic::ScratchUse::destination, static_cast<std::int64_t>(bytes)) : output;
  for (std::uint32_t first = 0; first < op.length; first += row.count) {
    row.count = std::min(kChunk, op.length - first);
    inputs.read(first, row.count);
    kernels.simd(row);
    kernels.narrow(reinterpret_cast<const std::uint32_t *>(results), row.count, op.output_width, to + vector_bytes(first, op.output_width));
  }
  if (aside) std::memcpy(output, to, bytes);
}

}  // namespace cox::model::pim::fast
