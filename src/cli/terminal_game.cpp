#include "cli/terminal_game.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "cli/command.hpp"
#include "cli/narrate.hpp"
#include "core/text.hpp"
#include "rules/transcript.hpp"

namespace tessera::cli {
namespace {

constexpr std::size_t longest_flat_list = 24;

constexpr const char* help_text =
    R"(  5            take choice number 5
  MOVE         make a move, written as the rules say (tessera rules GAME)
  list         list every legal move
  back         undo the last choice on the way to a move
  hint         what the strongest player would do, and each move's chance of winning
  undo         take back the last move that a person made, and what followed
  log          what has happened so far
  save FILE    keep the game in a file (save alone: in the file of --save)
  quit         leave the game
)";

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

void clear_screen() {
  if (isatty(STDOUT_FILENO) != 0) fmt::print("\x1b[2J\x1b[3J\x1b[H");
}

/// Where a person has a choice at all: follows single branches, but not onto a leaf.
const ChoiceTree& first_fork(const ChoiceTree& node) {
  const ChoiceTree* here = &node;
  while (here->next.size() == 1 && !here->next.front().next.empty()) here = &here->next.front();
  return *here;
}

void add_leaves(const ChoiceTree& node, std::vector<const ChoiceTree*>& found) {
  if (node.next.empty()) found.push_back(&node);
  for (const ChoiceTree& child : node.next) add_leaves(child, found);
}

/// What is offered under numbers: every move while they are few, else the next choice on the way to one.
std::vector<const ChoiceTree*> offers(const ChoiceTree& node) {
  std::vector<const ChoiceTree*> offered;
  add_leaves(node, offered);
  if (offered.size() > longest_flat_list) {
    offered.clear();
    for (const ChoiceTree& child : node.next) offered.push_back(&child);
  }
  return offered;
}

}  // namespace

TerminalGame::TerminalGame(std::unique_ptr<Play> start, std::vector<Opponent> opponents, std::uint64_t seed,
                           std::string save)
    : play_(std::move(start)),
      streams_(seed),
      opponents_(std::move(opponents)),
      save_(std::move(save)),
      told_(opponents_.size(), 0) {}

// ── What happens ──

void TerminalGame::happen(const Line& line) {
  past_.push_back({play_->clone(), streams_, line});
  follow(*play_, line);
}

void TerminalGame::repeat(const Line& line) {
  if (line.kind == Line::Kind::chance) {  // the dice of this seed go on behind those that have fallen
    UniformOf uniform(streams_[play_->stream()]);
    play_->draw(uniform);
  }
  happen(line);
}

void TerminalGame::roll() {
  const Streams before = streams_;
  UniformOf uniform(streams_[play_->stream()]);
  happen(chance_line(*play_, play_->draw(uniform)));
  past_.back().streams_before = before;
}

/// False: an engine forfeits, and the game is over.
bool TerminalGame::let_computer_move() {
  const Streams before = streams_;
  const auto seat = static_cast<std::uint8_t>(play_->turn().seat);
  const Opponent& opponent = opponents_[seat];
  const auto move = opponent.engine ? engines_move(*opponent.engine)
                                    : opponent.player->think(*known(), streams_[{Stream::Kind::choice, seat}]).move;
  if (!move) {
    tell_news(at_the_end());
    fmt::print("Seat {} forfeits: its engine failed; {}.\n", seat, move.error().sentence);
    return false;
  }
  happen(move_line(*play_, *move));
  past_.back().streams_before = before;
  return true;
}

/// What an engine chooses at the end of its seat transcript.
Expected<Move> TerminalGame::engines_move(Engine& engine) const {
  const Viewer viewer = Viewer::seat(play_->turn().seat);
  std::vector<std::string> transcript{header_text(*play_)};
  for (std::size_t i = 0; i < past_.size(); ++i) {
    const Play& after = i + 1 < past_.size() ? *past_[i + 1].before : *play_;
    transcript.push_back(line_text(seen_line(*past_[i].before, past_[i].line, after, viewer)));
  }
  transcript.push_back(line_text(ask_line(*play_)));
  const auto choice = engine.choose(transcript);
  if (!choice) return choice.error();
  return play_->parse(choice->move);
}

/// What the seat that is to decide knows.
std::unique_ptr<Knowledge> TerminalGame::known() const {
  if (auto all = play_->known_to_all()) return all;
  const Viewer viewer = Viewer::seat(play_->turn().seat);
  auto knowledge = past_.front().before->know_nothing(viewer);
  for (std::size_t i = 0; i < past_.size(); ++i) {
    const Play& after = i + 1 < past_.size() ? *past_[i + 1].before : *play_;
    knowledge->observe(seen_line(*past_[i].before, past_[i].line, after, viewer));
  }
  knowledge->observe(ask_line(*play_));
  return knowledge;
}

