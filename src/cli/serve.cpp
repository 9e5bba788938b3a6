#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <qrencode.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "bench/race2.hpp"
#include "cli/command.hpp"
#include "core/text.hpp"
#include "games/registry.hpp"
#include "server/server.hpp"

namespace tessera::cli {
namespace {

constexpr const char* footer = R"(
The server keeps everything in one file (--database), and survives being killed at any moment: every move is on the
disk before anyone sees it. SIGTERM or Ctrl-C stops it gracefully; SIGHUP starts it anew, with the program file and the
--config as they are now, without refusing a connection. Games go on where they were; players' pages come back by
themselves.

What needs TLS: cookies cannot be read on the way only with TLS, and browsers allow notifications, installing as an app
and sharing only on https pages (or on localhost). At home (--lan) plain HTTP plays all games; on the Internet use
--certificate and --key, or a proxy that speaks TLS in front and --proxy.

Several servers share one PostgreSQL database behind any load balancer, without sticky sessions: any of them serves any
table, and when one dies the others go on. With --bus they hear of each other's moves at once; without it, or while it is
down, they look into the database every second.

How long games are kept and what one visitor may ask for is set for all servers at once: tessera admin settings.

Options may stand in a file, one NAME=VALUE a line, given by --config; those on the command line win.
Examples:
  tessera serve                                        for this computer: http://127.0.0.1:8080
  tessera serve --lan                                  for the house; prints the address and a QR code
  tessera serve --address 0.0.0.0 --port 443 --certificate cert.pem --key key.pem
  tessera serve --database postgresql://user@host/tessera --bus nats://host:4222 --proxy)";

constexpr const char* listening_variable = "TESSERA_LISTENING_SOCKET";

/// The first address of this machine that others in the house can reach.
std::string house_address() {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return {};
  std::string found;
  for (const ifaddrs* one = all; one != nullptr && found.empty(); one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    char text[INET_ADDRSTRLEN];
    const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
    inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
    if (std::string_view(text).starts_with("127.")) continue;
    found = text;
  }
  freeifaddrs(all);
  return found;
}

/// Two rows of squares a line of text; light on dark terminals and dark on light ones, scanners read both.
void print_qr(const std::string& text) {
  constexpr int border = 2;
  QRcode* code = QRcode_encodeString(text.c_str(), 0, QR_ECLEVEL_M, QR_MODE_8, 1);
  if (code == nullptr) return;
  const auto dark = [&](int row, int column) {
    const bool inside = row >= 0 && column >= 0 && row < code->width && column < code->width;
    return inside && (code->data[row * code->width + column] & 1) != 0;
  };
  for (int row = -border; row < code->width + border; row += 2) {
    std::string line = "  ";
    for (int column = -border; column < code->width + border; ++column) {
      const bool upper = dark(row, column);
      const bool lower = dark(row + 1, column);
      line += upper ? (lower ? " " : "▄") : (lower ? "▀" : "█");
    }
    fmt::print("{}\n", line);
  }
  QRcode_free(code);
}

void announce(const server::Config& config, int port, bool lan) {
  const char* scheme = config.certificate.empty() ? "http" : "https";
  const std::string shown = config.address == "0.0.0.0" ? "127.0.0.1" : config.address;
  fmt::print("listening on {}://{}:{}\n", scheme, shown, port);
  if (lan) {
    const std::string house = config.address == "0.0.0.0" ? house_address() : config.address;
    if (house.empty()) {
      fmt::print("This computer has no address that others in the house could reach.\n");
    } else {
      const std::string url = fmt::format("{}://{}:{}", scheme, house, port);
      fmt::print("For everybody in the house: {}\n\n", url);
      print_qr(url);
    }
  }
  std::fflush(stdout);
}

struct Options {
  server::Config config;
  bool lan = false;
  std::string log = "text";
};

bool on_command_line(const std::string& option) {
  for (char** argument = original_arguments(); *argument != nullptr; ++argument) {
    if (*argument == option || std::string_view(*argument).starts_with(option + '=')) return true;
  }
  return false;
}

/// Options that stand in `file` and not on the command line; what is in the environment counts less. (The library reads
/// files for whole programs only.)
void read_config(CLI::App& command, const std::string& file) {
  try {
    for (const CLI::ConfigItem& item : CLI::ConfigBase().from_file(file)) {
      CLI::Option* option = command.get_option_no_throw("--" + item.name);
      if (option == nullptr || item.name == "config" || item.name == "help") {
        const bool setting = std::ranges::count(server::all_settings(), item.name, &server::Setting::name) > 0;
        refuse(Error{fmt::format("{}: there is no option {}{}", file, in_quotes(item.name),
                                 setting ? "; `tessera admin settings` has it, for all servers" : "")});
      }
      if (on_command_line("--" + item.name)) continue;
      option->clear();
      option->add_result(item.inputs);
      option->run_callback();
    }
  } catch (const CLI::FileError&) {
    refuse(Error{fmt::format("the file {} cannot be read", in_quotes(file))});
  } catch (const CLI::ParseError& problem) {
    refuse(Error{fmt::format("{}: {}", file, problem.what())});
  }
}

int inherited_socket() {
  const char* number = std::getenv(listening_variable);
  if (number == nullptr) return -1;
  const auto socket = parse_int(number);
  unsetenv(listening_variable);
  return socket.value_or(-1);
}

void serve(Options options) {
  server::Config& config = options.config;
  if (config.certificate.empty() != config.key.empty()) refuse(Error{"--certificate and --key go together"});
  config.json_log = options.log == "json";

  // Signals are waited for below; threads inherit that they do not act on them.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  // Where its file is, before another takes its place: `/proc/self/exe` would go on being the old one.
  std::error_code unknown;
  const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/exe", unknown);

  std::vector<const GameInfo*> games(all_games().begin(), all_games().end());
  if (config.bench) games.push_back(&bench::race2_info());
  auto server = server::Server::start(config, games, inherited_socket());
  if (!server) refuse(server.error());
  announce(config, (*server)->port(), options.lan);

  int received = 0;
  sigwait(&signals, &received);
  const int socket = received == SIGHUP ? dup((*server)->listening_socket()) : -1;
  (*server)->stop();
  if (received != SIGHUP) return;
  server->reset();  // closes every connection: the next program could not
  setenv(listening_variable, std::to_string(socket).c_str(), 1);
  // Signals stay blocked: one that comes now waits for the next program.
  execv(file.c_str(), original_arguments());
  execv("/proc/self/exe", original_arguments());  // where there is no such file any more
  throw Stop{failed, "the program could not be started anew"};
}

}  // namespace

void add_serve(CLI::App& program) {
  auto* command = program.add_subcommand("serve", "Serve tables to browsers and programs");
  auto options = std::make_shared<Options>();
  server::Config& config = options->config;
  command->footer(footer);
  auto file = std::make_shared<std::string>();
  command->add_option("--config", *file, "A file with options")->type_name("FILE");
  CLI::Option* address = command->add_option("--address", config.address, "Address to listen at; 0.0.0.0 for all")
                             ->type_name("ADDRESS")
                             ->capture_default_str();
  command->add_option("--port", config.port, "Port to listen at; 0 for any free one")
      ->type_name("N")
      ->check(whole_number(0, 65535))
      ->capture_default_str();
  command->add_flag("--lan", options->lan,
                    "Let the house in: listens at all addresses, or at --address; prints the address and a QR code");
  add_database(*command, config.database);
  command->add_option("--bus", config.bus, "With several servers at one PostgreSQL: the NATS server that joins them")
      ->type_name("nats://HOST:PORT");
  command->add_option("--certificate", config.certificate, "TLS certificate chain, a PEM file")->type_name("FILE");
  command->add_option("--key", config.key, "TLS private key, a PEM file")->type_name("FILE");
  command->add_flag("--proxy", config.proxy, "Behind a proxy: believe its X-Forwarded-For and X-Forwarded-Proto");
  command->add_option("--origin", config.origins, "A further site whose pages may use this server")->type_name("URL");
  command->add_option("--threads", config.threads, "Threads for connections (default: half of the cores)")
      ->type_name("N")
      ->check(whole_number(1, 256));
  command->add_option("--bot-threads", config.bot_threads, "Threads for computer opponents")
      ->type_name("N")
      ->check(whole_number(1, 256))
      ->capture_default_str();
  command->add_option("--log", options->log, "Log as text or json, on standard error")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_flag("--bench", config.bench, "")->group("");
  command->callback([command, options, file, address] {
    if (!file->empty()) read_config(*command, *file);
    if (options->lan && address->count() == 0) options->config.address = "0.0.0.0";
    serve(*options);
  });
}

}  // namespace tessera::cli
