// SPDX-License-Identifier: MIT
// models_digest FILE...: prints a line for each model, like the image of this folder. models_digest --write FOLDER: writes models for the
// image.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "tests/tflite/digest.h"
#include "tests/tflite/model_builder.h"

namespace {

namespace models = cox::tests::tflite_models;
namespace tf = cox::tflite;

void write(const std::string &path, const models::ModelParts &parts) {
  models::File file(parts);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(file.bytes().data()), static_cast<std::streamsize>(file.bytes().size()));
}

bool print(const char *path) {
  const models::File file = models::read(path);
  const cox::Result<std::size_t> tensors = tf::tensor_count(file.view());
  if (!tensors) return false;
  std::vector<tf::TensorUse> uses(tensors.value());
  const cox::Result<tf::Model> model = tf::open(file.view(), uses);
  if (!model) return false;
  std::vector<tf::ArenaRecord> records(tf::arena_records(model.value()));
  const cox::Result<tf::ArenaPlan> plan = tf::plan_arena(model.value(), cox::tests::tflite_digest::AnyKernels(), {}, records);
  if (!plan) return false;
  cox::tests::tflite_digest::Digest digest;
  cox::tests::tflite_digest::add_arena(digest, model.value(), plan.value());
  cox::tests::tflite_digest::add_operators(digest, model.value());
  std::printf("model: %zu tensors, %zu operators, arena %" PRIu32 ", digest %08" PRIx32 "\n", model.value().tensors(),
              model.value().operators(), plan.value().bytes(), digest.value());
  return true;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc == 3 && std::strcmp(argv[1], "--write") == 0) {
    write(std::string(argv[2]) + "/convolution_and_add.tflite", models::convolution_and_add());
    write(std::string(argv[2]) + "/all_operators.tflite", models::all_operators());
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    if (!print(argv[i])) return std::fprintf(stderr, "%s: refused\n", argv[i]), 1;
  }
  return 0;
}
