// SPDX-License-Identifier: MIT
// Containers that submit to the other engines of the device, with the programs of the conformance suite.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "sim/model/observers/event_log.h"
#include "tests/conformance/sample.h"
#include "tests/sim/device/temporary_file.h"
#include "tests/sim/engine_machine.h"
#include "tests/sim/unity/peers/mixed_program.h"

namespace cox::test {
namespace {

using conformance::Bytes;
using conformance::Sample;
using isa::unity::Domain;
using isa::unity::Key;
using isa::unity::Sync;
using registers::Engine;

constexpr std::uint64_t kInput = Machine::kWindow, kOutput = Machine::kWindow + 0x10000, kStep = 0x20000;

Sync take(Key key, std::uint8_t keys = 1) { return {.fetches = true, .keys = keys, .fetch = key}; }
Sync give(Key key) { return {.deposits = true, .deposit = key}; }

struct Peer {
  Domain domain;
  Engine engine;
};
constexpr Peer kPeers[] = {{Domain::mx, Engine::mx}, {Domain::cube, Engine::cube}, {Domain::pim, Engine::pim}};

std::unique_ptr<Sample> sample_of(Engine engine) {
  for (const conformance::Subject &subject : conformance::subjects()) {
    if (subject.engine == engine) return subject.make();
  }
  return nullptr;
}

/// A device with all engines. Context 0 has window 0 and core 0.
class PeerMachine : public EngineMachine {
 public:
  explicit PeerMachine(const char *options = nullptr) : EngineMachine(registers::row_of(Engine::unity), options) {
    bring_up_engine(3);
    for (const Peer &peer : kPeers) sample_of(peer.engine)->open(*this, 0);
  }
  void fill(std::uint64_t address, const Bytes &bytes) { std::memcpy(find(address, bytes.size()), bytes.data(), bytes.size()); }
  [[nodiscard]] Bytes bytes(std::uint64_t address, std::size_t count) {
    const std::byte *first = find(address, count);
    return {first, first + count};
  }
  Entry run_program(MixedProgram &program) {
    submit(program.bytes());
    run();
    EXPECT_EQ(engine_completions(), engine_tail());
    return engine_entry(engine_tail() - 1);
  }
  /// True if no instruction of context 0 is in flight: its registers can be written.
  [[nodiscard]] bool is_idle() { return try_write(r::context::control::offset(0), r::context::control::kReset.put(1)); }
};

/// A tile program that copies 128 bytes, int8 [8][4][4], from window 0.
const MachineCode kWhole = whole_buffer();
MachineCode load_configuration() { return make(Opcode::lda_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}}); }
MachineCode store_configuration() { return make(Opcode::sta_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}}); }
MachineCode load(double offset) { return make(Opcode::lda_mov, {{"STaddr", {offset}}, {"DTaddr", {0}}, {"Tile", {1, 8, 4, 4}}}); }
MachineCode store(double offset) { return make(Opcode::sta_mov, {{"STaddr", {0}}, {"DTaddr", {offset}}, {"Tile", {1, 8, 4, 4}}}); }

TEST(UnityPeers, EachEngineRunsAStreamOfAContainer) {
  for (const Peer &peer : kPeers) {
    SCOPED_TRACE(registers::engine_name(peer.engine));
    const auto sample = sample_of(peer.engine);
    PeerMachine machine;
    const Bytes input = sample->input(3);
    machine.fill(kInput, input);
    MixedProgram program;
    program.streams(0, peer.domain, {sample->program(kInput, kOutput)});
    EXPECT_EQ(machine.run_program(program).status, FaultCode::none);
    const Bytes expected = sample->expected(input);
    EXPECT_EQ(machine.bytes(kOutput, expected.size()), expected);
    EXPECT_TRUE(machine.is_idle());
  }
}

TEST(UnityPeers, AnInstructionEndsWithItsLastStream) {
  for (const Peer &peer : kPeers) {
    SCOPED_TRACE(registers::engine_name(peer.engine));
    const auto sample = sample_of(peer.engine);
    PeerMachine one, three;
    MixedProgram single, several;
    single.streams(0, peer.domain, {sample->program(kInput, kOutput)});
    several.streams(0, peer.domain,
                    {sample->program(kInput, kOutput), sample->program(kInput + kStep, kOutput + kStep),
                     sample->program(kInput + 2 * kStep, kOutput + 2 * kStep)});
    std::map<std::uint64_t, Bytes> expected;
    for (unsigned i = 0; i < 3; ++i) {
      const Bytes input = sample->input(i + 1);
      three.fill(kInput + i * kStep, input);
      expected[kOutput + i * kStep] = sample->expected(input);
    }
    const Entry first = one.run_program(single), last = three.run_program(several);
    EXPECT_EQ(last.status, FaultCode::none);
    EXPECT_GT(last.end, first.end + 2 * Sample::kLeastCycles);
    for (const auto &[address, bytes] : expected) EXPECT_EQ(three.bytes(address, bytes.size()), bytes);
  }
}

