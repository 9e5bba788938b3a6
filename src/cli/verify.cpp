#include <fmt/format.h>
#include <istream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.hpp"
#include "cli/record_file.hpp"
#include "core/text.hpp"
#include "crypto/crypto.hpp"

namespace tessera::cli {
namespace {

using Kind = Event::Kind;
using Json = nlohmann::json;

std::string times(int count) { return count == 1 ? "once" : fmt::format("{} times", count); }
std::string counted(int count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

/// "seat 2", "seats 0 and 2".
std::string seats_text(const std::set<int>& seats) {
  return fmt::format("seat{} {}", seats.size() == 1 ? "" : "s", fmt::join(seats, " and "));
}

/// What the events tell about the draw and the dice.
class Findings {
 public:
  void note(const Happening& happening) {
    const Event& event = happening.event;
    switch (event.kind) {
      case Kind::committed: hidden_.insert(event.seat); break;
      case Kind::revealed:
        hidden_.erase(event.seat);
        contributions_[event.seat] = event.text;
        break;
      case Kind::stood: hidden_.erase(event.seat); break;
      case Kind::started: removed_.clear(); break;
      case Kind::removed: note_removed(event.seat); break;
      case Kind::redrawn: note_restart(); break;
      case Kind::begun: begun_ = true, first_ = event.extra; break;
      case Kind::chance: ++(happening.before->stream().kind == Stream::Kind::dice ? rolls_ : shuffles_); break;
      default: break;
    }
  }

  void print(const Match& match) const {
    fmt::print("Match {}: {}, {}.\n", match.id(), match.settings().game, counted(match.settings().seats, "seat"));
    print_secret(match);
    if (!begun_) {
      fmt::print("The game never began: there are no dice.\n");
      return;
    }
    print_contributions(match);
    print_restarts();
    if (!first_.empty()) {
      fmt::print("Who begins was drawn: seat {}.\n", Json::parse('{' + first_ + '}')["first"].get<int>());
    }
    fmt::print("{} and {} (deals and draws from a bag) were recomputed. Each is what secret and contributions say.\n",
               counted(rolls_, "roll"), counted(shuffles_, "shuffle"));
    print_statistics(match);
    fmt::print("{}\n", contributions_.empty()
                           ? "All fits. But no person contributed: the server alone has made these dice."
                           : "All fits. If the hashes are those that your client noted, nobody has chosen these dice.");
  }

 private:
  void note_removed(int seat) {
    hidden_.erase(seat);
    if (begun_) return;
    contributions_.erase(seat);
    removed_.insert(seat);
  }

  void note_restart() {
    std::string reason = "nothing was missing: ask the server's owner why";
    if (!hidden_.empty()) reason = seats_text(hidden_) + " did not reveal in time";
    if (!removed_.empty()) reason = seats_text(removed_) + " had to leave";
    restarts_.push_back(std::move(reason));
    hidden_.clear();
    removed_.clear();
    contributions_.clear();
  }

  void print_secret(const Match& match) const {
    fmt::print(
        "The server's secret fits the hash that was published before the draw:\n  {}\n"
        "Compare it with the hash that your client noted before it revealed your contribution.\n",
        fair::hex(match.secret_hash()));
  }

  void print_contributions(const Match& match) const {
    for (int seat = 0; seat < match.settings().seats; ++seat) {
      const auto found = contributions_.find(seat);
      if (found == contributions_.end()) {
        fmt::print("Seat {}: a bot, without a contribution.\n", seat);
        continue;
      }
      const fair::DrawId draw{.match = match.id(), .number = match.draw_number()};
      const auto hash = fair::contribution_hash(crypto::hash(), draw, seat, *fair::from_hex(found->second));
      fmt::print("Seat {}: contribution\n  {}\nwhich fits its hash\n  {}\n", seat, found->second, fair::hex(hash));
    }
  }

  void print_restarts() const {
    if (restarts_.empty()) {
      fmt::print("The draw was never restarted.\n");
      return;
    }
    fmt::print("The draw was restarted {}:\n", times(static_cast<int>(restarts_.size())));
    for (const std::string& reason : restarts_) fmt::print("  {}\n", reason);
  }

  static void print_statistics(const Match& match) {
    const Json over = Json::parse('{' + match.over() + '}');
    for (const Json& die : over["dice"]) {
      std::vector<std::string> faces;
      for (const Json& count : die["faces"]) faces.push_back(fmt::format("{}: {}", faces.size() + 1, count.get<int>()));
      fmt::print("Faces of the die with {} sides: {}. Fair dice fall at least as unevenly in {:.1f} % of such games.\n",
                 die["sides"].get<int>(), join(faces), 100 * die["p"].get<double>());
    }
  }

  // Of the present draw: seats that have committed and not revealed, that were removed, and what was revealed.
  std::set<int> hidden_;
  std::set<int> removed_;
  std::map<int, std::string> contributions_;
  std::vector<std::string> restarts_;  ///< a reason each
  bool begun_ = false;
  std::string first_;  ///< the further members of `begun`
  int rolls_ = 0;
  int shuffles_ = 0;
};

void verify(std::istream& file, const std::string& name) {
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const Record record = read_record(text, name);
  Findings findings;
  const Match match = check_record(record, name, [&](const Happening& happening) { findings.note(happening); });
  if (match.stage() != Stage::over) {
    refuse(
        Error{fmt::format("{}: the match is not over yet, so that there is no secret to check its dice with", name)});
  }
  findings.print(match);
}

}  // namespace

void add_verify(CLI::App& program) {
  CLI::App* command = program.add_subcommand("verify", "Recompute every die of a finished match");
  command->footer(
      "Reads the record of a match, as servers give it out when the match is over, plays it through and recomputes "
      "each\n"
      "roll and shuffle from the secret and the players' contributions (docs/fair-dice.md).\n"
      "Exit code 0: all fits; 1: something does not, and which event it is; 2: not readable, or not over yet.\n");
  auto name = std::make_shared<std::string>();
  command->add_option("file", *name, "The record; - for standard input")->required()->type_name("FILE");
  command->callback([name] { with_input(*name, verify); });
}

}  // namespace tessera::cli
