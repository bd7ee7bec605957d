// The processes of a run on many machines, as mpirun starts them; one process otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace polhode::program {

/// Rank 0 has the checkpoints and the report; the others compute and send it their records. Only the thread that made
/// this object may use it.
class Ranks {
 public:
  /// Joins the other processes if there are any. Throws ScenarioError if there are and this build knows no MPI.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool first() const { return rank_ == 0; }

  /// What rank 0 has, for all. Waits without burning the processor: others may be measuring time on it.
  void broadcast(std::vector<std::uint64_t>& numbers);

  /// A finished unit, or (without one) the word that this rank has no more.
  struct Message {
    std::optional<std::size_t> unit;
    std::vector<double> record;
  };
  void send(const Message& message);  ///< to rank 0
  std::optional<Message> receive();   ///< at rank 0, if one has come

  /// At rank 0: asks the others to leave what they compute. Each says, as ever, that it has no more.
  void stop_helpers();
  bool told_to_stop();  ///< at the others, whether that was asked

  /// Ends all processes: rank 0 cannot go on, and the others may be waiting for it.
  [[noreturn]] void abort(int status);

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace polhode::program