TEST(UnityPeers, TileInstructionsRunInTheQueueOfTheirClass) {
  PeerMachine machine;
  Bytes data(128);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(3 * i + 1);
  machine.fill(kInput, data);
  MixedProgram program;
  program.tile(0, Class::CT, {kWhole}, {.blocks = true}).tile(0, Class::LD, {load_configuration(), load(0)}, {.blocks = true});
  program.tile(0, Class::ST, {store_configuration(), store(0x10000)});
  EXPECT_EQ(machine.run_program(program).status, FaultCode::none);
  EXPECT_EQ(machine.bytes(kOutput, data.size()), data);
  EXPECT_EQ(machine.completions(), 0U);  // no entry for firmware
  EXPECT_TRUE(machine.is_idle());
}

/// Each engine works on the result of the engine before it; keys lead from unit to unit.
TEST(UnityPeers, KeysOrderEngines) {
  PeerMachine machine;
  const auto mx = sample_of(Engine::mx);
  const Bytes input = mx->input(7);
  machine.fill(kInput, input);
  MixedProgram program(3);
  const Key moved{0, 5}, loaded{1, 6};
  program.streams(2, Domain::mx, {mx->program(kInput, kOutput)}, give(moved));
  program.tile(0, Class::CT, {kWhole}, {.blocks = true});
  Sync both = take(moved);
  both.deposits = true;
  both.deposit = loaded;
  program.tile(0, Class::LD, {load_configuration(), load(0x10000)}, both);
  program.tile(1, Class::ST, {store_configuration(), store(0x20000)}, take(loaded));
  EXPECT_EQ(machine.run_program(program).status, FaultCode::none);
  EXPECT_EQ(machine.bytes(kInput + 0x20000, 128), Bytes(input.begin(), input.begin() + 128));
}

TEST(UnityPeers, AFaultOfAnotherEngineIsTheInstructionsOwn) {
  for (const Peer &peer : kPeers) {
    SCOPED_TRACE(registers::engine_name(peer.engine));
    const auto sample = sample_of(peer.engine);
    PeerMachine machine;
    const conformance::Refused refused = sample->refused();
    MixedProgram program(2);
    const Key key{0, 1};
    program.streams(0, peer.domain, {sample->program(kInput, kOutput)}, {.blocks = true});
    program.streams(0, peer.domain, {refused.program}, give(key));
    program.streams(1, peer.domain, {sample->program(kInput, kOutput + kStep)}, take(key));
    const Entry entry = machine.run_program(program);
    EXPECT_EQ(entry.status, refused.code);
    EXPECT_EQ(registers::EngineFaultDetail::unpack(entry.detail).offset, program.position(0, 1));
    EXPECT_EQ(machine.bytes(kOutput + kStep, 16), Bytes(16));
    EXPECT_TRUE(machine.is_idle());
  }
}

TEST(UnityPeers, AFaultOfATileInstructionIsTheInstructionsOwn) {
  PeerMachine machine;
  MixedProgram program;
  program.tile(0, Class::LD, {load(0)});  // without its configuration
  const Entry entry = machine.run_program(program);
  EXPECT_EQ(entry.status, FaultCode::missing_configuration);
  EXPECT_EQ(registers::EngineFaultDetail::unpack(entry.detail).offset, program.position(0, 0));
  EXPECT_TRUE(machine.is_idle());
}

TEST(UnityPeers, AContainerThatFailsEndsAfterItsSlots) {
  const auto sample = sample_of(Engine::pim);
  PeerMachine machine;
  MixedProgram program(2);
  program.streams(0, Domain::pim, {sample->program(kInput, kOutput), sample->program(kInput, kOutput + kStep)});
  program.tile(1, Class::LD, {load(0)});
  EXPECT_EQ(machine.run_program(program).status, FaultCode::missing_configuration);
  EXPECT_TRUE(machine.is_idle());
  // The next container of the context finds everything in order.
  machine.open_context(0);
  sample->open(machine, 0);
  const Bytes input = sample->input(1);
  machine.fill(kInput, input);
  MixedProgram next;
  next.streams(0, Domain::pim, {sample->program(kInput, kOutput)});
  EXPECT_EQ(machine.run_program(next).status, FaultCode::none);
  const Bytes expected = sample->expected(input);
  EXPECT_EQ(machine.bytes(kOutput, expected.size()), expected);
}

