#include "reproduce/figure.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string_view>
#include <tuple>

#include "output/partial_file.hpp"
#include "scenario/error.hpp"
#include "text/text.hpp"

namespace polhode::program {

namespace {

std::string colour_of(const Style& style) {
  static constexpr std::array<const char*, 9> codes{"000000", "e69f00", "56b4e9", "009e73", "f0e442",
                                                    "0072b2", "d55e00", "cc79a7", "7f7f7f"};
  // The leading digits are gnuplot's transparency.
  return fmt::format("\"#{}{}\"", style.faint ? "a8" : "", codes[static_cast<std::size_t>(style.colour)]);
}

std::string range_text(const std::optional<std::pair<double, double>>& range) {
  return range ? fmt::format("[{}:{}]", range->first, range->second) : "[*:*]";
}

/// In gnuplot's double quotes, where the enhanced text mode has its own special characters.
std::string label(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '_' || c == '@' || c == '&' || c == '~') result += "\\\\";
    result += c;
  }
  return result + '"';
}

void append_data(std::string& script, const Curve& c, std::size_t panel, std::size_t curve) {
  script += fmt::format("$d{}_{} << EOD\n", panel, curve);
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    // An empty line interrupts a curve; a point that a logarithmic axis cannot show is the caller's to leave out.
    if (std::isnan(c.x[i]) || std::isnan(c.y[i])) {
      script += '\n';
    } else if (c.z.empty()) {
      script += fmt::format("{:.6g} {:.6g}\n", c.x[i], c.y[i]);
    } else if (!std::isnan(c.z[i])) {
      script += fmt::format("{:.6g} {:.6g} {:.6g}\n", c.x[i], c.y[i], c.z[i]);
    }
  }
  script += "EOD\n";
}

std::string curve_command(const Panel& p, std::size_t panel, std::size_t curve) {
  const Curve& c = p.curves[curve];
  const std::string data = fmt::format("$d{}_{}", panel, curve);
  if (!c.z.empty()) {
    const double half = p.map_cell / 2;
    return fmt::format(
        "{0} using 1:2:($1-{1}):($1+{1}):($2-{1}):($2+{1}):3 with boxxyerror fillstyle solid noborder "
        "linecolor palette notitle",
        data, half);
  }
  const Style& s = c.style;
  const std::string title = c.in_legend && !c.name.empty() ? "title " + label(c.name) : "notitle";
  if (!s.line)
    return fmt::format("{} using 1:2 with {} linecolor rgb {} {}", data,
                       s.mark == 0 ? std::string("dots")
                                   : fmt::format("points pointtype {} pointsize {}", s.mark,
                                                 s.mark == 7 ? 0.25 * s.width : 0.8),
                       colour_of(s), title);
  std::string text = fmt::format("{} using 1:2 with {} linecolor rgb {} linewidth {}", data,
                                 s.mark != 0 ? "linespoints" : "lines", colour_of(s), s.width);
  if (s.mark != 0) text += fmt::format(" pointtype {} pointsize 0.7", s.mark);
  if (s.dashed) text += " dashtype 2";
  return text + " " + title;
}

/// About five numbers at an axis: gnuplot's own choice overlaps in narrow panels.
double tic_distance(const Panel& p) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Curve& c : p.curves)
    for (const double x : c.x) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  if (p.x_range) std::tie(low, high) = *p.x_range;
  if (!(high > low)) return 1;
  const double rough = (high - low) / 5, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= 1.01 * factor * power) return factor * power;
  return 10 * power;
}

std::string panel_script(const Panel& p, std::size_t index) {
  std::string s = "unset logscale\nunset format\nset format \"%g\"\n";
  const auto axis = [&](char name, bool logarithmic, const std::string& text,
                        const std::optional<std::pair<double, double>>& range) {
    if (logarithmic)
      s += fmt::format("set logscale {0}\nset format {0} \"10^{{%T}}\"\n", name);
    else
      s += fmt::format("set format {0} \"%.{1}g\"\n", name, name == 'x' ? 6 : 4);
    s += fmt::format("set {0}label {1}\nset {0}range {2}\n", name, label(text), range_text(range));
  };
  axis('x', p.log_x, p.x_label, p.x_range);
  s += p.log_x ? "set xtics autofreq\n" : fmt::format("set xtics {}\n", tic_distance(p));
  axis('y', p.log_y, p.y_label, p.y_range);
  s += "set title " + label(p.title) + "\n";
  s += p.equal_axes ? "set size ratio -1\n" : "set size noratio\n";
  s += p.legend && p.z_label.empty() ? "set key below left Left reverse samplen 1.5 spacing 1.1\n"
                                     : "unset key\n";
  if (!p.z_label.empty()) {
    s += fmt::format("set cblabel {} offset 1\nset cbrange [{}:{}]\nset colorbox\n", label(p.z_label),
                     p.z_range.first, p.z_range.second);
  } else {
    s += "unset colorbox\n";
  }
  s += "plot ";
  for (std::size_t c = 0; c < p.curves.size(); ++c)
    s += (c == 0 ? "" : ", \\\n  ") + curve_command(p, index, c);
  return s + "\n";
}

