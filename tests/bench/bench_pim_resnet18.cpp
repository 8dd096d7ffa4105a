// SPDX-License-Identifier: MIT
// Device cycles of ResNet-18 at batch 1 on PIM cores (examples/pim_networks): layer after layer on one core, and as a pipeline of sixteen.
// Cycles do not depend on values, so all weights are 0.
//   bench_pim_resnet18 [--json FILE]
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/pim_networks/layer_chain.h"
#include "examples/pim_networks/pipeline.h"
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
  measured.cycles = static_cast<double>(machine.outcome().time + builder.code().size() / kBusBytes);
  for (unsigned core = 0; core < cores; ++core) {
    const model::pim::Counters counters = machine.counters(core);
    measured.message_share +=
        static_cast<double>(counters.stalled_for(model::pim::Stall::message)) / static_cast<double>(counters.cycles) / cores;
  }
  return measured;
}

int run(const char *json) {
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  LayerChain chain;
  require(chain.plan(kResnet18, configuration, 1));
  std::array<std::array<std::int32_t, 9>, 8> adds{};
  const Measured one = measure(1, [&](kernels::pim::ProgramBuilder &builder, std::uint32_t dram) {
    return chain.append(builder, dram, dram + chain.weights_bytes(), adds);
  });
  const Pipeline pipeline(configuration.array);
  const Measured sixteen = measure(Pipeline::kCores, [&](kernels::pim::ProgramBuilder &builder, std::uint32_t dram) {
    const Pipeline::Addresses addresses = {dram, dram, dram, dram};
    return pipeline.append_inference(builder, addresses);
  });
  const double speedup = one.cycles / sixteen.cycles;
  char note[300];
  std::snprintf(
      note, sizeof note,
      "ResNet-18 at batch 1: %.0f cycles on one core, layer after layer, whose weights pass the bus; %.0f on 16, weights resident; "
      "their cores wait for messages %.0f %% of the time",
      one.cycles, sixteen.cycles, 100 * sixteen.message_share);
  std::printf("pim.resnet18.speedup_16cores %.2f\n%s\n", speedup, note);
  if (json == nullptr) return EXIT_SUCCESS;
  std::ofstream(json) << nlohmann::json::array({{{"name", "pim.resnet18.speedup_16cores"},
                                                 {"value", speedup},
                                                 {"unit", "ratio"},
                                                 {"limit", kLeastSpeedup},
                                                 {"better", "higher"},
                                                 {"note", note}}})
                             .dump(1)
                      << '\n';
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return run(argc >= 3 && std::strcmp(argv[1], "--json") == 0 ? argv[2] : nullptr);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "bench_pim_resnet18: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