void TerminalGame::run() {
  for (Turn turn = play_->turn(); turn.phase != Phase::over; turn = play_->turn()) {
    if (turn.phase == Phase::chance) {
      roll();
    } else if (!human(turn.seat)) {
      if (!let_computer_move()) return;
    } else if (ask() == Answer::quit) {
      if (!save_.empty()) fmt::print("The game is kept in {0}; go on with --resume {0}\n", save_);
      return;
    }
  }
  const Viewer viewer = at_the_end();
  tell_news(viewer);
  fmt::print("\n{}\n{}\n", play_->picture(viewer, {.colour = colours_wanted()}), narrate_result(*play_));
  if (!save_.empty() && save(save_)) fmt::print("The game is kept in {}\n", save_);
}

// ── A person's turn ──

/// Does a seat see pieces that the other people at the keyboard must not see?
bool TerminalGame::secrets(int seat) const {
  return people() > 1 && play_->pieces(Viewer::seat(seat)) != play_->pieces(Viewer::spectator());
}

/// Who looks when the game is over: the only person, else everybody.
Viewer TerminalGame::at_the_end() const {
  if (people() != 1) return Viewer::spectator();
  return Viewer::seat(
      static_cast<int>(std::find_if(opponents_.begin(), opponents_.end(), is_person) - opponents_.begin()));
}

/// A screen between two people, so that neither sees the other's secrets.
void TerminalGame::hand_over(int seat) {
  if (at_keyboard_ == seat) return;
  at_keyboard_ = seat;
  if (!secrets(seat)) return;
  clear_screen();
  fmt::print("Seat {} is next. Hand over, and press Enter when nobody else looks. ", seat);
  std::fflush(stdout);
  std::string line;
  std::getline(std::cin, line);
  clear_screen();
}

TerminalGame::Answer TerminalGame::ask() {
  const int seat = play_->turn().seat;
  if (!save_.empty()) save(save_);
  hand_over(seat);
  const Viewer viewer = Viewer::seat(seat);
  tell_news(viewer);
  fmt::print("\n{}\n", play_->picture(viewer, {.colour = colours_wanted()}));
  return ask_for_move();
}

TerminalGame::Answer TerminalGame::ask_for_move() {
  const int seat = play_->turn().seat;
  const ChoiceTree tree = choice_tree(*play_);
  std::vector<const ChoiceTree*> way{&first_fork(tree)};
  bool show = true;
  for (;;) {
    // 1. Show what there is to choose from, and read the answer.
    if (show) show_choices(*way.back());
    show = true;
    fmt::print("Seat {}> ", seat);
    std::fflush(stdout);
    std::string line;
    if (!std::getline(std::cin, line)) {
      fmt::print("\n");
      return Answer::quit;
    }
    const std::string answer = trimmed(line);

    // 2. Commands.
    if (answer.empty()) {
      show = false;
    } else if (answer == "quit") {
      return Answer::quit;
    } else if (answer == "help") {
      fmt::print("{}", help_text);
      show = false;
    } else if (answer == "log") {
      print_log(Viewer::seat(seat));
      show = false;
    } else if (answer == "list") {
      const Line all = ask_line(*play_);
      fmt::print("{}\n", join(*all.legal, "  "));
      show = false;
    } else if (answer == "hint") {
      hint();
      show = false;
    } else if (answer == "back") {
      if (way.size() > 1) way.pop_back();
    } else if (answer == "undo") {
      if (take_back()) return Answer::taken_back;
      fmt::print("There is nothing to take back.\n");
      show = false;
    } else if (answer == "save" || answer.starts_with("save ")) {
      const std::string name = answer == "save" ? save_ : trimmed(std::string_view(answer).substr(5));
      if (name.empty()) {
        fmt::print("Name a file, as in: save game.jsonl\n");
      } else if (save(name)) {
        fmt::print("Kept in {0}; go on with it: tessera play --resume {0}\n", name);
      }
      show = false;
    } else if (const auto number = parse_int(answer)) {
      // 3. A numbered choice: a move, or a step on the way to one.
      const auto offered = offers(*way.back());
      if (*number < 1 || static_cast<std::size_t>(*number) > offered.size()) {
        fmt::print("There are choices 1 to {}.\n", offered.size());
        show = false;
        continue;
      }
      const ChoiceTree& chosen = *offered[static_cast<std::size_t>(*number) - 1];
      const ChoiceTree& next = chosen.next.empty() ? chosen : first_fork(chosen);
      if (next.next.empty()) {
        happen(move_line(*play_, *next.move));
        return Answer::moved;
      }
      way.push_back(&next);
    } else if (const auto move = play_->parse(answer)) {
      // 4. A move in its notation.
      happen(move_line(*play_, *move));
      return Answer::moved;
    } else {
      fmt::print("{}. Type help for what you can type.\n", move.error().sentence);
      show = false;
    }
  }
}

