// SPDX-License-Identifier: MIT
// A native board for tests of kernels: its accelerator is open, and a window covers DRAM except its end.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/isa/window.h"

namespace cox::tests {

/// A test fails if an access of the core to its bus fails.
class DeviceTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kMiB = 1U << 20;
  static constexpr std::uint64_t kDramBytes = 64 * kMiB;
  static constexpr std::uint64_t kWindowBytes = 48 * kMiB;  ///< streams lie behind it: an engine may fetch them from anywhere

  explicit DeviceTest(std::string model_options = {}) {
    std::string error;
    board::NativeBoardSettings settings;
    settings.dram_bytes = kDramBytes;
    settings.model_options = std::move(model_options);
    settings.bus_fault = [](const board::BusFault &fault) { ADD_FAILURE() << "bus fault at " << fault.address; };
    settings.log = [this](int, std::string_view line) { log.emplace_back(line); };
    board_ = board::NativeBoard::create(std::move(settings), error);
    EXPECT_NE(board_, nullptr) << error;
    const Status status = accelerator.open();
    EXPECT_TRUE(status.ok()) << status.what();
    geometry = accelerator.geometry();
    windows[0] = {.base = hal::dram_range().address, .bytes = kWindowBytes, .read = true, .write = true};
  }

  /// The bus address of a byte of DRAM.
  static std::uint64_t at(std::uint64_t offset) { return hal::dram_range().address + offset; }

  std::vector<std::string> log;  ///< lines that the model has logged
  std::unique_ptr<board::NativeBoard> board_;
  hal::Accelerator accelerator;
  hal::Geometry geometry;
  isa::Window windows[1];
};

/// The model also looks for hazards. A test fails if the model logs anything.
class HazardsTest : public DeviceTest {
 protected:
  HazardsTest() : DeviceTest(R"({"hazards": true})") {}
  ~HazardsTest() override { EXPECT_TRUE(log.empty()) << log.front(); }
};

}  // namespace cox::tests
