// SPDX-License-Identifier: MIT
#include "tests/firmware/random_tasks/mutations.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

#include "coxswain/isa/tile/configuration.h"

namespace cox::tests {

using isa::Kind;
using isa::tile::Class;
using isa::tile::Instruction;
using isa::tile::kClasses;
using isa::tile::MachineCode;
using isa::tile::Opcode;

namespace {

using Outcome = std::optional<Refusal>;
using Codes = std::vector<MachineCode>;

const Instruction &instruction_of(const MachineCode &code) { return *isa::tile::find_instruction(isa::tile::opcode_of(code)); }
unsigned class_of(const MachineCode &code) { return static_cast<unsigned>(instruction_of(code).queue); }
const isa::Field *find(const MachineCode &code, const char *name) { return isa::tile::find_field(instruction_of(code), name); }
std::int64_t get(const MachineCode &code, const char *name, unsigned element = 0) {
  return isa::read_integer(code, *find(code, name), element);
}
void set(MachineCode &code, const char *name, std::int64_t value, unsigned element = 0) {
  const isa::Field &field = *find(code, name);
  isa::insert_bits(code, field.bit_of(element), field.width, static_cast<std::uint32_t>(value));
}

/// Returns a random instruction for which `wanted` holds, or nothing.
std::optional<std::size_t> some(const Codes &codes, Random &random, const std::function<bool(const MachineCode &)> &wanted) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (wanted(codes[i])) found.push_back(i);
  }
  if (found.empty()) return std::nullopt;
  return found[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(found.size())))];
}
std::optional<std::size_t> some(const Codes &codes, Random &random, Opcode opcode) {
  return some(codes, random, [opcode](const MachineCode &code) { return isa::tile::opcode_of(code) == opcode; });
}
bool executes(const MachineCode &code) { return !instruction_of(code).configuration; }

Refusal refused(ErrorCode error, const std::string &what, std::size_t index) { return {error, what, static_cast<std::int32_t>(index)}; }

std::string pair_text(unsigned from, unsigned to) { return std::string(isa::tile::kClassNames[from]) + "->" + isa::tile::kClassNames[to]; }

/// Flips one dependency bit of an instruction, so that the tokens are not balanced.
Outcome flip(RandomTask &task, Random &random, unsigned first_bit, bool set_it) {
  Codes &codes = task.text.code;
  const auto bit = static_cast<unsigned>(random.below(kClasses));
  const auto at = some(codes, random, [&](const MachineCode &code) {
    return executes(code) && (isa::extract_bits(code, first_bit + bit, 1) == 0) == set_it;
  });
  if (!at) return {};
  isa::insert_bits(codes[*at], first_bit + bit, 1, set_it ? 1 : 0);
  const unsigned own = class_of(codes[*at]);
  const bool puts = first_bit == isa::tile::kNextBit;
  return Refusal{ErrorCode::tokens_unbalanced, puts ? pair_text(own, bit) : pair_text(bit, own)};
}

/// Flips a bit of Prev_Cores or Next_Cores that names another core of the task.
Outcome flip_core(RandomTask &task, Random &random, const char *name, bool set_it) {
  Codes &codes = task.text.code;
  const auto matches = [&](const MachineCode &code, unsigned core) {
    return find(code, name) != nullptr && isa::tile::core_of(code) != core && ((get(code, name) >> core & 1) == 0) == set_it;
  };
  unsigned core = 0;
  const auto some_core = [&](const MachineCode &code) {
    for (core = 0; core < task.text.tile_cores; ++core) {
      if (matches(code, core)) return true;
    }
    return false;
  };
  const auto at = some(codes, random, some_core);
  if (!at || !some_core(codes[*at])) return {};
  set(codes[*at], name, get(codes[*at], name) ^ 1 << core);
  const bool in = class_of(codes[*at]) == static_cast<unsigned>(Class::SI);
  const std::string own = std::string(in ? "SI" : "SO") + std::to_string(isa::tile::core_of(codes[*at]));
  const std::string other = std::string(in ? "SO" : "SI") + std::to_string(core);
  return Refusal{ErrorCode::tokens_unbalanced, std::strcmp(name, "Next_Cores") == 0 ? own + "->" + other : other + "->" + own};
}

