// SPDX-License-Identifier: MIT
#include "tests/firmware/task_builder.h"

#include <cstring>
#include <stdexcept>

#include "coxswain/base/crc32.h"
#include "coxswain/firmware/image/image_header.h"
#include "coxswain/firmware/image/task_generated.h"

namespace cox::tests {

using isa::tile::Class;
using isa::tile::Opcode;

namespace fbs = firmware::image;

isa::tile::MachineCode make(Opcode opcode, const Fields &fields, std::uint32_t previous, std::uint32_t next) {
  const isa::tile::Instruction &instruction = *isa::tile::find_instruction(opcode);
  isa::tile::MachineCode code{};
  isa::insert_bits(code, isa::tile::kOpcodeBit, isa::tile::kOpcodeWidth, static_cast<std::uint32_t>(opcode));
  isa::insert_bits(code, isa::tile::kPreviousBit, isa::tile::kClasses, previous);
  isa::insert_bits(code, isa::tile::kNextBit, isa::tile::kClasses, next);
  for (const auto &[name, values] : fields) {
    const isa::Field *field = isa::tile::find_field(instruction, name);
    if (field == nullptr) throw std::invalid_argument(name);
    unsigned element = 0;
    for (const std::int64_t value : values)
      isa::insert_bits(code, field->bit_of(element++), field->width, static_cast<std::uint32_t>(value));
  }
  return code;
}

TaskText copy_task(std::int64_t first, std::int64_t last) {
  const std::int64_t address = first * 1024;
  TaskText text;
  text.name = "copy";
  text.windows = {{0, 256, true}};
  text.tensors = {{"x", false, 1, {1, 8, 4, 4}, 0, 0, 128, false}, {"y", true, 1, {1, 8, 4, 4}, 0, 128, 128, false}};
  const Fields configuration = {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}};
  text.code = {
      make(Opcode::ct_st),
      make(Opcode::ct_bc, {{"BufCut", {(last - first + 1) % 8192, last}}}, 0, bit(Class::LD)),
      make(Opcode::lda_cfg, configuration),
      make(Opcode::lda_mov, {{"DTaddr", {address}}, {"Tile", {1, 8, 4, 4}}}, bit(Class::CT), bit(Class::ST)),
      make(Opcode::sta_cfg, configuration),
      make(Opcode::sta_mov, {{"STaddr", {address}}, {"DTaddr", {128}}, {"Tile", {1, 8, 4, 4}}}, bit(Class::LD), bit(Class::CT)),
      make(Opcode::ct_ed, {}, bit(Class::ST)),
  };
  return text;
}

Image::Image(const TaskText &text) : version_(text.program ? fbs::kProgramVersion : fbs::kVersion) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<fbs::MachineCode> code(text.code.size());
  if (!code.empty()) std::memcpy(static_cast<void *>(code.data()), text.code.data(), code.size() * sizeof(fbs::MachineCode));
  std::vector<flatbuffers::Offset<fbs::Mapping>> mapping;
  for (std::size_t i = 0; i < text.mapping; ++i) mapping.push_back(fbs::CreateMapping(builder));
  std::vector<flatbuffers::Offset<fbs::Window>> windows;
  for (const WindowText &window : text.windows) windows.push_back(fbs::CreateWindow(builder, window.index, window.size, window.writable));
  std::vector<flatbuffers::Offset<fbs::Constant>> constants;
  flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> data;
  for (const ConstantText &constant : text.constants) {
    if (!constant.same) data = builder.CreateVector(constant.data);
    constants.push_back(fbs::CreateConstant(builder, constant.window, constant.offset, data));
  }
  std::vector<flatbuffers::Offset<fbs::Tensor>> tensors;
  for (const TensorText &tensor : text.tensors) {
    tensors.push_back(fbs::CreateTensor(builder, builder.CreateString(tensor.name),
                                        tensor.output ? fbs::Direction::output : fbs::Direction::input,
                                        static_cast<fbs::Format>(tensor.format), builder.CreateVector(tensor.shape), tensor.window,
                                        tensor.offset, tensor.size, tensor.padded));
  }
  const fbs::Geometry geometry(text.l2_bytes, text.wl0_bytes, text.tile_cores);
  const auto name = builder.CreateString(text.name);
  const auto code_offset = builder.CreateVectorOfStructs(code);
  const auto mapping_offset = builder.CreateVector(mapping);
  const auto windows_offset = builder.CreateVector(windows);
  const auto constants_offset = builder.CreateVector(constants);
  const auto tensors_offset = builder.CreateVector(tensors);
  flatbuffers::Offset<fbs::Program> program_offset;
  if (text.program) {
    std::vector<fbs::RelocationEntry> relocations;
    for (const auto &one : text.program->relocations) relocations.emplace_back(one.offset, one.place, one.window);
    builder.ForceVectorAlignment(text.program->code.size(), 1, 8);
    const auto stream = builder.CreateVector(text.program->code);
    program_offset = fbs::CreateProgram(builder, text.program->engine, stream, builder.CreateVectorOfStructs(relocations));
  }
  fbs::FinishTaskBuffer(builder, fbs::CreateTask(builder, name, &geometry, code_offset, mapping_offset, windows_offset, constants_offset,
                                                 tensors_offset, program_offset));

  size_ = sizeof(fbs::ImageHeader) + builder.GetSize();
  lines_.resize((kShift + size_ + kAlignment - 1) / kAlignment);
  storage_ = std::as_writable_bytes(std::span(lines_));
  std::memcpy(bytes().data() + sizeof(fbs::ImageHeader), builder.GetBufferPointer(), builder.GetSize());
  seal();
}

void Image::seal() {
  const std::span<const std::byte> payload = bytes().subspan(sizeof(fbs::ImageHeader));
  const fbs::ImageHeader header{fbs::kMagic, version_, static_cast<std::uint32_t>(payload.size()), crc32(payload)};
  std::memcpy(bytes().data(), &header, sizeof(header));
}

}  // namespace cox::tests
