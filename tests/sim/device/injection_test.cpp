// SPDX-License-Identifier: MIT
// Faults of a plan: each occurs exactly where its line says (docs/faults.md).
#include <fstream>
#include <memory>
#include <ostream>
#include <sstream>

#include "sim/model/faults/memory_errors.h"
#include "sim/model/faults/parse.h"
#include "sim/model/faults/random_plan.h"
#include "sim/model/registry.h"
#include "tests/sim/device/machine.h"
#include "tests/sim/device/temporary_file.h"

namespace cox::test {
namespace injection_test {

const MachineCode kLoadConfiguration = make(Opcode::lda_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}});
const MachineCode kStoreConfiguration = make(Opcode::sta_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}});
MachineCode load(double from, double to) {
  return with_completion(make(Opcode::lda_mov, {{"STaddr", {from}}, {"DTaddr", {to}}, {"Tile", {1, 8, 4, 4}}}));
}
MachineCode store(double from, double to) {
  return with_completion(make(Opcode::sta_mov, {{"STaddr", {from}}, {"DTaddr", {to}}, {"Tile", {1, 8, 4, 4}}}));
}
const MachineCode kControl = with_completion(make(Opcode::ct_st));

/// A machine with a plan, two cores, and no latency of doorbells and interrupts.
class Planned {
 public:
  explicit Planned(const std::string &plan) : file_("plan.txt") {
    std::ofstream(file_.path()) << plan;
    const std::string options = R"({"geometry": {"tile_cores": 2}, "dispatch": "ideal", "faults": ")" + file_.path() + "\"}";
    machine_ = std::make_unique<Machine>(options.c_str());
    machine_->bring_up();
    machine_->bring_up_core(1);
    for (const unsigned core : {0u, 1u}) machine_->submit_in(core, {whole_buffer(), kLoadConfiguration, kStoreConfiguration});
    machine_->advance_to(100);
    machine_->log.clear();
  }
  Machine *operator->() { return machine_.get(); }
  Machine &operator*() { return *machine_; }

  /// Submits to core 0, runs, and returns the completion.
  Entry run(const MachineCode &code) {
    const std::uint32_t index = machine_->completions();
    machine_->submit({code});
    machine_->run();
    EXPECT_EQ(machine_->completions(), index + 1);
    return machine_->any_entry(index);
  }
  void renew() { machine_->write(r::context::control::offset(0), 1 | r::context::control::kReset.mask()); }
  /// Expects that the log reports exactly these injections, in this order.
  void expect_fired(const std::vector<std::string> &lines) {
    ASSERT_EQ(machine_->log.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_NE(machine_->log[i].find(lines[i]), std::string::npos) << machine_->log[i];
  }

 private:
  TemporaryFile file_;
  std::unique_ptr<Machine> machine_;
};

TEST(Injection, ABusErrorIsOfTheNthAccessOfItsQueue) {
  // The accesses are: fetch of lda_cfg, fetch and transfer of a load, fetch and transfer of the second load.
  Planned machine("# a comment\n\nbus_error queue=LD core=0 access=5\n");
  machine->memory[Machine::kWindow - Machine::kMemoryBase] = std::byte{7};
  EXPECT_EQ(machine.run(load(0, 0)).status, FaultCode::none);
  const Entry entry = machine.run(load(64, 1024));
  EXPECT_EQ(entry.status, FaultCode::bus_error);
  EXPECT_EQ(entry.detail, Machine::kWindow + 64);
  machine.expect_fired({"bus_error queue=LD core=0 access=5"});
  machine.renew();
  machine->submit({whole_buffer(), kLoadConfiguration});
  machine->run();
  EXPECT_EQ(machine.run(load(0, 0)).status, FaultCode::none);
}

TEST(Injection, ABusErrorOfAFetchLeavesItsContextAlone) {
  Planned machine("bus_error queue=CT core=0 access=2");
  const Entry entry = machine.run(kControl);
  EXPECT_EQ(entry.status, FaultCode::bus_error);
  EXPECT_EQ(entry.context, 0xFFu);
  EXPECT_EQ(machine.run(kControl).status, FaultCode::none);
}

