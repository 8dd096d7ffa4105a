// SPDX-License-Identifier: MIT
// resolve() of operations on tensor descriptors, of UNSTACK and of DROPOUT.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/isa/unity/program.h"
#include "tests/isa/unity/tensor.h"

namespace cox::isa::unity {
namespace {
namespace resolve_creation_test {

constexpr std::int64_t kU4 = 0, kU8 = 1, kU32 = 3, kS4 = 5, kS8 = 6, kS16 = 7, kS32 = 8, kFp16 = 10, kFp32 = 11, kFp64 = 12;
constexpr std::int64_t kList = 0x400, kSource = 0x500, kDescriptor = 0x600;  // in the memory of a TestInstruction

std::int64_t bits_of(float number) { return std::bit_cast<std::uint32_t>(number); }
constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

/// An operation on a tensor [2][3] of s16 at 0x2000.
TestInstruction creation(Opcode op, TestInstruction::Fields fields = {}, AddressSpace space = AddressSpace::bits32) {
  return TestInstruction(op, {{"DESC", kDescriptor}, {"DATA", 0x2000}, {"SHAPE", kList}, {"UNIT", kS16}, {"RANK", 2}}, space)
      .with(fields)
      .with_list<std::uint32_t>(kList, {2, 3});
}
TestInstruction with_tensor(const TestInstruction &instruction, std::uint64_t offset, const TensorDescriptor &descriptor) {
  std::array<std::byte, kDescriptorBytes> bytes{};
  write_descriptor(descriptor, bytes);
  return instruction.with_bytes(offset, bytes);
}

void expect_run(const Run &run, std::uint64_t address, std::int64_t unit, std::uint64_t elements) {
  EXPECT_EQ(run.address, address);
  EXPECT_EQ(static_cast<std::int64_t>(run.unit), unit);
  EXPECT_EQ(run.elements, elements);
}

struct Bytes {
  std::string_view field;
  bool write;
  std::uint64_t start, bytes;
};
/// Expects accesses behind that of the table.
void expect_accesses(const TestInstruction &instruction, std::initializer_list<Bytes> expected) {
  const std::vector<Access> accesses = instruction.accesses();
  ASSERT_EQ(accesses.size(), expected.size() + 1);
  std::size_t i = 1;
  for (const Bytes &bytes : expected) {
    EXPECT_EQ(accesses[i].field, bytes.field);
    EXPECT_EQ(accesses[i].write, bytes.write) << bytes.field;
    EXPECT_EQ(accesses[i].start, bytes.start) << bytes.field;
    EXPECT_EQ(accesses[i++].bytes, bytes.bytes) << bytes.field;
  }
}

TEST(UnityResolveCreation, WhatTheTableSays) {
  const auto c = creation(Opcode::ZEROS).as<Creation>();
  EXPECT_EQ(c.op, Opcode::ZEROS);
  EXPECT_EQ(c.descriptor, tensor(kS16, {2, 3}, {3, 1}));
  EXPECT_EQ(c.address, 0x600U);
  expect_run(c.data, 0x2000, kS16, 6);
  expect_run(c.shape, kList, kU32, 2);
  expect_accesses(creation(Opcode::ZEROS), {{"SHAPE", false, kList, 8}, {"DATA", true, 0x2000, 12}, {"DESC", true, 0x600, 64}});
  const auto paged = creation(Opcode::ZEROS, {}, AddressSpace::bits16).as<Creation>();
  EXPECT_EQ(paged.descriptor.address, TestInstruction::kPage + 0x2000);
  expect_run(paged.shape, TestInstruction::kPage + kList, kU32, 2);
  const auto full = creation(Opcode::FULL, {{"P0", 0x89ABCDEF}}, AddressSpace::bits64).as<Creation>();
  EXPECT_EQ(full.p0, 0x89ABCDEFU);
  const auto random = creation(Opcode::RAND_UNIFORM, {{"P0", 5}, {"P1", 6}, {"SEED", 0x123456789ABCDEF0}}).as<Creation>();
  EXPECT_EQ(random.p1, 6U);
  EXPECT_EQ(random.seed, 0x123456789ABCDEF0U);
}

TEST(UnityResolveCreation, OperationsWithoutElements) {
  for (const Opcode op : {Opcode::CREATE_TENSOR, Opcode::EMPTY}) {
    EXPECT_EQ(creation(op).as<Creation>().descriptor, tensor(kS16, {2, 3}, {3, 1}));
    expect_accesses(creation(op), {{"SHAPE", false, kList, 8}, {"DESC", true, 0x600, 64}});
  }
  const TestInstruction quant = creation(Opcode::CREATE_QUANT_TENSOR, {{"P0", bits_of(0.5F)}, {"P1", -128}});
  TensorDescriptor expected = tensor(kS16, {2, 3}, {3, 1});
  expected.flags |= kDescriptorQuantised;
  expected.scale = 0.5;
  expected.zero_point = -128;
  EXPECT_EQ(quant.as<Creation>().descriptor, expected);
  EXPECT_TRUE(quant.with({{"P1", 127}}).resolve());
  expect_refused(quant.with({{"P1", 128}}), "P1", 128, 127);
  expect_refused(quant.with({{"P1", -129}}), "P1", -129, -128);
  expect_refused(quant.with({{"P0", 0}}), "P0", 0, 1);
  expect_refused(quant.with({{"P0", bits_of(-1)}}), "P0", bits_of(-1), 1);
  expect_refused(quant.with({{"P0", bits_of(kInfinity)}}), "P0", bits_of(kInfinity), 0x7F7FFFFF);
  expect_accesses(quant, {{"SHAPE", false, kList, 8}, {"DESC", true, 0x600, 64}});
}

TEST(UnityResolveCreation, Destroy) {
  const TestInstruction destroy(Opcode::DESTROY_TENSOR, {{"DESC", kDescriptor}});
  EXPECT_EQ(destroy.as<Creation>().descriptor, TensorDescriptor{});
  EXPECT_EQ(destroy.as<Creation>().address, 0x600U);
  expect_accesses(destroy, {{"DESC", true, 0x600, 64}});
  for (const char *field : {"DATA", "SHAPE", "SRC", "P0", "P1", "SEED"}) expect_refused(destroy.with({{field, 8}}), field, 8, 0);
  for (const char *field : {"UNIT", "RANK"}) expect_refused(destroy.with({{field, 1}}), field, 1, 0);
  expect_error(destroy.with({{"DESC", 0x604}}), ErrorCode::misaligned_address, "DESC", 0x604, 8);
}

TEST(UnityResolveCreation, FieldsThatOperationsLack) {
  struct Fields {
    Opcode op;
    std::string_view lacks;
  };
  constexpr Fields kAll[] = {{Opcode::CREATE_TENSOR, "SRC P0 P1 SEED"},
                             {Opcode::WARP_TENSOR, "SRC P0 P1 SEED"},
                             {Opcode::ZEROS, "SRC P0 P1 SEED"},
                             {Opcode::FULL, "SRC P1 SEED"},
                             {Opcode::EMPTY, "SRC P0 P1 SEED"},
                             {Opcode::CONTIGUOUS, "SHAPE P0 P1 SEED"},
                             {Opcode::RAND_UNIFORM, "SRC"},
                             {Opcode::RAND_NORMAL, "SRC"},
                             {Opcode::RAND_BERNOULLI, "SRC P1"},
                             {Opcode::RAND_BINOMIAL, "SRC"},
                             {Opcode::MULTI_NOMIAL, "P1"},
                             {Opcode::RAND_PERM, "SRC P0 P1"},
                             {Opcode::RANGE, "SRC SEED"},
                             {Opcode::LINSPACE, "SRC SEED"},
                             {Opcode::CREATE_SPARSE_TENSOR, "P1 SEED"},
                             {Opcode::CREATE_QUANT_TENSOR, "SRC SEED"},
                             {Opcode::DUPLICATE, "SHAPE P0 P1 SEED"},
                             {Opcode::CREATE_FROM_DIAG, "P0 P1 SEED"}};
  for (const auto &[op, lacks] : kAll) {
    for (const char *field : {"SHAPE", "SRC", "P0", "P1", "SEED"}) {
      const TestInstruction instruction = creation(op, {{"SHAPE", 0}, {field, 8}});
      const Status status = instruction.resolve().status();
      const bool refused = status.code() == ErrorCode::field_out_of_range && std::string_view(status.what()) == field &&
                           status.value() == 8 && status.limit() == 0;
      EXPECT_EQ(refused, lacks.find(field) != std::string_view::npos) << Set::row(op).name << ' ' << field;
    }
  }
}

TEST(UnityResolveCreation, Shapes) {
  const TestInstruction zeros = creation(Opcode::ZEROS);
  expect_refused(zeros.with({{"RANK", 0}}), "RANK", 0, 1);
  expect_refused(zeros.with({{"RANK", 7}}), "RANK", 7, 6);
  expect_refused(zeros.with({{"SHAPE", 0}}), "SHAPE", 0, 1);
  expect_refused(zeros.with({{"DATA", 0}}), "DATA", 0, 1);
  expect_error(zeros.with({{"SHAPE", 0x402}}), ErrorCode::misaligned_address, "SHAPE", 0x402, 4);
  expect_error(zeros.with({{"SHAPE", 0xFFC}}), ErrorCode::address_outside_window, "SHAPE", 0xFFC, 0);
  expect_error(zeros.with({{"DATA", 0xFFFFFFF6}}), ErrorCode::address_outside_window, "DATA", 0xFFFFFFF6, 0);
  const auto six = zeros.with({{"RANK", 6}}).with_list<std::uint32_t>(kList, {2, 1, 3, 1, 4, 5}).as<Creation>();
  EXPECT_EQ(six.descriptor, tensor(kS16, {2, 1, 3, 1, 4, 5}, {60, 60, 20, 20, 5, 1}));
  EXPECT_EQ(six.data.elements, 120U);
  // Tensors without elements may have no address.
  const TestInstruction empty = zeros.with({{"DATA", 0}}).with_list<std::uint32_t>(kList, {0, UINT32_MAX});
  EXPECT_EQ(empty.as<Creation>().descriptor.strides, (std::array<std::int32_t, 6>{}));
  expect_accesses(empty, {{"SHAPE", false, kList, 8}, {"DESC", true, 0x600, 64}});
  expect_error(zeros.with_list<std::uint32_t>(kList, {1U << 29, 1U << 29}), ErrorCode::shape_mismatch, "SHAPE", 1 << 29,
               std::int64_t{1} << 58);
  expect_error(zeros.with_list<std::uint32_t>(kList, {2, 0x80000000}), ErrorCode::shape_mismatch, "SHAPE", 0x80000000, INT32_MAX);
  EXPECT_TRUE(creation(Opcode::CREATE_TENSOR, {}, AddressSpace::bits64).with_list<std::uint32_t>(kList, {2, INT32_MAX}).resolve());
  EXPECT_TRUE(creation(Opcode::CREATE_TENSOR, {}, AddressSpace::bits64).with_list<std::uint32_t>(kList, {1, UINT32_MAX}).resolve());
}

TEST(UnityResolveCreation, Overlaps) {
  const TestInstruction zeros = creation(Opcode::ZEROS);
  expect_error(zeros.with({{"DATA", 0x63E}}), ErrorCode::tensor_overlap, "DESC", 0x600, 0);
  EXPECT_TRUE(zeros.with({{"DATA", 0x640}}).resolve());
  expect_error(zeros.with({{"DATA", 0x3F6}}), ErrorCode::tensor_overlap, "DATA", 0x3F6, 0);
  EXPECT_TRUE(zeros.with({{"DATA", 0x3F4}}).resolve());
  expect_error(zeros.with({{"DESC", 0x3C8}}), ErrorCode::tensor_overlap, "DESC", 0x3C8, 0);
  EXPECT_TRUE(zeros.with({{"DESC", 0x3C0}}).resolve());
}

TEST(UnityResolveCreation, Warp) {
  const TestInstruction warp = creation(Opcode::WARP_TENSOR).with_list<std::uint32_t>(kList, {2, 3, static_cast<std::uint32_t>(-7), 0});
  EXPECT_EQ(warp.as<Creation>().descriptor, tensor(kS16, {2, 3}, {-7, 0}));
  expect_run(warp.as<Creation>().shape, kList, kU32, 4);
  EXPECT_EQ(warp.as<Creation>().data.elements, 0U);
  EXPECT_TRUE(warp.with({{"DATA", 14}}).resolve());
  expect_error(warp.with({{"DATA", 12}}), ErrorCode::address_outside_window, "DATA", 12, 0);
  expect_error(warp.with({{"SHAPE", 0xFF4}}), ErrorCode::address_outside_window, "SHAPE", 0xFF4, 0);
  expect_error(warp.with_list<std::uint32_t>(kList, {UINT32_MAX, 1, 0x80000000, 0}), ErrorCode::shape_mismatch, "SHAPE", UINT32_MAX,
               std::int64_t{1} << 58);
}

TEST(UnityResolveCreation, ParametersOfRandomNumbers) {
  const std::int64_t half = bits_of(0.5F), one = bits_of(1), above = bits_of(std::nextafter(1.0F, 2.0F)), minus = bits_of(-1e-45F);
  const TestInstruction bernoulli = creation(Opcode::RAND_BERNOULLI, {{"P0", half}});
  const TestInstruction binomial = creation(Opcode::RAND_BINOMIAL, {{"P0", 7}, {"P1", half}});
  for (const std::int64_t good : {std::int64_t{0}, one}) {
    EXPECT_TRUE(bernoulli.with({{"P0", good}}).resolve());
    EXPECT_TRUE(binomial.with({{"P1", good}}).resolve());
  }
  for (const std::int64_t bad : {above, minus, bits_of(kNan)}) {
    expect_refused(bernoulli.with({{"P0", bad}}), "P0", bad, one);
    expect_refused(binomial.with({{"P1", bad}}), "P1", bad, one);
  }
  EXPECT_TRUE(binomial.with({{"P0", UINT32_MAX}}).resolve());
  expect_error(binomial.with({{"P0", 1 << 30}}).with_list<std::uint32_t>(kList, {1 << 14, 1 << 14}), ErrorCode::shape_mismatch, "P0",
               1 << 30, std::int64_t{1} << 58);

  const TestInstruction normal = creation(Opcode::RAND_NORMAL, {{"UNIT", kFp16}, {"P0", half}, {"P1", one}});
  EXPECT_TRUE(normal.resolve());
  EXPECT_TRUE(normal.with({{"P0", bits_of(-3)}, {"P1", 0}}).resolve());
  expect_refused(normal.with({{"UNIT", kS16}}), "UNIT", kS16, 12);
  expect_refused(normal.with({{"P1", minus}}), "P1", minus, 0);
  for (const float bad : {kInfinity, -kInfinity, kNan}) {
    expect_refused(normal.with({{"P0", bits_of(bad)}}), "P0", bits_of(bad), 0x7F7FFFFF);
    expect_refused(normal.with({{"P1", bits_of(bad)}}), "P1", bits_of(bad), 0x7F7FFFFF);
  }

  const TestInstruction uniform = creation(Opcode::RAND_UNIFORM, {{"P0", 5}, {"P1", 5}});
  EXPECT_TRUE(uniform.resolve());
  expect_error(uniform.with({{"P1", 4}}), ErrorCode::shape_mismatch, "P1", 4, 5);
  EXPECT_TRUE(uniform.with({{"P0", -5}}).resolve());
  expect_error(uniform.with({{"UNIT", kU8}, {"P0", 0xFFFFFFFB}}), ErrorCode::shape_mismatch, "P1", 5, 0xFFFFFFFB);
  const TestInstruction real = uniform.with({{"UNIT", kFp16}, {"P0", bits_of(-2e38F)}, {"P1", bits_of(1e38F)}});
  EXPECT_TRUE(real.resolve());
  expect_error(real.with({{"P1", bits_of(2e38F)}}), ErrorCode::shape_mismatch, "P1", bits_of(2e38F), bits_of(-2e38F));
  expect_error(real.with({{"P1", bits_of(-3e38F)}}), ErrorCode::shape_mismatch, "P1", bits_of(-3e38F), bits_of(-2e38F));
  expect_refused(real.with({{"P1", bits_of(kInfinity)}}), "P1", bits_of(kInfinity), 0x7F7FFFFF);
}

TEST(UnityResolveCreation, Progressions) {
  for (const Opcode op : {Opcode::RANGE, Opcode::LINSPACE}) {
    const TestInstruction progression = creation(op, {{"P0", bits_of(kInfinity)}, {"P1", 3}});
    EXPECT_TRUE(progression.resolve());  // an integer
    expect_refused(progression.with({{"UNIT", kFp64}}), "P0", bits_of(kInfinity), 0x7F7FFFFF);
    expect_refused(progression.with({{"UNIT", kFp64}, {"P0", 0}, {"P1", bits_of(kNan)}}), "P1", bits_of(kNan), 0x7F7FFFFF);
  }
}

TEST(UnityResolveCreation, Permutations) {
  const TestInstruction permutation = creation(Opcode::RAND_PERM, {{"UNIT", kS4}, {"SEED", 1}});
  EXPECT_TRUE(permutation.with_list<std::uint32_t>(kList, {2, 4}).resolve());
  expect_error(permutation.with_list<std::uint32_t>(kList, {3, 3}), ErrorCode::shape_mismatch, "SHAPE", 9, 8);
  const TestInstruction large = creation(Opcode::RAND_PERM, {{"UNIT", 9}}, AddressSpace::bits64);
  EXPECT_TRUE(large.with_list<std::uint32_t>(kList, {4, 1 << 30}).resolve());
  expect_error(large.with_list<std::uint32_t>(kList, {5, 1 << 30}), ErrorCode::shape_mismatch, "SHAPE", 5LL << 30, 1LL << 32);
  expect_refused(permutation.with({{"UNIT", kFp32}}), "UNIT", kFp32, 12);
}

TEST(UnityResolveCreation, Weights) {
  const TestInstruction choice = creation(Opcode::MULTI_NOMIAL, {{"UNIT", kS4}, {"SRC", kSource}, {"P0", 8}, {"SEED", 9}});
  expect_run(choice.as<Creation>().source, kSource, kFp32, 8);
  expect_accesses(choice, {{"SHAPE", false, kList, 8}, {"SRC", false, kSource, 32}, {"DATA", true, 0x2000, 3}, {"DESC", true, 0x600, 64}});
  expect_error(choice.with({{"P0", 9}}), ErrorCode::shape_mismatch, "P0", 9, 8);
  expect_refused(choice.with({{"P0", 0}}), "P0", 0, 1);
  expect_refused(choice.with({{"SRC", 0}}), "SRC", 0, 1);
  expect_refused(choice.with({{"UNIT", kFp32}}), "UNIT", kFp32, 12);
  expect_error(choice.with({{"SRC", 0x502}}), ErrorCode::misaligned_address, "SRC", 0x502, 4);
  expect_error(choice.with({{"DATA", 0x51F}}), ErrorCode::tensor_overlap, "DATA", 0x51F, 0);
  EXPECT_TRUE(choice.with({{"DATA", 0x520}}).resolve());
}

TEST(UnityResolveCreation, Sparse) {
  const TestInstruction sparse = creation(Opcode::CREATE_SPARSE_TENSOR, {{"SRC", kSource}, {"P0", 6}});
  TensorDescriptor expected = tensor(kS16, {2, 3}, {});
  expected.set_sparse(kSource, 6);
  EXPECT_EQ(sparse.as<Creation>().descriptor, expected);
  EXPECT_EQ(expected.flags, kDescriptorValid | kDescriptorSparse);
  expect_run(sparse.as<Creation>().source, kSource, kS32, 6);
  expect_accesses(sparse, {{"SHAPE", false, kList, 8}, {"SRC", false, kSource, 24}, {"DESC", true, 0x600, 64}});
  expect_error(sparse.with({{"P0", 7}}), ErrorCode::shape_mismatch, "P0", 7, 6);
  expect_refused(sparse.with({{"SRC", 0}}), "SRC", 0, 1);
  expect_refused(sparse.with({{"DATA", 0}}), "DATA", 0, 1);
  expect_error(sparse.with({{"SRC", 0x502}}), ErrorCode::misaligned_address, "SRC", 0x502, 4);
  const TestInstruction none = sparse.with({{"P0", 0}, {"SRC", 0}, {"DATA", 0}});
  EXPECT_EQ(none.as<Creation>().descriptor.count(), 0U);
  EXPECT_EQ(none.as<Creation>().descriptor.index_address(), 0U);
  // A large sparse tensor needs no strides.
  EXPECT_TRUE(sparse.with_list<std::uint32_t>(kList, {2, UINT32_MAX}).resolve());
}

TEST(UnityResolveCreation, Diagonal) {
  const TestInstruction diagonal = creation(Opcode::CREATE_FROM_DIAG, {{"SRC", kSource}}).with_list<std::uint32_t>(kList, {3, 3});
  expect_run(diagonal.as<Creation>().source, kSource, kS16, 3);
  expect_run(diagonal.as<Creation>().data, 0x2000, kS16, 9);
  expect_error(diagonal.with_list<std::uint32_t>(kList, {3, 4}), ErrorCode::shape_mismatch, "SHAPE", 4, 3);
  expect_error(diagonal.with({{"RANK", 1}}), ErrorCode::shape_mismatch, "RANK", 1, 2);
  expect_error(diagonal.with({{"SRC", 0x501}}), ErrorCode::misaligned_address, "SRC", 0x501, 2);
  expect_refused(diagonal.with({{"SRC", 0}}), "SRC", 0, 1);
  EXPECT_TRUE(diagonal.with({{"SRC", 0}, {"DATA", 0}}).with_list<std::uint32_t>(kList, {0, 0}).resolve());
}

TEST(UnityResolveCreation, Copies) {
  TensorDescriptor source = tensor(kS16, {2, 3}, {-4, 1});
  source.address = 0x1800;
  source.flags |= kDescriptorQuantised;
  source.scale = 2;
  source.zero_point = 3;
  for (const Opcode op : {Opcode::CONTIGUOUS, Opcode::DUPLICATE}) {
    const TestInstruction bare = creation(op, {{"SHAPE", 0}, {"SRC", kSource}});
    const TestInstruction copy = with_tensor(bare, kSource, source);
    TensorDescriptor expected = source;
    expected.address = 0x2000;
    expected.strides = {3, 1};
    const auto c = copy.as<Creation>();
    EXPECT_EQ(c.descriptor, expected);
    EXPECT_EQ(c.tensor, source);
    EXPECT_EQ(c.tensor_address, 0x500U);
    expect_run(c.data, 0x2000, kS16, 6);
    expect_accesses(copy, {{"SRC", false, kSource, 64}, {"SRC", false, 0x17F8, 14}, {"DATA", true, 0x2000, 12}, {"DESC", true, 0x600, 64}});
    expect_error(copy.with({{"UNIT", kS8}}), ErrorCode::shape_mismatch, "UNIT", kS8, kS16);
    expect_error(copy.with({{"RANK", 3}}), ErrorCode::shape_mismatch, "RANK", 3, 2);
    expect_refused(bare, "SRC", 0, 7);
    expect_refused(copy.with({{"SRC", 0}}), "SRC", 0, 1);
    expect_error(copy.with({{"SRC", 0x504}}), ErrorCode::misaligned_address, "SRC", 0x504, 8);
    expect_error(copy.with({{"SRC", 0xFC8}}), ErrorCode::address_outside_window, "SRC", 0xFC8, 0);
    expect_error(copy.with({{"DATA", 0x1804}}), ErrorCode::tensor_overlap, "DATA", 0x1804, 0);
    EXPECT_TRUE(copy.with({{"DATA", 0x1806}}).resolve());
    expect_error(copy.with({{"DESC", kSource}}), ErrorCode::tensor_overlap, "DESC", kSource, 0);
  }
  TensorDescriptor sparse = tensor(kS16, {2, 3}, {});
  sparse.address = 0x1800;
  sparse.set_sparse(0x1700, 5);
  const TestInstruction contiguous = creation(Opcode::CONTIGUOUS, {{"SHAPE", 0}, {"SRC", kSource}});
  expect_refused(with_tensor(contiguous, kSource, sparse), "SRC", 5, 3);
  const TestInstruction duplicate = with_tensor(creation(Opcode::DUPLICATE, {{"SHAPE", 0}, {"SRC", kSource}}), kSource, sparse);
  expect_run(duplicate.as<Creation>().data, 0x2000, kS16, 5);
  EXPECT_EQ(duplicate.as<Creation>().descriptor.index_address(), 0x1700U);
  EXPECT_EQ(duplicate.as<Creation>().descriptor.address, 0x2000U);
}

TEST(UnityResolveQuery, ResultsAndAccesses) {
  const TensorDescriptor strided = tensor(kS16, {2, 3}, {5, 1});
  const auto query = [&](Opcode op) { return with_tensor(TestInstruction(op, {{"DESC", kSource}, {"D", 0x3000}}), kSource, strided); };
  for (const auto &[op, unit, elements] : {std::tuple{Opcode::SHAPE, kU32, 2U}, {Opcode::RANK, kU32, 1U}, {Opcode::SIZE, kU32, 1U}}) {
    expect_run(query(op).as<Query>().result, 0x3000, unit, elements);
    expect_accesses(query(op), {{"DESC", false, kSource, 64}, {"D", true, 0x3000, elements * 4}});
    expect_error(query(op).with({{"D", 0x3002}}), ErrorCode::misaligned_address, "D", 0x3002, 4);
  }
  for (const Opcode op : {Opcode::IS_EMPTY, Opcode::IS_CONTIGUROUS}) {
    expect_accesses(query(op), {{"DESC", false, kSource, 64}, {"D", true, 0x3000, 1}});
  }
  for (const auto &[op, bytes] : {std::pair{Opcode::IS_FINITE, 6U}, {Opcode::IS_INF, 6U}, {Opcode::HAS_INF, 1U}, {Opcode::HAS_NAN, 1U}}) {
    expect_run(query(op).as<Query>().result, 0x3000, kU8, bytes);
    expect_accesses(query(op), {{"DESC", false, kSource, 64}, {"DESC", false, 0x2000, 16}, {"D", true, 0x3000, bytes}});
    EXPECT_TRUE(query(op).with({{"D", 0x3001}}).resolve());
    expect_error(query(op).with({{"D", 0x200F}}), ErrorCode::tensor_overlap, "D", 0x200F, 0);
    EXPECT_TRUE(query(op).with({{"D", 0x2010}}).resolve());
    EXPECT_EQ(query(op).as<Query>().tensor, strided);
  }
}

TEST(UnityResolveQuery, Refusals) {
  const TestInstruction size =
      with_tensor(TestInstruction(Opcode::SIZE, {{"DESC", kSource}, {"D", 0x3000}}), kSource, tensor(kU8, {5}, {1}));
  expect_refused(size.with({{"MODE", 1}}), "MODE", 1, 0);
  expect_refused(size.with({{"DESC", 0x540}}), "DESC", 0, 7);
  expect_error(size.with({{"DESC", 0x504}}), ErrorCode::misaligned_address, "DESC", 0x504, 8);
  expect_error(size.with({{"DESC", 0xFF8}}), ErrorCode::address_outside_window, "DESC", 0xFF8, 0);
  expect_error(size.with({{"D", 0x53C}}), ErrorCode::tensor_overlap, "D", 0x53C, 0);
  EXPECT_TRUE(with_tensor(size, kSource, tensor(kU8, {UINT32_MAX}, {0})).resolve());
  expect_refused(with_tensor(size, kSource, tensor(kU8, {1U << 16, 1U << 16}, {0, 0})), "DESC", 1LL << 32, UINT32_MAX);
  const TestInstruction paged = with_tensor(TestInstruction(Opcode::HAS_NAN, {{"DESC", kSource}, {"D", 0x3000}}, AddressSpace::bits16),
                                            kSource, tensor(kU8, {5}, {1}));
  expect_error(paged, ErrorCode::address_outside_window, "DESC", 0x2000, 0);  // below the page
}

TEST(UnityResolveUnstack, ViewsAndAccesses) {
  const TestInstruction unstack =
      TestInstruction(Opcode::UNSTACK, {{"S", 0x2000}, {"LIST", kList}, {"FN", 2}, {"FH", 3}, {"FW", 4}, {"FC", 5}, {"UNIT", kS16}})
          .with_list<std::uint32_t>(kList, {0x3000, 0x4000, 0x2800, 0x5000, 0x6000});
  constexpr std::uint64_t kViews[][3] = {{1, 2, 60}, {2, 3, 20}, {6, 4, 5}, {24, 5, 1}};
  for (unsigned axis = 0; axis < 4; ++axis) {
    const auto u = unstack.with({{"AXIS", axis}}).as<Unstack>();
    EXPECT_EQ(u.outer, kViews[axis][0]);
    EXPECT_EQ(u.extent, kViews[axis][1]);
    EXPECT_EQ(u.inner, kViews[axis][2]);
    expect_run(u.source, 0x2000, kS16, 120);
    expect_run(u.list_run(), kList, kU32, kViews[axis][1]);
  }
  expect_accesses(unstack,
                  {{"S", false, 0x2000, 240}, {"LIST", false, kList, 8}, {"LIST", true, 0x3000, 120}, {"LIST", true, 0x4000, 120}});
  ListChecksum checksum;
  checksum.add(0x3000);
  checksum.add(0x4000);
  EXPECT_EQ(unstack.as<Unstack>().checksum, checksum.value());
  expect_refused(unstack.with({{"AXIS", 4}}), "AXIS", 4, 3);
  for (const char *field : {"FN", "FH", "FW", "FC"}) expect_refused(unstack.with({{field, 0}}), field, 0, 1);
  expect_error(unstack.with({{"LIST", 0x402}}), ErrorCode::misaligned_address, "LIST", 0x402, 4);
  expect_error(unstack.with({{"LIST", 0xFFC}}), ErrorCode::address_outside_window, "LIST", 0xFFC, 0);
}

TEST(UnityResolveUnstack, Lists) {
  const TestInstruction unstack(Opcode::UNSTACK,
                                {{"S", 0x2000}, {"LIST", kList}, {"FN", 2}, {"FH", 3}, {"FW", 1}, {"FC", 1}, {"UNIT", kS16}});
  const auto expect_list = [&](std::uint32_t a, std::uint32_t b, ErrorCode code, std::int64_t value, std::int64_t limit) {
    expect_error(unstack.with_list<std::uint32_t>(kList, {a, b}), code, "LIST", value, limit);
  };
  EXPECT_TRUE(unstack.with_list<std::uint32_t>(kList, {0x3006, 0x3000}).resolve());
  expect_list(0x3000, 0x3004, ErrorCode::tensor_overlap, 0x3004, 0);
  expect_list(0x3004, 0x3000, ErrorCode::tensor_overlap, 0x3000, 0);
  expect_list(0x3000, 0x3000, ErrorCode::tensor_overlap, 0x3000, 0);
  expect_list(0x3001, 0x4000, ErrorCode::misaligned_address, 0x3001, 2);
  expect_list(0x1FFC, 0x3000, ErrorCode::tensor_overlap, 0x1FFC, 0);
  EXPECT_TRUE(unstack.with_list<std::uint32_t>(kList, {0x1FFA, 0x200C}).resolve());
  expect_list(0x3000, 0x200A, ErrorCode::tensor_overlap, 0x200A, 0);
  expect_list(0x3000, 0x406, ErrorCode::tensor_overlap, 0x406, 0);
  EXPECT_TRUE(unstack.with_list<std::uint32_t>(kList, {0x408, 0x3FA}).resolve());
  EXPECT_TRUE(unstack.with_list<std::uint32_t>(kList, {0x3000, 0xFFFFFFFA}).resolve());
  expect_list(0x3000, 0xFFFFFFFC, ErrorCode::address_outside_window, 0xFFFFFFFC, 0);
  expect_error(unstack.with({{"LIST", 0x1000}}), ErrorCode::address_outside_window, "LIST", 0x1000, 0);

  TestInstruction::Fields fields{{"S", 0x2000}, {"LIST", kList}, {"FN", 2}, {"FH", 3}, {"FW", 1}, {"FC", 1}, {"UNIT", kU4}};
  const TestInstruction paged =
      TestInstruction(Opcode::UNSTACK, fields, AddressSpace::bits16).with_list<std::uint16_t>(kList, {0xFFFE, 0x3000});
  expect_accesses(paged, {{"S", false, TestInstruction::kPage + 0x2000, 3},
                          {"LIST", false, TestInstruction::kPage + kList, 4},
                          {"LIST", true, TestInstruction::kPage + 0xFFFE, 2},
                          {"LIST", true, TestInstruction::kPage + 0x3000, 2}});
  expect_error(paged.with_list<std::uint16_t>(kList, {0xFFFF, 0x3000}), ErrorCode::address_outside_window, "LIST",
               TestInstruction::kPage + 0xFFFF, 0);
  const TestInstruction wide =
      TestInstruction(Opcode::UNSTACK, fields, AddressSpace::bits64).with_list<std::uint64_t>(kList, {UINT64_MAX - 1, 0x300000000});
  EXPECT_TRUE(wide.resolve());
  expect_error(wide.with_list<std::uint64_t>(kList, {UINT64_MAX, 0x300000000}), ErrorCode::address_outside_window, "LIST", -1, 0);
}

/// Results in the first block of a list against those of later blocks, and the largest list.
TEST(UnityResolveUnstack, LongLists) {
  constexpr std::size_t kMost = 4095;
  std::vector<std::uint32_t> list(kMost);
  for (std::size_t i = 0; i < kMost; ++i) list[i] = static_cast<std::uint32_t>(0x100000 + (i * 11 % kMost) * 2);
  const MachineCode code = [] {
    MachineCode machine_code = Set::begin(Opcode::UNSTACK);
    machine_code[0] |= 1U << 6;
    return machine_code;
  }();
  TestMemory memory(0, 0x10000);
  OperandTable<Opcode::UNSTACK, AddressSpace::bits32> table;
  table.set<"S">(0x10000);
  table.set<"LIST">(0x1000);
  table.set<"FN">(kMost);
  table.set<"FH">(1);
  table.set<"FW">(1);
  table.set<"FC">(1);
  table.set<"UNIT">(kS16);
  memory.write(0, std::as_bytes(table.words()));
  const auto status_of = [&] {
    memory.write(0x1000, std::as_bytes(std::span(list)));
    return resolve(code, {memory, 0}).status();
  };
  EXPECT_TRUE(status_of().ok());
  for (const auto &[first, second] : {std::pair{0U, 4094U}, {0U, 64U}, {63U, 64U}, {63U, 127U}, {4093U, 4094U}, {100U, 3000U}}) {
    const std::uint32_t kept = list[second];
    list[second] = list[first];
    const Status status = status_of();
    EXPECT_EQ(status.code(), ErrorCode::tensor_overlap) << first << ' ' << second;
    EXPECT_EQ(status.value(), list[first]);
    list[second] = kept;
  }
}

TEST(UnityResolveDropout, Fields) {
  const std::int64_t half = bits_of(0.5F), one = bits_of(1);
  const TestInstruction dropout(
      Opcode::DROPOUT,
      {{"FM", 0x1000}, {"D", 0x2000}, {"LEN", 9}, {"UNIT", kFp16}, {"RATIO_UNIT", kFp32}, {"RATIO", half}, {"SEED", 0xFFFFFF}});
  const auto d = dropout.as<Dropout>();
  expect_run(d.source, 0x1000, kFp16, 9);
  expect_run(d.result, 0x2000, kFp16, 9);
  EXPECT_EQ(d.ratio, 0.5F);
  EXPECT_EQ(d.seed, 0xFFFFFFU);
  EXPECT_EQ(dropout.with({{"RATIO_UNIT", kFp16}, {"RATIO", 0x3400}}).as<Dropout>().ratio, 0.25F);
  EXPECT_EQ(dropout.with({{"RATIO", one}}).as<Dropout>().ratio, 1.0F);
  EXPECT_EQ(dropout.with({{"RATIO", 0}}).as<Dropout>().ratio, 0.0F);
  for (const std::int64_t bad : {one + 1, bits_of(-1e-45F), bits_of(kNan)})
    expect_refused(dropout.with({{"RATIO", bad}}), "RATIO", bad, one);
  expect_refused(dropout.with({{"RATIO_UNIT", kFp16}, {"RATIO", 0x3C01}}), "RATIO", 0x3C01, 0x3C00);
  expect_refused(dropout.with({{"RATIO_UNIT", kFp16}, {"RATIO", 0x10000}}), "RATIO", 0x10000, 0xFFFF);
  expect_refused(dropout.with({{"RATIO_UNIT", kFp64}}), "RATIO_UNIT", kFp64, 12);
  expect_refused(dropout.with({{"RATIO_UNIT", kS32}}), "RATIO_UNIT", kS32, 12);
  expect_refused(dropout.with({{"UNIT", kS16}}), "UNIT", kS16, 12);
  expect_refused(dropout.with({{"LEN", 0}}), "LEN", 0, 1);
  expect_accesses(dropout, {{"FM", false, 0x1000, 18}, {"D", true, 0x2000, 18}});
  EXPECT_TRUE(dropout.with({{"D", 0x1000}}).resolve());
  expect_error(dropout.with({{"D", 0x1002}}), ErrorCode::tensor_overlap, "D", 0x1002, 0);
}

}  // namespace resolve_creation_test
}  // namespace
}  // namespace cox::isa::unity
