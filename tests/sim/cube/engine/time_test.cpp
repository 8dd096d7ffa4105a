// SPDX-License-Identifier: MIT
// Times at which slots of the matrix unit end, worked out by hand from docs/model.md (Time of the matrix unit). The unit takes the first
// slot 50 + 2 cycles after the doorbell, then one every 2 cycles. A pipe takes 4 cycles to issue a slot. DRAM moves 128 bytes a cycle; a
// load lands 200 cycles after its last byte. L1 and accumulators move 256 bytes a cycle. In comments, +N means N cycles after kFirst.
#include <gtest/gtest.h>

#include "sim/model/observers/event_log.h"
#include "tests/sim/cube/engine/machine.h"
#include "tests/sim/device/temporary_file.h"

namespace cox::test {
namespace time_test {

constexpr std::uint64_t kDram = CubeMachine::kWindow;
constexpr std::uint64_t kFirst = 50 + 2;  ///< cycle in which the first slot reaches its pipe
constexpr std::uint64_t kIssue = 4;

/// Start and end of a slot, and the cycles that it waited for banks or the port.
struct Times {
  std::uint64_t start, end, stalled;
};

/// Runs one stream of context 0. Returns the times of its slots in cycles after the doorbell.
std::vector<Times> times(const std::vector<cube::MachineCode> &slots, const char *geometry = "{}", std::uint64_t *stalled = nullptr) {
  static int number = 0;
  const TemporaryFile file("cube_times_" + std::to_string(number++));
  std::uint64_t total = 0;
  {
    CubeMachine machine((R"({"events": ")" + file.path() + R"(", "geometry": )" + geometry + "}").c_str());
    machine.submit(slots);
    machine.run();
    EXPECT_EQ(machine.engine_completions(), 1u);
    EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none) << std::hex << machine.engine_entry(0).detail;
    total = machine.engine_counter(r::engine::stalled_lo::kOffset);
    EXPECT_EQ(machine.engine_counter(r::engine::instructions_lo::kOffset), slots.size());
  }
  std::vector<model::EventRecord> records;
  std::string error;
  EXPECT_TRUE(model::read_event_log(file.path(), records, error)) << error;
  std::vector<Times> result(slots.size());
  std::uint64_t sum = 0;
  for (const model::EventRecord &record : records) {
    if (record.kind != model::EventKind::stream_instruction) continue;
    result.at(record.ordinal / 32) = {record.start, record.end, record.stalled};
    sum += record.stalled;
  }
  EXPECT_EQ(total, sum);
  if (stalled != nullptr) *stalled = total;
  return result;
}

/// Cycles from the start of the last slot to its end.
std::uint64_t last(const std::vector<cube::MachineCode> &slots) {
  const std::vector<Times> all = times(slots);
  return all.back().end - all.back().start;
}

cube::DramToL1 load(std::uint64_t from, std::uint32_t bytes, std::uint32_t to = 0) {
  return {from, 1, bytes, 0, cube::Format::linear, to, 0};
}
cube::L1ToL0 move(bool right, std::uint32_t rows, std::uint32_t columns, std::uint32_t to = 0) {
  return {right, cube::Type::bfloat16, false, false, 0, 64, to, rows, columns};
}
/// A MAD of m x 16 x 16 in BF16. It uses the array for ceil(m / 16) cycles.
cube::Mad mad(std::uint32_t m, std::uint32_t left = 0, std::uint32_t right = 0, std::uint32_t to = 0) {
  return {cube::Type::bfloat16, left, right, to, m, 16, 16};
}
cube::Output store(std::uint64_t to, std::uint32_t rows, std::uint32_t columns, std::uint32_t pitch, std::uint32_t from = 0) {
  cube::Output output;
  output.destination = to;
  output.destination_pitch = pitch;
  output.rows = rows;
  output.columns = columns;
  output.source = from;
  output.source_pitch = (rows + 15) / 16;
  return output;
}
cube::Output store_in_l1(std::uint32_t to, std::uint32_t rows, std::uint32_t columns) {
  cube::Output output = store(to, rows, columns, columns * 4);
  output.to_l1 = true;
  return output;
}

TEST(CubeTime, AStreamStartsAfterItsDoorbell) {
  CubeMachine machine;
  machine.now = 1000;
  machine.submit({slot(mad(16))});
  EXPECT_EQ(machine.read(r::engine::status::offset(1)), 2u);
  machine.advance_to(1049);
  EXPECT_EQ(machine.read(r::engine::status::offset(1)), 2u);
  machine.advance_to(1050);
  EXPECT_EQ(machine.read(r::engine::status::offset(1)), 1u);
  EXPECT_EQ(machine.read(r::engine::head::offset(1)), 0u);
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).end, 1050u + 2 + 4 + 1);
  EXPECT_EQ(machine.read(r::engine::status::offset(1)), 0u);
  EXPECT_EQ(machine.read(r::engine::head::offset(1)), 1u);
  EXPECT_EQ(machine.engine_counter(r::engine::busy_lo::kOffset), 5u);
}

