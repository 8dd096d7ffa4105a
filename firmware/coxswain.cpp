// SPDX-License-Identifier: MIT
#include "coxswain/firmware/coxswain.h"

#include <initializer_list>
#include <limits>
#include <new>
#include <string_view>
#include <type_traits>

#include "coxswain/base/c_status.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/schedule/bindings.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/firmware/schedule/task_submissions.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/opened_accelerator.h"

namespace {

using cox::ErrorCode;
using cox::Result;
using cox::Status;
using cox::to_c;
using cox::firmware::image::LoadedTask;
using cox::firmware::image::TensorView;
using cox::firmware::schedule::MemoryRange;
using cox::firmware::schedule::RunReport;
using cox::firmware::schedule::Scheduler;

static_assert(sizeof(LoadedTask) <= sizeof(cox_task) && alignof(LoadedTask) <= alignof(cox_task));
static_assert(std::is_trivially_copyable_v<LoadedTask> && std::is_trivially_destructible_v<LoadedTask>);
static_assert(COX_WINDOWS == cox::hal::kWindows && COX_IMAGE_ALIGNMENT == cox::firmware::image::kImageAlignment);
static_assert(COX_WORKSPACE_ALIGNMENT % cox::firmware::image::kWorkspaceAlignment == 0);

using cox::firmware::schedule::TaskSubmissions;
using cox::hal::Handle;

alignas(Scheduler) std::byte memory_of_scheduler[sizeof(Scheduler)];
Scheduler *scheduler = nullptr;
/// Made at the first cox_tile_open() and never again, so that generations of handles continue. The scheduler is always at the same place.
alignas(TaskSubmissions) std::byte memory_of_submissions[sizeof(TaskSubmissions)];
TaskSubmissions *submissions = nullptr;

cox_status refused(ErrorCode code, const char *what) { return to_c(Status(code, what)); }

struct Argument {
  const void *pointer;
  const char *name;
};
/// Returns invalid_argument with the name of the first argument that is NULL.
Status check_given(std::initializer_list<Argument> arguments) {
  for (const Argument &argument : arguments) {
    if (argument.pointer == nullptr) return {ErrorCode::invalid_argument, argument.name};
  }
  return {};
}

const LoadedTask &task_in(const cox_task &task) { return *std::launder(reinterpret_cast<const LoadedTask *>(task.opaque)); }

}  // namespace

cox_status cox_tile_open() {
  const Result<cox::hal::Accelerator *> accelerator = cox::hal::opened_accelerator();
  if (!accelerator) return to_c(accelerator.status());
  if (scheduler != nullptr) return refused(ErrorCode::not_owner, cox::registers::engine_name(cox::registers::Engine::tile));
  auto *const created = new (memory_of_scheduler) Scheduler;
  const Status status = created->initialise(*accelerator.value());
  if (!status.ok()) return to_c(status);
  scheduler = created;
  if (submissions == nullptr) submissions = new (memory_of_submissions) TaskSubmissions(*scheduler);
  submissions->open(*accelerator.value());
  return to_c({});
}

cox_status cox_tile_close() {
  if (scheduler == nullptr) return refused(ErrorCode::not_ready, "cox_tile_open");
  const Status status = scheduler->close();
  if (!status.ok()) return to_c(status);
  submissions->close();
  scheduler = nullptr;
  return to_c({});
}

cox_status cox_workspace_bytes(const void *image, size_t image_bytes, size_t *bytes) {
  if (Status status = check_given({{image, "image"}, {bytes, "bytes"}}); !status.ok()) return to_c(status);
  const Result<std::size_t> needed = cox::firmware::image::workspace_bytes({static_cast<const std::byte *>(image), image_bytes});
  if (!needed) return to_c(needed.status());
  *bytes = needed.value();
  return to_c({});
}

cox_status cox_load(cox_task *task, const void *image, size_t image_bytes, void *workspace, size_t workspace_bytes) {
  if (Status status = check_given({{task, "task"}, {image, "image"}, {workspace, "workspace"}}); !status.ok()) return to_c(status);
  auto *loaded = new (task->opaque) LoadedTask;
  if (scheduler == nullptr) return refused(ErrorCode::not_ready, "cox_tile_open");
  const Result<LoadedTask> result =
      cox::firmware::image::load({static_cast<const std::byte *>(image), image_bytes}, scheduler->device_geometry(),
                                 {static_cast<std::byte *>(workspace), workspace_bytes});
  if (!result) return to_c(result.status());
  // The device may read constants where they are in the image (LoadedTask::constant_in_place()).
  cox::hal::clean_cache(image, image_bytes);
  *loaded = result.value();
  return to_c({});
}

