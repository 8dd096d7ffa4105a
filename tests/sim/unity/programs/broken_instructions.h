// SPDX-License-Identifier: MIT
// The breakers, by what they break.
#pragma once

#include "tests/sim/unity/programs/broken.h"

namespace cox::test::unity_programs {

using Break = std::optional<Expected>;

// Payloads.
Break break_section(Random &random, Program &program, std::size_t number);
Break break_operation(Random &random, Program &program, std::size_t number);
Break break_later_operation(Random &random, Program &program, std::size_t number);
Break break_payload_bit(Random &random, Program &program, std::size_t number);
Break break_sync_bit(Random &random, Program &program, std::size_t number);
Break break_idle_half(Random &random, Program &program, std::size_t number);
Break break_space(Random &random, Program &program, std::size_t number);
Break break_exit(Random &random, Program &program, std::size_t number);
Break break_table_place(Random &random, Program &program, std::size_t number);
Break break_table_alignment(Random &random, Program &program, std::size_t number);
Break break_table_space(Random &random, Program &program, std::size_t number);
Break break_key_table(Random &random, Program &program, std::size_t number);

// Operand tables.
Break break_table_bit(Random &random, Program &program, std::size_t number);
Break break_unit(Random &random, Program &program, std::size_t number);
Break break_size(Random &random, Program &program, std::size_t number);
Break break_overlap(Random &random, Program &program, std::size_t number);
Break break_window(Random &random, Program &program, std::size_t number);
Break break_writable(Random &random, Program &program, std::size_t number);
Break break_alignment(Random &random, Program &program, std::size_t number);
Break break_index(Random &random, Program &program, std::size_t number);

// Branches, keys, containers.
Break break_sub_program(Random &random, Program &program, std::size_t number);
Break break_program_alignment(Random &random, Program &program, std::size_t number);
Break break_limit(Random &random, Program &program, std::size_t number);
Break break_time(Random &random, Program &program, std::size_t number);
Break break_depth(Random &random, Program &program, std::size_t number);
Break break_deposit(Random &random, Program &program, std::size_t number);
Break break_counter(Random &random, Program &program, std::size_t number);
Break break_initial_key(Random &random, Program &program, std::size_t number);
Break break_units(Random &random, Program &program, std::size_t number);
Break break_domain(Random &random, Program &program, std::size_t number);
Break break_engine(Random &random, Program &program, std::size_t number);
Break break_end(Random &random, Program &program, std::size_t number);
Break break_early_end(Random &random, Program &program, std::size_t number);
Break break_header(Random &random, Program &program, std::size_t number);

}  // namespace cox::test::unity_programs
