// The functions that the page calls. Each returns a negative number, or 0 for a text, if it failed: then the message says why.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <string>

#include "motion.hpp"
#include "polhode/version.hpp"
#include "scenario/error.hpp"
#include "systems/catalogue.hpp"
#include "text/json.hpp"

#define POLHODE_EXPORT(name) __attribute__((export_name(#name))) name

using polhode::laboratory::Motion;
using polhode::program::Json;

namespace {

std::map<int, std::unique_ptr<Motion>> motions;
int last_handle = 0;
std::string text;  // that was returned last

/// The line of text that is not TOML is in the source of the complaint, "scenario:3:7"; 0 where there is none.
int line_of(const std::string& source) {
  const std::size_t colon = source.find(':');
  return colon == std::string::npos ? 0 : std::atoi(source.c_str() + colon + 1);
}

void fail(const std::string& key, const std::string& reason, int line) {
  text = Json::object({{"key", key}, {"reason", reason}, {"line", line}}).text();
}

/// Runs `work`; what it throws becomes the text, and the result is -1.
template <class Work>
double guarded(const Work& work) {
  try {
    return work();
  } catch (const polhode::program::ScenarioError& e) {
    fail(e.key(), e.reason(), line_of(e.source()));
  } catch (const std::exception& e) {
    fail("", e.what(), 0);
  }
  return -1.0;
}

Motion& motion_of(int handle) {
  const auto found = motions.find(handle);
  if (found == motions.end()) throw polhode::InputError("there is no such motion");
  return *found->second;
}

}  // namespace

extern "C" {

void* POLHODE_EXPORT(lab_allocate)(std::size_t size) { return std::malloc(size); }
void POLHODE_EXPORT(lab_free)(void* memory) { std::free(memory); }

const char* POLHODE_EXPORT(lab_text)() { return text.data(); }
std::size_t POLHODE_EXPORT(lab_text_size)() { return text.size(); }

/// The lists of the command, as `polhode list --json` writes them, with the version.
double POLHODE_EXPORT(lab_catalogue)() {
  return guarded([] {
    const polhode::program::Catalogue catalogue({});
    text = "{\"version\": " + Json(polhode::version).text() + ", \"systems\": " + catalogue.json("systems") +
           ", \"methods\": " + catalogue.json("methods") + ", \"schemes\": " + catalogue.json("schemes") +
           "}";
    return 0.0;
  });
}

/// A motion from a scenario; returns its handle.
double POLHODE_EXPORT(lab_open)(const char* toml, std::size_t size) {
  return guarded([&] {
    auto motion = std::make_unique<Motion>(std::string_view(toml, size));
    motions[++last_handle] = std::move(motion);
    return static_cast<double>(last_handle);
  });
}
void POLHODE_EXPORT(lab_close)(int handle) { motions.erase(handle); }

double POLHODE_EXPORT(lab_describe)(int handle) {
  return guarded([&] {
    text = motion_of(handle).description();
    return 0.0;
  });
}

double POLHODE_EXPORT(lab_row_size)(int handle) {
  return guarded([&] { return static_cast<double>(motion_of(handle).row_size()); });
}
double POLHODE_EXPORT(lab_steps)(int handle) {
  return guarded([&] { return static_cast<double>(motion_of(handle).steps()); });
}
double POLHODE_EXPORT(lab_look)(int handle, double* row) {
  return guarded([&] {
    Motion& motion = motion_of(handle);
    motion.look({row, motion.row_size()});
    return 0.0;
  });
}

/// The count is a double: it is an integer of JavaScript.
double POLHODE_EXPORT(lab_advance)(int handle, double count) {
  return guarded([&] {
    motion_of(handle).advance(static_cast<std::int64_t>(count));
    return 0.0;
  });
}
double POLHODE_EXPORT(lab_go_back)(int handle, double step) {
  return guarded([&] {
    motion_of(handle).go_back(static_cast<std::int64_t>(step));
    return 0.0;
  });
}

/// `count` times from `first` on, `distance` apart; 13 numbers each.
double POLHODE_EXPORT(lab_exact)(int handle, double first, double distance, int count, double* numbers) {
  return guarded([&] {
    const Motion& motion = motion_of(handle);
    for (int i = 0; i < count; ++i)
      motion.exact(first + i * distance, {numbers + 13 * static_cast<std::size_t>(i), 13});
    return 0.0;
  });
}
}
