#include <fmt/format.h>

#include "core/text.hpp"
#include "games/cubed/playing.hpp"

/// Following a seat transcript line by line. The `world` of a Knowledge plays along by the same rules as everything
/// else; where a line hides a piece, the world takes any, and where a line names a piece that the world has elsewhere,
/// the two change places. Whether a seat passed because it could do nothing cannot be seen in such a world: the next
/// line tells, by whose it is.
namespace tessera {

using namespace cubed;

namespace {

PieceSet one_piece(int kind) {
  PieceSet set;
  set.add(kind);
  return set;
}

PieceSet first_pieces(const PieceSet& from, int number) {
  PieceSet first;
  from.each([&](Kind kind) {
    if (number-- > 0) first.add(kind);
  });
  return first;
}

}  // namespace

bool Cubed::sees_everything(Viewer viewer) const {
  return options_.open_hands || viewer.sees_all() || (alone() && viewer.is_seat(0));
}

/// Whether there can be anything to remember: a seat that has had a piece knows something of where it can have gone.
bool Cubed::remembers(Viewer viewer) const {
  return (options_.take || options_.fill) && !options_.open_hands && viewer.seat_or(-1) >= 0;
}

void Cubed::remember(Knowledge& knowledge, const Memory& memory) const {
  if (remembers(knowledge.viewer)) knowledge.memories.push_back(memory);
}

Cubed::Knowledge Cubed::know_nothing(Viewer viewer) const {
  Knowledge knowledge;
  knowledge.viewer = viewer;
  knowledge.world = start();
  return knowledge;
}

std::string Cubed::shown(const State& before, const State& after) const {
  if (after.round == before.round) return {};
  std::string hands;
  for (int seat = 0; seat < options_.seats; ++seat) {
    if (seat > 0) hands += ',';
    hands += json_list(words(after.hands[seat]));
  }
  return fmt::format("\"shown\":[{}]", hands);
}

std::optional<Error> Cubed::observe(Knowledge& knowledge, const Line& line) const {
  Knowledge next = knowledge;
  State& world = next.world;
  // 1. What happened by itself before this line: its seat tells who passed, and alone, that a piece was drawn.
  if (!next.settled) {
    const bool chance = line.kind == Line::Kind::chance;
    settle(world, Silent{}, [&](const State& state) { return alone() ? chance : state.seat != line.seat; });
    next.settled = true;
  }
  const Phase phase = line.kind == Line::Kind::chance ? Phase::chance : Phase::decision;
  if (turn(world) != Turn{phase, static_cast<std::int8_t>(line.seat)}) {
    return Error{fmt::format("{} of seat {} is not what the game waits for", in_quotes(line.text), line.seat)};
  }
  // 2. The event.
  if (line.kind != Line::Kind::ask) {
    auto problem = line.kind == Line::Kind::move ? observe_move(next, line)
                   : world.step == Step::deal    ? observe_deal(next, line)
                                                 : observe_draw(next, line);
    if (!problem) problem = observe_end(next, line);
    if (problem) return problem;
    if (!is_possible(next)) return Error{fmt::format("{} cannot be: that piece was elsewhere", in_quotes(line.text))};
  }
  knowledge = next;
  return std::nullopt;
}

/// use(set) for each place of the world that holds pieces which the viewer cannot see.
template <class Use>
void Cubed::each_hidden(const Knowledge& knowledge, State& world, Use&& use) const {
  if (sees_everything(knowledge.viewer)) return;
  use(world.bag);
  if (!sees(knowledge.viewer, world.seat)) use(world.drawn);
  for (int seat = 0; seat < options_.seats; ++seat) {
    if (!sees(knowledge.viewer, seat)) use(world.hands[seat]);
  }
}

/// Sees to it that `to`, a hidden place of the world, holds the pieces `wanted`. False if they cannot be there.
bool Cubed::bring(Knowledge& knowledge, PieceSet& to, const PieceSet& wanted) const {
  for (Kinds left = wanted.kinds(); left != 0; left &= left - 1) {
    const int kind = std::countr_zero(left);
    while (to.count(kind) < wanted.count(kind)) {
      PieceSet* holder = nullptr;
      bool hidden = false;
      each_hidden(knowledge, knowledge.world, [&](PieceSet& place) {
        hidden = hidden || &place == &to;
        if (&place != &to && place.has(kind)) holder = &place;
      });
      Kinds spare = 0;
      to.each([&](Kind other) {
        if (to.count(other) > wanted.count(other)) spare |= kind_bit(other);
      });
      if (!hidden || holder == nullptr || spare == 0) return false;
      const int other = std::countr_zero(spare);
      holder->remove(kind);
      to.remove(other);
      holder->add(other);
      to.add(kind);
    }
  }
  return true;
}

std::optional<Error> Cubed::observe_deal(Knowledge& knowledge, const Line& line) const {
  const auto keys = read_further_keys(line.extra);
  if (!keys) return keys.error();
  if (line.text != "deal" || !keys->hands || keys->hands->size() != static_cast<std::size_t>(options_.seats) ||
      keys->out.has_value() != alone()) {
    return Error{fmt::format("{} is not the deal that a round begins with", in_quotes(line.text))};
  }
  // 1. The pieces that the line names.
  Outcome outcome;
  PieceSet bag = PieceSet::full();
  const auto take = [&](const PieceSet& set) {
    const bool there = bag.includes(set);
    if (there) bag -= set;
    return there;
  };
  bool right = true;
  for (int seat = 0; seat < options_.seats; ++seat) {
    const auto hand = read_pieces((*keys->hands)[static_cast<std::size_t>(seat)]);
    if (!hand) return hand.error();
    right = right && hand->size() == hand_size() && hand->hidden == (sees(knowledge.viewer, seat) ? 0 : hand_size()) &&
            take(hand->known);
    outcome.hands[seat] = hand->known;
  }
  if (alone()) {
    const auto out = read_known_pieces(*keys->out);
    if (!out) return out.error();
    right = right && take(*out);
    outcome.out = *out;
  }
  if (!right) return Error{"the hands of the deal are not what the viewer sees of a deal"};
  // 2. The others get any.
  for (int seat = 0; seat < options_.seats; ++seat) {
    if (sees(knowledge.viewer, seat)) continue;
    outcome.hands[seat] = first_pieces(bag, hand_size());
    bag -= outcome.hands[seat];
  }
  knowledge.exchanged = !outcome.out.empty();
  knowledge.dealt = remembers(knowledge.viewer) ? outcome.hands[knowledge.viewer.seat_or(0)] : PieceSet{};
  knowledge.memories.clear();
  happen(knowledge.world, outcome, Silent{});
  return std::nullopt;
}

std::optional<Error> Cubed::observe_draw(Knowledge& knowledge, const Line& line) const {
  State& world = knowledge.world;
  const auto seat = static_cast<std::uint8_t>(world.seat);
  const bool start = world.step == Step::start;
  const bool take = world.step == Step::take;
  // 1. A draw that the viewer does not see.
  if (!start && !sees(knowledge.viewer, seat)) {
    const int number = take ? world.draws : 1;
    std::string hidden = "draw";
    for (int i = 0; i < number; ++i) hidden += " " + hidden_word;
    if (line.text != hidden)
      return Error{fmt::format("the viewer sees '{}' here, not {}", hidden, in_quotes(line.text))};
    happen(world, Outcome{.drawn = first_pieces(world.bag, number)}, Silent{});
    if (!take) remember(knowledge, {Memory::Kind::acquired, seat, seat, 0});
    return std::nullopt;
  }
  // 2. One that it sees.
  const auto keys = read_further_keys(line.extra);
  if (!keys) return keys.error();
  std::vector<std::string> parts;
  for (const std::string_view part : split(line.text, ' ')) parts.emplace_back(part);
  parts.erase(parts.begin());
  if (keys->out) parts.insert(parts.end(), keys->out->begin(), keys->out->end());
  std::sort(parts.begin(), parts.end());
  const auto pieces = read_known_pieces(parts);
  if (!pieces) return pieces.error();
  if (!bring(knowledge, world.bag, *pieces)) return Error{fmt::format("{} cannot be in the bag", in_quotes(line.text))};
  const auto outcome = parse_outcome(world, {line.text, start ? line.extra : ""});
  if (!outcome) return outcome.error();
  happen(world, *outcome, Silent{});
  outcome->drawn.each([&](Kind kind) { remember(knowledge, {Memory::Kind::drew, seat, seat, kind}); });
  return std::nullopt;
}

std::optional<Error> Cubed::observe_move(Knowledge& knowledge, const Line& line) const {
  State& world = knowledge.world;
  const auto seat = static_cast<std::uint8_t>(world.seat);
  const bool own = knowledge.viewer.is_seat(seat);
  // 1. What is hidden is any piece; what is named is brought to where it must have been.
  std::string text = line.text;
  const bool hidden = text.find(hidden_word) != std::string::npos;
  if (const std::size_t at = text.find(hidden_word); hidden) {
    const PieceSet& from = text.starts_with("keep") ? world.drawn : world.hands[seat];
    if (from.empty()) return Error{fmt::format("{} is not possible here", in_quotes(line.text))};
    text.replace(at, hidden_word.size(), name_of(from.least()));
  } else if (text.starts_with("give ") || text.find('@') != std::string::npos) {
    const std::string_view piece =
        text.starts_with("give ") ? std::string_view(text).substr(5, 3) : std::string_view(text).substr(0, 3);
    const auto kind = find_kind(piece);
    if (kind && !bring(knowledge, world.hands[seat], one_piece(*kind))) {
      return Error{fmt::format("{} cannot be in the hand of seat {}", name_of(*kind), seat)};
    }
  }
  const auto move = parse_move(world, text);
  if (!move) return move.error();
  if (hidden != (move_text(world, *move, knowledge.viewer).find(hidden_word) != std::string::npos)) {
    return Error{fmt::format("{} is not what the viewer sees of that move", in_quotes(line.text))};
  }
  // 2. What it tells of pieces.
  const auto kind = static_cast<Kind>(kind_of(*move));
  const auto to = static_cast<std::uint8_t>(number_of(*move));
  switch (act_of(*move)) {
    case Act::lay:
      if (!own) remember(knowledge, {Memory::Kind::parted, seat, seat, kind});
      break;
    case Act::keep:
      if (own) {
        (world.drawn - one_piece(kind)).each([&](Kind returned) {
          remember(knowledge, {Memory::Kind::returned, seat, seat, returned});
        });
      } else {
        remember(knowledge, {Memory::Kind::acquired, seat, seat, 0});
      }
      break;
    case Act::give:
      if (own) {
        remember(knowledge, {Memory::Kind::given, seat, to, kind});
      } else if (knowledge.viewer.is_seat(to)) {
        remember(knowledge, {Memory::Kind::parted, seat, to, kind});
      } else {
        remember(knowledge, {Memory::Kind::passed_on, seat, to, 0});
      }
      break;
    default: break;
  }
  happen(world, *move, Silent{});
  return std::nullopt;
}

/// Ends the round where the line shows all hands. Otherwise what follows by itself waits for the next line.
std::optional<Error> Cubed::observe_end(Knowledge& knowledge, const Line& line) const {
  State& world = knowledge.world;
  const auto keys = read_further_keys(line.extra);
  if (!keys) return keys.error();
  if (!keys->shown) {
    if (sees_everything(knowledge.viewer)) {
      settle(world, Silent{}, can_lay_nothing());
    } else if (world.step == Step::count) {
      return Error{fmt::format("{} ends the round, but shows no hands", in_quotes(line.text))};
    } else {
      knowledge.settled = false;
    }
    return std::nullopt;
  }
  // 1. The hands as they are at the end of the round; the bag has the rest.
  const Error wrong{"the hands shown at the end of the round are not what the viewer has seen of them"};
  if (keys->shown->size() != static_cast<std::size_t>(options_.seats)) return wrong;
  PieceSet rest = world.bag;
  for (int seat = 0; seat < options_.seats; ++seat) rest += world.hands[seat];
  for (int seat = 0; seat < options_.seats; ++seat) {
    const auto hand = read_known_pieces((*keys->shown)[static_cast<std::size_t>(seat)]);
    if (!hand) return hand.error();
    const bool known = sees(knowledge.viewer, seat);
    if (hand->size() != world.hands[seat].size() || (known && *hand != world.hands[seat]) || !rest.includes(*hand)) {
      return wrong;
    }
    rest -= *hand;
    world.hands[seat] = *hand;
  }
  world.bag = rest;
  // 2. All who came after could do nothing.
  settle(world, Silent{}, [](const State&) { return true; });
  if (!world.round_over) return Error{fmt::format("{} does not end the round, but shows hands", in_quotes(line.text))};
  return std::nullopt;
}

}  // namespace tessera
