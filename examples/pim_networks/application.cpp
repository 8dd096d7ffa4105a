// SPDX-License-Identifier: MIT
#include "examples/pim_networks/application.h"

#include <algorithm>
#include <cstring>

#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/kernels/pim/engine.h"
#include "examples/machine/mx_application.h"
#include "examples/pim_networks/layer_chain.h"
#include "examples/pim_networks/machine_data.h"
#include "examples/pim_networks/pipeline.h"

namespace cox::pim_networks {

using firmware::console::print;
using firmware::console::Text;
using machine::memory_at;
using machine::State;
namespace pim = kernels::pim;

namespace {

hal::Accelerator accelerator;
pim::Engine engine;
pim::ProgramBuilder builder;
LayerChain chain;

Status check(const MachineData &data, const Network &network) {
  const auto refuse = [](const char *what, std::uint32_t value, std::uint32_t limit) {
    return Status(ErrorCode::invalid_argument, what, -1, value, limit);
  };
  if (data.layers != network.layers.size()) return refuse("layers", data.layers, static_cast<std::uint32_t>(network.layers.size()));
  if (data.image_count == 0) return refuse("image_count", 0, 1);
  if (data.program > Program::pipeline) return refuse("program", static_cast<std::uint32_t>(data.program), 1);
  const std::uint64_t classes = std::uint64_t{data.image_count} * network.layers.back().elements();
  if (Status status = machine::check_region("images", data.images, std::uint64_t{data.image_count} * network.image_elements());
      !status.ok())
    return status;
  if (Status status = machine::check_region("weights", data.weights); !status.ok()) return status;
  if (Status status = machine::check_region("maps", data.maps); !status.ok()) return status;
  if (Status status = machine::check_region("code", data.code); !status.ok()) return status;
  return machine::check_region("outputs", data.outputs, classes);
}

/// Runs the program that the builder has and adds to the counts.
Status run_program(machine::Meter &meter, std::uint64_t &cycles, std::uint64_t &instructions) {
  (void)meter.lap();
  const Status status = engine.run(builder);
  const machine::Meter::Lap lap = meter.lap();
  cycles += lap.device_cycles;
  instructions += lap.control_instructions;
  return status;
}

Status run_layers(MachineData &data, const Network &network, machine::Meter &meter) {
  if (Status status = chain.plan(network, builder.configuration(), data.cores); !status.ok()) return status;
  if (Status status = machine::check_region("weights", data.weights, chain.weights_bytes()); !status.ok()) return status;
  if (Status status = machine::check_region("maps", data.maps, chain.maps_bytes()); !status.ok()) return status;
  const Result<std::uint32_t> weights = builder.address_of(data.weights.address, data.weights.bytes);
  const Result<std::uint32_t> maps = builder.address_of(data.maps.address, data.maps.bytes);
  if (!weights) return weights.status();
  if (!maps) return maps.status();
  if (Status status = chain.append(builder, weights.value(), maps.value(), data.adds); !status.ok()) return status;
  data.build_instructions = meter.lap().control_instructions;

  const std::size_t image_bytes = network.image_elements(), output_bytes = network.layers.back().elements();
  const std::span<std::byte> images = memory_at(data.images.address, data.image_count * image_bytes);
  const std::span<std::byte> outputs = memory_at(data.outputs.address, data.image_count * output_bytes);
  const std::span<std::byte> input = memory_at(data.maps.address + LayerChain::image_offset(), image_bytes);
  const std::span<std::byte> output = memory_at(data.maps.address + chain.result_offset(), output_bytes);
  hal::invalidate_cache(images.data(), images.size());
  for (std::size_t i = 0; i < data.image_count; ++i) {
    std::memcpy(input.data(), &images[i * image_bytes], image_bytes);
    hal::clean_cache(input.data(), input.size());
    if (Status status = run_program(meter, data.inference_cycles, data.inference_instructions); !status.ok()) return status;
    hal::invalidate_cache(output.data(), output.size());
    std::memcpy(&outputs[i * output_bytes], output.data(), output_bytes);
  }
  hal::clean_cache(outputs.data(), outputs.size());
  return {};
}

Status run_pipeline(MachineData &data, machine::Meter &meter) {
  static Pipeline pipeline;
  if (Status status = pipeline.plan(builder.configuration(), data.cores); !status.ok()) return status;
  const std::uint64_t array_bytes = builder.configuration().array.bytes();
  const std::uint64_t weights = data.cores * (array_bytes + Pipeline::kConstantsBytes);
  if (Status status = machine::check_region("weights", data.weights, weights); !status.ok()) return status;
  if (Status status = machine::check_region("images", data.images, Pipeline::image_map().bytes()); !status.ok()) return status;
  if (Status status = machine::check_region("outputs", data.outputs, Pipeline::kClassesBytes); !status.ok()) return status;
  const Result<std::uint32_t> arrays = builder.address_of(data.weights.address, data.weights.bytes);
  const Result<std::uint32_t> image = builder.address_of(data.images.address, data.images.bytes);
  const Result<std::uint32_t> outputs = builder.address_of(data.outputs.address, data.outputs.bytes);
  for (const Result<std::uint32_t> *each : {&arrays, &image, &outputs}) {
    if (!*each) return each->status();
  }
  const Pipeline::Addresses addresses = {arrays.value(), arrays.value() + static_cast<std::uint32_t>(data.cores * array_bytes),
                                         image.value(), outputs.value()};
  std::uint64_t loading = 0;
  if (Status status = pipeline.append_load(builder, addresses); !status.ok()) return status;
  if (Status status = run_program(meter, data.load_cycles, loading); !status.ok()) return status;
  builder.clear();
  (void)meter.lap();
  if (Status status = pipeline.append_inference(builder, addresses); !status.ok()) return status;
  data.build_instructions = meter.lap().control_instructions;
  for (std::uint32_t i = 0; i < data.image_count; ++i) {
    if (Status status = run_program(meter, data.inference_cycles, data.inference_instructions); !status.ok()) return status;
  }
  return {};
}

Status run(MachineData &data, const Network &network) {
  if (Status status = check(data, network); !status.ok()) return status;
  const MemoryRange dram = hal::dram_range();
  const std::array<isa::Window, 1> windows = {{{.base = dram.address, .bytes = dram.size, .read = true, .write = true}}};
  if (Status status = accelerator.open(); !status.ok()) return status;
  pim::Engine::Configuration configuration;
  configuration.windows = windows;
  if (Status status = engine.init(accelerator, configuration); !status.ok()) return status;
  machine::Meter meter;
  const std::span<std::byte> code = memory_at(data.code.address, data.code.bytes);
  if (Status status = builder.init(code, windows, isa::pim::default_configuration(), data.cores); !status.ok()) return status;
  const Status status = data.program == Program::pipeline ? run_pipeline(data, meter) : run_layers(data, network, meter);
  data.program_instructions = builder.instructions();
  data.program_bytes = static_cast<std::uint32_t>(builder.code().size());
  return status;
}

}  // namespace

int run_network(const char *application, const Network &network) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): memory of the map
  auto &data = *reinterpret_cast<MachineData *>(board::dram_base());
  if (!machine::is_own(application, "examples/pim_networks/run", data.head, kMachineDataHead)) return 1;
  data.head.state = State::running;
  const Status status = run(data, network);
  if (!status.ok()) {
    const Text text = machine::explain(application, status, engine.fault());
    machine::copy_text(text, data.error_text);
    print(text);
  } else {
    print(Text() << application << ": " << data.image_count << " images on " << data.cores << " cores, " << data.program_instructions
                 << " PIM instructions in a program");
  }
  data.head.state = status.ok() ? State::done : State::failed;
  hal::clean_cache(&data, sizeof(data));
  return status.ok() ? 0 : 1;
}

}  // namespace cox::pim_networks
