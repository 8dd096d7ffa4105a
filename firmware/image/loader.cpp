// SPDX-License-Identifier: MIT
#include "firmware/image/loader.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/crc32.h"
#include "device/npu_registers.h"
#include "firmware/image/flatbuffer.h"
#include "firmware/image/image_header.h"
#include "isa/tile/configuration.h"
#include "isa/tile/format.h"
#include "isa/tile/layout.h"

namespace cox::firmware::image {

namespace {

// Limits of the FlatBuffers verifier.
constexpr flatbuffers::uoffset_t kMaximumDepth = 8;          // largest depth of nested tables
constexpr flatbuffers::uoffset_t kMaximumTables = 1U << 14;  // largest number of windows, constants and tensors together
constexpr flatbuffers::uoffset_t kMaximumMapping = verify::kMaximumInstructions;  // largest number of entries of `mapping`

// Estimated costs, in instructions of the control core.
constexpr std::int32_t kByteCost = 5;       // to add one byte of the payload to the checksum
constexpr std::int32_t kMappingCost = 250;  // to verify one entry of `mapping`
constexpr std::int32_t kTableCost = 600;    // to check one window, constant or tensor once; constants and tensors are checked twice

constexpr std::uint64_t kMaximumWindowBytes = UINT32_MAX;  // the largest size that the device's window registers hold

std::uint32_t checksum_of(std::span<const std::byte> bytes, verify::Pause &pause) {
  // The table is in RAM and is filled at the first load, because program memory is scarcer than RAM.
  static constinit Crc32Table table{};
  if (table.back() == 0) fill_crc32_table(table);
  constexpr std::size_t kPiece = 4096;
  std::uint32_t checksum = 0;
  while (!bytes.empty() && pause.after(kPiece * kByteCost)) {
    const std::size_t piece = std::min(bytes.size(), kPiece);
    checksum = crc32(bytes.first(piece), checksum, table);
    bytes = bytes.subspan(piece);
  }
  return checksum;
}

bool aligned(const void *pointer, std::size_t alignment) { return reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0; }

Result<std::span<const std::byte>> check_header(std::span<const std::byte> image, verify::Pause &pause) {
  if (!aligned(image.data(), kImageAlignment)) return Status{ErrorCode::invalid_argument, "image"};
  if (image.size() < sizeof(ImageHeader)) {
    return Status{ErrorCode::image_truncated, "header", -1, static_cast<std::int64_t>(image.size()), sizeof(ImageHeader)};
  }
  ImageHeader header{};
  std::memcpy(&header, image.data(), sizeof(header));
  if (header.magic != kMagic) return Status{ErrorCode::image_magic, "magic", -1, header.magic, kMagic};
  if (header.version != kVersion) return Status{ErrorCode::image_version, "version", -1, header.version, kVersion};
  const std::span<const std::byte> payload = image.subspan(sizeof(ImageHeader));
  if (payload.size() < header.payload_bytes) {
    return Status{ErrorCode::image_truncated, "payload_bytes", -1, static_cast<std::int64_t>(payload.size()), header.payload_bytes};
  }
  if (payload.size() > header.payload_bytes) {
    return Status{ErrorCode::image_malformed, "payload_bytes", -1, static_cast<std::int64_t>(payload.size()), header.payload_bytes};
  }
  const std::uint32_t checksum = checksum_of(payload, pause);
  if (pause.given_up()) return verify::Pause::cancelled();
  if (checksum != header.payload_crc32) return Status{ErrorCode::image_checksum, "payload_crc32", -1, checksum, header.payload_crc32};
  return payload;
}

/// The root table. Verify() makes all checks of Task::Verify() except those of the tables in the task's vectors. There may be many such
/// tables, so check_tables() checks them with pauses.
struct Root : private flatbuffers::Table {
  bool Verify(flatbuffers::Verifier &verifier) const {
    const Task &task = reinterpret_cast<const Task &>(*this);
    return VerifyTableStart(verifier) && VerifyOffset(verifier, Task::VT_NAME) && verifier.VerifyString(task.name()) &&
           VerifyFieldRequired<Geometry>(verifier, Task::VT_GEOMETRY, alignof(Geometry)) &&
           VerifyOffsetRequired(verifier, Task::VT_INSTRUCTIONS) && verifier.VerifyVector(task.instructions()) &&
           VerifyOffset(verifier, Task::VT_MAPPING) && verifier.VerifyVector(task.mapping()) && VerifyOffset(verifier, Task::VT_WINDOWS) &&
           verifier.VerifyVector(task.windows()) && VerifyOffset(verifier, Task::VT_CONSTANTS) && verifier.VerifyVector(task.constants()) &&
           VerifyOffset(verifier, Task::VT_TENSORS) && verifier.VerifyVector(task.tensors()) && verifier.EndTable();
  }
};

/// Returns the number of fields of the schema's root table.
template <typename... Fields>
constexpr std::size_t fields_of(flatbuffers::Offset<Task> (*)(flatbuffers::FlatBufferBuilder &, Fields...)) {
  return sizeof...(Fields);
}
static_assert(fields_of(CreateTask) == 7, "Root checks all of them");

/// Verifies the tables of one of the task's vectors. The vector itself has been verified.
template <typename T>
Status check_tables(const flatbuffers::Vector<flatbuffers::Offset<T>> *tables, flatbuffers::Verifier &verifier, std::int32_t cost,
                    verify::Pause &pause) {
  for (flatbuffers::uoffset_t i = 0; tables != nullptr && i < tables->size(); ++i) {
    if (!tables->Get(i)->Verify(verifier)) return {ErrorCode::image_malformed, "payload"};
    if (!pause.after(cost)) return verify::Pause::cancelled();
  }
  return {};
}

Result<const Task *> check_flatbuffer(std::span<const std::byte> payload, verify::Pause &pause) {
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(payload.data());
  // The library would read past the end of a payload that is shorter than a root offset and an identifier.
  if (payload.size() < 2 * sizeof(flatbuffers::uoffset_t)) return Status{ErrorCode::image_malformed, "payload"};
  flatbuffers::Verifier verifier(bytes, payload.size(), kMaximumDepth, kMaximumTables);
  if (!verifier.VerifyBuffer<Root>(TaskIdentifier())) return Status{ErrorCode::image_malformed, "payload"};
  const Task *task = GetTask(bytes);
  if (Status status = check_tables(task->windows(), verifier, kTableCost, pause); !status) return status;
  if (Status status = check_tables(task->constants(), verifier, kTableCost, pause); !status) return status;
  if (Status status = check_tables(task->tensors(), verifier, kTableCost, pause); !status) return status;
  flatbuffers::Verifier verifier_of_mapping(bytes, payload.size(), kMaximumDepth, kMaximumMapping);
  if (Status status = check_tables(task->mapping(), verifier_of_mapping, kMappingCost, pause); !status) return status;
  return task;
}

Result<const Task *> check_container(std::span<const std::byte> image, verify::Pause &pause) {
  const Result<std::span<const std::byte>> payload = check_header(image, pause);
  if (!payload) return payload.status();
  return check_flatbuffer(payload.value(), pause);
}
Result<const Task *> check_container(std::span<const std::byte> image) {
  verify::Pause none;
  return check_container(image, none);
}

/// Returns the number of cores that the task runs on.
unsigned cores_of(const Geometry &needed) { return std::max<std::uint32_t>(needed.tile_cores(), 1U); }

Status check_cores(const Geometry &needed, std::uint32_t there) {
  const std::uint32_t most = std::min<std::uint32_t>(there, isa::tile::kMostCores);
  if (cores_of(needed) > most) return {ErrorCode::image_geometry, "tile_cores", -1, cores_of(needed), most};
  return {};
}

Status check_geometry(const Geometry &needed, const DeviceGeometry &geometry) {
  if (needed.l2_bytes() > geometry.l2_bytes) {
    return {ErrorCode::image_geometry, "l2_bytes", -1, needed.l2_bytes(), static_cast<std::int64_t>(geometry.l2_bytes)};
  }
  if (needed.wl0_bytes() > geometry.wl0_bytes) {
    return {ErrorCode::image_geometry, "wl0_bytes", -1, needed.wl0_bytes(), static_cast<std::int64_t>(geometry.wl0_bytes)};
  }
  return check_cores(needed, geometry.cores);
}

using Windows = std::array<WindowNeed, verify::kWindows>;

Status collect_windows(const Task &task, Windows &windows) {
  if (task.windows() == nullptr) return {};
  for (flatbuffers::uoffset_t i = 0; i < task.windows()->size(); ++i) {
    const Window &window = *task.windows()->Get(i);
    const auto at = static_cast<std::int32_t>(i);
    if (window.index() >= verify::kWindows) return {ErrorCode::image_malformed, "windows.index", at, window.index(), verify::kWindows - 1};
    if (window.size() == 0 || window.size() > kMaximumWindowBytes) {
      return {ErrorCode::image_malformed, "windows.size", at, static_cast<std::int64_t>(window.size()), kMaximumWindowBytes};
    }
    WindowNeed &need = windows[window.index()];
    if (need.size != 0) return {ErrorCode::image_malformed, "windows.index", at, window.index()};  // a second entry for the same window
    need = {window.size(), window.writable(), false, {}};
  }
  return {};
}

/// Returns true if [offset, offset + size) is inside the window. The check cannot overflow.
bool inside(const WindowNeed &window, std::uint64_t offset, std::uint64_t size) {
  return offset <= window.size && size <= window.size - offset;
}

/// Checks that all constants of a window together are not larger than the window. This bounds the time to copy them. It also means that a
/// constant in place (LoadedTask::constant_in_place) is the only one of its window, because it fills the window.
Status check_constants(const Task &task, Windows &windows, verify::Pause &pause) {
  if (task.constants() == nullptr) return {};
  std::array<std::uint64_t, verify::kWindows> total{};
  for (flatbuffers::uoffset_t i = 0; i < task.constants()->size(); ++i) {
    if (!pause.after(kTableCost)) return verify::Pause::cancelled();
    const Constant &constant = *task.constants()->Get(i);
    const auto at = static_cast<std::int32_t>(i);
    if (constant.window() >= verify::kWindows || windows[constant.window()].size == 0) {
      return {ErrorCode::image_malformed, "constants.window", at, constant.window()};
    }
    if (constant.data() == nullptr || constant.data()->size() == 0) continue;
    WindowNeed &window = windows[constant.window()];
    const std::span data = std::as_bytes(std::span(constant.data()->data(), constant.data()->size()));
    if (!inside(window, constant.offset(), data.size())) {
      return {ErrorCode::image_malformed, "constants.offset", at, signed_of(constant.offset()), signed_of(window.size)};
    }
    std::uint64_t &sum = total[constant.window()];
    sum += data.size();
    if (sum > window.size) return {ErrorCode::image_malformed, "constants.data", at, signed_of(sum), signed_of(window.size)};
    window.has_constants = true;
    if (!window.writable && data.size() == window.size) window.in_place = data;
  }
  return {};
}

/// Returns the number of bits of an element, or 0 if there is no such format.
std::uint64_t element_bits(Format format) { return isa::tile::bits_of(static_cast<isa::tile::DataFmt>(format)); }

/// Returns the size of the tensor in bytes, or 0 if the shape is empty or larger than any window.
std::uint64_t tensor_bytes(const Tensor &tensor) {
  const std::uint64_t pixel = (tensor.shape()->Get(1) * element_bits(tensor.format()) + 7) / 8;
  std::uint64_t bytes = tensor.padded() ? static_cast<std::uint64_t>(isa::tile::padded_pixel(static_cast<std::int64_t>(pixel))) : pixel;
  for (const flatbuffers::uoffset_t dimension : {0U, 2U, 3U}) {
    if (bytes > kMaximumWindowBytes) return 0;
    bytes *= tensor.shape()->Get(dimension);
  }
  return bytes > kMaximumWindowBytes ? 0 : bytes;
}

Status check_tensors(const Task &task, const Windows &windows, verify::Pause &pause) {
  if (task.tensors() == nullptr) return {};
  for (flatbuffers::uoffset_t i = 0; i < task.tensors()->size(); ++i) {
    if (!pause.after(kTableCost)) return verify::Pause::cancelled();
    const Tensor &tensor = *task.tensors()->Get(i);
    const auto at = static_cast<std::int32_t>(i);
    if (tensor.direction() > Direction::MAX) return {ErrorCode::image_malformed, "tensors.direction", at};
    if (element_bits(tensor.format()) == 0) {
      return {ErrorCode::image_malformed, "tensors.format", at, static_cast<std::int64_t>(tensor.format())};
    }
    if (tensor.shape()->size() != 4) return {ErrorCode::image_malformed, "tensors.shape", at, tensor.shape()->size(), 4};
    const std::uint64_t bytes = tensor_bytes(tensor);
    if (bytes == 0 || bytes != tensor.size()) {
      return {ErrorCode::tensor_size, "tensors.size", at, static_cast<std::int64_t>(tensor.size()), static_cast<std::int64_t>(bytes)};
    }
    if (tensor.window() >= verify::kWindows || windows[tensor.window()].size == 0) {
      return {ErrorCode::image_malformed, "tensors.window", at, tensor.window()};
    }
    if (!inside(windows[tensor.window()], tensor.offset(), tensor.size())) {
      return {ErrorCode::tensor_size, "tensors.offset", at, static_cast<std::int64_t>(tensor.offset()),
              static_cast<std::int64_t>(windows[tensor.window()].size)};
    }
    if (tensor.direction() == Direction::output && !windows[tensor.window()].writable) {
      return {ErrorCode::image_malformed, "windows.writable", at, tensor.window()};
    }
  }
  return {};
}

std::span<const isa::tile::MachineCode> instructions_of(const Task &task) {
  static_assert(sizeof(MachineCode) == sizeof(isa::tile::MachineCode) && alignof(MachineCode) == alignof(isa::tile::MachineCode));
  return {reinterpret_cast<const isa::tile::MachineCode *>(task.instructions()->Data()), task.instructions()->size()};
}

}  // namespace

DeviceGeometry reference_geometry() {
  using namespace registers;
  const std::uint64_t l2_mib = geometry0::kL2Mib.get(geometry0::kResetValue);
  const std::uint64_t wl0_units = geometry1::kWl0Units.get(geometry1::kResetValue);
  return {l2_mib << 20, wl0_units * isa::tile::kWeightUnitBytes, geometry0::kTileCores.get(geometry0::kResetValue)};
}

DeviceGeometry largest_geometry() {
  return {std::uint64_t{isa::tile::kMaxL2Blocks} * isa::tile::kBlockBytes, isa::tile::kMaxWeightBytes, isa::tile::kMostCores};
}

Result<std::size_t> instruction_count(std::span<const std::byte> image) {
  const Result<const Task *> task = check_container(image);
  if (!task) return task.status();
  return static_cast<std::size_t>(task.value()->instructions()->size());
}

Result<std::size_t> workspace_bytes(std::span<const std::byte> image) {
  const Result<const Task *> task = check_container(image);
  if (!task) return task.status();
  const Geometry &needed = *task.value()->geometry();
  if (Status status = check_cores(needed, isa::tile::kMostCores); !status) return status;
  return workspace_bytes(task.value()->instructions()->size(), cores_of(needed));
}

Result<LoadedTask> load(std::span<const std::byte> image, const DeviceGeometry &geometry, std::span<std::byte> workspace,
                        verify::Deadlock *waiting, verify::Pause &pause) {
  const Result<const Task *> container = check_container(image, pause);
  if (!container) return container.status();
  const Task &task = *container.value();
  if (Status status = check_geometry(*task.geometry(), geometry); !status) return status;

  Windows windows{};
  if (Status status = collect_windows(task, windows); !status) return status;
  if (Status status = check_constants(task, windows, pause); !status) return status;
  if (Status status = check_tensors(task, windows, pause); !status) return status;

  const std::span<const isa::tile::MachineCode> instructions = instructions_of(task);
  if (task.mapping() != nullptr && task.mapping()->size() != 0 && task.mapping()->size() != instructions.size()) {
    return Status{ErrorCode::image_malformed, "mapping", -1, task.mapping()->size(), static_cast<std::int64_t>(instructions.size())};
  }
  if (!aligned(workspace.data(), kWorkspaceAlignment)) return Status{ErrorCode::invalid_argument, "workspace"};
  const unsigned cores = cores_of(*task.geometry());
  if (const std::size_t needed = workspace_bytes(instructions.size(), cores); workspace.size() < needed) {
    return Status{ErrorCode::no_room, "workspace", -1, static_cast<std::int64_t>(workspace.size()), static_cast<std::int64_t>(needed)};
  }
  verify::Limits limits;
  for (unsigned i = 0; i < verify::kWindows; ++i) limits.windows[i] = {windows[i].size, windows[i].writable};
  limits.blocks = {0, static_cast<std::uint32_t>(geometry.l2_bytes / isa::tile::kBlockBytes) - 1};
  limits.wl0_bytes = geometry.wl0_bytes;
  limits.cores = cores;
  const Result<verify::Verified> verified = verify::verify(instructions, limits, plan::plan_order(workspace, instructions.size(), cores),
                                                           plan::plan_scratch(workspace, instructions.size(), cores), waiting, pause);
  if (!verified) return verified.status();
  const plan::Plan plan = plan::build_plan(instructions, verified.value().streams, workspace, pause);
  if (pause.given_up()) return verify::Pause::cancelled();
  return LoadedTask(&task, instructions, verified.value().needs, plan, windows);
}

}  // namespace cox::firmware::image
