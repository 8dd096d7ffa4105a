// SPDX-License-Identifier: MIT
// .npy files: what is written is read again, what NumPy writes is read, and each defect is named.
#include "tools/npy/npy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tools/file/error.h"

namespace cox::tests::npy {
namespace {

using cox::tools::FileError;
using cox::tools::NpyArray;
using cox::tools::NpyType;
using Bytes = std::vector<std::uint8_t>;

/// Makes a file of a header's text and elements.
Bytes file_of(const std::string &header, const Bytes &elements, unsigned version = 1, unsigned minor = 0) {
  Bytes file = {0x93, 'N', 'U', 'M', 'P', 'Y', static_cast<std::uint8_t>(version), static_cast<std::uint8_t>(minor)};
  for (unsigned i = 0; i < (version == 1 ? 2U : 4U); ++i) file.push_back(static_cast<std::uint8_t>(header.size() >> (8 * i)));
  file.insert(file.end(), header.begin(), header.end());
  file.insert(file.end(), elements.begin(), elements.end());
  return file;
}

std::string message_of(const Bytes &file) {
  try {
    static_cast<void>(cox::tools::parse_npy(file, "a.npy"));
  } catch (const FileError &error) {
    return error.what();
  }
  return "";
}

TEST(Npy, ReadsWhatNumPyWrites) {
  // The bytes of numpy.save() for numpy.array([[1, 2, 3], [4, 5, -6]], dtype=numpy.int8).
  std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }";
  header.resize(128 - 10 - 1, ' ');
  header += '\n';
  const NpyArray array = cox::tools::parse_npy(file_of(header, {1, 2, 3, 4, 5, 250}), "a.npy");
  EXPECT_EQ(array.type, (NpyType{'i', 1}));
  EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(array.bytes, (Bytes{1, 2, 3, 4, 5, 250}));
}

TEST(Npy, ReadsVersionTwoOtherOrdersOfKeysAndScalars) {
  const NpyArray array =
      cox::tools::parse_npy(file_of("{\"shape\": (), 'descr': '<f4', 'fortran_order': True}", {0, 0, 128, 63}, 2), "a.npy");
  EXPECT_EQ(array.type.name(), "float32");
  EXPECT_TRUE(array.shape.empty());
  const NpyArray row = cox::tools::parse_npy(file_of("{'descr': '<u2', 'fortran_order': True, 'shape': (1,)}\n", {1, 2}), "a.npy");
  EXPECT_EQ(row.shape, (std::vector<std::size_t>{1}));
}

TEST(Npy, WritesWhatItReads) {
  for (const NpyType type : {NpyType{'b', 1}, NpyType{'i', 1}, NpyType{'u', 1}, NpyType{'i', 2}, NpyType{'u', 2}, NpyType{'i', 4},
                             NpyType{'u', 4}, NpyType{'i', 8}, NpyType{'u', 8}, NpyType{'f', 2}, NpyType{'f', 4}, NpyType{'f', 8}}) {
    for (const std::vector<std::size_t> &shape : {std::vector<std::size_t>{}, {3}, {2, 3}, {1, 2, 0, 5}, std::vector<std::size_t>(32, 1)}) {
      NpyArray array{type, shape, {}};
      std::size_t size = type.bytes;
      for (const std::size_t dimension : shape) size *= dimension;
      for (std::size_t i = 0; i < size; ++i) array.bytes.push_back(static_cast<std::uint8_t>(i * 11));
      const Bytes file = cox::tools::npy_file(array);
      EXPECT_EQ((file.size() - array.bytes.size()) % 64, 0U);
      EXPECT_EQ(file[6], 1);
      const NpyArray read = cox::tools::parse_npy(file, "a.npy");
      EXPECT_EQ(read.type, type);
      EXPECT_EQ(read.shape, shape);
      EXPECT_EQ(read.bytes, array.bytes);
    }
  }
}

TEST(Npy, NamesEachDefect) {
  const std::string good = "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }";
  const Bytes two = {1, 2};
  EXPECT_EQ(message_of(file_of(good, two)), "");
  EXPECT_EQ(message_of({'h', 'e', 'l', 'l', 'o'}), "a.npy: this is no .npy file");
  EXPECT_EQ(message_of(file_of(good, two, 3)), "a.npy: .npy version 3.0 is not supported; 1.0 and 2.0 are");
  EXPECT_EQ(message_of(file_of(good, two, 1, 2)), "a.npy: .npy version 1.2 is not supported; 1.0 and 2.0 are");
  EXPECT_EQ(message_of(file_of(good, {1})), "a.npy: 1 bytes of elements, but type and shape need 2");
  EXPECT_EQ(message_of(file_of(good, {1, 2, 3})), "a.npy: 3 bytes of elements, but type and shape need 2");
  const auto header = [&](const std::string &text) { return message_of(file_of(text, two)); };
  EXPECT_EQ(header("{'descr': '>i2', 'fortran_order': False, 'shape': (1,)}"), "a.npy: type '>i2' is big-endian");
  EXPECT_EQ(header("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}"), "a.npy: type '<c8' is not supported");
  EXPECT_EQ(header("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}"), "a.npy: type '|O' is not supported");
  EXPECT_EQ(header("{'descr': '|i1', 'fortran_order': True, 'shape': (1, 2)}"),
            "a.npy: Fortran's order; numpy.ascontiguousarray() makes C order");
  EXPECT_EQ(header("{'descr': '|i1', 'fortran_order': maybe, 'shape': (2,)}"),
            "a.npy: .npy header: fortran_order is neither True nor False");
  EXPECT_EQ(header("{'fortran_order': False, 'shape': (2,)}"), "a.npy: .npy header: no descr");
  EXPECT_EQ(header("{'descr': '|i1', 'shape': (2,)}"), "a.npy: .npy header: no fortran_order");
  EXPECT_EQ(header("{'descr': '|i1', 'fortran_order': False}"), "a.npy: .npy header: no shape");
  EXPECT_EQ(header("{'descr': '|i1', 'descr': '|i1', 'fortran_order': False, 'shape': (2,)}"), "a.npy: .npy header: key 'descr' twice");
  EXPECT_EQ(header("{'colour': 'red'}"), "a.npy: .npy header: unknown key 'colour'");
  EXPECT_EQ(header("{'descr': '|i1', 'fortran_order': False, 'shape': (-2,)}"), "a.npy: .npy header: shape: no size at character 51");
  EXPECT_EQ(header("{'descr': '|i1', 'fortran_order': False, 'shape': (2"), "a.npy: .npy header: no ')' at character 52");
  EXPECT_EQ(header("{'descr': '|i1', 'fortran_order': False, 'shape': (2,)} x"), "a.npy: .npy header: text behind the dictionary");
  EXPECT_EQ(header("{'descr"), "a.npy: .npy header: no text in quotes at character 1");
  EXPECT_EQ(header("{'descr': '|i1', 'fortran_order': False, 'shape': (4294967296, 4294967296, 4294967296)}"),
            "a.npy: 2 bytes of elements, but type and shape need more than there can be");
}

TEST(Npy, RefusesEveryTruncation) {
  NpyArray array{{'i', 4}, {2, 2}, Bytes(16, 7)};
  const Bytes file = cox::tools::npy_file(array);
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_NE(message_of(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size))), "") << size;
  }
}

}  // namespace
}  // namespace cox::tests::npy
