// SPDX-License-Identifier: MIT
// Measures the device cycles of ResNet-50's convolutions on the matrix unit, compared with the limit of each layer.
//   bench_cube_resnet50 [--json FILE]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "boards/native/native_board.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/device.h"
#include "coxswain/kernels/cube/engine.h"
#include "cube_resnet50.h"

namespace {

using namespace cox;
using bench::CubeLayer;

constexpr std::uint64_t kMiB = 1U << 20;
constexpr double kPeak = 8192;  // multiply-accumulates per cycle
constexpr double kLimit = 0.85;

void expect(const Status &status, const char *what) {
  if (!status.ok()) throw std::runtime_error(std::string(what) + ": " + error_name(status.code()) + " " + status.what());
}

/// The board, an engine, and filled tensors that all layers share.
class Machine {
 public:
  Machine() {
    std::string error;
    board::NativeBoardSettings settings;
    settings.dram_bytes = 64 * kMiB;
    board_ = board::NativeBoard::create(std::move(settings), error);
    if (board_ == nullptr) throw std::runtime_error(error);
    expect(accelerator_.open(), "open");
    window_ = {.base = hal::dram_range().address, .bytes = kCode, .read = true, .write = true};
    expect(engine_.init(accelerator_, {.context = 0, .windows = {&window_, 1}}), "init");
    expect(stream_.init(board_->core_dram().subspan(kCode, 16 * kMiB), {&window_, 1}), "stream");
    std::uint32_t number = 1;
    for (std::byte &byte : board_->dram().first(kOutput)) byte = static_cast<std::byte>((number = number * 1664525 + 1013904223) >> 24);
    for (std::uint32_t i = 0; i < 2048; ++i) {
      const float factor = 1.0F / 4096;
      std::memcpy(board_->dram().data() + kFactors + i * sizeof factor, &factor, sizeof factor);
    }
  }

  void append(const CubeLayer &layer) {
    kernels::cube::Conv2dArguments call = layer.call;
    call.input = hal::dram_range().address;
    call.weights = hal::dram_range().address + kWeights;
    call.bias = hal::dram_range().address + kBiases;
    call.scales = hal::dram_range().address + kFactors;
    call.output = hal::dram_range().address + kOutput;
    expect(kernels::cube::conv2d(stream_, call), layer.name.c_str());
  }

  /// Runs the stream and returns the cycles from the doorbell to the end.
  std::uint64_t run() {
    const std::uint64_t start = board_->now();
    expect(engine_.run(stream_), "run");
    stream_.clear();
    return engine_.end_cycle() - start;
  }

 private:
  static constexpr std::uint64_t kWeights = 4 * kMiB, kBiases = 8 * kMiB, kFactors = 9 * kMiB, kOutput = 10 * kMiB, kCode = 16 * kMiB;

  std::unique_ptr<board::NativeBoard> board_;
  hal::Accelerator accelerator_;
  isa::Window window_;
  kernels::cube::Engine engine_;
  kernels::cube::Stream stream_;
};

int measure(const char *json) {
  Machine machine;
  const std::vector<CubeLayer> layers = bench::resnet50_convolutions();
  std::uint64_t limits = 0;
  double multiply_accumulates = 0;
  std::printf("%-20s %9s %9s %9s %9s  %s\n", "layer", "array", "DRAM", "limit", "cycles", "utilisation");
  for (const CubeLayer &layer : layers) {
    machine.append(layer);
    const std::uint64_t cycles = machine.run();
    limits += layer.limit();
    multiply_accumulates += layer.multiply_accumulates();
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf("%-20s %9llu %9llu %9llu %9llu  %.3f\n", layer.name.c_str(), number(layer.array_cycles()), number(layer.dram_cycles()),
                number(layer.limit()), number(cycles), static_cast<double>(layer.limit()) / static_cast<double>(cycles));
  }
  for (const CubeLayer &layer : layers) machine.append(layer);
  const auto cycles = static_cast<double>(machine.run());
  const double utilisation = static_cast<double>(limits) / cycles, share = multiply_accumulates / kPeak / cycles;
  char note[200];
  std::snprintf(note, sizeof note,
                "53 convolutions in one stream: %.0f cycles, the sum of their limits %llu; INT8, batch 1, no sums with shortcuts", cycles,
                static_cast<unsigned long long>(limits));
  std::printf("cube.resnet50.utilisation %.3f\ncube.resnet50.share_of_peak %.3f\n%s\n", utilisation, share, note);
  if (json != nullptr) {
    const auto figure = [](const char *name, double value, const nlohmann::json &limit, const char *text) {
      return nlohmann::json{{"name", name}, {"value", value}, {"unit", "ratio"}, {"limit", limit}, {"better", "higher"}, {"note", text}};
    };
    std::ofstream(json) << nlohmann::json::array(
                               {figure("cube.resnet50.utilisation", utilisation, kLimit, note),
                                figure("cube.resnet50.share_of_peak", share, nullptr,
                                       "multiply-accumulates of the same, of 8,192 a cycle; Gemmini has reported 0.40 to 0.51")})
                               .dump(1)
                        << '\n';
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return measure(argc == 3 && std::strcmp(argv[1], "--json") == 0 ? argv[2] : nullptr);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "bench_cube_resnet50: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
