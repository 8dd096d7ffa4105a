// SPDX-License-Identifier: MIT
#include "tools/registry/stream_job.h"

#include <array>
#include <cstring>
#include <filesystem>
#include <utility>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/stream/program_loader.h"
#include "tools/assembly/refusal.h"
#include "tools/command/failure.h"

namespace cox::tools {
namespace {

JobProgram::Interface interface_of(const StreamImage &image, std::vector<std::uint8_t> bytes, const std::string &path) {
  JobProgram::Interface interface;
  interface.name = image.name.empty() ? std::filesystem::path(path).stem().string() : image.name;
  interface.image = std::move(bytes);
  interface.workspace_bytes = firmware::image::stream_workspace_bytes(image.code.size());
  for (const Window &window : image.windows) interface.windows.push_back({window.index, window.size, window.writable});
  for (const Constant &constant : image.constants) interface.constants.push_back({constant.window, constant.offset, constant.data.size()});
  for (const Tensor &tensor : image.tensors) {
    const bool input = tensor.direction == Direction::input;
    interface.tensors.push_back(
        {tensor.name, input ? JobProgram::Direction::input : JobProgram::Direction::output, tensor.window, tensor.offset, tensor.size});
  }
  return interface;
}

class StreamJob final : public JobProgram {
 public:
  StreamJob(Interface interface, const StreamFormat &format, StreamFormat::Placed program)
      : JobProgram(std::move(interface)), format_(format), program_(std::move(program)) {}

  [[nodiscard]] std::uint64_t multiply_accumulates() const override { return format_.multiply_accumulates(program_); }
  [[nodiscard]] bool restartable() const override { return format_.restartable(program_); }
  [[nodiscard]] std::string describe(const Status &status) const override { return format_.describe(program_, status); }
  [[nodiscard]] std::string describe_run(const Status &status, const RunContents &contents) const override {
    return format_.describe_run(program_, status, contents);
  }
  [[nodiscard]] std::string describe_waiting(std::span<const registers::WaitingUnit> units) const override {
    return format_.describe_waiting(program_, units);
  }
  void step(const RunContents &contents, std::istream &in, std::ostream &out, bool prompt) const override {
    format_.step(program_, contents, in, out, prompt);
  }
  void print_outputs(const std::map<std::size_t, std::vector<std::uint8_t>> &outputs, std::ostream &out) const override {
    for (const auto &[index, bytes] : outputs) format_.print_output(tensors()[index], bytes, out);
  }
  [[nodiscard]] std::string replay_of_trace(const std::string & /*path*/) const override {
    throw Failure(ExitCode::bad_input, "--durations: only tasks can be run with other durations; " + name() + " is a stream");
  }
  [[nodiscard]] bool is_recorded() const override { return false; }
  [[nodiscard]] std::unique_ptr<Recording> read_recording(const std::string & /*path*/, const RunPlace & /*place*/) const override {
    return nullptr;
  }

 private:
  const StreamFormat &format_;
  StreamFormat::Placed program_;
};

}  // namespace

Status load_status(std::span<const std::uint8_t> image) {
  namespace firmware = cox::firmware;
  // The firmware wants image and workspace at aligned addresses.
  struct alignas(firmware::image::kStreamWorkspaceAlignment) Line {
    std::array<std::byte, firmware::image::kStreamWorkspaceAlignment> bytes;
  };
  std::vector<Line> memory(image.size() / sizeof(Line) + 1);
  std::memcpy(memory.data(), image.data(), image.size());
  const std::span<const std::byte> bytes = std::as_bytes(std::span(memory)).first(image.size());
  const Result<std::size_t> needed = firmware::image::workspace_bytes(bytes);
  if (!needed) return needed.status();
  std::vector<Line> workspace(needed.value() / sizeof(Line) + 1);
  firmware::stream::ProgramLoader programs(firmware::stream::program_kinds());
  firmware::image::DeviceGeometry device = firmware::image::largest_geometry();
  device.engines = ~0U;
  return firmware::image::load(bytes, device, std::as_writable_bytes(std::span(workspace)), nullptr, &programs).status();
}

bool is_of_relocation(const Status &status) { return std::string_view(status.what()) == "program.relocations"; }

std::string stream_error_text(const Status &status) {
  const std::string what = is_of_relocation(status) ? "relocation" : "instruction";
  return (status.index() >= 0 ? what + " " + std::to_string(status.index()) + ": " : "") + assembly::refusal_text("", status);
}

std::shared_ptr<const JobProgram> stream_job(const StreamFormat &format, const StreamImage &image, std::vector<std::uint8_t> bytes,
                                             const std::string &path, const model::Options &device) {
  StreamFormat::Placed placed = format.place(image);
  placed.device = device;
  return std::make_shared<StreamJob>(interface_of(image, std::move(bytes), path), format, std::move(placed));
}

}  // namespace cox::tools
