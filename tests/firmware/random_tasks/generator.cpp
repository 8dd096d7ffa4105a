// SPDX-License-Identifier: MIT
#include "tests/firmware/random_tasks/generator.h"

#include <bit>
#include <cstring>
#include <optional>

#include "coxswain/isa/tile/layout.h"
#include "coxswain/isa/tile/table.h"

namespace cox::tests {

using isa::tile::Configuration;
using isa::tile::DataFmt;
using isa::tile::MachineCode;
using isa::tile::Opcode;
using isa::tile::Operation;
using isa::tile::Region;
using isa::tile::Space;
using Shape = std::vector<std::int64_t>;

namespace {

constexpr std::uint32_t kBlocks = kRandomL2Bytes / isa::tile::kBlockBytes;

struct Write {
  const char *field;
  std::int64_t value;
};

class Generator {
 public:
  Generator(Random &random, std::map<std::string, unsigned> &functions, const TaskText &text, Graph &graph)
      : random_(random), functions_(functions), text_(text), graph_(graph) {}

  void run() {
    graph_.add(make(Opcode::ct_st), 0);
    for (core_ = 0; core_ < graph_.cores(); ++core_) cut();
    for (std::int64_t left = random_.between(4, 20); left > 0; --left) {
      core_ = static_cast<unsigned>(random_.below(graph_.cores()));
      step();
    }
    graph_.add(make(Opcode::ct_ed), 0);
  }

 private:
  struct Attempt {
    std::vector<MachineCode> configurations;
    MachineCode code{};
    std::string name;
  };

  void step() {
    // Draws an instruction without checking whether it fits, and draws again if add() refuses it.
    for (int tries = 0; tries < 40; ++tries) {
      Attempt attempt;
      switch (random_.below(graph_.cores() > 1 ? 12 : 10)) {
        case 0: return cut();
        case 1: load(attempt); break;
        case 2: load_weights(attempt); break;
        case 3: fill_weights(attempt); break;
        case 4: convolve(attempt); break;
        case 5: vector_self(attempt); break;
        case 6: random_.chance(50) ? pool(attempt) : resize(attempt); break;
        case 7: transform(attempt); break;
        case 8: store(attempt); break;
        case 9: again(attempt); break;
        default: exchange(attempt); break;
      }
      if (add(attempt)) return;
    }
  }

  /// If the instruction is legal here and its accesses stay inside of their memories, adds its configurations and then the instruction.
  /// Otherwise returns false.
  bool add(Attempt &attempt) {
    if (attempt.code[0] == 0) return false;
    Configuration configuration = graph_.configuration(core_);
    for (MachineCode &code : attempt.configurations) {
      if (!isa::tile::check(code).ok() || !configuration.apply(code).ok()) return false;
    }
    isa::insert_bits(attempt.code, isa::tile::kCoreBit, isa::tile::kCoreWidth, core_);
    if (!isa::tile::check(attempt.code).ok() || !place(attempt.code, configuration)) return false;
    for (const MachineCode &code : attempt.configurations) graph_.add(code, core_);
    graph_.add(attempt.code, core_);
    ++functions_[attempt.name];
    return true;
  }

  /// Sets the DRAM and remote addresses of the instruction, which are 0 at first, to a place with enough room. Returns false if there is
  /// none.
  bool place(MachineCode &code, const Configuration &configuration) {
    const auto operation = isa::tile::resolve(code, configuration);
    if (!operation) return false;
    const isa::tile::Footprint footprint = isa::tile::footprint(operation.value());
    for (unsigned i = 0; i < footprint.count; ++i) {
      const isa::tile::Access &access = footprint.accesses[i];
      switch (access.space) {
        case Space::l2:
          if (!isa::tile::check_region(access.reach(), configuration.region(access.selector)).ok()) return false;
          break;
        case Space::wl0:
          if (access.end() > kRandomWl0Bytes) return false;
          break;
        case Space::dram: {
          const WindowText *window = find_window(access.selector);
          if (window == nullptr || (access.write && !window->writable)) return false;
          const std::int64_t room = static_cast<std::int64_t>(window->size) - access.end();
          if (room < 0) return false;
          const std::int64_t step = random_.pick({1, 4, 8});
          set(code, access.field, access.start + random_.below(room / step + 1) * step);
          break;
        }
        case Space::remote_l2: {
          const Region &region = graph_.configuration(access.selector).region(static_cast<unsigned>(random_.below(isa::tile::kRegions)));
          const std::int64_t first = region.first_byte() + 8 * random_.below(64);
          if (first + access.end() - access.start > kRandomL2Bytes) return false;
          set(code, access.field, first);
          break;
        }
      }
    }
    return true;
  }

