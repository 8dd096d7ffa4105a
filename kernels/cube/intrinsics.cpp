// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/intrinsics.h"

#include <bit>
#include <string_view>

#include "coxswain/hal/board.h"
#include "coxswain/isa/cube/build.h"
#include "coxswain/isa/cube/table.h"
#include "coxswain/isa/cube/warning.h"
#include "coxswain/kernels/cube/misplaced_calls.h"

namespace cox::kernels::cube::intrinsics {

using isa::cube::MachineCode;
using isa::cube::Opcode;

namespace {

Scope *innermost = nullptr;

/// An instruction whose fields are checked as they are written. It keeps the first error.
template <Opcode Op>
class Checked {
 public:
  template <isa::FixedString Name>
  void put(std::int64_t value) {
    if (status_.ok()) status_ = isa::cube::set(code_, isa::cube::field<Op, Name>(), value);
  }
  template <isa::FixedString Name>
  void put_bits(float value) {
    constexpr const isa::Field &kField = isa::cube::field<Op, Name>();
    isa::insert_bits(code_, kField.bit, kField.width, std::bit_cast<std::uint32_t>(value));
  }
  /// Writes `address` into the field. Error: address_outside_buffer if the address exceeds the maximum of the field.
  template <isa::FixedString Name>
  void put_address(std::uint64_t address) {
    constexpr const isa::Field &kField = isa::cube::field<Op, Name>();
    if (address <= static_cast<std::uint64_t>(kField.maximum)) return put<Name>(static_cast<std::int64_t>(address));
    if (status_.ok())
      status_ = Status(ErrorCode::address_outside_buffer, kField.name, -1, static_cast<std::int64_t>(address), kField.maximum + 1);
  }
  template <isa::FixedString Low, isa::FixedString High>
  void put_dram(std::uint64_t address) {
    put<Low>(static_cast<std::uint32_t>(address));
    put<High>(static_cast<std::int64_t>(address >> 32));
  }

  [[nodiscard]] const Status &status() const { return status_; }
  [[nodiscard]] const MachineCode &code() const { return code_; }

