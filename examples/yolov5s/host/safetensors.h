// SPDX-License-Identifier: MIT
// Weight files in the safetensors format: 8 bytes of header length, a JSON header, the tensors' bytes. Files may come from any source, so
// everything in the header is checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cox::yolov5s {

enum class TensorType : std::uint8_t { F32, F16, BF16, other };

class Safetensors {
 public:
  struct Entry {
    TensorType type = TensorType::other;
    std::string type_name;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0, end = 0;  ///< byte offsets from the end of the header
  };

  /// Throws FileError if the header is not a JSON object, is longer than the file or than kMostHeaderBytes, has more than kMostObjects
  /// objects, or names a tensor twice. Throws it also if an entry lacks members, has offsets outside the file, overlaps another entry, or
  /// has a size that differs from its shape's.
  static Safetensors parse(std::vector<std::byte> file);
  /// Reads the file at `path` and parses it. Throws the errors of parse(), and FileError if the file cannot be read.
  static Safetensors read(const std::string &path);

  static constexpr std::uint64_t kMostHeaderBytes = 100'000'000;
  static constexpr std::size_t kMostObjects = 4'096;  ///< each tensor counts as one, and so does the header

  [[nodiscard]] const std::map<std::string, Entry, std::less<>> &entries() const { return entries_; }
  [[nodiscard]] bool contains(std::string_view name) const { return entries_.find(name) != entries_.end(); }
  /// Throws FileError if the tensor does not exist, has another shape, or has a type other than F32, F16 and BF16.
  [[nodiscard]] std::vector<float> values(std::string_view name, std::span<const std::uint64_t> shape) const;

 private:
  std::vector<std::byte> file_;
  std::uint64_t data_ = 0;  ///< offset of the tensors' bytes
  std::map<std::string, Entry, std::less<>> entries_;
};

/// A tensor to write, as F32.
struct NamedTensor {
  std::string name;
  std::vector<std::uint64_t> shape;
  std::vector<float> values;
};

/// The file's bytes: a header padded with spaces to a multiple of 8, then the tensors in the given order.
std::vector<std::byte> write_safetensors(std::span<const NamedTensor> tensors);

}  // namespace cox::yolov5s
