// SPDX-License-Identifier: MIT
// Programs of the PIM engine on the device: results, contexts, windows, owners, options, events.
#include <fstream>

#include "sim/model/observers/event_log.h"
#include "sim/model/options.h"
#include "sim/model/pim/machine/counters.h"
#include "tests/sim/device/temporary_file.h"
#include "tests/sim/pim/engine/machine.h"

namespace cox::test::pim {
namespace {

namespace programs_test {

using namespace build;  // NOLINT(google-build-using-namespace)
using build::r;

TEST(PimPrograms, SixteenCoresComputeSideBySide) {
  PimMachine machine;
  Assembly program;
  for (unsigned core = 0; core < 16; ++core) {
    machine.put_operands(core * PimMachine::kPlace, core);
    add_product(program, core, PimMachine::dram(core * PimMachine::kPlace), PimMachine::dram(0x20000 + core * PimMachine::kPlace));
  }
  ASSERT_EQ(machine.run(program).status, FaultCode::none);
  for (unsigned core = 0; core < 16; ++core) EXPECT_TRUE(machine.has_product(0x20000 + core * PimMachine::kPlace, core)) << core;
}

TEST(PimPrograms, CoresExchangeMessages) {
  PimMachine machine;
  machine.put_word(0x100, 7);
  ASSERT_EQ(machine.run(ping_pong(0x100, 4)).status, FaultCode::none);
  for (unsigned i = 0; i <= 4; ++i) EXPECT_EQ(machine.word(0x100 + 4 * i), 7 + 3 * i);
}

TEST(PimPrograms, SettingsLoadsAndStoresSurroundTheProgram) {
  PimMachine machine;
  machine.put_word(0x200, 0x12345678);
  Assembly program;
  program.set_register(0, 3, kInput).set_register(0, 4, 41).set_special(0, set::Special::group_size, 77);
  program.add(0, load_local(r(5), r(3))).add(0, addi(r(4), r(4), 1)).add(0, store_local(r(4), r(3), 8));
  program.copies = {
      {.kind = set::CopyKind::load, .core = 0, .local = kInput, .dram = PimMachine::dram(0x200), .bytes = 4},
      {.kind = set::CopyKind::store, .core = 0, .local = kInput + 8, .dram = PimMachine::dram(0x300), .bytes = 4},
      {.kind = set::CopyKind::store_registers, .core = 0, .dram = PimMachine::dram(0x400), .bytes = set::kStoredRegistersBytes},
  };
  ASSERT_EQ(machine.run(program).status, FaultCode::none);
  EXPECT_EQ(machine.word(0x300), 42U);
  EXPECT_EQ(machine.word(0x400 + 4 * 5), 0x12345678U);
  EXPECT_EQ(machine.word(0x400 + 4 * (32 + 3)), 77U);
  EXPECT_EQ(machine.word(0x400 + 4 * 64), 3U) << "the counter is the program's length";
}

TEST(PimPrograms, ContextsTakeTurnsAndEachHasItsWindows) {
  PimMachine machine;
  // Window 0 of context 1 begins 0x80000 bytes behind that of context 0.
  machine.open_context(1);
  const std::uint64_t base = PimMachine::kWindow + 0x80000;
  machine.write(registers::context::window::base_lo::offset(1, 0), static_cast<std::uint32_t>(base));
  machine.write(registers::context::window::size::offset(1, 0), 0x80000);
  for (unsigned i = 0; i < 6; ++i) {
    const unsigned context = i % 2;
    const std::uint32_t place = i * PimMachine::kPlace;
    machine.put_operands(context * 0x80000 + place, i);
    Assembly program;
    add_product(program, i, PimMachine::dram(place), PimMachine::dram(0x40000 + place));
    machine.submit(program, context);
  }
  machine.EngineMachine::run();
  ASSERT_EQ(machine.engine_completions(), 6U);
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(machine.engine_entry(i).status, FaultCode::none);
    EXPECT_EQ(machine.engine_entry(i).context, i % 2);
    EXPECT_TRUE(machine.has_product(i % 2 * 0x80000 + 0x40000 + i * PimMachine::kPlace, i)) << i;
  }
}

TEST(PimPrograms, APartOfDramIsAWindow) {
  PimMachine machine;
  // Window 3 is the second half of window 0.
  machine.write(registers::context::window::base_lo::offset(0, 3), static_cast<std::uint32_t>(PimMachine::kWindow + 0x80000));
  machine.write(registers::context::window::size::offset(0, 3), 0x100);
  machine.write(registers::context::window::access::offset(0, 3), 2);
  Assembly good;
  good.add(0, constant(r(1), kDram + 3 * kDramPart + 0xFC)).add(0, general_li(r(2), 99)).add(0, store_global(r(2), r(1)));
  ASSERT_EQ(machine.run(good).status, FaultCode::none);
  EXPECT_EQ(machine.word(0x800FC), 99U);
  const auto refused = [&](std::uint32_t address, bool write) {
    PimMachine other;
    other.write(registers::context::window::base_lo::offset(0, 3), static_cast<std::uint32_t>(PimMachine::kWindow + 0x80000));
    other.write(registers::context::window::size::offset(0, 3), 0x100);
    other.write(registers::context::window::access::offset(0, 3), 2);
    Assembly program;
    program.set_register(0, 1, address);
    program.add(0, write ? store_global(r(2), r(1)) : load_global(r(2), r(1)));
    const Entry entry = other.run(program);
    EXPECT_EQ(entry.status, FaultCode::window) << std::hex << address;
    EXPECT_EQ(entry.detail, (registers::EngineFaultDetail{0, 21}.pack())) << "field rs1";
  };
  refused(kDram + 3 * kDramPart + 0xFD, true);
  refused(kDram + 3 * kDramPart, false);
  refused(kDram + 2 * kDramPart, true);
  refused(kDram + kDramPart - 2, false);  // the word would lie in two windows
  refused(kDram - 4, true);
}

TEST(PimPrograms, AnotherOwnerWaitsUntilTheMemoriesAreClear) {
  PimMachine machine;
  Assembly program;
  program.add(0, general_li(r(1), kInput)).add(0, constant(r(2), PimMachine::dram(0))).add(0, general_li(r(3), 5));
  Assembly leaves = program, finds = program;
  leaves.add(0, store_local(r(3), r(1)));
  finds.add(0, load_local(r(4), r(1))).add(0, store_global(r(4), r(2)));
  const auto duration = [&](const Assembly &one, unsigned context) {
    const std::uint64_t begin = machine.now;
    const Entry entry = machine.run(one, context);
    EXPECT_EQ(entry.status, FaultCode::none);
    return entry.end - begin;
  };
  duration(leaves, 0);
  const std::uint64_t same = duration(finds, 0);
  EXPECT_EQ(machine.word(0), 5U) << "memories keep their bytes between programs of an owner";
  machine.open_context(1);
  machine.place_context(1, {{registers::context::owner::offset(1), 7}});
  // The largest memory has 256 KiB in lines of 128 bytes.
  EXPECT_EQ(duration(finds, 1), same + 2048);
  EXPECT_EQ(machine.word(0), 0U);
  EXPECT_EQ(duration(finds, 1), same);
}

TEST(PimPrograms, OptionsChangeCoresAndConfiguration) {
  const TemporaryFile file("pim.json");
  std::ofstream(file.path()) << R"({"timing": {"dram_latency": 1000}})";
  const std::string options = R"({"geometry": {"pim_cores": 3}, "configuration": {"pim": ")" + file.path() + "\"}}";
  PimMachine machine(options.c_str()), plain;
  EXPECT_EQ(machine.read(registers::pim_cores::kOffset), 3U);
  Assembly program;
  program.add(2, constant(r(1), PimMachine::dram(0))).add(2, load_global(r(2), r(1)));
  const std::uint64_t slow = machine.run(program).end, fast = plain.run(program).end;
  EXPECT_EQ(slow, fast + 2 * 940) << "the fetch of the program, and the load";
  program.add(3, jmp(1));
  const Entry entry = machine.run(program);
  EXPECT_EQ(entry.status, FaultCode::field_out_of_range) << "four cores on three";
  EXPECT_EQ(entry.detail, (registers::EngineFaultDetail{0, 34}.pack()));
}

TEST(PimPrograms, AWrongConfigurationIsRefusedWithItsPlace) {
  const TemporaryFile file("pim.json");
  std::ofstream(file.path()) << R"({"timing": {"dram_latencies": 1000}})";
  const std::string options = R"({"configuration": {"pim": ")" + file.path() + "\"}}";
  std::string error;
  EXPECT_FALSE(model::parse_options(options.c_str(), error).has_value());
  EXPECT_NE(error.find("dram_latenc"), std::string::npos) << error;
}

