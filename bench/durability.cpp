#include "bench/durability.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "bench/process.hpp"
#include "bench/table.hpp"

namespace tessera::bench {
namespace {

constexpr double moment_s = 0.02;
constexpr double longest_absence_s = 30;  ///< after a kill, until every match goes on

/// What the seats of a match have seen, which must be what its log says in the end.
struct Witness {
  std::vector<std::uint64_t> plays{};  ///< by sequence: a hash of the roll; 0: not seen, or no roll
  std::uint64_t contradictions = 0;
  int acknowledged_since_kill = 0;
  double resumed_s = 0;  ///< after the latest kill

  void sees(std::uint64_t seq, std::string_view play) {
    if (plays.size() <= seq) plays.resize(seq + 1000);
    const std::uint64_t hash = fnv1a(play);
    if (plays[seq] != 0 && plays[seq] != hash) ++contradictions;
    plays[seq] = hash;
  }
  /// The first acknowledgement may be that of a move from before; the second is not.
  bool goes_on() const { return acknowledged_since_kill >= 2; }
};

class Durability {
 public:
  Durability(int kills, int matches, const Progress& progress)
      : kills_(kills), progress_(progress), witnesses_(static_cast<std::size_t>(matches)) {}

  Expected<DurabilityReport> run() {
    if (auto problem = allow_open_files(2 * witnesses_.size() + 1000)) return *problem;
    if (auto problem = reach_server(0)) return *problem;
    if (set_up()) {
      for (int kill = 1; kill <= kills_ && going(); ++kill) kill_and_come_back(kill);
      compare();
    }
    if (crowd_.failure) return *crowd_.failure;
    if (network_.interrupted()) return Error{"interrupted before the logs were compared"};
    std::vector<float> resumed = resumed_s_;
    return DurabilityReport{.kills = kills_,
                            .matches = static_cast<int>(witnesses_.size()),
                            .moves_acknowledged = crowd_.counts.moves,
                            .lost = lost_,
                            .doubled = doubled_,
                            .resumed_s_median = quantile(resumed, 0.5),
                            .resumed_s_worst = *std::max_element(resumed.begin(), resumed.end())};
  }

 private:
  bool going() const { return !crowd_.failure && !network_.interrupted(); }

  std::optional<Error> reach_server(std::uint16_t port) {
    auto child = start_server(folder_, {.port = port});
    if (!child) return child.error();
    child_ = std::move(*child);
    crowd_.servers = {child_->address()};
    return std::nullopt;
  }

  bool set_up() {
    crowd_.settings = R"({"game":"race2"})";
    if (!open_accounts(crowd_, 2)) return false;
    for (Witness& witness : witnesses_) {
      Table& table = *tables_.emplace_back(std::make_unique<Table>(crowd_));
      table.watch([&](std::uint64_t seq, std::string_view play) { witness.sees(seq, play); },
                  [&] {
                    if (++witness.acknowledged_since_kill == 2) witness.resumed_s = since_kill();
                  });
    }
    if (!open_tables(crowd_, tables_, [](std::size_t) {})) return false;
    crowd_.comes_back = true;
    crowd_.playing = true;
    for (const auto& table : tables_) table->go_on();
    return true;
  }

  double since_kill() const { return std::chrono::duration<double>(Clock::now() - killed_at_).count(); }

  void kill_and_come_back(int number) {
    // 1. At a random moment …
    network_.run_for(0.2 + crowd_.random(1'000'000) / 1e6);
    if (!going()) return;
    child_->kill();
    killed_at_ = Clock::now();
    for (Witness& witness : witnesses_) witness.acknowledged_since_kill = 0;
    // 2. … it dies, and starts again on what it had written.
    if (auto problem = reach_server(child_->address().port)) return crowd_.fail(problem->sentence);
    // 3. Every match goes on.
    const auto waits = [](const Witness& witness) { return !witness.goes_on(); };
    while (going() && std::any_of(witnesses_.begin(), witnesses_.end(), waits)) {
      network_.run_for(moment_s);
      if (since_kill() < longest_absence_s) continue;
      const auto stuck = std::find_if(witnesses_.begin(), witnesses_.end(), waits) - witnesses_.begin();
      return crowd_.fail(fmt::format("match {} did not go on within {} s after kill {}", tables_[stuck]->id(),
                                     longest_absence_s, number));
    }
    for (const Witness& witness : witnesses_) resumed_s_.push_back(static_cast<float>(witness.resumed_s));
    progress_(fmt::format("kill {} of {}: {} moves acknowledged", number, kills_, crowd_.counts.moves));
  }

