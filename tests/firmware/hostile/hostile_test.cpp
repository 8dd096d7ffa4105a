// SPDX-License-Identifier: MIT
// The firmware runs each hostile task beside a task of another owner, the neighbour. Tasks that the verifier refuses also go directly to
// the device. The neighbour's result must be right, and only the hostile task's own bytes may change.
#include <gmock/gmock.h>

#include <bit>
#include <cstring>
#include <iostream>
#include <set>

#include "boards/native/native_board.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "tests/firmware/hostile/direct_device.h"
#include "tests/firmware/hostile/hostile_tasks.h"

namespace cox::tests {
namespace {

using firmware::image::LoadedTask;
using isa::tile::Class;
using isa::tile::MachineCode;
using isa::tile::Opcode;

/// Core mask of both tasks. They run on core 0 and compete for it.
constexpr std::uint8_t kSameCore = 1;
constexpr std::size_t kTensor = 128, kRounds = 150;
// Offsets in DRAM. No task may touch the room between the windows.
constexpr std::size_t kHostileWindow = 4096, kHostileConstants = 8192, kNeighbourWindow = 16384, kNeighbourWeights = 131072,
                      kWatched = 262144;

/// Weights that leave each channel unchanged: 8 records, each of a 1 x 1 kernel over 8 channels.
std::vector<std::uint8_t> identity() {
  std::vector<std::uint8_t> records;
  for (unsigned k = 0; k < 8; ++k) {
    std::vector<std::uint8_t> record(8 + 32);
    record[k] = 1;
    const float scale = 1;
    std::memcpy(record.data() + 8, &scale, sizeof(scale));
    records.insert(records.end(), record.begin(), record.end());
  }
  return records;
}

/// Returns a task that copies the first half of its window to the second half: `rounds` times it loads, convolves with its own weights, and
/// stores. Its L2 blocks and units of WL0 are those of the neighbour in hostile_tasks.h.
TaskText neighbour(std::size_t rounds) {
  constexpr std::int64_t kFirst = kNeighbourFirstBlock * 1024, kSecond = kFirst + 2048;
  constexpr std::int64_t kBlocks = kNeighbourLastBlock - kNeighbourFirstBlock + 1;
  const auto one = std::bit_cast<std::int32_t>(1.0F);
  TaskText text;
  text.name = "neighbour";
  text.windows = {{0, 2 * rounds * kTensor, true}, {1, identity().size(), false}};
  const Fields map = {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}};
  const Fields record = {{"BAS", {1}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}};
  text.code = {
      make(Opcode::ct_st),
      make(Opcode::ct_bc, {{"BufCut", {kBlocks, kNeighbourLastBlock}}}, 0, bit(Class::LD) | bit(Class::PE)),
      make(Opcode::lda_cfg, map),
      make(Opcode::sta_cfg, map),
      make(Opcode::lw_cfg, record),
      make(Opcode::lw_mov, {{"SS", {1}}, {"DTaddr", {kNeighbourFirstUnit}}, {"Wsize", {8, 8, 1, 1}}}, 0, bit(Class::PE)),
      make(Opcode::pe_cfg_fm,
           {{"IF", {1}}, {"OF", {1}}, {"SF", {1}}, {"WF", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}}),
      make(Opcode::pe_cfg_pm, {{"QC", {2}}, {"QK", {one}}, {"STRIDE", {1, 1}}}),
      make(Opcode::pe_cfg_tp, {{"KERNEL", {1, 1}}, {"Tile", {1, 8, 8, 4, 4}}}),
  };
  for (std::size_t i = 0; i < rounds; ++i) {
    const auto from = static_cast<std::int64_t>(i * kTensor);
    const auto to = static_cast<std::int64_t>((i + rounds) * kTensor);
    const bool first = i == 0, last = i + 1 == rounds;
    text.code.push_back(make(Opcode::lda_mov, {{"STaddr", {from}}, {"DTaddr", {kFirst}}, {"Tile", {1, 8, 4, 4}}},
                             first ? bit(Class::CT) : bit(Class::PE), bit(Class::PE)));
    text.code.push_back(make(Opcode::pe_conv, {{"STaddr", {kFirst}}, {"SWaddr", {kNeighbourFirstUnit}}, {"DTaddr", {kSecond}}},
                             bit(Class::LD) | (first ? bit(Class::CT) | bit(Class::LW) : bit(Class::ST)),
                             bit(Class::ST) | (last ? 0 : bit(Class::LD))));
    text.code.push_back(make(Opcode::sta_mov, {{"STaddr", {kSecond}}, {"DTaddr", {to}}, {"Tile", {1, 8, 4, 4}}}, bit(Class::PE),
                             last ? bit(Class::CT) : bit(Class::PE)));
  }
  text.code.push_back(make(Opcode::ct_ed, {}, bit(Class::ST)));
  return text;
}

/// L2 addresses of the maps that neighbour() uses: the map as loaded, and the convolved map before the store.
constexpr std::int64_t kLoadedMap = kNeighbourFirstBlock * 1024, kConvolvedMap = kLoadedMap + 2048;

/// A task that runs after neighbour(1) and tries to copy that task's data to its own window: to the second half, which is zero at first.
struct Spy {
  const char *name;
  TaskText text;
};

/// Returns a task that stores what neighbour() left at L2 address `map`. The task uses L2 blocks kNeighbourFirstBlock to `last_block`.
TaskText store_what_is_there(std::int64_t map, std::int64_t last_block = kNeighbourLastBlock) {
  TaskText text;
  text.name = "spy";
  text.windows = {{0, 2 * kTensor, true}, {1, identity().size(), false}};
  text.code = {
      make(Opcode::ct_st),
      make(Opcode::ct_bc, {{"BufCut", {last_block - kNeighbourFirstBlock + 1, last_block}}}, 0, bit(Class::ST)),
      make(Opcode::sta_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}}),
      make(Opcode::sta_mov, {{"STaddr", {map}}, {"DTaddr", {kTensor}}, {"Tile", {1, 8, 4, 4}}}, bit(Class::CT), bit(Class::CT)),
      make(Opcode::ct_ed, {}, bit(Class::ST)),
  };
  return text;
}

