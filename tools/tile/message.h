// SPDX-License-Identifier: MIT
// Messages for a Status, and names of instructions and lanes, the same for all commands.
#pragma once

#include <cstdint>
#include <string>

#include "coxswain/base/status.h"
#include "coxswain/isa/tile/lane.h"
#include "tools/tile/task.h"

namespace cox::task {

/// Returns text that does not name the instruction, for example `address_outside_cut: DTaddr: 9000000, the limit is 8388607`.
[[nodiscard]] std::string describe(const Status &status);

/// Returns a whole sentence about an error in a task, for example
/// `instruction 5 (line 6, sta_mov) on core 1: time_limit: it had not ended after the run's 1000 us`.
[[nodiscard]] std::string describe(const Status &status, const Task &task);

/// Returns for example `instruction 229 (line 230, pe_conv)`. The index 229 is counted from 0, the line 230 from 1.
[[nodiscard]] std::string instruction_name(const Instruction &instruction, std::int32_t index);

/// Returns for example `instruction 229 (line 230, pe_conv)`, or for a task of several cores
/// `instruction 229 (line 230, pe_conv) on core 1`.
[[nodiscard]] std::string instruction_name(const Task &task, std::int32_t index);

/// Returns for example `PE`; for a task of several cores, `PE of core 1`.
[[nodiscard]] std::string lane_name(const Task &task, isa::tile::Lane lane);

/// Describes the error tokens_unbalanced in words, for example `DT puts 1 token for LD, which takes 0`.
[[nodiscard]] std::string tokens_text(const Task &task, isa::tile::Lane from, isa::tile::Lane to, std::int64_t put, std::int64_t taken);

/// Describes a deadlock in words, for example `it can never start: it waits for a token from DT and ST`.
[[nodiscard]] std::string waits_text(const Task &task, isa::tile::LaneSet lanes);

}  // namespace cox::task