TEST(CubeTime, ALoadIsItsBurstsAndItsLatency) {
  EXPECT_EQ(last({slot(load(kDram, 128))}), kIssue + 1 + 200);
  EXPECT_EQ(last({slot(load(kDram, 12800))}), kIssue + 100 + 200);
  // One byte takes a burst of 32 bytes, which takes a cycle.
  EXPECT_EQ(last({slot(load(kDram + 5, 1))}), kIssue + 1 + 200);
  // 128 bytes that begin in the middle of a burst take five bursts: 160 bytes, 2 cycles.
  EXPECT_EQ(last({slot(load(kDram + 16, 128))}), kIssue + 2 + 200);
}

TEST(CubeTime, RowsAreWholeBursts) {
  // 64 rows of 64 bytes with a pitch of 68. Rows start at bytes 0, 4, ..., 28 of a burst: a row at 0 takes 2 bursts, the others 3. There
  // are 8 rows at 0 and 56 others: 8 * 2 + 56 * 3 = 184 bursts, 5,888 bytes, 46 cycles.
  EXPECT_EQ(last({slot(cube::DramToL1{kDram, 64, 64, 68, cube::Format::linear, 0, 64})}), kIssue + 46 + 200);
  // Without a gap the rows are one run of 4,096 bytes.
  EXPECT_EQ(last({slot(cube::DramToL1{kDram, 64, 64, 64, cube::Format::linear, 0, 64})}), kIssue + 32 + 200);
  // One row is read 64 times: 64 * 2 = 128 bursts, 4,096 bytes, 32 cycles.
  EXPECT_EQ(last({slot(cube::DramToL1{kDram, 64, 64, 0, cube::Format::linear, 0, 64})}), kIssue + 32 + 200);
  // 5 rows of 40 bytes with a pitch of 48. They start at byte 0 or 16 of a burst and take 2 bursts each: 10 bursts, 320 bytes, 3 cycles.
  EXPECT_EQ(last({slot(cube::DramToL1{kDram, 5, 40, 48, cube::Format::fractal, 0, 1})}), kIssue + 3 + 200);
}

TEST(CubeTime, MovesWriteWholeFractals) {
  // 17 x 40 elements in BF16 fill 2 x 3 fractals of 512 bytes, which take 2 cycles each.
  EXPECT_EQ(last({slot(move(false, 17, 40))}), kIssue + 12);
  // The right matrix, with k = 40 and n = 17, fills 3 x 2 fractals.
  EXPECT_EQ(last({slot(move(true, 40, 17))}), kIssue + 12);
  // 1 x 8 elements in FP32 fill 2 fractals instead of 1, because k is rounded up to 16.
  EXPECT_EQ(last({slot(cube::L1ToL0{false, cube::Type::float32, false, true, 0, 64, 0, 1, 8})}), kIssue + 4);
  EXPECT_EQ(last({slot(cube::L1ToBt{0, 0, 1024})}), kIssue + 4);
  EXPECT_EQ(last({slot(cube::L1ToBt{0, 0, 64})}), kIssue + 1);
}

cube::Im2col map_of(std::uint32_t channels, std::uint32_t pixel_pitch, std::uint32_t dilation_x = 1) {
  cube::Im2col map;
  map.height = map.width = 16;
  map.channels = channels;
  map.type = cube::Type::int8;
  map.pixel_pitch = pixel_pitch;
  map.row_pitch = pixel_pitch * 16;
  map.kernel_height = map.kernel_width = 3;
  map.dilation_x = dilation_x;
  map.out_width = 14;
  return map;
}
std::uint64_t im2col(const cube::Im2col &map, std::uint32_t rows, std::uint32_t first_column, std::uint32_t columns) {
  cube::Im2colToL0A op;
  op.map = map;
  op.rows = rows;
  op.first_column = first_column;
  op.columns = columns;
  return last({slot(map), slot(op)}) - kIssue;
}