/// A move is shown with its consequences, a step on the way to one with the number of moves that it leads to.
void TerminalGame::show_choices(const ChoiceTree& node) const {
  const int seat = play_->turn().seat;
  const auto offered = offers(node);
  constexpr std::size_t steps_per_line = 6;
  bool steps = false;
  for (std::size_t i = 0; i < offered.size(); ++i) {
    const ChoiceTree& offer = *offered[i];
    if (offer.move) {
      const std::string consequences = narrate(play_->foreseen(*offer.move), seat);
      fmt::print("{:>4}  {:<14} {}\n", i + 1, play_->text(*offer.move, Viewer::seat(seat)), consequences);
      continue;
    }
    steps = true;
    std::vector<const ChoiceTree*> moves;
    add_leaves(offer, moves);
    const bool line_ends = (i + 1) % steps_per_line == 0 || i + 1 == offered.size();
    fmt::print("{:>4}  {:<12}{}", i + 1, fmt::format("{} ({})", offer.choice, moves.size()), line_ends ? "\n" : "");
  }
  if (steps)
    fmt::print("Choose step by step by number (behind each: how many moves it leads to), or type a whole move.\n");
}

/// The move that the strongest player would make, and how it judges the others.
void TerminalGame::hint() const {
  constexpr std::size_t most = 8;
  const auto strongest = make_player(all_bots().back().name, play_->info());
  if (!strongest) {
    fmt::print("{}.\n", strongest.error().sentence);
    return;
  }
  Random random(1, "hint");
  const Thought thought = (*strongest)->think(*known(), random);
  const Viewer viewer = Viewer::seat(play_->turn().seat);
  for (std::size_t i = 0; i < std::min(most, thought.moves.size()); ++i) {
    fmt::print("{}  {:<14} wins {:.1f} % of the time\n", i == 0 ? "  best" : "      ",
               play_->text(thought.moves[i].move, viewer), 100 * thought.moves[i].chance);
  }
  if (thought.moves.size() > most) fmt::print("        and {} others\n", thought.moves.size() - most);
}

// ── Telling ──

std::string TerminalGame::narrated(std::size_t moment, Viewer viewer) const {
  const Moment& event = past_[moment];
  const Play& after = moment + 1 < past_.size() ? *past_[moment + 1].before : *play_;
  const Line seen = seen_line(*event.before, event.line, after, viewer);
  const std::string words =
      event.line.kind == Line::Kind::chance
          ? narrate(*event.before->effects(OutcomeText{event.line.text, event.line.extra}, viewer), event.line.seat)
          : narrate(event.before->effects(*event.before->parse(event.line.text), viewer), event.line.seat);
  return fmt::format("{:<8}{}{}{}\n", event.line.seat < 0 ? "" : fmt::format("seat {}", event.line.seat), seen.text,
                     words.empty() ? "" : ": ", words);
}

/// Tells what the viewer has not been told yet. Without secrets all people have been told what is on the screen.
void TerminalGame::tell_news(Viewer viewer) {
  const bool for_all = viewer == Viewer::spectator() || !secrets(viewer.seat_or(0));
  const std::size_t from =
      for_all ? *std::max_element(told_.begin(), told_.end()) : told_[static_cast<std::size_t>(viewer.seat_or(0))];
  for (std::size_t i = from; i < past_.size(); ++i) fmt::print("{}", narrated(i, viewer));
  if (for_all) {
    std::fill(told_.begin(), told_.end(), past_.size());
  } else {
    told_[static_cast<std::size_t>(viewer.seat_or(0))] = past_.size();
  }
}

void TerminalGame::print_log(Viewer viewer) const {
  for (std::size_t i = 0; i < past_.size(); ++i) fmt::print("{}", narrated(i, viewer));
}

// ── Taking back, keeping ──

bool TerminalGame::take_back() {
  const auto last = std::find_if(past_.rbegin(), past_.rend(), [&](const Moment& moment) {
    return moment.line.kind == Line::Kind::move && human(moment.line.seat);
  });
  if (last == past_.rend()) return false;
  const auto first_undone = static_cast<std::size_t>(past_.rend() - last) - 1;
  play_ = std::move(past_[first_undone].before);
  streams_ = past_[first_undone].streams_before;
  past_.erase(past_.begin() + static_cast<std::ptrdiff_t>(first_undone), past_.end());
  for (std::size_t& told : told_) told = std::min(told, past_.size());
  return true;
}

/// Writes a new file and puts it in the old one's place, so that neither is ever half there.
bool TerminalGame::save(const std::string& name) const {
  const std::string unfinished = name + ".part";
  {
    std::ofstream file(unfinished);
    file << header_text(past_.empty() ? *play_ : *past_.front().before) << '\n';
    for (const Moment& moment : past_) file << line_text(moment.line) << '\n';
    if (play_->turn().phase == Phase::over) file << result_text(*play_) << '\n';
    file.flush();
    if (file && std::rename(unfinished.c_str(), name.c_str()) == 0) return true;
  }
  std::remove(unfinished.c_str());
  fmt::print("{} cannot be written.\n", name);
  return false;
}

}  // namespace tessera::cli
