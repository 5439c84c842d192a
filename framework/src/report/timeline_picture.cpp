#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include "report/timeline.hpp"

namespace opgate::report {
namespace {

constexpr int kWidth = 1200;
constexpr int kLabelWidth = 190;
constexpr int kRowHeight = 22;
constexpr int kHeadHeight = 64;
constexpr int kProcessHeight = 20;
constexpr int kAxisHeight = 26;
constexpr double kCharWidth = 6.2;  // of 11 px text; only decides what fits
constexpr double kNarrowest = 0.6;
constexpr double kMostTicks = 10;
constexpr double kNsPerUs = 1000;

// XML 1.0 allows no other control characters, and a name is shown, never read.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~' ? '?' : c;
    }
  }
  return out;
}

// By what the work is, then by whose it is: a kernel of the call is not a kernel of the flush.
const char* color_of(std::string_view category) {
  struct Color {
    std::string_view part;
    const char* fill;
  };
  static constexpr std::array kColors{Color{"iteration", "#c9d3e0"}, Color{"hold", "#f2d28b"},
                                      Color{"probe", "#a9c9a4"},     Color{"flush", "#b9b3d9"},
                                      Color{"gap", "#e7a6a1"},       Color{"unlabelled", "#d98880"},
                                      Color{"api", "#cfe2e8"},       Color{"call", "#5b9bd5"}};
  for (const Color& color : kColors) {
    if (category.find(color.part) != std::string_view::npos) return color.fill;
  }
  return "#d5d8dc";
}

std::string cut(const std::string& name, double width) {
  const auto fits = static_cast<std::size_t>(std::max(0.0, (width - 6) / kCharWidth));
  if (name.size() <= fits) return name;
  return fits < 4 ? std::string() : name.substr(0, fits - 2) + "..";
}

// 1, 2 or 5 times a power of ten, for at most kMostTicks of them.
double tick_of(double span) {
  double tick = std::pow(10.0, std::floor(std::log10(span / kMostTicks)));
  for (const double factor : {2.0, 2.5, 2.0}) {
    if (span / tick <= kMostTicks) break;
    tick *= factor;
  }
  return tick;
}

class Picture {
 public:
  explicit Picture(const Timeline& timeline) : timeline_(timeline) {
    std::int64_t last = timeline.origin_ns;
    for (const TimelineTrack& track : timeline.tracks) {
      for (const TimelineEvent& event : track.events) last = std::max(last, event.interval.end_ns);
    }
    span_ns_ = std::max<double>(1, static_cast<double>(last - timeline.origin_ns));
  }

  std::string draw() {
    int y = kHeadHeight;
    int process = std::numeric_limits<int>::min();
    for (const TimelineTrack& track : timeline_.tracks) {
      if (track.process != process) {
        process = track.process;
        const auto name = timeline_.processes.find(process);
        text(6, y + 14, "h", name == timeline_.processes.end() ? std::string() : name->second);
        y += kProcessHeight;
      }
      row(track, y);
      y += kRowHeight;
    }
    return head(y) + axis(y) + body_ + "</svg>\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Values>(values)...);
  }
  [[nodiscard]] double x_of(double since_ns) const {
    return kLabelWidth + since_ns / span_ns_ * (kWidth - kLabelWidth - 10);
  }
  void text(double x, int y, const char* kind, const std::string& words) {
    add("<text x=\"{:.1f}\" y=\"{}\" class=\"{}\">{}</text>\n", x, y, kind, escaped(words));
  }

  [[nodiscard]] double x_at(std::int64_t time_ns) const {
    return x_of(static_cast<double>(time_ns - timeline_.origin_ns));
  }

  void row(const TimelineTrack& track, int y) {
    text(18, y + 15, "l", cut(track.name, kLabelWidth - 18));
    double drawn_to = 0;
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      const TimelineEvent& event = track.events[i];
      const double x = x_at(event.interval.start_ns);
      const double width = std::max(kNarrowest, x_at(event.interval.end_ns) - x);
      const std::string lasts = event_time(event.interval.end_ns - event.interval.start_ns) + " us";
      const std::string whole = event.name + ": " + lasts;
      add("<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"><title>{}</title></rect>\n", x, y + 2,
          width, kRowHeight - 4, color_of(event.category), escaped(whole));
      // A page may show the picture as an image, without its titles: what a bar is too short for stands beside it.
      const double next = i + 1 < track.events.size() ? x_at(track.events[i + 1].interval.start_ns) : kWidth;
      const double beside = drawn_to > x + width ? 0 : next - x - width;
      drawn_to = std::max(drawn_to, x + width);
      const bool fits = cut(whole, width) == whole;
      if (!fits && cut(whole, beside) == whole) {
        text(x + width + 3, y + 15, "e", whole);
      } else if (const std::string shown = fits ? whole : cut(event.name, width); !shown.empty()) {
        text(x + 3, y + 15, "e", shown);
      }
    }
  }

  [[nodiscard]] std::string fact(std::string_view wanted) const {
    for (const auto& [name, value] : timeline_.facts) {
      if (name == wanted) return escaped(value);
    }
    return {};
  }

  [[nodiscard]] std::string head(int height) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\">\n<style>.t{{font-size:15px;font-weight:bold}}.l,.e,.a,.s{{font-size:11px}}"
        ".h{{font-size:12px;font-weight:bold}}.a,.s{{fill:#555}}</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
        "<text x=\"6\" y=\"20\" class=\"t\">{2}</text>\n<text x=\"6\" y=\"40\" class=\"s\">{3}; {4}; iterations shown: "
        "{5}</text>\n",
        kWidth, height + kAxisHeight, fact("case"), fact("phase"), fact("device"), fact("iterations_shown"));
  }

  // Lines behind the rows, times below them.
  [[nodiscard]] std::string axis(int y) const {
    std::string lines;
    const double span_us = span_ns_ / kNsPerUs;
    const double tick = tick_of(span_us);
    for (int i = 0; i * tick <= span_us; ++i) {
      const double x = x_of(i * tick * kNsPerUs);
      lines += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#e3e3e3\"/>\n", x,
                           kHeadHeight - 8, y + 4);
      lines += fmt::format("<text x=\"{:.1f}\" y=\"{}\" class=\"a\" text-anchor=\"middle\">{:g} us</text>\n", x, y + 17,
                           i * tick);
    }
    return lines;
  }

  const Timeline& timeline_;
  double span_ns_ = 1;
  std::string body_;
};

}  // namespace

std::string timeline_picture(const Timeline& timeline) {
  return Picture(timeline).draw();
}

}  // namespace opgate::report
