/// Talk at a table. Outside the log, so that it can be deleted.
#include <fmt/format.h>
#include <algorithm>

#include "core/text.hpp"
#include "server/peers.hpp"
#include "server/table_work.hpp"

namespace tessera::server {
namespace {

constexpr int most_chat = 200;

std::string chat_json(const ChatLine& line, std::string_view name) {
  return fmt::format(R"({{"n":{},"at":{},"by":{},"name":{},"text":{},"gallery":{}}})", line.number, line.at,
                     json_string(line.person), json_string(name), json_string(line.text), line.gallery);
}

/// Names of all who speak in `lines`.
std::vector<Person> names_of(Store& store, std::span<const ChatLine> lines) {
  std::vector<std::string> ids;
  for (const ChatLine& line : lines) ids.push_back(line.person);
  auto people = store.people(ids);
  return people ? std::move(*people) : std::vector<Person>{};
}

Error nameless() { return Error::of("Give yourself a name first."); }

std::string name_in(std::span<const Person> people, const std::string& id) {
  const auto speaker = std::ranges::find(people, id, &Person::id);
  return speaker == people.end() ? "" : speaker->name;
}

}  // namespace

/// Adds what was said since `after`. On a worker's thread.
std::optional<Error> Table::append_chat(std::string& text, Store& store, const std::string& match, std::uint64_t after,
                                        bool hears_gallery) {
  const auto lines = store.chat(match, after, most_chat);
  if (!lines) return lines.error();
  const auto people = names_of(store, *lines);
  std::string json = "[";
  for (const ChatLine& line : *lines) {
    if (line.gallery && !hears_gallery) continue;
    if (json.size() > 1) json += ',';
    json += chat_json(line, name_in(people, line.person));
  }
  append_member(text, "chat", json + ']');
  return std::nullopt;
}

void Table::say(const std::shared_ptr<Member>& member, Saying saying) {
  const std::string& person = member->person;
  const bool seated = match_.seated(person);
  const auto no = [&](const Error& why) { member->tell(refusal(saying.id, why)); };
  if (person.empty()) return no(nameless());
  if (!match_.settings().chat) return no(Error::of("There is no chat at this table."));
  const ChatLine line{.match = match_.id(),
                      .person = person,
                      .command = saying.id,
                      .gallery = !seated || saying.gallery,
                      .text = std::move(saying.text),
                      .at = now()};
  in_background(*site_.readers, [this, member, line, id = saying.id](Store& store) -> std::function<void()> {
    const auto muted = store.fact(muted_fact(line.match, line.person));
    const auto speaker = store.person(line.person);
    const bool forgotten = speaker && !*speaker;
    auto said = forgotten                  ? nameless()
                : muted && *muted == "yes" ? Error::of("The host has muted you.")
                                           : store.say(line);
    return [this, member, id, said = std::move(said), name = speaker && *speaker ? (**speaker).name : ""] {
      if (!said) {
        member->tell(failure(*site_.log, match_.id(), member->person, id, said.error()));
        return;
      }
      const std::string chat = chat_json(*said, name);
      member->tell(message(fmt::format(R"({{"ack":{},"chat":[{}]}})", id, chat)));
      site_.peers->said(match_.id());
      if (said->number <= last_chat_) return;                     // told already
      if (said->number > last_chat_ + 1) return look_for_chat();  // others have spoken meanwhile, perhaps elsewhere
      last_chat_ = said->number;
      tell_chat(*said, chat, member.get());
    };
  });
}

/// To all who hear it but its speaker, who knows.
void Table::tell_chat(const ChatLine& line, const std::string& json, const Member* speaker) {
  const SharedMessage told = message(fmt::format(R"({{"chat":[{}]}})", json));
  for (Present& present : members_) {
    const bool hears = !line.gallery || match_.stage() == Stage::over || !match_.seated(present.member->person);
    if (present.member.get() != speaker && hears) tell(present, told);
  }
  when_written([this] { tell_waiting(); });
}

void Table::look_for_chat() {
  if (!match_.settings().chat) return;
  if (std::exchange(looking_for_chat_, true)) {
    chat_once_more_ = true;
    return;
  }
  in_background(*site_.followers, [this, id = match_.id(), after = last_chat_](Store& store) {
    const auto found = store.chat(id, after, most_chat);
    const auto lines = found ? *found : std::vector<ChatLine>{};
    return [this, lines, names = names_of(store, lines)] {
      for (const ChatLine& line : lines) {
        if (line.number <= last_chat_) continue;
        last_chat_ = line.number;
        tell_chat(line, chat_json(line, name_in(names, line.person)), nullptr);
      }
      looking_for_chat_ = false;
      if (std::exchange(chat_once_more_, false)) look_for_chat();
    };
  });
}

void Table::mute(const std::shared_ptr<Member>& member, std::uint64_t id, const std::string& person, bool on) {
  if (member->person != match_.host()) return member->tell(refusal(id, Error::of("Only the host can mute somebody.")));
  const auto write = [match = match_.id(), person, on](Store& store) -> std::optional<Error> {
    const auto whom = store.person(person);
    if (!whom) return whom.error();
    if (!*whom) return Error::of("There is nobody with this id.");
    return store.put_fact(muted_fact(match, (**whom).id), on ? "yes" : "no");
  };
  in_background(*site_.readers, [this, member, id, write](Store& store) {
    return [this, member, id, problem = write(store)] {
      if (problem) return member->tell(failure(*site_.log, match_.id(), member->person, id, *problem));
      member->tell(message(fmt::format(R"({{"ack":{},"seq":{}}})", id, written_)));
    };
  });
}

}  // namespace tessera::server
