#include "bench/load.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "bench/floor.hpp"
#include "bench/process.hpp"
#include "bench/table.hpp"

namespace tessera::bench {
namespace {

constexpr int parts = 4;         ///< of the measured time, in turn with the relay's: noise then hits both
constexpr double slice_s = 0.2;  ///< between two looks at failures and the line of progress
constexpr double warm_up_s = 1;
constexpr int sockets_an_idle_table = 100;
constexpr int lobby_requests = 300;
constexpr double longest_to_rest_s = 60;
constexpr auto bot_game = R"({"game":"cyclone"})";

/// What a figure is counted over: a process's time on the processor, the moves, and the clock.
struct Window {
  double cpu_ns = 0;
  std::uint64_t moves = 0;
  double seconds = 0;

  double us_per_move() const { return cpu_ns / 1e3 / static_cast<double>(std::max<std::uint64_t>(moves, 1)); }
  double moves_per_s() const { return seconds > 0 ? static_cast<double>(moves) / seconds : 0; }
};

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// A socket that watches a table at which nobody sits.
struct IdleSocket : Receiver {
  explicit IdleSocket(Crowd& its_crowd) : crowd(its_crowd) {}
  void received(std::string_view, bool) override { greeted = true; }
  void lost(const std::string& why) override { crowd.fail("an idle connection was lost: " + why); }

  Crowd& crowd;
  bool greeted = false;
  std::unique_ptr<Connection> connection{};
};

class Load {
 public:
  Load(const LoadSettings& settings, const Progress& progress) : settings_(settings), progress_(progress) {}

  Expected<LoadReport> run() {
    if (auto problem = allow_open_files(open_files())) return *problem;
    if (auto problem = open_history()) return *problem;
    if (auto problem = reach_servers()) return *problem;
    if (set_up()) measure();
    if (crowd_.failure) return *crowd_.failure;
    if (server_.moves == 0) return Error{"the load ended before it had measured anything"};
    return report();
  }

 private:
  int sockets() const { return settings_.matches * settings_.seats; }
  bool closed_loop() const { return settings_.think_s == 0; }
  bool with_floor() const { return spawned() && closed_loop(); }
  bool spawned() const { return !children_.empty(); }
  /// The relay has as many sockets as the server.
  std::uint64_t open_files() const {
    const bool relay = settings_.url.empty() && closed_loop();
    return (relay ? 2U : 1U) * sockets() + settings_.idle + 1000;
  }
  bool going() const { return !crowd_.failure && !network_.interrupted(); }

  std::optional<Error> open_history() {
    if (settings_.history.empty()) return std::nullopt;
    auto history = History::open(settings_.history);
    if (!history) return history.error();
    history_ = std::move(*history);
    crowd_.history = history_.get();
    return std::nullopt;
  }

  std::optional<Error> reach_servers() {
    if (!settings_.url.empty()) {
      const auto address = parse_address(settings_.url);
      if (!address) return address.error();
      crowd_.servers = {*address};
      return std::nullopt;
    }
    for (int i = 1; i <= settings_.processes; ++i) {
      progress_(fmt::format("starting server {} of {}", i, settings_.processes));
      auto child = start_server(folder_, settings_.server);
      if (!child) return child.error();
      children_.push_back(std::move(*child));
      crowd_.servers.push_back(children_.back()->address());
    }
    return std::nullopt;
  }

  // Of all servers together.
  std::uint64_t rss_kb() const {
    std::uint64_t sum = 0;
    for (const auto& child : children_) sum += child->rss_kb();
    return sum;
  }
  std::uint64_t cpu_ns() const {
    std::uint64_t sum = 0;
    for (const auto& child : children_) sum += child->cpu_ns();
    return sum;
  }

  // ── Setting up ──

  bool set_up() {
    crowd_.think_s = settings_.think_s;
    crowd_.comes_back = settings_.comes_back;
    crowd_.by_table = settings_.by_table;
    crowd_.settings =
        fmt::format(R"({{"game":"{}","seats":{},"options":{}}})", settings_.game, settings_.seats, settings_.options);
    if (!open_accounts(crowd_, settings_.seats)) return false;
    if (settings_.idle > 0 && !open_idle_sockets()) return false;
    open_bot_games();
    rss_before_kb_ = rss_kb();
    for (int i = 0; i < settings_.matches; ++i) tables_.push_back(std::make_unique<Table>(crowd_));
    return open_tables(crowd_, tables_, [&](std::size_t opened) {
      if (opened % 50 == 0) progress_(fmt::format("{} of {} tables", opened, settings_.matches));
    });
  }