/// Returns a task that convolves as the neighbour does, but loads no weights.
TaskText convolve_with_what_is_there() {
  TaskText text = neighbour(1);
  std::erase_if(text.code, [](const MachineCode &code) {
    return isa::tile::opcode_of(code) == Opcode::lw_cfg || isa::tile::opcode_of(code) == Opcode::lw_mov;
  });
  for (MachineCode &code : text.code) {
    if (isa::tile::opcode_of(code) == Opcode::pe_conv)
      isa::insert_bits(code, isa::tile::kPreviousBit, isa::tile::kClasses, bit(Class::LD) | bit(Class::CT));
  }
  return text;
}

std::vector<Spy> spies() {
  return {{"the map that it loaded", store_what_is_there(kLoadedMap)},
          {"the map that it stored", store_what_is_there(kConvolvedMap)},
          {"its weights", convolve_with_what_is_there()}};
}

struct Loaded {
  explicit Loaded(const HostileTask &hostile) : image(text_of(hostile)) {
    if (hostile.change_image) hostile.change_image(image);
    load();
  }
  explicit Loaded(const TaskText &text) : image(text) { load(); }
  static TaskText text_of(const HostileTask &hostile) {
    TaskText text = hostile_base();
    hostile.change(text);
    return text;
  }
  void load() {
    const auto bytes = firmware::image::workspace_bytes(image.bytes());
    workspace.resize(bytes ? bytes.value() / sizeof(std::uint64_t) + 1 : 1);
    firmware::image::DeviceGeometry geometry = firmware::image::reference_geometry();
    geometry.cores = 2;
    result = firmware::image::load(image.bytes(), geometry, std::as_writable_bytes(std::span(workspace)));
  }
  Image image;
  std::vector<std::uint64_t> workspace;
  Result<LoadedTask> result = Status(ErrorCode::not_ready, "");
};

/// A board with the windows of both tasks in DRAM. All of DRAM is filled with a pattern first.
class Board {
 public:
  Board() {
    board::NativeBoardSettings settings;
    settings.model_options = R"({"geometry": {"tile_cores": 2}})";
    settings.dram_bytes = 16U << 20;
    settings.log = [](int, std::string_view) {};
    std::string error;
    board_ = board::NativeBoard::create(std::move(settings), error);
    EXPECT_NE(board_, nullptr) << error;
    for (std::size_t i = 0; i < kWatched; ++i) dram()[i] = static_cast<std::byte>(i * 7 + i / 251);
    std::memcpy(dram() + kNeighbourWeights, identity().data(), identity().size());
    before_.assign(dram(), dram() + kWatched);
  }
  std::byte *dram() { return board_->dram().data(); }
  board::NativeBoard &operator*() { return *board_; }

