#include "match/tree.hpp"

#include <algorithm>
#include <vector>

#include "core/text.hpp"
#include "match/view.hpp"

namespace tessera {
namespace {

/// The tree with the effects of each leaf; then, from the leaves up, what all moves of a node begin with moves there.
struct Node {
  std::string_view choice;
  std::vector<Effect> effects;
  std::vector<Node> next;
};

Node with_effects(const Play& play, const ChoiceTree& tree) {
  Node node{.choice = tree.choice, .effects = {}, .next = {}};
  if (tree.move) {
    node.effects = play.foreseen(*tree.move);
    // The ends of a path are enough to preview a move, and make the largest trees a third as long.
    for (Effect& effect : node.effects) {
      if (effect.path.size() > 2) effect.path.erase(effect.path.begin() + 1, effect.path.end() - 1);
    }
    return node;
  }
  for (const ChoiceTree& child : tree.next) node.next.push_back(with_effects(play, child));
  std::size_t common = node.next.front().effects.size();
  for (const Node& child : node.next) {
    const auto differ = std::mismatch(child.effects.begin(), child.effects.end(), node.next.front().effects.begin(),
                                      node.next.front().effects.end());
    common = std::min(common, static_cast<std::size_t>(differ.first - child.effects.begin()));
  }
  const auto end = static_cast<std::ptrdiff_t>(common);
  auto& first = node.next.front().effects;
  node.effects.assign(first.begin(), first.begin() + end);
  for (Node& child : node.next) child.effects.erase(child.effects.begin(), child.effects.begin() + end);
  return node;
}

void append_node(std::string& json, const Node& node) {
  json += '{';
  if (!node.effects.empty()) json += "\"effects\":" + effects_json(node.effects);
  if (!node.next.empty()) {
    if (!node.effects.empty()) json += ',';
    json += "\"next\":{";
    for (const Node& child : node.next) {
      if (json.back() != '{') json += ',';
      append_json_string(json, child.choice);
      json += ':';
      append_node(json, child);
    }
    json += '}';
  }
  json += '}';
}

}  // namespace

std::string tree_json(const Play& play) {
  const ChoiceTree tree = choice_tree(play);
  std::string json;
  append_node(json, with_effects(play, tree));
  return json;
}

}  // namespace tessera
