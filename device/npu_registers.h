// SPDX-License-Identifier: MIT
// The registers of the accelerator as C++ constants. Generated from npu.svd by generate.py: do not edit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// clang-format off
namespace cox::registers {

inline constexpr std::uint32_t kBlockBytes = 0x100000;  ///< of the register block; what is not listed here is a bus fault
inline constexpr unsigned kNpuCompletionInterrupt = 8;  ///< Completion queues: level, high while an enabled COMPLETION bit of INT_STATUS is set.
inline constexpr unsigned kNpuFaultInterrupt = 9;  ///< Faults: level, high while FAULT of INT_STATUS is set and enabled.

enum class Access : std::uint8_t { read_only, write_only, read_write };

/// A field of a register.
struct Field {
  unsigned shift;
  unsigned width;
  [[nodiscard]] constexpr std::uint32_t maximum() const { return width == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << width) - 1; }
  [[nodiscard]] constexpr std::uint32_t mask() const { return maximum() << shift; }
  /// The field's value in a register.
  [[nodiscard]] constexpr std::uint32_t get(std::uint32_t value_of_register) const { return (value_of_register >> shift) & maximum(); }
  /// A register's bits for a value; bits that do not fit are dropped.
  [[nodiscard]] constexpr std::uint32_t put(std::uint32_t value) const { return (value & maximum()) << shift; }
};

/// Kind of the fault; also the status of a completion.
enum class FaultCode : std::uint8_t {
  none = 0,  ///< no fault
  unknown_instruction = 1,  ///< the opcode is no instruction
  field_out_of_range = 2,  ///< a field has a value out of its range, or an unlisted bit is set
  unsupported = 3,  ///< an instruction or a value that belongs to the instruction set but that this device does not have
  missing_configuration = 4,  ///< a configuration that the instruction needs was not written in this context
  window = 5,  ///< a DRAM address outside the context's window, or an access that the window does not permit; the detail is the address
  cut = 6,  ///< an L2 address outside the instruction's region or the context's blocks; the detail is the address. Or a ct_bc with a cut that begins before the buffer; the detail is then the opcode
  wl0 = 7,  ///< a WL0 unit outside the weight buffer or the context's units; the detail is the unit
  bus_error = 8,  ///< memory refused a transfer; the detail is the bus address
  shape_mismatch = 9,  ///< fields that contradict each other
  aborted = 10,  ///< the context was quarantined before the instruction ran
  invalid_context = 11,  ///< the context does not exist or is not valid. Or it lost its blocks while the instruction ran; the detail is then the context
  stream_truncated = 12,  ///< the stream of an engine ends inside an instruction, or its descriptor is malformed
  base_not_written = 13,  ///< a base register that was not written since the reset of its context
  misaligned = 14,  ///< an address without the alignment of the operand; the detail is the address
  overlap = 15,  ///< an output that shares bytes with an input of the same instruction
  flag_not_set = 16,  ///< an instruction waits for a flag that no earlier one in its stream sets: it would wait for ever
  flag_overflow = 17,  ///< a flag is set more often than it can count before it is waited for
  buffer = 18,  ///< an access outside the matrix unit's buffers, or outside the local memories and the array of a PIM core
  ecc = 19,  ///< memory has an error that cannot be corrected; the detail is the bus address, or the byte address in L2 or WL0
  core = 20,  ///< an instruction is in the queue of a core outside of its context, or names another core than this one, or reaches a core outside; the detail is the core
  deadlock = 21,  ///< no PIM core of a program can go on
  branch = 22,  ///< a jump or branch leaves the code of its PIM core
  batch = 23,  ///< a pim-batch without a pim-compute right behind it
  message = 24,  ///< the sender and the receiver of a message disagree
  barrier = 25,  ///< PIM cores arrive at a barrier with different numbers of cores, or with a wrong one
  time_limit = 26,  ///< a PIM program did not end within its own time limit
};
inline constexpr unsigned kFaultCodes = 27;
inline constexpr const char *kFaultCodeNames[kFaultCodes] = {"none", "unknown_instruction", "field_out_of_range", "unsupported", "missing_configuration", "window", "cut", "wl0", "bus_error", "shape_mismatch", "aborted", "invalid_context", "stream_truncated", "base_not_written", "misaligned", "overlap", "flag_not_set", "flag_overflow", "buffer", "ecc", "core", "deadlock", "branch", "batch", "message", "barrier", "time_limit"};

/// Phase of the core.
enum class PimPhase : std::uint8_t {
  absent = 0,  ///< the program has no such core, or no program has run
  running = 1,  ///< has an instruction to issue
  message = 2,  ///< waits in a send or a receive
  wait = 3,  ///< waits in a wait
  barrier = 4,  ///< waits in a barrier
  halted = 5,  ///< is halted before its next instruction
  ended = 6,  ///< has run to its end
  faulted = 7,  ///< has stopped with a fault
};
inline constexpr unsigned kPimPhases = 8;
inline constexpr const char *kPimPhaseNames[kPimPhases] = {"absent", "running", "message", "wait", "barrier", "halted", "ended", "faulted"};

