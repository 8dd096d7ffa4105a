// SPDX-License-Identifier: MIT
// The host's side of the networks: writes DRAM before a run, and compares all results with the reference afterwards (README.md).
//   pim_networks pack NETWORK -o DRAM [--cores N] [--pipeline] [--images N]
//   pim_networks check NETWORK DRAM
//   pim_networks task NETWORK -o TASK.cxt [--cores N] [--inputs FILE --outputs FILE]
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "boards/qemu-npu-soc/board_map.h"
#include "coxswain/base/status.h"
#include "coxswain/device/engines.h"
#include "coxswain/kernels/pim/pack_weights.h"
#include "examples/pim_networks/layer_chain.h"
#include "examples/pim_networks/machine_data.h"
#include "examples/pim_networks/pack_pipeline.h"
#include "examples/pim_networks/parameters.h"
#include "examples/pim_networks/reference.h"
#include "tools/image/stream_image.h"

namespace {

using namespace cox;
using namespace cox::pim_networks;

constexpr std::uint64_t kMiB = 1U << 20;
constexpr std::uint64_t kCodeBytes = 8 * kMiB;
constexpr std::uint64_t kRegionAlignment = 64;

void expect(const Status &status, const std::string &what) {
  if (status.ok()) return;
  throw std::runtime_error(what + ": " + error_name(status.code()) + " " + status.what() + ", " + std::to_string(status.value()) +
                           ", limit " + std::to_string(status.limit()));
}

void write_file(const std::string &path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw std::runtime_error(path + " cannot be written");
}

/// A network with its parameters and images.
struct Subject {
  const Network &network;
  Parameters parameters;
  std::vector<std::int8_t> images;
  std::vector<std::uint8_t> labels;  ///< of the images; empty if they have none
};

Subject subject(const std::string &name, const std::filesystem::path &digits) {
  if (name == "resnet18") return {kResnet18, resnet18_parameters(), resnet18_image(), {}};
  std::ifstream file(digits / "labels.bin", std::ios::binary);
  const std::vector<char> labels{std::istreambuf_iterator<char>(file), {}};
  return {kDigits, digits_parameters(digits), digits_images(digits), {labels.begin(), labels.end()}};
}

/// DRAM as a file.
class Dram {
 public:
  Dram() : bytes_(sizeof(MachineData)) {}
  explicit Dram(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> read{std::istreambuf_iterator<char>(file), {}};
    if (read.size() < sizeof(MachineData)) throw std::runtime_error(path + " has no data block");
    bytes_.resize(read.size());
    std::memcpy(bytes_.data(), read.data(), read.size());
  }

  Region take(std::uint64_t bytes) {
    const std::uint64_t first = (bytes_.size() + kRegionAlignment - 1) / kRegionAlignment * kRegionAlignment;
    bytes_.resize(first + bytes);
    return {BOARD_DRAM_BUS_BASE + first, bytes};
  }
  [[nodiscard]] std::span<std::byte> at(const Region &region) {
    return std::span(bytes_).subspan(region.address - BOARD_DRAM_BUS_BASE, region.bytes);
  }
  [[nodiscard]] MachineData data() const {
    MachineData data;
    std::memcpy(&data, bytes_.data(), sizeof data);
    return data;
  }
  void write(const std::string &path, const MachineData &data) {
    std::memcpy(bytes_.data(), &data, sizeof data);
    const std::uint64_t size = std::max<std::uint64_t>((bytes_.size() + kMiB - 1) / kMiB * kMiB, BOARD_DRAM_SIZE_MIN);
    bytes_.resize(size);
    write_file(path, {reinterpret_cast<const char *>(bytes_.data()), size});
  }

