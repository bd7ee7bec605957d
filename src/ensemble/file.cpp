#include "ensemble/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "hdf5/hdf5_file.hpp"
#include "polhode/version.hpp"
#include "run/interrupt.hpp"
#include "run/progress.hpp"
#include "scenario/error.hpp"

namespace polhode::program {

namespace {

std::vector<hsize_t> extents_of(hsize_t first, const Quantity& q) {
  return q.size == 1 ? std::vector<hsize_t>{first} : std::vector<hsize_t>{first, q.size};
}

std::optional<double> as_number(const Value& v) {
  if (const auto* const real = std::get_if<double>(&v.content)) return *real;
  if (const auto* const integer = std::get_if<std::int64_t>(&v.content)) return static_cast<double>(*integer);
  return std::nullopt;
}

/// A number or an array of numbers as numbers; nothing for anything else.
std::optional<std::vector<double>> as_numbers(const Value& v) {
  const auto* const array = std::get_if<Array>(&v.content);
  std::vector<double> result;
  for (const Value& entry : array != nullptr ? *array : Array{v}) {
    const auto x = as_number(entry);
    if (!x) return std::nullopt;
    result.push_back(*x);
  }
  return result;
}

/// /members/KEY: numbers where all members have equally many, text otherwise.
void write_values(const Hdf5File& file, const EnsemblePlan& plan, const Variation& v) {
  const std::string path = "/members/" + v.key().text(), meaning = "varied: " + v.distribution();
  std::vector<double> numbers;
  std::vector<std::string> texts;
  hsize_t size = 0;
  for (std::size_t i = 0; i < plan.members(); ++i) {
    const Value value = plan.value(v, i);
    const auto own = as_numbers(value);
    if (i == 0 && own) size = own->size();
    if (!own || own->size() != size || size == 0) break;
    numbers.insert(numbers.end(), own->begin(), own->end());
  }
  if (size > 0 && numbers.size() == plan.members() * size) {
    const bool scalar = !std::holds_alternative<Array>(plan.value(v, 0).content);
    const auto extents =
        scalar ? std::vector<hsize_t>{plan.members()} : std::vector<hsize_t>{plan.members(), size};
    file.write_part(file.dataset(path, extents, meaning), extents, 0, plan.members(), numbers.data());
    return;
  }
  for (std::size_t i = 0; i < plan.members(); ++i) {
    const Value value = plan.value(v, i);
    const auto* const text = std::get_if<std::string>(&value.content);
    texts.push_back(text != nullptr ? *text : toml_text(value));
  }
  file.texts(path, texts, meaning);
}

/// One quantity of all members: a block of trajectories at a time, and the last states together.
struct QuantityOfMembers {
  Quantity quantity;
  std::size_t column;
  std::vector<hsize_t> extents;
  Hdf5Handle trajectories;
  std::vector<double> block, last;
};

/// Behind what HDF5 has written, where its readers do not look: "polhode checksum " and that of all the bytes before, in
/// hexadecimal.
constexpr std::string_view seal_words = "polhode checksum ";
constexpr std::size_t seal_size = seal_words.size() + 17;

std::string seal_text(std::uint64_t sum) { return fmt::format("{}{:016x}\n", seal_words, sum); }

void append_checksum(const PartialFile& file) {
  const off_t size = ::lseek(file.descriptor(), 0, SEEK_END);
  const auto sum = size < 0 ? std::nullopt : checksum_of(file.descriptor(), static_cast<std::uint64_t>(size));
  const std::string text = sum ? seal_text(*sum) : "";
  if (!sum ||
      ::pwrite(file.descriptor(), text.data(), text.size(), size) != static_cast<ssize_t>(text.size()))
    throw RunError(file.name() + ": cannot be written: " + std::strerror(errno));
}

/// Whether the file is still what was written.
bool is_sealed(const std::string& name) {
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  const off_t size = file.is_open() ? ::lseek(file.number(), 0, SEEK_END) : -1;
  if (size < static_cast<off_t>(seal_size)) return false;
  const auto before = static_cast<std::uint64_t>(size) - seal_size;
  std::string text(seal_size, '\0');
  const auto sum = checksum_of(file.number(), before);
  return sum &&
         ::pread(file.number(), text.data(), text.size(), static_cast<off_t>(before)) ==
             static_cast<ssize_t>(seal_size) &&
         text == seal_text(*sum);
}

class Writer {
 public:
  Writer(std::unique_ptr<PartialFile> partial, const EnsemblePlan& plan, const EnsembleLayout& layout)
      : file_(std::move(partial)),
        plan_(plan),
        layout_(layout),
        statistics_(layout),
        summarizer_(plan, layout) {
    for (const char* group : {"/members", "/trajectories", "/final", "/errors", "/statistics",
                              "/statistics/count", "/statistics/mean", "/statistics/deviation",
                              "/statistics/rms", "/statistics/min", "/statistics/max"})
      file_.group(group);
    for (const Variation& v : plan.variations()) write_values(file_, plan, v);
    std::size_t column = 0;
    for (const Quantity& q : layout.row) {
      QuantityOfMembers own{q, column, {plan.members(), layout.rows()}, {}, {}, {}};
      if (q.size > 1) own.extents.push_back(q.size);
      if (column > 0) {
        own.trajectories = file_.dataset("/trajectories/" + q.name, own.extents, q.meaning);
      } else if (!layout.one_clock) {
        own.trajectories = file_.dataset("/time", own.extents, q.meaning);
      }
      quantities_.push_back(std::move(own));
      column += q.size;
    }
    largest_.resize(layout.description.invariants.size());
  }

