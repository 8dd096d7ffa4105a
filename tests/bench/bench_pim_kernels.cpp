// SPDX-License-Identifier: MIT
// Device cycles and energy of kernels/pim on one core of the model (docs/kernels/pim.md, Speed).
//   bench_pim_kernels [--json FILE]
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/pim/gemm.h"
#include "kernels/pim/pack_weights.h"
#include "sim/model/pim/machine/machine.h"

namespace {

using namespace cox::kernels::pim;
using cox::Status;
using cox::isa::pim::Configuration;
using cox::model::pim::Counters;
using cox::model::pim::Unit;

constexpr double kPeak = 8192;  // multiply-accumulates in a cycle
constexpr std::uint32_t kInputMemory = 0x100000, kInputBuffer = 0x700000, kOutputMemory = 0x200000;
constexpr unsigned kInputSpace = 0, kInputBufferSpace = 6;

void require(const Status &status) {
  if (!status.ok()) throw std::runtime_error(std::string(cox::error_name(status.code())) + " of " + status.what());
}

class VectorDram final : public cox::model::pim::Dram {
 public:
  Status check(bool /*write*/, unsigned window, std::uint64_t offset, std::uint64_t bytes) override {
    if (window == 0 && offset <= bytes_.size() && bytes <= bytes_.size() - offset) return {};
    return {cox::ErrorCode::address_outside_window, "dram"};
  }
  Status read(unsigned /*window*/, std::uint64_t offset, std::span<std::byte> bytes) override {
    std::memcpy(bytes.data(), &bytes_[offset], bytes.size());
    return {};
  }
  Status write(unsigned /*window*/, std::uint64_t offset, std::span<const std::byte> bytes) override {
    std::memcpy(&bytes_[offset], bytes.data(), bytes.size());
    return {};
  }
  [[nodiscard]] std::span<std::byte> bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_ = std::vector<std::byte>(32U << 20);
};

/// A core with its DRAM.
class Core {
 public:
  explicit Core(const Configuration &device = cox::isa::pim::default_configuration(), const cox::model::pim::Timing &timing = {})
      : configuration(device), machine(device, timing, {}, 1, cox::model::pim::Path::fast), program_(1U << 16) {
    const cox::isa::Window windows[] = {{.base = 0x60000000, .bytes = dram.bytes().size(), .read = true, .write = true}};
    require(builder.init(std::as_writable_bytes(std::span(program_)), windows, device));
  }
  std::uint64_t run() {
    const auto program = cox::isa::pim::Program::open(builder.code());
    require(program.status());
    machine.start(program.value(), dram, 0);
    while (!machine.done()) machine.step(machine.next_event());
    require(machine.outcome().status);
    builder.clear();
    return machine.outcome().time;
  }
  std::uint32_t put(std::span<const std::byte> bytes) {
    const std::uint32_t address = configuration.dram_first + next_;
    std::memcpy(dram.bytes().data() + next_, bytes.data(), bytes.size());
    next_ += (static_cast<std::uint32_t>(bytes.size()) + 63) / 64 * 64;
    return address;
  }

  const Configuration &configuration;
  VectorDram dram;
  cox::model::pim::Machine machine;
  ProgramBuilder builder;

