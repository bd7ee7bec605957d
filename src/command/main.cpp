// The command line. Parsing is all that happens here: CLI11 takes long to compile and is included once.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "command/commands.hpp"
#include "polhode/version.hpp"
#include "scenario/error.hpp"
#include "text/citation.hpp"
#include "text/text.hpp"

namespace polhode::command {

namespace {

int complain(const std::string& sentence, Status status) {
  print_note(sentence);
  return status;
}

/// An option that takes one value each time, and takes the value as it is.
CLI::Option* add_text(CLI::App* app, const std::string& name, std::string& value,
                      const std::string& meaning) {
  return app->add_option(name, value, meaning)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void add_overrides(CLI::App* app, std::vector<std::string>& overrides) {
  app->add_option("--set", overrides, "replace a value, for example method.step=0.001")
      ->type_name("key=value")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// What CLI11 knows of a command, for its manual page.
CommandManual manual_of(const CLI::App* app) {
  CommandManual manual{app->get_name(), app->get_description(), {}};
  for (const CLI::Option* option : app->get_options()) {
    const bool positional = option->get_positional();
    std::string name = positional ? option->get_name(true) : "--" + option->get_lnames().front();
    manual.options.push_back({positional ? "" : std::move(name),
                              option->get_items_expected_max() > 0 ? option->get_type_name() : "",
                              option->get_description(), option->get_required(),
                              option->get_items_expected_max() > 1});
    if (positional && manual.options.back().value.empty()) manual.options.back().value = name;
  }
  return manual;
}

/// The first word that the command line has too much, and what may have been meant.
std::string unexpected(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  const auto parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  std::string word = words.empty() ? "" : words.front();
  std::string meant;
  std::vector<std::string> names;
  if (word.starts_with("-")) {
    word = word.substr(0, word.find('='));
    for (const CLI::Option* option : command.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  } else if (parsed.empty()) {
    for (const CLI::App* one : app.get_subcommands({})) names.push_back(one->get_name());
  } else if (word.find('=') != std::string::npos && command.get_option_no_throw("--set") != nullptr) {
    meant = "; did you mean --set " + program::in_quotes(word) + "?";
  }
  return program::in_quotes(word) + (names.empty() ? " is one word too much" : " is not known") +
         (names.empty() ? meant : program::suggestion(word, names)) + " (see polhode " +
         (parsed.empty() ? "" : command.get_name() + " ") + "--help)";
}

int dispatch(int argc, char** argv) {
  CLI::App app("Motion of rigid bodies at the limit of round-off.", "polhode");
  app.set_version_flag("--version", "polhode " + std::string(polhode::version));
  app.require_subcommand(0, 1);
  bool cite = false;
  app.add_flag("--cite", cite, "Say how polhode is cited and exit");

  RunArguments run_arguments;
  CLI::App* const run_command = app.add_subcommand("run", "Run a scenario and print what it came to.");
  add_text(run_command, "scenario", run_arguments.scenario, "the scenario, a TOML file")
      ->required()
      ->type_name("SCENARIO.toml");
  add_overrides(run_command, run_arguments.overrides);
  run_command->add_flag("--json", run_arguments.json, "print JSON");
  add_text(run_command, "--output", run_arguments.output, "write the samples to a file")
      ->type_name("FILE.csv|FILE.h5|FILE.xyz|FILE.aem|FILE.msopck");
  add_text(run_command, "--every", run_arguments.every,
           "steps between two samples (default: steps / 1000, rounded down, at least 1)")
      ->type_name("N");

  ListArguments list_arguments;
  CLI::App* const list_command = app.add_subcommand("list", "List what a scenario can name.");
  add_text(list_command, "what", list_arguments.part,
           "systems, torques, methods, schemes or experiments (default: all)")
      ->type_name("");
  CLI::Option* const list_json = list_command->add_flag("--json", list_arguments.json, "print JSON");
  list_command->add_flag("--names", list_arguments.names, "print the names alone, one a line")
      ->excludes(list_json);

  BenchArguments bench_arguments;
  CLI::App* const bench_command = app.add_subcommand("bench", "Compare the methods: error and cost.");
  bench_command->add_flag("--json", bench_arguments.json, "print JSON");
  bench_command->add_flag("--lengths", bench_arguments.lengths, "one step of every length instead");
  add_text(bench_command, "--output", bench_arguments.output, "write the JSON to a file as well")
      ->type_name("FILE");

  ReproduceArguments reproduce_arguments;
  CLI::App* const reproduce_command = app.add_subcommand("reproduce", "Repeat experiments of the papers.");
  reproduce_command->add_option("names", reproduce_arguments.names, "the experiments (default: all)")
      ->type_name("NAME");
  reproduce_command->add_flag("--quick", reproduce_arguments.quick, "fewer trajectories, shorter times");
  reproduce_command->add_flag("--again", reproduce_arguments.again, "compute even what is finished");
  add_text(reproduce_command, "--out", reproduce_arguments.folder, "where the figures go (default: out)")
      ->type_name("DIR");
  add_text(reproduce_command, "--threads", reproduce_arguments.threads, "threads to use (default: all)")
      ->type_name("N");

  EnsembleArguments ensemble_arguments;
  CLI::App* const ensemble_command =
      app.add_subcommand("ensemble", "Run a scenario many times, with keys that vary, and sum up.");
  add_text(ensemble_command, "scenario", ensemble_arguments.scenario,
           "the scenario, a TOML file with [ensemble]")
      ->required()
      ->type_name("SCENARIO.toml");
  add_overrides(ensemble_command, ensemble_arguments.overrides);
  ensemble_command->add_flag("--json", ensemble_arguments.json, "print JSON");
  ensemble_command->add_flag("--again", ensemble_arguments.again, "compute even what is finished");
  add_text(ensemble_command, "--output", ensemble_arguments.output,
           "where trajectories and statistics go (default: the scenario's name, .h5)")
      ->type_name("FILE.h5");
  add_text(ensemble_command, "--every", ensemble_arguments.every,
           "steps between two samples (default: ensemble.samples of the scenario, or a hundred samples)")
      ->type_name("N");
  add_text(ensemble_command, "--threads", ensemble_arguments.threads, "threads to use (default: all)")
      ->type_name("N");

  ConformanceArguments conformance_arguments;
  CLI::App* const conformance_command =
      app.add_subcommand("conformance", "Write reference motions for other programs, or score theirs.");
  CLI::Option* const kit_folder = add_text(conformance_command, "--out", conformance_arguments.folder,
                                           "where the reference motions go (default: conformance)")
                                      ->type_name("DIR");
  CLI::Option* const score_option =
      add_text(conformance_command, "--score", conformance_arguments.states,
               "the states that a program computed for the bodies of the kit: say what is wrong with them")
          ->type_name("FILE.csv")
          ->excludes(kit_folder);
  conformance_command->add_flag("--json", conformance_arguments.json, "print the score as JSON")
      ->needs(score_option);

  HelpArguments help_arguments;
  CLI::App* const help_command = app.add_subcommand("help", "Explain a command or a topic.");
  add_text(help_command, "topic", help_arguments.topic, "what to explain (default: list the topics)")
      ->type_name("TOPIC");
  help_command->add_flag("--man", help_arguments.manual, "print the source of the manual page");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& request) {
    print(std::string(request.what()) + "\n");
    return fine;
  } catch (const CLI::Success&) {
    print(app.help());  // of the subcommand, if one was named
    return fine;
  } catch (const CLI::ExtrasError&) {
    return complain(unexpected(app), wrong_input);
  } catch (const CLI::ParseError& error) {
    return complain(std::string(error.what()) + " (see polhode --help)", wrong_input);
  }

  // An option given as an empty text is not an option that was not given.
  const auto refuse_empty = [](const CLI::App* command) {
    for (const CLI::Option* option : command->get_options())
      if (option->count() > 0 && option->get_items_expected_max() > 0 && option->get_name() != "--set")
        for (const std::string& text : option->results())
          if (text.empty()) throw program::ScenarioError(option->get_name(), "", "the value is empty");
  };
  for (const CLI::App* command : app.get_subcommands()) refuse_empty(command);

  if (cite && app.get_subcommands().empty()) {
    print(program::citation());
    return fine;
  }
  if (help_command->parsed()) {
    std::vector<CommandManual> manuals{manual_of(&app)};
    for (const CLI::App* command : app.get_subcommands({})) manuals.push_back(manual_of(command));
    return help(help_arguments, manuals);
  }
  if (run_command->parsed()) return run(run_arguments);
  if (list_command->parsed()) return list(list_arguments);
  if (bench_command->parsed()) return bench(bench_arguments);
  if (reproduce_command->parsed()) return reproduce(reproduce_arguments);
  if (ensemble_command->parsed()) return ensemble(ensemble_arguments);
  if (conformance_command->parsed()) return conformance(conformance_arguments);
  return complain(
      "a command is needed: run, ensemble, list, bench, reproduce, conformance or help (see polhode --help)",
      wrong_input);
}

}  // namespace

}  // namespace polhode::command

int main(int argc, char** argv) {
  using namespace polhode;
  using command::complain;
  // A file that grows beyond the limit of the process is a failed write, not a death.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return command::dispatch(argc, argv);
  } catch (const InputError& error) {
    return complain(error.what(), command::wrong_input);
  } catch (const std::bad_alloc&) {
    return complain("there is not enough memory", command::failed);
  } catch (const std::exception& error) {
    return complain(error.what(), command::failed);
  } catch (...) {
    return complain("an unknown failure", command::failed);
  }
}
