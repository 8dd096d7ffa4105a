// SPDX-License-Identifier: MIT
// An executable instruction joined with its configuration: shapes, strides and addresses in plain numbers. The verifier, the device
// model and the hazard detector all start from this, so that they cannot disagree about what an instruction touches.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "base/result.h"
#include "isa/operand_memory.h"
#include "isa/tile/configuration.h"
#include "isa/tile/enumerations.h"
#include "isa/tile/layout.h"

namespace cox::isa::tile {

/// remote_l2: the L2 buffer of another of the task's cores, which SI and SO reach: linear, without regions, within the context's blocks.
enum class Space : std::uint8_t { dram, l2, wl0, remote_l2 };

/// How an element is kept: a DataFmt, and of integers whether they have a sign.
struct Format {
  DataFmt format = DataFmt::INT8;
  bool is_signed = true;

  [[nodiscard]] constexpr bool operator==(const Format &) const = default;
};

/// A feature map in memory, NHWC: channel c of pixel (n, h, w) has bits c * element_bits and up of what begins at byte
/// base + n*image_bytes + h*row_bytes + w*pixel_bytes. Of two INT4 in a byte the even channel has the lower four bits.
struct Map {
  Space space = Space::l2;
  std::uint8_t selector = 0;  ///< DRAM: window (BAS). L2: region. remote_l2: the other core, counted from the task's first
  Format format;
  std::uint32_t channels = 0, height = 0, width = 0;
  std::uint32_t element_bits = 8;
  std::uint32_t pixel_bytes = 0;
  std::int64_t row_bytes = 0;
  std::int64_t image_bytes = 0;
  /// Of pixel (0, 0, 0): a byte offset in the window, or an L2 byte address before wrapping (docs/isa/tile.md, L2). Batches of VP are added
  /// in.
  std::int64_t base = 0;

  /// Bytes of `count` channels side by side, from the first one on.
  [[nodiscard]] constexpr std::int64_t bytes_of(std::int64_t count) const { return (count * element_bits + 7) / 8; }
};

/// lda_mov, sta_mov, dt_cal with Order 0, si_mov, so_mov: an NHWC box, from the origin of one map to the origin of another. Where the
/// formats differ, elements are converted (docs/arithmetic.md, Conversions).
struct Move {
  Map from, to;
  std::uint32_t batch = 0, channels = 0, height = 0, width = 0;
};

/// A map whose dimensions lie in any order. Element (n, c, h, w) begins at bit
/// 8 * base + n*image + (c / block)*block_step + (c % block)*channel + h*row + w*column.
struct StridedMap {
  std::uint8_t selector = 0;                                                 ///< L2 region
  std::int64_t base = 0;                                                     ///< L2 byte address
  std::uint32_t block = 1;                                                   ///< channels of a block
  std::int64_t image = 0, block_step = 0, channel = 0, row = 0, column = 0;  ///< bits
  std::int64_t extent = 0;  ///< bits from the first to the last element that is touched, that one included
};

/// dt_cal with another Order: element (n, c, h, w) of `from` goes to (n, c, h, w) of `to`; both say where that is.
struct Transform {
  StridedMap from, to;
  Format format;
  std::uint32_t element_bits = 8;
  std::uint32_t batch = 0, channels = 0, height = 0, width = 0;
};

/// ldw_mov, lw_mov: `kernels` weight records.
struct WeightMove {
  Space from_space = Space::dram, to_space = Space::wl0;
  std::uint8_t from_selector = 0, to_selector = 0;
  std::int64_t from = 0, to = 0;  ///< bytes
  std::int64_t bytes = 0;         ///< of all records at the destination
  std::uint32_t kernels = 0, channels = 0, rows = 0, columns = 0;
  Format format;
  std::uint32_t element_bits = 8;
  /// Records move as they are, a run of `bytes` on both sides. Where not, what follows says how they are made.
  bool whole = true;
  std::uint32_t position_bytes = 0;         ///< of the channels at one position of a record, at the destination
  std::uint32_t source_position_bytes = 0;  ///< at the source; of a feature map, of a pixel
  std::uint32_t source_record_bytes = 0;    ///< at the source; of a feature map, of a pixel
  std::uint32_t first_channel = 0;          ///< of the source record: C0
  std::uint32_t unmasked = UINT32_MAX;      ///< channels (of the destination record) from here on become 0
  bool feature_map = false;                 ///< the source is one: record k is pixel k, with scale 1, and bias and slope 0
};

/// A table of FP32 entries in L2: `segments` + 1 of them (docs/arithmetic.md, Tables).
struct Table {
  std::uint32_t segments = 0;  ///< 0: there is no table
  std::uint8_t selector = 0;   ///< L2 region
  std::int64_t base = 0;       ///< L2 byte address
  float low = 0, per_unit = 0;
  bool extrapolate = false;
};

/// pe_conv.
struct Convolution {
  Map source, destination;
  Format weight_format;
  std::int64_t weights = 0;          ///< WL0 byte address of the first record
  std::uint32_t record_bytes = 0;    ///< R*S*position_bytes of weights and 32 bytes of parameters
  std::uint32_t position_bytes = 0;  ///< of the channels at one position of a record
  /// Extent of the output tile. `channels`: input channels of one group.
  std::uint32_t batch = 0, kernels = 0, channels = 0, height = 0, width = 0;
  std::uint32_t groups = 1;  ///< divides `kernels`; group g reads channels [g * channels, (g + 1) * channels)
  std::uint32_t kernel_height = 0, kernel_width = 0, stride_height = 0, stride_width = 0;
  std::uint32_t dilation_height = 1, dilation_width = 1;
  /// Rows and columns of the source are spread by these, with padding in between: row r of the source is row r * upsample_height of
  /// what the kernel slides over, which has (height - 1) * upsample_height + 1 rows.
  std::uint32_t upsample_height = 1, upsample_width = 1;
  std::int32_t first_row = 0, first_column = 0;  ///< of what the kernel slides over, under its corner for output (0, 0)
  float padding_value = 0;                       ///< in quantised units of the source
  bool accumulate = false;                       ///< accumulators begin with those at `partial`
  bool store_accumulators = false;               ///< `destination` gets them, and nothing below applies
  Map partial;                                   ///< of the destination's shape; elements as accumulators are kept
  bool dequantise = false;
  std::uint8_t clip = 0;  ///< DQC
  float dequantisation_scale = 0, dequantisation_zero_point = 0;
  ActMode activation = ActMode::DISABLE;
  float activation_parameter = 0;
  Table table;  ///< of SILU
  Float2Fixed rounding = Float2Fixed::ROUND;
  float scale = 0, zero_point = 0;  ///< QK, QB: integer destinations alone

