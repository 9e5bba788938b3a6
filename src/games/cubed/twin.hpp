#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "games/cubed/cubed.hpp"

/// For tests only: Cubed again, slow and obvious, from strings, maps and sentences of the rules. It shares nothing with
/// the fast code but the options.
namespace tessera {

struct Twin {
  using At = std::pair<int, int>;
  struct Tile {
    char top, right, left;
    bool blocks;
  };

  Cubed::Options options;
  std::map<At, Tile> board{};
  std::vector<std::multiset<std::string>> hands{};
  std::multiset<std::string> bag{}, taken{};
  std::vector<int> scores{};
  std::string waits = "deal";  // deal, start, draw, take, lay-draw, lay-pass, keep, bridge, fill, over
  int seat = 0, began = 0, round = 0, idle = 0, turns = 0, count = 0, drawn_alone = 0;
  bool bridged = false;
  std::set<int> winners{};

  explicit Twin(const Cubed::Options& chosen) : options(chosen), scores(static_cast<std::size_t>(chosen.seats), 0) {
    seat = began = options.first;
  }

  static Tile tile(const std::string& name, int turn) {
    const bool blocks = name.find('X') != std::string::npos;
    if (turn == 0) return {name[0], name[1], name[2], blocks};
    if (turn == 1) return {name[2], name[0], name[1], blocks};
    return {name[1], name[2], name[0], blocks};
  }

  /// The six neighbours with what the two touching sides show.
  struct Touch {
    At where;
    char own, other;
    bool other_blocks;
    bool occupied;
  };
  std::vector<Touch> round_about(At cell, const Tile& mine) const {
    const auto [q, r] = cell;
    std::vector<Touch> all;
    const auto look = [&](int dq, int dr, char own, char Tile::* facing) {
      const auto found = board.find({q + dq, r + dr});
      const bool there = found != board.end();
      all.push_back({{q + dq, r + dr}, own, there ? found->second.*facing : ' ', there && found->second.blocks, there});
    };
    look(1, 0, mine.right, &Tile::left);   // my E side touches its W side
    look(0, 1, mine.right, &Tile::top);    // SE touches NW
    look(-1, 1, mine.left, &Tile::top);    // SW touches NE
    look(-1, 0, mine.left, &Tile::right);  // W touches E
    look(0, -1, mine.top, &Tile::right);   // NW touches SE
    look(1, -1, mine.top, &Tile::left);    // NE touches SW
    return all;
  }

  bool open_place(At cell) const {
    if (board.count(cell) != 0) return false;
    int touched = 0;
    for (const Touch& touch : round_about(cell, {' ', ' ', ' ', false})) {
      if (!touch.occupied) continue;
      if (touch.other == 'X') return false;
      ++touched;
    }
    return touched >= (board.size() == 1 ? 1 : 2);
  }

  std::set<At> area() const {
    int low_q = 0, high_q = 0, low_r = 0, high_r = 0;
    for (const auto& [cell, piece] : board) {
      low_q = std::min(low_q, cell.first), high_q = std::max(high_q, cell.first);
      low_r = std::min(low_r, cell.second), high_r = std::max(high_r, cell.second);
    }
    std::set<At> cells;
    for (int q = low_q - 2; q <= high_q + 2; ++q) {
      for (int r = low_r - 2; r <= high_r + 2; ++r) cells.insert({q, r});
    }
    return cells;
  }

  std::set<At> open_places() const {
    std::set<At> places;
    for (const At cell : area()) {
      if (open_place(cell)) places.insert(cell);
    }
    return places;
  }

