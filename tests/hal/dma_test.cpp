// SPDX-License-Identifier: MIT
// The DMA driver: arguments, and the exact order of its register accesses. The test acts as the engine.
#include "coxswain/hal/dma.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/hal/fault_log.h"
#include "tests/hal/scripted_model.h"
#include "tests/hal/strict_bus.h"

namespace cox::hal {
namespace {

namespace d = registers::dma;

// Offsets of docs/dma-registers.md from the accelerator's base address, as StrictBus counts.
constexpr std::uint32_t kDma = static_cast<std::uint32_t>(BOARD_DMA_BASE) - static_cast<std::uint32_t>(BOARD_NPU_BASE);
constexpr std::uint32_t kStatus = kDma + 0x10, kEnable = kDma + 0x14;
constexpr std::uint32_t kChannel[] = {kDma + 0x100, kDma + 0x140};
constexpr std::uint32_t kControlOf = 0x00, kStatusOf = 0x04, kListLowOf = 0x08, kListHighOf = 0x0C;
constexpr std::uint32_t kBusy = 1;
constexpr unsigned kAbortLooks = 16;  // looks at a channel that abort() makes
constexpr std::uintptr_t kDram = BOARD_DRAM_BASE;
constexpr std::uint32_t kBig = Dma::kLeastListBytes;

class DmaDriver : public testing::Test {
 protected:
  void start_board(bool has_dma = true) {
    board::scripted_model() = board::ScriptedModel();
    board::NativeBoardSettings settings;
    settings.dram_bytes = std::size_t{16} << 20;
    settings.has_dma = has_dma;
    std::string error;
    board_.reset();
    board_ = board::NativeBoard::create(std::move(settings), error);
    ASSERT_NE(board_, nullptr) << error;
    bus_.emplace();
    for (std::size_t i = 0; i < (std::size_t{1} << 20); ++i) board_->dram()[i] = static_cast<std::byte>(i * 3 + i / 255);
  }
  void SetUp() override { start_board(); }
  void TearDown() override {
    bus_.reset();
    board_.reset();
  }

  static std::span<std::byte> memory() { return board::queue_memory().first(Dma::kQueueBytes); }
  static d::Slot &slot(unsigned index) { return reinterpret_cast<d::Slot *>(memory().data())[index]; }
  static DmaCopy copy_of(std::uint32_t bytes) { return {.source = kDram + 0x1000, .destination = kDram + 0x200000, .bytes = bytes}; }