/// ID: Identity of the device.
namespace id {
inline constexpr std::uint32_t kOffset = 0x0;
inline constexpr std::uint32_t kResetValue = 0x53584F43;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kId{0, 32};  ///< The text "COXS" in memory order.
}  // namespace id
/// VERSION: Version of the register interface.
namespace version {
inline constexpr std::uint32_t kOffset = 0x4;
inline constexpr std::uint32_t kResetValue = 0x10003;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kMinor{0, 16};  ///< Grows with every compatible addition.
inline constexpr Field kMajor{16, 16};  ///< Grows with every incompatible change; firmware refuses one that it does not know.
}  // namespace version
/// CAPABILITIES: Engines that the device has.
namespace capabilities {
inline constexpr std::uint32_t kOffset = 0x8;
inline constexpr std::uint32_t kResetValue = 0x1F;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kTile{0, 1};  ///< The device has tile cores.
inline constexpr Field kEngine{1, 8};  ///< Bit i: the device has engine i. The reset value is that of a device with every engine of the table.
}  // namespace capabilities
/// GEOMETRY0: Geometry: cores, contexts and L2.
namespace geometry0 {
inline constexpr std::uint32_t kOffset = 0xC;
inline constexpr std::uint32_t kResetValue = 0x1008101;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kTileCores{0, 4};  ///< Number of tile cores, 1 to 4.
inline constexpr Field kContexts{4, 8};  ///< Number of contexts.
inline constexpr Field kL2Mib{12, 8};  ///< Size of the L2 buffer of each tile core in MiB.
inline constexpr Field kCutRegions{20, 8};  ///< Number of L2 regions that ct_bc can cut in a context.
}  // namespace geometry0
/// GEOMETRY1: Geometry: weight buffer and L2 blocks.
namespace geometry1 {
inline constexpr std::uint32_t kOffset = 0x10;
inline constexpr std::uint32_t kResetValue = 0x4005000;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kWl0Units{0, 16};  ///< Size of the weight buffer WL0 of each tile core in units of 64 bytes.
inline constexpr Field kL2BlockBytes{16, 16};  ///< Size of an L2 block in bytes.
}  // namespace geometry1
/// GEOMETRY2: Geometry: arithmetic and queues.
namespace geometry2 {
inline constexpr std::uint32_t kOffset = 0x14;
inline constexpr std::uint32_t kResetValue = 0xC1000;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kMacsPerCycle{0, 16};  ///< INT8 multiply-accumulates of a tile core in a cycle.
inline constexpr Field kQueueSizeLog2Max{16, 4};  ///< Greatest SIZE_LOG2 of a submission or completion queue.
}  // namespace geometry2
/// CLOCK: Clock of the accelerator.
namespace clock {
inline constexpr std::uint32_t kOffset = 0x18;
inline constexpr std::uint32_t kResetValue = 0x3E8;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kMhz{0, 16};  ///< Frequency in MHz.
}  // namespace clock
/// CONTROL: Control of the whole device.
namespace control {
inline constexpr std::uint32_t kOffset = 0x1C;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x1;
inline constexpr Field kEnable{0, 1};  ///< Queues execute only while this is 1.
}  // namespace control
/// ENGINE_RESET: Reset of tile cores and engines.
namespace engine_reset {
inline constexpr std::uint32_t kOffset = 0x20;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0xFFF;
inline constexpr Field kCore{0, 4};  ///< One bit for each tile core. Writing 1 stops the core, empties its submission queues and its completion queue, and returns the registers of these queues, counters included, to their reset values. The registers of contexts keep their values.
inline constexpr Field kEngine{4, 8};  ///< Bit i: the same for the submission queue and the completion queue of engine i.
}  // namespace engine_reset
/// INT_STATUS: Interrupt status, whether enabled or not.
namespace int_status {
inline constexpr std::uint32_t kOffset = 0x24;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x100;
inline constexpr Field kCompletion{0, 4};  ///< One bit for the completion queue of each tile core: its interrupt condition holds. A write of HEAD that gives the entries back clears the bit.
inline constexpr Field kEngineCompletion{4, 4};  ///< Bit i: the same for the completion queue of engine i, 0 to 3.
inline constexpr Field kFault{8, 1};  ///< A fault is recorded in FAULT_*; writing 1 clears this bit and FAULT_*.
inline constexpr Field kEngineCompletionHigh{9, 4};  ///< Bit i: the same for the completion queue of engine 4 + i.
}  // namespace int_status
/// INT_ENABLE: Interrupt enable, same bits as INT_STATUS.
namespace int_enable {
inline constexpr std::uint32_t kOffset = 0x28;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x1FFF;
inline constexpr Field kCompletion{0, 4};  ///< One bit for the completion queue of each tile core: its status drives interrupt line 0.
inline constexpr Field kEngineCompletion{4, 4};  ///< Bit i: the status of the completion queue of engine i, 0 to 3, drives interrupt line 0.
inline constexpr Field kFault{8, 1};  ///< FAULT drives interrupt line 1.
inline constexpr Field kEngineCompletionHigh{9, 4};  ///< Bit i: the status of the completion queue of engine 4 + i drives interrupt line 0.
}  // namespace int_enable
/// FAULT_STATUS: First fault since FAULT was last cleared.
namespace fault_status {
inline constexpr std::uint32_t kOffset = 0x2C;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kValid{0, 1};  ///< A fault is recorded; the other FAULT_* registers hold it.
inline constexpr Field kCode{8, 8};  ///< Kind of the fault; also the status of a completion.
inline constexpr Field kQueue{16, 8};  ///< Queue of the instruction: core * 9 + class; 36 + i: engine i.
inline constexpr Field kContext{24, 8};  ///< Context of the instruction.
}  // namespace fault_status
/// FAULT_TAG: Which instruction faulted.
namespace fault_tag {
inline constexpr std::uint32_t kOffset = 0x30;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kTag{0, 32};  ///< Running index of the instruction in its submission queue.
}  // namespace fault_tag
/// FAULT_DETAIL: Detail of the fault.
namespace fault_detail {
inline constexpr std::uint32_t kOffset = 0x34;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kDetail{0, 32};  ///< For a core: the detail that FaultCode names for this kind of fault, an address, a WL0 unit, a core or a context; otherwise the opcode. For an engine: [31:8] the byte offset of the instruction in its stream, [7:0] the lowest bit of the field in the instruction, 255 if no field is at fault.
}  // namespace fault_detail
/// FAULT_TIME_LO: Device time of the fault, low half.
namespace fault_time_lo {
inline constexpr std::uint32_t kOffset = 0x38;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kTime{0, 32};  ///< Cycles since power-on, bits 31 to 0.
}  // namespace fault_time_lo
/// FAULT_TIME_HI: Device time of the fault, high half.
namespace fault_time_hi {
inline constexpr std::uint32_t kOffset = 0x3C;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kTime{0, 32};  ///< Cycles since power-on, bits 63 to 32.
}  // namespace fault_time_hi
/// CYCLE_LO: Device time, low half; reading it latches CYCLE_HI.
namespace cycle_lo {
inline constexpr std::uint32_t kOffset = 0x40;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCycle{0, 32};  ///< Cycles since power-on, bits 31 to 0.
}  // namespace cycle_lo
/// CYCLE_HI: Device time, high half, at the last read of CYCLE_LO.
namespace cycle_hi {
inline constexpr std::uint32_t kOffset = 0x44;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCycle{0, 32};  ///< Cycles since power-on, bits 63 to 32.
}  // namespace cycle_hi
/// GEOMETRY3: Geometry: the MX engine.
namespace geometry3 {
inline constexpr std::uint32_t kOffset = 0x48;
inline constexpr std::uint32_t kResetValue = 0x2000400;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kMxMacsPerCycle{0, 16};  ///< Multiply-accumulates of the MX engine in a cycle.
inline constexpr Field kMxBufferKib{16, 16};  ///< Size of the MX engine's buffer in KiB.
}  // namespace geometry3
/// GEOMETRY4: Geometry: the matrix unit's L1 and L0C. 0 if the device has no matrix unit.
namespace geometry4 {
inline constexpr std::uint32_t kOffset = 0x4C;
inline constexpr std::uint32_t kResetValue = 0x1000400;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCubeL1Kib{0, 16};  ///< Size of L1 in KiB.
inline constexpr Field kCubeL0cKib{16, 16};  ///< Size of L0C in KiB.
}  // namespace geometry4
/// GEOMETRY5: Geometry: the matrix unit's L0A and L0B. 0 if the device has no matrix unit.
namespace geometry5 {
inline constexpr std::uint32_t kOffset = 0x50;
inline constexpr std::uint32_t kResetValue = 0x400040;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCubeL0aKib{0, 16};  ///< Size of L0A in KiB.
inline constexpr Field kCubeL0bKib{16, 16};  ///< Size of L0B in KiB.
}  // namespace geometry5
/// GEOMETRY6: Geometry: the matrix unit's array and bias table. 0 if the device has no matrix unit.
namespace geometry6 {
inline constexpr std::uint32_t kOffset = 0x54;
inline constexpr std::uint32_t kResetValue = 0x4001000;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCubeMacsPerCycle{0, 16};  ///< Multiply-accumulates of the array in a cycle, of BF16 and FP16; twice as many of INT8, four times as many of S4, half as many of FP32.
inline constexpr Field kCubeBiasTableBytes{16, 16};  ///< Size of the bias table in bytes.
}  // namespace geometry6
/// CLOCK_ENABLE: Clocks of tile cores and engines. Without its clock, a core or engine fetches nothing and a running instruction stands still; the registers can be accessed.
namespace clock_enable {
inline constexpr std::uint32_t kOffset = 0x58;
inline constexpr std::uint32_t kResetValue = 0xFFF;
inline constexpr std::uint32_t kWritableMask = 0xFFF;
inline constexpr Field kCore{0, 4};  ///< Bit i: the clock of tile core i runs.
inline constexpr Field kEngine{4, 8};  ///< Bit i: the clock of engine i runs.
}  // namespace clock_enable
/// ECC_CORRECTED: Errors of one bit in L2, WL0, DRAM or queues that were corrected since power-on.
namespace ecc_corrected {
inline constexpr std::uint32_t kOffset = 0x5C;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCount{0, 32};  ///< Errors.
}  // namespace ecc_corrected
/// Time that a tile core had its clock; only cores that exist (GEOMETRY0) can be accessed.
namespace core_clock {
inline constexpr std::uint32_t kBase = 0x60;
inline constexpr std::uint32_t kCount = 4;
inline constexpr std::uint32_t kStride = 0x8;
  /// CORE_CLOCK[].CYCLES_LO: Cycles with the clock running since power-on, low half; reading it latches CYCLES_HI.
  namespace cycles_lo {
  inline constexpr std::uint32_t kOffset = 0x0;  ///< within CORE_CLOCK[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t core_clock_index) { return 0x60 + 0x8 * core_clock_index; }
  inline constexpr Field kCount{0, 32};  ///< Cycles, bits 31 to 0.
  }  // namespace cycles_lo
  /// CORE_CLOCK[].CYCLES_HI: Cycles with the clock running, high half, at the last read of CYCLES_LO.
  namespace cycles_hi {
  inline constexpr std::uint32_t kOffset = 0x4;  ///< within CORE_CLOCK[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t core_clock_index) { return 0x64 + 0x8 * core_clock_index; }
  inline constexpr Field kCount{0, 32};  ///< Cycles, bits 63 to 32.
  }  // namespace cycles_hi
}  // namespace core_clock
/// Completion queue: 0 to 3 of the tile cores, 4 + i of engine i. Only those of cores (GEOMETRY0) and engines (CAPABILITIES) that exist can be accessed.
namespace cq {
inline constexpr std::uint32_t kBase = 0x100;
inline constexpr std::uint32_t kCount = 12;
inline constexpr std::uint32_t kStride = 0x20;
  /// CQ[].BASE_LO: Bus address of the ring, low half; a write while the queue is enabled is a bus fault.
  namespace base_lo {
  inline constexpr std::uint32_t kOffset = 0x0;  ///< within CQ[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t cq_index) { return 0x100 + 0x20 * cq_index; }
  inline constexpr Field kAddress{0, 32};  ///< Bits 31 to 0; aligned to 16 bytes, one entry.
  }  // namespace base_lo
  /// CQ[].BASE_HI: Bus address of the ring, high half; a write while the queue is enabled is a bus fault.
  namespace base_hi {
  inline constexpr std::uint32_t kOffset = 0x4;  ///< within CQ[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t cq_index) { return 0x104 + 0x20 * cq_index; }
  inline constexpr Field kAddress{0, 32};  ///< Bits 63 to 32.
  }  // namespace base_hi
  /// CQ[].CONTROL: Control of the queue.
  namespace control {
  inline constexpr std::uint32_t kOffset = 0x8;  ///< within CQ[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xF1;
  constexpr std::uint32_t offset(std::uint32_t cq_index) { return 0x108 + 0x20 * cq_index; }
  inline constexpr Field kEnable{0, 1};  ///< The queue is in use; its base and size must be set before or with it.
  inline constexpr Field kSizeLog2{4, 4};  ///< Logarithm of the number of entries in the ring, 1 to QUEUE_SIZE_LOG2_MAX; fixed while the queue is enabled.
  }  // namespace control
  /// CQ[].HEAD: Consumer index; writing it gives entries back.
  namespace head {
  inline constexpr std::uint32_t kOffset = 0xC;  ///< within CQ[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t cq_index) { return 0x10C + 0x20 * cq_index; }
  inline constexpr Field kIndex{0, 32};  ///< Free-running index of the first entry that firmware has not consumed; past TAIL is a bus fault.
  }  // namespace head
  /// CQ[].TAIL: Producer index.
  namespace tail {
  inline constexpr std::uint32_t kOffset = 0x10;  ///< within CQ[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t cq_index) { return 0x110 + 0x20 * cq_index; }
  inline constexpr Field kIndex{0, 32};  ///< Free-running index of the next entry that the device writes.
  }  // namespace tail
  /// CQ[].COALESCE: Coalescing of the interrupt.
  namespace coalesce {
  inline constexpr std::uint32_t kOffset = 0x14;  ///< within CQ[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t cq_index) { return 0x114 + 0x20 * cq_index; }
  inline constexpr Field kCount{0, 8};  ///< Raise the interrupt at this many entries; 0 and 1: at the first.
  inline constexpr Field kTime{8, 24};  ///< Raise the interrupt this many cycles after the first entry, even if there are fewer than COUNT entries; 0: no limit.
  }  // namespace coalesce
}  // namespace cq
/// Tile core; only cores that exist (GEOMETRY0) can be accessed.
namespace core {
inline constexpr std::uint32_t kBase = 0x1000;
inline constexpr std::uint32_t kCount = 4;
inline constexpr std::uint32_t kStride = 0x400;
  /// Submission queues, one for each class: CT, LD, LW, PE, VP, DT, ST, SI, SO.
  namespace sq {
  inline constexpr std::uint32_t kBase = 0x0;  ///< within CORE[]
  inline constexpr std::uint32_t kCount = 9;
  inline constexpr std::uint32_t kStride = 0x40;
    /// CORE[].SQ[].BASE_LO: Bus address of the ring, low half; a write while the queue is enabled is a bus fault.
    namespace base_lo {
    inline constexpr std::uint32_t kOffset = 0x0;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1000 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kAddress{0, 32};  ///< Bits 31 to 0; aligned to 32 bytes, one slot.
    }  // namespace base_lo
    /// CORE[].SQ[].BASE_HI: Bus address of the ring, high half; a write while the queue is enabled is a bus fault.
    namespace base_hi {
    inline constexpr std::uint32_t kOffset = 0x4;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1004 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kAddress{0, 32};  ///< Bits 63 to 32.
    }  // namespace base_hi
    /// CORE[].SQ[].CONTROL: Control of the queue.
    namespace control {
    inline constexpr std::uint32_t kOffset = 0x8;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0xF1;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1008 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kEnable{0, 1};  ///< The queue is in use; its base and size must be set before or with it.
    inline constexpr Field kSizeLog2{4, 4};  ///< Logarithm of the number of slots in the ring, 1 to QUEUE_SIZE_LOG2_MAX; fixed while the queue is enabled.
    }  // namespace control
    /// CORE[].SQ[].TAIL: Producer index: the doorbell.
    namespace tail {
    inline constexpr std::uint32_t kOffset = 0xC;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x100C + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kIndex{0, 32};  ///< Free-running index of the next slot that firmware fills; more than the size ahead of HEAD is a bus fault.
    }  // namespace tail
    /// CORE[].SQ[].HEAD: Consumer index.
    namespace head {
    inline constexpr std::uint32_t kOffset = 0x10;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1010 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kIndex{0, 32};  ///< Free-running index of the next instruction to finish.
    }  // namespace head
    /// CORE[].SQ[].STATUS: Present state of the queue.
    namespace status {
    inline constexpr std::uint32_t kOffset = 0x14;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1014 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kBusy{0, 1};  ///< An instruction is executing.
    inline constexpr Field kWaiting{1, 1};  ///< An instruction is at the head and cannot start yet.
    }  // namespace status
    /// CORE[].SQ[].INSTRUCTIONS_LO: Instructions finished since reset, low half; reading it latches INSTRUCTIONS_HI.
    namespace instructions_lo {
    inline constexpr std::uint32_t kOffset = 0x18;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1018 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kCount{0, 32};  ///< Instructions, bits 31 to 0.
    }  // namespace instructions_lo
    /// CORE[].SQ[].INSTRUCTIONS_HI: Instructions finished since reset, high half, at the last read of INSTRUCTIONS_LO.
    namespace instructions_hi {
    inline constexpr std::uint32_t kOffset = 0x1C;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x101C + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kCount{0, 32};  ///< Instructions, bits 63 to 32.
    }  // namespace instructions_hi
    /// CORE[].SQ[].BUSY_LO: Busy time since reset, low half; reading it latches BUSY_HI.
    namespace busy_lo {
    inline constexpr std::uint32_t kOffset = 0x20;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1020 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kCount{0, 32};  ///< Cycles with an instruction executing, bits 31 to 0.
    }  // namespace busy_lo
    /// CORE[].SQ[].BUSY_HI: Busy time since reset, high half, at the last read of BUSY_LO.
    namespace busy_hi {
    inline constexpr std::uint32_t kOffset = 0x24;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1024 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kCount{0, 32};  ///< Cycles with an instruction executing, bits 63 to 32.
    }  // namespace busy_hi
    /// CORE[].SQ[].STALLED_LO: Stalled time since reset, low half; reading it latches STALLED_HI.
    namespace stalled_lo {
    inline constexpr std::uint32_t kOffset = 0x28;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1028 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kCount{0, 32};  ///< Cycles with an instruction at the head that could not start or waited for bandwidth, bits 31 to 0.
    }  // namespace stalled_lo
    /// CORE[].SQ[].STALLED_HI: Stalled time since reset, high half, at the last read of STALLED_LO.
    namespace stalled_hi {
    inline constexpr std::uint32_t kOffset = 0x2C;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x102C + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kCount{0, 32};  ///< Cycles with an instruction at the head that could not start or waited for bandwidth, bits 63 to 32.
    }  // namespace stalled_hi
    /// CORE[].SQ[].BYTES_LO: DRAM traffic since reset, low half; reading it latches BYTES_HI.
    namespace bytes_lo {
    inline constexpr std::uint32_t kOffset = 0x30;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1030 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kCount{0, 32};  ///< Bytes moved to or from DRAM, bits 31 to 0.
    }  // namespace bytes_lo
    /// CORE[].SQ[].BYTES_HI: DRAM traffic since reset, high half, at the last read of BYTES_LO.
    namespace bytes_hi {
    inline constexpr std::uint32_t kOffset = 0x34;  ///< within SQ[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t core_index, std::uint32_t sq_index) { return 0x1034 + 0x400 * core_index + 0x40 * sq_index; }
    inline constexpr Field kCount{0, 32};  ///< Bytes moved to or from DRAM, bits 63 to 32.
    }  // namespace bytes_hi
  }  // namespace sq
}  // namespace core
/// Submission queues of engines; the index is the number of the engine. A slot is a descriptor of a stream of instructions in memory. Only those of engines that exist (CAPABILITIES) can be accessed.
namespace engine {
inline constexpr std::uint32_t kBase = 0x2000;
inline constexpr std::uint32_t kCount = 8;
inline constexpr std::uint32_t kStride = 0x40;
  /// ENGINE[].BASE_LO: Bus address of the ring, low half; a write while the queue is enabled is a bus fault.
  namespace base_lo {
  inline constexpr std::uint32_t kOffset = 0x0;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2000 + 0x40 * engine_index; }
  inline constexpr Field kAddress{0, 32};  ///< Bits 31 to 0; aligned to 32 bytes, one descriptor.
  }  // namespace base_lo
  /// ENGINE[].BASE_HI: Bus address of the ring, high half; a write while the queue is enabled is a bus fault.
  namespace base_hi {
  inline constexpr std::uint32_t kOffset = 0x4;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2004 + 0x40 * engine_index; }
  inline constexpr Field kAddress{0, 32};  ///< Bits 63 to 32.
  }  // namespace base_hi
  /// ENGINE[].CONTROL: Control of the queue.
  namespace control {
  inline constexpr std::uint32_t kOffset = 0x8;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xF1;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2008 + 0x40 * engine_index; }
  inline constexpr Field kEnable{0, 1};  ///< The queue is in use; its base and size must be set before or with it.
  inline constexpr Field kSizeLog2{4, 4};  ///< Logarithm of the number of descriptors in the ring, 1 to QUEUE_SIZE_LOG2_MAX; fixed while the queue is enabled.
  }  // namespace control
  /// ENGINE[].TAIL: Producer index: the doorbell.
  namespace tail {
  inline constexpr std::uint32_t kOffset = 0xC;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x200C + 0x40 * engine_index; }
  inline constexpr Field kIndex{0, 32};  ///< Free-running index of the next descriptor that firmware fills; more than the size ahead of HEAD is a bus fault.
  }  // namespace tail
  /// ENGINE[].HEAD: Consumer index.
  namespace head {
  inline constexpr std::uint32_t kOffset = 0x10;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2010 + 0x40 * engine_index; }
  inline constexpr Field kIndex{0, 32};  ///< Free-running index of the next descriptor to finish.
  }  // namespace head
  /// ENGINE[].STATUS: Present state of the queue.
  namespace status {
  inline constexpr std::uint32_t kOffset = 0x14;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2014 + 0x40 * engine_index; }
  inline constexpr Field kBusy{0, 1};  ///< An instruction is executing.
  inline constexpr Field kWaiting{1, 1};  ///< A descriptor is at the head and cannot start yet.
  }  // namespace status
  /// ENGINE[].INSTRUCTIONS_LO: Instructions finished since reset, low half; reading it latches INSTRUCTIONS_HI.
  namespace instructions_lo {
  inline constexpr std::uint32_t kOffset = 0x18;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2018 + 0x40 * engine_index; }
  inline constexpr Field kCount{0, 32};  ///< Instructions, bits 31 to 0.
  }  // namespace instructions_lo
  /// ENGINE[].INSTRUCTIONS_HI: Instructions finished since reset, high half, at the last read of INSTRUCTIONS_LO.
  namespace instructions_hi {
  inline constexpr std::uint32_t kOffset = 0x1C;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x201C + 0x40 * engine_index; }
  inline constexpr Field kCount{0, 32};  ///< Instructions, bits 63 to 32.
  }  // namespace instructions_hi
  /// ENGINE[].BUSY_LO: Busy time since reset, low half; reading it latches BUSY_HI.
  namespace busy_lo {
  inline constexpr std::uint32_t kOffset = 0x20;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2020 + 0x40 * engine_index; }
  inline constexpr Field kCount{0, 32};  ///< Cycles with an instruction executing, bits 31 to 0.
  }  // namespace busy_lo
  /// ENGINE[].BUSY_HI: Busy time since reset, high half, at the last read of BUSY_LO.
  namespace busy_hi {
  inline constexpr std::uint32_t kOffset = 0x24;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2024 + 0x40 * engine_index; }
  inline constexpr Field kCount{0, 32};  ///< Cycles with an instruction executing, bits 63 to 32.
  }  // namespace busy_hi
  /// ENGINE[].STALLED_LO: Stalled time since reset, low half; reading it latches STALLED_HI.
  namespace stalled_lo {
  inline constexpr std::uint32_t kOffset = 0x28;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2028 + 0x40 * engine_index; }
  inline constexpr Field kCount{0, 32};  ///< Cycles with an instruction at the head that could not start or waited for bandwidth, bits 31 to 0.
  }  // namespace stalled_lo
  /// ENGINE[].STALLED_HI: Stalled time since reset, high half, at the last read of STALLED_LO.
  namespace stalled_hi {
  inline constexpr std::uint32_t kOffset = 0x2C;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x202C + 0x40 * engine_index; }
  inline constexpr Field kCount{0, 32};  ///< Cycles with an instruction at the head that could not start or waited for bandwidth, bits 63 to 32.
  }  // namespace stalled_hi
  /// ENGINE[].BYTES_LO: DRAM traffic since reset, low half; reading it latches BYTES_HI.
  namespace bytes_lo {
  inline constexpr std::uint32_t kOffset = 0x30;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2030 + 0x40 * engine_index; }
  inline constexpr Field kCount{0, 32};  ///< Bytes moved to or from DRAM, bits 31 to 0.
  }  // namespace bytes_lo
  /// ENGINE[].BYTES_HI: DRAM traffic since reset, high half, at the last read of BYTES_LO.
  namespace bytes_hi {
  inline constexpr std::uint32_t kOffset = 0x34;  ///< within ENGINE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t engine_index) { return 0x2034 + 0x40 * engine_index; }
  inline constexpr Field kCount{0, 32};  ///< Bytes moved to or from DRAM, bits 63 to 32.
  }  // namespace bytes_hi
}  // namespace engine
/// Context: the cores and memory that the instructions of one task may touch.
namespace context {
inline constexpr std::uint32_t kBase = 0x4000;
inline constexpr std::uint32_t kCount = 16;
inline constexpr std::uint32_t kStride = 0x80;
  /// CONTEXT[].CONTROL: Control of the context.
  namespace control {
  inline constexpr std::uint32_t kOffset = 0x0;  ///< within CONTEXT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x7;
  constexpr std::uint32_t offset(std::uint32_t context_index) { return 0x4000 + 0x80 * context_index; }
  inline constexpr Field kValid{0, 1};  ///< Instructions of this context may run; while this is 0, they fault as invalid_context. A change from 0 to 1 takes the blocks and units of the context for its owner, and the device clears those that another owner used last. The device sets the bit to 0 when another owner takes some of them. Writing 1 over 0 while instructions of the context are in flight is a bus fault.
  inline constexpr Field kAbort{1, 1};  ///< Writing 1 quarantines the context: its instructions that are still in queues complete as aborted; reads as 0.
  inline constexpr Field kReset{2, 1};  ///< Writing 1 clears the banked configuration and the quarantine; this is a bus fault while instructions of the context are in flight; reads as 0.
  inline constexpr Field kQuarantined{8, 1};  ///< The context had a fault or was aborted, and was not reset since.
  }  // namespace control
  /// CONTEXT[].L2_FIRST: First L2 block of the context.
  namespace l2_first {
  inline constexpr std::uint32_t kOffset = 0x4;  ///< within CONTEXT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFF;
  constexpr std::uint32_t offset(std::uint32_t context_index) { return 0x4004 + 0x80 * context_index; }
  inline constexpr Field kBlock{0, 16};  ///< Index of the first block that its instructions may touch.
  }  // namespace l2_first
  /// CONTEXT[].L2_LAST: Last L2 block of the context.
  namespace l2_last {
  inline constexpr std::uint32_t kOffset = 0x8;  ///< within CONTEXT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFF;
  constexpr std::uint32_t offset(std::uint32_t context_index) { return 0x4008 + 0x80 * context_index; }
  inline constexpr Field kBlock{0, 16};  ///< Index of the last block that its instructions may touch.
  }  // namespace l2_last
  /// CONTEXT[].WL0: WL0 of the context.
  namespace wl0 {
  inline constexpr std::uint32_t kOffset = 0xC;  ///< within CONTEXT[]
  inline constexpr std::uint32_t kResetValue = 0x4FFF0000;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t context_index) { return 0x400C + 0x80 * context_index; }
  inline constexpr Field kFirst{0, 16};  ///< First unit of WL0 that its instructions may touch.
  inline constexpr Field kLast{16, 16};  ///< Last unit.
  }  // namespace wl0
  /// CONTEXT[].CORES: Tile cores of the context.
  namespace cores {
  inline constexpr std::uint32_t kOffset = 0x10;  ///< within CONTEXT[]
  inline constexpr std::uint32_t kResetValue = 0x300;
  inline constexpr std::uint32_t kWritableMask = 0xF0F;
  constexpr std::uint32_t offset(std::uint32_t context_index) { return 0x4010 + 0x80 * context_index; }
  inline constexpr Field kFirst{0, 4};  ///< First tile core that its instructions may run in, or reach with SI and SO: the task's core 0.
  inline constexpr Field kLast{8, 4};  ///< Last tile core.
  }  // namespace cores
  /// CONTEXT[].OWNER: Owner of the context. A write of this register, L2_FIRST, L2_LAST, WL0 or CORES while VALID is 1 is a bus fault.
  namespace owner {
  inline constexpr std::uint32_t kOffset = 0x14;  ///< within CONTEXT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFF;
  constexpr std::uint32_t offset(std::uint32_t context_index) { return 0x4014 + 0x80 * context_index; }
  inline constexpr Field kNumber{0, 8};  ///< Owner of the context. When the context becomes valid, blocks of L2 and units of WL0 that another owner used last are set to zero.
  }  // namespace owner
  /// DRAM windows, one for each base address register BAS 0 to 3.
  namespace window {
  inline constexpr std::uint32_t kBase = 0x20;  ///< within CONTEXT[]
  inline constexpr std::uint32_t kCount = 4;
  inline constexpr std::uint32_t kStride = 0x10;
    /// CONTEXT[].WINDOW[].BASE_LO: Bus address of the window, low half.
    namespace base_lo {
    inline constexpr std::uint32_t kOffset = 0x0;  ///< within WINDOW[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
    constexpr std::uint32_t offset(std::uint32_t context_index, std::uint32_t window_index) { return 0x4020 + 0x80 * context_index + 0x10 * window_index; }
    inline constexpr Field kAddress{0, 32};  ///< Bits 31 to 0.
    }  // namespace base_lo
    /// CONTEXT[].WINDOW[].BASE_HI: Bus address of the window, high half.
    namespace base_hi {
    inline constexpr std::uint32_t kOffset = 0x4;  ///< within WINDOW[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
    constexpr std::uint32_t offset(std::uint32_t context_index, std::uint32_t window_index) { return 0x4024 + 0x80 * context_index + 0x10 * window_index; }
    inline constexpr Field kAddress{0, 32};  ///< Bits 63 to 32.
    }  // namespace base_hi
    /// CONTEXT[].WINDOW[].SIZE: Size of the window.
    namespace size {
    inline constexpr std::uint32_t kOffset = 0x8;  ///< within WINDOW[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
    constexpr std::uint32_t offset(std::uint32_t context_index, std::uint32_t window_index) { return 0x4028 + 0x80 * context_index + 0x10 * window_index; }
    inline constexpr Field kBytes{0, 32};  ///< Bytes from the base that instructions may reach; 0: the window is closed.
    }  // namespace size
    /// CONTEXT[].WINDOW[].ACCESS: Accesses that instructions may make in the window.
    namespace access {
    inline constexpr std::uint32_t kOffset = 0xC;  ///< within WINDOW[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x3;
    constexpr std::uint32_t offset(std::uint32_t context_index, std::uint32_t window_index) { return 0x402C + 0x80 * context_index + 0x10 * window_index; }
    inline constexpr Field kRead{0, 1};  ///< Instructions may read.
    inline constexpr Field kWrite{1, 1};  ///< Instructions may write.
    }  // namespace access
  }  // namespace window
}  // namespace context
/// State of a context in the MX engine.
namespace mx {
inline constexpr std::uint32_t kBase = 0x8000;
inline constexpr std::uint32_t kCount = 16;
inline constexpr std::uint32_t kStride = 0x100;
  /// Base registers that CONFBADDR can name. A reset of the context marks all of them as not written.
  namespace base {
  inline constexpr std::uint32_t kBase = 0x0;  ///< within MX[]
  inline constexpr std::uint32_t kCount = 32;
  inline constexpr std::uint32_t kStride = 0x8;
    /// MX[].BASE[].LO: Bus address, low half; a write of it marks the base register as written.
    namespace lo {
    inline constexpr std::uint32_t kOffset = 0x0;  ///< within BASE[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
    constexpr std::uint32_t offset(std::uint32_t mx_index, std::uint32_t base_index) { return 0x8000 + 0x100 * mx_index + 0x8 * base_index; }
    inline constexpr Field kAddress{0, 32};  ///< Bits 31 to 0.
    }  // namespace lo
    /// MX[].BASE[].HI: Bus address, high half.
    namespace hi {
    inline constexpr std::uint32_t kOffset = 0x4;  ///< within BASE[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
    constexpr std::uint32_t offset(std::uint32_t mx_index, std::uint32_t base_index) { return 0x8004 + 0x100 * mx_index + 0x8 * base_index; }
    inline constexpr Field kAddress{0, 32};  ///< Bits 63 to 32.
    }  // namespace hi
  }  // namespace base
}  // namespace mx
/// PIM_CORES: Number of PIM cores. 0 if the device has no PIM cores.
namespace pim_cores {
inline constexpr std::uint32_t kOffset = 0xA000;
inline constexpr std::uint32_t kResetValue = 0x10;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCount{0, 7};  ///< Number of cores, 1 to 64.
}  // namespace pim_cores
/// PIM_CONFIGURATION_INDEX: Chooses a word of the description of the cores' configuration (isa/pim/description.h).
namespace pim_configuration_index {
inline constexpr std::uint32_t kOffset = 0xA004;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0xFF;
inline constexpr Field kWord{0, 8};  ///< Number of the word.
}  // namespace pim_configuration_index
/// PIM_CONFIGURATION_WORD: The word that PIM_CONFIGURATION_INDEX chooses; 0 behind the last one.
namespace pim_configuration_word {
inline constexpr std::uint32_t kOffset = 0xA008;
inline constexpr std::uint32_t kResetValue = 0x60701;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kWord{0, 32};  ///< The word.
}  // namespace pim_configuration_word
/// PIM_WAITING_LO: Cores that could not go on when the last program ended with the fault deadlock.
namespace pim_waiting_lo {
inline constexpr std::uint32_t kOffset = 0xA010;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCore{0, 32};  ///< Bit i: core i.
}  // namespace pim_waiting_lo
/// PIM_WAITING_HI: Cores that could not go on when the last program ended with the fault deadlock.
namespace pim_waiting_hi {
inline constexpr std::uint32_t kOffset = 0xA014;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCore{0, 32};  ///< Bit i: core 32 + i.
}  // namespace pim_waiting_hi
/// PIM_HALTED_LO: Cores that are halted.
namespace pim_halted_lo {
inline constexpr std::uint32_t kOffset = 0xA018;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCore{0, 32};  ///< Bit i: core i.
}  // namespace pim_halted_lo
/// PIM_HALTED_HI: Cores that are halted.
namespace pim_halted_hi {
inline constexpr std::uint32_t kOffset = 0xA01C;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCore{0, 32};  ///< Bit i: core 32 + i.
}  // namespace pim_halted_hi
/// PIM_HALT_LO: Halts cores: they stop before their next instruction, also before the first of a later program, until they are resumed. Only a power-on reset and PIM_RESUME undo it.
namespace pim_halt_lo {
inline constexpr std::uint32_t kOffset = 0xA020;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
inline constexpr Field kCore{0, 32};  ///< Bit i: core i.
}  // namespace pim_halt_lo
/// PIM_HALT_HI: Halts cores: they stop before their next instruction, also before the first of a later program, until they are resumed. Only a power-on reset and PIM_RESUME undo it.
namespace pim_halt_hi {
inline constexpr std::uint32_t kOffset = 0xA024;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
inline constexpr Field kCore{0, 32};  ///< Bit i: core 32 + i.
}  // namespace pim_halt_hi
/// PIM_RESUME_LO: Lets halted cores go on.
namespace pim_resume_lo {
inline constexpr std::uint32_t kOffset = 0xA028;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
inline constexpr Field kCore{0, 32};  ///< Bit i: core i.
}  // namespace pim_resume_lo
/// PIM_RESUME_HI: Lets halted cores go on.
namespace pim_resume_hi {
inline constexpr std::uint32_t kOffset = 0xA02C;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
inline constexpr Field kCore{0, 32};  ///< Bit i: core 32 + i.
}  // namespace pim_resume_hi
/// PIM_STEP_LO: Lets halted cores run one instruction. No effect on other cores.
namespace pim_step_lo {
inline constexpr std::uint32_t kOffset = 0xA030;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
inline constexpr Field kCore{0, 32};  ///< Bit i: core i.
}  // namespace pim_step_lo
/// PIM_STEP_HI: Lets halted cores run one instruction. No effect on other cores.
namespace pim_step_hi {
inline constexpr std::uint32_t kOffset = 0xA034;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
inline constexpr Field kCore{0, 32};  ///< Bit i: core 32 + i.
}  // namespace pim_step_hi
/// UNITY_UNITS: Number of Unity units. 0 if the device has no Unity engine.
namespace unity_units {
inline constexpr std::uint32_t kOffset = 0xB000;
inline constexpr std::uint32_t kResetValue = 0x4;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kCount{0, 4};  ///< Number of units, 1 to 8.
}  // namespace unity_units
/// UNITY_KEY: Chooses an entry of the key tables for UNITY_KEY_COUNT and UNITY_KEY_ADD.
namespace unity_key {
inline constexpr std::uint32_t kOffset = 0xB004;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x3FF;
inline constexpr Field kEntry{0, 8};  ///< Entry of the table.
inline constexpr Field kTable{8, 2};  ///< Number of the table.
}  // namespace unity_key
/// UNITY_KEY_COUNT: Keys in the entry that UNITY_KEY chooses. A write sets them; while a container runs, it has no effect.
namespace unity_key_count {
inline constexpr std::uint32_t kOffset = 0xB008;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0xFFFF;
inline constexpr Field kCount{0, 16};  ///< Keys.
}  // namespace unity_key_count
/// UNITY_KEY_ADD: A write adds keys to the entry that UNITY_KEY chooses. If the entry would hold more than 65535, the write has no effect.
namespace unity_key_add {
inline constexpr std::uint32_t kOffset = 0xB00C;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0xFFFF;
inline constexpr Field kCount{0, 16};  ///< Keys to add.
}  // namespace unity_key_add
/// UNITY_WAITING: Units that wait for keys, or that waited when the last container ended with a fault.
namespace unity_waiting {
inline constexpr std::uint32_t kOffset = 0xB010;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kUnit{0, 8};  ///< Bit i: unit i.
}  // namespace unity_waiting
/// A Unity unit: what it waits for, or waited for when the last container ended with a fault, and what it has done since the container's start. Registers of a unit that does not exist read as 0.
namespace unity_unit {
inline constexpr std::uint32_t kBase = 0xB100;
inline constexpr std::uint32_t kCount = 8;
inline constexpr std::uint32_t kStride = 0x40;
  /// UNITY_UNIT[].POSITION: Instruction that waits.
  namespace position {
  inline constexpr std::uint32_t kOffset = 0x0;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB100 + 0x40 * unity_unit_index; }
  inline constexpr Field kPosition{0, 24};  ///< Packed position (isa/unity/program.h).
  }  // namespace position
  /// UNITY_UNIT[].WAITS_FOR: Keys that the instruction waits for.
  namespace waits_for {
  inline constexpr std::uint32_t kOffset = 0x4;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB104 + 0x40 * unity_unit_index; }
  inline constexpr Field kEntry{0, 8};  ///< Entry of the table.
  inline constexpr Field kTable{8, 2};  ///< Number of the table.
  inline constexpr Field kWanted{12, 4};  ///< Keys that it wants, 1 to 8.
  inline constexpr Field kHeld{16, 16};  ///< Keys in the entry.
  }  // namespace waits_for
  /// UNITY_UNIT[].INSTRUCTIONS_LO: Instructions that have ended. Low half.
  namespace instructions_lo {
  inline constexpr std::uint32_t kOffset = 0x8;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB108 + 0x40 * unity_unit_index; }
  inline constexpr Field kCount{0, 32};  ///< Bits 31 to 0.
  }  // namespace instructions_lo
  /// UNITY_UNIT[].INSTRUCTIONS_HI: Instructions that have ended. High half.
  namespace instructions_hi {
  inline constexpr std::uint32_t kOffset = 0xC;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB10C + 0x40 * unity_unit_index; }
  inline constexpr Field kCount{0, 32};  ///< Bits 63 to 32.
  }  // namespace instructions_hi
  /// UNITY_UNIT[].BUSY_LO: Cycles in which the lanes worked. Low half.
  namespace busy_lo {
  inline constexpr std::uint32_t kOffset = 0x10;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB110 + 0x40 * unity_unit_index; }
  inline constexpr Field kCount{0, 32};  ///< Bits 31 to 0.
  }  // namespace busy_lo
  /// UNITY_UNIT[].BUSY_HI: Cycles in which the lanes worked. High half.
  namespace busy_hi {
  inline constexpr std::uint32_t kOffset = 0x14;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB114 + 0x40 * unity_unit_index; }
  inline constexpr Field kCount{0, 32};  ///< Bits 63 to 32.
  }  // namespace busy_hi
  /// UNITY_UNIT[].WAITED_LO: Cycles in which the unit waited for keys. Low half.
  namespace waited_lo {
  inline constexpr std::uint32_t kOffset = 0x18;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB118 + 0x40 * unity_unit_index; }
  inline constexpr Field kCount{0, 32};  ///< Bits 31 to 0.
  }  // namespace waited_lo
  /// UNITY_UNIT[].WAITED_HI: Cycles in which the unit waited for keys. High half.
  namespace waited_hi {
  inline constexpr std::uint32_t kOffset = 0x1C;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB11C + 0x40 * unity_unit_index; }
  inline constexpr Field kCount{0, 32};  ///< Bits 63 to 32.
  }  // namespace waited_hi
  /// UNITY_UNIT[].MACS_LO: Multiply-accumulates. Low half.
  namespace macs_lo {
  inline constexpr std::uint32_t kOffset = 0x20;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB120 + 0x40 * unity_unit_index; }
  inline constexpr Field kCount{0, 32};  ///< Bits 31 to 0.
  }  // namespace macs_lo
  /// UNITY_UNIT[].MACS_HI: Multiply-accumulates. High half.
  namespace macs_hi {
  inline constexpr std::uint32_t kOffset = 0x24;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB124 + 0x40 * unity_unit_index; }
  inline constexpr Field kCount{0, 32};  ///< Bits 63 to 32.
  }  // namespace macs_hi
  /// UNITY_UNIT[].BYTES_LO: Bytes to and from DRAM. Low half.
  namespace bytes_lo {
  inline constexpr std::uint32_t kOffset = 0x28;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB128 + 0x40 * unity_unit_index; }
  inline constexpr Field kCount{0, 32};  ///< Bits 31 to 0.
  }  // namespace bytes_lo
  /// UNITY_UNIT[].BYTES_HI: Bytes to and from DRAM. High half.
  namespace bytes_hi {
  inline constexpr std::uint32_t kOffset = 0x2C;  ///< within UNITY_UNIT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t unity_unit_index) { return 0xB12C + 0x40 * unity_unit_index; }
  inline constexpr Field kCount{0, 32};  ///< Bits 63 to 32.
  }  // namespace bytes_hi
}  // namespace unity_unit
/// State of a context in the Unity engine. A reset of the context restores the reset values.
namespace unity_context {
inline constexpr std::uint32_t kBase = 0xB400;
inline constexpr std::uint32_t kCount = 16;
inline constexpr std::uint32_t kStride = 0x10;
  /// UNITY_CONTEXT[].PAGE_LO: Device address of the page of 16-bit addresses, low half; a multiple of 64 KiB. A container may name its own.
  namespace page_lo {
  inline constexpr std::uint32_t kOffset = 0x0;  ///< within UNITY_CONTEXT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t unity_context_index) { return 0xB400 + 0x10 * unity_context_index; }
  inline constexpr Field kAddress{0, 32};  ///< Bits 31 to 0.
  }  // namespace page_lo
  /// UNITY_CONTEXT[].PAGE_HI: Device address of the page, high half.
  namespace page_hi {
  inline constexpr std::uint32_t kOffset = 0x4;  ///< within UNITY_CONTEXT[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t unity_context_index) { return 0xB404 + 0x10 * unity_context_index; }
  inline constexpr Field kAddress{0, 32};  ///< Bits 63 to 32.
  }  // namespace page_hi
  /// UNITY_CONTEXT[].KEYS: Key tables that the context owns.
  namespace keys {
  inline constexpr std::uint32_t kOffset = 0x8;  ///< within UNITY_CONTEXT[]
  inline constexpr std::uint32_t kResetValue = 0xF;
  inline constexpr std::uint32_t kWritableMask = 0xF;
  constexpr std::uint32_t offset(std::uint32_t unity_context_index) { return 0xB408 + 0x10 * unity_context_index; }
  inline constexpr Field kTables{0, 4};  ///< Bit i: table i.
  }  // namespace keys
}  // namespace unity_context
/// A PIM core, for a debugger. The state is that of the running program, and later that of the last one. Registers of a core that does not exist read as 0. A core that runs may be ahead of the device's time with instructions that touch only its own memories.
namespace pim_core {
inline constexpr std::uint32_t kBase = 0x10000;
inline constexpr std::uint32_t kCount = 64;
inline constexpr std::uint32_t kStride = 0x400;
  /// PIM_CORE[].STATE: What the core does.
  namespace state {
  inline constexpr std::uint32_t kOffset = 0x0;  ///< within PIM_CORE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t pim_core_index) { return 0x10000 + 0x400 * pim_core_index; }
  inline constexpr Field kPhase{0, 4};  ///< Phase of the core.
  inline constexpr Field kFault{8, 8};  ///< In the phase faulted: the FaultCode.
  inline constexpr Field kOpenMessages{16, 16};  ///< Messages of the core whose data has not landed.
  }  // namespace state
  /// PIM_CORE[].COUNTER: Program counter.
  namespace counter {
  inline constexpr std::uint32_t kOffset = 0x4;  ///< within PIM_CORE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t pim_core_index) { return 0x10004 + 0x400 * pim_core_index; }
  inline constexpr Field kInstruction{0, 32};  ///< Number of the next instruction; of the instruction itself while the core waits in it, or if it has faulted.
  }  // namespace counter
  /// PIM_CORE[].FAULT_DETAIL: In the phase faulted: detail of the fault, as in the completion of a program.
  namespace fault_detail {
  inline constexpr std::uint32_t kOffset = 0x8;  ///< within PIM_CORE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t pim_core_index) { return 0x10008 + 0x400 * pim_core_index; }
  inline constexpr Field kDetail{0, 32};  ///< [31:8] position of the instruction, [7:0] the lowest bit of the field in the instruction, 255 if no field is at fault. For ecc, the bus address.
  }  // namespace fault_detail
  /// PIM_CORE[].OTHER: What the core waits for.
  namespace other {
  inline constexpr std::uint32_t kOffset = 0xC;  ///< within PIM_CORE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t pim_core_index) { return 0x1000C + 0x400 * pim_core_index; }
  inline constexpr Field kCore{0, 32};  ///< In the phases message and wait: the other core. In the phase barrier: the number of cores.
  }  // namespace other
  /// PIM_CORE[].MESSAGE_ID: What the core waits for.
  namespace message_id {
  inline constexpr std::uint32_t kOffset = 0x10;  ///< within PIM_CORE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t pim_core_index) { return 0x10010 + 0x400 * pim_core_index; }
  inline constexpr Field kId{0, 32};  ///< Id of the messages, or of the barrier.
  }  // namespace message_id
  /// PIM_CORE[].ADDRESS: Address for DATA.
  namespace address {
  inline constexpr std::uint32_t kOffset = 0x14;  ///< within PIM_CORE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t pim_core_index) { return 0x10014 + 0x400 * pim_core_index; }
  inline constexpr Field kAddress{0, 32};  ///< Address in the core's local memories or array.
  }  // namespace address
  /// PIM_CORE[].DATA: The four bytes from ADDRESS on. They read as 0 if they do not lie in one local memory or in the array. Writing is then a bus fault, and also while the core runs or waits.
  namespace data {
  inline constexpr std::uint32_t kOffset = 0x18;  ///< within PIM_CORE[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t pim_core_index) { return 0x10018 + 0x400 * pim_core_index; }
  inline constexpr Field kData{0, 32};  ///< The bytes, the first one lowest.
  }  // namespace data
  /// Breakpoints. Only a power-on reset and software clear them.
  namespace breakpoint {
  inline constexpr std::uint32_t kBase = 0x40;  ///< within PIM_CORE[]
  inline constexpr std::uint32_t kCount = 8;
  inline constexpr std::uint32_t kStride = 0x4;
    /// PIM_CORE[].BREAKPOINT[].POSITION: A breakpoint.
    namespace position {
    inline constexpr std::uint32_t kOffset = 0x0;  ///< within BREAKPOINT[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x8003FFFF;
    constexpr std::uint32_t offset(std::uint32_t pim_core_index, std::uint32_t breakpoint_index) { return 0x10040 + 0x400 * pim_core_index + 0x4 * breakpoint_index; }
    inline constexpr Field kInstruction{0, 18};  ///< The core halts before this instruction, each time it comes there.
    inline constexpr Field kSet{31, 1};  ///< 1: the breakpoint is set.
    }  // namespace position
  }  // namespace breakpoint
  /// Registers: the 32 general ones, then the special ones by number. Special registers that are bound to general ones are the same.
  namespace reg {
  inline constexpr std::uint32_t kBase = 0x100;  ///< within PIM_CORE[]
  inline constexpr std::uint32_t kCount = 64;
  inline constexpr std::uint32_t kStride = 0x4;
    /// PIM_CORE[].REG[].VALUE: A register. A bus fault for a write while the core runs or waits, and to a special register that does not exist; this one reads as 0.
    namespace value {
    inline constexpr std::uint32_t kOffset = 0x0;  ///< within REG[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
    constexpr std::uint32_t offset(std::uint32_t pim_core_index, std::uint32_t reg_index) { return 0x10100 + 0x400 * pim_core_index + 0x4 * reg_index; }
    inline constexpr Field kValue{0, 32};  ///< The value.
    }  // namespace value
  }  // namespace reg
  /// Counts since the start of the program (isa/pim/description.h, Count).
  namespace count {
  inline constexpr std::uint32_t kBase = 0x200;  ///< within PIM_CORE[]
  inline constexpr std::uint32_t kCount = 32;
  inline constexpr std::uint32_t kStride = 0x8;
    /// PIM_CORE[].COUNT[].LO: Low half of the count. Reading it latches HI of the core's counts.
    namespace lo {
    inline constexpr std::uint32_t kOffset = 0x0;  ///< within COUNT[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t pim_core_index, std::uint32_t count_index) { return 0x10200 + 0x400 * pim_core_index + 0x8 * count_index; }
    inline constexpr Field kCount{0, 32};  ///< Bits 31 to 0.
    }  // namespace lo
    /// PIM_CORE[].COUNT[].HI: High half of the count, at the last read of LO.
    namespace hi {
    inline constexpr std::uint32_t kOffset = 0x4;  ///< within COUNT[]
    inline constexpr std::uint32_t kResetValue = 0x0;
    inline constexpr std::uint32_t kWritableMask = 0x0;
    constexpr std::uint32_t offset(std::uint32_t pim_core_index, std::uint32_t count_index) { return 0x10204 + 0x400 * pim_core_index + 0x8 * count_index; }
    inline constexpr Field kCount{0, 32};  ///< Bits 63 to 32.
    }  // namespace hi
  }  // namespace count
}  // namespace pim_core