  /// On an open place, or as the first piece.
  bool may_lie(const std::string& name, At cell, int turn) const {
    const Tile mine = tile(name, turn);
    if (board.empty()) return !mine.blocks && cell == At{0, 0} && turn == 0;
    if (name[0] == name[1] && name[1] == name[2] && turn != 0) return false;
    int touched = 0, matched = 0, coloured_matched = 0, black_touched = 0;
    for (const Touch& touch : round_about(cell, mine)) {
      if (!touch.occupied) continue;
      ++touched;
      bool match = touch.own == touch.other && touch.own != 'X';
      if ((touch.own == 'W' || touch.other == 'W') && !mine.blocks && !touch.other_blocks) match = true;
      if (match) ++matched;
      if (touch.own == 'X') ++black_touched;
      if (touch.own != 'X' && match) ++coloured_matched;
    }
    if (mine.blocks) return board.size() >= 3 && black_touched == 0 && coloured_matched == 2;
    if (options.matching == Cubed::Matching::all) return matched == touched;
    return matched >= (board.size() == 1 ? 1 : 2);
  }

  std::set<std::string> lays() const {
    std::set<std::string> all;
    const std::set<At> cells = area(), places = open_places();
    for (const std::string& name : hands[static_cast<std::size_t>(seat)]) {
      for (const At cell : cells) {
        if (!board.empty() && !places.contains(cell)) continue;
        for (int turn = 0; turn < 3; ++turn) {
          if (may_lie(name, cell, turn)) {
            all.insert(name + "@" + std::to_string(cell.first) + "," + std::to_string(cell.second) + "/" +
                       std::to_string(turn));
          }
        }
      }
    }
    return all;
  }

  std::set<std::string> legal() const {
    std::set<std::string> all;
    if (waits == "lay-draw" || waits == "lay-pass" || waits == "bridge") all = lays();
    if (waits == "lay-draw" && options.seats > 1) {
      if (bag.empty()) {
        all.insert("pass");
      } else {
        all.insert("draw");
        for (int n = 1; options.take && n <= 3 && n <= static_cast<int>(bag.size()); ++n) {
          all.insert("take" + std::to_string(n));
        }
      }
    }
    if (waits == "lay-pass" || waits == "bridge" || waits == "fill") all.insert("pass");
    if (waits == "keep") {
      for (const std::string& name : taken) all.insert("keep " + name);
    }
    if (waits == "fill") {
      for (const std::string& name : hands[static_cast<std::size_t>(seat)]) {
        for (int to = 0; to < options.seats; ++to) {
          if (to != seat) all.insert("give " + name + " s" + std::to_string(to));
        }
      }
    }
    return all;
  }

  static int points(const std::multiset<std::string>& hand) {
    int sum = 0;
    for (const std::string& name : hand) {
      const std::set<char> different(name.begin(), name.end());
      if (name.find('W') != std::string::npos) {
        sum += 10;
      } else if (name.find('X') != std::string::npos) {
        sum += 5;
      } else {
        sum += 4 - static_cast<int>(different.size());
      }
    }
    return sum;
  }

  static void take_out(std::multiset<std::string>& from, const std::string& name) { from.erase(from.find(name)); }

  // ── Chance ──

  void deal(const std::vector<std::multiset<std::string>>& new_hands, std::multiset<std::string> rest) {
    hands = new_hands;
    bag = std::move(rest);
    board.clear();
    idle = 0;
    seat = began;
    waits = options.seats == 1 ? "start" : "lay-draw";
  }
  void first_piece(const std::string& name, const std::multiset<std::string>& gone) {
    for (const std::string& out : gone) take_out(bag, out);
    take_out(bag, name);
    board[{0, 0}] = tile(name, 0);
    drawn_alone = 0;
    go_on_alone();
  }
  void draw(const std::multiset<std::string>& names) {
    for (const std::string& name : names) take_out(bag, name);
    if (waits == "take") {
      taken = names;
      waits = "keep";
      return;
    }
    hands[static_cast<std::size_t>(seat)].insert(*names.begin());
    if (options.seats == 1) {
      ++drawn_alone;
      go_on_alone();
    } else {
      waits = "lay-pass";
      if (lays().empty()) end_of_turn(true);
    }
  }

  // ── Decisions ──

