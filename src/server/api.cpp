#include "server/api.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "bots/bots.hpp"
#include "core/text.hpp"
#include "crypto/crypto.hpp"
#include "match/record.hpp"
#include "server/call.hpp"
#include "server/gate.hpp"
#include "server/identity.hpp"
#include "server/log.hpp"
#include "server/metrics.hpp"
#include "server/peers.hpp"
#include "server/words.hpp"

namespace tessera::server {
namespace {

using Json = nlohmann::json;

constexpr int longest_wait_s = 55;

Error name_yourself() { return Error::of("Nobody knows you here yet: name yourself first."); }
Error no_such_guest() { return Error::of("A guest must have been made at this device."); }

std::string option_json(const OptionValue& option) {
  static constexpr std::string_view kinds[] = {"integer", "boolean", "choice", "seat"};
  const OptionSpec& spec = option.spec;
  std::string json =
      fmt::format(R"({{"name":"{}","kind":"{}","default":{},"help":{})", spec.name, kinds[static_cast<int>(spec.kind)],
                  spec.value_json(option.value), json_string(spec.help));
  if (spec.kind == OptionSpec::Kind::integer) json += fmt::format(R"(,"min":{},"max":{})", spec.min, spec.max);
  if (spec.kind == OptionSpec::Kind::choice) {
    std::vector<std::string> choices;
    for (int value = spec.min; value <= spec.max; ++value) choices.push_back(spec.value_json(value));
    json += fmt::format(R"(,"choices":[{}])", join(choices, ","));
  }
  return json + '}';
}

std::string game_json(const GameInfo& game) {
  std::vector<std::string> by_seats;
  for (const int seats : game.seat_counts) {
    std::vector<std::string> options;
    for (const OptionValue& option : game.defaults(seats)) {
      if (option.spec.name != "first" && option.spec.least_seats <= seats) options.push_back(option_json(option));
    }
    by_seats.push_back(fmt::format(R"("{}":[{}])", seats, join(options, ",")));
  }
  return fmt::format(R"({{"name":"{}","title":{},"summary":{},"usual_seats":{},"options":{{{}}},"rules":{}}})",
                     game.name, json_string(game.title), json_string(game.summary), game.usual_seats(),
                     join(by_seats, ","), json_string(game.rules));
}

/// One request for a table's answer to one command.
class Caller final : public Member {
 public:
  explicit Caller(Answer answer) : answer_(std::move(answer)) {}
  void tell(SharedMessage told) override {
    if (!answer_) return;
    Response response{.body = told->text};
    if (told->status != 200) {
      const Json json = Json::parse(told->text, nullptr, false);
      Json body{{"error", json.contains("why") ? json["why"] : json["error"]}};
      if (json.contains("say")) body["say"] = json["say"];
      response = {.status = told->status, .body = body.dump()};
    }
    std::exchange(answer_, nullptr)(std::move(response));
  }
  void dismiss() override {}

