// SPDX-License-Identifier: MIT
// Declares the published prototypes, word for word: they must match those of the header. Checks at compile time which pointers they accept.
// tests/kernels/cube/intrinsics_test.cpp has the other tests.
#include "coxswain/kernels/cube/intrinsics.h"

namespace cox::kernels::cube::intrinsics {

// clang-format off
void mad(__cc__ float *dst, __ca__ bfloat16_t *src0, __cb__ bfloat16_t *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ float *dst, __ca__ bfloat16_t *src0, __cb__ bfloat16_t *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ float *dst, __ca__ half *src0, __cb__ half *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ float *dst, __ca__ half *src0, __cb__ half *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ float *dst, __ca__ float *src0, __cb__ float *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ float *dst, __ca__ float *src0, __cb__ float *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ int32_t *dst, __ca__ int8_t *src0, __cb__ int8_t *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad(__cc__ int32_t *dst, __ca__ int8_t *src0, __cb__ int8_t *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad_s4(__cc__ int32_t *dst, __ca__ void *src0, __cb__ void *src1, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
void mad_s4(__cc__ int32_t *dst, __ca__ void *src0, __cb__ void *src1, uint64_t bt_addr, uint16_t m, uint16_t k, uint16_t n, uint8_t featOffset, uint8_t smaskOffset, uint8_t unitFlag, bool kDirectionAlign, bool isWeightOffset, bool cmatrixSource, bool cmatrixInitVal);
// clang-format on

namespace {

template <typename C, typename A, typename B>
concept TakesThree = requires(C c, A a, B b) {
  mad(c, a, b, 16, 16, 16, 0, 0, 0, false, false, false, true);
};
template <typename C, typename A, typename B>
concept TakesBias = requires(C c, A a, B b) {
  mad(c, a, b, 64, 16, 16, 16, 0, 0, 0, false, false, true, false);
};
template <typename C, typename A, typename B>
concept Mad = TakesThree<C, A, B> && TakesBias<C, A, B>;
template <typename C, typename A, typename B>
concept NoMad = !TakesThree<C, A, B> && !TakesBias<C, A, B>;

template <typename C, typename A, typename B>
concept S4 = requires(C c, A a, B b) {
  mad_s4(c, a, b, 16, 16, 16, 0, 0, 0, false, false, false, true);
}
&&requires(C c, A a, B b) { mad_s4(c, a, b, 64, 16, 16, 16, 0, 0, 0, false, false, true, false); };
template <typename C, typename A, typename B>
concept S4OfEither = requires(C c, A a, B b) {
  mad_s4(c, a, b, 16, 16, 16, 0, 0, 0, false, false, false, true);
}
|| requires(C c, A a, B b) { mad_s4(c, a, b, 64, 16, 16, 16, 0, 0, 0, false, false, true, false); };

static_assert(Mad<__cc__ float *, __ca__ bfloat16_t *, __cb__ bfloat16_t *>);
static_assert(Mad<__cc__ float *, __ca__ half *, __cb__ half *>);
static_assert(Mad<__cc__ float *, __ca__ float *, __cb__ float *>);
static_assert(Mad<__cc__ int32_t *, __ca__ int8_t *, __cb__ int8_t *>);
static_assert(S4<__cc__ int32_t *, __ca__ void *, __cb__ void *>);
static_assert(S4<__cc__ int32_t *, __ca__ uint8_t *, __cb__ uint8_t *>, "as every pointer goes where one to void is wanted");

// Each operand in turn has a wrong address space.
static_assert(NoMad<__ca__ float *, __ca__ half *, __cb__ half *>);
static_assert(NoMad<__cb__ float *, __ca__ half *, __cb__ half *>);
static_assert(NoMad<float *, __ca__ half *, __cb__ half *>);
static_assert(NoMad<__cc__ float *, __cb__ half *, __cb__ half *>);
static_assert(NoMad<__cc__ float *, __cc__ half *, __cb__ half *>);
static_assert(NoMad<__cc__ float *, half *, __cb__ half *>);
static_assert(NoMad<__cc__ float *, __ca__ half *, __ca__ half *>);
static_assert(NoMad<__cc__ float *, __ca__ half *, __cc__ half *>);
static_assert(NoMad<__cc__ float *, __ca__ half *, half *>);
static_assert(NoMad<__ca__ int32_t *, __ca__ int8_t *, __cb__ int8_t *>);
static_assert(NoMad<__cc__ int32_t *, int8_t *, __cb__ int8_t *>);
static_assert(!S4OfEither<int32_t *, __ca__ void *, __cb__ void *>);
static_assert(!S4OfEither<__cb__ int32_t *, __ca__ void *, __cb__ void *>);
static_assert(!S4OfEither<__cc__ int32_t *, void *, __cb__ void *>);
static_assert(!S4OfEither<__cc__ int32_t *, __cb__ void *, __cb__ void *>);
static_assert(!S4OfEither<__cc__ int32_t *, __ca__ void *, void *>);
static_assert(!S4OfEither<__cc__ int32_t *, __ca__ void *, __ca__ void *>);

// Types for which no prototype exists.
static_assert(NoMad<__cc__ int32_t *, __ca__ half *, __cb__ half *>);
static_assert(NoMad<__cc__ float *, __ca__ half *, __cb__ bfloat16_t *>);
static_assert(NoMad<__cc__ float *, __ca__ int8_t *, __cb__ int8_t *>);
static_assert(NoMad<__cc__ float *, __ca__ void *, __cb__ void *>);

// Each concept says whether the moves into or out of an address space accept the pointer.
template <typename T>
concept ToL0A = requires(T pointer) {
  l1_to_l0a(pointer, 0, 1, 16, 16);
};
template <typename T>
concept ToL0B = requires(T pointer) {
  l1_to_l0b(pointer, 0, 1, 16, 16);
};
template <typename T>
concept ToL0AInS4 = requires(T pointer) {
  l1_to_l0a_s4(pointer, 0, 1, 16, 16);
};
template <typename T>
concept ToL0BInS4 = requires(T pointer) {
  l1_to_l0b_s4(pointer, 0, 1, 16, 16);
};
template <typename T>
concept Out = requires(T pointer) {
  l0c_to_dram(0, pointer, {});
  l0c_to_l1(0, pointer, {});
};

static_assert(ToL0A<__ca__ half *> && !ToL0A<__cb__ half *> && !ToL0A<__cc__ half *> && !ToL0A<half *> && !ToL0A<__ca__ int32_t *>);
static_assert(ToL0B<__cb__ half *> && !ToL0B<__ca__ half *> && !ToL0B<__cc__ half *> && !ToL0B<half *> && !ToL0B<__cb__ int32_t *>);
static_assert(ToL0AInS4<__ca__ void *> && !ToL0AInS4<__cb__ void *> && !ToL0AInS4<void *>);
static_assert(ToL0BInS4<__cb__ void *> && !ToL0BInS4<__ca__ void *> && !ToL0BInS4<void *>);
static_assert(Out<__cc__ float *> && Out<__cc__ int32_t *> && !Out<__ca__ float *> && !Out<float *> && !Out<__cc__ half *>);

}  // namespace
}  // namespace cox::kernels::cube::intrinsics
