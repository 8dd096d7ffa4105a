// SPDX-License-Identifier: MIT
#include "tools/registry/file_kind.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/model/observers/event_log.h"
#include "tools/file/error.h"
#include "tools/image/signed_file.h"

namespace cox::tools {
namespace {

using nlohmann::json;

FileKind program_kind(const ProgramFormat &format, bool text) {
  const std::string isa = " --isa " + std::string(format.key());
  std::string commands = text ? "cox as" + isa : "cox dis" + isa;
  if (format.is_task()) commands += ", cox run";
  return {text ? format.text_name() : format.binary_name(), commands + " and cox check" + isa + " take it", &format, text};
}

std::optional<FileKind> json_kind(std::string_view text) {
  const json root = json::parse(text, nullptr, false);
  const json &list = root.is_object() && root.contains("jobs") ? root["jobs"] : root;
  if (list.is_array() && !list.empty() && list[0].is_object() && list[0].contains("task")) {
    return FileKind{"a list of jobs", "cox run --jobs takes it"};
  }
  if (!root.is_object()) return std::nullopt;
  if (root.contains("layers")) return FileKind{"a network file", "cox lower takes it"};
  if (root.contains("traceEvents")) return FileKind{"a Chrome trace", "Perfetto opens it"};
  if (root.contains("end_cycle")) return FileKind{"the statistics of a run", "cox stats takes it"};
  if (root.contains("windows") || root.contains("tensors") || root.contains("constants")) {
    return FileKind{"the bindings of a stream", "cox as STREAM --bindings takes it"};
  }
  return std::nullopt;
}

/// A signed image is of the format of its payload.
FileKind signed_kind(ProgramFormats formats, std::span<const std::uint8_t> bytes) {
  FileKind kind{"a signed image", "cox run, cox check, cox dis and cox verify take it"};
  try {
    const std::span<const std::uint8_t> payload = signed_parts(bytes, "").payload;
    for (const ProgramFormat *format : formats) {
      if (kind.format == nullptr && format->is_binary(payload)) kind.format = format;
    }
  } catch (const FileError &) {
    // The command that reads the file says what is wrong with it.
  }
  return kind;
}

}  // namespace

std::optional<FileKind> identify(ProgramFormats formats, std::span<const std::uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (text.starts_with(std::string_view(model::kEventLogMagic, sizeof model::kEventLogMagic))) {
    return FileKind{"an event log", "cox timeline takes it"};
  }
  if (text.size() >= 8 && text.substr(4, 4) == "TFL3") return FileKind{kTensorFlowLiteModel, "cox info and cox run take it"};
  if (is_signed_file(bytes)) return signed_kind(formats, bytes);
  for (const ProgramFormat *format : formats) {
    if (format->is_text(text)) return program_kind(*format, true);
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '[')) return json_kind(text);
  for (const ProgramFormat *format : formats) {
    if (format->is_binary(bytes)) return program_kind(*format, false);
  }
  return std::nullopt;
}

}  // namespace cox::tools
