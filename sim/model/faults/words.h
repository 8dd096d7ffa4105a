// SPDX-License-Identifier: MIT
// The words of a fault plan. Each list has the words for the values of one enumeration (plan.h), in their order.
#pragma once

#include <iterator>

#include "sim/model/faults/plan.h"

namespace cox::model::faults {

inline constexpr const char *kKindWords[] = {"bus_error", "stuck", "slow", "interrupt", "completion", "flip", "doorbell", "reset", "clock"};
inline constexpr const char *kEffectWords[] = {"", "lost", "doubled", "early", "spurious", "corrupt", "swap"};
inline constexpr const char *kStoreWords[] = {"l2", "wl0", "dram", "queue"};
static_assert(std::size(kKindWords) == static_cast<unsigned>(Kind::clock) + 1);
static_assert(std::size(kEffectWords) == static_cast<unsigned>(Effect::swap) + 1);
static_assert(std::size(kStoreWords) == static_cast<unsigned>(Store::queue) + 1);

}  // namespace cox::model::faults
