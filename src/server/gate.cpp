#include "server/gate.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/notice.hpp"

namespace tessera::server {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return text;
}

void Bans::set(bool on, const std::string& address, const std::string& name, const std::string& person) {
  const auto change = [on](std::set<std::string>& set, const std::string& entry) {
    if (entry.empty()) return;
    if (on) {
      set.insert(entry);
    } else {
      set.erase(entry);
    }
  };
  change(addresses, address);
  change(names, lower_case(name));
  change(silent, person);
}

std::string Bans::json() const {
  return nlohmann::json{{"addresses", addresses}, {"names", names}, {"silent", silent}}.dump();
}

Expected<Bans> Bans::parse(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  Bans bans;
  const auto read = [&](const char* key, std::set<std::string>& into) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_array()) return false;
    for (const auto& entry : json[key]) {
      if (!entry.is_string()) return false;
      into.insert(entry.get<std::string>());
    }
    return true;
  };
  if (!read("addresses", bans.addresses) || !read("names", bans.names) || !read("silent", bans.silent)) {
    return Error::for_owner("The list of bans in the database cannot be read.");
  }
  return bans;
}

Expected<Bans> Bans::read(Store& store) {
  const auto kept = store.fact("bans");
  if (!kept) return kept.error();
  return *kept ? parse(**kept) : Bans{};
}

Expected<Bans> Bans::change(Store& store, const std::function<void(Bans&)>& change) {
  const auto changed = change_fact(store, "bans", Bans{}.json(), [&](const std::string& kept) -> Expected<std::string> {
    auto bans = parse(kept);
    if (!bans) return bans.error();
    change(*bans);
    return bans->json();
  });
  if (!changed) return changed.error();
  return parse(*changed);
}

Gate::Visitor& Gate::visitor(const std::string& address) {
  if (visitors_.size() >= sweep_at_) {
    std::erase_if(visitors_, [](const auto& v) { return v.second.connections == 0 && v.second.requests.full(); });
    sweep_at_ = std::max<std::size_t>(1024, 2 * visitors_.size());
  }
  return visitors_.try_emplace(address, Visitor{0, Allowance(settings_.requests_per_s)}).first->second;
}

bool Gate::connect(const std::string& address) {
  const std::lock_guard lock(mutex_);
  if (bans_.addresses.contains(address)) return false;
  Visitor& who = visitor(address);
  if (!open_ && who.connections >= settings_.connections_per_address) return false;
  ++who.connections;
  return true;
}

void Gate::disconnect(const std::string& address) {
  const std::lock_guard lock(mutex_);
  --visitor(address).connections;
}

bool Gate::request(const std::string& address) {
  const std::lock_guard lock(mutex_);
  if (bans_.addresses.contains(address)) return false;
  return open_ || visitor(address).requests.take();
}

Settings Gate::settings() {
  const std::lock_guard lock(mutex_);
  return settings_;
}

void Gate::set_settings(const Settings& settings) {
  const std::lock_guard lock(mutex_);
  const Settings before = std::exchange(settings_, settings);
  if (settings.requests_per_s == before.requests_per_s) return;
  for (auto& [address, visitor] : visitors_) visitor.requests = Allowance(settings.requests_per_s);
}

Bans Gate::bans() {
  const std::lock_guard lock(mutex_);
  return bans_;
}

void Gate::set_bans(Bans bans) {
  const std::lock_guard lock(mutex_);
  bans_ = std::move(bans);
}

bool Gate::name_banned(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return bans_.names.contains(lower_case(name));
}

bool Gate::silent(const std::string& person) {
  const std::lock_guard lock(mutex_);
  return bans_.silent.contains(person);
}

}  // namespace tessera::server
