// SPDX-License-Identifier: MIT
// Compares the detector with brute force (oracle.h) on correct streams, on correct streams with one flag removed, and on random streams.
#include <array>
#include <random>
#include <set>

#include "tests/sim/cube/hazard/oracle.h"
#include "tests/sim/cube/hazard/program.h"

namespace cox::model::cube::test {
namespace {

using isa::cube::OutputConfiguration;
using isa::cube::Start;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  unsigned below(unsigned limit) { return static_cast<unsigned>(engine_() % limit); }
  bool one_in(unsigned count) { return below(count) == 0; }

 private:
  std::mt19937 engine_;
};

/// Buffers that one pipe fills and another pipe empties in turn. A slot that empties a buffer for the last time sets no
/// flag for the producer.
class Ring {
 public:
  Ring(Pipe producer, Pipe consumer, unsigned buffers, unsigned uses, unsigned event, std::uint32_t start, std::uint32_t bytes)
      : producer_(producer), consumer_(consumer), buffers_(buffers), uses_(uses), event_(event), start_(start), bytes_(bytes) {}

  [[nodiscard]] std::uint32_t buffer(unsigned use) const { return start_ + use % buffers_ * bytes_; }
  [[nodiscard]] Slot before_fill(const Slot &slot, unsigned use) const { return use < buffers_ ? slot : slot.waits(consumer_, event_); }
  [[nodiscard]] Slot after_fill(const Slot &slot) const { return slot.sets(consumer_, event_); }
  [[nodiscard]] Slot fill(const Slot &slot, unsigned use) const { return after_fill(before_fill(slot, use)); }
  [[nodiscard]] Slot empty(const Slot &slot, unsigned use) const {
    const Slot waiting = slot.waits(producer_, event_);
    return use + buffers_ < uses_ ? waiting.sets(producer_, event_) : waiting;
  }

