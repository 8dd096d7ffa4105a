// SPDX-License-Identifier: MIT
// A task from load to result in one call, made of the other functions of firmware/coxswain.h.
#include <cstring>

#include "coxswain/base/c_status.h"
#include "coxswain/firmware/coxswain.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/places.h"

namespace {

using cox::ErrorCode;
using cox::Status;
using cox::to_c;
using cox::hal::Places;

cox_status load_and_run(const void *image, std::size_t image_bytes, const cox_window windows[COX_WINDOWS], Places &places) {
  auto *const task = reinterpret_cast<cox_task *>(places.take(sizeof(cox_task)));
  std::byte *const own_image = places.take(image_bytes);
  cox_window own[COX_WINDOWS] = {};
  for (unsigned i = 0; i < COX_WINDOWS; ++i) {
    if (windows[i].address != nullptr) own[i] = {places.take(windows[i].size), windows[i].size};
  }
  const std::span<std::byte> workspace = places.take_rest();
  if (!places.status().ok()) return to_c(places.status());
  std::memcpy(own_image, image, image_bytes);
  for (unsigned i = 0; i < COX_WINDOWS; ++i) {
    if (own[i].address == nullptr) continue;
    std::memcpy(own[i].address, windows[i].address, own[i].size);
    cox::hal::clean_cache(own[i].address, own[i].size);  // cox_run() cleans only what the image names as an input
  }

  cox_status status = cox_load(task, own_image, image_bytes, workspace.data(), workspace.size());
  if (status.error == COX_OK) status = cox_run(task, own, 0, nullptr);
  if (status.error != COX_OK) return status;
  for (unsigned i = 0; i < COX_WINDOWS; ++i) {
    // The program may have a window that the task only reads in memory that cannot be written.
    if (own[i].address != nullptr && std::memcmp(windows[i].address, own[i].address, own[i].size) != 0)
      std::memcpy(windows[i].address, own[i].address, own[i].size);
  }
  return status;
}

}  // namespace

cox_status cox_run_once(const void *image, size_t image_bytes, const cox_window windows[COX_WINDOWS], cox_memory memory) {
  if (image == nullptr) return to_c(Status(ErrorCode::invalid_argument, "image"));
  if (windows == nullptr) return to_c(Status(ErrorCode::invalid_argument, "windows"));
  const cox_status opened = cox_tile_open();
  if (opened.error != COX_OK && opened.error != COX_ERROR_NOT_OWNER) return opened;
  Places places(memory);
  const cox_status status = load_and_run(image, image_bytes, windows, places);
  if (opened.error != COX_OK) return status;
  const cox_status closed = cox_tile_close();
  return status.error == COX_OK ? closed : status;
}
