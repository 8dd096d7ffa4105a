// SPDX-License-Identifier: MIT
#include "tools/registry/stream_job.h"

#include <filesystem>
#include <utility>

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
  using JobProgram::JobProgram;

  [[nodiscard]] std::uint64_t multiply_accumulates() const override { return 0; }
  /// The firmware decides for itself whether it starts a stream again, so `cox` gives no reason.
  [[nodiscard]] bool restartable() const override { return true; }
  [[nodiscard]] std::string describe(const Status &status) const override {
    const bool at_instruction = status.index() >= 0 && std::string_view(status.what()) != "program.relocations";
    return (at_instruction ? "instruction " + std::to_string(status.index()) + ": " : "") + assembly::refusal_text("", status);
  }
  [[nodiscard]] std::string replay_of_trace(const std::string & /*path*/) const override {
    throw Failure(ExitCode::bad_input, "--durations: only tasks can be run with other durations; " + name() + " is a stream");
  }
  [[nodiscard]] bool is_recorded() const override { return false; }
  [[nodiscard]] std::unique_ptr<Recording> read_recording(const std::string & /*path*/, const RunPlace & /*place*/) const override {
    return nullptr;
  }
};

}  // namespace

std::shared_ptr<const JobProgram> stream_job(const StreamImage &image, std::vector<std::uint8_t> bytes, const std::string &path) {
  return std::make_shared<StreamJob>(interface_of(image, std::move(bytes), path));
}

}  // namespace cox::tools
