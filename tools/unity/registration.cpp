// SPDX-License-Identifier: MIT
#include "tools/unity/registration.h"

#include <filesystem>

#include "coxswain/device/engine_descriptor.h"
#include "coxswain/isa/unity/engine_domain.h"
#include "coxswain/isa/unity/table.h"
#include "sim/model/unity/events.h"
#include "tools/file/error.h"
#include "tools/image/container.h"
#include "tools/image/signed_file.h"
#include "tools/registry/stream_format.h"
#include "tools/registry/stream_job.h"
#include "tools/unity/addresses.h"
#include "tools/unity/assemble.h"
#include "tools/unity/check_program.h"
#include "tools/unity/disassemble.h"
#include "tools/unity/fault_text.h"
#include "tools/unity/instruction_reader.h"
#include "tools/unity/page.h"
#include "tools/unity/program_text.h"
#include "tools/unity/run_requests.h"

namespace cox::tools::unity {
namespace {

using isa::unity::Domain;
using isa::unity::Set;

std::string_view text_of(std::span<const std::uint8_t> bytes) { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }

const char *submit_text(Domain domain) {
  switch (domain) {
    case Domain::tile: return "submit tile";
    case Domain::mx: return "submit mx";
    case Domain::cube: return "submit cube";
    default: return "submit pim";
  }
}

class Format final : public StreamFormat {
 public:
  Format() : StreamFormat(registers::Engine::unity) {}

  [[nodiscard]] std::string_view text_ending() const override { return ".xdsa"; }
  [[nodiscard]] std::string_view binary_ending() const override { return ".xdsas"; }
  [[nodiscard]] std::string page(const std::string &prose) const override { return unity::page(prose); }
  [[nodiscard]] std::string binary_name() const override { return "an xDSA program"; }
  [[nodiscard]] bool is_text(std::string_view text) const override { return begins_like_program(text); }
  [[nodiscard]] std::vector<std::uint8_t> assemble_text(std::string_view text, const std::string &file) const override {
    return unity::assemble(text, file).container;
  }
  [[nodiscard]] std::string print(std::span<const std::uint8_t> stream, const std::string &file) const override {
    return unity::disassemble(open_container(stream, file));
  }
  [[nodiscard]] bool is_task() const override { return true; }
  [[nodiscard]] std::string listing(const std::string &path, const model::Options & /*device*/) const override {
    const std::vector<std::uint8_t> bytes = read_program_file(path);
    return unity::listing(text_of(bytes), unity::assemble(text_of(bytes), path));
  }
  [[nodiscard]] std::shared_ptr<const JobProgram> read_job(const std::string &path) const override { return plan_run(path, {}).program; }
  [[nodiscard]] RunPlan plan_run(const std::string &path, const RunRequest &request) const override {
    StreamImage image = read_image(path);
    const RequestedTensors tensors = add_requests(image, request);
    return {stream_job(*this, image, build_image(image), path), tensors.inputs, tensors.outputs};
  }
  [[nodiscard]] std::string describe(const Placed &program, const Status &status) const override {
    return fault_text(program.stream, status);
  }
  [[nodiscard]] std::string describe_waiting(const Placed &program, std::span<const registers::WaitingUnit> units) const override {
    return waiting_text(std::as_bytes(std::span(program.stream)), units);
  }
  /// A program may write where it reads, and keys keep their counts.
  [[nodiscard]] bool restartable(const Placed & /*program*/) const override { return false; }

  [[nodiscard]] std::span<const Lane> lanes() const override {
    static constexpr Lane kLanes[] = {{"unit", "Unity unit"}};
    return kLanes;
  }
  [[nodiscard]] std::string lane_name(unsigned core, unsigned /*lane*/) const override { return "unit " + std::to_string(core); }
  [[nodiscard]] std::optional<Drawn> drawn(std::uint8_t opcode) const override {
    for (const Domain domain : isa::unity::kEngineDomains) {
      if (opcode == model::unity::submit_opcode(domain)) return Drawn{submit_text(domain), false};
    }
    if (opcode >= Set::instructions().size()) return std::nullopt;
    return Drawn{Set::instructions()[opcode].name, false};
  }

 protected:
  [[nodiscard]] bool is_instruction(std::string_view name) const override { return is_instruction_name(name); }
  [[nodiscard]] Report check_stream(std::span<const std::uint8_t> stream) const override {
    return unity::check_program({.container = stream, .bindings = {}});
  }
  [[nodiscard]] Placed assemble_placed(std::string_view text, const std::string &file, const model::Options & /*device*/) const override {
    Assembled assembled = unity::assemble(text, file);
    return {.bindings = std::move(assembled.bindings), .stream = std::move(assembled.container)};
  }
  [[nodiscard]] Report check_program(const Placed &program, const model::Options &device) const override {
    return unity::check_program({.container = program.stream, .bindings = program.bindings, .device = device});
  }
  [[nodiscard]] std::vector<PlacedAddress> addresses(std::span<const std::uint8_t> stream) const override {
    return unity::addresses(stream);
  }
  void write_address(std::span<std::uint8_t> stream, const PlacedAddress &placed) const override { unity::write_address(stream, placed); }
  [[nodiscard]] std::optional<firmware::image::Relocation> own_relocation(std::span<const std::uint8_t> stream,
                                                                          const PlacedAddress &placed) const override {
    return relocate_own(stream, placed);
  }
  [[nodiscard]] std::size_t count(std::span<const std::uint8_t> stream) const override {
    const auto container = isa::unity::Container::open(std::as_bytes(stream));
    if (!container) return 0;
    const isa::unity::ContainerHeader &header = container.value().header();
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < header.programs; ++i) count += container.value().program(i).instructions - 1U;
    for (std::uint32_t i = 0; i < header.sub_programs; ++i) count += container.value().sub_program(i).instructions - 1U;
    return count;
  }

 private:
  /// Reads a task image, or makes one of a program with its bindings, or with the windows and tensors that its text names.
  [[nodiscard]] StreamImage read_image(const std::string &path) const {
    std::vector<std::uint8_t> bytes = read_program_file(path);
    if (is_image(bytes)) return parse_stream_image(bytes, path);
    Assembled program{.container = std::move(bytes), .bindings = bare_bindings(), .instructions = {}};
    if (path.ends_with(text_ending()) || is_text(text_of(program.container))) {
      const std::vector<std::uint8_t> file = std::move(program.container);
      program = unity::assemble(text_of(file), path);
    } else {
      static_cast<void>(open_container(program.container, path));
    }
    // A stream's length is a multiple of 8.
    program.container.resize((program.container.size() + registers::kStreamAlignment - 1) / registers::kStreamAlignment *
                             registers::kStreamAlignment);
    if (bindings_beside(path)) return make_image(std::move(program.container), path, "");
    program.bindings.image.name = std::filesystem::path(path).stem().string();
    return image_of(std::move(program.container), std::move(program.bindings), path, "the program");
  }
};

}  // namespace

const ProgramFormat &program_format() {
  static const Format format;
  return format;
}

}  // namespace cox::tools::unity
