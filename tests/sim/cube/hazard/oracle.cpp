// SPDX-License-Identifier: MIT
#include "tests/sim/cube/hazard/oracle.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "coxswain/isa/cube/encode.h"
#include "coxswain/isa/cube/table.h"

namespace cox::model::cube::test {

using isa::cube::Access;
using isa::cube::MachineCode;
using isa::cube::Memory;
using isa::cube::Opcode;
using isa::cube::Pipe;

namespace {

struct Touched {
  std::int32_t instruction;
  bool write;
};

bool is_barrier(const MachineCode &code) { return (code[0] & 0xFF) == static_cast<unsigned>(Opcode::BARRIER); }

/// The order between instructions as a graph: after[i] has the successors of instruction i. Instructions after the refused one have no
/// edges.
struct Graph {
  std::vector<std::vector<std::int32_t>> after;
  std::int32_t refused = -1;
  bool deadlock = false;
};

Graph graph_of(std::span<const MachineCode> codes) {
  Graph graph;
  graph.after.resize(codes.size());
  std::map<std::tuple<Pipe, Pipe, unsigned>, std::deque<std::int32_t>> flags;
  const auto edge = [&](std::int32_t from, std::int32_t to) { graph.after[static_cast<std::size_t>(from)].push_back(to); };
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(codes.size()); ++i) {
    const MachineCode &code = codes[static_cast<std::size_t>(i)];
    const Pipe own = isa::cube::pipe_of(code);
    for (std::int32_t j = 0; j < i; ++j) {
      const MachineCode &before = codes[static_cast<std::size_t>(j)];
      const unsigned pipe = static_cast<unsigned>(isa::cube::pipe_of(before));
      if (is_barrier(before))
        edge(j, i);
      else if (is_barrier(code) ? (isa::cube::get<Opcode::BARRIER, "Pipes">(code) >> pipe & 1) != 0 : isa::cube::pipe_of(before) == own)
        edge(j, i);
    }
    if (is_barrier(code)) continue;
    const isa::cube::Flags masks = isa::cube::flags_of(code);
    for (unsigned bit = 0; bit < 24; ++bit) {
      if ((masks.wait >> bit & 1) == 0) continue;
      std::deque<std::int32_t> &given = flags[{isa::cube::other_pipe(own, bit), own, bit % 8}];
      if (given.empty()) {
        graph.refused = i;
        graph.deadlock = true;
        continue;
      }
      edge(given.front(), i);
      given.pop_front();
    }
    for (unsigned bit = 0; bit < 24; ++bit) {
      if ((masks.set >> bit & 1) == 0) continue;
      std::deque<std::int32_t> &given = flags[{own, isa::cube::other_pipe(own, bit), bit % 8}];
      given.push_back(i);
      if (given.size() > 15) graph.refused = i;
    }
    if (graph.refused >= 0) return graph;
  }
  return graph;
}

std::vector<bool> reached_from(const Graph &graph, std::int32_t start) {
  std::vector<bool> reached(graph.after.size(), false);
  std::vector<std::int32_t> open = {start};
  while (!open.empty()) {
    const std::int32_t at = open.back();
    open.pop_back();
    for (const std::int32_t next : graph.after[static_cast<std::size_t>(at)]) {
      if (reached[static_cast<std::size_t>(next)]) continue;
      reached[static_cast<std::size_t>(next)] = true;
      open.push_back(next);
    }
  }
  return reached;
}

}  // namespace

Oracle::Oracle(std::span<const MachineCode> codes) {
  std::map<Memory, std::unordered_map<std::uint64_t, std::vector<Touched>>> bytes;
  isa::cube::Configuration configuration;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(codes.size()); ++i) {
    const isa::cube::Operation operation = isa::cube::resolve(codes[static_cast<std::size_t>(i)], configuration).value();
    configuration.apply(operation);
    const isa::cube::Footprint footprint = isa::cube::footprint(operation);
    for (unsigned a = 0; a < footprint.count; ++a) {
      const Access &access = footprint.accesses[a];
      for (std::uint64_t y = 0; y < access.count[1]; ++y) {
        for (std::uint64_t x = 0; x < access.count[0]; ++x) {
          for (std::uint64_t byte = 0; byte < access.run; ++byte) {
            const std::uint64_t address = access.start + y * access.stride[1] + x * access.stride[0] + byte;
            std::vector<Touched> &touched = bytes[access.memory][address];
            // An instruction that touches a byte several times has one entry for it, which is a write if one of these accesses is.
            if (!touched.empty() && touched.back().instruction == i)
              touched.back().write |= access.write;
            else
              touched.push_back({i, access.write});
          }
        }
      }
    }
  }
  for (const auto &[memory, places] : bytes) {
    for (const auto &[address, touched] : places) {
      for (std::size_t second = 1; second < touched.size(); ++second) {
        for (std::size_t first = 0; first < second; ++first) {
          if (!touched[first].write && !touched[second].write) continue;
          const auto [at, is_new] =
              shared_.try_emplace({touched[first].instruction, touched[second].instruction, memory}, Shared{address, address, 0});
          at->second.first = std::min(at->second.first, address);
          at->second.last = std::max(at->second.last, address);
          ++at->second.bytes;
        }
      }
    }
  }
}

Oracle::Verdict Oracle::judge(std::span<const MachineCode> codes) const {
  const Graph graph = graph_of(codes);
  Verdict verdict{graph.refused, graph.deadlock, {}};
  std::int32_t from = -1;
  std::vector<bool> reached;
  for (const auto &entry : shared_) {
    const auto [earlier, later, memory] = entry.first;
    if (graph.refused >= 0 && later >= graph.refused) continue;
    if (earlier != from) reached = reached_from(graph, from = earlier);
    if (!reached[static_cast<std::size_t>(later)]) verdict.unordered.push_back(entry.first);
  }
  return verdict;
}

}  // namespace cox::model::cube::test
