// SPDX-License-Identifier: MIT
// An instruction of the matrix unit in plain numbers, and the bytes that it touches. Model, hazard detector, tools and kernels all use
// this, so they agree with one another.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "coxswain/base/result.h"
#include "coxswain/isa/cube/layout.h"
#include "coxswain/isa/cube/table.h"
#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/window.h"

namespace cox::isa::cube {

/// A SET_FLAG or WAIT_FLAG. Its only effects are those of its flags, which flags_of() returns.
struct Nothing {};

struct Barrier {
  std::uint32_t pipes = 0;
};

struct DramToL1 {
  std::uint64_t source = 0;
  std::uint32_t rows = 1, row_bytes = 1, source_pitch = 0;
  Format format = Format::linear;
  std::uint32_t destination = 0, destination_pitch = 0;
};

/// L1_TO_L0A, or L1_TO_L0B if `right`. `rows` and `columns` are m and k for L1_TO_L0A, k and n for L1_TO_L0B.
struct L1ToL0 {
  bool right = false;
  Type type = Type::bfloat16;
  bool transpose = false, k_align = false;
  std::uint32_t source = 0, source_pitch = 1, destination = 0;
  std::uint32_t rows = 1, columns = 1;

  /// Number of fractals of the destination in the direction of k, and in the direction of m or n.
  [[nodiscard]] constexpr std::uint32_t k_count() const { return k_fractals(right ? rows : columns, type, k_align); }
  [[nodiscard]] constexpr std::uint32_t other_count() const { return fractals(right ? columns : rows, kFractalRows); }
  [[nodiscard]] constexpr std::uint32_t bytes() const { return k_count() * other_count() * kFractalBytes; }
};

/// The settings of IM2COL_CFG.
struct Im2col {
  std::uint32_t height = 1, width = 1, channels = 1;
  Type type = Type::bfloat16;
  std::int32_t pad_value = 0;
  std::uint32_t pixel_pitch = 1, row_pitch = 1;
  std::uint32_t kernel_height = 1, kernel_width = 1;
  std::uint32_t stride_y = 1, stride_x = 1, dilation_y = 1, dilation_x = 1;
  std::uint32_t pad_top = 0, pad_left = 0;
  std::uint32_t out_width = 1;

  /// Number of columns of the im2col matrix.
  [[nodiscard]] constexpr std::uint64_t depth() const { return std::uint64_t{kernel_height} * kernel_width * channels; }
};

struct Im2colToL0A {
  Im2col map;
  bool k_align = false;
  std::uint32_t source = 0, destination = 0;
  std::uint32_t first_place = 0, rows = 1, first_column = 0, columns = 1;

  [[nodiscard]] constexpr std::uint32_t k_count() const { return k_fractals(columns, map.type, k_align); }
  [[nodiscard]] constexpr std::uint32_t bytes() const { return k_count() * fractals(rows, kFractalRows) * kFractalBytes; }
};

struct L1ToBt {
  std::uint32_t source = 0, destination = 0, bytes = kBiasAlignment;
};

enum class Start : std::uint8_t { zero, accumulator, bias_table };

struct Mad {
  Type type = Type::bfloat16;
  std::uint32_t left = 0, right = 0, destination = 0;
  std::uint32_t m = 0, k = 0, n = 0;
  bool k_align = false;
  Start start = Start::zero;
  std::uint32_t bias_address = 0;  ///< only with Start::bias_table: address of the first bias; reads wrap at kBiasTableBytes

  [[nodiscard]] constexpr bool empty() const { return m == 0 || k == 0 || n == 0; }
  [[nodiscard]] constexpr std::uint32_t m_count() const { return fractals(m, kFractalRows); }
  [[nodiscard]] constexpr std::uint32_t n_count() const { return fractals(n, kFractalRows); }
  [[nodiscard]] constexpr std::uint32_t k_count() const { return k_fractals(k, type, k_align); }
  /// Number of products of two fractals. The array computes one such product in a cycle.
  [[nodiscard]] constexpr std::uint64_t fractal_products() const { return std::uint64_t{m_count()} * n_count() * k_count(); }
  /// Returns true if a read of the bias table passes its end.
  [[nodiscard]] constexpr bool bias_wraps() const {
    return start == Start::bias_table && !empty() && std::uint64_t{bias_address} + std::uint64_t{n} * kAccumulatorBytes > kBiasTableBytes;
  }
};

/// The settings of OUT_CFG.
struct OutputConfiguration {
  ScaleMode scale_mode = ScaleMode::none;
  float scale = 1, beta = 0;
  std::uint32_t scale_address = 0;
  bool bias = false;
  std::uint32_t bias_address = 0;
  bool residual = false;
  std::uint32_t residual_pitch = 0;
  Activation activation = Activation::None;
  float activation_parameter = 0;
  std::int32_t zero_point = 0;
};

/// L0C_TO_DRAM and L0C_TO_L1.
struct Output {
  OutputConfiguration configuration;
  bool to_l1 = false;
  Format format = Format::linear;
  std::uint64_t destination = 0;
  std::uint32_t destination_pitch = 0;
  bool integer = false;
  OutputType to = OutputType::float32;
  std::uint32_t source = 0, source_pitch = 1;
  std::uint32_t rows = 1, columns = 1;
  std::uint32_t channel = 0, residual_address = 0;
};

using Operation = std::variant<Nothing, Barrier, DramToL1, L1ToL0, Im2col, Im2colToL0A, L1ToBt, Mad, OutputConfiguration, Output>;

/// The settings of the last IM2COL_CFG and OUT_CFG. MTE1 and FIX run in order, so the settings apply in program order. A stream starts
/// without settings, unless it is joined to the stream before.
struct Configuration {
  std::optional<Im2col> im2col;
  std::optional<OutputConfiguration> output;

