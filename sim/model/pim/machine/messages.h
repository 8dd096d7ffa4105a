// SPDX-License-Identifier: MIT
// Messages between PIM cores: pairs of a send and a receive, and data on its way (docs/pim.md, Messages).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "coxswain/isa/pim/program.h"
#include "sim/model/pim/machine/timing.h"

namespace cox::model::pim {

/// A core may have this many messages open. The next one issues when one of them has landed.
inline constexpr unsigned kMostOpenMessages = 1024;

/// Messages of one sender to one receiver with one id pair in order.
struct Route {
  unsigned sender = 0, receiver = 0;
  std::uint32_t id = 0;
  auto operator<=>(const Route &) const = default;
};

/// A send or a receive that has issued.
struct MessageSide {
  isa::pim::Position position;
  bool synchronous = true;
  std::uint32_t source = 0, destination = 0, bytes = 0;
  Cycle issued = 0;

  [[nodiscard]] bool agrees(const MessageSide &other) const {
    return source == other.source && destination == other.destination && bytes == other.bytes;
  }
};

/// A message whose two sides have met.
struct Delivery {
  Route route;
  MessageSide send, receive;
  Cycle landing = 0;
};

class Messages {
 public:
  explicit Messages(const Timing &timing) : timing_(timing) {}
  void clear();

  /// One side issues. Returns the other side if it has issued before; the two are then no longer open. Otherwise the side is open until
  /// its other side comes.
  [[nodiscard]] std::optional<MessageSide> meet(const Route &route, bool send, const MessageSide &side);
  /// The two sides agree: the data is on its way, and both sides are open until it lands. `delay`: additional cycles. Returns the landing.
  Cycle deliver(const Route &route, const MessageSide &send, const MessageSide &receive, Cycle now, Cycle delay);

  /// The next landing; kNever if no message is on its way.
  [[nodiscard]] Cycle next_landing() const { return underway_.empty() ? kNever : underway_.front().landing; }
  /// The next landing of a message of this core.
  [[nodiscard]] Cycle next_landing(unsigned core) const;
  /// Removes the message that lands next. Its sides are no longer open.
  Delivery land();

  // Open sides of a core.
  [[nodiscard]] unsigned open(unsigned core) const { return open_[core]; }
  [[nodiscard]] unsigned unmatched(unsigned core) const { return unmatched_[core]; }
  [[nodiscard]] bool open(unsigned core, unsigned other, std::uint32_t id) const { return open_with_.contains({core, other, id}); }
  /// The oldest open side of a core that has not met its other side.
  [[nodiscard]] std::optional<std::pair<Route, MessageSide>> first_unmatched(unsigned core) const;
  /// The same among the messages with another core and an id.
  [[nodiscard]] std::optional<std::pair<Route, MessageSide>> first_unmatched(unsigned core, unsigned other, std::uint32_t id) const;

  [[nodiscard]] Cycle hops(unsigned from, unsigned to) const;

 private:
  struct Waiting {
    bool sends = false;  ///< the sides are sends
    std::deque<MessageSide> sides;
  };
  template <typename Permitted>
  [[nodiscard]] std::optional<std::pair<Route, MessageSide>> first_unmatched_if(unsigned core, const Permitted &permitted) const;
  void count(unsigned core, unsigned other, std::uint32_t id, bool open);

  const Timing &timing_;
  std::map<Route, Waiting> waiting_;
  std::vector<Delivery> underway_;  ///< by landing, then in the order in which their sides met
  std::array<Cycle, isa::pim::kMostCores> send_free_{}, receive_free_{};
  std::array<unsigned, isa::pim::kMostCores> open_{}, unmatched_{};
  std::map<std::tuple<unsigned, unsigned, std::uint32_t>, unsigned> open_with_;  ///< core, other core, id
};

}  // namespace cox::model::pim
