// SPDX-License-Identifier: MIT
#include "coxswain/base/cox_status.h"

#include <string_view>

#include "coxswain/base/status.h"

namespace {

using cox::ErrorCode;

/// The C name of a C++ error. The compiler warns if one has none.
constexpr cox_error error_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::ok: return COX_OK;
    case ErrorCode::invalid_argument: return COX_ERROR_INVALID_ARGUMENT;
    case ErrorCode::not_ready: return COX_ERROR_NOT_READY;
    case ErrorCode::no_room: return COX_ERROR_NO_ROOM;
    case ErrorCode::timeout: return COX_ERROR_TIMEOUT;
    case ErrorCode::unsupported: return COX_ERROR_UNSUPPORTED;
    case ErrorCode::unknown_device: return COX_ERROR_UNKNOWN_DEVICE;
    case ErrorCode::not_owner: return COX_ERROR_NOT_OWNER;
    case ErrorCode::image_truncated: return COX_ERROR_IMAGE_TRUNCATED;
    case ErrorCode::image_magic: return COX_ERROR_IMAGE_MAGIC;
    case ErrorCode::image_version: return COX_ERROR_IMAGE_VERSION;
    case ErrorCode::image_checksum: return COX_ERROR_IMAGE_CHECKSUM;
    case ErrorCode::image_malformed: return COX_ERROR_IMAGE_MALFORMED;
    case ErrorCode::image_geometry: return COX_ERROR_IMAGE_GEOMETRY;
    case ErrorCode::image_unsigned: return COX_ERROR_IMAGE_UNSIGNED;
    case ErrorCode::unknown_key: return COX_ERROR_UNKNOWN_KEY;
    case ErrorCode::bad_signature: return COX_ERROR_BAD_SIGNATURE;
    case ErrorCode::rolled_back: return COX_ERROR_ROLLED_BACK;
    case ErrorCode::unknown_instruction: return COX_ERROR_UNKNOWN_INSTRUCTION;
    case ErrorCode::field_out_of_range: return COX_ERROR_FIELD_OUT_OF_RANGE;
    case ErrorCode::reserved_bits: return COX_ERROR_RESERVED_BITS;
    case ErrorCode::missing_configuration: return COX_ERROR_MISSING_CONFIGURATION;
    case ErrorCode::address_outside_window: return COX_ERROR_ADDRESS_OUTSIDE_WINDOW;
    case ErrorCode::address_outside_cut: return COX_ERROR_ADDRESS_OUTSIDE_CUT;
    case ErrorCode::address_outside_wl0: return COX_ERROR_ADDRESS_OUTSIDE_WL0;
    case ErrorCode::misaligned_address: return COX_ERROR_MISALIGNED_ADDRESS;
    case ErrorCode::shape_mismatch: return COX_ERROR_SHAPE_MISMATCH;
    case ErrorCode::stream_truncated: return COX_ERROR_STREAM_TRUNCATED;
    case ErrorCode::base_not_written: return COX_ERROR_BASE_NOT_WRITTEN;
    case ErrorCode::address_outside_buffer: return COX_ERROR_ADDRESS_OUTSIDE_BUFFER;
    case ErrorCode::flag_not_set: return COX_ERROR_FLAG_NOT_SET;
    case ErrorCode::flag_overflow: return COX_ERROR_FLAG_OVERFLOW;
    case ErrorCode::own_core: return COX_ERROR_OWN_CORE;
    case ErrorCode::no_task_start: return COX_ERROR_NO_TASK_START;
    case ErrorCode::no_task_end: return COX_ERROR_NO_TASK_END;
    case ErrorCode::tokens_unbalanced: return COX_ERROR_TOKENS_UNBALANCED;
    case ErrorCode::deadlock: return COX_ERROR_DEADLOCK;
    case ErrorCode::bad_buffer_cut: return COX_ERROR_BAD_BUFFER_CUT;
    case ErrorCode::too_many_instructions: return COX_ERROR_TOO_MANY_INSTRUCTIONS;
    case ErrorCode::cut_not_ordered: return COX_ERROR_CUT_NOT_ORDERED;
    case ErrorCode::time_limit: return COX_ERROR_TIME_LIMIT;
    case ErrorCode::device_fault: return COX_ERROR_DEVICE_FAULT;
    case ErrorCode::cancelled: return COX_ERROR_CANCELLED;
    case ErrorCode::window_missing: return COX_ERROR_WINDOW_MISSING;
    case ErrorCode::window_too_small: return COX_ERROR_WINDOW_TOO_SMALL;
    case ErrorCode::window_outside_dram: return COX_ERROR_WINDOW_OUTSIDE_DRAM;
    case ErrorCode::window_overlap: return COX_ERROR_WINDOW_OVERLAP;
    case ErrorCode::tensor_unknown: return COX_ERROR_TENSOR_UNKNOWN;
    case ErrorCode::tensor_size: return COX_ERROR_TENSOR_SIZE;
    case ErrorCode::tensor_overlap: return COX_ERROR_TENSOR_OVERLAP;
    case ErrorCode::branch_outside_program: return COX_ERROR_BRANCH_OUTSIDE_PROGRAM;
    case ErrorCode::batch_without_compute: return COX_ERROR_BATCH_WITHOUT_COMPUTE;
    case ErrorCode::message_mismatch: return COX_ERROR_MESSAGE_MISMATCH;
    case ErrorCode::barrier_mismatch: return COX_ERROR_BARRIER_MISMATCH;
  }
  return COX_OK;
}

/// True if both enumerations have the same numbers.
constexpr bool numbers_agree() {
  for (unsigned number = 0; number < 256; ++number) {
    const auto code = static_cast<ErrorCode>(number);
    const bool is_error = std::string_view(cox::error_name(code)) != "unknown_error";
    if (is_error && static_cast<unsigned>(error_of(code)) != number) return false;
  }
  return true;
}
static_assert(numbers_agree());

}  // namespace

const char *cox_error_name(uint32_t error) { return cox::error_name(static_cast<ErrorCode>(error)); }
