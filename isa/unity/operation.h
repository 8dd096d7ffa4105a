// SPDX-License-Identifier: MIT
// A Unity instruction combined with its operand table: addresses, shapes and parameters in plain numbers. resolve() finds every error that
// does not depend on the values of operands, so that an operation that it returns can be carried out. Model, `cox check`, hazard detector
// and the kernels' tests use it.
//
// - Addresses are device addresses; resolve() has added the page of 16-bit ones.
// - Elements of a Run lie one after another. Elements of a FeatureMap have distances in **nibbles** (4 bits), because those of 4-bit
//   elements are no whole bytes; nibble n lies in byte n / 2, and even ones are the low halves.
// - Shapes are at least 1 in every direction. Counts of bytes and nibbles fit in 64 bits, and no access leaves the address space.
// - Each family's `op` says which operation of the family is meant; all enumerators that a family can have are listed at its `op`.
// - Results never overlap sources, except a result that equals a source (same address, same bits an element) in Elementwise, Activation,
//   QuantisedAdd, Copy, Select and Dropout.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "coxswain/base/result.h"
#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/unity/instruction.h"
#include "coxswain/isa/unity/operation_creation.h"
#include "coxswain/isa/unity/operation_map.h"
#include "coxswain/isa/unity/operation_matrix.h"
#include "coxswain/isa/unity/operation_recurrent.h"
#include "coxswain/isa/unity/operation_training.h"
#include "coxswain/isa/unity/operation_vision.h"
#include "coxswain/isa/unity/operation_volume.h"
#include "coxswain/isa/unity/run.h"
#include "coxswain/isa/unity/units.h"

namespace cox::isa::unity {

/// BASE groups 0 to 5, 9, 10 and 15 to 18, and SIGN_BIT: result[i] = op(source 0[i], ...). Sources and result may have different units.
/// - ASUM and COS_SIM have one result element. ASUM: the sum of source 0 from 0. COS_SIM: cosine similarity of sources 0 and 1.
/// - INV, SXT and UXT have one source. SXT and UXT take the bits of source 0 as signed, unsigned, whatever its unit says.
/// - AND to BSET work on bytes: all units are u8.
/// - Shifts (ASR to ROR, NSR): source 1 has the amounts, read as unsigned numbers of its width; the result has source 0's unit (NSR: half
///   of its bits).
/// - ROUND: `rounding` is half_even if the table says 0.
/// - DATA_CONVERT and all of one source: source[0] to result.
struct Elementwise {
  Opcode op{};
  std::uint8_t sources = 1;  ///< 1 to 3
  std::array<Run, 3> source{};
  Run result{};
  bool saturate = false;  ///< clamp to the result's range; else modulo 2^n (floats to integers always clamp)
  Rounding rounding = Rounding::drop;
  bool less = false;           ///< THRES: keeps source 0 where it is below source 1, else where it is above
  bool scalar_second = false;  ///< source[1] has one element, used for every i
  Clip clip{};                 ///< of CLIP
};

/// REDUCE_*: a dense [height][width][channels] tensor; the directions that are reduced become 1.
struct Reduction {
  Opcode op{};             ///< REDUCE_ALL, ANY, MEAN, MAX, MIN, PROD, SUM, VAR (population)
  Run source{}, result{};  ///< of the same unit
  std::uint32_t height = 1, width = 1, channels = 1;
  bool over_height = false, over_width = false, over_channels = false;
  bool saturate = false;
  Rounding rounding = Rounding::drop;
};

/// Surfaces of lines. Element (s, l, x) is `s * surface + l * line + x * nibbles_of(unit)` nibbles behind the address.
struct Surfaces {
  std::uint64_t address = 0;
  Unit unit = Unit::u8;
  std::uint32_t surfaces = 1, lines = 1, width = 1;
  std::uint64_t line = 0, surface = 0;  ///< distances in nibbles