  /// Tables at which nobody sits. Fewer than wanted: interrupted, or the crowd has failed.
  std::vector<std::string> empty_tables(int wanted) {
    constexpr int at_a_time = 50;
    std::vector<std::string> tables;
    for (int made = 0; made < wanted && going();) {
      const int until = std::min(wanted, made + at_a_time);
      for (; made < until; ++made)
        make_table(crowd_, crowd_.settings, [&](std::string id) { tables.push_back(std::move(id)); });
      network_.run_until([&] { return std::ssize(tables) == until || crowd_.failure.has_value(); });
      progress_(fmt::format("{} of {} empty tables", tables.size(), wanted));
    }
    return tables;
  }

  bool open_idle_sockets() {
    const std::uint64_t before = rss_kb();
    const std::vector<std::string> tables = empty_tables((settings_.idle - 1) / sockets_an_idle_table + 1);
    for (int i = 0; i < settings_.idle && going(); ++i) {
      IdleSocket& socket = *idle_.emplace_back(std::make_unique<IdleSocket>(crowd_));
      const std::string target = "/api/tables/" + tables[i / sockets_an_idle_table] + "/live";
      socket.connection = network_.connect(crowd_.server_for(target), target, crowd_.tokens.front(), socket);
    }
    for (auto next = idle_.begin(); going() && next != idle_.end();) {
      network_.run_for(slice_s);
      next = std::find_if(next, idle_.end(), [](const auto& socket) { return !socket->greeted; });
      progress_(fmt::format("{} of {} idle sockets", next - idle_.begin(), settings_.idle));
    }
    if (spawned()) rss_kb_per_idle_ = static_cast<double>(rss_kb() - before) / settings_.idle;
    return going();
  }

  void open_bot_games() {
    for (int i = 0; i < settings_.bot_games && going(); ++i) {
      std::string id;
      make_table(crowd_, bot_game, [&](std::string made) { id = std::move(made); });
      network_.run_until([&] { return !id.empty() || crowd_.failure.has_value(); });
      for (const int seat : {0, 1}) {
        const Answer answer = ask({"POST", "/api/tables/" + id + "/commands", crowd_.tokens.front(),
                                   fmt::format(R"({{"id":{},"do":"bot","seat":{},"bot":"5"}})", seat + 1, seat)});
        if (answer.status != 200 && going()) crowd_.fail("bots could not sit down: " + answer.body);
      }
      progress_(fmt::format("{} of {} games among bots", i + 1, settings_.bot_games));
    }
  }

  Answer ask(const Request& request) {
    Answer got;
    bool answered = false;
    bench::ask(crowd_, request, [&](const Answer& answer) {
      got = answer;
      answered = true;
    });
    network_.run_until([&] { return answered; });
    return got;
  }

  // ── Measuring ──

  void measure() {
    Window warm_up;
    play(warm_up, std::min(warm_up_s, settings_.seconds), "warming up");
    const Counts& counts = crowd_.counts;
    const Traffic traffic{.groups = settings_.matches,
                          .seats = settings_.seats,
                          .command_bytes = mean(counts.command_bytes, counts.moves),
                          .update_bytes = mean(counts.update_bytes, counts.updates)};
    std::unique_ptr<Floor> floor;
    if (with_floor() && going()) {
      auto opened = Floor::open(network_, traffic, folder_.file("relay.log"));
      if (!opened) return crowd_.fail(opened.error().sentence);
      floor = std::move(*opened);
      Window relay_warm_up;
      relay(*floor, relay_warm_up, std::min(warm_up_s, settings_.seconds));
    }
    crowd_.counts = {};
    for (int part = 1; part <= parts && going(); ++part) {
      play(server_, settings_.seconds / parts, fmt::format("part {} of {}, the server", part, parts));
      if (floor) relay(*floor, floor_, settings_.seconds / parts);
    }
    rss_after_kb_ = rss_kb();
    const bool goes_on = going();
    if (history_ && !crowd_.failure) come_to_rest();
    if (settings_.lobby && goes_on) measure_lobby();
  }

