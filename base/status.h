// SPDX-License-Identifier: MIT
// Errors as values: what was wrong, and where.
#pragma once

#include <cstdint>

namespace cox {

/// Every error that Coxswain reports. The numbers are part of the job interface (firmware/job/job_queue.h): append only.
enum class ErrorCode : std::uint16_t {
  ok = 0,
  invalid_argument = 1,  ///< an argument out of its documented range
  not_ready = 2,         ///< called before initialisation, or for a task slot that is empty
  no_room = 3,           ///< a queue, pool or memory region is full
  timeout = 4,           ///< a wait reached its time limit
  unsupported = 5,       ///< this device or firmware knows the name, but does not implement it
  unknown_device = 6,    ///< identity, version or geometry that this firmware does not know
  not_owner = 7,         ///< the object belongs to another owner
  // Task image.
  image_truncated = 16,
  image_magic = 17,
  image_version = 18,
  image_checksum = 19,
  image_malformed = 20,  ///< the FlatBuffer does not verify, or one of its fields has a wrong value
  image_geometry = 21,   ///< the task needs more than the device has
  image_unsigned = 22,   ///< the image has no signature, and the policy demands one
  unknown_key = 23,      ///< the image is signed with a key that the policy does not have
  bad_signature = 24,    ///< the signature is not that of the image: one of them was changed
  rolled_back = 25,      ///< the image's signed version is lower than the key's minimum
  // Instructions.
  unknown_instruction = 32,
  field_out_of_range = 33,
  reserved_bits = 34,
  missing_configuration = 35,  ///< an instruction runs before the *_cfg that it needs
  address_outside_window = 36,
  address_outside_cut = 37,
  address_outside_wl0 = 38,
  misaligned_address = 39,
  shape_mismatch = 40,    ///< fields that contradict each other
  stream_truncated = 41,  ///< a stream of instructions ends in the middle of an instruction
  base_not_written = 42,  ///< an instruction names a base register that was not written
  address_outside_buffer = 43,
  flag_not_set = 44,   ///< a wait for a flag that no earlier instruction sets
  flag_overflow = 45,  ///< a flag is set more often than it can count
  own_core = 46,       ///< an exchange between cores (SI, SO) whose partner is the core that runs it
  // Tasks.
  no_task_start = 48,
  no_task_end = 49,
  tokens_unbalanced = 50,
  deadlock = 52,
  bad_buffer_cut = 53,
  too_many_instructions = 54,
  cut_not_ordered = 55,  ///< neither tokens nor queues decide whether an L2 region is used before or after it is defined
  // Running.
  time_limit = 64,
  device_fault = 65,  ///< the device reported a fault; `value` is the fault code, `limit` its detail (firmware/schedule/run_report.h)
  cancelled = 66,
  // Tensors, windows.
  window_missing = 80,
  window_too_small = 81,
  window_outside_dram = 82,
  window_overlap = 83,
  tensor_unknown = 84,
  tensor_size = 85,
  tensor_overlap = 86,  ///< an output shares bytes with an input, or with another output
  // Programs of cores with branches and messages.
  branch_outside_program = 96,  ///< a jump or branch leaves its core's code
  batch_without_compute = 97,   ///< a batch instruction without a compute right behind it
  message_mismatch = 98,        ///< sender and receiver disagree about a message
  barrier_mismatch = 99,        ///< cores arrive at a barrier with different numbers of cores, or with a wrong one
};

/// The outcome of a call.
class [[nodiscard]] Status {
 public:
  /// Success. With a defaulted constructor, `Status{}` would first zero the whole object. On the control core, that is a call of memset().
  constexpr Status() : Status(ErrorCode::ok, "") {}
  /// `what` names the field, register or object and has static storage. `index` is the index of an instruction or element; -1 if there is
  /// none.
  constexpr Status(ErrorCode code, const char *what, std::int32_t index = -1, std::int64_t value = 0, std::int64_t limit = 0)
      : code_(code), index_(index), what_(what), value_(value), limit_(limit) {}

