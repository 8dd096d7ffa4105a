// SPDX-License-Identifier: MIT
#include "tools/isa_page/fields.h"

#include <sstream>
#include <string_view>

namespace cox::tools {

using isa::EnumType;
using isa::EnumValue;
using isa::Field;
using isa::Kind;

std::string values_text(const Field &field) {
  std::ostringstream text;
  switch (field.kind) {
    case Kind::floating_point: return "FP32";
    case Kind::bfloat16: return "BF16";
    case Kind::boolean: return "false, true";
    case Kind::enumeration:
      text << field.types[0]->name;
      if (field.types[1] != nullptr) text << ", " << field.types[1]->name;
      return text.str();
    case Kind::integer: text << field.minimum << " to " << field.maximum;
  }
  return text.str();
}

void add_enumerations(const Field &field, std::vector<const EnumType *> &types) {
  for (const EnumType *type : field.types) {
    if (type == nullptr) continue;
    bool known = false;
    for (const EnumType *other : types) known = known || std::string_view(other->name) == type->name;
    if (!known) types.push_back(type);
  }
}

bool replace_mark(std::string &page, const std::string &mark, const std::string &text) {
  const std::string line = "<!-- " + mark + " -->\n";
  const std::size_t at = page.find(line);
  if (at == std::string::npos) return false;
  page.replace(at, line.size(), text);
  return true;
}

std::string enumerations_text(const std::vector<const EnumType *> &types) {
  std::ostringstream out;
  out << "### Enumerations\n\n| name | values |\n|---|---|\n";
  for (const EnumType *type : types) {
    out << "| " << type->name << " | ";
    for (const EnumValue &value : type->values) out << (&value == type->values.data() ? "" : ", ") << value.name << ' ' << value.value;
    out << " |\n";
  }
  return out.str();
}

}  // namespace cox::tools
