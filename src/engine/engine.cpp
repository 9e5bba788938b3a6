#include "engine/engine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "core/text.hpp"

namespace tessera {
namespace {

constexpr std::size_t longest_line = 1 << 16;

std::chrono::steady_clock::time_point after(double seconds) {
  return std::chrono::steady_clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6));
}

/// Waits until something can be read or written; false: the time is over.
bool wait_for(int socket, short what, std::chrono::steady_clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{socket, what, 0};
    const int found = poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
    if (found > 0) return true;
    if (found < 0 && errno != EINTR) return true;  // reading or writing will say what is wrong
  }
}

/// How a process ended, "it crashed (signal 11)".
std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("it crashed (signal {})", WTERMSIG(status));
  if (WEXITSTATUS(status) == 127) return "it could not be started";
  return fmt::format("it ended (exit code {})", WEXITSTATUS(status));
}

}  // namespace

bool can_run(std::string_view command) {
  const std::string program(command.substr(0, command.find(' ')));
  if (program.empty()) return false;
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "" : path, ':')) {
    if (access((std::string(folder) + '/' + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

Engine::~Engine() { end(); }

Expected<Engine::Choice> Engine::choose(std::span<const std::string> seat_transcript) {
  auto choice = ask(seat_transcript);
  if (!choice) end();
  return choice;
}

Expected<Engine::Choice> Engine::ask(std::span<const std::string> seat_transcript) {
  if (process_ < 0) {
    if (auto problem = start()) return *problem;
  }
  // 1. The position, and how long it may think.
  std::string text = request_text({.kind = Request::Kind::position}) + '\n';
  for (const std::string& line : seat_transcript) text += line + '\n';
  text += request_text({.kind = Request::Kind::go, .seconds = limits_.thinking}) + '\n';
  const double seconds = limits_.thinking + limits_.grace;
  const Time until = after(seconds);
  if (auto problem = send(text, until, seconds)) return *problem;
  // 2. Its move, and whatever it says before.
  Choice choice;
  for (;;) {
    const auto line = read_line(until, seconds);
    if (!line) return line.error();
    const auto answer = parse_answer(*line);
    if (!answer) return Error{"it said " + answer.error().sentence};
    if (answer->kind == EngineAnswer::Kind::error) return Error{fmt::format("it gave up: {}", in_quotes(answer->text))};
    if (answer->kind == EngineAnswer::Kind::chance) choice.chance = answer->chance;
    if (answer->kind == EngineAnswer::Kind::move) {
      choice.move = answer->text;
      return choice;
    }
  }
}

std::optional<Error> Engine::start() {
  // 1. The program, in a process group of its own, so that its children end with it. A socket stands for its standard
  //    input and output: writing to one that is closed is an error value, where a pipe's would be a signal.
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return Error{"it could not be started"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string exec = "exec " + command_;
  std::string shell = "sh";
  std::string flag = "-c";
  char* arguments[] = {shell.data(), flag.data(), exec.data(), nullptr};
  const int problem = posix_spawn(&process_, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(sockets[1]);
  socket_ = sockets[0];
  if (problem != 0) {
    process_ = -1;
    return Error{"it could not be started"};
  }
  fcntl(socket_, F_SETFL, fcntl(socket_, F_GETFL) | O_NONBLOCK);
  // 2. Its introduction.
  const Time until = after(limits_.start);
  const std::string hello = request_text({.kind = Request::Kind::hello, .version = engine_protocol}) + '\n';
  if (auto refused = send(hello, until, limits_.start)) return refused;
  for (;;) {
    const auto line = read_line(until, limits_.start);
    if (!line) return line.error();
    const auto answer = parse_answer(*line);
    if (!answer) return Error{"it said " + answer.error().sentence};
    if (answer->kind == EngineAnswer::Kind::error) return Error{fmt::format("it gave up: {}", in_quotes(answer->text))};
    if (answer->kind == EngineAnswer::Kind::name) name_ = answer->text;
    if (answer->kind == EngineAnswer::Kind::ready) return std::nullopt;
  }
}

std::optional<Error> Engine::send(std::string_view text, Time until, double seconds) {
  while (!text.empty()) {
    if (!wait_for(socket_, POLLOUT, until)) return Error{fmt::format("it read nothing for {:g} seconds", seconds)};
    const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno != EAGAIN && errno != EINTR) {
      return std::nullopt;  // it has ended: reading will say how
    }
  }
  return std::nullopt;
}

Expected<std::string> Engine::read_line(Time until, double seconds) {
  for (;;) {
    if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (unread_.size() > longest_line) return Error{"it wrote a line without end"};
    if (!wait_for(socket_, POLLIN, until)) return Error{fmt::format("it was silent for {:g} seconds", seconds)};
    char buffer[4096];
    const ssize_t got = recv(socket_, buffer, sizeof buffer, 0);
    if (got > 0) {
      unread_.append(buffer, static_cast<std::size_t>(got));
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      // It closed its output: mostly because it has ended.
      int status = 0;
      for (int i = 0; i < 100; ++i) {
        if (waitpid(process_, &status, WNOHANG) == process_) {
          kill(-process_, SIGKILL);
          process_ = -1;
          return Error{how_it_ended(status)};
        }
        usleep(1000);
      }
      return Error{"it closed its output"};
    }
  }
}

/// Asks it to quit, and makes it.
void Engine::end() {
  if (process_ >= 0) {
    const std::string quit = request_text({.kind = Request::Kind::quit}) + '\n';
    static_cast<void>(::send(socket_, quit.data(), quit.size(), MSG_NOSIGNAL));
    shutdown(socket_, SHUT_WR);
    bool ended = false;
    for (int i = 0; i < 20 && !ended; ++i) {
      ended = waitpid(process_, nullptr, WNOHANG) == process_;
      if (!ended) usleep(5000);
    }
    kill(-process_, SIGKILL);
    if (!ended) waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  unread_.clear();
}

}  // namespace tessera
