// SPDX-License-Identifier: MIT
// ldw_mov, lw_mov: weight records (docs/isa/tile.md, Weights).
#include "coxswain/isa/tile/layout.h"
#include "coxswain/isa/tile/resolve.h"

namespace cox::isa::tile::detail {
namespace {

/// The settings of ldw_cfg or lw_cfg, which have them at different bits.
struct Records {
  const MachineCode &configuration;
  const Field &source, &destination;  ///< SWsize, DWsize
  std::int64_t format, first_channel, mask;
  bool masked, feature_map;
};

Status mismatch(const char *field, std::int32_t index, std::int64_t value, std::int64_t limit) {
  return Status(ErrorCode::shape_mismatch, field, index, value, limit);
}

/// Checks the extent `size` (Wsize) against the configured records.
Status check_shapes(const MachineCode &code, const Field &size, const Records &records, std::uint32_t element_bits) {
  for (unsigned i = 0; i < 3; ++i) {
    const std::int64_t wanted = element(code, size, i + 1);
    const std::int64_t source = element(records.configuration, records.source, i);
    const std::int64_t destination = element(records.configuration, records.destination, i);
    const auto index = static_cast<std::int32_t>(i);
    if (i > 0 && records.feature_map && wanted != 1) return mismatch(size.name, index + 1, wanted, 1);
    // A source record may have more channels (i == 0) than are loaded.
    const bool enough = i == 0 ? source >= records.first_channel + wanted : source == wanted;
    if (!enough) return mismatch(records.source.name, index, source, i == 0 ? records.first_channel + wanted : wanted);
    if (destination != wanted) return mismatch(records.destination.name, index, destination, wanted);
  }
  // The first channel must begin at a whole byte.
  if (records.first_channel * element_bits % 8 != 0) return mismatch("C0", -1, records.first_channel, 8 / element_bits);
  return {};
}

Status set_records(WeightMove &op, const MachineCode &code, const Field &size, const Records &records) {
  op.format = make_format(records.format);
  if (op.format.format == DataFmt::INT32) return Status(ErrorCode::unsupported, "DF", -1, records.format);
  op.element_bits = bits_of(op.format.format);
  if (Status status = check_shapes(code, size, records, op.element_bits); !status) return status;
  op.kernels = element(code, size, 0);
  op.channels = element(code, size, 1);
  op.rows = element(code, size, 2);
  op.columns = element(code, size, 3);
  const std::uint32_t source_channels = element(records.configuration, records.source, 0);
  op.feature_map = records.feature_map;
  op.first_channel = static_cast<std::uint32_t>(records.first_channel);
  if (records.masked) op.unmasked = static_cast<std::uint32_t>(records.mask);
  op.whole = !records.feature_map && !records.masked && op.first_channel == 0 && source_channels == op.channels;
  const auto position = [bits = op.element_bits](std::uint32_t channels) { return padded_pixel((std::int64_t{channels} * bits + 7) / 8); };
  // Refuse records that are too long to be addressed. Without these checks, op.bytes below could overflow, because the product of four
  // extents of up to 2^16 may not fit into 64 bits.
  const std::int64_t positions = std::int64_t{op.rows} * op.columns;
  const std::int64_t destination = positions * position(op.channels) + kRecordParameterBytes;
  const std::int64_t source = op.feature_map ? position(source_channels) : positions * position(source_channels) + kRecordParameterBytes;
  if (destination >= kAddressable) return mismatch(size.name, 1, destination, kAddressable);
  if (source >= kAddressable) return mismatch(records.source.name, 0, source, kAddressable);
  op.position_bytes = static_cast<std::uint32_t>(position(op.channels));
  op.source_position_bytes = static_cast<std::uint32_t>(position(source_channels));
  op.source_record_bytes = static_cast<std::uint32_t>(source);
  op.bytes = op.kernels * destination;
  return {};
}

}  // namespace

Status resolve_weight_prefetch(const MachineCode &code, const Configuration &configuration, WeightMove &op) {
  constexpr auto kOp = Opcode::ldw_mov;
  constexpr auto kCfg = Opcode::ldw_cfg;
  const MachineCode *cfg = configuration.find(kCfg, static_cast<unsigned>(get<kOp, "RS">(code)));
  if (cfg == nullptr) return missing("ldw_cfg");
  op.from_space = Space::dram;
  op.from_selector = static_cast<std::uint8_t>(get<kCfg, "BAS">(*cfg));
  op.to_space = Space::l2;
  op.to_selector = static_cast<std::uint8_t>(get<kOp, "DBSG">(code));
  op.from = get<kOp, "STaddr">(code);
  op.to = get<kOp, "DTaddr">(code);
  if (Status status = check_l2_address("DTaddr", op.to); !status) return status;
  constexpr const Field &kSource = *field_named<kCfg, "SWsize">();
  constexpr const Field &kDestination = *field_named<kCfg, "DWsize">();
  const Records records{
      *cfg, kSource, kDestination, get<kCfg, "DF">(*cfg), get<kCfg, "C0">(*cfg), get<kCfg, "MKC">(*cfg), get<kCfg, "MKEN">(*cfg) == 1,
      false};
  return set_records(op, code, *field_named<kOp, "Wsize">(), records);
}

Status resolve_weight_load(const MachineCode &code, const Configuration &configuration, WeightMove &op) {
  constexpr auto kOp = Opcode::lw_mov;
  constexpr auto kCfg = Opcode::lw_cfg;
  const MachineCode *cfg = configuration.find(kCfg);
  if (cfg == nullptr) return missing("lw_cfg");
  const bool from_dram = get<kOp, "SS">(code) == 1;
  op.from_space = from_dram ? Space::dram : Space::l2;
  op.from_selector = static_cast<std::uint8_t>(from_dram ? get<kCfg, "BAS">(*cfg) : get<kOp, "SBSG">(code));
  op.to_space = Space::wl0;
  op.from = get<kOp, "STaddr">(code);
  op.to = get<kOp, "DTaddr">(code) * kWeightUnitBytes;
  if (!from_dram) {
    if (Status status = check_l2_address("STaddr", op.from); !status) return status;
  }
  constexpr const Field &kSource = *field_named<kCfg, "SWsize">();
  constexpr const Field &kDestination = *field_named<kCfg, "DWsize">();
  const Records records{*cfg,
                        kSource,
                        kDestination,
                        get<kCfg, "DF">(*cfg),
                        get<kCfg, "C0">(*cfg),
                        get<kCfg, "MKC">(*cfg),
                        get<kCfg, "MKEN">(*cfg) == 1,
                        get<kCfg, "MAP">(*cfg) == 1};
  if (Status status = set_records(op, code, *field_named<kOp, "Wsize">(), records); !status) return status;
  const std::int64_t end = op.to + op.bytes;
  if (end > kMaxWeightBytes) return Status(ErrorCode::address_outside_wl0, "DTaddr", -1, end, kMaxWeightBytes);
  return {};
}

}  // namespace cox::isa::tile::detail
