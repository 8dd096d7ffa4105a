// SPDX-License-Identifier: MIT
// An MX instruction combined with its base registers: shapes and addresses in plain numbers. Kernels, the device model and the hazard
// detector all use this, so they agree about the bytes that an instruction touches.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <variant>

#include "coxswain/base/result.h"
#include "coxswain/isa/mx/table.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/window.h"

namespace cox::isa::mx {

inline constexpr std::uint64_t kTensorAlignment = 2;  ///< alignment in bytes of each address (base plus offset)
inline constexpr std::uint64_t kWeightAlignment = 4;  ///< alignment in bytes of weights, whose biases are FP32

/// The 32 base registers of a context and whether the control core has written them.
struct BaseRegisters {
  std::array<std::uint64_t, kBaseRegisters> address{};
  std::uint32_t written = 0;  ///< one bit for each register
};

/// The base registers that CONFBADDR chose. A stream starts without a selection.
struct Selection {
  bool chosen = false;
  std::uint8_t input1 = 0, input2 = 0, output1 = 0, output2 = 0, weight = 0;
};

/// A feature map in memory: block (channel block c, row y, column x) is at address + ((c * height + y) * width + x) * 18 bytes.
struct Map {
  std::uint64_t address = 0;
  std::uint32_t blocks = 0;  ///< channels / 16
  std::uint32_t height = 0, width = 0;

  [[nodiscard]] constexpr std::uint64_t count() const { return std::uint64_t{blocks} * height * width; }
  [[nodiscard]] constexpr std::uint64_t bytes() const { return count() * kBlockBytes; }
};

struct ConvAct {
  Map input;
  std::uint64_t weights = 0;
  Map output1;
  Map output2;  ///< its `blocks` is 0 without Split
  std::uint32_t kernel = 1, stride = 1, padding = 0;
  Activation activation = Activation::None;

  [[nodiscard]] constexpr std::uint32_t output_blocks() const { return output1.blocks + output2.blocks; }
};

/// Bytes of packed weights (docs/mx9.md, Weights). 16 output channels form a group. For each row, column and channel block of the kernel, a
/// group has 16 blocks, one for each of its output channels. 16 FP32 biases follow.
constexpr std::uint64_t weight_bytes(std::uint32_t kernel, std::uint32_t input_blocks, std::uint32_t output_blocks) {
  constexpr std::uint64_t kGroupBytes = std::uint64_t{kBlockElements} * kBlockBytes, kBiasBytes = kBlockElements * sizeof(float);
  return output_blocks * (std::uint64_t{kernel} * kernel * input_blocks * kGroupBytes + kBiasBytes);
}

/// Number of output rows or columns of a window that slides over `side` rows or columns; 0 if the window does not fit.
constexpr std::uint32_t output_side(std::uint32_t side, std::uint32_t kernel, std::uint32_t stride, std::uint32_t padding) {
  const std::uint32_t padded = side + 2 * padding;
  return padded < kernel ? 0 : (padded - kernel) / stride + 1;
}

enum class ElementwiseFunction : std::uint8_t { add, multiply, scale, sigmoid, softmax };

/// Returns true if the function takes two tensors: `input1` and `input2` of Elementwise.
constexpr bool takes_two_tensors(ElementwiseFunction function) {
  return function == ElementwiseFunction::add || function == ElementwiseFunction::multiply;
}

struct Elementwise {
  ElementwiseFunction function = ElementwiseFunction::add;
  std::uint64_t input1 = 0, input2 = 0;  ///< addresses; input2 only if takes_two_tensors()
  std::uint64_t output = 0;
  std::uint32_t blocks = 0;     ///< 1 to 2^18
  std::uint16_t immediate = 0;  ///< the BF16 bits of the factor if the function is `scale`
};

struct Pool {
  Map input, output;
  std::uint32_t kernel = 1, stride = 1, padding = 0;
  bool average = false;
};

/// Copies `count` runs of `run` blocks. Run i is at from + i * from_stride blocks. Its `repeat` copies are at to + i * to_stride blocks,
/// one after another.
struct Move {
  std::uint64_t from = 0, to = 0;
  std::uint32_t run = 1, count = 1, repeat = 1;
  std::uint32_t from_stride = 0, to_stride = 0;  ///< blocks
};

/// Only CONFBADDR gives a Selection.
using Operation = std::variant<Selection, ConvAct, Elementwise, Pool, Move>;

/// Combines a checked instruction with base registers. A CONFBADDR always succeeds and returns the Selection in its fields. Errors:
/// - missing_configuration: there was no CONFBADDR before.
/// - base_not_written: `what` is the field of the offset, and `value` is the number of the register.
/// - misaligned_address: `what` is the field, `value` is the address, and `limit` is the alignment (kTensorAlignment or kWeightAlignment).
/// - shape_mismatch: `what` is "InHeight" or "InWidth" if the kernel does not fit the padded map, "OutChannels" if Split has an odd
///   number of output blocks, "Padding" if the padding of a pool is not less than its kernel, or "OutStride" if runs of a MOVE overlap
///   each other in the destination.
/// - address_outside_window: a tensor passes the end of the 64-bit address space.
/// - tensor_overlap: an output shares bytes with an input or with the other output. `what` is the field of the output. An element-wise
///   output may have exactly the bytes of an input.
[[nodiscard]] Result<Operation> resolve(const MachineCode &code, const BaseRegisters &bases, const Selection &selection);

/// State and the resolve() below have the form that all instruction sets share (isa/operand_memory.h). This resolve() reads no memory.
struct State {
  BaseRegisters bases;
  Selection selection;

  /// Applies a resolved operation: a CONFBADDR replaces the selection.
  void apply(const Operation &operation) {
    if (const auto *chosen = std::get_if<Selection>(&operation)) selection = *chosen;
  }
};
[[nodiscard]] inline Result<Operation> resolve(const MachineCode &code, const State &state, const OperandMemory & /*memory*/) {
  return resolve(code, state.bases, state.selection);
}

/// Bytes that an operation accesses: `count` runs of `run` bytes, `stride` bytes apart.
struct Access {
  std::uint64_t start = 0, run = 0, stride = 0;
  std::uint32_t count = 1;
  bool write = false;
  const char *field = "";  ///< the field that names the address

  [[nodiscard]] constexpr std::uint64_t end() const { return start + (count - 1) * stride + run; }
};

struct Footprint {
  std::array<Access, 4> accesses{};
  unsigned count = 0;
};

/// All bytes that the operation reads and writes: inputs in the order of their fields, weights, outputs.
[[nodiscard]] Footprint footprint(const Operation &operation);

/// Checks that no output overlaps an input or the other output. Compares whole ranges from the first byte to the last, so gaps between runs
/// count too. With `in_place`, two accesses that begin at the same byte may overlap; their sizes are not compared. Errors:
/// - tensor_overlap: `what` is the output's field, `value` is its first address, and `limit` is the first address of the access that it
///   overlaps.
/// - address_outside_window: an access passes the end of the 64-bit address space.
[[nodiscard]] Status check_apart(const Footprint &footprint, bool in_place);

using isa::Window;

/// Error: address_outside_window if no window holds the whole access and permits it. `what` is the field, and `value` is the first address
/// of the access.
[[nodiscard]] Status check_windows(const Footprint &footprint, std::span<const Window> windows);

/// Multiply-accumulates that the engine's lanes do for the operation, padded channels and padded positions included. 0 for everything
/// except convolutions.
[[nodiscard]] std::uint64_t multiply_accumulates(const Operation &operation);

}  // namespace cox::isa::mx
