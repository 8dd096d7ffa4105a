// SPDX-License-Identifier: MIT
#include "tools/registry/stream_format.h"

#include <utility>

#include "tools/assembly/line.h"
#include "tools/assembly/refusal.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/image/container.h"
#include "tools/image/signed_file.h"
#include "tools/registry/stream_job.h"

namespace cox::tools {
namespace {

std::string_view text_of(std::span<const std::uint8_t> bytes) { return {reinterpret_cast<const char *>(bytes.data()), bytes.size()}; }

}  // namespace

std::string StreamFormat::text_name() const { return binary_name() + " as text"; }
std::string StreamFormat::binary_name() const {
  // The article follows the pronunciation of the first letter.
  const std::string name = engine().name;
  return (std::string_view("AEFHILMNORSX").find(name.front()) != std::string_view::npos ? "an " : "a ") + name + " stream";
}

bool StreamFormat::is_text(std::string_view text) const {
  assembly::Lines lines(text);
  return lines.next() && is_instruction(lines.words().front().text);
}

bool StreamFormat::is_image_of_engine(std::span<const std::uint8_t> bytes) const { return engine_of_image(bytes) == engine().number(); }

bool StreamFormat::is_binary(std::span<const std::uint8_t> bytes) const {
  if (is_image(bytes)) return is_image_of_engine(bytes);
  try {
    return !print(bytes, "").empty();
  } catch (const FileError &) {
    return false;
  }
}

StreamImage StreamFormat::make_image(std::vector<std::uint8_t> stream, const std::string &path, const std::string &given) const {
  const std::string file = given.empty() ? bindings_beside(path).value_or("") : given;
  if (file.empty()) throw FileError(path + ": a task image needs bindings, from --bindings or " + bindings_path(path));
  return image_of(std::move(stream), read_stream_bindings(file, base_registers()), path, file);
}

StreamImage StreamFormat::image_of(std::vector<std::uint8_t> stream, StreamBindings bindings, const std::string &path,
                                   const std::string &file) const {
  StreamImage &image = bindings.image;
  image.engine = static_cast<std::uint8_t>(engine().number());
  const auto relocate = [&](const PlacedAddress &placed, const std::string &where) {
    auto relocation = relocation_of(bindings, placed);
    if (!relocation) relocation = own_relocation(stream, placed);
    if (!relocation) throw FileError(where + ": the address " + address_text(placed.address) + " lies in no window of " + file);
    image.relocations.push_back(*relocation);
  };
  for (const PlacedAddress &base : bindings.bases) relocate(base, file + ": bases[" + std::to_string(base.place) + "]");
  for (const PlacedAddress &placed : addresses(stream)) {
    relocate(placed, path + ": byte " + std::to_string(placed.place));
    // The field has no meaning in an image. The offset makes the image the same for all addresses of the windows.
    write_address(stream, {placed.place, image.relocations.back().offset});
  }
  image.code = std::move(stream);
  return std::move(image);
}

StreamFormat::Placed StreamFormat::place(const StreamImage &image) const {
  Placed placed{.bindings = bindings_of(image, base_registers()), .stream = image.code};
  for (const PlacedAddress &address : addresses(placed.stream)) {
    for (const auto &relocation : image.relocations) {
      if (relocation.place == address.place) write_address(placed.stream, {address.place, address_of(placed.bindings, relocation)});
    }
  }
  return placed;
}

std::string StreamFormat::describe(const Placed & /*program*/, const Status &status) const { return stream_error_text(status); }

void StreamFormat::step(const Placed &program, const RunContents & /*contents*/, std::istream & /*in*/, std::ostream & /*out*/,
                        bool /*prompt*/) const {
  throw FileError(program.bindings.image.name + ": --step: programs of this engine cannot be run step by step");
}

void StreamFormat::assemble(const std::string &path, const std::string &bindings, const model::Options &device,
                            const std::string &output) const {
  std::vector<std::uint8_t> bytes = read_program_file(path);
  if (!output.ends_with(kImageEnding)) return write_file(output, assemble_for(text_of(bytes), path, device));
  if (is_image(bytes)) throw FileError(path + ": is a task image already, and has its own bindings");
  if (!is_binary(bytes)) bytes = assemble_for(text_of(bytes), path, device);
  write_file(output, build_image(make_image(std::move(bytes), path, bindings)));
}

void StreamFormat::disassemble(const std::string &path, const std::string &output) const {
  const std::vector<std::uint8_t> bytes = read_program_file(path);
  if (!is_image_of_engine(bytes)) return write_file(output, print(bytes, path));
  if (const Status status = load_status(bytes); is_of_relocation(status)) fail_image(path, status.code(), stream_error_text(status));
  const Placed placed = place(parse_stream_image(bytes, path));
  write_file(output, print(placed.stream, path));
  if (output != "-") write_stream_bindings(bindings_path(output), placed.bindings);
}

ProgramFormat::Verdict StreamFormat::check(const std::string &path, const model::Options &device, bool json,
                                           const Print &print_report) const {
  Placed program{.bindings = {}, .stream = read_program_file(path)};
  Report report;
  if (is_image_of_engine(program.stream)) {
    const Status status = load_status(program.stream);
    const StreamImage image = parse_stream_image(program.stream, path);
    // A relocation that the firmware refuses may stand for no address.
    if (!is_of_relocation(status)) {
      program = place(image);
      report = check_program(program, device);
    }
    if (!status && report.errors.empty())
      report.errors.push_back({error_name(status.code()), {status.index()}, stream_error_text(status), ""});
  } else {
    const std::string_view text = text_of(program.stream);
    if (path.ends_with(text_ending()) || is_text(text)) program = assemble_placed(text, path, device);
    report = check_program(program, device);
  }
  const std::vector<std::uint8_t> &stream = program.stream;
  print_report(json ? report_json(report, count(stream), path) : report_text(report, count(stream), path));
  return {!report.errors.empty(), !report.warnings.empty()};
}

std::shared_ptr<const JobProgram> StreamFormat::read_job(const std::string &path) const {
  std::vector<std::uint8_t> bytes = read_program_file(path);
  const StreamImage image = parse_stream_image(bytes, path);
  return stream_job(*this, image, std::move(bytes), path);
}

}  // namespace cox::tools
