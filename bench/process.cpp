#include "bench/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace tessera::bench {
namespace {

constexpr std::chrono::seconds patience{20};  ///< for a server to start, or to stop
constexpr std::chrono::milliseconds between_looks{5};

/// What stands in a file from `offset` on.
std::string content(const std::string& path, std::streamoff offset) {
  std::ifstream file(path);
  file.seekg(offset);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Only what is allowed between fork and exec.
[[noreturn]] void become(char* const* arguments, int log) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);  // so that Ctrl-C ends the load, which then ends its server
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv("/proc/self/exe", arguments);
  _exit(127);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tessera-load-XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Expected<std::unique_ptr<Child>> Child::start(const std::vector<std::string>& arguments, const std::string& log) {
  std::vector<std::string> words{"tessera"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return Error{fmt::format("cannot write {}", log)};
  const off_t begin = lseek(file, 0, SEEK_END);
  const pid_t pid = fork();
  if (pid == 0) become(pointers.data(), file);
  close(file);
  if (pid < 0) return Error{"cannot start a further process"};
  std::unique_ptr<Child> child(new Child(pid));

  constexpr std::string_view announces = "listening on ";
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    const bool ended = child->ended(WNOHANG);
    const std::string printed = content(log, begin);
    const std::size_t found = printed.find(announces);
    const std::size_t end = found == std::string::npos ? found : printed.find('\n', found);
    if (end != std::string::npos) {
      const std::size_t url = found + announces.size();
      const auto address = parse_address(std::string_view(printed).substr(url, end - url));
      if (!address) return address.error();
      child->address_ = *address;
      return child;
    }
    if (ended) {
      return Error{fmt::format("tessera {} ended before it listened: {}", arguments.front(), last_line(printed))};
    }
    std::this_thread::sleep_for(between_looks);
  }
  return Error{fmt::format("tessera {} has not listened within {} s", arguments.front(), patience.count())};
}

Child::~Child() {
  if (!running_) return;
  ::kill(pid_, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (ended(WNOHANG)) return;
    std::this_thread::sleep_for(between_looks);
  }
  kill();
}

void Child::kill() {
  if (!running_) return;
  ::kill(pid_, SIGKILL);
  ended(0);
}

bool Child::ended(int options) {
  if (running_ && waitpid(pid_, nullptr, options) == pid_) running_ = false;
  return !running_;
}

std::uint64_t Child::cpu_ns() const {
  std::uint64_t sum = 0;
  std::error_code gone;
  for (const auto& thread : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid_), gone)) {
    std::uint64_t ran = 0;
    std::ifstream(thread.path() / "schedstat") >> ran;
    sum += ran;
  }
  return sum;
}

std::uint64_t Child::rss_kb() const {
  std::ifstream file(fmt::format("/proc/{}/statm", pid_));
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

Expected<std::unique_ptr<Child>> start_server(const TemporaryFolder& folder, const ServerSettings& settings) {
  const std::string database = settings.database.empty() ? folder.file("tessera.db") : settings.database;
  std::vector<std::string> arguments{"serve",      "--bench", "--port", std::to_string(settings.port),
                                     "--database", database};
  if (!settings.bus.empty()) arguments.insert(arguments.end(), {"--bus", settings.bus});
  return Child::start(arguments, folder.file("server.log"));
}

std::optional<Error> allow_open_files(std::uint64_t count) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= count) return std::nullopt;
  limit.rlim_cur = count;
  limit.rlim_max = std::max<rlim_t>(limit.rlim_max, count);
  if (setrlimit(RLIMIT_NOFILE, &limit) == 0) return std::nullopt;
  return Error{fmt::format("this load takes {} open files: raise the limit (ulimit -Hn {})", count, count)};
}

}  // namespace tessera::bench