TEST(Injection, AnInstructionStandsStillForAWhileOrUntilAReset) {
  Planned machine("stuck queue=CT core=0 instruction=2 cycles=500\nstuck queue=CT core=1 instruction=2");
  const std::uint64_t start = machine->now;
  EXPECT_EQ(machine.run(kControl).end, start + 535);
  EXPECT_EQ(machine->counter(Class::CT, r::core::sq::stalled_lo::kOffset), 500u);
  machine->submit_in(1, {kControl});
  machine->run();
  EXPECT_EQ(machine->completions(1), 0u);
  EXPECT_EQ(machine->read(r::core::sq::status::offset(1, 0)), r::core::sq::status::kBusy.mask());
  machine.expect_fired({"stuck queue=CT core=0 instruction=2 cycles=500", "stuck queue=CT core=1 instruction=2"});
  machine->write(r::engine_reset::kOffset, 2);
  EXPECT_EQ(machine->read(r::core::sq::status::offset(1, 0)), 0u);
}

TEST(Injection, DramIsSlowForAWhile) {
  Planned machine("slow factor=8 at=1000 cycles=100");
  machine->advance_to(990);
  // The setup takes 21 cycles. The bandwidth of 17.18 bytes a cycle is divided by 8, so 128 bytes take 60 cycles instead of 8.
  EXPECT_EQ(machine.run(load(0, 0)).end, 990u + 21 + 60);
  EXPECT_EQ(machine->now, 1100u);  // the slow-down is over
  EXPECT_EQ(machine.run(load(0, 0)).end, 1100u + 21 + 8);
  machine.expect_fired({"slow factor=8 at=1000 cycles=100"});
}

TEST(Injection, InterruptsAreLostDoubledEarlyAndSpurious) {
  using Interrupts = std::vector<Machine::Interrupt>;
  const auto acknowledge = [](Planned &machine) { machine->write(r::cq::head::offset(0), machine->completions()); };
  {
    Planned machine("interrupt lost line=0 count=2");
    for (unsigned i = 0; i < 3; ++i) {
      machine.run(kControl);
      acknowledge(machine);
    }
    EXPECT_EQ(machine->interrupts, (Interrupts{{135, 0, 1}, {135, 0, 0}, {205, 0, 1}, {205, 0, 0}}));
    machine.expect_fired({"interrupt lost line=0 count=2"});
  }
  {
    Planned machine("interrupt doubled line=0 at=120");
    machine.run(kControl);
    acknowledge(machine);
    machine->run();
    EXPECT_EQ(machine->interrupts, (Interrupts{{135, 0, 1}, {135, 0, 0}, {136, 0, 1}, {137, 0, 0}}));
  }
  {
    Planned machine("interrupt early line=0 count=2");
    machine.run(kControl);
    acknowledge(machine);
    machine.run(kControl);
    EXPECT_EQ(machine->interrupts, (Interrupts{{135, 0, 1}, {135, 0, 0}, {135, 0, 1}, {136, 0, 0}, {170, 0, 1}}));
    machine.expect_fired({"interrupt early line=0 count=2"});
  }
  {
    Planned machine("interrupt spurious line=1 at=400");
    machine->run();
    EXPECT_EQ(machine->interrupts, (Interrupts{{400, 1, 1}, {401, 1, 0}}));
    EXPECT_EQ(machine->read(r::int_status::kOffset), 0u);
  }
}

TEST(Injection, CompletionsAreSpoiledLostDoubledAndSwapped) {
  {
    Planned machine("completion corrupt queue=0 count=2 bit=17");
    EXPECT_TRUE(machine.run(kControl).intact);
    EXPECT_FALSE(machine.run(kControl).intact);
    EXPECT_TRUE(machine.run(kControl).intact);
    machine.expect_fired({"completion corrupt queue=0 count=2 bit=17"});
  }
  {
    Planned machine("completion lost queue=0 count=1");
    machine->submit({kControl});
    machine->run();
    EXPECT_EQ(machine->completions(), 0u);
    EXPECT_EQ(machine->read(r::core::sq::head::offset(0, 0)), 2u);  // the instruction has run
    EXPECT_EQ(machine.run(kControl).tag, 2u);
  }
  {
    Planned machine("completion doubled queue=0 count=1");
    machine->submit({kControl, kControl});
    machine->run();
    ASSERT_EQ(machine->completions(), 3u);
    for (const auto &[entry, tag] : {std::pair{0u, 1u}, {1u, 1u}, {2u, 2u}}) {
      EXPECT_EQ(machine->entry(entry).tag, tag);
      EXPECT_TRUE(machine->entry(entry).intact);
    }
  }
  {
    Planned machine("completion swap queue=0 count=1\ncompletion swap queue=1 count=1");
    machine->submit({kControl, kControl});
    machine->submit_in(1, {kControl});
    machine->advance_to(171);
    ASSERT_EQ(machine->completions(), 2u);
    EXPECT_EQ(machine->entry(0).tag, 2u);
    EXPECT_EQ(machine->entry(1).tag, 1u);
    EXPECT_TRUE(machine->entry(1).intact);
    // The swap delays core 1's entry until the next one. There is no next one, so the entry is written 1,000 cycles late.
    EXPECT_EQ(machine->completions(1), 0u);
    machine->run();
    EXPECT_EQ(machine->completions(1), 1u);
    EXPECT_EQ(machine->now, 135u + 1000);
    EXPECT_EQ(machine->entry(0, 1).end, 135u);
  }
}