 private:
  std::vector<std::uint64_t> program_;
  std::uint32_t next_ = 0;
};

std::vector<std::int8_t> random_bytes(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> distribution(-128, 127);
  std::vector<std::int8_t> bytes(count);
  for (std::int8_t &byte : bytes) byte = static_cast<std::int8_t>(distribution(random));
  return bytes;
}

struct Measured {
  double cycles = 0, microjoules = 0;
  double array = 0, output = 0, simd = 0;  ///< cycles in which these parts work
  Mapping mapping;
};

/// Packs the weights of a layer with random weights, and returns its packed weights.
std::vector<std::byte> pack(Core &core, const Conv2dArguments &a, const Mapping &mapping) {
  const LayerShape shape = conv2d_layer(a).value();
  const std::uint32_t filter = a.kernel_height * a.kernel_width * a.channels;
  std::vector<std::int8_t> weights = random_bytes(std::size_t{filter} * a.output_channels);
  if (a.form == WeightForm::value_sparse)
    require(prune_weights(shape, mapping, core.configuration, weights, {.values = weights, .output_stride = filter}));
  const std::vector<std::int32_t> biases(a.output_channels, 1000), multipliers(a.output_channels, 1'500'000'000);
  const std::vector<std::int8_t> shifts(a.output_channels, 11);
  std::vector<std::byte> packed(mapping.bytes(core.configuration.array));
  require(pack_weights(shape, mapping, core.configuration, {.values = weights, .output_stride = filter},
                       {.biases = biases, .multipliers = multipliers, .shifts = shifts}, packed));
  return packed;
}

/// A layer whose weights are in the array and whose maps are in local memories. `in_place`: the input with its padding is where pim-compute
/// reads it.
Measured measure_layer(Core &core, Conv2dArguments a, bool in_place) {
  a.resident = true;
  a.input = in_place ? kInputBuffer : kInputMemory, a.output = kOutputMemory;
  if (in_place) {
    a.height += a.pad_top + a.pad_bottom, a.width += a.pad_left + a.pad_right;
    a.pad_top = a.pad_left = a.pad_bottom = a.pad_right = 0;
  }
  const auto mapping = choose_mapping(conv2d_layer(a).value(), core.configuration);
  require(mapping.status());
  const std::vector<std::byte> packed = pack(core, a, mapping.value());
  a.weights = core.put(packed);
  const std::vector<std::int8_t> input = random_bytes(std::size_t{a.height} * a.width * a.channels);
  std::memcpy(core.machine.memory(0, in_place ? kInputBufferSpace : kInputSpace).data(), input.data(), input.size());
  require(load_weights(core.builder, a, mapping.value()));
  require(conv2d(core.builder, a, mapping.value()));
  core.run();
  a.tables_resident = mapping.value().passes == 1;
  require(conv2d(core.builder, a, mapping.value()));
  Measured measured;
  measured.cycles = static_cast<double>(core.run());
  const Counters counters = core.machine.counters(0);
  measured.microjoules = static_cast<double>(counters.energy.sum()) * 1e-9;
  measured.array = static_cast<double>(counters.busy_of(Unit::compute));
  measured.output = static_cast<double>(counters.busy_of(Unit::output));
  measured.simd = static_cast<double>(counters.busy_of(Unit::simd));
  measured.mapping = mapping.value();
  return measured;
}

Conv2dArguments layer(std::uint32_t side, std::uint32_t channels) {
  Conv2dArguments a;
  a.height = a.width = a.output_height = a.output_width = side;
  a.channels = a.output_channels = channels;
  a.kernel_height = a.kernel_width = 3;
  a.pad_top = a.pad_left = a.pad_bottom = a.pad_right = 1;
  return a;
}

double products(const Conv2dArguments &a) { return 9.0 * a.output_height * a.output_width * a.channels * a.output_channels; }

nlohmann::json figures = nlohmann::json::array();

template <typename... Numbers>
void report(const char *name, double value, const char *unit, double limit, const char *format, Numbers... numbers) {
  std::array<char, 500> note{};
  std::snprintf(note.data(), note.size(), format, numbers...);
  std::printf("%s %.3f (at least %.3f): %s\n", name, value, limit, note.data());
  figures.push_back({{"name", name}, {"value", value}, {"unit", unit}, {"limit", limit}, {"better", "higher"}, {"note", note.data()}});
}

void measure_layers() {
  const Conv2dArguments a = layer(14, 256), b = layer(56, 64);
  Core core;
  const Measured dense = measure_layer(core, a, true);
  report("pim.conv2d.utilisation", products(a) / kPeak / dense.cycles, "of peak", 0.6,
         "3x3, 256 to 256, 14x14, weights in the array, maps in local memories: %.0f cycles; array %.0f, pim-output %.0f, SIMD %.0f",
         dense.cycles, dense.array, dense.output, dense.simd);
  Core second;
  const Measured wide = measure_layer(second, b, true);
  // 16 pixels: 1,024 results, each with a bias, a second partial sum and a requantisation in the SIMD unit of 32 lanes.
  constexpr double kSimdOfPixel = 3 * (1024.0 / 32 + 2) / 16;
  const double limit = products(b) / kPeak / (56 * 56 * kSimdOfPixel);
  report("pim.conv2d.layer_b.utilisation", products(b) / kPeak / wide.cycles, "of peak", 0.9 * limit,
         "3x3, 64 to 64, 56x56: %.0f cycles; array %.0f, pim-output %.0f, SIMD %.0f. The SIMD unit allows %.3f: it adds the bias and two "
         "partial "
         "sums and requantises, 6.4 cycles a pixel; the array takes 4.5, pim-output 4.1",
         wide.cycles, wide.array, wide.output, wide.simd, limit);

  for (const std::uint32_t window : {64U, 128U}) {
    Conv2dArguments sparse = a;
    sparse.form = WeightForm::value_sparse, sparse.window_inputs = window;
    Core sparse_core;
    const Measured measured = measure_layer(sparse_core, sparse, true);
    const double most = window / 32.0;
    const std::string name = window == 64 ? "pim.value_sparse.speedup_50" : "pim.value_sparse.speedup_75";
    report(
        name.c_str(), dense.cycles / measured.cycles, "x", 0.7 * most,
        "3x3, 256 to 256, 14x14, %.0f %% pruned: %.0f cycles, dense %.0f; array %.0f, pim-output %.0f, SIMD %.0f; %.2f uJ, dense %.2f uJ",
        100 - 100 / most, measured.cycles, dense.cycles, measured.array, measured.output, measured.simd, measured.microjoules,
        dense.microjoules);
  }
}

void measure_bits() {
  // Meta data is 3 bits for each column and input; `meta_buffer` has room for that of 128 outputs of two columns, or 256 of one.
  for (const std::uint32_t threshold : {1U, 2U}) {
    Conv2dArguments a = layer(14, 256);
    a.output_channels = 256 / threshold;
    Core core;
    const Measured dense = measure_layer(core, a, false);
    a.form = WeightForm::bit_sparse, a.threshold = threshold;
    Core sparse_core;
    const Measured measured = measure_layer(sparse_core, a, false);
    const std::string name = "pim.bit_sparse.speedup_" + std::to_string(threshold);
    report(name.c_str(), dense.cycles / measured.cycles, "x", 0.7 * 8 / threshold,
           "3x3, 256 to %u, 14x14, threshold %u: %.0f cycles, dense %.0f. A register holds the sum of at most 512 products, so pim-output "
           "and SIMD "
           "move 5 partial sums of each result, whatever the weights: array %.0f (dense %.0f), pim-output %.0f, SIMD %.0f; %.2f uJ, dense "
           "%.2f uJ",
           a.output_channels, threshold, measured.cycles, dense.cycles, measured.array, dense.array, measured.output, measured.simd,
           measured.microjoules, dense.microjoules);
  }
}

void measure_gemv() {
  GemmArguments product;
  product.m = 64, product.k = 1024, product.n = 1024;
  Core core;
  const Measured many = measure_layer(core, convolution_of(product), true);
  product.m = 1;
  Core second;
  const Measured one = measure_layer(second, convolution_of(product), true);
  constexpr double kProducts = 1024.0 * 1024;
  report("pim.gemv.resident.utilisation", 64 * kProducts / kPeak / many.cycles, "of peak", 0.6,
         "1,024 x 1,024 in the array, 64 vectors one after another: %.0f cycles; a single vector %.0f (the array works for 128 of them)",
         many.cycles, one.cycles);

  GemvArguments streamed;
  streamed.n = 4096, streamed.k = 1024;
  Core third;
  Conv2dArguments a = convolution_of(product_of(streamed));
  const auto mapping = choose_mapping(conv2d_layer(a).value(), third.configuration);
  require(mapping.status());
  streamed.weights = third.put(pack(third, a, mapping.value()));
  const std::vector<std::int8_t> vector = random_bytes(1024 + 4096);
  streamed.vector = third.put(std::as_bytes(std::span(vector)));
  streamed.output = streamed.vector + 1024;
  require(gemv(third.builder, streamed, mapping.value()));
  const auto cycles = static_cast<double>(third.run());
  const Counters counters = third.machine.counters(0);
  const auto bytes = static_cast<double>(counters.dram_read + counters.dram_written);
  report("pim.gemv.streamed.bandwidth", bytes / 16 / cycles, "of the bus", 0.95,
         "4,096 x 1,024 from DRAM: %.0f cycles for %.0f bytes; weights alone %.3f of the bus", cycles, bytes, 4 * kProducts / 16 / cycles);
}

void measure() {
  measure_layers();
  measure_bits();
  measure_gemv();
}

}  // namespace

int main(int argc, char **argv) try {
  measure();
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--json") != 0) continue;
    std::ofstream file(argv[i + 1]);
    file << figures.dump(2) << "\n";
    if (!file.flush()) throw std::runtime_error(std::string("cannot write ") + argv[i + 1]);
  }
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "bench_pim_kernels: %s\n", error.what());
  return 1;
}