TEST(CubeTime, Im2colIsItsAccessesToL1) {
  // MTE1 makes 8 accesses to L1 a cycle. It writes pieces of 32 bytes. MTE1 gathers a piece from one or more runs of contiguous source
  // bytes, and each run takes an access. Here each of 32 rows has 288 columns of one byte: 9 pieces of one run each, so 32 * 9 = 288
  // accesses.
  EXPECT_EQ(im2col(map_of(32, 32), 32, 0, 288), 36u);
  // Gaps between pixels make no difference, because the 32 channels of a pixel fill a piece of 32 bytes.
  EXPECT_EQ(im2col(map_of(32, 48), 32, 0, 288), 36u);
  // 3 channels: the 27 columns of a row fit into one piece. The piece is gathered from 3 runs, one for each row of the kernel. All 32 rows
  // take 32 * 3 = 96 accesses, 8 a cycle.
  EXPECT_EQ(im2col(map_of(3, 3), 32, 0, 27), 12u);
  // Gaps between pixels, or dilation, separate the 9 pixels that the kernel reads. Each is a run of its own: 32 rows * 9 = 288 accesses, 8
  // a cycle.
  EXPECT_EQ(im2col(map_of(3, 4), 32, 0, 27), 36u);
  EXPECT_EQ(im2col(map_of(3, 3, 2), 32, 0, 27), 36u);
  // 40 channels: 360 columns in 12 pieces of 32 bytes, of which the last ends with 24 zeros. A row of the kernel is a run of 120 elements.
  // Runs end at columns 120 and 240, inside of pieces, so two pieces have two runs.
  EXPECT_EQ(im2col(map_of(40, 40), 16, 0, 360), 16u * (12 + 2) / 8);
  // This move writes only columns 32 to 63, the second 32-byte piece of each row. In the source, a gap follows column 39, the last of a
  // pixel. So the piece consists of two runs of contiguous bytes.
  EXPECT_EQ(im2col(map_of(40, 48), 16, 32, 32), 16u * 2 / 8);
  // A move of 17 rows writes two whole fractals, 32 rows. The first 17 rows take 2 accesses each, the others 1. MTE1 makes 8 accesses a
  // cycle, and adding 7 rounds the division up.
  EXPECT_EQ(im2col(map_of(40, 48), 17, 32, 32), (32u + 17 + 7) / 8);
}

TEST(CubeTime, AProductOfFractalsACycle) {
  EXPECT_EQ(last({slot(mad(1))}), kIssue + 1);
  // 33 x 17 x 49 in BF16: 3 * 2 * 4 products of fractals, one a cycle.
  EXPECT_EQ(last({slot(cube::Mad{cube::Type::bfloat16, 0, 0, 0, 33, 17, 49})}), kIssue + 24);
  EXPECT_EQ(last({slot(cube::Mad{cube::Type::half, 0, 0, 0, 33, 17, 49})}), kIssue + 24);
  // k = 17 takes 3 fractals in FP32 (4 if aligned) and 1 in INT8. k = 66 takes 2 in INT4.
  EXPECT_EQ(last({slot(cube::Mad{cube::Type::float32, 0, 0, 0, 33, 17, 49})}), kIssue + 36);
  EXPECT_EQ(last({slot(cube::Mad{cube::Type::float32, 0, 0, 0, 33, 17, 49, true})}), kIssue + 48);
  EXPECT_EQ(last({slot(cube::Mad{cube::Type::int8, 0, 0, 0, 33, 17, 49})}), kIssue + 12);
  EXPECT_EQ(last({slot(cube::Mad{cube::Type::int4, 0, 0, 0, 33, 66, 49})}), kIssue + 24);
  EXPECT_EQ(last({slot(cube::Mad{cube::Type::int8, 0, 0, 0, 33, 0, 49})}), kIssue + 1);
}

