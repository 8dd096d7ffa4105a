// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/region.h"

#include <algorithm>

#include "coxswain/isa/unity/region_sink.h"
#include "coxswain/isa/unity/table.h"

namespace cox::isa::unity {
namespace {

using detail::region_of;

/// The same bytes with as few distances as possible: joins chunks that follow one another without gaps, and distances of which one goes on
/// where the other ends. Distances that are left over are the outer ones, and have one chunk.
Region joined(const Region &region) {
  Region result = region;
  result.count = {1, 1, 1};
  result.step = {};
  unsigned first = Region::kDistances;  // the outermost distance so far
  for (unsigned i = Region::kDistances; i-- > 0;) {
    if (region.count[i] == 1) continue;
    if (region.step[i] == result.chunk) {
      result.chunk *= region.count[i];
    } else if (first < Region::kDistances && region.step[i] == result.count[first] * result.step[first]) {
      result.count[first] *= region.count[i];
    } else {
      --first;
      result.count[first] = region.count[i];
      result.step[first] = region.step[i];
    }
  }
  return result;
}

/// A source or a result, or a source of which `depth` has the planes.
Region region_of(const char *field, bool write, const FeatureMap &map, const Depth &depth = {}) {
  const unsigned size = nibbles_of(map.unit);
  Region region{field, write, static_cast<std::uint8_t>(bits_of(map.unit)), map.address, {}, {}, 0};
  if (map.channel == size) {
    region.count = {depth.source, map.height, map.width};
    region.step = {depth.source_step, map.row, map.column};
    region.chunk = std::uint64_t{map.channels} * size;
  } else {
    region.count = {1, map.channels, map.height};
    region.step = {0, map.channel, map.row};
    region.chunk = std::uint64_t{map.width} * size;
  }
  return joined(region);
}

Region region_of(const char *field, bool write, const Surfaces &area) {
  return joined({field,
                 write,
                 static_cast<std::uint8_t>(bits_of(area.unit)),
                 area.address,
                 {1, area.surfaces, area.lines},
                 {0, area.surface, area.line},
                 std::uint64_t{area.width} * nibbles_of(area.unit)});
}

/// A parameter of values for each channel or element of a map.
Region region_of(const char *field, const Parameter &parameter, const FeatureMap &map) {
  if (parameter.immediate) return {field};
  FeatureMap values = map;
  values.address = parameter.address;
  values.unit = parameter.unit;
  values.row = parameter.row;
  values.column = parameter.column;
  values.channel = parameter.channel;
  if (parameter.row == 0) values.height = values.width = 1;
  return region_of(field, false, values);
}

Region region_of(const char *field, const Convolution::Kernel &kernel, const Depth &depth) {
  const unsigned size = nibbles_of(kernel.unit);
  const std::uint64_t outermost = std::max(kernel.number_step, kernel.row);
  const bool by_number = kernel.number_step == outermost;
  // Everything below the outermost index is dense.
  const std::uint64_t inner =
      std::uint64_t{depth.kernel} * kernel.channels * kernel.width * size * (by_number ? kernel.height : kernel.number);
  return joined({field,
                 false,
                 static_cast<std::uint8_t>(bits_of(kernel.unit)),
                 kernel.address,
                 {1, 1, by_number ? kernel.number : kernel.height},
                 {0, 0, outermost},
                 inner});
}

const char *const kSources[] = {"S0", "S1", "S2"};

/// The families of operation.h. Other families describe their regions beside their resolve(), as region_sink.h says.
template <typename Visit>
class Regions {
 public:
  Regions(Visit visit, RegionVisitor &visitor) : visit_(visit), sink_(visitor) {}

  template <typename Family>
  void operator()(const Family &op) {
    detail::list_regions(op, sink_);
  }

