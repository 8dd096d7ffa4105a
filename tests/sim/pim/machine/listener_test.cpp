// SPDX-License-Identifier: MIT
// What a listener hears, and when.
#include <gtest/gtest.h>

#include <string>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::listener_test {

using namespace isa::pim::build;

class Recorder final : public Listener {
 public:
  void on_start(const CoreEvent &event) override {
    EXPECT_GE(event.start, time) << "in the order of time";
    time = std::max(time, event.start);
    ASSERT_NE(event.operation, nullptr);
    ASSERT_NE(event.memory, nullptr);
    unsigned accesses = 0;
    isa::pim::for_each_access(*event.operation, isa::pim::default_configuration(), *event.memory,
                              [&](const isa::pim::Access &) { ++accesses; });
    log += text("start", event) + " -> " + (event.end == kNever ? std::string("?") : std::to_string(event.end)) + " " +
           std::to_string(accesses) + "\n";
  }
  void on_end(const CoreEvent &event) override {
    EXPECT_GE(event.end, time) << "in the order of time";
    time = std::max(time, event.end);
    EXPECT_EQ(event.operation, nullptr);
    log += text("end", event) + " @ " + std::to_string(event.end) +
           (event.fault.ok() ? "" : std::string(" ") + error_name(event.fault.code())) + "\n";
  }
  void on_message(const CoreMessageEvent &event) override {
    log += "message " + std::to_string(event.sender) + ">" + std::to_string(event.receiver) + " id " + std::to_string(event.id) + " " +
           std::to_string(event.bytes) + " bytes " + std::to_string(event.sent) + " " + std::to_string(event.received) + " @ " +
           std::to_string(event.landed) + "\n";
  }
  void on_barrier(const CoreBarrierEvent &event) override {
    EXPECT_GE(event.complete, time) << "in the order of time";
    log += "barrier " + std::to_string(event.id) + " cores " + std::to_string(event.cores) + " " + std::to_string(event.complete) + " -> " +
           std::to_string(event.released) + "\n";
  }

  std::string log;

 private:
  static std::string text(const char *what, const CoreEvent &event) {
    const isa::pim::Instruction *row = isa::pim::Set::find(event.code);
    return std::string(what) + " " + std::to_string(event.position.core) + ":" + std::to_string(event.position.instruction) + " " +
           (row == nullptr ? "?" : row->name) + (event.batched ? "+batch " : " ") + unit_name(event.unit) + " " +
           std::to_string(event.start);
  }
  Cycle time = 0;
};

TEST(PimListener, HearsInstructionsInTheOrderOfTime) {
  Source source;
  source.set(0, 1, kData)
      .set(0, 2, kInput)
      .set(0, 3, 300)
      .set(0, 4, kInputBuffer)
      .set(0, 5, 1)
      .set(0, 6, 2)
      .set(0, 32, 8)
      .set(0, 34, 8)
      .set(0, 36, 1)
      .set(0, 37, 1);
  source.code[0] = {trans(r(1), r(2), r(3)),           add(r(9), r(9), r(9)),         load_local(r(9), r(1)),
                    pim_batch(r(6), r(5), r(5), r(5)), pim_compute(r(4), r(5), r(0)), {0xFFFFFFFF}};
  Rig rig(1);
  Recorder recorder;
  rig.machine.set_listener(&recorder);
  rig.start(source, 100);
  rig.finish();
  EXPECT_EQ(recorder.log,
            "start 0:0 trans trans 101 -> 105 2\n"
            "start 0:1 add scalar 102 -> 103 0\n"
            "end 0:1 add scalar 102 @ 103\n"
            "end 0:0 trans trans 101 @ 105\n"
            "start 0:2 load-local scalar 105 -> 106 1\n"
            "end 0:2 load-local scalar 105 @ 106\n"
            "start 0:4 pim-compute+batch compute 106 -> 127 2\n"
            "end 0:5 ? scalar 107 @ 107 unknown_instruction\n"
            "end 0:4 pim-compute+batch compute 106 @ 127\n");
}

TEST(PimListener, HearsMessagesWhenTheyLand) {
  Source source(2);
  for (unsigned core = 0; core < 2; ++core) source.set(core, 1, kData).set(core, 2, 1 - core).set(core, 3, 16).set(core, 4, 2);
  source.code[0] = {send(r(2), {r(1), r(1), r(0), r(3)}), barrier(r(0), r(4))};
  source.code[1] = {receive(r(2), {r(1), r(1), r(0), r(3)}, true), wait(r(2), r(0)), barrier(r(0), r(4))};
  Rig rig(2);
  Recorder recorder;
  rig.machine.set_listener(&recorder);
  rig.start(source, 100);
  rig.finish();
  EXPECT_EQ(recorder.log,
            "start 0:0 send message 101 -> ? 1\n"
            "start 1:0 receive message 101 -> 102 1\n"
            "end 1:0 receive message 101 @ 102\n"
            "start 1:1 wait message 102 -> ? 0\n"
            "message 0>1 id 0 16 bytes 101 101 @ 108\n"
            "end 0:0 send message 101 @ 108\n"
            "end 1:1 wait message 102 @ 108\n"
            "start 0:1 barrier message 108 -> ? 0\n"
            "start 1:2 barrier message 108 -> ? 0\n"
            "barrier 0 cores 3 108 -> 112\n"
            "end 0:1 barrier message 108 @ 112\n"
            "end 1:2 barrier message 108 @ 112\n");
}

TEST(PimListener, HearsTheEndOfAnInstructionInWhichItsCoreFaults) {
  Source source(2);
  for (unsigned core = 0; core < 2; ++core) source.set(core, 1, kData).set(core, 2, 1 - core).set(core, 3, 16 + core);
  source.code[0] = {send(r(2), {r(1), r(1), r(0), r(3)})};
  source.code[1] = {add(r(9), r(9), r(9)), receive(r(2), {r(1), r(1), r(0), r(3)})};
  Rig rig(2);
  Recorder recorder;
  rig.machine.set_listener(&recorder);
  rig.start(source);
  rig.finish();
  EXPECT_EQ(recorder.log,
            "start 0:0 send message 1 -> ? 1\n"
            "start 1:0 add scalar 1 -> 2 0\n"
            "end 1:0 add scalar 1 @ 2\n"
            "end 0:0 send message 1 @ 2 message_mismatch\n"
            "end 1:1 receive scalar 2 @ 2 message_mismatch\n");
}

}  // namespace cox::model::pim::testing::listener_test
