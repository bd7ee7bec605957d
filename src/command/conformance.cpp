#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "command/commands.hpp"
#include "conformance/kit.hpp"
#include "conformance/score.hpp"
#include "output/partial_file.hpp"
#include "scenario/error.hpp"

namespace polhode::command {

using namespace program;

namespace {

std::string content_of(const std::string& file) {
  if (std::filesystem::is_directory(file)) throw ScenarioError(file, "", "is a directory");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw ScenarioError(file, "", std::string("cannot be read: ") + std::strerror(errno));
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

int conformance(const ConformanceArguments& arguments) {
  if (!arguments.states.empty()) {
    const ConformanceScore found = score(read_states(content_of(arguments.states), arguments.states));
    print(arguments.json ? score_json(found) : score_text(found));
    return fine;
  }
  std::error_code error;
  std::filesystem::create_directories(arguments.folder, error);
  if (!std::filesystem::is_directory(arguments.folder))
    throw ScenarioError(arguments.folder, "--out", "is not a directory and cannot become one");
  std::string written;
  for (const KitFile& kit : kit_files()) {
    PartialFile file((std::filesystem::path(arguments.folder) / kit.name).string());
    write_file(file, kit.text);
    written += file.name() + "\n";
  }
  print(written);
  return fine;
}

}  // namespace polhode::command
