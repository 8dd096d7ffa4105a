// SPDX-License-Identifier: MIT
// The matrix unit's instructions as functions (docs/kernels/cube.md, Intrinsics): `mad` and `mad_s4` with the published prototypes, and all
// other instructions. A call appends its instruction to the stream of the enclosing Scope. Nothing runs before that stream is submitted.
//
// The type of a pointer tells into which buffer it points: `const T *` into L0A, `volatile T *` into L0B, `const volatile T *` into L0C.
// Such a pointer holds an offset in its buffer, in bytes; pointer arithmetic counts elements, as usual. The core never reads through it. A
// call does not compile if a pointer has the type of another buffer, or neither qualifier. An ordinary pointer to a const object has the
// same type as a pointer into L0A, so a call with it does compile. The call then takes the address of the object for an offset in L0A, and
// checks it as such.
#pragma once

#include <stdint.h>

#include <type_traits>

#include "coxswain/base/status.h"
#include "coxswain/isa/cube/operation.h"
#include "coxswain/kernels/cube/stream.h"

// The qualifiers of address spaces, as the published prototypes write them.
// NOLINTBEGIN(bugprone-reserved-identifier)
#define __ca__ const
#define __cb__ volatile
#define __cc__ const volatile
// NOLINTEND(bugprone-reserved-identifier)

namespace cox::kernels::cube::intrinsics {

/// Element types for pointers into L0A and L0B. Only the size of an element matters here.
struct bfloat16_t {
  uint16_t bits;
};
struct half {
  uint16_t bits;
};

/// Returns the number of calls outside all scopes that were not reported. Such a call is an error: it appends nothing, the first one writes
/// a line to the console, and the next Scope refuses all calls. If Engine::submit(), run() or close() comes before the next Scope, it
/// refuses once instead.
[[nodiscard]] std::uint32_t calls_outside_scopes();

/// Calls during the Scope's lifetime append to its stream. Scopes may be nested. Only one core may use them.
class Scope {
 public:
  explicit Scope(Stream &stream);
  ~Scope();
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

  /// Returns the error of the first call that was refused: `index` is its number in this scope, `what` the parameter. That call and all
  /// later ones append nothing. The instructions of earlier calls stay in the stream. If there were calls outside all scopes before this
  /// one began, the error is not_ready ("Scope"): `index` is -1, `value` the number of those calls.
  [[nodiscard]] const Status &status() const { return status_; }
  /// Returns the isa::cube::Warning bits of the appended instructions, as the device will report them.
  [[nodiscard]] unsigned warnings() const { return warnings_; }
  /// Returns the number of calls made in this scope, refused ones included.
  [[nodiscard]] int32_t calls() const { return calls_; }

