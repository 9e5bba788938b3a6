#include "games/cybo/turn_tree.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tessera::cybo {
namespace {

/// What counts in a turn.
struct Aim {
  int rolls = 3;               ///< how many there are for a Trinity
  bool only_in_order = false;  ///< master
  int signature = -1;          ///< grand master: the feat to repeat; -1: not qualified
};

std::size_t count(const Rolled& rolled) {
  return static_cast<std::size_t>(std::find(rolled.begin(), rolled.end(), 0) - rolled.begin());
}

Rolled with(Rolled rolled, int number) {
  rolled[count(rolled)] = static_cast<std::uint8_t>(number);
  return rolled;
}

bool contains(const Rolled& rolled, std::uint8_t number) {
  return std::find(rolled.begin(), rolled.end(), number) != rolled.end();
}

bool contains(const Rolled& rolled, const Three& line) {
  return std::all_of(line.begin(), line.end(), [&](std::uint8_t number) { return contains(rolled, number); });
}

/// Were these three rolled one after the other, whatever fell between?
bool in_this_order(const Rolled& rolled, const Three& three) {
  auto from = rolled.begin();
  for (const std::uint8_t number : three) {
    from = std::find(from, rolled.end(), number);
    if (from == rolled.end()) return false;
  }
  return true;
}

bool in_order(const Rolled& rolled, const Three& line) {
  return in_this_order(rolled, line) || in_this_order(rolled, {line[2], line[1], line[0]});
}

/// The line that makes these rolls a Trinity, or lines.size().
std::size_t counting_line(const Rolled& rolled, const Aim& aim) {
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (!contains(rolled, lines[line])) continue;
    if (aim.only_in_order && !in_order(rolled, lines[line])) continue;
    if (aim.signature >= 0 && !in_this_order(rolled, trinity_numbers(feat_trinity(aim.signature)))) continue;
    return line;
  }
  return lines.size();
}

/// Can a Trinity be made with the rolls that are left?
bool promising(const Rolled& rolled, const Aim& aim) {
  if (counting_line(rolled, aim) < lines.size()) return true;
  if (static_cast<int>(count(rolled)) == aim.rolls) return false;
  for (int number = 1; number <= sides; ++number) {
    if (promising(with(rolled, number), aim)) return true;
  }
  return false;
}

std::uint8_t ordered_trinity(const Rolled& rolled) {
  for (int trinity = 0; trinity < trinities; ++trinity) {
    if (std::equal(rolled.begin(), rolled.begin() + 3, trinity_numbers(trinity).begin())) {
      return static_cast<std::uint8_t>(trinity);
    }
  }
  return TurnTree::Node::none;
}

}  // namespace

class TurnTree::Builder {
 public:
  TurnTree build(Level level) {
    TurnTree tree;
    std::vector<std::size_t> roots{
        grow({}, {.rolls = level == Level::beginner ? 4 : 3, .only_in_order = level == Level::master})};
    if (level == Level::grandmaster) {
      for (int feat = 0; feat < feats; ++feat) roots.push_back(grow({}, {.signature = feat}));
    }
    number_by_kind(tree);
    for (std::size_t i = 0; i < roots.size(); ++i) tree.roots_[i] = numbers_[roots[i]];
    if (level == Level::grandmaster) find_repeats(tree);
    return tree;
  }

 private:
  enum class Kind : std::uint8_t { rolling, choosing, over };

  /// A node before it has its number; `next` are places in `drafts_`.
  struct Draft {
    Kind kind;
    Node node;
    std::array<std::size_t, sides> next{};
  };

  /// The node after these rolls, with all that can follow.
  std::size_t grow(const Rolled& rolled, const Aim& aim) {
    const std::size_t line = counting_line(rolled, aim);
    if (line < lines.size()) return grow_trinity(rolled, line, aim);
    if (!promising(rolled, aim)) return shared(Kind::over, {rolled}).first;
    const std::size_t made = add(Kind::rolling, {rolled});
    for (int number = 1; number <= sides; ++number) {
      const std::size_t after = grow(with(rolled, number), aim);
      drafts_[made].next[static_cast<std::size_t>(number - 1)] = after;
    }
    return made;
  }