  const WindowText *find_window(unsigned index) const {
    for (const WindowText &window : text_.windows) {
      if (window.index == index) return &window;
    }
    return nullptr;
  }

  static void set(MachineCode &code, const char *name, std::int64_t value) {
    const isa::Field &field = *isa::tile::find_field(*isa::tile::find_instruction(isa::tile::opcode_of(code)), name);
    isa::insert_bits(code, field.bit_of(0), field.width, static_cast<std::uint32_t>(value));
  }

  // The functions from here on return random values of fields.
  std::int64_t real() {
    return std::bit_cast<std::int32_t>(random_.pick({1.0F, 0.5F, -0.25F, 2.0F, 0.1F, 3.0F, -1.0F, 0.0F, 17.5F, 0.001F, 1e6F, -40.0F}));
  }
  std::int64_t window() {
    return text_.windows[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(text_.windows.size())))].index;
  }
  std::int64_t format() { return random_.below(7); }
  Shape shape(std::int64_t most_channels = 12, std::int64_t most = 6) {
    return {random_.between(1, most_channels), random_.between(1, most), random_.between(1, most)};
  }
  /// Returns a random shape. Each dimension is that of `least` or up to 3 larger.
  Shape around(const Shape &least) {
    Shape result = least;
    for (std::int64_t &each : result) each += random_.chance(60) ? 0 : random_.below(4);
    return result;
  }
  std::int64_t batch() { return random_.chance(75) ? 1 : 2; }
  static Shape with(std::int64_t first, const Shape &rest) {
    Shape result{first};
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
  }
  std::int64_t region() { return random_.below(isa::tile::kRegions); }
  /// Returns an address in `region`: often its first one, otherwise any.
  std::int64_t address_in(std::int64_t region) {
    const Region &place = graph_.configuration(core_).region(static_cast<unsigned>(region));
    if (place.blocks == 0) return 0;
    const std::int64_t step = random_.pick({8, 8, 8, 1});
    return place.first_byte() + (random_.chance(40) ? 0 : random_.below(place.bytes() / step) * step);
  }
  /// Returns true if the caller must add this configuration because the core lacks it. Otherwise returns true in `percent` % of the calls.
  bool needs(Opcode opcode, int percent) { return graph_.configuration(core_).find(opcode) == nullptr || random_.chance(percent); }

  void cut() {
    const std::int64_t bank = random_.below(4);
    Shape cuts;
    for (int i = 0; i < 4; ++i) {
      if (random_.chance(15)) {
        cuts.insert(cuts.end(), {0, 0});
        continue;
      }
      const std::int64_t length = random_.between(1, 5);
      const std::int64_t last = random_.chance(5) ? kBlocks - 1 : length - 1 + random_.below(40);
      cuts.insert(cuts.end(), {length, last});
    }
    graph_.add(make(Opcode::ct_bc, {{"BCS", {bank}}, {"BufCut", cuts}}), core_);
    ++functions_["ct_bc"];
  }

  /// Returns a lda_cfg or sta_cfg.
  auto move_configuration(Opcode opcode, std::int64_t set, std::int64_t df, std::int64_t conversion, const Shape &tile) {
    return make(opcode, {{"SME", {random_.below(2)}},
                         {"RS", {set}},
                         {"BAS", {window()}},
                         {"DF", {df}},
                         {"STile", around(tile)},
                         {"DTile", around(tile)},
                         {"CVT", {conversion}}});
  }

  void load(Attempt &attempt) {
    const Shape tile = shape();
    const std::int64_t set = random_.below(4), to = region(), df = format(), conversion = random_.chance(50) ? 0 : random_.below(8);
    attempt.configurations = {move_configuration(Opcode::lda_cfg, set, df, conversion, tile)};
    attempt.code = make(Opcode::lda_mov, {{"RS", {set}}, {"DBSG", {to}}, {"DTaddr", {address_in(to)}}, {"Tile", with(batch(), tile)}});
    attempt.name = "lda_mov " + std::to_string(df) + " to " + std::to_string(conversion);
  }