TEST(PimPrograms, TheEventLogHasCoreUnitAndPosition) {
  const TemporaryFile log("pim.events");
  const std::string options = R"({"events": ")" + log.path() + "\"}";
  {
    PimMachine machine(options.c_str());
    machine.put_operands(0, 1);
    Assembly program;
    add_product(program, 5, PimMachine::dram(0), PimMachine::dram(0x1000));
    ASSERT_EQ(machine.run(program).status, FaultCode::none);
  }
  std::vector<model::EventRecord> records;
  std::string error;
  ASSERT_TRUE(model::read_event_log(log.path(), records, error)) << error;
  std::erase_if(records, [](const model::EventRecord &record) { return record.kind != model::EventKind::stream_instruction; });
  ASSERT_GT(records.size(), 100U);
  const model::EventRecord &last = records.back();
  EXPECT_EQ(last.last, 1);
  EXPECT_EQ(last.opcode, model::kNoOpcode);
  EXPECT_EQ(last.status, 0);
  unsigned transfers = 0;
  for (const model::EventRecord &record : records) {
    EXPECT_EQ(record.core, registers::row_of(registers::Engine::pim).number());
    if (&record == &last) continue;
    EXPECT_EQ(record.last, 0);
    EXPECT_EQ(record.engine_core, 5);
    EXPECT_EQ(record.ordinal >> 18, 5U);
    EXPECT_LE(record.start, record.end);
    EXPECT_LE(record.end, last.end);
    const auto opcode = static_cast<set::Opcode>(record.opcode);
    if (opcode != set::Opcode::trans) continue;
    ++transfers;
    EXPECT_EQ(record.queue, static_cast<unsigned>(model::pim::Unit::trans));
    EXPECT_GT(record.bytes, 0U);
  }
  EXPECT_EQ(transfers, kRows + 2);
}