/// Every register by name, for a switch.
enum class Name : std::uint8_t {
  id,
  version,
  capabilities,
  geometry0,
  geometry1,
  geometry2,
  clock,
  control,
  engine_reset,
  int_status,
  int_enable,
  fault_status,
  fault_tag,
  fault_detail,
  fault_time_lo,
  fault_time_hi,
  cycle_lo,
  cycle_hi,
  geometry3,
  geometry4,
  geometry5,
  geometry6,
  clock_enable,
  ecc_corrected,
  core_clock_cycles_lo,
  core_clock_cycles_hi,
  cq_base_lo,
  cq_base_hi,
  cq_control,
  cq_head,
  cq_tail,
  cq_coalesce,
  core_sq_base_lo,
  core_sq_base_hi,
  core_sq_control,
  core_sq_tail,
  core_sq_head,
  core_sq_status,
  core_sq_instructions_lo,
  core_sq_instructions_hi,
  core_sq_busy_lo,
  core_sq_busy_hi,
  core_sq_stalled_lo,
  core_sq_stalled_hi,
  core_sq_bytes_lo,
  core_sq_bytes_hi,
  engine_base_lo,
  engine_base_hi,
  engine_control,
  engine_tail,
  engine_head,
  engine_status,
  engine_instructions_lo,
  engine_instructions_hi,
  engine_busy_lo,
  engine_busy_hi,
  engine_stalled_lo,
  engine_stalled_hi,
  engine_bytes_lo,
  engine_bytes_hi,
  context_control,
  context_l2_first,
  context_l2_last,
  context_wl0,
  context_cores,
  context_owner,
  context_window_base_lo,
  context_window_base_hi,
  context_window_size,
  context_window_access,
  mx_base_lo,
  mx_base_hi,
  pim_cores,
  pim_configuration_index,
  pim_configuration_word,
  pim_waiting_lo,
  pim_waiting_hi,
  pim_halted_lo,
  pim_halted_hi,
  pim_halt_lo,
  pim_halt_hi,
  pim_resume_lo,
  pim_resume_hi,
  pim_step_lo,
  pim_step_hi,
  unity_units,
  unity_key,
  unity_key_count,
  unity_key_add,
  unity_waiting,
  unity_unit_position,
  unity_unit_waits_for,
  unity_unit_instructions_lo,
  unity_unit_instructions_hi,
  unity_unit_busy_lo,
  unity_unit_busy_hi,
  unity_unit_waited_lo,
  unity_unit_waited_hi,
  unity_unit_macs_lo,
  unity_unit_macs_hi,
  unity_unit_bytes_lo,
  unity_unit_bytes_hi,
  unity_context_page_lo,
  unity_context_page_hi,
  unity_context_keys,
  pim_core_state,
  pim_core_counter,
  pim_core_fault_detail,
  pim_core_other,
  pim_core_message_id,
  pim_core_address,
  pim_core_data,
  pim_core_breakpoint_position,
  pim_core_reg_value,
  pim_core_count_lo,
  pim_core_count_hi,
};