  void store(Attempt &attempt) {
    const Shape tile = shape();
    const std::int64_t set = random_.below(4), from = region(), df = format(), conversion = random_.chance(50) ? 0 : random_.below(8);
    attempt.configurations = {move_configuration(Opcode::sta_cfg, set, df, conversion, tile)};
    attempt.code = make(Opcode::sta_mov, {{"RS", {set}}, {"SBSG", {from}}, {"STaddr", {address_in(from)}}, {"Tile", with(batch(), tile)}});
    attempt.name = "sta_mov " + std::to_string(df) + " to " + std::to_string(conversion);
  }

  /// Returns the fields SWsize, DWsize, C0, MKC and MKEN for records of `wanted` channels, rows and columns.
  Fields records(const Shape &wanted, bool map) {
    Shape source = wanted;
    std::int64_t first = 0;
    if (random_.chance(25)) {
      first = 2 * random_.below(4);
      source[0] += first + random_.below(3);
    }
    if (map) source[1] = source[2] = 1;
    return {{"SWsize", source}, {"DWsize", wanted}, {"C0", {first}}, {"MKEN", {random_.chance(25) ? 1 : 0}}, {"MKC", {random_.below(14)}}};
  }

  void load_weights(Attempt &attempt) {
    const Shape record = {random_.between(1, 12), random_.between(1, 3), random_.between(1, 3)};
    const std::int64_t set = random_.below(4), to = region(), df = format();
    Fields fields = records(record, false);
    fields.insert(fields.end(), {{"RS", {set}}, {"BAS", {window()}}, {"DF", {df}}});
    attempt.configurations = {make(Opcode::ldw_cfg, fields)};
    attempt.code = make(Opcode::ldw_mov,
                        {{"RS", {set}}, {"DBSG", {to}}, {"DTaddr", {address_in(to)}}, {"Wsize", with(random_.between(1, 4), record)}});
    attempt.name = "ldw_mov " + std::to_string(df);
  }

  void fill_weights(Attempt &attempt) {
    const bool map = random_.chance(30), dram = random_.chance(60);
    const Shape record = {random_.between(1, 12), map ? 1 : random_.between(1, 3), map ? 1 : random_.between(1, 3)};
    const std::int64_t from = region(), df = format();
    Fields fields = records(record, map);
    fields.insert(fields.end(), {{"BAS", {window()}}, {"DF", {df}}, {"MAP", {map ? 1 : 0}}});
    attempt.configurations = {make(Opcode::lw_cfg, fields)};
    attempt.code = make(Opcode::lw_mov, {{"SS", {dram ? 1 : 0}},
                                         {"SBSG", {from}},
                                         {"STaddr", {dram ? 0 : address_in(from)}},
                                         {"DTaddr", {random_.chance(3) ? 18400 : random_.below(40)}},
                                         {"Wsize", with(random_.between(1, 8), record)}});
    attempt.name = "lw_mov " + std::to_string(df) + (map ? " map" : "");
  }

