// SPDX-License-Identifier: MIT
// Windows of a run at their limits (docs/jobs.md, Windows).
#include "coxswain/firmware/schedule/bindings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace cox::tests {
namespace bindings_test {

using firmware::image::LoadedTask;
using firmware::image::WindowNeed;
using firmware::schedule::bind_windows;
using firmware::schedule::WindowUse;

constexpr MemoryRange kDram{0x60000000, 0x10000}, kReserved{0x60001000, 0x1000}, kRing{0x60000000, 0x80}, kOdd{0x60003000, 9};
constexpr std::uint64_t kFree = 0x60004000;
using Given = std::array<MemoryRange, hal::kWindows>;
using Needs = std::array<WindowNeed, hal::kWindows>;

class Bindings : public testing::Test {
 protected:
  Status bind(const Needs &needs, const Given &given) {
    const LoadedTask task(nullptr, firmware::image::StreamProgram{}, needs);
    const std::array<MemoryRange, 3> reserved{kRing, kReserved, kOdd};
    return bind_windows(task, given, kDram, reserved, windows, &use);
  }
  /// Binds window 2, which needs `bytes`, to `given`.
  Status bind_one(std::uint64_t bytes, const MemoryRange &given) {
    Needs needs;
    needs[2].size = bytes;
    return bind(needs, {{{}, {}, given, {}}});
  }
  static void refused(const Status &status, ErrorCode code, std::int32_t index = 2) {
    EXPECT_EQ(status.code(), code) << error_name(status.code());
    EXPECT_STREQ(status.what(), "windows");
    EXPECT_EQ(status.index(), index);
  }

  std::array<hal::Window, hal::kWindows> windows{};
  WindowUse use;
};

TEST_F(Bindings, AWindowLiesInDram) {
  const std::uint64_t end = kDram.end();
  EXPECT_TRUE(bind_one(64, {end - 64, 64}).ok());
  EXPECT_EQ(windows[2].base, end - 64);
  EXPECT_EQ(windows[2].bytes, 64U);
  EXPECT_TRUE(windows[2].read && !windows[2].write);
  for (const MemoryRange &given : std::vector<MemoryRange>{{end - 56, 64},
                                                           {end, 64},
                                                           {end + 8, 64},
                                                           {kDram.address - 8, 64},
                                                           {0, 64},
                                                           {kFree + (std::uint64_t{1} << 32), 64},
                                                           {kFree, std::uint64_t{1} << 32},
                                                           {kFree, UINT64_MAX - 7},
                                                           {UINT64_MAX - 7, 64}}) {
    refused(bind_one(64, given), ErrorCode::window_outside_dram);
  }
}

TEST_F(Bindings, AWindowIsLargeEnoughAndAligned) {
  EXPECT_TRUE(bind_one(64, {kFree, 65}).ok());
  EXPECT_EQ(windows[2].bytes, 64U) << "as large as the task needs it";
  refused(bind_one(64, {kFree, 63}), ErrorCode::window_too_small);
  refused(bind_one((std::uint64_t{1} << 32) + 64, {kFree, 64}), ErrorCode::window_too_small);
  for (unsigned offset = 1; offset < 8; ++offset) refused(bind_one(64, {kFree + offset, 64}), ErrorCode::misaligned_address);
  refused(bind_one(64, {kFree, 0}), ErrorCode::window_missing);
}

TEST_F(Bindings, AWindowOverlapsNoReservedMemory) {
  EXPECT_TRUE(bind_one(64, {kReserved.address - 64, 64}).ok());
  EXPECT_TRUE(bind_one(64, {kReserved.end(), 64}).ok());
  EXPECT_TRUE(bind_one(64, {kRing.end(), 64}).ok());
  EXPECT_TRUE(bind_one(8, {kReserved.address - 8, 256}).ok()) << "only the bytes that the task needs count";
  for (const std::uint64_t first : {kReserved.address - 56, kReserved.address, kReserved.address + 64, kReserved.end() - 64,
                                    kReserved.end() - 8, kRing.address, kRing.end() - 8}) {
    refused(bind_one(64, {first, 64}), ErrorCode::window_overlap);
  }
  refused(bind_one(64, {kOdd.end() - 1, 64}), ErrorCode::window_overlap);
  refused(bind_one(57, {kReserved.address - 56, 57}), ErrorCode::window_overlap);
  EXPECT_TRUE(bind_one(56, {kReserved.address - 56, 56}).ok());
  refused(bind_one(0x2000, {kReserved.address - 0x800, 0x2000}), ErrorCode::window_overlap);
}

TEST_F(Bindings, AWindowThatIsWrittenOverlapsNoOther) {
  for (const unsigned one : {0U, 1U, 3U}) {
    for (const unsigned other : {0U, 1U, 3U}) {
      if (one == other) continue;
      for (const std::uint64_t distance : {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{56}, std::uint64_t{64}}) {
        for (unsigned written = 0; written < 4; ++written) {
          Needs needs;
          needs[one].size = needs[other].size = 64;
          needs[one].writable = (written & 1) != 0;
          needs[other].writable = (written & 2) != 0;
          Given given{};
          given[one] = {kFree, 64};
          given[other] = {kFree + distance, 64};
          const Status status = bind(needs, given);
          if (written == 0 || distance == 64) {
            EXPECT_TRUE(status.ok()) << one << " " << other << " " << distance;
            EXPECT_EQ(use.written, (written & 1) << one | written >> 1 << other);
          } else {
            refused(status, ErrorCode::window_overlap, static_cast<std::int32_t>(std::max(one, other)));
          }
        }
      }
    }
  }
}

TEST_F(Bindings, ConstantsAreUsedInPlaceOrWritten) {
  alignas(8) static const std::byte constant[64] = {};
  Needs needs;
  needs[0] = {.size = 64, .has_constants = true, .in_place = constant};
  needs[1] = {.size = 64, .writable = true, .has_constants = true, .in_place = {}};
  needs[3] = {.size = 64, .has_constants = true, .in_place = {}};
  const MemoryRange second{kFree + 64, 64}, fourth{kFree + 128, 64};
  EXPECT_TRUE(bind(needs, {{{}, second, {}, fourth}}).ok());
  EXPECT_EQ(windows[0].base, reinterpret_cast<std::uintptr_t>(constant));
  EXPECT_EQ(use.written, 0b1010U);
  EXPECT_EQ(use.constants, 0b1010U);
  EXPECT_TRUE(bind(needs, {{{kFree, 64}, second, {}, fourth}}).ok());
  EXPECT_EQ(windows[0].base, kFree);
  EXPECT_FALSE(windows[0].write) << "the core writes it, not the device";
  EXPECT_EQ(use.written, 0b1011U);
  EXPECT_EQ(use.constants, 0b1011U);
  refused(bind(needs, {{{kFree + 128, 64}, second, {}, fourth}}), ErrorCode::window_overlap, 3);
}

TEST_F(Bindings, AWindowThatTheTaskDoesNotNeedIsClosed) {
  windows.fill({.base = 8, .bytes = 16, .read = true, .write = true});
  EXPECT_TRUE(bind_one(64, {kFree, 64}).ok());
  for (const unsigned i : {0U, 1U, 3U}) {
    EXPECT_EQ(windows[i].base, 0U);
    EXPECT_EQ(windows[i].bytes, 0U);
    EXPECT_FALSE(windows[i].read || windows[i].write);
  }
}

}  // namespace bindings_test
}  // namespace cox::tests