TEST(CubeTime, OutputIsItsAccumulatorsOrItsBytes) {
  const cube::MachineCode plain = slot(cube::OutputConfiguration{});
  // Reading 64 x 64 accumulators takes 64 cycles. In FP32 the 64 rows have 16,384 bytes together, which take 128 cycles of the port.
  EXPECT_EQ(last({plain, slot(store(kDram, 64, 64, 256))}), kIssue + 128);
  // In INT8 the 64 rows have 4,096 bytes together, which take 32 cycles of the port. Reading the accumulators takes longer: 64 cycles.
  cube::Output narrow = store(kDram, 64, 64, 64);
  narrow.to = cube::OutputType::int8;
  EXPECT_EQ(last({plain, slot(narrow)}), kIssue + 64);
  // One column has 64 rows of one burst each: 2,048 bytes, 16 cycles. Reading the accumulators takes only 1 cycle.
  EXPECT_EQ(last({plain, slot(store(kDram, 64, 1, 1024))}), kIssue + 16);
  EXPECT_EQ(last({plain, slot(store_in_l1(0, 64, 64))}), kIssue + 64);
  EXPECT_EQ(last({plain, slot(store_in_l1(0, 5, 13))}), kIssue + 2);
}

TEST(CubeTime, FlagsAndConfigurationsCostTheirIssue) {
  EXPECT_EQ(last({slot(cube::OutputConfiguration{})}), kIssue);
  EXPECT_EQ(last({slot(map_of(3, 3))}), kIssue);
  EXPECT_EQ(last({set_flag(Pipe::M, Pipe::FIX, 0), wait_flag(Pipe::FIX, Pipe::M, 0)}), kIssue);
}

TEST(CubeTime, SlotsAreHandedOutOneEveryTwoCycles) {
  // Four pipes with independent slots.
  const std::vector<Times> all = times({slot(load(kDram, 32, 0x1000)), slot(cube::L1ToBt{0, 0, 64}), slot(mad(16)),
                                        slot(cube::OutputConfiguration{}), slot(mad(16)), slot(mad(16))});
  EXPECT_EQ(all[0].start, kFirst);
  EXPECT_EQ(all[1].start, kFirst + 2);
  EXPECT_EQ(all[2].start, kFirst + 4);
  EXPECT_EQ(all[3].start, kFirst + 6);
  // The second MAD is ready at +8, while the first one runs from +4 to +9. The third waits for the second.
  EXPECT_EQ(all[4].start, kFirst + 9);
  EXPECT_EQ(all[5].start, kFirst + 14);
  EXPECT_EQ(times({slot(mad(16)), slot(cube::L1ToBt{0, 0, 64})}, R"({"cube_dispatch_cycles": 10})")[1].start, 50u + 20);
}

TEST(CubeTime, LoadsOverlapTheLatencyOfThoseBefore) {
  const std::vector<Times> all = times({slot(load(kDram, 1280, 0)), slot(load(kDram, 1280, 0x1000)), slot(load(kDram, 1280, 0x2000)),
                                        set_flag(Pipe::MTE2, Pipe::MTE1, 0), wait_flag(Pipe::MTE1, Pipe::MTE2, 0)});
  EXPECT_EQ(all[0].end, kFirst + 4 + 10 + 200);
  EXPECT_EQ(all[1].start, kFirst + 14);
  EXPECT_EQ(all[1].end, kFirst + 28 + 200);
  EXPECT_EQ(all[2].end, kFirst + 42 + 200);
  // The SET_FLAG starts when the last load has moved its bytes. It sets the flag 200 cycles later, when these bytes are in L1.
  EXPECT_EQ(all[3].start, kFirst + 42);
  EXPECT_EQ(all[3].end, kFirst + 42 + 200);
  EXPECT_EQ(all[4].start, kFirst + 42 + 200);
}

TEST(CubeTime, ASetFlagIsThereWhenItsSlotEnds) {
  const std::vector<Times> all = times({slot(mad(160), {{}, {{Pipe::FIX, 3}}}), slot(cube::OutputConfiguration{}, {{{Pipe::M, 3}}, {}})});
  EXPECT_EQ(all[0].end, kFirst + 14);
  EXPECT_EQ(all[1].start, kFirst + 14);
  EXPECT_EQ(all[1].stalled, 0u);
}