cox_status cox_find_tensor(const cox_task *task, const char *name, cox_tensor *tensor) {
  if (Status status = check_given({{task, "task"}, {name, "name"}, {tensor, "tensor"}}); !status.ok()) return to_c(status);
  const Result<TensorView> found = task_in(*task).find_tensor(name);
  if (!found) return to_c(found.status());
  const TensorView &view = found.value();
  *tensor = {view.output, view.padded, view.format, {view.shape[0], view.shape[1], view.shape[2], view.shape[3]},
             view.window, view.offset, view.size};
  return to_c({});
}

uint64_t cox_window_bytes(const cox_task *task, uint32_t index) {
  if (task == nullptr || index >= COX_WINDOWS) return 0;
  return task_in(*task).windows()[index].size;
}

cox_status cox_start(cox_task *task, const cox_window windows[COX_WINDOWS], const cox_run_options *options, cox_handle *run) {
  if (scheduler == nullptr) return refused(ErrorCode::not_ready, "cox_tile_open");
  if (Status status = check_given({{task, "task"}, {windows, "windows"}, {run, "run"}}); !status.ok()) return to_c(status);
  const LoadedTask &loaded = task_in(*task);
  if (!loaded.valid()) return refused(ErrorCode::not_ready, "task");

  std::array<MemoryRange, COX_WINDOWS> given;
  for (unsigned i = 0; i < COX_WINDOWS; ++i) {
    const bool there = windows[i].address != nullptr;
    given[i] = {cox::hal::bus_address(windows[i].address), there ? windows[i].size : 0};
  }
  const MemoryRange dram = cox::hal::dram_range();
  std::array<cox::hal::Window, COX_WINDOWS> bound;
  if (Status status = cox::firmware::schedule::bind_windows(loaded, given, dram, {}, bound); !status.ok()) return to_c(status);
  // Constants must not be written over the window of a run.
  if (Status status = scheduler->check_use(loaded, bound); !status.ok()) return to_c(status);
  // submit() masks interrupts. Copying constants may take long, so it is done here.
  for (cox::firmware::schedule::ConstantCopy copy(loaded, bound); copy.step();) {
  }
  for (const cox::hal::Window &window : bound) {
    // A line that the program has changed and that stayed in the cache could be written back later, over what the device writes.
    if (!window.write) continue;
    cox::hal::clean_and_invalidate_cache(cox::hal::core_pointer<std::byte>(window.base), static_cast<std::size_t>(window.bytes));
  }
  for (std::size_t i = 0; i < loaded.tensors(); ++i) {
    const TensorView tensor = loaded.tensor(i);
    if (!tensor.output) cox::hal::clean_cache(cox::firmware::schedule::tensor_bytes(tensor, bound), static_cast<std::size_t>(tensor.size));
  }

  cox::firmware::schedule::RunOptions wanted;
  wanted.read_counters = false;
  if (options != nullptr) {
    wanted.time_limit_us = options->time_limit_us;
    wanted.core_mask = options->core_mask;
    wanted.retries = options->retries;
  }
  const Result<Handle> handle = submissions->submit(loaded, bound, wanted);
  if (handle) *run = handle.value().bits();
  return to_c(handle.status());
}

cox_status cox_wait(cox_handle run, cox_report *report) {
  if (scheduler == nullptr) return refused(ErrorCode::not_ready, "cox_tile_open");
  constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();  // the run has a time limit of its own
  RunReport own;
  own.cores = 0;  // a run that has ended has cores
  const Status status = submissions->wait(Handle(run), kForever, &own);
  if (report != nullptr && own.cores != 0) {
    *report = {own.start_cycle, own.end_cycle, own.control_instructions, own.accelerator_instructions, own.first_core,
               own.cores,       own.retried};
  }
  return to_c(status);
}

cox_status cox_cancel(cox_handle run) {
  if (scheduler == nullptr) return refused(ErrorCode::not_ready, "cox_tile_open");
  return to_c(submissions->cancel(Handle(run)));
}

cox_status cox_run(cox_task *task, const cox_window windows[COX_WINDOWS], uint32_t time_limit_us, cox_report *report) {
  const cox_run_options options = {time_limit_us, 0, 0};
  cox_handle run = 0;
  const cox_status status = cox_start(task, windows, &options, &run);
  return status.error == 0 ? cox_wait(run, report) : status;
}