/// Adds a token from an instruction j to an earlier instruction i, although j waits for i. Chooses i and j so that the class of j gives the
/// class of i no other token.
Outcome deadlock(RandomTask &task, Random &random) {
  Codes &codes = task.text.code;
  for (int tries = 0; tries < 50; ++tries) {
    const auto i = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(codes.size())));
    const auto j = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(codes.size())));
    if (!executes(codes[i]) || !executes(codes[j]) || isa::tile::core_of(codes[i]) != isa::tile::core_of(codes[j])) continue;
    if (!task.graph.is_before(i, j)) continue;
    const unsigned from = class_of(codes[j]), to = class_of(codes[i]);
    bool alone = from != to;
    for (const MachineCode &code : codes) {
      const bool same = isa::tile::core_of(code) == isa::tile::core_of(codes[i]);
      alone = alone && !(same && class_of(code) == from && (isa::tile::next_of(code) >> to & 1) != 0);
    }
    if (!alone) continue;
    isa::insert_bits(codes[j], isa::tile::kNextBit + to, 1, 1);
    isa::insert_bits(codes[i], isa::tile::kPreviousBit + from, 1, 1);
    return Refusal{ErrorCode::deadlock, ""};
  }
  return {};
}

/// Gives a field of a random `opcode` a value that it cannot have.
Outcome field(RandomTask &task, Random &random, Opcode opcode, const char *name, std::int64_t value, ErrorCode error,
              unsigned element = 0) {
  const auto at = some(task.text.code, random, opcode);
  if (!at) return {};
  set(task.text.code[*at], name, value, element);
  return refused(error, name, *at);
}

/// Changes a header field of a random instruction.
Outcome header(RandomTask &task, Random &random, unsigned bit, unsigned width, std::uint32_t value, ErrorCode error, const char *what) {
  const auto at = some(task.text.code, random, [](const MachineCode &code) {
    const Opcode opcode = isa::tile::opcode_of(code);
    return opcode != Opcode::ct_st && opcode != Opcode::ct_ed && class_of(code) != static_cast<unsigned>(Class::VP);
  });
  isa::insert_bits(task.text.code[*at], bit, width, value);
  return refused(error, what == nullptr ? instruction_of(task.text.code[*at]).name : what, *at);
}

/// Removes all `configuration` instructions of one core, so that its `opcode` instructions lack their configuration.
Outcome unconfigured(RandomTask &task, Random &random, Opcode opcode, Opcode configuration, const char *name) {
  Codes &codes = task.text.code;
  const auto at = some(codes, random, opcode);
  if (!at) return {};
  const unsigned core = isa::tile::core_of(codes[*at]);
  std::erase_if(codes,
                [&](const MachineCode &code) { return isa::tile::opcode_of(code) == configuration && isa::tile::core_of(code) == core; });
  return Refusal{ErrorCode::missing_configuration, name};
}

/// Puts instructions before ct_ed. No other instruction waits for them.
std::size_t append(Codes &codes, const Codes &more) {
  codes.insert(codes.end() - 1, more.begin(), more.end());
  return codes.size() - 1 - more.size();
}

MachineCode load_configuration(std::int64_t window) {
  return make(Opcode::lda_cfg, {{"BAS", {window}}, {"DF", {1}}, {"STile", {8, 1, 1}}, {"DTile", {8, 1, 1}}});
}
MachineCode load(std::int64_t address, std::int64_t region, std::int64_t to, std::uint32_t previous = 0) {
  return make(Opcode::lda_mov, {{"DBSG", {region}}, {"STaddr", {address}}, {"DTaddr", {to}}, {"Tile", {1, 8, 1, 1}}}, previous);
}
/// Returns a ct_bc that defines region 4 * bank as blocks first to last.
MachineCode cut(std::int64_t bank, std::int64_t first, std::int64_t last, std::uint32_t next = 0) {
  return make(Opcode::ct_bc, {{"BCS", {bank}}, {"BufCut", {last - first + 1, last, 0, 0, 0, 0, 0, 0}}}, 0, next);
}
/// Appends a ct_bc and a load that takes the token of this ct_bc.
Outcome load_at_end(RandomTask &task, const MachineCode &configuration, std::int64_t address, std::int64_t to, ErrorCode error,
                    const char *what) {
  const std::size_t at = append(task.text.code, {cut(0, 100, 103, bit(Class::LD)), configuration, load(address, 0, to, bit(Class::CT))});
  return refused(error, what, at + 2);
}

