// SPDX-License-Identifier: MIT
#include "comparison.h"

#include <benchmark/benchmark.h>
#include <omp.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>

namespace cox::bench {
namespace {

bool write(const Program &program, const Comparison &comparison, const std::string &note, const char *path) {
  const nlohmann::json results = {{{"name", program.figure},
                                   {"value", comparison.ratio},
                                   {"unit", "ratio"},
                                   {"limit", program.limit},
                                   {"better", "higher"},
                                   {"note", note}}};
  std::ofstream file(path);
  file << results.dump(2) << "\n";
  return static_cast<bool>(file.flush());
}

}  // namespace

int run(const Program &program, int argc, char **argv) try {
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

  omp_set_num_threads(1);  // limits oneDNN to one thread
  const Comparison comparison = program.compare();
  const std::string note = program.note(comparison);
  std::printf("%s %.2f (at least %.2f): %s\n", program.figure, comparison.ratio, program.limit, note.c_str());
  if (json != nullptr && !write(program, comparison, note, json)) {
    std::fprintf(stderr, "%s: cannot write %s\n", program.name, json);
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s: %s\n", program.name, error.what());
  return 1;
}

}  // namespace cox::bench
