// SPDX-License-Identifier: MIT
// Device cycles of ResNet-18 at batch 1 on PIM cores (examples/pim_networks): layer after layer on 1 and 4, and as a pipeline of 16 and 64.
// Cycles do not depend on values, so all weights are 0.
//   bench_pim_resnet18 [--json FILE] [Google Benchmark options]
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/pim_networks/layer_chain.h"
#include "examples/pim_networks/pipeline.h"
#include "figures.h"
#include "sim/model/pim/machine/machine.h"

namespace {

using namespace cox;
using namespace cox::pim_networks;
using cox::model::pim::Machine;

constexpr double kLeastSpeedup = 10;
constexpr std::size_t kDramBytes = std::size_t{64} << 20, kProgramBytes = std::size_t{16} << 20;
constexpr std::uint64_t kBusBytes = 16;  ///< in a cycle

void require(const Status &status) {
  if (!status.ok()) throw std::runtime_error(std::string(error_name(status.code())) + " of " + status.what());
}

class ZeroDram final : public model::pim::Dram {
 public:
  Status check(bool /*write*/, unsigned window, std::uint64_t offset, std::uint64_t bytes) override {
    return window == 0 && offset + bytes <= kDramBytes ? Status() : Status(ErrorCode::address_outside_window, "dram");
  }
  Status read(unsigned /*window*/, std::uint64_t /*offset*/, std::span<std::byte> bytes) override {
    std::memset(bytes.data(), 0, bytes.size());
    return {};
  }
  Status write(unsigned /*window*/, std::uint64_t /*offset*/, std::span<const std::byte> /*bytes*/) override { return {}; }
};

struct Measured {
  double cycles = 0;         ///< with the fetch of the program from DRAM
  double fetch = 0;          ///< cycles of that
  double message_share = 0;  ///< of all cores' cycles: those in which a core waits for a message
};

template <typename Append>
Measured measure(unsigned cores, const Append &append) {
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  const isa::Window window = {.base = 0, .bytes = kDramBytes, .read = true, .write = true};
  std::vector<std::uint64_t> memory(kProgramBytes / sizeof(std::uint64_t));
  kernels::pim::ProgramBuilder builder;
  require(builder.init(std::as_writable_bytes(std::span(memory)), {&window, 1}, configuration, cores));
  require(append(builder, configuration.dram_first));
  const Result<isa::pim::Program> program = isa::pim::Program::open(builder.code());
  require(program.status());
  Machine machine(configuration, {}, {}, cores, model::pim::Path::fast);
  ZeroDram dram;
  machine.start(program.value(), dram, 0);
  while (!machine.done()) machine.step(machine.next_event());
  require(machine.outcome().status);
  Measured measured;
  measured.fetch = static_cast<double>(builder.code().size()) / kBusBytes;
  measured.cycles = static_cast<double>(machine.outcome().time) + measured.fetch;
  for (unsigned core = 0; core < cores; ++core) {
    const model::pim::Counters counters = machine.counters(core);
    measured.message_share +=
        static_cast<double>(counters.stalled_for(model::pim::Stall::message)) / static_cast<double>(counters.cycles) / cores;
  }
  return measured;
}

/// Layer after layer. `loading`: cycles in which the bus brings weights.
Measured measure_layers(unsigned cores, double &loading) {
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  LayerChain chain;
  require(chain.plan(kResnet18, configuration, cores));
  std::array<std::array<std::int32_t, 9>, 8> adds{};
  loading = static_cast<double>(chain.weights_bytes()) / kBusBytes;
  return measure(cores, [&](kernels::pim::ProgramBuilder &builder, std::uint32_t dram) {
    return chain.append(builder, dram, dram + chain.weights_bytes(), adds);
  });
}

Measured measure_pipeline(unsigned cores) {
  static Pipeline pipeline;
  require(pipeline.plan(isa::pim::default_configuration(), cores));
  return measure(cores, [&](kernels::pim::ProgramBuilder &builder, std::uint32_t dram) {
    return pipeline.append_inference(builder, {dram, dram, dram, dram});
  });
}

std::vector<bench::Figure> measure_speedup() {
  double loading = 0, loading_4 = 0;
  const Measured one = measure_layers(1, loading), four = measure_layers(4, loading_4);
  std::vector<bench::Figure> figures;
  char note[300];
  std::snprintf(note, sizeof note, "%.0f cycles of an inference; one core: %.0f, of which the bus brings weights for %.0f", four.cycles,
                one.cycles, loading);
  figures.push_back({.name = "pim.resnet18.speedup_4cores", .value = one.cycles / four.cycles, .unit = "ratio", .note = note});
  for (const unsigned cores : {16U, 64U}) {
    const Measured many = measure_pipeline(cores);
    std::snprintf(note, sizeof note,
                  "%.0f cycles of an inference, weights resident, with %.0f to fetch the program; %.1f times one core without its loads of "
                  "weights; cores wait for messages %.0f %% of the time",
                  many.cycles, many.fetch, (one.cycles - loading) / many.cycles, 100 * many.message_share);
    figures.push_back({.name = "pim.resnet18.speedup_" + std::to_string(cores) + "cores",
                       .value = one.cycles / many.cycles,
                       .unit = "ratio",
                       .limit = cores == 16 ? kLeastSpeedup : 0,
                       .note = note});
  }
  return figures;
}

}  // namespace

int main(int argc, char **argv) { return bench::run("bench_pim_resnet18", measure_speedup, argc, argv); }
