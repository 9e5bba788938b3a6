#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <csignal>
#include <fstream>

#include "server/testing.hpp"
#include "store/store.hpp"
#include "store/testing.hpp"

/// Several servers at one PostgreSQL, joined by NATS or by the database alone.
namespace tessera::server {

/// A NATS server of our own, which can be stopped and started again at the same address.
class NatsServer {
 public:
  NatsServer() : port_(free_port()) { start(); }
  ~NatsServer() { stop(); }
  NatsServer(const NatsServer&) = delete;
  NatsServer& operator=(const NatsServer&) = delete;

  void start() {
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const std::string port = std::to_string(port_);
      ::execlp("nats-server", "nats-server", "-a", "127.0.0.1", "-p", port.c_str(), "-l", "/dev/null", nullptr);
      ::_exit(127);
    }
    const auto until = std::chrono::steady_clock::now() + patience;
    while (Wire(port_).handle() < 0 && std::chrono::steady_clock::now() < until) ::usleep(10'000);
  }
  void stop() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  int port() const { return port_; }
  std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }

 private:
  int port_;
  pid_t process_ = -1;
};

class Several : public ServerTest {
 protected:
  Several() {
    config_.database = postgres().new_database();
    config_.departure_ms = 500;
  }
  ~Several() override { servers_.clear(); }

  void start(int count) {
    for (int i = 0; i < count; ++i) add();
  }
  void start_with_bus(int count) {
    config_.bus = nats_.emplace().url();
    start(count);
  }
  int add() {
    Config config = config_;
    config.port = 0;
    auto server = Server::start(config, all_games());
    EXPECT_TRUE(server) << server.error().sentence;
    servers_.push_back(std::move(*server));
    config_.port = servers_.front()->port();
    return static_cast<int>(servers_.size()) - 1;
  }
  Visitor at(Visitor visitor, int server) const {
    visitor.port = servers_[static_cast<std::size_t>(server)]->port();
    return visitor;
  }
  std::string health(int server) const { return at({}, server).get("/api/health").json().value("bus", ""); }
  /// A table with all seats taken, each by a program of its own.
  std::string table(const Json& settings, int seats) {
    for (int seat = 0; seat < seats; ++seat) people_.push_back(program("Seat " + std::to_string(seat)));
    const std::string id = make_table(people_.front(), settings);
    for (int seat = 0; seat < seats; ++seat) {
      const Reply sat = people_[static_cast<std::size_t>(seat)].command(id, {{"id", 1}, {"do", "sit"}, {"seat", seat}});
      EXPECT_EQ(sat.status, 200) << sat.body;
    }
    return id;
  }
  /// All connections to the database are lost, and until it is back none can be made.
  void database_goes() const {
    postgres().execute("postgres", "ALTER DATABASE " + database() + " ALLOW_CONNECTIONS false");
    postgres().execute("postgres",
                       "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database() + "'");
  }
  void database_comes() const {
    postgres().execute("postgres", "ALTER DATABASE " + database() + " ALLOW_CONNECTIONS true");
  }
  std::string database() const {
    const auto name = config_.database.substr(config_.database.rfind("@/") + 2);
    return name.substr(0, name.find('?'));
  }
  void sql(const std::string& statements) const { PostgresServer::execute_at(config_.database, statements); }
  double metric(const std::string& name, int server) const {
    const std::string text = '\n' + at({}, server).get("/metrics").body;
    const auto line = text.find('\n' + name + ' ');
    return line == std::string::npos ? -1 : std::stod(text.substr(line + name.size() + 2));
  }

  std::optional<NatsServer> nats_;
  std::vector<std::unique_ptr<Server>> servers_;
  std::vector<Visitor> people_;
};

}  // namespace tessera::server