  void operator()(const Exit & /*op*/) {}
  void operator()(const Elementwise &op) {
    const bool one = op.op == Opcode::DATA_CONVERT || op.op == Opcode::SIGN_BIT;
    for (unsigned i = 0; i < op.sources; ++i) visit_(region_of(one ? "S" : kSources[i], false, op.source[i]));
    visit_(region_of("D", true, op.result));
  }
  void operator()(const Reduction &op) { copy("S", op.source, "D", op.result); }
  void operator()(const DataMove &op) {
    if (op.mode != MoveMode::fill) visit_(region_of("S", false, op.source));
    visit_(region_of("D", true, op.destination));
  }
  void operator()(const Copy &op) { copy("S", op.source, "D", op.result); }
  void operator()(const Pad &op) { copy("S", op.source, "D", op.result); }
  void operator()(const Concatenate &op) {
    visit_(region_of("S0", false, op.source[0]));
    copy("S1", op.source[1], "D", op.result);
  }
  void operator()(const Split &op) {
    copy("S", op.source, "D0", op.result[0]);
    visit_(region_of("D1", true, op.result[1]));
  }
  void operator()(const Transpose &op) { copy("S", op.source, "D", op.result); }
  void operator()(const Gather &op) {
    visit_(region_of("S", false, op.source));
    copy("INDEX", op.index, "D", op.result);
  }
  void operator()(const Scatter &op) {
    visit_(region_of("INDEX", false, op.index));
    copy("UPDATE", op.update, "S", op.tensor);
  }
  void operator()(const Tile &op) { copy("S", op.source, "D", op.result); }
  void operator()(const Roll &op) { copy("S", op.source, "D", op.result); }
  void operator()(const Reverse &op) { copy("S0", op.source, "D", op.result); }
  void operator()(const Select &op) {
    visit_(region_of("COND", false, op.condition));
    visit_(region_of("S0", false, op.source[0]));
    copy("S1", op.source[1], "D", op.result);
  }
  void operator()(const Search &op) {
    if (op.values.elements == 0) return copy("S0", op.source, "D", op.indices);
    copy("S", op.source, "D0", op.values);
    visit_(region_of("D1", true, op.indices));
  }
  void operator()(const Resize &op) {
    visit_(region_of("FM", false, op.source));
    visit_(region_of("D", true, op.result));
  }
  void operator()(const Convolution &op) { convolution(op, {}); }
  void operator()(const VolumeConvolution &op) { convolution(op.planes, op.depth); }
  void operator()(const Pool &op) { pool(op, {}); }
  void operator()(const VolumePool &op) { pool(op.planes, op.depth); }
  void operator()(const SectionPool &op) {
    visit_(region_of("FM", false, op.source, op.depth));
    visit_(region_of("D", true, op.result));
  }
  void operator()(const QuantisedAdd &op) {
    visit_(region_of("S0", false, op.source[0]));
    copy("S1", op.source[1], "D", op.result);
  }
  void operator()(const Activation &op) {
    visit_(region_of("S", false, op.source));
    visit_(region_of("MUL", false, op.multiplier));
    copy("SHIFT", op.shift, "D", op.result);
  }
  void operator()(const Softmax &op) { copy("FM", op.source, "D", op.result); }
  void operator()(const Norm &op) {
    visit_(region_of("FM", false, op.source));
    visit_(region_of("W", false, op.weight));
    visit_(region_of("BIAS", false, op.bias));
    visit_(region_of("MEAN", false, op.mean));
    copy("VAR", op.variance, "D", op.result);
  }
  void operator()(const Branch &op) {
    visit_(region_of(op.op == Opcode::SWITCH_CASE ? "INDEX" : "PRED", false, op.predicate));
    const std::uint64_t entries = op.op == Opcode::CASE ? 2 * std::uint64_t{op.entries} : op.entries;
    const unsigned bits = address_bits(op.space);
    visit_(Region{op.op == Opcode::CASE ? "PAIRS" : "PROGRAMS",
                  false,
                  static_cast<std::uint8_t>(bits),
                  op.list,
                  {1, 1, 1},
                  {},
                  entries * (bits / 4)});
  }

 private:
  void copy(const char *source, const Run &from, const char *result, const Run &to) {
    visit_(region_of(source, false, from));
    visit_(region_of(result, true, to));
  }
  void convolution(const Convolution &op, const Depth &depth) {
    visit_(region_of("FM", false, op.source, depth));
    visit_(region_of("K", op.kernel, depth));
    padding(op, depth, op.enlarge_vertical > 1 || op.enlarge_horizontal > 1 || depth.enlarge > 1);
    if (!op.plain) {
      visit_(region_of("BIAS", op.bias, op.result));
      if (op.has_multiplier) {
        visit_(region_of("MUL", op.multiplier, op.result));
        visit_(region_of("SHIFT", op.shift, op.result));
      }
      visit_(region_of("SCALE", op.scale, op.result));
    }
    visit_(region_of("D", true, op.result));
  }
  void pool(const Pool &op, const Depth &depth) {
    visit_(region_of("FM", false, op.source, depth));
    padding(op, depth, false);
    visit_(region_of("D", true, op.result));
  }
  template <typename Op>
  void padding(const Op &op, const Depth &depth, bool between) {
    const bool around = op.top != 0 || op.bottom != 0 || op.left != 0 || op.right != 0 || depth.front != 0 || depth.back != 0;
    if (between || around) visit_(region_of("PAD", op.padding, op.source));
  }

