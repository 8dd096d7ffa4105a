// SPDX-License-Identifier: MIT
#include "tools/run/tile/task_program.h"

#include <filesystem>
#include <span>
#include <utility>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/isa/tile/header.h"
#include "sim/model/tile/geometry.h"
#include "tools/image/signed_file.h"
#include "tools/run/tile/chrome_trace.h"
#include "tools/run/tile/control_trace.h"
#include "tools/run/tile/durations.h"
#include "tools/run/tile/event_timeline.h"
#include "tools/run/tile/events_csv.h"
#include "tools/run/tile/timeline_svg.h"
#include "tools/run/tile/work.h"
#include "tools/tile/image.h"
#include "tools/tile/message.h"

namespace cox::tools::run {
namespace {

static_assert(isa::tile::kClasses == firmware::job::kQueues);

class TimelineRecording final : public Recording {
 public:
  TimelineRecording(Timeline timeline, std::uint64_t start_cycle) : timeline_(std::move(timeline)), start_cycle_(start_cycle) {}

  void add_control_trace(std::span<const std::byte> reading) override { run::add_control_trace(timeline_, reading, start_cycle_); }
  void write_events(std::ostream &out) const override { write_events_csv(out, timeline_); }
  void write_trace(std::ostream &out) const override { write_chrome_trace(out, timeline_); }
  void write_picture(std::ostream &out) const override { write_timeline_svg(out, timeline_); }

 private:
  Timeline timeline_;
  std::uint64_t start_cycle_;
};

JobProgram::Interface interface_of(const task::Task &task, std::vector<std::uint8_t> image) {
  JobProgram::Interface interface {
    .name = task.name, .image = std::move(image),
    .workspace_bytes = firmware::image::workspace_bytes(task.instructions.size(), task.geometry.tile_cores),
    .cores = task.geometry.tile_cores, .images = images_of(task), .windows = {}, .constants = {}, .tensors = {}
  };
  for (const task::Window &window : task.windows) interface.windows.push_back({window.index, window.size, window.writable});
  for (const task::Constant &constant : task.constants)
    interface.constants.push_back({constant.window, constant.offset, constant.data.size()});
  for (const task::Tensor &tensor : task.tensors) {
    const bool input = tensor.direction == task::Direction::input;
    interface.tensors.push_back(
        {tensor.name, input ? JobProgram::Direction::input : JobProgram::Direction::output, tensor.window, tensor.offset, tensor.size});
  }
  return interface;
}

class TaskProgram final : public JobProgram {
 public:
  TaskProgram(task::Task task, std::vector<std::uint8_t> image)
      : JobProgram(interface_of(task, std::move(image))), task_(std::move(task)) {}

  [[nodiscard]] std::uint64_t multiply_accumulates() const override { return run::multiply_accumulates(task_); }

  [[nodiscard]] std::optional<Limits> limits(const model::Options &device) const override {
    const model::TileGeometry geometry = model::tile_geometry(device.geometry, device.parameters);
    return Limits{.macs_per_cycle = std::uint64_t{geometry.macs_per_cycle()} * interface().cores,
                  .dram_bytes_per_cycle = geometry.dram_bytes_per_1024_cycles / 1024.0};
  }

  [[nodiscard]] bool restartable() const override {
    namespace loader = firmware::image;
    const auto bytes = std::as_bytes(std::span(interface().image));
    const Result<std::size_t> needed = loader::workspace_bytes(bytes);
    if (!needed) return true;
    std::vector<std::byte> workspace(needed.value());
    // The firmware has loaded this image before, so load() must not refuse it for its size here.
    const auto loaded = loader::load(bytes, loader::largest_geometry(), workspace);
    return !loaded || loaded.value().needs().restartable;
  }

  [[nodiscard]] std::string describe(const Status &status) const override { return task::describe(status, task_); }
  [[nodiscard]] std::string replay_of_trace(const std::string &path) const override { return run::replay_of_trace(path, task_); }
  [[nodiscard]] std::unique_ptr<Recording> read_recording(const std::string &path, const RunPlace &place) const override {
    return std::make_unique<TimelineRecording>(read_timeline(path, task_, place), place.start_cycle);
  }

 private:
  task::Task task_;
};

}  // namespace

std::shared_ptr<const JobProgram> program_of(task::Task task, std::vector<std::uint8_t> image) {
  return std::make_shared<TaskProgram>(std::move(task), std::move(image));
}

std::shared_ptr<const JobProgram> program_of(task::Task task) {
  std::vector<std::uint8_t> image = task::build_image(task);
  return program_of(std::move(task), std::move(image));
}

std::shared_ptr<const JobProgram> read_task_program(const std::string &path) {
  std::vector<std::uint8_t> image = read_program_file(path);
  task::Task task;
  if (task::is_image(image)) {
    task = task::parse_image(image, path);
  } else {
    task = task::load_task(path);
    image = task::build_image(task);
  }
  if (task.name.empty()) task.name = std::filesystem::path(path).stem().string();
  return program_of(std::move(task), std::move(image));
}

}  // namespace cox::tools::run