constexpr const char* no_gnuplot =
    "the figures need gnuplot, which is not found (Debian: apt-get install gnuplot-nox)";

/// A file in memory, for another process to read or write: what the disk does, cannot go unnoticed there.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& contents = {})
      : descriptor_(::memfd_create("polhode", MFD_CLOEXEC)) {
    if (descriptor_ < 0 ||
        ::pwrite(descriptor_, contents.data(), contents.size(), 0) != static_cast<ssize_t>(contents.size()))
      throw RunError(std::string("the figures need memory: ") + std::strerror(errno));
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::string contents() const {
    std::string text(static_cast<std::size_t>(std::max<off_t>(0, ::lseek(descriptor_, 0, SEEK_END))), '\0');
    if (::pread(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
      throw RunError(std::string("what gnuplot has drawn cannot be read: ") + std::strerror(errno));
    return text;
  }

 private:
  int descriptor_;
};

/// What gnuplot draws; a RunError if it fails, or if the picture has no end.
std::string drawn(const std::string& script, std::string_view end, const std::string& name) {
  const MemoryFile input(script), picture, messages;
  const auto fail = [&](const std::string& reason) { throw RunError(name + ": gnuplot " + reason); };
  const pid_t child = ::fork();
  if (child < 0) fail(std::string("cannot be started: ") + std::strerror(errno));
  if (child == 0) {
    ::dup2(input.descriptor(), STDIN_FILENO);
    ::dup2(picture.descriptor(), STDOUT_FILENO);
    ::dup2(messages.descriptor(), STDERR_FILENO);
    ::execlp("gnuplot", "gnuplot", "-d", "/dev/stdin", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) throw RunError(no_gnuplot);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail("failed: " + messages.contents());
  std::string result = picture.contents();
  if (!std::string_view(result).substr(0, result.find_last_not_of('\n') + 1).ends_with(end))
    fail("has not drawn it to its end");
  return result;
}

}  // namespace

std::string figure_csv(const Figure& figure) {
  std::string text = "panel,curve,x,y,z\n";
  for (const Panel& p : figure.panels)
    for (const Curve& c : p.curves)
      for (std::size_t i = 0; i < c.x.size(); ++i) {
        if (std::isnan(c.x[i])) continue;
        text += fmt::format("{},{},{},{},{}\n", in_quotes(p.title), in_quotes(c.name), shortest(c.x[i]),
                            shortest(c.y[i]), c.z.empty() ? "" : shortest(c.z[i]));
      }
  return text;
}

std::string figure_script(const Figure& figure) {
  const std::size_t rows = (figure.panels.size() + static_cast<std::size_t>(figure.columns) - 1) /
                           static_cast<std::size_t>(figure.columns);
  std::string script =
      "set encoding utf8\n"
      "set border 3 linecolor rgb \"#404040\"\n"
      "set tics nomirror\n"
      "set grid xtics ytics linecolor rgb \"#d8d8d8\" linewidth 0.7\n"
      "set palette defined (0 \"#440154\", 0.25 \"#3b528b\", 0.5 \"#21918c\", 0.75 \"#5ec962\", 1 "
      "\"#fde725\")\n";
  for (std::size_t p = 0; p < figure.panels.size(); ++p)
    for (std::size_t c = 0; c < figure.panels[p].curves.size(); ++c)
      append_data(script, figure.panels[p].curves[c], p, c);
  script += fmt::format("set multiplot layout {},{}\n", rows, figure.columns);
  for (std::size_t p = 0; p < figure.panels.size(); ++p) script += panel_script(figure.panels[p], p);
  return script + "unset multiplot\n";
}

void draw(const Figure& figure, const std::string& folder) {
  const std::size_t columns = static_cast<std::size_t>(figure.columns);
  const std::size_t rows = (figure.panels.size() + columns - 1) / columns;
  const std::size_t width = columns == 1 ? 760 : columns * 460, height = rows * (columns == 1 ? 500 : 400);
  const std::string body = figure_script(figure);
  for (const std::string type : {"svg", "png"}) {
    PartialFile output(folder + "/figure." + type);
    const std::string terminal =
        type == "svg" ? fmt::format(
                            "set terminal svg size {},{} dynamic enhanced font \"DejaVu Sans,12\" "
                            "background rgb \"white\"\n",
                            width, height)
                      : fmt::format(
                            "set terminal pngcairo size {},{} enhanced font \"DejaVu Sans,12\" "
                            "fontscale 1.5 linewidth 1.5 pointscale 1.5 background rgb \"white\"\n",
                            3 * width / 2, 3 * height / 2);
    using namespace std::string_view_literals;
    const std::string_view end = type == "svg" ? "</svg>"sv : "IEND\xae\x42\x60\x82"sv;
    write_file(output, drawn(terminal + body + "unset output\n", end, output.name()));
  }
}

void require_gnuplot() {
  const char* const path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "" : path;
  for (std::size_t start = 0; start <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', start), folders.size());
    if (::access((folders.substr(start, end - start) + "/gnuplot").c_str(), X_OK) == 0) return;
    start = end + 1;
  }
  throw RunError(no_gnuplot);
}

}  // namespace polhode::program
