// SPDX-License-Identifier: MIT
#include "tests/firmware/mixed_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "coxswain/isa/cube/dram_address.h"
#include "coxswain/isa/cube/table.h"
#include "coxswain/isa/tile/encode.h"
#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/relocation.h"
#include "coxswain/kernels/cube/gemm.h"
#include "coxswain/kernels/cube/stream.h"
#include "coxswain/kernels/mx/stream.h"
#include "tests/firmware/recorded_windows.h"
#include "tests/sim/pim/programs.h"
#include "tests/sim/unity/peers/mixed_program.h"

namespace cox::tests {
namespace {

using isa::unity::Domain;
using isa::unity::Key;
using isa::unity::Sync;
using test::MixedProgram;
using Bytes = MixedProgram::Bytes;
namespace pim = test::pim;

// The MX engine writes M x K bytes, the PIM cores K x N.
constexpr std::uint32_t kBlocks = 64, kBlockBytes = sizeof(isa::mx::Block);
constexpr std::uint32_t kM = 16, kK = 16, kN = pim::kProductBytes / kK;
static_assert(kM * kK <= kBlocks * kBlockBytes && kN >= 1 && pim::kProductBytes % kK == 0);
constexpr std::uint32_t kProduct = kM * kN;  ///< elements

// Places in windows.
constexpr std::uint64_t kOperands = 0x8000;                        // window 0
constexpr std::uint64_t kMatrix = 0x4000, kProductPlace = 0x8000;  // window 1
constexpr std::uint64_t kMoved = 0, kDoubled = 0x4000;             // window 2
constexpr std::uint64_t kMixedWindowBytes = 0x10000;

Bytes doubled_blocks() {
  alignas(64) static std::array<std::byte, 256> memory;
  kernels::mx::Stream stream;
  const std::array<isa::Window, 3> windows = recorded_windows(6);
  EXPECT_TRUE(stream.init(memory, windows).ok());
  const isa::mx::Elementwise twice{.function = isa::mx::ElementwiseFunction::add,
                                   .input1 = address_of(0),
                                   .input2 = address_of(0),
                                   .output = address_of(1),
                                   .blocks = kBlocks};
  EXPECT_TRUE(stream.append(twice).ok());
  // The program of a mixed container finds the base of window n in base register n.
  EXPECT_EQ(std::vector(stream.bases().begin(), stream.bases().end()), (std::vector{address_of(0), address_of(1)}));
  return {stream.code().begin(), stream.code().end()};
}

Bytes product() {
  alignas(64) static std::array<std::byte, 1U << 16> memory;
  kernels::cube::Stream stream;
  const std::array<isa::Window, 3> windows = recorded_windows(6);
  EXPECT_TRUE(stream.init(memory, windows).ok());
  kernels::cube::GemmArguments arguments;
  arguments.type = isa::cube::Type::int8;
  arguments.left = {.address = address_of(1), .rows = kM, .columns = kK, .pitch = kK};
  arguments.right = {.address = address_of(1) + kMatrix, .rows = kK, .columns = kN, .pitch = kN};
  arguments.to = isa::cube::OutputType::int32;
  arguments.output = {.address = address_of(1) + kProductPlace, .rows = kM, .columns = kN, .pitch = kN * 4};
  const Status status = kernels::cube::gemm(stream, arguments);
  EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what();
  return {stream.code().begin(), stream.code().end()};
}

isa::tile::MachineCode tile(isa::tile::Opcode opcode, std::initializer_list<std::pair<const char *, std::vector<std::int64_t>>> fields) {
  isa::tile::MachineCode code = isa::tile::begin(opcode);
  for (const auto &[name, values] : fields) {
    const isa::Field *field = isa::tile::find_field(*isa::tile::find_instruction(opcode), name);
    EXPECT_NE(field, nullptr) << name;
    for (unsigned i = 0; i < values.size(); ++i) EXPECT_TRUE(isa::tile::set_integer(code, *field, i, values[i]).ok()) << name;
  }
  return code;
}

Sync take(Key key, std::uint8_t keys = 1) { return {.fetches = true, .keys = keys, .fetch = key}; }
Sync give(Key key) { return {.deposits = true, .deposit = key}; }
Sync pass(Key from, Key to, std::uint8_t keys = 1) {
  return {.fetches = true, .deposits = true, .keys = keys, .fetch = from, .deposit = to};
}

/// Appends the relocations of the DRAM addresses in a stream of the matrix unit that lies `place` bytes behind the container's begin.
void relocate_stream(std::vector<firmware::image::Relocation> &relocations, const Bytes &container, std::uint32_t place,
                     std::uint32_t bytes) {
  for (std::uint32_t slot = place; slot < place + bytes; slot += isa::cube::kSlotBytes) {
    isa::cube::MachineCode code;
    std::memcpy(code.data(), &container[slot], sizeof code);
    if (!isa::cube::has_dram_address(isa::cube::find_instruction(code[0])->opcode)) continue;
    using isa::unity::AddressPlace;
    const auto offset = static_cast<std::uint32_t>(slot + isa::cube::kLowAddressWord * 4);
    relocations.push_back(
        relocation(AddressPlace(offset, AddressPlace::Width::bits48).packed(), isa::cube::read_dram_address(code.data())));
  }
}

/// Makes the first half of L2 the source and destination of moves.
isa::tile::MachineCode blocks() { return tile(isa::tile::Opcode::ct_bc, {{"BCS", {0}}, {"BufCut", {0, 8191}}}); }
constexpr std::int64_t kRows = kProduct * 4 / 64;  ///< the tile core moves bytes, 64 a line
const std::vector<std::int64_t> kMap{16, kRows, 4};

/// Stores the product from L2 to window 2.
std::array<isa::tile::MachineCode, 2> store() {
  using isa::tile::Opcode;
  return {tile(Opcode::sta_cfg, {{"SME", {1}}, {"DF", {1}}, {"BAS", {2}}, {"STile", kMap}, {"DTile", kMap}}),
          tile(Opcode::sta_mov, {{"STaddr", {0}}, {"DTaddr", {kMoved}}, {"Tile", {1, 16, kRows, 4}}})};
}

TaskText text_of(const Bytes &container) {
  TaskText text;
  text.name = "mixed";
  text.l2_bytes = 0;
  text.windows = {{0, kMixedWindowBytes, false}, {1, kMixedWindowBytes, true}, {2, kMixedWindowBytes, true}};
  ProgramText code{.engine = static_cast<std::uint8_t>(registers::Engine::unity), .code = bytes_of(container), .relocations = {}};
  code.code.resize((code.code.size() + 7) / 8 * 8);
  text.program = std::move(code);
  return text;
}

}  // namespace

TaskText mixed_program() {
  using isa::tile::Class;
  using isa::tile::Opcode;
  constexpr Key kOperandsDone{0, 1}, kProductDone{0, 2}, kLoaded{1, 3}, kMovedKey{1, 4};
  MixedProgram program(4);
  program.streams(0, Domain::mx, {doubled_blocks()}, give(kOperandsDone));
  pim::Assembly assembly;
  pim::add_product(assembly, 0, pim::kDram + kOperands, pim::kDram + pim::kDramPart + kMatrix);
  program.streams(1, Domain::pim, {assembly.bytes()}, give(kOperandsDone));
  program.streams(2, Domain::cube, {product()}, pass(kOperandsDone, kProductDone, 2));

  program.tile(3, Class::CT, {blocks()}, {.blocks = true});
  program.tile(3, Class::LD,
               {tile(Opcode::lda_cfg, {{"SME", {1}}, {"DF", {1}}, {"BAS", {1}}, {"STile", kMap}, {"DTile", kMap}}),
                tile(Opcode::lda_mov, {{"STaddr", {kProductPlace}}, {"DTaddr", {0}}, {"Tile", {1, 16, kRows, 4}}})},
               pass(kProductDone, kLoaded));
  const auto [store_configuration, store_move] = store();
  program.tile(0, Class::ST, {store_configuration, store_move}, pass(kLoaded, kMovedKey));
  using Addition = isa::unity::OperandTable<isa::unity::Opcode::ADD, isa::unity::AddressSpace::bits32>;
  Addition table;
  table.set<"S0">(address_of(2) + kMoved);
  table.set<"S1">(address_of(2) + kMoved);
  table.set<"D">(address_of(2) + kDoubled);
  table.set<"LEN">(kProduct);
  for (const auto unit : {isa::unity::Unit::s32}) {
    table.set<"S0_UNIT">(static_cast<unsigned>(unit));
    table.set<"S1_UNIT">(static_cast<unsigned>(unit));
    table.set<"D_UNIT">(static_cast<unsigned>(unit));
  }
  program.unity(1, isa::unity::Opcode::ADD, table.words(), take(kMovedKey));

  const Bytes container = program.bytes();
  TaskText text = text_of(container);
  ProgramText &code = *text.program;
  const auto table_word = [&](unsigned number, std::uint64_t address) {
    code.relocations.push_back(relocation(isa::unity::AddressPlace(program.slots(1, 1) + 4 * number, false).packed(), address));
  };
  table_word(0, address_of(2) + kMoved);
  table_word(1, address_of(2) + kMoved);
  table_word(2, address_of(2) + kDoubled);
  isa::unity::StreamSlot slot;
  std::memcpy(&slot, &container[program.slots(2, 0)], sizeof slot);
  relocate_stream(code.relocations, container, static_cast<std::uint32_t>(slot.address), slot.bytes);
  std::sort(code.relocations.begin(), code.relocations.end(), [](const auto &a, const auto &b) { return a.place < b.place; });
  return text;
}

TaskText leftovers_program() {
  MixedProgram program;
  program.tile(0, isa::tile::Class::CT, {blocks()}, {.blocks = true});
  const auto [configuration, move] = store();
  program.tile(0, isa::tile::Class::ST, {configuration, move});
  return text_of(program.bytes());
}

WindowContents leftovers(unsigned seed) {
  WindowContents contents = no_leftovers();
  const WindowContents mixed = mixed_contents(seed);
  std::copy_n(mixed.after[2].begin() + kMoved, kProduct * 4, contents.after[2].begin() + kMoved);
  return contents;
}

WindowContents no_leftovers() {
  WindowContents contents;
  contents.before.assign(3, std::vector<std::uint8_t>(kMixedWindowBytes, 0xA5));
  contents.after = contents.before;
  std::fill_n(contents.after[2].begin() + kMoved, kProduct * 4, std::uint8_t{0});
  return contents;
}

WindowContents mixed_contents(unsigned seed) {
  std::vector<std::vector<std::uint8_t>> before(3, std::vector<std::uint8_t>(kMixedWindowBytes)), after;
  std::vector<isa::mx::Block> blocks(kBlocks);
  for (std::size_t i = 0; i < kBlocks; ++i) {
    blocks[i].exponent = static_cast<std::uint8_t>(100 + (i + seed) % 50);
    for (std::size_t j = 0; j < blocks[i].elements.size(); ++j)
      blocks[i].elements[j] = static_cast<std::uint8_t>(64 + (3 * i + 5 * j + seed) % 64);
  }
  const std::vector<std::byte> operands = pim::operands_of(seed), matrix = pim::product_of(operands);
  std::memcpy(before[0].data(), blocks.data(), kBlocks * kBlockBytes);
  std::memcpy(&before[0][kOperands], operands.data(), operands.size());

  after = before;
  for (isa::mx::Block &block : blocks) ++block.exponent;
  std::memcpy(after[1].data(), blocks.data(), kBlocks * kBlockBytes);
  std::memcpy(&after[1][kMatrix], matrix.data(), matrix.size());
  for (std::uint32_t m = 0; m < kM; ++m) {
    for (std::uint32_t n = 0; n < kN; ++n) {
      std::int32_t sum = 0;
      for (std::uint32_t k = 0; k < kK; ++k)
        sum += static_cast<std::int8_t>(after[1][m * kK + k]) * static_cast<std::int8_t>(after[1][kMatrix + k * kN + n]);
      const std::uint32_t at = (m * kN + n) * 4;
      const std::int32_t twice = 2 * sum;
      std::memcpy(&after[1][kProductPlace + at], &sum, 4);
      std::memcpy(&after[2][kMoved + at], &sum, 4);
      std::memcpy(&after[2][kDoubled + at], &twice, 4);
    }
  }
  return {before, after};
}

}  // namespace cox::tests
