// SPDX-License-Identifier: MIT
#include "tools/run/picture/core_meetings.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tools/run/picture/lane_picture.h"

namespace cox::tools::run {

using model::EventRecord;

namespace {

/// The time from which on both sides of a message were there.
std::uint64_t both_sides(const EventRecord &message) { return std::max(message.start, message.doorbell); }

constexpr unsigned kMostCores = 64;

}  // namespace

CoreMeetings::CoreMeetings(const EngineRecords &records) {
  for (const DrawnRecord &one : records.instructions()) {
    if (one.drawn().waits) instructions_.emplace(key_of(one), &one);
  }
  for (const EventRecord *message : records.messages()) {
    message_of_[{message->core, message->index, message->queue, message->start}] = message;
    message_of_[{message->core, message->index, message->engine_core, message->doorbell}] = message;
  }
  for (const EventRecord *barrier : records.barriers()) {
    for (unsigned core = 0; core < kMostCores; ++core) {
      if ((barrier->bytes >> core & 1) != 0) barrier_of_[{barrier->core, barrier->index, core, barrier->end}] = barrier;
    }
  }
  for (const auto &[key, one] : instructions_) {
    if (const auto found = barrier_of_.find(end_of(*one)); found != barrier_of_.end()) arrivals_[found->second].push_back(one);
  }
}

CoreMeetings::Key CoreMeetings::key_of(const DrawnRecord &one) {
  return {one.format->engine().number(), one.record->index, one.core(), one.record->start};
}

CoreMeetings::Key CoreMeetings::end_of(const DrawnRecord &one) {
  return {one.format->engine().number(), one.record->index, one.core(), one.record->end};
}

const DrawnRecord *CoreMeetings::find(const Key &key) const {
  const auto found = instructions_.find(key);
  return found == instructions_.end() ? nullptr : found->second;
}

const DrawnRecord *CoreMeetings::send_of(const EventRecord &message) const {
  return find({message.core, message.index, message.queue, message.start});
}

const DrawnRecord *CoreMeetings::receive_of(const EventRecord &message) const {
  return find({message.core, message.index, message.engine_core, message.doorbell});
}

const std::vector<const DrawnRecord *> &CoreMeetings::arrivals_at(const EventRecord &barrier) const {
  static const std::vector<const DrawnRecord *> kNone;
  const auto found = arrivals_.find(&barrier);
  return found == arrivals_.end() ? kNone : found->second;
}

std::uint64_t CoreMeetings::waits_until(const DrawnRecord &one) const {
  const EventRecord &record = *one.record;
  const auto found = message_of_.find(key_of(one));
  if (found == message_of_.end()) return record.end > record.start + 1 ? record.end : record.start;
  const EventRecord &message = *found->second;
  // An asynchronous send or receive ends before its data has arrived.
  return record.end < message.end ? record.start : std::clamp(both_sides(message), record.start, record.end);
}

std::string CoreMeetings::text_of(const DrawnRecord &one, std::uint64_t zero) const {
  if (!one.drawn().waits) return "";
  if (const auto found = message_of_.find(key_of(one)); found != message_of_.end()) return message_text(*found->second, zero);
  const auto found = barrier_of_.find(end_of(one));
  return found == barrier_of_.end() ? "" : barrier_text(*found->second, zero);
}

std::uint64_t CoreMeetings::leaves(const EventRecord &message, const EventRecord &send) {
  return std::clamp(both_sides(message), send.start, std::max(send.start, send.end));
}

std::string CoreMeetings::message_text(const EventRecord &message, std::uint64_t zero) {
  return fmt::format("message {} from core {} to core {}: {} bytes\nboth sides from {} on, arrived at {}", message.detail, message.queue,
                     message.engine_core, grouped(message.bytes), grouped(both_sides(message) - zero), grouped(message.end - zero));
}

std::string CoreMeetings::barrier_text(const EventRecord &barrier, std::uint64_t zero) {
  return fmt::format("barrier {} of {} cores\nthe last core came at {}; they went on at {}", barrier.detail, std::popcount(barrier.bytes),
                     grouped(barrier.start - zero), grouped(barrier.end - zero));
}

}  // namespace cox::tools::run
