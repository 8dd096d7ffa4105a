// SPDX-License-Identifier: MIT
// Tests console output about tasks while they run. The other console tests type between jobs, when no task runs.
#include "coxswain/firmware/console/console.h"

#include <gmock/gmock.h>

#include "coxswain/firmware/console/text.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/fault_log.h"
#include "tests/firmware/fake_device.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {
namespace {

using isa::tile::Class;
using testing::HasSubstr;
using testing::Not;

/// Returns the copy task with one more token, from ct_bc to the store. The store cannot take the token before the load has ended.
TaskText task_with_a_token_left() {
  TaskText text = copy_task();
  isa::insert_bits(text.code[kCut], isa::tile::kNextBit, isa::tile::kClasses, bit(Class::LD) | bit(Class::ST));
  isa::insert_bits(text.code[kStore], isa::tile::kPreviousBit, isa::tile::kClasses, bit(Class::LD) | bit(Class::CT));
  return text;
}

/// A task with its image, its workspace and 256 bytes of memory for window 0.
struct Loaded {
  explicit Loaded(const TaskText &text)
      : image(text), workspace(firmware::image::workspace_bytes(text.code.size(), text.tile_cores) / 8 + 1) {
    firmware::image::DeviceGeometry geometry = firmware::image::reference_geometry();
    geometry.cores = text.tile_cores;
    const auto loaded = firmware::image::load(image.bytes(), geometry, std::as_writable_bytes(std::span(workspace)));
    EXPECT_TRUE(loaded.ok()) << loaded.status().what();
    if (loaded.ok()) task = loaded.value();
    windows[0] = {reinterpret_cast<std::uintptr_t>(memory.data()), 256, true, true};
  }

  Image image;
  std::vector<std::uint64_t> workspace;
  std::vector<std::uint64_t> memory = std::vector<std::uint64_t>(32);
  firmware::image::LoadedTask task;
  std::array<hal::Window, hal::kWindows> windows{};
};

struct ConsoleOf {
  explicit ConsoleOf(unsigned cores) : device(cores) {}

  Status bring_up() {
    const Status status = accelerator.open();
    return status.ok() ? scheduler.initialise(accelerator) : status;
  }

  std::string answer(const std::string &command) {
    device.console.clear();
    device.typed = command + "\r";
    console.poll();
    return device.console;
  }

  /// Starts a task and returns when its ct_bc has ended and its load runs.
  Result<unsigned> start_up_to_load(Loaded &task) {
    device.duration = [](unsigned, const isa::tile::MachineCode &code) -> std::uint64_t {
      return isa::tile::opcode_of(code) == isa::tile::Opcode::lda_mov ? 1'000'000 : 100;
    };
    const Result<unsigned> context = scheduler.start(task.task, task.windows);
    EXPECT_FALSE(board::mask_interrupts());
    board::wait_for_interrupt();
    board::restore_interrupts(false);
    return context;
  }

