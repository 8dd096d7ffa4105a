// SPDX-License-Identifier: MIT
// YOLOv5s on the control core (application.md). It records the whole network as a stream of MX instructions, and a second one with its own
// input and outputs. It first processes all pictures in a row: while the device runs the network, the core finds the boxes of the previous
// picture and packs the next one. Then it processes the first picture again, part after part, to measure the cost of each part and layer.
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/device.h"
#include "coxswain/kernels/mx/mx9_pack_u8.h"
#include "examples/machine/mx_application.h"
#include "examples/machine/stream_timer.h"
#include "examples/yolov5s/detect.h"
#include "examples/yolov5s/machine_data.h"
#include "examples/yolov5s/network.h"
#include "examples/yolov5s/recorder.h"

namespace {

using cox::Result;
using cox::Status;
using cox::firmware::console::print;
using cox::firmware::console::Text;
using cox::kernels::mx::Tensor;
using cox::yolov5s::Detector;
using cox::yolov5s::MachineData;
using cox::yolov5s::State;
namespace machine = cox::machine;
namespace mx = cox::kernels::mx;
namespace yolov5s = cox::yolov5s;

constexpr const char *kApplication = "yolov5s";
constexpr std::size_t kStreamBytes = 16384;

/// A stream of the network, with the tensors that the core reads and writes.
struct Network {
  mx::Stream stream;
  yolov5s::Recorder recorder;
};

mx::Engine engine;
std::array<Network, 2> networks;
mx::ByteConversion conversion;
Detector detector;
std::uint32_t stream_instructions = 0;
yolov5s::Name refused_layer;

/// Records the cost of the stage `name`, which ends with this call.
void end_stage(MachineData &data, const char *name, machine::Meter &meter) {
  const machine::Meter::Lap lap = meter.lap();
  if (data.stage_count >= data.stages.size()) return;
  yolov5s::StageRecord &record = data.stages[data.stage_count++];
  machine::copy_text(Text() << name, record.name);
  record.device_cycles = lap.device_cycles;
  record.control_instructions = lap.control_instructions;
}

std::uint64_t picture_bytes(const MachineData &data) { return std::uint64_t{yolov5s::kImageChannels} * data.height * data.width; }

Status check(const MachineData &data) {
  if (data.picture_count == 0 || data.picture_count > yolov5s::kMostPictures) {
    return {cox::ErrorCode::invalid_argument, "pictures", -1, data.picture_count, yolov5s::kMostPictures};
  }
  if (Status status = machine::check_region("pictures", data.pictures, data.picture_count * picture_bytes(data)); !status.ok()) {
    return status;
  }
  if (Status status = machine::check_region("weights", data.weights); !status.ok()) return status;
  return machine::check_region("arena", data.arena);
}

/// Packs a picture into the network's input.
Status pack_picture(const MachineData &data, std::uint32_t number, const Network &network) {
  const std::span<std::byte> bytes = machine::memory_at(data.pictures.address + number * picture_bytes(data), picture_bytes(data));
  cox::hal::invalidate_cache(bytes.data(), bytes.size());
  const std::span<const std::uint8_t> picture(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
  const std::span<cox::isa::mx::Block> blocks = machine::blocks_of(network.recorder.image());
  Status status = mx::mx9_pack_u8_space_to_depth(picture, yolov5s::kImageChannels, data.height, data.width, conversion, blocks);
  cox::hal::clean_cache(blocks.data(), blocks.size_bytes());
  return status;
}

/// Finds the boxes in the network's outputs.
void detect(const MachineData &data, const Network &network, yolov5s::Detection &detection) {
  detector.start(data.least_score, data.most_overlap);
  for (std::uint32_t scale = 0; scale < yolov5s::kScales; ++scale) {
    const Tensor values = network.recorder.values(scale);
    const std::span<cox::isa::mx::Block> blocks = machine::blocks_of(values);
    cox::hal::invalidate_cache(blocks.data(), blocks.size_bytes());
    detector.add_scale(scale, values.height, values.width,
                       yolov5s::DeviceValues{blocks.data(), static_cast<std::uint32_t>(values.plane())});
  }
  const std::span<const yolov5s::Box> boxes = detector.finish();
  std::copy(boxes.begin(), boxes.end(), detection.boxes.begin());
  detection.box_count = static_cast<std::uint32_t>(boxes.size());
  detection.candidate_count = detector.candidates();
}

/// Builds the network. If this fails, keeps the name of the failed layer.
Status walk(const MachineData &data, yolov5s::Recorder &recorder) {
  Status status = yolov5s::build(recorder, data.height, data.width);
  if (!status.ok()) refused_layer = recorder.layer();
  return status;
}

/// Initialises the stream in memory of the arena.
Status take_stream(mx::Stream &stream, machine::Arena &arena) {
  const Result<std::uint64_t> code = arena.take(kStreamBytes);
  return code ? stream.init(machine::memory_at(code.value(), kStreamBytes), engine.windows()) : code.status();
}

/// Records both streams of the network.
Status build(MachineData &data, machine::Arena &arena) {
  Network &first = networks[0];
  first.recorder.record(first.stream, arena, data);
  if (Status status = walk(data, first.recorder); !status.ok()) return status;
  stream_instructions = first.stream.instructions();
  Network &second = networks[1];
  if (Status status = take_stream(second.stream, arena); !status.ok()) return status;
  second.recorder.record_second(first.recorder, second.stream, arena);
  return walk(data, second.recorder);
}

/// Processes all pictures. The device runs the network of one picture, while the core works for the previous and the next one.
Status run_frames(MachineData &data) {
  const std::uint64_t start = cox::hal::device_cycles();
  const std::uint32_t count = data.picture_count;
  // The last picture runs on the first network. So the engine's base registers are those that the network needs in run_parts().
  const auto network_of = [count](std::uint32_t number) -> const Network & { return networks[(count - 1 - number) % networks.size()]; };
  if (Status status = pack_picture(data, 0, network_of(0)); !status.ok()) return status;
  for (std::uint32_t number = 0; number < count; ++number) {
    const Result<std::uint32_t> tag = engine.submit(network_of(number).stream);
    if (!tag) return tag.status();
    if (number != 0) detect(data, network_of(number - 1), data.frames[number - 1]);
    if (number + 1 < count) {
      if (Status status = pack_picture(data, number + 1, network_of(number + 1)); !status.ok()) return status;
    }
    if (Status status = engine.wait(tag.value(), mx::Engine::kDefaultLimit); !status.ok()) return status;
  }
  detect(data, network_of(count - 1), data.frames[count - 1]);
  data.frames_cycles = cox::hal::device_cycles() - start;
  return {};
}

/// Processes the first picture, part after part.
Status run_parts(MachineData &data, const machine::StreamTimer &timer, machine::Meter &meter) {
  Network &network = networks[0];
  if (Status status = pack_picture(data, 0, network); !status.ok()) return status;
  data.input = {network.recorder.image().address, network.recorder.image().bytes()};
  end_stage(data, "pack", meter);

  const Result<std::uint64_t> cycles = timer.run(engine, network.stream);
  if (!cycles) return cycles.status();
  data.network_cycles = cycles.value();
  end_stage(data, "network", meter);

  detect(data, network, data.detection);
  end_stage(data, "detect", meter);

  // All results are computed. The layers run again one by one, to the same addresses and with the same results, to measure the cost of
  // each.
  network.recorder.time(engine, timer);
  if (Status status = walk(data, network.recorder); !status.ok()) return status;
  end_stage(data, "layers", meter);
  return {};
}

Status run(MachineData &data) {
  machine::Meter meter;
  if (Status status = check(data); !status.ok()) return status;
  machine::Arena arena(data.arena.address, data.arena.bytes);
  const std::array<cox::isa::mx::Window, 2> windows = {{
      {data.weights.address, data.weights.bytes, true, false},
      {data.arena.address, data.arena.bytes, true, true},
  }};
  if (Status status = machine::take_engine(engine, windows); !status.ok()) return status;
  if (Status status = take_stream(networks[0].stream, arena); !status.ok()) return status;
  const Result<std::uint64_t> scratch = arena.take(std::uint64_t{2} * cox::isa::mx::kBlockBytes);
  if (!scratch) return scratch.status();
  machine::StreamTimer timer;
  if (Status status = timer.calibrate(engine, networks[0].stream, scratch.value()); !status.ok()) return status;
  if (Status status = conversion.init(1.0F / 255.0F); !status.ok()) return status;
  end_stage(data, "start", meter);

  if (Status status = build(data, arena); !status.ok()) return status;
  end_stage(data, "build", meter);

  if (Status status = run_frames(data); !status.ok()) return status;
  end_stage(data, "frames", meter);
  return run_parts(data, timer, meter);
}

}  // namespace

int machine::run_application() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a bus address
  auto &data = *reinterpret_cast<MachineData *>(cox::board::dram_base());
  if (!machine::is_own(kApplication, "examples/yolov5s/run", data.head, yolov5s::kMachineDataHead)) return 1;
  data.head.state = State::running;
  data.stage_count = 0;
  const Status status = run(data);
  if (!status.ok()) {
    Text text = machine::explain(kApplication, status, engine.fault());
    if (!refused_layer.view().empty()) text << ", at " << refused_layer.view();
    machine::copy_text(text, data.error_text);
    print(text);
  } else {
    print(Text() << kApplication << ": " << data.layer_count << " layers in " << stream_instructions << " instructions, "
                 << data.network_cycles << " cycles; " << data.detection.candidate_count << " candidates, " << data.detection.box_count
                 << " boxes; " << data.picture_count << " pictures in a row, " << data.frames_cycles / data.picture_count
                 << " cycles each");
  }
  data.head.state = status.ok() ? State::done : State::failed;
  cox::hal::clean_cache(&data, sizeof(data));
  return status.ok() ? 0 : 1;
}
