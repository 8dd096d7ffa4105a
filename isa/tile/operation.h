// SPDX-License-Identifier: MIT
// An executable instruction joined with its configuration: shapes, strides and addresses in plain numbers. The verifier, the device
// model and the hazard detector all start from this, so that they cannot disagree about what an instruction touches.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "base/result.h"
#include "isa/tile/configuration.h"
#include "isa/tile/enumerations.h"

namespace cox::isa::tile {

enum class Space : std::uint8_t { dram, l2, wl0 };

/// A feature map in memory, NHWC: byte of channel c of pixel (n, h, w) is base + n*image_bytes + h*row_bytes + w*pixel_bytes +
/// c*element_bytes.
struct Map {
  Space space = Space::l2;
  std::uint8_t selector = 0;  ///< DRAM: window (BAS). L2: region
  DataFmt format = DataFmt::INT8;
  std::uint32_t channels = 0, height = 0, width = 0;
  std::uint32_t element_bytes = 1;
  std::uint32_t pixel_bytes = 0;
  std::int64_t row_bytes = 0;
  std::int64_t image_bytes = 0;
  /// Of pixel (0, 0, 0): a byte offset in the window, or an L2 byte address before wrapping (docs/isa/tile.md, L2). Batches of VP are added
  /// in.
  std::int64_t base = 0;
};

/// lda_mov, sta_mov, dt_cal: an NHWC box, from the origin of one map to the origin of another.
struct Move {
  Map from, to;
  std::uint32_t batch = 0, channels = 0, height = 0, width = 0;
};

/// ldw_mov, lw_mov: `kernels` weight records, a contiguous run of bytes on both sides.
struct WeightMove {
  Space from_space = Space::dram, to_space = Space::wl0;
  std::uint8_t from_selector = 0, to_selector = 0;
  std::int64_t from = 0, to = 0;  ///< bytes
  std::int64_t bytes = 0;
  std::uint32_t kernels = 0, channels = 0, rows = 0, columns = 0;
};

/// pe_conv.
struct Convolution {
  Map source, destination;
  std::int64_t weights = 0;                                                   ///< WL0 byte address of the first record
  std::uint32_t record_bytes = 0;                                             ///< R*S*align8(C) weights and 32 bytes of parameters
  std::uint32_t batch = 0, kernels = 0, channels = 0, height = 0, width = 0;  ///< extent of the output tile; input channels
  std::uint32_t kernel_height = 0, kernel_width = 0, stride_height = 0, stride_width = 0;
  std::int32_t first_row = 0, first_column = 0;  ///< of the source map, under the kernel's corner for output (0, 0)
  float padding_value = 0;                       ///< in quantised units of the source
  ActMode activation = ActMode::DISABLE;
  Float2Fixed rounding = Float2Fixed::ROUND;
  float scale = 0, zero_point = 0;  ///< QK, QB: INT8 destinations alone
};

enum class VectorFunction : std::uint8_t { copy, add, maximum_pool, average_pool };

/// vp_self, vp_pool. The map at STaddr is `source`, the one at STaddr1 `source1` (add alone).
struct Vector {
  VectorFunction function = VectorFunction::copy;
  Map source, source1, destination;
  std::uint32_t channels = 0, height = 0, width = 0;  ///< extent of the output tile
  std::uint32_t kernel_height = 1, kernel_width = 1, stride_height = 1, stride_width = 1;
  std::int32_t first_row = 0, first_column = 0;
  bool dequantise = false;
  float source_scale = 1, source_zero_point = 0;    ///< of `source`: IQK1, IQB1 where there are two tensors, else IQK0, IQB0
  float source1_scale = 1, source1_zero_point = 0;  ///< of `source1`: IQK0, IQB0
  float multiplier = 1;                             ///< MG0V, of each element of an average pool
  float padding_value = 0;                          ///< PADV_AREA, after dequantisation
  Float2Fixed rounding = Float2Fixed::ROUND;
  float scale = 1, zero_point = 0;  ///< QK, QB
};

/// ct_st, ct_bc, ct_ed: nothing moves.
struct Control {};

using Operation = std::variant<Control, Move, WeightMove, Convolution, Vector>;

/// Joins `code` (fields in range: isa/tile/check.h) with what has been configured. Configuration instructions give Control.
/// missing_configuration: `what` is the configuration instruction that was not there. unsupported, shape_mismatch, address_outside_wl0: the
/// field.
[[nodiscard]] Result<Operation> resolve(const MachineCode &code, const Configuration &configuration);

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
  /// Lowest address that must lie inside the region itself: the base of the map (docs/isa/tile.md, shifted starts).
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
  std::array<Access, 4> accesses{};
  unsigned count = 0;
};

/// Everything that the operation reads and writes. A source with padding counts only what lies inside the map; a strided kernel counts
/// the rows and columns between the first and the last that it touches.
[[nodiscard]] Footprint footprint(const Operation &operation);

/// An L2 access against its region: the origin inside, and no longer than the region (it wraps at the region's end).
/// address_outside_cut with `what` the field; the region must be one (blocks > 0).
[[nodiscard]] Status check_region(const Access &access, const Region &region);

/// A DRAM access against a window of `size` bytes: address_outside_window.
[[nodiscard]] Status check_window(const Access &access, std::uint64_t size, bool readable, bool writable);

/// Multiply-accumulates of the operation, 0 for all but convolutions.
[[nodiscard]] std::int64_t multiply_accumulates(const Operation &operation);

}  // namespace cox::isa::tile
