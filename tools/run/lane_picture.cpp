// SPDX-License-Identifier: MIT
#include "tools/run/lane_picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace cox::tools::run {
namespace {

constexpr double kWidth = 1600;
constexpr double kMargin = 32;
constexpr double kLabels = 168;       // names of the lanes, on the left
constexpr double kUtilisation = 132;  // on the right
constexpr double kPlotLeft = kMargin + kLabels;
constexpr double kPlotWidth = kWidth - 2 * kMargin - kLabels - kUtilisation;
constexpr double kPlotTop = 124;
constexpr double kLane = 50;
constexpr double kBox = 32;             // height of an operation's box
constexpr double kSmallBox = 5;         // and of a configuration's
constexpr double kThinnest = 0.7;       // pixels; thinner boxes vanish
constexpr double kLeastChip = 44;       // width of an entry of the legend
constexpr double kCharacter = 6.1;      // width of a character in a box, at 11 px
constexpr double kWideCharacter = 8.2;  // and of a capital letter in a chip, at 12 px

std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

// 1, 2 or 5 times a power of ten, so that at most thirteen intervals fit.
std::uint64_t tick_step(std::uint64_t span) {
  std::uint64_t power = 1;
  while (power * 100 <= span) power *= 10;
  for (const std::uint64_t factor : {1U, 2U, 5U, 10U}) {
    if (power * factor * 13 >= span) return power * factor;
  }
  return power * 10;
}

double lane_top(std::size_t lane) { return kPlotTop + kLane * static_cast<double>(lane); }
/// The middle of its boxes.
double lane_middle(std::size_t lane) { return lane_top(lane) + 4 + kBox / 2; }

class Drawing {
 public:
  Drawing(std::ostream &out, const LanePicture &picture) : out_(out), picture_(picture), span_(std::max<std::uint64_t>(picture.span, 1)) {
    for (const LanePicture::Chip &chip : picture.chips)
      chip_width_ = std::max(chip_width_, kWideCharacter * static_cast<double>(chip.label.size()) + 8);
  }

  void draw() {
    const double bottom = lane_top(picture_.lanes.size());
    const double legend = bottom + 84;
    const auto chips_a_row = static_cast<std::size_t>((kWidth - 2 * kMargin) / chip_width_);
    const std::size_t rows = (picture_.chips.size() + chips_a_row - 1) / chips_a_row;
    open(legend + 62 + 26 * static_cast<double>(rows));
    title();
    axis(bottom);
    for (std::size_t i = 0; i < picture_.lanes.size(); ++i) lane(picture_.lanes[i], lane_top(i));
    for (const LanePicture::Arrow &each : picture_.arrows) arrow(each);  // behind the boxes
    for (const LanePicture::Box &each : picture_.boxes) box(each);
    describe(legend, chips_a_row);
    out_ << "</svg>\n";
  }

 private:
  [[nodiscard]] double x(std::uint64_t cycle) const {
    return kPlotLeft + kPlotWidth * static_cast<double>(cycle) / static_cast<double>(span_);
  }

  void open(double height) {
    out_ << fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )", kWidth, height)
         << R"svg(font-family="Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif">
<style>
  text { fill: #1f2933 }
  .title { font-size: 23px; font-weight: 600 } .subtitle { font-size: 14px; fill: #52606d } .note { font-size: 13px; fill: #52606d }
  .name { font-size: 16px; font-weight: 600 } .what { font-size: 12px; fill: #7b8794 } .tick { font-size: 12px; fill: #52606d }
  .axis { font-size: 12px; fill: #7b8794 } .share { font-size: 14px; font-weight: 600 } .in { font-size: 11px; pointer-events: none }
  .chip { font-size: 12px; text-anchor: middle } .c { fill: #9aa5b1 } .w { stroke: #ffffff; stroke-width: 0.5 }
  .token { fill: none; stroke: #3e4c59; stroke-width: 1; stroke-opacity: 0.45; pointer-events: none } .head { fill: #3e4c59; pointer-events: none }
  rect[class]:hover { stroke: #1f2933; stroke-width: 1.5 }
</style>
)svg";
    out_ << fmt::format(R"(<rect width="{}" height="{}" fill="#ffffff"/>)", kWidth, height) << '\n';
  }

  void title() {
    out_ << fmt::format(R"(<text class="title" x="{}" y="48">{}</text>)", kMargin, escaped(picture_.title)) << '\n';
    out_ << fmt::format(R"(<text class="subtitle" x="{}" y="72">{}</text>)", kMargin, escaped(picture_.subtitle)) << '\n';
  }

  void axis(double bottom) {
    const std::uint64_t step = tick_step(span_);
    const double right = kPlotLeft + kPlotWidth;
    for (std::uint64_t cycle = 0; cycle <= span_; cycle += step) {
      const double at = x(cycle);
      out_ << fmt::format(R"(<line x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}" stroke="#d5dae1"/>)", at, kPlotTop - 8, bottom + 6) << '\n';
      // A number that would run into the column beside the plot is left out.
      if (at > right - 12 && cycle != 0) continue;
      out_ << fmt::format(R"(<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", at, bottom + 24, grouped(cycle))
           << '\n';
      out_ << fmt::format(R"(<text class="axis" x="{:.1f}" y="{}" text-anchor="middle">{} µs</text>)", at, bottom + 42, microseconds(cycle))
           << '\n';
    }
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">cycles</text>)", kMargin, bottom + 24) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">time</text>)", kMargin, bottom + 42) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">{}</text>)", kMargin, kPlotTop - 16, escaped(picture_.lanes_are)) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">busy</text>)", right + 20, kPlotTop - 16) << '\n';
  }

  void lane(const LanePicture::Lane &lane, double top) {
    const double middle = top + kLane / 2;
    out_ << fmt::format(R"(<text class="name" x="{}" y="{}">{}</text>)", kMargin, middle - 2, escaped(lane.name)) << '\n';
    out_ << fmt::format(R"(<text class="what" x="{}" y="{}">{}</text>)", kMargin, middle + 14, escaped(lane.what)) << '\n';
    out_ << fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="#eef1f5" fill-opacity="0.7"/>)", kPlotLeft, top + 4, kPlotWidth,
                        kLane - 8)
         << '\n';
    share(lane, middle);
  }