  void convolve(Attempt &attempt) {
    const bool floating = random_.chance(40);
    const std::int64_t wanted = floating ? random_.pick({3, 4, 6}) : random_.below(3);
    const std::int64_t weights = floating ? wanted : random_.below(3);
    const std::int64_t groups = random_.chance(75) ? random_.below(2) : random_.between(2, 3);
    const Shape kernel = {random_.between(1, 3), random_.between(1, 3)};
    const Shape upsample = random_.chance(80) ? Shape{0, 0} : Shape{random_.below(3), random_.below(3)};
    const std::int64_t channels = random_.between(1, 9);
    const std::int64_t kernels = std::max<std::int64_t>(groups, 1) * random_.between(1, 3);
    const Shape output = {kernels, random_.between(1, 4), random_.between(1, 4)};
    const Shape source = around({channels * std::max<std::int64_t>(groups, 1), random_.between(1, 5), random_.between(1, 5)});
    const bool silu = random_.chance(15), plain = upsample[0] < 2 && upsample[1] < 2;
    const std::int64_t from = region(), to = region(), partial = region(), table = region(), df = format();
    const bool add = random_.chance(20), keep = random_.chance(15);
    attempt.configurations = {
        make(Opcode::pe_cfg_fm, {{"IF", {random_.below(2)}},
                                 {"OF", {random_.below(2)}},
                                 {"SF", {wanted}},
                                 {"WF", {weights}},
                                 {"DF", {df}},
                                 {"PADV", {real()}},
                                 {"STile", source},
                                 {"DTile", around(output)}}),
        make(Opcode::pe_cfg_pm, {{"ACTMD", {silu ? 5 : random_.below(5)}},
                                 {"ACTPM", {real()}},
                                 {"QC", {random_.below(4)}},
                                 {"QB", {real()}},
                                 {"QK", {real()}},
                                 {"ADDEN", {add ? 1 : 0}},
                                 {"STRIDE", {random_.between(1, 2), random_.between(1, 3)}},
                                 {"XYmode", {random_.below(5), random_.below(5)}},
                                 {"PSUM", {keep ? 1 : 0}}}),
        make(Opcode::pe_cfg_tp, {{"KERNEL", kernel},
                                 {"Tile", {batch(), output[0], channels, output[1], output[2]}},
                                 {"MTK0", {random_.below(9)}},
                                 {"MTC0", {random_.below(9)}},
                                 {"MTI", {random_.below(9), random_.below(9)}},
                                 {"GROUPS", {groups}},
                                 {"DILATION", random_.chance(75) ? Shape{0, 0} : Shape{random_.below(3), random_.below(3)}},
                                 {"UPSAMPLE", upsample}})};
    if (needs(Opcode::pe_cfg_dq, 30)) {
      attempt.configurations.push_back(
          make(Opcode::pe_cfg_dq, {{"DQC", {random_.below(4)}}, {"DQB", {real()}}, {"DQK", {random_.chance(50) ? 0 : real()}}}));
    }
    if (silu) attempt.configurations.push_back(look_up(Opcode::pe_cfg_lut, table));
    const std::int64_t row = random_.between(-2, 2), column = random_.between(-2, 2);
    const std::int64_t bits = wanted == 0 ? 4 : wanted == 1 ? 8 : wanted == 6 ? 32 : 16;
    const std::int64_t pixel = isa::tile::padded_pixel((source[0] * bits + 7) / 8);
    const std::int64_t shift = plain ? (row * source[2] + column) * pixel : 0;
    attempt.code = make(Opcode::pe_conv, {{"PS", {random_.below(256)}},
                                          {"SPHI", {row}},
                                          {"SPWI", {column}},
                                          {"SBSG", {from}},
                                          {"DBSG", {to}},
                                          {"STaddr", {address_in(from) + shift}},
                                          {"SWaddr", {random_.below(40)}},
                                          {"DTaddr", {address_in(to)}},
                                          {"PTaddr", {add ? address_in(partial) : 0}},
                                          {"PBSG", {partial}}});
    attempt.name = "pe_conv " + std::to_string(wanted) + " by " + std::to_string(weights) + (silu ? " silu" : "") + (add ? " add" : "") +
                   (keep ? " keep" : "") + (plain ? "" : " upsample") + (groups > 1 ? " groups" : "");
  }

  MachineCode look_up(Opcode opcode, std::int64_t table) {
    Fields fields = {{"LO", {real()}}, {"STEP", {real()}}, {"TBSG", {table}}, {"Taddr", {address_in(table)}}};
    if (opcode == Opcode::pe_cfg_lut) fields.insert(fields.end(), {{"SEGN", {random_.below(20)}}, {"SEGE", {random_.below(2)}}});
    return make(opcode, fields);
  }

  /// Sets a scalar and the field that says whether it names a register.
  void scalar(Fields &fields, const char *value, const char *from_register) {
    const bool named = random_.chance(20);
    fields.insert(fields.end(), {{value, {named ? std::bit_cast<std::int32_t>(static_cast<float>(random_.below(8))) : real()}},
                                 {from_register, {named ? 1 : 0}}});
  }

