// SPDX-License-Identifier: MIT
// Slots on their way into a stream, or only counted. After the first refusal nothing more is written. Of the kernels' inside.
#pragma once

#include <cstdint>

#include "kernels/cube/stream.h"

namespace cox::kernels::cube {

class SlotWriter {
 public:
  /// nullptr: slots are counted.
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
