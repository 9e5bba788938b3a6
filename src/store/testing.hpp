#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "store/store.hpp"

/// Databases for tests.
namespace tessera {

class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(mkdtemp((std::filesystem::temp_directory_path() / "tessera-store-XXXXXX").string().data())) {}
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// A PostgreSQL of our own on a socket in a temporary folder. It ends with this process, however that ends.
class PostgresServer {
 public:
  PostgresServer() {
    const std::filesystem::path folder =
        mkdtemp((std::filesystem::temp_directory_path() / "tessera-postgres-XXXXXX").string().data());
    std::string as_user;
    if (getuid() == 0) {  // PostgreSQL refuses to run as root
      const passwd* user = getpwnam("postgres");
      if (user == nullptr || chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0) std::abort();
      as_user = "runuser -u postgres -- ";
    }
    std::string programs;
    for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql")) {
      programs = (version.path() / "bin").string();
    }
    const std::string data = (folder / "data").string();
    const std::string log = (folder / "log").string();
    command(fmt::format("{}{}/initdb -D {} -A trust -U postgres -N >/dev/null", as_user, programs, data));
    command(
        fmt::format("{}{}/pg_ctl -D {} -l {} -w -o \"-c unix_socket_directories={} -c listen_addresses='' "
                    "-c fsync=off -c max_connections=50\" start >/dev/null",
                    as_user, programs, data, log, folder.string()));
    // Waits for the end of its input, which comes when this process closes it or is no more.
    keeper_ = popen(fmt::format("cat >/dev/null; {}{}/pg_ctl -D {} -m immediate stop >/dev/null; rm -rf {}", as_user,
                                programs, data, folder.string())
                        .c_str(),
                    "we");
    host_ = folder.string();
  }
  ~PostgresServer() { pclose(keeper_); }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  std::string url(const std::string& database, const std::string& user = "postgres") const {
    return fmt::format("postgresql://{}@/{}?host={}", user, database, host_);
  }
  const std::string& host() const { return host_; }  ///< the folder of its socket

  std::string new_database() {
    const std::string name = fmt::format("test{}", ++databases_);
    execute("postgres", "CREATE DATABASE " + name);
    return url(name);
  }

  void execute(const std::string& database, const std::string& sql) const { execute_at(url(database), sql); }

  static void execute_at(const std::string& url, const std::string& sql) {
    PGconn* connection = PQconnectdb(url.c_str());
    PGresult* result = PQexec(connection, sql.c_str());
    const ExecStatusType status = PQresultStatus(result);
    EXPECT_TRUE(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) << PQerrorMessage(connection);
    PQclear(result);
    PQfinish(connection);
  }

 private:
  static void command(const std::string& line) {
    if (std::system(line.c_str()) != 0) {
      fmt::print(stderr, "PostgreSQL for the tests does not start: {}\n", line);
      std::abort();
    }
  }

  std::string host_;
  FILE* keeper_ = nullptr;
  int databases_ = 0;
};

inline PostgresServer& postgres() {
  static PostgresServer server;
  return server;
}

inline std::unique_ptr<Store> opened(const std::string& where) {
  auto store = open_store(where);
  if (!store) {
    ADD_FAILURE() << store.error().sentence;
    std::abort();
  }
  return std::move(*store);
}

/// The value of a call that must not fail.
template <class T>
T good(Expected<T> value) {
  if (!value) ADD_FAILURE() << value.error().sentence;
  return value ? *value : T{};
}

}  // namespace tessera
