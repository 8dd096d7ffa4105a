// SPDX-License-Identifier: MIT
// Checks programs of streams, as a part of the load of an image.
#pragma once

#include "coxswain/firmware/load/program_load.h"
#include "coxswain/firmware/stream/program_kind.h"

namespace cox::firmware::stream {

class ProgramLoader final : public load::ProgramLoad {
 public:
  /// `kinds` must outlive this object.
  explicit ProgramLoader(ProgramKinds kinds) : kinds_(kinds) {}

  Status begin(const image::Program &program, const load::Windows &windows, std::uint32_t engines, std::span<std::byte> workspace) override;
  Status step(load::Budget &budget) override;
  [[nodiscard]] bool done() const override { return done_; }
  [[nodiscard]] const image::StreamProgram &program() const override { return program_; }

 private:
  ProgramKinds kinds_;
  image::StreamProgram program_;
  std::uint32_t engines_ = 0;  ///< of the device
  bool done_ = false;
};

}  // namespace cox::firmware::stream
