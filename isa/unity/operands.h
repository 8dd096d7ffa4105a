// SPDX-License-Identifier: MIT
// What the sources of resolve() share. Each resolves some families. Private to isa/unity.
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/operation.h"
#include "coxswain/isa/unity/region.h"
#include "coxswain/isa/unity/table.h"

namespace cox::isa::unity::detail {

/// An instruction with its operand table.
class Operands {
 public:
  Operands(const Instruction &row, AddressSpace space, std::uint64_t page, const TableBits &table, const OperandMemory &memory)
      : row_(row), space_(space), page_(space == AddressSpace::bits16 ? page : 0), table_(table), memory_(memory) {}

  [[nodiscard]] const Instruction &row() const { return row_; }
  [[nodiscard]] Opcode op() const { return row_.opcode; }
  [[nodiscard]] AddressSpace space() const { return space_; }
  /// Device address of address 0 of the space.
  [[nodiscard]] std::uint64_t page() const { return page_; }
  /// For lists and descriptors.
  [[nodiscard]] const OperandMemory &memory() const { return memory_; }

  /// The bits of a field. The layout is the operation's, or one in which the field has the same place.
  template <const Layout &Of, FixedString Name>
  [[nodiscard]] std::uint64_t get() const {
    static_assert(find_field(Of, Name.view()).field != nullptr, "no such field in this operand table");
    constexpr Place kPlace = find_field(Of, Name.view()).place;
    return table_.read(kPlace, space_);
  }
  template <const Layout &Of, FixedString Name>
  [[nodiscard]] std::uint32_t word() const {
    return static_cast<std::uint32_t>(get<Of, Name>());
  }
  /// resolve() has checked that units exist.
  template <const Layout &Of, FixedString Name>
  [[nodiscard]] Unit unit() const {
    return static_cast<Unit>(get<Of, Name>());
  }
  /// A device address.
  template <const Layout &Of, FixedString Name>
  [[nodiscard]] std::uint64_t address() const {
    return page_ + get<Of, Name>();
  }
  /// A device address; 0 stays 0.
  template <const Layout &Of, FixedString Name>
  [[nodiscard]] std::uint64_t optional_address() const {
    const std::uint64_t value = get<Of, Name>();
    return value == 0 ? 0 : page_ + value;
  }

 private:
  const Instruction &row_;
  AddressSpace space_;
  std::uint64_t page_;
  const TableBits &table_;
  const OperandMemory &memory_;
};

inline Status out_of_range(const char *what, std::uint64_t value, std::int64_t limit) {
  return Status(ErrorCode::field_out_of_range, what, -1, signed_of(value), limit);
}
inline Status mismatch(const char *what, std::uint64_t value, std::uint64_t limit) {
  return Status(ErrorCode::shape_mismatch, what, -1, signed_of(value), signed_of(limit));
}

/// Keeps the first error of a row of checks.
class Checks {
 public:
  /// Refuses a field below 1.
  void size(const char *what, std::uint64_t value) { in_range(what, value, 1, UINT64_MAX); }
  void at_most(const char *what, std::uint64_t value, std::uint64_t limit) { in_range(what, value, 0, limit); }
  void zero(const char *what, std::uint64_t value) { in_range(what, value, 0, 0); }
  void in_range(const char *what, std::uint64_t value, std::uint64_t lowest, std::uint64_t highest) {
    if (!status_) return;
    if (value < lowest) status_ = out_of_range(what, value, signed_of(lowest));
    if (value > highest) status_ = out_of_range(what, value, signed_of(highest));
  }
  /// Refuses a unit that the operation does not have.
  void unit(const char *what, Unit unit, bool allowed) {
    if (status_ && !allowed) status_ = out_of_range(what, static_cast<std::uint64_t>(unit), kUnits - 1);
  }
  /// Requires that two fields agree.
  void equal(const char *what, std::uint64_t value, std::uint64_t other) {
    if (status_ && value != other) status_ = mismatch(what, value, other);
  }
  void fits(const char *what, bool holds, std::uint64_t value, std::uint64_t limit) {
    if (status_ && !holds) status_ = mismatch(what, value, limit);
  }
  /// Requires that a distance in bytes is a multiple of the element's size.
  void stride(const char *what, std::uint64_t bytes, Unit unit) {
    if (status_ && bytes % alignment_of(unit) != 0) {
      status_ = Status(ErrorCode::misaligned_address, what, -1, signed_of(bytes), alignment_of(unit));
    }
  }
  void add(const Status &status) {
    if (status_) status_ = status;
  }
  [[nodiscard]] const Status &status() const { return status_; }
  [[nodiscard]] explicit operator bool() const { return status_.ok(); }

