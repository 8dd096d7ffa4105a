// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "coxswain/isa/numbers/bfloat16.h"
#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/file.h"

namespace cox::yolov5s {
namespace {

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr int kDeepestHeader = 3;  // depth 1: the object of tensors; 2: a tensor's object; 3: an array in it

struct Type {
  const char *name;
  TensorType type;
  std::uint64_t bytes;
};
constexpr Type kTypes[] = {{"F32", TensorType::F32, 4},    {"F16", TensorType::F16, 2},       {"BF16", TensorType::BF16, 2},
                           {"F64", TensorType::other, 8},  {"I64", TensorType::other, 8},     {"I32", TensorType::other, 4},
                           {"I16", TensorType::other, 2},  {"I8", TensorType::other, 1},      {"U64", TensorType::other, 8},
                           {"U32", TensorType::other, 4},  {"U16", TensorType::other, 2},     {"U8", TensorType::other, 1},
                           {"BOOL", TensorType::other, 1}, {"F8_E4M3", TensorType::other, 1}, {"F8_E5M2", TensorType::other, 1}};

std::string text_of(std::span<const std::uint64_t> shape) {
  std::string text;
  for (const std::uint64_t side : shape) text += (text.empty() ? "" : ", ") + std::to_string(side);
  return "[" + text + "]";
}

float float16_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1FU;
  const std::uint32_t fraction = bits & 0x3FFU;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255 : exponent + 127 - 15;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

/// Parses the header. Refuses too much depth, too many objects and repeated names while it parses. Whenever a nested object ends, the
/// parser searches all members of the outer object, so without a limit a hostile header could take hours.
json parse_header(std::string_view text) {
  std::set<std::string> names;
  std::size_t objects = 0;
  const auto check = [&](int depth, json::parse_event_t event, json &value) {
    if (depth > kDeepestHeader) throw FileError("weight file: the header nests too deeply");
    if (event == json::parse_event_t::object_start && ++objects > Safetensors::kMostObjects) {
      throw FileError(fmt::format("weight file: the header has more than {} objects", Safetensors::kMostObjects));
    }
    if (event == json::parse_event_t::key && depth == 1 && !names.insert(value.get<std::string>()).second) {
      throw FileError(fmt::format("weight file: the header names {} twice", value.get<std::string>()));
    }
    return true;
  };
  try {
    return json::parse(text, check);
  } catch (const json::exception &error) {
    throw FileError(fmt::format("weight file: the header is not JSON: {}", error.what()));
  }
}

std::uint64_t unsigned_of(const json &value, const std::string &name, const char *member) {
  if (!value.is_number_unsigned())
    throw FileError(fmt::format("weight file: {}: {} holds something else than whole numbers", name, member));
  return value.get<std::uint64_t>();
}

Safetensors::Entry entry_of(const std::string &name, const json &value, std::uint64_t data_bytes) {
  const auto refuse = [&name](const std::string &what) -> FileError { return FileError(fmt::format("weight file: {}: {}", name, what)); };
  if (!value.is_object() || !value.contains("dtype") || !value["dtype"].is_string() || !value.contains("shape") ||
      !value["shape"].is_array() || !value.contains("data_offsets") || !value["data_offsets"].is_array() ||
      value["data_offsets"].size() != 2) {
    throw refuse("wants dtype, shape and two data_offsets");
  }
  Safetensors::Entry entry;
  entry.type_name = value["dtype"].get<std::string>();
  const auto *type = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const Type &each) { return entry.type_name == each.name; });
  if (type == std::end(kTypes)) throw refuse(fmt::format("unknown dtype {}", entry.type_name));
  entry.type = type->type;
  std::uint64_t bytes = type->bytes;
  bool too_large = false;
  for (const json &side : value["shape"]) {
    entry.shape.push_back(unsigned_of(side, name, "shape"));
    const std::uint64_t factor = entry.shape.back();
    too_large = too_large || (factor != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / factor);
    bytes = too_large ? 0 : bytes * factor;
  }
  if (too_large) throw refuse("a shape of more than 2^64 bytes");
  entry.begin = unsigned_of(value["data_offsets"][0], name, "data_offsets");
  entry.end = unsigned_of(value["data_offsets"][1], name, "data_offsets");
  if (entry.begin > entry.end || entry.end > data_bytes) {
    throw refuse(fmt::format("data_offsets {} to {} are outside the file's {} bytes of tensors", entry.begin, entry.end, data_bytes));
  }
  if (entry.end - entry.begin != bytes) {
    throw refuse(fmt::format("{} bytes, but shape {} of {} is {}", entry.end - entry.begin, text_of(entry.shape), entry.type_name, bytes));
  }
  return entry;
}

}  // namespace