 private:
  std::vector<std::byte> bytes_;
};

/// Biases that take the zero point of the input into account.
std::vector<std::int32_t> moved_biases(const LayerParameters &parameters, std::uint32_t filter_weights, std::int32_t zero_point) {
  std::vector<std::int32_t> biases = parameters.biases;
  for (std::size_t filter = 0; filter < biases.size(); ++filter) {
    for (std::size_t i = 0; i < filter_weights; ++i) biases[filter] -= zero_point * parameters.weights[filter * filter_weights + i];
  }
  return biases;
}

void pack_layers(Dram &dram, MachineData &data, const Subject &subject) {
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  const Network &network = subject.network;
  LayerChain chain;
  expect(chain.plan(network, configuration, data.cores), "plan");
  data.images = dram.take(std::uint64_t{data.image_count} * network.image_elements());
  data.outputs = dram.take(std::uint64_t{data.image_count} * network.layers.back().elements());
  data.weights = dram.take(chain.weights_bytes());
  data.maps = dram.take(chain.maps_bytes());
  std::memcpy(dram.at(data.images).data(), subject.images.data(), data.images.bytes);
  std::size_t adds = 0;
  for (std::size_t number = 0; number < network.layers.size(); ++number) {
    const Layer &layer = network.layers[number];
    if (!layer.is_convolution()) continue;
    const LayerParameters &parameters = subject.parameters[number];
    const LayerChain::Step &step = chain.step(number);
    const std::uint32_t filter_weights = network.filter_weights(layer);
    const std::vector<std::int32_t> biases = moved_biases(parameters, filter_weights, network.zero_point_of(layer.input));
    kernels::pim::Weights weights;
    weights.values = parameters.weights;
    weights.output_stride = filter_weights;
    const std::span<std::byte> packed = dram.at(data.weights).subspan(step.arguments.weights, step.mapping.bytes(configuration.array));
    expect(kernels::pim::pack_weights(step.shape, step.mapping, configuration, weights, {biases, parameters.multipliers, parameters.shifts},
                                      packed),
           layer.name);
    if (layer.has_shortcut()) data.adds.at(adds++) = parameters.add;
  }
}

void pack_pipeline(Dram &dram, MachineData &data, const Subject &subject) {
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  static Pipeline pipeline;
  expect(pipeline.plan(configuration, data.cores), "plan");
  const std::uint64_t arrays = data.cores * configuration.array.bytes();
  data.images = dram.take(Pipeline::image_map().bytes());
  data.outputs = dram.take(Pipeline::kClassesBytes);
  data.weights = dram.take(arrays + std::uint64_t{data.cores} * Pipeline::kConstantsBytes);
  data.maps = dram.take(0);
  pack_image(subject.images, dram.at(data.images));
  const std::span<std::byte> packed = dram.at(data.weights);
  pack_weights(pipeline, configuration.array, subject.parameters, packed.first(arrays), packed.subspan(arrays));
}

void pack(const Subject &subject, const std::string &path, MachineData data, std::uint32_t images) {
  Dram dram;
  data.layers = static_cast<std::uint32_t>(subject.network.layers.size());
  const auto most = static_cast<std::uint32_t>(subject.images.size() / subject.network.image_elements());
  data.image_count = images == 0 ? most : std::min(images, most);
  if (data.program == Program::pipeline && &subject.network != &kResnet18) throw std::runtime_error("only resnet18 has a pipeline");
  if (data.program == Program::pipeline) {
    pack_pipeline(dram, data, subject);
  } else {
    pack_layers(dram, data, subject);
  }
  data.code = dram.take(kCodeBytes);
  dram.write(path, data);
}

/// Writes a task image whose inputs and outputs are tensors: one inference is one run of it.
void write_task(const Subject &subject, const std::string &path, unsigned cores) {
  Dram dram;
  MachineData data;
  data.cores = cores;
  data.image_count = 1;
  pack_layers(dram, data, subject);
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  const Network &network = subject.network;
  LayerChain chain;
  expect(chain.plan(network, configuration, cores), "plan");
  // Window 0 has the weights, window 1 the maps.
  const std::array<isa::Window, 2> windows = {{{.base = 0, .bytes = chain.weights_bytes(), .read = true, .write = false},
                                               {.base = 1ULL << 32, .bytes = chain.maps_bytes(), .read = true, .write = true}}};
  std::vector<std::uint64_t> memory(kCodeBytes / sizeof(std::uint64_t));
  kernels::pim::ProgramBuilder builder;
  expect(builder.init(std::as_writable_bytes(std::span(memory)), windows, configuration, cores), "program");
  const auto part = static_cast<std::uint32_t>(configuration.dram_part());
  expect(chain.append(builder, configuration.dram_first, configuration.dram_first + part, data.adds), "program");

  const auto bytes_of = [](std::span<const std::byte> bytes) {
    const auto *const first = reinterpret_cast<const std::uint8_t *>(bytes.data());
    return std::vector<std::uint8_t>(first, first + bytes.size());
  };
  tools::StreamImage image;
  image.name = network.name;
  image.engine = static_cast<std::uint8_t>(registers::Engine::pim);
  image.code = bytes_of(builder.code());
  image.windows = {{.index = 0, .size = chain.weights_bytes(), .writable = false},
                   {.index = 1, .size = chain.maps_bytes(), .writable = true}};
  image.constants = {{.window = 0, .offset = 0, .data = bytes_of(dram.at(data.weights))}};
  tools::Tensor tensor;
  tensor.name = "image";
  tensor.window = 1;
  tensor.offset = LayerChain::image_offset();
  tensor.shape = {1, network.image_channels, network.image_side, network.image_side};
  tensor.size = network.image_elements();
  image.tensors.push_back(tensor);
  const Layer &last = network.layers.back();
  tensor.name = last.name;
  tensor.direction = tools::Direction::output;
  tensor.offset = chain.result_offset();
  tensor.shape = {1, last.channels, last.side, last.side};
  tensor.size = last.elements();
  image.tensors.push_back(tensor);
  const std::vector<std::uint8_t> file = tools::build_image(image);
  write_file(path, {reinterpret_cast<const char *>(file.data()), file.size()});
}

/// Writes the images and the expected outputs of all of them, one behind the other, as files for a task.
void write_tensors(const Subject &subject, const std::string &images, const std::string &outputs) {
  const Network &network = subject.network;
  const auto *const first = reinterpret_cast<const char *>(subject.images.data());
  write_file(images, {first, subject.images.size()});
  std::string expected;
  for (std::size_t i = 0; i < subject.images.size(); i += network.image_elements()) {
    const std::vector<Map> maps = evaluate(network, subject.parameters, std::span(subject.images).subspan(i, network.image_elements()));
    for (const std::int32_t value : maps.back()) expected.push_back(static_cast<char>(value));
  }
  write_file(outputs, expected);
}

std::size_t differing(std::span<const std::byte> found, const Map &expected) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) count += static_cast<std::int8_t>(found[i]) != expected[i] ? 1 : 0;
  return count;
}