  EnsembleSummary write(const RecordFile& checkpoint) {
    const std::size_t bytes = 8 * layout_.rows() * layout_.row_size;
    const std::size_t members_in_block = std::max<std::size_t>(1, (std::size_t{1} << 24) / bytes);
    std::vector<double> record(layout_.record_size());
    Progress progress(plan_.file() + ": writing");
    for (std::size_t member = 0; member < plan_.members(); ++member) {
      if (InterruptGuard::interrupted())
        throw RunError(plan_.file() + ": interrupted; the same command continues where it was");
      progress.update(static_cast<double>(member) / static_cast<double>(plan_.members()));
      checkpoint.read(member, record);
      take(member, MemberRecord(layout_, record));
      if ((member + 1) % members_in_block == 0 || member + 1 == plan_.members()) write_block(member + 1);
    }
    write_what_each_came_to();
    write_statistics();
    return summarizer_.summary(statistics_);
  }

  void finish(const std::string& identity, const EnsembleSummary& summary) {
    const auto say = [&](const char* name, const std::string& text) {
      file_.text_attribute(file_.id(), name, text);
    };
    say("polhode_version", std::string(polhode::version));
    say("scenario", plan_.text());
    say("system", layout_.description.system);
    say("method", layout_.description.method);
    file_.integer_attribute(file_.id(), "members", static_cast<std::int64_t>(plan_.members()));
    file_.integer_attribute(file_.id(), "seed", plan_.seed());
    say("summary", ensemble_text(plan_, layout_, summary));
    say("summary_json", ensemble_json(plan_, layout_, summary));
    say("identity", identity);
    for (QuantityOfMembers& q : quantities_) file_.check(q.trajectories.close());
    file_.finish(append_checksum);
  }

 private:
  void take(std::size_t member, const MemberRecord& record) {
    statistics_.add(record);
    summarizer_.add(member, record);
    if (clock_.empty() && static_cast<int>(record.ending()) == static_cast<int>(Ending::completed))
      for (std::size_t k = 0; k < layout_.rows(); ++k) clock_.push_back(record.row(k)[0]);
    for (QuantityOfMembers& q : quantities_) {
      const auto last = record.last().subspan(q.column, q.quantity.size);
      q.last.insert(q.last.end(), last.begin(), last.end());
      if (q.trajectories.id() < 0) continue;
      for (std::size_t k = 0; k < layout_.rows(); ++k) {
        const auto part = record.row(k).subspan(q.column, q.quantity.size);
        q.block.insert(q.block.end(), part.begin(), part.end());
      }
    }
    for (std::size_t i = 0; i < largest_.size(); ++i) largest_[i].push_back(record.largest()[i]);
    constraint_.push_back(record.constraint());
    endings_.push_back(static_cast<std::int64_t>(record.ending()));
    steps_.push_back(static_cast<std::int64_t>(record.steps()));
  }