  [[nodiscard]] constexpr std::uint64_t elements() const { return std::uint64_t{surfaces} * lines * width; }
};

enum class MoveMode : std::uint8_t {
  copy,      ///< element n of the source, in the order (surface, line, x), becomes element n of the destination; equal numbers of elements
  fill,      ///< every element becomes `value`
  repeat,    ///< destination (0, l, x) is source (0, l / (lines ratio), x / (width ratio)); the ratios are whole numbers
  transpose  ///< destination (s, x, l) is source (s, l, x)
};
struct DataMove {
  MoveMode mode{};
  Surfaces source{};  ///< unused in mode fill
  Surfaces destination{};
  std::uint64_t value = 0;  ///< mode fill: the element's bits
};

/// RESHAPE, SQUEEZE, UNSQUEEZE, FLATTEN, EXPAND_DIM: a copy.
struct Copy {
  Opcode op{};
  Run source{}, result{};
};

/// PAD: a dense [height][width][channels] tensor gets lines and columns of `value`.
struct Pad {
  Run source{}, result{};
  std::uint32_t height = 1, width = 1, channels = 1;       ///< of the source
  std::uint32_t top = 0, bottom = 0, left = 0, right = 0;  ///< 0 to 15
  std::int32_t value = 0;                                  ///< in the unit's sign; floats: 0
};

/// CONCAT and STACK: the result is, `outer` times, `first` elements of source 0 and then `second` elements of source 1.
struct Concatenate {
  std::array<Run, 2> source{};
  Run result{};
  std::uint64_t outer = 1, first = 1, second = 1;
};

/// SPLIT and SLICE of a tensor [outer][extent][inner]. SPLIT: result 0 gets indices below `index`, result 1 the others. SLICE: result 0
/// gets the one at `index`, result 1 all others; it is absent (no elements) if its address in the table is 0, or if the extent is 1.
struct Split {
  Opcode op{};  ///< SPLIT or SLICE
  Run source{};
  std::array<Run, 2> result{};
  std::uint64_t outer = 1, extent = 1, inner = 1;
  std::uint64_t index = 0;  ///< SPLIT: 1 to extent - 1; SLICE: 0 to extent - 1
};

/// TRANSPOSE of a dense tensor: axis i of the result is axis order[i] of the source, as in numpy.
struct Transpose {
  Run source{}, result{};
  std::array<std::uint32_t, 4> extents{};  ///< of the source: N, H, W, C
  std::array<std::uint8_t, 4> order{};     ///< a permutation of 0 to 3
};

/// GATHER and GATHER_ND. The source is [outer][extent][inner]; the result [outer][number of indices][inner] for GATHER, [tuples][inner] for
/// GATHER_ND, whose outer is 1. An index outside of the extent (a coordinate outside of its extent) is refused while the operation runs.
struct Gather {
  Opcode op{};  ///< GATHER or GATHER_ND
  Run source{}, result{};
  Run index{};  ///< u8 or s32; GATHER_ND: tuples of `coordinates` s32
  std::uint64_t outer = 1, extent = 1, inner = 1;
  std::uint8_t coordinates = 1;                       ///< GATHER_ND: 1 to 3
  std::array<std::uint32_t, 3> coordinate_extents{};  ///< GATHER_ND: H, W, C; their first `coordinates` are the extent
};

/// SCATTER and SCATTER_ND: tensor[index[i]] = update[i], in order, so that the last wins. As Gather, with outer 1.
struct Scatter {
  Opcode op{};
  Run tensor{}, update{};
  Run index{};  ///< s32
  std::uint64_t extent = 1, inner = 1;
  std::uint8_t coordinates = 1;
  std::array<std::uint32_t, 3> coordinate_extents{};
};

/// TILE: the result is the source `copies` times, one behind another.
struct Tile {
  Run source{}, result{};
  std::uint32_t copies = 1;
};

/// ROLL of a dense [height][width][channels] tensor: element i of an axis goes to (i + shift) modulo the axis's extent.
struct Roll {
  Run source{}, result{};
  std::array<std::uint32_t, 3> extents{};  ///< height, width, channels
  std::array<std::uint32_t, 3> shift{};    ///< of each axis, 0 to its extent - 1
};

/// REVERSE of a tensor [outer][extent][inner]: index i becomes extent - 1 - i.
struct Reverse {
  Run source{}, result{};
  std::uint64_t outer = 1, extent = 1, inner = 1;
};

/// WHERE: result[i] = source[0][i] where condition[i] is not 0 (NaN counts as such), else source[1][i].
struct Select {
  Run condition{};
  std::array<Run, 2> source{};
  Run result{};
};

/// Operations that say where elements of a run stand. Zeros of both signs are equal.
/// - ARG_MAX, ARG_MIN: `indices` has one element, the number of the first largest (smallest) element; NaN wins. Stored in any unit, modulo
///   2^n or clamped.
/// - ARG_SORT: `values` are all elements from the smallest on, `indices` their numbers. Stable; NaN is last.
/// - TOPK: the same for the largest `values.elements` ones from the largest on; NaN is first, and of equal ones the one that stands first.
/// - NON_ZERO: `indices` are the count and then the numbers of elements that are not 0, NaN among them. `indices` has room for all;
///   bytes that are not needed keep their values.
struct Search {
  Opcode op{};
  Run source{}, values{}, indices{};  ///< `values` has the source's unit, or no elements
  bool saturate = false;              ///< ARG_MAX, ARG_MIN
};

/// RESIZE_*. Source and result are dense and of one unit.
struct Resize {
  Opcode op{};  ///< RESIZE_BILINEAR or RESIZE_NEAREST
  FeatureMap source{}, result{};
  bool align_corners = false, half_pixel = false;  ///< not both
};

/// Which element of a second source goes with element i of the first: i / repeat % period.
struct Broadcast {
  std::uint64_t repeat = 1, period = 1;

