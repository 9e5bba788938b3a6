#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <chrono>
#include <sstream>
#include <thread>

#include "cli.hpp"
#include "server/testing.hpp"
#include "store/testing.hpp"

/// `tessera serve` as a process of a test.
namespace tessera {

/// A running server.
class Serving {
 public:
  Serving(const std::vector<std::string>& arguments, std::string out, std::string err,
          const std::string& program = TESSERA_PROGRAM)
      : out_(std::move(out)), err_(std::move(err)), pid_(fork()) {
    if (pid_ != 0) return;
    dup2(::open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    std::vector<const char*> words{program.c_str(), "serve"};
    for (const std::string& argument : arguments) words.push_back(argument.c_str());
    words.push_back(nullptr);
    execv(program.c_str(), const_cast<char**>(words.data()));
    _exit(127);
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  ~Serving() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  /// The port, once it is served.
  int port() {
    const auto until = std::chrono::steady_clock::now() + server::patience;
    while (port_ == 0 && std::chrono::steady_clock::now() < until) {
      const std::string said = text_of(out_);
      const auto at = said.find("listening on http://127.0.0.1:");
      if (at != std::string::npos && said.find('\n', at) != std::string::npos) {
        port_ = std::atoi(said.c_str() + at + std::string_view("listening on http://127.0.0.1:").size());
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    }
    EXPECT_NE(port_, 0) << text_of(out_) << text_of(err_);
    return port_;
  }
  void signal(int number) const { kill(pid_, number); }
  void limit_files(rlim_t most) const {
    const rlimit limit{most, most};
    ASSERT_EQ(prlimit(pid_, RLIMIT_NOFILE, &limit, nullptr), 0);
  }
  /// Its time on the processor so far.
  double cpu_s() const {
    std::istringstream words(text_of("/proc/" + std::to_string(pid_) + "/stat"));
    std::string word;
    for (int i = 1; i < 14; ++i) words >> word;
    double user = 0;
    double system = 0;
    words >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  /// The exit code; -1 when it was killed.
  int ended() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string out() const { return text_of(out_); }
  std::string err() const { return text_of(err_); }

 private:
  static std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::string out_;
  std::string err_;
  pid_t pid_;
  int port_ = 0;
};

class Serve : public Cli {
 protected:
  std::string database() const { return " --database '" + where_ + "'"; }
  std::unique_ptr<Store> store() const { return opened(where_); }
  std::unique_ptr<Serving> serve(std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"--port", "0", "--database", where_});
    std::filesystem::remove(path("out"));  // an earlier server's port
    return std::make_unique<Serving>(arguments, path("out"), path("err"));
  }

  std::string where_ = path("tessera.db");  ///< the database
};

}  // namespace tessera
