// SPDX-License-Identifier: MIT
#include "sim/model/device/dram_channel.h"

#include <algorithm>
#include <stdexcept>

namespace cox::model {

static_assert([] {
  for (unsigned movers = 1; movers <= DramChannel::kMostExact; ++movers) {
    if (DramChannel::kDivisible % movers != 0) return false;
  }
  return true;
}());

unsigned DramChannel::add_movers(unsigned count) {
  if (count > kMostMovers - movers_) throw std::length_error("the engines have more movers than the DRAM channel has");
  movers_ += count;
  return movers_ - count;
}

void DramChannel::settle(Cycle now) {
  if (active_ != 0) {
    const std::uint64_t done = share() * (now - settled_);
    // A transfer ends at the end of a cycle; the rest of its share of that cycle is lost. Inactive movers have 0 work left, so the
    // subtraction does not change them.
    for (unsigned mover = 0; mover < begun_; ++mover) remaining_[mover] -= std::min(remaining_[mover], done);
  }
  settled_ = now;
}

void DramChannel::begin(unsigned mover, Cycle now, std::uint64_t bytes) {
  settle(now);
  remaining_[mover] = bytes * kWorkPerByte;
  begun_ = std::max(begun_, mover + 1);
  ++active_;
}

void DramChannel::end(unsigned mover, Cycle now) {
  settle(now);
  remaining_[mover] = 0;
  --active_;
}

void DramChannel::slow_down(Cycle now, std::uint64_t factor) {
  settle(now);
  slow_down_ = factor;
}

std::uint64_t DramChannel::pause(unsigned mover, Cycle now) {
  settle(now);
  const std::uint64_t left = remaining_[mover];
  end(mover, now);
  return left;
}

void DramChannel::resume(unsigned mover, Cycle now, std::uint64_t left) {
  begin(mover, now, 0);
  remaining_[mover] = left;
}

Cycle DramChannel::finish(unsigned mover) const { return settled_ + (remaining_[mover] + share() - 1) / share(); }

Cycle DramChannel::alone(std::uint64_t bytes) const { return (bytes * 1024 + bytes_per_1024_cycles_ - 1) / bytes_per_1024_cycles_; }

}  // namespace cox::model
