// SPDX-License-Identifier: MIT
// Writes slots into a stream, or only counts them. After the first error it writes nothing more. Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/kernels/cube/stream.h"

namespace cox::kernels::cube {

class SlotWriter {
 public:
  /// With nullptr, slots are only counted.
  explicit SlotWriter(Stream *stream) : stream_(stream) {}

  void write(const isa::cube::MachineCode &code) {
    ++count_;
    if (stream_ == nullptr || !status_) return;
    if (!stream_->write(code)) [[unlikely]]
      status_ = stream_->status();
  }

  [[nodiscard]] const Status &status() const { return status_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  Stream *stream_;
  std::uint64_t count_ = 0;
  Status status_;
};

}  // namespace cox::kernels::cube
