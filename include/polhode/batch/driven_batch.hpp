// Many bodies under torque at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "polhode/batch/driven_members.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/stepping/workers.hpp"

namespace polhode::core {

/// Bodies that are stepped together by a splitting scheme with the exact free motion. Each has its own inertia and state, and its own
/// torques, which are of the same kinds for all; a torque may also be a function of all bodies at once (ArrayTorques). The bits of each are
/// those of DrivenRotor<Splitting<Exact<double>>, TorqueList<double>>, whatever its neighbours are and for any number of threads.
///
/// The torques of this library go by packs, and so does damping. A function of one body, wheels, dissipation and changing inertia go
/// body by body.
class DrivenBatch {
 public:
  using W = DoubleDouble;

  /// Of bodies and of lists of torques there is one for all, or one for each state. Throws InputError if a state is invalid or things of
  /// different kinds act on two bodies, and MotionError if a torque is not finite at the beginning. The last parameter is for
  /// programs that choose the instructions at run time.
  DrivenBatch(std::span<const Body<double>> bodies, std::span<const State<double>> states,
              std::span<const TorqueList<double>> torques, const Scheme& scheme = core::scheme("strang"),
              ArrayTorques arrays = {}, const W& start = W(0),
              const BatchFunctions& functions = compiled_batch_functions())
      : functions_(&functions),
        scheme_(scheme),
        momentum_flow_(scheme.order),
        arrays_(std::move(arrays)),
        members_(bodies, states, torques, arrays_, start),
        clock_(start) {
    if (size() == 0) return;
    blocks_ = members_.take_first_blocks();
    const std::vector<double> moments = members_.moments();
    const std::span<const std::uint32_t> kinds = members_.kind_at();
    kinds_ = {functions.compensated.make_kinds(
                  {moments.data(), moments.size() / 3, kinds.empty() ? nullptr : kinds.data(), kinds.size()}),
              functions.compensated.free_kinds};
    examine_step(0.0);
  }

  /// The same with a Body or a TorqueList that is that of all.
  DrivenBatch(const Body<double>& body, std::span<const State<double>> states,
              const TorqueList<double>& torques, const Scheme& scheme = core::scheme("strang"),
              ArrayTorques arrays = {}, const W& start = W(0),
              const BatchFunctions& functions = compiled_batch_functions())
      : DrivenBatch({&body, 1}, states, {&torques, 1}, scheme, std::move(arrays), start, functions) {}
  DrivenBatch(std::span<const Body<double>> bodies, std::span<const State<double>> states,
              const TorqueList<double>& torques, const Scheme& scheme = core::scheme("strang"),
              ArrayTorques arrays = {}, const W& start = W(0),
              const BatchFunctions& functions = compiled_batch_functions())
      : DrivenBatch(bodies, states, {&torques, 1}, scheme, std::move(arrays), start, functions) {}

  std::size_t size() const { return members_.size(); }

  /// The length of the steps that follow, of either sign. Throws InputError if the scheme is not for what acts, and what a torque
  /// throws where the last step is completed.
  void set_step(double step) {
    clock_.examine_step(step);
    if (!(step == clock_.step())) {
      examine_step(step);
      if (clock_.put_off != 0) {
        start_workers();
        blocks_ = synchronized();
        clock_.put_off = 0;
      }
    }
    clock_.set_step(step);
  }
  /// The number of threads that may work; 0 means as many as the machine has. Torques that are functions of one body are called in all of
  /// them, those of arrays in the caller's.
  void set_threads(unsigned threads) {
    if (threads != threads_) workers_.reset();
    threads_ = threads;
  }