  [[nodiscard]] constexpr std::uint64_t index(std::uint64_t i) const { return i / repeat % period; }
};

/// ELE_ADD and ELE_SUB. y = clip(requantised((s0 - input_zero[0]) +- (s1 - input_zero[1])) + output_zero).
/// - has_multiplier: the sum is multiplied. A multiplier of unit s32 is a Q31 number with `shift` (as in Convolution); a float's is plain.
/// - left_shift != 0: each (s - input_zero) << left_shift is first requantised by its own Q31 multiplier and shift (TensorFlow Lite).
struct QuantisedAdd {
  Opcode op{};                  ///< ELE_ADD or ELE_SUB
  std::array<Run, 2> source{};  ///< source[1] has `second.period` elements
  Run result{};
  Broadcast second{};  ///< index of source 1
  bool has_multiplier = false;
  Unit multiplier_unit = Unit::s32;
  std::uint64_t multiplier = 0;  ///< bits of the multiplier in its unit
  std::int32_t shift = 0;        ///< -31 to 30
  std::array<std::int32_t, 2> input_zero{};
  std::int32_t output_zero = 0;
  std::uint32_t left_shift = 0;  ///< 0: none; 1 to 31
  std::array<std::int32_t, 2> input_multiplier{}, input_shift{};
  Clip clip{};
};

/// AI group 0 but SOFTMAX and LOGSOFTMAX. Source and result have one unit.
struct Activation {
  Opcode op{};
  Run source{}, result{};
  /// ELU alpha; HARD_SIGMOID a, b; SELU gamma, alpha; THRESHOLD_RELU, LEAKY_RELU and HARD_SHRINK one; BRELU and HARD_TANH low, high.
  std::array<float, 2> parameter{};
  /// PRELU: x > 0 ? x : x * multiplier, integers shifted to the right by `shift` (RDBPOT) and clamped. Both have broadcast.period elements;
  /// floats have no shift (no elements).
  Run multiplier{}, shift{};
  Broadcast broadcast{};
};

/// SOFTMAX and LOGSOFTMAX along `extent` of a tensor [outer][extent][inner].
struct Softmax {
  Opcode op{};
  Run source{}, result{};
  std::uint64_t outer = 1, extent = 1, inner = 1;
  /// s8, TensorFlow Lite: Q31 multiplier of input differences, its left shift, and the smallest difference that counts.
  std::int32_t multiplier = 0, left_shift = 0, smallest_difference = 0;
};

/// Norms of floats. Element (n, s, c) of source and result is number (n * spatial + s) * channels + c if channels_last, else (n * channels
/// + c) * spatial + s.
struct Norm {
  Opcode op{};  ///< BATCH_NORM, INSTANCE_NORM, LAYER_NORM (over c), GROUP_NORM, LRN_NORM, LP_NORM, L2_NORM (over c)
  Run source{}, result{};
  Run weight{}, bias{}, mean{}, variance{};  ///< `channels` elements each, of the source's unit; no elements where the operation has none
  std::uint64_t batches = 1, spatial = 1, channels = 1;
  bool channels_last = true;
  std::uint32_t groups = 1;          ///< GROUP_NORM; divides channels
  float epsilon = 1e-5F;             ///< BATCH, INSTANCE, LAYER and GROUP_NORM
  std::uint32_t size = 0;            ///< LRN_NORM: channels of a sum
  float alpha = 0, beta = 0, k = 0;  ///< LRN_NORM
  float p = 2;                       ///< LP_NORM
};

/// COND, CASE, SWITCH_CASE and WHILE_LOOP. Programs are addresses of groups (multiples of 32); 0 stands for no program. The unit evaluates
/// a branch with choose() (isa/unity/branch.h).
struct Branch {
  Opcode op{};
  Run predicate{};            ///< one element; SWITCH_CASE: the index. CASE: no elements, the predicates are in the list
  Unit unit = Unit::u8;       ///< of the predicates or the index
  std::uint64_t list = 0;     ///< CASE: pairs of predicate and program; SWITCH_CASE: programs. Entries have the address space's width
  std::uint32_t entries = 0;  ///< pairs or programs, 1 to 255
  std::uint64_t first = 0;    ///< COND: true; WHILE_LOOP: condition; CASE, SWITCH_CASE: default
  std::uint64_t second = 0;   ///< COND: false; WHILE_LOOP: body
  std::uint32_t limit = 0;    ///< WHILE_LOOP: bodies that may run; 0: no limit. One more faults
  AddressSpace space{};       ///< of the list's entries
  std::uint64_t page = 0;     ///< added to the list's entries in 16-bit address space
};

/// Ends the unit's program at any depth.
struct Exit {};

using Operation = std::variant<Exit, Elementwise, Reduction, DataMove, Copy, Pad, Concatenate, Split, Transpose, Gather, Scatter, Tile,
                               Roll, Reverse, Select, Search, Resize, Convolution, Pool, QuantisedAdd, Activation, Softmax, Norm, Branch,
                               MatrixOperation, Fourier, Creation, Query, Unstack, Dropout, VolumeConvolution, VolumePool, SectionPool,
                               Recurrent, Lookup, PixelShuffle, GridSample, AffineGrid, Loss, Score, OptimizerStep, LabelSmooth>;

/// Bytes that an instruction reads or writes.
struct Access {
  const char *field = "";  ///< the field of the operand table that names the address; "table" for the operand table itself
  bool write = false;
  std::uint64_t start = 0;
  std::uint64_t bytes = 0;  ///< at least 1

