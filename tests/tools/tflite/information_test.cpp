// SPDX-License-Identifier: MIT
// What `cox info` says of models, and its messages about broken files.
#include "tools/tflite/information.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/tflite/model_builder.h"
#include "tests/tflite/published.h"
#include "tests/tflite/reference_kernels.h"
#include "tools/file/error.h"
#include "tools/tflite/kernel_sets.h"

namespace cox::tests::tflite_information {
namespace {

using namespace cox::tests::tflite_models;  // NOLINT(google-build-using-namespace)
using cox::tools::tflite::Information;
using cox::tools::tflite::information_of;
using cox::tools::tflite::KernelSet;
using testing::HasSubstr;

/// A model in a temporary file.
class Written {
 public:
  explicit Written(const ModelParts &parts) : path_(testing::TempDir() + "information_test_" + std::to_string(getpid()) + ".tflite") {
    File file(parts);
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char *>(file.bytes().data()), static_cast<std::streamsize>(file.bytes().size()));
  }
  ~Written() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string &path() const { return path_; }

 private:
  std::string path_;
};

std::vector<KernelSet> reference_set() { return {{"reference", &tflite_reference::reference_kernels()}}; }

TEST(ModelInformation, ShowsOperatorsShapesAndMemory) {
  const Written model(convolution_and_add());
  const Information information = information_of(model.path(), reference_set());
  ASSERT_EQ(information.operators.size(), 2U);
  EXPECT_EQ(information.operators[0].name, "CONV_2D");
  EXPECT_EQ(information.operators[0].details, "3x3, pads 1,1,1,1");
  EXPECT_EQ(information.operators[0].inputs.size(), 1U);
  EXPECT_EQ(information.operators[0].inputs[0].shape, "1x5x5x2");
  EXPECT_EQ(information.operators[0].inputs[0].quantisation, "scale 0.5, zero point -3");
  EXPECT_EQ(information.operators[0].multiply_accumulates, 1800U);
  EXPECT_EQ(information.operators[0].constant_bytes, 88U);
  EXPECT_EQ(information.operators[1].kernels, (std::vector<std::string>{""}));
  EXPECT_EQ(information.constant_bytes, 88U);
  EXPECT_GE(information.arena_bytes, information.live_bytes);
  const std::string text = text_of(information);
  EXPECT_THAT(text, HasSubstr("2 operators, \"made by a test\"\n"));
  EXPECT_THAT(text, HasSubstr("0  CONV_2D         1  1x5x5x2           1x5x5x4  int8  3x3, pads 1,1,1,1  1,800         88  yes\n"));
  EXPECT_THAT(text, HasSubstr("1,800 multiply-accumulates; constants: 88 bytes\n"));
  EXPECT_THAT(text, Not(HasSubstr("not supported")));
  const nlohmann::json json = json_of(information);
  EXPECT_EQ(json["operators"][0]["kernels"]["reference"]["supported"], true);
  EXPECT_EQ(json["inputs"][1]["tensor"], 4);
  EXPECT_EQ(json["multiply_accumulates"], 1800);
}

TEST(ModelInformation, KnowsTheKernelsOfEngines) {
  const Written model(tflite_models::all_operators());
  const std::string text = text_of(information_of(model.path(), cox::tools::tflite::kernel_sets()));
  EXPECT_THAT(text, HasSubstr("unity"));
  EXPECT_THAT(text, Not(HasSubstr("not supported")));
}

TEST(ModelInformation, NamesWhatIsNotSupported) {
  ModelParts parts = convolution_and_add();
  parts.codes[1].code = 32;
  parts.codes[1].custom = "My\nOp";
  const Written model(parts);
  const std::string text = text_of(information_of(model.path(), reference_set()));
  EXPECT_THAT(text, HasSubstr("not supported: CUSTOM My?Op: operator 1: there is no kernel\n"));
  EXPECT_THAT(text, HasSubstr("  no\n"));
  EXPECT_THAT(text_of(information_of(model.path(), {})), HasSubstr("no engine has kernels for models\n"));
}

TEST(ModelInformation, SaysThatFloatsNeedQuantisation) {
  ModelParts parts = convolution_and_add();
  for (TensorPart &tensor : parts.tensors) {
    if (tensor.buffer != 0) continue;  // a constant
    tensor.type = static_cast<std::int8_t>(ElementType::float32);
    tensor.scales.clear();
    tensor.zero_points.clear();
  }
  const Written model(parts);
  const std::string text = text_of(information_of(model.path(), reference_set()));
  EXPECT_THAT(text, HasSubstr("not supported: CONV_2D: operator 0: input: type: float32 instead of int8\n"));
  EXPECT_THAT(text, HasSubstr("\noperators compute with INT8 activations: quantise the whole model to integers\n"));
}

std::string message_of(const ModelParts &parts) {
  const Written model(parts);
  try {
    static_cast<void>(information_of(model.path(), {}));
  } catch (const cox::tools::FileError &error) {
    return std::string(error.what()).substr(model.path().size());
  }
  return "";
}

TEST(ModelInformation, SaysWhereAFileIsWrong) {
  ModelParts parts = convolution_and_add();
  parts.tensors[3].shape[1] = 0;
  EXPECT_EQ(message_of(parts), ": tensor 3: tensor.shape: field_out_of_range: 0, the limit is 1");
  parts = convolution_and_add();
  parts.operators[1].inputs[0] = 77;
  EXPECT_EQ(message_of(parts), ": operator 1: operator.inputs: image_malformed: 77, the limit is 5");
  parts = convolution_and_add();
  parts.version = 4;
  EXPECT_EQ(message_of(parts), ": version: image_version: 4, the limit is 3");
  EXPECT_THROW(static_cast<void>(information_of("nowhere.tflite", {})), cox::tools::FileError);
}

TEST(ModelInformation, AddsUpThePublishedModels) {
  const std::string path = published::model_file("ic01_resnet8");
  if (!published::present(path)) GTEST_SKIP() << "no published models at " << COX_SHARED_DATA;
  const Information information = information_of(path, reference_set());
  EXPECT_EQ(information.multiply_accumulates, 12501632U);
  EXPECT_TRUE(information.operators[13].copy);
  std::printf("%s", text_of(information).c_str());
}

}  // namespace
}  // namespace cox::tests::tflite_information