  [[nodiscard]] constexpr bool ok() const { return code_ == ErrorCode::ok; }
  [[nodiscard]] constexpr explicit operator bool() const { return ok(); }
  [[nodiscard]] constexpr ErrorCode code() const { return code_; }
  [[nodiscard]] constexpr const char *what() const { return what_; }
  [[nodiscard]] constexpr std::int32_t index() const { return index_; }
  [[nodiscard]] constexpr std::int64_t value() const { return value_; }
  [[nodiscard]] constexpr std::int64_t limit() const { return limit_; }

  /// Returns the same error with `index`, for callers that know the number of the instruction.
  [[nodiscard]] constexpr Status at(std::int32_t index) const { return Status(code_, what_, index, value_, limit_); }

 private:
  ErrorCode code_;
  std::int32_t index_;
  const char *what_;
  std::int64_t value_;
  std::int64_t limit_;
};

/// Converts an address or a size, below 2^63, to a Status's value or limit.
constexpr std::int64_t signed_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }

/// Returns the error's name for messages, for example `address_outside_cut`.
constexpr const char *error_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::ok: return "ok";
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::not_ready: return "not_ready";
    case ErrorCode::no_room: return "no_room";
    case ErrorCode::timeout: return "timeout";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::unknown_device: return "unknown_device";
    case ErrorCode::not_owner: return "not_owner";
    case ErrorCode::image_truncated: return "image_truncated";
    case ErrorCode::image_magic: return "image_magic";
    case ErrorCode::image_version: return "image_version";
    case ErrorCode::image_checksum: return "image_checksum";
    case ErrorCode::image_malformed: return "image_malformed";
    case ErrorCode::image_geometry: return "image_geometry";
    case ErrorCode::image_unsigned: return "image_unsigned";
    case ErrorCode::unknown_key: return "unknown_key";
    case ErrorCode::bad_signature: return "bad_signature";
    case ErrorCode::rolled_back: return "rolled_back";
    case ErrorCode::unknown_instruction: return "unknown_instruction";
    case ErrorCode::field_out_of_range: return "field_out_of_range";
    case ErrorCode::reserved_bits: return "reserved_bits";
    case ErrorCode::missing_configuration: return "missing_configuration";
    case ErrorCode::address_outside_window: return "address_outside_window";
    case ErrorCode::address_outside_cut: return "address_outside_cut";
    case ErrorCode::address_outside_wl0: return "address_outside_wl0";
    case ErrorCode::misaligned_address: return "misaligned_address";
    case ErrorCode::shape_mismatch: return "shape_mismatch";
    case ErrorCode::stream_truncated: return "stream_truncated";
    case ErrorCode::base_not_written: return "base_not_written";
    case ErrorCode::address_outside_buffer: return "address_outside_buffer";
    case ErrorCode::flag_not_set: return "flag_not_set";
    case ErrorCode::flag_overflow: return "flag_overflow";
    case ErrorCode::own_core: return "own_core";
    case ErrorCode::no_task_start: return "no_task_start";
    case ErrorCode::no_task_end: return "no_task_end";
    case ErrorCode::tokens_unbalanced: return "tokens_unbalanced";
    case ErrorCode::deadlock: return "deadlock";
    case ErrorCode::bad_buffer_cut: return "bad_buffer_cut";
    case ErrorCode::too_many_instructions: return "too_many_instructions";
    case ErrorCode::cut_not_ordered: return "cut_not_ordered";
    case ErrorCode::time_limit: return "time_limit";
    case ErrorCode::device_fault: return "device_fault";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::window_missing: return "window_missing";
    case ErrorCode::window_too_small: return "window_too_small";
    case ErrorCode::window_outside_dram: return "window_outside_dram";
    case ErrorCode::window_overlap: return "window_overlap";
    case ErrorCode::tensor_unknown: return "tensor_unknown";
    case ErrorCode::tensor_size: return "tensor_size";
    case ErrorCode::tensor_overlap: return "tensor_overlap";
    case ErrorCode::branch_outside_program: return "branch_outside_program";
    case ErrorCode::batch_without_compute: return "batch_without_compute";
    case ErrorCode::message_mismatch: return "message_mismatch";
    case ErrorCode::barrier_mismatch: return "barrier_mismatch";
  }
  return "unknown_error";
}

}  // namespace cox
