// SPDX-License-Identifier: MIT
#include "tools/run/picture/lane_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/run/picture/picture_description.h"
#include "tools/run/picture/picture_layout.h"
#include "tools/run/picture/svg_text.h"

namespace cox::tools::run {
namespace {

constexpr double kMargin = PictureLayout::kMargin;
constexpr double kSmallBox = 5;      // height of a configuration's box
constexpr double kThinnest = 0.7;    // least width of a box in pixels; thinner boxes would vanish
constexpr double kThinnestFail = 3;  // the same for a box with a red edge
constexpr double kGap = 6;           // height of the bar of a LanePicture::Gap
constexpr double kPath = 5;          // height of the critical path's bar, at the top edge of a box
constexpr double kCharacter = 6.1;   // width of a character in a box (font size 11 px)
constexpr double kTickWidth = 95;    // least width between two marks of the axis
constexpr double kLeastText = 12;    // height of the lowest boxes that have text
constexpr double kTwoLines = 36;     // height of the lowest lanes with two lines of text

constexpr const char *kStyle = R"svg(
<style>
  text { fill: #1f2933 }
  .title { font-size: 23px; font-weight: 600 } .subtitle { font-size: 14px; fill: #52606d } .note { font-size: 13px; fill: #52606d }
  .name { font-size: 16px; font-weight: 600 } .what { font-size: 12px; fill: #7b8794 } .tick { font-size: 12px; fill: #52606d }
  .axis { font-size: 12px; fill: #7b8794 } .share { font-size: 14px; font-weight: 600 } .in { font-size: 11px; pointer-events: none }
  .chip { font-size: 12px; text-anchor: middle } .c { fill: #9aa5b1 } .w { stroke: #ffffff; stroke-width: 0.5 }
  .token { fill: none; stroke: #3e4c59; stroke-width: 1; stroke-opacity: 0.45; pointer-events: none } .head { fill: #3e4c59; pointer-events: none }
  .heading { font-size: 15px; font-weight: 600 } .entry { font-size: 13px; font-weight: 600 } .part { font-size: 13px; text-anchor: middle }
  .path { fill: #c2182b; pointer-events: none } .join { fill: none; stroke: #c2182b; stroke-width: 1.6; pointer-events: none }
  .row { fill: #7b8794; text-anchor: end } .h { fill: url(#waits); stroke: #9aa5b1; stroke-width: 0.5 }
  .f { fill: #fbd5d5; stroke: #c2182b; stroke-width: 1.5 }
  .message { fill: none; stroke: #1f2933; stroke-width: 1.2; stroke-opacity: 0.8 }
  .barrier { fill: none; stroke: #6b21a8; stroke-width: 1.6 } .meets { fill: #6b21a8 }
  rect[class]:hover { stroke: #1f2933; stroke-width: 1.5 } .message:hover, .barrier:hover { stroke-width: 3; stroke-opacity: 1 }
</style>
)svg";

constexpr const char *kDefinitions = R"svg(<defs>
<pattern id="waits" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#f7f9fb"/><rect width="1.6" height="5" fill="#b8c1cc"/></pattern>
<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#1f2933"/></marker>
</defs>
)svg";

/// Returns the cycles between two marks of the axis: 1, 2 or 5 times a power of ten, so that at most `most` such intervals fit.
std::uint64_t tick_step(std::uint64_t span, std::uint64_t most) {
  std::uint64_t power = 1;
  while (power * 10 * most < span) power *= 10;
  for (const std::uint64_t factor : {1U, 2U, 5U}) {
    if (power * factor * most >= span) return power * factor;
  }
  return power * 10;
}

class Drawing {
 public:
  Drawing(std::ostream &out, const LanePicture &picture) : out_(out), picture_(picture), layout_(picture), description_(picture, layout_) {}

  void draw() {
    open();
    title();
    axis();
    for (std::size_t i = 0; i < picture_.lanes.size(); ++i) lane(i);
    for (const LanePicture::Gap &each : picture_.gaps) gap(each);
    for (const LanePicture::Arrow &each : picture_.arrows) arrow(each);  // before the boxes, so that the boxes cover them
    for (const LanePicture::Box &each : picture_.boxes) box(each);
    critical_path();
    for (const LanePicture::Barrier &each : picture_.barriers) barrier(each);
    for (const LanePicture::Message &each : picture_.messages) message(each);
    out_ << description_.svg() << "</svg>\n";
  }

 private:
  [[nodiscard]] double x(std::uint64_t cycle) const { return layout_.x(cycle); }

  void open() {
    const double width = layout_.width(), height = description_.bottom();
    out_ << fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )", width, height)
         << R"(font-family="Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif">)" << kStyle;
    if (std::ranges::any_of(picture_.lanes, [](const LanePicture::Lane &lane) { return !lane.rows.empty(); }) ||
        !picture_.messages.empty() || std::ranges::any_of(picture_.boxes, &LanePicture::Box::waits)) {
      out_ << kDefinitions;
    }
    out_ << fmt::format(R"(<rect width="{}" height="{}" fill="#ffffff"/>)", width, height) << '\n';
  }

  void title() {
    out_ << fmt::format(R"(<text class="title" x="{}" y="48">{}</text>)", kMargin, escaped(picture_.title)) << '\n';
    out_ << fmt::format(R"(<text class="subtitle" x="{}" y="72">{}</text>)", kMargin, escaped(picture_.subtitle)) << '\n';
  }

  void axis() {
    const double bottom = layout_.bottom(), right = layout_.plot_right();
    const std::uint64_t step =
        tick_step(layout_.span(), std::max<std::uint64_t>(2, static_cast<std::uint64_t>(layout_.plot_width() / kTickWidth)));
    for (std::uint64_t cycle = 0; cycle <= layout_.span(); cycle += step) {
      const double at = x(cycle);
      out_ << fmt::format(R"(<line x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2}" stroke="#d5dae1"/>)", at, PictureLayout::kTop - 8,
                          bottom + 6)
           << '\n';
      // Leave out a number that would overlap the column beside the plot.
      if (at > right - 12 && cycle != 0) continue;
      out_ << fmt::format(R"(<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", at, bottom + 24, grouped(cycle))
           << '\n';
      out_ << fmt::format(R"(<text class="axis" x="{:.1f}" y="{}" text-anchor="middle">{} µs</text>)", at, bottom + 42, microseconds(cycle))
           << '\n';
    }
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">cycles</text>)", kMargin, bottom + 24) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">time</text>)", kMargin, bottom + 42) << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">{}</text>)", kMargin, PictureLayout::kTop - 16, escaped(picture_.lanes_are))
         << '\n';
    out_ << fmt::format(R"(<text class="axis" x="{}" y="{}">occupied</text>)", right + 20, PictureLayout::kTop - 16) << '\n';
  }

  void lane(std::size_t number) {
    const LanePicture::Lane &lane = picture_.lanes[number];
    const double top = layout_.lane_top(number), height = layout_.lane_height(number);
    const double middle = top + height / 2;
    const bool two_lines = height >= kTwoLines && !lane.what.empty();
    out_ << fmt::format(R"(<text class="name" x="{}" y="{}">{}</text>)", kMargin, middle + (two_lines ? -2 : 5), escaped(lane.name))
         << '\n';
    if (two_lines) out_ << fmt::format(R"(<text class="what" x="{}" y="{}">{}</text>)", kMargin, middle + 14, escaped(lane.what)) << '\n';
    out_ << fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="#eef1f5" fill-opacity="0.7"/>)", layout_.plot_left(),
                        top + PictureLayout::kPad, layout_.plot_width(), height - 2 * PictureLayout::kPad)
         << '\n';
    if (picture_.row_height >= LanePicture::kLeastRowName) {
      for (std::size_t row = 0; row < lane.rows.size(); ++row) {
        out_ << fmt::format(R"(<text class="row" font-size="{}" x="{}" y="{}">{}</text>)", std::min(11.0, picture_.row_height),
                            layout_.plot_left() - 6, layout_.middle(number, row) + 3.5, escaped(lane.rows[row]))
             << '\n';
      }
    }
    share(lane, middle);
  }

  void box(const LanePicture::Box &box) {
    const double left = x(box.start);
    const double width = std::max(x(box.end) - left, box.failed ? kThinnestFail : kThinnest);
    const double y = box.small ? layout_.box_top(box.lane, 0) + layout_.boxes(box.lane) + 3 : layout_.box_top(box.lane, box.row);
    const char *style = box.failed ? "f" : box.waits ? "h" : box.small ? "c" : width > 3 ? "w" : "t";
    out_ << fmt::format(R"(<rect class="{}" x="{:.2f}" y="{}" width="{:.2f}" height="{}")", style, left, y, width,
                        box.small ? kSmallBox : layout_.box_height(box.lane));
    if (!box.small && !box.waits && !box.failed) out_ << fmt::format(R"( fill="{}"{})", box.colour, width > 6 ? R"( rx="2")" : "");
    out_ << "><title>" << escaped(box.spoken) << "</title></rect>\n";
    if (!box.small && layout_.box_height(box.lane) >= kLeastText) write_in(box, left, width);
  }

  // Draws an arrow from the end of the giver to the start of the taker, horizontal at both ends.
  void arrow(const LanePicture::Arrow &arrow) {
    const double left = x(arrow.from);
    const double right = x(arrow.to);
    const double top = layout_.middle(arrow.from_lane, 0);
    const double bottom = layout_.middle(arrow.to_lane, 0);
    const double bend = std::max((right - left) / 2, 10.0);
    out_ << fmt::format(
                R"(<path class="token" d="M{:.1f} {}C{:.1f} {} {:.1f} {} {:.1f} {}"/><circle class="head" cx="{:.1f}" cy="{}" r="2"/>)",
                left, top, left + bend, top, right - bend, bottom, right, bottom, right, bottom)
         << '\n';
  }

  // Draws a straight arrow between the edges of the two rows that face each other.
  void message(const LanePicture::Message &message) {
    const bool down = message.to_lane > message.from_lane;
    const bool same = message.to_lane == message.from_lane && message.to_row == message.from_row;
    const double height = layout_.box_height(message.from_lane);
    const double from = layout_.box_top(message.from_lane, message.from_row) + (same ? height / 2 : down ? height : 0);
    const double to = same ? from : layout_.box_top(message.to_lane, message.to_row) + (down ? 0 : layout_.box_height(message.to_lane));
    out_ << fmt::format(R"svg(<path class="message" d="M{:.1f} {:.1f}L{:.1f} {:.1f}" marker-end="url(#head)"><title>{}</title></path>)svg",
                        x(message.from), from, x(message.to), to, escaped(message.spoken))
         << '\n';
  }

  void barrier(const LanePicture::Barrier &barrier) {
    const auto &[first, first_row] = barrier.lanes.front();
    const auto &[last, last_row] = barrier.lanes.back();
    out_ << fmt::format(R"(<path class="barrier" d="M{:.1f} {:.1f}V{:.1f}"><title>{}</title></path>)", x(barrier.at),
                        layout_.box_top(first, first_row), layout_.box_top(last, last_row) + layout_.box_height(last),
                        escaped(barrier.spoken));
    for (const auto &[lane, row] : barrier.lanes)
      out_ << fmt::format(R"(<circle class="meets" cx="{:.1f}" cy="{:.1f}" r="3"/>)", x(barrier.at), layout_.middle(lane, row));
    out_ << '\n';
  }

  void write_in(const LanePicture::Box &box, double left, double width) {
    for (const std::string &text : box.labels) {
      const double length = kCharacter * static_cast<double>(text.size());
      if (text.empty() || length + 3 > width) continue;
      out_ << fmt::format(R"(<text class="in" x="{:.1f}" y="{}" text-anchor="middle">{}</text>)", left + width / 2,
                          layout_.middle(box.lane, box.row) + 4, escaped(text))
           << '\n';
      return;
    }
  }

  void share(const LanePicture::Lane &lane, double middle) {
    const double left = layout_.plot_right() + 20;
    const double part = static_cast<double>(lane.busy) / static_cast<double>(layout_.span());
    constexpr double kBar = PictureLayout::kUtilisation - 20;
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
                        layout_.middle(gap.lane, 0) - kGap / 2, width, kGap, gap.colour, escaped(gap.spoken))
         << '\n';
  }

  // Marks each stretch of the path with a bar at the top edge of its lane's boxes. If a stretch begins in another lane than the previous
  // stretch, or after the end of the previous stretch, a line joins the two bars.
  void critical_path() {
    const auto height = [this](const LanePicture::Stretch &stretch) { return layout_.box_top(stretch.lane, 0) + kPath / 2; };
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

  std::ostream &out_;
  const LanePicture &picture_;
  PictureLayout layout_;
  PictureDescription description_;
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
