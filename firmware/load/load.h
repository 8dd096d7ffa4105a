// SPDX-License-Identifier: MIT
// A load of a task image in steps (docs/jobs.md, Long work): its signature, the checks of the image, the proof that its instructions can
// run, and the plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/load/container.h"
#include "coxswain/firmware/load/contents.h"
#include "coxswain/firmware/load/program_load.h"
#include "coxswain/firmware/load/signature_check.h"
#include "coxswain/firmware/verify/verifier.h"

namespace cox::firmware::load {

class Load {
 public:
  /// Begins a load. The arguments are those of image::load(); what they refer to must outlive the last step. If `copy` is not empty, the
  /// task is made of a copy of the image there (SignatureCheck::begin()).
  void begin(std::span<const std::byte> image, const image::DeviceGeometry &geometry, std::span<std::byte> workspace,
             verify::Deadlock *waiting = nullptr, ProgramLoad *programs = nullptr, std::span<std::byte> copy = {});
  /// Works for about `instructions` instructions of the control core. Returns true if the load needs another step.
  [[nodiscard]] bool step(std::int32_t instructions = kStepInstructions);
  [[nodiscard]] bool done() const { return phase_ == Phase::done; }
  /// Ends a load that is not done.
  void abandon();
  /// The outcome, when done() is true. Errors: those of image::load().
  [[nodiscard]] const Status &status() const { return status_; }
  /// The loaded task, if status() is ok.
  [[nodiscard]] image::LoadedTask task() const;

 private:
  enum class Phase : std::uint8_t { signature, container, contents, proof, program, done };

  Status work(Budget &budget);
  Status begin_container();
  Status begin_contents();
  Status begin_proof();
  Status begin_program(const image::Program &program);
  Status complete();

  std::span<std::byte> workspace_;
  image::DeviceGeometry geometry_;
  verify::Deadlock *waiting_ = nullptr;
  Admitting admitting_;
  Container container_;
  Contents contents_;
  verify::Verifier verifier_;
  ProgramLoad *programs_ = nullptr;
  bool has_program_ = false;  ///< the load is complete, and the image has a program of streams
  std::span<const isa::tile::MachineCode> instructions_;
  Status status_;
  Phase phase_ = Phase::done;
};

}  // namespace cox::firmware::load
