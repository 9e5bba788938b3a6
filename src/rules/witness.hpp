#pragma once

#include <memory>
#include <vector>

#include "rules/handle.hpp"

namespace tessera {

/// What each seat knows of a game, for whoever runs one: told of every event as it happens.
class Witnesses {
 public:
  explicit Witnesses(const Play& start);
  Witnesses(const Witnesses& other);
  Witnesses& operator=(const Witnesses& other);

  /// The event of the full line `line` led from `before` to `after`.
  void saw(const Play& before, const Line& line, const Play& after);

  /// What the seat that is to decide in `play`, the present, knows.
  std::unique_ptr<Knowledge> asked(const Play& play) const;

 private:
  std::vector<std::unique_ptr<Knowledge>> seats_;  ///< none where nothing is hidden
};

}  // namespace tessera
