// SPDX-License-Identifier: MIT
// How the dispatcher takes one completion, in C++. The completion interrupt runs this. The completion loops of the main program do the same
// in assembly (token_loop.cpp).
#pragma once

#include <cstdint>

#include "coxswain/firmware/schedule/dispatcher.h"
#include "coxswain/firmware/schedule/token_loop.h"
#include "coxswain/firmware/trace/trace.h"

namespace cox::firmware::schedule {

/// Keeps the compiler from using what it knows of the value. Otherwise it computes a pointer anew from an index at each use, or shifts an
/// index in an instruction of its own.
template <typename T>
[[gnu::always_inline]] inline T hidden(T value) {
#if !defined(COX_HAL_NATIVE)
  __asm("" : "+r"(value));
#endif
  return value;
}

/// Gives the tokens of the instruction whose completion `entry` is. The instruction was in queue `from`.
[[gnu::always_inline]] inline void Dispatcher::give_tokens_of(const hal::Completion &entry, unsigned from) {
  last_taken_ = &entry;
  // The slot still holds the context as the scheduler has written it. So a completion that names another context changes nothing.
  static_assert(isa::tile::kContextBit == 8 && isa::tile::kContextWidth == 8);
  const std::uint32_t context = cores_.queue(from).ring.slot<kSubmissionSizeLog2>(entry.identity)[0] >> 8 & 0xFF;
  trace::record<trace::Kind::completion>(context, from, entry.tag());
  give_tokens(lanes_[context][hidden(from)]);
}

[[gnu::always_inline]] inline void Dispatcher::take_one(const hal::Completion &entry, TileCore &core) {
  // If the entry is intact and its status is 0, `from` is the queue. Otherwise `from` is larger than any queue, so one comparison checks
  // all three. The core needs no check, because an intact entry names a queue of its own core.
  const std::uint32_t from = (entry.outcome & 0xFFFF) | entry.damage();
  const std::uint32_t tag = entry.identity;  // the tag is the low half of `identity`
  if (from < isa::tile::kMostLanes && cores_.queue(from).ring.reclaim(tag)) [[likely]] {
    give_tokens_of(entry, from);
  } else {
    take_failed(entry, core);
  }
}

}  // namespace cox::firmware::schedule