  /// Whoever compares a history with a log wants it to reach the log's end, after Ctrl-C too.
  void come_to_rest() {
    if (network_.interrupted()) network_.go_on_after_interrupt();
    const auto begin = Clock::now();
    while (going()) {
      progress_("waiting until every seat has been told everything");
      network_.run_for(slice_s);
      const auto moving =
          std::find_if(tables_.begin(), tables_.end(), [](const auto& table) { return !table->at_rest(); });
      if (moving == tables_.end()) return;
      if (since(begin) < longest_to_rest_s) continue;
      crowd_.fail(fmt::format("match {} has not come to rest within {} s: {}", (*moving)->id(), longest_to_rest_s,
                              (*moving)->described()));
    }
  }

  static std::size_t mean(std::uint64_t sum, std::uint64_t count) {
    return count == 0 ? 1
                      : static_cast<std::size_t>(std::lround(static_cast<double>(sum) / static_cast<double>(count)));
  }

  /// Everybody plays for so long and then comes to rest, so that every move is counted with what it cost.
  void play(Window& window, double seconds, const std::string& doing) {
    const std::uint64_t moves_before = crowd_.counts.moves;
    const std::uint64_t cpu_before = cpu_ns();
    const auto begin = Clock::now();
    crowd_.playing = true;
    for (const auto& table : tables_) table->go_on();
    while (going() && since(begin) < seconds) {
      network_.run_for(std::min(slice_s, seconds - since(begin)));
      const auto moves = static_cast<double>(crowd_.counts.moves - moves_before);
      progress_(fmt::format("{}: {:.0f} moves/s", doing, moves / since(begin)));
    }
    crowd_.playing = false;
    network_.run_until([&] { return crowd_.under_way == 0 || crowd_.failure.has_value(); });
    window.seconds += since(begin);
    window.moves += crowd_.counts.moves - moves_before;
    window.cpu_ns += static_cast<double>(cpu_ns() - cpu_before);
  }

  void relay(Floor& floor, Window& window, double seconds) {
    const std::uint64_t moves_before = floor.moves();
    const std::uint64_t cpu_before = floor.cpu_ns();
    const auto begin = Clock::now();
    floor.go_on();
    while (going() && !floor.failure() && since(begin) < seconds) {
      network_.run_for(std::min(slice_s, seconds - since(begin)));
      progress_("the relay, for comparison");
    }
    floor.pause();
    network_.run_until([&] { return floor.at_rest() || floor.failure().has_value(); });
    if (floor.failure()) crowd_.fail(floor.failure()->sentence);
    window.seconds += since(begin);
    window.moves += floor.moves() - moves_before;
    window.cpu_ns += static_cast<double>(floor.cpu_ns() - cpu_before);
  }

  /// As many tables again, at which nobody sits yet; then one request after the other, while nobody plays.
  void measure_lobby() {
    empty_tables(settings_.matches);
    for (int i = 0; i < lobby_requests && going(); ++i) {
      const auto begin = Clock::now();
      const Answer answer = ask({"GET", "/api/tables"});
      if (!going()) return;
      lobby_ms_.push_back(static_cast<float>(since(begin) * 1e3));
      if (answer.status != 200 || answer.body.find("\"gathering\"") == std::string::npos) {
        crowd_.fail(fmt::format("the list of tables was answered with {}: {:.200}", answer.status, answer.body));
      }
    }
  }

  // ── Reporting ──

  LoadReport report() {
    Counts& counts = crowd_.counts;
    LoadReport report{.game = settings_.game,
                      .matches = settings_.matches,
                      .seats = settings_.seats,
                      .sockets = sockets() + settings_.idle,
                      .seconds = server_.seconds,
                      .moves = server_.moves,
                      .games = counts.games,
                      .moves_per_s = server_.moves_per_s(),
                      .p50_ms = quantile(counts.latency_ms, 0.5),
                      .p99_ms = quantile(counts.latency_ms, 0.99)};
    const auto per = [](std::uint64_t sum, std::uint64_t count) {
      return static_cast<double>(sum) / static_cast<double>(std::max<std::uint64_t>(count, 1));
    };
    report.bytes_per_update = per(counts.update_bytes, counts.updates);
    report.bytes_largest_update = counts.largest_update_bytes;
    report.bytes_per_command = per(counts.command_bytes, counts.moves);
    if (spawned()) {
      if (settings_.processes > 1) report.processes = settings_.processes;
      report.server_cpu_us_per_move = server_.us_per_move();
      const double grown_kb = static_cast<double>(rss_after_kb_) - static_cast<double>(rss_before_kb_);
      report.rss_kb_per_match = grown_kb / settings_.matches;
    }
    if (floor_.moves > 0) {
      report.floor_cpu_us_per_move = floor_.us_per_move();
      report.floor_moves_per_s = floor_.moves_per_s();
      report.ratio_to_floor = server_.us_per_move() / floor_.us_per_move();
    }
    report.rss_kb_per_idle_socket = rss_kb_per_idle_;
    if (settings_.bot_games > 0) report.bot_games = settings_.bot_games;
    if (!lobby_ms_.empty()) {
      report.lobby_p50_ms = quantile(lobby_ms_, 0.5);
      report.lobby_p99_ms = quantile(lobby_ms_, 0.99);
    }
    return report;
  }