  void move(const std::string& text) {
    auto& hand = hands[static_cast<std::size_t>(seat)];
    if (text == "draw") {
      waits = "draw";
    } else if (text == "pass") {
      end_of_turn((waits == "lay-draw" || waits == "lay-pass") && bag.empty());
    } else if (text.starts_with("take")) {
      count = text[4] - '0';
      waits = "take";
    } else if (text.starts_with("keep ")) {
      hand.insert(text.substr(5));
      take_out(taken, text.substr(5));
      bag.insert(taken.begin(), taken.end());
      taken.clear();
      end_of_turn(false);
    } else if (text.starts_with("give ")) {
      const std::string name = text.substr(5, 3);
      take_out(hand, name);
      hands[static_cast<std::size_t>(text[10] - '0')].insert(name);
      end_of_turn(false);
    } else {
      lay(text);
    }
  }

  void lay(const std::string& text) {
    const std::string name = text.substr(0, 3);
    const auto comma = text.find(','), slash = text.find('/');
    const At cell{std::stoi(text.substr(4, comma - 4)), std::stoi(text.substr(comma + 1, slash - comma - 1))};
    std::string neighbours;
    for (const Touch& touch : round_about(cell, {' ', ' ', ' ', false})) neighbours += touch.occupied ? 'o' : '.';
    board[cell] = tile(name, text[slash + 1] - '0');
    take_out(hands[static_cast<std::size_t>(seat)], name);
    if (options.seats == 1) {
      ++turns;
      drawn_alone = 0;
      if (hands[0].empty()) {
        winners = {0};
        lose_or_win();
      } else if (open_places().empty() || turns == options.turn_limit) {
        lose_or_win();
      } else {
        go_on_alone();
      }
      return;
    }
    if (hands[static_cast<std::size_t>(seat)].empty() || open_places().empty()) {
      end_of_turn(false);
      return;
    }
    int groups = 0;
    for (std::size_t i = 0; i < 6; ++i) groups += neighbours[i] == 'o' && neighbours[(i + 1) % 6] == '.' ? 1 : 0;
    if (options.bridge && !bridged && groups >= 2) {
      bridged = true;
      waits = "bridge";
      if (lays().empty()) end_of_turn(false);
    } else if (options.fill && neighbours == "oooooo") {
      waits = "fill";
    } else {
      end_of_turn(false);
    }
  }

  void go_on_alone() {
    waits = "lay-draw";
    if (!lays().empty()) return;
    if (drawn_alone == 2 || bag.empty()) {
      lose_or_win();
    } else {
      waits = "draw";
    }
  }
  void lose_or_win() {
    scores[0] = points(hands[0]);
    ++round;
    waits = "over";
  }

  void end_of_turn(bool was_idle) {
    ++turns;
    bridged = false;
    idle = was_idle ? idle + 1 : 0;
    if (hands[static_cast<std::size_t>(seat)].empty()) {
      end_of_round(seat);
      return;
    }
    if ((!board.empty() && open_places().empty()) || idle == options.seats) {
      int best = began;
      for (int i = 0; i < options.seats; ++i) {
        const int other = (began + i) % options.seats;
        if (points(hands[static_cast<std::size_t>(other)]) < points(hands[static_cast<std::size_t>(best)]))
          best = other;
      }
      end_of_round(best);
      return;
    }
    if (turns == options.turn_limit) {
      waits = "over";
      return;
    }
    seat = (seat + 1) % options.seats;
    waits = "lay-draw";
    if (bag.empty() && lays().empty()) end_of_turn(true);
  }

  void end_of_round(int winner) {
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += points(hands[i]);
    ++round;
    began = seat = winner;
    idle = 0;
    waits = "deal";
    if (round == options.rounds) {
      waits = "over";
      const int lowest = *std::min_element(scores.begin(), scores.end());
      for (std::size_t i = 0; i < scores.size(); ++i) {
        if (scores[i] == lowest) winners.insert(static_cast<int>(i));
      }
    } else if (turns == options.turn_limit) {
      waits = "over";
    }
  }
};

}  // namespace tessera
