// SPDX-License-Identifier: MIT
#include "tests/campaign/trials.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>

namespace cox::campaign {
namespace {

constexpr int kRight = 0, kWrong = 1, kUsage = 2, kNoSense = 3;

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') {
      result += {'\\', each};
    } else if (static_cast<unsigned char>(each) < 0x20) {
      result += ' ';
    } else {
      result += each;
    }
  }
  return result + "\"";
}

/// A line of JSON about a seed.
std::string line_of(std::uint64_t seed, const Verdict &verdict) {
  std::string text = "{\"seed\": " + std::to_string(seed) + ", \"passed\": " + (verdict.what.empty() ? "true" : "false") +
                     ", \"what\": " + json_text(verdict.what) + ", \"coverage\": [";
  const char *between = "";
  for (const Cell &cell : verdict.coverage) {
    text += between + ("[" + json_text(cell.row)) + ", " + json_text(cell.column) + ", " + json_text(cell.state) + "]";
    between = ", ";
  }
  return text + "]}";
}

Input read(const std::string &name) {
  std::ifstream file(name);
  if (!file) throw std::invalid_argument(name + ": cannot be read");
  Input input;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("! ")) {
      input.header.push_back(line.substr(2));
    } else {
      input.lines.push_back(line);
    }
  }
  return input;
}

void write(const std::string &name, const Input &input) {
  std::ofstream file(name);
  for (const std::string &line : input.header) file << "! " << line << "\n";
  for (const std::string &line : input.lines) file << line << "\n";
  if (!file.flush()) throw std::invalid_argument(name + ": cannot be written");
}

/// Options of the command line, each with a value except --trials.
class Options {
 public:
  Options(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word == "--trials") {
        values_[word] = "";
      } else if (word == "--first" || word == "--count" || word == "--seed" || word == "--write" || word == "--input") {
        if (++i == argc) throw std::invalid_argument(word + ": a value is missing");
        values_[word] = argv[i];
      } else {
        throw std::invalid_argument(word + ": unknown; the options are --trials --first S --count N, --seed S --write FILE, --input FILE");
      }
    }
  }
  [[nodiscard]] bool has(const std::string &name) const { return values_.contains(name); }
  [[nodiscard]] const std::string &text(const std::string &name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::invalid_argument(name + ": is missing");
    return found->second;
  }
  [[nodiscard]] std::uint64_t number(const std::string &name) const {
    const std::optional<std::uint64_t> value = number_of(text(name));
    if (!value) throw std::invalid_argument(name + ": " + text(name) + " is not a number");
    return *value;
  }

 private:
  std::map<std::string, std::string> values_;
};

Verdict run_seed(Trials &trials, std::uint64_t seed) {
  try {
    return trials.run(trials.make(seed));
  } catch (const NoSense &error) {
    return {.what = std::string("the seed's own input makes no sense: ") + error.what(), .coverage = {}};
  }
}

void run_seeds(Trials &trials, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::cout << line_of(seed, run_seed(trials, seed)) << std::endl;  // flushed: a crash must not take the line with it
  }
}

int run_input(Trials &trials, const Input &input) {
  try {
    const Verdict verdict = trials.run(input);
    if (verdict.what.empty()) return kRight;
    std::cout << verdict.what << std::endl;
    return kWrong;
  } catch (const NoSense &error) {
    std::cout << error.what() << std::endl;
    return kNoSense;
  }
}

}  // namespace

std::string Input::value(std::string_view name) const {
  for (const std::string &line : header) {
    if (line.starts_with(std::string(name) + " ")) return line.substr(name.size() + 1);
  }
  throw NoSense("the header has no line \"! " + std::string(name) + "\"");
}

std::uint64_t Input::number(std::string_view name) const {
  const std::string text = value(name);
  const std::optional<std::uint64_t> number = number_of(text);
  if (!number) throw NoSense("header line \"! " + std::string(name) + "\": " + text + " is not a number");
  return *number;
}

bool wants_trials(int argc, char **argv) {
  return std::any_of(argv + std::min(argc, 1), argv + argc, [](const char *word) {
    const std::string_view text = word;
    return text == "--trials" || text == "--write" || text == "--input";
  });
}

int run_trials(Trials &trials, int argc, char **argv) {
  try {
    const Options options(argc, argv);
    if (options.has("--input")) return run_input(trials, read(options.text("--input")));
    if (options.has("--write")) {
      write(options.text("--write"), trials.make(options.number("--seed")));
    } else {
      static_cast<void>(options.text("--trials"));
      run_seeds(trials, options.number("--first"), options.number("--count"));
    }
    return kRight;
  } catch (const std::invalid_argument &error) {
    std::cerr << argv[0] << ": " << error.what() << "\n";
    return kUsage;
  }
}

}  // namespace cox::campaign
