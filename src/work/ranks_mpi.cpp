#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "work/ranks.hpp"

namespace polhode::program {

namespace {

/// Without mpirun nothing of MPI is started: it takes its time, and needs more of a machine than we do.
bool launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MPI_LOCALNRANKS"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

/// Asleep: MPI's own waiting would take the core from the thread that computes on it.
void wait_for(MPI_Request& request) {
  for (int done = 0; done == 0;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

constexpr int record_tag = 1, end_tag = 2, stop_tag = 3;

}  // namespace

Ranks::Ranks() {
  if (!launched()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Ranks::~Ranks() {
  int started = 0;
  MPI_Initialized(&started);
  if (started != 0) MPI_Finalize();
}

void Ranks::broadcast(std::vector<std::uint64_t>& numbers) {
  if (size_ == 1) return;
  std::uint64_t length = numbers.size();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
  wait_for(request);
  numbers.resize(length);
  MPI_Ibcast(numbers.data(), static_cast<int>(length), MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
  wait_for(request);
}

void Ranks::send(const Message& message) {
  // The index travels as a number of its own before the record; 2^53 units are enough.
  std::vector<double> numbers;
  if (message.unit) {
    numbers.push_back(static_cast<double>(*message.unit));
    numbers.insert(numbers.end(), message.record.begin(), message.record.end());
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, 0,
            message.unit ? record_tag : end_tag, MPI_COMM_WORLD, &request);
  wait_for(request);
}

std::optional<Ranks::Message> Ranks::receive() {
  if (size_ == 1) return std::nullopt;
  int there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  std::vector<double> numbers(static_cast<std::size_t>(count));
  MPI_Recv(numbers.data(), count, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  if (status.MPI_TAG == end_tag) return Message{std::nullopt, {}};
  return Message{static_cast<std::size_t>(numbers[0]), {numbers.begin() + 1, numbers.end()}};
}

void Ranks::stop_helpers() {
  for (int rank = 1; rank < size_; ++rank) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(nullptr, 0, MPI_DOUBLE, rank, stop_tag, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);  // it carries nothing, and nobody waits for it
  }
}

bool Ranks::told_to_stop() {
  if (size_ == 1) return false;
  int there = 0;
  MPI_Iprobe(0, stop_tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  if (there == 0) return false;
  MPI_Recv(nullptr, 0, MPI_DOUBLE, 0, stop_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return true;
}

void Ranks::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

}  // namespace polhode::program
