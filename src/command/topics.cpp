// What polhode help and the manual pages say. The options are those of the command line, and not repeated here.
#include "command/manual.hpp"

namespace polhode::command {

const std::vector<Topic>& topics() {
  static const std::vector<Topic> table{
      {"polhode", "the motion of rigid bodies at the limit of round-off", 1,
       R"(Moves rigid bodies, free and under torques, molecules, and systems in coordinates, over very long times.
A scenario file says what moves and by which method; the commands run it.

    polhode run SCENARIO.toml
    polhode ensemble SCENARIO.toml
    polhode list
    polhode reproduce --quick
    polhode bench
    polhode conformance
    polhode help TOPIC

Numbers are printed so that they read back to the same double. Progress goes to standard error, and only to a terminal.

EXIT STATUS

    0  fine
    1  the run failed, or a verdict was missed
    2  the input is wrong

Every error is one line on standard error that names the file, the key and the reason.

ENVIRONMENT

POLHODE_INSTRUCTION_SET chooses the instructions of steps, of single bodies and of batches: avx512, avx2 or plain. The bits are
the same.
)"},
      {"run", "run a scenario and print what it came to", 1,
       R"(Runs a scenario, samples it, and prints the final state, the errors of what is conserved and the cost.
An error is a value minus its initial value, computed in extended precision; its maximum is taken over the samples.

The ending of the name of --output decides on the format: .csv; .h5, HDF5; .xyz, atoms of molecules; .aem, an attitude message
of the CCSDS; .msopck, a table for SPICE. A file has its name only when it is complete; what an interrupted run has
recorded is kept.

EXAMPLES

    polhode run examples/water-molecule.toml
    polhode run examples/water-molecule.toml --set method.name=dmv10 --json
    polhode run examples/lagrange-top.toml --output top.csv --every 10
)"},
      {"ensemble", "run a scenario many times, with keys that vary", 1,
       R"(Runs the members that the table [ensemble] of the scenario describes, on all cores, and writes trajectories and statistics
to one HDF5 file. The summary tells a drift from a random walk. A run that was stopped continues where it was, with the
same bytes for any number of threads.

    [ensemble]
    members = 1000
    seed    = 1
    [ensemble.vary]
    "state.momentum" = { random_direction = { norm = 1.0 } }

EXAMPLES

    polhode ensemble examples/ensemble-water.toml --output water.h5
)"},
      {"list", "list what a scenario can name", 1,
       R"(Lists systems, kinds of torques, methods with their options, splitting schemes and experiments.

EXAMPLES

    polhode list methods
    polhode list schemes --json
    polhode list experiments --names
)"},
      {"bench", "compare the methods: error and cost", 1,
       R"(Moves the water molecule by every method, and by the integrators of other libraries that were there when polhode was built, and
prints what a step costs and how large the errors are. With --lengths one step of every length is taken instead.
)"},
      {"reproduce", "repeat experiments of the papers", 1,
       R"(Repeats the experiments by their names, all of them without a name. Each leaves figure.svg, figure.png, data.csv and
verdict.json in DIR/NAME, and DIR/report.html shows them all. gnuplot draws the figures. A run that was stopped continues
where it was.

EXAMPLES

    polhode list experiments
    polhode reproduce vilmart-fig1 --quick --out out
)"},
      {"conformance", "write reference motions for other programs, or score theirs", 1,
       R"(Writes bodies with their exact states at chosen times, with 17 and 32 digits, for the tests of other programs; or reads what a
program made of them and says in words what is wrong with it.

EXAMPLES

    polhode conformance --out kit
    polhode conformance --score states.csv
)"},
      {"help", "explain a command or a topic", 1,
       R"(Prints what there is to say of a command or a topic; without one, the list of topics. The manual pages have the same text.
)"},
      {"scenario", "the files of polhode run and polhode ensemble", 5,
       R"(A scenario is a file in TOML 1.0: a system, its initial state and its method.

    [system]
    kind    = "free-body"            # polhode list systems
    inertia = [0.345, 0.653, 1.0]    # principal moments in any order, or a symmetric 3x3 tensor

    [state]
    momentum = [0.5, 0.2, 0.84]      # in the body frame; or angular_velocity
    attitude = [1, 0, 0, 0]          # scalar first, body to space; or a 3x3 matrix; default: the identity

    [method]
    name  = "exact"                  # polhode list methods
    step  = 0.01
    steps = 1000000                  # or duration; two of step, steps and duration

Systems in coordinates have position and momentum in [state], and many have a standard initial state. Bodies under several
torques are of the kind driven-body, with one table for each:

    [[torque]]
    kind        = "damping"          # polhode list torques
    coefficient = 0.01

Any units will do, as long as they fit together; angles are in radians. An unknown key is an error. On the command line
--set method.step=0.001 replaces a value, --set 'torque[0].coefficient=0.1' one of the first [[torque]].
)"},
      {"conventions", "frames, signs and units", 7,
       R"(An attitude is a unit quaternion from body to space, scalar first, with the product of Hamilton. Momentum and angular velocity
are those of the body frame; Q m is the momentum in space, which is constant in free motion. All numbers are double; units
are the user's. Compensated methods carry their rounding errors from step to step.
)"},
      {"citing", "how polhode is cited", 7,
       R"(The option --cite of polhode prints a sentence for a list of references and an entry for BibTeX; in Python it is polhode.cite().
)"}};
  return table;
}

}  // namespace polhode::command