  [[nodiscard]] constexpr std::uint64_t end() const { return start + bytes; }
};

class AccessVisitor {
 public:
  virtual void visit(const Access &access) = 0;

 protected:
  ~AccessVisitor() = default;
};

/// What resolve() needs besides the instruction.
struct Surroundings {
  const OperandMemory &memory;  ///< operand tables are read from it, by device address
  std::uint64_t page = 0;       ///< device address of the page of 16-bit address spaces, a multiple of 64 KiB
  std::uint64_t tables = 0;     ///< added to the addresses of operand tables in the other address spaces (kFlagRelative)
};

/// Resolves an instruction that check() accepts: reads its operand table and checks it. `what` of an error is a field of the payload or of
/// the operand table, `value` what it holds and `limit` the bound that it breaks. Errors:
/// - misaligned_address: a table that is no multiple of 4, or an address that is no multiple of its element's size; `limit` is that size.
/// - address_outside_window: "table" if the memory does not hold the whole table; the field whose bytes leave the address space. Whether
///   the other accesses lie in windows is checked by the caller, with visit_accesses().
/// - reserved_bits: a bit of the table that no field has; `what` is "table", `index` and `value` the number of the bit.
/// - field_out_of_range: a unit, mode, size, rate or index out of its range, or a field that the operation lacks and that is not 0.
/// - shape_mismatch: fields that contradict each other, for example a kernel larger than its map.
/// - tensor_overlap: a result that overlaps a source or another result; `what` is the result's field.
/// - errors of check_descriptor() and check_shape() (isa/unity/descriptor.h).
/// - unsupported: an operation that this version does not carry out; `what` is its name. Found after reserved bits and addresses.
[[nodiscard]] Result<Operation> resolve(const MachineCode &code, const Surroundings &surroundings);

/// Visits the bytes that an instruction which resolve() accepted touches: first the table, then reads in the order of the fields, then
/// writes. Maps with gaps are visited line by line; a Gather's source, a Scatter's tensor and all entries of a Branch's list as a whole.
/// Ranges may be visited twice; empty ones are not visited. Predicates of CASE are not visited: choose() reads them. The addresses of
/// UNSTACK's results are read from the surroundings' memory again.
void visit_accesses(const MachineCode &code, const Surroundings &surroundings, const Operation &operation, AccessVisitor &visitor);

/// visit_accesses() with a function that takes an Access.
template <typename Visit>
void for_each_access(const MachineCode &code, const Surroundings &surroundings, const Operation &operation, Visit visit) {
  class Visitor final : public AccessVisitor {
   public:
    explicit Visitor(Visit &visit) : visit_(visit) {}
    void visit(const Access &access) override { visit_(access); }

   private:
    Visit &visit_;
  };
  Visitor visitor(visit);
  visit_accesses(code, surroundings, operation, visitor);
}

}  // namespace cox::isa::unity
