// SPDX-License-Identifier: MIT
// unity_model_cases FOLDER: writes models of tests/tflite as NAME.tflite, with the bytes of all inputs (NAME.inputs) and those of all
// outputs that the reference computes (NAME.outputs).
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tests/tflite/model_builder.h"
#include "tests/tflite/reference/evaluation.h"

namespace {

namespace models = cox::tests::tflite_models;
namespace tf = cox::tflite;
using Bytes = std::vector<std::uint8_t>;

void write(const std::string &path, std::span<const std::uint8_t> bytes) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

Bytes random_bytes(const tf::TensorView &tensor, std::mt19937 &random) {
  Bytes bytes(tensor.bytes);
  if (tensor.type != tf::ElementType::float32) {
    for (std::uint8_t &byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
  }
  std::vector<float> values(bytes.size() / sizeof(float));
  for (float &value : values) value = std::uniform_real_distribution<float>(-20, 20)(random);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

bool write_case(const std::string &path, const models::ModelParts &parts) {
  models::File file(parts);
  const cox::Result<std::size_t> tensors = tf::tensor_count(file.view());
  if (!tensors) return false;
  std::vector<tf::TensorUse> uses(tensors.value());
  const cox::Result<tf::Model> model = tf::open(file.view(), uses);
  if (!model) return false;
  std::mt19937 random(5);
  cox::tests::tflite_reference::Evaluation evaluation(model.value());
  Bytes inputs, outputs;
  for (const std::int32_t input : model.value().inputs()) {
    const Bytes bytes = random_bytes(model.value().tensor(static_cast<std::size_t>(input)), random);
    evaluation.set(input, bytes);
    inputs.insert(inputs.end(), bytes.begin(), bytes.end());
  }
  if (!evaluation.run()) return false;
  for (const std::int32_t output : model.value().outputs()) {
    const Bytes &bytes = evaluation.bytes(output);
    outputs.insert(outputs.end(), bytes.begin(), bytes.end());
  }
  write(path + ".tflite", file.bytes());
  write(path + ".inputs", inputs);
  write(path + ".outputs", outputs);
  return true;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2) return std::fprintf(stderr, "unity_model_cases FOLDER\n"), 2;
  const std::string folder = argv[1];
  const bool written = write_case(folder + "/convolution_and_add", models::convolution_and_add()) &&
                       write_case(folder + "/all_operators", models::all_operators());
  return written ? 0 : 1;
}
