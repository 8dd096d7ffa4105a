// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/messages.h"

#include <algorithm>

namespace cox::model::pim {

void Messages::clear() {
  waiting_.clear();
  underway_.clear();
  send_free_ = {};
  receive_free_ = {};
  open_ = {};
  unmatched_ = {};
  open_with_.clear();
}

void Messages::count(unsigned core, unsigned other, std::uint32_t id, bool open) {
  const std::tuple key(core, other, id);
  if (open) {
    ++open_[core];
    ++open_with_[key];
    return;
  }
  --open_[core];
  if (const auto found = open_with_.find(key); --found->second == 0) open_with_.erase(found);
}

std::optional<MessageSide> Messages::meet(const Route &route, bool send, const MessageSide &side) {
  const unsigned core = send ? route.sender : route.receiver, other = send ? route.receiver : route.sender;
  Waiting &waiting = waiting_[route];
  if (waiting.sides.empty() || waiting.sends == send) {
    waiting.sends = send;
    waiting.sides.push_back(side);
    ++unmatched_[core];
    count(core, other, route.id, true);
    return std::nullopt;
  }
  const MessageSide found = waiting.sides.front();
  waiting.sides.pop_front();
  if (waiting.sides.empty()) waiting_.erase(route);
  --unmatched_[other];
  count(other, core, route.id, false);
  return found;
}

Cycle Messages::hops(unsigned from, unsigned to) const {
  const unsigned width = timing_.mesh_width;
  const auto distance = [](unsigned a, unsigned b) { return a < b ? b - a : a - b; };
  return distance(from % width, to % width) + distance(from / width, to / width);
}

Cycle Messages::deliver(const Route &route, const MessageSide &send, const MessageSide &receive, Cycle now, Cycle delay) {
  const Cycle way = hops(route.sender, route.receiver) * timing_.hop_cycles;
  const Cycle flits = (Cycle{send.bytes} + timing_.flit_bytes - 1) / timing_.flit_bytes;
  Cycle first = std::max(now + timing_.handshake_cycles + delay, send_free_[route.sender]);
  first = std::max(first + way, receive_free_[route.receiver]) - way;
  send_free_[route.sender] = first + flits;
  const Cycle landing = first + way + flits;
  receive_free_[route.receiver] = landing;
  count(route.sender, route.receiver, route.id, true);
  count(route.receiver, route.sender, route.id, true);
  const auto place = std::ranges::upper_bound(underway_, landing, {}, &Delivery::landing);
  underway_.insert(place, {route, send, receive, landing});
  return landing;
}

Cycle Messages::next_landing(unsigned core) const {
  for (const Delivery &delivery : underway_) {
    if (delivery.route.sender == core || delivery.route.receiver == core) return delivery.landing;
  }
  return kNever;
}

Delivery Messages::land() {
  const Delivery delivery = underway_.front();
  underway_.erase(underway_.begin());
  const Route &route = delivery.route;
  count(route.sender, route.receiver, route.id, false);
  count(route.receiver, route.sender, route.id, false);
  return delivery;
}

template <typename Permitted>
std::optional<std::pair<Route, MessageSide>> Messages::first_unmatched_if(unsigned core, const Permitted &permitted) const {
  std::optional<std::pair<Route, MessageSide>> first;
  for (const auto &[route, waiting] : waiting_) {
    if ((waiting.sends ? route.sender : route.receiver) != core || !permitted(route)) continue;
    if (!first || waiting.sides.front().issued < first->second.issued) first = std::pair(route, waiting.sides.front());
  }
  return first;
}

std::optional<std::pair<Route, MessageSide>> Messages::first_unmatched(unsigned core) const {
  return first_unmatched_if(core, [](const Route &) { return true; });
}

std::optional<std::pair<Route, MessageSide>> Messages::first_unmatched(unsigned core, unsigned other, std::uint32_t id) const {
  return first_unmatched_if(core, [=](const Route &route) { return route.id == id && (route.sender == other || route.receiver == other); });
}

}  // namespace cox::model::pim
