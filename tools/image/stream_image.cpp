// SPDX-License-Identifier: MIT
#include "tools/image/stream_image.h"

#include "coxswain/firmware/image/image_header.h"
#include "tools/image/container.h"
#include "tools/image/payload.h"

namespace cox::tools {
namespace {

namespace image = firmware::image;

/// Refuses what the functions of this library could not use.
void check(const StreamImage &image, const std::string &file) {
  for (const Window &window : image.windows) {
    if (window.index >= kImageWindows) fail_image(file, ErrorCode::image_malformed, "window " + std::to_string(window.index));
  }
}

}  // namespace

std::vector<std::uint8_t> build_image(const StreamImage &stream) {
  flatbuffers::FlatBufferBuilder builder;
  const BoundOffsets bound = build_bound(builder, stream);
  std::vector<image::RelocationEntry> relocations;
  for (const image::Relocation &one : stream.relocations) relocations.emplace_back(one.offset, one.place, one.window);
  const auto entries = builder.CreateVectorOfStructs(relocations);
  builder.ForceVectorAlignment(stream.code.size(), 1, 8);
  const auto code = builder.CreateVector(stream.code);
  const auto program = image::CreateProgram(builder, stream.engine, code, entries);
  const auto instructions = builder.CreateVectorOfStructs(std::vector<image::MachineCode>());
  const auto name = builder.CreateString(stream.name);
  const image::Geometry geometry(0, 0, 1);
  image::FinishTaskBuffer(
      builder, image::CreateTask(builder, name, &geometry, instructions, 0, bound.windows, bound.constants, bound.tensors, program));
  return seal_image({builder.GetBufferPointer(), builder.GetSize()}, image::kProgramVersion);
}

StreamImage parse_stream_image(std::span<const std::uint8_t> bytes, const std::string &file) {
  const OpenImage open(bytes, image::kProgramVersion, file);
  const image::Task &root = open.root();
  if (root.program() == nullptr) fail_image(file, ErrorCode::image_malformed, "no program");
  StreamImage stream;
  if (root.name() != nullptr) stream.name = root.name()->str();
  stream.engine = root.program()->engine();
  stream.code.assign(root.program()->code()->begin(), root.program()->code()->end());
  if (const auto *relocations = root.program()->relocations()) {
    for (const image::RelocationEntry *one : *relocations)
      stream.relocations.push_back({.offset = one->offset(), .place = one->place(), .window = one->window()});
  }
  read_bound(root, stream, image::Format::MAX, file);
  check(stream, file);
  return stream;
}

std::optional<std::uint8_t> engine_of_image(std::span<const std::uint8_t> bytes) {
  if (!is_program_image(bytes)) return std::nullopt;
  try {
    return parse_stream_image(bytes, "").engine;
  } catch (const FileError &) {
    return std::nullopt;
  }
}

}  // namespace cox::tools