TEST(UnityPeers, AnAbortReachesTheOtherEngines) {
  for (const Peer &peer : kPeers) {
    SCOPED_TRACE(registers::engine_name(peer.engine));
    const auto sample = sample_of(peer.engine);
    PeerMachine machine;
    MixedProgram program;
    program.streams(0, peer.domain, {sample->program(kInput, kOutput), sample->program(kInput, kOutput), sample->program(kInput, kOutput)});
    machine.submit(program.bytes());
    machine.advance_to(300);
    ASSERT_EQ(machine.engine_completions(), 0U);
    machine.write(r::context::control::offset(0), r::context::control::kValid.put(1) | r::context::control::kAbort.put(1));
    machine.run();
    ASSERT_EQ(machine.engine_completions(), 1U);
    EXPECT_EQ(machine.engine_entry(0).status, FaultCode::aborted);
    EXPECT_TRUE(machine.is_idle());
  }
}

TEST(UnityPeers, AResetOfTheOtherEngineEndsTheInstruction) {
  for (const Peer &peer : kPeers) {
    SCOPED_TRACE(registers::engine_name(peer.engine));
    const auto sample = sample_of(peer.engine);
    PeerMachine machine;
    MixedProgram program;
    program.streams(0, peer.domain, {sample->program(kInput, kOutput), sample->program(kInput, kOutput)});
    machine.submit(program.bytes());
    machine.advance_to(300);
    machine.write(r::engine_reset::kOffset, r::engine_reset::kEngine.put(1U << registers::row_of(peer.engine).number()));
    machine.run();
    ASSERT_EQ(machine.engine_completions(), 1U);
    EXPECT_EQ(machine.engine_entry(0).status, FaultCode::aborted);
    EXPECT_TRUE(machine.is_idle());
  }
}

TEST(UnityPeers, AResetOfTheUnitsQuarantinesTheContext) {
  const auto sample = sample_of(Engine::mx);
  PeerMachine machine;
  MixedProgram program;
  program.streams(0, Domain::mx, {sample->program(kInput, kOutput), sample->program(kInput, kOutput)});
  machine.submit(program.bytes());
  machine.advance_to(300);
  machine.reset_engine();
  machine.run();
  EXPECT_TRUE(machine.is_idle());
  machine.open_context(0);
  sample->open(machine, 0);
  machine.enable_engine(3);
  const Bytes input = sample->input(1);
  machine.fill(kInput, input);
  MixedProgram next;
  next.streams(0, Domain::mx, {sample->program(kInput, kOutput)});
  EXPECT_EQ(machine.run_program(next).status, FaultCode::none);
  EXPECT_EQ(machine.bytes(kOutput, input.size()), sample->expected(input));
}

/// The event log has the instruction that submits, its keys, and the instructions of the other engine.
TEST(UnityPeers, EventsOfSubmissions) {
  const TemporaryFile file("peers.events");
  const auto sample = sample_of(Engine::mx);
  {
    PeerMachine machine((R"({"events": ")" + file.path() + "\"}").c_str());
    MixedProgram program(2);
    const Key key{1, 5};
    program.streams(0, Domain::mx, {sample->program(kInput, kOutput)}, give(key));
    program.tile(1, Class::CT, {kWhole}, take(key));
    EXPECT_EQ(machine.run_program(program).status, FaultCode::none);
  }
  std::vector<model::EventRecord> records;
  std::string error;
  ASSERT_TRUE(model::read_event_log(file.path(), records, error)) << error;
  std::vector<model::EventRecord> keys, submissions;
  unsigned of_mx = 0, of_tile = 0;
  for (const model::EventRecord &record : records) {
    if (record.kind == model::EventKind::keys) keys.push_back(record);
    if (record.kind == model::EventKind::instruction) ++of_tile;
    if (record.kind != model::EventKind::stream_instruction) continue;
    if (record.core == static_cast<unsigned>(Engine::mx)) ++of_mx;
    if (record.core == static_cast<unsigned>(Engine::unity) && record.opcode >= 0xF0 && record.opcode != 0xFF)
      submissions.push_back(record);
  }
  EXPECT_EQ(of_mx, 2U);
  EXPECT_EQ(of_tile, 1U);
  ASSERT_EQ(submissions.size(), 2U);
  EXPECT_EQ(submissions[0].opcode, 0xF1);
  EXPECT_EQ(submissions[1].opcode, 0xF0);
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(keys[0].last, 1);
  EXPECT_EQ(keys[1].last, 0);
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(keys[i].core, static_cast<unsigned>(Engine::unity));
    EXPECT_EQ(keys[i].engine_core, i);
    EXPECT_EQ(keys[i].detail, 0x105U);
    EXPECT_EQ(keys[i].bytes, 1U);
    EXPECT_EQ(keys[i].ordinal, submissions[i].ordinal);
  }
  EXPECT_EQ(keys[0].end, submissions[0].end);
  EXPECT_EQ(keys[1].end, submissions[1].start);
}

