// SPDX-License-Identifier: MIT
#include "tools/pim/registration.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "coxswain/isa/pim/program.h"
#include "sim/model/pim/configuration/settings.h"
#include "sim/model/pim/machine/counters.h"
#include "tools/file/error.h"
#include "tools/image/container.h"
#include "tools/image/signed_file.h"
#include "tools/pim/assemble.h"
#include "tools/pim/check_program.h"
#include "tools/pim/debugger.h"
#include "tools/pim/disassemble.h"
#include "tools/pim/explain.h"
#include "tools/pim/fault_text.h"
#include "tools/pim/instruction_reader.h"
#include "tools/pim/open_program.h"
#include "tools/pim/page.h"
#include "tools/pim/run_requests.h"
#include "tools/pim/window_memory.h"
#include "tools/registry/stream_format.h"
#include "tools/registry/stream_job.h"

namespace cox::tools::pim {
namespace {

std::string_view text_of(std::span<const std::uint8_t> bytes) { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }

using model::pim::settings_of;

class Format final : public StreamFormat {
 public:
  Format() : StreamFormat(registers::Engine::pim) {}

  [[nodiscard]] std::string_view text_ending() const override { return ".pim"; }
  [[nodiscard]] std::string_view binary_ending() const override { return ".pims"; }
  [[nodiscard]] std::string binary_name() const override { return "a PIM program"; }
  [[nodiscard]] bool is_text(std::string_view text) const override { return begins_like_program(text); }
  [[nodiscard]] std::string page(const std::string &prose) const override { return pim::page(prose); }
  [[nodiscard]] std::vector<std::uint8_t> assemble_text(std::string_view text, const std::string &file) const override {
    return build_program(assemble_program(text, file).parts);
  }
  [[nodiscard]] std::string print(std::span<const std::uint8_t> stream, const std::string &file) const override {
    return pim::disassemble(open_program(stream, file));
  }
  [[nodiscard]] std::string listing(const std::string &path, const model::Options &device) const override {
    const std::vector<std::uint8_t> bytes = read_program_file(path);
    return pim::listing(text_of(bytes), assemble_program(text_of(bytes), path, settings_of(device).configuration));
  }

  [[nodiscard]] bool is_task() const override { return true; }
  [[nodiscard]] std::shared_ptr<const JobProgram> read_job(const std::string &path) const override { return plan_run(path, {}).program; }
  [[nodiscard]] RunPlan plan_run(const std::string &path, const RunRequest &request) const override {
    StreamImage image = read_image(path, request.device);
    const RequestedTensors tensors = add_requests(image, request, settings_of(request.device).configuration, path);
    return {stream_job(*this, image, build_image(image), path, request.device), tensors.inputs, tensors.outputs};
  }
  void step(const Placed &program, const RunContents &contents, std::istream &in, std::ostream &out, bool prompt) const override {
    const model::pim::Settings settings = settings_of(program.device);
    const isa::pim::Program opened = open_program(program.stream, program.bindings.image.name);
    WindowMemory memory;
    fill_windows(memory, program.bindings.image, contents);
    Debugger(opened, settings, memory, out).run(in, prompt);
  }
  [[nodiscard]] std::string describe(const Placed &program, const Status &status) const override {
    const auto opened = isa::pim::Program::open(std::as_bytes(std::span(program.stream)));
    return opened ? fault_text(opened.value(), status) : container_text(status);
  }
  /// The device reports one fault, and of a deadlock only the cores. The model runs the program again to say all of it. If the second run
  /// ends in another way, as it may by a race, by the memories that an earlier run has left, or by a planned fault, only the report counts.
  [[nodiscard]] std::string describe_run(const Placed &program, const Status &status, const RunContents &contents) const override {
    const auto opened = isa::pim::Program::open(std::as_bytes(std::span(program.stream)));
    if (!opened) return container_text(status);
    const std::string again = explain(opened.value(), program.bindings.image, settings_of(program.device), status, contents);
    return again.empty() ? fault_text(opened.value(), status) : again;
  }
  /// Registers decide at run time what a program reads and writes, and the cores' memories keep what an earlier attempt left.
  [[nodiscard]] bool restartable(const Placed & /*program*/) const override { return false; }
  void print_output(const JobProgram::Tensor &tensor, std::span<const std::uint8_t> bytes, std::ostream &out) const override {
    if (is_registers_tensor(tensor.name)) out << registers_text(tensor.name, bytes);
  }

