/// The Api's requests about people: docs/protocol.md, section "Who you are".
#include <fmt/format.h>

#include "core/text.hpp"
#include "crypto/crypto.hpp"
#include "server/call.hpp"
#include "server/gate.hpp"
#include "server/identity.hpp"
#include "server/webhooks.hpp"
#include "server/words.hpp"

namespace tessera::server {
namespace {

std::string person_json(const Person& person) {
  return fmt::format(R"({{"id":{},"name":{},"password":{},"bot":{}}})", json_string(person.id),
                     json_string(person.name), !person.password.empty(), person.bot);
}

}  // namespace

void Api::me(Call& call) {
  // A new visitor asks as well, and browsers report anything but success as an error of the page.
  const auto from = sender(call.request, call.store);
  if (const auto* refused = std::get_if<Response>(&from)) return call.answer(*refused);
  const auto& person = std::get<std::optional<Person>>(from);
  call.ok(person ? person_json(*person) : "null");
}

void Api::name_me(Call& call) {
  const auto text = call.text("name");
  if (!text) return;
  const auto name = clean_name(*text);
  if (!name) return call.no(400, name.error());
  if (site_.gate->name_banned(*name)) return call.no(403, name_not_welcome());
  const auto from = sender(call.request, call.store);
  if (const auto* refused = std::get_if<Response>(&from)) return call.answer(*refused);
  Person person = std::get<std::optional<Person>>(from).value_or(
      Person{.id = crypto::random_name(12), .name = {}, .created = now()});
  person.name = *name;
  if (auto problem = call.store.put_person(person)) return call.no(409, *problem);
  Response response{.body = person_json(person)};
  if (call.request.authorization.empty()) {
    response.headers = {{"Set-Cookie", site_.identity->cookie(person.id, call.request.secure)}};
  }
  call.answer(std::move(response));
}

void Api::new_bot(Call& call) {
  const auto text = call.text("name");
  if (!text) return;
  const auto name = clean_name(*text);
  if (!name) return call.no(400, name.error());
  if (site_.gate->name_banned(*name)) return call.no(403, name_not_welcome());
  const Person person{.id = crypto::random_name(12), .name = *name, .bot = true, .created = now()};
  if (auto problem = call.store.put_person(person)) return call.no(*problem);
  const auto token = Identity::new_key(call.store, person.id, "token");
  if (!token) return call.no(token.error());
  call.ok(fmt::format(R"({{"id":"{}","name":{},"token":"{}"}})", person.id, json_string(person.name), *token));
}

void Api::set_password(Call& call) {
  constexpr std::size_t shortest = 8;
  constexpr std::size_t longest = 128;
  const auto person = caller(call);
  if (!person) return;
  const auto password = call.text("password");
  if (!password) return;
  if (password->size() < shortest || password->size() > longest) {
    return call.no(400, Error::of("A password has {} to {} characters.", shortest, longest));
  }
  site_.hashers->run([person = *person, password = *password, answer = call.answer](Store& store) {
    const auto hash = crypto::password_hash(password);
    if (!hash) return answer(problem(503, hash.error()));
    Person changed = person;
    changed.password = *hash;
    if (const auto taken = store.put_person(changed)) return answer(problem(409, *taken));
    answer({.body = person_json(changed)});
  });
}

void Api::login(Call& call) {
  const auto name = call.text("name");
  if (!name) return;
  const auto password = call.text("password");
  if (!password) return;
  site_.hashers->run([this, name = *name, password = *password, secure = call.request.secure,
                      answer = call.answer](Store& store) {
    const auto person = store.person_with_password(name);
    if (!person) return answer(problem(503, person.error()));
    if (!*person || !crypto::password_fits((**person).password, password)) {
      return answer(problem(401, Error::of("Name and password do not go together.")));
    }
    if (site_.gate->name_banned((**person).name)) return answer(problem(403, name_not_welcome()));
    answer({.body = person_json(**person), .headers = {{"Set-Cookie", site_.identity->cookie((**person).id, secure)}}});
  });
}

void Api::logout(Call& call) { call.answer({.body = "{}", .headers = {{"Set-Cookie", Identity::no_cookie()}}}); }

void Api::private_link(Call& call) {
  const auto person = caller(call);
  if (!person) return;
  const auto key = Identity::new_key(call.store, person->id, "link");
  if (!key) return call.no(key.error());
  call.ok(fmt::format(R"({{"key":"{}"}})", *key));
}

void Api::come_back(Call& call) {
  const auto key = call.text("key");
  if (!key) return;
  const auto person = Identity::with_key(call.store, *key, "link");
  if (!person) return call.no(person.error());
  if (!*person) return call.no(401, Error::of("This private link is no longer valid."));
  if (site_.gate->name_banned((**person).name)) return call.no(403, name_not_welcome());
  call.answer({.body = person_json(**person),
               .headers = {{"Set-Cookie", site_.identity->cookie((**person).id, call.request.secure)}}});
}

void Api::new_feed(Call& call) {
  const auto person = caller(call);
  if (!person) return;
  const auto key = Identity::new_key(call.store, person->id, "feed");
  if (!key) return call.no(key.error());
  call.ok(fmt::format(R"({{"feed":"/api/feed/{}"}})", *key));
}

void Api::webhook(Call& call) {
  const auto person = caller(call);
  if (!person) return;
  const auto url = call.text("url");
  if (!url) return;
  if (!url->empty()) {
    if (const auto wrong = Webhooks::check(*url)) return call.no(400, *wrong);
  }
  Person changed = *person;
  changed.webhook = *url;
  if (auto problem = call.store.put_person(changed)) return call.no(*problem);
  call.ok("{}");
}

/// Guests are people whose id begins with that of the person whose device they play at.
void Api::guest(Call& call) {
  const auto person = caller(call);
  if (!person) return;
  const auto text = call.text("name");
  if (!text) return;
  const auto name = clean_name(*text);
  if (!name) return call.no(400, name.error());
  if (site_.gate->name_banned(*name)) return call.no(403, name_not_welcome());
  const Person guest{.id = person->id + '~' + crypto::random_name(4), .name = *name, .created = now()};
  if (auto problem = call.store.put_person(guest)) return call.no(*problem);
  call.ok(fmt::format(R"({{"id":"{}"}})", guest.id));
}

}  // namespace tessera::server