  std::array<hal::Window, hal::kWindows> hostile_windows() {
    std::array<hal::Window, hal::kWindows> windows{};
    windows[0] = {at(kHostileWindow), 256, true, true};
    windows[1] = {at(kHostileConstants), 64, true, false};
    return windows;
  }
  std::array<hal::Window, hal::kWindows> neighbour_windows(std::size_t rounds) {
    std::array<hal::Window, hal::kWindows> windows{};
    windows[0] = {at(kNeighbourWindow), 2 * rounds * kTensor, true, true};
    windows[1] = {at(kNeighbourWeights), identity().size(), true, false};
    return windows;
  }
  /// Checks that the neighbour's result is right, and that otherwise only the hostile task's own window has changed.
  void check(std::size_t rounds) {
    std::vector<std::byte> expected = before_;
    std::memcpy(&expected[kNeighbourWindow + rounds * kTensor], &expected[kNeighbourWindow], rounds * kTensor);
    std::memcpy(&expected[kHostileWindow], dram() + kHostileWindow, 256);
    for (std::size_t i = 0; i < kWatched; ++i) ASSERT_EQ(dram()[i], expected[i]) << "byte " << i << " of DRAM";
  }

 private:
  static std::uint64_t at(std::size_t offset) { return hal::dram_range().address + offset; }

  std::unique_ptr<board::NativeBoard> board_;
  std::vector<std::byte> before_;
};

TEST(Hostile, HasEnoughAndEachHasItsName) {
  std::set<std::string> names;
  for (const HostileTask &task : hostile_tasks()) EXPECT_TRUE(names.insert(task.name).second) << task.name;
  EXPECT_GE(names.size(), 50U);
  std::cout << names.size() << " hostile tasks\n";
}

TEST(Hostile, TheBaseIsHarmless) {
  const HostileTask harmless{"base", "", Fate::runs, ErrorCode::ok, false, [](TaskText &) {}};
  EXPECT_TRUE(Loaded(harmless).result.ok());
}

