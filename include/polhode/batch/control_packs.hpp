// Kicks under torques of the angular velocity, of bodies that stand side by side in blocks.
#pragma once

#include <cstdint>

#include "polhode/arithmetic/compensated.hpp"
#include "polhode/batch/driven_kicks.hpp"
#include "polhode/splitting/momentum_change.hpp"

namespace POLHODE_CORE {

/// BatchFunctions::pass_controls: MomentumFlow::controlled_step, bit for bit.
class ControlPacks {
 public:
  using Job = polhode_shared::ControlJob;
  using Block = polhode_shared::CompensatedBlock;
  using Pass = polhode_shared::ControlPass;

  explicit ControlPacks(const Job& job) : job_(job) {}

  void pass(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      fetch_rows(job_.blocks, i, last, {0, 2, 4, 14});
      for (std::size_t lane = 0; lane < lanes; lane += Pack::width) pass_pack(i, lane);
    }
  }

 private:
  static constexpr std::size_t lanes = Block::lanes;

  [[gnu::flatten]] void pass_pack(std::size_t i, std::size_t lane) const {
    const Block& block = job_.blocks[i];
    if (job_.pass == Pass::show) return show(i, lane, load(job_.places, i, lane));
    if (job_.pass == Pass::first) return want(i, lane, momentum(i, lane));
    const Vector<Pack> rate = rate_at_place(i, lane);
    if (job_.pass == Pass::take) return store(rate, job_.rates[0], i, lane);
    const Vector<Pack> p = momentum(i, lane);
    const Pack inner = Pack(job_.length) * Pack::load(&block.units[0][lane]);
    switch (job_.pass) {
      case Pass::middle:
        store(rate, job_.rates[0], i, lane);
        return want(i, lane, explicit_kick::middle(p, inner, rate));
      case Pass::again:
        store(rate, job_.rates[1], i, lane);
        // Where the explicit formulas end, the function is not asked at another place.
        return want(i, lane,
                    select_components(is_smooth(i, lane, rate), explicit_kick::middle(p, inner, rate), p,
                                      Components()));
      case Pass::last:
        store(rate, job_.rates[2], i, lane);
        return want(i, lane,
                    select_components(closed(i, lane), explicit_kick::end(p, inner, rate), p, Components()));
      default:
        break;
    }
    if (job_.is_midpoint) {
      const Pack::Mask smooth = is_smooth(i, lane, rate);
      if (job_.open[i] != 0) store(rate, job_.rates[1], i, lane);
      return add(i, lane, smooth, inner * rate);
    }
    add(i, lane, closed(i, lane),
        explicit_kick::change(inner, load(job_.rates[0], i, lane), load(job_.rates[1], i, lane),
                              load(job_.rates[2], i, lane), rate));
  }

  using Components = std::make_index_sequence<3>;

  static Vector<Pack> load(const double* rows, std::size_t i, std::size_t lane) {
    const double* const at = rows + i * 3 * lanes + lane;
    return {Pack::load(at), Pack::load(at + lanes), Pack::load(at + 2 * lanes)};
  }
  static void store(const Vector<Pack>& v, double* rows, std::size_t i, std::size_t lane) {
    for (std::size_t k = 0; k < 3; ++k) v[k].store(rows + (i * 3 + k) * lanes + lane);
  }

  Vector<Pack> momentum(std::size_t i, std::size_t lane) const {
    if (job_.momentum != nullptr) return load(job_.momentum, i, lane);
    const Block& block = job_.blocks[i];
    return {Pack::load(&block.sums[0][lane]), Pack::load(&block.sums[1][lane]),
            Pack::load(&block.sums[2][lane])};
  }

  void want(std::size_t i, std::size_t lane, const Vector<Pack>& place) const {
    if (job_.places != nullptr) store(place, job_.places, i, lane);
    show(i, lane, place);
  }
  /// UserFrame::shown of the angular velocity.
  void show(std::size_t i, std::size_t lane, const Vector<Pack>& place) const {
    const KickRows rows(job_.inverse, i * lanes + lane), frames(job_.frames, i * lanes + lane);
    const Pack none(0.0);
    const Matrix<Pack> inverse =
        job_.is_diagonal ? Matrix<Pack>({rows.number(0), none, none}, {none, rows.number(1), none},
                                        {none, none, rows.number(2)})
                         : rows.matrix(0);
    const Pack unit = Pack::load(&job_.blocks[i].units[0][lane]);
    Vector<Pack> omega = unit * (inverse * place);
    if (is_turned(frames))
      omega = driven_kicks::chosen(frames.number(9), transpose(frames.matrix(0)) * omega, omega);
    for (std::size_t k = 0; k < Pack::width; ++k)
      for (std::size_t c = 0; c < 3; ++c)
        job_.omega[3 * std::size_t{job_.body_at[i * lanes + lane + k]} + c] = omega[c][k];
  }
  static bool is_turned(const KickRows& frames) { return any_lane(is_less(Pack(0.0), frames.number(9))); }

