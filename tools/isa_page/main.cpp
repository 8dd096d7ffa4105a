// SPDX-License-Identifier: MIT
// Writes a page of docs/isa. With --check, compares the page with the text that it should have.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tools/registry/registry.h"

namespace {

bool read(const char *path, std::string &text) {
  std::ifstream file(path, std::ios::binary);
  text.assign(std::istreambuf_iterator<char>(file), {});
  return file.good() || file.eof();
}

int fail(const char *path, const char *why) {
  std::fprintf(stderr, "%s: %s\n", path, why);
  return 1;
}

int check(const char *path, const std::string &page) {
  std::string present;
  if (!read(path, present)) return fail(path, "cannot be read");
  return present == page ? 0 : fail(path, "is not up to date: build the target isa_page");
}

int write(const char *path, const std::string &page) {
  std::ofstream file(path, std::ios::binary);
  file << page;
  file.close();
  return file.good() ? 0 : fail(path, "cannot be written");
}

const cox::tools::ProgramFormat *find_format(std::string_view key) {
  for (const cox::tools::ProgramFormat *format : cox::tools::program_formats()) {
    if (format->key() == key) return format;
  }
  return nullptr;
}

std::string names_of_sets() {
  std::string names;
  for (const cox::tools::ProgramFormat *format : cox::tools::program_formats()) names.append(" ").append(format->key());
  return names;
}

}  // namespace

int main(int argc, char **argv) {
  const bool only_check = argc == 5 && std::string_view(argv[1]) == "--check";
  const std::string_view set = argc < 4 ? "" : argv[argc - 3];
  const cox::tools::ProgramFormat *format = find_format(set);
  if ((argc != 4 && !only_check) || format == nullptr) {
    return fail(argv[0], ("usage: [--check] SET PROSE PAGE; SET is one of" + names_of_sets()).c_str());
  }
  const char *prose_path = argv[argc - 2];
  const char *page_path = argv[argc - 1];
  std::string prose;
  if (!read(prose_path, prose)) return fail(prose_path, "cannot be read");
  const std::string page = format->page(prose);
  if (page.empty()) return fail(prose_path, "lacks a line in whose place a part of the table goes, such as <!-- fields of NAME -->");
  return only_check ? check(page_path, page) : write(page_path, page);
}
