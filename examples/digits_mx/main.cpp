// SPDX-License-Identifier: MIT
// Handwritten digits in MX9 on the control core: builds the network as one stream, once, and runs it for each image (README.md).
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/kernels/mx/mx9_pack.h"
#include "coxswain/kernels/mx/mx9_unpack.h"
#include "examples/digits_mx/machine_data.h"
#include "examples/digits_mx/network_stream.h"
#include "examples/machine/mx_application.h"

namespace {

using cox::ErrorCode;
using cox::Result;
using cox::Status;
using cox::digits_mx::kDigits;
using cox::digits_mx::kSide;
using cox::digits_mx::MachineData;
using cox::firmware::console::print;
using cox::firmware::console::Text;
using cox::machine::Region;
using cox::machine::State;
namespace machine = cox::machine;
namespace mx = cox::kernels::mx;

constexpr const char *kApplication = "digits_mx";
constexpr std::size_t kStreamBytes = 1024;
constexpr std::size_t kPixels = std::size_t{kSide} * kSide;

mx::Engine engine;
mx::Stream stream;

template <typename T>
std::span<T> elements(const Region &region, std::size_t count) {
  return {reinterpret_cast<T *>(machine::memory_at(region.address, region.bytes).data()), count};
}

/// Initialises the engine and builds the stream of the whole network.
Status build(const MachineData &data, cox::digits_mx::NetworkStream &network) {
  machine::Arena arena(data.arena.address, data.arena.bytes);
  const Result<std::uint64_t> code = arena.take(kStreamBytes);
  if (!code) return code.status();
  const std::array<cox::isa::mx::Window, 2> windows = {{
      {data.weights.address, data.weights.bytes, true, false},
      {data.arena.address, data.arena.bytes, true, true},
  }};
  if (Status status = machine::take_engine(engine, windows); !status.ok()) return status;
  if (Status status = stream.init(machine::memory_at(code.value(), kStreamBytes), windows); !status.ok()) return status;
  return network.append(stream, data.weights.address, arena);
}

cox::digits_mx::NetworkStream network;

Status check(const MachineData &data) {
  const std::uint64_t count = data.image_count;
  if (count == 0) return {ErrorCode::invalid_argument, "image_count", -1, 0, 1};
  if (Status status = machine::check_region("images", data.images, count * kPixels * sizeof(float)); !status.ok()) return status;
  if (Status status = machine::check_region("weights", data.weights); !status.ok()) return status;
  if (Status status = machine::check_region("arena", data.arena); !status.ok()) return status;
  if (Status status = machine::check_region("logits", data.logits, count * kDigits * sizeof(float)); !status.ok()) return status;
  return machine::check_region("predictions", data.predictions, count);
}

Status run(MachineData &data) {
  if (Status status = check(data); !status.ok()) return status;
  machine::Meter meter;
  if (Status status = build(data, network); !status.ok()) return status;
  data.build_instructions = meter.lap().control_instructions;
  data.stream_instructions = stream.instructions();
  data.stream_bytes = static_cast<std::uint32_t>(stream.code().size());

  const std::size_t count = data.image_count;
  const std::span<float> images = elements<float>(data.images, count * kPixels);
  cox::hal::invalidate_cache(images.data(), images.size_bytes());
  const std::span<float> logits = elements<float>(data.logits, count * kDigits);
  const std::span<std::uint8_t> predictions = elements<std::uint8_t>(data.predictions, count);
  const std::span<cox::isa::mx::Block> input = machine::blocks_of(network.image());
  const std::span<cox::isa::mx::Block> output = machine::blocks_of(network.logits());
  for (std::size_t i = 0; i < count; ++i) {
    (void)meter.lap();
    if (Status status = mx::mx9_pack_planes(images.subspan(i * kPixels, kPixels), 1, kPixels, input); !status.ok()) return status;
    cox::hal::clean_cache(input.data(), input.size_bytes());
    data.pack_instructions += meter.lap().control_instructions;
    if (Status status = engine.run(stream); !status.ok()) return status;
    const machine::Meter::Lap ran = meter.lap();
    data.run_instructions += ran.control_instructions;
    data.device_cycles += ran.device_cycles;
    cox::hal::invalidate_cache(output.data(), output.size_bytes());
    const std::span<float> answer = logits.subspan(i * kDigits, kDigits);
    if (Status status = mx::mx9_unpack_planes(output, kDigits, 1, answer); !status.ok()) return status;
    predictions[i] = static_cast<std::uint8_t>(std::max_element(answer.begin(), answer.end()) - answer.begin());
    data.predict_instructions += meter.lap().control_instructions;
  }
  cox::hal::clean_cache(logits.data(), logits.size_bytes());
  cox::hal::clean_cache(predictions.data(), predictions.size_bytes());
  return {};
}

}  // namespace

int machine::run_application() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a bus address
  auto &data = *reinterpret_cast<MachineData *>(cox::board::dram_base());
  if (!machine::is_own(kApplication, "examples/digits_mx/run", data.head, cox::digits_mx::kMachineDataHead)) return 1;
  data.head.state = State::running;
  const Status status = run(data);
  if (!status.ok()) {
    const Text text = machine::explain(kApplication, status, engine.fault());
    machine::copy_text(text, data.error_text);
    print(text);
  } else {
    print(Text() << kApplication << ": " << data.image_count << " images, " << data.stream_instructions << " instructions in a stream");
  }
  data.head.state = status.ok() ? State::done : State::failed;
  cox::hal::clean_cache(&data, sizeof(data));
  return status.ok() ? 0 : 1;
}