  const LoadSettings& settings_;
  const Progress& progress_;
  TemporaryFolder folder_{};
  std::vector<std::unique_ptr<Child>> children_{};  ///< the servers, if they are our own
  std::unique_ptr<History> history_{};
  Network network_{};
  Crowd crowd_{.network = network_};
  std::vector<std::unique_ptr<Table>> tables_{};
  std::vector<std::unique_ptr<IdleSocket>> idle_{};
  Window server_{};
  Window floor_{};
  std::vector<float> lobby_ms_{};
  std::uint64_t rss_before_kb_ = 0;
  std::uint64_t rss_after_kb_ = 0;
  std::optional<double> rss_kb_per_idle_{};
};

}  // namespace

Expected<LoadReport> run_load(const LoadSettings& settings, const Progress& progress) {
  return Load(settings, progress).run();
}

double quantile(std::vector<float>& values, double part) {
  if (values.empty()) return 0;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size()));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

namespace {

/// Every figure with its name and the decimals worth showing, in order, for both forms of the report.
struct Figure {
  std::string_view name;
  std::string_view says;  ///< for people
  std::optional<double> value;
  int decimals;
};

std::vector<Figure> figures(const LoadReport& report) {
  return {{"matches", "matches at once", report.matches, 0},
          {"seats", "seats of each", report.seats, 0},
          {"sockets", "sockets", report.sockets, 0},
          {"processes", "processes of the server", report.processes, 0},
          {"bot_games", "games among bots besides", report.bot_games, 0},
          {"seconds", "seconds measured", report.seconds, 2},
          {"moves", "moves", static_cast<double>(report.moves), 0},
          {"games", "games finished", static_cast<double>(report.games), 0},
          {"moves_per_s", "moves a second", report.moves_per_s, 0},
          {"p50_ms", "ms to the other seat, median", report.p50_ms, 3},
          {"p99_ms", "ms to the other seat, 99th percentile", report.p99_ms, 3},
          {"bytes_per_update", "bytes an update", report.bytes_per_update, 1},
          {"bytes_largest_update", "bytes of the largest update", static_cast<double>(report.bytes_largest_update), 0},
          {"bytes_per_command", "bytes a command", report.bytes_per_command, 1},
          {"server_cpu_us_per_move", "µs of the server's CPU a move", report.server_cpu_us_per_move, 2},
          {"floor_cpu_us_per_move", "µs of a bare relay's CPU a move", report.floor_cpu_us_per_move, 2},
          {"floor_moves_per_s", "moves a second through the relay", report.floor_moves_per_s, 0},
          {"ratio_to_floor", "server's CPU / relay's CPU", report.ratio_to_floor, 3},
          {"rss_kb_per_match", "kB of the server's memory a match", report.rss_kb_per_match, 1},
          {"rss_kb_per_idle_socket", "kB of the server's memory an idle socket", report.rss_kb_per_idle_socket, 1},
          {"lobby_p50_ms", "ms for the list of tables, median", report.lobby_p50_ms, 3},
          {"lobby_p99_ms", "ms for the list of tables, 99th percentile", report.lobby_p99_ms, 3}};
}

}  // namespace

std::string report_text(const LoadReport& report) {
  std::string text = report.game + "\n";
  for (const Figure& figure : figures(report)) {
    if (figure.value) text += fmt::format("{:>14.{}f}  {}\n", *figure.value, figure.decimals, figure.says);
  }
  return text;
}

std::string report_json(const LoadReport& report) {
  std::string json = fmt::format(R"({{"game":"{}")", report.game);
  for (const Figure& figure : figures(report)) {
    if (figure.value) json += fmt::format(R"(,"{}":{:.{}f})", figure.name, *figure.value, figure.decimals);
  }
  return json + "}\n";
}

}  // namespace tessera::bench