  /// Configures what all vector instructions need. `source` and `destination` are the shapes of the maps. `tile` is the shape of the part
  /// that the instruction processes.
  void configure_vector(Attempt &attempt, const Shape &source, const Shape &destination, const Shape &tile, const Fields &compare,
                        std::int64_t dimensions1, const Shape &kernel = {1, 1}, const Shape &stride = {1, 1}) {
    const auto push = [&](Opcode opcode, const Fields &fields) { attempt.configurations.push_back(make(opcode, fields)); };
    Fields group = compare;
    scalar(group, "SG0V", "SG0VS");
    scalar(group, "CMPV", "CMPVS");
    push(Opcode::vp_cfg_gcs, group);
    Fields multiply = {{"SEGE", {random_.below(2)}},
                       {"SEGN", {random_.below(20)}},
                       {"MG0S", {random_.chance(20) ? 1 : 0}},
                       {"SG1M", {random_.chance(60) ? 0 : random_.below(4)}}};
    scalar(multiply, "MG0V", "MG0VS");
    scalar(multiply, "SG1V", "SG1VS");
    push(Opcode::vp_cfg_gms, multiply);
    if (needs(Opcode::vp_cfg_sms, 40)) {
      Fields sum = {{"SUMM", {random_.chance(30) ? 1 : 0}}};
      scalar(sum, "SUMV", "SUMVS");
      scalar(sum, "MULV", "MULVS");
      push(Opcode::vp_cfg_sms, sum);
    }
    if (needs(Opcode::vp_cfg_qp, 50)) {
      push(Opcode::vp_cfg_qp, {{"QCS", {random_.below(4)}}, {"QSMD", {random_.below(2)}}, {"QB", {real()}}, {"QK", {real()}}});
    }
    if (needs(Opcode::vp_cfg_iq, 50)) push(Opcode::vp_cfg_iq, {{"IQCS", {random_.below(4)}}, {"IQB0", {real()}}, {"IQK0", {real()}}});
    if (needs(Opcode::vp_cfg_iq1, 50)) push(Opcode::vp_cfg_iq1, {{"IQB1", {real()}}, {"IQK1", {real()}}});
    push(Opcode::vp_cfg_fm, {{"IF", {random_.below(2)}},
                             {"OF", {random_.below(2)}},
                             {"IDF", {format()}},
                             {"ODF", {format()}},
                             {"VF32", {random_.chance(10) ? 1 : 0}},
                             {"STile", source},
                             {"DTile", destination}});
    push(Opcode::vp_cfg_tp, {{"STRIDE", stride},
                             {"KERNEL", kernel},
                             {"Tile", tile},
                             {"T1F", {dimensions1}},
                             {"T0F", {random_.chance(75) ? 7 : random_.below(8)}},
                             {"PADV_AREA", {random_.chance(30) ? std::bit_cast<std::int32_t>(-32768.0F) : real()}}});
    if (needs(Opcode::vp_cfg_lut, 30)) push(Opcode::vp_cfg_lut, look_up_fields());
  }

  Fields look_up_fields() {
    const std::int64_t table = region();
    return {{"LO", {real()}}, {"STEP", {real()}}, {"TBSG", {table}}, {"Taddr", {address_in(table)}}};
  }

  void finish_vector(Attempt &attempt, MachineCode code) {
    if (random_.chance(20))
      isa::insert_bits(code, isa::tile::kBatchBit, isa::tile::kBatchWidth, static_cast<std::uint32_t>(random_.below(3)));
    attempt.code = code;
  }

  void vector_self(Attempt &attempt) {
    const std::int64_t lut = random_.pick({16, 18, 18, 19, 19, 20, 21, 22, 23, 32, 40, 41});
    const bool two = ((lut == 18 || lut == 19) && random_.chance(50)) || (lut == 41 && random_.chance(50));
    const bool scalar_path = (lut == 18 || lut == 19) && !two;
    const bool sums = lut == 20 || lut == 21, extremes = lut == 22 || lut == 23;
    const std::int64_t reduced = sums || extremes ? random_.between(1, 7) : 0;
    const Shape tile = shape();
    Shape result = tile;
    if ((reduced & 1) != 0) result[0] = 1;
    if ((reduced & 2) != 0) result[2] = 1;
    if ((reduced & 4) != 0) result[1] = 1;
    Shape source = around(tile);
    if (lut == 41 && two) source[1] = std::max<std::int64_t>(source[1], 2);
    configure_vector(attempt, source, around(result), tile,
                     {{"CMPS", {lut == 19 ? random_.between(1, 8) : random_.below(9)}}, {"SG0M", {random_.below(5)}}},
                     lut == 41 ? 5 : random_.between(1, 7));
    const std::int64_t a = region(), b = region(), to = region();
    finish_vector(attempt, make(Opcode::vp_self, {{"IQEN", {random_.below(2)}},
                                                  {"QEN", {random_.below(4)}},
                                                  {"SHMD", {random_.chance(70) ? 0 : random_.below(5)}},
                                                  {"GPMD",
                                                   {two           ? 69
                                                    : scalar_path ? 5
                                                                  : 4}},
                                                  {"CMPD", {extremes ? reduced : 0}},
                                                  {"TREED", {random_.below(2)}},
                                                  {"ACCD", {sums ? reduced : 0}},
                                                  {"SWRS", {reduced == 7 ? random_.below(9) : 0}},
                                                  {"LUT", {lut}},
                                                  {"SBSG", {a}},
                                                  {"SBSG1", {b}},
                                                  {"DBSG", {to}},
                                                  {"STaddr", {address_in(a)}},
                                                  {"STaddr1", {address_in(b)}},
                                                  {"DTaddr", {address_in(to)}}}));
    attempt.name = "vp_self " + std::to_string(lut) + (two ? " two" : scalar_path ? " scalar" : "");
  }

