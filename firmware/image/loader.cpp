// SPDX-License-Identifier: MIT
#include "coxswain/firmware/image/loader.h"

#include "coxswain/device/engines.h"
#include "coxswain/device/npu_registers.h"
#include "coxswain/firmware/image/flatbuffer.h"
#include "coxswain/firmware/load/container.h"
#include "coxswain/firmware/load/geometry.h"
#include "coxswain/firmware/load/load.h"
#include "coxswain/isa/tile/configuration.h"

namespace cox::firmware::image {

namespace {

Result<const Task *> check_container(std::span<const std::byte> image) {
  load::Admitting admitting;
  if (Status status = admitting.begin(image); !status) return status;
  while (!admitting.done()) {
    load::Budget budget;
    if (Status status = admitting.step(budget); !status) return status;
  }
  load::Container container;
  if (Status status = container.begin(admitting.admission().payload); !status) return status;
  while (!container.done()) {
    load::Budget budget;
    if (Status status = container.step(budget); !status) return status;
  }
  return &container.task();
}

}  // namespace

DeviceGeometry reference_geometry() {
  using namespace registers;
  const std::uint64_t l2_mib = geometry0::kL2Mib.get(geometry0::kResetValue);
  const std::uint64_t wl0_units = geometry1::kWl0Units.get(geometry1::kResetValue);
  std::uint32_t engines = 0;
  for (const EngineRow &row : kEngineRows) {
    if (row.has_ring() && (capabilities::kResetValue >> row.capability() & 1) != 0) engines |= 1U << row.number();
  }
  return {l2_mib << 20, wl0_units * isa::tile::kWeightUnitBytes, geometry0::kTileCores.get(geometry0::kResetValue), engines};
}

DeviceGeometry largest_geometry() {
  return {std::uint64_t{isa::tile::kMaxL2Blocks} * isa::tile::kBlockBytes, isa::tile::kMaxWeightBytes, isa::tile::kMostCores,
          ~std::uint32_t{0}};
}

Result<std::size_t> instruction_count(std::span<const std::byte> image) {
  const Result<const Task *> task = check_container(image);
  if (!task) return task.status();
  return static_cast<std::size_t>(task.value()->instructions()->size());
}

Result<std::size_t> workspace_bytes(std::span<const std::byte> image) {
  const Result<const Task *> task = check_container(image);
  if (!task) return task.status();
  if (const Program *const program = task.value()->program(); program != nullptr) return stream_workspace_bytes(program->code()->size());
  const Geometry &needed = *task.value()->geometry();
  if (Status status = load::check_cores(needed, isa::tile::kMostCores); !status) return status;
  return workspace_bytes(task.value()->instructions()->size(), load::cores_of(needed));
}

Result<LoadedTask> load(std::span<const std::byte> image, const DeviceGeometry &geometry, std::span<std::byte> workspace,
                        verify::Deadlock *waiting, load::ProgramLoad *programs) {
  load::Load load;
  load.begin(image, geometry, workspace, waiting, programs);
  while (load.step()) {
  }
  if (!load.status()) return load.status();
  return load.task();
}

}  // namespace cox::firmware::image
