// SPDX-License-Identifier: MIT
// Writes models as seeds of tflite_fuzz: tflite_models FOLDER
#include <cstdio>
#include <fstream>
#include <string>

#include "tests/tflite/model_builder.h"

int main(int argc, char **argv) {
  namespace models = cox::tests::tflite_models;
  if (argc != 2) return std::fprintf(stderr, "usage: tflite_models FOLDER\n"), 2;
  const auto write = [&](const char *name, const models::ModelParts &parts) {
    models::File file(parts);
    std::ofstream(std::string(argv[1]) + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char *>(file.bytes().data()), static_cast<std::streamsize>(file.bytes().size()));
  };
  write("convolution_and_add.tflite", models::convolution_and_add());
  write("all_operators.tflite", models::all_operators());
  return 0;
}
