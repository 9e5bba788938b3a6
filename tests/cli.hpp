#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

/// Running the program from a test, in a folder of the test's own.
namespace tessera {

struct Ran {
  int exit_code;
  std::string out;
  std::string err;
};

class Cli : public testing::Test {
 protected:
  Cli() { std::filesystem::create_directories(folder_); }
  ~Cli() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  /// Runs the program; `arguments` are words for a shell.
  Ran run(const std::string& arguments, const std::string& input = "") const {
    return run_program(TESSERA_PROGRAM, arguments, input);
  }
  Ran run_program(const std::string& program, const std::string& arguments, const std::string& input = "") const {
    write("in", input);
    const std::string command =
        program + " " + arguments + " <" + path("in") + " >" + path("out") + " 2>" + path("err");
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status)) << command;
    return {WEXITSTATUS(status), read("out"), read("err")};
  }

  /// Wrong input: exit code 2, and one sentence on standard error that names what is wrong.
  void expect_refused(const std::string& arguments, const std::string& names) const {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.exit_code, 2) << arguments;
    EXPECT_NE(ran.err.find(names), std::string::npos) << arguments << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(ran.out, "") << arguments;
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("tessera_cli_test_" + std::to_string(getpid()));
};

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace tessera