  std::size_t grow_trinity(const Rolled& rolled, std::size_t line, const Aim& aim) {
    Node node{rolled, 3, ordered_trinity(rolled)};
    const bool in_column = line < column_lines;
    // 1. All four of a column at once: beginners can roll three of them that are no line, and then the missing one.
    if (in_column && contains(rolled, fourth_number(lines[line]))) {
      node.points = 16;
      return shared(Kind::over, node).first;
    }
    // 2. What the Trinity is worth as it is.
    if (in_order(rolled, lines[line])) node.points = 9;
    if (aim.signature >= 0) node.points = 12;
    if (!in_column) return shared(Kind::over, node).first;
    // 3. In a column there is the Quad to try, or with a Quad for signature to be tried.
    if (aim.signature >= trinities) return grow_quad(node, line);
    const auto [made, fresh] = shared(Kind::choosing, node);
    if (fresh) {
      const std::size_t stopped = shared(Kind::over, node).first;
      const std::size_t tried = grow_quad(node, line);
      drafts_[made].next[stop] = stopped;
      drafts_[made].next[quad] = tried;
    }
    return made;
  }

  std::size_t grow_quad(Node node, std::size_t line) {
    node.points = 3;
    const auto [made, fresh] = shared(Kind::rolling, node);
    if (!fresh) return made;
    for (int number = 1; number <= sides; ++number) {
      Node end = node;
      end.rolled = with(node.rolled, number);
      if (number == fourth_number(lines[line])) end.points = 16;
      const std::size_t after = shared(Kind::over, end).first;
      drafts_[made].next[static_cast<std::size_t>(number - 1)] = after;
    }
    return made;
  }

  std::size_t add(Kind kind, const Node& node) {
    drafts_.push_back({kind, node});
    return drafts_.size() - 1;
  }

  /// As `add`, but what follows from the node does not depend on the aim: there is one for all. Also: is it new?
  std::pair<std::size_t, bool> shared(Kind kind, const Node& node) {
    const auto [found, fresh] = shared_.try_emplace({kind, node.points, node.rolled}, drafts_.size());
    if (fresh) add(kind, node);
    return {found->second, fresh};
  }

  void number_by_kind(TurnTree& tree) {
    numbers_.resize(drafts_.size());
    assert(drafts_.size() <= 0x10000);
    for (const Kind kind : {Kind::rolling, Kind::choosing, Kind::over}) {
      if (kind == Kind::choosing) tree.first_choosing_ = static_cast<Id>(tree.nodes_.size());
      if (kind == Kind::over) tree.first_over_ = static_cast<Id>(tree.nodes_.size());
      for (std::size_t i = 0; i < drafts_.size(); ++i) {
        if (drafts_[i].kind != kind) continue;
        numbers_[i] = static_cast<Id>(tree.nodes_.size());
        tree.nodes_.push_back(drafts_[i].node);
      }
    }
    tree.next_.resize(tree.first_over_);
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
      if (drafts_[i].kind == Kind::over) continue;
      for (std::size_t branch = 0; branch < sides; ++branch) {
        tree.next_[numbers_[i]][branch] = numbers_[drafts_[i].next[branch]];
      }
    }
  }

  /// A seat that rolls a Trinity again is where one with that signature would be.
  static void find_repeats(TurnTree& tree) {
    tree.if_repeated_.resize(tree.nodes_.size());
    for (int trinity = 0; trinity < trinities; ++trinity) {
      Id fresh = 0;
      Id repeated = tree.root(static_cast<std::uint8_t>(trinity + 1));
      for (const std::uint8_t number : trinity_numbers(trinity)) {
        fresh = tree.after_roll(fresh, number);
        repeated = tree.after_roll(repeated, number);
      }
      tree.if_repeated_[fresh] = repeated;
    }
  }

  std::vector<Draft> drafts_;
  std::map<std::tuple<Kind, std::uint8_t, Rolled>, std::size_t> shared_;
  std::vector<Id> numbers_;  ///< of each draft
};

const TurnTree& TurnTree::of(Level level) {
  switch (level) {
    case Level::beginner: {
      static const TurnTree tree = Builder().build(Level::beginner);
      return tree;
    }
    case Level::master: {
      static const TurnTree tree = Builder().build(Level::master);
      return tree;
    }
    case Level::grandmaster: {
      static const TurnTree tree = Builder().build(Level::grandmaster);
      return tree;
    }
    case Level::advanced: break;
  }
  static const TurnTree tree = Builder().build(Level::advanced);
  return tree;
}

}  // namespace tessera::cybo