 private:
  friend struct Call;
  Stream &stream_;
  Scope *outer_;
  Status status_;
  unsigned warnings_ = 0;
  int32_t calls_ = 0;
};

// c = a * b + c. `dst` is an address in L0C and a multiple of 1,024. `src0` is an address in L0A, `src1` one in L0B; both are multiples of
// 512. The start of c depends on two parameters:
// - With cmatrixInitVal, c starts from 0.
// - With only cmatrixSource, c starts from the biases at `bt_addr`, a multiple of 64, in the bias table. All rows get the same biases.
// - With neither, c starts from the contents of L0C.
//
// If m, k or n is 0, the call appends a MAD that does nothing, and sets kWarnEmptyMad in warnings(), whatever the other arguments are. If
// the biases reach beyond byte 1,024, the end of the table, the device continues to read at the table's start, and the call sets
// kWarnBiasWrapped.
//
// Errors if m, k and n are not 0:
// - field_out_of_range: m, k or n over 4,095; a featOffset, smaskOffset, unitFlag or isWeightOffset other than 0; a bt_addr over 32 bits.
// - misaligned_address ("dst", "src0", "src1", "bt_addr"); address_outside_buffer ("dst", "src0", "src1").
// - shape_mismatch: "k" of mad_s4 is odd; "cmatrixSource" is true and cmatrixInitVal false, but the function has no parameter bt_addr.
// - the errors of Stream::append(), which are possible even if m, k or n is 0. bt_addr has errors only if the bias table is used.

void mad(__cc__ float *dst, __ca__ bfloat16_t *src0, __cb__ bfloat16_t *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset,
         uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ float *dst, __ca__ bfloat16_t *src0, __cb__ bfloat16_t *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n,
         uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource,
         bool cmatrixInitVal);
void mad(__cc__ float *dst, __ca__ half *src0, __cb__ half *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset,
         uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ float *dst, __ca__ half *src0, __cb__ half *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset,
         uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ float *dst, __ca__ float *src0, __cb__ float *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset,
         uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ float *dst, __ca__ float *src0, __cb__ float *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n,
         uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource,
         bool cmatrixInitVal);
void mad(__cc__ int32_t *dst, __ca__ int8_t *src0, __cb__ int8_t *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset,
         uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ int32_t *dst, __ca__ int8_t *src0, __cb__ int8_t *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n,
         uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource,
         bool cmatrixInitVal);
void mad_s4(__cc__ int32_t *dst, __ca__ void *src0, __cb__ void *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset,
            uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad_s4(__cc__ int32_t *dst, __ca__ void *src0, __cb__ void *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n,
            uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource,
            bool cmatrixInitVal);

template <typename T>
concept InL0A = std::is_const_v<T> && !std::is_volatile_v<T>;
template <typename T>
concept InL0B = !std::is_const_v<T> && std::is_volatile_v<T>;
template <typename T>
concept InL0C = std::is_const_v<T> && std::is_volatile_v<T>;

// Without these deleted overloads, C++ would convert a pointer into L0A (`const`) to a pointer into L0C (`const volatile`).
template <typename C, typename A, typename B>
requires(!(InL0C<C> && InL0A<A> && InL0B<B>)) void mad(C *, A *, B *, uint16_t, uint16_t, uint16_t, uint8_t, uint8_t, uint8_t, bool, bool,
                                                       bool, bool) = delete;
template <typename C, typename A, typename B>
requires(!(InL0C<C> && InL0A<A> && InL0B<B>)) void mad(C *, A *, B *, uint64_t, uint16_t, uint16_t, uint16_t, uint8_t, uint8_t, uint8_t,
                                                       bool, bool, bool, bool) = delete;
template <typename C, typename A, typename B>
requires(!(InL0C<C> && InL0A<A> && InL0B<B>)) void mad_s4(C *, A *, B *, uint16_t, uint16_t, uint16_t, uint8_t, uint8_t, uint8_t, bool,
                                                          bool, bool, bool) = delete;
template <typename C, typename A, typename B>
requires(!(InL0C<C> && InL0A<A> && InL0B<B>)) void mad_s4(C *, A *, B *, uint64_t, uint16_t, uint16_t, uint16_t, uint8_t, uint8_t, uint8_t,
                                                          bool, bool, bool, bool) = delete;

enum pipe_t : uint8_t { PIPE_MTE2, PIPE_MTE1, PIPE_M, PIPE_FIX, PIPE_ALL };
enum event_t : uint8_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

/// A flag is a counter. set_flag() adds 1 to it when all instructions appended so far for `src` have ended. wait_flag() makes the
/// instructions appended later for `dst` wait until the flag is not 0; 1 is then subtracted from it. Errors: field_out_of_range for
/// PIPE_ALL; shape_mismatch if `src` and `dst` are the same pipe.
void set_flag(pipe_t src, pipe_t dst, event_t event);
void wait_flag(pipe_t src, pipe_t dst, event_t event);
/// Instructions appended later start only when all earlier instructions of the pipe, or of all pipes, have ended.
void pipe_barrier(pipe_t pipe);

// The other instructions, each with its name in docs/isa/cube.md. That page also has the ranges and errors of their fields. DRAM addresses
// are bus addresses; L1 and bias table addresses are offsets in bytes.

void dram_to_l1(const isa::cube::DramToL1 &move);
void im2col_cfg(const isa::cube::Im2col &map);
/// Uses the map that im2col_cfg() has set.
void im2col_to_l0a(const isa::cube::Im2colToL0A &move);
void l1_to_bt(uint64_t bt_addr, uint32_t src, uint32_t bytes);
void out_cfg(const isa::cube::OutputConfiguration &configuration);

/// True if elements in L0A and L0B can have the type `T`.
template <typename T>
inline constexpr bool is_element =
    std::is_same_v<T, bfloat16_t> || std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, int8_t>;
template <typename T>
inline constexpr isa::cube::Type type_of = std::is_same_v<T, bfloat16_t> ? isa::cube::Type::bfloat16
                                           : std::is_same_v<T, half>     ? isa::cube::Type::half
                                           : std::is_same_v<T, float>    ? isa::cube::Type::float32
                                                                         : isa::cube::Type::int8;

namespace detail {

void move_to_l0(bool right, isa::cube::Type type, uintptr_t dst, uint32_t src, uint32_t src_pitch, uint32_t rows, uint32_t columns,
                bool transpose, bool k_align);
void move_out(const isa::cube::Output &output, uint64_t dst, uintptr_t src);

template <typename T>
uintptr_t address_of(const volatile T *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

}  // namespace detail

/// Moves m x k elements to L0A from L1's fractals at `src`, with `src_pitch` fractals in a column. With `transpose`, L1 holds the k x m
/// matrix.
template <InL0A T>
requires is_element<std::remove_cv_t<T>>
void l1_to_l0a(T *dst, uint32_t src, uint32_t src_pitch, uint32_t m, uint32_t k, bool transpose = false, bool kDirectionAlign = false) {
  detail::move_to_l0(false, type_of<std::remove_cv_t<T>>, detail::address_of(dst), src, src_pitch, m, k, transpose, kDirectionAlign);
}
/// Moves k x n elements to L0B. L1 holds the n x k matrix, or with `transpose` the k x n matrix.
template <InL0B T>
requires is_element<std::remove_cv_t<T>>
void l1_to_l0b(T *dst, uint32_t src, uint32_t src_pitch, uint32_t k, uint32_t n, bool transpose = false, bool kDirectionAlign = false) {
  detail::move_to_l0(true, type_of<std::remove_cv_t<T>>, detail::address_of(dst), src, src_pitch, k, n, transpose, kDirectionAlign);
}
template <InL0A T>
void l1_to_l0a_s4(T *dst, uint32_t src, uint32_t src_pitch, uint32_t m, uint32_t k, bool transpose = false) {
  detail::move_to_l0(false, isa::cube::Type::int4, detail::address_of(dst), src, src_pitch, m, k, transpose, false);
}
template <InL0B T>
void l1_to_l0b_s4(T *dst, uint32_t src, uint32_t src_pitch, uint32_t k, uint32_t n, bool transpose = false) {
  detail::move_to_l0(true, isa::cube::Type::int4, detail::address_of(dst), src, src_pitch, k, n, transpose, false);
}

/// Writes m x n accumulators from L0C to DRAM or L1, with the settings of out_cfg(). The type of `src` says whether they are FP32 or INT32.
/// `output` gives rows, columns, pitches, type, channel and residual. The destination, the source, the target (DRAM or L1) and the type of
/// the accumulators follow from the function and its other arguments.
template <InL0C T>
requires(std::is_same_v<std::remove_cv_t<T>, float> ||
         std::is_same_v<std::remove_cv_t<T>, int32_t>) void l0c_to_dram(uint64_t dst, T *src, isa::cube::Output output) {
  output.to_l1 = false;
  output.integer = std::is_same_v<std::remove_cv_t<T>, int32_t>;
  detail::move_out(output, dst, detail::address_of(src));
}
template <InL0C T>
requires(std::is_same_v<std::remove_cv_t<T>, float> ||
         std::is_same_v<std::remove_cv_t<T>, int32_t>) void l0c_to_l1(uint32_t dst, T *src, isa::cube::Output output) {
  output.to_l1 = true;
  output.integer = std::is_same_v<std::remove_cv_t<T>, int32_t>;
  detail::move_out(output, dst, detail::address_of(src));
}

}  // namespace cox::kernels::cube::intrinsics