  void pool(Attempt &attempt) {
    const bool average = random_.chance(50);
    const Shape output = shape(9, 4);
    const Shape source = around({output[0], random_.between(1, 6), random_.between(1, 6)});
    configure_vector(attempt, source, around(output), output, {{"CMPS", {average ? random_.below(9) : 1}}, {"SG0M", {random_.below(5)}}},
                     random_.below(8), {random_.between(1, 3), random_.between(1, 3)}, {random_.between(1, 2), random_.between(1, 2)});
    vector_pool(attempt, average ? 56 : 17, random_.between(-2, 1), random_.between(-2, 1), source);
  }

  void resize(Attempt &attempt) {
    const Shape output = shape(9, 5);
    const Shape source = around({output[0], random_.between(1, 4), random_.between(1, 4)});
    configure_vector(attempt, source, around(output), output, {{"CMPS", {random_.below(9)}}, {"SG0M", {random_.below(5)}}},
                     random_.below(8));
    attempt.configurations.push_back(make(Opcode::vp_cfg_rs, {{"NUM", {random_.below(6), random_.below(6)}},
                                                              {"DEN", {random_.between(1, 8), random_.between(1, 8)}},
                                                              {"OFFSET", {random_.between(-9, 9), random_.between(-9, 9)}}}));
    vector_pool(attempt, random_.pick({48, 49}), random_.between(0, 3), random_.between(0, 3), {});
  }

  /// Adds a vp_pool. STaddr points `row` rows and `column` pixels behind the start of the map. An empty `source` means a resize, whose
  /// STaddr is not moved.
  void vector_pool(Attempt &attempt, std::int64_t lut, std::int64_t row, std::int64_t column, const Shape &source) {
    const std::int64_t from = region(), to = region();
    MachineCode code = make(Opcode::vp_pool, {{"IQEN", {random_.below(2)}},
                                              {"QEN", {random_.below(4)}},
                                              {"SHMD", {random_.chance(70) ? 0 : random_.below(5)}},
                                              {"GPMD", {4}},
                                              {"LUT", {lut}},
                                              {"IPH", {row}},
                                              {"IPW", {column}},
                                              {"SBSG", {from}},
                                              {"DBSG", {to}},
                                              {"STaddr", {address_in(from)}},
                                              {"DTaddr", {address_in(to)}}});
    if (!source.empty()) {
      Configuration configuration = graph_.configuration(core_);
      for (const MachineCode &each : attempt.configurations) static_cast<void>(configuration.apply(each));
      // Resolves the instruction with STaddr at the start of the map, to get the bytes of a row and of a pixel.
      const auto resolved = isa::tile::resolve(code, configuration);
      if (!resolved) return;
      const auto &operation = std::get<isa::tile::Vector>(resolved.value());
      set(code, "STaddr", address_in(from) + row * operation.source.row_bytes + column * operation.source.pixel_bytes);
    }
    finish_vector(attempt, code);
    attempt.name = "vp_pool " + std::to_string(lut);
  }

  void transform(Attempt &attempt) {
    const std::int64_t order = random_.below(14), from = region(), to = region(), df = format();
    const Shape tile = shape(20, 5);
    Shape there = around(tile);
    if (order == 9) std::swap(there[1], there[2]);
    if (order == 10) std::swap(there[0], there[2]);
    if (order == 11) std::swap(there[0], there[1]);
    attempt.configurations = {make(Opcode::dt_cfg, {{"DF", {df}}, {"STile", around(tile)}, {"DTile", there}})};
    attempt.code = make(Opcode::dt_cal, {{"Order", {order}},
                                         {"SBSG", {from}},
                                         {"DBSG", {to}},
                                         {"STaddr", {address_in(from)}},
                                         {"DTaddr", {address_in(to)}},
                                         {"Tile", with(batch(), tile)}});
    attempt.name = "dt_cal " + std::to_string(order);
  }