  [[nodiscard]] std::span<const Lane> lanes() const override {
    // The units of a core, in the order of model::pim::Unit. Each core has lanes of its own.
    static constexpr Lane kLanes[] = {{"scalar", "scalars, loads, stores"}, {"compute", "pim-compute"}, {"output", "pim-output"},
                                      {"transfer", "pim-transfer"},         {"SIMD", "simd-compute"},   {"trans", "trans"},
                                      {"message", "messages and barriers"}};
    static_assert(std::size(kLanes) == model::pim::kUnits);
    return kLanes;
  }
  [[nodiscard]] std::optional<Drawn> drawn(std::uint8_t opcode) const override {
    const auto has_opcode = [opcode](const isa::pim::Instruction &row) { return static_cast<unsigned>(row.opcode) == opcode; };
    const auto found = std::ranges::find_if(isa::pim::kInstructions, has_opcode);
    if (found == std::end(isa::pim::kInstructions)) return std::nullopt;
    using enum isa::pim::Opcode;
    const bool is_scalar =
        (found->opcode >= add && found->opcode <= lui) || (found->opcode >= general_li && found->opcode <= special_to_general);
    const bool waits = found->opcode == send || found->opcode == receive || found->opcode == wait || found->opcode == barrier;
    return Drawn{found->name, is_scalar || (found->opcode >= beq && found->opcode <= jmp), waits};
  }
  [[nodiscard]] bool draws_cores() const override { return true; }
  [[nodiscard]] std::string position_text(std::uint32_t position) const override {
    const isa::pim::Position place = isa::pim::Position::unpack(position);
    return fmt::format("core {}, instruction {}", place.core, place.instruction);
  }

 protected:
  [[nodiscard]] std::vector<std::uint8_t> assemble_for(std::string_view text, const std::string &file,
                                                       const model::Options &device) const override {
    return build_program(assemble_program(text, file, settings_of(device).configuration).parts);
  }
  [[nodiscard]] bool is_instruction(std::string_view name) const override { return is_instruction_name(name); }
  [[nodiscard]] Report check_stream(std::span<const std::uint8_t> stream) const override {
    return pim::check_program({.stream = stream, .windows = {}, .constants = {}}, {});
  }
  [[nodiscard]] Report check_program(const Placed &program, const model::Options &device) const override {
    const StreamImage &image = program.bindings.image;
    return pim::check_program({.stream = program.stream, .windows = image.windows, .constants = image.constants}, settings_of(device));
  }
  [[nodiscard]] std::size_t count(std::span<const std::uint8_t> stream) const override {
    const auto program = isa::pim::Program::open(std::as_bytes(stream));
    if (!program) return 0;
    std::size_t count = 0;
    for (const Code &code : parts_of(program.value()).codes) count += code.size();
    return count;
  }

 private:
  /// Reads a task image, or makes one of a program with its bindings or without any.
  [[nodiscard]] StreamImage read_image(const std::string &path, const model::Options &device) const {
    std::vector<std::uint8_t> bytes = read_program_file(path);
    if (is_image(bytes)) return parse_stream_image(bytes, path);
    if (path.ends_with(text_ending()) || is_text(text_of(bytes))) bytes = assemble_for(text_of(bytes), path, device);
    return bindings_beside(path) ? make_image(std::move(bytes), path, "") : bare_image(std::move(bytes), path);
  }

  /// A program without bindings has windows 0 to 2, all writable.
  [[nodiscard]] StreamImage bare_image(std::vector<std::uint8_t> program, const std::string &path) const {
    StreamImage image;
    image.name = std::filesystem::path(path).stem().string();
    image.engine = static_cast<std::uint8_t>(engine().number());
    image.code = std::move(program);
    for (std::uint8_t window = 0; window + 1U < isa::pim::kWindows; ++window) image.windows.push_back({window, kBareWindowBytes, true});
    return image;
  }
};

}  // namespace

const ProgramFormat &program_format() {
  static const Format format;
  return format;
}

}  // namespace cox::tools::pim