  void expect_identity() {
    bus_->expect_read(kDma + 0x00, d::id::kResetValue);
    bus_->expect_read(kDma + 0x04, 0x0001'0007);
    bus_->expect_read(kDma + 0x08, 2);
    bus_->expect_write(kEnable, 0);
  }
  void open(Dma &dma) {
    expect_identity();
    for (unsigned channel = 0; channel < 2; ++channel) expect_stop(channel, 0);
    bus_->expect_write(kStatus, 3);
    bus_->expect_write(kEnable, 3);
    ASSERT_TRUE(dma.open(memory()).ok());
    EXPECT_TRUE(bus_->done());
  }
  void expect_start(unsigned channel, const d::Slot &first) {
    const auto address = reinterpret_cast<std::uintptr_t>(&first);
    bus_->expect_barrier();
    bus_->expect_write(kChannel[channel] + kListLowOf, static_cast<std::uint32_t>(address));
    bus_->expect_write(kChannel[channel] + kListHighOf, static_cast<std::uint32_t>(std::uint64_t{address} >> 32));
    bus_->expect_write(kChannel[channel] + kControlOf, 1);
  }
  /// The channel is busy at the first `busy_reads` of at most `most` looks behind an abort.
  void expect_stop(unsigned channel, unsigned busy_reads, unsigned most = kResetPolls) {
    bus_->expect_write(kChannel[channel] + kControlOf, 2);
    for (unsigned i = 0; i < busy_reads; ++i) bus_->expect_read(kChannel[channel] + kStatusOf, kBusy);
    if (busy_reads < most) bus_->expect_read(kChannel[channel] + kStatusOf, 5 << 4);
  }
  /// abort(), or supervise() at the time limit, of a list that the channel has.
  void expect_abort(unsigned channel, unsigned busy_reads) {
    expect_stop(channel, busy_reads, kAbortLooks);
    if (busy_reads < kAbortLooks) bus_->expect_barrier();
  }
  /// A fault record takes the device's time.
  void expect_time() {
    bus_->expect_read(0x40, 0);
    bus_->expect_read(0x44, 0);
  }
  static void finish(d::Slot &slot, d::Error error = d::Error::none) { slot.status.state = d::Status::state_of(error); }
  /// The outcome of a list whose completion supervise() notices.
  Status supervised(Dma &dma, Dma::Handle handle, unsigned channel, std::uint32_t status, bool is_fault = false) {
    bus_->expect_read(kChannel[channel] + kStatusOf, status);
    bus_->expect_barrier();
    if (is_fault) expect_time();
    dma.supervise();
    bus_->expect_barrier();
    return dma.take(handle);
  }

  std::unique_ptr<board::NativeBoard> board_;
  std::optional<StrictBus> bus_;
};

TEST_F(DmaDriver, OpensOnlyWhatItKnows) {
  Dma dma;
  EXPECT_EQ(dma.submit({}).status().code(), ErrorCode::not_ready);
  EXPECT_EQ(dma.open(memory().first(64)).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(dma.open(board::queue_memory().subspan(8, Dma::kQueueBytes)).code(), ErrorCode::invalid_argument);
  bus_->expect_read(kDma, 5);
  EXPECT_STREQ(dma.open(memory()).what(), "DMA.ID");
  bus_->expect_read(kDma, d::id::kResetValue);
  bus_->expect_read(kDma + 4, 0x0002'0000);
  EXPECT_STREQ(dma.open(memory()).what(), "DMA.VERSION");
  bus_->expect_read(kDma, d::id::kResetValue);
  bus_->expect_read(kDma + 4, 0x0001'0000);
  bus_->expect_read(kDma + 8, 1);
  EXPECT_STREQ(dma.open(memory()).what(), "DMA.GEOMETRY");
  EXPECT_FALSE(dma.is_open());
  open(dma);
  bus_->expect_write(kEnable, 0);
  for (unsigned channel = 0; channel < 2; ++channel) expect_stop(channel, 0);
  EXPECT_TRUE(dma.close().ok());
  EXPECT_FALSE(dma.is_open());
}

TEST_F(DmaDriver, OpenEndsWhatAnEarlierBootHasBegun) {
  Dma dma;
  expect_identity();
  expect_stop(0, 0);
  expect_stop(1, 2);
  bus_->expect_write(kStatus, 3);
  bus_->expect_write(kEnable, 3);
  EXPECT_TRUE(dma.open(memory()).ok());
  Dma other;
  expect_identity();
  expect_stop(0, kResetPolls);
  const Status status = other.open(memory());
  EXPECT_EQ(status.code(), ErrorCode::timeout);
  EXPECT_EQ(status.index(), 0);
}

TEST_F(DmaDriver, ABadCopyTouchesNothing) {
  Dma dma;
  open(dma);
  const std::vector<std::byte> before(board_->dram().begin(), board_->dram().begin() + 0x300000);
  const auto refusal = [&](const DmaCopy &bad) { return dma.submit(std::vector{copy_of(kBig), bad}).status(); };
  struct Case {
    DmaCopy copy;
    ErrorCode code;
    const char *what;
  };
  const std::uintptr_t end = kDram + board_->dram().size();
  const std::uintptr_t a = kDram + 0x1000, b = kDram + 0x200000;
  const Case cases[] = {
      {{a, b, 0}, ErrorCode::invalid_argument, "bytes"},
      {{a, b, d::kMostRowBytes + 1}, ErrorCode::invalid_argument, "bytes"},
      {{a, b, 64, 0, 64, 64}, ErrorCode::invalid_argument, "rows"},
      {{a, b, 64, d::kMostRows + 1, 64, 64}, ErrorCode::invalid_argument, "rows"},
      {{a, b, 64, 2, 63, 64}, ErrorCode::invalid_argument, "stride"},
      {{a, b, 64, 2, 64, 0}, ErrorCode::invalid_argument, "stride"},
      {{a + 4, b, 64, 2, 64, 64}, ErrorCode::misaligned_address, "source"},
      {{a, b, 64, 2, 68, 64}, ErrorCode::misaligned_address, "source"},
      {{a, b + 32, 64, 2, 64, 64}, ErrorCode::misaligned_address, "destination"},
      {{a, b, 64, 2, 64, 96}, ErrorCode::misaligned_address, "destination"},
      {{a, b, 96, 2, 128, 128}, ErrorCode::misaligned_address, "destination"},
      {{kDram - 8, b, 64}, ErrorCode::window_outside_dram, "source"},
      {{end - 63, b, 64}, ErrorCode::window_outside_dram, "source"},
      {{a, end - 63, 64}, ErrorCode::window_outside_dram, "destination"},
      {{a, end - 128, 64, 3, 64, 64}, ErrorCode::window_outside_dram, "destination"},
      {{a, b, 64, d::kMostRows, 0xFFFFFFC0, 64}, ErrorCode::window_outside_dram, "source"},
      {{a, UINTPTR_MAX - 8, 64}, ErrorCode::window_outside_dram, "destination"},
      {{a, a + 63, 64}, ErrorCode::window_overlap, "destination"},
      {{a, a, 64}, ErrorCode::window_overlap, "destination"},
      {{a, a + 64, 64, 2, 128, 128}, ErrorCode::window_overlap, "destination"},
  };
  for (const Case &bad : cases) {
    const Status status = refusal(bad.copy);
    EXPECT_EQ(status.code(), bad.code) << &bad - cases;
    EXPECT_STREQ(status.what(), bad.what) << &bad - cases;
    EXPECT_EQ(status.index(), 1) << &bad - cases;
  }
  EXPECT_STREQ(dma.submit({}).status().what(), "copies");
  EXPECT_STREQ(dma.submit(std::vector<DmaCopy>(Dma::kMostCopies + 1, copy_of(8))).status().what(), "copies");
  EXPECT_TRUE(std::equal(before.begin(), before.end(), board_->dram().begin()));
}

TEST_F(DmaDriver, FillsDescriptorsAndStartsTheList) {
  Dma dma;
  open(dma);
  expect_start(0, slot(0));
  const DmaCopy rows{
      .source = kDram + 0x8, .destination = kDram + 0x300000, .bytes = 128, .rows = 100, .source_stride = 136, .destination_stride = 192};
  const Result<Dma::Handle> handle = dma.submit(std::vector{copy_of(kBig), rows});
  ASSERT_TRUE(handle.ok());
  const d::Descriptor &first = slot(0).descriptor;
  EXPECT_EQ(first.source, kDram + 0x1000);
  EXPECT_EQ(first.destination, kDram + 0x200000);
  EXPECT_EQ(first.row_bytes, kBig);
  EXPECT_EQ(first.rows, 1U);
  EXPECT_EQ(first.next, reinterpret_cast<std::uintptr_t>(&slot(1)));
  EXPECT_EQ(first.control, d::Descriptor::kMark);
  const d::Descriptor &second = slot(1).descriptor;
  EXPECT_EQ(second.row_bytes, 128U);
  EXPECT_EQ(second.rows, 100U);
  EXPECT_EQ(second.source_stride, 136U);
  EXPECT_EQ(second.destination_stride, 192U);
  EXPECT_EQ(second.next, 0U);
  EXPECT_FALSE(dma.has_ended(handle.value()));
  EXPECT_EQ(dma.take(handle.value()).code(), ErrorCode::not_ready);
  finish(slot(0));
  finish(slot(1));
  EXPECT_TRUE(supervised(dma, handle.value(), 0, 2 << 16).ok());
  EXPECT_EQ(dma.take(handle.value()).code(), ErrorCode::invalid_argument) << "taken already";
  EXPECT_FALSE(dma.has_ended(handle.value()));
  EXPECT_EQ(dma.abort(handle.value()).code(), ErrorCode::invalid_argument);
}

// The engine gets whole lines; the core copies what is beside them, and writes nothing else.
TEST_F(DmaDriver, TheCoreCopiesTheEnds) {
  Dma dma;
  open(dma);
  std::byte *const dram = board_->dram().data();
  const DmaCopy copy{.source = kDram + 0x1005, .destination = kDram + 0x200005, .bytes = 3 * kBig};
  expect_start(0, slot(0));
  const Result<Dma::Handle> handle = dma.submit(std::vector{copy});
  ASSERT_TRUE(handle.ok());
  const d::Descriptor &descriptor = slot(0).descriptor;
  EXPECT_EQ(descriptor.source, kDram + 0x1040);
  EXPECT_EQ(descriptor.destination, kDram + 0x200040);
  EXPECT_EQ(descriptor.row_bytes, 3 * kBig - 64);
  EXPECT_EQ(std::memcmp(dram + 0x200005, dram + 0x1005, 59), 0);
  EXPECT_EQ(std::memcmp(dram + 0x200040 + 3 * kBig - 64, dram + 0x1040 + 3 * kBig - 64, 5), 0);
  EXPECT_EQ(dram[0x200004], std::byte{0});
  EXPECT_EQ(dram[0x200040], std::byte{0});
  EXPECT_EQ(dram[0x200005 + 3 * kBig], std::byte{0});
  finish(slot(0));
  EXPECT_TRUE(supervised(dma, handle.value(), 0, 1 << 16).ok());
}

TEST_F(DmaDriver, TheCoreCopiesWhatIsSmallOrShifted) {
  Dma dma;
  open(dma);
  std::byte *const dram = board_->dram().data();
  const DmaCopy shifted{.source = kDram + 0x1001, .destination = kDram + 0x300000, .bytes = 4 * kBig};
  const std::uint32_t small = Dma::kLeastBytes - 1;
  const Result<Dma::Handle> handle = dma.submit(std::vector{copy_of(small), shifted});
  ASSERT_TRUE(handle.ok());
  EXPECT_TRUE(dma.has_ended(handle.value())) << "at once, without the engine";
  EXPECT_EQ(std::memcmp(dram + 0x200000, dram + 0x1000, small), 0);
  EXPECT_EQ(dram[0x200000 + small], std::byte{0});
  EXPECT_EQ(std::memcmp(dram + 0x300000, dram + 0x1001, 4 * kBig), 0);
  bus_->expect_barrier();
  EXPECT_TRUE(dma.take(handle.value()).ok());
}

// A list that is small costs the core more than its copies. Copies of the same size go by the engine if there are more of them.
TEST_F(DmaDriver, TheCoreCopiesASmallList) {
  Dma dma;
  open(dma);
  const DmaCopy rows{
      .source = kDram + 0x8, .destination = kDram + 0x300000, .bytes = 64, .rows = 16, .source_stride = 64, .destination_stride = 128};
  const Result<Dma::Handle> small = dma.submit(std::vector{copy_of(kBig - 1025), rows});
  ASSERT_TRUE(small.ok());
  EXPECT_TRUE(dma.has_ended(small.value()));
  EXPECT_EQ(std::memcmp(board_->dram().data() + 0x300080, board_->dram().data() + 0x48, 64), 0);
  expect_start(0, slot(Dma::kMostCopies));
  const Result<Dma::Handle> large = dma.submit(std::vector{copy_of(kBig - 1024), rows});
  ASSERT_TRUE(large.ok());
  EXPECT_FALSE(dma.has_ended(large.value()));
  EXPECT_EQ(slot(Dma::kMostCopies).descriptor.next, reinterpret_cast<std::uintptr_t>(&slot(Dma::kMostCopies + 1)));
}

TEST_F(DmaDriver, ABoardWithoutAnEngineCopiesByTheCore) {
  start_board(false);
  EXPECT_FALSE(Dma::is_present());
  Dma dma;
  ASSERT_TRUE(dma.open(memory()).ok());
  std::byte *const dram = board_->dram().data();
  const DmaCopy rows{
      .source = kDram + 0x1000, .destination = kDram + 0x300000, .bytes = 64, .rows = 3, .source_stride = 72, .destination_stride = 128};
  const Result<Dma::Handle> handle = dma.submit(std::vector{copy_of(2 * kBig), rows});
  ASSERT_TRUE(handle.ok());
  bus_->expect_barrier();
  EXPECT_TRUE(dma.wait(handle.value()).ok());
  EXPECT_EQ(std::memcmp(dram + 0x200000, dram + 0x1000, 2 * kBig), 0);
  for (unsigned row = 0; row < 3; ++row) EXPECT_EQ(std::memcmp(dram + 0x300000 + 128 * row, dram + 0x1000 + 72 * row, 64), 0);
  EXPECT_EQ(dram[0x300040], std::byte{0});
  dma.supervise();
  EXPECT_TRUE(dma.close().ok());
}

// Two lists move at once; the others wait in the order of their submission.
TEST_F(DmaDriver, ListsWaitForAChannel) {
  Dma dma;
  open(dma);
  std::vector<Dma::Handle> handles;
  for (unsigned i = 0; i < Dma::kLists; ++i) {
    if (i < 2) expect_start(i, slot(i * Dma::kMostCopies));
    const Result<Dma::Handle> handle = dma.submit(std::vector{copy_of(kBig)});
    ASSERT_TRUE(handle.ok());
    handles.push_back(handle.value());
  }
  EXPECT_EQ(dma.submit(std::vector{copy_of(kBig)}).status().code(), ErrorCode::no_room);
  finish(slot(Dma::kMostCopies));
  bus_->expect_read(kChannel[0] + kStatusOf, kBusy);
  bus_->expect_read(kChannel[1] + kStatusOf, 1 << 16);
  bus_->expect_barrier();
  expect_start(1, slot(2 * Dma::kMostCopies));
  dma.supervise();
  EXPECT_TRUE(dma.has_ended(handles[1]));
  // A list that waits is ended without the engine.
  ASSERT_TRUE(dma.abort(handles[3]).ok());
  bus_->expect_barrier();
  EXPECT_EQ(dma.take(handles[3]).code(), ErrorCode::cancelled);
  // A list that moves is aborted.
  expect_abort(0, 1);
  ASSERT_TRUE(dma.abort(handles[0]).ok());
  bus_->expect_barrier();
  EXPECT_EQ(dma.take(handles[0]).code(), ErrorCode::cancelled);
  ASSERT_TRUE(dma.abort(handles[1]).ok()) << "it has ended, and keeps its outcome";
  bus_->expect_barrier();
  EXPECT_TRUE(dma.take(handles[1]).ok());
}

TEST_F(DmaDriver, AnErrorIsReportedWithItsCopyAndRecorded) {
  Dma dma;
  open(dma);
  expect_start(0, slot(0));
  const Result<Dma::Handle> handle = dma.submit(std::vector{copy_of(kBig), copy_of(8), copy_of(kBig)});
  ASSERT_TRUE(handle.ok());
  EXPECT_EQ(slot(0).descriptor.next, reinterpret_cast<std::uintptr_t>(&slot(2))) << "the core has done the second copy";
  finish(slot(0));
  finish(slot(2), d::Error::bus_write);
  const Status status = supervised(dma, handle.value(), 0, 2 << 4 | 1 << 16, true);
  EXPECT_EQ(status.code(), ErrorCode::device_fault);
  EXPECT_STREQ(status.what(), "bus_write");
  EXPECT_EQ(status.index(), 2);
  EXPECT_EQ(status.value(), 2);
  ASSERT_NE(fault_log::size(), 0U);
  const FaultRecord record = fault_log::at(fault_log::size() - 1);
  EXPECT_EQ(record.queue, d::kFirstQueueNumber);
  EXPECT_EQ(record.error, ErrorCode::device_fault);
  EXPECT_EQ(record.instruction, 2);
  EXPECT_EQ(record.detail, 2U);
}

TEST_F(DmaDriver, ALinkThatMemoryHasChangedIsNotFollowed) {
  Dma dma;
  open(dma);
  const auto address_of = [](unsigned index) { return std::uint64_t{reinterpret_cast<std::uintptr_t>(&slot(index))}; };
  for (const std::uint64_t link : {std::uint64_t{1}, address_of(0), address_of(1) + 8, address_of(3), ~std::uint64_t{0}}) {
    for (const d::Error error : {d::Error::none, d::Error::bus_write}) {
      const bool fails = error != d::Error::none;
      expect_start(0, slot(0));
      const Result<Dma::Handle> handle = dma.submit(std::vector{copy_of(kBig), copy_of(kBig), copy_of(kBig)});
      ASSERT_TRUE(handle.ok());
      slot(0).descriptor.next = link;
      finish(slot(0));
      finish(slot(1));
      finish(slot(2), error);
      const Status status = supervised(dma, handle.value(), 0, fails ? 2 << 4 | 1 << 16 : 0, fails);
      EXPECT_EQ(status.ok(), !fails) << link;
      if (fails) {
        EXPECT_EQ(status.index(), 2) << link;
      }
    }
  }
}

TEST_F(DmaDriver, ALostStartIsRepeated) {
  Dma dma;
  open(dma);
  expect_start(0, slot(0));
  const Result<Dma::Handle> handle = dma.submit(std::vector{copy_of(kBig)});
  ASSERT_TRUE(handle.ok());
  bus_->expect_read(kChannel[0] + kStatusOf, 5 << 4);
  bus_->expect_barrier();
  expect_start(0, slot(0));
  dma.supervise();
  EXPECT_FALSE(dma.has_ended(handle.value()));
  finish(slot(0));
  EXPECT_TRUE(supervised(dma, handle.value(), 0, 1 << 16).ok());
}

TEST_F(DmaDriver, AListThatTakesTooLongIsAborted) {
  Dma dma;
  open(dma);
  expect_start(0, slot(0));
  const Result<Dma::Handle> handle = dma.submit(std::vector{copy_of(kBig)}, 50);
  ASSERT_TRUE(handle.ok());
  board_->advance(49'000);
  bus_->expect_read(kChannel[0] + kStatusOf, kBusy);
  dma.supervise();
  EXPECT_FALSE(dma.has_ended(handle.value()));
  board_->advance(1'000);
  bus_->expect_read(kChannel[0] + kStatusOf, kBusy);
  expect_abort(0, 0);
  expect_time();
  dma.supervise();
  bus_->expect_barrier();
  const Status status = dma.take(handle.value());
  EXPECT_EQ(status.code(), ErrorCode::timeout);
  EXPECT_EQ(status.value(), 50);
  EXPECT_EQ(fault_log::at(fault_log::size() - 1).error, ErrorCode::timeout);
}

// A list that was aborted is not answered while its channel is busy.
TEST_F(DmaDriver, AnAbortedListEndsWhenItsChannelHasStopped) {
  Dma dma;
  open(dma);
  expect_start(0, slot(0));
  const Dma::Handle handle = dma.submit(std::vector{copy_of(kBig)}).value();
  expect_abort(0, kAbortLooks);
  ASSERT_TRUE(dma.abort(handle).ok());
  EXPECT_FALSE(dma.has_ended(handle)) << "the channel may still write";
  EXPECT_EQ(dma.take(handle).code(), ErrorCode::not_ready);
  EXPECT_TRUE(dma.abort(handle).ok());
  board_->advance(1000ULL * (Dma::kStopLimit - 1));
  bus_->expect_read(kChannel[0] + kStatusOf, kBusy);
  dma.supervise();
  EXPECT_FALSE(dma.has_ended(handle));
  finish(slot(0), d::Error::stopped);
  EXPECT_EQ(supervised(dma, handle, 0, 5 << 4).code(), ErrorCode::cancelled);
  EXPECT_EQ(fault_log::size(), 0U);
}

// Nothing that a channel may still use is used again: not the channel, not its descriptors, not the memory that it may write. Without a
// channel, lists that wait end, and the core copies.
TEST_F(DmaDriver, AChannelThatDoesNotStopKeepsItsMemory) {
  Dma dma;
  open(dma);
  std::vector<Dma::Handle> handles;
  for (unsigned i = 0; i < 3; ++i) {
    DmaCopy copy = copy_of(kBig);
    copy.destination += i * 0x10000;
    if (i < 2) expect_start(i, slot(i * Dma::kMostCopies));
    handles.push_back(dma.submit(std::vector{copy}).value());
  }
  for (const unsigned channel : {0U, 1U}) {
    expect_abort(channel, kAbortLooks);
    ASSERT_TRUE(dma.abort(handles[channel]).ok());
  }
  EXPECT_FALSE(dma.has_ended(handles[0]));
  board_->advance(1000ULL * Dma::kStopLimit);
  for (const unsigned channel : {0U, 1U}) {
    bus_->expect_read(kChannel[channel] + kStatusOf, kBusy);
    expect_time();
  }
  expect_time();
  dma.supervise();
  for (const unsigned channel : {0U, 1U}) {
    bus_->expect_barrier();
    const Status status = dma.take(handles[channel]);
    EXPECT_EQ(status.code(), ErrorCode::device_fault);
    EXPECT_STREQ(status.what(), "DMA channel");
    EXPECT_EQ(status.value(), 0);
    EXPECT_EQ(status.limit(), channel);
  }
  bus_->expect_barrier();
  const Status never_begun = dma.take(handles[2]);
  EXPECT_EQ(never_begun.code(), ErrorCode::not_ready);
  EXPECT_STREQ(never_begun.what(), "DMA channel");
  EXPECT_EQ(fault_log::size(), 3U);

  DmaCopy copy = copy_of(kBig);
  const auto refusal = [&] { return dma.submit(std::vector{copy}).status(); };
  EXPECT_EQ(refusal().code(), ErrorCode::window_overlap) << "channel 0 may write it";
  EXPECT_STREQ(refusal().what(), "DMA channel");
  copy.destination += 0x10000 - kBig + 1;
  EXPECT_EQ(refusal().limit(), 1) << "channel 1 may write its last byte";
  std::swap(copy.source, copy.destination);
  EXPECT_EQ(refusal().code(), ErrorCode::window_overlap) << "a source has no meaning either";
  EXPECT_TRUE(dma.check_memory(kDram + 0x200000 + kBig, 0x10000 - kBig).ok());
  EXPECT_EQ(dma.check_memory(kDram + 0x200000 + kBig, 0x10001 - kBig).code(), ErrorCode::window_overlap);

  copy = copy_of(kBig);
  copy.destination += 0x20000;
  for (unsigned i = 0; i < 2; ++i) {
    const Result<Dma::Handle> by_core = dma.submit(std::vector{copy});
    ASSERT_TRUE(by_core.ok());
    bus_->expect_barrier();
    EXPECT_TRUE(dma.take(by_core.value()).ok());
  }
  EXPECT_EQ(std::memcmp(board_->dram().data() + 0x220000, board_->dram().data() + 0x1000, kBig), 0);

  // Channel 0 stops at last.
  bus_->expect_read(kChannel[0] + kStatusOf, 5 << 4);
  bus_->expect_barrier();
  bus_->expect_read(kChannel[1] + kStatusOf, kBusy);
  dma.supervise();
  copy.destination = copy_of(kBig).destination;
  expect_start(0, slot(0));
  EXPECT_TRUE(dma.submit(std::vector{copy}).ok());
  bus_->expect_write(kEnable, 0);
  expect_stop(0, 1);
  expect_stop(1, kResetPolls);
  const Status closed = dma.close();
  EXPECT_EQ(closed.code(), ErrorCode::timeout);
  EXPECT_EQ(closed.index(), 1);
}

TEST_F(DmaDriver, CopiesOfAListThatAreNotApart) {
  const std::uintptr_t a = kDram + 0x1000, b = kDram + 0x20000, c = kDram + 0x40000;
  const auto check = [](DmaCopy one, DmaCopy two) { return Dma::check_apart(std::vector{one, two}); };
  EXPECT_TRUE(check({a, b, 64}, {a, c, 64}).ok()) << "two copies may read the same bytes";
  EXPECT_TRUE(check({a, b, 64}, {a, b + 64, 64}).ok());
  const Status same = check({a, b, 64}, {c, b + 63, 64});
  EXPECT_EQ(same.code(), ErrorCode::window_overlap);
  EXPECT_STREQ(same.what(), "copies");
  EXPECT_EQ(same.index(), 0);
  EXPECT_EQ(check({a, b, 64}, {c, a + 63, 8}).index(), 1) << "one reads what the other writes";
  EXPECT_EQ(check({a, b, 64, 4, 64, 128}, {c, b + 3 * 128, 64}).index(), 0) << "in the last row";
}

}  // namespace
}  // namespace cox::hal
