// SPDX-License-Identifier: MIT
// The words of a fault plan, in the order of their enumerations.
#pragma once

namespace cox::model::faults {

inline constexpr const char *kKindWords[] = {"bus_error", "stuck", "slow", "interrupt", "completion", "flip", "doorbell", "reset", "clock"};
inline constexpr const char *kEffectWords[] = {"", "lost", "doubled", "early", "spurious", "corrupt", "swap"};
inline constexpr const char *kStoreWords[] = {"l2", "wl0", "dram", "queue"};

}  // namespace cox::model::faults
