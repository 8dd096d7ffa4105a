// SPDX-License-Identifier: MIT
#include "figures.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>

namespace cox::bench {
namespace {

bool write(const std::vector<Figure> &figures, const char *path) {
  nlohmann::json results = nlohmann::json::array();
  for (const Figure &figure : figures) {
    results.push_back({{"name", figure.name},
                       {"value", figure.value},
                       {"unit", figure.unit},
                       {"limit", figure.limit},
                       {"better", "higher"},
                       {"note", figure.note}});
  }
  std::ofstream file(path);
  file << results.dump(2) << "\n";
  return static_cast<bool>(file.flush());
}

}  // namespace

int run(const char *name, const std::function<std::vector<Figure>()> &measure, int argc, char **argv) try {
  const char *json = nullptr;
  std::vector<char *> arguments;
  for (int i = 0; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc) {
      json = argv[++i];
    } else {
      arguments.push_back(argv[i]);
    }
  }
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  const std::vector<Figure> figures = measure();
  for (const Figure &figure : figures) {
    std::printf("%s %.*f (at least %.*f): %s\n", figure.name.c_str(), figure.digits, figure.value, figure.digits, figure.limit,
                figure.note.c_str());
  }
  if (json != nullptr && !write(figures, json)) {
    std::fprintf(stderr, "%s: cannot write %s\n", name, json);
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s: %s\n", name, error.what());
  return 1;
}

}  // namespace cox::bench