 private:
  Answer answer_;
};

}  // namespace

std::optional<std::string> Api::Call::text(const char* member) const {
  const Json json = Json::parse(request.body, nullptr, false);
  if (json.is_object() && json.contains(member) && json[member].is_string()) return json[member].get<std::string>();
  no(400, Error::of("The request needs a JSON object with \"{}\", a text.", member));
  return std::nullopt;
}

Api::Api(Site& site) : site_(site) {
  std::vector<std::string> games;
  for (const GameInfo* game : site.world.games) games.push_back(game_json(*game));
  games_json_ = fmt::format(R"({{"games":[{}]}})", join(games, ","));
}

const std::vector<Api::Route>& Api::routes() {
  static const std::vector<Route> all{
      {"GET", "/api", &Api::greeting},
      {"GET", "/api/health", &Api::health},
      {"GET", "/metrics", &Api::metrics},
      {"GET", "/api/games", &Api::games},
      {"GET", "/api/opponents", &Api::opponents},
      {"GET", "/api/me", &Api::me},
      {"POST", "/api/me", &Api::name_me},
      {"POST", "/api/bots", &Api::new_bot},
      {"POST", "/api/me/password", &Api::set_password},
      {"POST", "/api/login", &Api::login},
      {"POST", "/api/logout", &Api::logout},
      {"POST", "/api/me/link", &Api::private_link},
      {"POST", "/api/back", &Api::come_back},
      {"POST", "/api/me/feed", &Api::new_feed},
      {"GET", "/api/feed/*", &Api::feed},
      {"POST", "/api/me/webhook", &Api::webhook},
      {"POST", "/api/guests", &Api::guest},
      {"GET", "/api/tables", &Api::tables},
      {"GET", "/api/me/tables", &Api::my_tables},
      {"POST", "/api/tables", &Api::new_table},
      {"GET", "/api/codes/*", &Api::code},
      {"GET", "/api/tables/*/check", &Api::check},
      {"POST", "/api/tables/*/commands", &Api::command},
      {"GET", "/api/tables/*/hint", &Api::hint},
      {"GET", "/api/tables/*/review", &Api::review},
      {"GET", "/api/tables/*/record", &Api::record},
      {"POST", "/api/owner/*", &Api::owner},
  };
  return all;
}

void Api::handle(Request request, Answer answer) {
  site_.metrics->request();
  const auto parts = split(request.path, '/');
  bool path_known = false;
  for (const Route& route : routes()) {
    const auto pattern = split(route.path, '/');
    std::vector<std::string> stars;
    bool fits = pattern.size() == parts.size();
    for (std::size_t i = 0; fits && i < parts.size(); ++i) {
      if (pattern[i] == "*") {
        stars.emplace_back(parts[i]);
      } else {
        fits = pattern[i] == parts[i];
      }
    }
    if (!fits) continue;
    path_known = true;
    if (route.method != request.method) continue;
    if (request.method != "GET" && !origin_allowed(request)) {
      answer(problem(403, Error::of("This request comes from another site's page.")));
      return;
    }
    site_.readers->run([this, handler = route.handler, request = std::move(request), stars = std::move(stars),
                        answer = std::move(answer)](Store& store) {
      Call call{request, stars, store, answer};
      (this->*handler)(call);
    });
    return;
  }
  answer(path_known ? problem(405, Error::of("This path takes another method."))
                    : problem(404, Error::of("There is nothing at this path.")));
}

bool Api::origin_allowed(const Request& request) const {
  if (request.origin.empty()) return true;
  const auto& others = site_.config.origins;
  return request.origin == (request.secure ? "https://" : "http://") + request.host ||
         std::find(others.begin(), others.end(), request.origin) != others.end();
}

void Api::identify(const Request& request, std::function<void(std::optional<Response>, Visitor)> then) {
  site_.readers->run([this, request, then = std::move(then)](Store& store) {
    const auto from = sender(request, store);
    if (const auto* refused = std::get_if<Response>(&from)) return then(*refused, {});
    const auto& person = std::get<std::optional<Person>>(from);
    then(std::nullopt, person ? Visitor{person->id, person->name} : Visitor{});
  });
}

std::variant<std::optional<Person>, Response> Api::sender(const Request& request, Store& store) const {
  const auto person = site_.identity->of(request, store);
  if (!person) return problem(503, person.error());
  if (!*person && !request.authorization.empty()) return problem(401, Error::of("This token is not known."));
  if (*person && site_.gate->name_banned((**person).name)) return problem(403, name_not_welcome());
  return *person;
}

/// Who calls, as answers then say; answers by itself when it is nobody.
std::optional<Person> Api::caller(Call& call) {
  const auto from = sender(call.request, call.store);
  if (const auto* refused = std::get_if<Response>(&from)) {
    call.answer(*refused);
    return std::nullopt;
  }
  const auto& person = std::get<std::optional<Person>>(from);
  if (!person) {
    call.no(401, name_yourself());
  } else {
    call.answer = [answer = std::move(call.answer), who = person->id](Response response) {
      response.person = who;
      answer(std::move(response));
    };
  }
  return person;
}

// ── The site ──

void Api::greeting(Call& call) {
  call.ok(fmt::format(R"({{"server":"{}","protocol":1,"time":{}}})", TESSERA_VERSION, now()));
}

void Api::health(Call& call) {
  if (const auto problem = call.store.ping()) return call.no(*problem);
  if (site_.peers->cut_off()) return call.no(Error::of("The database has not answered for a while."));
  call.ok(fmt::format(R"({{"ok":true,"process":"{}","bus":"{}"}})", site_.process, site_.peers->bus()));
}

void Api::metrics(Call& call) { call.answer({.body = site_.metrics->text(), .type = "text/plain; version=0.0.4"}); }

void Api::games(Call& call) { call.ok(games_json_); }

void Api::opponents(Call& call) {
  std::vector<std::string> bots;
  for (const BotInfo& bot : all_bots()) {
    bots.push_back(fmt::format(R"({{"name":"{}","title":{},"line":{}}})", bot.name, json_string(bot.title),
                               json_string(bot.line)));
  }
  call.ok(fmt::format(R"({{"opponents":[{}]}})", join(bots, ",")));
}

// ── Tables ──

void Api::new_table(Call& call) {
  const auto person = caller(call);
  if (!person) return;
  const auto settings = parse_settings(call.request.body, site_.world.games, site_.world.bots);
  if (!settings) return call.no(400, settings.error());
  const auto tables = call.store.count_of(person->id);
  if (!tables) return call.no(tables.error());
  if (*tables >= site_.gate->settings().tables_per_person && !site_.config.bench) {
    return call.no(429, Error::of("You are at {} tables already; finish or close some first.", *tables));
  }
  const std::string id = crypto::random_name(12);
  Match::Happenings happened;
  auto match = Match::create(site_.world, id, *settings, person->id, now(), happened);
  if (!match) return call.no(400, match.error());
  std::string code = make_code();
  while (true) {
    const auto taken = call.store.match_with_code(code);
    if (!taken) return call.no(taken.error());
    if (!*taken) break;
    code = make_code();
  }
  Tables& home = site_.home_of(id);
  home.loop().post(
      [&home, id, code, answer = call.answer, names = Table::Names{{person->id, person->name}},
       made = std::make_shared<std::pair<Match, Match::Happenings>>(std::move(*match), std::move(happened))]() mutable {
        home.create(std::move(made->first), made->second, code, std::move(names),
                    [id, code, answer](const std::optional<Error>& failed) {
                      if (failed) return answer(problem(503, *failed));
                      answer({.status = 201, .body = fmt::format(R"({{"id":"{}","code":"{}"}})", id, code)});
                    });
      });
}

void Api::code(Call& call) {
  const auto id = call.store.match_with_code(call.parts[0]);
  if (!id) return call.no(id.error());
  if (!*id) return call.no(404, Error::of("No table has this code now. Ask for it once more?"));
  call.ok(fmt::format(R"({{"id":"{}"}})", **id));
}

void Api::check(Call& call) {
  const auto from = sender(call.request, call.store);
  if (const auto* refused = std::get_if<Response>(&from)) return call.answer(*refused);
  const auto& person = std::get<std::optional<Person>>(from);
  const auto number = [&](const char* key) -> std::optional<std::uint32_t> {
    const auto given = call.request.query.find(key);
    if (given == call.request.query.end() || given->second.empty()) return std::nullopt;
    return parse_int<std::uint32_t>(given->second);
  };
  const Table::Since since{.event = number("after"), .chat = number("chat").value_or(0)};
  const auto wait = number("wait");
  const std::optional<Time> until =
      wait ? std::optional(now() + Time{1000} * std::min<std::uint32_t>(*wait, longest_wait_s)) : std::nullopt;
  const std::string who = person ? person->id : "";
  Tables& home = site_.home_of(call.parts[0]);
  home.loop().post([&home, id = call.parts[0], who, since, until, answer = call.answer] {
    home.with(id, [who, since, until, answer](const Expected<Table*>& table) {
      if (!table) return answer(problem(404, table.error()));
      (*table)->check(who, since, until,
                      [answer](const SharedMessage& told) { answer({.status = told->status, .body = told->text}); });
    });
  });
}

void Api::command(Call& call) {
  const auto person = caller(call);
  if (!person) return;
  const auto caller = std::make_shared<Caller>(call.answer);
  caller->person = person->id;
  caller->name = person->name;
  caller->address = call.request.address;
  message(caller, call.parts[0], call.request.body);
}

void Api::message(const std::shared_ptr<Member>& member, const std::string& id, std::string_view text) {
  auto command = parse_command(text);
  if (!command) return speech(member, id, text, command.error());
  if (member->person.empty()) return member->tell(refusal(command->id, name_yourself()));
  if (command->kind != Command::Kind::sit || command->text.empty()) {
    Tables& home = site_.home_of(id);
    Table* table = home.loop().is_here() ? home.find(id) : nullptr;
    if (table != nullptr) return table->command(member, std::move(*command), {});
    return at_table(member, id,
                    [member, command = std::move(*command)](Table& found) { found.command(member, command, {}); });
  }
  if (!command->text.starts_with(member->person + '~')) return member->tell(refusal(command->id, no_such_guest()));
  site_.readers->run([this, member, id, command = std::move(*command)](Store& store) {
    const auto refuse = [&](const Error& why) { member->tell(refusal(command.id, why)); };
    const auto guest = store.person(command.text);
    if (!guest) return member->tell(failure(*site_.log, id, member->person, command.id, guest.error()));
    if (!*guest) return refuse(no_such_guest());
    if (site_.gate->name_banned((**guest).name)) return refuse(name_not_welcome());
    at_table(member, id,
             [member, command, name = (**guest).name](Table& table) { table.command(member, command, name); });
  });
}

/// Chat and mutes are the table's, not the match's. `unknown`: what is wrong if it is neither.
void Api::speech(const std::shared_ptr<Member>& member, const std::string& id, std::string_view text,
                 const Error& unknown) {
  const auto complain = [&](const Error& why) { member->tell(complaint(400, why)); };
  const Json json = Json::parse(text, nullptr, false);
  const std::string what = json.is_object() && json.contains("do") && json["do"].is_string() ? json["do"] : "";
  if (what != "say" && what != "mute") return complain(unknown);
  const bool has_number = json.contains("id") && json["id"].is_number_unsigned();
  const std::uint64_t number = has_number ? json["id"].get<std::uint64_t>() : command_id_limit;
  if (number >= command_id_limit) return complain(Error::of("A command needs \"id\", a whole number below 2^53."));
  if (what == "mute") {
    if (!json.contains("person") || !json["person"].is_string()) {
      return complain(Error::of(R"("mute" needs "person", the id of whom to mute.)"));
    }
    if (json.contains("on") && !json["on"].is_boolean())
      return complain(Error::of(R"("on" is neither true nor false.)"));
    return at_table(member, id,
                    [member, number, whom = json["person"].get<std::string>(),
                     on = json.value("on", true)](Table& table) { table.mute(member, number, whom, on); });
  }
  const auto refuse = [&](const Error& why) { member->tell(refusal(number, why)); };
  const auto words =
      clean_chat(json.contains("text") && json["text"].is_string() ? json["text"].get<std::string>() : "");
  if (!words) return refuse(words.error());
  if (site_.gate->silent(member->person)) return refuse(Error::of("You have been muted on this server."));
  const bool gallery = json.contains("gallery") && json["gallery"].is_boolean() && json["gallery"].get<bool>();
  at_table(member, id, [member, saying = Saying{number, *words, gallery}](Table& table) { table.say(member, saying); });
}

/// On the table's loop. The member is told when there is no such table.
void Api::at_table(const std::shared_ptr<Member>& member, const std::string& id, std::function<void(Table&)> use) {
  Tables& home = site_.home_of(id);
  home.loop().run([&home, id, member, use = std::move(use)] {
    home.with(id, [member, use](const Expected<Table*>& table) {
      if (table) return use(**table);
      member->tell(complaint(404, table.error()));
    });
  });
}

void Api::hint(Call& call) {
  const auto person = caller(call);
  if (!person) return;
  Tables& home = site_.home_of(call.parts[0]);
  home.loop().post([&home, id = call.parts[0], who = person->id, answer = call.answer] {
    home.with(id, [who, answer](const Expected<Table*>& table) {
      if (!table) return answer(problem(404, table.error()));
      (*table)->hint(who, answer);
    });
  });
}

/// Whether the table's game is over; answers by itself when not.
bool Api::over(Call& call) {
  const auto row = call.store.row(call.parts[0]);
  if (row && *row && (**row).stage == MatchRow::Stage::over) return true;
  if (!row) {
    call.no(row.error());
  } else if (!*row) {
    call.no(404, no_such_table());
  } else {
    call.no(409,
            Error::of("This can be had once the game is over: before, it would show hidden hands and dice to come."));
  }
  return false;
}

void Api::review(Call& call) {
  if (over(call)) call.answer(site_.reviews->of(call.parts[0]));
}

void Api::record(Call& call) {
  if (!over(call)) return;
  const auto log = call.store.events(call.parts[0]);
  if (!log) return call.no(log.error());
  std::string text = record_header(call.parts[0]) + '\n';
  for (const std::string& line : *log) (text += line) += '\n';
  call.answer(
      {.body = std::move(text),
       .type = "application/x-ndjson",
       .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"tessera-{}.jsonl\"", call.parts[0])}}});
}

