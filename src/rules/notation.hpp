#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "rules/game.hpp"

namespace tessera {

/// The Error for a move that is well written but not legal. A long list of legal moves is cut.
Error not_legal(std::string_view text, const std::vector<std::string>& legal);

/// All legal moves of a state as text, in the order of `legal`.
template <Game G>
std::vector<std::string> legal_texts(const G& game, const typename G::State& state) {
  MoveList<G> moves;
  game.legal(state, moves);
  std::vector<std::string> texts;
  texts.reserve(moves.size());
  for (const Move move : moves) texts.push_back(game.move_text(state, move, Viewer::all()));
  return texts;
}

/// `move` if it is legal, else the Error that says what is.
template <Game G>
Expected<Move> legal_or_error(const G& game, const typename G::State& state, Move move, std::string_view text) {
  MoveList<G> moves;
  game.legal(state, moves);
  if (std::find(moves.begin(), moves.end(), move) != moves.end()) return move;
  return not_legal(text, legal_texts(game, state));
}

/// `parse_move` of a game whose lists of moves are short: writes each legal move and compares.
template <Game G>
Expected<Move> find_move(const G& game, const typename G::State& state, std::string_view text) {
  MoveList<G> moves;
  game.legal(state, moves);
  for (const Move move : moves) {
    if (game.move_text(state, move, Viewer::all()) == text) return move;
  }
  return not_legal(text, legal_texts(game, state));
}

}  // namespace tessera
