#include "batch/batch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "exceptions.hpp"
#include "gil.hpp"
#include "polhode/batch/batch.hpp"
#include "polhode/batch/driven_batch.hpp"
#include "scenario/scenario.hpp"
#include "signals.hpp"
#include "systems/body/driven_body.hpp"
#include "systems/body/rigid_body.hpp"
#include "systems/registry.hpp"
#include "torque.hpp"
#include "values.hpp"

namespace polhode::python {

namespace {

using program::DrivenSetup;
using program::Scenario;
using program::Simulation;

/// A batch of either sort, as a run sees it.
class Bodies {
 public:
  Bodies() = default;
  Bodies(const Bodies&) = delete;
  Bodies& operator=(const Bodies&) = delete;
  virtual ~Bodies() = default;

  virtual void advance(std::int64_t count) = 0;
  virtual double time() const = 0;
  virtual std::vector<State<double>> state() const = 0;
  virtual std::vector<Vector<double>> angular_velocity() const = 0;
  /// What a failed look needs to go back by a step.
  virtual std::vector<std::byte> save() const { return {}; }
  virtual void restore(std::span<const std::byte> bytes) { static_cast<void>(bytes); }
};

class FreeBodies final : public Bodies {
 public:
  FreeBodies(std::span<const Body<double>> bodies, std::span<const State<double>> states, double step,
             double start, unsigned threads)
      : batch_(bodies.size() == 1 ? Batch(bodies[0], states, batch_functions())
                                  : Batch(bodies, states, batch_functions())),
        start_(start) {
    batch_.set_step(step);
    batch_.set_threads(threads);
  }

  void advance(std::int64_t count) override { batch_.advance(count); }
  double time() const override { return static_cast<double>(DoubleDouble(start_) + batch_.time()); }
  std::vector<State<double>> state() const override { return batch_.state(); }
  std::vector<Vector<double>> angular_velocity() const override {
    std::vector<Vector<double>> result;
    for (std::size_t i = 0; i < batch_.size(); ++i) result.push_back(batch_.angular_velocity(i));
    return result;
  }

 private:
  Batch batch_;
  double start_;
};

class DrivenBodies final : public Bodies {
 public:
  explicit DrivenBodies(DrivenBatch batch) : batch_(std::move(batch)) {}

  void advance(std::int64_t count) override { batch_.advance(count); }
  double time() const override { return static_cast<double>(batch_.time()); }
  std::vector<State<double>> state() const override { return batch_.state(); }
  std::vector<Vector<double>> angular_velocity() const override { return batch_.angular_velocity(); }
  std::vector<std::byte> save() const override { return batch_.save(); }
  void restore(std::span<const std::byte> bytes) override { batch_.restore(bytes); }

 private:
  DrivenBatch batch_;
};

/// An array (n, width) that is shown to functions, which may keep it and may not write into it: the steps write what they show where
/// it is, into the same one as the last time unless a function has kept that.
class ShownRows {
 public:
  explicit ShownRows(py::ssize_t width) : width_(width), array_(Shape{0, width}) {}

  template <class Row>
  Row* place(std::size_t count) {
    const AcquiredGil acquired;
    if (array_.shape(0) != static_cast<py::ssize_t>(count) || array_.ref_count() > 1) {
      array_ = Doubles(Shape{static_cast<py::ssize_t>(count), width_});
      array_.attr("flags").attr("writeable") = false;
    }
    return reinterpret_cast<Row*>(const_cast<double*>(array_.data()));
  }
  const Doubles& array() const { return array_; }

 private:
  py::ssize_t width_;
  Doubles array_;
};

void take_torques(const py::object& result, std::span<Vector<double>> torques, const std::string& run) {
  try {
    const Doubles array = doubles(result, "what the torque returns");
    const Shape wanted{static_cast<py::ssize_t>(torques.size()), 3};
    if (shape_of(array) != wanted)
      throw InputError("what the torque returns must have the shape " + text(wanted) +
                       ", a row for each body, not " + text(shape_of(array)));
    std::copy_n(array.data(), 3 * torques.size(), torques.data()->c.data());
  } catch (const InputError& e) {
    throw program::ScenarioError(run, "torque", e.what());
  }
}

/// The functions of (q, t) and (q, omega, t), which are those of all bodies at once.
ArrayTorques arrays_from(const py::list& functions, const std::string& run) {
  struct Shown {
    ShownRows attitudes{4}, rates{3};
  };
  const auto shown = std::make_shared<Shown>();
  ArrayTorques arrays;
  arrays.place_of_attitudes = [shown](std::size_t n) {
    return shown->attitudes.place<Quaternion<double>>(n);
  };
  arrays.place_of_rates = [shown](std::size_t n) { return shown->rates.place<Vector<double>>(n); };
  for (const py::handle one : functions) {
    const auto given = py::reinterpret_borrow<py::tuple>(one);
    const auto role = given[0].cast<std::string>();
    const py::object function = given[1];
    if (role == "torque") {
      arrays.torques.push_back(
          [function, shown, run](ArrayTorques::Attitudes, double t, std::span<Vector<double>> torques) {
            const AcquiredGil acquired;
            take_torques(called(function, shown->attitudes.array(), t), torques, run);
          });
    } else if (role == "control") {
      arrays.controls.push_back([function, shown, run](ArrayTorques::Attitudes, ArrayTorques::Vectors,
                                                       double t, std::span<Vector<double>> torques) {
        const AcquiredGil acquired;
        take_torques(called(function, shown->attitudes.array(), shown->rates.array(), t), torques, run);
      });
    }
  }
  return arrays;
}

/// The bodies, and their tensors in their users' frames.
struct GivenBodies {
  std::vector<Body<double>> bodies;
  std::vector<Matrix<double>> tensors;

