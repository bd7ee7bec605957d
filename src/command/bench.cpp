#include "bench/bench.hpp"

#include <memory>

#include "bench/lengths.hpp"
#include "command/commands.hpp"
#include "output/partial_file.hpp"

namespace polhode::command {

using namespace program;

int bench(const BenchArguments& arguments) {
  std::unique_ptr<PartialFile>
      file;  // before the work: a name that cannot be written shall not cost a minute
  if (!arguments.output.empty()) file = std::make_unique<PartialFile>(arguments.output);
  const auto show = [&](const auto& rows, const auto& json, const auto& text) {
    if (file) write_file(*file, json(rows));
    print(arguments.json ? json(rows) : text(rows));
    return fine;
  };
  if (arguments.lengths) return show(bench_lengths({}), lengths_json, lengths_text);
  return show(program::bench({}), bench_json, bench_text);
}

}  // namespace polhode::command
