// SPDX-License-Identifier: MIT
// Whole TensorFlow Lite models on the units, beside the reference of tests/tflite and the published bytes.
#include <gtest/gtest.h>

#include <cstdio>

#include "coxswain/base/crc32.h"
#include "tests/kernels/unity/network.h"
#include "tests/tflite/published.h"

namespace cox::tests::unity::tflite_test {
namespace {

using namespace cox::tests::published;  // NOLINT(google-build-using-namespace)
class UnityTflite : public testing::TestWithParam<const char *> {};

TEST_P(UnityTflite, GivesThePublishedBytes) {
  const std::string name = GetParam();
  if (!present(model_file(name))) GTEST_SKIP() << "no published models at " << COX_SHARED_DATA;
  const tflite_models::File file = tflite_models::read(model_file(name));
  Network network(file.view());
  std::uint64_t cycles = 0;
  std::size_t inputs = 0;
  for (; present(root() + "inputs/" + name + "/" + numbered(inputs, 3) + ".bin"); ++inputs) {
    const std::string suffix = "/" + name + "/" + numbered(inputs, 3) + ".bin";
    network.set(0, read_bytes(root() + "inputs" + suffix));
    cycles = network.bench.run();
    ASSERT_EQ(network.output(0), read_bytes(root() + "expected" + suffix)) << "input " << inputs;
  }
  EXPECT_GE(inputs, 10U);
  std::printf("%-24s %5u instructions, container %7zu bytes, constants %6zu bytes, %8llu cycles\n", name.c_str(),
              network.bench.builder.instructions(0), network.bench.builder.code().size(), network.runner.constant_bytes(),
              static_cast<unsigned long long>(cycles));
}

/// Runs each model up to each of its operators.
TEST_P(UnityTflite, GivesThePublishedBytesOfEveryLayer) {
  const std::string name = GetParam();
  if (!present(model_file(name))) GTEST_SKIP() << "no published models at " << COX_SHARED_DATA;
  const auto sums = read_json(root() + "layers/" + name + "/crc32.json");
  const tflite_models::File file = tflite_models::read(model_file(name));
  for (const auto &[input, layers] : sums.items()) {
    SCOPED_TRACE("input " + input);
    const Bytes bytes = read_bytes(root() + "inputs/" + name + "/" + input + ".bin");
    std::size_t compared = 0;
    const auto compare = [&, &published = layers](Network &network, std::size_t op) {
      network.set(0, bytes);
      network.bench.run();
      const Bytes layer = network.tensor(network.runner.model().op(op).outputs.front());
      const std::string sum = published[op]["crc32"];
      EXPECT_EQ(crc32(std::as_bytes(std::span(layer))), std::stoul(sum, nullptr, 16)) << "operator " << op;
      ++compared;
    };
    const Network network(file.view(), compare);
    EXPECT_GE(compared + 2, layers.size()) << "operators that move nothing have no instructions";
  }
  EXPECT_GE(sums.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Published, UnityTflite, testing::ValuesIn(kModels), [](const auto &row) { return row.param; });

TEST(UnityTfliteReference, ConvolutionAndAdd) { compare_with_reference(tflite_models::convolution_and_add(), 1); }

TEST(UnityTfliteReference, AllOperators) { compare_with_reference(tflite_models::all_operators(), 2); }

}  // namespace
}  // namespace cox::tests::unity::tflite_test