  GivenBodies(const py::object& inertia, std::size_t count) : bodies(bodies_from(inertia, count)) {
    SignalWatch signals;
    const Doubles array = doubles(inertia, "inertia");
    const bool moments = shape_of(array) == Shape{3} || shape_of(array).size() == 2;
    const bool one_tensor = shape_of(array) == Shape{3, 3} && bodies.size() == 1;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      signals.look();
      Matrix<double> tensor{};
      if (moments && !one_tensor)
        for (std::size_t k = 0; k < 3; ++k) tensor[k][k] = array.data()[3 * i + k];
      else
        for (std::size_t k = 0; k < 9; ++k) tensor[k / 3][k % 3] = array.data()[9 * i + k];
      tensors.push_back(tensor);
    }
  }
};

std::string of_body(std::size_t i) { return "body " + std::to_string(i) + ", counted from 0"; }

class BatchRun {
 public:
  /// `tables` is the scenario of the first body, `own` that of each, where what acts on them has other numbers.
  BatchRun(const py::dict& tables, const py::list& own, const std::string& name, const py::list& functions,
           const py::object& inertia, const py::object& momentum, const py::object& attitude, bool are_rates,
           unsigned threads)
      : name_(name),
        scenario_(document_from(tables, own.empty() ? name : name + ": " + of_body(0), py::dict())),
        threads_(threads) {
    const Rows m = rows(momentum, 3, are_rates ? "angular_velocity" : "momentum"),
               q = rows(attitude, 4, "attitude");
    if (m.leading().size() != 1 || m.leading() != q.leading())
      throw InputError("momentum and attitude must have the shapes (N, 3) and (N, 4), not " +
                       text(shape_of(m.array)) + " and " + text(shape_of(q.array)));
    if (m.count() == 0) throw InputError("there is no body");
    const GivenBodies given(inertia, m.count());
    SignalWatch signals;
    for (std::size_t i = 0; i < m.count(); ++i) {
      signals.look();
      states_.push_back(state_at(m[i], q[i]));
      if (are_rates)
        states_[i].momentum = momentum_of(given.tensors[given.tensors.size() == 1 ? 0 : i], vector_at(m[i]));
      try {
        examine(states_[i]);
      } catch (const InputError& e) {
        throw InputError(name + ": " + of_body(i) + ": " + e.what());
      }
    }
    simulation_ = functions.empty() ? program::build(scenario_)
                                    : program::build_driven_body(scenario_, python_parts(functions, name));
    gather_warnings(tables, given);
    if (simulation_->description().system == "free-body") {
      if (simulation_->description().method != "exact" || !simulation_->description().compensated)
        throw InputError(only_exact);
      bodies_ = std::make_unique<FreeBodies>(given.bodies, states_, scenario_.step(), start_time(), threads);
      return;
    }
    const DrivenSetup* const setup = program::driven_setup(*simulation_);
    if (setup == nullptr) throw InputError(only_exact);
    std::vector<TorqueList<double>> torques;
    if (own.empty()) {
      torques.push_back(list_of_parts(setup->driven.parts));
      parts_.push_back(setup->driven.parts);
    }
    for (const py::handle one : own) {
      signals.look();
      Scenario scenario(document_from(py::reinterpret_borrow<py::dict>(one),
                                      name + ": " + of_body(parts_.size()), py::dict()));
      const auto simulation = functions.empty()
                                  ? program::build(scenario)
                                  : program::build_driven_body(scenario, python_parts(functions, name));
      for (const std::string& sentence : scenario.warnings()) warn_of(parts_.size(), sentence);
      parts_.push_back(program::driven_setup(*simulation)->driven.parts);
      torques.push_back(list_of_parts(parts_.back()));
    }
    if (left_out_ > 0)
      warnings_.push_back("more warnings of single bodies, which are left out: " + std::to_string(left_out_));
    const bool has_scheme = scenario_.method().has("scheme");
    for (std::size_t i = 0; i < states_.size() && (are_rates || !has_scheme); ++i) {
      signals.look();
      const Actions<double> actions =
          torques[torques.size() == 1 ? 0 : i].attached(given.bodies[given.bodies.size() == 1 ? 0 : i]);
      if (!actions.carries() && actions.is_nystrom() && torques.size() == 1) break;
      if (are_rates && actions.carries()) set_momentum(i, actions, vector_at(m[i]));
      if (!has_scheme && !actions.is_nystrom())
        choose(default_scheme(actions, states_[i], scenario_.step(), DoubleDouble(start_time())));
    }
    ArrayTorques arrays = arrays_from(functions, name);
    calls_python_ = !functions.empty();
    // Functions of the time alone are called body by body, by one thread.
    holds_gil_ = functions.size() > arrays.torques.size() + arrays.controls.size();
    if (holds_gil_) threads_ = 1;
    if (!has_scheme && !arrays.controls.empty()) choose(scheme("aba-8-2"));
    const OwnScheme taken = scheme_ ? *scheme_ : OwnScheme(setup->scheme);
    // A row completes the step: where its last stage is a kick, that calls the functions, and may fail.
    looks_may_fail_ = calls_python_ && (holds_gil_ || Scheme(taken).first == Part::kick);
    DrivenBatch batch(given.bodies, states_, torques, taken, std::move(arrays), DoubleDouble(start_time()),
                      batch_functions());
    batch.set_step(scenario_.step());
    batch.set_threads(threads_);
    bodies_ = std::make_unique<DrivenBodies>(std::move(batch));
  }