  void box(const LanePicture::Box &box) {
    const double top = lane_middle(box.lane) - kBox / 2;
    const double left = x(box.start);
    const double width = std::max(x(box.end) - left, kThinnest);
    const double y = box.small ? top + kBox + 3 : top;
    out_ << fmt::format(R"(<rect class="{}" x="{:.2f}" y="{}" width="{:.2f}" height="{}")",
                        box.small   ? "c"
                        : width > 3 ? "w"
                                    : "t",
                        left, y, width, box.small ? kSmallBox : kBox);
    if (!box.small) out_ << fmt::format(R"( fill="{}"{})", box.colour, width > 6 ? R"( rx="2")" : "");
    out_ << "><title>" << escaped(box.spoken) << "</title></rect>\n";
    if (!box.small) write_in(box, left, width, y);
  }

  // From the end of the giver to the start of the taker, level where it leaves and arrives.
  void arrow(const LanePicture::Arrow &arrow) {
    const double left = x(arrow.from);
    const double right = x(arrow.to);
    const double top = lane_middle(arrow.from_lane);
    const double bottom = lane_middle(arrow.to_lane);
    const double bend = std::max((right - left) / 2, 10.0);
    out_ << fmt::format(
                R"(<path class="token" d="M{:.1f} {}C{:.1f} {} {:.1f} {} {:.1f} {}"/><circle class="head" cx="{:.1f}" cy="{}" r="2"/>)",
                left, top, left + bend, top, right - bend, bottom, right, bottom, right, bottom)
         << '\n';
  }

  void write_in(const LanePicture::Box &box, double left, double width, double top) {
    for (const std::string &text : box.labels) {
      const double length = kCharacter * static_cast<double>(text.size());
      if (text.empty() || length + 3 > width) continue;
      out_ << fmt::format(R"(<text class="in" x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", left + width / 2, top + kBox / 2 + 4,
                          escaped(text))
           << '\n';
      return;
    }
  }

  void share(const LanePicture::Lane &lane, double middle) {
    const double left = kPlotLeft + kPlotWidth + 20;
    const double part = static_cast<double>(lane.busy) / static_cast<double>(span_);
    constexpr double kBar = kUtilisation - 20;
    const std::string percent = lane.busy > 0 && part < 0.001 ? "&lt; 0.1 %" : fmt::format("{:.1f} %", 100 * part);
    out_ << fmt::format(R"(<text class="share" x="{}" y="{}">{}</text>)", left, middle - 2, percent) << '\n';
    out_ << fmt::format(R"(<rect x="{}" y="{}" width="{}" height="6" rx="3" fill="#e4e7eb"/>)", left, middle + 8, kBar) << '\n';
    out_ << fmt::format(R"(<rect x="{}" y="{}" width="{:.1f}" height="6" rx="3" fill="#3e6fb0"/>)", left, middle + 8,
                        kBar * std::min(part, 1.0))
         << '\n';
  }

  void describe(double top, std::size_t chips_a_row) {
    out_ << fmt::format(R"(<text class="note" x="{}" y="{}">{}</text>)", kMargin, top, escaped(picture_.note)) << '\n';
    out_ << fmt::format(R"(<text class="note" x="{}" y="{}" font-weight="600">{}</text>)", kMargin, top + 28, escaped(picture_.chips_are))
         << '\n';
    for (std::size_t i = 0; i < picture_.chips.size(); ++i) {
      const double left = kMargin + chip_width_ * static_cast<double>(i % chips_a_row);
      const double y = top + 38 + 26 * static_cast<double>(i / chips_a_row);
      const LanePicture::Chip &chip = picture_.chips[i];
      out_ << fmt::format(R"(<rect x="{}" y="{}" width="{}" height="20" rx="3" fill="{}"/>)", left, y, chip_width_ - 6, chip.colour);
      out_ << fmt::format(R"(<text class="chip" x="{}" y="{}">{}</text>)", left + (chip_width_ - 6) / 2, y + 14.5, escaped(chip.label))
           << '\n';
    }
  }

  std::ostream &out_;
  const LanePicture &picture_;
  std::uint64_t span_;
  double chip_width_ = kLeastChip;
};

}  // namespace

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string microseconds(std::uint64_t cycles) {
  const std::string whole = grouped(cycles / 1000);
  return cycles % 1000 == 0 || cycles >= 1'000'000 ? whole : fmt::format("{}.{:03}", whole, cycles % 1000);
}

void write_lane_picture(std::ostream &out, const LanePicture &picture) { Drawing(out, picture).draw(); }

}  // namespace cox::tools::run
