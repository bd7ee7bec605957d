#include "bench/bench.hpp"

#include <memory>

#include "command/commands.hpp"
#include "output/partial_file.hpp"

namespace polhode::command {

using namespace program;

int bench(const BenchArguments& arguments) {
  std::unique_ptr<PartialFile>
      file;  // before the work: a name that cannot be written shall not cost a minute
  if (!arguments.output.empty()) file = std::make_unique<PartialFile>(arguments.output);
  const std::vector<BenchRow> rows = program::bench({});
  if (file) write_file(*file, bench_json(rows));
  print((arguments.json ? bench_json : bench_text)(rows));
  return fine;
}

}  // namespace polhode::command
