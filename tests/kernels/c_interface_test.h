// SPDX-License-Identifier: MIT
// A native board for tests of the kernels' C interfaces. Memory in its DRAM is taken piece by piece.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "boards/native/native_board.h"
#include "coxswain/base/cox_status.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"

namespace cox::tests {

class CInterfaceTest : public testing::Test {
 protected:
  explicit CInterfaceTest(std::size_t dram_bytes) {
    std::string error;
    board::NativeBoardSettings settings;
    settings.dram_bytes = dram_bytes;
    board_ = board::NativeBoard::create(std::move(settings), error);
    EXPECT_NE(board_, nullptr) << error;
    used_ = hal::dram_range().address;
  }

  static void good(const cox_status &status) {
    EXPECT_EQ(status.error, 0U) << cox_error_name(status.error) << " of " << status.what << ", " << status.value;
  }
  static void refused(const cox_status &status, const char *name, const char *what) {
    EXPECT_STREQ(cox_error_name(status.error), name);
    EXPECT_STREQ(status.what, what);
  }
  template <typename T = void>
  static T *at(std::uint64_t address) {
    return hal::core_pointer<T>(address);
  }
  std::uint64_t take(std::uint64_t bytes) {
    const std::uint64_t address = used_;
    used_ += (bytes + 63) / 64 * 64;
    return address;
  }

  std::unique_ptr<board::NativeBoard> board_;

 private:
  std::uint64_t used_ = 0;
};

}  // namespace cox::tests
