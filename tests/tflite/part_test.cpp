// SPDX-License-Identifier: MIT
// Parts of operators: rows, and the rows of the input that they need, beside a search through all of them.
#include "coxswain/tflite/part.h"

#include <gtest/gtest.h>

#include <vector>

#include "coxswain/tflite/resolve.h"
#include "tests/tflite/model_builder.h"

namespace cox::tests::tflite_part {
namespace {

namespace tf = cox::tflite;

TEST(TflitePart, PartsAreAllRowsOnce) {
  for (std::uint32_t rows = 1; rows < 40; ++rows) {
    for (std::uint8_t count = 1; count <= 8 && count <= rows; ++count) {
      std::uint32_t next = 0;
      for (std::uint8_t i = 0; i < count; ++i) {
        const tf::Rows part = tf::rows_of({i, count}, rows);
        EXPECT_EQ(part.first, next);
        EXPECT_GE(part.count, rows / count);
        EXPECT_LE(part.count, rows / count + 1);
        next += part.count;
      }
      EXPECT_EQ(next, rows);
    }
  }
}

TEST(TflitePart, WindowsHaveTheRowsThatAreRead) {
  std::size_t checked = 0;
  for (std::uint32_t input = 1; input <= 9; ++input) {
    for (std::uint32_t kernel = 1; kernel <= 5; ++kernel) {
      for (std::uint32_t stride = 1; stride <= 3; ++stride) {
        for (std::uint32_t pads = 0; pads < kernel * kernel; ++pads) {
          const std::uint32_t before = pads % kernel, after = pads / kernel;
          if (input + before + after < kernel) continue;
          const std::uint32_t rows = (input + before + after - kernel) / stride + 1;
          for (std::uint32_t first = 0; first < rows; ++first) {
            for (std::uint32_t count = 1; first + count <= rows; ++count) {
              const tf::Window window = tf::window_of({first, count}, input, kernel, stride, before);
              // Rows of the padded input that the output reads: those of the input are `before` to before + input - 1.
              const std::uint32_t begin = first * stride, end = (first + count - 1) * stride + kernel;
              std::uint32_t least = UINT32_MAX, most = 0, above = 0, below = 0;
              for (std::uint32_t row = begin; row < end; ++row) {
                if (row < before) {
                  ++above;
                } else if (row >= before + input) {
                  ++below;
                } else {
                  least = std::min(least, row - before);
                  most = std::max(most, row - before);
                }
              }
              ASSERT_EQ(window.input.first, least);
              ASSERT_EQ(window.input.count, most - least + 1);
              ASSERT_EQ(window.pad_before, above);
              ASSERT_EQ(window.pad_after, below);
              ++checked;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(checked, 1000U);
}

TEST(TflitePart, HasTheBytesOfItsRows) {
  const tflite_models::File file(tflite_models::convolution_and_add());
  std::vector<tf::TensorUse> uses(tf::tensor_count(file.view()).value());
  const tf::Model model = tf::open(file.view(), uses).value();
  const tf::Operation convolution = tf::resolve(model, 0).value(), sum = tf::resolve(model, 1).value();
  // 5 x 5 x 2 elements, a kernel of 3 x 3, 5 x 5 x 4 results.
  ASSERT_EQ(tf::rows_of(model, convolution), 5U);
  const tf::PartBytes first = tf::bytes_of(model, convolution, {0, 5}), middle = tf::bytes_of(model, convolution, {1, 3});
  EXPECT_EQ(first.input, 0U);
  EXPECT_EQ(first.input_bytes, 2 * 10U);
  EXPECT_EQ(first.output_bytes, 20U);
  EXPECT_EQ(middle.input, 0U);  // rows 1 and 2 read rows 0 to 3
  EXPECT_EQ(middle.input_bytes, 4 * 10U);
  EXPECT_EQ(middle.output, 20U);
  EXPECT_EQ(middle.output_bytes, 2 * 20U);
  EXPECT_EQ(middle.inputs, 1U);
  ASSERT_EQ(tf::rows_of(model, sum), 5U);
  const tf::PartBytes last = tf::bytes_of(model, sum, {4, 5});
  EXPECT_EQ(last.input, 80U);
  EXPECT_EQ(last.input_bytes, 20U);
  EXPECT_EQ(last.output, 80U);
  EXPECT_EQ(last.inputs, 3U);
}

}  // namespace
}  // namespace cox::tests::tflite_part
