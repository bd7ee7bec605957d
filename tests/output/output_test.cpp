#include "hdf5/hdf5_output.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <random>
#include <sstream>

#include "scenario/error.hpp"
#include "tests/output/temporary_folder.hpp"
#include "text/text.hpp"

namespace polhode::program {

using namespace core;
namespace {

using polhode::testing::contents;
using polhode::testing::TemporaryFolder;

Provenance provenance() {
  Provenance p;
  p.scenario = "[system]\nkind = \"free-body\"\n";
  p.description.system = "free-body";
  p.description.method = "exact";
  p.description.step = 0.1;
  p.description.state = {{"momentum", 3, 1, "momentum"}, {"attitude", 4, 0, "attitude"}};
  p.description.derived = {{"speed", 2, 1, "speed"}, {"height", 1, 1, "height", false}};
  p.description.invariants = {{"energy", 1, 1, "energy"}};
  p.steps = 12345678901234;
  p.every = 10;
  return p;
}

/// Rows of doubles of all sizes, more of them than a block of the HDF5 writer has.
std::vector<std::vector<double>> random_rows() {
  std::mt19937_64 random(7);
  std::vector<std::vector<double>> rows(2500, std::vector<double>(12));
  for (auto& row : rows)
    for (double& x : row) do
        x = std::bit_cast<double>(random());
      while (!std::isfinite(x));
  return rows;
}

void write(const std::string& file, const std::vector<std::vector<double>>& rows,
           Ending ending = Ending::completed) {
  const auto output = open_output(file, provenance(), all_formats());
  for (const auto& row : rows) output->record(row);
  EXPECT_FALSE(std::filesystem::exists(file));
  output->finish(ending, 42);
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_FALSE(std::filesystem::exists(file + ".partial"));
}

TEST(Output, CsvReadsBackToTheBit) {
  const TemporaryFolder folder;
  const auto rows = random_rows();
  write(folder / "a.csv", rows, Ending::interrupted);
  std::istringstream lines(contents(folder / "a.csv"));
  std::string line, comments;
  while (std::getline(lines, line) && line.starts_with("#")) comments += line + "\n";
  EXPECT_TRUE(comments.starts_with("# polhode 0.")) << comments;
  EXPECT_NE(comments.find("kind = \"free-body\""), std::string::npos);
  EXPECT_EQ(line,
            "t,momentum_1,momentum_2,momentum_3,attitude_0,attitude_1,attitude_2,attitude_3,energy_error,"
            "speed_1,speed_2,height");
  for (const auto& row : rows) {
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream cells(line);
    std::string cell;
    for (const double x : row) {
      ASSERT_TRUE(std::getline(cells, cell, ','));
      ASSERT_EQ(std::strtod(cell.c_str(), nullptr), x);
    }
  }
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(line, "# interrupted at step 42");
  EXPECT_FALSE(std::getline(lines, line));
}

std::string text_attribute(hid_t file, const char* name) {
  const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT), type = H5Aget_type(attribute);
  char* text = nullptr;
  EXPECT_GE(H5Aread(attribute, type, &text), 0) << name;
  std::string result(text == nullptr ? "" : text);
  H5free_memory(text);
  H5Tclose(type);
  H5Aclose(attribute);
  return result;
}

TEST(Output, Hdf5ReadsBackToTheBit) {
  const TemporaryFolder folder;
  const auto rows = random_rows();
  write(folder / "a.h5", rows);
  const hid_t file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  std::size_t first = 0;
  for (const Quantity& q : recorded_quantities(provenance().description)) {
    const hid_t dataset = H5Dopen2(file, q.name.c_str(), H5P_DEFAULT), space = H5Dget_space(dataset);
    std::array<hsize_t, 2> extent{0, 1};
    EXPECT_EQ(H5Sget_simple_extent_dims(space, extent.data(), nullptr), q.size == 1 ? 1 : 2) << q.name;
    ASSERT_EQ(extent[0], rows.size());
    ASSERT_EQ(extent[1], q.size);
    std::vector<double> numbers(rows.size() * q.size);
    ASSERT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < q.size; ++j) ASSERT_EQ(numbers[i * q.size + j], rows[i][first + j]);
    first += q.size;
    H5Sclose(space);
    H5Dclose(dataset);
  }
  EXPECT_EQ(text_attribute(file, "scenario"), provenance().scenario);
  EXPECT_EQ(text_attribute(file, "method"), "exact");
  EXPECT_EQ(text_attribute(file, "ending"), "completed");
  const hid_t steps = H5Aopen(file, "steps", H5P_DEFAULT);
  std::int64_t count = 0;
  EXPECT_GE(H5Aread(steps, H5T_NATIVE_INT64, &count), 0);
  EXPECT_EQ(count, 12345678901234);
  H5Aclose(steps);
  H5Fclose(file);
}

