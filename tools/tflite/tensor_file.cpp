// SPDX-License-Identifier: MIT
#include "tools/tflite/tensor_file.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "tools/command/failure.h"
#include "tools/file/file.h"
#include "tools/npy/npy.h"

namespace cox::tools::tflite {

namespace {

constexpr std::string_view kEnding = ".npy";

[[noreturn]] void refuse(const std::string &path, const std::string &what) { throw Failure(ExitCode::failed, path + ": " + what); }

using Sizes = std::vector<std::size_t>;

Sizes sizes_of(const format::Shape &shape) {
  Sizes sizes;
  for (std::size_t i = 0; i < shape.rank; ++i) sizes.push_back(static_cast<std::size_t>(shape[i]));
  return sizes;
}

/// Returns the shape of the values of several inferences.
Sizes batch_of(const format::Shape &shape, std::size_t inferences) {
  Sizes sizes = sizes_of(shape);
  if (!sizes.empty() && sizes.front() == 1) {
    sizes.front() = inferences;
  } else {
    sizes.insert(sizes.begin(), inferences);
  }
  return sizes;
}

std::string joined(const Sizes &sizes) {
  std::string text;
  for (const std::size_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "scalar" : text;
}

/// Says how to make the values that a tensor takes out of real numbers.
std::string quantising_hint(const format::TensorView &tensor, const NpyType &type) {
  if (type.kind != 'f' || tensor.quantisation.count != 1) return "";
  return fmt::format("; quantise it: value / {} + {}, rounded", tensor.quantisation.scale(), tensor.quantisation.zero_point());
}

void check_array(const std::string &path, const std::string &name, const format::TensorView &tensor, const NpyArray &array) {
  if (array.type.name() != format::element_name(tensor.type)) {
    refuse(path, fmt::format("{} takes {}; the file has {}{}", name, format::element_name(tensor.type), array.type.name(),
                             quantising_hint(tensor, array.type)));
  }
  const Sizes one = sizes_of(tensor.shape);
  if (array.shape == one) return;
  Sizes stacked = one;
  stacked.insert(stacked.begin(), array.shape.empty() ? 0 : array.shape.front());
  const bool some = !array.shape.empty() && array.shape.front() > 0;
  if (some && (array.shape == stacked || array.shape == batch_of(tensor.shape, array.shape.front()))) return;
  Sizes rest = batch_of(tensor.shape, 0);
  rest.erase(rest.begin());
  refuse(path, fmt::format("{} takes the shape {} (for N inferences N{}{}); the file has {}", name, joined(one), rest.empty() ? "" : "x",
                           rest.empty() ? "" : joined(rest), joined(array.shape)));
}

}  // namespace

std::vector<std::uint8_t> read_tensor(const std::string &path, const std::string &name, const format::TensorView &tensor) {
  if (path.ends_with(kEnding)) {
    NpyArray array = read_npy(path);
    check_array(path, name, tensor, array);
    return std::move(array.bytes);
  }
  std::vector<std::uint8_t> bytes = read_file(path);
  if (bytes.empty() || bytes.size() % tensor.bytes != 0) {
    refuse(path, fmt::format("{} takes {} bytes (or several times as many, one inference each); the file has {}", name, tensor.bytes,
                             bytes.size()));
  }
  return bytes;
}

void write_tensor(const std::string &path, const format::TensorView &tensor, const std::vector<std::uint8_t> &bytes,
                  std::size_t inferences) {
  if (!path.ends_with(kEnding)) return write_file(path, bytes);
  const std::string_view name = format::element_name(tensor.type);
  const NpyType type{.kind = name.starts_with("bool") ? 'b' : name.front(), .bytes = format::element_bits(tensor.type) / 8};
  write_file(
      path,
      npy_file({.type = type, .shape = inferences == 1 ? sizes_of(tensor.shape) : batch_of(tensor.shape, inferences), .bytes = bytes}));
}

std::string tensor_text(const format::TensorView &tensor) {
  return fmt::format("{} {}", format::element_name(tensor.type), shape_text(tensor.shape));
}

}  // namespace cox::tools::tflite
