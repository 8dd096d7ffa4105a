// SPDX-License-Identifier: MIT
// application.c in C++: it has its own main, links scheduler and HAL, and runs the task image at the base of DRAM with zeros as input.
#include <array>
#include <cstring>

#include "coxswain/firmware/console/text.h"
#include "coxswain/firmware/image/image_header.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/schedule/bindings.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"

namespace {

using cox::Result;
using cox::Status;
using cox::firmware::console::print;
using cox::firmware::console::Text;
namespace image = cox::firmware::image;
namespace schedule = cox::firmware::schedule;

cox::hal::Accelerator accelerator;
schedule::Scheduler scheduler;

/// Allocates DRAM from the front in lines of 64 bytes. Returns an empty span if there is no room.
class Dram {
 public:
  std::span<std::byte> take(std::uint64_t bytes) {
    if (bytes > left_.size()) return {};
    const std::span<std::byte> taken = left_.first(static_cast<std::size_t>(bytes));
    const std::size_t lines = (taken.size() + 63) / 64 * 64;
    left_ = left_.subspan(lines < left_.size() ? lines : left_.size());
    return taken;
  }

 private:
  std::span<std::byte> left_{reinterpret_cast<std::byte *>(cox::board::dram_base()), cox::board::dram_size()};
};

int refuse(const Status &status) {
  print(Text() << "application: " << status);
  return 1;
}

}  // namespace

int main() {
  Dram dram;
  image::ImageHeader header{};
  std::memcpy(&header, reinterpret_cast<const void *>(cox::board::dram_base()), sizeof(header));
  const std::span<std::byte> bytes = dram.take(sizeof(header) + std::uint64_t{header.payload_bytes});
  if (Status status = accelerator.open(); !status.ok()) return refuse(status);
  if (Status status = scheduler.initialise(accelerator); !status.ok()) return refuse(status);
  const Result<std::size_t> needed = image::workspace_bytes(bytes);
  if (!needed) return refuse(needed.status());
  const std::span<std::byte> workspace = dram.take(needed.value());
  const Result<image::LoadedTask> task = image::load(bytes, scheduler.device_geometry(), workspace);
  if (!task) return refuse(task.status());

  std::array<schedule::MemoryRange, cox::hal::kWindows> given;
  for (unsigned i = 0; i < given.size(); ++i) {
    const std::span<std::byte> window = dram.take(task.value().windows()[i].size);
    std::memset(window.data(), 0, window.size());
    cox::hal::clean_and_invalidate_cache(window.data(), window.size());
    given[i] = {cox::hal::bus_address(window), window.size()};
  }
  const schedule::MemoryRange memory = cox::hal::dram_range();
  std::array<cox::hal::Window, cox::hal::kWindows> windows;
  if (Status status = schedule::bind_windows(task.value(), given, memory, {}, windows); !status.ok()) return refuse(status);
  const Result<unsigned> context = scheduler.start(task.value(), windows, {.place_constants = true});
  if (!context) return refuse(context.status());
  const Result<schedule::RunReport> report = scheduler.wait(context.value());
  if (!report) return refuse(report.status());
  if (!report.value().status.ok()) return refuse(report.value().status);
  print(Text() << "application: " << report.value().accelerator_instructions << " instructions in "
               << (report.value().end_cycle - report.value().start_cycle) << " cycles");
  return 0;
}
