// SPDX-License-Identifier: MIT
#include <bit>

#include "coxswain/isa/numbers/float16.h"
#include "coxswain/isa/unity/operands.h"
#include "coxswain/isa/unity/storage.h"

namespace cox::isa::unity {
namespace detail {

Status read_clip(Unit result, std::uint64_t maximum, std::uint64_t minimum, Clip &clip) {
  clip = {};
  if (maximum == 0 && minimum == 0) return {};
  clip.on = true;
  if (is_float(result)) {
    clip.float_maximum = float_of(Unit::fp16, maximum);
    clip.float_minimum = float_of(Unit::fp16, minimum);
    return clip.float_minimum <= clip.float_maximum ? Status{} : mismatch("CLIP_MIN", minimum, maximum);
  }
  const Unit unit = is_signed(result) ? Unit::s16 : Unit::u16;
  clip.maximum = static_cast<std::int32_t>(integer_of(unit, maximum));
  clip.minimum = static_cast<std::int32_t>(integer_of(unit, minimum));
  return clip.minimum <= clip.maximum ? Status{} : mismatch("CLIP_MIN", minimum, maximum);
}

float float_of(Unit unit, std::uint64_t bits) {
  return unit == Unit::fp16 ? numbers::half_to_float(static_cast<std::uint16_t>(bits))
                            : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

void set_distances(FeatureMap &map, Format format, std::uint64_t line, std::uint64_t surface) {
  const std::uint64_t size = nibbles_of(map.unit);
  const auto to_byte = [](std::uint64_t nibbles) { return (nibbles + 1) / 2 * 2; };
  if (format == Format::nhwc) {
    map.channel = size;
    map.column = surface != 0 ? 2 * surface : map.channels * size;
    map.row = line != 0 ? 2 * line : to_byte(map.width * map.column);
  } else {
    map.column = size;
    map.row = line != 0 ? 2 * line : to_byte(map.width * size);
    map.channel = surface != 0 ? 2 * surface : map.height * map.row;
  }
}

namespace {

/// The unit of the elements at an address: the field called `name`, or a unit's own name.
Unit unit_at(const Layout &layout, const char *name, const TableBits &table, AddressSpace space) {
  const Placed placed = find_field(layout, name);
  if (placed.field != nullptr) return static_cast<Unit>(table.read(placed.place, space));
  for (unsigned i = 0; i < kUnits; ++i) {
    if (std::string_view(name) == name_of(static_cast<Unit>(i))) return static_cast<Unit>(i);
  }
  return Unit::u8;
}

constexpr unsigned kMostAlignment = 8;  // of an element; most addresses are multiples of it, and their units need no search

/// Checks each field by itself: units that exist, and addresses of operands and programs.
Status check_fields(const Instruction &row, const TableBits &table, AddressSpace space) {
  const Layout &layout = *row.layout;
  Status status;
  for_each_field(layout, is_extended(layout, table, space), [&](const Placed &placed) {
    const std::uint64_t value = table.read(placed.place, space);
    if (placed.field->holds == Holds::unit && !is_unit(value)) status = out_of_range(placed.field->name, value, kUnits - 1);
    return status.ok();
  });
  if (!status) return status;
  const bool is_fill =
      row.opcode == Opcode::DATA_MOVE && table.read(find_field(layout, "TRANSFER").place, space) == static_cast<unsigned>(MoveMode::fill);
  for_each_field(layout, false, [&](const Placed &placed) {
    const TableField &field = *placed.field;
    const std::uint64_t value = table.read(placed.place, space);
    unsigned alignment = 1;
    if (field.holds == Holds::program) {
      alignment = kProgramAlignment;
    } else if ((field.holds == Holds::address || field.holds == Holds::optional_address) && value % kMostAlignment != 0) {
      if (field.unit != nullptr) alignment = alignment_of(unit_at(layout, field.unit, table, space));
    }
    const bool is_value = is_fill && std::string_view(field.name) == "S";
    if (value % alignment != 0 && !is_value) status = Status(ErrorCode::misaligned_address, field.name, -1, signed_of(value), alignment);
    return status.ok();
  });
  return status;
}

Result<Operation> resolve_family(const Operands &operands) {
  switch (operands.op()) {
    case Opcode::CONV3D:
    case Opcode::TRANS_CONV3D:
    case Opcode::POOL3D:
    case Opcode::ROI_POOL:
    case Opcode::ADAPTIVV_POOL1D:
    case Opcode::ADAPTIVV_POOL2D:
    case Opcode::ADAPTIVV_POOL3D: return resolve_volume(operands);
    case Opcode::UNSTACK:
    case Opcode::DROPOUT: return resolve_creation(operands);
    case Opcode::LABEL_SMOOTH: return resolve_training(operands);
    case Opcode::CONCAT:
    case Opcode::SPLIT:
    case Opcode::SLICE:
    case Opcode::TRANSPOSE:
    case Opcode::PAD: return resolve_shape(operands);
    case Opcode::STACK:
    case Opcode::TILE:
    case Opcode::ROLL:
    case Opcode::REVERSE:
    case Opcode::WHERE: return resolve_rearrangement(operands);
    case Opcode::ARG_MAX:
    case Opcode::ARG_MIN:
    case Opcode::ARG_SORT:
    case Opcode::TOPK:
    case Opcode::NON_ZERO: return resolve_search(operands);
    case Opcode::GATHER:
    case Opcode::GATHER_ND:
    case Opcode::SCATTER:
    case Opcode::SCATTER_ND: return resolve_index(operands);
    case Opcode::RESHAPE:
    case Opcode::SQUEEZE:
    case Opcode::UNSQUEEZE:
    case Opcode::FLATTEN:
    case Opcode::EXPAND_DIM:
    case Opcode::DATA_MOVE: return resolve_move(operands);
    case Opcode::RESIZE_BILINEAR:
    case Opcode::RESIZE_NEAREST: return resolve_resize(operands);
    case Opcode::MATRIX_MUL: return resolve_matrix_product(operands);
    case Opcode::SOFTMAX:
    case Opcode::LOGSOFTMAX: return resolve_softmax(operands);
    case Opcode::ELE_ADD:
    case Opcode::ELE_SUB: return resolve_quantised_add(operands);
    case Opcode::CASE:
    case Opcode::COND:
    case Opcode::SWITCH_CASE:
    case Opcode::WHILE_LOOP: return resolve_branch(operands);
    case Opcode::REDUCE_ALL:
    case Opcode::REDUCE_ANY:
    case Opcode::REDUCE_MEAN:
    case Opcode::REDUCE_MAX:
    case Opcode::REDUCE_MIN:
    case Opcode::REDUCE_PROD:
    case Opcode::REDUCE_SUM:
    case Opcode::REDUCE_VAR: return resolve_reduction(operands);
    default: break;
  }
  const auto between = [op = operands.op()](Opcode first, Opcode last) { return op >= first && op <= last; };
  if (between(Opcode::RELU, Opcode::HARD_TANH)) return resolve_activation(operands);
  if (between(Opcode::CONV2D, Opcode::UDEF_CONV)) return resolve_convolution(operands);
  if (between(Opcode::MAX_POOL, Opcode::UDEF_POOL)) return resolve_pool(operands);
  if (between(Opcode::BATCH_NORM, Opcode::L2_NORM)) return resolve_norm(operands);
  if (between(Opcode::LU, Opcode::SOLVE) || between(Opcode::FFT, Opcode::IFFT)) return resolve_matrix(operands);
  if (between(Opcode::CREATE_TENSOR, Opcode::DESTROY_TENSOR) || between(Opcode::SHAPE, Opcode::HAS_NAN)) return resolve_creation(operands);
  if (between(Opcode::LSTM, Opcode::GRU)) return resolve_recurrent(operands);
  if (between(Opcode::EMBEDDING, Opcode::ONE_HOT) || between(Opcode::PIXEL_SHUFFLE, Opcode::AFFINE_GRID)) return resolve_vision(operands);
  if (between(Opcode::CROSS_ENTROPY, Opcode::ADAM)) return resolve_training(operands);
  return resolve_elements(operands);
}

/// Whether a result may lie where a source lies.
bool may_be_in_place(const Operation &operation) {
  return std::holds_alternative<Elementwise>(operation) || std::holds_alternative<Activation>(operation) ||
         std::holds_alternative<QuantisedAdd>(operation) || std::holds_alternative<Copy>(operation) ||
         std::holds_alternative<Select>(operation) || std::holds_alternative<Dropout>(operation);
}

bool is_same(const Region &a, const Region &b) {
  return a.address == b.address && a.element_bits == b.element_bits && a.chunk == b.chunk && a.count == b.count && a.step == b.step;
}

/// Checks that an operation's regions lie in the address space, and that results overlap neither sources nor each other.
Status check_regions(const Operation &operation, AddressSpace space, std::uint64_t page) {
  class Check final : public RegionVisitor {
   public:
    Check(bool in_place, AddressSpace space, std::uint64_t page) : in_place_(in_place), space_(space), page_(page) {}
    void visit(const Region &region) override {
      if (!status_ || region.empty()) return;
      const std::uint64_t first = region.address - page_;
      const std::uint64_t most = address_bits(space_) == 64 ? UINT64_MAX : (std::uint64_t{1} << address_bits(space_)) - 1;
      if (first > most || region.extent() - 1 > most - first) {
        status_ = Status(ErrorCode::address_outside_window, region.field, -1, signed_of(region.address));
        return;
      }
      for (unsigned i = 0; i < count_; ++i) {
        const Region &other = regions_[i];
        if (!region.write && !other.write) continue;
        if (in_place_ && is_same(region, other)) continue;
        if (overlap(region, other)) {
          const Region &result = region.write ? region : other;
          status_ = Status(ErrorCode::tensor_overlap, result.field, -1, signed_of(result.address));
          return;
        }
      }
      regions_[count_++] = region;
    }
    [[nodiscard]] const Status &status() const { return status_; }

   private:
    bool in_place_;
    AddressSpace space_;
    std::uint64_t page_;
    std::array<Region, 12> regions_;  // a convolution has eight: map, kernel, five parameters and the result
    unsigned count_ = 0;
    Status status_;
  };
  Check check(may_be_in_place(operation), space, page);
  visit_regions(operation, check);
  return check.status();
}

}  // namespace
}  // namespace detail

Result<Operation> resolve(const MachineCode &code, const Surroundings &surroundings) {
  const Instruction *row = find_quickly(code);
  if (row == nullptr) return Status(ErrorCode::unknown_instruction, "opcode", -1, code[0]);
  if (row->opcode == Opcode::EXIT) return Operation{Exit{}};
  const AddressSpace space = address_space(code);
  if (space > AddressSpace::bits64) return detail::out_of_range("address_space", static_cast<std::uint64_t>(space), 2);
  const std::uint64_t page = space == AddressSpace::bits16 ? surroundings.page : 0;
  const std::uint64_t base = space == AddressSpace::bits16 ? surroundings.page : surroundings.tables;
  const Result<TableBits> table = read_table(*row->layout, base + table_address(code), space, surroundings.memory);
  if (!table) return table.status();
  if (const Status status = detail::check_fields(*row, table.value(), space); !status) return status;
  if (row->stage == Stage::later) return Status(ErrorCode::unsupported, row->name);
  Result<Operation> operation =
      detail::resolve_family(detail::Operands(*row, space, surroundings.page, table.value(), surroundings.memory));
  if (!operation) return operation;
  if (const Status status = detail::check_regions(operation.value(), space, page); !status) return status;
  return operation;
}

}  // namespace cox::isa::unity
