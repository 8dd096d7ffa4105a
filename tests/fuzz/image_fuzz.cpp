// SPDX-License-Identifier: MIT
// Reads any bytes as a task image of any engine, once with the given header and once with a valid header. Uses the firmware's loader and
// verifier and the tools' reader. The tools must accept everything that the loader accepts.
#include <cstdlib>
#include <string>
#include <vector>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/stream/program_loader.h"
#include "tests/fuzz/seal.h"
#include "tools/file/error.h"
#include "tools/image/container.h"
#include "tools/image/stream_image.h"
#include "tools/tile/image.h"

namespace {

namespace image = cox::firmware::image;

/// Reads everything that a loaded task gives access to.
std::uint64_t read_all(const image::LoadedTask &task) {
  std::uint64_t sum = task.name().size();
  for (std::size_t i = 0; i < task.tensors(); ++i) sum += task.tensor(i).size + task.tensor(i).name.size();
  for (std::size_t i = 0; i < task.constants(); ++i) {
    for (const std::byte byte : task.constant(i).data) sum += std::to_integer<std::uint64_t>(byte);
  }
  for (const cox::isa::tile::MachineCode &code : task.instructions()) sum += code[0];
  if (task.program() != nullptr) sum += task.program()->code.size();
  return sum;
}

bool tools_accept(std::span<const std::byte> bytes) {
  const std::span<const std::uint8_t> image(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
  try {
    if (cox::tools::is_program_image(image)) {
      static_cast<void>(cox::tools::parse_stream_image(image, "fuzz"));
    } else {
      static_cast<void>(cox::task::parse_image(image, "fuzz"));
    }
    return true;
  } catch (const cox::tools::FileError &) {
    return false;
  }
}

void try_image(std::span<const std::byte> bytes) {
  const bool accepted = tools_accept(bytes);
  const cox::Result<std::size_t> needed = image::workspace_bytes(bytes);
  struct alignas(image::kStreamWorkspaceAlignment) Line {
    std::byte bytes[image::kStreamWorkspaceAlignment];
  };
  std::vector<Line> workspace(needed ? needed.value() / sizeof(Line) + 1 : 1);
  image::DeviceGeometry geometry = image::reference_geometry();
  geometry.cores = cox::isa::tile::kMostCores;
  cox::firmware::stream::ProgramLoader programs(cox::firmware::stream::program_kinds());
  const cox::Result<image::LoadedTask> task =
      image::load(bytes, geometry, std::as_writable_bytes(std::span(workspace)), nullptr, &programs);
  if (!task) return;
  if (read_all(task.value()) == 0 || !accepted) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const cox::fuzz::Image bytes(data, size);
  try_image(bytes.bytes());
  cox::fuzz::seal(bytes.bytes());
  try_image(bytes.bytes());
  return 0;
}
