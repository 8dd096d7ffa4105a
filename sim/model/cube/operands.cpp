// SPDX-License-Identifier: MIT
#include "sim/model/cube/operands.h"

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace cox::model::cube {
namespace {

/// Copies the rows from DRAM next to each other and loads from this copy. A copy with the gaps between the rows might not fit into this
/// process's memory.
const char *load_by_copy(isa::cube::DramToL1 load, Buffers &buffers, Path path, const Host &host) {
  std::vector<std::byte> rows(std::uint64_t{load.rows} * load.row_bytes);
  for (std::uint32_t i = 0; i < load.rows; ++i) {
    const std::uint64_t address = load.source + std::uint64_t{i} * load.source_pitch;
    if (!host.read(address, rows.data() + std::uint64_t{i} * load.row_bytes, load.row_bytes)) return "Source";
  }
  load.source_pitch = load.row_bytes;
  execute(load, buffers, rows.data(), path);
  return nullptr;
}

const char *store_by_copy(isa::cube::Output store, Buffers &buffers, Path path, const Host &host) {
  const std::uint32_t row_bytes = store.columns * element_bytes(store.to);
  const std::uint64_t pitch = store.destination_pitch;
  store.destination_pitch = row_bytes;
  std::vector<std::byte> rows(std::uint64_t{store.rows} * row_bytes);
  execute(store, buffers, rows.data(), path);
  for (std::uint32_t i = 0; i < store.rows; ++i) {
    if (!host.write(store.destination + i * pitch, rows.data() + std::uint64_t{i} * row_bytes, row_bytes)) return "Destination";
  }
  return nullptr;
}

std::byte *mapped(const isa::cube::Operation &operation, const Host &host) {
  const isa::cube::Footprint footprint = isa::cube::footprint(operation);
  for (unsigned i = 0; i < footprint.count; ++i) {
    const isa::cube::Access &access = footprint.accesses[i];
    if (access.memory == isa::cube::Memory::dram) return static_cast<std::byte *>(host.map(access.start, access.end() - access.start));
  }
  return nullptr;
}

}  // namespace

const char *execute_in_memory(const isa::cube::Operation &operation, Buffers &buffers, Path path, const Host &host) {
  std::byte *dram = nullptr;
  const auto *load = std::get_if<isa::cube::DramToL1>(&operation);
  const auto *output = std::get_if<isa::cube::Output>(&operation);
  if (load != nullptr || (output != nullptr && !output->to_l1)) {
    dram = mapped(operation, host);
    if (dram == nullptr) return load != nullptr ? load_by_copy(*load, buffers, path, host) : store_by_copy(*output, buffers, path, host);
  }
  execute(operation, buffers, dram, path);
  return nullptr;
}

}  // namespace cox::model::cube
