// SPDX-License-Identifier: MIT
// Weight files in the safetensors format: 8 bytes of header length, a JSON header, the tensors' bytes. Read from anybody: what the header
// says is checked before it is used.
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
    std::uint64_t begin = 0, end = 0;  ///< bytes from the end of the header
  };

  /// Throws FileError: a header that is no JSON object, is longer than the file or than kMostHeaderBytes, has more than kMostObjects
  /// objects, names a tensor twice, or whose entries lack members, have offsets outside the file, overlapping bytes, or a size that is not
  /// the shape's.
  static Safetensors parse(std::vector<std::byte> file);
  /// Likewise, and where the file cannot be read.
  static Safetensors read(const std::string &path);

  static constexpr std::uint64_t kMostHeaderBytes = 100'000'000;
  static constexpr std::size_t kMostObjects = 4'096;  ///< a tensor is one, and so is the header

  [[nodiscard]] const std::map<std::string, Entry, std::less<>> &entries() const { return entries_; }
  [[nodiscard]] bool contains(std::string_view name) const { return entries_.find(name) != entries_.end(); }
  /// Throws FileError: no such tensor, another shape, or a type other than F32, F16 and BF16.
  [[nodiscard]] std::vector<float> values(std::string_view name, std::span<const std::uint64_t> shape) const;

 private:
  std::vector<std::byte> file_;
  std::uint64_t data_ = 0;  ///< where the tensors' bytes start
  std::map<std::string, Entry, std::less<>> entries_;
};

/// A tensor to write, as F32.
struct NamedTensor {
  std::string name;
  std::vector<std::uint64_t> shape;
  std::vector<float> values;
};

/// The file's bytes: the header padded with spaces to a multiple of 8, tensors in the order given.
std::vector<std::byte> write_safetensors(std::span<const NamedTensor> tensors);

}  // namespace cox::yolov5s
