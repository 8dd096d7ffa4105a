// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/write_program.h"

#include <cstring>

namespace cox::isa::pim {
namespace {

constexpr std::size_t entry_offset(unsigned core) { return sizeof(ProgramHeader) + core * sizeof(CodeEntry); }

}  // namespace

ProgramWriter::ProgramWriter(std::span<std::byte> memory, unsigned cores) : memory_(memory) {
  if (cores < 1 || cores > kMostCores) {
    refuse(ErrorCode::invalid_argument, "cores", cores, kMostCores);
    return;
  }
  const std::size_t front = entry_offset(cores);
  if (memory.size() < front) {
    refuse(ErrorCode::no_room, "program", signed_of(front), signed_of(memory.size()));
    return;
  }
  header_.cores = static_cast<std::uint16_t>(cores);
  std::memset(memory.data(), 0, front);
  used_ = front;
  // A core without code, and a program without settings or copies, have parts of no bytes at this offset.
  const CodeEntry none{static_cast<std::uint32_t>(front), 0};
  for (unsigned core = 0; core < cores; ++core) write_entry(core, none);
  header_.settings_offset = header_.copies_offset = none.offset;
}

void ProgramWriter::refuse(ErrorCode code, const char *what, std::int64_t value, std::int64_t limit) {
  if (status_.ok()) status_ = Status(code, what, -1, value, limit);
}

bool ProgramWriter::has_core(unsigned core) {
  if (!status_.ok()) return false;
  if (core < header_.cores) return true;
  refuse(ErrorCode::invalid_argument, "core", core, header_.cores - 1);
  return false;
}

bool ProgramWriter::put(const void *bytes, std::size_t size) {
  if (!status_.ok()) return false;
  if (size > memory_.size() - used_) {
    refuse(ErrorCode::no_room, "program", signed_of(used_ + size), signed_of(memory_.size()));
    return false;
  }
  std::memcpy(memory_.data() + used_, bytes, size);
  used_ += size;
  return true;
}

void ProgramWriter::begin(Part part) {
  constexpr std::byte kPadding[kPartAlignment]{};
  put(kPadding, (kPartAlignment - used_ % kPartAlignment) % kPartAlignment);
  part_ = part;
  count_ = 0;
  first_ = static_cast<std::uint32_t>(used_);
}

void ProgramWriter::begin_code(unsigned core) {
  if (!has_core(core)) return;
  if ((with_code_ >> core & 1) != 0) return refuse(ErrorCode::invalid_argument, "core", core);
  begin(Part::code);
  core_ = core;
  with_code_ |= std::uint64_t{1} << core;
  if (status_.ok()) write_entry(core, {first_, 0});
}

void ProgramWriter::append(const MachineCode &code) {
  if (part_ != Part::code) return refuse(ErrorCode::not_ready, "code");
  if (count_ == kMostInstructions) return refuse(ErrorCode::too_many_instructions, "code", count_ + 1, kMostInstructions);
  if (put(code.data(), sizeof code)) write_entry(core_, {first_, ++count_});
}

void ProgramWriter::append(std::span<const MachineCode> code) {
  for (const MachineCode &instruction : code) append(instruction);
}

void ProgramWriter::replace(std::uint32_t number, const MachineCode &code) {
  if (!status_.ok()) return;
  if (part_ != Part::code || number >= count_) return refuse(ErrorCode::invalid_argument, "instruction", number, count_);
  std::memcpy(memory_.data() + first_ + std::size_t{number} * kInstructionBytes, code.data(), sizeof code);
}

void ProgramWriter::share_code(unsigned core, unsigned other) {
  if (!has_core(core) || !has_core(other)) return;
  if ((with_code_ >> core & 1) != 0) return refuse(ErrorCode::invalid_argument, "core", core);
  if ((with_code_ >> other & 1) == 0) return refuse(ErrorCode::invalid_argument, "core", other);
  // Instructions that follow would be part of both.
  part_ = Part::none;
  with_code_ |= std::uint64_t{1} << core;
  write_entry(core, read_entry(other));
}

void ProgramWriter::begin_settings() {
  if (has_settings_) return refuse(ErrorCode::invalid_argument, "settings");
  has_settings_ = true;
  begin(Part::settings);
  header_.settings_offset = first_;
}

void ProgramWriter::begin_copies() {
  if (has_copies_) return refuse(ErrorCode::invalid_argument, "copies");
  has_copies_ = true;
  begin(Part::copies);
  header_.copies_offset = first_;
}

void ProgramWriter::append(const Setting &setting) {
  if (part_ != Part::settings) return refuse(ErrorCode::not_ready, "setting");
  if (put(&setting, sizeof setting)) header_.settings = ++count_;
}

void ProgramWriter::append(const Copy &copy) {
  if (part_ != Part::copies) return refuse(ErrorCode::not_ready, "copy");
  if (put(&copy, sizeof copy)) header_.copies = ++count_;
}

void ProgramWriter::set_time_limit(std::uint64_t cycles) {
  header_.time_limit_lo = static_cast<std::uint32_t>(cycles);
  header_.time_limit_hi = static_cast<std::uint32_t>(cycles >> 32);
}

Result<std::span<const std::byte>> ProgramWriter::finish() {
  begin(Part::none);
  if (!status_.ok()) return status_;
  std::memcpy(memory_.data(), &header_, sizeof header_);
  const std::span<const std::byte> bytes = memory_.first(used_);
  if (const Status status = Program::open(bytes).status(); !status.ok()) return status;
  return bytes;
}

void ProgramWriter::write_entry(unsigned core, const CodeEntry &entry) {
  std::memcpy(memory_.data() + entry_offset(core), &entry, sizeof entry);
}

CodeEntry ProgramWriter::read_entry(unsigned core) const {
  CodeEntry entry;
  std::memcpy(&entry, memory_.data() + entry_offset(core), sizeof entry);
  return entry;
}

}  // namespace cox::isa::pim