  /// Accumulators are FP32 (floating-point operands), 64-bit (INT16 operands) or 32-bit integers. In a map the second are INT32 with
  /// element_bits 64.
  [[nodiscard]] constexpr bool is_floating() const {
    return source.format.format == DataFmt::FP16 || source.format.format == DataFmt::BF16 || source.format.format == DataFmt::FP32;
  }
  [[nodiscard]] constexpr bool is_wide() const { return source.format.format == DataFmt::INT16 || weight_format.format == DataFmt::INT16; }
};

enum class VectorFunction : std::uint8_t {
  copy,
  arithmetic,  ///< GroupMode, with tensor 1 or a scalar
  compare,     ///< CompareMode, likewise
  sum,
  mean,
  maximum,
  minimum,  ///< reductions over `reduced`
  table,
  softmax,
  layer_norm,  ///< over channels
  maximum_pool,
  average_pool,
  nearest,
  bilinear,  ///< resize
};

/// A number of the instruction, or a scalar register.
struct Scalar {
  float value = 0;
  std::int8_t index = -1;  ///< 0 to kScalarRegisters - 1: that register; -1: `value`
};

/// vp_self, vp_pool. The map at STaddr is `source`, the one at STaddr1 `source1` (two tensors).
struct Vector {
  VectorFunction function = VectorFunction::copy;
  Map source, source1, destination;
  bool two_tensors = false;
  std::uint8_t dimensions = 7, dimensions1 = 7;       ///< T0F, T1F: dimensions that the tensors have
  std::uint32_t channels = 0, height = 0, width = 0;  ///< extent of the output tile; of a reduction, of what is reduced
  std::uint32_t kernel_height = 1, kernel_width = 1, stride_height = 1, stride_width = 1;
  std::int32_t first_row = 0, first_column = 0;
  bool dequantise = false;
  std::uint8_t dequantisation_rounding = 0;         ///< IQCS
  float source_scale = 1, source_zero_point = 0;    ///< of `source`: IQK1, IQB1 where there are two tensors, else IQK0, IQB0
  float source1_scale = 1, source1_zero_point = 0;  ///< of `source1`: IQK0, IQB0
  bool multiply_elements = false;                   ///< by `multiplier`, each element of `source`; of an average pool always
  Scalar multiplier{1, -1};                         ///< MG0V
  GroupMode group = GroupMode::DEFAULT;
  CompareMode compare = CompareMode::DEFAULT;
  Scalar operand;            ///< SG0V or CMPV; of layer_norm what is added to the variance
  std::uint8_t reduced = 0;  ///< Dimensions
  bool lanes = false;        ///< order of sums: TREED
  std::int8_t result = -1;   ///< scalar register that gets the result, -1: none
  Table table;
  float padding_value = 0;                                          ///< PADV_AREA, after dequantisation
  std::array<std::uint32_t, 2> numerator{1, 1}, denominator{1, 1};  ///< resize: rows, columns
  std::array<std::int32_t, 2> offset{0, 0};
  Group1Mode group1 = Group1Mode::DEFAULT;
  Scalar operand1;  ///< SG1V
  bool affine = false;
  Scalar factor, summand;  ///< MULV, SUMV
  Float2Fixed rounding = Float2Fixed::ROUND;
  bool apply_scale = true, apply_zero_point = true, subtract_zero_point = false;  ///< QEN, QSMD
  float scale = 1, zero_point = 0;                                                ///< QK, QB
  std::uint8_t shift = 0;                                                         ///< SHMD

