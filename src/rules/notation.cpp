#include "rules/notation.hpp"

#include "core/text.hpp"

namespace tessera {

Error not_legal(std::string_view text, const std::vector<std::string>& legal) {
  constexpr std::size_t most = 12;
  std::vector<std::string> shown = legal;
  std::sort(shown.begin(), shown.end());
  if (shown.size() > most) {
    shown.resize(most);
    return Error::of("{} is not a legal move here; legal: {}, … ({} in all)", in_quotes(text), join(shown),
                     legal.size());
  }
  return Error::of("{} is not a legal move here; legal: {}", in_quotes(text), join(shown));
}

}  // namespace tessera
