// SPDX-License-Identifier: MIT
// Tensor descriptors and random numbers: CREATE_TENSOR to DESTROY_TENSOR, SHAPE to HAS_NAN, DROPOUT; and UNSTACK.
//
// resolve() reads the lists and descriptors that these operations have in memory. They count as read when the instruction starts.
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/descriptor.h"
#include "coxswain/isa/unity/instruction.h"
#include "coxswain/isa/unity/run.h"

namespace cox::isa::unity {

/// CREATE_TENSOR to DESTROY_TENSOR: elements in `data`, if there are any, and a descriptor.
/// - CREATE_TENSOR, WARP_TENSOR, EMPTY, CREATE_SPARSE_TENSOR, CREATE_QUANT_TENSOR and DESTROY_TENSOR write no elements.
/// - Parameters are bits. Those that become elements (FULL, RAND_UNIFORM, RAND_NORMAL, RANGE, LINSPACE) are FP32 for float units, s32 for
///   signed and u32 for unsigned integers. Counts are u32, probabilities and scales FP32.
struct Creation {
  Opcode op{};
  TensorDescriptor descriptor{};  ///< what is written; all 0 for DESTROY_TENSOR
  std::uint64_t address = 0;      ///< of the descriptor, a multiple of 8
  Run data{};                     ///< all elements, dense; no elements if none are written
  Run shape{};                    ///< the list of dimensions (WARP_TENSOR: and strides) that resolve() has read; u32
  /// CREATE_SPARSE_TENSOR: indices, s32. MULTI_NOMIAL: weights, FP32. CREATE_FROM_DIAG: the diagonal.
  Run source{};
  /// CONTIGUOUS, DUPLICATE: the tensor that is copied, its bytes, and where its descriptor lies.
  TensorDescriptor tensor{};
  TensorRange tensor_range{};
  std::uint64_t tensor_address = 0;
  std::uint32_t p0 = 0, p1 = 0;
  std::uint64_t seed = 0;  ///< RAND_* and MULTI_NOMIAL
};

/// SHAPE to HAS_NAN.
struct Query {
  Opcode op{};
  TensorDescriptor tensor{};
  TensorRange range{};        ///< IS_FINITE, IS_INF, HAS_INF and HAS_NAN read it; else no bytes
  std::uint64_t address = 0;  ///< of the descriptor, a multiple of 8
  /// SHAPE, RANK, SIZE: u32. IS_FINITE, IS_INF: a u8 for each stored element. Others: one u8.
  Run result{};
};

/// UNSTACK of a tensor [outer][extent][inner] into `extent` tensors [outer][inner]. Their addresses are in a list, because up to 4095 of
/// them do not fit here. resolve() has checked that they overlap neither each other nor source and list.
struct Unstack {
  Opcode op{};
  Run source{};
  std::uint64_t outer = 1, extent = 1, inner = 1;
  std::uint64_t list = 0;  ///< `extent` addresses of address_bits(space) bits each
  AddressSpace space{};
  std::uint64_t page = 0;      ///< added to each address
  std::uint64_t checksum = 0;  ///< ListChecksum of the addresses that resolve() has checked; the operation refuses others

  [[nodiscard]] constexpr Run list_run() const {
    constexpr Unit kAddresses[] = {Unit::u16, Unit::u32, Unit::u64};
    return {list, kAddresses[static_cast<unsigned>(space)], extent};
  }
  [[nodiscard]] constexpr Run result(std::uint64_t address) const { return {address, source.unit, outer * inner}; }
};

/// FNV-1a over the addresses of a list, eight bytes each.
class ListChecksum {
 public:
  constexpr void add(std::uint64_t address) {
    for (unsigned i = 0; i < 8; ++i) value_ = (value_ ^ (address >> 8 * i & 0xFF)) * 0x100000001B3;
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325;
};

/// DROPOUT: result[i] = u < ratio ? 0 : source[i] / (1 - ratio), where u is random number i.
struct Dropout {
  Opcode op{};
  Run source{}, result{};  ///< of the same float unit
  float ratio = 0;         ///< 0 to 1
  std::uint32_t seed = 0;  ///< 24 bits
};

}  // namespace cox::isa::unity
