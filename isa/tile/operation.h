// SPDX-License-Identifier: MIT
// An instruction combined with its configuration: shapes, strides and addresses in plain numbers. The verifier, the device model and the
// hazard detector all use this, so they agree about the bytes that an instruction touches.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "coxswain/base/result.h"
#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/enumerations.h"
#include "coxswain/isa/tile/layout.h"

namespace cox::isa::tile {

/// remote_l2 is the L2 buffer of another core of the task, which only SI and SO reach. It is linear, has no regions, and its accesses lie
/// within the context's blocks.
enum class Space : std::uint8_t { dram, l2, wl0, remote_l2 };

/// The form of an element: a DataFmt and, for integers, whether they have a sign.
struct Format {
  DataFmt format = DataFmt::INT8;
  bool is_signed = true;

  [[nodiscard]] constexpr bool operator==(const Format &) const = default;
};

/// A feature map in memory, NHWC. Pixel (n, h, w) begins at byte base + n*image_bytes + h*row_bytes + w*pixel_bytes, and its channel c
/// begins at bit c * element_bits of the pixel. Of two INT4 in a byte, the even channel has the lower four bits.
struct Map {
  Space space = Space::l2;
  std::uint8_t selector = 0;  ///< DRAM: window (BAS). L2: region. remote_l2: the other core, counted from the task's first
  Format format;
  std::uint32_t channels = 0, height = 0, width = 0;
  std::uint32_t element_bits = 8;
  std::uint32_t pixel_bytes = 0;
  std::int64_t row_bytes = 0;
  std::int64_t image_bytes = 0;
  /// The address of pixel (0, 0, 0): a byte offset in the window, or an L2 byte address before wrapping (docs/isa/tile.md, L2). For VP it
  /// includes the offset of the image within the batch.
  std::int64_t base = 0;

  /// Bytes of the first `count` channels of a pixel.
  [[nodiscard]] constexpr std::int64_t bytes_of(std::int64_t count) const { return (count * element_bits + 7) / 8; }
};

/// lda_mov, sta_mov, dt_cal with Order 0, si_mov, so_mov: moves an NHWC box from the origin of one map to the origin of another. If the
/// formats differ, elements are converted (docs/arithmetic.md, Conversions).
struct Move {
  Map from, to;
  std::uint32_t batch = 0, channels = 0, height = 0, width = 0;
};

/// A map whose dimensions lie in any order. Element (n, c, h, w) begins at bit
/// 8 * base + n*image + (c / block)*block_step + (c % block)*channel + h*row + w*column.
struct StridedMap {
  std::uint8_t selector = 0;  ///< L2 region
  std::int64_t base = 0;      ///< L2 byte address
  std::uint32_t block = 1;    ///< channels of a block
  /// Distances in bits from one image, block, channel, row or column to the next one. `channel` is the distance inside a block.
  std::int64_t image = 0, block_step = 0, channel = 0, row = 0, column = 0;
  std::int64_t extent = 0;  ///< number of bits from the first to the last touched element, both included
};

/// dt_cal with an Order other than 0: element (n, c, h, w) of `from` goes to (n, c, h, w) of `to`. Each map gives the address of the
/// element.
struct Transform {
  StridedMap from, to;
  Format format;
  std::uint32_t element_bits = 8;
  std::uint32_t batch = 0, channels = 0, height = 0, width = 0;
};

/// ldw_mov, lw_mov: moves `kernels` weight records.
struct WeightMove {
  Space from_space = Space::dram, to_space = Space::wl0;
  std::uint8_t from_selector = 0, to_selector = 0;
  /// Byte addresses of the first record at the source and at the destination. In DRAM, they are offsets in the window.
  std::int64_t from = 0, to = 0;
  std::int64_t bytes = 0;  ///< length of the `kernels` records together, at the destination
  std::uint32_t kernels = 0, channels = 0, rows = 0, columns = 0;
  Format format;
  std::uint32_t element_bits = 8;
  /// True: records move unchanged, as one run of `bytes` on both sides. False: the members below say how records are made.
  bool whole = true;
  std::uint32_t position_bytes = 0;         ///< bytes of the channels at one kernel position, at the destination
  std::uint32_t source_position_bytes = 0;  ///< the same at the source; for a feature map, bytes of a pixel
  std::uint32_t source_record_bytes = 0;    ///< bytes of a record at the source; for a feature map, bytes of a pixel
  std::uint32_t first_channel = 0;          ///< C0: the first channel that is taken from a source record
  std::uint32_t unmasked = UINT32_MAX;      ///< from this number on, the channels of the destination become 0
  bool feature_map = false;                 ///< the source is a feature map: record k is pixel k, with scale 1, and bias and slope 0
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
  std::uint32_t record_bytes = 0;    ///< kernel_height * kernel_width * position_bytes of weights, and 32 of parameters
  std::uint32_t position_bytes = 0;  ///< bytes of the channels at one kernel position
  /// Extent of the output tile. `channels`: input channels of one group.
  std::uint32_t batch = 0, kernels = 0, channels = 0, height = 0, width = 0;
  std::uint32_t groups = 1;  ///< divides `kernels`; group g reads channels [g * channels, (g + 1) * channels)
  std::uint32_t kernel_height = 0, kernel_width = 0, stride_height = 0, stride_width = 0;
  std::uint32_t dilation_height = 1, dilation_width = 1;
  /// Upsampling factors. The kernel slides over an upsampled map of (source.height - 1) * upsample_height + 1 rows. Row r of the source
  /// becomes row r * upsample_height of the upsampled map, and the rows in between are padding. The same holds for columns.
  std::uint32_t upsample_height = 1, upsample_width = 1;
  std::int32_t first_row = 0, first_column = 0;  ///< position of the kernel's corner for output (0, 0) in the upsampled map
  float padding_value = 0;                       ///< in quantised units of the source
  bool accumulate = false;                       ///< accumulators begin with the values at `partial`
  bool store_accumulators = false;               ///< `destination` gets the accumulators, and the members after `partial` do not apply
  Map partial;                                   ///< has the destination's shape; its elements are accumulators
  bool dequantise = false;
  std::uint8_t clip = 0;  ///< DQC
  float dequantisation_scale = 0, dequantisation_zero_point = 0;
  ActMode activation = ActMode::DISABLE;
  float activation_parameter = 0;
  Table table;  ///< for SILU
  Float2Fixed rounding = Float2Fixed::ROUND;
  float scale = 0, zero_point = 0;  ///< fields QK and QB; only for integer destinations