/// A repetition of a register: `count` times, `stride` bytes apart.
struct Dimension {
  std::uint32_t count;
  std::uint32_t stride;
};

/// The register at an offset and its indices (core or context, then class or window); `definition` is nullptr if the offset has no register.
template <typename Register>
struct LocationOf {
  const Register *definition;
  std::array<std::uint32_t, 2> index;
};

/// Finds an offset in a table of registers.
template <typename Register, std::size_t kCount>
constexpr LocationOf<Register> locate_in(const Register (&registers)[kCount], std::uint32_t offset) {
  for (const Register &candidate : registers) {
    if (offset < candidate.offset) continue;
    std::uint32_t rest = offset - candidate.offset;
    LocationOf<Register> location{&candidate, {0, 0}};
    bool inside = true;
    for (unsigned level = 0; level < 2; ++level) {
      const Dimension &dimension = candidate.dimensions[level];
      if (dimension.stride == 0) continue;
      location.index[level] = rest / dimension.stride;
      rest %= dimension.stride;
      inside = inside && location.index[level] < dimension.count;
    }
    if (inside && rest == 0) return location;
  }
  return {nullptr, {0, 0}};
}

struct Register {
  const char *text;       ///< as in docs/registers.md: "CORE[].SQ[].TAIL"
  std::uint32_t offset;   ///< of the one with all indices 0, in bytes in the block
  std::uint32_t reset;
  std::uint32_t writable; ///< mask of the bits that a write can change or act on
  std::array<Dimension, 2> dimensions;  ///< outer, inner; {1, 0} if there are fewer
  Name name;
  Access access;
};