TEST(Injection, ADoorbellIsLost) {
  Planned machine("doorbell lost queue=CT core=0 count=3");
  machine.run(kControl);
  machine->submit({kControl});
  machine->run();
  EXPECT_EQ(machine->completions(), 1u);
  EXPECT_EQ(machine->read(r::core::sq::tail::offset(0, 0)), 2u);
  machine->ring(Class::CT);
  machine->run();
  EXPECT_EQ(machine->completions(), 2u);
  machine.expect_fired({"doorbell lost queue=CT core=0 count=3"});
}

TEST(Injection, ACoreIsResetAtATime) {
  Planned machine("reset core=1 at=500\nreset engine=MX at=600\nreset engine=CUBE at=600");
  machine->advance_to(490);
  machine->submit_in(1, {kControl});
  machine->run();
  EXPECT_EQ(machine->completions(1), 0u);
  EXPECT_EQ(machine->read(r::core::sq::control::offset(1, 0)), 0u);
  EXPECT_NE(machine->read(r::core::sq::control::offset(0, 0)), 0u);
  machine.expect_fired({"reset core=1 at=500", "reset engine=MX at=600", "reset engine=CUBE at=600"});
}

TEST(Injection, AClockStopsForAWhileOrForEver) {
  Planned machine("clock core=0 at=110 cycles=1000\nclock core=1 at=120 cycles=forever");
  const std::uint64_t start = machine->now;
  machine->submit_in(1, {kControl});
  EXPECT_EQ(machine.run(kControl).end, start + 35 + 1000);
  EXPECT_EQ(machine->completions(1), 0u);
  EXPECT_EQ(machine->read(r::core_clock::cycles_lo::offset(1)), 120u);
  EXPECT_EQ(machine->read(r::core_clock::cycles_lo::offset(0)), start + 35);
  EXPECT_EQ(machine->read(r::clock_enable::kOffset), r::clock_enable::kResetValue);  // the register shows what the firmware has written
  cox_model_reset(machine->model, machine->now);
  machine->advance_to(2000);
  EXPECT_EQ(machine->read(r::core_clock::cycles_lo::offset(1)), 0u);
  EXPECT_EQ(machine->read(r::core_clock::cycles_lo::offset(0)), 2000 - start - 1035);
}

struct Flip {
  const char *memory;
  std::uint64_t address;
  FaultCode status;  ///< of the load to 0x1000; store_status is that of the store from 0x800
  FaultCode store_status;
  std::uint32_t corrected;
};

void PrintTo(const Flip &flip, std::ostream *out) { *out << flip.memory << " at " << flip.address; }

/// Before the bits flip, a load of 128 bytes from the window fills address 0x800 of L2. After the flip, the same bytes are loaded to
/// 0x1000, and a store reads 0x800.
class Flips : public ::testing::TestWithParam<Flip> {};