  FakeDevice device;
  hal::Accelerator accelerator;
  firmware::schedule::Scheduler scheduler;
  firmware::job::JobProcessor jobs{scheduler, hal::dram_range()};
  firmware::console::Console console{scheduler, jobs};
};

class ConsoleTest : public testing::Test, public ConsoleOf {
 protected:
  ConsoleTest() : ConsoleOf(1) {}
};

TEST_F(ConsoleTest, TokensOfATaskThatRuns) {
  const TaskText text = task_with_a_token_left();
  Loaded task(text);
  ASSERT_TRUE(bring_up().ok());
  EXPECT_THAT(answer("tasks"), HasSubstr("no task is loaded"));
  EXPECT_THAT(answer("tokens"), HasSubstr("no task runs"));
  const auto context = start_up_to_load(task);
  ASSERT_TRUE(context.ok());
  EXPECT_THAT(answer("tokens"), HasSubstr("context 0: running\r\n  CT->ST 1\r\n>"));
  // Only the LD instruction is queued. Its configuration has ended already.
  EXPECT_THAT(answer("queues"), HasSubstr("\nLD     1          1 "));
  EXPECT_TRUE(scheduler.wait(context.value()).value().status.ok());
  EXPECT_THAT(answer("tokens"), HasSubstr("no task runs"));
  EXPECT_THAT(answer("stats"), HasSubstr("jobs 0, runs 1, failures 0\r\naccelerator instructions 7"));
}

TEST_F(ConsoleTest, EnginesOfTheDeviceAreNamedByTheTable) {
  device.capabilities = 0x47;  // bit 0: the tile cores; bits 1, 2 and 6: engines 0, 1 and 5
  ASSERT_TRUE(bring_up().ok());
  EXPECT_THAT(answer("engines"), HasSubstr("MX            MX engine, queue 36, completion queue 4, in flight 0\r\n"
                                           "CUBE          matrix unit, queue 37, completion queue 5, in flight 0\r\n"
                                           "              warning 0: a MAD with an m, k or n of 0\r\n"
                                           "              warning 1: a bias read that wrapped\r\n"
                                           "              warning 2: flags left at the end\r\n"
                                           "engine 5      unknown to this firmware\r\n"));
  // The accelerator has stopped all clocks. An engine that is attached has its clock.
  EXPECT_THAT(answer("clocks"), HasSubstr("tile core 0   off, had it for 0 of "));
  EXPECT_THAT(answer("clocks"), HasSubstr("\nMX            off\r\nCUBE          off\r\nengine 5      unknown to this firmware\r\n"));
  ASSERT_TRUE(accelerator.attach(registers::Engine::cube, 64).ok());
  EXPECT_THAT(answer("clocks"), HasSubstr("\nMX            off\r\nCUBE          on\r\n"));
}

TEST_F(ConsoleTest, AFaultOfAQueueThatTheTableDoesNotHaveIsPrintedWithItsNumber) {
  hal::FaultRecord fault;
  for (const std::uint8_t queue : {std::uint8_t{13}, std::uint8_t{37}, std::uint8_t{45}, std::uint8_t{200}, hal::FaultRecord::kNone}) {
    fault.queue = queue;
    hal::fault_log::append(fault);
  }
  const std::string faults = answer("faults");
  EXPECT_THAT(faults, HasSubstr("VP of core 1: none"));
  EXPECT_THAT(faults, HasSubstr("CUBE: none"));
  EXPECT_THAT(faults, HasSubstr("DMA channel 1: none"));
  EXPECT_THAT(faults, HasSubstr("unknown queue 200: none"));
  EXPECT_THAT(faults, HasSubstr("no queue: none"));
}

TEST_F(ConsoleTest, WithoutAnAcceleratorOnlySomeCommandsAnswer) {
  firmware::console::Console bare(scheduler, jobs, false);
  const auto answer_of = [&](const std::string &command) {
    device.console.clear();
    device.typed = command + "\r";
    bare.poll();
    return device.console;
  };
  const std::string help = answer_of("help");
  EXPECT_THAT(help, HasSubstr("faults  the last faults"));
  EXPECT_THAT(help, Not(HasSubstr("tokens")));
  EXPECT_THAT(answer_of("faults"), HasSubstr("no fault since power-on"));
  for (const std::string command : {"tasks", "queues", "tokens", "jobs", "owners", "clocks", "engines", "stats"}) {
    EXPECT_THAT(answer_of(command), HasSubstr(command + " needs the accelerator, which this board does not have\r\n> "));
  }
}

TEST(ConsoleOfTwoCores, TokensOfTheSecondOne) {
  TaskText text = task_with_a_token_left();
  text.tile_cores = 2;
  for (const unsigned i : {kCut, kLoadConfiguration, kLoad, kStoreConfiguration, kStore}) {
    isa::insert_bits(text.code[i], isa::tile::kCoreBit, isa::tile::kCoreWidth, 1);
  }
  // Only SI and SO give tokens to another core. So the store, now on core 1, must not give a token to ct_ed, which is on core 0.
  isa::insert_bits(text.code[kStore], isa::tile::kNextBit, isa::tile::kClasses, 0);
  isa::insert_bits(text.code[kEnd], isa::tile::kPreviousBit, isa::tile::kClasses, 0);
  Loaded task(text);
  ConsoleOf both(2);
  ASSERT_TRUE(both.bring_up().ok());
  const auto context = both.start_up_to_load(task);
  ASSERT_TRUE(context.ok());
  EXPECT_THAT(both.answer("tokens"), HasSubstr("context 0: running\r\n  core 1: CT->ST 1\r\n>"));
  EXPECT_TRUE(both.scheduler.wait(context.value()).value().status.ok());
}

TEST(ConsoleText, WhatIsNotPrintableIsAQuestionMark) {
  firmware::console::Text text;
  text << std::string_view("a\033[2J\r\x7F\xC3~ ", 10);
  EXPECT_EQ(std::string(text.characters().begin(), text.characters().end()), "a?[2J???~ ");
}

TEST_F(ConsoleTest, ALineThatIsTooLongIsCutAndNothingElseIsLost) {
  const std::string echo = answer(std::string(63, 'x'));
  EXPECT_THAT(echo, HasSubstr("unknown command: " + std::string(63, 'x')));
  device.console.clear();
  device.typed = std::string(70, 'y') + "\rhelp\r";
  console.poll();
  console.poll();
  EXPECT_THAT(device.console, HasSubstr("unknown command: " + std::string(64, 'y') + " (help"));
  EXPECT_THAT(device.console, Not(HasSubstr(std::string(65, 'y'))));
  EXPECT_THAT(device.console, HasSubstr("this list"));
}

}  // namespace
}  // namespace cox::tests