/// Compares the outputs of every image, and of the last one every layer, if its maps are in DRAM. Returns the number of differences.
std::size_t check(const Subject &subject, const std::string &path) {
  Dram dram(path);
  const MachineData data = dram.data();
  const Network &network = subject.network;
  const std::string prefix = std::string("pim.") + network.name;
  const auto print = [&](const char *name, double value) { std::printf("%s.%s %.10g\n", prefix.c_str(), name, value); };
  if (data.head.state != machine::State::done) throw std::runtime_error(path + ": the application has not ended well: " + data.error_text);
  const std::span<const std::byte> outputs = dram.at(data.outputs);
  std::size_t differences = 0, right = 0;
  std::vector<Map> maps;
  for (std::uint32_t i = 0; i < data.image_count; ++i) {
    maps = evaluate(network, subject.parameters, std::span(subject.images).subspan(i * network.image_elements(), network.image_elements()));
    const std::size_t count = maps.back().size();
    const std::span<const std::byte> found = outputs.subspan(i * count, count);
    differences += differing(found, maps.back());
    const auto signed_less = [](std::byte a, std::byte b) { return static_cast<std::int8_t>(a) < static_cast<std::int8_t>(b); };
    const auto best = std::ranges::max_element(found, signed_less) - found.begin();
    if (!subject.labels.empty()) right += best == subject.labels[i] ? 1 : 0;
  }
  if (data.program == Program::layers) {
    LayerChain chain;
    expect(chain.plan(network, isa::pim::default_configuration(), data.cores), "plan");
    for (std::size_t number = 0; number < network.layers.size(); ++number) {
      const std::size_t count = differing(dram.at(data.maps).subspan(chain.step(number).output), maps[number]);
      if (count != 0) std::printf("%s: %zu of %zu bytes differ\n", network.layers[number].name, count, maps[number].size());
      differences += count;
    }
  }
  print("images", data.image_count);
  print("cores", data.cores);
  print("differing_bytes", static_cast<double>(differences));
  if (!subject.labels.empty()) print("accuracy", static_cast<double>(right) / data.image_count);
  print("load_cycles", static_cast<double>(data.load_cycles));
  print("cycles", static_cast<double>(data.inference_cycles) / data.image_count);
  print("control_instructions", static_cast<double>(data.inference_instructions) / data.image_count);
  print("build_instructions", static_cast<double>(data.build_instructions));
  print("program_instructions", data.program_instructions);
  return differences;
}

}  // namespace

int main(int argc, char **argv) {
  CLI::App app("Networks on PIM cores: writes DRAM for a run, and checks the results");
  app.require_subcommand(1);
  std::string network, path, digits = COX_DIGITS;
  MachineData data;
  bool pipeline = false;
  std::uint32_t images = 0;
  const auto common = [&](CLI::App *command) {
    command->add_option("network", network, "digits or resnet18")->required()->check(CLI::IsMember({"digits", "resnet18"}));
    command->add_option("--digits", digits, "the folder examples/digits");
  };
  CLI::App *const packing = app.add_subcommand("pack", "write DRAM");
  common(packing);
  packing->add_option("-o", path, "the DRAM file")->required();
  packing->add_option("--cores", data.cores, "cores that share each layer")->check(CLI::Range(1, 64));
  packing->add_flag("--pipeline", pipeline, "a pipeline of 16 to 64 cores instead");
  packing->add_option("--images", images, "only so many images");
  CLI::App *const checking = app.add_subcommand("check", "compare the results in DRAM with the reference");
  common(checking);
  checking->add_option("dram", path, "the DRAM file")->required();
  std::string inputs, outputs;
  CLI::App *const making = app.add_subcommand("task", "write a task image, and files for its tensors");
  common(making);
  making->add_option("-o", path, "the task image")->required();
  making->add_option("--cores", data.cores, "cores that share each layer")->check(CLI::Range(1, 64));
  making->add_option("--inputs", inputs, "all images, one behind the other");
  making->add_option("--outputs", outputs, "their expected outputs");
  CLI11_PARSE(app, argc, argv);
  try {
    const Subject chosen = subject(network, digits);
    if (checking->parsed()) return check(chosen, path) == 0 ? 0 : 1;
    if (making->parsed()) {
      write_task(chosen, path, data.cores);
      if (!inputs.empty() && !outputs.empty()) write_tensors(chosen, inputs, outputs);
      return 0;
    }
    data.program = pipeline ? Program::pipeline : Program::layers;
    pack(chosen, path, data, images);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "pim_networks: %s\n", error.what());
    return 2;
  }
  return 0;
}
