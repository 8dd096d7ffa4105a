// SPDX-License-Identifier: MIT
#include "tools/run/picture/picture_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tools/run/picture/svg_text.h"

namespace cox::tools::run {
namespace {

constexpr double kLeft = PictureLayout::kMargin;
constexpr double kAxis = 72;            // height of the axis, between the lanes and the notes
constexpr double kNoteLine = 19;        // height of a line of a note
constexpr double kNoteCharacter = 6.3;  // width of a character of a note
constexpr double kPartBar = 30;         // height of the bar that shows on what the time was spent
constexpr std::size_t kPartsInRow = 4;
constexpr double kPartEntry = 30;       // height of a row of entries below that bar
constexpr double kLeastChip = 44;       // least width of an entry of a legend
constexpr double kBesideText = 22;      // width of an entry without its text
constexpr double kChipCharacter = 6.6;  // width of a character of an entry
constexpr double kChip = 20;            // height of an entry
constexpr double kChipRow = 26;         // from one row of entries to the next
constexpr double kMark = 34;            // width of a mark beside its text

double share_of(const LanePicture::Part &part, std::uint64_t all) {
  return static_cast<double>(part.cycles) / static_cast<double>(std::max<std::uint64_t>(all, 1));
}

}  // namespace

void PictureDescription::describe() {
  double top = layout_.bottom() + kAxis;
  for (const std::string &text : picture_.notes) top = note(text, top);
  top += 12;
  if (!picture_.parts.empty()) top = parts(top);
  for (const LanePicture::Legend &row : picture_.legends) top = legend(row, top);
  bottom_ = top + 16;
}

/// Breaks the text into lines at spaces.
double PictureDescription::note(const std::string &text, double top) {
  const auto most = static_cast<std::size_t>(layout_.text_width() / kNoteCharacter);
  for (std::string_view rest = text; !rest.empty();) {
    std::size_t length = rest.size() <= most ? rest.size() : rest.rfind(' ', most);
    if (length == std::string_view::npos) length = most;  // a word longer than the line
    out_ << fmt::format(R"(<text class="note" x="{}" y="{}">{}</text>)", kLeft, top, escaped(std::string(rest.substr(0, length)))) << '\n';
    rest.remove_prefix(length);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    top += kNoteLine;
  }
  return top;
}

double PictureDescription::heading(const std::string &text, double top) {
  out_ << fmt::format(R"(<text class="heading" x="{}" y="{}">{}</text>)", kLeft, top + 12, escaped(text)) << '\n';
  return top + 22;
}

void PictureDescription::part_bar(double top, std::uint64_t all) {
  double left = kLeft;
  for (const LanePicture::Part &part : picture_.parts) {
    const double width = layout_.text_width() * share_of(part, all);
    out_ << fmt::format(R"(<rect x="{:.1f}" y="{}" width="{:.1f}" height="{}" fill="{}" stroke="#ffffff"/>)", left, top, width, kPartBar,
                        part.colour);
    if (width > 52) {
      out_ << fmt::format(R"(<text class="part" x="{:.1f}" y="{}">{:.1f} %</text>)", left + width / 2, top + kPartBar / 2 + 5,
                          100 * share_of(part, all));
    }
    out_ << '\n';
    left += width;
  }
}

double PictureDescription::parts(double top) {
  std::uint64_t all = 0;
  for (const LanePicture::Part &part : picture_.parts) all += part.cycles;
  const double entries = kPartEntry * static_cast<double>((picture_.parts.size() + kPartsInRow - 1) / kPartsInRow);
  const double width = layout_.text_width();
  out_ << fmt::format(R"svg(<rect x="{}" y="{}" width="{}" height="{}" rx="6" fill="#f7f9fb" stroke="#d5dae1"/>)svg", kLeft - 12, top,
                      width + 24, 42 + kPartBar + entries)
       << '\n';
  const double bar = heading(picture_.parts_are, top + 10);
  part_bar(bar, all);
  const double list = bar + kPartBar + 8;
  for (std::size_t i = 0; i < picture_.parts.size(); ++i) {
    const LanePicture::Part &part = picture_.parts[i];
    const double at = kLeft + width / static_cast<double>(kPartsInRow) * static_cast<double>(i % kPartsInRow);
    const double y = list + kPartEntry * static_cast<double>(i / kPartsInRow);
    out_ << fmt::format(R"(<rect x="{:.1f}" y="{}" width="14" height="14" rx="3" fill="{}"/>)", at, y + 2, part.colour);
    out_ << fmt::format(R"(<text class="entry" x="{:.1f}" y="{}">{}</text>)", at + 21, y + 9, escaped(part.label));
    out_ << fmt::format(R"(<text class="axis" x="{:.1f}" y="{}">{:.1f} %, {} cycles</text>)", at + 21, y + 23, 100 * share_of(part, all),
                        grouped(part.cycles))
         << '\n';
  }
  return list + entries + 20;
}

double PictureDescription::legend(const LanePicture::Legend &legend, double top) {
  if (legend.chips.empty()) return top;
  top = heading(legend.are, top);
  double width = kLeastChip;
  for (const LanePicture::Chip &chip : legend.chips) {
    const double mark = chip.mark == LanePicture::Mark::colour ? 0 : kMark;
    width = std::max(width, kChipCharacter * static_cast<double>(chip.label.size()) + kBesideText + mark);
  }
  const auto a_row = std::max<std::size_t>(1, static_cast<std::size_t>(layout_.text_width() / width));
  for (std::size_t i = 0; i < legend.chips.size(); ++i) {
    chip(legend.chips[i], kLeft + width * static_cast<double>(i % a_row), top + 4 + kChipRow * static_cast<double>(i / a_row), width - 6);
  }
  return top + 14 + kChipRow * static_cast<double>((legend.chips.size() + a_row - 1) / a_row);
}

void PictureDescription::chip(const LanePicture::Chip &chip, double left, double top, double width) {
  using enum LanePicture::Mark;
  if (chip.mark == colour) {
    out_ << fmt::format(R"(<rect x="{:.1f}" y="{}" width="{:.1f}" height="{}" rx="3" fill="{}"/>)", left, top, width, kChip, chip.colour);
    out_ << fmt::format(R"(<text class="chip" x="{:.1f}" y="{}">{}</text>)", left + width / 2, top + 14.5, escaped(chip.label)) << '\n';
    return;
  }
  const double middle = top + kChip / 2;
  if (chip.mark == message) {
    out_ << fmt::format(R"svg(<path class="message" d="M{:.1f} {}L{:.1f} {}" marker-end="url(#head)"/>)svg", left, top + 2,
                        left + kMark - 10, top + kChip - 2);
  } else if (chip.mark == barrier) {
    out_ << fmt::format(R"(<path class="barrier" d="M{0:.1f} {1}V{2}"/><circle class="meets" cx="{0:.1f}" cy="{3}" r="3"/>)", left + 12,
                        top, top + kChip, middle);
  } else {
    out_ << fmt::format(R"(<rect class="{}" x="{:.1f}" y="{}" width="{}" height="{}"/>)", chip.mark == waits ? "h" : "f", left, top + 2,
                        kMark - 10, kChip - 4);
  }
  out_ << fmt::format(R"(<text class="tick" x="{:.1f}" y="{}">{}</text>)", left + kMark, top + 14.5, escaped(chip.label)) << '\n';
}

}  // namespace cox::tools::run
