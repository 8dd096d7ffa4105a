// SPDX-License-Identifier: MIT
// What the console says of tasks while they run: between jobs there are none.
#include "firmware/console/console.h"

#include <gmock/gmock.h>

#include "firmware/console/text.h"
#include "firmware/image/loader.h"
#include "tests/firmware/fake_device.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {
namespace {

using isa::tile::Class;
using testing::HasSubstr;
using testing::Not;

class ConsoleTest : public testing::Test {
 protected:
  std::string answer(const std::string &command) {
    device.console.clear();
    device.typed = command + "\r";
    console.poll();
    return device.console;
  }

  FakeDevice device;
  firmware::schedule::Scheduler scheduler;
  firmware::job::JobProcessor jobs{scheduler, {board::dram_base(), board::dram_size()}};
  firmware::console::Console console{scheduler, jobs};
};

TEST_F(ConsoleTest, TokensOfATaskThatRuns) {
  TaskText text = copy_task();
  // The cut gives a token to the store as well, which waits for the load.
  isa::insert_bits(text.code[kCut], isa::tile::kNextBit, isa::tile::kClasses, bit(Class::LD) | bit(Class::ST));
  isa::insert_bits(text.code[kStore], isa::tile::kPreviousBit, isa::tile::kClasses, bit(Class::LD) | bit(Class::CT));
  Image image(text);
  std::vector<std::uint64_t> workspace(firmware::image::workspace_bytes(text.code.size()) / 8 + 1);
  const auto loaded =
      firmware::image::load(image.bytes(), firmware::image::reference_geometry(), std::as_writable_bytes(std::span(workspace)));
  ASSERT_TRUE(loaded.ok()) << loaded.status().what();
  std::vector<std::uint64_t> memory(32);
  std::array<hal::Window, hal::kWindows> windows{};
  windows[0] = {reinterpret_cast<std::uintptr_t>(memory.data()), 256, true, true};

  ASSERT_TRUE(scheduler.initialise(device.queue_memory()).ok());
  EXPECT_THAT(answer("tasks"), HasSubstr("no task is loaded"));
  EXPECT_THAT(answer("tokens"), HasSubstr("no task runs"));
  device.duration = [](unsigned, const isa::tile::MachineCode &code) -> std::uint64_t {
    return isa::tile::opcode_of(code) == isa::tile::Opcode::lda_mov ? 1'000'000 : 100;
  };
  const auto context = scheduler.start(loaded.value(), windows);
  ASSERT_TRUE(context.ok());
  ASSERT_FALSE(board::mask_interrupts());
  board::wait_for_interrupt();  // the cut has ended, the load runs
  board::restore_interrupts(false);
  EXPECT_THAT(answer("tokens"), HasSubstr("context 0: running\r\n  CT->ST 1\r\n>"));
  // The load; the configuration before it has ended.
  EXPECT_THAT(answer("queues"), HasSubstr("\nLD     1          1 "));
  EXPECT_TRUE(scheduler.wait(context.value()).value().status.ok());
  EXPECT_THAT(answer("tokens"), HasSubstr("no task runs"));
  EXPECT_THAT(answer("stats"), HasSubstr("jobs 0, runs 1, failures 0\r\naccelerator instructions 7"));
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
