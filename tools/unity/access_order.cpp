// SPDX-License-Identifier: MIT
#include "tools/unity/access_order.h"

#include <algorithm>
#include <set>
#include <utility>

#include "coxswain/isa/unity/location.h"

namespace cox::tools::unity {

using isa::unity::Key;
using isa::unity::Position;
using model::unity::UnitEvent;

namespace {

std::uint32_t number_of(const Key &key) { return std::uint32_t{key.table} * isa::unity::kKeyEntries + key.entry; }

}  // namespace

AccessOrder::AccessOrder(const isa::unity::Container &container) : container_(container), units_(isa::unity::kMostUnits) {
  for (std::uint32_t i = 0; i < container.header().keys; ++i) {
    const isa::unity::InitialKey key = container.key(i);
    initial_[number_of({key.table, key.entry})] = key.count;
  }
}

void AccessOrder::on_start(const UnitEvent &event) {
  if (nodes_.size() == kMostInstructions) {
    cut_ = true;
    return;
  }
  const Position position = Position::unpack(event.position);
  Unit &unit = units_[position.unit];
  const isa::unity::InstructionPlace place = isa::unity::find_instruction(container_.bytes(), position.byte());
  const std::uint32_t program = place.program * 2 + (place.in_sub_program ? 1 : 0);
  // Another program begins, or the same once more: an END lies between, or a branch.
  const bool fence = unit.fence || program != unit.program || place.instruction <= unit.instruction;
  Node node;
  node.unit = position.unit;
  node.number = static_cast<std::uint32_t>(unit.nodes.size());
  node.position = event.position;
  node.sync = isa::unity::read_sync(event.code[1]);
  node.is_branch = event.operation != nullptr && std::holds_alternative<isa::unity::Branch>(*event.operation);
  if (node.is_branch) {
    node.sync.deposits = false;  // its end has a node of its own
    unit.branches.push_back(event.position);
  }
  if (!unit.nodes.empty()) {
    node.previous = unit.nodes.back();
    if (fence || node.is_branch) {
      node.after = unit.nodes;
    } else if (nodes_[node.previous].sync.blocks) {
      node.after.push_back(node.previous);
    }
  }
  unit.fence = node.is_branch;
  unit.program = program;
  unit.instruction = place.instruction;
  unit.nodes.push_back(nodes_.size());
  add_accesses(nodes_.size(), event);
  nodes_.push_back(std::move(node));
}

void AccessOrder::on_end(const UnitEvent &event) {
  std::vector<std::uint32_t> &branches = units_[Position::unpack(event.position).unit].branches;
  const auto open = std::find(branches.rbegin(), branches.rend(), event.position);
  if (open != branches.rend()) branches.erase(std::prev(open.base()));
}

void AccessOrder::on_keys(const model::unity::KeyEvent &event) {
  Unit &unit = units_[Position::unpack(event.position).unit];
  if (!event.deposit || std::ranges::find(unit.branches, event.position) == unit.branches.end()) return;
  if (nodes_.size() == kMostInstructions) {
    cut_ = true;
    return;
  }
  Node node;
  node.unit = Position::unpack(event.position).unit;
  node.number = static_cast<std::uint32_t>(unit.nodes.size());
  node.position = event.position;
  node.sync = {.deposits = true, .deposit = event.key};
  node.previous = unit.nodes.back();
  node.after = unit.nodes;
  unit.fence = true;
  unit.nodes.push_back(nodes_.size());
  nodes_.push_back(std::move(node));
}

void AccessOrder::add_accesses(std::size_t node, const UnitEvent &event) {
  if (event.submission != nullptr) submissions_[event.ticket] = node;
  if (event.operation == nullptr) return;
  constexpr std::size_t kMost = 4096;
  const std::size_t first = accesses_.size();
  isa::unity::for_each_access(event.code, *event.surroundings, *event.operation, [&](const isa::unity::Access &access) {
    const Access found{.node = node, .write = access.write, .field = access.field, .memory = 0, .start = access.start, .end = access.end()};
    // A tensor of very many parts counts as one.
    if (accesses_.size() - first >= kMost && accesses_.back().write == found.write && accesses_.back().field == found.field) {
      accesses_.back().start = std::min(accesses_.back().start, found.start);
      accesses_.back().end = std::max(accesses_.back().end, found.end);
    } else {
      accesses_.push_back(found);
    }
  });
}

void AccessOrder::add_touch(std::uint32_t ticket, unsigned memory, const char *name, const model::Touch &touch) {
  const auto node = submissions_.find(ticket);
  if (node == submissions_.end()) return;
  model::for_each_run(touch, [&](std::uint64_t start, std::uint64_t bytes) {
    add({.node = node->second, .write = touch.write, .field = name, .memory = memory, .start = start, .end = start + bytes});
  });
}

/// Joins the access to the one before it if they are neighbours of one kind.
void AccessOrder::add(const Access &access) {
  if (!accesses_.empty()) {
    Access &last = accesses_.back();
    const bool same = last.node == access.node && last.memory == access.memory && last.write == access.write && last.field == access.field;
    if (same && last.start <= access.start && access.start <= last.end) {
      last.end = std::max(last.end, access.end);
      return;
    }
  }
  cut_ = cut_ || accesses_.size() == kMostAccesses;
  if (!cut_) accesses_.push_back(access);
}

void AccessOrder::propagate() {
  const std::size_t words = (nodes_.size() + 63) / 64;
  for (Node &node : nodes_) {
    node.before.assign(words, 0);
    node.begun.assign(units_.size(), 0);
    const auto join = [&](const Node &other) {
      for (std::size_t word = 0; word < words; ++word) node.before[word] |= other.before[word];
      for (std::size_t unit = 0; unit < units_.size(); ++unit) node.begun[unit] = std::max(node.begun[unit], other.begun[unit]);
    };
    if (node.previous != kNone) join(nodes_[node.previous]);
    for (const std::size_t other : node.after) {
      join(nodes_[other]);
      node.before[other / 64] |= std::uint64_t{1} << other % 64;
    }
    node.begun[node.unit] = node.number + 1;
  }
}

bool AccessOrder::add_key_edges() {
  std::map<std::uint32_t, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> entries;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].sync.deposits) entries[number_of(nodes_[i].sync.deposit)].first.push_back(i);
    if (nodes_[i].sync.fetches) entries[number_of(nodes_[i].sync.fetch)].second.push_back(i);
  }
  bool added = false;
  for (const auto &[number, users] : entries) {
    const Key key{static_cast<std::uint8_t>(number / isa::unity::kKeyEntries), static_cast<std::uint8_t>(number % isa::unity::kKeyEntries)};
    added = add_key_edges(key, users.first, users.second) || added;
  }
  return added;
}

