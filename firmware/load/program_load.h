// SPDX-License-Identifier: MIT
// The part of a load that only images with a program of streams need (firmware/stream/program_loader.h). It is an interface, so that
// applications that run only tile tasks do not contain it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/image/stream_program.h"
#include "coxswain/firmware/load/budget.h"
#include "coxswain/firmware/load/contents.h"

namespace cox::firmware::image {
struct Program;  // a part of the FlatBuffer, firmware/image/task.fbs
}

namespace cox::firmware::load {

class ProgramLoad {
 public:
  ProgramLoad() = default;
  ProgramLoad(const ProgramLoad &) = delete;
  ProgramLoad &operator=(const ProgramLoad &) = delete;

  /// Begins the check of a program. `engines`: bit i is 1 if the device has engine i. `program` and `workspace` must outlive the check.
  /// Errors of this function and of step(): those of image::load() for programs of streams.
  virtual Status begin(const image::Program &program, const Windows &windows, std::uint32_t engines, std::span<std::byte> workspace) = 0;
  /// Works until the check is complete or the budget is used.
  virtual Status step(Budget &budget) = 0;
  [[nodiscard]] virtual bool done() const = 0;
  /// The program, when done() is true.
  [[nodiscard]] virtual const image::StreamProgram &program() const = 0;

 protected:
  ~ProgramLoad() = default;
};

}  // namespace cox::firmware::load