/// Slots that are wrong by themselves: nothing of the submission reaches its engine.
class WrongSlots {
 public:
  /// Changes the word `offset` bytes behind the second slot's begin, and runs the container.
  FaultCode with_slot(std::uint32_t offset, std::uint32_t word) {
    return run(program_.slots(0, 0) + isa::unity::kSlotBytes + offset, word);
  }
  FaultCode with_payload(unsigned number, std::uint32_t word) {
    return run(isa::unity::Position::unpack(program_.position(0, 0)).byte() + 4 * number, word);
  }

  WrongSlots() {
    program_.streams(0, Domain::mx, {sample_->program(kInput, kOutput), sample_->program(kInput, kOutput + kStep)});
    bytes_ = program_.bytes();
  }

 private:
  FaultCode run(std::uint32_t offset, std::uint32_t word) {
    PeerMachine machine;
    machine.fill(kInput, sample_->input(1));
    Bytes bytes = bytes_;
    std::memcpy(&bytes[offset], &word, sizeof word);
    machine.submit(bytes);
    machine.run();
    EXPECT_EQ(machine.bytes(kOutput, 16), Bytes(16));
    EXPECT_TRUE(machine.is_idle());
    return machine.engine_entry(0).status;
  }

  std::unique_ptr<Sample> sample_ = sample_of(Engine::mx);
  MixedProgram program_;
  Bytes bytes_;
};

TEST(UnityPeers, WrongSlotsAreRefused) {
  constexpr std::uint32_t kAddress = 0, kBytes = 8, kControl = 12, kReserved = 28;
  WrongSlots slots;
  EXPECT_EQ(slots.with_slot(kAddress, 4), FaultCode::field_out_of_range);
  EXPECT_EQ(slots.with_slot(kBytes, 0), FaultCode::field_out_of_range);
  EXPECT_EQ(slots.with_slot(kBytes, 12), FaultCode::field_out_of_range);
  EXPECT_EQ(slots.with_slot(kControl, 1), FaultCode::field_out_of_range);         // a context
  EXPECT_EQ(slots.with_slot(kControl, 1U << 16), FaultCode::field_out_of_range);  // a completion
  EXPECT_EQ(slots.with_slot(kReserved, 1), FaultCode::field_out_of_range);
  EXPECT_EQ(slots.with_payload(0, 1U << 6), FaultCode::field_out_of_range);                // no slots
  EXPECT_EQ(slots.with_payload(0, 1 | 1U << 6 | 2U << 8), FaultCode::field_out_of_range);  // a queue
  EXPECT_EQ(slots.with_payload(2, 0x10), FaultCode::misaligned);
  EXPECT_EQ(slots.with_payload(2, 0xFFFFFF00), FaultCode::window);
}

TEST(UnityPeers, WrongTileSlotsAreRefused) {
  const auto run = [](Class queue, const MachineCode &code) {
    PeerMachine machine;
    MixedProgram program;
    program.tile(0, queue, {code});
    return machine.run_program(program).status;
  };
  EXPECT_EQ(run(Class::CT, kWhole), FaultCode::none);
  EXPECT_EQ(run(Class::LD, kWhole), FaultCode::unknown_instruction);
  EXPECT_EQ(run(Class::CT, in_context(kWhole, 1)), FaultCode::field_out_of_range);
  EXPECT_EQ(run(Class::CT, with_completion(kWhole)), FaultCode::field_out_of_range);
  EXPECT_EQ(run(static_cast<Class>(9), kWhole), FaultCode::field_out_of_range);
  EXPECT_EQ(run(Class::CT, in_core(kWhole, 3)), FaultCode::core);  // the device has one core
}

}  // namespace
}  // namespace cox::test