TEST(CubeTime, TwoPipesDoNotHoldOneBank) {
  // The array reads the lower halves of L0A and L0B for 100 cycles and writes the lower half of L0C.
  const cube::Mad long_mad{cube::Type::bfloat16, 0, 0, 0, 80, 160, 32};
  const std::vector<Times> all = times({slot(long_mad), slot(move(false, 16, 16, 0x7E00)), slot(move(false, 16, 16, 0x8000)),
                                        slot(cube::OutputConfiguration{}), slot(store_in_l1(0, 16, 16))});
  EXPECT_EQ(all[0].end, kFirst + 104);
  // The first move is ready 2 cycles after the MAD has started. It needs the same half of L0A as the MAD.
  EXPECT_EQ(all[1].start, kFirst + 104);
  EXPECT_EQ(all[1].stalled, 102u);
  EXPECT_EQ(all[2].start, kFirst + 110);
  EXPECT_EQ(all[2].stalled, 0u);
  // FIX needs the half of L0C that the MAD writes, so it starts when the MAD ends, at +104. It has waited since +10: OUT_CFG, the fourth
  // slot, was issued at +6 and took 4 cycles.
  EXPECT_EQ(all[4].start, kFirst + 104);
  EXPECT_EQ(all[4].stalled, 104u - (6 + 4));
}

TEST(CubeTime, TheOtherHalfIsFree) {
  const cube::Mad long_mad{cube::Type::bfloat16, 0, 0, 0, 80, 160, 32};
  const std::vector<Times> all = times({slot(long_mad), slot(move(false, 16, 16, 0x8000)), slot(move(true, 16, 16, 0x8000)),
                                        slot(cube::OutputConfiguration{}), slot(store(kDram, 16, 16, 64, 0x20000))});
  EXPECT_EQ(all[1].start, kFirst + 2);
  EXPECT_EQ(all[2].start, kFirst + 8);
  EXPECT_EQ(all[4].start, kFirst + 10);
  EXPECT_EQ(all[1].stalled + all[2].stalled + all[4].stalled, 0u);
}

TEST(CubeTime, HalvesEndWhereTheOtherOnesBegin) {
  // 64 fractals fill the lower half of L0A. Moving them takes 128 cycles. The array reads from the upper half.
  const auto fill = [](std::uint32_t columns) {
    return slot(cube::L1ToL0{false, cube::Type::bfloat16, false, false, 0, 1, 0, 16, columns});
  };
  EXPECT_EQ(times({fill(1024), slot(mad(16, 0x8000))})[1].stalled, 0u);
  // 65 fractals reach into the upper half of L0A, which the array reads. The move holds this half for 4 + 130 cycles. The MAD arrives 2
  // cycles after the move and waits until it ends.
  EXPECT_EQ(times({fill(1040), slot(mad(16, 0x8000))})[1].stalled, 4u + 130 - 2);
  // This move fills only the lower half of L0A. The MAD reads the last fractal of this half. The move takes 4 + 128 cycles. The MAD
  // arrives 2 cycles after the move and waits until it ends.
  EXPECT_EQ(times({fill(1024), slot(mad(16, 0x7E00))})[1].stalled, 4u + 128 - 2);
}

TEST(CubeTime, OfThoseThatWaitForABankTheOlderOneIsFirst) {
  // FIX uses the lower half of L0C from +4 to +72: 4 cycles of issue and 64 of output. The MAD is ready at +4 and needs that half, and also
  // the lower half of L0A. The move is ready at +6 and needs the lower half of L0A, too. It does not overtake the MAD, which is older.
  const std::vector<Times> all =
      times({slot(cube::OutputConfiguration{}), slot(store_in_l1(0, 64, 64)), slot(mad(16)), slot(move(false, 16, 16))});
  EXPECT_EQ(all[1].start, kFirst + 4);
  EXPECT_EQ(all[1].end, kFirst + 4 + 68);
  EXPECT_EQ(all[2].start, kFirst + 72);
  EXPECT_EQ(all[2].stalled, 68u);
  EXPECT_EQ(all[3].start, kFirst + 77);
  EXPECT_EQ(all[3].stalled, 71u);
}

TEST(CubeTime, LoadsAndOutputShareThePort) {
  // The load issues until +4 and then moves 128 bytes a cycle: 768 of its 12,800 bytes until +10. From +10 on, FIX also moves 6,400 bytes,
  // and each gets half of the port, until +110. The last 5,632 bytes of the load take 44 cycles.
  cube::Output output = store(kDram + 0x10000, 16, 100, 400);
  std::uint64_t stalled = 0;
  const std::vector<Times> all = times({slot(load(kDram, 12800, 0x1000)), slot(cube::OutputConfiguration{}), slot(output)}, "{}", &stalled);
  EXPECT_EQ(all[2].start, kFirst + 6);
  EXPECT_EQ(all[2].end, kFirst + 110);
  EXPECT_EQ(all[2].stalled, 50u);
  EXPECT_EQ(all[0].end, kFirst + 154 + 200);
  EXPECT_EQ(all[0].stalled, 50u);
  EXPECT_EQ(stalled, 100u);
}

