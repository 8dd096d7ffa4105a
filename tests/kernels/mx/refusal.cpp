// SPDX-License-Identifier: MIT
#include "tests/kernels/mx/refusal.h"

#include <gtest/gtest.h>

namespace cox::tests {

using kernels::mx::Stream;

struct RefusingStream::State {
  std::vector<std::byte> code;
  std::vector<std::uint64_t> bases;
  std::uint32_t instructions = 0;
  friend bool operator==(const State &, const State &) = default;
};

namespace {

constexpr std::size_t kFirstBytes = 8 + 16;  // append_first() appends a CONFBADDR of 8 bytes and a SIGMOID of 16 bytes

Status append_first(Stream &stream, const isa::mx::Window &window) {
  isa::mx::Elementwise first{.function = isa::mx::ElementwiseFunction::sigmoid, .blocks = 1};
  first.input1 = first.output = window.base + window.bytes / 2;
  return stream.append(first);
}

}  // namespace

RefusingStream::RefusingStream(std::initializer_list<isa::mx::Window> windows) : windows_(windows), memory_(1U << 14) {
  EXPECT_TRUE(stream_.init(std::as_writable_bytes(std::span(memory_)), windows_).ok());
  EXPECT_TRUE(append_first(stream_, windows_.front()).ok());
}

RefusingStream::State RefusingStream::state() const {
  return {{stream_.code().begin(), stream_.code().end()}, {stream_.bases().begin(), stream_.bases().end()}, stream_.instructions()};
}

void RefusingStream::expect(const Call &call, ErrorCode code, const char *what, std::uint64_t value, std::int64_t limit,
                            std::int32_t index) {
  const State before = state();
  const Status status = call(stream_);
  EXPECT_EQ(status.code(), code) << error_name(status.code()) << " of " << status.what();
  EXPECT_STREQ(status.what(), what);
  if (value != 0 || limit != -1) {
    EXPECT_EQ(static_cast<std::uint64_t>(status.value()), value) << what;
  }
  if (limit != -1) {
    EXPECT_EQ(status.limit(), limit) << what;
  }
  EXPECT_EQ(status.index(), index) << what;
  EXPECT_EQ(state(), before) << what;
}

void RefusingStream::expect_taken(const Call &call) {
  const Stream::Mark mark = stream_.mark();
  const Status status = call(stream_);
  EXPECT_TRUE(status.ok()) << error_name(status.code()) << " of " << status.what();
  EXPECT_GT(stream_.instructions(), mark.instructions);
  stream_.roll_back(mark);
}

void RefusingStream::expect_full_stream_refused(const Call &call) {
  const Stream::Mark mark = stream_.mark();
  ASSERT_TRUE(call(stream_).ok());
  const std::size_t wanted = stream_.code().size();
  stream_.roll_back(mark);
  std::vector<std::uint64_t> memory(memory_.size());
  for (std::size_t bytes = 32; bytes < wanted; bytes += 8) {
    Stream small;
    ASSERT_TRUE(small.init(std::as_writable_bytes(std::span(memory)).first(bytes), windows_).ok());
    ASSERT_TRUE(append_first(small, windows_.front()).ok());
    const Status status = call(small);
    EXPECT_EQ(status.code(), ErrorCode::no_room) << bytes << " bytes";
    EXPECT_EQ(small.code().size(), kFirstBytes);
    EXPECT_EQ(small.instructions(), 2U);
    EXPECT_EQ(small.bases().size(), 1U);
  }
}

}  // namespace cox::tests
