// SPDX-License-Identifier: MIT
#include "tools/run/picture/lane_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace cox::tools::run {
namespace {

constexpr double kWidth = 1600;
constexpr double kMargin = 32;
constexpr double kLabels = 168;       // width of the lanes' names, on the left
constexpr double kUtilisation = 132;  // width of the column with each lane's share of busy time, on the right
constexpr double kPlotLeft = kMargin + kLabels;
constexpr double kPlotWidth = kWidth - 2 * kMargin - kLabels - kUtilisation;
constexpr double kPlotTop = 124;
constexpr double kLane = 50;
constexpr double kBox = 32;         // height of an operation's box
constexpr double kSmallBox = 5;     // height of a configuration's box
constexpr double kThinnest = 0.7;   // least width of a box in pixels; thinner boxes would vanish
constexpr double kGap = 6;          // height of the bar of a LanePicture::Gap
constexpr double kPath = 5;         // height of the critical path's bar, at the top edge of a box
constexpr double kPartBar = 30;     // height of the bar that shows on what the time was spent
constexpr double kLeastChip = 44;   // least width of an entry of the legend
constexpr double kBesideText = 22;  // width of an entry of the legend without its text
constexpr double kCharacter = 6.1;  // width of a character in a box (font size 11 px); in the legend it is a little less

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

// Returns the cycles between two marks of the axis: 1, 2 or 5 times a power of ten, so that at most thirteen such intervals fit.
std::uint64_t tick_step(std::uint64_t span) {
  std::uint64_t power = 1;
  while (power * 100 <= span) power *= 10;
  for (const std::uint64_t factor : {1U, 2U, 5U, 10U}) {
    if (power * factor * 13 >= span) return power * factor;
  }
  return power * 10;
}

double lane_top(std::size_t lane) { return kPlotTop + kLane * static_cast<double>(lane); }
/// Returns the y coordinate of the middle of the lane's boxes.
double lane_middle(std::size_t lane) { return lane_top(lane) + 4 + kBox / 2; }

class Drawing {
 public:
  Drawing(std::ostream &out, const LanePicture &picture) : out_(out), picture_(picture), span_(std::max<std::uint64_t>(picture.span, 1)) {}

