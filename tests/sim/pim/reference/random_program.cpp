// SPDX-License-Identifier: MIT
#include "tests/sim/pim/reference/random_program.h"

#include <algorithm>
#include <deque>
#include <set>

#include "tests/sim/pim/reference/actions.h"
#include "tests/sim/pim/reference/desk.h"
#include "tests/sim/pim/reference/random_configuration.h"

namespace cox::model::pim::oracle {
namespace {

/// Writes all cores at once, event by event. In the order of the events no core waits for ever.
class Events {
 public:
  Events(const Configuration &configuration, Random &random, const Shape &shape, unsigned cores, std::uint64_t window_bytes)
      : configuration_(configuration), random_(random), mail_next_(cores), waits_(cores) {
    for (unsigned core = 0; core < cores; ++core) {
      writers_.emplace_back(configuration, random,
                            Writer::Limits{.wrong = shape.wrong, .window_bytes = window_bytes, .slot = core, .slots = cores});
    }
  }

  void write(unsigned actions) {
    const auto cores = static_cast<unsigned>(writers_.size());
    for (unsigned i = 0; i < actions * cores; ++i) {
      const auto core = static_cast<unsigned>(random_.below(cores));
      if (cores > 1 && random_.one_in(5)) {
        const auto other = static_cast<unsigned>((core + random_.between(1, cores - 1)) % cores);
        message(core, other);
      } else if (random_.one_in(30)) {
        barrier();
      } else if (random_.one_in(12)) {
        wait(core);
      } else {
        write_action(writers_[core]);
      }
    }
    for (unsigned core = 0; core < cores; ++core) {
      while (!waits_[core].empty()) wait(core);
    }
  }
  [[nodiscard]] std::vector<Code> codes() {
    std::vector<Code> codes;
    for (Writer &writer : writers_) codes.push_back(writer.code());
    return codes;
  }

 private:
  struct Wait {
    unsigned other;
    std::uint32_t id;
    std::uint32_t destination = 0, length = 0;  // what a receiver then copies from its mail
  };

  /// Bytes of the memory for messages that no other message uses.
  std::uint32_t mail(unsigned core, std::uint32_t length) {
    const isa::pim::Memory &memory = configuration_.memories[configuration_.memories_count - 1];
    const std::uint32_t first = memory.first + mail_next_[core];
    mail_next_[core] += length;
    return first;
  }

  void copy(Writer &writer, std::uint32_t source, std::uint32_t destination, std::uint32_t bytes) {
    writer.begin();
    const unsigned rs1 = writer.own_value(source), rs2 = writer.own_value(bytes), rd = writer.own_value(destination);
    writer.emit(words::trans(rs1, rs2, rd));
  }

  void message(unsigned sender, unsigned receiver) {
    Writer &from = writers_[sender], &to = writers_[receiver];
    const isa::pim::Memory &memory = configuration_.memories[configuration_.memories_count - 1];
    auto length = static_cast<std::uint32_t>(random_.up_to(0, std::min<std::uint64_t>(60, from.room())));
    if (std::max(mail_next_[sender], mail_next_[receiver]) + length > memory.bytes) length = 0;
    const std::uint32_t source = mail(sender, length), destination = mail(receiver, length);
    constexpr std::uint32_t kIds[] = {0, 1, 2, 0xFFFFFFFF};
    std::uint32_t id = random_.pick(kIds);
    from.begin();
    copy(from, from.local_address(length), source, length);
    // What is wrong with a message is wrong before anything goes on, so that results do not depend on timing.
    // Its id is its own, so that no later message finds a wrong partner.
    const bool wrong = from.wrong();
    if (wrong) id = 1000 + wrong_messages_++;
    const bool send_on = !wrong && random_.one_in(2), receive_on = !wrong && random_.one_in(2);
    const auto wrong_by = [&] { return wrong && random_.one_in(6) ? 1U : 0U; };
    if (!wrong || !random_.one_in(8)) {
      from.begin();
      const unsigned core = from.own_value(wrong_by() != 0 ? (random_.one_in(2) ? sender : random_.word()) : receiver);
      const unsigned rs = from.own_value(source + wrong_by()), rd = from.own_value(destination + wrong_by()), number = from.own_value(id);
      const unsigned bytes = from.own_value(wrong ? from.count(length) + wrong_by() : length);
      from.emit(words::send({.core = core, .source = rs, .destination = rd, .id = number, .length = bytes, .asynchronous = send_on}));
    }
    if (!wrong || !random_.one_in(8)) {
      to.begin();
      const unsigned core = to.own_value(wrong_by() != 0 ? (random_.one_in(2) ? receiver : random_.word()) : sender);
      const unsigned rs = to.own_value(source + wrong_by()), rd = to.own_value(destination + wrong_by()), number = to.own_value(id);
      const unsigned bytes = to.own_value(wrong ? to.count(length) + wrong_by() : length);
      to.emit(words::receive({.core = core, .source = rs, .destination = rd, .id = number, .length = bytes, .asynchronous = receive_on}));
    }
    if (send_on && random_.one_in(2)) waits_[sender].push_back({receiver, id});
    if (receive_on) {
      waits_[receiver].push_back({sender, id, destination, length});
    } else {
      to.begin();
      copy(to, destination, to.local_address(length), length);
    }
  }