bool AccessOrder::add_key_edges(Key key, const std::vector<std::size_t> &gives, const std::vector<std::size_t> &takes) {
  const auto initial = initial_.find(number_of(key));
  const std::uint64_t held = initial == initial_.end() ? 0 : initial->second;
  bool added = false;
  for (const std::size_t taker : takes) {
    std::uint64_t needed = 0;
    for (const std::size_t other : takes) {
      if (other == taker || begins_before(other, taker)) needed += nodes_[other].sync.keys;
    }
    std::vector<std::size_t> possible;
    for (const std::size_t giver : gives) {
      if (giver != taker && !begins_before(taker, giver)) possible.push_back(giver);
    }
    if (held + possible.size() < needed) continue;  // it waits for ever
    for (const std::size_t giver : possible) {
      if (ends_before(giver, taker)) continue;
      const auto without = std::ranges::count_if(possible, [&](std::size_t other) { return other != giver && !ends_before(giver, other); });
      if (held + static_cast<std::uint64_t>(without) >= needed) continue;
      nodes_[taker].after.push_back(giver);
      added = true;
    }
  }
  return added;
}

bool AccessOrder::is_ordered(std::size_t a, std::size_t b) const {
  if (a == b || ends_before(a, b) || ends_before(b, a)) return true;
  // A unit reads the predicate of a branch while nothing else of it is in flight, sub-programs included.
  return nodes_[a].unit == nodes_[b].unit && (nodes_[a].is_branch || nodes_[b].is_branch);
}

std::vector<Hazard> AccessOrder::hazards() {
  // Each order may show that more keys must have come.
  do propagate();
  while (add_key_edges());
  std::ranges::sort(accesses_, {}, [](const Access &access) { return std::pair(access.memory, access.start); });
  std::vector<Hazard> found;
  for (auto first = accesses_.begin(); first != accesses_.end();) {
    const auto end = std::find_if(first, accesses_.end(), [&](const Access &access) { return access.memory != first->memory; });
    find_hazards({first, end}, found);
    first = end;
  }
  return found;
}

/// `accesses`: to one memory, by their starts. Two positions have one hazard, in the first memory.
void AccessOrder::find_hazards(std::span<const Access> accesses, std::vector<Hazard> &found) const {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const Hazard &hazard : found) seen.emplace(std::minmax(hazard.earlier, hazard.later));
  std::vector<const Access *> reads, writes;
  const auto compare = [&](std::vector<const Access *> &open, const Access &access) {
    std::erase_if(open, [&](const Access *other) { return other->end <= access.start; });
    for (const Access *other : open) {
      if (is_ordered(other->node, access.node)) continue;
      const bool other_first = other->node < access.node;
      const Access &earlier = other_first ? *other : access, &later = other_first ? access : *other;
      const std::uint32_t a = nodes_[earlier.node].position, b = nodes_[later.node].position;
      if (!seen.emplace(std::minmax(a, b)).second) continue;
      found.push_back({.earlier = a,
                       .later = b,
                       .earlier_writes = earlier.write,
                       .later_writes = later.write,
                       .earlier_field = earlier.field,
                       .later_field = later.field,
                       .memory = access.memory,
                       .first = access.start,
                       .bytes = std::min(earlier.end, later.end) - access.start});
    }
  };
  for (const Access &access : accesses) {
    compare(writes, access);
    if (access.write) compare(reads, access);
    (access.write ? writes : reads).push_back(&access);
  }
}

}  // namespace cox::tools::unity
