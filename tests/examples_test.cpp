/// The example players play every game against each other at a real server, in Python and in JavaScript, and what comes of
/// it is verified. The protocol is what its fixtures say, and an attacker gets nowhere with it.
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "cli.hpp"
#include "server/settings.hpp"
#include "store/store.hpp"

namespace tessera {
namespace {

constexpr const char* python = "/usr/bin/python3";  // which has Debian's packages

/// A program that runs beside the test; its output goes to a file. Killed when it is still there at the end.
class Child {
 public:
  Child(std::vector<std::string> words, const std::string& output) : process_(fork()) {
    if (process_ != 0) return;
    if (std::freopen(output.c_str(), "w", stdout) == nullptr) _exit(126);
    setenv("NODE_PATH", "/usr/share/nodejs", 1);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { kill(); }

  void kill() {
    if (process_ == 0) return;
    ::kill(process_, SIGKILL);
    wait();
  }
  int wait() {
    int status = 0;
    waitpid(std::exchange(process_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_;
};

class Examples : public Cli {
 protected:
  /// Starts the server, at the same port as before if it has run already.
  void serve(const std::vector<std::string>& options = {}) {
    const std::string quick[] = {"messages-per-second=1000"};
    const auto store = open_store(path("tessera.db"));
    ASSERT_TRUE(store && server::Settings::change(**store, quick));
    std::vector<std::string> words{TESSERA_PROGRAM, "serve", "--port", port_, "--database", path("tessera.db")};
    words.insert(words.end(), options.begin(), options.end());
    server_.emplace(words, path("serve"));
    const std::string listening = first_line("serve");
    port_ = listening.substr(listening.rfind(':') + 1);
    url_ = listening.substr(listening.rfind(' ') + 1);
  }
  void kill_server() {
    server_->kill();
    std::filesystem::remove(path("serve"));
  }
  const std::string& url() const { return url_; }
  const std::string& port() const { return port_; }

  /// Once somebody has written it.
  std::string first_line(const std::string& file) const {
    for (int tries = 0; tries < 3000; ++tries) {
      const std::string text = read(file);
      if (const auto end = text.find('\n'); end != std::string::npos) return text.substr(0, end);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << file << " stays empty";
    return {};
  }

  nlohmann::json check(const std::string& table) const {
    return nlohmann::json::parse(run_program("curl", "-s " + url() + "/api/tables/" + table + "/check").out, nullptr,
                                 false);
  }

  /// Python makes a table, JavaScript comes; `meanwhile` happens while they play.
  template <class Meanwhile>
  void play(const std::string& game, const std::string& settings, Meanwhile&& meanwhile) {
    SCOPED_TRACE(game);
    Child host({python, "examples/random_player.py", url(), "--host", game, settings}, path("python"));
    const std::string table = first_line("python");
    Child guest({"node", "examples/random_player.js", url(), table}, path("javascript"));
    meanwhile(table);
    EXPECT_EQ(host.wait(), 0);
    EXPECT_EQ(guest.wait(), 0);

    const auto seen = [&](const std::string& file) {
      const std::string text = read(file);
      EXPECT_TRUE(text.starts_with(table + '\n')) << text;
      return nlohmann::json::parse(text.substr(table.size()), nullptr, false);
    };
    const auto over = seen("python");
    EXPECT_EQ(over["why"], "played") << over;
    EXPECT_EQ(over, seen("javascript"));

    ASSERT_EQ(
        run_program("curl", "-sf -o " + path("record") + ' ' + url() + "/api/tables/" + table + "/record").exit_code,
        0);
    const Ran verified = run("verify " + path("record"));
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    EXPECT_TRUE(has(verified.out, "recomputed")) << verified.out;
    std::filesystem::remove(path("python"));
    std::filesystem::remove(path("javascript"));
  }

 private:
  std::string port_ = "0";
  std::string url_;
  std::optional<Child> server_;
};

TEST_F(Examples, PlayEveryGameToTheEnd) {
  serve();
  const auto nothing = [](const std::string&) {};
  play("cybo", R"({"seats":2})", nothing);
  play("cyclone", R"({"seats":2,"options":{"arm":6}})", nothing);
  play("cylinder", R"({"seats":2,"options":{"turn_limit":20}})", nothing);
  play("cubed", R"({"seats":2,"options":{"rounds":1}})", nothing);
}

TEST_F(Examples, PlayOnWhenTheServerIsKilledAndRestarted) {
  serve();
  play("marbles", R"({"seats":2})", [this](const std::string& table) {
    constexpr int in_the_middle = 40;  // of some 400 events
    for (int tries = 0; tries < 3000 && check(table).value("seq", 0) < in_the_middle; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill_server();
    serve();
    const auto after = check(table);
    EXPECT_GE(after.value("seq", 0), in_the_middle);
    EXPECT_EQ(after["table"]["stage"], "playing") << after;
  });
}

TEST_F(Examples, PlayOverTls) {
  const std::string certificate = path("certificate.pem");
  const Ran made = run_program("openssl",
                               "req -x509 -newkey rsa:2048 -nodes -subj /CN=tessera -addext "
                               "subjectAltName=IP:127.0.0.1 -keyout " +
                                   path("key.pem") + " -out " + certificate);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  for (const char* whom_to_trust : {"SSL_CERT_FILE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"}) {
    setenv(whom_to_trust, certificate.c_str(), 1);
  }
  serve({"--certificate", certificate, "--key", path("key.pem")});
  ASSERT_EQ(url(), "https://127.0.0.1:" + port());
  std::string played;
  play("cybo", R"({"seats":2})", [&](const std::string& table) { played = table; });

  write("leave.py",
        "import asyncio, sys, websockets\n"
        "async def leave():\n"
        "    async with websockets.connect(sys.argv[1], close_timeout=60):\n"
        "        pass\n"
        "asyncio.run(leave())\n");
  const Ran left = run_program(std::string("timeout 15 ") + python,
                               path("leave.py") + " wss" + url().substr(5) + "/api/tables/" + played + "/live");
  EXPECT_EQ(left.exit_code, 0) << "the server does not end what its guest has closed: " << left.err;

  const Ran named = run_program("curl", "-sD - --json '{\"name\":\"Ann\"}' " + url() + "/api/me");
  const auto cookie = named.out.find("Set-Cookie: tessera=");
  ASSERT_NE(cookie, std::string::npos) << named.out;
  EXPECT_TRUE(named.out.substr(cookie, named.out.find("\r\n", cookie) - cookie).ends_with("; Secure")) << named.out;

  const Ran plain = run_program("curl", "-s --max-time 10 http://127.0.0.1:" + port() + "/api");
  constexpr int too_late = 28;
  EXPECT_TRUE(plain.exit_code != 0 && plain.exit_code != too_late) << plain.exit_code;
  EXPECT_EQ(plain.out, "");
  EXPECT_EQ(run_program("curl", "-sf " + url() + "/api/health").exit_code, 0);
}

TEST_F(Examples, ATableThatDoesNotExistIsSaid) {
  serve();
  const Ran ran = run_program(python, "examples/random_player.py " + url() + " nosuch");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_TRUE(has(ran.err, "no such table")) << ran.err;
  const Ran other = run_program("NODE_PATH=/usr/share/nodejs node", "examples/random_player.js " + url() + " nosuch");
  EXPECT_NE(other.exit_code, 0);
  EXPECT_TRUE(has(other.err, "no such table")) << other.err;
}

TEST_F(Examples, HaveAtMostSixtyLines) {
  for (const char* example : {"examples/random_player.py", "examples/random_player.js"}) {
    std::ifstream file(example);
    ASSERT_TRUE(file) << example;
    EXPECT_LE(std::count(std::istreambuf_iterator<char>(file), {}, '\n'), 60) << example;
  }
}

TEST_F(Examples, AnAttackerWhoKnowsTheProtocolGetsNowhere) {
  const Ran ran = run_program(python, "tests/attacker " TESSERA_PROGRAM);
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "none got through")) << ran.out;
}

TEST_F(Examples, TheProtocolIsAsItsFixturesSay) {
  const Ran ran = run_program(python, "tests/protocol_test.py " TESSERA_PROGRAM);
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

}  // namespace
}  // namespace tessera
