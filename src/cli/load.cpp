#include "bench/load.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "bench/durability.hpp"
#include "bench/race2.hpp"
#include "bench/relay.hpp"
#include "cli/command.hpp"
#include "core/text.hpp"

namespace tessera::cli {
namespace {

constexpr const char* footer =
    R"(Simulated players sit at tables over real sockets and play: in a closed loop (each seat moves the instant it sees its
turn) or with time to think. A match that ends is followed by another. Latency is from sending a command to another seat's
receipt of the update. With --spawn the server's CPU time and memory are read from outside, and in turn with it a bare relay
of the same bytes, without game or storage, is measured: the floor.

  tessera load --mode race2 --spawn                      the figures by which versions are compared
  tessera load --game marbles --seats 4 --spawn          the same for a game
  tessera load --spawn --matches 5000 --lobby            memory of a match, and how fast the lobby is
  tessera load --spawn --matches 10 --idle 10000         holds ten thousand sockets that do nothing
  tessera load --url http://127.0.0.1:8080 --pace 2 --matches 20 --seconds 600
                                                         company for a server (one started with --bench takes more than
                                                         200 sockets)
  tessera load --url http://127.0.0.1:8080 --comes-back --history told.jsonl
                                                         players who come back whatever happens to their server, and
                                                         write down all that they are told
  tessera load --spawn --processes 3 --database postgresql://… --bus nats://…
                                                         three servers on one database, each player at any of them
  tessera load --durability 100                          kills a server a hundred times and looks for lost moves

Ctrl-C ends it early, with the figures so far. docs/load.md says what they mean.
)";

struct LoadArguments {
  bench::LoadSettings settings;
  std::string mode;
  std::optional<int> seats;
  std::vector<std::string> options;
  std::string pace = "closed";
  bool spawn = false;
  bool json = false;
  std::optional<int> kills;
  std::optional<std::size_t> relay_bytes;
};

/// One line on a terminal, written over and over.
class ProgressLine {
 public:
  ~ProgressLine() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  void show(const std::string& text) {
    if (isatty(STDERR_FILENO) == 0) return;
    fmt::print(stderr, "\r\033[K{}", text);
    shown_ = true;
  }

 private:
  bool shown_ = false;
};

/// The game's part of the settings, checked as the server will check it.
void read_game(LoadArguments& arguments) {
  bench::LoadSettings& settings = arguments.settings;
  const bool is_race2 = settings.game == bench::race2_info().name;
  const GameInfo& info = is_race2 ? bench::race2_info() : find_game(settings.game);
  settings.seats = arguments.seats.value_or(info.usual_seats());
  std::vector<Setting> given;
  for (const std::string& option : arguments.options) {
    const auto setting = parse_setting(option);
    if (!setting) refuse(setting.error());
    given.push_back(*setting);
  }
  const auto play = info.start(settings.seats, given);
  if (!play) refuse(play.error());
  std::vector<std::string> members;
  for (const OptionValue& option : (*play)->options()) {
    const auto names_it = [&](const Setting& setting) { return setting.name == option.spec.name; };
    if (std::none_of(given.begin(), given.end(), names_it)) continue;
    members.push_back(fmt::format("{}:{}", json_string(option.spec.name), option.spec.value_json(option.value)));
  }
  settings.options = "{" + join(members, ",") + "}";
}

void read_pace(LoadArguments& arguments) {
  if (arguments.pace == "closed") return;
  double& think_s = arguments.settings.think_s;
  if (!CLI::detail::lexical_cast(arguments.pace, think_s) || !(think_s >= 0.001 && think_s <= 3600)) {
    refuse(Error{"--pace takes 'closed' or seconds from 0.001 to 3600, not " + in_quotes(arguments.pace)});
  }
}

void check_processes(const LoadArguments& arguments) {
  const bench::LoadSettings& settings = arguments.settings;
  const bool own = settings.processes > 1 || !settings.server.database.empty() || !settings.server.bus.empty();
  if (own && !arguments.spawn) refuse(Error{"--database, --bus and --processes are for the servers of --spawn"});
  if (settings.processes > 1 && settings.server.database.empty()) {
    refuse(Error{"several processes share a database: name a PostgreSQL with --database"});
  }
}

template <class Report>
void print(const LoadArguments& arguments, const Expected<Report>& report) {
  if (!report) throw Stop{failed, report.error().sentence};
  fmt::print("{}", arguments.json ? report_json(*report) : report_text(*report));
}