  void exchange(Attempt &attempt) {
    const bool in = random_.chance(50);
    const Shape tile = shape();
    const std::int64_t here = region();
    const std::int64_t other = (core_ + random_.between(1, graph_.cores() - 1)) % graph_.cores();
    const std::int64_t df = format();
    attempt.configurations = {make(in ? Opcode::si_cfg : Opcode::so_cfg, {{"DF", {df}}, {"STile", around(tile)}, {"DTile", around(tile)}})};
    attempt.code = make(
        in ? Opcode::si_mov : Opcode::so_mov,
        {{"CORE", {other}}, {in ? "DBSG" : "SBSG", {here}}, {in ? "DTaddr" : "STaddr", {address_in(here)}}, {"Tile", with(batch(), tile)}});
    attempt.name = std::string(in ? "si_mov " : "so_mov ") + std::to_string(df);
  }

  /// Repeats an earlier instruction of this core with the current configuration.
  void again(Attempt &attempt) {
    const std::vector<MachineCode> &codes = graph_.codes();
    MachineCode code = codes[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(codes.size())))];
    const isa::tile::Instruction &instruction = *isa::tile::find_instruction(isa::tile::opcode_of(code));
    if (instruction.configuration || isa::tile::core_of(code) != core_ || instruction.queue == isa::tile::Class::CT) return;
    isa::insert_bits(code, isa::tile::kPreviousBit, isa::tile::kClasses, 0);
    isa::insert_bits(code, isa::tile::kNextBit, isa::tile::kClasses, 0);
    for (const char *name : {"Prev_Cores", "Next_Cores"}) {
      if (isa::tile::find_field(instruction, name) != nullptr) set(code, name, 0);
    }
    for (const auto &[address, selector] : {std::pair{"STaddr", "SBSG"}, std::pair{"DTaddr", "DBSG"}}) {
      if (isa::tile::find_field(instruction, selector) == nullptr) continue;
      if (isa::tile::opcode_of(code) == Opcode::vp_pool || isa::tile::opcode_of(code) == Opcode::pe_conv) continue;
      const isa::Field &field = *isa::tile::find_field(instruction, selector);
      if (random_.chance(50)) set(code, address, address_in(isa::read_integer(code, field)));
    }
    attempt.code = code;
    attempt.name = "again";
  }

  Random &random_;
  std::map<std::string, unsigned> &functions_;
  const TaskText &text_;
  Graph &graph_;
  unsigned core_ = 0;
};

std::vector<std::uint8_t> contents_of(std::uint64_t size, Random &random) {
  std::vector<std::uint8_t> bytes(size);
  const std::int64_t kind = random.below(3);
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    // The bytes are random, or numbers whose sum stays finite in FP32 or in FP16.
    std::uint32_t word = static_cast<std::uint32_t>(random.engine());
    if (kind == 1) word = std::bit_cast<std::uint32_t>(static_cast<float>(random.between(-64, 64)) / 8.0F);
    if (kind == 2) word = (word & 0x80FF80FFU) | 0x3C003C00U;
    std::memcpy(bytes.data() + i, &word, 4);
  }
  return bytes;
}

}  // namespace

RandomTask make_random_task(Random &random, unsigned most_cores, std::map<std::string, unsigned> &functions) {
  const auto cores = static_cast<unsigned>(most_cores == 1 || random.chance(50) ? 1 : random.between(2, most_cores));
  RandomTask task{{}, Graph(cores, random), {}};
  task.text.name = "random";
  task.text.l2_bytes = kRandomL2Bytes;
  task.text.tile_cores = cores;
  task.text.windows = {{0, 2048, false}, {1, 2048, random.chance(30)}, {2, 4096, true}};
  if (random.chance(30)) task.text.windows.push_back({3, 1024, true});
  for (const WindowText &window : task.text.windows) task.contents[window.index] = contents_of(window.size, random);
  Generator(random, functions, task.text, task.graph).run();
  task.text.code = task.graph.codes();
  return task;
}

}  // namespace cox::tests
