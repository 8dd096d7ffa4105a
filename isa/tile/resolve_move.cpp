// SPDX-License-Identifier: MIT
// lda_mov, sta_mov, si_mov, so_mov: boxes of feature maps that move from one memory to another.
#include "coxswain/isa/tile/core_tokens.h"
#include "coxswain/isa/tile/resolve.h"

namespace cox::isa::tile::detail {
namespace {

/// The format after the conversion that field CVT names: 0 (SAME) keeps `format`, other values are a DataFmt + 1.
Format converted(Format format, std::int64_t conversion) { return conversion == 0 ? format : make_format(conversion - 1); }

// These fields lie at the same bits in lda_cfg and sta_cfg, so one reader serves both.
static_assert(same_bits<Opcode::lda_cfg, Opcode::sta_cfg, "SME">() && same_bits<Opcode::lda_cfg, Opcode::sta_cfg, "BAS">());
static_assert(same_bits<Opcode::lda_cfg, Opcode::sta_cfg, "DF">() && same_bits<Opcode::lda_cfg, Opcode::sta_cfg, "CVT">());
static_assert(same_bits<Opcode::lda_cfg, Opcode::sta_cfg, "STile">() && same_bits<Opcode::lda_cfg, Opcode::sta_cfg, "DTile">());
static_assert(same_bits<Opcode::lda_mov, Opcode::sta_mov, "STaddr">() && same_bits<Opcode::lda_mov, Opcode::sta_mov, "DTaddr">());
static_assert(same_bits<Opcode::lda_mov, Opcode::dt_cal, "STaddr">() && same_bits<Opcode::lda_mov, Opcode::dt_cal, "DTaddr">());
static_assert(same_bits<Opcode::lda_mov, Opcode::si_mov, "STaddr">() && same_bits<Opcode::lda_mov, Opcode::si_mov, "DTaddr">());
static_assert(same_bits<Opcode::lda_mov, Opcode::so_mov, "STaddr">() && same_bits<Opcode::lda_mov, Opcode::so_mov, "DTaddr">());
static_assert(same_bits<Opcode::lda_mov, Opcode::sta_mov, "Tile">() && same_bits<Opcode::lda_mov, Opcode::dt_cal, "Tile">());
static_assert(same_bits<Opcode::lda_mov, Opcode::si_mov, "Tile">() && same_bits<Opcode::lda_mov, Opcode::so_mov, "Tile">());
static_assert(same_bits<Opcode::si_cfg, Opcode::so_cfg, "DF">() && same_bits<Opcode::si_mov, Opcode::so_mov, "CORE">());
static_assert(same_bits<Opcode::si_cfg, Opcode::so_cfg, "STile">() && same_bits<Opcode::si_cfg, Opcode::so_cfg, "DTile">());

Status resolve_dram(const MachineCode &code, const MachineCode &configuration, std::int64_t region, bool load, Move &op) {
  constexpr auto kCfg = Opcode::lda_cfg;
  const Format format = make_format(get<kCfg, "DF">(configuration));
  const Format destination = converted(format, get<kCfg, "CVT">(configuration));
  const std::int64_t window = get<kCfg, "BAS">(configuration);
  const bool dense = get<kCfg, "SME">(configuration) == 1;
  const Space from = load ? Space::dram : Space::l2;
  const Space to = load ? Space::l2 : Space::dram;
  op.from = make_map(configuration, *field_named<kCfg, "STile">(), from, load ? window : region, format, load && dense);
  op.to = make_map(configuration, *field_named<kCfg, "DTile">(), to, load ? region : window, destination, !load && dense);
  return finish_move(op, code);
}

Status resolve_exchange(const MachineCode &code, const MachineCode *configuration, std::int64_t region, bool in, Move &op) {
  constexpr auto kCfg = Opcode::si_cfg;
  if (configuration == nullptr) return missing(in ? "si_cfg" : "so_cfg");
  if (Status status = check_cores(code, true); !status) return status;
  const Format format = make_format(get<kCfg, "DF">(*configuration));
  const std::int64_t core = get<Opcode::si_mov, "CORE">(code);
  const Space from = in ? Space::remote_l2 : Space::l2;
  const Space to = in ? Space::l2 : Space::remote_l2;
  op.from = make_map(*configuration, *field_named<kCfg, "STile">(), from, in ? core : region, format);
  op.to = make_map(*configuration, *field_named<kCfg, "DTile">(), to, in ? region : core, format);
  return finish_move(op, code);
}

}  // namespace

Status finish_move(Move &move, const MachineCode &code) {
  constexpr auto kOp = Opcode::lda_mov;
  constexpr const Field &kTile = *field_named<kOp, "Tile">();
  move.from.base = get<kOp, "STaddr">(code);
  move.to.base = get<kOp, "DTaddr">(code);
  if (move.from.space != Space::dram) {
    if (Status status = check_l2_address("STaddr", move.from.base); !status) return status;
  }
  if (move.to.space != Space::dram) {
    if (Status status = check_l2_address("DTaddr", move.to.base); !status) return status;
  }
  move.batch = element(code, kTile, 0);
  move.channels = element(code, kTile, 1);
  move.height = element(code, kTile, 2);
  move.width = element(code, kTile, 3);
  if (Status status = check_box(move.channels, move.height, move.width, move.from, "STile"); !status) return status;
  return check_box(move.channels, move.height, move.width, move.to, "DTile");
}

Status check_cores(const MachineCode &code, bool names_core) {
  const unsigned own = core_of(code);
  const auto core = static_cast<unsigned>(get<Opcode::si_mov, "CORE">(code));
  if (names_core && core == own) return Status(ErrorCode::own_core, "CORE", -1, core, own);
  const CoreTokens tokens = core_tokens(code);
  if ((tokens.previous >> own & 1U) != 0) return Status(ErrorCode::own_core, "Prev_Cores", -1, tokens.previous, own);
  if ((tokens.next >> own & 1U) != 0) return Status(ErrorCode::own_core, "Next_Cores", -1, tokens.next, own);
  return {};
}

Status resolve_load(const MachineCode &code, const Configuration &configuration, Move &op) {
  constexpr auto kOp = Opcode::lda_mov;
  const MachineCode *cfg = configuration.find(Opcode::lda_cfg, static_cast<unsigned>(get<kOp, "RS">(code)));
  if (cfg == nullptr) return missing("lda_cfg");
  return resolve_dram(code, *cfg, get<kOp, "DBSG">(code), true, op);
}

Status resolve_store(const MachineCode &code, const Configuration &configuration, Move &op) {
  constexpr auto kOp = Opcode::sta_mov;
  const MachineCode *cfg = configuration.find(Opcode::sta_cfg, static_cast<unsigned>(get<kOp, "RS">(code)));
  if (cfg == nullptr) return missing("sta_cfg");
  return resolve_dram(code, *cfg, get<kOp, "SBSG">(code), false, op);
}

Status resolve_exchange_in(const MachineCode &code, const Configuration &configuration, Move &op) {
  return resolve_exchange(code, configuration.find(Opcode::si_cfg), get<Opcode::si_mov, "DBSG">(code), true, op);
}

Status resolve_exchange_out(const MachineCode &code, const Configuration &configuration, Move &op) {
  return resolve_exchange(code, configuration.find(Opcode::so_cfg), get<Opcode::so_mov, "SBSG">(code), false, op);
}

}  // namespace cox::isa::tile::detail