 private:
  Pipe producer_, consumer_;
  unsigned buffers_, uses_, event_;
  std::uint32_t start_, bytes_;
};

/// Merges the slots of all pipes into one random program order. A slot that waits for a flag comes after the slot that sets it.
std::vector<MachineCode> merged(std::array<std::vector<Slot>, isa::cube::kPipes> pipes, Random &random) {
  std::array<std::size_t, isa::cube::kPipes> next{};
  std::map<std::tuple<Pipe, Pipe, unsigned>, int> flags;
  std::vector<MachineCode> codes;
  std::size_t total = 0;
  for (const auto &slots : pipes) total += slots.size();
  while (codes.size() < total) {
    const unsigned pipe = random.below(isa::cube::kPipes);
    if (next[pipe] == pipes[pipe].size()) continue;
    const Slot &slot = pipes[pipe][next[pipe]];
    const isa::cube::Flags masks = isa::cube::flags_of(slot.code());
    bool ready = true;
    for (unsigned bit = 0; bit < 24; ++bit) {
      ready = ready && ((masks.wait >> bit & 1) == 0 || flags[{isa::cube::other_pipe(slot.pipe(), bit), slot.pipe(), bit % 8}] > 0);
    }
    if (!ready) continue;
    for (unsigned bit = 0; bit < 24; ++bit) {
      const Pipe other = isa::cube::other_pipe(slot.pipe(), bit);
      if ((masks.wait >> bit & 1) != 0) --flags[{other, slot.pipe(), bit % 8}];
      if ((masks.set >> bit & 1) != 0) ++flags[{slot.pipe(), other, bit % 8}];
    }
    codes.push_back(slot.code());
    ++next[pipe];
  }
  return codes;
}

/// Computes the tiles of a product, with rings of buffers in L1, L0A, L0B and L0C. Some products load the old C, add it to the result and
/// overwrite it.
std::vector<MachineCode> product(Random &random) {
  const unsigned tiles = 1 + random.below(4), steps = 1 + random.below(4), uses = tiles * steps;
  const bool residual = random.one_in(2);
  const unsigned event = random.below(8), other = (event + 1 + random.below(7)) % 8;
  const auto buffers = [&] { return 1 + random.below(3); };
  const Ring left1(MTE2, MTE1, buffers(), uses, event, 0, kFractal), right1(MTE2, MTE1, buffers(), uses, other, 0x1000, kFractal);
  const Ring left0(MTE1, M, buffers(), uses, event, 0, kFractal), right0(MTE1, M, buffers(), uses, other, 0, kFractal);
  const Ring accumulators(M, FIX, buffers(), tiles, event, 0, kAccumulators), old(MTE2, FIX, buffers(), tiles, event, 0x2000, kFractal);

  std::array<std::vector<Slot>, isa::cube::kPipes> pipes;
  const auto give = [&](const Slot &slot) { pipes[static_cast<std::size_t>(slot.pipe())].push_back(slot); };
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const std::uint64_t result = 0x10000 + tile * kFractal;
    if (residual) give(old.fill(load(result, old.buffer(tile)), tile));
    for (unsigned step = 0; step < steps; ++step) {
      const unsigned use = tile * steps + step;
      give(left1.fill(load(use * kFractal, left1.buffer(use)), use));
      give(right1.fill(load(0x8000 + use * kFractal, right1.buffer(use)), use));
      give(left1.empty(left0.fill(move_left(left1.buffer(use), left0.buffer(use)), use), use));
      give(right1.empty(right0.fill(move_right(right1.buffer(use), right0.buffer(use)), use), use));
      Slot product = mad(left0.buffer(use), right0.buffer(use), accumulators.buffer(tile), step == 0 ? Start::zero : Start::accumulator);
      product = right0.empty(left0.empty(product, use), use);
      if (step == 0) product = accumulators.before_fill(product, tile);
      give(step + 1 == steps ? accumulators.after_fill(product) : product);
    }
    give(output_configuration({.beta = 1, .residual = residual, .residual_pitch = 32}));
    isa::cube::Output out;
    out.destination = result;
    out.destination_pitch = 32;
    out.to = isa::cube::OutputType::bfloat16;
    out.source = accumulators.buffer(tile);
    out.rows = out.columns = 16;
    out.residual_address = old.buffer(tile);
    const Slot stored = accumulators.empty(encode(out), tile);
    give(residual ? old.empty(stored, tile) : stored);
  }
  return merged(pipes, random);
}

/// Random slots at random addresses, with random flags, and barriers. Most waits are for a flag that an earlier slot sets.
std::vector<MachineCode> anything(Random &random) {
  std::vector<MachineCode> codes = {output_configuration({.bias = true, .bias_address = 0x1000}).code()};
  std::map<std::tuple<Pipe, Pipe, unsigned>, int> flags;
  const unsigned length = 3 + random.below(20);
  while (codes.size() < length) {
    const std::uint32_t a = random.below(4) * kFractal, b = random.below(4) * kFractal, c = random.below(3) * kAccumulators;
    const auto slot = [&]() -> Slot {
      switch (random.below(10)) {
        case 0: return load_rows(random.below(3) * 96, 1 + random.below(12), 32 + random.below(80), 96, a);
        case 1: return move_left(a, b, 1 + random.below(3));
        case 2: return move_right(a, b, 1 + random.below(3));
        case 3: return load_biases(a, 64 * random.below(4), 64 * (1 + random.below(3)));
        case 4: return mad(a, b, c, random.one_in(2) ? Start::zero : Start::accumulator);
        case 5: return mad(a, b, c, Start::bias_table, 64 * random.below(16), 32);
        case 6: return store(c, random.below(3) * 64, 32 + 32 * random.below(3));
        case 7: return store_l1(c, random.below(48) * 64);
        case 8: return barrier({static_cast<Pipe>(random.below(4)), static_cast<Pipe>(random.below(4))});
        default: return load(random.below(40) * 32, random.below(64) * 64, 64 * (1 + random.below(10)));
      }
    }();
    Slot flagged = slot;
    const bool is_barrier = (slot.code()[0] & 0xFF) == static_cast<unsigned>(isa::cube::Opcode::BARRIER);
    for (unsigned other = 0; other < isa::cube::kPipes && !is_barrier; ++other) {
      const auto pipe = static_cast<Pipe>(other);
      const unsigned event = random.below(2);
      if (pipe == slot.pipe()) continue;
      if (int &ahead = flags[{pipe, slot.pipe(), event}]; ahead > 0 ? random.one_in(2) : random.one_in(300)) {
        flagged = flagged.waits(pipe, event);
        --ahead;
      }
      if (random.one_in(3)) {
        flagged = flagged.sets(pipe, event);
        ++flags[{slot.pipe(), pipe, event}];
      }
    }
    codes.push_back(flagged.code());
  }
  return codes;
}

