// SPDX-License-Identifier: MIT
// YOLOv5s on the control core: packs the image, records the whole network as one stream of MX instructions, runs it, and decodes boxes
// (application.md). Then it runs each layer again separately to measure its device cycles.
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "examples/machine/mx_application.h"
#include "examples/machine/stream_timer.h"
#include "examples/yolov5s/detect.h"
#include "examples/yolov5s/machine_data.h"
#include "examples/yolov5s/network.h"
#include "examples/yolov5s/recorder.h"
#include "hal/board.h"
#include "hal/cache.h"
#include "kernels/mx/mx9_pack.h"

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

mx::Engine engine;
mx::Stream stream;
yolov5s::Recorder recorder;
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

Status check(const MachineData &data) {
  const std::uint64_t image_bytes = std::uint64_t{yolov5s::kImageChannels} * data.height * data.width * sizeof(float);
  if (Status status = machine::check_region("image", data.image, image_bytes); !status.ok()) return status;
  if (Status status = machine::check_region("weights", data.weights); !status.ok()) return status;
  return machine::check_region("arena", data.arena);
}

Status pack_image(const MachineData &data, const Tensor &input) {
  const std::span<const std::byte> bytes = machine::memory_at(data.image.address, data.image.bytes);
  const std::size_t values = std::size_t{yolov5s::kImageChannels} * data.height * data.width;
  const std::span<const float> image(reinterpret_cast<const float *>(bytes.data()), values);
  const std::span<cox::isa::mx::Block> blocks = machine::blocks_of(input);
  Status status = mx::mx9_pack_space_to_depth(image, yolov5s::kImageChannels, data.height, data.width, blocks);
  cox::hal::clean_cache(blocks.data(), blocks.size_bytes());
  return status;
}

void detect(MachineData &data) {
  detector.start(data.least_score, data.most_overlap);
  for (std::uint32_t scale = 0; scale < yolov5s::kScales; ++scale) {
    const Tensor values = recorder.values(scale);
    const std::span<cox::isa::mx::Block> blocks = machine::blocks_of(values);
    cox::hal::invalidate_cache(blocks.data(), blocks.size_bytes());
    detector.add_scale(scale, values.height, values.width,
                       yolov5s::DeviceValues{blocks.data(), static_cast<std::uint32_t>(values.plane())});
  }
  const std::span<const yolov5s::Box> boxes = detector.finish();
  std::copy(boxes.begin(), boxes.end(), data.boxes.begin());
  data.box_count = static_cast<std::uint32_t>(boxes.size());
  data.candidate_count = detector.candidates();
}

/// Builds the network. If this fails, keeps the name of the failed layer.
Status walk(const MachineData &data) {
  Status status = yolov5s::build(recorder, data.height, data.width);
  if (!status.ok()) refused_layer = recorder.layer();
  return status;
}

Status run(MachineData &data) {
  machine::Meter meter;
  if (Status status = check(data); !status.ok()) return status;
  machine::Arena arena(data.arena.address, data.arena.bytes);
  const Result<std::uint64_t> code = arena.take(kStreamBytes);
  if (!code) return code.status();
  const Result<std::uint64_t> scratch = arena.take(std::uint64_t{2} * cox::isa::mx::kBlockBytes);
  if (!scratch) return scratch.status();
  const std::array<cox::isa::mx::Window, 2> windows = {{
      {data.weights.address, data.weights.bytes, true, false},
      {data.arena.address, data.arena.bytes, true, true},
  }};
  if (Status status = machine::take_engine(engine, windows); !status.ok()) return status;
  if (Status status = stream.init(machine::memory_at(code.value(), kStreamBytes), windows); !status.ok()) return status;
  machine::StreamTimer timer;
  if (Status status = timer.calibrate(engine, stream, scratch.value()); !status.ok()) return status;
  end_stage(data, "start", meter);

  recorder.record(stream, arena, data);
  if (Status status = walk(data); !status.ok()) return status;
  stream_instructions = stream.instructions();
  end_stage(data, "build", meter);

  if (Status status = pack_image(data, recorder.image()); !status.ok()) return status;
  data.input = {recorder.image().address, recorder.image().bytes()};
  end_stage(data, "pack", meter);

  const Result<std::uint64_t> cycles = timer.run(engine, stream);
  if (!cycles) return cycles.status();
  data.network_cycles = cycles.value();
  end_stage(data, "network", meter);

  detect(data);
  end_stage(data, "detect", meter);

  // All results are computed. The layers run again one by one, to the same addresses and with the same results, to measure the cost of
  // each.
  recorder.time(engine, timer);
  if (Status status = walk(data); !status.ok()) return status;
  end_stage(data, "layers", meter);
  return {};
}

}  // namespace

int main() {
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
                 << data.network_cycles << " cycles; " << data.candidate_count << " candidates, " << data.box_count << " boxes");
  }
  data.head.state = status.ok() ? State::done : State::failed;
  cox::hal::clean_cache(&data, sizeof(data));
  return status.ok() ? 0 : 1;
}
