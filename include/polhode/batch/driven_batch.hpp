// Many bodies under torque at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "polhode/batch/array_controls.hpp"
#include "polhode/batch/block_passes.hpp"
#include "polhode/batch/driven_members.hpp"
#include "polhode/splitting/driven_rotor.hpp"
#include "polhode/stepping/workers.hpp"

namespace POLHODE_CORE {

/// Bodies that are stepped together by a splitting scheme with the exact free motion. Each has its own inertia and state, and its own
/// torques, which are of the same kinds for all; a torque may also be a function of all bodies at once (ArrayTorques). The bits of each are
/// those of DrivenRotor<Splitting<Exact<double>>, TorqueList<double>>, whatever its neighbours are and for any number of threads.
///
/// The torques of this library go by packs, and so do damping, wheels and dissipation. A function of one body goes body by body, and so
/// does what carries a body and changes with time.
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
      std::vector<Block>& next = spare_.blocks;
      next.resize(blocks_.size());
      const Block* from = blocks_.data();
      const auto at_once =
          std::max<std::int64_t>(1, stages_at_once / static_cast<std::int64_t>(stages.list().size()));
      while (count > 0) {
        const std::int64_t steps = std::min(count, at_once);
        Programme programme;
        for (std::int64_t i = 0; i < steps; ++i) append_step(programme, stages, clock);
        run(programme, next, from, evaluations, spare_.work);
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
    ArrayWork work;
    run(programme, result, nullptr, evaluations, work);
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
  void run(Programme& programme, std::vector<Block>& blocks, const Block* from, std::int64_t& evaluations,
           ArrayWork& work) const {
    if (!members_.plan().kicks.empty() || !arrays_.torques.empty())
      evaluations +=
          std::count_if(programme.begin(), programme.end(), [](const Stage& s) { return s.is_kick; });
    const std::span<Stage> all(programme);
    if (arrays_.empty()) {
      const StagesOfAll stages(*this, all, blocks, from, {});
      in_threads(blocks.size(), 1 + 256 / all.size(),
                 [&](std::size_t first, std::size_t last) { stages.advance(first, last); });
      return stages.examine();
    }
    BlockPasses passes(blocks.size());
    for (std::size_t first = 0; first < all.size();) {
      std::size_t last = first + 1;
      while (last < all.size() && !all[last].is_kick) ++last;
      std::span<Stage> part = all.subspan(first, last - first);
      if (!part.front().is_kick) {
        add_stages(passes, part, blocks, from, {});
      } else {
        if (from != nullptr)
          passes.add([from, &blocks](std::size_t i, std::size_t end) {
            std::copy(from + i, from + end, blocks.begin() + static_cast<std::ptrdiff_t>(i));
          });
        run_with_arrays(passes, part, blocks, work);
      }
      from = nullptr;
      first = last;
    }
    make(passes);
  }

  void make(BlockPasses& passes) const {
    passes.make(
        [&](std::size_t count, std::size_t piece, const auto& part) { in_threads(count, piece, part); });
  }

  /// A kick, and the free motions after it, which are left to the next.
  void run_with_arrays(BlockPasses& passes, std::span<Stage> stages, std::vector<Block>& blocks,
                       ArrayWork& work) const {
    const auto make_all = [&] { make(passes); };
    if (!arrays_.controls.empty()) make_all();  // bodies may have to go on by themselves from there
    const auto attitudes = ArrayTorques::placed(arrays_.place_of_attitudes, work.attitudes, size());
    const polhode_shared::ShowJob show{.blocks = blocks.data(),
                                       .turns = members_.turns().shown(),
                                       .body_at = members_.body_at().data(),
                                       .attitudes = attitudes.data()->c.data()};
    passes.add(
        [this, show](std::size_t first, std::size_t last) { functions_->show_attitudes(show, first, last); });
    std::shared_ptr<ControlledKick> steered;
    if (!arrays_.controls.empty()) {
      steered = std::make_shared<ControlledKick>(members_, arrays_, *functions_, momentum_flow_, stages[0],
                                                 blocks, attitudes, work);
      steered->begin(passes);
    }
    make_all();
    const double time = static_cast<double>(time_of(stages[0]));
    work.torques.resize(arrays_.torques.size());
    for (std::size_t k = 0; k < work.torques.size(); ++k) {
      work.torques[k].resize(size());
      arrays_.torques[k](attitudes, time, work.torques[k]);
    }
    if (!steered) return add_stages(passes, stages, blocks, nullptr, work.torques);
    if (steered->is_kicked() || stages[0].ends_step)
      add_stages(passes, stages.first(1), blocks, nullptr, work.torques, &work);
    steered->go(passes, make_all, steered);
    if (stages.size() > 1) add_stages(passes, stages.subspan(1), blocks, nullptr, {});
  }

  using Relaxations = std::vector<std::shared_ptr<const LaneRows>>;

  /// Stages of the blocks, and all that they need.
  class StagesOfAll {
   public:
    /// work: where the torques in inner units go, if the kicks are not made of them here.
    StagesOfAll(const DrivenBatch& batch, std::span<Stage> stages, std::vector<Block>& blocks,
                const Block* from, const std::vector<std::vector<Vector<double>>>& torques,
                ArrayWork* work = nullptr)
        : batch_(batch),
          stages_(stages),
          blocks_(blocks),
          relaxations_(work == nullptr ? batch.relaxations_of(stages) : Relaxations()),
          of_time_(batch.numbers_of_time(stages)),
          work_(work),
          failures_(blocks.size()) {
      const DrivenPlan& plan = batch.members_.plan();
      for (const auto& rows : relaxations_) relaxation_rows_.push_back(rows->shown());
      for (std::size_t k = 0; k < plan.kicks.size(); ++k)
        kicks_.push_back(plan.kicks[k].shown(of_time_[k].data()));
      for (const auto& array : torques)
        kicks_.push_back({.kind = static_cast<int>(KickKind::of_arrays),
                          .rows = batch.members_.axes().shown(),
                          .of_time = array.data()->c.data(),
                          .width = 3,
                          .sources = batch.size(),
                          .source_at = batch.members_.body_at().data()});
      job_ = {.kinds = batch.kinds_.get(),
              .blocks = blocks.data(),
              .from = from,
              .stages = stages.data(),
              .stage_count = stages.size(),
              .kicks = kicks_.data(),
              .kick_count = kicks_.size(),
              .relaxations = relaxation_rows_.empty() ? nullptr : relaxation_rows_.data(),
              .carried = batch.members_.carried().shown(),
              .gauss = batch.members_.gauss(),
              .context = this,
              .carry = plan.carries ? &carry : nullptr,
              .ask = &ask,
              .finish = work != nullptr           ? &keep
                        : plan.kicks_one_by_one() ? &finish
                                                  : nullptr,
              .failures = failures_.data()};
    }
    StagesOfAll(const StagesOfAll&) = delete;
    StagesOfAll& operator=(const StagesOfAll&) = delete;
    ~StagesOfAll() = default;

    void advance(std::size_t first, std::size_t last) const {
      batch_.functions_->advance_driven(job_, first, last);
    }
    /// Throws MotionError where a torque was not finite.
    void examine() const {
      if (std::any_of(failures_.begin(), failures_.end(), [](std::uint64_t f) { return f != 0; }))
        batch_.throw_failure(stages_, blocks_, failures_);
    }

   private:
    // What goes body by body.
    static void carry(void* self, std::size_t stage, std::size_t block) {
      const auto& s = *static_cast<StagesOfAll*>(self);
      s.batch_.members_.carry(s.blocks_[block], block, s.stages_[stage]);
    }
    static void ask(void* self, std::size_t stage, std::size_t block, std::size_t kick, const double* q,
                    double* t) {
      const auto& s = *static_cast<StagesOfAll*>(self);
      s.batch_.members_.ask(block, kick, s.stages_[stage], q, t);
    }
    static void keep(void* self, std::size_t, std::size_t block, const double* t) {
      std::vector<double>& kicks = static_cast<StagesOfAll*>(self)->work_->kicks;
      if (!kicks.empty()) std::copy_n(t, 3 * lanes, &kicks[3 * lanes * block]);
    }
    static void finish(void* self, std::size_t stage, std::size_t block, const double* t) {
      const auto& s = *static_cast<StagesOfAll*>(self);
      const Stage& at = s.stages_[stage];
      s.batch_.members_.finish(s.blocks_[block], block, at, s.batch_.momentum_flow_,
                               s.relaxations_.empty() ? nullptr : s.relaxations_[at.relaxation].get(), t);
    }

    const DrivenBatch& batch_;
    std::span<Stage> stages_;
    std::vector<Block>& blocks_;
    Relaxations relaxations_;
    std::vector<polhode_shared::DrivenRows> relaxation_rows_;
    std::vector<std::vector<double>> of_time_;
    std::vector<polhode_shared::DrivenKick> kicks_;
    ArrayWork* work_;
    std::vector<std::uint64_t> failures_;
    polhode_shared::DrivenJob job_{};
  };

  void add_stages(BlockPasses& passes, std::span<Stage> stages, std::vector<Block>& blocks, const Block* from,
                  const std::vector<std::vector<Vector<double>>>& torques, ArrayWork* work = nullptr) const {
    const auto all = std::make_shared<StagesOfAll>(*this, stages, blocks, from, torques, work);
    passes.add([all](std::size_t first, std::size_t last) { all->advance(first, last); },
               [all] { all->examine(); });
  }

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
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        if ((failures[i] >> lane & 1U) == 0) continue;
        first = std::min(first, {failures[i] >> lanes, members_.body_at()[i * lanes + lane]});
      }
    }
    members_.throw_not_finite(first.second, blocks, time_of(stages[first.first]));
  }

  /// What advance() needs beside the blocks, kept for the next call. A copy of the batch has its own.
  struct Spare {
    std::vector<Block> blocks;
    ArrayWork work;

    Spare() = default;
    Spare(const Spare&) {}
    Spare(Spare&&) = default;
    Spare& operator=(const Spare&) { return *this; }
    Spare& operator=(Spare&&) = default;
    ~Spare() = default;
  };

  const BatchFunctions* functions_;
  OwnScheme scheme_;
  MomentumFlow<double> momentum_flow_;
  ArrayTorques arrays_;
  DrivenMembers members_;
  std::vector<Block> blocks_;
  Spare spare_;
  std::shared_ptr<const void> kinds_;
  std::shared_ptr<Workers> workers_;  // copies share them; who comes second works alone
  SplittingClock<double> clock_;
  std::int64_t evaluations_ = 0;
  unsigned threads_ = 1;
};

}  // namespace POLHODE_CORE

namespace polhode {
using core::DrivenBatch;
}  // namespace polhode
