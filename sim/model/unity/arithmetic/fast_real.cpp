// SPDX-License-Identifier: MIT
// Element-wise operations and activations of FP32, and RELU of integers.
#include <algorithm>
#include <optional>

#include "sim/model/unity/arithmetic/fast.h"
#include "sim/model/unity/arithmetic/fast_blocks.h"

namespace cox::model::unity::fast {
namespace {

using isa::unity::Activation;
using isa::unity::Elementwise;
using isa::unity::Opcode;
using isa::unity::Run;

const Float *read_floats(Memory &memory, const Run &run) { return reinterpret_cast<const Float *>(read(memory, run)); }
Float *write_floats(Memory &memory, const Run &run) { return reinterpret_cast<Float *>(write(memory, run)); }

std::optional<RealPair> pair_of(Opcode op) {
  switch (op) {
    case Opcode::ADD: return RealPair::add;
    case Opcode::SUB: return RealPair::subtract;
    case Opcode::MUL: return RealPair::multiply;
    case Opcode::DIV: return RealPair::divide;
    case Opcode::MAX: return RealPair::maximum;
    case Opcode::MIN: return RealPair::minimum;
    default: return std::nullopt;
  }
}

std::optional<RealFunction> function_of(Opcode op) {
  switch (op) {
    case Opcode::ABS: return RealFunction::absolute;
    case Opcode::SQRT: return RealFunction::square_root;
    case Opcode::RECIPROCAL: return RealFunction::reciprocal;
    case Opcode::EXP: return RealFunction::exponential;
    case Opcode::TANH:
    case Opcode::AI_TANH: return RealFunction::tanh;
    case Opcode::SIGMOID: return RealFunction::sigmoid;
    case Opcode::RELU: return RealFunction::relu;
    case Opcode::RELU6: return RealFunction::relu6;
    default: return std::nullopt;
  }
}

/// DATA_CONVERT to integers of 8 and 16 bits.
bool convert(const Elementwise &operation, Memory &memory, const RealKernels &kernels) {
  const Unit to = operation.result.unit;
  const unsigned bytes = bits_of(to) / 8;
  if (operation.op != Opcode::DATA_CONVERT || is_float(to) || (bytes != 1 && bytes != 2)) return false;
  const auto [low, high] = range_of(to);
  const Float *source = read_floats(memory, operation.source[0]);
  kernels.to_wholes(source, operation.result.elements, operation.rounding, static_cast<float>(low), static_cast<float>(high), bytes,
                    write(memory, operation.result));
  return true;
}

}  // namespace

bool real_elementwise(const Elementwise &operation, Memory &memory, const Kernels &kernels) {
  for (unsigned i = 0; i < operation.sources; ++i) {
    if (operation.source[i].unit != Unit::fp32) return false;
  }
  if (operation.result.unit != Unit::fp32) return convert(operation, memory, kernels.real);
  const std::uint64_t count = operation.result.elements;
  if (const auto pair = pair_of(operation.op)) {
    const Float *first = read_floats(memory, operation.source[0]), *second = read_floats(memory, operation.source[1]);
    kernels.real.pairs(*pair, first, second, operation.scalar_second, count, write_floats(memory, operation.result));
    return true;
  }
  const auto function = function_of(operation.op);
  if (!function) return false;
  const Float *source = read_floats(memory, operation.source[0]);
  kernels.real.each(*function, source, count, write_floats(memory, operation.result));
  return true;
}

bool activation(const Activation &operation, Memory &memory, const Kernels &kernels) {
  const Unit unit = operation.source.unit;
  if (unit == Unit::fp32) {
    const auto function = function_of(operation.op);
    if (!function) return false;
    const Float *source = read_floats(memory, operation.source);
    kernels.real.each(*function, source, operation.result.elements, write_floats(memory, operation.result));
    return true;
  }
  if (operation.op != Opcode::RELU || !is_small(unit)) return false;
  return with_type(unit, [&](auto element) {
    using Element [[gnu::may_alias]] = decltype(element);
    const auto *source = reinterpret_cast<const Element *>(read(memory, operation.source));
    auto *result = reinterpret_cast<Element *>(write(memory, operation.result));
    for (std::uint64_t i = 0; i < operation.result.elements; ++i) result[i] = source[i] > 0 ? source[i] : Element{};
  });
}

}  // namespace cox::model::unity::fast