TEST_P(Flips, AreCorrectedOrReported) {
  const Flip &flip = GetParam();
  for (const unsigned bits : {1u, 2u}) {
    std::ostringstream plan;
    plan << "flip memory=" << flip.memory << " address=" << flip.address << " bits=" << bits << " at=200";
    Planned machine(plan.str());
    machine.run(load(0, 0x800));
    machine->memory[Machine::kWindow - Machine::kMemoryBase + 8] = std::byte{1};
    machine->advance_to(200);
    const FaultCode status = bits == 1 ? FaultCode::none : flip.status;
    const Entry loaded = machine.run(load(0, 0x1000));
    EXPECT_EQ(loaded.status, status);
    if (status != FaultCode::none) {
      EXPECT_EQ(loaded.detail, flip.address & ~7ULL);
      machine.renew();
      machine->submit({whole_buffer(), kLoadConfiguration, kStoreConfiguration});
      machine->run();
    }
    const FaultCode store_status = bits == 1 ? FaultCode::none : flip.store_status;
    const Entry stored = machine.run(store(0x800, 4096));
    EXPECT_EQ(stored.status, store_status);
    if (store_status != FaultCode::none) {
      EXPECT_EQ(stored.detail, flip.address & ~7ULL);
    }
    EXPECT_EQ(machine->read(r::ecc_corrected::kOffset), bits == 1 ? flip.corrected : 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Memories, Flips,
    ::testing::Values(Flip{"dram", Machine::kWindow + 8, FaultCode::ecc, FaultCode::none, 1},     // read by the load
                      Flip{"dram", Machine::kWindow + 127, FaultCode::ecc, FaultCode::none, 1},   // the load's last byte
                      Flip{"dram", Machine::kWindow + 128, FaultCode::none, FaultCode::none, 0},  // the byte behind the load
                      Flip{"l2 core=0", 0x805, FaultCode::none, FaultCode::ecc, 1},               // read by the store
                      Flip{"l2 core=1", 0x805, FaultCode::none, FaultCode::none, 0},              // L2 of another core
                      Flip{"wl0 core=0", 0x805, FaultCode::none, FaultCode::none, 0},
                      Flip{"l2 core=0", 0x1005, FaultCode::none, FaultCode::none, 0},  // the second load overwrites this word
                      Flip{"queue", Machine::kRings + Machine::kRingBytes + 2 * 32 + 5, FaultCode::ecc, FaultCode::none, 1}));

// L2 is larger than WL0. Each memory can have errors up to its own end.
TEST(Injection, AnErrorInL2AboveTheSizeOfWl0IsCorrectedOrReported) {
  constexpr std::uint32_t kAbove = 0x7F'F800;
  for (const unsigned bits : {1u, 2u}) {
    Planned machine("flip memory=l2 core=0 address=" + std::to_string(kAbove + 5) + " bits=" + std::to_string(bits) + " at=200");
    EXPECT_EQ(machine.run(load(0, kAbove)).status, FaultCode::none);
    machine->advance_to(200);
    const Entry stored = machine.run(store(kAbove, 4096));
    EXPECT_EQ(stored.status, bits == 1 ? FaultCode::none : FaultCode::ecc);
    if (bits == 2) {
      EXPECT_EQ(stored.detail, kAbove);
    }
    EXPECT_EQ(machine->read(r::ecc_corrected::kOffset), bits == 1 ? 1u : 0u);
  }
}

TEST(Injection, AnErrorStaysUntilItsWordIsWrittenAnew) {
  Planned machine("flip memory=dram address=0x60100008 bits=2 at=200\nflip memory=l2 core=0 address=0x808 bits=2 at=200");
  machine->advance_to(200);
  const auto renew = [&] {
    machine.renew();
    machine->submit({whole_buffer(), kLoadConfiguration, kStoreConfiguration});
    machine->run();
  };
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(machine.run(load(0, 0)).status, FaultCode::ecc);
    renew();
  }
  // The control core repairs the DRAM word by writing its value from before the error. The L2 word stays faulty.
  std::memset(machine->find(Machine::kWindow + 8, 8), 0, 8);
  EXPECT_EQ(machine.run(load(0, 0)).status, FaultCode::none);
  EXPECT_EQ(machine.run(store(0x800, 4096)).status, FaultCode::ecc);
  renew();
  EXPECT_EQ(machine.run(load(0, 0x810)).status, FaultCode::none);  // writes only bytes after the faulty word
  EXPECT_EQ(machine.run(store(0x800, 4096)).status, FaultCode::ecc);
  renew();
  EXPECT_EQ(machine.run(load(0, 0x800)).status, FaultCode::none);
  EXPECT_EQ(machine.run(store(0x800, 4096)).status, FaultCode::none);
  EXPECT_EQ(machine->read(r::ecc_corrected::kOffset), 0u);
}

TEST(Injection, WhatIsWrittenBeforeAnybodyReadsItIsWhole) {
  Planned machine("flip memory=l2 core=0 address=0x808 bits=2 at=200");
  machine->advance_to(200);
  EXPECT_EQ(machine.run(load(0, 0x800)).status, FaultCode::none);
  EXPECT_EQ(machine.run(store(0x800, 4096)).status, FaultCode::none);
}

TEST(Injection, AWordIsWholeAgainWhenOneInstructionHasWrittenAllOfIt) {
  model::faults::MemoryErrors memory([](auto, auto, auto, auto &) { return false; });
  model::faults::Planned flip;
  flip.kind = model::faults::Kind::flip;
  flip.address = 0x105;
  flip.bits = 2;
  const model::faults::Place place{model::faults::Place::Memory::l2, 0};
  memory.flip(flip);
  memory.begin_write();
  memory.write(place, 0x0FF, 5);  // writes bytes 0x0FF to 0x103
  memory.begin_write();
  memory.write(place, 0x104, 4);
  EXPECT_EQ(memory.read(place, 0x107, 1), std::optional<std::uint64_t>(0x100));
  EXPECT_EQ(memory.read({model::faults::Place::Memory::l2, 1}, 0x107, 1), std::nullopt);
  memory.begin_write();
  memory.write(place, 0x104, 4);
  memory.write(place, 0x100, 4);
  EXPECT_EQ(memory.read(place, 0x107, 1), std::nullopt);
  EXPECT_EQ(memory.corrected(), 0u);
}

TEST(Injection, WithoutItsFaultsAPlanChangesNothing) {
  Planned planned("bus_error queue=LD core=0 access=1000\nflip memory=l2 core=0 address=0 bits=2 at=1000000");
  Machine plain(R"({"geometry": {"tile_cores": 2}, "dispatch": "ideal"})");
  plain.bring_up();
  plain.bring_up_core(1);
  for (const unsigned core : {0u, 1u}) plain.submit_in(core, {whole_buffer(), kLoadConfiguration, kStoreConfiguration});
  plain.advance_to(100);
  for (Machine *machine : {&plain, &*planned}) {
    machine->submit({load(0, 0), store(64, 4096), kControl});
    machine->advance_to(5000);
  }
  EXPECT_EQ(plain.interrupts, planned->interrupts);
  EXPECT_EQ(plain.memory, planned->memory);
  EXPECT_EQ(plain.completions(), 3u);
}

TEST(FaultPlans, WhatIsNotUnderstoodIsRefusedWithItsLine) {
  const std::pair<const char *, const char *> cases[] = {
      {"bus_eror queue=LD core=0 access=1", "line 1: there is no fault 'bus_eror'"},
      {"\n# fine\nbus_error queue=XX core=0 access=1", "line 3: there is no queue 'XX'"},
      {"bus_error queue=LD access=1", "'core' is missing"},
      {"bus_error queue=LD core=4 access=1", "'core' is '4', must be a number from 0 to 3"},
      {"bus_error queue=LD core=0", "'access' is missing"},
      {"bus_error queue=LD core=0 access=0", "'access' is '0', must be"},
      {"bus_error queue=LD core=0 access=1x", "'access' is '1x', must be"},
      {"bus_error queue=LD core=0 access=1 access=2", "'access' is there twice"},
      {"bus_error queue=LD core=0 access=1 at=5", "this kind has no 'at'"},
      {"bus_error queue=MX core=0 access=1", "this kind has no 'core'"},
      {"bus_error queue=LD core=0 access=1 now", "'now' is no key=value"},
      {"slow factor=0 at=0 cycles=1", "'factor' is '0', must be a number from 1 to 1024"},
      {"interrupt gone line=0 count=1", "'gone' is nothing that can happen to it"},
      {"interrupt swap line=0 count=1", "'swap' is nothing that can happen to it"},
      {"interrupt lost line=3 count=1", "'line' is '3'"},
      {"interrupt lost line=0", "'at' is missing"},
      {"interrupt lost line=0 count=1 at=5", "this kind has no 'at'"},
      {"interrupt spurious line=0 count=1", "'at' is missing"},
      {"interrupt early line=1 count=1", "only line 0 can be early"},
      {"completion lost queue=8 count=1", "'queue' is '8'"},
      {"completion lost queue=0 count=1 bit=3", "this kind has no 'bit'"},
      {"completion corrupt queue=0 count=1 bit=128", "'bit' is '128'"},
      {"flip memory=l1 address=0 bits=1 at=0", "there is no memory 'l1'"},
      {"flip memory=dram core=0 address=0 bits=1 at=0", "this kind has no 'core'"},
      {"flip memory=l2 core=0 address=0x800000 bits=1 at=0", "'address' is '0x800000', must be a number from 0 to 8388607"},
      {"flip memory=l2 core=0 address=0 bits=3 at=0", "'bits' is '3'"},
      {"reset engine=DSP at=5", "there is no engine 'DSP'"},
      {"clock core=0 at=5 cycles=never", "'cycles' is 'never'"},
      {"clock core=0 at=5", "'cycles' is missing"},
  };
  model::Inventory inventory = model::inventory_of({{"tile_cores", 4}});
  for (const auto &[text, sentence] : cases) {
    std::vector<model::faults::Planned> plan;
    std::string error;
    EXPECT_FALSE(model::faults::parse_plan(text, inventory, plan, error)) << text;
    EXPECT_NE(error.find(sentence), std::string::npos) << text << ": " << error;
    EXPECT_TRUE(error.starts_with("line ")) << error;
  }
  inventory = model::inventory_of({});
  std::vector<model::faults::Planned> plan;
  std::string error;
  EXPECT_FALSE(model::faults::parse_plan("completion lost queue=1 count=1", inventory, plan, error));
  EXPECT_NE(error.find("there is no completion queue 1"), std::string::npos) << error;
  inventory = model::inventory_of({{"wl0_units", 100}});
  EXPECT_TRUE(model::faults::parse_plan("flip memory=wl0 core=0 address=6399 bits=1 at=0", inventory, plan, error)) << error;
  EXPECT_FALSE(model::faults::parse_plan("flip memory=wl0 core=0 address=6400 bits=1 at=0", inventory, plan, error));
  EXPECT_NE(error.find("must be a number from 0 to 6399"), std::string::npos) << error;
}

TEST(FaultPlans, ARandomOneIsReproducedByItsLines) {
  const model::Inventory inventory = model::inventory_of({{"tile_cores", 3}});
  const std::vector<model::faults::Planned> random = model::faults::random_plan(42, 500, inventory);
  ASSERT_EQ(random.size(), 500u);
  unsigned kinds = 0;
  for (const model::faults::Planned &fault : random) {
    const std::string line = model::faults::text(fault);
    kinds |= 1U << static_cast<unsigned>(fault.kind);
    model::faults::Planned again;
    std::string error;
    ASSERT_TRUE(model::faults::parse_line(line, inventory, again, error)) << line << ": " << error;
    EXPECT_EQ(model::faults::text(again), line);
  }
  EXPECT_EQ(kinds, 0x1FFu);  // every kind of fault has occurred
  EXPECT_EQ(model::faults::text(random[7]), model::faults::text(model::faults::random_plan(42, 8, inventory)[7]));
  EXPECT_NE(model::faults::text(random[7]), model::faults::text(model::faults::random_plan(43, 8, inventory)[7]));
}

TEST(FaultPlans, OfASeedAreInTheLog) {
  Machine machine(R"({"fault_seed": 5, "fault_count": 3})");
  const std::vector<model::faults::Planned> plan = model::faults::random_plan(5, 3, model::inventory_of({}));
  ASSERT_EQ(machine.log.size(), 3u);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(machine.log[i], "planned: " + model::faults::text(plan[i]));
}

TEST(FaultPlans, OptionsThatDoNotFitTogetherAreRefused) {
  for (const char *options : {R"({"fault_seed": 5})", R"({"fault_count": 3})", R"({"fault_seed": -1, "fault_count": 3})",
                              R"({"fault_seed": 1, "fault_count": 10001})", R"({"faults": "/nonexistent/plan"})", R"({"faults": 1})"}) {
    cox_host host{};
    host.abi = COX_MODEL_ABI;
    host.size = sizeof host;
    host.map = [](void *, std::uint64_t, std::uint64_t) -> void * { return nullptr; };
    host.read = [](void *, std::uint64_t, void *, std::uint64_t) { return 1; };
    host.write = [](void *, std::uint64_t, const void *, std::uint64_t) { return 1; };
    host.interrupt = [](void *, std::uint32_t, int) {};
    char error[200];
    EXPECT_EQ(cox_model_create(&host, options, error, sizeof error), nullptr) << options;
    EXPECT_NE(std::string(error).find("fault"), std::string::npos) << error;
  }
}

}  // namespace injection_test
}  // namespace cox::test