struct Counts {
  unsigned clean = 0, hazards = 0, deadlocks = 0;
};

/// Expects the detector and the oracle to agree on whether there is a hazard, and on which slot is refused. Expects each of the detector's
/// findings to be one of the oracle's.
void compare(const Oracle &oracle, std::span<const MachineCode> codes, Counts &counts) {
  const Oracle::Verdict verdict = oracle.judge(codes);
  const std::vector<Finding> findings = findings_of(codes);
  std::set<Oracle::Pair> named;
  std::int32_t refused = -1;
  for (const Finding &found : findings) {
    if (found.kind == FindingKind::flag_left) continue;
    if (found.kind != FindingKind::hazard) {
      refused = found.later.instruction;
      EXPECT_EQ(found.kind == FindingKind::deadlock, verdict.deadlock) << found.text();
      continue;
    }
    const Oracle::Pair pair{found.earlier.instruction, found.later.instruction, found.memory};
    EXPECT_TRUE(named.insert(pair).second) << "twice: " << found.text();
    EXPECT_TRUE(std::find(verdict.unordered.begin(), verdict.unordered.end(), pair) != verdict.unordered.end()) << "none: " << found.text();
    const Oracle::Shared &shared = oracle.shared().at(pair);
    EXPECT_GE(found.first, shared.first) << found.text();
    EXPECT_LE(found.last, shared.last) << found.text();
    EXPECT_GE(found.bytes, 1U) << found.text();
    EXPECT_LE(found.bytes, shared.bytes) << found.text();
  }
  EXPECT_EQ(refused, verdict.refused) << text_of(findings);
  EXPECT_EQ(named.empty(), verdict.unordered.empty()) << text_of(findings);
  ++(refused >= 0 ? counts.deadlocks : named.empty() ? counts.clean : counts.hazards);
}

TEST(RandomStreams, ProductsAreCleanAndAnyFlagRemovedIsFound) {
  Random random(20261121);
  Counts counts;
  for (int i = 0; i < 60 && !testing::Test::HasFailure(); ++i) {
    std::vector<MachineCode> codes = product(random);
    SCOPED_TRACE(i);
    const std::vector<Finding> findings = findings_of(codes);
    EXPECT_TRUE(findings.empty()) << text_of(findings);
    const Oracle oracle(codes);
    compare(oracle, codes, counts);
    for (MachineCode &code : codes) {
      for (const unsigned mask : {isa::cube::kWaitBit, isa::cube::kSetBit}) {
        for (unsigned bit = mask; bit < mask + isa::cube::kMaskWidth; ++bit) {
          if (isa::extract_bits(code, bit, 1) == 0) continue;
          isa::insert_bits(code, bit, 1, 0);
          compare(oracle, codes, counts);
          isa::insert_bits(code, bit, 1, 1);
        }
      }
    }
  }
  EXPECT_GT(counts.hazards, 1000U);
  EXPECT_GT(counts.deadlocks, 1000U);
  EXPECT_GE(counts.clean, 60U);
}

TEST(RandomStreams, AnythingAgrees) {
  Random random(20261122);
  Counts counts;
  for (int i = 0; i < 400 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const std::vector<MachineCode> codes = anything(random);
    compare(Oracle(codes), codes, counts);
  }
  EXPECT_GT(counts.clean, 30U);
  EXPECT_GT(counts.hazards, 200U);
  EXPECT_GT(counts.deadlocks, 10U);
}

}  // namespace
}  // namespace cox::model::cube::test
