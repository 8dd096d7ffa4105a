// SPDX-License-Identifier: MIT
#include "tools/lower/program/emitter.h"

#include <stdexcept>
#include <string>

#include "coxswain/isa/tile/encode.h"

namespace cox::lower {
namespace {

using isa::tile::Access;
using isa::tile::Space;

void require(const Status &status, std::string_view name) {
  if (!status) throw std::logic_error(std::string(name) + ": " + error_name(status.code()) + ": " + status.what());
}

Resource resource_of(Space space) {
  switch (space) {
    case Space::dram: return Resource::dram;
    case Space::wl0: return Resource::wl0;
    case Space::l2:
    case Space::remote_l2: break;
  }
  return Resource::l2;
}

/// Adds an access: one interval for each image, from the first byte of its rows and columns to the last.
void add_touches(const Access &access, unsigned core, std::vector<Touch> &touches) {
  if (access.space == Space::remote_l2) return;  // links order these accesses (tools/lower/program/links.h)
  constexpr std::int64_t kWindowSpacing = std::int64_t{1} << 40;
  constexpr unsigned kImages = 2;
  Touch touch{resource_of(access.space), access.write, access.start, access.end(), static_cast<std::uint8_t>(core)};

  if (access.space == Space::dram) {
    touch.core = 0;
    touch.begin += access.selector * kWindowSpacing;
    touch.end += access.selector * kWindowSpacing;
  }
  const std::int64_t extent = touch.end - touch.begin - (access.count[kImages] - 1) * access.stride[kImages];
  if (access.count[kImages] == 1 || extent >= access.stride[kImages]) {
    touches.push_back(touch);
    return;
  }
  for (std::int64_t i = 0; i < access.count[kImages]; ++i) {
    Touch &image = touches.emplace_back(touch);
    image.begin += i * access.stride[kImages];
    image.end = image.begin + extent;
  }
}

}  // namespace

isa::tile::MachineCode Emitter::encoded(const isa::tile::Instruction &entry, const Fields &fields) const {
  isa::tile::MachineCode code = encode(entry, fields);
  isa::insert_bits(code, isa::tile::kCoreBit, isa::tile::kCoreWidth, core_);
  return code;
}

Instruction &Emitter::append(const isa::tile::Instruction &entry, const Origin &origin, const isa::tile::MachineCode &code) {
  Instruction &instruction = program_.emplace_back();
  instruction.name = entry.name;
  instruction.queue = entry.queue;
  instruction.configuration = entry.configuration;
  instruction.core = static_cast<std::uint8_t>(core_);
  instruction.origin = origin;
  instruction.code = code;
  return instruction;
}

void Emitter::emit(const char *name, const Origin &origin, const Fields &fields, const std::vector<Touch> &more) {
  const isa::tile::Instruction &entry = *isa::tile::find_instruction(std::string_view(name));
  Instruction &instruction = append(entry, origin, encoded(entry, fields));
  if (origin.images != 1) require(isa::tile::set_images(instruction.code, origin.images), name);
  isa::tile::Configuration &configuration = configurations_[core_];
  require(configuration.apply(instruction.code), name);  // a ct_bc changes the configuration
  const Result<isa::tile::Operation> operation = isa::tile::resolve(instruction.code, configuration);
  require(operation.status(), name);
  instruction.duration = model::duration_of(instruction.code, operation.value(), configuration, geometry_);
  const isa::tile::Footprint footprint = isa::tile::footprint(operation.value());
  bool in_l2 = false;
  for (unsigned i = 0; i < footprint.count; ++i) {
    add_touches(footprint.accesses[i], core_, instruction.touches);
    in_l2 |= footprint.accesses[i].space == Space::l2;
  }
  if (in_l2) instruction.touches.push_back({Resource::cuts, false, 0, 1, static_cast<std::uint8_t>(core_)});
  instruction.touches.insert(instruction.touches.end(), more.begin(), more.end());
}

void Emitter::configure(const char *name, const Origin &origin, const Fields &fields) {
  const isa::tile::Instruction &entry = *isa::tile::find_instruction(std::string_view(name));
  const isa::tile::MachineCode code = encoded(entry, fields);
  isa::tile::Configuration &configuration = configurations_[core_];
  if (const isa::tile::MachineCode *standing = configuration.find(entry.opcode); standing != nullptr && *standing == code) return;
  require(configuration.apply(code), name);
  append(entry, origin, code).duration = {geometry_.configuration_cycles, 0, 0};
}

}  // namespace cox::lower