  [[nodiscard]] constexpr bool is_pool() const {
    return function == VectorFunction::maximum_pool || function == VectorFunction::average_pool;
  }
  [[nodiscard]] constexpr bool is_reduction() const { return function >= VectorFunction::sum && function <= VectorFunction::minimum; }
  [[nodiscard]] constexpr bool is_resize() const { return function == VectorFunction::nearest || function == VectorFunction::bilinear; }
};

/// ct_st, ct_bc, ct_ed, si_sync, so_sync: nothing moves.
struct Control {};

using Operation = std::variant<Control, Move, Transform, WeightMove, Convolution, Vector>;

/// Joins `code` (fields in range: isa/instruction_set.h) with what has been configured. Configuration instructions give Control.
/// missing_configuration: `what` is the configuration instruction that was not there. unsupported, shape_mismatch, address_outside_wl0,
/// field_out_of_range (of a scalar register's number): the field.
[[nodiscard]] Result<Operation> resolve(const MachineCode &code, const Configuration &configuration);
/// The form that all sets have (isa/operand_memory.h). No instruction of this set reads operands from memory.
using State = Configuration;
[[nodiscard]] inline Result<Operation> resolve(const MachineCode &code, const State &state, const OperandMemory & /*memory*/) {
  return resolve(code, state);
}
/// The same, for who has little stack: into `operation`, which on an error is any.
[[nodiscard]] Status resolve(const MachineCode &code, const Configuration &configuration, Operation &operation);

/// Bytes that an operation touches: `run` bytes from `start`, repeated count[i] times at stride[i]; count 1 where a dimension is not used.
struct Access {
  Space space = Space::l2;
  bool write = false;
  std::uint8_t selector = 0;
  std::int64_t start = 0;
  std::int64_t run = 0;
  std::array<std::int64_t, 3> count{1, 1, 1};
  std::array<std::int64_t, 3> stride{0, 0, 0};
  /// The field that names the address, for messages.
  const char *field = "";
  /// Lowest address that must lie inside the region itself: the base of the map (docs/isa/tile.md, Feature maps).
  std::int64_t origin = 0;

  /// One past the highest byte touched.
  [[nodiscard]] constexpr std::int64_t end() const {
    std::int64_t last = start;
    for (unsigned i = 0; i < 3; ++i) last += (count[i] - 1) * stride[i];
    return last + run;
  }
  [[nodiscard]] constexpr std::int64_t bytes() const { return run * count[0] * count[1] * count[2]; }
};

struct Footprint {
  std::array<Access, 5> accesses{};
  unsigned count = 0;
};

/// Everything that the operation reads and writes. A source with padding counts only what lies inside the map; a kernel counts the rows and
/// columns from its first tap to its last one, over all outputs. Weight records that do not move whole count whole, a Transform's INT4 in
/// blocks of 8 of several images with the padding between pixels.
[[nodiscard]] Footprint footprint(const Operation &operation);

/// An L2 access against its region: the origin inside, and no longer than the region (it wraps at the region's end).
/// address_outside_cut with `what` the field; the region must be one (blocks > 0).
[[nodiscard]] Status check_region(const Access &access, const Region &region);

/// A DRAM access against a window of `size` bytes: address_outside_window.
[[nodiscard]] Status check_window(const Access &access, std::uint64_t size, bool readable, bool writable);

/// An access to another core's L2 against the blocks of the context, first to last: address_outside_cut.
[[nodiscard]] Status check_remote(const Access &access, std::uint32_t first_block, std::uint32_t last_block);

/// Multiply-accumulates of the operation, 0 for all but convolutions.
[[nodiscard]] std::int64_t multiply_accumulates(const Operation &operation);

}  // namespace cox::isa::tile
