// SPDX-License-Identifier: MIT
#include "tests/sim/unity/programs/rig.h"

#include <cstdlib>

#include "coxswain/isa/unity/table.h"

namespace cox::test::unity_programs {

Result<Ran> run_on_machine(const Program &program, model::unity::Path path, std::uint64_t seed, unsigned units) {
  model::unity::Timing timing;
  timing.jitter_seed = seed;
  timing.time_limit = 2'000'000;
  model::unity::Machine machine(timing, units, path);
  const Result<isa::unity::Container> container = isa::unity::Container::open(program.bytes);
  if (!container) return container.status();
  Ran ran{.outcome = {}, .memory = program.pool.memory};
  machine.start(container.value(), {.address = program.container, .page = kPage, .key_tables = program.key_tables}, ran.memory, 0);
  while (!machine.done()) machine.step(machine.next_event());
  ran.outcome = machine.outcome();
  for (unsigned table = 0; table < isa::unity::kKeyTables; ++table) {
    for (unsigned entry = 0; entry < isa::unity::kKeyEntries; ++entry) {
      ran.keys[table][entry] = machine.key({static_cast<std::uint8_t>(table), static_cast<std::uint8_t>(entry)});
    }
  }
  for (unsigned unit = 0; unit < units; ++unit) ran.instructions += machine.counters(unit).instructions;
  return ran;
}

std::string text_of(const Status &status) {
  return std::string(error_name(status.code())) + " " + status.what() + " value " + std::to_string(status.value()) + " limit " +
         std::to_string(status.limit());
}

namespace {

std::string text_of(const Item &item, const std::string &indent, const Program &program) {
  const auto name_of = [](const Key &key) { return std::to_string(key.table) + ":" + std::to_string(key.entry); };
  const Sync &sync = item.sync;
  std::string text = indent + isa::unity::Set::row(item.made.op).name;
  if (sync.fetches) text += " fetch " + std::to_string(sync.keys) + " of " + name_of(sync.fetch);
  if (sync.deposits) text += " deposit " + name_of(sync.deposit);
  if (sync.blocks) text += " blk";
  for (const Range &range : item.made.ranges) {
    text += std::string(" ") + range.field + (range.write ? "=" : ":") + std::to_string(range.address) + "+" + std::to_string(range.bytes);
  }
  text += "\n";
  const auto add = [&](const std::string &name, std::size_t number) {
    text += indent + "  " + name + (number == kNoProgram ? ": none\n" : ":\n");
    if (number == kNoProgram) return;
    for (const Item &inner : program.sub_programs[number]) text += text_of(inner, indent + "    ", program);
  };
  for (const auto &[field, number] : item.programs) add(field, number);
  for (const Item::Entry &entry : item.list) {
    if (entry.is_program) add("entry", entry.program);
  }
  return text;
}

}  // namespace

std::string text_of(const Program &program) {
  std::string text = program.relative ? "relative\n" : "absolute\n";
  for (const isa::unity::InitialKey &key : program.keys)
    text += "key " + std::to_string(key.table) + ":" + std::to_string(key.entry) + " = " + std::to_string(key.count) + "\n";
  for (const Step &step : program.steps) {
    text += "unit " + std::to_string(step.unit) + (step.new_program ? ", new program" : "") + (step.ends_program ? ", ends" : "") + "\n";
    for (const Item &item : step.items) text += text_of(item, "  ", program);
  }
  return text;
}

unsigned programs(unsigned otherwise) {
  const char *const text = std::getenv("COX_UNITY_PROGRAMS");
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

}  // namespace cox::test::unity_programs
