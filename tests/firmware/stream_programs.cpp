// SPDX-License-Identifier: MIT
#include "tests/firmware/stream_programs.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "coxswain/device/engines.h"
#include "coxswain/isa/cube/dram_address.h"
#include "coxswain/isa/cube/table.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/relocation.h"
#include "coxswain/isa/unity/storage.h"
#include "coxswain/kernels/cube/gemm.h"
#include "coxswain/kernels/cube/stream.h"
#include "coxswain/kernels/mx/stream.h"
#include "tests/firmware/recorded_windows.h"
#include "tests/sim/pim/programs.h"

namespace cox::tests {
namespace {

static_assert(sizeof(isa::mx::Block) == 18);

constexpr unsigned kPimCores = 2;

std::vector<std::int8_t> pattern(std::size_t count, unsigned seed) {
  std::vector<std::int8_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int8_t>(i * 7 + seed + i / 13);
  return values;
}

}  // namespace

TaskText sum_program(unsigned rounds) {
  std::vector<std::byte> memory(32 * (rounds + 1) + 64);
  kernels::mx::Stream stream;
  const std::array<isa::Window, 3> windows = recorded_windows(2);
  void *at = memory.data();
  std::size_t room = memory.size();
  EXPECT_NE(std::align(64, 64, at, room), nullptr);
  EXPECT_TRUE(stream.init({static_cast<std::byte *>(at), room}, windows).ok());
  for (unsigned i = 0; i < rounds; ++i) {
    const isa::mx::Elementwise twice{.function = isa::mx::ElementwiseFunction::add,
                                     .input1 = address_of(0),
                                     .input2 = address_of(0),
                                     .output = address_of(1),
                                     .blocks = kSumBlocks};
    EXPECT_TRUE(stream.append(twice).ok());
  }
  TaskText text;
  text.name = "sum";
  text.l2_bytes = 0;
  text.windows = {{0, kSumBytes, false}, {1, kSumBytes, true}};
  ProgramText program{.engine = static_cast<std::uint8_t>(registers::Engine::mx), .code = bytes_of(stream.code()), .relocations = {}};
  for (std::uint32_t i = 0; i < stream.bases().size(); ++i) program.relocations.push_back(relocation(i, stream.bases()[i]));
  text.program = std::move(program);
  return text;
}

WindowContents sum_contents(unsigned seed) {
  std::vector<isa::mx::Block> blocks(kSumBlocks);
  for (std::size_t i = 0; i < kSumBlocks; ++i) {
    blocks[i].exponent = 127;
    blocks[i].elements.fill(static_cast<std::uint8_t>(64 + (i + seed) % 64));
  }
  const std::vector<std::uint8_t> input = bytes_of(blocks);
  for (isa::mx::Block &block : blocks) ++block.exponent;
  return {{input, std::vector<std::uint8_t>(kSumBytes)}, {input, bytes_of(blocks)}};
}

TaskText product_program() {
  std::vector<std::byte> memory((1U << 16) + 64);
  kernels::cube::Stream stream;
  const std::array<isa::Window, 3> windows = recorded_windows(4);
  void *at = memory.data();
  std::size_t room = memory.size();
  EXPECT_NE(std::align(64, 1U << 16, at, room), nullptr);
  EXPECT_TRUE(stream.init({static_cast<std::byte *>(at), 1U << 16}, windows).ok());
  kernels::cube::GemmArguments arguments;
  arguments.type = isa::cube::Type::int8;
  arguments.left = {.address = address_of(0), .rows = kProductM, .columns = kProductK, .pitch = kProductK};
  arguments.right = {.address = address_of(1), .rows = kProductK, .columns = kProductN, .pitch = kProductN};
  arguments.to = isa::cube::OutputType::int32;
  arguments.output = {.address = address_of(2), .rows = kProductM, .columns = kProductN, .pitch = kProductN * 4};
  const Status status = kernels::cube::gemm(stream, arguments);
  EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what();

  TaskText text;
  text.name = "product";
  text.l2_bytes = 0;
  text.windows = {{0, kProductM * kProductK, false}, {1, kProductK * kProductN, false}, {2, kProductM * kProductN * 4, true}};
  ProgramText program{.engine = static_cast<std::uint8_t>(registers::Engine::cube), .code = bytes_of(stream.code()), .relocations = {}};
  for (std::uint32_t place = 0; place < program.code.size(); place += sizeof(isa::cube::MachineCode)) {
    isa::cube::MachineCode code;
    std::memcpy(code.data(), &program.code[place], sizeof(code));
    if (!isa::cube::has_dram_address(isa::cube::find_instruction(code[0])->opcode)) continue;
    program.relocations.push_back(relocation(place, isa::cube::read_dram_address(code.data())));
  }
  text.program = std::move(program);
  return text;
}

WindowContents product_contents(unsigned seed) {
  const std::vector<std::int8_t> left = pattern(kProductM * kProductK, seed), right = pattern(kProductK * kProductN, 3 * seed);
  std::vector<std::int32_t> product(std::size_t{kProductM} * kProductN);
  for (std::size_t m = 0; m < kProductM; ++m) {
    for (std::size_t k = 0; k < kProductK; ++k) {
      for (std::size_t n = 0; n < kProductN; ++n) product[m * kProductN + n] += left[m * kProductK + k] * right[k * kProductN + n];
    }
  }
  return {{bytes_of(left), bytes_of(right), std::vector<std::uint8_t>(4 * product.size())},
          {bytes_of(left), bytes_of(right), bytes_of(product)}};
}

TaskText pim_text(std::vector<std::byte> code) {
  TaskText text;
  text.name = "pim";
  text.l2_bytes = 0;
  text.windows = {{0, kPimCores * test::pim::kOperandBytes, false}, {1, kPimCores * test::pim::kProductBytes, true}};
  text.program = ProgramText{.engine = static_cast<std::uint8_t>(registers::Engine::pim), .code = bytes_of(code), .relocations = {}};
  return text;
}

TaskText pim_program(unsigned rounds) {
  namespace pim = test::pim;
  pim::Assembly program;
  for (unsigned core = 0; core < kPimCores; ++core) {
    for (unsigned round = 0; round < rounds; ++round) {
      pim::add_product(program, core, pim::kDram + core * pim::kOperandBytes, pim::kDram + pim::kDramPart + core * pim::kProductBytes);
    }
  }
  return pim_text(program.bytes());
}

WindowContents pim_contents(unsigned seed) {
  std::vector<std::byte> operands, products;
  for (unsigned core = 0; core < kPimCores; ++core) {
    const std::vector<std::byte> own = test::pim::operands_of(kPimCores * seed + core), product = test::pim::product_of(own);
    operands.insert(operands.end(), own.begin(), own.end());
    products.insert(products.end(), product.begin(), product.end());
  }
  return {{bytes_of(operands), std::vector<std::uint8_t>(products.size())}, {bytes_of(operands), bytes_of(products)}};
}

TaskText unity_program(unsigned rounds) {
  using namespace isa::unity;  // NOLINT(google-build-using-namespace)
  constexpr AddressSpace kSpace = AddressSpace::bits64;
  using Addition = OperandTable<Opcode::ADD, kSpace>;
  constexpr unsigned kUnits = 2;
  constexpr Key kSummed{0, 7}, kDoubled{0, 8};
  constexpr std::uint64_t kTensor = kUnityElements * sizeof(std::int32_t);
  const std::uint32_t front = container_front(kUnits, 2, 0);
  const auto image = static_cast<std::uint32_t>((program_bytes(rounds + 1) + kProgramAlignment - 1) & -std::uint64_t{kProgramAlignment});
  constexpr std::uint32_t kTable = (Addition::kBytes + 7) / 8 * 8;
  const std::uint32_t tables = front + kUnits * image;
  std::vector<std::byte> code(tables + kUnits * kTable);
  const auto put = [&code](std::size_t offset, const auto &value) { std::memcpy(&code[offset], &value, sizeof value); };

  put(0, ContainerHeader{.units = kUnits, .flags = kFlagRelative, .programs = kUnits, .keys = 2});
  const InitialKey keys[] = {{kSummed.table, kSummed.entry, 0}, {kDoubled.table, kDoubled.entry, 1}};
  put(sizeof(ContainerHeader) + kUnits * sizeof(ProgramEntry), keys);
  const struct {
    std::uint64_t first, second, result;
    Key fetch, deposit;
  } units[kUnits] = {{address_of(0), address_of(0) + kTensor, address_of(1), kDoubled, kSummed},
                     {address_of(1), address_of(1), address_of(1) + kTensor, kSummed, kDoubled}};

  TaskText text;
  text.name = "unity";
  text.l2_bytes = 0;
  text.windows = {{0, 2 * kTensor, false}, {1, 2 * kTensor, true}};
  ProgramText program{.engine = static_cast<std::uint8_t>(registers::Engine::unity), .code = {}, .relocations = {}};
  for (unsigned i = 0; i < kUnits; ++i) {
    const auto &unit = units[i];
    const std::uint32_t offset = front + i * image, place = tables + i * kTable;
    Addition table;
    table.set<"LEN">(kUnityElements);
    table.set<"S0_UNIT">(static_cast<unsigned>(Unit::s32));
    table.set<"S1_UNIT">(static_cast<unsigned>(Unit::s32));
    table.set<"D_UNIT">(static_cast<unsigned>(Unit::s32));
    std::memcpy(&code[place], table.words().data(), table.words().size_bytes());
    const auto relocate = [&](const Place &field, std::uint64_t address) {
      program.relocations.push_back(relocation(AddressPlace(place + field.bit(kSpace) / 8, true).packed(), address));
    };
    relocate(isa::unity::place<Opcode::ADD, "S0">(), unit.first);
    relocate(isa::unity::place<Opcode::ADD, "S1">(), unit.second);
    relocate(isa::unity::place<Opcode::ADD, "D">(), unit.result);
    const Sync sync{.fetches = true, .deposits = true, .keys = 1, .fetch = unit.fetch, .deposit = unit.deposit};
    const MachineCode instruction{Traits::first_word(Set::row(Opcode::ADD)) | static_cast<std::uint32_t>(kSpace) << 6, sync_word(sync),
                                  place, 0};
    ImageWriter writer(std::span<std::byte>(code).subspan(offset, image));
    for (unsigned round = 0; round < rounds; ++round) EXPECT_TRUE(writer.add(instruction).ok());
    writer.end();
    put(sizeof(ContainerHeader) + i * sizeof(ProgramEntry),
        ProgramEntry{
            .offset = offset, .instructions = static_cast<std::uint16_t>(writer.instructions()), .unit = static_cast<std::uint8_t>(i)});
  }
  program.code = bytes_of(code);
  text.program = std::move(program);
  return text;
}

WindowContents unity_contents(unsigned seed) {
  std::vector<std::uint32_t> inputs(2 * kUnityElements), outputs(2 * kUnityElements);
  for (std::uint32_t i = 0; i < inputs.size(); ++i) inputs[i] = (i + 1) * 2654435761U + seed * 40503U;
  for (std::uint32_t i = 0; i < kUnityElements; ++i) {
    outputs[i] = inputs[i] + inputs[kUnityElements + i];
    outputs[kUnityElements + i] = 2 * outputs[i];
  }
  return {{bytes_of(inputs), std::vector<std::uint8_t>(4 * outputs.size())}, {bytes_of(inputs), bytes_of(outputs)}};
}

std::uint32_t slot_of(const TaskText &product, std::size_t index) {
  return product.program->relocations.at(index).place / static_cast<std::uint32_t>(sizeof(isa::cube::MachineCode));
}

}  // namespace cox::tests
