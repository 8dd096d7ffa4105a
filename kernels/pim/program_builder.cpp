// SPDX-License-Identifier: MIT
#include "kernels/pim/program_builder.h"

#include <algorithm>
#include <cstring>

#include "isa/pim/build.h"
#include "isa/pim/place.h"

namespace cox::kernels::pim {

using isa::pim::CodeEntry;
using isa::pim::Copy;
using isa::pim::kInstructionBytes;
using isa::pim::kMostCores;
using isa::pim::kMostInstructions;
using isa::pim::MachineCode;
using isa::pim::ProgramHeader;
using isa::pim::Setting;
using isa::pim::SimdOpcode;
using isa::pim::Special;
using isa::pim::build::r;
using isa::pim::build::Reg;
namespace build = isa::pim::build;

namespace {

constexpr std::int32_t kMostImmediate = 32767;
constexpr std::uint32_t kImmediateBits = 21;
constexpr std::size_t kUnit = 8;

constexpr bool fits_immediate(std::uint32_t value) {
  const auto number = static_cast<std::int32_t>(value);
  return number >= -kMostImmediate - 1 && number <= kMostImmediate;
}

constexpr std::int32_t signed_offset(std::uint32_t offset) { return static_cast<std::int32_t>(offset); }

}  // namespace

Status ProgramBuilder::init(std::span<std::byte> memory, std::span<const isa::Window> windows, const isa::pim::Configuration &configuration,
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

void ProgramBuilder::clear() {
  StreamBuffer::clear();
  settings_ = copies_ = words_ = 0;
  time_limit_ = 0;
  core_ = kNoCore;
  error_ = {};
  first_.fill(kNoTail);
  tail_.fill(kNoTail);
  static_cast<void>(take(sizeof(ProgramHeader) + cores_ * sizeof(CodeEntry)));
  seal();
}

void ProgramBuilder::write_header() {
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

void ProgramBuilder::seal() {
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

std::byte *ProgramBuilder::insert(std::size_t bytes) {
  if (room() < bytes) {
    static_cast<void>(refill(bytes));
    return nullptr;
  }
  return take(bytes);
}

Status ProgramBuilder::set(unsigned core, unsigned place, std::uint32_t value) {
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

Status ProgramBuilder::add(const Copy &copy) {
  if (configuration_ == nullptr || words_ != 0) return Status(ErrorCode::not_ready, "copy");
  if (copy.core >= cores_) return Status(ErrorCode::invalid_argument, "core", -1, copy.core, cores_ - 1);
  std::byte *const memory = insert(sizeof(Copy));
  if (memory == nullptr) return status();
  std::memcpy(memory, &copy, sizeof(copy));
  ++copies_;
  seal();
  return {};
}

void ProgramBuilder::set_time_limit(std::uint64_t cycles) {
  time_limit_ = cycles;
  write_header();
}

Result<std::uint32_t> ProgramBuilder::address_of(std::uint64_t bus_address, std::uint64_t bytes) const {
  const std::uint64_t part = configuration_ == nullptr ? 0 : configuration_->dram_part();
  for (std::size_t i = 0; i < windows().size(); ++i) {
    const isa::Window &window = windows()[i];
    if (!window.range().contains({bus_address, bytes})) continue;
    const std::uint64_t offset = bus_address - window.base;
    if (offset + bytes > part) continue;
    return static_cast<std::uint32_t>(configuration_->dram_first + i * part + offset);
  }
  return Status(ErrorCode::address_outside_window, "address", -1, signed_of(bus_address));
}

bool ProgramBuilder::is_dram(std::uint32_t address) const {
  return isa::pim::place(*configuration_, isa::pim::Reach::dram, address, 1).is_dram();
}

Status ProgramBuilder::check_bytes(std::uint32_t address, std::uint64_t bytes, bool write, const char *what) const {
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

Status ProgramBuilder::begin_kernel() {
  if (configuration_ == nullptr) return Status(ErrorCode::not_ready, "stream");
  if (words_ % 2 != 0) give_back(kInstructionBytes);
  error_ = {};
  kept_ = {words_, first_, tail_};
  return {};
}

Status ProgramBuilder::end_kernel() {
  if (core_ != kNoCore) {
    emit(build::jmp(1));
    tail_[core_] = words_ - 1;
  }
  if (words_ % 2 != 0 && !has_failed() && room() < kInstructionBytes) {
    static_cast<void>(refill(kInstructionBytes));
    fail(status());
  }
  if (has_failed()) {
    take_back(words_ - kept_.words);
    first_ = kept_.first;
    tail_ = kept_.tail;
    core_ = kNoCore;
  }
  if (words_ % 2 != 0) std::memset(take(kInstructionBytes), 0, kInstructionBytes);
  seal();
  return error_;
}

void ProgramBuilder::begin_core(unsigned core) {
  if (has_failed()) return;
  if (core_ == core && tail_[core] != words_ - 1) return;
  if (core_ == core) return take_back(1);  // what was known of the registers still holds
  if (core_ != kNoCore && tail_[core_] + 1 != words_) {
    emit(build::jmp(1));
    tail_[core_] = words_ - 1;
  }
  if (first_[core] == kNoTail) {
    if (words_ * kInstructionBytes % kUnit != 0) emit(build::jmp(1));  // the code of a core is aligned; no core runs this
    first_[core] = words_;
  }
  if (tail_[core] != kNoTail) point_tail(core, words_);
  const bool is_first = tail_[core] == kNoTail;
  core_ = core;
  contents_ = {};
  for (const std::uint8_t bound : configuration_->bound) {
    if (bound != isa::pim::kUnbound) contents_.reserved |= 1U << bound;
  }
  // Registers are 0 at a program's start, unless settings write them.
  if (is_first && settings_ == 0) contents_.known = contents_.known_special = ~std::uint32_t{0};
}

void ProgramBuilder::fail(const Status &status) {
  if (error_.ok()) error_ = status;
}

std::uint32_t ProgramBuilder::word(std::uint32_t number) const {
  std::uint32_t word;
  std::memcpy(&word, next() - (words_ - number) * kInstructionBytes, sizeof(word));
  return word;
}

void ProgramBuilder::write_word(std::uint32_t number, std::uint32_t word) {
  const std::size_t base = sizeof(ProgramHeader) + cores_ * sizeof(CodeEntry) + settings_ * sizeof(Setting) + copies_ * sizeof(Copy);
  std::memcpy(begin() + base + number * kInstructionBytes, &word, sizeof(word));
}

void ProgramBuilder::take_back(std::uint32_t words) {
  give_back(words * kInstructionBytes);
  words_ -= words;
}

void ProgramBuilder::point_tail(unsigned core, std::uint32_t target) {
  write_word(tail_[core], build::jmp(signed_offset(target - tail_[core]))[0]);
}

void ProgramBuilder::emit(const MachineCode &code) {
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

// Registers.

unsigned ProgramBuilder::take_register() {
  const unsigned number = contents_.oldest();
  if (number == RegisterContents::kNone) {
    fail(Status(ErrorCode::no_room, "registers"));
    return 0;
  }
  contents_.forget(number);
  contents_.touch(number);
  return number;
}

void ProgramBuilder::load_constant(unsigned number, std::uint32_t value) {
  const build::Constant constant = build::constant(r(number), value);
  unsigned near = RegisterContents::kNone;
  for (unsigned i = 0; i < isa::pim::kRegisters && constant.count > 1; ++i) {
    if ((contents_.known >> i & 1) != 0 && fits_immediate(value - contents_.general[i])) near = i;
  }
  if (near != RegisterContents::kNone) {
    emit(build::addi(r(number), r(near), signed_offset(value - contents_.general[near])));
  } else {
    for (const MachineCode &code : constant.code()) emit(code);
  }
  contents_.learn(number, value);
}

void ProgramBuilder::load_into(unsigned number, const Value &value) {
  if (!value.is_variable) {
    if (!contents_.holds(number, value.offset)) load_constant(number, value.offset);
    return;
  }
  if (fits_immediate(value.offset)) {
    emit(build::addi(r(number), r(value.number), signed_offset(value.offset)));
  } else {
    const unsigned offset = load(value.offset);
    emit(build::add(r(number), r(value.number), r(offset)));
  }
  contents_.forget(number);
}

unsigned ProgramBuilder::load(const Value &value) {
  if (value.is_variable && value.offset == 0) return value.number;
  if (!value.is_variable) {
    if (const unsigned number = contents_.find(value.offset); number != RegisterContents::kNone) {
      contents_.touch(number);
      return number;
    }
  }
  const unsigned number = take_register();
  load_into(number, value);
  return number;
}

unsigned ProgramBuilder::load_pair(const Value &first, const Value &second) {
  unsigned pair = 0;
  for (unsigned i = 0; i < 2 * RegisterContents::kPairs; i += 2) {
    const bool has_both = holds(i, first) && holds(i + 1, second);
    if (has_both || contents_.used[i] < contents_.used[pair]) pair = i;
    if (has_both) break;
  }
  contents_.touch(pair);
  load_into(pair, first);
  load_into(pair + 1, second);
  return pair;
}

Register ProgramBuilder::variable(Value initial) {
  const unsigned number = take_register();
  contents_.reserved |= 1U << number;
  load_into(number, initial);
  contents_.forget(number);
  return {static_cast<std::uint8_t>(number)};
}

void ProgramBuilder::release(Register variable) { contents_.reserved &= ~(1U << variable.number); }

void ProgramBuilder::add(Register variable, std::uint32_t value) { assign(variable, Value(variable, value)); }

void ProgramBuilder::assign(Register variable, Value value) {
  load_into(variable.number, value);
  contents_.forget(variable.number);
}

void ProgramBuilder::subtract_from(std::uint32_t constant, Register variable) {
  const Reg from = r(load(constant));
  emit(build::sub(r(variable.number), from, r(variable.number)));
}

void ProgramBuilder::set(Special name, Value value) {
  const auto number = static_cast<unsigned>(name);
  const bool is_known = !value.is_variable && (contents_.known_special >> number & 1) != 0 && contents_.special[number] == value.offset;
  if (is_known) return;
  if (!value.is_variable && value.offset >> kImmediateBits == 0) {
    emit(build::special_li(name, value.offset));
  } else {
    emit(build::general_to_special(name, r(load(value))));
  }
  contents_.special[number] = value.offset;
  if (value.is_variable) {
    contents_.known_special &= ~(1U << number);
  } else {
    contents_.known_special |= 1U << number;
  }
}

ProgramBuilder::Loop ProgramBuilder::begin_loop(std::uint32_t count) {
  Loop loop;
  loop.counter = variable(count);
  loop.zero = load(0);
  if ((contents_.reserved >> loop.zero & 1) == 0) {
    contents_.reserved |= 1U << loop.zero;
  } else {
    loop.zero |= isa::pim::kRegisters;  // an outer loop owns it
  }
  loop.first = words_;
  loop.contents = contents_;
  return loop;
}

bool ProgramBuilder::end_loop(Loop &loop) {
  const unsigned zero = loop.zero % isa::pim::kRegisters;
  add(loop.counter, ~std::uint32_t{0});
  if (words_ - loop.first > static_cast<std::uint32_t>(kMostImmediate))
    fail(Status(ErrorCode::too_many_instructions, "stream", -1, words_ - loop.first, kMostImmediate));
  emit(build::bne(r(loop.counter.number), r(zero), signed_offset(loop.first - words_)));
  if (!has_failed() && !loop.contents.keep_common(contents_)) {
    // The body does not leave the registers as it found them, so its code is only right for the first turn.
    take_back(words_ - loop.first);
    contents_ = loop.contents;
    return false;
  }
  if (loop.zero == zero) contents_.reserved &= ~(1U << zero);
  release(loop.counter);
  return true;
}

// Instructions. Operands are loaded one after another, because a load may emit instructions.

void ProgramBuilder::compute(const ComputeCall &call) {
  const bool is_batch = call.rows > 1;
  const Reg rows = is_batch ? r(load(call.rows)) : Reg{};
  const Reg input_step = is_batch ? r(load(call.input_step)) : Reg{};
  const Reg meta_step = is_batch ? r(load(call.meta_step)) : Reg{};
  const Reg mask_step = is_batch ? r(load(call.mask_step)) : Reg{};
  const Reg input = r(load(call.input));
  const Reg inputs = r(load(call.inputs));
  const Reg row = r(load(call.row));
  if (is_batch)
    emit(build::pim_batch(rows, input_step, meta_step, mask_step,
                          {.input = call.input_table, .meta = call.meta_table, .mask = call.mask_table}));
  emit(build::pim_compute(
      input, inputs, row,
      {.value_sparse = call.value_sparse, .bit_sparse = call.bit_sparse, .group = call.group, .group_input_mode = call.group_input_table}));
}

void ProgramBuilder::output(Value destination) { emit(build::pim_output(r(load(destination)))); }

void ProgramBuilder::output_sums(Value destination, Value results, Value mask) {
  const Reg count = r(load(results));
  const Reg bits = r(load(mask));
  emit(build::pim_output(r(load(destination)), count, bits, {.outsum = true}));
}

void ProgramBuilder::output_pairs(Value destination, Value sums) {
  const Reg count = r(load(sums));
  emit(build::pim_output(r(load(destination)), count, {}, {.outsum_move = true}));
}

void ProgramBuilder::transfer(Value source, Value results, Value mask, Value destination) {
  const Reg from = r(load(source));
  const Reg count = r(load(results));
  const Reg bits = r(load(mask));
  emit(build::pim_transfer(r(load(destination)), from, count, bits));
}

void ProgramBuilder::simd(SimdOpcode opcode, std::span<const Value> inputs, Value length, Value output) {
  const auto count = static_cast<unsigned>(inputs.size());
  const Reg first = r(count < 3 ? load(inputs[0]) : load_pair(inputs[0], inputs[1]));
  Reg second;
  if (count == 2) second = r(load(inputs[1]));
  if (count == 3) second = r(load(inputs[2]));
  if (count == 4) second = r(load_pair(inputs[2], inputs[3]));
  const Reg elements = r(load(length));
  emit(build::simd_compute(opcode, count, r(load(output)), first, second, elements));
}

void ProgramBuilder::copy(Value source, Value bytes, Value destination) {
  const Reg from = r(load(source));
  const Reg size = r(load(bytes));
  emit(build::trans(r(load(destination)), from, size));
}

void ProgramBuilder::store_word(Value address, std::uint32_t word) {
  std::uint32_t offset = 0;
  if (!address.is_variable) {
    // Words that are stored one after another share a base.
    constexpr std::uint32_t kBlock = 0x4000;
    offset = address.offset % kBlock;
    address.offset -= offset;
  }
  const Reg base = r(load(address));
  emit(build::store_local(r(load(word)), base, signed_offset(offset)));
}

void ProgramBuilder::send(bool waits, Value source, std::uint32_t core, Value destination, std::uint32_t id, Value bytes) {
  const Reg other = r(load(core));
  build::MessageRegisters message;
  message.source = r(load(source));
  message.destination = r(load(destination));
  message.id = r(load(id));
  message.bytes = r(load(bytes));
  emit(build::send(other, message, !waits));
}

void ProgramBuilder::receive(bool waits, std::uint32_t core, Value source, Value destination, std::uint32_t id, Value bytes) {
  const Reg other = r(load(core));
  build::MessageRegisters message;
  message.source = r(load(source));
  message.destination = r(load(destination));
  message.id = r(load(id));
  message.bytes = r(load(bytes));
  emit(build::receive(other, message, !waits));
}

void ProgramBuilder::wait(std::uint32_t core, std::uint32_t id) {
  const Reg other = r(load(core));
  emit(build::wait(other, r(load(id))));
}

void ProgramBuilder::barrier(std::uint32_t id, std::uint32_t cores) {
  const Reg name = r(load(id));
  emit(build::barrier(name, r(load(cores))));
}

}  // namespace cox::kernels::pim
