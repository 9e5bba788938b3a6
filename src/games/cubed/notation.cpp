#include "rules/notation.hpp"

#include <fmt/format.h>
#include <limits>

#include "core/text.hpp"
#include "games/cubed/cubed.hpp"
#include "games/cubed/words.hpp"

namespace tessera {

using namespace cubed;

// ── Moves ──

std::string Cubed::move_text(const State& state, Move move, Viewer viewer) const {
  const int kind = kind_of(move);
  const int number = number_of(move);
  switch (act_of(move)) {
    case Act::lay: return fmt::format("{}@{}/{}", name_of(kind), cell_word(cell_of(move)), turn_of(move));
    case Act::draw: return "draw";
    case Act::pass: return "pass";
    case Act::take: return fmt::format("take{}", number);
    case Act::keep: return fmt::format("keep {}", sees(viewer, state.seat) ? name_of(kind) : hidden_word);
    case Act::give: break;
  }
  const bool seen = sees(viewer, state.seat) || sees(viewer, number);
  return fmt::format("give {} s{}", seen ? name_of(kind) : hidden_word, number);
}

namespace {

Error no_such_piece(std::string_view text) { return Error::of("there is no piece {}", in_quotes(text)); }

}  // namespace

Expected<Move> Cubed::parse_lay(const State& state, std::string_view text) const {
  // 1. Read it.
  const std::size_t at = text.find('@');
  const std::size_t slash = text.find('/', at);
  const std::string_view cell = text.substr(at + 1, slash == text.npos ? text.npos : slash - at - 1);
  const std::size_t comma = cell.find(',');
  const auto kind = find_kind(text.substr(0, at));
  if (!kind) return no_such_piece(text.substr(0, at));
  constexpr int no_number = std::numeric_limits<int>::min();
  const auto number = [&](std::string_view digits) { return parse_int(digits).value_or(no_number); };
  const int q = number(cell.substr(0, comma));
  const int r = comma == cell.npos ? no_number : number(cell.substr(comma + 1));
  const int turn = slash == text.npos ? no_number : number(text.substr(slash + 1));
  if (q == no_number || r == no_number || turn < 0 || turn > 2) {
    return Error::of("a piece is laid by writing piece, cell and turn, as in BCG@1,-1/2, not {}", in_quotes(text));
  }
  // 2. Say why it cannot be laid, the most telling reason first.
  if (!may_lay(state)) return not_legal(text, legal_texts(*this, state));
  if (!state.hands[state.seat].has(*kind)) {
    return Error::of("{} is not in the hand of seat {}", name_of(*kind), state.seat);
  }
  const bool blocks = (kind_bit(*kind) & blocking_kinds) != 0;
  if (blocks && state.table.laid() < 3) {
    return Error::of("{} is a blocking piece: the first three pieces of a round may not be", name_of(*kind));
  }
  if (state.table.laid() == 0) {
    if (q != 0 || r != 0 || turn != 0) {
      return Error::of("the first piece lies at 0,0 with turn 0: {}@0,0/0", name_of(*kind));
    }
    return lay_move(*kind, 0, {});
  }
  const OpenPlace* place = state.table.find_open(q, r);
  if (place == nullptr) {
    std::vector<std::string> open;
    for (const OpenPlace& other : state.table.open()) open.push_back(cell_word(other.cell));
    return Error::of("{},{} is not an open place; open are: {}", q, r, join(open, "  "));
  }
  std::vector<std::string> turns;
  for (int other = 0; other < 3; ++other) {
    if ((fits_.kinds(*place, other, state.table.laid()) & kind_bit(*kind)) == 0) continue;
    if (other == turn) return lay_move(*kind, turn, place->cell);
    turns.push_back(std::to_string(other));
  }
  if (turns.empty()) {
    return Error::of("{} does not fit at {} in any turn", name_of(*kind), cell_word(place->cell));
  }
  return Error::of("{} does not fit at {} with turn {}, only with turn {}", name_of(*kind), cell_word(place->cell),
                   turn, turns.size() == 1 ? Phrase{turns[0]} : Phrase::of("{} or {}", turns[0], turns[1]));
}

Expected<Move> Cubed::parse_move(const State& state, std::string_view text) const {
  if (turn(state).phase != Phase::decision) return Error{"no seat is to move now"};
  if (text.find('@') != text.npos) return parse_lay(state, text);
  if (text == "draw") return legal_or_error(*this, state, act_move(Act::draw), text);
  if (text == "pass") return legal_or_error(*this, state, act_move(Act::pass), text);
  if (text == "take1" || text == "take2" || text == "take3") {
    return legal_or_error(*this, state, act_move(Act::take, 0, text.back() - '0'), text);
  }
  const std::vector<std::string_view> parts = split(text, ' ');
  const bool keep = parts.size() == 2 && parts[0] == "keep";
  const bool give = parts.size() == 3 && parts[0] == "give" && parts[2].size() == 2 && parts[2][0] == 's' &&
                    parts[2][1] >= '0' && parts[2][1] < '0' + options_.seats;
  if (keep || give) {
    const auto kind = find_kind(parts[1]);
    if (!kind) return no_such_piece(parts[1]);
    const Move move = keep ? act_move(Act::keep, *kind) : act_move(Act::give, *kind, parts[2][1] - '0');
    return legal_or_error(*this, state, move, text);
  }
  return Error::of("a move is written like BCG@1,-1/2, draw, pass{}{}, not {}",
                   options_.take ? ", take2, keep BCG" : "", options_.fill ? ", give BCG s1" : "", in_quotes(text));
}

Choices Cubed::choices(const State& state, Move move) const {
  const std::string kind = word(kind_of(move));
  switch (act_of(move)) {
    case Act::lay: return {kind, cell_word(cell_of(move)), std::to_string(turn_of(move))};
    case Act::take: return {"take", std::to_string(number_of(move))};
    case Act::keep: return {"keep", kind};
    case Act::give: return {"give", kind, fmt::format("s{}", number_of(move))};
    default: return {move_text(state, move, Viewer::all())};
  }
}

// ── Chance events ──

OutcomeText Cubed::outcome_text(const State& state, const Outcome& outcome, Viewer viewer) const {
  const std::string out = "\"out\":" + json_list(words(outcome.out));
  if (state.step == Step::deal) {
    std::string hands;
    for (int seat = 0; seat < options_.seats; ++seat) {
      if (seat > 0) hands += ',';
      hands += json_list(words(outcome.hands[seat], sees(viewer, seat)));
    }
    return {"deal", fmt::format("\"hands\":[{}]{}", hands, alone() ? "," + out : "")};
  }
  if (state.step == Step::start) return {"start " + word(outcome.drawn.least()), out};
  return {"draw " + join(words(outcome.drawn, sees(viewer, state.seat)), " "), ""};
}

Expected<Cubed::Outcome> Cubed::parse_deal(std::string_view extra) const {
  const auto keys = read_further_keys(extra);
  if (!keys) return keys.error();
  if (!keys->hands || keys->out.has_value() != alone() || keys->shown) {
    return Error{alone() ? "a deal has the keys 'hands' and 'out'" : "a deal has the key 'hands' and no other"};
  }
  const auto seats = static_cast<std::size_t>(options_.seats);
  if (keys->hands->size() != seats) {
    return Error{fmt::format("a deal gives {} hands, not {}", seats, keys->hands->size())};
  }
  Outcome outcome;
  PieceSet bag = PieceSet::full();
  const auto take = [&](const PieceSet& set) {
    const bool there = bag.includes(set);
    if (there) bag -= set;
    return there;
  };
  const Error too_many{"a deal gives out more copies of a piece than there are"};
  for (std::size_t seat = 0; seat < seats; ++seat) {
    const auto hand = read_known_pieces((*keys->hands)[seat]);
    if (!hand) return hand.error();
    if (hand->size() != hand_size()) {
      return Error{fmt::format("a hand has {} pieces, not {}", hand_size(), hand->size())};
    }
    if (!take(*hand)) return too_many;
    outcome.hands[seat] = *hand;
  }
  if (!alone()) return outcome;
  const auto out = read_known_pieces(*keys->out);
  if (!out) return out.error();
  if (!take(*out)) return too_many;
  outcome.out = *out;
  const int blocking = outcome.hands[0].count_of(blocking_kinds);
  if (blocking > 3) return Error{"a hand of the game alone begins with at most three blocking pieces"};
  if (out->count_of(blocking_kinds) != out->size()) return Error{"only blocking pieces are put out of the game"};
  if (blocking < 3 && !out->empty()) {
    return Error{"blocking pieces are put out of the game only while more than three are in hand"};
  }
  return outcome;
}

Expected<Cubed::Outcome> Cubed::parse_outcome(const State& state, const OutcomeText& written) const {
  if (turn(state).phase != Phase::chance) return Error{"no chance event is due now"};
  if (state.step == Step::deal) {
    if (written.text != "deal")
      return Error{fmt::format("a round begins with 'deal', not {}", in_quotes(written.text))};
    return parse_deal(written.extra);
  }
  // 1. The pieces.
  const bool start = state.step == Step::start;
  const std::string_view expected = start ? "start" : "draw";
  std::vector<std::string> parts;
  for (const std::string_view part : split(written.text, ' ')) parts.emplace_back(part);
  const std::size_t number = state.step == Step::take ? state.draws : 1;
  if (parts[0] != expected || parts.size() != number + 1) {
    return Error{fmt::format("what is due now is '{}' and {} piece{}, not {}", expected, number, number == 1 ? "" : "s",
                             in_quotes(written.text))};
  }
  const auto drawn = read_known_pieces({parts.begin() + 1, parts.end()});
  if (!drawn) return drawn.error();
  Outcome outcome{.drawn = *drawn};
  // 2. What goes out before the first piece.
  if (start) {
    const auto keys = read_further_keys(written.extra);
    if (!keys) return keys.error();
    if (!keys->out || keys->hands || keys->shown) return Error{"a start has the key 'out' and no other"};
    const auto out = read_known_pieces(*keys->out);
    if (!out) return out.error();
    if (out->count_of(blocking_kinds) != out->size()) return Error{"only blocking pieces are put out of the game"};
    if (drawn->count_of(blocking_kinds) != 0) return Error{"the first piece on the table does not block"};
    outcome.out = *out;
  } else if (!written.extra.empty()) {
    return Error{fmt::format("a draw has no further keys, such as {}", in_quotes(written.extra))};
  }
  if (!state.bag.includes(outcome.drawn) || !state.bag.includes(outcome.out)) {
    return Error{"the line names a piece that is not in the bag"};
  }
  return outcome;
}

// ── For boards ──

std::vector<Piece> Cubed::pieces(const State& state, Viewer viewer) const {
  std::vector<Piece> all;
  const auto add = [&](const PieceSet& set, bool seen, const std::string& place) {
    for (std::string& kind : words(set, seen)) all.push_back({-1, std::move(kind), place});
  };
  state.table.each_laid(
      [&](Cell cell, int kind, int turn) { all.push_back({-1, laid_word(kind, turn), cell_word(cell)}); });
  for (int seat = 0; seat < options_.seats; ++seat) {
    const PieceSet drawn = seat == state.seat ? state.drawn : PieceSet{};
    add(state.hands[seat] + drawn, sees_in_hand(state, viewer, seat), hand_word(seat));
  }
  add(state.bag, viewer.sees_all(), "bag");
  add(state.out, true, "out");
  return all;
}

/// A piece is named in an effect as in `pieces`: by what the viewer sees where it leaves and where it arrives.
std::vector<Effect> Cubed::hide(const State& before, std::vector<Effect> effects, Viewer viewer) const {
  const auto sees_at = [&](const std::string& place, bool hands_are_open) {
    for (int seat = 0; seat < options_.seats; ++seat) {
      if (place == hand_word(seat)) return hands_are_open || sees(viewer, seat);
    }
    return place != "bag" || viewer.sees_all();
  };
  for (Effect& effect : effects) {
    if (effect.path.empty()) continue;
    std::string arrives = effect.becomes.empty() ? effect.piece : effect.becomes;
    if (!sees_at(effect.path.front(), before.round_over)) effect.piece = hidden_word;
    if (!sees_at(effect.path.back(), effect.kind == Effect::Kind::show)) arrives = hidden_word;
    effect.becomes = arrives == effect.piece ? "" : std::move(arrives);
  }
  std::erase_if(effects,
                [](const Effect& effect) { return effect.kind == Effect::Kind::show && effect.becomes.empty(); });
  return effects;
}

}  // namespace tessera