  /// Accumulators are FP32 if is_floating(), 64-bit integers if is_wide(), otherwise 32-bit integers. A Map of 64-bit accumulators has the
  /// format INT32 and element_bits 64.
  [[nodiscard]] constexpr bool is_floating() const {
    return source.format.format == DataFmt::FP16 || source.format.format == DataFmt::BF16 || source.format.format == DataFmt::FP32;
  }
  [[nodiscard]] constexpr bool is_wide() const { return source.format.format == DataFmt::INT16 || weight_format.format == DataFmt::INT16; }
};

enum class VectorFunction : std::uint8_t {
  copy,
  arithmetic,  ///< the operation that GroupMode names, on `source` and either `source1` or a scalar
  compare,     ///< the comparison that CompareMode names, of `source` with either `source1` or a scalar
  sum,
  mean,
  maximum,
  minimum,  ///< the functions from sum to minimum are reductions over `reduced`
  table,
  softmax,
  layer_norm,  ///< over channels
  maximum_pool,
  minimum_pool,
  average_pool,
  nearest,
  bilinear,  ///< nearest and bilinear resize the map
};

/// A number in the instruction, or a scalar register.
struct Scalar {
  float value = 0;
  std::int8_t index = -1;  ///< 0 to kScalarRegisters - 1: the number of a register; -1: the operand is `value`
};

/// vp_self, vp_pool. `source` is the map at STaddr. If there are two tensors, `source1` is the map at STaddr1.
struct Vector {
  VectorFunction function = VectorFunction::copy;
  Map source, source1, destination;
  bool two_tensors = false;
  std::uint8_t dimensions = 7, dimensions1 = 7;       ///< T0F, T1F: bit sets of the Dimensions that the tensors have
  std::uint32_t images = 1;                           ///< number of images in the batch of this instruction
  std::uint32_t channels = 0, height = 0, width = 0;  ///< extent of the output tile; for a reduction, the extent that is reduced
  std::uint32_t kernel_height = 1, kernel_width = 1, stride_height = 1, stride_width = 1;
  std::int32_t first_row = 0, first_column = 0;
  bool dequantise = false;
  std::uint8_t dequantisation_rounding = 0;         ///< IQCS
  float source_scale = 1, source_zero_point = 0;    ///< for `source`: IQK1, IQB1 if there are two tensors, otherwise IQK0, IQB0
  float source1_scale = 1, source1_zero_point = 0;  ///< for `source1`: IQK0, IQB0
  bool multiply_elements = false;  ///< each element of `source` is multiplied by `multiplier`; an average pool always does this
  Scalar multiplier{1, -1};        ///< MG0V
  GroupMode group = GroupMode::DEFAULT;
  CompareMode compare = CompareMode::DEFAULT;
  Scalar operand;            ///< SG0V or CMPV; layer_norm adds it to the variance
  std::uint8_t reduced = 0;  ///< the Dimensions that a reduction removes
  bool lanes = false;        ///< TREED LANES: a sum is formed in eight lanes
  std::int8_t result = -1;   ///< scalar register that gets the result; -1: no register
  Table table;
  float padding_value = 0;                                          ///< PADV_AREA: real (not quantised) value outside of the map
  std::array<std::uint32_t, 2> numerator{1, 1}, denominator{1, 1};  ///< for a resize: [0] rows, [1] columns
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
    return function >= VectorFunction::maximum_pool && function <= VectorFunction::average_pool;
  }
  [[nodiscard]] constexpr bool is_reduction() const { return function >= VectorFunction::sum && function <= VectorFunction::minimum; }
  [[nodiscard]] constexpr bool is_resize() const { return function == VectorFunction::nearest || function == VectorFunction::bilinear; }
};

