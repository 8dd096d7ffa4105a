// SPDX-License-Identifier: MIT
// Runs one test per letter. The letters come from semihosting's command line, or else from the console. Each test prints its name and "ok"
// or the error; tests/target/qemu_machine/run.py has the expected output. Tests of faults end the run on purpose.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/layout.h"
#include "boards/cortex-m55/semihosting.h"
#include "coxswain/device/mailbox.h"
#include "coxswain/hal/board.h"
#include "tests/target/qemu_machine/fake_model.h"

namespace {

namespace board = cox::board;

volatile std::uint32_t &npu(std::uint32_t offset) { return *reinterpret_cast<volatile std::uint32_t *>(BOARD_NPU_BASE + offset); }
volatile std::uint32_t &word(std::uint32_t address) { return *reinterpret_cast<volatile std::uint32_t *>(address); }

volatile std::uint32_t completions = 0;
volatile std::uint32_t faults = 0;

void on_completion() {
  npu(FAKE_ACKNOWLEDGE) = 1;
  completions = completions + 1;
}

void on_fault() {
  npu(FAKE_FAULT_LINE) = 0;
  faults = faults + 1;
}

volatile std::uint32_t rings = 0;

COX_MAILBOX_Type &mailbox() { return *reinterpret_cast<COX_MAILBOX_Type *>(BOARD_MAILBOX_BASE); }

void on_ring() {
  mailbox().TO_CORE_CLEAR = COX_MAILBOX_TO_CORE_CLEAR_CLEAR_Msk;
  rings = rings + 1;
}

/// An object whose constructor must run before main. The constructor may use the heap, and main may not.
struct Constructed {
  Constructed() : memory(std::malloc(64)), value(before) {}
  static std::uint32_t before;
  void *memory;
  std::uint32_t value;
};
std::uint32_t Constructed::before = 0x1234;
Constructed constructed;

void verdict(const char *name, bool passed) { std::printf("%s: %s\n", name, passed ? "ok" : "FAILED"); }

void test_identity() { verdict("identity", npu(FAKE_ID) == FAKE_ID_VALUE); }

void test_constructors() { verdict("constructors", constructed.value == 0x1234 && constructed.memory != nullptr); }

/// Waits until the host has rung `count` times. Returns false if it has not after a great many ticks.
bool wait_for_rings(std::uint32_t count) {
  const bool masked = board::mask_interrupts();
  for (std::uint32_t wakes = 0; rings < count && wakes < 100'000'000; ++wakes) board::wait_for_interrupt();
  board::restore_interrupts(masked);
  return rings == count;
}

/// The host rings. The test rings twice and says so. The host then clears the first ring, must hear the second, and rings again.
void test_mailbox() {
  board::connect_mailbox_interrupt(on_ring);
  std::puts("mailbox: waiting");
  std::fflush(stdout);
  const bool first = wait_for_rings(1);
  mailbox().TO_HOST_SET = COX_MAILBOX_TO_HOST_SET_RING_Msk;
  mailbox().TO_HOST_SET = COX_MAILBOX_TO_HOST_SET_RING_Msk;
  const bool told = mailbox().TO_HOST_STATUS == 1;
  std::puts("mailbox: rung");
  std::fflush(stdout);
  const bool second = wait_for_rings(2);
  verdict("mailbox", first && told && second && mailbox().TO_CORE_STATUS == 0 && mailbox().TO_HOST_STATUS == 0);
}

/// Without a host, the control core can ring itself.
void test_mailbox_alone() {
  board::connect_mailbox_interrupt(on_ring);
  const std::uint32_t before = rings;
  mailbox().TO_CORE_SET = COX_MAILBOX_TO_CORE_SET_RING_Msk;
  __DSB();
  __ISB();
  verdict("mailbox alone", rings == before + 1 && mailbox().TO_CORE_STATUS == 0);
}

void test_heap_is_closed() { verdict("heap closed", std::malloc(BOARD_HEAP_SIZE) == nullptr); }

/// Alarms before, during and after the core's transition to sleep must all wake the core. If an interrupt were lost, the tick would end the
/// sleep 10 ms later, so the test checks the time.
void test_sleep() {
  board::connect_npu_interrupts(on_completion, on_fault);
  bool prompt = true;
  for (std::uint32_t delay = 0; delay < 400; ++delay) {
    const std::uint32_t before = completions;
    const std::uint32_t start = npu(FAKE_TIME);
    npu(FAKE_ALARM) = delay;
    const bool masked = board::mask_interrupts();
    for (int wakes = 0; completions == before && wakes < 3; ++wakes) board::wait_for_interrupt();
    board::restore_interrupts(masked);
    prompt = prompt && completions == before + 1 && npu(FAKE_TIME) - start < delay + 1000;
  }
  verdict("sleep", prompt);
}

void test_fault_line() {
  board::connect_npu_interrupts(on_completion, on_fault);
  npu(FAKE_FAULT_LINE) = 1;
  __DSB();
  __ISB();
  verdict("fault line", faults == 1);
}

volatile std::uint32_t dma_interrupts = 0;

volatile std::uint32_t &dma_register() { return word(static_cast<std::uint32_t>(board::dma_registers()) + FAKE_DMA_LINE); }

void test_dma_engine() {
  board::connect_dma_interrupt([] {
    dma_register() = 0;
    dma_interrupts = dma_interrupts + 1;
  });
  dma_register() = 1;
  __DSB();
  __ISB();
  verdict("dma engine", dma_register() == FAKE_DMA_VALUE && dma_interrupts == 1);
}

std::uint32_t copy(std::uint32_t from, std::uint32_t to) {
  npu(FAKE_SOURCE) = from;
  npu(FAKE_DESTINATION) = to;
  return npu(FAKE_RESULT);
}

void test_dma() {
  const std::uint32_t dram = BOARD_DRAM_BASE;
  const std::uint32_t sram = board::address_of(board::queue_memory().data());
  word(dram + 60) = 0xfeedbeef;
  word(sram + 60) = 0;
  verdict("dma mapped", copy(dram, sram) == FAKE_RESULT_MAPPED && word(sram + 60) == 0xfeedbeef);
  verdict("dma from code", copy(BOARD_CODE_BASE, dram) == FAKE_RESULT_COPIED && word(dram + 4) == word(BOARD_CODE_BASE + 4));
  verdict("dma to code", copy(sram, BOARD_CODE_BASE) == FAKE_RESULT_WRITE_ERROR && word(BOARD_CODE_BASE + 60) != 0xfeedbeef);
  verdict("dma from nowhere", copy(0xb0000000, dram) == FAKE_RESULT_READ_ERROR);
  verdict("dma past the end", copy(BOARD_DRAM_BASE + static_cast<std::uint32_t>(board::dram_size()) - 32, sram) == FAKE_RESULT_READ_ERROR);
  verdict("dma from registers", copy(BOARD_NPU_BASE, dram) == FAKE_RESULT_READ_ERROR);
  verdict("dma to console", copy(dram, BOARD_UART_BASE) == FAKE_RESULT_WRITE_ERROR);
}

void test_l2_window() { verdict("l2 window", word(BOARD_L2_BASE) == 0x40404040 && word(BOARD_L2_BASE + BOARD_L2_STRIDE) == 0x41414141); }

/// Prints more than a pipe holds, for a reader who starts late.
void print_much() {
  for (int line = 0; line < 20'000; ++line) std::printf("line %d\n", line);
}

/// The host writes a word into DRAM before the start, and reads another one after the end.
void test_shared_dram() {
  const std::uint32_t from_host = word(BOARD_DRAM_BASE + 0x100);
  word(BOARD_DRAM_BASE + 0x104) = ~from_host;
  std::printf("shared dram: 0x%08lx\n", static_cast<unsigned long>(from_host));
}

/// Checks the time over some ticks. The time must never go back.
void test_time() {
  std::uint64_t last = board::microseconds();
  const std::uint64_t start = last;
  const std::uint32_t device_start = npu(FAKE_TIME);
  bool monotonic = true;
  while (last - start < 35'000) {
    const std::uint64_t now = board::microseconds();
    monotonic = monotonic && now >= last;
    last = now;
  }
  const std::uint32_t device = (npu(FAKE_TIME) - device_start) / 1000;
  verdict("time", monotonic && device >= 34'999 && device < 35'100);
}

void test_instruction_count() {
  const std::uint64_t first = board::executed_instructions();
  if (first == std::numeric_limits<std::uint64_t>::max()) {
    std::printf("instructions: not counted\n");
    return;
  }
  constexpr std::uint32_t loops = 1000;
  std::uint32_t left = loops;
  asm volatile("1: subs %0, #1 \n bne 1b" : "+r"(left)::"cc");
  const std::uint64_t counted = board::executed_instructions() - first;
  verdict("instructions", counted >= 2 * loops && counted < 2 * loops + 100);
}

/// The counts are the same in every run if QEMU counts instructions.
void print_counts() {
  std::printf("counts: %lu instructions, %lu us, %lu cycles\n", static_cast<unsigned long>(board::executed_instructions()),
              static_cast<unsigned long>(board::microseconds()), static_cast<unsigned long>(npu(FAKE_TIME)));
}

/// Uses file descriptors, not streams, because a stream needs a buffer on the heap.
void test_files() {
  constexpr const char *path = "selftest.txt";
  std::array<char, 8> text{};
  const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const bool written = out >= 0 && write(out, "abcdef", 6) == 6 && close(out) == 0;
  const int in = open(path, O_RDONLY);
  const bool sought = in >= 0 && lseek(in, 0, SEEK_END) == 6 && lseek(in, -4, SEEK_CUR) == 2;
  const bool read_back = sought && read(in, text.data(), text.size()) == 4 && std::strcmp(text.data(), "cdef") == 0 && close(in) == 0;
  verdict("files", written && read_back && open("no/such/file", O_RDONLY) == -1 && close(in) == -1);
}

void test_no_files() { verdict("no files", open("selftest.txt", O_RDONLY) == -1); }

void test_vectors() {
  // MVE is enabled: the test writes and reads a Q register.
  std::uint32_t lane = 0;
  asm volatile("vdup.32 q0, %1 \n vmov.32 %0, q0[2]" : "=r"(lane) : "r"(0x5a5aU) : "q0");
  verdict("vectors", lane == 0x5a5a);
}

/// Each letter on the program's command line runs a test. The command line is the same after the reset, so this test runs again. The count
/// of resets in the model tells it when to stop.
void test_reset() {
  const std::uint32_t resets = npu(FAKE_RESETS);
  if (resets < 2) NVIC_SystemReset();
  std::printf("resets: %lu\n", static_cast<unsigned long>(resets));
}

__attribute__((noinline)) std::uint32_t overflow_stack(std::uint32_t depth) {
  std::array<volatile std::uint32_t, 64> block{};
  block[depth % block.size()] = depth;
  if (depth == BOARD_STACK_SIZE) return 0;
  return overflow_stack(depth + 1) + block[depth % block.size()];
}

void execute_data() {
  static std::array<std::uint16_t, 2> code = {0x4770, 0x4770};  // bx lr
  reinterpret_cast<void (*)()>(reinterpret_cast<std::uintptr_t>(code.data()) | 1U)();
}

volatile std::uint32_t zero = 0;

/// The values of r0 to r12 and lr at the fault of fault_with_known_registers(). run.py computes them too.
constexpr std::array<std::uint32_t, 14> kKnownRegisters = [] {
  std::array<std::uint32_t, 14> values{};
  std::uint32_t state = 1;
  for (std::uint32_t &value : values) value = state = state * 1664525 + 1013904223;
  return values;
}();

[[noreturn]] void fault_with_known_registers() {
  asm volatile("mov lr, %0 \n ldmia lr, {r0-r12, lr} \n udf #2" ::"r"(kKnownRegisters.data()) : "memory");
  __builtin_unreachable();
}

/// Causes a fault while the core uses the process stack, as a thread of an application does. Each thread has a stack of its own.
[[noreturn]] void fault_on_process_stack() {
  alignas(8) static std::array<std::uint32_t, 128> stack{};
  asm volatile("msr psp, %0 \n mrs r1, control \n orr r1, r1, #2 \n msr control, r1 \n isb" ::"r"(stack.data() + stack.size())
               : "r1", "memory");
  fault_with_known_registers();
}

struct Command {
  char letter;
  void (*run)();
};

constexpr std::array commands = {
    Command{'i', test_identity},
    Command{'k', test_constructors},
    Command{'h', test_heap_is_closed},
    Command{'t', test_sleep},
    Command{'f', test_fault_line},
    Command{'d', test_dma},
    Command{'D', test_dma_engine},
    Command{'l', test_l2_window},
    Command{'p', test_shared_dram},
    Command{'u', test_time},
    Command{'n', test_instruction_count},
    Command{'c', print_counts},
    Command{'o', test_files},
    Command{'O', test_no_files},
    Command{'v', test_vectors},
    Command{'r', test_reset},
    Command{'q', [] { board::exit(0); }},
    Command{'Q', [] { board::exit(3); }},
    Command{'a', [] { std::abort(); }},
    // Tests that end with a fault.
    Command{'1', [] { npu(BOARD_NPU_SIZE - 4) = 1; }},
    Command{'2', [] { *reinterpret_cast<volatile std::uint8_t *>(BOARD_NPU_BASE + 1) = 1; }},
    Command{'3', [] { word(BOARD_CODE_BASE + 0x100) = 0; }},
    Command{'4', execute_data},
    Command{'5', [] { std::printf("%lu\n", static_cast<unsigned long>(overflow_stack(0))); }},
    Command{'6', [] { word(0xb0000000) = 1; }},
    Command{'7', [] { asm volatile("udf #1"); }},
    Command{'e', fault_with_known_registers},
    Command{'E', fault_on_process_stack},
    Command{'8', [] { zero = 1000 / zero; }},
    Command{'9', [] { NVIC_EnableIRQ(20), NVIC_SetPendingIRQ(20), __DSB(), __ISB(); }},
    Command{'g', [] { word(board::address_of(linker_stack_limit) - 4) = 1; }},
    Command{'s', [] { asm volatile("msr msplim, %0 \n msr msp, %1 \n push {r0}" ::"r"(0), "r"(0xb0000000)); }},
    Command{'x', print_much},
    Command{'m', test_mailbox},
    Command{'M', test_mailbox_alone},
    Command{'w', [] { word(board::address_of(linker_stack_top)) = word(BOARD_PROBE_BASE + 0x100); }},
};

void run(char letter) {
  for (const Command &command : commands) {
    if (command.letter == letter) {
      command.run();
      return;
    }
  }
  if (letter != '\n') std::printf("no test has the letter '%c'\n", letter);
}

/// Returns the command line: the program's name, then a blank and the letters of the tests to run.
std::array<char, 64> command_line() {
  std::array<char, 64> text{};
  if (!board::semihosting::available()) return text;
  const std::array<std::uint32_t, 2> block = {reinterpret_cast<std::uintptr_t>(text.data()), text.size() - 1};
  if (board::semihosting::call(board::semihosting::Operation::command_line, block.data()) != 0) text.fill(0);
  return text;
}

}  // namespace

int main() {
  std::printf("platform self-test: %lu MiB of DRAM, semihosting %s\n", static_cast<unsigned long>(board::dram_size() >> 20),
              board::semihosting::available() ? "on" : "off");
  const std::array<char, 64> arguments = command_line();
  if (const char *letters = std::strchr(arguments.data(), ' '); letters != nullptr) {
    while (*++letters != '\0') run(*letters);
    return 0;
  }
  for (;;) {
    const bool masked = board::mask_interrupts();
    const int letter = board::console_read_char();
    if (letter < 0) board::wait_for_interrupt();
    board::restore_interrupts(masked);
    if (letter >= 0) run(static_cast<char>(letter));
  }
}