 private:
  Status status_;
};

/// Elements of a run are fewer than this, so that their nibbles can be counted.
inline constexpr std::uint64_t kMostElements = std::uint64_t{1} << 58;

/// Bounds from the fields CLIP_MAX and CLIP_MIN, in the result's unit. Error: shape_mismatch ("CLIP_MIN") for bounds that no value meets.
[[nodiscard]] Status read_clip(Unit result, std::uint64_t maximum, std::uint64_t minimum, Clip &clip);

/// The value of an FP16 or FP32 number from its bits. Exact.
[[nodiscard]] float float_of(Unit unit, std::uint64_t bits);

enum class Format : std::uint8_t { nhwc, nchw };

/// The distances of a map with the given distances in bytes; 0: dense.
void set_distances(FeatureMap &map, Format format, std::uint64_t line, std::uint64_t surface);
inline void set_dense(FeatureMap &map, Format format) { set_distances(map, format, 0, 0); }

[[nodiscard]] Result<Operation> resolve_elements(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_activation(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_quantised_add(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_reduction(const Operands &operands);
/// DATA_MOVE, and the copies RESHAPE, SQUEEZE, UNSQUEEZE, FLATTEN and EXPAND_DIM.
[[nodiscard]] Result<Operation> resolve_move(const Operands &operands);
/// CONCAT, SPLIT, SLICE, TRANSPOSE, PAD.
[[nodiscard]] Result<Operation> resolve_shape(const Operands &operands);
/// STACK, TILE, ROLL, REVERSE, WHERE.
[[nodiscard]] Result<Operation> resolve_rearrangement(const Operands &operands);
/// ARG_MAX, ARG_MIN, ARG_SORT, TOPK, NON_ZERO.
[[nodiscard]] Result<Operation> resolve_search(const Operands &operands);
/// GATHER, SCATTER and their forms with tuples.
[[nodiscard]] Result<Operation> resolve_index(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_convolution(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_matrix_product(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_pool(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_resize(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_softmax(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_norm(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_branch(const Operands &operands);
/// Linear algebra and Fourier transforms: LU, CHOLESKY, QR, NORM, INVERSE, LSTSQ, SOLVE, FFT, IFFT.
[[nodiscard]] Result<Operation> resolve_matrix(const Operands &operands);
/// Tensor descriptors and random numbers: CREATE_TENSOR to DESTROY_TENSOR, SHAPE to HAS_NAN, DROPOUT; and UNSTACK.
[[nodiscard]] Result<Operation> resolve_creation(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_query(const Operands &operands);
[[nodiscard]] Result<Operation> resolve_unstack(const Operands &operands);
/// Volumes, and pools of sections: CONV3D, TRANS_CONV3D, POOL3D, ROI_POOL, ADAPTIVV_POOL*.
[[nodiscard]] Result<Operation> resolve_volume(const Operands &operands);
/// Recurrent layers: LSTM, RNN, GRU and their cells.
[[nodiscard]] Result<Operation> resolve_recurrent(const Operands &operands);
/// Look-ups and vision: EMBEDDING, ONE_HOT, PIXEL_SHUFFLE, PIXEL_UNSHUFFLE, GRID_SAMPLE, AFFINE_GRID.
[[nodiscard]] Result<Operation> resolve_vision(const Operands &operands);
/// Training: losses, ACCURACY, AUC, optimisers, LABEL_SMOOTH.
[[nodiscard]] Result<Operation> resolve_training(const Operands &operands);

}  // namespace cox::isa::unity::detail
