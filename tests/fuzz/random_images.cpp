// SPDX-License-Identifier: MIT
// Writes random task images (tests/firmware/random_tasks) into a folder, as seeds: random_images FOLDER COUNT.
#include <cstdlib>
#include <fstream>

#include "tests/firmware/random_tasks/generator.h"

int main(int count, char **arguments) {
  if (count != 3) return 2;
  std::map<std::string, unsigned> functions;
  for (unsigned long i = 0; i < std::strtoul(arguments[2], nullptr, 10); ++i) {
    cox::tests::Random random(i);
    const cox::tests::RandomTask task = cox::tests::make_random_task(random, cox::isa::tile::kMostCores, functions);
    cox::tests::Image image(task.text);
    std::ofstream file(std::string(arguments[1]) + "/random_" + std::to_string(i) + ".cxt", std::ios::binary);
    file.write(reinterpret_cast<const char *>(image.bytes().data()), static_cast<std::streamsize>(image.bytes().size()));
    if (!file) return 1;
  }
  return 0;
}
