// SPDX-License-Identifier: MIT
#include "tools/tile/image.h"

#include <algorithm>
#include <cstring>

#include "base/crc32.h"
#include "firmware/image/image_header.h"
#include "firmware/image/task_generated.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/tile/bindings.h"
#include "tools/tile/stream.h"

namespace cox::task {
namespace {

namespace image = firmware::image;

// The enumerations of the payload have the same values as those of the instruction set and of this library.
static_assert(static_cast<int>(image::Format::FP16) == static_cast<int>(isa::tile::DataFmt::FP16));
static_assert(static_cast<int>(image::Format::FP32) == static_cast<int>(isa::tile::DataFmt::FP32));
static_assert(static_cast<int>(image::Direction::output) == static_cast<int>(Direction::output));

std::uint32_t checksum(std::span<const std::uint8_t> payload) { return crc32(std::as_bytes(payload)); }

flatbuffers::Offset<image::Mapping> build_mapping(flatbuffers::FlatBufferBuilder &builder, const Mapping &mapping) {
  const auto clyr = mapping.clyr.empty() ? 0 : builder.CreateVector(mapping.clyr);
  const auto c_flyr = mapping.c_flyr.empty() ? 0 : builder.CreateVector(mapping.c_flyr);
  return image::CreateMapping(builder, mapping.slyr, mapping.s_flyr, mapping.wkl, mapping.tile, clyr, c_flyr);
}

flatbuffers::Offset<image::Constant> build_constant(flatbuffers::FlatBufferBuilder &builder, const Constant &constant) {
  return image::CreateConstantDirect(builder, constant.window, constant.offset, &constant.data);
}

flatbuffers::Offset<image::Tensor> build_tensor(flatbuffers::FlatBufferBuilder &builder, const Tensor &tensor) {
  const auto name = builder.CreateString(tensor.name);
  const auto shape = builder.CreateVector(tensor.shape.data(), tensor.shape.size());
  return image::CreateTensor(builder, name, static_cast<image::Direction>(tensor.direction), static_cast<image::Format>(tensor.format),
                             shape, tensor.window, tensor.offset, tensor.size, tensor.padded);
}

/// Applies `build` to each element.
template <typename T, typename Build>
auto build_all(flatbuffers::FlatBufferBuilder &builder, const std::vector<T> &elements, Build build) {
  std::vector<decltype(build(builder, elements.front()))> offsets;
  offsets.reserve(elements.size());
  for (const T &element : elements) offsets.push_back(build(builder, element));
  return builder.CreateVector(offsets);
}

std::vector<std::uint8_t> build_payload(const Task &task) {
  flatbuffers::FlatBufferBuilder builder;
  const auto constants = build_all(builder, task.constants, build_constant);
  const auto tensors = build_all(builder, task.tensors, build_tensor);
  const auto windows = build_all(builder, task.windows, [](flatbuffers::FlatBufferBuilder &b, const Window &window) {
    return image::CreateWindow(b, window.index, window.size, window.writable);
  });
  const auto mapping = build_all(builder, task.instructions, [](flatbuffers::FlatBufferBuilder &b, const Instruction &instruction) {
    return build_mapping(b, instruction.mapping);
  });
  std::vector<image::MachineCode> codes;
  for (const Instruction &instruction : task.instructions) {
    codes.emplace_back(flatbuffers::span<const std::uint32_t, 8>(instruction.code.data(), instruction.code.size()));
  }
  const auto instructions = builder.CreateVectorOfStructs(codes);
  const image::Geometry geometry(task.geometry.l2_bytes, task.geometry.wl0_bytes, task.geometry.tile_cores);
  const auto name = builder.CreateString(task.name);
  image::FinishTaskBuffer(builder, image::CreateTask(builder, name, &geometry, instructions, mapping, windows, constants, tensors));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

[[noreturn]] void fail(const std::string &file, ErrorCode code, const std::string &why) {
  throw tools::FileError(file + ": " + error_name(code) + ": " + why, code);
}

/// Checks the header and returns the payload.
std::span<const std::uint8_t> check_header(std::span<const std::uint8_t> bytes, const std::string &file) {
  image::ImageHeader header{};
  if (bytes.size() < sizeof(header)) {
    fail(file, ErrorCode::image_truncated, std::to_string(bytes.size()) + " bytes, the header alone has " + std::to_string(sizeof(header)));
  }
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != image::kMagic) fail(file, ErrorCode::image_magic, "not a task image");
  if (header.version != image::kVersion) {
    fail(file, ErrorCode::image_version,
         "version " + std::to_string(header.version) + ", this tool reads " + std::to_string(image::kVersion));
  }
  const std::span<const std::uint8_t> payload = bytes.subspan(sizeof(header));
  if (payload.size() < header.payload_bytes) {
    fail(file, ErrorCode::image_truncated,
         "the payload has " + std::to_string(payload.size()) + " of " + std::to_string(header.payload_bytes) + " bytes");
  }
  if (payload.size() > header.payload_bytes) {
    fail(file, ErrorCode::image_malformed, std::to_string(payload.size() - header.payload_bytes) + " bytes after the payload");
  }
  if (checksum(payload) != header.payload_crc32) fail(file, ErrorCode::image_checksum, "the payload is not what was written");
  return payload;
}

std::vector<std::int32_t> to_vector(const flatbuffers::Vector<std::int32_t> *numbers) {
  return numbers == nullptr ? std::vector<std::int32_t>{} : std::vector<std::int32_t>(numbers->begin(), numbers->end());
}

std::vector<Instruction> read_instructions(const image::Task &root, const std::string &file) {
  const auto *codes = root.instructions();
  const auto *mapping = root.mapping();
  const bool mapped = mapping != nullptr && mapping->size() > 0;
  if (mapped && mapping->size() != codes->size()) fail(file, ErrorCode::image_malformed, "mapping: not one an instruction");
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

Tensor read_tensor(const image::Tensor &entry, const std::string &file) {
  Tensor tensor;
  tensor.name = entry.name()->str();
  if (entry.shape()->size() != tensor.shape.size())
    fail(file, ErrorCode::image_malformed, "tensor " + tensor.name + ": shape: not N, C, H, W");
  if (entry.format() > image::Format::FP32 || entry.direction() > image::Direction::MAX) {
    fail(file, ErrorCode::image_malformed, "tensor " + tensor.name + ": format or direction");
  }
  tensor.direction = static_cast<Direction>(entry.direction());
  tensor.format = static_cast<isa::tile::DataFmt>(entry.format());
  std::copy(entry.shape()->begin(), entry.shape()->end(), tensor.shape.begin());
  tensor.window = entry.window();
  tensor.offset = entry.offset();
  tensor.size = entry.size();
  tensor.padded = entry.padded();
  return tensor;
}

void read_bound(const image::Task &root, Task &task, const std::string &file) {
  if (root.windows() != nullptr) {
    for (const image::Window *window : *root.windows()) task.windows.push_back({window->index(), window->size(), window->writable()});
  }
  if (root.constants() != nullptr) {
    for (const image::Constant *constant : *root.constants()) {
      Constant copy{constant->window(), constant->offset(), {}};
      if (constant->data() != nullptr) copy.data.assign(constant->data()->begin(), constant->data()->end());
      task.constants.push_back(std::move(copy));
    }
  }
  if (root.tensors() != nullptr) {
    for (const image::Tensor *tensor : *root.tensors()) task.tensors.push_back(read_tensor(*tensor, file));
  }
}

}  // namespace

std::vector<std::uint8_t> build_image(const Task &task) {
  const std::vector<std::uint8_t> payload = build_payload(task);
  const image::ImageHeader header{image::kMagic, image::kVersion, static_cast<std::uint32_t>(payload.size()), checksum(payload)};
  std::vector<std::uint8_t> bytes(sizeof(header) + payload.size());
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::copy(payload.begin(), payload.end(), bytes.begin() + sizeof(header));
  return bytes;
}

bool is_image(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= sizeof(image::kMagic) && std::memcmp(bytes.data(), &image::kMagic, sizeof(image::kMagic)) == 0;
}

Task parse_image(std::span<const std::uint8_t> bytes, const std::string &file) {
  const std::span<const std::uint8_t> payload = check_header(bytes, file);
  // The FlatBuffers verifier checks the alignment of addresses. The payload in `bytes` need not be aligned, but its copy is.
  const std::vector<std::uint8_t> aligned(payload.begin(), payload.end());
  flatbuffers::Verifier verifier(aligned.data(), aligned.size());
  if (!image::VerifyTaskBuffer(verifier)) fail(file, ErrorCode::image_malformed, "the FlatBuffer does not verify");
  const image::Task &root = *image::GetTask(aligned.data());
  Task task;
  if (root.name() != nullptr) task.name = root.name()->str();
  task.geometry = {root.geometry()->l2_bytes(), root.geometry()->wl0_bytes(), root.geometry()->tile_cores()};
  task.instructions = read_instructions(root, file);
  read_bound(root, task, file);
  return task;
}

Task load_task(const std::string &path, const std::string &bindings) {
  const std::vector<std::uint8_t> bytes = tools::read_file(path);
  if (is_image(bytes)) {
    if (!bindings.empty()) throw tools::FileError(path + ": is a task image already, and has its own bindings");
    return parse_image(bytes, path);
  }
  Task task;
  task.instructions = read_stream(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()), path);
  const Layout layout = layout_of(task.instructions);
  task.geometry = layout.geometry;
  const std::string beside = bindings.empty() ? bindings_beside(path).value_or("") : bindings;
  if (beside.empty()) {
    infer_windows(path, task, layout);
  } else {
    read_bindings(beside, task, layout);
  }
  return task;
}

}  // namespace cox::task