Safetensors Safetensors::parse(std::vector<std::byte> file) {
  if (file.size() < kLengthBytes) throw FileError("weight file: shorter than a safetensors header");
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | std::to_integer<std::uint64_t>(file[i]);
  if (length > kMostHeaderBytes || length > file.size() - kLengthBytes) {
    throw FileError(fmt::format("weight file: a header of {} bytes in a file of {}", length, file.size()));
  }
  Safetensors result;
  result.data_ = kLengthBytes + length;
  const json header = parse_header({reinterpret_cast<const char *>(file.data()) + kLengthBytes, static_cast<std::size_t>(length)});
  if (!header.is_object()) throw FileError("weight file: the header is not a JSON object");
  const std::uint64_t data_bytes = file.size() - result.data_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> used;
  for (const auto &[name, value] : header.items()) {
    if (name == "__metadata__") continue;
    const Entry entry = entry_of(name, value, data_bytes);
    if (entry.begin != entry.end) used.emplace_back(entry.begin, entry.end);
    result.entries_.emplace(name, entry);
  }
  std::sort(used.begin(), used.end());
  for (std::size_t i = 1; i < used.size(); ++i) {
    if (used[i].first < used[i - 1].second) throw FileError(fmt::format("weight file: two tensors share bytes at {}", used[i].first));
  }
  result.file_ = std::move(file);
  return result;
}

Safetensors Safetensors::read(const std::string &path) { return parse(read_file(path)); }

std::vector<float> Safetensors::values(std::string_view name, std::span<const std::uint64_t> shape) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw FileError(fmt::format("weight file: there is no tensor {}", name));
  const Entry &entry = found->second;
  if (!std::equal(shape.begin(), shape.end(), entry.shape.begin(), entry.shape.end())) {
    throw FileError(fmt::format("weight file: {} has shape {}, not {}", name, text_of(entry.shape), text_of(shape)));
  }
  const std::byte *bytes = file_.data() + data_ + entry.begin;
  const std::size_t size = entry.end - entry.begin;
  std::vector<float> values(entry.type == TensorType::F32 ? size / 4 : size / 2);
  const auto half = [bytes](std::size_t i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes + 2 * i, 2);
    return bits;
  };
  switch (entry.type) {
    case TensorType::F32: std::memcpy(values.data(), bytes, size); break;
    case TensorType::F16:
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = float16_to_float(half(i));
      break;
    case TensorType::BF16:
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = isa::numbers::bfloat16_to_float(half(i));
      break;
    case TensorType::other: throw FileError(fmt::format("weight file: {} is {}; F32, F16 and BF16 are read", name, entry.type_name));
  }
  return values;
}

std::vector<std::byte> write_safetensors(std::span<const NamedTensor> tensors) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::uint64_t offset = 0;
  for (const NamedTensor &tensor : tensors) {
    const std::uint64_t end = offset + tensor.values.size() * sizeof(float);
    header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');
  std::vector<std::byte> file(kLengthBytes + text.size() + offset);
  for (std::size_t i = 0; i < kLengthBytes; ++i) file[i] = static_cast<std::byte>(text.size() >> 8 * i & 0xFF);
  std::memcpy(file.data() + kLengthBytes, text.data(), text.size());
  std::size_t at = kLengthBytes + text.size();
  for (const NamedTensor &tensor : tensors) {
    std::memcpy(file.data() + at, tensor.values.data(), tensor.values.size() * sizeof(float));
    at += tensor.values.size() * sizeof(float);
  }
  return file;
}

}  // namespace cox::yolov5s
