// SPDX-License-Identifier: MIT
#include "coxswain/kernels/engine/segment_feeder.h"

namespace cox::kernels {

void SegmentFeeder::detach() {
  attached_ = nullptr;
  is_joined_ = false;
}

Status SegmentFeeder::attach(StreamRunner &runner, StreamBuffer &stream, std::uint64_t limit_us) {
  if (const Status status = runner.refusal(); status.code() == ErrorCode::not_ready) return status;
  if (is_joined_) return Status(ErrorCode::not_ready, "stream");
  runner_ = &runner;
  attached_ = &stream;
  limit_us_ = limit_us;
  stream.set_hand_over(feed, this);
  return {};
}

Result<std::span<std::byte>> SegmentFeeder::feed(void *owner, StreamBuffer &stream) {
  return static_cast<SegmentFeeder *>(owner)->feed_segment(stream);
}

bool SegmentFeeder::wait(std::uint32_t tag) {
  if (runner_->wait(tag, limit_us_)) [[likely]]
    return true;
  if (resets_ != runner_->resets()) end();
  return false;
}

bool SegmentFeeder::make_room() { return runner_->has_room() || wait(runner_->oldest()); }

Result<std::span<std::byte>> SegmentFeeder::feed_segment(StreamBuffer &stream) {
  const bool is_first = stream.handed_over() == 0;
  // A first segment is refused while an earlier stream still lacks its last segment (is_joined_). A later segment is refused if the last
  // segment of its stream was submitted, or if the context was reset.
  if (&stream != attached_ || is_first == is_joined_) return Status(ErrorCode::not_ready, "stream");
  if (!make_room()) return runner_->status();
  if (is_first) {
    runner_->forget_warnings();
    segment_ = fed_ = 0;
    resets_ = runner_->resets();
  }
  const Result<std::uint32_t> tag = runner_->submit(stream.code(), true);
  if (!tag) return tag.status();
  is_joined_ = true;
  tags_[segment_] = tag.value();
  ++fed_;
  segment_ = fed_ % stream.segments();
  if (fed_ >= stream.segments() && !wait(tags_[segment_])) return runner_->status();
  return stream.segment(segment_);
}

}  // namespace cox::kernels
