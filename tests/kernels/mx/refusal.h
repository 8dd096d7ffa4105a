// SPDX-License-Identifier: MIT
// Checks that a kernel refuses a call, gives the reason, and leaves the stream unchanged.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "coxswain/kernels/mx/stream.h"

namespace cox::tests {

class RefusingStream {
 public:
  using Call = std::function<Status(kernels::mx::Stream &)>;

  /// A stream that is not empty, so that a change of its contents is visible.
  explicit RefusingStream(std::initializer_list<isa::mx::Window> windows);

  /// Expects the call to be refused with this error. A `limit` of -1 accepts any limit.
  void expect(const Call &call, ErrorCode code, const char *what, std::uint64_t value = 0, std::int64_t limit = -1,
              std::int32_t index = -1);
  /// Expects that the call succeeds, then restores the stream.
  void expect_taken(const Call &call);
  /// Tries every amount of room that is less than the call needs, down to none. Expects no_room and an unchanged stream.
  void expect_full_stream_refused(const Call &call);

 private:
  struct State;
  [[nodiscard]] State state() const;

  std::vector<isa::mx::Window> windows_;
  std::vector<std::uint64_t> memory_;
  kernels::mx::Stream stream_;
};

}  // namespace cox::tests
