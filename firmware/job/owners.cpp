// SPDX-License-Identifier: MIT
#include "coxswain/firmware/job/owners.h"

#include <algorithm>
#include <limits>

namespace cox::firmware::job {

std::uint64_t Owners::divided(unsigned owner, std::uint64_t cycles) const {
  const std::uint64_t product = cycles * kLargestWeight;
  const auto low = static_cast<std::uint32_t>(product);  // a division of 64 bits would take the control core long
  return low == product ? low / accounts_[owner].weight : product / accounts_[owner].weight;
}

void Owners::arrive(unsigned owner) {
  Account &account = accounts_[owner];
  if (account.active++ != 0) return;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const Account &other : accounts_) {
    if (&other != &account && other.active != 0) least = std::min(least, other.virtual_time);
  }
  if (least == std::numeric_limits<std::uint64_t>::max()) {
    // No other owner has jobs, so all virtual times restart from 0.
    for (Account &other : accounts_) other.virtual_time = 0;
  } else {
    account.virtual_time = std::max(account.virtual_time, least);
  }
}

void Owners::settle(unsigned owner, std::uint64_t charged, std::uint64_t cycles) {
  Account &account = accounts_[owner];
  account.device_cycles += cycles;
  if (charged == cycles) return;  // the virtual time is already that of the run
  // scaled(owner, charged) may be larger than `whole` if the owner's weight has become smaller since charge().
  const std::uint64_t whole = account.virtual_time + scaled(owner, cycles);
  account.virtual_time = whole - std::min(whole, scaled(owner, charged));
}

}  // namespace cox::firmware::job
