#include "rules/handle.hpp"

#include <algorithm>

namespace tessera {

int GameInfo::usual_seats() const {
  return *std::find_if(seat_counts.begin(), seat_counts.end(), [](int seats) { return seats > 1; });
}

ChoiceTree choice_tree(const Play& play) {
  ChoiceTree root;
  for (const Move move : play.legal()) {
    ChoiceTree* node = &root;
    for (std::string& choice : play.choices(move)) {
      const auto same = std::find_if(node->next.begin(), node->next.end(),
                                     [&](const ChoiceTree& child) { return child.choice == choice; });
      if (same != node->next.end()) {
        node = &*same;
      } else {
        node = &node->next.emplace_back(ChoiceTree{std::move(choice), std::nullopt, {}});
      }
    }
    node->move = move;
  }
  return root;
}

}  // namespace tessera