/// Returns a bank of regions that no ct_bc of core 0 defines, or nothing if all banks are defined.
std::optional<std::int64_t> unused_bank(const Codes &codes) {
  std::uint32_t used = 0;
  for (const MachineCode &code : codes) {
    if (isa::tile::opcode_of(code) == Opcode::ct_bc && isa::tile::core_of(code) == 0) used |= 1U << get(code, "BCS");
  }
  if (used == 15) return std::nullopt;
  return std::countr_one(used);
}

Outcome image(RandomTask &task, const std::function<void(TaskText &)> &change, ErrorCode error, const char *what) {
  change(task.text);
  return Refusal{error, what};
}

std::uint8_t absent_window(const TaskText &text) { return text.windows.size() > 3 ? 4 : 3; }

}  // namespace

const std::vector<Mutation> kMutations = {
    {"no start", [](RandomTask &task, Random &) -> Outcome {
       task.text.code.erase(task.text.code.begin());
       return refused(ErrorCode::no_task_start, "ct_st", 0);
     }},
    {"start again", [](RandomTask &task, Random &random) -> Outcome {
       const std::int64_t at = random.between(1, static_cast<std::int64_t>(task.text.code.size()) - 1);
       task.text.code.insert(task.text.code.begin() + at, make(Opcode::ct_st));
       return refused(ErrorCode::no_task_start, "ct_st", static_cast<std::size_t>(at));
     }},
    {"no end", [](RandomTask &task, Random &) -> Outcome {
       task.text.code.pop_back();
       return Refusal{ErrorCode::no_task_end, "ct_ed"};
     }},
    {"end early", [](RandomTask &task, Random &random) -> Outcome {
       const std::int64_t at = random.between(1, static_cast<std::int64_t>(task.text.code.size()) - 1);
       task.text.code.insert(task.text.code.begin() + at, make(Opcode::ct_ed));
       return refused(ErrorCode::no_task_end, "ct_ed", static_cast<std::size_t>(at));
     }},
    {"nothing", [](RandomTask &task, Random &) -> Outcome {
       task.text.code.clear();
       return refused(ErrorCode::no_task_start, "ct_st", 0);
     }},
    {"start on another core", [](RandomTask &task, Random &) -> Outcome {
       isa::insert_bits(task.text.code.front(), isa::tile::kCoreBit, isa::tile::kCoreWidth, 1);
       return refused(ErrorCode::field_out_of_range, "core", 0);
     }},
    {"end on another core", [](RandomTask &task, Random &) -> Outcome {
       isa::insert_bits(task.text.code.back(), isa::tile::kCoreBit, isa::tile::kCoreWidth, 2);
       return refused(ErrorCode::field_out_of_range, "core", task.text.code.size() - 1);
     }},
    {"token put and not taken", [](RandomTask &task, Random &random) { return flip(task, random, isa::tile::kNextBit, true); }},
    {"token not put", [](RandomTask &task, Random &random) { return flip(task, random, isa::tile::kNextBit, false); }},
    {"token taken and not put", [](RandomTask &task, Random &random) { return flip(task, random, isa::tile::kPreviousBit, true); }},
    {"token not taken", [](RandomTask &task, Random &random) { return flip(task, random, isa::tile::kPreviousBit, false); }},
    {"core token put and not taken", [](RandomTask &task, Random &random) { return flip_core(task, random, "Next_Cores", true); }},
    {"core token not put", [](RandomTask &task, Random &random) { return flip_core(task, random, "Next_Cores", false); }},
    {"core token taken and not put", [](RandomTask &task, Random &random) { return flip_core(task, random, "Prev_Cores", true); }},
    {"core token not taken", [](RandomTask &task, Random &random) { return flip_core(task, random, "Prev_Cores", false); }},
    {"deadlock", deadlock},
    {"unknown opcode", [](RandomTask &task, Random &random) { return header(task, random, 0, 8, 0xEE, ErrorCode::unknown_instruction, "opcode"); }},
    {"context", [](RandomTask &task, Random &random) {
       return header(task, random, isa::tile::kContextBit, 8, static_cast<std::uint32_t>(random.between(1, 255)), ErrorCode::reserved_bits, "context");
     }},
    {"completion", [](RandomTask &task, Random &random) {
       return header(task, random, isa::tile::kCompletionBit, 1, 1, ErrorCode::reserved_bits, "completion");
     }},
    {"reserved bit", [](RandomTask &task, Random &random) {
       return header(task, random, static_cast<unsigned>(random.between(19, 23)), 1, 1, ErrorCode::reserved_bits, nullptr);
     }},
    {"batch where there is none", [](RandomTask &task, Random &random) {
       return header(task, random, isa::tile::kBatchBit, 8, 1, ErrorCode::reserved_bits, nullptr);
     }},
    {"images of a batch in an instruction that has none", [](RandomTask &task, Random &random) {
       const auto images = static_cast<std::uint32_t>(random.between(1, 255));
       return header(task, random, isa::tile::kImagesBit, isa::tile::kImagesWidth, images, ErrorCode::reserved_bits, nullptr);
     }},
    {"tokens of a configuration", [](RandomTask &task, Random &random) -> Outcome {
       const auto at = some(task.text.code, random, [](const MachineCode &code) { return !executes(code); });
       if (!at) return {};
       isa::insert_bits(task.text.code[*at], isa::tile::kNextBit + static_cast<unsigned>(random.below(kClasses)), 1, 1);
       return refused(ErrorCode::reserved_bits, instruction_of(task.text.code[*at]).name, *at);
     }},
    {"core that the task has not", [](RandomTask &task, Random &random) -> Outcome {
       if (task.text.tile_cores > 3) return {};
       const auto at = static_cast<std::size_t>(random.between(1, static_cast<std::int64_t>(task.text.code.size()) - 2));
       isa::insert_bits(task.text.code[at], isa::tile::kCoreBit, isa::tile::kCoreWidth,
                        static_cast<std::uint32_t>(random.between(task.text.tile_cores, 3)));
       return refused(ErrorCode::field_out_of_range, "core", at);
     }},
    {"a format that is none", [](RandomTask &task, Random &random) {
       return field(task, random, Opcode::lda_cfg, "DF", random.between(7, 15), ErrorCode::field_out_of_range);
     }},
    {"an extent of 0", [](RandomTask &task, Random &random) {
       return field(task, random, Opcode::sta_mov, "Tile", 0, ErrorCode::field_out_of_range, static_cast<unsigned>(random.below(4)));
     }},
    {"a number that is none", [](RandomTask &task, Random &random) {
       return field(task, random, Opcode::vp_cfg_qp, "QK", random.pick<std::int64_t>({0x7FC00000, 0x7F800000, 0xFF800000}), ErrorCode::field_out_of_range);
     }},
    {"an order that is none", [](RandomTask &task, Random &random) {
       return field(task, random, Opcode::dt_cal, "Order", random.between(14, 15), ErrorCode::field_out_of_range);
     }},
    {"a function that is none", [](RandomTask &task, Random &random) {
       return field(task, random, Opcode::vp_pool, "LUT", random.pick({0, 16, 18, 55, 57, 255}), ErrorCode::unsupported);
     }},
    {"a path that is none", [](RandomTask &task, Random &random) {
       return field(task, random, Opcode::vp_self, "GPMD", random.pick({0, 3, 6, 68, 70, 255}), ErrorCode::unsupported);
     }},
    {"groups that do not divide", [](RandomTask &task, Random &random) -> Outcome {
       if (!some(task.text.code, random, Opcode::pe_conv)) return {};
       for (MachineCode &code : task.text.code) {
         if (isa::tile::opcode_of(code) == Opcode::pe_cfg_tp) set(code, "GROUPS", get(code, "Tile", 1) + 1);
       }
       return Refusal{ErrorCode::shape_mismatch, "GROUPS"};
     }},
    {"operands that do not go together", [](RandomTask &task, Random &random) -> Outcome {
       if (!some(task.text.code, random, Opcode::pe_conv)) return {};
       for (MachineCode &code : task.text.code) {
         if (isa::tile::opcode_of(code) == Opcode::pe_cfg_fm) set(code, "WF", get(code, "SF") < 3 ? 3 : 1);
       }
       return Refusal{ErrorCode::shape_mismatch, "WF"};
     }},
    {"no lda_cfg", [](RandomTask &task, Random &random) { return unconfigured(task, random, Opcode::lda_mov, Opcode::lda_cfg, "lda_cfg"); }},
    {"no sta_cfg", [](RandomTask &task, Random &random) { return unconfigured(task, random, Opcode::sta_mov, Opcode::sta_cfg, "sta_cfg"); }},
    {"no lw_cfg", [](RandomTask &task, Random &random) { return unconfigured(task, random, Opcode::lw_mov, Opcode::lw_cfg, "lw_cfg"); }},
    {"no pe_cfg_tp", [](RandomTask &task, Random &random) { return unconfigured(task, random, Opcode::pe_conv, Opcode::pe_cfg_tp, "pe_cfg_tp"); }},
    {"no vp_cfg_fm", [](RandomTask &task, Random &random) { return unconfigured(task, random, Opcode::vp_self, Opcode::vp_cfg_fm, "vp_cfg_fm"); }},
    {"no dt_cfg", [](RandomTask &task, Random &random) { return unconfigured(task, random, Opcode::dt_cal, Opcode::dt_cfg, "dt_cfg"); }},
    {"no si_cfg", [](RandomTask &task, Random &random) { return unconfigured(task, random, Opcode::si_mov, Opcode::si_cfg, "si_cfg"); }},
    {"exchange with itself", [](RandomTask &task, Random &random) -> Outcome {
       const auto at = some(task.text.code, random, [](const MachineCode &code) { return find(code, "CORE") != nullptr; });
       if (!at) return {};
       set(task.text.code[*at], "CORE", isa::tile::core_of(task.text.code[*at]));
       return refused(ErrorCode::own_core, "CORE", *at);
     }},
    {"exchange with a core that the task has not", [](RandomTask &task, Random &random) -> Outcome {
       const auto at = some(task.text.code, random, [](const MachineCode &code) { return find(code, "CORE") != nullptr; });
       if (!at || task.text.tile_cores > 3) return {};
       set(task.text.code[*at], "CORE", 3);
       return refused(ErrorCode::field_out_of_range, "CORE", *at);
     }},
    {"a token from its own core", [](RandomTask &task, Random &random) -> Outcome {
       const auto at = some(task.text.code, random, [](const MachineCode &code) { return find(code, "Prev_Cores") != nullptr; });
       if (!at) return {};
       const char *name = random.chance(50) ? "Prev_Cores" : "Next_Cores";
       set(task.text.code[*at], name, get(task.text.code[*at], name) | 1 << isa::tile::core_of(task.text.code[*at]));
       return refused(ErrorCode::own_core, name, *at);
     }},
    {"a token for a core that the task has not", [](RandomTask &task, Random &random) -> Outcome {
       const auto at = some(task.text.code, random, [](const MachineCode &code) { return find(code, "Prev_Cores") != nullptr; });
       if (!at || task.text.tile_cores > 3) return {};
       const char *name = random.chance(50) ? "Prev_Cores" : "Next_Cores";
       set(task.text.code[*at], name, get(task.text.code[*at], name) | 8);
       return refused(ErrorCode::field_out_of_range, name, *at);
     }},
    {"remote bytes past L2", [](RandomTask &task, Random &random) -> Outcome {
       const auto at = some(task.text.code, random, [](const MachineCode &code) { return find(code, "CORE") != nullptr; });
       if (!at) return {};
       const char *name = isa::tile::opcode_of(task.text.code[*at]) == Opcode::si_mov ? "STaddr" : "DTaddr";
       set(task.text.code[*at], name, random.pick<std::int64_t>({kRandomL2Bytes, 0xFFFFFFF8, 0x80000000}));
       return refused(ErrorCode::address_outside_cut, name, *at);
     }},
    {"read past a window", [](RandomTask &task, Random &random) {
       const std::int64_t size = static_cast<std::int64_t>(task.text.windows[0].size);
       return load_at_end(task, load_configuration(0), random.pick<std::int64_t>({size - 7, size, 0xFFFFFFF8, 0x80000000}), 100 * 1024,
                          ErrorCode::address_outside_window, "STaddr");
     }},
    {"read of a window that is not there", [](RandomTask &task, Random &) -> Outcome {
       if (absent_window(task.text) > 3) return {};
       return load_at_end(task, load_configuration(3), 0, 100 * 1024, ErrorCode::window_missing, "STaddr");
     }},
    {"write to a read-only window", [](RandomTask &task, Random &) -> Outcome {
       Codes more = {cut(0, 100, 103, bit(Class::ST)),
                     make(Opcode::sta_cfg, {{"BAS", {0}}, {"DF", {1}}, {"STile", {8, 1, 1}}, {"DTile", {8, 1, 1}}}),
                     make(Opcode::sta_mov, {{"STaddr", {100 * 1024}}, {"Tile", {1, 8, 1, 1}}}, bit(Class::CT))};
       return refused(ErrorCode::address_outside_window, "DTaddr", append(task.text.code, more) + 2);
     }},
    {"below its region", [](RandomTask &task, Random &) {
       return load_at_end(task, load_configuration(0), 0, 100 * 1024 - 8, ErrorCode::address_outside_cut, "DTaddr");
     }},
    {"beyond its region", [](RandomTask &task, Random &random) {
       return load_at_end(task, load_configuration(0), 0, random.pick<std::int64_t>({104 * 1024, 0xFFFFFFF8}), ErrorCode::address_outside_cut, "DTaddr");
     }},
    {"longer than its region", [](RandomTask &task, Random &) {
       MachineCode configuration = load_configuration(0);
       set(configuration, "STile", 1, 1);
       set(configuration, "DTile", 5000);
       Codes &codes = task.text.code;
       const std::size_t at = append(codes, {cut(0, 100, 103, bit(Class::LD)), configuration, load(0, 0, 100 * 1024, bit(Class::CT))});
       set(codes[at + 2], "Tile", 2, 2);
       set(codes[at + 1], "STile", 2, 1);
       set(codes[at + 1], "DTile", 2, 1);
       return Outcome(refused(ErrorCode::address_outside_cut, "DTaddr", at + 2));
     }},
    {"a region that is none", [](RandomTask &task, Random &) {
       Codes &codes = task.text.code;
       const std::size_t at = append(codes, {cut(0, 100, 103, bit(Class::LD)), load_configuration(0), load(0, 1, 0, bit(Class::CT))});
       return Outcome(refused(ErrorCode::address_outside_cut, "DTaddr", at + 2));
     }},
    {"more than the map", [](RandomTask &task, Random &random) {
       Codes &codes = task.text.code;
       const std::size_t at = append(codes, {cut(0, 100, 103, bit(Class::LD)), load_configuration(0), load(0, 0, 100 * 1024, bit(Class::CT))});
       set(codes[at + 2], "Tile", 9, static_cast<unsigned>(random.between(1, 3)));
       return Outcome(refused(ErrorCode::shape_mismatch, "STile", at + 2));
     }},
    {"a cut before block 0", [](RandomTask &task, Random &random) {
       return field(task, random, Opcode::ct_bc, "BufCut", 8191, ErrorCode::bad_buffer_cut, 0);
     }},
    {"a cut past L2", [](RandomTask &task, Random &random) {
       return field(task, random, Opcode::ct_bc, "BufCut", kRandomL2Bytes / 1024 + random.below(4), ErrorCode::bad_buffer_cut, 1);
     }},
    {"weights past WL0", [](RandomTask &task, Random &) -> Outcome {
       Codes more = {make(Opcode::lw_cfg, {{"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}}),
                     make(Opcode::lw_mov, {{"SS", {1}}, {"DTaddr", {kRandomWl0Units - 1}}, {"Wsize", {2, 8, 1, 1}}})};
       return refused(ErrorCode::address_outside_wl0, "DTaddr", append(task.text.code, more) + 1);
     }},
    {"weights read past WL0", [](RandomTask &task, Random &random) {
       return field(task, random, Opcode::pe_conv, "SWaddr", random.between(kRandomWl0Units, 65535), ErrorCode::address_outside_wl0);
     }},
    {"a region used before it is sure to be defined", [](RandomTask &task, Random &) -> Outcome {
       Codes &codes = task.text.code;
       const auto bank = unused_bank(codes);
       if (!bank) return {};
       const std::size_t at = append(codes, {cut(*bank, 200, 203), load_configuration(0), load(0, 4 * *bank, 200 * 1024)});
       return refused(ErrorCode::cut_not_ordered, "DBSG", at + 2);
     }},
    {"a region redefined while it may be in use", [](RandomTask &task, Random &) -> Outcome {
       Codes &codes = task.text.code;
       const auto bank = unused_bank(codes);
       if (!bank) return {};
       const std::size_t at = append(codes, {cut(*bank, 200, 203, bit(Class::LD)), load_configuration(0),
                                             load(0, 4 * *bank, 200 * 1024, bit(Class::CT)), cut(*bank, 208, 209)});
       return refused(ErrorCode::cut_not_ordered, "ct_bc", at + 3);
     }},
    {"more cores than there are", [](RandomTask &task, Random &random) {
       const std::uint32_t cores = random.pick({5U, 255U, 0xFFFFFFFFU});
       return image(task, [cores](TaskText &text) { text.tile_cores = cores; }, ErrorCode::image_geometry, "tile_cores");
     }},
    {"more L2 than there is", [](RandomTask &task, Random &) {
       return image(task, [](TaskText &text) { text.l2_bytes = kRandomL2Bytes + 1; }, ErrorCode::image_geometry, "l2_bytes");
     }},
    {"more WL0 than there is", [](RandomTask &task, Random &) {
       return image(task, [](TaskText &text) { text.wl0_bytes = UINT32_MAX; }, ErrorCode::image_geometry, "wl0_bytes");
     }},
    {"a mapping of another length", [](RandomTask &task, Random &) {
       return image(task, [](TaskText &text) { text.mapping = text.code.size() + 1; }, ErrorCode::image_malformed, "mapping");
     }},
    {"a window twice", [](RandomTask &task, Random &) {
       return image(task, [](TaskText &text) { text.windows.push_back(text.windows[0]); }, ErrorCode::image_malformed, "windows.index");
     }},
    {"a window that cannot be", [](RandomTask &task, Random &) {
       return image(task, [](TaskText &text) { text.windows.push_back({4, 8, false}); }, ErrorCode::image_malformed, "windows.index");
     }},
    {"an empty window", [](RandomTask &task, Random &) {
       return image(task, [](TaskText &text) { text.windows[0].size = 0; }, ErrorCode::image_malformed, "windows.size");
     }},
    {"a window past the address space", [](RandomTask &task, Random &random) {
       const std::uint64_t size = random.pick<std::uint64_t>({1ULL << 32, UINT64_MAX, 1ULL << 63});
       return image(task, [size](TaskText &text) { text.windows[0].size = size; }, ErrorCode::image_malformed, "windows.size");
     }},
    {"a constant outside", [](RandomTask &task, Random &random) {
       const std::uint64_t offset = random.pick<std::uint64_t>({2045, UINT64_MAX, UINT64_MAX - 2});
       return image(task, [offset](TaskText &text) { text.constants.push_back({0, offset, {1, 2, 3, 4}}); }, ErrorCode::image_malformed,
                    "constants.offset");
     }},
    {"a tensor of another size", [](RandomTask &task, Random &) {
       return image(task, [](TaskText &text) { text.tensors.push_back({"x", false, 1, {1, 8, 1, 1}, 0, 0, 9, false}); },
                    ErrorCode::tensor_size, "tensors.size");
     }},
    {"a tensor outside", [](RandomTask &task, Random &random) {
       const std::uint64_t offset = random.pick<std::uint64_t>({2041, UINT64_MAX, UINT64_MAX - 6});
       return image(task, [offset](TaskText &text) { text.tensors.push_back({"x", false, 1, {1, 8, 1, 1}, 0, offset, 8, false}); },
                    ErrorCode::tensor_size, "tensors.offset");
     }},
    {"an output in a read-only window", [](RandomTask &task, Random &) {
       return image(task, [](TaskText &text) { text.tensors.push_back({"y", true, 1, {1, 8, 1, 1}, 0, 0, 8, false}); },
                    ErrorCode::image_malformed, "windows.writable");
     }},
};

}  // namespace cox::tests
