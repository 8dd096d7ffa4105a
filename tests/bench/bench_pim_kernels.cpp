// SPDX-License-Identifier: MIT
// Device cycles and energy of kernels/pim on one core of the model (docs/kernels/pim.md, Speed).
//   bench_pim_kernels [--json FILE] [Google Benchmark options]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "coxswain/kernels/pim/gemm.h"
#include "coxswain/kernels/pim/pack_weights.h"
#include "figures.h"
#include "sim/model/pim/machine/machine.h"

namespace {

using namespace cox::kernels::pim;
using cox::Status;
using cox::isa::pim::Configuration;
using cox::model::pim::Counters;
using cox::model::pim::Unit;

constexpr double kPeak = 8192;    // multiply-accumulates in a cycle
constexpr double kBusBytes = 16;  // in a cycle
/// Memories that may have the inputs: their numbers in the configuration.
enum class InputMemory : unsigned { sram = 0, buffer = 6 };
constexpr unsigned kOutputMemory = 1;

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

/// Cores with their DRAM.
class Core {
 public:
  explicit Core(const Configuration &device = cox::isa::pim::default_configuration(), unsigned cores = 1)
      : configuration(device), machine(device, {}, {}, cores, cox::model::pim::Path::fast), program_(1U << 16) {
    const cox::isa::Window windows[] = {{.base = 0x60000000, .bytes = dram.bytes().size(), .read = true, .write = true}};
    require(builder.init(std::as_writable_bytes(std::span(program_)), windows, device, cores));
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
  double array = 0, output = 0, simd = 0;  ///< cycles in which these parts of the first core work
  double bus = 0;                          ///< cycles of the bus to DRAM
  Mapping mapping;
};

/// Packs the weights of a layer with random weights, and returns its packed weights.
std::vector<std::byte> pack(Core &core, const Conv2dArguments &a, const Mapping &mapping) {
  const LayerShape shape = conv2d_layer(a).value();
  const std::uint32_t filter = a.kernel_height * a.kernel_width * a.channels;
  std::vector<std::int8_t> weights = random_bytes(std::size_t{filter} * a.output_channels);
  for (std::int8_t &weight : weights) weight = static_cast<std::int8_t>(weight >> (8 - a.weight_bits));
  if (a.form == WeightForm::value_sparse)
    require(prune_weights(shape, mapping, core.configuration, weights, {.values = weights, .output_stride = filter}));
  const std::vector<std::int32_t> biases(a.output_channels, 1000), multipliers(a.output_channels, 1'500'000'000);
  const std::vector<std::int8_t> shifts(a.output_channels, 11);
  std::vector<std::byte> packed(mapping.bytes(core.configuration.array));
  require(pack_weights(shape, mapping, core.configuration, {.values = weights, .output_stride = filter},
                       {.biases = biases, .multipliers = multipliers, .shifts = shifts}, packed));
  return packed;
}

/// A layer whose maps are in local memories; the input lies there with its padding. Its weights and tables are there, too, or they come
/// from DRAM.
Measured measure_layer(Core &core, Conv2dArguments a, InputMemory memory, bool resident = true) {
  const auto number = static_cast<unsigned>(memory);
  a.resident = resident;
  a.input = core.configuration.memories[number].first, a.output = core.configuration.memories[kOutputMemory].first;
  a.height += a.pad_top + a.pad_bottom, a.width += a.pad_left + a.pad_right;
  a.pad_top = a.pad_left = a.pad_bottom = a.pad_right = 0;
  const auto mapping = choose_mapping(conv2d_layer(a).value(), core.configuration);
  require(mapping.status());
  const std::vector<std::byte> packed = pack(core, a, mapping.value());
  a.weights = core.put(packed);
  const std::vector<std::int8_t> input = random_bytes(std::size_t{a.height} * a.width * a.channels);
  for (std::uint32_t i = 0; i < a.cores; ++i) std::memcpy(core.machine.memory(i, number).data(), input.data(), input.size());
  if (resident) {
    require(load_weights(core.builder, a, mapping.value()));
    require(conv2d(core.builder, a, mapping.value()));
    core.run();
    a.tables_resident = mapping.value().passes == a.cores;
  }
  require(conv2d(core.builder, a, mapping.value()));
  Measured measured;
  measured.cycles = static_cast<double>(core.run());
  const Counters counters = core.machine.counters(0);
  for (std::uint32_t i = 0; i < a.cores; ++i) measured.microjoules += static_cast<double>(core.machine.counters(i).energy.sum()) * 1e-9;
  measured.array = static_cast<double>(counters.busy_of(Unit::compute));
  measured.output = static_cast<double>(counters.busy_of(Unit::output));
  measured.simd = static_cast<double>(counters.busy_of(Unit::simd));
  measured.bus = static_cast<double>(counters.dram_read + counters.dram_written) / kBusBytes;
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

std::vector<cox::bench::Figure> figures;

template <typename... Numbers>
void report(const char *name, double value, const char *unit, double limit, const char *format, Numbers... numbers) {
  std::array<char, 800> note{};
  std::snprintf(note.data(), note.size(), format, numbers...);
  figures.push_back({.name = name, .value = value, .unit = unit, .limit = limit, .note = note.data(), .digits = 3});
}

void measure_layers() {
  const Conv2dArguments a = layer(14, 256), b = layer(56, 64);
  Core core;
  const Measured dense = measure_layer(core, a, InputMemory::buffer);
  report("pim.conv2d.utilisation", products(a) / kPeak / dense.cycles, "of peak", 0.6,
         "3x3, 256 to 256, 14x14, weights in the array, maps in local memories: %.0f cycles; array %.0f, pim-output %.0f, SIMD %.0f",
         dense.cycles, dense.array, dense.output, dense.simd);
  Core second;
  const Measured wide = measure_layer(second, b, InputMemory::buffer);
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
    const Measured measured = measure_layer(sparse_core, sparse, InputMemory::buffer);
    const double most = window / 32.0;
    const std::string name = window == 64 ? "pim.value_sparse.speedup_50" : "pim.value_sparse.speedup_75";
    report(
        name.c_str(), dense.cycles / measured.cycles, "x", 0.7 * most,
        "3x3, 256 to 256, 14x14, %.0f %% pruned: %.0f cycles, dense %.0f; array %.0f, pim-output %.0f, SIMD %.0f; %.2f uJ, dense %.2f uJ",
        100 - 100 / most, measured.cycles, dense.cycles, measured.array, measured.output, measured.simd, measured.microjoules,
        dense.microjoules);
  }
}

/// The times of layer A with bit-sparse weights, beside dense ones.
struct BitSparse {
  Measured dense, sparse;
  [[nodiscard]] double speedup() const { return dense.cycles / sparse.cycles; }
};

BitSparse measure_bits(const Configuration &configuration, Conv2dArguments a, std::uint32_t threshold, InputMemory memory,
                       bool resident = true) {
  BitSparse measured;
  Core core(configuration, a.cores);
  measured.dense = measure_layer(core, a, InputMemory::buffer, resident);
  a.form = WeightForm::bit_sparse, a.threshold = threshold;
  Core sparse_core(configuration, a.cores);
  measured.sparse = measure_layer(sparse_core, a, memory, resident);
  return measured;
}

void measure_bits() {
  // Meta data is 3 bits for each column and input. `meta_buffer` has room for that of 256 columns, and not for the map, which pim-compute
  // reads from an SRAM. With two columns for each filter, two cores have half of the filters each.
  for (const std::uint32_t threshold : {1U, 2U}) {
    Conv2dArguments a = layer(14, 256);
    a.cores = threshold, a.split = Split::outputs;
    const auto measured = measure_bits(cox::isa::pim::default_configuration(), a, threshold, InputMemory::sram);
    // Five partial sums of each result: an instruction adds two to two others, one their sums, one the fifth; then bias and requantisation
    // of all pixels of a tile. With half of the outputs, pixels are no neighbours: an instruction requantises one.
    const double lanes = 256.0 / threshold / 32, simd = (2 * lanes + 2) + 2 * (lanes + 2) + 2 * lanes + (threshold == 2 ? 2 : 0);
    const std::string name = "pim.bit_sparse.speedup_" + std::to_string(threshold);
    report(
        name.c_str(), measured.speedup(), "x", 0.7 * 8 / threshold,
        "3x3, 256 to 256, 14x14, on %u core%s: %.0f cycles, dense %.0f. A register sums at most 512 products, so each result has 5 partial "
        "sums, whatever the weights. The SIMD unit takes %.0f cycles a pixel for them, which allows %.2f x; pim-output takes %.0f. Array "
        "%.0f (dense %.0f), pim-output %.0f, SIMD %.0f; %.2f uJ, dense %.2f uJ",
        a.cores, a.cores == 1 ? "" : "s", measured.sparse.cycles, measured.dense.cycles, simd, measured.dense.cycles / (14 * 14 * simd),
        5 * lanes, measured.sparse.array, measured.dense.array, measured.sparse.output, measured.sparse.simd, measured.sparse.microjoules,
        measured.dense.microjoules);
  }
}

/// Fewer, taller macros: a column of 72 rows of 32 compartments sums the 2,304 products of a result of layer A. With 64 macros the array
/// has 1.1 times the bits of the default one. `meta_buffer` has room for the meta data of layer A and for the map.
Configuration tall_configuration(std::uint32_t macros, std::initializer_list<std::uint32_t> group_sizes) {
  Configuration configuration = cox::isa::pim::default_configuration();
  configuration.array.macros = macros, configuration.array.rows = 72;
  configuration.array.group_sizes_count = static_cast<unsigned>(group_sizes.size());
  std::copy(group_sizes.begin(), group_sizes.end(), configuration.array.group_sizes.begin());
  constexpr std::uint32_t kSpacing = 0x200000;
  for (unsigned i = 0; i < configuration.memories_count; ++i) configuration.memories[i].first = (i + 1) * kSpacing;
  configuration.memories[static_cast<unsigned>(InputMemory::buffer)].bytes = 512 * 1024;
  require(cox::isa::pim::check(configuration));
  return configuration;
}

void measure_bits_of_tall_array() {
  const Configuration configuration = tall_configuration(64, {4, 8, 16, 32, 64});
  for (const std::uint32_t threshold : {1U, 2U}) {
    const auto measured = measure_bits(configuration, layer(14, 256), threshold, InputMemory::buffer);
    const std::string name = "pim.bit_sparse.tall_array.speedup_" + std::to_string(threshold);
    report(
        name.c_str(), measured.speedup(), "x", 0.7 * 8 / threshold,
        "3x3, 256 to 256, 14x14, on 64 macros of 72 rows, whose registers sum 2,304 products: %.0f cycles, dense %.0f; %u pixels at once, "
        "dense %u; array %.0f, pim-output %.0f, SIMD %.0f; %.2f uJ, dense %.2f uJ",
        measured.sparse.cycles, measured.dense.cycles, measured.sparse.mapping.tile(), measured.dense.mapping.tile(), measured.sparse.array,
        measured.sparse.output, measured.sparse.simd, measured.sparse.microjoules, measured.dense.microjoules);
  }
}

/// Layer A with threshold 1 for half of the filters and 2 for the others, in runs of `run` filters.
Measured measure_mixed_bits(const Configuration &configuration, std::uint32_t run) {
  Conv2dArguments a = layer(14, 256);
  std::vector<std::uint8_t> thresholds(a.output_channels);
  for (std::uint32_t i = 0; i < a.output_channels; ++i) thresholds[i] = i / run % 2 == 0 ? 1 : 2;
  a.form = WeightForm::bit_sparse, a.thresholds = thresholds;
  Core core(configuration);
  return measure_layer(core, a, InputMemory::buffer);
}

void measure_mixed_bits() {
  // 256 filters take 4 macros with one column each, 6 with one and a half, and 8 with two.
  const Configuration configuration = tall_configuration(96, {4, 6, 8, 32});
  const auto [dense, two] = measure_bits(configuration, layer(14, 256), 2, InputMemory::buffer);
  const Measured mixed = measure_mixed_bits(configuration, 128), runs = measure_mixed_bits(configuration, 32),
                 turns = measure_mixed_bits(configuration, 1);
  report("pim.bit_sparse.tall_array.mixed_speedup", dense.cycles / mixed.cycles, "x", 0.7 * 8 / 1.5,
         "3x3, 256 to 256, 14x14, on 96 macros of 72 rows, threshold 1 for the first half of the filters, 2 for the second: %.0f cycles, "
         "dense "
         "%.0f; %u pixels at once, dense %u; array %.0f, pim-output %.0f, SIMD %.0f; %.2f uJ, dense %.2f uJ. In runs of 32 filters %.0f "
         "cycles, in turn %.0f, threshold 2 for all %.0f",
         mixed.cycles, dense.cycles, mixed.mapping.tile(), dense.mapping.tile(), mixed.array, mixed.output, mixed.simd, mixed.microjoules,
         dense.microjoules, runs.cycles, turns.cycles, two.cycles);
}

/// A product whose weights come from DRAM in each run.
void measure_loaded_bits() {
  GemmArguments product;
  product.k = product.n = 1024;
  for (const std::uint32_t threshold : {1U, 2U}) {
    const auto &configuration = cox::isa::pim::default_configuration();
    const auto measured = measure_bits(configuration, convolution_of(product), threshold, InputMemory::sram, false);
    const auto convolution = measure_bits(configuration, layer(14, 256), threshold, InputMemory::sram, false);
    const std::string name = "pim.bit_sparse.loaded_speedup_" + std::to_string(threshold);
    report(
        name.c_str(), measured.speedup(), "x", 0,
        "1,024 x 1,024 times a vector, weights from DRAM: %.0f cycles, %.0f of the bus; dense %.0f, %.0f of the bus. A weight and its meta "
        "data have %u bits, so the bus allows %.2f x. 3x3, 256 to 256, 14x14, also from DRAM: %.0f cycles, %.0f of the bus; dense %.0f, "
        "%.0f of the bus",
        measured.sparse.cycles, measured.sparse.bus, measured.dense.cycles, measured.dense.bus, 4 * threshold, 2.0 / threshold,
        convolution.sparse.cycles, convolution.sparse.bus, convolution.dense.cycles, convolution.dense.bus);
  }
}

/// A product of 4,096 x 1,024 with a vector, everything in DRAM.
Measured measure_streamed(std::uint32_t weight_bits) {
  GemvArguments product;
  product.n = 4096, product.k = 1024, product.weight_bits = weight_bits;
  Core core;
  const Conv2dArguments a = convolution_of(product_of(product));
  const auto mapping = choose_mapping(conv2d_layer(a).value(), core.configuration);
  require(mapping.status());
  product.weights = core.put(pack(core, a, mapping.value()));
  const std::vector<std::int8_t> vector = random_bytes(1024 + 4096);
  product.vector = core.put(std::as_bytes(std::span(vector)));
  product.output = product.vector + 1024;
  require(gemv(core.builder, product, mapping.value()));
  Measured measured;
  measured.cycles = static_cast<double>(core.run());
  const Counters counters = core.machine.counters(0);
  measured.bus = static_cast<double>(counters.dram_read + counters.dram_written) / kBusBytes;
  return measured;
}

void measure_gemv() {
  GemmArguments product;
  product.m = 64, product.k = 1024, product.n = 1024;
  Core core;
  const Measured many = measure_layer(core, convolution_of(product), InputMemory::buffer);
  product.m = 1;
  Core second;
  const Measured one = measure_layer(second, convolution_of(product), InputMemory::buffer);
  constexpr double kProducts = 1024.0 * 1024;
  report("pim.gemv.resident.utilisation", 64 * kProducts / kPeak / many.cycles, "of peak", 0.6,
         "1,024 x 1,024 in the array, 64 vectors one after another: %.0f cycles; a single vector %.0f (the array works for 128 of them)",
         many.cycles, one.cycles);

  const Measured streamed = measure_streamed(8), four_bits = measure_streamed(4);
  report("pim.gemv.streamed.bandwidth", streamed.bus / streamed.cycles, "of the bus", 0.95,
         "4,096 x 1,024 from DRAM: %.0f cycles, %.0f of the bus; weights alone %.3f of the bus. Weights of 4 bits: %.0f cycles",
         streamed.cycles, streamed.bus, 4 * kProducts / kBusBytes / streamed.cycles, four_bits.cycles);
}

std::vector<cox::bench::Figure> measure() {
  measure_layers();
  measure_bits();
  measure_bits_of_tall_array();
  measure_mixed_bits();
  measure_loaded_bits();
  measure_gemv();
  return figures;
}

}  // namespace

int main(int argc, char **argv) { return cox::bench::run("bench_pim_kernels", measure, argc, argv); }
