// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/program_code.h"

#include <algorithm>
#include <cstring>

#include "coxswain/isa/pim/build.h"
#include "coxswain/isa/pim/place.h"

namespace cox::kernels::pim {

using isa::pim::CodeEntry;
using isa::pim::Copy;
using isa::pim::kInstructionBytes;
using isa::pim::kMostCores;
using isa::pim::kMostInstructions;
using isa::pim::MachineCode;
using isa::pim::ProgramHeader;
using isa::pim::Setting;
namespace build = isa::pim::build;

namespace {

constexpr std::size_t kUnit = 8;

constexpr std::int32_t signed_offset(std::uint32_t offset) { return static_cast<std::int32_t>(offset); }

}  // namespace

Status ProgramCode::init(std::span<std::byte> memory, std::span<const isa::Window> windows, const isa::pim::Configuration &configuration,
                         unsigned cores) {
  if (cores == 0 || cores > kMostCores) return Status(ErrorCode::invalid_argument, "cores", -1, cores, kMostCores);
  const std::size_t least = sizeof(ProgramHeader) + cores * sizeof(CodeEntry);
  if (memory.size() < least)
    return Status(ErrorCode::no_room, "stream", -1, static_cast<std::int64_t>(least), static_cast<std::int64_t>(memory.size()));
  if (const Status status = StreamBuffer::init(memory, windows, {.unit = kUnit, .least = least}); !status) return status;
  configuration_ = &configuration;
  cores_ = cores;
  clear();
  return {};
}

void ProgramCode::clear() {
  StreamBuffer::clear();
  settings_ = copies_ = words_ = 0;
  time_limit_ = 0;
  core_ = kNoCore;
  sharers_ = 1;
  error_ = {};
  first_.fill(kNoTail);
  tail_.fill(kNoTail);
  static_cast<void>(take(sizeof(ProgramHeader) + cores_ * sizeof(CodeEntry)));
  seal();
}

void ProgramCode::write_header() {
  ProgramHeader header;
  header.cores = static_cast<std::uint16_t>(cores_);
  const auto settings = static_cast<std::uint32_t>(sizeof(ProgramHeader) + cores_ * sizeof(CodeEntry));
  header.settings = settings_;
  header.settings_offset = settings;
  header.copies = copies_;
  header.copies_offset = settings + settings_ * static_cast<std::uint32_t>(sizeof(Setting));
  header.time_limit_lo = static_cast<std::uint32_t>(time_limit_);
  header.time_limit_hi = static_cast<std::uint32_t>(time_limit_ >> 32);
  std::memcpy(begin(), &header, sizeof(header));
}

void ProgramCode::seal() {
  write_header();
  const auto base =
      static_cast<std::uint32_t>(sizeof(ProgramHeader) + cores_ * sizeof(CodeEntry) + settings_ * sizeof(Setting) + copies_ * sizeof(Copy));
  for (unsigned core = 0; core < cores_; ++core) {
    CodeEntry entry{.offset = base, .instructions = 0};
    if (first_[core] != kNoTail) {
      entry = {.offset = base + first_[core] * kInstructionBytes, .instructions = words_ - first_[core]};
      point_tail(core, words_);
    }
    std::memcpy(begin() + sizeof(ProgramHeader) + core * sizeof(CodeEntry), &entry, sizeof(entry));
  }
}

std::byte *ProgramCode::insert(std::size_t bytes) {
  if (room() < bytes) {
    static_cast<void>(refill(bytes));
    return nullptr;
  }
  return take(bytes);
}

Status ProgramCode::set(unsigned core, unsigned place, std::uint32_t value) {
  if (configuration_ == nullptr || words_ != 0 || copies_ != 0) return Status(ErrorCode::not_ready, "setting");
  if (core >= cores_) return Status(ErrorCode::invalid_argument, "core", -1, core, cores_ - 1);
  if (place >= 2 * isa::pim::kRegisters || (place >= isa::pim::kRegisters && !isa::pim::is_special(place - isa::pim::kRegisters)))
    return Status(ErrorCode::invalid_argument, "setting", -1, place);
  std::byte *const memory = insert(sizeof(Setting));
  if (memory == nullptr) return status();
  const Setting setting{.core = static_cast<std::uint8_t>(core), .place = static_cast<std::uint8_t>(place), .value = value};
  std::memcpy(memory, &setting, sizeof(setting));
  ++settings_;
  seal();
  return {};
}

Status ProgramCode::add(const Copy &copy) {
  if (configuration_ == nullptr || words_ != 0) return Status(ErrorCode::not_ready, "copy");
  if (copy.core >= cores_) return Status(ErrorCode::invalid_argument, "core", -1, copy.core, cores_ - 1);
  std::byte *const memory = insert(sizeof(Copy));
  if (memory == nullptr) return status();
  std::memcpy(memory, &copy, sizeof(copy));
  ++copies_;
  seal();
  return {};
}

void ProgramCode::set_time_limit(std::uint64_t cycles) {
  time_limit_ = cycles;
  write_header();
}

Result<std::uint32_t> ProgramCode::address_of(std::uint64_t bus_address, std::uint64_t bytes) const {
  const std::uint64_t part = configuration_ == nullptr ? 0 : configuration_->dram_part();
  for (std::size_t i = 0; configuration_ != nullptr && i < windows().size(); ++i) {
    const isa::Window &window = windows()[i];
    if (!window.range().contains({bus_address, bytes})) continue;
    const std::uint64_t offset = bus_address - window.base;
    if (offset + bytes > part) continue;
    return static_cast<std::uint32_t>(configuration_->dram_first + i * part + offset);
  }
  return Status(ErrorCode::address_outside_window, "address", -1, signed_of(bus_address));
}

bool ProgramCode::is_dram(std::uint32_t address) const {
  return isa::pim::place(*configuration_, isa::pim::Reach::dram, address, 1).is_dram();
}

Status ProgramCode::check_bytes(std::uint32_t address, std::uint64_t bytes, bool write, const char *what) const {
  const isa::pim::Place place = isa::pim::place(*configuration_, isa::pim::Reach::all, address, bytes);
  if (place.is_local()) return {};
  if (!place.is_dram()) {
    const bool near_dram = configuration_->dram_bytes != 0 && address >= configuration_->dram_first;
    return Status(near_dram ? ErrorCode::address_outside_window : ErrorCode::address_outside_buffer, what, -1, address, signed_of(bytes));
  }
  const bool has_window = place.window() < windows().size();
  const isa::Window window = has_window ? windows()[place.window()] : isa::Window{};
  if ((write ? window.write : window.read) && place.offset <= window.bytes && bytes <= window.bytes - place.offset) return {};
  return Status(ErrorCode::address_outside_window, what, -1, address, signed_of(window.bytes));
}

Status ProgramCode::begin_kernel() {
  if (configuration_ == nullptr) return Status(ErrorCode::not_ready, "stream");
  if (words_ % 2 != 0) give_back(kInstructionBytes);
  error_ = {};
  kept_ = {words_, first_, tail_};
  return {};
}

Status ProgramCode::end_kernel() {
  if (core_ != kNoCore) leave();
  if (words_ % 2 != 0 && !has_failed() && room() < kInstructionBytes) {
    static_cast<void>(refill(kInstructionBytes));
    fail(status());
  }
  if (has_failed()) {
    take_back(words_ - kept_.words);
    first_ = kept_.first;
    tail_ = kept_.tail;
    core_ = kNoCore;
    sharers_ = 1;
  }
  if (words_ % 2 != 0) std::memset(take(kInstructionBytes), 0, kInstructionBytes);
  seal();
  return error_;
}

void ProgramCode::leave() {
  emit(build::jmp(1));
  for (unsigned i = 0; i < sharers_; ++i) tail_[core_ + i] = words_ - 1;
}

bool ProgramCode::has_shared_tail(unsigned core) const {
  const auto count = std::ranges::count(std::span(tail_).first(cores_), tail_[core]);
  return tail_[core] != kNoTail && count > 1;
}

ProgramCode::Entry ProgramCode::enter(unsigned core) {
  if (has_failed()) return Entry::same;
  if (core_ == core && sharers_ == 1) {
    if (words_ != 0 && tail_[core] == words_ - 1) take_back(1);
    return Entry::same;
  }
  if (core_ != kNoCore && (tail_[core_] == kNoTail || tail_[core_] + 1 != words_)) leave();
  if (has_shared_tail(core)) {
    // One jump cannot lead to sections of different cores.
    fail(Status(ErrorCode::unsupported, "core", -1, core));
    return Entry::same;
  }
  if (first_[core] == kNoTail) {
    if (std::size_t{words_} * kInstructionBytes % kUnit != 0) emit(build::jmp(1));  // the code of a core is aligned; no core runs this
    first_[core] = words_;
  }
  const bool is_first = tail_[core] == kNoTail;
  if (!is_first) point_tail(core, words_);
  core_ = core;
  sharers_ = 1;
  return is_first && settings_ == 0 ? Entry::first : Entry::next;
}

void ProgramCode::share(unsigned first, unsigned count) {
  leave();
  if (has_failed()) return;
  for (unsigned core = first; core < first + count; ++core) point_tail(core, words_);
  core_ = first;
  sharers_ = count;
}

void ProgramCode::fail(const Status &status) {
  if (error_.ok()) error_ = status;
}

void ProgramCode::write_word(std::uint32_t number, std::uint32_t word) {
  const std::size_t base = sizeof(ProgramHeader) + cores_ * sizeof(CodeEntry) + settings_ * sizeof(Setting) + copies_ * sizeof(Copy);
  std::memcpy(begin() + base + std::size_t{number} * kInstructionBytes, &word, sizeof(word));
}

void ProgramCode::take_back(std::uint32_t words) {
  give_back(std::size_t{words} * kInstructionBytes);
  words_ -= words;
}

void ProgramCode::point_tail(unsigned core, std::uint32_t target) {
  write_word(tail_[core], build::jmp(signed_offset(target - tail_[core]))[0]);
}

void ProgramCode::emit(const MachineCode &code) {
  if (has_failed()) return;
  if (words_ - (core_ == kNoCore || first_[core_] == kNoTail ? 0 : first_[core_]) >= kMostInstructions)
    return fail(Status(ErrorCode::too_many_instructions, "stream", -1, kMostInstructions, kMostInstructions));
  if (room() < kInstructionBytes) {
    static_cast<void>(refill(kUnit));
    return fail(status());
  }
  std::memcpy(take(kInstructionBytes), &code, kInstructionBytes);
  ++words_;
}

}  // namespace cox::kernels::pim
