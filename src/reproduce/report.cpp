#include "reproduce/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "polhode/version.hpp"
#include "reproduce/verdict.hpp"
#include "scenario/error.hpp"
#include "work/machine.hpp"

namespace polhode::program {

namespace {

// The colours and fonts of the site (docs/site/conf.py) and of the laboratory (lab/src/style.css).
constexpr const char* style = R"(
  :root { color-scheme: light dark; --background: #ffffff; --panel: #f6f7f8; --text: #1a1a1a; --faint: #555555; --line: #d4d7da;
          --link: #00588c; --holds: #00694b; --missed: #b03a00; }
  @media screen and (prefers-color-scheme: dark) {
    :root { --background: #14171a; --panel: #1d2125; --text: #e8e8e8; --faint: #a8adb2; --line: #3a4047;
            --link: #7cc0ee; --holds: #4cc79a; --missed: #ffa07a; }
    figure img { background: #fff; padding: 0.4rem; border-radius: 4px; }
  }
  * { box-sizing: border-box; }
  body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: var(--text); background: var(--background);
         max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
  h1, h2 { line-height: 1.2; } h1 { margin-bottom: 0.3rem; }
  h2 { margin: 3rem 0 0.2rem; padding-top: 1rem; border-top: 2px solid var(--line); }
  h2.group { margin: 4rem 0 0; border: 0; font-size: 2em; }
  a { color: var(--link); }
  a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
  .paper { color: var(--faint); margin: 0 0 1rem; }
  table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-variant-numeric: tabular-nums; }
  th, td { padding: 0.35rem 0.7rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
  th { font-weight: 600; border-bottom-color: var(--faint); }
  caption { text-align: left; font-weight: 600; padding-bottom: 0.3rem; }
  .verdict { white-space: nowrap; font-weight: 600; }
  .holds { color: var(--holds); } .missed { color: var(--missed); }
  .summary td:first-child { white-space: nowrap; }
  figure { margin: 1rem 0; } figure img { display: block; width: 100%; height: auto; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 1rem 0; }
  dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
  pre { background: var(--panel); padding: 0.6rem 0.8rem; overflow-x: auto; border-radius: 4px;
        font: 14px/1.5 "DejaVu Sans Mono", ui-monospace, monospace; }
  @media (max-width: 44rem) {
    .claims thead { display: none; }
    .claims tr { display: block; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
    .claims td { display: block; border: 0; padding: 0.1rem 0; }
    .claims td[data-name]::before { content: attr(data-name) ": "; color: var(--faint); }
    .summary .title { display: none; } .summary .verdict { white-space: normal; }
    .numbers { font-size: 13px; }
    dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.4rem; }
  }
  .wide { overflow-x: auto; }
  @media print {
    body { max-width: none; padding: 0; font-size: 10pt; }
    a { color: inherit; text-decoration: none; }
    section { break-inside: auto; } figure, tr, pre { break-inside: avoid; } h2 { break-after: avoid; }
    figure img { max-height: 20cm; object-fit: contain; object-position: left; }
  }
)";

std::string contents_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw RunError(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A vector graphic of a hundred thousand points is slower to show than a picture of it.
std::string image(const Reproduction& r) {
  constexpr std::size_t largest_vector_graphic = 400'000;
  const std::string svg = contents_of(r.folder + "/figure.svg");
  const std::string source = svg.size() <= largest_vector_graphic
                                 ? "data:image/svg+xml;base64," + base64(svg)
                                 : "data:image/png;base64," + base64(contents_of(r.folder + "/figure.png"));
  return fmt::format("<figure><img src=\"{}\" alt=\"{}\"></figure>\n", source, html(r.experiment.title));
}

std::string verdict_cell(bool holds, const std::string& text) {
  return fmt::format("<td class=\"verdict {}\">{}</td>", holds ? "holds" : "missed", text);
}

std::string printed_cell(const Claim& c) {
  const bool missed = c.as_printed == AsPrinted::does_not_hold;
  const char* kind = c.as_printed == AsPrinted::holds ? " holds" : missed ? " missed" : "";
  return fmt::format("<td data-name=\"As printed\" class=\"printed{}\">{}</td>", kind,
                     html(c.printed_text()));
}

std::string claims_table(const std::vector<Claim>& claims) {
  std::string text =
      "<table class=\"claims\"><thead><tr><th>Claim</th><th>Paper</th><th>Measured</th><th>As printed</th>"
      "<th>Our bound</th><th>Kept</th></tr></thead>\n<tbody>\n";
  for (const Claim& c : claims)
    text += fmt::format(
        "<tr><td>{}</td><td data-name=\"Paper\">{}</td><td data-name=\"Measured\">{}</td>"
        "{}<td data-name=\"Our bound\">{}</td>{}</tr>\n",
        html(c.claim), html(c.paper), html(c.measured), printed_cell(c), html(c.bound),
        verdict_cell(c.pass, c.pass ? "kept" : "missed"));
  return text + "</tbody></table>\n";
}

std::string text_table(const TextTable& t) {
  std::string text = fmt::format(
      "<div class=\"wide\"><table class=\"numbers\"><caption>{}</caption><thead><tr>", html(t.title));
  for (const std::string& cell : t.head) text += "<th>" + html(cell) + "</th>";
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : t.rows) {
    text += "<tr>";
    for (const std::string& cell : row) text += "<td>" + html(cell) + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string section(const Reproduction& r) {
  const Experiment& e = r.experiment;
  std::string text = fmt::format("<section id=\"{0}\">\n<h2>{0}: {1}</h2>\n<p class=\"paper\">{2}</p>\n",
                                 e.name, html(e.title), html(e.reference));
  text += "<p>" + html(e.setting) + "</p>\n" + image(r) + claims_table(r.findings.claims);
  for (const TextTable& t : r.findings.tables) text += text_table(t);
  text += "<dl>\n";
  for (const auto& [name, value] : e.parameters)
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html(name), html(value));
  text += fmt::format("</dl>\n<pre>polhode reproduce {}{}</pre>\n</section>\n", e.name,
                      r.scale == Scale::quick ? " --quick" : "");
  return text;
}

std::string summary(const std::vector<Reproduction>& reproductions) {
  std::string text =
      "<table class=\"summary\"><thead><tr><th>Experiment</th><th class=\"title\">What it shows</th>"
      "<th>Size</th><th>As printed</th><th>Our bounds</th></tr></thead>\n<tbody>\n";
  std::string group;
  for (const Reproduction& r : reproductions) {
    ClaimCount count;
    count.add(r.findings.claims);
    if (r.experiment.group != group)
      text += fmt::format("<tr><th colspan=\"5\">{}</th></tr>\n", html(r.experiment.group));
    group = r.experiment.group;
    text += fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a></td><td class=\"title\">{1}</td><td>{2}</td><td>{3}</td>{4}</tr>\n",
        r.experiment.name, html(r.experiment.title), r.scale == Scale::quick ? "quick" : "full",
        count.printed == 0 ? "" : fmt::format("{} of {} hold", count.as_printed[0], count.printed),
        verdict_cell(count.passed == count.claims, fmt::format("{} of {} kept", count.passed, count.claims)));
  }
  return text + "</tbody></table>\n";
}

}  // namespace

std::string html(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string base64(std::span<const char> bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? digits[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::vector<std::string> printed_by_group(const std::vector<Reproduction>& reproductions) {
  std::vector<std::string> sentences;
  for (auto first = reproductions.begin(); first != reproductions.end();) {
    const std::string& group = first->experiment.group;
    ClaimCount count;
    for (; first != reproductions.end() && first->experiment.group == group; ++first)
      count.add(first->findings.claims);
    sentences.push_back(group + ": " + count.printed_text());
  }
  return sentences;
}

std::string report_html(const std::vector<Reproduction>& reproductions) {
  ClaimCount count;
  for (const Reproduction& r : reproductions) count.add(r.findings.claims);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>polhode: the papers' experiments</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<h1>The papers' experiments, repeated</h1>\n"
      "<p>Each figure of the papers with our methods beside theirs. Every claim has two results: whether it "
      "holds as the paper prints it, and whether what we measure stays within a bound of ours, which is "
      "tight around what does hold. Known bodies have figures of astronomers in the place of a paper's. "
      "{} of {} bounds are kept. {}.</p>\n<p class=\"paper\">polhode {}, "
      "{}, "
      "{}</p>\n",
      style, count.passed, count.claims,
      html(fmt::format("{}", fmt::join(printed_by_group(reproductions), ". "))), polhode::version,
      html(machine_name()), html(build_flags()));
  text += summary(reproductions);
  std::string group = reproductions.empty() ? "" : reproductions[0].experiment.group;
  for (const Reproduction& r : reproductions) {
    if (r.experiment.group != group)
      text += fmt::format("<h2 class=\"group\">{}</h2>\n", html(r.experiment.group));
    group = r.experiment.group;
    text += section(r);
  }
  return text + "</body>\n</html>\n";
}

}  // namespace polhode::program