  /// Throws MotionError if a torque is not finite, and what a function throws; nothing has moved then.
  void advance(std::int64_t count = 1) {
    clock_.examine(count);
    if (count == 0) return;
    SplittingClock<double> clock = clock_;
    std::int64_t evaluations = evaluations_;
    if (clock.step() == 0.0 || size() == 0) {
      clock.count(count);
    } else {
      start_workers();
      const Stages<double> stages(scheme_, clock.step());
      std::vector<Block> next(blocks_.size());
      const Block* from = blocks_.data();
      const auto at_once =
          std::max<std::int64_t>(1, stages_at_once / static_cast<std::int64_t>(stages.list().size()));
      while (count > 0) {
        const std::int64_t steps = std::min(count, at_once);
        Programme programme;
        for (std::int64_t i = 0; i < steps; ++i) append_step(programme, stages, clock);
        run(programme, next, from, evaluations);
        from = nullptr;
        count -= steps;
      }
      blocks_.swap(next);
    }
    clock_ = clock;
    evaluations_ = evaluations;
  }
  void advance(double step, std::int64_t count) {
    clock_.examine_step(step);
    examine_count(count);
    if (count == 0) return;
    // All or none: what a change of the step synchronizes is taken back with the steps.
    const SplittingClock<double> clock = clock_;
    std::vector<Block> before;
    if (!(step == clock_.step()) && clock_.put_off != 0) before = blocks_;
    try {
      set_step(step);
      advance(count);
    } catch (...) {
      clock_ = clock;
      if (!before.empty()) blocks_.swap(before);
      throw;
    }
  }

  W time() const { return clock_.time(); }
  std::int64_t steps_taken() const { return clock_.steps_taken(); }

  /// The states in the users' frames and units; the attitudes have norm one.
  std::vector<State<double>> state() const {
    std::vector<State<double>> result(size());
    look([&](std::size_t i, const Member& body) { result[i] = body.state(); });
    return result;
  }
  /// That of body i; all at once are faster than one by one.
  State<double> state(std::size_t i) const { return synchronized_body(i).state(); }
  State<W> wide_state(std::size_t i) const { return synchronized_body(i).wide_state(); }
  /// The angular velocities in the bodies; wheels have their own.
  std::vector<Vector<double>> angular_velocity() const {
    std::vector<Vector<double>> result(size());
    look([&](std::size_t i, const Member& body) { result[i] = members_.angular_velocity(i, body, time()); });
    return result;
  }

  /// How often the torques of attitude and time were asked for, of each body.
  EvaluationCounts evaluations() const { return {evaluations_, 0}; }

  std::vector<std::byte> save() const {
    detail::ByteWriter writer;
    writer.put(clock_);
    writer.put(evaluations_);
    writer.put(std::span(blocks_));
    return writer.take();
  }
  void restore(std::span<const std::byte> bytes) {
    detail::ByteReader reader(bytes, sizeof(clock_) + sizeof(evaluations_) + std::span(blocks_).size_bytes());
    reader.get(clock_);
    reader.get(evaluations_);
    reader.get(std::span(blocks_));
  }
  /// Body i as a DrivenRotor with the same body, torques and scheme saves it: there it can be looked at, or go on by itself.
  std::vector<std::byte> save(std::size_t i) const {
    const std::size_t place = members_.place(i);
    return detail::bytes_of(Steps::motion_of(blocks_[place / lanes], place % lanes),
                            std::int64_t{members_.unit(i)}, clock_, evaluations_);
  }

 private:
  using Block = polhode_shared::CompensatedBlock;
  using Stage = polhode_shared::DrivenStage;
  using Steps = PackSteps<double, Summation::compensated>;
  using Member = DrivenMembers::Member;
  using Programme = std::vector<Stage>;
  static constexpr std::size_t lanes = Block::lanes;
  static constexpr std::int64_t stages_at_once = 512;

  /// Where the schemes run damping backwards there is something to examine.
  void examine_step(double step) const {
    const BackwardLengths lengths(scheme_);
    if (!members_.plan().is_damped && !members_.plan().dissipates) return;
    if (lengths.free == 0 && lengths.kicks == 0) return;
    const Splitting<Exact<double>> splitting(scheme_);
    for (std::size_t i = 0; i < size(); ++i)
      members_.in_body(i, [&] {
        splitting.examine(members_.body(i).inertia(), members_.actions(i), members_.momentum(i, motion(i)),
                          step);
      });
  }

