// SPDX-License-Identifier: MIT
#include "tests/submissions/work.h"

#include <algorithm>
#include <cstring>

#include "coxswain/hal/board.h"
#include "tests/firmware/scheduled_tasks.h"

namespace cox::tests {
namespace {

std::uint64_t address_of(const void *memory) { return cox_bus_address(memory); }

void expect_good(const cox_status &status) { EXPECT_EQ(status.error, 0U) << cox_error_name(status.error) << " of " << status.what; }

/// Copies 4 KiB from the first half of a window to the second.
class CopyTask final : public Work {
 public:
  static constexpr unsigned kRounds = 32;
  static constexpr std::size_t kHalf = kRounds * kTensorBytes;

  CopyTask(std::byte *image, std::size_t image_bytes, std::byte *workspace, std::size_t workspace_bytes, std::byte *window)
      : window_(window) {
    expect_good(cox_load(&task_, image, image_bytes, workspace, workspace_bytes));
    windows_[0] = {window, 2 * kHalf};
    for (std::size_t i = 0; i < kHalf; ++i) window[i] = static_cast<std::byte>(i * 7 + i / 256);
    CopyTask::spoil();
  }
  cox_status submit(cox_handle &handle) override { return cox_start(&task_, windows_, nullptr, &handle); }
  cox_status wait(cox_handle handle) override { return cox_wait(handle, nullptr); }
  void spoil() override { std::memset(window_ + kHalf, 0xEE, kHalf); }
  bool is_right() override { return std::memcmp(window_, window_ + kHalf, kHalf) == 0; }

 private:
  cox_task task_{};
  cox_window windows_[COX_WINDOWS] = {};
  std::byte *window_;
};

/// Adds a tensor to itself.
class Addition final : public Work {
 public:
  static constexpr std::uint32_t kSide = 8, kChannels = 16, kValues = kSide * kSide * kChannels;
  static constexpr std::size_t kStreamBytes = 1024, kTensorBytes = std::size_t{kSide} * kSide * COX_MX_BLOCK_BYTES;

  Addition(std::byte *stream, std::byte *term, std::byte *sum)
      : term_{address_of(term), kChannels, kSide, kSide}, sum_{address_of(sum), kChannels, kSide, kSide}, bytes_(sum) {
    std::vector<float> values(kValues);
    for (std::uint32_t i = 0; i < kValues; ++i) values[i] = static_cast<float>(i % 64);
    expect_good(cox_mx_pack(values.data(), &term_));
    cox_mx_give(&term_);
    expect_good(cox_mx_stream_init(&stream_, stream, kStreamBytes));
    expect_good(cox_mx_eladd(&stream_, &term_, &term_, &sum_));
    Addition::spoil();
  }
  cox_status submit(cox_handle &handle) override { return cox_mx_submit(&stream_, &handle); }
  cox_status wait(cox_handle handle) override { return cox_mx_wait(handle, 0); }
  void spoil() override {
    std::memset(bytes_, 0, kTensorBytes);
    cox_mx_give(&sum_);
  }
  bool is_right() override {
    std::vector<float> values(kValues);
    cox_mx_take(&sum_);
    expect_good(cox_mx_unpack(&sum_, values.data()));
    for (std::uint32_t i = 0; i < kValues; ++i) {
      if (values[i] != static_cast<float>(i % 64 * 2)) return false;
    }
    return true;
  }

 private:
  cox_mx_stream stream_{};
  cox_mx_tensor term_, sum_;
  std::byte *bytes_;
};

/// The product of two matrices of 16 x 16, whose elements are 1 and 2.
class Product final : public Work {
 public:
  static constexpr std::uint32_t kSide = 16, kElements = kSide * kSide;
  static constexpr std::size_t kStreamBytes = 8192, kMatrixBytes = kElements * sizeof(float);

  Product(std::byte *stream, std::byte *left, std::byte *right, std::byte *output) : output_(reinterpret_cast<float *>(output)) {
    std::fill_n(reinterpret_cast<float *>(left), kElements, 1.0F);
    std::fill_n(reinterpret_cast<float *>(right), kElements, 2.0F);
    cox_cube_give(address_of(left), kMatrixBytes);
    cox_cube_give(address_of(right), kMatrixBytes);
    expect_good(cox_cube_stream_init(&stream_, stream, kStreamBytes, 1));
    cox_cube_gemm_arguments arguments = cox_cube_gemm_defaults();
    arguments.type = COX_CUBE_FLOAT;
    arguments.left = matrix(left);
    arguments.right = matrix(right);
    arguments.output = matrix(output);
    expect_good(cox_cube_gemm(&stream_, &arguments));
    Product::spoil();
  }
  cox_status submit(cox_handle &handle) override { return cox_cube_submit(&stream_, &handle); }
  cox_status wait(cox_handle handle) override { return cox_cube_wait(handle, 0); }
  void spoil() override {
    std::fill_n(output_, kElements, -1.0F);
    cox_cube_give(address_of(output_), kMatrixBytes);
  }
  bool is_right() override {
    cox_cube_take(address_of(output_), kMatrixBytes);
    return std::all_of(output_, output_ + kElements, [](float value) { return value == 2.0F * kSide; });
  }

