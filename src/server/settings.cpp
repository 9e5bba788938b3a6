#include "server/settings.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <ranges>

#include "core/text.hpp"
#include "server/notice.hpp"

namespace tessera::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* fact = "settings";

constexpr int most = 1 << 30;
constexpr std::array settings{
    Setting{"keep-days", &Settings::keep_days, 0, 100'000,
            "days that games which are over are kept, with their chat; 0: for ever"},
    Setting{"message-bytes", &Settings::message_bytes, 1, most, "bytes of a message or a request's body"},
    Setting{"messages-per-second", &Settings::messages_per_s, 1, most,
            "messages a second of a socket, bursts of four times as many; more are read later"},
    Setting{"requests-per-second", &Settings::requests_per_s, 1, most,
            "requests a second of an address, bursts of four times as many"},
    Setting{"connections-per-address", &Settings::connections_per_address, 1, most, "open connections of an address"},
    Setting{"tables-per-person", &Settings::tables_per_person, 1, most, "tables of a person that are not over"},
    Setting{"unsent-bytes", &Settings::unsent_bytes, 1, most,
            "bytes that may wait for a slow reader before it is dropped"}};

const Setting* setting_named(std::string_view name) {
  const auto found = std::ranges::find(settings, name, &Setting::name);
  return found == settings.end() ? nullptr : found;
}

Error unreadable() { return Error::for_owner("The settings in the database cannot be read."); }

/// Adds what `text` says to `into`; a setting that a newer program has written is passed over.
std::optional<Error> add_settings(std::string_view text, Settings& into) {
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return unreadable();
  for (const auto& [name, value] : json.items()) {
    if (!value.is_number_integer()) return unreadable();
    if (const Setting* setting = setting_named(name)) into.*setting->value = value.get<int>();
  }
  return std::nullopt;
}

std::optional<Error> apply(const std::string& change, Json& to) {
  const std::size_t sign = change.find('=');
  const std::string name = change.substr(0, sign);
  const Setting* setting = setting_named(name);
  if (setting == nullptr) {
    return Error{fmt::format("There is no setting {}. There are {}.", in_quotes(name),
                             join(settings | std::views::transform(&Setting::name)))};
  }
  const std::string text = sign == std::string::npos ? "" : change.substr(sign + 1);
  if (text == "default") {
    to.erase(name);
    return std::nullopt;
  }
  const auto value = parse_int(text);
  if (!value || *value < setting->least || *value > setting->most) {
    return Error{fmt::format("{} takes a number from {} to {}, or default: {}={}.", name, setting->least, setting->most,
                             name, Settings{}.*setting->value)};
  }
  to[name] = *value;
  return std::nullopt;
}

}  // namespace

std::span<const Setting> all_settings() { return settings; }

Expected<Settings> Settings::read(Store& store, Settings otherwise) {
  const auto kept = store.fact(fact);
  if (!kept) return kept.error();
  if (*kept) {
    if (auto problem = add_settings(**kept, otherwise)) return *problem;
  }
  return otherwise;
}

Expected<Settings> Settings::change(Store& store, std::span<const std::string> changes) {
  const auto changed = change_fact(store, fact, "{}", [&](const std::string& kept) -> Expected<std::string> {
    Json json = Json::parse(kept, nullptr, false);
    if (!json.is_object()) return unreadable();
    for (const std::string& change : changes) {
      if (auto problem = apply(change, json)) return *problem;
    }
    return json.dump();
  });
  if (!changed) return changed.error();
  return read(store, {});
}

}  // namespace tessera::server
