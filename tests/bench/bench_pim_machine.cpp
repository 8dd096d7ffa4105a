// SPDX-License-Identifier: MIT
// Measures how many scalar instructions of PIM cores the model runs in a second, in one thread and without a listener. After that, Google
// Benchmark measures other programs.
//   bench_pim_machine [--json FILE] [Google Benchmark options]
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "coxswain/isa/pim/build.h"
#include "coxswain/isa/pim/write_program.h"
#include "figures.h"
#include "paired_runs.h"
#include "sim/model/pim/machine/machine.h"

namespace {

using namespace cox::isa::pim::build;
using namespace cox::model::pim;
using cox::isa::pim::MachineCode;

constexpr std::uint32_t kData = 0x300000, kTurns = 100'000;

class NoDram final : public Dram {
  cox::Status check(bool, unsigned, std::uint64_t, std::uint64_t) override { return {cox::ErrorCode::address_outside_window, "window"}; }
  cox::Status read(unsigned, std::uint64_t, std::span<std::byte>) override { return {}; }
  cox::Status write(unsigned, std::uint64_t, std::span<const std::byte>) override { return {}; }
};

class Counting final : public Listener {
 public:
  void on_start(const CoreEvent & /*event*/) override { ++starts; }
  void on_end(const CoreEvent & /*event*/) override {}
  std::uint64_t starts = 0;
};

/// A loop that scrambles 64 words of local memory: nine instructions a turn.
class Program {
 public:
  explicit Program(unsigned cores, bool listens = false)
      : machine_(cox::isa::pim::default_configuration(), Timing(), Energy(), cores, Path::fast), bytes_(4096) {
    if (listens) machine_.set_listener(&counting_);
    cox::isa::pim::ProgramWriter writer(bytes_, cores);
    writer.begin_code(0);
    for (const auto &set : {constant(r(1), kData), constant(r(3), listens ? kTurns / 10 : kTurns), constant(r(4), 64)}) {
      writer.append(set.code());
    }
    const MachineCode loop[] = {mod(r(5), r(2), r(4)),   muli(r(5), r(5), 4),     add(r(5), r(5), r(1)),
                                load_local(r(6), r(5)),  muli(r(6), r(6), 25173), add(r(6), r(6), r(2)),
                                store_local(r(6), r(5)), addi(r(2), r(2), 1),     blt(r(2), r(3), -8)};
    writer.append(loop);
    for (unsigned core = 1; core < cores; ++core) writer.share_code(core, 0);
    program_ = cox::isa::pim::Program::open(writer.finish().value()).value();
  }

  void run() {
    NoDram dram;
    machine_.start(program_, dram, 0);
    while (!machine_.done()) machine_.step(machine_.next_event());
    if (!machine_.outcome().status.ok()) throw std::runtime_error("the program has a fault");
  }
  [[nodiscard]] double instructions() const {
    double sum = 0;
    for (unsigned core = 0; core < machine_.cores(); ++core) sum += static_cast<double>(machine_.counters(core).instructions);
    return sum;
  }

 private:
  Machine machine_;
  Counting counting_;
  std::vector<std::byte> bytes_;
  cox::isa::pim::Program program_;
};

double millions_a_second(unsigned cores) {
  Program program(cores);
  program.run();
  std::vector<double> times;
  for (int round = 0; round < 11; ++round) times.push_back(cox::bench::seconds_of(program));
  return program.instructions() * 1e-6 / cox::bench::median(times);
}

void pim_scalars(benchmark::State &state) {
  Program program(static_cast<unsigned>(state.range(0)), state.range(1) != 0);
  for (auto unused : state) {
    (void)unused;
    program.run();
  }
  state.counters["instructions/s"] = benchmark::Counter(program.instructions(), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(pim_scalars)->ArgNames({"cores", "listener"})->ArgsProduct({{1, 16, 64}, {0, 1}});

std::vector<cox::bench::Figure> measure() {
  const double one = millions_a_second(1), many = millions_a_second(16);
  std::array<char, 200> note{};
  std::snprintf(note.data(), note.size(),
                "a loop of nine scalar instructions with a load and a store, without tracing: one core %.0f, 16 cores %.0f", one, many);
  return {{.name = "pim.model_minstructions",
           .value = std::min(one, many),
           .unit = "million instructions/s",
           .limit = 20,
           .note = note.data(),
           .digits = 0}};
}

}  // namespace

int main(int argc, char **argv) { return cox::bench::run("bench_pim_machine", measure, argc, argv); }
