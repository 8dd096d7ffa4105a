// SPDX-License-Identifier: MIT
#include "boards/cortex-m55/uart.h"

#include <array>
#include <atomic>
#include <cstdint>

#include "boards/cortex-m55/device.h"
#include "coxswain/hal/board.h"

namespace cox::board {
namespace {

struct UartRegisters {
  std::uint32_t DATA;
  std::uint32_t STATE;
  std::uint32_t CTRL;
  std::uint32_t INTSTATUS;  // writing 1 to a bit clears the bit
  std::uint32_t BAUDDIV;
};

constexpr std::uint32_t kStateTxFull = 1U << 0;
constexpr std::uint32_t kStateRxFull = 1U << 1;
constexpr std::uint32_t kCtrlTxEnable = 1U << 0;
constexpr std::uint32_t kCtrlRxEnable = 1U << 1;
constexpr std::uint32_t kCtrlRxInterrupt = 1U << 3;
constexpr std::uint32_t kInterruptRx = 1U << 1;

constexpr std::uint32_t kBaud = 115200;
/// Number of polls of the transmitter after which console_write() drops a character: about a tenth of a second at four clocks a poll.
/// Silicon sends a character in a thousandth of that time. Under QEMU, the reader of the console may be late.
std::uint32_t transmit_polls = 0;

volatile UartRegisters &registers() { return *reinterpret_cast<volatile UartRegisters *>(BOARD_UART_BASE); }

/// Ring of typed characters that the firmware has not read yet. One writer (the interrupt handler) and one reader.
class Typed {
 public:
  void push(char character) {
    const std::uint32_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == characters_.size()) return;
    characters_[tail % characters_.size()] = character;
    tail_.store(tail + 1, std::memory_order_release);
  }
  int pop() {
    const std::uint32_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return -1;
    const char character = characters_[head % characters_.size()];
    head_.store(head + 1, std::memory_order_release);
    return static_cast<unsigned char>(character);
  }

 private:
  std::array<char, 256> characters_{};
  std::atomic<std::uint32_t> head_ = 0;
  std::atomic<std::uint32_t> tail_ = 0;
};

Typed typed;

}  // namespace

void uart::start() {
  transmit_polls = SystemCoreClock / 10U / 4U;
  registers().BAUDDIV = BOARD_UART_CLOCK / kBaud;
  registers().CTRL = kCtrlTxEnable | kCtrlRxEnable | kCtrlRxInterrupt;
  NVIC_EnableIRQ(BOARD_IRQN(BOARD_UART_IRQ));
}

void console_write(std::span<const char> text) {
  // If the transmitter is stuck, only the first character of a long text waits. After a dropped character, further ones are dropped at
  // once, until the transmitter takes a character again.
  static bool taken = true;
  for (const char character : text) {
    std::uint32_t polls = taken ? transmit_polls : 0;
    while ((registers().STATE & kStateTxFull) != 0 && polls != 0) --polls;
    taken = (registers().STATE & kStateTxFull) == 0;
    if (taken) registers().DATA = static_cast<unsigned char>(character);
  }
}

int console_read_char() { return typed.pop(); }

extern "C" [[gnu::weak]] void UART_IRQHandler() {
  registers().INTSTATUS = kInterruptRx;
  if ((registers().STATE & kStateRxFull) != 0) typed.push(static_cast<char>(registers().DATA));
}

}  // namespace cox::board