/// Every register, in order of offsets within its cluster.
inline constexpr Register kRegisters[] = {
    {"ID", 0x0, 0x53584F43, 0x0, {{{1, 0}, {1, 0}}}, Name::id, Access::read_only},
    {"VERSION", 0x4, 0x10003, 0x0, {{{1, 0}, {1, 0}}}, Name::version, Access::read_only},
    {"CAPABILITIES", 0x8, 0x1F, 0x0, {{{1, 0}, {1, 0}}}, Name::capabilities, Access::read_only},
    {"GEOMETRY0", 0xC, 0x1008101, 0x0, {{{1, 0}, {1, 0}}}, Name::geometry0, Access::read_only},
    {"GEOMETRY1", 0x10, 0x4005000, 0x0, {{{1, 0}, {1, 0}}}, Name::geometry1, Access::read_only},
    {"GEOMETRY2", 0x14, 0xC1000, 0x0, {{{1, 0}, {1, 0}}}, Name::geometry2, Access::read_only},
    {"CLOCK", 0x18, 0x3E8, 0x0, {{{1, 0}, {1, 0}}}, Name::clock, Access::read_only},
    {"CONTROL", 0x1C, 0x0, 0x1, {{{1, 0}, {1, 0}}}, Name::control, Access::read_write},
    {"ENGINE_RESET", 0x20, 0x0, 0xFFF, {{{1, 0}, {1, 0}}}, Name::engine_reset, Access::write_only},
    {"INT_STATUS", 0x24, 0x0, 0x100, {{{1, 0}, {1, 0}}}, Name::int_status, Access::read_write},
    {"INT_ENABLE", 0x28, 0x0, 0x1FFF, {{{1, 0}, {1, 0}}}, Name::int_enable, Access::read_write},
    {"FAULT_STATUS", 0x2C, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::fault_status, Access::read_only},
    {"FAULT_TAG", 0x30, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::fault_tag, Access::read_only},
    {"FAULT_DETAIL", 0x34, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::fault_detail, Access::read_only},
    {"FAULT_TIME_LO", 0x38, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::fault_time_lo, Access::read_only},
    {"FAULT_TIME_HI", 0x3C, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::fault_time_hi, Access::read_only},
    {"CYCLE_LO", 0x40, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::cycle_lo, Access::read_only},
    {"CYCLE_HI", 0x44, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::cycle_hi, Access::read_only},
    {"GEOMETRY3", 0x48, 0x2000400, 0x0, {{{1, 0}, {1, 0}}}, Name::geometry3, Access::read_only},
    {"GEOMETRY4", 0x4C, 0x1000400, 0x0, {{{1, 0}, {1, 0}}}, Name::geometry4, Access::read_only},
    {"GEOMETRY5", 0x50, 0x400040, 0x0, {{{1, 0}, {1, 0}}}, Name::geometry5, Access::read_only},
    {"GEOMETRY6", 0x54, 0x4001000, 0x0, {{{1, 0}, {1, 0}}}, Name::geometry6, Access::read_only},
    {"CLOCK_ENABLE", 0x58, 0xFFF, 0xFFF, {{{1, 0}, {1, 0}}}, Name::clock_enable, Access::read_write},
    {"ECC_CORRECTED", 0x5C, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::ecc_corrected, Access::read_only},
    {"CORE_CLOCK[].CYCLES_LO", 0x60, 0x0, 0x0, {{{4, 0x8}, {1, 0}}}, Name::core_clock_cycles_lo, Access::read_only},
    {"CORE_CLOCK[].CYCLES_HI", 0x64, 0x0, 0x0, {{{4, 0x8}, {1, 0}}}, Name::core_clock_cycles_hi, Access::read_only},
    {"CQ[].BASE_LO", 0x100, 0x0, 0xFFFFFFFF, {{{12, 0x20}, {1, 0}}}, Name::cq_base_lo, Access::read_write},
    {"CQ[].BASE_HI", 0x104, 0x0, 0xFFFFFFFF, {{{12, 0x20}, {1, 0}}}, Name::cq_base_hi, Access::read_write},
    {"CQ[].CONTROL", 0x108, 0x0, 0xF1, {{{12, 0x20}, {1, 0}}}, Name::cq_control, Access::read_write},
    {"CQ[].HEAD", 0x10C, 0x0, 0xFFFFFFFF, {{{12, 0x20}, {1, 0}}}, Name::cq_head, Access::read_write},
    {"CQ[].TAIL", 0x110, 0x0, 0x0, {{{12, 0x20}, {1, 0}}}, Name::cq_tail, Access::read_only},
    {"CQ[].COALESCE", 0x114, 0x0, 0xFFFFFFFF, {{{12, 0x20}, {1, 0}}}, Name::cq_coalesce, Access::read_write},
    {"CORE[].SQ[].BASE_LO", 0x1000, 0x0, 0xFFFFFFFF, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_base_lo, Access::read_write},
    {"CORE[].SQ[].BASE_HI", 0x1004, 0x0, 0xFFFFFFFF, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_base_hi, Access::read_write},
    {"CORE[].SQ[].CONTROL", 0x1008, 0x0, 0xF1, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_control, Access::read_write},
    {"CORE[].SQ[].TAIL", 0x100C, 0x0, 0xFFFFFFFF, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_tail, Access::read_write},
    {"CORE[].SQ[].HEAD", 0x1010, 0x0, 0x0, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_head, Access::read_only},
    {"CORE[].SQ[].STATUS", 0x1014, 0x0, 0x0, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_status, Access::read_only},
    {"CORE[].SQ[].INSTRUCTIONS_LO", 0x1018, 0x0, 0x0, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_instructions_lo, Access::read_only},
    {"CORE[].SQ[].INSTRUCTIONS_HI", 0x101C, 0x0, 0x0, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_instructions_hi, Access::read_only},
    {"CORE[].SQ[].BUSY_LO", 0x1020, 0x0, 0x0, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_busy_lo, Access::read_only},
    {"CORE[].SQ[].BUSY_HI", 0x1024, 0x0, 0x0, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_busy_hi, Access::read_only},
    {"CORE[].SQ[].STALLED_LO", 0x1028, 0x0, 0x0, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_stalled_lo, Access::read_only},
    {"CORE[].SQ[].STALLED_HI", 0x102C, 0x0, 0x0, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_stalled_hi, Access::read_only},
    {"CORE[].SQ[].BYTES_LO", 0x1030, 0x0, 0x0, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_bytes_lo, Access::read_only},
    {"CORE[].SQ[].BYTES_HI", 0x1034, 0x0, 0x0, {{{4, 0x400}, {9, 0x40}}}, Name::core_sq_bytes_hi, Access::read_only},
    {"ENGINE[].BASE_LO", 0x2000, 0x0, 0xFFFFFFFF, {{{8, 0x40}, {1, 0}}}, Name::engine_base_lo, Access::read_write},
    {"ENGINE[].BASE_HI", 0x2004, 0x0, 0xFFFFFFFF, {{{8, 0x40}, {1, 0}}}, Name::engine_base_hi, Access::read_write},
    {"ENGINE[].CONTROL", 0x2008, 0x0, 0xF1, {{{8, 0x40}, {1, 0}}}, Name::engine_control, Access::read_write},
    {"ENGINE[].TAIL", 0x200C, 0x0, 0xFFFFFFFF, {{{8, 0x40}, {1, 0}}}, Name::engine_tail, Access::read_write},
    {"ENGINE[].HEAD", 0x2010, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::engine_head, Access::read_only},
    {"ENGINE[].STATUS", 0x2014, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::engine_status, Access::read_only},
    {"ENGINE[].INSTRUCTIONS_LO", 0x2018, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::engine_instructions_lo, Access::read_only},
    {"ENGINE[].INSTRUCTIONS_HI", 0x201C, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::engine_instructions_hi, Access::read_only},
    {"ENGINE[].BUSY_LO", 0x2020, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::engine_busy_lo, Access::read_only},
    {"ENGINE[].BUSY_HI", 0x2024, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::engine_busy_hi, Access::read_only},
    {"ENGINE[].STALLED_LO", 0x2028, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::engine_stalled_lo, Access::read_only},
    {"ENGINE[].STALLED_HI", 0x202C, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::engine_stalled_hi, Access::read_only},
    {"ENGINE[].BYTES_LO", 0x2030, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::engine_bytes_lo, Access::read_only},
    {"ENGINE[].BYTES_HI", 0x2034, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::engine_bytes_hi, Access::read_only},
    {"CONTEXT[].CONTROL", 0x4000, 0x0, 0x7, {{{16, 0x80}, {1, 0}}}, Name::context_control, Access::read_write},
    {"CONTEXT[].L2_FIRST", 0x4004, 0x0, 0xFFFF, {{{16, 0x80}, {1, 0}}}, Name::context_l2_first, Access::read_write},
    {"CONTEXT[].L2_LAST", 0x4008, 0x0, 0xFFFF, {{{16, 0x80}, {1, 0}}}, Name::context_l2_last, Access::read_write},
    {"CONTEXT[].WL0", 0x400C, 0x4FFF0000, 0xFFFFFFFF, {{{16, 0x80}, {1, 0}}}, Name::context_wl0, Access::read_write},
    {"CONTEXT[].CORES", 0x4010, 0x300, 0xF0F, {{{16, 0x80}, {1, 0}}}, Name::context_cores, Access::read_write},
    {"CONTEXT[].OWNER", 0x4014, 0x0, 0xFF, {{{16, 0x80}, {1, 0}}}, Name::context_owner, Access::read_write},
    {"CONTEXT[].WINDOW[].BASE_LO", 0x4020, 0x0, 0xFFFFFFFF, {{{16, 0x80}, {4, 0x10}}}, Name::context_window_base_lo, Access::read_write},
    {"CONTEXT[].WINDOW[].BASE_HI", 0x4024, 0x0, 0xFFFFFFFF, {{{16, 0x80}, {4, 0x10}}}, Name::context_window_base_hi, Access::read_write},
    {"CONTEXT[].WINDOW[].SIZE", 0x4028, 0x0, 0xFFFFFFFF, {{{16, 0x80}, {4, 0x10}}}, Name::context_window_size, Access::read_write},
    {"CONTEXT[].WINDOW[].ACCESS", 0x402C, 0x0, 0x3, {{{16, 0x80}, {4, 0x10}}}, Name::context_window_access, Access::read_write},
    {"MX[].BASE[].LO", 0x8000, 0x0, 0xFFFFFFFF, {{{16, 0x100}, {32, 0x8}}}, Name::mx_base_lo, Access::read_write},
    {"MX[].BASE[].HI", 0x8004, 0x0, 0xFFFFFFFF, {{{16, 0x100}, {32, 0x8}}}, Name::mx_base_hi, Access::read_write},
    {"PIM_CORES", 0xA000, 0x10, 0x0, {{{1, 0}, {1, 0}}}, Name::pim_cores, Access::read_only},
    {"PIM_CONFIGURATION_INDEX", 0xA004, 0x0, 0xFF, {{{1, 0}, {1, 0}}}, Name::pim_configuration_index, Access::read_write},
    {"PIM_CONFIGURATION_WORD", 0xA008, 0x60701, 0x0, {{{1, 0}, {1, 0}}}, Name::pim_configuration_word, Access::read_only},
    {"PIM_WAITING_LO", 0xA010, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::pim_waiting_lo, Access::read_only},
    {"PIM_WAITING_HI", 0xA014, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::pim_waiting_hi, Access::read_only},
    {"PIM_HALTED_LO", 0xA018, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::pim_halted_lo, Access::read_only},
    {"PIM_HALTED_HI", 0xA01C, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::pim_halted_hi, Access::read_only},
    {"PIM_HALT_LO", 0xA020, 0x0, 0xFFFFFFFF, {{{1, 0}, {1, 0}}}, Name::pim_halt_lo, Access::write_only},
    {"PIM_HALT_HI", 0xA024, 0x0, 0xFFFFFFFF, {{{1, 0}, {1, 0}}}, Name::pim_halt_hi, Access::write_only},
    {"PIM_RESUME_LO", 0xA028, 0x0, 0xFFFFFFFF, {{{1, 0}, {1, 0}}}, Name::pim_resume_lo, Access::write_only},
    {"PIM_RESUME_HI", 0xA02C, 0x0, 0xFFFFFFFF, {{{1, 0}, {1, 0}}}, Name::pim_resume_hi, Access::write_only},
    {"PIM_STEP_LO", 0xA030, 0x0, 0xFFFFFFFF, {{{1, 0}, {1, 0}}}, Name::pim_step_lo, Access::write_only},
    {"PIM_STEP_HI", 0xA034, 0x0, 0xFFFFFFFF, {{{1, 0}, {1, 0}}}, Name::pim_step_hi, Access::write_only},
    {"UNITY_UNITS", 0xB000, 0x4, 0x0, {{{1, 0}, {1, 0}}}, Name::unity_units, Access::read_only},
    {"UNITY_KEY", 0xB004, 0x0, 0x3FF, {{{1, 0}, {1, 0}}}, Name::unity_key, Access::read_write},
    {"UNITY_KEY_COUNT", 0xB008, 0x0, 0xFFFF, {{{1, 0}, {1, 0}}}, Name::unity_key_count, Access::read_write},
    {"UNITY_KEY_ADD", 0xB00C, 0x0, 0xFFFF, {{{1, 0}, {1, 0}}}, Name::unity_key_add, Access::write_only},
    {"UNITY_WAITING", 0xB010, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::unity_waiting, Access::read_only},
    {"UNITY_UNIT[].POSITION", 0xB100, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_position, Access::read_only},
    {"UNITY_UNIT[].WAITS_FOR", 0xB104, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_waits_for, Access::read_only},
    {"UNITY_UNIT[].INSTRUCTIONS_LO", 0xB108, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_instructions_lo, Access::read_only},
    {"UNITY_UNIT[].INSTRUCTIONS_HI", 0xB10C, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_instructions_hi, Access::read_only},
    {"UNITY_UNIT[].BUSY_LO", 0xB110, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_busy_lo, Access::read_only},
    {"UNITY_UNIT[].BUSY_HI", 0xB114, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_busy_hi, Access::read_only},
    {"UNITY_UNIT[].WAITED_LO", 0xB118, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_waited_lo, Access::read_only},
    {"UNITY_UNIT[].WAITED_HI", 0xB11C, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_waited_hi, Access::read_only},
    {"UNITY_UNIT[].MACS_LO", 0xB120, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_macs_lo, Access::read_only},
    {"UNITY_UNIT[].MACS_HI", 0xB124, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_macs_hi, Access::read_only},
    {"UNITY_UNIT[].BYTES_LO", 0xB128, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_bytes_lo, Access::read_only},
    {"UNITY_UNIT[].BYTES_HI", 0xB12C, 0x0, 0x0, {{{8, 0x40}, {1, 0}}}, Name::unity_unit_bytes_hi, Access::read_only},
    {"UNITY_CONTEXT[].PAGE_LO", 0xB400, 0x0, 0xFFFFFFFF, {{{16, 0x10}, {1, 0}}}, Name::unity_context_page_lo, Access::read_write},
    {"UNITY_CONTEXT[].PAGE_HI", 0xB404, 0x0, 0xFFFFFFFF, {{{16, 0x10}, {1, 0}}}, Name::unity_context_page_hi, Access::read_write},
    {"UNITY_CONTEXT[].KEYS", 0xB408, 0xF, 0xF, {{{16, 0x10}, {1, 0}}}, Name::unity_context_keys, Access::read_write},
    {"PIM_CORE[].STATE", 0x10000, 0x0, 0x0, {{{64, 0x400}, {1, 0}}}, Name::pim_core_state, Access::read_only},
    {"PIM_CORE[].COUNTER", 0x10004, 0x0, 0x0, {{{64, 0x400}, {1, 0}}}, Name::pim_core_counter, Access::read_only},
    {"PIM_CORE[].FAULT_DETAIL", 0x10008, 0x0, 0x0, {{{64, 0x400}, {1, 0}}}, Name::pim_core_fault_detail, Access::read_only},
    {"PIM_CORE[].OTHER", 0x1000C, 0x0, 0x0, {{{64, 0x400}, {1, 0}}}, Name::pim_core_other, Access::read_only},
    {"PIM_CORE[].MESSAGE_ID", 0x10010, 0x0, 0x0, {{{64, 0x400}, {1, 0}}}, Name::pim_core_message_id, Access::read_only},
    {"PIM_CORE[].ADDRESS", 0x10014, 0x0, 0xFFFFFFFF, {{{64, 0x400}, {1, 0}}}, Name::pim_core_address, Access::read_write},
    {"PIM_CORE[].DATA", 0x10018, 0x0, 0xFFFFFFFF, {{{64, 0x400}, {1, 0}}}, Name::pim_core_data, Access::read_write},
    {"PIM_CORE[].BREAKPOINT[].POSITION", 0x10040, 0x0, 0x8003FFFF, {{{64, 0x400}, {8, 0x4}}}, Name::pim_core_breakpoint_position, Access::read_write},
    {"PIM_CORE[].REG[].VALUE", 0x10100, 0x0, 0xFFFFFFFF, {{{64, 0x400}, {64, 0x4}}}, Name::pim_core_reg_value, Access::read_write},
    {"PIM_CORE[].COUNT[].LO", 0x10200, 0x0, 0x0, {{{64, 0x400}, {32, 0x8}}}, Name::pim_core_count_lo, Access::read_only},
    {"PIM_CORE[].COUNT[].HI", 0x10204, 0x0, 0x0, {{{64, 0x400}, {32, 0x8}}}, Name::pim_core_count_hi, Access::read_only},
};

using Location = LocationOf<Register>;
constexpr Location locate(std::uint32_t offset) { return locate_in(kRegisters, offset); }

}  // namespace cox::registers
// clang-format on