  void draw() {
    const double bottom = lane_top(picture_.lanes.size());
    open(describe(bottom + 72));  // the SVG begins with the picture's height, so describe() must run first
    title();
    axis(bottom);
    for (std::size_t i = 0; i < picture_.lanes.size(); ++i) lane(picture_.lanes[i], lane_top(i));
    for (const LanePicture::Gap &each : picture_.gaps) gap(each);
    for (const LanePicture::Arrow &each : picture_.arrows) arrow(each);  // before the boxes, so that the boxes cover them
    for (const LanePicture::Box &each : picture_.boxes) box(each);
    critical_path();
    out_ << below_.str() << "</svg>\n";
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
  .heading { font-size: 15px; font-weight: 600 } .entry { font-size: 13px; font-weight: 600 } .part { font-size: 13px; text-anchor: middle }
  .path { fill: #c2182b; pointer-events: none } .join { fill: none; stroke: #c2182b; stroke-width: 1.6; pointer-events: none }
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
      // Leave out a number that would overlap the column beside the plot.
      if (at > right - 12 && cycle != 0) continue;
      out_ << fmt::format(R"(<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", at, bottom + 24, grouped(cycle))
           << '\n';
      out_ << fmt::format(R"(<text class="axis" x="{:.1f}" y="{}" text-anchor="middle">{} µs</text>)", at, bottom + 42, microseconds(cycle))
           << '\n';
    }
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">cycles</text>)", kMargin, bottom + 24) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">time</text>)", kMargin, bottom + 42) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">{}</text>)", kMargin, kPlotTop - 16, escaped(picture_.lanes_are)) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">occupied</text>)", right + 20, kPlotTop - 16) << '\n';
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

  // Draws an arrow from the end of the giver to the start of the taker, horizontal at both ends.
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

  void gap(const LanePicture::Gap &gap) {
    const double left = x(gap.start);
    const double width = x(gap.end) - left;
    if (width < kThinnest) return;
    out_ << fmt::format(R"(<rect class="g" x="{:.2f}" y="{}" width="{:.2f}" height="{}" fill="{}"><title>{}</title></rect>)", left,
                        lane_middle(gap.lane) - kGap / 2, width, kGap, gap.colour, escaped(gap.spoken))
         << '\n';
  }

  // Marks each stretch of the path with a bar at the top edge of its lane's boxes. If a stretch begins in another lane than the previous
  // stretch, or after the end of the previous stretch, a line joins the two bars.
  void critical_path() {
    const auto height = [](const LanePicture::Stretch &stretch) { return lane_middle(stretch.lane) - kBox / 2 + kPath / 2; };
    for (std::size_t i = 0; i < picture_.path.size(); ++i) {
      const LanePicture::Stretch &here = picture_.path[i];
      out_ << fmt::format(R"(<rect class="path" x="{:.2f}" y="{}" width="{:.2f}" height="{}"/>)", x(here.start), height(here) - kPath / 2,
                          std::max(x(here.end) - x(here.start), kThinnest), kPath)
           << '\n';
      if (i == 0) continue;
      const LanePicture::Stretch &last = picture_.path[i - 1];
      if (last.lane == here.lane && last.end == here.start) continue;
      out_ << fmt::format(R"(<path class="join" d="M{:.2f} {}L{:.2f} {}"/>)", x(last.end), height(last), x(here.start), height(here))
           << '\n';
    }
  }

  // Draws what is below the lanes: notes, the bar of LanePicture::parts, and the legends. Returns the picture's height.
  double describe(double top) {
    for (const std::string &note : picture_.notes) {
      below_ << fmt::format(R"(<text class="note" x="{}" y="{}">{}</text>)", kMargin, top, escaped(note)) << '\n';
      top += 19;
    }
    top += 12;
    if (!picture_.parts.empty()) top = parts(top);
    for (const LanePicture::Legend &row : picture_.legends) top = legend(row, top);
    return top + 16;
  }

  double heading(const std::string &text, double top) {
    below_ << fmt::format(R"(<text class="heading" x="{}" y="{}">{}</text>)", kMargin, top + 12, escaped(text)) << '\n';
    return top + 22;
  }

  double parts(double top) {
    std::uint64_t all = 0;
    for (const LanePicture::Part &part : picture_.parts) all += part.cycles;
    below_ << fmt::format(R"svg(<rect x="{}" y="{}" width="{}" height="{}" rx="6" fill="#f7f9fb" stroke="#d5dae1"/>)svg", kMargin - 12, top,
                          kWidth - 2 * kMargin + 24, 42 + kPartBar + 30 * static_cast<double>((picture_.parts.size() + 3) / 4))
           << '\n';
    const double bar = heading(picture_.parts_are, top + 10);
    const double width = kWidth - 2 * kMargin;
    double left = kMargin;
    for (const LanePicture::Part &part : picture_.parts) {
      const double share = static_cast<double>(part.cycles) / static_cast<double>(std::max<std::uint64_t>(all, 1));
      const std::string label = fmt::format("{:.1f} %", 100 * share);
      below_ << fmt::format(R"(<rect x="{:.1f}" y="{}" width="{:.1f}" height="{}" fill="{}" stroke="#ffffff"/>)", left, bar, width * share,
                            kPartBar, part.colour);
      if (width * share > 52) {
        below_ << fmt::format(R"(<text class="part" x="{:.1f}" y="{}">{}</text>)", left + width * share / 2, bar + kPartBar / 2 + 5, label);
      }
      below_ << '\n';
      left += width * share;
    }
    const double list = bar + kPartBar + 8;
    for (std::size_t i = 0; i < picture_.parts.size(); ++i) {
      const LanePicture::Part &part = picture_.parts[i];
      const double share = static_cast<double>(part.cycles) / static_cast<double>(std::max<std::uint64_t>(all, 1));
      const double at = kMargin + width / 4 * static_cast<double>(i % 4);
      const double y = list + 30 * static_cast<double>(i / 4);
      below_ << fmt::format(R"(<rect x="{:.1f}" y="{}" width="14" height="14" rx="3" fill="{}"/>)", at, y + 2, part.colour);
      below_ << fmt::format(R"(<text class="entry" x="{:.1f}" y="{}">{}</text>)", at + 21, y + 9, escaped(part.label));
      below_ << fmt::format(R"(<text class="axis" x="{:.1f}" y="{}">{:.1f} %, {} cycles</text>)", at + 21, y + 23, 100 * share,
                            grouped(part.cycles))
             << '\n';
    }
    return list + 30 * static_cast<double>((picture_.parts.size() + 3) / 4) + 20;
  }

  double legend(const LanePicture::Legend &legend, double top) {
    if (legend.chips.empty()) return top;
    top = heading(legend.are, top);
    double width = kLeastChip;
    for (const LanePicture::Chip &chip : legend.chips)
      width = std::max(width, kCharacter * static_cast<double>(chip.label.size()) + kBesideText);
    const auto a_row = std::max<std::size_t>(1, static_cast<std::size_t>((kWidth - 2 * kMargin) / width));
    for (std::size_t i = 0; i < legend.chips.size(); ++i) {
      const LanePicture::Chip &chip = legend.chips[i];
      const double left = kMargin + width * static_cast<double>(i % a_row);
      const double y = top + 4 + 26 * static_cast<double>(i / a_row);
      below_ << fmt::format(R"(<rect x="{:.1f}" y="{}" width="{:.1f}" height="20" rx="3" fill="{}"/>)", left, y, width - 6, chip.colour);
      below_ << fmt::format(R"(<text class="chip" x="{:.1f}" y="{}">{}</text>)", left + (width - 6) / 2, y + 14.5, escaped(chip.label))
             << '\n';
    }
    return top + 14 + 26 * static_cast<double>((legend.chips.size() + a_row - 1) / a_row);
  }

  std::ostream &out_;
  const LanePicture &picture_;
  std::uint64_t span_;
  std::ostringstream below_;
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
