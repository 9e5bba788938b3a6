/// Input: whatever a stranger may send that the server reads by itself, rather than through a library: targets of
/// requests, cookies, addresses of webhooks, names, chat, and the list of bans.
#include <algorithm>
#include <cstdlib>

#include "server/gate.hpp"
#include "server/http.hpp"
#include "server/words.hpp"

namespace {

/// What is accepted is accepted again, unchanged: it was clean.
template <class Clean>
void stays_clean(Clean&& clean, std::string_view text, std::size_t longest) {
  const auto once = clean(text);
  if (!once) {
    if (once.error().sentence.empty()) std::abort();
    return;
  }
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (once->empty() || once->size() > 4 * longest || std::any_of(once->begin(), once->end(), control)) std::abort();
  const auto twice = clean(*once);
  if (!twice || *twice != *once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera::server;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto target = parse_target(text); target && !target->first.starts_with('/')) std::abort();
  if (cookie_value(text, "tessera").find(';') != std::string_view::npos) std::abort();
  if (const auto url = parse_url(std::string(text))) {
    // They go into the head of a request.
    const auto breaks = [](const std::string& part) {
      return part.empty() || std::any_of(part.begin(), part.end(), [](char c) { return c <= ' ' || c >= 127; });
    };
    if (breaks(url->host) || breaks(url->port) || breaks(url->path) || url->path[0] != '/') std::abort();
  }
  stays_clean(clean_name, text, longest_name);
  stays_clean(clean_chat, text, longest_chat);
  if (const auto bans = Bans::parse(text)) {
    const auto again = Bans::parse(bans->json());
    if (!again || again->json() != bans->json()) std::abort();
  }
  return 0;
}
