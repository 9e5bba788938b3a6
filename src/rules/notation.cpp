#include "rules/notation.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace tessera {

Error not_legal(std::string_view text, const std::vector<std::string>& legal) {
  constexpr std::size_t most = 12;
  std::vector<std::string> shown = legal;
  std::sort(shown.begin(), shown.end());
  if (shown.size() > most) {
    shown.resize(most);
    shown.push_back(fmt::format("… ({} in all)", legal.size()));
  }
  return Error{fmt::format("{} is not a legal move here; legal: {}", in_quotes(text), join(shown))};
}

}  // namespace tessera