  static Stage stage(bool is_kick, double length, const W& time) {
    return {.is_kick = is_kick,
            .ends_step = false,
            .length = length,
            .time = {time.high(), time.low()},
            .relaxation = 0};
  }
  static W time_of(const Stage& stage) { return {stage.time[0], stage.time[1]}; }

  /// The stages of one step, the last one put off: Splitting::advance.
  void append_step(Programme& programme, const Stages<double>& stages, SplittingClock<double>& clock) const {
    if (!members_.plan().splits) {
      programme.push_back(stage(false, clock.step(), clock.time()));
      clock.count(1);
    } else {
      take_steps(
          stages, clock, 1,
          [&](double length, const W& start) { programme.push_back(stage(false, length, start)); },
          [&](double length, const W& time) { programme.push_back(stage(true, length, time)); });
    }
    programme.back().ends_step = true;
  }

  /// The stage that was put off, on copies of the blocks.
  std::vector<Block> synchronized() const {
    std::vector<Block> result = blocks_;
    if (clock_.put_off == 0) return result;
    SplittingClock<double> clock = clock_;
    Programme programme;
    core::synchronize(
        Stages<double>(scheme_, clock.step()), clock,
        [&](double length, const W& start) { programme.push_back(stage(false, length, start)); },
        [&](double length, const W& time) { programme.push_back(stage(true, length, time)); });
    std::int64_t evaluations = 0;
    run(programme, result, nullptr, evaluations);
    return result;
  }

