// SPDX-License-Identifier: MIT
// That a kernel refuses, says why, and leaves the stream as it was.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "kernels/mx/stream.h"

namespace cox::tests {

class RefusingStream {
 public:
  using Call = std::function<Status(kernels::mx::Stream &)>;

  /// A stream with something in it, so that there is something to leave.
  explicit RefusingStream(std::initializer_list<isa::mx::Window> windows);

  /// `limit` -1: any.
  void expect(const Call &call, ErrorCode code, const char *what, std::uint64_t value = 0, std::int64_t limit = -1,
              std::int32_t index = -1);
  /// The call is good; the stream is brought back to where it was.
  void expect_taken(const Call &call);
  /// Whatever room is left of what the call wants, down to nothing: no_room, and the stream as it was.
  void expect_full_stream_refused(const Call &call);

 private:
  struct State;
  [[nodiscard]] State state() const;

  std::vector<isa::mx::Window> windows_;
  std::vector<std::uint64_t> memory_;
  kernels::mx::Stream stream_;
};

}  // namespace cox::tests