  /// The rate of what the functions have found at the places.
  Vector<Pack> rate_at_place(std::size_t i, std::size_t lane) const {
    const KickRows frames(job_.frames, i * lanes + lane);
    const bool turned = is_turned(frames);
    Vector<Pack> sum{};
    if (job_.own != nullptr) sum = load(job_.own, i, lane);
    for (std::size_t n = 0; n < job_.torque_count; ++n) {
      Vector<Pack> torque;
      for (std::size_t k = 0; k < Pack::width; ++k)
        for (std::size_t c = 0; c < 3; ++c)
          torque[c].set(k, job_.torques[n][3 * std::size_t{job_.body_at[i * lanes + lane + k]} + c]);
      if (turned) torque = driven_kicks::chosen(frames.number(9), frames.matrix(0) * torque, torque);
      sum = n == 0 && job_.own == nullptr ? torque : sum + torque;
    }
    examine(i, lane, sum);
    Vector<Pack> rate = job_.kicks == nullptr ? Vector<Pack>{} : load(job_.kicks, i, lane);
    rate = rate + Pack::load(&job_.blocks[i].units[1][lane]) * sum;
    if (job_.damping.numbers == nullptr) return rate;
    const KickRows damping(job_.damping, i * lanes + lane);
    return driven_kicks::chosen(damping.number(9), rate - damping.matrix(0) * load(job_.places, i, lane),
                                rate);
  }

  void examine(std::size_t i, std::size_t lane, const Vector<Pack>& t) const {
    const Pack sum = (t[0] + t[1]) + t[2], zero = sum - sum;
    unsigned bad = Pack::all_lanes & ~lanes_within(Pack(-1.0), zero, zero, Pack(1.0));
    const unsigned open = unsigned{job_.open[i]} >> lane & Pack::all_lanes;
    if (job_.pass == Pass::take) bad &= open;
    if (job_.pass == Pass::last || (job_.pass == Pass::add && !job_.is_midpoint)) bad &= ~open;
    if (bad == 0 || job_.failures[i] != 0) [[likely]]
      return;
    std::size_t k = 0;
    while ((bad >> k & 1U) == 0) ++k;
    job_.failures[i] = 1 + lane + k;
  }

  /// Whether the rate in the middle is near enough to the first; where not, the lane is opened.
  Pack::Mask is_smooth(std::size_t i, std::size_t lane, const Vector<Pack>& rate) const {
    const Vector<Pack> first = load(job_.rates[0], i, lane);
    const Pack::Mask smooth = explicit_kick::is_smooth(first, rate);
    const unsigned others = Pack::all_lanes & ~Pack::lanes_of(smooth);
    job_.open[i] = static_cast<std::uint8_t>(job_.open[i] | others << lane);
    return smooth;
  }
  Pack::Mask closed(std::size_t i, std::size_t lane) const {
    Pack number;
    for (std::size_t k = 0; k < Pack::width; ++k) number.set(k, job_.open[i] >> (lane + k) & 1);
    return is_less(number, Pack(0.5));
  }

  /// Motion::add_momentum.
  void add(std::size_t i, std::size_t lane, const Pack::Mask& where, const Vector<Pack>& change) const {
    Block& block = job_.blocks[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const Compensated<Pack> before{Pack::load(&block.sums[k][lane]), Pack::load(&block.sums[3 + k][lane])};
      Compensated<Pack> sum = before;
      sum.add(change[k]);
      select(where, sum.value, before.value).store(&block.sums[k][lane]);
      select(where, sum.error, before.error).store(&block.sums[3 + k][lane]);
    }
  }

  const Job& job_;
};

}  // namespace POLHODE_CORE