TEST(PimPrograms, TheEventLogHasMessagesAndBarriers) {
  const TemporaryFile log("pim.events");
  const std::string options = R"({"events": ")" + log.path() + "\"}";
  {
    PimMachine machine(options.c_str());
    ASSERT_EQ(machine.run(ping_pong(0x100, 4)).status, FaultCode::none);
  }
  std::vector<model::EventRecord> records;
  std::string error;
  ASSERT_TRUE(model::read_event_log(log.path(), records, error)) << error;
  const auto instruction = [&](std::uint32_t position, std::uint64_t start) -> const model::EventRecord * {
    for (const model::EventRecord &record : records) {
      const bool here = record.kind == model::EventKind::stream_instruction && record.opcode != model::kNoOpcode;
      if (here && record.ordinal == position && record.start == start) return &record;
    }
    return nullptr;
  };
  unsigned messages = 0, barriers = 0;
  for (const model::EventRecord &record : records) {
    if (record.kind == model::EventKind::message) {
      const unsigned sender = messages++ % 2;  // core 0 begins
      EXPECT_EQ(record.core, registers::row_of(registers::Engine::pim).number());
      EXPECT_EQ(record.queue, sender);
      EXPECT_EQ(record.engine_core, 1 - sender);
      EXPECT_EQ(record.bytes, 4U);
      EXPECT_EQ(record.detail, 5U);
      const model::EventRecord *send = instruction(record.compute, record.start), *receive = instruction(record.ordinal, record.doorbell);
      ASSERT_TRUE(send != nullptr && receive != nullptr);
      EXPECT_EQ(send->opcode, static_cast<unsigned>(set::Opcode::send));
      EXPECT_EQ(receive->opcode, static_cast<unsigned>(set::Opcode::receive));
      EXPECT_EQ(send->engine_core, sender);
      EXPECT_EQ(receive->engine_core, 1 - sender);
      EXPECT_EQ(send->end, record.end);  // both are synchronous
      EXPECT_EQ(receive->end, record.end);
    } else if (record.kind == model::EventKind::barrier) {
      ++barriers;
      EXPECT_EQ(record.bytes, 3U);
      EXPECT_EQ(record.detail, 5U);
      EXPECT_LT(record.start, record.end);
    }
  }
  EXPECT_EQ(messages, 8U);
  EXPECT_EQ(barriers, 4U);
}

TEST(PimPrograms, TheRingCountsInstructionsAndBytes) {
  PimMachine machine;
  machine.put_word(0x100, 7);
  const Assembly program = ping_pong(0x100, 3);
  ASSERT_EQ(machine.run(program).status, FaultCode::none);
  // Offsets of the counters' low halves: instructions, busy, stalled, bytes.
  const std::uint32_t first = registers::engine::instructions_lo::offset(0) - registers::engine::base_lo::offset(0);
  std::uint64_t instructions = 0;
  for (unsigned core = 0; core < 2; ++core) {
    // The loop is behind the constants: 9, and one more for the address in DRAM.
    const std::uint64_t before = 10;
    instructions += before + 3 * (program.cores[core].size() - before);
  }
  EXPECT_EQ(machine.engine_counter(first), instructions);
  EXPECT_EQ(machine.engine_counter(first + 24), 3U * 8) << "each lap loads and stores a word";
  EXPECT_GT(machine.engine_counter(first + 8), 0U);
}

}  // namespace programs_test
}  // namespace
}  // namespace cox::test::pim
