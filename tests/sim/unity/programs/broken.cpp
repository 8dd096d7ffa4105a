// SPDX-License-Identifier: MIT
#include "tests/sim/unity/programs/broken.h"

#include <stdexcept>

#include "tests/sim/unity/programs/broken_instructions.h"

namespace cox::test::unity_programs {

namespace {

constexpr Breaker kBreakers[] = {
    {"unknown section", break_section},
    {"unknown operation", break_operation},
    {"operation without arithmetic", break_later_operation},
    {"reserved bit of the payload", break_payload_bit},
    {"reserved bit of SYNC_CTRL", break_sync_bit},
    {"field of a half of SYNC_CTRL that is off", break_idle_half},
    {"unknown address space", break_space},
    {"EXIT with fields", break_exit},
    {"table outside of the windows", break_table_place},
    {"misaligned table", break_table_alignment},
    {"table above the address space", break_table_space},
    {"key table of another context", break_key_table},
    {"reserved bit of the table", break_table_bit},
    {"unknown unit", break_unit},
    {"size 0", break_size},
    {"result on a source", break_overlap},
    {"operand outside of the windows", break_window},
    {"result in the container", break_writable},
    {"misaligned operand", break_alignment},
    {"index outside", break_index},
    {"branch to a program of the queue", break_sub_program},
    {"misaligned sub-program", break_program_alignment},
    {"loop above its limit", break_limit},
    {"endless loop", break_time},
    {"sub-programs too deep", break_depth},
    {"missing key", break_deposit},
    {"full key counter", break_counter},
    {"initial key of another context", break_initial_key},
    {"units that the device lacks", break_units},
    {"unknown domain", break_domain},
    {"engine without a way to it", break_engine},
    {"missing END", break_end},
    {"END too early", break_early_end},
    {"header", break_header},
};

}  // namespace

std::span<const Breaker> breakers() { return kBreakers; }

std::optional<Broken> broken_program(std::uint64_t seed, const Breaker &breaker, const Shape &shape) {
  constexpr std::uint64_t kOther = 0x5DEECE66D;
  constexpr unsigned kTries = 12;
  Random random(seed ^ kOther);
  for (unsigned turn = 0; turn < kTries; ++turn) {
    const Program valid = random_program(seed * kTries + turn, shape);
    const Order order = order_of(valid);
    const std::size_t first = random.below(valid.steps.size());
    for (std::size_t i = 0; i < valid.steps.size(); ++i) {
      const std::size_t step = (first + i) % valid.steps.size();
      const Step &chosen = valid.steps[step];
      if (chosen.items.size() != 1 || chosen.items.front().is_exit() || chosen.ends_program) continue;
      try {
        Program program = valid;
        if (std::optional<Expected> expected = breaker.apply(random, program, step))
          return Broken{std::move(program), *expected, order, step};
      } catch (const std::length_error &) {
        continue;
      }
    }
  }
  return {};
}

}  // namespace cox::test::unity_programs