  void write_block(std::size_t end) {
    for (QuantityOfMembers& q : quantities_) {
      if (q.trajectories.id() < 0) continue;
      file_.write_part(q.trajectories, q.extents, written_, end - written_, q.block.data());
      q.block.clear();
    }
    written_ = end;
  }

  void write_all(const std::string& path, const std::vector<hsize_t>& extents,
                 const std::vector<double>& numbers, const std::string& meaning) {
    file_.write_part(file_.dataset(path, extents, meaning), extents, 0, extents[0], numbers.data());
  }

  void write_what_each_came_to() {
    const hsize_t members = plan_.members();
    for (const QuantityOfMembers& q : quantities_)
      write_all("/final/" + q.quantity.name, extents_of(members, q.quantity), q.last, q.quantity.meaning);
    file_.integers("/final/ending", endings_,
                   "0 completed, 2 the state is not finite any more, 3 a step could not be taken");
    file_.integers("/final/steps", steps_, "steps that were taken");
    for (std::size_t i = 0; i < largest_.size(); ++i)
      write_all("/errors/" + layout_.description.invariants[i].name, {members}, largest_[i],
                "largest size of the error, over at least a thousand places of the run");
    write_all("/errors/constraint", {members}, constraint_,
              "largest size by which the constraints are missed");
    if (layout_.one_clock && !clock_.empty())
      write_all("/time", {layout_.rows()}, clock_, "time of the samples, user's units");
  }

  void write_statistics() {
    using Moments = EnsembleStatistics::Moments;
    const std::vector<std::pair<const char*, double Moments::*>> kinds{
        {"count", &Moments::count}, {"mean", &Moments::mean}, {"deviation", &Moments::deviation},
        {"rms", &Moments::rms},     {"min", &Moments::min},   {"max", &Moments::max}};
    for (const QuantityOfMembers& q : quantities_) {
      if (q.column == 0) continue;
      for (const auto& [name, part] : kinds) {
        std::vector<double> numbers;
        for (std::size_t k = 0; k < layout_.rows(); ++k)
          for (std::size_t i = 0; i < q.quantity.size; ++i)
            numbers.push_back(statistics_(k, q.column + i).*part);
        write_all(std::string("/statistics/") + name + "/" + q.quantity.name,
                  extents_of(layout_.rows(), q.quantity), numbers, "");
      }
    }
  }

  Hdf5File file_;
  const EnsemblePlan& plan_;
  const EnsembleLayout& layout_;
  EnsembleStatistics statistics_;
  EnsembleSummarizer summarizer_;
  std::vector<QuantityOfMembers> quantities_;
  std::vector<std::vector<double>> largest_;
  std::vector<double> constraint_, clock_;
  std::vector<std::int64_t> endings_, steps_;
  std::size_t written_ = 0;
};

std::optional<std::string> attribute_text(hid_t file, const char* name) {
  const Hdf5Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
  if (attribute.id() < 0) return std::nullopt;
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  char* text = nullptr;
  if (H5Tis_variable_str(type.id()) <= 0 || H5Aread(attribute.id(), type.id(), &text) < 0 || text == nullptr)
    return std::nullopt;
  std::string result(text);
  H5free_memory(text);
  return result;
}

}  // namespace

std::optional<EnsembleFileSays> read_ensemble_file(const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name, ignored) || std::filesystem::file_size(name, ignored) == 0)
    return std::nullopt;
  silence_hdf5();
  const Hdf5Handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file.id() >= 0) {
    const auto identity = attribute_text(file.id(), "identity"), text = attribute_text(file.id(), "summary"),
               json = attribute_text(file.id(), "summary_json");
    if (identity && text && json) return EnsembleFileSays{*identity, *text, *json, is_sealed(name)};
  }
  throw ScenarioError(name, "--output",
                      "is there and is not an ensemble of polhode; it is left as it is, --again replaces it");
}

EnsembleSummary write_ensemble_file(std::unique_ptr<PartialFile> partial, const EnsemblePlan& plan,
                                    const EnsembleLayout& layout, const RecordFile& checkpoint,
                                    const std::string& identity) {
  Writer writer(std::move(partial), plan, layout);
  const EnsembleSummary summary = writer.write(checkpoint);
  writer.finish(identity, summary);
  return summary;
}

}  // namespace polhode::program