  // ── The logs ──

  void compare() {
    crowd_.playing = false;
    network_.run_until([&] { return crowd_.under_way == 0 || crowd_.failure.has_value(); });
    for (std::size_t i = 0; i < tables_.size() && going(); ++i) {
      lost_ += witnesses_[i].contradictions;
      progress_(fmt::format("comparing log {} of {}", i + 1, tables_.size()));
      Difference worst;
      for (int seat = 0; seat < crowd_.seats(); ++seat) {
        const Difference seen = compare(*tables_[i], witnesses_[i], seat);
        worst = {std::max(worst.lost, seen.lost), std::max(worst.doubled, seen.doubled)};
      }
      lost_ += worst.lost;
      doubled_ += worst.doubled;
    }
  }

  struct Difference {
    std::uint64_t lost = 0;
    std::uint64_t doubled = 0;
  };

  /// The whole log of a match as one seat is told it, against what was seen while it was made.
  Difference compare(const Table& table, const Witness& witness, int seat) {
    Witness log;
    std::uint64_t plays = 0;
    if (!read_log(table, seat)) return {};
    crowd_.reader.each_play([&](std::uint64_t seq, std::string_view play) {
      log.sees(seq, play);
      ++plays;
    });
    log.plays.resize(std::max(log.plays.size(), witness.plays.size()));
    Difference difference;
    for (std::size_t seq = 0; seq < witness.plays.size(); ++seq) {
      if (witness.plays[seq] != 0 && witness.plays[seq] != log.plays[seq]) ++difference.lost;
    }
    const std::uint64_t acknowledged = table.acknowledged();
    if (plays > acknowledged) difference.doubled = plays - acknowledged;
    if (plays < acknowledged) difference.lost = std::max(difference.lost, acknowledged - plays);
    return difference;
  }

  bool read_log(const Table& table, int seat) {
    std::optional<Answer> answer;
    network_.request(child_->address(), {"GET", "/api/tables/" + table.id() + "/check?after=0", crowd_.tokens[seat]},
                     [&](const Answer& got) { answer = got; });
    if (!network_.run_until([&] { return answer.has_value(); })) return false;
    if (answer->status != 200) crowd_.fail(fmt::format("a log was answered with {}", answer->status));
    if (const auto read = crowd_.reader.read(answer->body, false); !read) crowd_.fail(read.error().sentence);
    return going();
  }

  int kills_;
  const Progress& progress_;
  TemporaryFolder folder_{};
  std::unique_ptr<Child> child_{};
  Network network_{};
  Crowd crowd_{.network = network_};
  std::vector<Witness> witnesses_;
  std::vector<std::unique_ptr<Table>> tables_{};  ///< in the order of their witnesses
  Clock::time_point killed_at_{};
  std::vector<float> resumed_s_{};
  std::uint64_t lost_ = 0;
  std::uint64_t doubled_ = 0;
};

}  // namespace

Expected<DurabilityReport> run_durability(int kills, int matches, const Progress& progress) {
  return Durability(kills, matches, progress).run();
}

std::string report_text(const DurabilityReport& report) {
  return fmt::format(
      "{:>14}  kills under load\n{:>14}  matches, all of which went on after each\n{:>14}  moves acknowledged\n"
      "{:>14}  of them lost\n{:>14}  of them carried out twice\n{:>14.3f}  s until a match went on, median\n"
      "{:>14.3f}  s until a match went on, worst\n",
      report.kills, report.matches, report.moves_acknowledged, report.lost, report.doubled, report.resumed_s_median,
      report.resumed_s_worst);
}

std::string report_json(const DurabilityReport& report) {
  return fmt::format(R"({{"kills":{},"matches":{},"moves_acknowledged":{},"lost":{},"doubled":{},)"
                     R"("resumed_s_median":{:.3f},"resumed_s_worst":{:.3f}}})"
                     "\n",
                     report.kills, report.matches, report.moves_acknowledged, report.lost, report.doubled,
                     report.resumed_s_median, report.resumed_s_worst);
}

}  // namespace tessera::bench
