// SPDX-License-Identifier: MIT
// DRAM of the native board that is not coherent (docs/hal.md, Memory that is not coherent).
#include "boards/native/core_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/hal/barrier.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "tests/hal/scripted_model.h"

namespace cox::board {
namespace {

constexpr std::uint64_t kSeeds = 100;
constexpr std::size_t kAt = 4096 + 8;  ///< offset of a byte in the middle of a line

class CoreCacheTest : public testing::Test {
 protected:
  void power_on(std::uint64_t seed, std::chrono::microseconds idle_tick = {}) {
    board.reset();
    scripted_model() = ScriptedModel();
    NativeBoardSettings settings;
    settings.dram_bytes = std::size_t{16} << 20;
    settings.cache_seed = seed;
    settings.idle_tick = idle_tick;
    std::string error;
    board = NativeBoard::create(std::move(settings), error);
    ASSERT_NE(board, nullptr) << error;
  }
  [[nodiscard]] std::byte &core(std::size_t offset) const { return board->core_dram()[offset]; }
  [[nodiscard]] std::byte &memory(std::size_t offset) const { return board->dram()[offset]; }
  static void device_writes(std::size_t offset, std::byte value) {
    const cox_host &host = scripted_model().host;
    EXPECT_EQ(host.write(host.opaque, BOARD_DRAM_BASE + offset, &value, 1), 0);
  }
  static std::byte device_reads(std::size_t offset) {
    const cox_host &host = scripted_model().host;
    std::byte value{};
    EXPECT_EQ(host.read(host.opaque, BOARD_DRAM_BASE + offset, &value, 1), 0);
    return value;
  }
  /// The core does other things, and lines may be evicted.
  static void other_work() {
    for (int i = 0; i < 50; ++i) hal::memory_barrier();
  }
  /// Returns for how many seeds `happens` returns true.
  std::uint64_t count(const std::function<bool()> &happens, std::chrono::microseconds idle_tick = {}) {
    std::uint64_t times = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      power_on(seed, idle_tick);
      times += happens() ? 1 : 0;
    }
    return times;
  }

  std::unique_ptr<NativeBoard> board;
};

TEST_F(CoreCacheTest, TheDeviceSeesWhatTheCoreHasCleaned) {
  const std::uint64_t before = count([&] {
    core(kAt) = std::byte{7};
    other_work();
    const bool evicted = device_reads(kAt) == std::byte{7};
    hal::clean_cache(&core(kAt), 1);
    EXPECT_EQ(device_reads(kAt), std::byte{7});
    EXPECT_EQ(memory(kAt), std::byte{7});
    EXPECT_EQ(core(kAt), std::byte{7});
    return evicted;
  });
  EXPECT_GT(before, 0U) << "changed lines are evicted at random";
  EXPECT_LT(before, kSeeds);
}

TEST_F(CoreCacheTest, TheCoreSeesWhatItHasInvalidated) {
  for (const bool by_device : {false, true}) {
    const std::uint64_t before = count([&] {
      core(kAt + 1) = std::byte{1};
      hal::clean_cache(&core(kAt), 2);
      by_device ? device_writes(kAt, std::byte{7}) : void(memory(kAt) = std::byte{7});
      hal::memory_barrier();
      const bool seen = core(kAt) == std::byte{7};
      hal::invalidate_cache(&core(kAt), 1);
      EXPECT_EQ(core(kAt), std::byte{7});
      EXPECT_EQ(core(kAt + 1), std::byte{1});
      return seen;
    });
    EXPECT_GT(before, 0U) << "unchanged lines are fetched again at random";
    EXPECT_LT(before, kSeeds);
  }
}

// The host's thread writes data, and then a word of the same line that announces them. The core answers in the same way.
TEST_F(CoreCacheTest, AHostInAnotherThreadAndTheCoreSeeWholeLines) {
  constexpr std::size_t kHosts = 4096, kCores = kHosts + hal::kCacheLine;
  constexpr std::uint32_t kRounds = 500, kLast = hal::kCacheLine / sizeof(std::uint32_t) - 1;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    power_on(seed, std::chrono::microseconds(1));
    std::atomic<unsigned> torn = 0;
    const auto words = [](std::byte &line) { return reinterpret_cast<std::uint32_t *>(&line); };
    std::thread host([&] {
      std::uint32_t *const own = words(memory(kHosts)), *const answer = words(memory(kCores));
      for (std::uint32_t round = 1; round <= kRounds; ++round) {
        std::atomic_ref(own[kLast]).store(round, std::memory_order_relaxed);
        std::atomic_ref(own[0]).store(round, std::memory_order_release);
        while (std::atomic_ref(answer[0]).load(std::memory_order_acquire) != round) std::this_thread::yield();
        if (std::atomic_ref(answer[kLast]).load(std::memory_order_relaxed) != round) ++torn;
      }
    });
    const volatile std::uint32_t *const asked = words(core(kHosts));
    volatile std::uint32_t *const own = words(core(kCores));
    for (std::uint32_t round = 1; round <= kRounds; ++round) {
      for (;; std::this_thread::yield()) {
        hal::invalidate_cache(&core(kHosts), hal::kCacheLine);
        if (asked[0] == round) break;
      }
      if (asked[kLast] != round) ++torn;
      own[kLast] = round;
      own[0] = round;
      hal::clean_cache(&core(kCores), hal::kCacheLine);
    }
    host.join();
    EXPECT_EQ(torn, 0U) << seed;
  }
}