  Visit visit_;
  detail::RegionSink sink_;
};

constexpr std::uint64_t kMostSteps = 1U << 20;

/// Calls `visit` with the first nibble of each chunk, counted from that of chunk (0, 0, 0), until it returns false. `innermost`: how many
/// chunks of the innermost distance are visited.
template <typename Visit>
void for_each_chunk(const Region &region, std::uint64_t innermost, Visit visit) {
  for (std::uint64_t i = 0; i < region.count[0]; ++i) {
    for (std::uint64_t j = 0; j < region.count[1]; ++j) {
      for (std::uint64_t k = 0; k < innermost; ++k) {
        if (!visit(i * region.step[0] + j * region.step[1] + k * region.step[2])) return;
      }
    }
  }
}

/// Nibbles of all bytes of a chunk.
std::uint64_t whole_chunk(const Region &region) { return (region.chunk + 1) / 2 * 2; }

/// True if a chunk of `region` meets nibbles [first, end) of the device's memory, counted from address 0 of `base`.
bool meets(const Region &region, std::uint64_t base, std::uint64_t first, std::uint64_t end) {
  const std::uint64_t size = whole_chunk(region), step = region.step[2];
  bool found = false;
  for_each_chunk(region, 1, [&](std::uint64_t at) {
    const std::uint64_t start = base + at;
    if (start >= end) return true;
    // The first chunk of the innermost distance that ends behind `first`.
    std::uint64_t k = 0;
    if (start + size <= first) {
      if (step == 0) return true;
      k = (first - start - size) / step + 1;
    }
    found = k < region.count[2] && start + k * step < end;
    return !found;
  });
  return found;
}

}  // namespace

void visit_regions(const Operation &operation, RegionVisitor &visitor) {
  if (operation.valueless_by_exception()) return;  // never; std::visit() would have to abort
  std::visit(Regions([&](const Region &region) { visitor.visit(region); }, visitor), operation);
}

bool overlap(const Region &a, const Region &b) {
  if (a.empty() || b.empty()) return false;
  if (a.address + a.extent() <= b.address || b.address + b.extent() <= a.address) return false;
  const bool b_is_coarser = b.count[2] < a.count[2];  // its chunks are searched for among those of the other
  const Region &one = b_is_coarser ? b : a;
  const Region &other = b_is_coarser ? a : b;
  if (one.chunks() * other.count[0] * other.count[1] > kMostSteps) return true;
  // Nibbles are counted from the lower address.
  const std::uint64_t origin = std::min(a.address, b.address);
  const std::uint64_t base = (one.address - origin) * 2, other_base = (other.address - origin) * 2;
  bool found = false;
  for_each_chunk(one, one.count[2], [&](std::uint64_t at) {
    found = meets(other, other_base, base + at, base + at + whole_chunk(one));
    return !found;
  });
  return found;
}

void visit_accesses(const MachineCode &code, const Surroundings &surroundings, const Operation &operation, AccessVisitor &visitor) {
  const Instruction *row = find_quickly(code);
  if (row == nullptr || row->layout == nullptr) return;
  const AddressSpace space = address_space(code);
  bool extended = false;
  if (const auto *add = std::get_if<QuantisedAdd>(&operation)) extended = add->left_shift != 0;
  if (const auto *softmax = std::get_if<Softmax>(&operation)) extended = softmax->source.unit == Unit::s8;
  const std::uint64_t base = space == AddressSpace::bits16 ? surroundings.page : surroundings.tables;
  visitor.visit({"table", false, base + table_address(code), table_bytes(*row->layout, space, extended)});

  class Lines final : public RegionVisitor {
   public:
    explicit Lines(AccessVisitor &visitor) : visitor_(visitor) {}
    void visit(const Region &region) override {
      if (region.empty()) return;
      for_each_chunk(region, region.count[2], [&](std::uint64_t at) {
        visitor_.visit({region.field, region.write, region.address + at / 2, (region.chunk + 1) / 2});
        return true;
      });
    }

   private:
    AccessVisitor &visitor_;
  };
  Lines lines(visitor);
  visit_regions(operation, lines);
  if (const auto *unstack = std::get_if<Unstack>(&operation)) {
    detail::RegionSink sink(lines);
    detail::list_results(*unstack, surroundings.memory, sink);
  }
}

}  // namespace cox::isa::unity