  py::tuple run(std::int64_t every) {
    const std::int64_t steps = scenario_.steps();
    const std::int64_t count = 1 + steps / every + (steps % every != 0 ? 1 : 0);
    const auto n = static_cast<py::ssize_t>(states_.size());
    const auto r = static_cast<py::ssize_t>(count);
    Doubles t(Shape{r}), m(Shape{r, n, 3}), q(Shape{r, n, 4}), w(Shape{r, n, 3});
    const auto start = std::chrono::steady_clock::now();
    SignalWatch watch;
    std::int64_t done = 0, kept = -1;  // steps that were taken, and those of the last row
    py::ssize_t row = 0;
    std::exception_ptr trouble;
    std::vector<std::byte> before;
    {
      std::optional<ReleasedGil> released;
      if (!holds_gil_) released.emplace();
      double *const of_t = t.mutable_data(), *const of_m = m.mutable_data(), *const of_q = q.mutable_data(),
                    *const of_w = w.mutable_data();
      const auto keep = [&] {
        const std::vector<State<double>> states = bodies_->state();
        const std::vector<Vector<double>> rates = bodies_->angular_velocity();
        const auto size = static_cast<std::ptrdiff_t>(states.size());
        of_t[row] = bodies_->time();
        for (std::size_t i = 0; i < states.size(); ++i) {
          const auto place = row * size + static_cast<std::ptrdiff_t>(i);
          std::copy_n(states[i].momentum.c.data(), 3, of_m + 3 * place);
          std::copy_n(states[i].attitude.c.data(), 4, of_q + 4 * place);
          std::copy_n(rates[i].c.data(), 3, of_w + 3 * place);
        }
        ++row;
        kept = done;
      };
      // The last complete step: what failed in a look must not hide why the run stopped.
      const auto keep_last = [&] {
        if (kept == done) return;
        try {
          keep();
        } catch (...) {
          try {
            if (before.empty()) throw;
            bodies_->restore(before);
            --done;
            if (kept != done) keep();
          } catch (...) {
            done = std::max<std::int64_t>(kept, 0);  // what was seen last stays
          }
        }
      };
      try {
        keep();
        while (done < steps) {
          const std::int64_t target = std::min(steps, done - done % every + every);
          while (done < target) {
            const std::int64_t piece = std::min(target - done, steps_at_once());
            std::vector<std::byte> start_of_step;
            if (looks_may_fail_) start_of_step = bodies_->save();
            bodies_->advance(piece);
            before.swap(start_of_step);
            done += piece;
            watch.look();
          }
          keep();
        }
      } catch (...) {
        trouble = std::current_exception();
        keep_last();
      }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    py::dict record, arrays;
    const py::slice rows_done(0, row, 1);
    arrays["t"] = t[rows_done];
    arrays["momentum"] = m[rows_done];
    arrays["attitude"] = q[rows_done];
    arrays["angular_velocity"] = w[rows_done];
    record["arrays"] = arrays;
    const program::Description& description = simulation_->description();
    record["system"] = description.system;
    record["method"] = description.method;
    record["details"] = scheme_ ? std::string((*scheme_)->name) + " with exact" : description.details;
    record["step"] = description.step;
    record["steps"] = steps;
    record["taken"] = done;
    record["every"] = every;
    record["bodies"] = states_.size();
    record["warnings"] = warnings_;
    record["scenario"] = scenario_.text();
    record["seconds"] = seconds.count();
    return py::make_tuple(record, as_python(trouble, name_ + ": "));
  }

 private:
  static constexpr const char* only_exact =
      "many bodies at once are stepped by the exact free motion with compensated summation, alone or with a "
      "splitting "
      "scheme: other methods are for one body";

  double start_time() { return scenario_.state().has("time") ? scenario_.state().number("time") : 0.0; }

  void choose(const Scheme& scheme) {
    // All go by one scheme: the more careful one.
    if (!scheme_ || scheme.name == "aba-8-2") scheme_ = scheme;
  }

  void set_momentum(std::size_t i, const Actions<double>& actions, const Vector<double>& omega) {
    const DoubleDouble start(start_time());
    states_[i].momentum = convert<double>(actions.body().to_user(
        actions.inertia(start) * actions.body().to_principal(omega) + actions.rotor_momentum(start)));
  }

  /// Each sentence once, with the first body that it is about where there is one for each. Where a number of each body is in it, there
  /// may be as many as bodies: the first ones are enough.
  void warn_of(std::size_t i, const std::string& sentence) {
    if (seen_.contains(sentence)) return;
    if (++of_bodies_ > 10) {
      ++left_out_;
      return;
    }
    seen_.insert(sentence);
    warnings_.push_back(of_body(i) + ": " + sentence);
  }

  /// The scenario of the first body knows its own moments and attitude; those of the others are looked at here.
  void gather_warnings(const py::dict& tables, const GivenBodies& given) {
    const program::GivenBody first{given.bodies[0], given.tensors[0]};
    Scenario body(document_from(tables, name_, py::dict()));
    static_cast<void>(program::read_body(body));
    static_cast<void>(program::read_state(body, first));
    for (const std::string& sentence : body.warnings()) seen_.insert(sentence);
    for (const std::string& sentence : scenario_.warnings())
      if (seen_.insert(sentence).second) warnings_.push_back(sentence);
    if (given.bodies.size() == 1 && !given.bodies[0].warning().empty())
      warnings_.insert(warnings_.begin(), given.bodies[0].warning());
    for (std::size_t i = 0; i < given.bodies.size() && given.bodies.size() > 1; ++i) {
      const std::string sentence = given.bodies[i].warning();
      if (sentence.empty()) continue;
      seen_.erase(sentence);
      warn_of(i, sentence);
      break;
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const Quaternion<double>& q = states_[i].attitude;
      if (std::abs(std::sqrt(norm_squared(q)) - 1.0) < 1e-6) continue;
      program::Document document = document_from(tables, name_, py::dict());
      program::override_value(document, "state.attitude", {program::Array{{q[0]}, {q[1]}, {q[2]}, {q[3]}}});
      Scenario state(std::move(document));
      static_cast<void>(program::read_state(state, first));
      for (const std::string& sentence : state.warnings()) {
        seen_.erase(sentence);
        warn_of(i, sentence);
      }
      break;
    }
  }

  /// Few enough that a signal is noticed.
  std::int64_t steps_at_once() const {
    return calls_python_ ? 1 : std::max<std::int64_t>(1, 100000 / static_cast<std::int64_t>(states_.size()));
  }

  std::string name_;
  Scenario scenario_;
  unsigned threads_;
  bool calls_python_ = false, holds_gil_ = false, looks_may_fail_ = false;
  std::vector<std::string> warnings_;
  std::set<std::string> seen_;                // the sentences without their bodies
  std::size_t of_bodies_ = 0, left_out_ = 0;  // warnings of single bodies
  std::vector<State<double>> states_;
  std::vector<program::TorqueParts> parts_;  // which outlive the batch
  std::optional<OwnScheme> scheme_;          // where it is not that of the first body
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Bodies> bodies_;
};

}  // namespace

void bind_batch(py::module_& m) {
  m.def(
      "run_batch",
      [](const py::dict& tables, const py::list& own, const std::string& name, const py::list& functions,
         const py::object& inertia, const py::object& momentum, const py::object& attitude, bool are_rates,
         std::int64_t every, unsigned threads) {
        return BatchRun(tables, own, name, functions, inertia, momentum, attitude, are_rates, threads)
            .run(every);
      },
      py::arg("tables"), py::arg("own"), py::arg("name"), py::arg("functions"), py::arg("inertia"),
      py::arg("momentum"), py::arg("attitude"), py::arg("are_rates"), py::arg("every"), py::arg("threads"),
      "Runs many bodies at once: what came of it, and the exception that ended it or None.");
}

}  // namespace polhode::python