  Motion<double, Summation::compensated> motion(std::size_t i) const {
    return Steps::motion_of(blocks_[members_.place(i) / lanes], members_.place(i) % lanes);
  }
  Member synchronized_body(std::size_t i) const {
    const std::size_t place = members_.place(i);
    return {members_.body(i), Steps::motion_of(synchronized()[place / lanes], place % lanes),
            members_.unit(i)};
  }
  template <class Visit>
  void look(const Visit& visit) const {
    const std::vector<Block> blocks = synchronized();
    in_threads(size(), 64, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const std::size_t place = members_.place(i);
        visit(i, Member(members_.body(i), Steps::motion_of(blocks[place / lanes], place % lanes),
                        members_.unit(i)));
      }
    });
  }

  /// Not while it is looked at, which several threads may do.
  void start_workers() {
    if (threads_ != 1 && blocks_.size() > 1 && !workers_) workers_ = std::make_shared<Workers>(threads_);
  }

  /// Pieces of 0..count in threads. Throws what the first piece that fails throws.
  template <class Work>
  void in_threads(std::size_t count, std::size_t piece, const Work& work) const {
    std::mutex mutex;
    std::size_t failed = count;
    std::exception_ptr trouble;
    share_range(workers_.get(), count, piece, [&](std::size_t first, std::size_t last) {
      try {
        work(first, last);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (first < failed) trouble = std::current_exception();
        failed = std::min(failed, first);
      }
    });
    if (trouble) std::rethrow_exception(trouble);
  }

  // ---- Stages of all bodies.

  /// Where there are functions of arrays, all bodies come to their kick together; otherwise each block goes through all stages.
  void run(Programme& programme, std::vector<Block>& blocks, const Block* from,
           std::int64_t& evaluations) const {
    if (!members_.plan().kicks.empty() || !arrays_.torques.empty())
      evaluations +=
          std::count_if(programme.begin(), programme.end(), [](const Stage& s) { return s.is_kick; });
    const std::span<Stage> all(programme);
    if (arrays_.empty()) return run_together(all, blocks, from, {});
    for (std::size_t first = 0; first < all.size();) {
      std::size_t last = first + 1;
      while (last < all.size() && !all[last].is_kick) ++last;
      std::span<Stage> part = all.subspan(first, last - first);
      if (part.front().is_kick) {
        if (from != nullptr) blocks.assign(from, from + blocks.size());
        from = nullptr;
        run_with_arrays(part, blocks);
      } else {
        run_together(part, blocks, from, {});
        from = nullptr;
      }
      first = last;
    }
  }

  /// A kick, and the free motions after it.
  void run_with_arrays(std::span<Stage> stages, std::vector<Block>& blocks) const {
    std::vector<Quaternion<double>> attitudes(size());
    const polhode_shared::ShowJob show{.blocks = blocks.data(),
                                       .turns = members_.turns().shown(),
                                       .body_at = members_.body_at().data(),
                                       .attitudes = attitudes.data()->c.data()};
    in_threads(blocks.size(), 64,
               [&](std::size_t first, std::size_t last) { functions_->show_attitudes(show, first, last); });
    const double time = static_cast<double>(time_of(stages[0]));
    std::vector<std::vector<Vector<double>>> torques(arrays_.torques.size());
    for (std::size_t k = 0; k < torques.size(); ++k) {
      torques[k].resize(size());
      arrays_.torques[k](attitudes, time, torques[k]);
    }
    if (arrays_.controls.empty()) return run_together(stages, blocks, nullptr, torques);
    KicksOfAll kicks{std::vector<KicksOfAll::Rows>(blocks.size())};
    run_together(stages.first(1), blocks, nullptr, torques, &kicks);
    members_.kick_with_controls(blocks, kicks, arrays_, momentum_flow_, stages[0], attitudes);
    if (stages.size() > 1) run_together(stages.subspan(1), blocks, nullptr, {});
  }

  /// What the functions of a job that go body by body need.
  struct Context {
    const DrivenBatch& batch;
    std::span<const Stage> stages;
    std::vector<Block>& blocks;
    const std::vector<std::shared_ptr<const LaneRows>>& relaxations;
    KicksOfAll* kicks;

    static void carry(void* self, std::size_t stage, std::size_t block) {
      const Context& c = *static_cast<Context*>(self);
      c.batch.members_.carry(c.blocks[block], block, c.stages[stage]);
    }
    static void ask(void* self, std::size_t stage, std::size_t block, std::size_t kick, const double* q,
                    double* t) {
      const Context& c = *static_cast<Context*>(self);
      c.batch.members_.ask(block, kick, c.stages[stage], q, t);
    }
    static void keep(void* self, std::size_t, std::size_t block, const double* t) {
      std::copy_n(t, 3 * lanes, static_cast<Context*>(self)->kicks->blocks[block].t[0]);
    }
    static void finish(void* self, std::size_t stage, std::size_t block, const double* t) {
      const Context& c = *static_cast<Context*>(self);
      const Stage& at = c.stages[stage];
      c.batch.members_.finish(c.blocks[block], block, at, c.batch.momentum_flow_,
                              c.relaxations.empty() ? nullptr : c.relaxations[at.relaxation].get(), t);
    }
  };

  /// Block by block. kicks: where the torques in inner units go, if the kicks are not made of them here.
  void run_together(std::span<Stage> stages, std::vector<Block>& blocks, const Block* from,
                    const std::vector<std::vector<Vector<double>>>& torques,
                    KicksOfAll* kicks = nullptr) const {
    const DrivenPlan& plan = members_.plan();
    const auto relaxations = kicks == nullptr ? relaxations_of(stages) : Relaxations();
    std::vector<polhode_shared::DrivenRows> relaxation_rows;
    for (const auto& rows : relaxations) relaxation_rows.push_back(rows->shown());
    const std::vector<std::vector<double>> of_time = numbers_of_time(stages);
    std::vector<polhode_shared::DrivenKick> shown;
    for (std::size_t k = 0; k < plan.kicks.size(); ++k)
      shown.push_back(plan.kicks[k].shown(of_time[k].data()));
    for (const auto& array : torques)
      shown.push_back({.kind = static_cast<int>(KickKind::of_arrays),
                       .rows = members_.axes().shown(),
                       .of_time = array.data()->c.data(),
                       .width = 3,
                       .sources = size(),
                       .source_at = members_.body_at().data()});
    std::vector<std::uint64_t> failures(blocks.size());
    Context context{*this, stages, blocks, relaxations, kicks};
    const polhode_shared::DrivenJob job{
        .kinds = kinds_.get(),
        .blocks = blocks.data(),
        .from = from,
        .stages = stages.data(),
        .stage_count = stages.size(),
        .kicks = shown.data(),
        .kick_count = shown.size(),
        .relaxations = relaxation_rows.empty() ? nullptr : relaxation_rows.data(),
        .context = &context,
        .carry = plan.carries ? &Context::carry : nullptr,
        .ask = &Context::ask,
        .finish = kicks != nullptr          ? &Context::keep
                  : plan.kicks_one_by_one() ? &Context::finish
                                            : nullptr,
        .failures = failures.data()};
    in_threads(blocks.size(), 1 + 256 / stages.size(),
               [&](std::size_t first, std::size_t last) { functions_->advance_driven(job, first, last); });
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (failures[i] != 0) throw_failure(stages, blocks, failures);
  }

  using Relaxations = std::vector<std::shared_ptr<const LaneRows>>;

  /// Those of the lengths of the kicks, which are numbered.
  Relaxations relaxations_of(std::span<Stage> stages) const {
    Relaxations result;
    std::vector<double> lengths;
    if (!members_.plan().is_damped || members_.plan().inertia_changes) return result;
    for (Stage& stage : stages) {
      if (!stage.is_kick) continue;
      const auto found = std::find(lengths.begin(), lengths.end(), stage.length);
      stage.relaxation = static_cast<std::size_t>(found - lengths.begin());
      if (found != lengths.end()) continue;
      lengths.push_back(stage.length);
      result.push_back(members_.relaxations(stage.length));
    }
    return result;
  }

  /// What the kicks have of the time alone: of each source at each stage.
  std::vector<std::vector<double>> numbers_of_time(std::span<const Stage> stages) const {
    constexpr std::size_t width = KickOfBodies::width;
    std::vector<std::vector<double>> result;
    for (const KickOfBodies& kick : members_.plan().kicks) {
      const std::size_t sources = kick.sources();
      std::vector<double>& numbers = result.emplace_back(stages.size() * sources * width);
      in_threads(stages.size() * sources, 64, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          const Stage& stage = stages[i / sources];
          if (!stage.is_kick) continue;
          const auto found = kick.at(i % sources, time_of(stage));
          std::copy(found.begin(), found.end(), &numbers[i * width]);
        }
      });
    }
    return result;
  }

  /// The first torque that was not finite, by time and then by body.
  [[noreturn]] void throw_failure(std::span<const Stage> stages, const std::vector<Block>& blocks,
                                  const std::vector<std::uint64_t>& failures) const {
    std::pair<std::size_t, std::size_t> first{stages.size(), 0};
    std::size_t place = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (failures[i] == 0) continue;
      const std::size_t at = i * lanes + (failures[i] - 1) % lanes;
      const std::pair<std::size_t, std::size_t> own{(failures[i] - 1) / lanes, members_.body_at()[at]};
      if (own < first) {
        first = own;
        place = at;
      }
    }
    const Quaternion<double> q = Steps::motion_of(blocks[place / lanes], place % lanes).attitude();
    const double none = std::numeric_limits<double>::quiet_NaN();
    members_.in_body(first.second, [&] {
      examine_torque({none, none, none}, q, time_of(stages[first.first]));
    });
    throw MotionError("the torque is not a finite number");
  }

  const BatchFunctions* functions_;
  OwnScheme scheme_;
  MomentumFlow<double> momentum_flow_;
  ArrayTorques arrays_;
  DrivenMembers members_;
  std::vector<Block> blocks_;
  std::shared_ptr<const void> kinds_;
  std::shared_ptr<Workers> workers_;  // copies share them; who comes second works alone
  SplittingClock<double> clock_;
  std::int64_t evaluations_ = 0;
  unsigned threads_ = 1;
};

}  // namespace polhode::core

namespace polhode {
using core::DrivenBatch;
}  // namespace polhode