 private:
  MachineCode code_ = isa::begin<Op>();
  Status status_;
};

struct Name {
  std::string_view field;
  const char *parameter;
};
/// The fields of MAD, and the names of the published mad()'s parameters for them (docs/isa/cube.md, MAD).
constexpr Name kMadNames[] = {{"Destination", "dst"},
                              {"BiasAddress", "bt_addr"},
                              {"Left", "src0"},
                              {"Right", "src1"},
                              {"M", "m"},
                              {"K", "k"},
                              {"N", "n"},
                              {"FeatOffset", "featOffset"},
                              {"SmaskOffset", "smaskOffset"},
                              {"UnitFlag", "unitFlag"},
                              {"IsWeightOffset", "isWeightOffset"}};

Status in_the_pages_words(const Status &status) {
  for (const Name &name : kMadNames) {
    if (name.field == status.what()) return Status(status.code(), name.parameter, status.index(), status.value(), status.limit());
  }
  return status;
}

}  // namespace

/// One call of an intrinsic.
struct Call {
  /// Returns nullptr if the call must not append anything.
  static Scope *begin() {
    if (innermost == nullptr) [[unlikely]]
      return misplaced();
    ++innermost->calls_;
    return innermost->status_.ok() ? innermost : nullptr;
  }
  /// A call outside all scopes.
  [[gnu::cold]] static Scope *misplaced() {
    constexpr std::string_view kMessage = "coxswain: an instruction of the matrix unit outside of a Scope is lost\r\n";
    if (misplaced_calls++ == 0) board::console_write(kMessage);
    return nullptr;
  }
  static void refuse(Scope &scope, const Status &status) { scope.status_ = status.at(scope.calls_ - 1); }
  static bool append(Scope &scope, const Status &status, const MachineCode &code, Status (*words)(const Status &) = nullptr) {
    const Status outcome = status.ok() ? scope.stream_.append(code) : status;
    if (!outcome.ok()) refuse(scope, words == nullptr ? outcome : words(outcome));
    return outcome.ok();
  }
  template <Opcode Op>
  static void append(const Checked<Op> &checked) {
    if (Scope *const scope = begin()) append(*scope, checked.status(), checked.code());
  }
  static void warn(Scope &scope, unsigned warning) { scope.warnings_ |= warning; }
};

std::uint32_t calls_outside_scopes() { return misplaced_calls; }

Scope::Scope(Stream &stream) : stream_(stream), outer_(innermost) {
  status_ = report_misplaced_calls();
  innermost = this;
}
Scope::~Scope() { innermost = outer_; }

namespace {

/// The parameters that the ten prototypes of mad() have in common.
struct Parameters {
  std::uint16_t m, k, n;
  std::uint8_t feat_offset, smask_offset, unit_flag;
  bool k_align, is_weight_offset, source, init_value;
};

struct Bias {
  bool is_given = false;
  std::uint64_t address = 0;
};

void append_mad(isa::cube::Type type, const volatile void *dst, const void *src0, const volatile void *src1, const Bias &bias,
                const Parameters &parameters) {
  Scope *const scope = Call::begin();
  if (scope == nullptr) return;
  if (parameters.m == 0 || parameters.k == 0 || parameters.n == 0) {
    // The MAD does nothing. Arguments may be too large for its fields, so only the type is encoded.
    if (Call::append(*scope, {}, isa::cube::encode(isa::cube::Mad{.type = type}))) Call::warn(*scope, isa::cube::kWarnEmptyMad);
    return;
  }
  const bool uses_bias = parameters.source && !parameters.init_value;
  if (uses_bias && !bias.is_given) return Call::refuse(*scope, Status(ErrorCode::shape_mismatch, "cmatrixSource", -1, 1, 0));

  Checked<Opcode::MAD> code;
  code.put_address<"Destination">(reinterpret_cast<std::uintptr_t>(dst));
  code.put_address<"Left">(reinterpret_cast<std::uintptr_t>(src0));
  code.put_address<"Right">(reinterpret_cast<std::uintptr_t>(src1));
  // bt_addr is checked only if the bias table is used.
  if (uses_bias) code.put<"BiasAddress">(std::bit_cast<std::int64_t>(bias.address));
  code.put<"M">(parameters.m);
  code.put<"K">(parameters.k);
  code.put<"N">(parameters.n);
  code.put<"FeatOffset">(parameters.feat_offset);
  code.put<"SmaskOffset">(parameters.smask_offset);
  code.put<"UnitFlag">(parameters.unit_flag);
  code.put<"Type">(static_cast<std::int64_t>(type));
  code.put<"KDirectionAlign">(parameters.k_align);
  code.put<"IsWeightOffset">(parameters.is_weight_offset);
  code.put<"CmatrixSource">(parameters.source);
  code.put<"CmatrixInitVal">(parameters.init_value);
  if (!Call::append(*scope, code.status(), code.code(), in_the_pages_words)) return;

  const isa::cube::Mad mad{.type = type,
                           .m = parameters.m,
                           .k = parameters.k,
                           .n = parameters.n,
                           .start = uses_bias ? isa::cube::Start::bias_table : isa::cube::Start::zero,
                           .bias_address = static_cast<std::uint32_t>(bias.address)};
  if (mad.bias_wraps()) Call::warn(*scope, isa::cube::kWarnBiasWrapped);
}

}  // namespace

// The published prototypes of mad(), for each pair of types: one with a bias table and one without.
#define COX_MAD(name, accumulator, element, type)                                                                                        \
  void name(__cc__ accumulator *dst, __ca__ element *src0, __cb__ element *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, \
            uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal) { \
    append_mad(isa::cube::Type::type, dst, src0, src1, {},                                                                               \
               {m, k, n, featOffset, smaskOffset, unitFlag, kDirectionAlign, isWeightOffset, cmatrixSource, cmatrixInitVal});            \
  }                                                                                                                                      \
  void name(__cc__ accumulator *dst, __ca__ element *src0, __cb__ element *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n,   \
            uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource,    \
            bool cmatrixInitVal) {                                                                                                       \
    append_mad(isa::cube::Type::type, dst, src0, src1, {true, bt_addr},                                                                  \
               {m, k, n, featOffset, smaskOffset, unitFlag, kDirectionAlign, isWeightOffset, cmatrixSource, cmatrixInitVal});            \
  }
COX_MAD(mad, float, bfloat16_t, bfloat16)
COX_MAD(mad, float, half, half)
COX_MAD(mad, float, float, float32)
COX_MAD(mad, int32_t, int8_t, int8)
COX_MAD(mad_s4, int32_t, void, int4)
#undef COX_MAD

void set_flag(pipe_t src, pipe_t dst, event_t event) {
  Checked<Opcode::SET_FLAG> code;
  code.put<"Pipe">(src);
  code.put<"Target">(dst);
  code.put<"Event">(event);
  Call::append(code);
}

void wait_flag(pipe_t src, pipe_t dst, event_t event) {
  Checked<Opcode::WAIT_FLAG> code;
  code.put<"Pipe">(dst);
  code.put<"Origin">(src);
  code.put<"Event">(event);
  Call::append(code);
}

void pipe_barrier(pipe_t pipe) {
  Checked<Opcode::BARRIER> code;
  const std::int64_t all = (1 << isa::cube::kPipes) - 1;
  code.put<"Pipes">(pipe == PIPE_ALL ? all : std::int64_t{1} << pipe);
  Call::append(code);
}

void dram_to_l1(const isa::cube::DramToL1 &move) {
  Checked<Opcode::DRAM_TO_L1> code;
  code.put_dram<"Source", "SourceHigh">(move.source);
  code.put<"Rows">(move.rows);
  code.put<"SourcePitch">(move.source_pitch);
  code.put<"RowBytes">(move.row_bytes);
  code.put<"Format">(static_cast<std::int64_t>(move.format));
  code.put_address<"Destination">(move.destination);
  code.put<"DestinationPitch">(move.destination_pitch);
  Call::append(code);
}

void im2col_cfg(const isa::cube::Im2col &map) {
  Checked<Opcode::IM2COL_CFG> code;
  code.put<"Height">(map.height);
  code.put<"Width">(map.width);
  code.put<"Channels">(map.channels);
  code.put<"Type">(static_cast<std::int64_t>(map.type));
  code.put<"PadValue">(map.pad_value);
  code.put<"PixelPitch">(map.pixel_pitch);
  code.put<"RowPitch">(map.row_pitch);
  code.put<"KernelHeight">(map.kernel_height);
  code.put<"KernelWidth">(map.kernel_width);
  code.put<"StrideY">(map.stride_y);
  code.put<"StrideX">(map.stride_x);
  code.put<"DilationY">(map.dilation_y);
  code.put<"DilationX">(map.dilation_x);
  code.put<"PadTop">(map.pad_top);
  code.put<"PadLeft">(map.pad_left);
  code.put<"OutWidth">(map.out_width);
  Call::append(code);
}

void im2col_to_l0a(const isa::cube::Im2colToL0A &move) {
  Checked<Opcode::IM2COL_TO_L0A> code;
  code.put_address<"Source">(move.source);
  code.put<"KDirectionAlign">(move.k_align);
  code.put_address<"Destination">(move.destination);
  code.put<"FirstPlace">(move.first_place);
  code.put<"Rows">(move.rows);
  code.put<"Columns">(move.columns);
  code.put<"FirstColumn">(move.first_column);
  Call::append(code);
}

void l1_to_bt(uint64_t bt_addr, uint32_t src, uint32_t bytes) {
  Checked<Opcode::L1_TO_BT> code;
  code.put_address<"Source">(src);
  code.put_address<"Destination">(bt_addr);
  code.put<"Bytes">(bytes);
  Call::append(code);
}

void out_cfg(const isa::cube::OutputConfiguration &configuration) {
  Checked<Opcode::OUT_CFG> code;
  code.put_bits<"Scale">(configuration.scale);
  code.put_bits<"Beta">(configuration.beta);
  code.put_address<"ScaleAddress">(configuration.scale_address);
  code.put<"ScaleMode">(static_cast<std::int64_t>(configuration.scale_mode));
  code.put_address<"BiasAddress">(configuration.bias_address);
  code.put<"Bias">(configuration.bias);
  code.put<"ResidualPitch">(configuration.residual_pitch);
  code.put<"Residual">(configuration.residual);
  code.put<"Activation">(static_cast<std::int64_t>(configuration.activation));
  code.put_bits<"ActivationParameter">(configuration.activation_parameter);
  code.put<"ZeroPoint">(configuration.zero_point);
  Call::append(code);
}

namespace detail {
namespace {

template <Opcode Op>
void append_move(isa::cube::Type type, uintptr_t dst, uint32_t src, uint32_t src_pitch, uint32_t rows, uint32_t columns, bool transpose,
                 bool k_align) {
  Checked<Op> code;
  code.template put_address<"Source">(src);
  code.template put<"Type">(static_cast<std::int64_t>(type));
  code.template put<"Transpose">(transpose);
  code.template put<"KDirectionAlign">(k_align);
  code.template put_address<"Destination">(dst);
  code.template put<"SourcePitch">(src_pitch);
  code.template put<"Rows">(rows);
  code.template put<"Columns">(columns);
  Call::append(code);
}

template <Opcode Op>
void put_accumulators(Checked<Op> &code, const isa::cube::Output &output, uintptr_t src) {
  code.template put<"Channel">(output.channel);
  code.template put<"DestinationPitch">(output.destination_pitch);
  code.template put_address<"Source">(src);
  code.template put<"Integer">(output.integer);
  code.template put<"To">(static_cast<std::int64_t>(output.to));
  code.template put<"Rows">(output.rows);
  code.template put<"Columns">(output.columns);
  code.template put_address<"ResidualAddress">(output.residual_address);
  code.template put<"SourcePitch">(output.source_pitch);
}

}  // namespace

void move_to_l0(bool right, isa::cube::Type type, uintptr_t dst, uint32_t src, uint32_t src_pitch, uint32_t rows, uint32_t columns,
                bool transpose, bool k_align) {
  if (right) return append_move<Opcode::L1_TO_L0B>(type, dst, src, src_pitch, rows, columns, transpose, k_align);
  append_move<Opcode::L1_TO_L0A>(type, dst, src, src_pitch, rows, columns, transpose, k_align);
}

void move_out(const isa::cube::Output &output, uint64_t dst, uintptr_t src) {
  if (output.to_l1) {
    Checked<Opcode::L0C_TO_L1> code;
    code.put_address<"Destination">(dst);
    code.put<"Format">(static_cast<std::int64_t>(output.format));
    put_accumulators(code, output, src);
    return Call::append(code);
  }
  Checked<Opcode::L0C_TO_DRAM> code;
  code.put_dram<"Destination", "DestinationHigh">(dst);
  put_accumulators(code, output, src);
  Call::append(code);
}

}  // namespace detail

}  // namespace cox::kernels::cube::intrinsics
