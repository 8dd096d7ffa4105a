// SPDX-License-Identifier: MIT
// Work for each engine, and a fixture that opens all engines through the C interface.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/device/engines.h"
#include "coxswain/firmware/coxswain.h"
#include "coxswain/kernels/cube/coxswain_cube.h"
#include "coxswain/kernels/mx/coxswain_mx.h"
#include "coxswain/kernels/pim/coxswain_pim.h"
#include "coxswain/kernels/unity/coxswain_unity.h"

namespace cox::tests {

inline constexpr std::uint64_t kEnough = 1'000'000;  ///< device cycles in which any piece of work ends

/// A piece of work of one engine, with memory of its own. It can be submitted again when it has ended.
class Work {
 public:
  virtual ~Work() = default;
  virtual cox_status submit(cox_handle &handle) = 0;
  virtual cox_status wait(cox_handle handle) = 0;
  /// Overwrites the output, so that only a new run makes it right.
  virtual void spoil() = 0;
  virtual bool is_right() = 0;
};

// Calls `use(id)` for each engine whose folders are in the layers. Its C interface has functions cox_ID_open() and cox_ID_close(), and
// SubmissionsTest has make_ID().
#define COX_SUBMISSIONS_layers(use, id) use(id)
#define COX_SUBMISSIONS_tests(use, id)

using Kind = registers::Engine;
#define COX_SUBMISSIONS_VALUE(id) Kind::id,
#define COX_SUBMISSIONS_ROW(id, number, name, full_name, submission, home, ...) COX_SUBMISSIONS_##home(COX_SUBMISSIONS_VALUE, id)
inline constexpr Kind kKinds[] = {COX_ENGINES(COX_SUBMISSIONS_ROW)};
#undef COX_SUBMISSIONS_ROW
#undef COX_SUBMISSIONS_VALUE

class SubmissionsTest : public testing::Test {
 protected:
  SubmissionsTest() = default;
  ~SubmissionsTest() override;
  /// Creates the board with these options of the model, and opens all engines.
  void start(const std::string &model_options = {});
  static void open_engines();
  static void close_engines();
  std::unique_ptr<Work> make(Kind kind);

  static void good(const cox_status &status) {
    EXPECT_EQ(status.error, 0U) << cox_error_name(status.error) << " of " << status.what << ", value " << status.value;
  }
  static void refused(const cox_status &status, cox_error error, const char *what) {
    EXPECT_EQ(status.error, error) << cox_error_name(status.error);
    EXPECT_STREQ(status.what, what);
  }
  /// Lets so many device cycles pass. Interrupt handlers run.
  void pass(std::uint64_t cycles) { board_->advance(cycles); }
  std::byte *take(std::size_t bytes);

  std::unique_ptr<board::NativeBoard> board_;

 private:
  std::unique_ptr<Work> make_tile();
  std::unique_ptr<Work> make_mx();
  std::unique_ptr<Work> make_cube();
  std::unique_ptr<Work> make_pim();
  std::unique_ptr<Work> make_unity();

  std::size_t used_ = 0;
  std::uint32_t tasks_ = 0;
};

}  // namespace cox::tests
