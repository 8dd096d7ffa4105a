// SPDX-License-Identifier: MIT
#include "tests/firmware/hostile/hostile_tasks.h"

#include <bit>

namespace cox::tests {

using isa::tile::Class;
using isa::tile::MachineCode;
using isa::tile::Opcode;

namespace {

using Codes = std::vector<MachineCode>;

void set(MachineCode &code, const char *name, std::int64_t value, unsigned element = 0) {
  const isa::Field &field = *isa::tile::find_field(*isa::tile::find_instruction(isa::tile::opcode_of(code)), name);
  isa::insert_bits(code, field.bit_of(element), field.width, static_cast<std::uint32_t>(value));
}
void set_previous(MachineCode &code, std::uint32_t classes) {
  isa::insert_bits(code, isa::tile::kPreviousBit, isa::tile::kClasses, classes);
}
void set_next(MachineCode &code, std::uint32_t classes) { isa::insert_bits(code, isa::tile::kNextBit, isa::tile::kClasses, classes); }
MachineCode on_core(MachineCode code, unsigned core) {
  isa::insert_bits(code, isa::tile::kCoreBit, isa::tile::kCoreWidth, core);
  return code;
}
std::int64_t real(float value) { return std::bit_cast<std::int32_t>(value); }

/// Sets one field of one instruction of the copy task.
auto field(CopyIndex index, const char *name, std::int64_t value, unsigned element = 0) {
  return [=](TaskText &text) { set(text.code[index], name, value, element); };
}
auto fields(CopyIndex index, const std::vector<std::pair<const char *, std::vector<std::int64_t>>> &values) {
  return [=](TaskText &text) {
    for (const auto &[name, elements] : values) {
      for (unsigned i = 0; i < elements.size(); ++i) set(text.code[index], name, elements[i], i);
    }
  };
}
/// Inserts instructions after ct_bc, which defines the regions of L2. Adds no tokens.
auto more(const Codes &codes) {
  return [=](TaskText &text) { text.code.insert(text.code.begin() + kLoadConfiguration, codes.begin(), codes.end()); };
}
auto cores(std::uint32_t count, const Codes &codes) {
  return [=](TaskText &text) {
    text.tile_cores = count;
    more(codes)(text);
  };
}
auto image(const std::function<void(TaskText &)> &change) { return change; }

MachineCode load(std::uint32_t previous = 0, std::uint32_t next = 0) {
  return make(Opcode::lda_mov, {{"Tile", {1, 8, 4, 4}}}, previous, next);
}
MachineCode store(std::uint32_t previous = 0, std::uint32_t next = 0) {
  return make(Opcode::sta_mov, {{"DTaddr", {128}}, {"Tile", {1, 8, 4, 4}}}, previous, next);
}

/// Returns a change that makes this task: configurations, a load, a store, `count` repetitions of `codes`, and the end. No instruction
/// waits for the repetitions.
auto flood(unsigned count, const Codes &codes) {
  return [=](TaskText &text) {
    const TaskText base = hostile_base();
    text.code = {base.code[kStart], base.code[kCut], base.code[kLoadConfiguration], base.code[kStoreConfiguration]};
    set_next(text.code[kCut], bit(Class::LD) | bit(Class::ST));
    text.code.push_back(load(bit(Class::CT)));
    text.code.push_back(store(bit(Class::CT)));
    for (unsigned i = 0; i < count; ++i) text.code.insert(text.code.end(), codes.begin(), codes.end());
    text.code.push_back(make(Opcode::ct_ed));
  };
}

/// A 1 x 1 convolution of one pixel with 8 channels. A case passes the fields that it changes.
Codes convolution(const Fields &instruction, const Fields &parameters = {}, const Fields &tile = {}) {
  Fields pm = {{"STRIDE", {1, 1}}, {"QK", {real(1)}}};
  Fields tp = {{"KERNEL", {1, 1}}, {"Tile", {1, 8, 8, 1, 1}}};
  pm.insert(pm.end(), parameters.begin(), parameters.end());
  tp.insert(tp.end(), tile.begin(), tile.end());
  return {make(Opcode::pe_cfg_fm, {{"SF", {1}}, {"WF", {1}}, {"DF", {1}}, {"STile", {8, 1, 1}}, {"DTile", {8, 1, 1}}}),
          make(Opcode::pe_cfg_pm, pm), make(Opcode::pe_cfg_tp, tp), make(Opcode::pe_conv, instruction)};
}

/// A vector instruction on maps of 8 channels and one pixel.
Codes vector(const MachineCode &code, const Fields &tile = {}) {
  Fields tp = {{"STRIDE", {1, 1}}, {"KERNEL", {1, 1}}, {"Tile", {8, 1, 1}}, {"T0F", {7}}, {"T1F", {7}}};
  tp.insert(tp.end(), tile.begin(), tile.end());
  return {make(Opcode::vp_cfg_fm, {{"IDF", {1}}, {"ODF", {1}}, {"STile", {8, 1, 1}}, {"DTile", {8, 1, 1}}}),
          make(Opcode::vp_cfg_tp, tp),
          make(Opcode::vp_cfg_qp, {{"QK", {real(1)}}}),
          make(Opcode::vp_cfg_gcs, {{"CMPS", {1}}}),
          make(Opcode::vp_cfg_gms, {{"SEGN", {255}}}),
          make(Opcode::vp_cfg_lut, {{"STEP", {real(1)}}, {"Taddr", {8 * 1024}}}),
          make(Opcode::vp_cfg_rs, {{"NUM", {65535, 65535}}, {"DEN", {1, 1}}, {"OFFSET", {2147483647, -2147483647}}}),
          code};
}
MachineCode batched(MachineCode code, unsigned batch) {
  isa::insert_bits(code, isa::tile::kBatchBit, isa::tile::kBatchWidth, batch);
  return code;
}

/// Inserts `codes` after ct_bc, which defines the regions of L2. The last of them waits for a token of ct_bc.
auto behind_the_cut(Codes codes, Class queue) {
  set_previous(codes.back(), bit(Class::CT));
  return [=](TaskText &text) {
    set_next(text.code[kCut], bit(Class::LD) | bit(queue));
    more(codes)(text);
  };
}

Codes weights(const Fields &configuration, const Fields &instruction) {
  return {make(Opcode::lw_cfg, configuration), make(Opcode::lw_mov, instruction)};
}
Codes exchange(Opcode opcode, const Fields &instruction, unsigned core = 0) {
  const Opcode configuration = opcode == Opcode::si_mov ? Opcode::si_cfg : Opcode::so_cfg;
  return {on_core(make(configuration, {{"DF", {1}}, {"STile", {8, 1, 1}}, {"DTile", {8, 1, 1}}}), core),
          on_core(make(opcode, instruction), core)};
}

void add_windows(std::vector<HostileTask> &tasks) {
  constexpr auto kOutside = ErrorCode::address_outside_window;
  tasks.insert(
      tasks.end(),
      {
          {"read past its window", "what lies behind it", Fate::refused, kOutside, true, field(kLoad, "STaddr", 136)},
          {"read one byte past its window", "an off-by-one", Fate::refused, kOutside, true, field(kLoad, "STaddr", 129)},
          {"read at the end of the address space", "a sum that overflows", Fate::refused, kOutside, true,
           field(kLoad, "STaddr", 0xFFFFFF80)},
          {"read from the last byte of all", "a sum that overflows to 0", Fate::refused, kOutside, true,
           field(kLoad, "STaddr", 0xFFFFFFFF)},
          {"write past its window", "the neighbour's input", Fate::refused, kOutside, true, field(kStore, "DTaddr", 136)},
          {"write far past its window", "an address that looks negative", Fate::refused, kOutside, true,
           field(kStore, "DTaddr", 0x80000000)},
          {"write to a window that it may read", "its own constants, which others may use", Fate::refused, kOutside, true,
           field(kStoreConfiguration, "BAS", 1)},
          {"read a window that it has not", "an open window", Fate::refused, ErrorCode::window_missing, true,
           field(kLoadConfiguration, "BAS", 2)},
          {"write a window that it has not", "an open window", Fate::refused, ErrorCode::window_missing, true,
           field(kStoreConfiguration, "BAS", 3)},
          {"read 65,535 images", "a product that overflows", Fate::refused, kOutside, true, field(kLoad, "Tile", 65535)},
          {"rows of 65,535 pixels", "a stride that leaves the window", Fate::refused, kOutside, true,
           field(kLoadConfiguration, "STile", 65535, 2)},
          {"a map of 2^48 bytes", "a product that overflows", Fate::refused, ErrorCode::shape_mismatch, true,
           fields(kLoadConfiguration, {{"STile", {65535, 65535, 65535}}, {"DF", {6}}})},
          {"more rows than the map has", "rows that are another's", Fate::refused, ErrorCode::shape_mismatch, true,
           field(kLoad, "Tile", 65535, 2)},
          {"a conversion that makes bytes of bytes four", "bytes that nobody counted", Fate::refused, kOutside, true,
           field(kStoreConfiguration, "CVT", 7)},
          {"a format four times as wide", "bytes that nobody counted", Fate::refused, kOutside, true, field(kLoadConfiguration, "DF", 6)},
          {"padding in DRAM", "padding that nobody counted", Fate::refused, kOutside, true,
           [](TaskText &text) {
             fields(kStoreConfiguration, {{"STile", {1, 17, 4}}, {"DTile", {1, 17, 4}}})(text);
             fields(kStore, {{"Tile", {1, 1, 17, 4}}})(text);
             fields(kStoreConfiguration, {{"SME", {0}}})(text);
           }},
          {"weights from past the window", "what lies behind it", Fate::refused, kOutside, true,
           more(weights({{"DF", {1}}, {"BAS", {0}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}},
                        {{"SS", {1}}, {"STaddr", {232}}, {"Wsize", {1, 8, 1, 1}}}))},
          {"a part of records that begins past the window", "channels that are skipped", Fate::refused, kOutside, true,
           more(weights({{"DF", {1}}, {"BAS", {1}}, {"C0", {65000}}, {"SWsize", {65008, 1, 1}}, {"DWsize", {8, 1, 1}}},
                        {{"SS", {1}}, {"Wsize", {1, 8, 1, 1}}}))},
      });
}

void add_buffers(std::vector<HostileTask> &tasks) {
  constexpr auto kOutside = ErrorCode::address_outside_cut;
  constexpr std::int64_t kTheirs = kNeighbourFirstBlock * 1024;
  const auto cut = [](std::int64_t length, std::int64_t last) { return fields(kCut, {{"BufCut", {length, last}}}); };
  tasks.insert(
      tasks.end(),
      {
          {"write the neighbour's blocks", "an address past its own", Fate::refused, kOutside, true, field(kLoad, "DTaddr", kTheirs)},
          {"read the neighbour's blocks", "an address past its own", Fate::refused, kOutside, true, field(kStore, "STaddr", kTheirs)},
          {"one byte past its region", "an off-by-one", Fate::refused, kOutside, true, field(kLoad, "DTaddr", 8 * 1024)},
          {"at the end of the address space", "a sum that overflows", Fate::refused, kOutside, true, field(kLoad, "DTaddr", 0xFFFFFFF8)},
          {"cut the neighbour's blocks", "a region that is not its own", Fate::no_room, ErrorCode::no_room, true, cut(21, 20)},
          {"cut all of L2", "every block", Fate::no_room, ErrorCode::no_room, true, cut(0, 8191)},
          {"a cut that begins before block 0", "a difference that wraps", Fate::refused, ErrorCode::bad_buffer_cut, true, cut(10, 8)},
          {"a cut of 8,192 blocks that ends at 5", "a length of 0", Fate::refused, ErrorCode::bad_buffer_cut, true, cut(0, 5)},
          {"longer than its region", "a map that wraps into itself", Fate::refused, kOutside, true,
           [](TaskText &text) {
             fields(kCut, {{"BufCut", {1, 0}}})(text);
             fields(kLoadConfiguration, {{"DTile", {8, 65535, 4}}})(text);
             fields(kLoadConfiguration, {{"DTile", {8, 4, 65535}}})(text);
           }},
          {"a region that nobody cut", "whatever stands there", Fate::refused, kOutside, true, field(kLoad, "DBSG", 5)},
          {"read a region that nobody cut", "whatever stands there", Fate::refused, kOutside, true, field(kStore, "SBSG", 15)},
          {"a cut that may come later", "the cut of whoever was there before", Fate::refused, ErrorCode::cut_not_ordered, false,
           [](TaskText &text) {
             set_next(text.code[kCut], 0);
             set_previous(text.code[kLoad], 0);
           }},
          {"a cut that changes under its user", "blocks that were not checked", Fate::refused, ErrorCode::cut_not_ordered, false,
           [](TaskText &text) {
             const MachineCode again = make(Opcode::ct_bc, {{"BufCut", {4, 3, 0, 0, 0, 0, 0, 0}}});
             text.code.insert(text.code.end() - 1, again);
           }},
          {"a convolution whose map begins before L2", "an address that goes negative", Fate::refused, kOutside, true,
           [](TaskText &text) {
             Codes codes = convolution({{"SPHI", {1}}});
             set(codes.front(), "STile", 2, 1);
             more(codes)(text);
           }},
          {"a convolution from before L2", "a negative address", Fate::refused, kOutside, true,
           more(convolution({{"STaddr", {-2147483648}}}))},
          {"a convolution into the neighbour's blocks", "a destination", Fate::refused, kOutside, true,
           more(convolution({{"DTaddr", {kTheirs}}}))},
          {"partial sums of the neighbour's", "a third address", Fate::refused, kOutside, true,
           more(convolution({{"PTaddr", {kTheirs}}}, {{"ADDEN", {1}}}))},
          {"channels of groups that are not there", "a product that nobody compared", Fate::refused, ErrorCode::shape_mismatch, true,
           more(convolution({}, {}, {{"GROUPS", {8}}}))},
          {"a pool from before L2", "a negative address", Fate::refused, kOutside, true,
           more(vector(make(Opcode::vp_pool, {{"GPMD", {4}}, {"LUT", {17}}, {"STaddr", {-8}}})))},
          {"a pool with a shift of 32,767 rows", "a product that leaves 16 bits", Fate::runs, ErrorCode::ok, false,
           behind_the_cut(vector(make(Opcode::vp_pool, {{"GPMD", {4}}, {"LUT", {17}}, {"IPH", {32767}}, {"IPW", {32767}}})), Class::VP)},
          {"a resize that steps over everything", "products of 64 bits", Fate::runs, ErrorCode::ok, false,
           behind_the_cut(vector(make(Opcode::vp_pool, {{"GPMD", {4}}, {"LUT", {49}}, {"IPH", {32767}}, {"IPW", {-32768}}})), Class::VP)},
          {"image 255 of a batch", "an index that nobody added", Fate::refused, kOutside, true,
           more(vector(batched(make(Opcode::vp_self, {{"GPMD", {4}}, {"LUT", {16}}, {"STaddr", {7 * 1024}}}), 255)))},
          {"a second tensor of the neighbour's", "a second address", Fate::refused, kOutside, true,
           more(vector(make(Opcode::vp_self, {{"GPMD", {69}}, {"LUT", {18}}, {"STaddr1", {kTheirs}}})))},
          {"a table of the neighbour's", "an address in a configuration", Fate::refused, kOutside, true,
           more(vector(make(Opcode::vp_self, {{"GPMD", {4}}, {"LUT", {32}}})))},
          {"a transform of 2^32 bytes", "a product that overflows", Fate::refused, kOutside, true,
           more({make(Opcode::dt_cfg, {{"DF", {1}}, {"STile", {65535, 1, 8}}, {"DTile", {65535, 1, 8}}}),
                 make(Opcode::dt_cal, {{"Order", {1}}, {"Tile", {65535, 65535, 1, 8}}})})},
          {"a transform that needs 2^48 bytes", "a product that overflows", Fate::refused, ErrorCode::shape_mismatch, true,
           more({make(Opcode::dt_cfg, {{"DF", {6}}, {"STile", {65535, 65535, 65535}}, {"DTile", {65535, 65535, 65535}}}),
                 make(Opcode::dt_cal, {{"Order", {6}}, {"Tile", {65535, 65535, 65535, 65535}}})})},
      });
}

void add_weights(std::vector<HostileTask> &tasks) {
  constexpr auto kOutside = ErrorCode::address_outside_wl0;
  const Fields one = {{"DF", {1}}, {"BAS", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}};
  // The window is large enough for the weight records that the instruction loads. Only WL0 is too small.
  const auto weights_of_a_large_window = [&one](const Fields &fields) {
    return [codes = weights(one, fields)](TaskText &text) {
      text.windows[1].size = 4U << 20;
      more(codes)(text);
    };
  };
  tasks.insert(tasks.end(), {
                                {"weights past WL0", "what lies behind it", Fate::refused, kOutside, true,
                                 weights_of_a_large_window({{"SS", {1}}, {"DTaddr", {20479}}, {"Wsize", {2, 8, 1, 1}}})},
                                {"65,535 records", "a product that leaves WL0", Fate::refused, kOutside, true,
                                 weights_of_a_large_window({{"SS", {1}}, {"Wsize", {65535, 8, 1, 1}}})},
                                {"a record of 2^48 bytes", "a product that overflows", Fate::refused, ErrorCode::shape_mismatch, true,
                                 more(weights({{"DF", {1}}, {"SWsize", {65535, 65535, 65535}}, {"DWsize", {65535, 65535, 65535}}},
                                              {{"SS", {1}}, {"Wsize", {65535, 65535, 65535, 65535}}}))},
                                {"channels past the record", "a sum that nobody compared", Fate::refused, ErrorCode::shape_mismatch, true,
                                 more(weights({{"DF", {1}}, {"C0", {65528}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}},
                                              {{"SS", {1}}, {"Wsize", {1, 8, 1, 1}}}))},
                                {"a convolution with weights past WL0", "what lies behind it", Fate::refused, kOutside, true,
                                 more(convolution({{"SWaddr", {20478}}}))},
                                {"the neighbour's weights overwritten", "units that are not its own", Fate::no_room, ErrorCode::no_room,
                                 true, more(weights(one, {{"SS", {1}}, {"DTaddr", {kNeighbourFirstUnit}}, {"Wsize", {1, 8, 1, 1}}}))},
                                {"the neighbour's weights read", "units that are not its own", Fate::no_room, ErrorCode::no_room, true,
                                 [](TaskText &text) {
                                   set_next(text.code[kCut], bit(Class::LD) | bit(Class::PE));
                                   Codes codes = convolution({{"SWaddr", {kNeighbourFirstUnit}}});
                                   set_previous(codes.back(), bit(Class::CT));
                                   more(codes)(text);
                                 }},
                            });
}

void add_cores(std::vector<HostileTask> &tasks) {
  const MachineCode wait = make(Opcode::si_sync, {{"Prev_Cores", {2}}});
  tasks.insert(
      tasks.end(),
      {
          {"an instruction of another core", "a core that is not its own", Fate::refused, ErrorCode::field_out_of_range, true,
           [](TaskText &text) { text.code[kLoad] = on_core(text.code[kLoad], 1); }},
          {"a cut on another core", "a core that is not its own", Fate::refused, ErrorCode::field_out_of_range, true,
           [](TaskText &text) { text.code[kCut] = on_core(text.code[kCut], 3); }},
          {"an end on another core", "an end that nobody sees", Fate::refused, ErrorCode::field_out_of_range, false,
           [](TaskText &text) { text.code[kEnd] = on_core(text.code[kEnd], 3); }},
          {"five cores", "a core that no instruction can name", Fate::refused, ErrorCode::image_geometry, false,
           image([](TaskText &text) { text.tile_cores = 5; })},
          {"2^32 - 1 cores", "a product that overflows", Fate::refused, ErrorCode::image_geometry, false,
           image([](TaskText &text) { text.tile_cores = UINT32_MAX; })},
          {"exchange with itself", "its own L2 without regions", Fate::refused, ErrorCode::own_core, true,
           more(exchange(Opcode::si_mov, {{"CORE", {0}}, {"STaddr", {kNeighbourFirstBlock * 1024}}, {"Tile", {1, 8, 1, 1}}}))},
          {"read of a core that it has not", "another's L2", Fate::refused, ErrorCode::field_out_of_range, true,
           more(exchange(Opcode::si_mov, {{"CORE", {1}}, {"Tile", {1, 8, 1, 1}}}))},
          {"write to a core that it has not", "another's L2", Fate::refused, ErrorCode::field_out_of_range, true,
           more(exchange(Opcode::so_mov, {{"CORE", {1}}, {"Tile", {1, 8, 1, 1}}}))},
          {"write past another core's L2", "what lies behind it", Fate::refused, ErrorCode::address_outside_cut, true,
           cores(2, exchange(Opcode::so_mov, {{"CORE", {1}}, {"DTaddr", {0xFFFFFFF8}}, {"Tile", {1, 8, 1, 1}}}))},
          {"65,535 images past another core's L2", "a product that overflows", Fate::refused, ErrorCode::address_outside_cut, true,
           cores(2, exchange(Opcode::si_mov, {{"CORE", {1}}, {"STaddr", {8 << 20}}, {"Tile", {65535, 8, 1, 1}}}))},
          {"a token to itself between cores", "a counter that is not there", Fate::refused, ErrorCode::own_core, false,
           cores(2, {make(Opcode::so_sync, {{"Next_Cores", {1}}})})},
          {"a token for a core that it has not", "a counter that is not there", Fate::refused, ErrorCode::field_out_of_range, false,
           cores(2, {make(Opcode::so_sync, {{"Next_Cores", {8}}})})},
          {"a token that no core puts", "a lane that waits forever", Fate::refused, ErrorCode::tokens_unbalanced, false, cores(2, {wait})},
          {"two cores that wait for each other", "a deadlock", Fate::refused, ErrorCode::deadlock, false,
           cores(2, {make(Opcode::si_sync, {{"Prev_Cores", {2}}}, 0, bit(Class::SO)),
                     make(Opcode::so_sync, {{"Next_Cores", {2}}}, bit(Class::SI)),
                     on_core(make(Opcode::si_sync, {{"Prev_Cores", {1}}}, 0, bit(Class::SO)), 1),
                     on_core(make(Opcode::so_sync, {{"Next_Cores", {1}}}, bit(Class::SI)), 1)})},
      });
}

void add_tokens(std::vector<HostileTask> &tasks) {
  const auto self = bit(Class::LD);
  tasks.insert(tasks.end(),
               {
                   {"a token that nobody takes", "a counter that grows", Fate::refused, ErrorCode::tokens_unbalanced, false,
                    [](TaskText &text) { set_previous(text.code[kStore], 0); }},
                   {"a token that nobody puts", "a lane that waits forever", Fate::refused, ErrorCode::tokens_unbalanced, false,
                    [](TaskText &text) { set_next(text.code[kLoad], 0); }},
                   {"70,000 tokens on one counter", "a counter of 16 bits", Fate::refused, ErrorCode::tokens_unbalanced, false,
                    flood(70000, {load(0, bit(Class::PE))})},
                   {"a load that waits for its store", "a deadlock", Fate::refused, ErrorCode::deadlock, false,
                    [](TaskText &text) {
                      set_previous(text.code[kLoad], bit(Class::CT) | bit(Class::ST));
                      set_next(text.code[kStore], bit(Class::CT) | bit(Class::LD));
                    }},
                   {"a load that waits for itself", "a deadlock of one", Fate::refused, ErrorCode::deadlock, false,
                    [](TaskText &text) {
                      set_previous(text.code[kLoad], bit(Class::CT) | bit(Class::LD));
                      set_next(text.code[kLoad], bit(Class::ST) | bit(Class::LD));
                    }},
                   {"3,000 loads that wait for nothing", "a ring that overflows", Fate::runs, ErrorCode::ok, false, flood(3000, {load()})},
                   {"3,000 loads that each put a token", "a completion queue that overflows", Fate::runs, ErrorCode::ok, false,
                    flood(3000, {load(0, self), load(self)})},
                   {"3,000 stores behind 3,000 loads", "counters that grow", Fate::runs, ErrorCode::ok, false,
                    flood(3000, {load(0, bit(Class::ST)), store(bit(Class::LD))})},
                   {"5,000 configurations", "a group without end", Fate::runs, ErrorCode::ok, false,
                    flood(5000, {hostile_base().code[kLoadConfiguration]})},
                   {"60,000 loads", "more than its time", Fate::runs, ErrorCode::time_limit, false, flood(60000, {load()})},
                   {"another's context", "the neighbour's rights", Fate::refused, ErrorCode::reserved_bits, false,
                    [](TaskText &text) { isa::insert_bits(text.code[kLoad], isa::tile::kContextBit, isa::tile::kContextWidth, 1); }},
                   {"a completion that nobody asked for", "the count of the run", Fate::refused, ErrorCode::reserved_bits, false,
                    [](TaskText &text) { isa::insert_bits(text.code[kLoad], isa::tile::kCompletionBit, 1, 1); }},
                   {"an opcode that is none", "an instruction that nobody checks", Fate::refused, ErrorCode::unknown_instruction, false,
                    [](TaskText &text) { isa::insert_bits(text.code[kLoad], isa::tile::kOpcodeBit, 8, 0); }},
                   {"an instruction without configuration", "what the last task left", Fate::refused, ErrorCode::missing_configuration,
                    true, [](TaskText &text) { text.code.erase(text.code.begin() + kLoadConfiguration); }},
                   {"a scale that is not a number", "arithmetic that traps", Fate::refused, ErrorCode::field_out_of_range, true,
                    more({make(Opcode::vp_cfg_qp, {{"QK", {0x7FC00000}}})})},
                   {"tokens of a configuration", "an end that never comes", Fate::refused, ErrorCode::reserved_bits, true,
                    [](TaskText &text) { set_next(text.code[kLoadConfiguration], bit(Class::ST)); }},
               });
}

void add_images(std::vector<HostileTask> &tasks) {
  const auto refused = [&](const char *name, const char *aim, ErrorCode error, const std::function<void(TaskText &)> &change,
                           const std::function<void(Image &)> &bytes = {}) {
    tasks.push_back({name, aim, Fate::refused, error, false, change, bytes});
  };
  const auto nothing = [](TaskText &) {};
  constexpr auto kMalformed = ErrorCode::image_malformed;
  refused("a window twice", "two sizes for one window", kMalformed, [](TaskText &text) { text.windows.push_back({0, 1 << 20, true}); });
  refused("window 200", "an index past the array", kMalformed, [](TaskText &text) { text.windows.push_back({200, 8, true}); });
  refused("a window of 2^64 - 1 bytes", "a sum that overflows", kMalformed, [](TaskText &text) { text.windows[0].size = UINT64_MAX; });
  refused("a window of no bytes", "an open window", kMalformed, [](TaskText &text) { text.windows[0].size = 0; });
  refused("a constant in place and another over it", "the image, after it was checked", kMalformed, [](TaskText &text) {
    text.constants.push_back({1, 0, std::vector<std::uint8_t>(64)});
    text.constants.push_back({1, 8, {1, 2, 3, 4}});
  });
  refused("a constant at 2^64 - 2", "a sum that overflows", kMalformed, [](TaskText &text) {
    text.constants.push_back({0, UINT64_MAX - 1, {1, 2, 3, 4}});
  });
  refused("a constant in no window", "an address without a base", kMalformed, [](TaskText &text) {
    text.constants.push_back({3, 0, {1}});
  });
  refused("a constant in window 255", "an index past the array", kMalformed, [](TaskText &text) {
    text.constants.push_back({255, 0, {1}});
  });
  refused("a tensor at 2^64 - 2", "a sum that overflows", ErrorCode::tensor_size,
          [](TaskText &text) { text.tensors[0].offset = UINT64_MAX - 1; });
  refused("a tensor of 2^128 bytes", "a product that overflows", ErrorCode::tensor_size, [](TaskText &text) {
    text.tensors[0].shape = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    text.tensors[0].size = 0;
  });
  refused("an output in a window that it may read", "a host that writes there", kMalformed, [](TaskText &text) {
    text.tensors[1].window = 1, text.tensors[1].shape = {1, 8, 2, 2}, text.tensors[1].offset = 0, text.tensors[1].size = 32;
  });
  refused("a mapping longer than the task", "an index past the array", kMalformed, [](TaskText &text) { text.mapping = 5000; });
  refused("more L2 than there is", "blocks that are not there", ErrorCode::image_geometry,
          [](TaskText &text) { text.l2_bytes = UINT32_MAX; });
  refused("no instructions", "an array without a first", ErrorCode::no_task_start, [](TaskText &text) { text.code.clear(); });
  refused("a header that promises more", "bytes behind the image", ErrorCode::image_truncated, nothing,
          [](Image &image) { image.bytes()[10] = std::byte{0xFF}; });
  refused("a checksum that is wrong", "bytes that nobody wrote", ErrorCode::image_checksum, nothing,
          [](Image &image) { image.bytes()[12] ^= std::byte{1}; });
  refused("a root past the end", "a pointer into nowhere", kMalformed, nothing, [](Image &image) {
    image.bytes()[19] = std::byte{0x7F};
    image.seal();
  });
  refused("a version to come", "a reader that guesses", ErrorCode::image_version, nothing,
          [](Image &image) { image.bytes()[5] = std::byte{1}; });
}

}  // namespace

TaskText hostile_base() {
  TaskText text = copy_task(0, 7);
  text.windows = {{0, 256, true}, {1, 64, false}};
  return text;
}

std::vector<HostileTask> hostile_tasks() {
  std::vector<HostileTask> tasks;
  add_windows(tasks);
  add_buffers(tasks);
  add_weights(tasks);
  add_cores(tasks);
  add_tokens(tasks);
  add_images(tasks);
  return tasks;
}

}  // namespace cox::tests