void load(LoadArguments& arguments) {
  if (arguments.relay_bytes) {
    return bench::run_relay(*arguments.relay_bytes, [](const std::string& url) {
      fmt::print("listening on {}\n", url);
      std::fflush(stdout);
    });
  }
  ProgressLine line;
  const bench::Progress progress = [&](const std::string& text) { line.show(text); };
  if (arguments.kills) {
    const auto report = bench::run_durability(*arguments.kills, arguments.settings.matches, progress);
    line.show("");
    print(arguments, report);
    if (!report->passed()) throw Stop{failed, "the server has lost moves, or made them twice"};
    return;
  }
  if (arguments.spawn == !arguments.settings.url.empty()) {
    refuse(Error{"say which server: --spawn starts one, --url names one that is running"});
  }
  check_processes(arguments);
  read_game(arguments);
  read_pace(arguments);
  const auto report = bench::run_load(arguments.settings, progress);
  line.show("");
  print(arguments, report);
}

}  // namespace

void add_load(CLI::App& program) {
  CLI::App* command = program.add_subcommand("load", "Put a server under load and measure it");
  command->footer(footer);
  auto arguments = std::make_shared<LoadArguments>();
  bench::LoadSettings& settings = arguments->settings;
  command->add_flag("--spawn", arguments->spawn, "Start a server of its own, on a temporary database");
  command
      ->add_option("--database", settings.server.database,
                   "With --spawn: on this database, which stays as the load leaves it")
      ->type_name("postgresql://…");
  command->add_option("--bus", settings.server.bus, "With --spawn: the bus of its servers")->type_name("nats://…");
  command->add_option("--processes", settings.processes, "With --spawn: so many servers on the one database")
      ->capture_default_str()
      ->check(whole_number(1, 64))
      ->type_name("N");
  command->add_flag("--by-table", settings.by_table,
                    "With --processes: everybody of a table comes to the same server, as from a balancer by path");
  command->add_option("--url", settings.url, "The address of a running server")->type_name("http://IP:PORT");
  CLI::Option* game = command->add_option("--game", settings.game, "Any game, or race2: the least there is")
                          ->capture_default_str()
                          ->type_name("GAME");
  command
      ->add_option("--mode", arguments->mode,
                   "The named workload: race2, a hundred matches of it in a closed loop (which are the defaults)")
      ->check(CLI::IsMember({"race2"}))
      ->excludes(game)
      ->type_name("NAME");
  command->add_option("--seats", arguments->seats, "Seats of each match (default: the game's smallest above one)")
      ->check(whole_number(1, max_seats))
      ->type_name("N");
  command->add_option("--option", arguments->options, "Sets an option of the game; may be given several times")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--matches", settings.matches, "Matches at once")
      ->capture_default_str()
      ->check(whole_number(1, 20'000))
      ->type_name("N");
  command->add_option("--pace", arguments->pace, "closed, or the seconds that a player thinks on average")
      ->capture_default_str()
      ->type_name("SECONDS");
  command->add_option("--seconds", settings.seconds, "How long to measure")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 86'400.0))
      ->type_name("S");
  CLI::Option* idle = command->add_option("--idle", settings.idle, "Further sockets that are held and do nothing")
                          ->check(whole_number(0, 25'000))
                          ->type_name("N");
  command
      ->add_option("--bot-games", settings.bot_games,
                   "Further matches, of Cyclone, in which the strongest opponents play each other")
      ->check(whole_number(0, 10'000))
      ->type_name("N");
  command->add_flag("--lobby", settings.lobby, "Also measure the list of tables");
  command
      ->add_flag("--comes-back", settings.comes_back,
                 "Players whose connection is lost come back, repeat what was not answered, and go on")
      ->excludes(idle);
  command
      ->add_option("--history", settings.history, "Write all that the players are told to a file, a JSON object a line")
      ->type_name("FILE");
  command
      ->add_option("--durability", arguments->kills,
                   "Instead: start a server, kill it so often under load, and look for lost moves")
      ->check(whole_number(1, 100'000))
      ->type_name("KILLS");
  command->add_flag("--json", arguments->json, "Print a JSON object");
  command->add_option("--relay", arguments->relay_bytes, "Be the bare relay, with frames of so many bytes")->group("");
  command->callback([arguments] { load(*arguments); });
}

}  // namespace tessera::cli