 private:
  static cox_cube_matrix matrix(const std::byte *bytes) {
    cox_cube_matrix result{};
    result.address = address_of(bytes);
    result.rows = result.columns = kSide;
    return result;
  }

  cox_cube_stream stream_{};
  float *output_;
};

/// The maximum of each square of 2 x 2 pixels.
class Pooling final : public Work {
 public:
  static constexpr std::uint32_t kSide = 8, kChannels = 16;
  static constexpr std::size_t kStreamBytes = 8192, kInputBytes = std::size_t{kSide} * kSide * kChannels, kOutputBytes = kInputBytes / 4;

  Pooling(std::byte *stream, std::byte *input, std::byte *output) : input_(input), output_(output) {
    for (std::size_t i = 0; i < kInputBytes; ++i) input[i] = static_cast<std::byte>(i * 37 + i / 64);
    cox_pim_give(address_of(input), kInputBytes);
    expect_good(cox_pim_stream_init(&stream_, stream, kStreamBytes, 1));
    cox_pim_pool_arguments arguments{};
    arguments.mode = COX_PIM_MAXIMUM;
    arguments.height = arguments.width = kSide;
    arguments.channels = kChannels;
    arguments.kernel_height = arguments.kernel_width = arguments.stride_y = arguments.stride_x = 2;
    arguments.output_height = arguments.output_width = kSide / 2;
    arguments.cores = 1;
    expect_good(cox_pim_address(&stream_, address_of(input), kInputBytes, &arguments.input));
    expect_good(cox_pim_address(&stream_, address_of(output), kOutputBytes, &arguments.output));
    expect_good(cox_pim_pool(&stream_, &arguments));
    Pooling::spoil();
  }
  cox_status submit(cox_handle &handle) override { return cox_pim_submit(&stream_, &handle); }
  cox_status wait(cox_handle handle) override { return cox_pim_wait(handle, 0); }
  void spoil() override {
    for (std::size_t i = 0; i < kOutputBytes; ++i) output_[i] = ~static_cast<std::byte>(expected(i));
    cox_pim_give(address_of(output_), kOutputBytes);
  }
  bool is_right() override {
    cox_pim_take(address_of(output_), kOutputBytes);
    for (std::size_t i = 0; i < kOutputBytes; ++i) {
      if (static_cast<std::int8_t>(output_[i]) != expected(i)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] std::int8_t expected(std::size_t element) const {
    const std::size_t channel = element % kChannels, pixel = element / kChannels;
    const std::size_t row = pixel / (kSide / 2) * 2, column = pixel % (kSide / 2) * 2;
    const auto at = [&](std::size_t y, std::size_t x) { return static_cast<std::int8_t>(input_[(y * kSide + x) * kChannels + channel]); };
    return std::max({at(row, column), at(row, column + 1), at(row + 1, column), at(row + 1, column + 1)});
  }

  cox_pim_stream stream_{};
  std::byte *input_, *output_;
};

/// The sums of two INT8 tensors, clamped.
class Sum final : public Work {
 public:
  static constexpr std::size_t kStreamBytes = 1024, kElements = 1000;

  Sum(std::byte *stream, std::byte *left, std::byte *right, std::byte *output) : left_(left), right_(right), output_(output) {
    for (std::size_t i = 0; i < kElements; ++i) {
      left[i] = static_cast<std::byte>(i * 37);
      right[i] = static_cast<std::byte>(i / 3);
    }
    cox_unity_give(address_of(left), kElements);
    cox_unity_give(address_of(right), kElements);
    expect_good(cox_unity_stream_init(&stream_, stream, kStreamBytes, 2));
    cox_unity_sum_arguments arguments = cox_unity_sum_defaults();
    arguments.inputs[0] = address_of(left);
    arguments.inputs[1] = address_of(right);
    arguments.output = address_of(output);
    arguments.elements = kElements;
    for (cox_unity_multiplier &multiplier : arguments.input_multiplier) expect_good(cox_unity_quantised_multiplier(1, &multiplier));
    expect_good(cox_unity_quantised_multiplier(1.0 / (1U << arguments.left_shift), &arguments.multiplier));
    expect_good(cox_unity_sum(&stream_, &arguments));
    Sum::spoil();
  }
  cox_status submit(cox_handle &handle) override { return cox_unity_submit(&stream_, &handle); }
  cox_status wait(cox_handle handle) override { return cox_unity_wait(handle, 0); }
  void spoil() override {
    for (std::size_t i = 0; i < kElements; ++i) output_[i] = ~static_cast<std::byte>(expected(i));
    cox_unity_give(address_of(output_), kElements);
  }
  bool is_right() override {
    cox_unity_take(address_of(output_), kElements);
    for (std::size_t i = 0; i < kElements; ++i) {
      if (static_cast<std::int8_t>(output_[i]) != expected(i)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] std::int8_t expected(std::size_t element) const {
    const int sum = static_cast<std::int8_t>(left_[element]) + static_cast<std::int8_t>(right_[element]);
    return static_cast<std::int8_t>(std::clamp(sum, INT8_MIN, INT8_MAX));
  }

  cox_unity_stream stream_{};
  std::byte *left_, *right_, *output_;
};

}  // namespace

#define COX_SUBMISSIONS_ROW(id, number, name, full_name, submission, home, ...) COX_SUBMISSIONS_##home(COX_SUBMISSIONS_EACH, id)

SubmissionsTest::~SubmissionsTest() {
  if (board_ != nullptr) close_engines();
}

void SubmissionsTest::start(const std::string &model_options) {
  std::string error;
  board::NativeBoardSettings settings;
  settings.dram_bytes = std::size_t{16} << 20;
  settings.model_options = model_options;
  board_ = board::NativeBoard::create(std::move(settings), error);
  ASSERT_NE(board_, nullptr) << error;
  open_engines();
}

void SubmissionsTest::open_engines() {
  const cox_options options = COX_OPTIONS;
  good(cox_open(&options));
#define COX_SUBMISSIONS_EACH(id) good(cox_##id##_open());
  COX_ENGINES(COX_SUBMISSIONS_ROW)
#undef COX_SUBMISSIONS_EACH
}

void SubmissionsTest::close_engines() {
#define COX_SUBMISSIONS_EACH(id) good(cox_##id##_close());
  COX_ENGINES(COX_SUBMISSIONS_ROW)
#undef COX_SUBMISSIONS_EACH
  good(cox_close());
}

std::byte *SubmissionsTest::take(std::size_t bytes) {
  auto *const taken = reinterpret_cast<std::byte *>(board::dram_base()) + used_;  // NOLINT(performance-no-int-to-ptr)
  used_ += (bytes + COX_ALIGNMENT - 1) / COX_ALIGNMENT * COX_ALIGNMENT;
  return taken;
}

std::unique_ptr<Work> SubmissionsTest::make(Kind kind) {
#define COX_SUBMISSIONS_EACH(id) \
  if (kind == Kind::id) return make_##id();
  COX_ENGINES(COX_SUBMISSIONS_ROW)
#undef COX_SUBMISSIONS_EACH
  return nullptr;
}

std::unique_ptr<Work> SubmissionsTest::make_mx() {
  return std::make_unique<Addition>(take(Addition::kStreamBytes), take(Addition::kTensorBytes), take(Addition::kTensorBytes));
}

std::unique_ptr<Work> SubmissionsTest::make_cube() {
  return std::make_unique<Product>(take(Product::kStreamBytes), take(Product::kMatrixBytes), take(Product::kMatrixBytes),
                                   take(Product::kMatrixBytes));
}

std::unique_ptr<Work> SubmissionsTest::make_pim() {
  return std::make_unique<Pooling>(take(Pooling::kStreamBytes), take(Pooling::kInputBytes), take(Pooling::kOutputBytes));
}

std::unique_ptr<Work> SubmissionsTest::make_unity() {
  return std::make_unique<Sum>(take(Sum::kStreamBytes), take(Sum::kElements), take(Sum::kElements), take(Sum::kElements));
}

std::unique_ptr<Work> SubmissionsTest::make_tile() {
  // Each task has L2 blocks of its own, so that several run at the same time.
  const std::int64_t block = 4 * tasks_++;
  TaskText text = copies_task(block, block + 3, CopyTask::kRounds);
  text.tensors = {{"x", false, 1, {1, 8, 4, 4 * CopyTask::kRounds}, 0, 0, CopyTask::kHalf},
                  {"y", true, 1, {1, 8, 4, 4 * CopyTask::kRounds}, 0, CopyTask::kHalf, CopyTask::kHalf}};
  Image made(text);
  std::byte *const image = take(made.bytes().size());
  std::memcpy(image, made.bytes().data(), made.bytes().size());
  std::size_t bytes = 0;
  good(cox_workspace_bytes(image, made.bytes().size(), &bytes));
  return std::make_unique<CopyTask>(image, made.bytes().size(), take(bytes), bytes, take(2 * CopyTask::kHalf));
}

}  // namespace cox::tests