TEST(Output, WithoutAnEndThereIsNoFileAndAnOlderOneStays) {
  for (const char* name : {"a.csv", "a.h5"}) {
    const TemporaryFolder folder;
    folder.write(name, "older");
    {
      const auto output = open_output(folder / name, provenance(), all_formats());
      output->record(std::vector<double>(12));
    }
    EXPECT_EQ(contents(folder / name), "older");
    EXPECT_FALSE(std::filesystem::exists(folder / (std::string(name) + ".partial")));
  }
}

TEST(Output, LinksAreFollowed) {
  const TemporaryFolder folder;
  folder.write("target.csv", "older");
  std::filesystem::create_symlink(folder / "target.csv", folder / "link.csv");
  const auto output = open_output(folder / "link.csv", provenance(), all_formats());
  output->finish(Ending::completed, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.csv"));
  EXPECT_TRUE(contents(folder / "target.csv").starts_with("# polhode"));
}

TEST(Output, NamesThatCannotBeFilesAreRefused) {
  const TemporaryFolder folder;
  for (const std::string& name :
       {folder / "a.txt", folder / "a", folder / "none/a.csv", folder / "none/a.h5"})
    EXPECT_THROW(open_output(name, provenance(), all_formats()), ScenarioError) << name;
  std::filesystem::create_directory(folder / "d.csv");
  EXPECT_THROW(open_output(folder / "d.csv", provenance(), all_formats()), ScenarioError);
}

TEST(Output, AFullDiskIsAFailedRun) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "a.csv");
  EXPECT_THROW(
      {
        const auto output = open_output(folder / "a.csv", provenance(), all_formats());
        output->finish(Ending::completed, 0);
      },
      RunError);
}

TEST(Output, TheSecondWriterIsRefused) {
  const TemporaryFolder folder;
  for (const char* name : {"a.csv", "a.h5"}) {
    const auto first = open_output(folder / name, provenance(), all_formats());
    EXPECT_THROW(open_output(folder / name, provenance(), all_formats()), ScenarioError);
    first->record(std::vector<double>(12));
    first->finish(Ending::completed, 1);
    EXPECT_TRUE(std::filesystem::exists(folder / name));
    open_output(folder / name, provenance(), all_formats())->finish(Ending::completed, 0);
  }
}

/// FILE.partial is made anew: what others have put there is not written to.
TEST(Output, NothingInTheWayIsWrittenTo) {
  const TemporaryFolder folder;
  folder.write("victim", "older");
  std::filesystem::create_symlink(folder / "victim", folder / "a.csv.partial");
  EXPECT_THROW(open_output(folder / "a.csv", provenance(), all_formats()), ScenarioError);
  std::filesystem::create_hard_link(folder / "victim", folder / "b.csv.partial");
  open_output(folder / "b.csv", provenance(), all_formats())->finish(Ending::completed, 0);
  EXPECT_TRUE(contents(folder / "b.csv").starts_with("# polhode"));
  EXPECT_EQ(contents(folder / "victim"), "older");
}

TEST(Output, ALinkToAFileThatIsNotThereIsFollowed) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "other");
  std::filesystem::create_symlink("other/target.csv", folder / "link.csv");
  open_output(folder / "link.csv", provenance(), all_formats())->finish(Ending::completed, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.csv"));
  EXPECT_TRUE(contents(folder / "other/target.csv").starts_with("# polhode"));
}

}  // namespace
}  // namespace polhode::program
