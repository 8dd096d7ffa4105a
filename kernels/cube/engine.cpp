// SPDX-License-Identifier: MIT
#include "kernels/cube/engine.h"

#include <cstring>

#include "isa/cube/build.h"

namespace cox::kernels::cube {
namespace {

static_assert(kWindows == kernels::kWindows);

using isa::cube::kSlotBytes;
using isa::cube::MachineCode;

void explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault) {
  if (detail.offset + kSlotBytes > stream.size()) return;
  fault.instruction = static_cast<std::int32_t>(detail.offset / kSlotBytes);
  MachineCode code;
  std::memcpy(code.data(), &stream[detail.offset], kSlotBytes);
  const isa::cube::Instruction *const instruction = isa::cube::find_instruction(code[0]);
  if (instruction == nullptr) return;
  fault.name = instruction->name;
  fault.field = isa::cube::field_name(*instruction, detail.field_bit);
}

}  // namespace

Status Engine::init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration) {
  attached_ = nullptr;
  is_joined_ = false;
  const Status status = runner_.init(geometry, queue_memory,
                                     {.engine = registers::Engine::cube,
                                      .context = configuration.context,
                                      .windows = configuration.windows,
                                      .queue_size_log2 = configuration.queue_size_log2,
                                      .explain = explain});
  resets_ = runner_.resets();
  return status;
}

Status Engine::attach(Stream &stream, std::uint64_t limit_us) {
  if (const Status status = runner_.refusal(); status.code() == ErrorCode::not_ready) return status;
  if (is_joined_) return Status(ErrorCode::not_ready, "stream");
  attached_ = &stream;
  feed_limit_us_ = limit_us;
  stream.set_feed(feed, this);
  return {};
}

Result<std::span<std::byte>> Engine::feed(void *owner, Stream &stream) { return static_cast<Engine *>(owner)->feed_segment(stream); }

Status Engine::make_room() {
  if (runner_.has_room()) return {};
  if (const Status status = runner_.refusal(); status.code() == ErrorCode::not_ready) return status;
  return wait(runner_.oldest(), feed_limit_us_);
}

Result<std::span<std::byte>> Engine::feed_segment(Stream &stream) {
  const bool is_first = stream.fed_slots() == 0;
  // Where something was fed to which nothing can be joined, the rest of it was submitted, or a wait has failed.
  if (&stream != attached_ || is_first == is_joined_) return Status(ErrorCode::not_ready, "stream");
  if (const Status status = make_room(); !status) return status;
  if (is_first) {
    runner_.forget_warnings();
    segment_ = fed_ = 0;
  }
  const Result<std::uint32_t> tag = runner_.submit(stream.code(), true);
  if (!tag) return tag.status();
  is_joined_ = true;
  tags_[segment_] = tag.value();
  ++fed_;
  segment_ = fed_ % stream.segments();
  if (fed_ >= stream.segments()) {
    if (const Status status = wait(tags_[segment_], feed_limit_us_); !status) return status;
  }
  return stream.segment(segment_);
}

Result<std::uint32_t> Engine::submit_rest(Stream &stream) {
  if (&stream != attached_) return Status(ErrorCode::not_ready, "stream");
  if (const Status status = make_room(); !status) return status;
  if (stream.code().empty() && !stream.write(isa::cube::kEverythingEnds)) return stream.status();
  const Result<std::uint32_t> tag = runner_.submit(stream.code());
  if (tag) is_joined_ = false;
  return tag;
}

Result<std::uint32_t> Engine::submit(Stream &stream) {
  if (is_joined_) return submit_rest(stream);
  if (!runner_.has_room()) return runner_.refusal();
  if (stream.fed_slots() != 0) return Status(ErrorCode::not_ready, "stream");
  runner_.forget_warnings();
  return runner_.submit(stream.code());
}

Status Engine::wait(std::uint32_t tag, std::uint64_t limit_us) {
  if (runner_.wait(tag, limit_us)) [[likely]]
    return {};
  return failed();
}

[[gnu::cold, gnu::noinline]] Status Engine::failed() {
  if (resets_ != runner_.resets()) is_joined_ = false;
  resets_ = runner_.resets();
  return runner_.status();
}

Status Engine::run(Stream &stream, std::uint64_t limit_us) {
  const Result<std::uint32_t> tag = submit(stream);
  if (!tag) return tag.status();
  return wait(tag.value(), limit_us);
}

}  // namespace cox::kernels::cube