  void wait(unsigned core) {
    if (waits_[core].empty()) return;
    Writer &writer = writers_[core];
    const Wait wait = waits_[core].front();
    waits_[core].pop_front();
    writer.begin();
    const unsigned other = writer.own_value(writer.wrong() ? core : wait.other);
    writer.emit(words::wait(other, writer.own_value(wait.id)));
    writer.begin();
    if (wait.length != 0) copy(writer, wait.destination, writer.local_address(wait.length), wait.length);
  }

  void barrier() {
    const std::uint64_t cores = writers_.size();
    std::set<unsigned> here;
    const std::uint64_t number = random_.up_to(1, cores);
    while (here.size() < number) here.insert(static_cast<unsigned>(random_.below(cores)));
    // Barriers of different cores must have different ids, or they would mix.
    std::uint32_t id = 0;
    for (const unsigned core : here) id = id * 67 + core + 1;
    for (const unsigned core : here) {
      Writer &writer = writers_[core];
      writer.begin();
      const unsigned rs_id = writer.own_value(id);
      const bool wrong = number == 1 && (writer.wrong() || writer.wrong());
      writer.emit(words::barrier(rs_id, writer.own_value(static_cast<std::uint32_t>(!wrong ? number : random_.one_in(2) ? 0 : cores + 1))));
    }
  }

  const Configuration &configuration_;
  Random &random_;
  std::vector<Writer> writers_;
  std::vector<std::uint32_t> mail_next_;
  std::uint32_t wrong_messages_ = 0;
  std::vector<std::deque<Wait>> waits_;
};

void fill(Bytes &bytes, Random &random) {
  const std::uint64_t density = random.below(4);
  for (std::uint8_t &byte : bytes) {
    if (density == 0) byte = static_cast<std::uint8_t>(random.byte() & random.byte());
    if (density >= 1) byte = random.byte();
  }
}

}  // namespace

RandomProgram random_program(std::uint64_t seed, const Shape &shape) {
  Random random(seed);
  RandomProgram program;
  program.configuration = shape.default_sizes ? desk_configuration() : random_configuration(random);
  const auto cores = static_cast<unsigned>(random.one_in(2) ? 1 : random.between(1, shape.most_cores));
  const std::uint64_t window_bytes =
      random.one_in(3) ? program.configuration.dram_bytes / 4 : std::min<std::uint64_t>(program.configuration.dram_bytes / 4, 1024);
  const std::uint64_t bytes = std::min<std::uint64_t>(window_bytes, 1 << 14);
  for (Bytes &window : program.dram.windows) {
    window.resize(bytes);
    fill(window, random);
  }
  program.cores.assign(cores, Core(program.configuration));
  for (Core &core : program.cores) {
    for (std::uint32_t &value : core.general) value = random.one_in(2) ? 0 : random.word();
    for (unsigned i = 0; i < 32; ++i) {
      const bool exists = i <= 8 || (i >= 16 && i <= 20);
      if (exists && program.configuration.bound[i] >= 32) core.special[i] = random.one_in(2) ? 0 : random.word();
    }
    for (Bytes &memory : core.memories) fill(memory, random);
    fill(core.array, random);
  }
  Events events(program.configuration, random, shape, cores, bytes);
  events.write(shape.actions);
  program.codes = events.codes();
  return program;
}

}  // namespace cox::model::pim::oracle
