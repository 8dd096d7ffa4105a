// SPDX-License-Identifier: MIT
// Images with programs of engines that run streams: each way in which the container, a relocation or an instruction can be wrong is
// refused.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "coxswain/firmware/image/image_header.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/load/load.h"
#include "coxswain/firmware/stream/program_loader.h"
#include "tests/firmware/mixed_programs.h"
#include "tests/firmware/stream_programs.h"
#include "tests/sim/pim/programs.h"

namespace cox::tests {
namespace {

using firmware::image::DeviceGeometry;
using firmware::image::LoadedTask;
using firmware::stream::ProgramKinds;

struct alignas(64) Line {
  std::byte bytes[64];
};

struct LoadedProgram {
  std::vector<Line> workspace;
  Result<LoadedTask> result = Status();
};

LoadedProgram load(Image &image, const DeviceGeometry &geometry = firmware::image::reference_geometry(),
                   ProgramKinds kinds = firmware::stream::program_kinds(), std::size_t lines = 1024) {
  LoadedProgram loaded;
  loaded.workspace.resize(lines);
  firmware::stream::ProgramLoader loader(kinds);
  loaded.result = firmware::image::load(image.bytes(), geometry, std::as_writable_bytes(std::span(loaded.workspace)), nullptr, &loader);
  return loaded;
}

void expect_refused(Image image, ErrorCode code, const char *what, std::int32_t index = -1) {
  const Status status = load(image).result.status();
  EXPECT_EQ(status.code(), code) << error_name(status.code());
  EXPECT_STREQ(status.what(), what);
  EXPECT_EQ(status.index(), index);
}

template <typename Change>
void expect_refused(TaskText text, Change change, ErrorCode code, const char *what, std::int32_t index = -1) {
  change(text);
  expect_refused(Image(text), code, what, index);
}

TEST(StreamLoad, AnMxProgramHasItsInstructionsAndWindows) {
  Image image(sum_program(5));
  const LoadedProgram loaded = load(image);
  ASSERT_TRUE(loaded.result.ok()) << loaded.result.status().what();
  const LoadedTask &task = loaded.result.value();
  ASSERT_NE(task.program(), nullptr);
  EXPECT_EQ(task.program()->kind->engine(), registers::Engine::mx);
  EXPECT_EQ(task.instruction_count(), 6U) << "a CONFBADDR and five ELADD";
  EXPECT_TRUE(task.instructions().empty());
  EXPECT_EQ(task.windows()[1].size, kSumBytes);
  EXPECT_TRUE(task.windows()[1].writable);
  EXPECT_EQ(firmware::image::workspace_bytes(image.bytes()).value(), 128U) << "5 * 16 + 8 bytes of code";
}

TEST(StreamLoad, ACubeProgramIsCopiedToTheWorkspace) {
  const TaskText text = product_program();
  Image image(text);
  const LoadedProgram loaded = load(image);
  ASSERT_TRUE(loaded.result.ok()) << loaded.result.status().what() << " " << loaded.result.status().index();
  EXPECT_EQ(loaded.result.value().instruction_count(), text.program->code.size() / 32);
  EXPECT_EQ(std::memcmp(loaded.workspace.data(), text.program->code.data(), text.program->code.size()), 0);
}

TEST(StreamLoad, ManyStepsGiveTheSameResultAsOne) {
  for (const TaskText &text : {sum_program(100), product_program(), pim_program(4), unity_program(40)}) {
    Image image(text);
    std::vector<Line> workspace(1024);
    firmware::load::Load load;
    firmware::stream::ProgramLoader loader(firmware::stream::program_kinds());
    load.begin(image.bytes(), firmware::image::reference_geometry(), std::as_writable_bytes(std::span(workspace)), nullptr, &loader);
    unsigned steps = 1;
    while (load.step(1)) ++steps;
    ASSERT_TRUE(load.status().ok()) << load.status().what();
    EXPECT_GT(steps, load.task().instruction_count());
  }
}

TEST(StreamLoad, APimProgramIsCheckedCoreByCore) {
  namespace pim = test::pim;
  pim::Assembly program;
  for (unsigned i = 0; i < 5; ++i) program.add(0, pim::build::jmp(1)).add(2, pim::build::jmp(1));
  Image good(pim_text(program.bytes()));
  const LoadedProgram loaded = load(good);
  ASSERT_TRUE(loaded.result.ok()) << loaded.result.status().what();
  EXPECT_EQ(loaded.result.value().instruction_count(), 10U);
  EXPECT_EQ(loaded.result.value().program()->kind->engine(), registers::Engine::pim);

  pim::Assembly wrong = program;
  wrong.cores[2][3] = {0xFFFFFFFF};
  expect_refused(Image(pim_text(wrong.bytes())), ErrorCode::unknown_instruction, "opcode",
                 static_cast<std::int32_t>(isa::pim::Position{2, 3}.pack()));
  wrong.cores[2][3] = {isa::pim::Set::begin(isa::pim::Opcode::simd_compute)[0] | 3U << 28 | 31U << 15};
  expect_refused(Image(pim_text(wrong.bytes())), ErrorCode::field_out_of_range, "rs1",
                 static_cast<std::int32_t>(isa::pim::Position{2, 3}.pack()));

  std::vector<std::byte> bytes = program.bytes();
  bytes[0] = std::byte{0};
  expect_refused(Image(pim_text(bytes)), ErrorCode::field_out_of_range, "magic");
  expect_refused(Image(pim_text({bytes.begin(), bytes.begin() + 24})), ErrorCode::stream_truncated, "program");
  TaskText relocated = pim_text(program.bytes());
  relocated.program->relocations.push_back({.offset = 0, .place = 0, .window = 0});
  expect_refused(Image(relocated), ErrorCode::image_malformed, "program.relocations", 0);
}

/// The submitter may change the image while it is checked: nothing outside of the program is read.
TEST(StreamLoad, ACodeThatMovesOutOfAPimProgramDuringTheCheckIsRefused) {
  namespace pim = test::pim;
  pim::Assembly program;
  for (unsigned i = 0; i < 50; ++i) program.add(0, pim::build::jmp(1)).add(1, pim::build::jmp(1));
  const std::vector<std::byte> code = program.bytes();
  unsigned refused = 0;
  for (unsigned when = 1; when < 100; ++when) {
    Image image(pim_text(code));
    const std::span<std::byte> bytes = image.bytes();
    const auto found = std::search(bytes.begin(), bytes.end(), code.begin(), code.end());
    std::vector<Line> workspace(1024);
    firmware::load::Load load;
    firmware::stream::ProgramLoader loader(firmware::stream::program_kinds());
    load.begin(bytes, firmware::image::reference_geometry(), std::as_writable_bytes(std::span(workspace)), nullptr, &loader);
    for (unsigned step = 0; load.step(1); ++step) {
      if (step != when) continue;
      const std::uint32_t far = 0x7FFFFFF8;
      std::memcpy(&*found + sizeof(isa::pim::ProgramHeader) + sizeof(isa::pim::CodeEntry), &far, sizeof far);
    }
    if (std::string_view(load.status().what()) != "program.code") continue;
    EXPECT_EQ(load.status().code(), ErrorCode::image_malformed);
    EXPECT_EQ(load.status().index(), 1);
    ++refused;
  }
  EXPECT_GT(refused, 20U);
}

TEST(StreamLoad, AnEngineThatTheDeviceOrTheImageDoesNotHaveIsRefused) {
  DeviceGeometry without = firmware::image::reference_geometry();
  without.engines = 0;
  Image image(sum_program());
  Status status = load(image, without).result.status();
  EXPECT_EQ(status.code(), ErrorCode::unsupported);
  EXPECT_STREQ(status.what(), "MX engine");
  status = load(image, firmware::image::reference_geometry(), {}).result.status();
  EXPECT_EQ(status.code(), ErrorCode::unsupported);
  EXPECT_STREQ(status.what(), "jobs of the engine");
  EXPECT_EQ(status.value(), 0);
  const auto engine = [](unsigned number) {
    return [number](TaskText &text) { text.program->engine = static_cast<std::uint8_t>(number); };
  };
  expect_refused(sum_program(), engine(6), ErrorCode::unsupported, "engine");
  expect_refused(sum_program(), engine(255), ErrorCode::unsupported, "engine");  // the tile cores do not run streams
  TaskText echo = sum_program();
  echo.program->engine = static_cast<std::uint8_t>(registers::Engine::echo);
  Image of_echo(echo);
  status = load(of_echo, firmware::image::largest_geometry()).result.status();
  EXPECT_EQ(status.code(), ErrorCode::unsupported);
  EXPECT_STREQ(status.what(), "jobs of the engine") << "this image has no jobs of a test's engine";
}

TEST(StreamLoad, AProgramThatSubmitsToAnEngineThatTheDeviceLacksIsRefused) {
  Image image(mixed_program());
  ASSERT_TRUE(load(image).result.ok());
  for (const registers::Engine engine : {registers::Engine::mx, registers::Engine::cube, registers::Engine::pim}) {
    DeviceGeometry without = firmware::image::reference_geometry();
    without.engines &= ~(1U << registers::row_of(engine).number());
    const Status status = load(image, without).result.status();
    EXPECT_EQ(status.code(), ErrorCode::unsupported);
    EXPECT_STREQ(status.what(), registers::engine_name(engine));
  }
}

TEST(StreamLoad, TheContainerMustFitItsVersion) {
  const auto with_version = [](const TaskText &text, std::uint32_t version) {
    Image image(text);
    std::memcpy(image.bytes().data() + offsetof(firmware::image::ImageHeader, version), &version, sizeof(version));
    return image;
  };
  expect_refused(with_version(sum_program(), 1), ErrorCode::image_malformed, "program");
  expect_refused(with_version(copy_task(), 2), ErrorCode::image_malformed, "program");
  expect_refused(with_version(sum_program(), 3), ErrorCode::image_version, "version");
  expect_refused(
      sum_program(), [](TaskText &text) { text.code = copy_task().code; }, ErrorCode::image_malformed, "instructions");
}

TEST(StreamLoad, AStreamOfAWrongLengthIsRefused) {
  expect_refused(
      sum_program(), [](TaskText &text) { text.program->code.clear(); }, ErrorCode::image_malformed, "program.code");
  expect_refused(
      sum_program(), [](TaskText &text) { text.program->code.pop_back(); }, ErrorCode::image_malformed, "program.code");
  expect_refused(
      sum_program(), [](TaskText &text) { text.program->code.resize(text.program->code.size() - 8); }, ErrorCode::stream_truncated, "ELADD",
      1);
  expect_refused(
      product_program(), [](TaskText &text) { text.program->code.resize((1U << 24) + 32); }, ErrorCode::image_malformed, "program.code");
}

TEST(StreamLoad, TheWorkspaceMustBeLargeEnoughAndAligned) {
  Image image(product_program());
  EXPECT_EQ(load(image, firmware::image::reference_geometry(), firmware::stream::program_kinds(), 1).result.status().code(),
            ErrorCode::no_room);
  std::vector<Line> workspace(1024);
  firmware::stream::ProgramLoader loader(firmware::stream::program_kinds());
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(workspace));
  const Status status =
      firmware::image::load(image.bytes(), firmware::image::reference_geometry(), bytes.subspan(8), nullptr, &loader).status();
  EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
  EXPECT_STREQ(status.what(), "workspace");
}

TEST(StreamLoad, AWrongRelocationOfABaseRegisterIsRefused) {
  const char *const what = "program.relocations";
  ASSERT_EQ(sum_program().program->relocations.size(), 2U);
  const auto second = [](auto change) { return [change](TaskText &text) { change(text.program->relocations[1]); }; };
  expect_refused(sum_program(), second([](auto &one) { one.place = 0; }), ErrorCode::image_malformed, what, 1);
  expect_refused(sum_program(), second([](auto &one) { one.place = 32; }), ErrorCode::image_malformed, what, 1);
  expect_refused(sum_program(), second([](auto &one) { one.window = 4; }), ErrorCode::image_malformed, what, 1);
  expect_refused(sum_program(), second([](auto &one) { one.window = 2; }), ErrorCode::image_malformed, what, 1);
  expect_refused(sum_program(), second([](auto &one) { one.offset = kSumBytes; }), ErrorCode::image_malformed, what, 1);
  expect_refused(sum_program(), second([](auto &one) { one.offset = 1; }), ErrorCode::misaligned_address, "OutOffset", 1);
  expect_refused(sum_program(), second([](auto &one) { one.offset = 2; }), ErrorCode::address_outside_window, "OutOffset", 1);
  expect_refused(sum_program(), second([](auto &one) { one.place = 5; }), ErrorCode::base_not_written, "OutOffset", 1);
  expect_refused(
      sum_program(), [](TaskText &text) { text.program->relocations.resize(65'537); }, ErrorCode::image_malformed, what);
}

TEST(StreamLoad, AWrongRelocationOfASlotIsRefused) {
  const char *const what = "program.relocations";
  const TaskText good = product_program();
  const auto last = static_cast<std::int32_t>(good.program->relocations.size() - 1);
  ASSERT_GE(last, 2);
  const auto change_last = [](auto change) { return [change](TaskText &text) { change(text.program->relocations.back()); }; };
  expect_refused(good, change_last([](auto &one) { one.place += 4; }), ErrorCode::image_malformed, what, last);
  expect_refused(good, change_last([](auto &one) { one.place = UINT32_MAX; }), ErrorCode::image_malformed, what, last);
  expect_refused(good, change_last([](auto &one) { one.window = 4; }), ErrorCode::image_malformed, what, last);
  expect_refused(good, change_last([](auto &one) { one.window = 3; }), ErrorCode::image_malformed, what, last);
  expect_refused(good, change_last([](auto &one) { one.offset = UINT64_MAX; }), ErrorCode::image_malformed, what, last);
  expect_refused(
      good, [](TaskText &text) { text.program->relocations.pop_back(); }, ErrorCode::image_malformed, what, last);
  expect_refused(
      good, [](TaskText &text) { text.program->relocations.push_back({}); }, ErrorCode::image_malformed, what, last + 1);
  expect_refused(
      good, [](TaskText &text) { std::swap(text.program->relocations[0], text.program->relocations[1]); }, ErrorCode::image_malformed, what,
      0);
  // The output would go to a window that the program may only read, or pass the end of its window.
  expect_refused(good, change_last([](auto &one) { one.window = 0, one.offset = 0; }), ErrorCode::address_outside_window, "Destination",
                 static_cast<std::int32_t>(slot_of(good, static_cast<std::size_t>(last))));
  expect_refused(good, change_last([](auto &one) { one.offset += 4; }), ErrorCode::address_outside_window, "Destination",
                 static_cast<std::int32_t>(slot_of(good, static_cast<std::size_t>(last))));
}

TEST(StreamLoad, AnInstructionThatTheEngineWouldRefuseIsRefused) {
  expect_refused(
      sum_program(), [](TaskText &text) { text.program->code[8] = 0x0F; }, ErrorCode::unknown_instruction, "opcode", 1);
  expect_refused(
      product_program(), [](TaskText &text) { text.program->code[0] = 0; }, ErrorCode::unknown_instruction, "opcode", 0);
  expect_refused(
      sum_program(), [](TaskText &text) { text.program->code.erase(text.program->code.begin(), text.program->code.begin() + 8); },
      ErrorCode::missing_configuration, "CONFBADDR", 0);
}

/// Any byte of an image may be wrong. Nothing must be read or written outside of image and workspace.
TEST(StreamLoad, NoFlippedByteGetsPastTheChecks) {
  for (const TaskText &text : {sum_program(3), product_program(), mixed_program()}) {
    Image image(text);
    for (std::size_t at = 16; at < image.bytes().size(); ++at) {
      for (const std::byte flip : {std::byte{0x01}, std::byte{0x80}, std::byte{0xFF}}) {
        image.bytes()[at] ^= flip;
        image.seal();
        const LoadedProgram loaded = load(image);
        if (loaded.result.ok() && loaded.result.value().program() != nullptr) {
          EXPECT_GT(loaded.result.value().instruction_count(), 0U);
        }
        image.bytes()[at] ^= flip;
      }
    }
  }
}

}  // namespace
}  // namespace cox::tests
