// SPDX-License-Identifier: MIT
#include "tools/tile/image.h"

#include <algorithm>

#include "coxswain/firmware/image/image_header.h"
#include "coxswain/firmware/image/task_generated.h"
#include "tools/file/error.h"
#include "tools/image/bindings.h"
#include "tools/image/container.h"
#include "tools/image/payload.h"
#include "tools/image/signed_file.h"
#include "tools/tile/bindings.h"
#include "tools/tile/stream.h"

namespace cox::task {
namespace {

namespace image = firmware::image;

// The enumerations of the payload have the same values as those of the instruction set and of this library.
static_assert(static_cast<int>(image::Format::FP16) == static_cast<int>(isa::tile::DataFmt::FP16));
static_assert(static_cast<int>(image::Format::FP32) == static_cast<int>(isa::tile::DataFmt::FP32));
static_assert(static_cast<int>(image::Direction::output) == static_cast<int>(Direction::output));

flatbuffers::Offset<image::Mapping> build_mapping(flatbuffers::FlatBufferBuilder &builder, const Mapping &mapping) {
  const auto clyr = mapping.clyr.empty() ? 0 : builder.CreateVector(mapping.clyr);
  const auto c_flyr = mapping.c_flyr.empty() ? 0 : builder.CreateVector(mapping.c_flyr);
  return image::CreateMapping(builder, mapping.slyr, mapping.s_flyr, mapping.wkl, mapping.tile, clyr, c_flyr);
}

std::vector<std::uint8_t> build_payload(const Task &task) {
  flatbuffers::FlatBufferBuilder builder;
  const tools::BoundOffsets bound = tools::build_bound(builder, task);
  const auto mapping = tools::build_all(builder, task.instructions, [](flatbuffers::FlatBufferBuilder &b, const Instruction &instruction) {
    return build_mapping(b, instruction.mapping);
  });
  std::vector<image::MachineCode> codes;
  for (const Instruction &instruction : task.instructions) {
    codes.emplace_back(flatbuffers::span<const std::uint32_t, 8>(instruction.code.data(), instruction.code.size()));
  }
  const auto instructions = builder.CreateVectorOfStructs(codes);
  const image::Geometry geometry(task.geometry.l2_bytes, task.geometry.wl0_bytes, task.geometry.tile_cores);
  const auto name = builder.CreateString(task.name);
  image::FinishTaskBuffer(
      builder, image::CreateTask(builder, name, &geometry, instructions, mapping, bound.windows, bound.constants, bound.tensors));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

std::vector<std::int32_t> to_vector(const flatbuffers::Vector<std::int32_t> *numbers) {
  return numbers == nullptr ? std::vector<std::int32_t>{} : std::vector<std::int32_t>(numbers->begin(), numbers->end());
}

std::vector<Instruction> read_instructions(const image::Task &root, const std::string &file) {
  const auto *codes = root.instructions();
  const auto *mapping = root.mapping();
  const bool mapped = mapping != nullptr && mapping->size() > 0;
  if (mapped && mapping->size() != codes->size()) tools::fail_image(file, ErrorCode::image_malformed, "mapping: not one an instruction");
  std::vector<Instruction> instructions(codes->size());
  for (flatbuffers::uoffset_t i = 0; i < codes->size(); ++i) {
    const auto &words = *codes->Get(i)->words();
    std::copy(words.begin(), words.end(), instructions[i].code.begin());
    if (!mapped) continue;
    const image::Mapping &entry = *mapping->Get(i);
    instructions[i].mapping = {entry.slyr(), to_vector(entry.clyr()), entry.s_flyr(), to_vector(entry.c_flyr()), entry.wkl(), entry.tile()};
  }
  return instructions;
}

}  // namespace

std::vector<std::uint8_t> build_image(const Task &task) { return tools::seal_image(build_payload(task), image::kVersion); }

bool is_image(std::span<const std::uint8_t> bytes) { return tools::is_image(bytes) && !tools::is_program_image(bytes); }

Task parse_image(std::span<const std::uint8_t> bytes, const std::string &file) {
  const tools::OpenImage open(bytes, image::kVersion, file);
  const image::Task &root = open.root();
  Task task;
  if (root.name() != nullptr) task.name = root.name()->str();
  task.geometry = {root.geometry()->l2_bytes(), root.geometry()->wl0_bytes(), root.geometry()->tile_cores()};
  task.instructions = read_instructions(root, file);
  tools::read_bound(root, task, image::Format::FP32, file);
  return task;
}

Task load_task(const std::string &path, const std::string &bindings) {
  const std::vector<std::uint8_t> bytes = tools::read_program_file(path);
  if (tools::is_image(bytes)) {
    if (!bindings.empty()) throw tools::FileError(path + ": is a task image already, and has its own bindings");
    return parse_image(bytes, path);
  }
  Task task;
  task.instructions = read_stream(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()), path);
  const Layout layout = layout_of(task.instructions);
  task.geometry = layout.geometry;
  const std::string beside = bindings.empty() ? tools::bindings_beside(path).value_or("") : bindings;
  if (beside.empty()) {
    infer_windows(path, task, layout);
  } else {
    read_bindings(beside, task, layout);
  }
  return task;
}

}  // namespace cox::task
