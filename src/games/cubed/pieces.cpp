#include "games/cubed/pieces.hpp"

namespace tessera::cubed {

std::optional<Kind> find_kind(std::string_view name) {
  const auto found = std::lower_bound(names.begin(), names.end(), name, [](const Name& a, std::string_view b) {
    return std::string_view(a.data(), a.size()) < b;
  });
  if (found == names.end() || std::string_view(found->data(), found->size()) != name) return std::nullopt;
  return static_cast<Kind>(found - names.begin());
}

}  // namespace tessera::cubed