TEST(Hostile, IsRefusedOrContainedByTheFirmware) {
  for (const HostileTask &hostile : hostile_tasks()) {
    SCOPED_TRACE(hostile.name);
    Board board;
    Loaded good(neighbour(kRounds));
    ASSERT_TRUE(good.result.ok()) << error_name(good.result.status().code()) << " " << good.result.status().what();
    const auto scheduler = std::make_unique<firmware::schedule::Scheduler>();
    hal::Accelerator accelerator;
    ASSERT_TRUE(accelerator.open().ok());
    ASSERT_TRUE(scheduler->initialise(accelerator).ok());
    const auto theirs = scheduler->start(good.result.value(), board.neighbour_windows(kRounds), {.core_mask = kSameCore, .owner = 1});
    ASSERT_TRUE(theirs.ok());

    Loaded bad(hostile);
    const Status status = bad.result.status();
    if (hostile.fate == Fate::refused) {
      EXPECT_EQ(status.code(), hostile.error) << error_name(status.code()) << " " << status.what();
    } else {
      EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what() << " at " << status.index();
      if (!status.ok()) continue;
      const auto ours =
          scheduler->start(bad.result.value(), board.hostile_windows(),
                           {.time_limit_us = hostile.error == ErrorCode::time_limit ? 300U : 50'000U, .core_mask = kSameCore, .owner = 2});
      EXPECT_EQ(ours.ok(), hostile.fate == Fate::runs);
      if (ours) {
        const auto report = scheduler->wait(ours.value());
        ASSERT_TRUE(report.ok());
        const Status end = report.value().status;
        EXPECT_EQ(end.code(), hostile.error) << error_name(end.code()) << " " << end.what() << " at " << end.index();
      } else {
        EXPECT_EQ(ours.status().code(), hostile.error) << error_name(ours.status().code()) << " " << ours.status().what();
      }
    }
    const auto report = scheduler->wait(theirs.value());
    ASSERT_TRUE(report.ok() && report.value().status.ok()) << error_name(report.value().status.code());
    board.check(kRounds);
    if (HasFatalFailure()) return;
  }
}

// A correct task of another owner, the neighbour, runs half of its instructions before the hostile task and half after it. In between, the
// neighbour has data in L2 and weights in WL0.
TEST(Hostile, IsStoppedByTheDeviceAlone) {
  unsigned count = 0;
  for (const HostileTask &hostile : hostile_tasks()) {
    if (!hostile.direct) continue;
    SCOPED_TRACE(hostile.name);
    ++count;
    Board board;
    DirectDevice device(board::queue_memory(), *board);
    constexpr unsigned kTheirs = 3, kOurs = 5;
    hal::ContextConfiguration configuration;
    configuration.l2_first = kNeighbourFirstBlock;
    configuration.l2_last = kNeighbourLastBlock;
    configuration.wl0_first = kNeighbourFirstUnit;
    configuration.wl0_last = kNeighbourLastUnit;
    configuration.last_core = 0;
    configuration.owner = 1;
    std::ranges::copy(board.neighbour_windows(1), configuration.windows);
    ASSERT_TRUE(hal::configure_context(device.geometry(), kTheirs, configuration).ok());
    configuration.l2_first = 0;
    configuration.l2_last = 7;
    configuration.wl0_first = 0;
    configuration.wl0_last = kNeighbourFirstUnit - 1;
    configuration.owner = 2;
    std::ranges::copy(board.hostile_windows(), configuration.windows);
    ASSERT_TRUE(hal::configure_context(device.geometry(), kOurs, configuration).ok());

    const std::vector<MachineCode> theirs = neighbour(1).code;
    const std::size_t half = theirs.size() - 3;  // the neighbour's instructions up to and including its load
    using testing::Each;
    EXPECT_THAT(device.run(std::span(theirs).first(half), kTheirs, true), Each(hal::FaultCode::none));
    const std::vector<hal::FaultCode> statuses = device.run(Loaded::text_of(hostile).code, kOurs, false);
    EXPECT_THAT(device.run(std::span(theirs).subspan(half), kTheirs, true), Each(hal::FaultCode::none));
    EXPECT_THAT(statuses, testing::Contains(testing::AllOf(testing::Ne(hal::FaultCode::none), testing::Ne(hal::FaultCode::aborted))));
    board.check(1);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(count, 40U);
  std::cout << count << " of them straight to the device\n";
}

/// What the second half of a window holds: a copy of the first half (all), zeros (nothing) or other bytes (something).
enum class Found : std::uint8_t { all, nothing, something };
Found found(const std::byte *window) {
  if (std::equal(window + kTensor, window + 2 * kTensor, window)) return Found::all;
  const bool zeros = std::all_of(window + kTensor, window + 2 * kTensor, [](std::byte byte) { return byte == std::byte{0}; });
  return zeros ? Found::nothing : Found::something;
}

// The device clears L2 and WL0 when the owner changes; the firmware does not have to (docs/model.md, Owners).
TEST(Hostile, WhatATaskLeavesIsThereForItsOwnerAlone) {
  for (const Spy &spy : spies()) {
    for (const std::uint8_t owner : std::initializer_list<std::uint8_t>{1, 2}) {
      SCOPED_TRACE(std::string(spy.name) + ", owner " + std::to_string(owner));
      Board board;
      const auto scheduler = std::make_unique<firmware::schedule::Scheduler>();
      hal::Accelerator accelerator;
      ASSERT_TRUE(accelerator.open().ok());
      ASSERT_TRUE(scheduler->initialise(accelerator).ok());
      Loaded first(neighbour(1)), second(spy.text);
      ASSERT_TRUE(first.result.ok() && second.result.ok()) << error_name(second.result.status().code());
      const auto run = [&](Loaded &task, std::uint8_t of) {
        const auto context = scheduler->start(task.result.value(), board.neighbour_windows(1), {.core_mask = kSameCore, .owner = of});
        ASSERT_TRUE(context.ok());
        const auto report = scheduler->wait(context.value());
        EXPECT_TRUE(report.ok() && report.value().status.ok()) << error_name(report.value().status.code());
      };
      run(first, 1);
      std::fill_n(board.dram() + kNeighbourWindow + kTensor, kTensor, std::byte{0x55});
      run(second, owner);
      EXPECT_EQ(found(board.dram() + kNeighbourWindow), owner == 1 ? Found::all : Found::nothing);
    }
  }
}

TEST(Hostile, WhatATaskLeavesTheDeviceClearsItself) {
  for (const Spy &spy : spies()) {
    for (const std::uint8_t owner : std::initializer_list<std::uint8_t>{1, 2}) {
      SCOPED_TRACE(std::string(spy.name) + ", owner " + std::to_string(owner));
      Board board;
      DirectDevice device(board::queue_memory(), *board);
      hal::ContextConfiguration configuration;
      configuration.l2_first = kNeighbourFirstBlock;
      configuration.l2_last = kNeighbourLastBlock;
      configuration.wl0_first = kNeighbourFirstUnit;
      configuration.wl0_last = kNeighbourLastUnit;
      configuration.last_core = 0;
      std::ranges::copy(board.neighbour_windows(1), configuration.windows);
      const auto run = [&](const TaskText &text, unsigned context, std::uint8_t of) {
        configuration.owner = of;
        ASSERT_TRUE(hal::configure_context(device.geometry(), context, configuration).ok());
        EXPECT_THAT(device.run(text.code, context, true), testing::Each(hal::FaultCode::none));
      };
      run(neighbour(1), 3, 1);
      std::fill_n(board.dram() + kNeighbourWindow + kTensor, kTensor, std::byte{0x55});
      run(spy.text, 5, owner);
      EXPECT_EQ(found(board.dram() + kNeighbourWindow), owner == 1 ? Found::all : Found::nothing);
    }
  }
}

TEST(Hostile, ClearingTakesTimeOfTheNextOwnerAlone) {
  // Blocks 16 to 4111 are 4,096 blocks. The device takes four cycles to clear a block. During the first 50 of these cycles, the instruction
  // would have to wait anyway, because an instruction starts no earlier than 50 cycles after its doorbell.
  const TaskText text = store_what_is_there(kLoadedMap, 4111);
  Board board;
  const auto scheduler = std::make_unique<firmware::schedule::Scheduler>();
  hal::Accelerator accelerator;
  ASSERT_TRUE(accelerator.open().ok());
  ASSERT_TRUE(scheduler->initialise(accelerator).ok());
  Loaded task(text);
  ASSERT_TRUE(task.result.ok());
  std::vector<std::uint64_t> cycles;
  for (const std::uint8_t owner : std::initializer_list<std::uint8_t>{1, 1, 2, 2, 1}) {
    const auto context = scheduler->start(task.result.value(), board.neighbour_windows(1), {.core_mask = kSameCore, .owner = owner});
    ASSERT_TRUE(context.ok());
    const auto report = scheduler->wait(context.value());
    ASSERT_TRUE(report.ok() && report.value().status.ok());
    cycles.push_back(report.value().end_cycle - report.value().start_cycle);
  }
  EXPECT_EQ(cycles[1], cycles[0]);
  EXPECT_EQ(cycles[2], cycles[0] + 4096 * 4 - 50);
  EXPECT_EQ(cycles[3], cycles[0]);
  EXPECT_EQ(cycles[4], cycles[2]);
}

// These are errors of the caller, not of the task.
TEST(Hostile, AWorkspaceThatIsTooSmallOrMisalignedIsRefused) {
  Image image(hostile_base());
  const std::size_t needed = firmware::image::workspace_bytes(image.bytes()).value();
  std::vector<std::uint64_t> words(needed / 8 + 2, 0xA5A5A5A5A5A5A5A5);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(words));
  const firmware::image::DeviceGeometry geometry = firmware::image::reference_geometry();
  for (const std::size_t size : {std::size_t{0}, std::size_t{4}, needed - 1}) {
    const Status status = firmware::image::load(image.bytes(), geometry, bytes.first(size)).status();
    EXPECT_EQ(status.code(), ErrorCode::no_room);
    EXPECT_EQ(status.limit(), static_cast<std::int64_t>(needed));
  }
  EXPECT_EQ(firmware::image::load(image.bytes(), geometry, bytes.subspan(1)).status().code(), ErrorCode::invalid_argument);
  EXPECT_THAT(words, testing::Each(0xA5A5A5A5A5A5A5A5));
  ASSERT_TRUE(firmware::image::load(image.bytes(), geometry, bytes.first(needed)).ok());
  EXPECT_EQ(words.back(), 0xA5A5A5A5A5A5A5A5);
}

TEST(Hostile, OneInstructionMoreThanATaskCanHave) {
  TaskText text = hostile_base();
  text.code.insert(text.code.begin() + kLoadConfiguration, firmware::verify::kMaximumInstructions - text.code.size(),
                   text.code[kLoadConfiguration]);
  const Loaded most(text);
  EXPECT_TRUE(most.result.ok()) << error_name(most.result.status().code()) << " " << most.result.status().what();
  text.code.insert(text.code.begin() + kLoadConfiguration, text.code[kLoadConfiguration]);
  EXPECT_EQ(Loaded(text).result.status().code(), ErrorCode::too_many_instructions);
}

}  // namespace
}  // namespace cox::tests