// ── The server's owner ──

void Api::owner(Call& call) {
  constexpr std::string_view bearer = "Bearer ";
  const std::string& given = call.request.authorization;
  const auto owner = given.starts_with(bearer)
                         ? Identity::with_key(call.store, std::string_view(given).substr(bearer.size()), "owner")
                         : std::optional<Person>();
  if (!owner) return call.no(owner.error());
  if (!*owner)
    return call.no(403, Error::of("Only the server's owner can do this; `tessera admin owner-key` makes a key."));
  const std::string& what = call.parts[0];
  const Json json = Json::parse(call.request.body, nullptr, false);
  if (!json.is_object()) return call.no(400, Error::of("The request needs a JSON object."));  // for it will be logged
  const auto text = [&](const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
  };
  if (what == "close") {
    const std::string id = text("table");
    Tables& home = site_.home_of(id);
    home.loop().post([this, &home, id, answer = call.answer] {
      home.with(id, [this, id, answer](const Expected<Table*>& table) {
        if (!table) return answer(problem(404, table.error()));
        site_.log->info("the owner has decided", {{"what", "close"}, {"table", id}});
        (*table)->close_by_owner();
        answer({.body = "{}"});
      });
    });
    return;
  }
  const bool bans = what == "ban" || what == "unban";
  if (!bans && what != "mute" && what != "unmute") {
    return call.no(404, Error::of("An owner can close, ban, unban, mute and unmute."));
  }
  const auto changed = Bans::change(call.store, [&](Bans& all) {
    if (bans) all.set(what == "ban", text("address"), text("name"), "");
    if (!bans) all.set(what == "mute", "", "", text("person"));
  });
  if (!changed) return call.no(changed.error());
  site_.log->info("the owner has decided", {{"what", what}, {"about", call.request.body}});
  if (const auto problem = site_.peers->heed_bans(*changed, call.store)) return call.no(*problem);
  call.ok(changed->json());
}

}  // namespace tessera::server