/// ct_st, ct_bc, ct_ed, si_sync, so_sync, which move nothing.
struct Control {};

using Operation = std::variant<Control, Move, Transform, WeightMove, Convolution, Vector>;

/// Combines `code`, whose fields are in range (isa/instruction_set.h), with the configuration. Returns Control if `code` is a
/// configuration. Errors:
/// - missing_configuration: `what` is the configuration instruction that is missing;
/// - unsupported, shape_mismatch;
/// - address_outside_wl0: the weights would end after the last byte that a WL0 can have (kMaxWeightBytes);
/// - misaligned_address: an L2 address that is not a multiple of kL2AddressUnit (`what` is the field);
/// - field_out_of_range: the number of a scalar register, or the index within a batch (`what` is the field).
[[nodiscard]] Result<Operation> resolve(const MachineCode &code, const Configuration &configuration);
/// State and the resolve() below have the form that all instruction sets share (isa/operand_memory.h). This resolve() reads no memory.
using State = Configuration;
[[nodiscard]] inline Result<Operation> resolve(const MachineCode &code, const State &state, const OperandMemory & /*memory*/) {
  return resolve(code, state);
}
/// Like the first resolve(), for callers with little stack. The result goes to `operation`, which has no defined value after an error.
[[nodiscard]] Status resolve(const MachineCode &code, const Configuration &configuration, Operation &operation);

/// The bytes from the first to the last that an access touches.
struct Reach {
  Space space;
  bool write;
  std::uint8_t selector;
  /// Index of the word of the machine code that has the address; 0: the address is in a configuration. If only this address changes,
  /// `start` and `origin` move as far as the address, and nothing else of the footprint changes.
  std::uint8_t word;
  const char *field;  ///< the field that names the address, for messages
  std::int64_t start;
  std::int64_t length;
  std::int64_t origin;  ///< lowest address that must lie inside the region: the base of the map (docs/isa/tile.md, Feature maps)

  /// One past the highest byte touched.
  [[nodiscard]] constexpr std::int64_t end() const { return start + length; }
};

/// Bytes that an operation touches: a run of `run` bytes at `start`, repeated in three dimensions. In dimension i there are count[i]
/// repetitions, stride[i] bytes apart. The count of an unused dimension is 1.
struct Access {
  Space space = Space::l2;
  bool write = false;
  std::uint8_t selector = 0;
  std::uint8_t word = 0;  ///< as in Reach; `field` and `origin`, too
  const char *field = "";
  std::int64_t start = 0;
  std::int64_t run = 0;
  std::array<std::int64_t, 3> count{1, 1, 1};
  std::array<std::int64_t, 3> stride{0, 0, 0};
  std::int64_t origin = 0;

  /// One past the highest byte touched.
  [[nodiscard]] constexpr std::int64_t end() const {
    std::int64_t last = start;
    for (unsigned i = 0; i < 3; ++i) last += (count[i] - 1) * stride[i];
    return last + run;
  }
  [[nodiscard]] constexpr std::int64_t bytes() const { return run * count[0] * count[1] * count[2]; }
  [[nodiscard]] constexpr Reach reach() const { return {space, write, selector, word, field, start, end() - start, origin}; }
};

struct Footprint {
  std::array<Access, 5> accesses{};
  unsigned count = 0;
};

/// All bytes that the operation reads and writes. Some accesses are larger than the bytes that are used:
/// - A kernel counts as if it touched every row and column of the map between its first tap for the first output and its last tap for the
///   last output. Padding does not count.
/// - If a load changes weight records as it moves them, the complete source records count.
/// - For a Transform of several images of INT4 in blocks of 8 channels, the padding between pixels may count.
[[nodiscard]] Footprint footprint(const Operation &operation);
/// Like the other footprint(), for callers that ask for many footprints. Keeps what `result` has behind its new count.
void footprint(const Operation &operation, Footprint &result);

/// Checks an L2 access against its region. An access may wrap at the region's end. Error: address_outside_cut (`what` is the field) if
/// Reach::origin is outside of the region, or if the access is longer than the region.
[[nodiscard]] Status check_region(const Reach &reach, const Region &region);

/// Checks a DRAM access against a window of `size` bytes. Error: address_outside_window.
[[nodiscard]] Status check_window(const Reach &reach, std::uint64_t size, bool readable, bool writable);

/// Checks that an access to another core's L2 stays in blocks `first_block` to `last_block`. Error: address_outside_cut.
[[nodiscard]] Status check_remote(const Reach &reach, std::uint32_t first_block, std::uint32_t last_block);

/// Multiply-accumulates of a convolution; 0 for all other operations.
[[nodiscard]] std::int64_t multiply_accumulates(const Operation &operation);

}  // namespace cox::isa::tile
