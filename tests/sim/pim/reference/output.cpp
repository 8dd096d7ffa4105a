// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "tests/sim/pim/reference/instructions.h"
#include "tests/sim/pim/reference/memory.h"

namespace cox::model::pim::oracle {

void pim_output(const View &view, const Decoded &instruction) {
  const auto &general = view.core.general;
  const isa::pim::Array &array = view.configuration.array;
  const unsigned result_width = width(view.special(1));
  const std::uint64_t columns = std::uint64_t{array.elements} * array.bits / width(view.special(2));
  const std::uint64_t groups = view.special(4);
  const std::uint64_t group_macros = groups == 1 ? array.macros : view.special(3);
  if (groups != 1) require(array.has_group_size(view.special(3)));
  require(groups * group_macros <= array.macros);
  const std::uint64_t working = view.special(5);
  require(working >= 1 && working <= columns * group_macros);
  std::uint64_t sums = 0;
  if (instruction.outsum || instruction.outsum_move) sums = count(general[instruction.rs1]);
  if (instruction.outsum) require(sums <= working);
  if (instruction.outsum_move) require(2 * sums <= working);
  Bytes mask;
  if (instruction.outsum && groups != 0) mask = read(local(view, general[instruction.rs2], bytes_of(sums, 1)));
  const std::uint64_t stored = instruction.outsum_move ? sums : working;
  const std::uint64_t group_bytes = bytes_of(stored, result_width);

  // The groups' results are one access.
  Place place = local(view, general[instruction.rd], groups * group_bytes);
  place.bytes = group_bytes;

  if (instruction.outsum && groups != 0 && sums != 0) require(!bit(mask, sums - 1));

  for (std::uint64_t g = 0; g < groups; ++g) {
    std::vector<std::int64_t> d;
    for (std::uint64_t j = 0; j < working; ++j) d.push_back(view.core.outputs.at(g * columns * group_macros + j));
    if (instruction.outsum) {
      for (std::uint64_t i = 0; i < sums; ++i) {
        if (bit(mask, i)) d[i] += d[i + 1];
      }
    }
    if (instruction.outsum_move) {
      for (std::uint64_t i = 0; i < sums; ++i) d[i] = d[2 * i] + d[2 * i + 1];
    }
    d.resize(stored);
    write(place, packed(d, result_width));
    place.first += group_bytes;
  }
  std::fill(view.core.outputs.begin(), view.core.outputs.end(), 0U);
}

void pim_transfer(const View &view, const Decoded &instruction) {
  const auto &general = view.core.general;
  const unsigned result_width = width(view.special(1));
  const std::uint64_t results = count(general[instruction.rs2]);
  const Bytes source = read(local(view, general[instruction.rs1], bytes_of(results, result_width)));
  const Bytes mask = read(local(view, general[instruction.rs3], bytes_of(results, 1)));
  std::vector<std::int64_t> valid;
  for (std::uint64_t i = 0; i < results; ++i) {
    if (bit(mask, i)) valid.push_back(number(source, i * result_width, result_width));
  }
  write(local(view, general[instruction.rd], bytes_of(valid.size(), result_width)), packed(valid, result_width));
}

}  // namespace cox::model::pim::oracle