TEST(CubeTime, AFullQueueHoldsTheDispatcher) {
  // The array runs one slot, and its queue holds two. The dispatcher hands out the fourth MAD at +104, when the first has ended and the
  // second has left the queue. The slot of MTE1 follows 2 cycles later.
  const std::vector<Times> all =
      times({slot(mad(1600)), slot(mad(16)), slot(mad(16)), slot(mad(16)), slot(cube::L1ToBt{0, 0, 64})}, R"({"cube_queue_slots": 2})");
  EXPECT_EQ(all[1].start, kFirst + 104);
  EXPECT_EQ(all[4].start, kFirst + 104 + 2);
}

TEST(CubeTime, ABarrierHoldsTheDispatcherUntilItsPipesAreDone) {
  // The first barrier ends when the load lands: 4 issue + 1 transfer + 200 latency. The MAD is the second slot. It starts at +2, issues for
  // 4 cycles and uses the array for 1,000.
  const cube::Mad long_mad{cube::Type::bfloat16, 0, 0, 0, 160, 160, 160};
  const std::vector<Times> all = times({slot(load(kDram, 128, 0x1000)), slot(long_mad), cube::encode(cube::Barrier{1}),
                                        slot(cube::L1ToBt{0, 0, 64}), cube::encode(cube::Barrier{4}), slot(cube::L1ToBt{0, 0, 64})});
  EXPECT_EQ(all[2].start, kFirst + 4);
  EXPECT_EQ(all[2].end, kFirst + 205);
  EXPECT_EQ(all[3].start, kFirst + 205 + 2);
  EXPECT_EQ(all[4].start, kFirst + 205 + 4);
  EXPECT_EQ(all[4].end, kFirst + 2 + 1004);
  EXPECT_EQ(all[5].start, kFirst + 2 + 1004 + 2);
  // A barrier for idle pipes costs only the dispatcher's 2 cycles.
  EXPECT_EQ(times({cube::encode(cube::Barrier{15}), slot(mad(16))})[1].start, kFirst + 2);
}

TEST(CubeTime, GeometryIsUsed) {
  const char *geometry =
      R"({"cube_issue_cycles": 10, "cube_dram_bytes_per_cycle": 64, "cube_dram_latency": 5, "cube_l1_bytes_per_cycle": 32,
                             "cube_out_bytes_per_cycle": 64})";
  const std::vector<Times> all =
      times({slot(load(kDram, 128, 0x1000)), slot(cube::L1ToBt{0, 0, 64}), slot(cube::OutputConfiguration{}), slot(store_in_l1(0, 16, 16))},
            geometry);
  EXPECT_EQ(all[0].end - all[0].start, 10u + 2 + 5);
  EXPECT_EQ(all[1].end - all[1].start, 10u + 2);
  EXPECT_EQ(all[3].end - all[3].start, 10u + 16);
}

TEST(CubeTime, CountersAreOfSlots) {
  CubeMachine machine;
  machine.submit({slot(load(kDram + 5, 1)), slot(mad(16), {}), cube::encode(cube::Barrier{15}), slot(cube::OutputConfiguration{}),
                  slot(store(kDram, 16, 16, 64))});
  machine.run();
  EXPECT_EQ(machine.engine_counter(r::engine::instructions_lo::kOffset), 5u);
  // The counter counts the bytes of whole bursts: 32 of the load and 1,024 of the store.
  EXPECT_EQ(machine.engine_counter(r::engine::bytes_lo::kOffset), 32u + 1024);
  // The unit is busy from +0 until the load lands at +205. After the barrier, from +207, it is busy for 16 cycles: OUT_CFG takes 4, and the
  // store 4 of issue and 8 of output.
  EXPECT_EQ(machine.engine_entry(0).end, kFirst + 207 + 4 + 12);
  EXPECT_EQ(machine.engine_counter(r::engine::busy_lo::kOffset), 205u + 16);
  EXPECT_EQ(machine.engine_counter(r::engine::stalled_lo::kOffset), 0u);
}

}  // namespace time_test
}  // namespace cox::test
