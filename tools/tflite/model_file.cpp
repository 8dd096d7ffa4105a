// SPDX-License-Identifier: MIT
#include "tools/tflite/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "tools/file/error.h"
#include "tools/file/file.h"

namespace cox::tools::tflite {

namespace {

/// Returns what Status::index() counts.
std::string_view counted_by(std::string_view what) {
  for (const std::string_view of_tensors : {"tensor.", "buffer.", "quantization.", "variable tensor"}) {
    if (what.starts_with(of_tensors)) return "tensor ";
  }
  return "operator ";
}

/// For an operator that takes another type, whose numbers value() and limit() hold.
bool is_about_type(const Status &status) {
  return status.code() == ErrorCode::unsupported && std::string_view(status.what()).ends_with(": type");
}

const char *type_name(std::int64_t number) { return format::element_name(static_cast<format::ElementType>(number)); }

}  // namespace

std::string describe(const Status &status) {
  std::string text;
  if (status.index() >= 0) text = std::string(counted_by(status.what())) + std::to_string(status.index()) + ": ";
  if (status.code() == ErrorCode::unsupported && std::string_view(status.what()) == "operator") return text + "there is no kernel";
  if (is_about_type(status))
    return text + fmt::format("{}: {} instead of {}", status.what(), type_name(status.value()), type_name(status.limit()));
  text += std::string(status.what()) + ": " + error_name(status.code());
  if (status.value() != 0 || status.limit() != 0) text += ": " + std::to_string(status.value());
  if (status.limit() != 0) text += ", the limit is " + std::to_string(status.limit());
  return text;
}

std::string shape_text(const format::Shape &shape) {
  if (shape.rank == 0) return "scalar";
  std::string text;
  for (std::size_t i = 0; i < shape.rank; ++i) text += (i == 0 ? "" : "x") + std::to_string(shape[i]);
  return text;
}

std::string name_of(const format::OperatorView &op) {
  std::string name = format::operator_name(op.code);
  if (name == "unknown") name += " (" + std::to_string(static_cast<std::int32_t>(op.code)) + ")";
  if (!op.custom_name.empty()) name += " " + printable(op.custom_name);
  return name;
}

std::string printable(std::string_view text) {
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(), [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  return shown;
}

ModelFile::ModelFile(const std::string &path) : path_(path) {
  const std::vector<std::uint8_t> bytes = read_file(path);
  file_.resize((bytes.size() + sizeof(Line) - 1) / sizeof(Line));
  if (!bytes.empty()) std::memcpy(file_.data(), bytes.data(), bytes.size());
  const std::span<const std::byte> file = std::as_bytes(std::span(file_)).first(bytes.size());
  const Result<std::size_t> tensors = format::tensor_count(file);
  if (!tensors) throw FileError(path + ": " + describe(tensors.status()), tensors.status().code());
  uses_.resize(tensors.value());
  const Result<format::Model> model = format::open(file, uses_);
  if (!model) throw FileError(path + ": " + describe(model.status()), model.status().code());
  model_ = model.value();
  records_.resize(format::arena_records(model_));
}

format::ArenaPlan ModelFile::plan(const format::OperatorSet &kernels) {
  const Result<format::ArenaPlan> plan = format::plan_arena(model_, kernels, {}, records_);
  if (!plan) throw FileError(path_ + ": " + describe(plan.status()), plan.status().code());
  return plan.value();
}

}  // namespace cox::tools::tflite