TEST_F(CoreCacheTest, AnInvalidatedChangeIsLostUnlessItWasEvictedBefore) {
  const std::uint64_t lost = count([&] {
    core(kAt) = std::byte{7};
    hal::invalidate_cache(&core(kAt), 1);
    EXPECT_EQ(core(kAt), device_reads(kAt));
    return core(kAt) != std::byte{7};
  });
  EXPECT_GT(lost, 0U);
  EXPECT_LT(lost, kSeeds);
}

// Two writers in one line: the core writes the whole line, with an old copy of the other writer's byte.
TEST_F(CoreCacheTest, CleaningALineOverwritesWhatOthersWroteToIt) {
  const std::uint64_t lost = count([&] {
    core(kAt) = std::byte{1};
    memory(kAt + 1) = std::byte{2};
    hal::clean_cache(&core(kAt), 1);
    EXPECT_EQ(device_reads(kAt), std::byte{1});
    return device_reads(kAt + 1) != std::byte{2};
  });
  EXPECT_EQ(lost, kSeeds);
}

// The core changes an output and does not clean it before the device writes it.
TEST_F(CoreCacheTest, AChangedLineIsEvictedOverWhatTheDeviceWrites) {
  const auto result_is_lost = [&](bool clean) {
    core(kAt) = std::byte{1};
    if (clean) hal::clean_and_invalidate_cache(&core(kAt), 1);
    other_work();
    device_writes(kAt, std::byte{2});
    other_work();
    hal::invalidate_cache(&core(kAt), 1);
    return core(kAt) != std::byte{2};
  };
  EXPECT_GT(count([&] { return result_is_lost(false); }), kSeeds / 10);
  EXPECT_EQ(count([&] { return result_is_lost(true); }), 0U);
}

TEST_F(CoreCacheTest, TheSameSeedEvictsTheSameLines) {
  const auto memory_after = [&](std::uint64_t seed) {
    power_on(seed);
    for (std::size_t line = 0; line < 1000; ++line) core(line * hal::kCacheLine) = std::byte{1};
    other_work();
    return std::vector<std::byte>(board->dram().begin(), board->dram().begin() + 1000 * hal::kCacheLine);
  };
  const std::vector<std::byte> first = memory_after(5);
  EXPECT_EQ(memory_after(5), first);
  EXPECT_NE(memory_after(6), first);
}

TEST_F(CoreCacheTest, AResetLosesTheLines) {
  const std::uint64_t lost = count([&] {
    core(kAt) = std::byte{7};
    memory(2 * kAt) = std::byte{8};
    board->reset(ResetCause::watchdog);
    EXPECT_EQ(core(kAt), memory(kAt));
    EXPECT_EQ(core(2 * kAt), std::byte{8});
    return core(kAt) != std::byte{7};
  });
  EXPECT_GT(lost, 0U);
  EXPECT_LT(lost, kSeeds);
}

TEST_F(CoreCacheTest, OnlyDramIsCached) {
  power_on(1);
  const std::span<std::byte> queues = queue_memory();
  queues[3] = std::byte{7};
  const cox_host &host = scripted_model().host;
  const auto address = reinterpret_cast<std::uintptr_t>(queues.data()) + 3;
  EXPECT_EQ(*static_cast<std::byte *>(host.map(host.opaque, address, 1)), std::byte{7});
  EXPECT_EQ(host.map(host.opaque, BOARD_DRAM_BASE, 1), nullptr);
  std::byte byte{};
  EXPECT_NE(host.read(host.opaque, BOARD_DRAM_BASE + (std::uint64_t{16} << 20), &byte, 1), 0) << "behind DRAM";
  EXPECT_EQ(board->address_of(&memory(kAt)), reinterpret_cast<std::uintptr_t>(&core(kAt)));
}

TEST_F(CoreCacheTest, OneAtATime) {
  power_on(1);
  CoreCache second;
  std::vector<std::byte> view(CoreCache::kPage);
  std::string error;
  EXPECT_FALSE(second.create(view, 1, error));
  EXPECT_NE(error.find("one at a time"), std::string::npos) << error;
}

TEST_F(CoreCacheTest, TheVariableOfTheEnvironmentGivesTheSeed) {
  board.reset();
  EXPECT_EQ(cache_seed_of_environment(), std::nullopt);
  setenv("COX_CACHE_SEED", "17", 1);
  EXPECT_EQ(cache_seed_of_environment(), 17U);
  setenv("COX_CACHE_SEED", "", 1);
  EXPECT_EQ(cache_seed_of_environment(), std::nullopt);
  unsetenv("COX_CACHE_SEED");
}

}  // namespace
}  // namespace cox::board
