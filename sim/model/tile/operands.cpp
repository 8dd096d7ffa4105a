// SPDX-License-Identifier: MIT
#include "sim/model/tile/operands.h"

#include <cstdint>
#include <variant>

namespace cox::model {

using arithmetic::Memories;
using arithmetic::Memory;
using isa::tile::Region;
using isa::tile::Space;

namespace {

/// Accesses to a window through the host's read and write functions. Keeps the first bus error.
struct WindowTransfer {
  const Host *host;
  std::uint64_t base;
  bool failed = false;
  std::uint64_t failed_address = 0;

  void check(bool done, std::uint64_t address) {
    if (done || failed) return;
    failed = true;
    failed_address = address;
  }
};

void read_window(void *opaque, std::int64_t address, void *data, std::int64_t size) {
  auto &transfer = *static_cast<WindowTransfer *>(opaque);
  const std::uint64_t bus_address = transfer.base + static_cast<std::uint64_t>(address);
  transfer.check(transfer.host->read(bus_address, data, static_cast<std::uint64_t>(size)), bus_address);
}

void write_window(void *opaque, std::int64_t address, const void *data, std::int64_t size) {
  auto &transfer = *static_cast<WindowTransfer *>(opaque);
  const std::uint64_t bus_address = transfer.base + static_cast<std::uint64_t>(address);
  transfer.check(transfer.host->write(bus_address, data, static_cast<std::uint64_t>(size)), bus_address);
}

/// The space of an operand, and the region, window or core that it names.
struct Operand {
  Space space = Space::l2;
  unsigned selector = 0;
};

struct Operands {
  Operand source, source1, destination, partial, table;
};

Operand operand_of(const isa::tile::Map &map) { return {map.space, map.selector}; }

struct OperandsOf {
  Operands operator()(const isa::tile::Control &) const { return {}; }
  Operands operator()(const isa::tile::Move &move) const { return {operand_of(move.from), {}, operand_of(move.to), {}, {}}; }
  Operands operator()(const isa::tile::Transform &transform) const {
    return {{Space::l2, transform.from.selector}, {}, {Space::l2, transform.to.selector}, {}, {}};
  }
  Operands operator()(const isa::tile::WeightMove &move) const {
    return {{move.from_space, move.from_selector}, {}, {move.to_space, move.to_selector}, {}, {}};
  }
  Operands operator()(const isa::tile::Convolution &convolution) const {
    return {operand_of(convolution.source),
            {},
            operand_of(convolution.destination),
            operand_of(convolution.partial),
            {Space::l2, convolution.table.selector}};
  }
  Operands operator()(const isa::tile::Vector &vector) const {
    return {operand_of(vector.source), operand_of(vector.source1), operand_of(vector.destination), {}, {Space::l2, vector.table.selector}};
  }
};

Memory linear(std::span<std::byte> bytes) { return Memory::linear(bytes.data(), 0, static_cast<std::int64_t>(bytes.size())); }

}  // namespace

Places places_of(const isa::tile::Operation &operation, const TileContext &context, std::span<const Window> windows, unsigned core) {
  const Operands operands = std::visit(OperandsOf{}, operation);
  const isa::tile::Configuration &configuration = context.banks[core].configuration;
  Places places;
  const auto place = [&](const Operand &operand, Region &region) {
    switch (operand.space) {
      case Space::l2: region = configuration.region(operand.selector); return;
      case Space::dram: places.window = windows[operand.selector]; return;
      case Space::remote_l2: places.remote_core = context.first_core + operand.selector; return;
      case Space::wl0: return;
    }
  };
  place(operands.source, places.source);
  place(operands.source1, places.source1);
  place(operands.destination, places.destination);
  place(operands.partial, places.partial);
  place(operands.table, places.table);
  return places;
}

Fault execute_in_memory(const isa::tile::Operation &operation, const Places &places, const isa::tile::Access &dram,
                        const CoreMemories &core, arithmetic::Path path, const Host &host) {
  const Operands operands = std::visit(OperandsOf{}, operation);
  WindowTransfer transfer{&host, places.window.base};
  const auto window = [&]() {
    const std::int64_t size = dram.end() - dram.start;
    const std::uint64_t address = transfer.base + static_cast<std::uint64_t>(dram.start);
    void *mapped = host.map(address, static_cast<std::uint64_t>(size));
    if (mapped != nullptr) return Memory::linear(static_cast<std::byte *>(mapped), dram.start, size);
    return Memory::transfer({&transfer, &read_window, &write_window}, dram.start, size);
  };
  const auto memory = [&](const Operand &operand, const Region &region) {
    switch (operand.space) {
      case Space::l2: return Memory::circular(core.l2.data(), region);
      case Space::wl0: return linear(core.wl0);
      case Space::remote_l2: return linear(core.remote_l2);
      case Space::dram: return window();
    }
    return Memory();
  };
  Memories memories;
  memories.source = memory(operands.source, places.source);
  memories.source1 = memory(operands.source1, places.source1);
  memories.destination = memory(operands.destination, places.destination);
  memories.weights = linear(core.wl0);
  memories.partial = memory(operands.partial, places.partial);
  memories.table = memory(operands.table, places.table);
  memories.scalars = core.scalars.data();
  arithmetic::execute(operation, memories, path);
  if (transfer.failed) return {FaultCode::bus_error, static_cast<std::uint32_t>(transfer.failed_address)};
  return {};
}

}  // namespace cox::model
