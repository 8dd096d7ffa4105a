// SPDX-License-Identifier: MIT
// The event log, read while the model exists and after.
#include "sim/model/observers/event_log.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/sim/device/machine.h"
#include "tests/sim/device/temporary_file.h"

namespace cox::test {
namespace {

using model::EventKind;
using model::EventRecord;

std::vector<EventRecord> read(const std::string &path) {
  std::vector<EventRecord> records;
  std::string error;
  EXPECT_TRUE(model::read_event_log(path, records, error)) << error;
  return records;
}

TEST(EventLog, HoldsInstructionsInterruptsAndResets) {
  const TemporaryFile file("events.bin");
  const std::string &path = file.path();
  {
    Machine machine((R"({"events": ")" + path + "\"}").c_str());
    machine.bring_up();
    machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
    machine.now = 100;
    machine.submit({make(Opcode::ct_st), with_completion(make(Opcode::ct_ed)), make(Opcode::dt_cal, {{"Tile", {1, 8, 1, 1}}})});
    machine.run();
    // The log up to the end of the task can be read while the model exists.
    const std::vector<EventRecord> sofar = read(path);
    ASSERT_GE(sofar.size(), 3u);
    EXPECT_EQ(sofar.back().opcode, static_cast<std::uint8_t>(Opcode::ct_ed));
    machine.write(r::engine_reset::kOffset, 1);
  }
  const std::vector<EventRecord> records = read(path);
  std::vector<EventKind> kinds;
  for (const EventRecord &record : records) kinds.push_back(record.kind);
  EXPECT_THAT(kinds, ::testing::ElementsAre(EventKind::context_reset, EventKind::instruction, EventKind::interrupt, EventKind::interrupt,
                                            EventKind::instruction, EventKind::instruction, EventKind::core_reset, EventKind::interrupt));
  const EventRecord &fault = records[1];
  EXPECT_EQ(fault.queue, 5);
  EXPECT_EQ(fault.opcode, 0x71);
  EXPECT_EQ(fault.status, static_cast<std::uint8_t>(FaultCode::missing_configuration));
  EXPECT_EQ(fault.detail, 0x71u);
  EXPECT_EQ(fault.start, 150u);
  EXPECT_EQ(fault.end, 150u);
  const EventRecord &aborted = records[5];  // ct_ed, which comes after the fault
  EXPECT_EQ(aborted.status, static_cast<std::uint8_t>(FaultCode::aborted));
  EXPECT_EQ(aborted.index, 1u);
  EXPECT_EQ(aborted.ordinal, 1u);
  const EventRecord &start = records[4];
  EXPECT_EQ(start.opcode, 0x10);
  EXPECT_EQ(start.doorbell, 100u);
  EXPECT_EQ(start.start, 150u);
  EXPECT_EQ(start.end, 185u);
  EXPECT_EQ(start.ordinal, 0u);
  EXPECT_EQ(records[2].end, 174u);
  EXPECT_EQ(records[2].status, 1);
  EXPECT_EQ(records[7].status, 0);
}

TEST(EventLog, OrdinalsCountAContextsClassFromItsReset) {
  const TemporaryFile file("ordinals.bin");
  const std::string &path = file.path();
  {
    Machine machine((R"({"events": ")" + path + "\"}").c_str());
    machine.bring_up();
    machine.open_context(1);
    const MachineCode control = make(Opcode::ct_st);
    machine.submit({control, in_context(control, 1), control});
    machine.run();
    machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
    machine.submit({control, in_context(control, 1)});
    machine.run();
  }
  std::vector<std::pair<unsigned, unsigned>> ordinals;
  for (const EventRecord &record : read(path)) {
    if (record.kind == EventKind::instruction) ordinals.emplace_back(record.context, record.ordinal);
  }
  EXPECT_THAT(ordinals, ::testing::ElementsAre(std::pair{0, 0}, std::pair{1, 0}, std::pair{0, 1}, std::pair{0, 0}, std::pair{1, 1}));
}

TEST(EventLog, AHalfWrittenRecordIsLeftOutAndOtherFilesAreRefused) {
  const TemporaryFile file("half.bin");
  const std::string &path = file.path();
  {
    std::ofstream stream(path, std::ios::binary);
    stream.write(model::kEventLogMagic, sizeof model::kEventLogMagic);
    const EventRecord record{};
    stream.write(reinterpret_cast<const char *>(&record), sizeof record);
    stream.write(reinterpret_cast<const char *>(&record), 40);
  }
  EXPECT_EQ(read(path).size(), 1u);
  std::ofstream(path, std::ios::binary) << "something else altogether";
  std::vector<EventRecord> records;
  std::string error;
  EXPECT_FALSE(model::read_event_log(path, records, error));
  EXPECT_NE(error.find("is not an event log"), std::string::npos);
  EXPECT_FALSE(model::read_event_log("/nowhere", records, error));
  EXPECT_EQ(error, "event log '/nowhere': No such file or directory");
}

TEST(EventLog, ADiskThatIsFullIsLogged) {
  std::ofstream probe("/dev/full");
  if (!probe) GTEST_SKIP() << "this system has no /dev/full";
  char error[100];
  cox_host host{};
  host.abi = COX_MODEL_ABI;
  host.size = sizeof host;
  host.map = [](void *, std::uint64_t, std::uint64_t) -> void * { return nullptr; };
  host.read = [](void *, std::uint64_t, void *, std::uint64_t) { return 1; };
  host.write = [](void *, std::uint64_t, const void *, std::uint64_t) { return 1; };
  host.interrupt = [](void *, std::uint32_t, int) {};
  EXPECT_EQ(cox_model_create(&host, R"({"events": "/dev/full"})", error, sizeof error), nullptr);
  EXPECT_STREQ(error, "event log '/dev/full' cannot be written");
}

}  // namespace
}  // namespace cox::test
