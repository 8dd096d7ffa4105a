// SPDX-License-Identifier: MIT
#include <algorithm>

#include "tests/sim/pim/reference/actions.h"
#include "tests/sim/pim/reference/memory.h"

namespace cox::model::pim::oracle {
namespace {

std::uint32_t interesting(Random &random) {
  constexpr std::uint32_t kValues[] = {0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0x10000, 0xFFFF8000};
  return random.one_in(2) ? random.pick(kValues) : random.word() >> random.below(32);
}

/// A number that makes sense as the shift, multiplier or zero point of a quantisation.
std::int64_t of_block(Random &random, bool shift, bool wrong) {
  if (shift) return wrong ? (random.one_in(2) ? 32 : -32) : random.between(-31, 31) / (random.one_in(2) ? 1 : 4);
  return static_cast<std::int32_t>(random.one_in(2) ? interesting(random) : random.word() >> 20);
}

Bytes block(Writer &writer, unsigned opcode) {
  Random &random = writer.random();
  std::vector<std::int64_t> numbers;
  for (unsigned i = 0; i < (opcode == 4 ? 9 : 5); ++i) {
    const bool shift = opcode == 4 ? i == 2 || i == 5 || i == 7 : i == 3;
    numbers.push_back(of_block(random, shift, writer.wrong()));
  }
  return packed(numbers, 32);
}

}  // namespace

void write_simd(Writer &writer) {
  Random &random = writer.random();
  const isa::pim::SimdForm form = random.pick(writer.configuration().simd);
  auto length = static_cast<std::uint32_t>(random.up_to(0, random.one_in(10) ? 700 : 80));
  std::array<std::uint32_t, 4> widths{}, addresses{};
  std::vector<std::pair<std::uint32_t, Bytes>> pokes;
  for (unsigned i = 0; i < form.inputs; ++i) {
    const bool divisor = form.opcode == 0x82 && i == 1, shift = form.opcode == 3 && i == 2;
    const bool scalar = form.kinds[i] == isa::pim::SimdKind::scalar;
    widths[i] = length > 80 ? 1U << random.below(3) : writer.width(form.opcode == 4 && i < 2 && !writer.wrong() ? 16 : 32);
    if (divisor && widths[i] == 1) widths[i] = 2;
    // Divisors and long shifts are written; the others may be anything.
    const bool poked = divisor || (shift && widths[i] >= 8);
    if (poked && !scalar) length = std::min(length, 12U);
  }
  for (unsigned i = 0; i < form.inputs; ++i) {
    if (form.kinds[i] == isa::pim::SimdKind::block) {
      const Bytes bytes = block(writer, form.opcode);
      addresses[i] = writer.address(bytes.size());
      pokes.emplace_back(addresses[i], bytes);
      continue;
    }
    const std::uint32_t elements = form.kinds[i] == isa::pim::SimdKind::scalar ? 1 : length;
    const bool divisor = form.opcode == 0x82 && i == 1, shift = form.opcode == 3 && i == 2;
    std::uint64_t bytes = bytes_of(elements, widths[i] % 64);
    if ((divisor || (shift && widths[i] >= 8)) && widths[i] <= 32 && elements <= 12) {
      std::vector<std::int64_t> numbers;
      const std::int64_t most = (std::int64_t{1} << (widths[i] - 1)) - 1;
      for (unsigned e = 0; e < elements; ++e) {
        numbers.push_back(shift ? of_block(random, true, writer.wrong())
                                : random.between(writer.wrong() ? 0 : 1, most >> random.below(widths[i] - 1)));
      }
      Bytes data = packed(numbers, widths[i]);
      data.resize((data.size() + 3) / 4 * 4);
      bytes = data.size();
      addresses[i] = writer.address(bytes);
      pokes.emplace_back(addresses[i], data);
    } else {
      addresses[i] = writer.address(bytes);
    }
  }
  const std::uint32_t result = length > 80 ? 1U << random.below(4) : writer.width();
  const bool in_place = random.one_in(4) && form.kinds[0] == isa::pim::SimdKind::vector && result <= widths[0];
  const std::uint32_t output = in_place ? addresses[0] : writer.address(bytes_of(length, result % 64));
  if (!writer.wrong()) {
    for (const auto &[address, bytes] : pokes) writer.poke(address, bytes);
  }
  for (unsigned i = 0; i < form.inputs; ++i) {
    if (form.kinds[i] != isa::pim::SimdKind::block || random.one_in(4))
      writer.special(16 + i, form.kinds[i] == isa::pim::SimdKind::block ? random.word() : widths[i]);
  }
  writer.special(20, result);
  // Three or four inputs need two registers that follow each other.
  unsigned rs1 = writer.free_register(), rs2 = writer.free_register();
  const unsigned rs3 = writer.value(writer.count(length)), rd = writer.value(output);
  if (form.inputs >= 3) rs1 = static_cast<unsigned>(random.below(writer.wrong() ? 32 : 31));
  if (form.inputs == 4) rs2 = static_cast<unsigned>(random.below(writer.wrong() ? 32 : 31));
  for (unsigned attempt = 0; attempt < 200 && form.inputs >= 3; ++attempt) {
    // Registers that another operand, a binding or a loop needs will not do.
    const auto free = [&](unsigned number) { return writer.is_free(number) && number != rs3 && number != rd; };
    const unsigned last2 = form.inputs == 4 ? rs2 + 1 : rs2;
    if (free(rs1) && free(rs1 + 1) && free(rs2) && free(last2) && rs1 != rs2 && rs1 + 1 != rs2 && last2 != rs1) break;
    rs1 = static_cast<unsigned>(random.below(31));
    rs2 = static_cast<unsigned>(random.below(31));
  }
  writer.load(rs1, addresses[0]);
  if (form.inputs == 2) writer.load(rs2, addresses[1]);
  if (form.inputs >= 3) {
    if (rs1 < 31) writer.load(rs1 + 1, addresses[1]);
    writer.load(rs2, addresses[2]);
  }
  if (form.inputs == 4 && rs2 < 31) writer.load(rs2 + 1, addresses[3]);
  const unsigned inputs = writer.wrong() ? static_cast<unsigned>(random.between(1, 4)) : form.inputs;
  const unsigned opcode = writer.wrong() ? random.byte() : form.opcode;
  writer.emit(words::simd(inputs, opcode, rs1, rs2, rs3, rd));
}

void write_scalar(Writer &writer) {
  Random &random = writer.random();
  const unsigned a = random.one_in(3) ? writer.free_register() : writer.value(interesting(random));
  if (random.one_in(3)) {
    writer.emit(words::immediate(static_cast<unsigned>(random.below(3)), a, writer.free_register(), static_cast<int>(interesting(random))));
    return;
  }
  const unsigned b = random.one_in(5) ? a : writer.value(interesting(random));
  writer.emit(words::calculate(static_cast<unsigned>(random.below(8)), a, b, random.one_in(4) ? a : writer.free_register()));
}

void write_load_or_store(Writer &writer) {
  Random &random = writer.random();
  const bool global = random.one_in(2), store = random.one_in(2);
  std::uint32_t address = global ? writer.dram_address(4, store) : writer.address(4);
  if (global && writer.wrong()) address = writer.bad_dram_address(4);
  const auto offset = static_cast<std::int32_t>(random.one_in(2) ? random.between(-32768, 32767) : random.between(-4, 4));
  const unsigned base = writer.value(address - static_cast<std::uint32_t>(offset));
  const unsigned data = store && random.one_in(2) ? writer.value(interesting(random)) : writer.free_register();
  writer.emit(words::memory((global ? 2 : 0) + (store ? 1 : 0), base, data, offset));
}

void write_assignment(Writer &writer) {
  Random &random = writer.random();
  constexpr unsigned kSpecials[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18, 19, 20};
  const unsigned special = writer.wrong() ? static_cast<unsigned>(random.below(32)) : random.pick(kSpecials);
  const std::uint32_t value = interesting(random);
  if (special < 32 && writer.binds_held(special)) return;
  switch (random.below(4)) {
    case 0: writer.emit(words::general_li(writer.free_register(), value & 0x1FFFFF)); break;
    case 1: writer.emit(words::special_li(special, value & 0x1FFFFF)); break;
    case 2: writer.emit(words::general_to_special(random.one_in(2) ? writer.free_register() : writer.value(value), special)); break;
    default: writer.emit(words::special_to_general(writer.free_register(), special)); break;
  }
}

void write_trans(Writer &writer) {
  Random &random = writer.random();
  const std::uint64_t bytes = random.up_to(0, random.one_in(4) ? 300 : 40);
  const auto somewhere = [&](bool write) {
    if (writer.wrong()) return random.one_in(2) ? writer.bad_dram_address(bytes + 1) : random.word();
    switch (random.below(4)) {
      case 0: return writer.dram_address(bytes, write);
      case 1: return writer.array_address(std::min<std::uint64_t>(bytes, writer.configuration().array.bytes()));
      default: return writer.local_address(bytes);
    }
  };
  const std::uint64_t fits = std::min({bytes, writer.room(), writer.configuration().array.bytes(), writer.dram_room()});
  std::uint32_t source = somewhere(false),
                destination = random.one_in(8) ? source + static_cast<std::uint32_t>(random.between(-3, 3)) : somewhere(true);
  // A destination near the source must not be another core's DRAM.
  if (destination - source + 3 <= 6) source = destination = writer.local_address(bytes);
  const auto offset = static_cast<std::uint32_t>(random.below(2048));
  const bool of_source = random.one_in(2), of_destination = random.one_in(2);
  if (of_source) source -= offset;
  if (of_destination) destination -= offset;
  const unsigned rs1 = writer.value(source), rs2 = writer.value(writer.count(fits)), rd = writer.value(destination);
  writer.emit(words::trans(rs1, rs2, rd, offset, of_source, of_destination));
}

namespace {

void write_plain(Writer &writer) {
  constexpr void (*kActions[])(Writer &) = {write_compute,       write_compute,    write_compute, write_output,
                                            write_transfer,      write_simd,       write_simd,    write_scalar,
                                            write_load_or_store, write_assignment, write_trans,   write_trans};
  writer.begin();
  writer.random().pick(kActions)(writer);
}

}  // namespace

void write_action(Writer &writer) {
  Random &random = writer.random();
  Code &code = writer.code();
  writer.begin();
  if (random.one_in(10)) {  // a loop
    const unsigned counter = writer.unbound_register(), zero = writer.unbound_register();
    writer.load(counter, static_cast<std::uint32_t>(random.between(1, 3)));
    writer.load(zero, 0);
    writer.hold(counter);
    writer.hold(zero);
    const std::size_t first = code.size();
    write_plain(writer);
    writer.emit(words::immediate(0, counter, counter, -1));
    const int back = static_cast<int>(first) - static_cast<int>(code.size());
    writer.emit(random.one_in(2) ? words::branch(2, counter, zero, back) : words::branch(1, counter, zero, back));
    writer.release(counter);
    writer.release(zero);
  } else if (random.one_in(10)) {  // an action that a branch may skip
    const unsigned a = writer.value(interesting(random)), b = writer.value(interesting(random));
    const std::size_t at = code.size();
    writer.emit(0);
    write_plain(writer);
    const auto ahead = static_cast<int>(code.size() - at);
    code[at] = random.one_in(4) ? words::jmp(ahead) : words::branch(static_cast<unsigned>(random.below(4)), a, b, ahead);
  } else {
    write_plain(writer);
  }
  if (writer.wrong() && random.one_in(5)) {
    switch (random.below(4)) {
      case 0: writer.emit(random.word()); break;
      case 1: writer.emit(words::jmp(static_cast<int>(random.between(-(1 << 25), (1 << 25) - 1)))); break;
      case 2: writer.emit(words::jmp(-static_cast<int>(code.size()) - static_cast<int>(random.between(1, 2)))); break;
      default: writer.emit(words::batch(1, 2, 3, 4)); break;
    }
  }
}

}  // namespace cox::model::pim::oracle
