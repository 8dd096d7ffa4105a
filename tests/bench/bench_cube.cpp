// SPDX-License-Identifier: MIT
// Measures matrix products on the matrix unit: their device cycles, compared with those of an array that never waits. Also measures the
// model's own speed compared with oneDNN's FP32 product, with one thread each.
//   bench_cube [--json FILE]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "comparison.h"
#include "coxswain/kernels/cube/gemm.h"
#include "coxswain/kernels/cube/gemv.h"
#include "cube_gemm.h"
#include "cube_machine.h"
#include "onednn_matmul.h"

namespace {

using namespace cox;
using bench::CubeMachine;
using isa::cube::element_bits;
using kernels::cube::GemmArguments;
using kernels::cube::OutputType;
using kernels::cube::Type;

constexpr std::uint64_t kMiB = 1U << 20;
constexpr std::uint64_t kRight = 32 * kMiB, kOutput = 64 * kMiB, kTensors = 96 * kMiB, kStream = 8 * kMiB;
constexpr double kDramBytesPerCycle = 128;

/// Returns the largest possible number of multiply-accumulates per cycle.
double peak(Type type) { return type == Type::int8 ? 8192 : 4096; }

struct Case {
  const char *name;
  Type type;
  OutputType to;
  std::uint32_t m, k, n;
  bool in_l1;
  double limit;
};

constexpr Case kCases[] = {
    {"gemm_bf16_1024", Type::bfloat16, OutputType::bfloat16, 1024, 1024, 1024, false, 0.97},
    {"gemm_int8_1024", Type::int8, OutputType::int8, 1024, 1024, 1024, false, 0.97},
    {"gemm_bf16_4096", Type::bfloat16, OutputType::bfloat16, 4096, 4096, 4096, false, 0.97},
    {"gemm_int8_4096", Type::int8, OutputType::int8, 4096, 4096, 4096, false, 0.97},
    {"gemm_bf16_128", Type::bfloat16, OutputType::bfloat16, 128, 128, 128, true, 0.75},
    {"gemm_bf16_1000x777x333", Type::bfloat16, OutputType::bfloat16, 1000, 777, 333, false, 0.85},
};

GemmArguments arguments_of(const Case &given, std::uint64_t base) {
  GemmArguments call;
  call.type = given.type;
  call.to = given.to;
  call.left = {.address = given.in_l1 ? 0 : base, .rows = given.m, .columns = given.k, .in_l1 = given.in_l1};
  const std::uint64_t left_bytes = std::uint64_t{given.m} * given.k * element_bits(given.type) / 8;
  call.right = {.address = given.in_l1 ? left_bytes : base + kRight, .rows = given.k, .columns = given.n, .in_l1 = given.in_l1};
  call.output = {.address = base + kOutput, .rows = given.m, .columns = given.n};
  if (given.to == OutputType::int8) call.alpha = 1.0F / 1024;
  return call;
}

class Figures {
 public:
  void add(const std::string &name, double value, double limit, const std::string &note) {
    figures_.push_back({{"name", name}, {"value", value}, {"unit", "ratio"}, {"limit", limit}, {"better", "higher"}, {"note", note}});
    holds_ = holds_ && value >= limit;
    std::printf("%s %.3f (at least %.2f)\n", name.c_str(), value, limit);
  }
  [[nodiscard]] const nlohmann::json &json() const { return figures_; }
  [[nodiscard]] bool hold() const { return holds_; }

 private:
  nlohmann::json figures_ = nlohmann::json::array();
  bool holds_ = true;
};

void print_row(const char *name, double ideal, std::uint64_t cycles) {
  std::printf("%-24s %12.0f %12llu  %.3f\n", name, ideal, static_cast<unsigned long long>(cycles), ideal / static_cast<double>(cycles));
}

std::string note_of(double ideal, std::uint64_t cycles, const char *what) {
  char text[160];
  std::snprintf(text, sizeof text, "%.0f cycles of %s, took %llu", ideal, what, static_cast<unsigned long long>(cycles));
  return text;
}

void measure_product(CubeMachine &machine, const Case &given, Figures &figures) {
  machine.stream().clear();
  bench::expect_ok(gemm(machine.stream(), arguments_of(given, machine.base())), given.name);
  const std::uint64_t cycles = machine.run();
  const double ideal = static_cast<double>(given.m) * given.k * given.n / peak(given.type);
  print_row(given.name, ideal, cycles);
  figures.add(std::string("cube.") + given.name + ".utilisation", ideal / static_cast<double>(cycles), given.limit,
              note_of(ideal, cycles, "an array that never waits"));
}

void measure_vector(CubeMachine &machine, Figures &figures) {
  constexpr std::uint32_t kSize = 4096;
  kernels::cube::GemvArguments call;
  call.matrix = {.address = machine.base(), .rows = kSize, .columns = kSize};
  call.vector = machine.base() + kRight;
  call.output = machine.base() + kOutput;
  machine.stream().clear();
  bench::expect_ok(gemv(machine.stream(), call), "gemv");
  const std::uint64_t cycles = machine.run();
  const double ideal = (2.0 * kSize * kSize + 2.0 * kSize + 4.0 * kSize) / kDramBytesPerCycle;
  print_row("gemv_bf16", ideal, cycles);
  figures.add("cube.gemv_bf16.bandwidth", ideal / static_cast<double>(cycles), 0.95, note_of(ideal, cycles, "DRAM, matrix 4,096 x 4,096"));
}

/// Measures how fast the host simulates a matrix product on the whole device, with fetches, checks and timing. Compares this speed with
/// that of oneDNN's product.
void measure_model(CubeMachine &machine, Figures &figures) {
  machine.stream().clear();
  bench::expect_ok(gemm(machine.stream(), arguments_of(kCases[0], machine.base())), "gemm");
  struct Model {
    CubeMachine &machine;
    void run() const { machine.run(); }
  } const model{machine};
  const bench::GemmShape shape;
  const bench::OnednnMatmul onednn(shape);
  model.run();
  const bench::Comparison comparison = bench::compare_in_turns(
      shape, [&] { return bench::seconds_of(model); }, [&] { return bench::seconds_of(onednn); });
  char note[200];
  std::snprintf(note, sizeof note,
                "1,024 x 1,024 x 1,024, one thread: %.0f GMAC/s of BF16 in the device's model, %.0f of FP32 in oneDNN alone",
                comparison.model_gmacs, comparison.onednn_gmacs);
  figures.add("cube.model_vs_onednn", comparison.ratio, 0.5, note);
}

void fill(std::span<std::byte> bytes) {
  // BF16 numbers with magnitudes from 1/128 to 2, so that no operation is slow.
  std::mt19937 random(1);
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    const std::uint32_t pair = (random() & 0x81FF81FFU) | 0x3E003C00U;
    std::memcpy(&bytes[i], &pair, sizeof pair);
  }
}

int measure(const char *json) {
  CubeMachine machine(kTensors, kStream);
  fill(machine.tensors().first(kOutput));
  Figures figures;
  std::printf("%-24s %12s %12s  %s\n", "product", "ideal", "cycles", "utilisation");
  for (const Case &given : kCases) measure_product(machine, given, figures);
  measure_vector(machine, figures);
  measure_model(machine, figures);
  if (json != nullptr) std::ofstream(json) << figures.json().dump(1) << '\n';
  return figures.hold() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return measure(argc == 3 && std::strcmp(argv[1], "--json") == 0 ? argv[2] : nullptr);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "bench_cube: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