  /// Applies an IM2COL_CFG or OUT_CFG. Other operations change nothing.
  void apply(const Operation &operation);
};

/// Converts a checked instruction (isa/cube/encode.h) to plain numbers. Errors:
/// - missing_configuration: `what` is "IM2COL_CFG" or "OUT_CFG".
/// - misaligned_address: `what` is the field (for L1_TO_BT also "Bytes"), `value` is its value, and `limit` is the alignment. MAD's
///   BiasAddress, and OUT_CFG's ScaleAddress and BiasAddress, are checked only if they are used.
/// - shape_mismatch: `what` is the field and `value` its value. `limit` is the minimum or the required multiple, but 0 for "To", "PadValue"
///   and "KDirectionAlign". Each of these causes the error:
///     - The number of int4 in the direction of k or of channels is odd ("K", "Channels", "Columns", for L1_TO_L0B "Rows").
///     - The pitch is so small that a byte would be written twice ("DestinationPitch"). In fractals the pitch must be at least the number
///       of rows. In a linear destination of several rows it must be at least the bytes of a row.
///     - FirstColumn is not a multiple of the fractal's width.
///     - PadValue is not 0, and the type is not int8.
///     - The type of the results ("To") is int32, but the accumulators are FP32.
///     - The type of the results ("To") is int32, but there is a scale, a residual, or an activation other than ReLU.
///     - The Target or Origin of a SET_FLAG or WAIT_FLAG is its own pipe.
///     - A move of a type other than FP32 has KDirectionAlign. (MAD ignores KDirectionAlign for these types.)
/// - address_outside_buffer: `what` is the field of the address (the field of OUT_CFG for factors and biases), `value` is the first byte
///   after the access, and `limit` is the size of the buffer.
/// - address_outside_window: an access to DRAM passes 2^48. `what` is "Source" or "Destination", `value` is the first address, and `limit`
///   is 2^48.
/// - tensor_overlap: the destination of an L0C_TO_L1 shares bytes with factors, biases or the residual. `what` is "Destination", `value` is
///   the destination's address, and `limit` is the address of what it overlaps.
[[nodiscard]] Result<Operation> resolve(const MachineCode &code, const Configuration &configuration);

/// State and the resolve() below have the form that all instruction sets share (isa/operand_memory.h). This resolve() reads no memory.
using State = Configuration;
[[nodiscard]] inline Result<Operation> resolve(const MachineCode &code, const State &state, const OperandMemory & /*memory*/) {
  return resolve(code, state);
}

enum class Memory : std::uint8_t { dram, l1, l0a, l0b, l0c, bias_table };

/// Runs of `run` bytes, repeated in two dimensions: count[0] runs, stride[0] bytes apart, form a group. There are count[1] groups,
/// stride[1] bytes apart.
struct Access {
  Memory memory = Memory::dram;
  bool write = false;
  std::uint64_t start = 0, run = 0;
  std::array<std::uint32_t, 2> count{1, 1};
  std::array<std::uint64_t, 2> stride{0, 0};
  const char *field = "";  ///< the field that names the address

  [[nodiscard]] constexpr std::uint64_t end() const { return start + (count[0] - 1) * stride[0] + (count[1] - 1) * stride[1] + run; }
};

struct Footprint {
  std::array<Access, 5> accesses{};
  unsigned count = 0;
};

/// All bytes that the operation reads and writes. Reads come first, then writes, each in the order of the fields. Runs without a gap
/// between them are one run.
/// - Moves to L1 and L0 that write whole fractals also write the padding of the matrix.
/// - The accesses of a MAD are whole fractals here, although it neither reads nor writes padding. An empty MAD accesses nothing.
/// - An IM2COL_TO_L0A reads the whole map.
[[nodiscard]] Footprint footprint(const Operation &operation);

/// These two functions find the errors of resolve() that follow from the footprint only: address_outside_buffer and address_outside_window
/// (check_bounds), tensor_overlap (check_apart).
[[nodiscard]] Status check_bounds(const Footprint &footprint);
[[nodiscard]] Status check_apart(const Footprint &footprint);

/// Error: address_outside_window if no window holds the whole access to DRAM and permits it. `what` is the field, and `value` is the first
/// address of the access.
[[nodiscard]] Status check_windows(const Footprint &footprint, std::span<const Window> windows);

}  // namespace cox::isa::cube
