/// The Api's lists of tables: the lobby, one's own, and the feed of those that await somebody.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <algorithm>
#include <span>

#include "core/text.hpp"
#include "server/call.hpp"
#include "server/gate.hpp"
#include "server/identity.hpp"

namespace tessera::server {
namespace {

constexpr int most_listed = 100;

/// A page that begins after the cursor "TIME.ID" of the request.
Expected<Page> page_of(const Request& request) {
  Page page;
  if (const auto limit = request.query.find("limit"); limit != request.query.end()) {
    const auto number = parse_int(limit->second.empty() ? "x" : limit->second);
    if (!number || *number < 1 || *number > most_listed) {
      return Error::of("limit takes 1 to {}.", most_listed);
    }
    page.limit = *number;
  }
  if (const auto before = request.query.find("before"); before != request.query.end()) {
    const auto dot = before->second.find('.');
    const auto time =
        dot == std::string::npos || dot == 0 ? std::nullopt : parse_int<Time>(before->second.substr(0, dot));
    if (!time) return Error::of("before takes the cursor that came as \"next\" with the page before.");
    page.before = time;
    page.before_id = before->second.substr(dot + 1);
  }
  return page;
}

std::string xml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '&': escaped += "&amp;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string rfc3339(Time time) { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time / 1000)); }

/// One row more than the page has tells whether there is a next one.
Page with_one_more(Page page) {
  ++page.limit;
  return page;
}

/// Rows, one more than the page has, with the names of everybody in them.
void answer_rows(Store& store, const Expected<std::vector<MatchRow>>& found, const Page& page, std::string_view me,
                 const Answer& answer) {
  if (!found) return answer(problem(503, found.error()));
  const bool more = static_cast<int>(found->size()) > page.limit;
  const auto rows = std::span(*found).first(more ? found->size() - 1 : found->size());
  std::vector<std::string> tables;
  std::vector<std::string> ids;
  for (const MatchRow& row : rows) {
    const bool awaits = std::find(row.awaited.begin(), row.awaited.end(), me) != row.awaited.end();
    tables.push_back(
        fmt::format(R"({{"id":"{}","code":"{}","game":"{}","stage":"{}","created":{},"changed":{},{}"table":{}}})",
                    row.id, row.code, row.game, stage_name(row.stage), row.created, row.changed,
                    awaits ? R"("awaits_you":true,)" : "", row.summary));
    ids.insert(ids.end(), row.people.begin(), row.people.end());
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<std::string> names;
  if (const auto people = store.people(ids)) {
    for (const Person& person : *people) names.push_back(json_string(person.id) + ':' + json_string(person.name));
  }
  std::string next;
  if (more) next = fmt::format(R"(,"next":"{}.{}")", rows.back().changed, rows.back().id);
  answer({.body = fmt::format(R"({{"tables":[{}],"people":{{{}}}{}}})", join(tables, ","), join(names, ","), next)});
}

}  // namespace

void Api::tables(Call& call) {
  const auto page = page_of(call.request);
  if (!page) return call.no(400, page.error());
  const auto wanted = call.request.query.find("stage");
  const std::string stage = wanted == call.request.query.end() ? "gathering" : wanted->second;
  const Page rows = with_one_more(*page);
  if (stage == "gathering") return answer_rows(call.store, call.store.listed(rows), *page, "", call.answer);
  if (stage == "playing") return answer_rows(call.store, call.store.watchable(rows), *page, "", call.answer);
  if (stage == "over") return answer_rows(call.store, call.store.finished(rows), *page, "", call.answer);
  call.no(400, Error::of("stage takes gathering, playing or over."));
}

void Api::my_tables(Call& call) {
  const auto person = caller(call);
  if (!person) return;
  const auto page = page_of(call.request);
  if (!page) return call.no(400, page.error());
  const auto over = call.request.query.find("over");
  const bool finished = over != call.request.query.end() && over->second == "true";
  answer_rows(call.store, call.store.matches_of(person->id, finished, with_one_more(*page)), *page, person->id,
              call.answer);
}

void Api::feed(Call& call) {
  const auto person = Identity::with_key(call.store, call.parts[0], "feed");
  if (!person) return call.no(person.error());
  if (!*person) return call.no(404, Error::of("There is no such feed."));
  if (site_.gate->name_banned((**person).name)) return call.no(403, name_not_welcome());
  const auto rows = call.store.matches_of((**person).id, false, Page{std::nullopt, {}, most_listed});
  if (!rows) return call.no(rows.error());
  const std::string site = fmt::format("{}://{}", call.request.secure ? "https" : "http", call.request.host);
  std::string entries;
  Time latest = (**person).created;
  for (const MatchRow& row : *rows) {
    if (std::find(row.awaited.begin(), row.awaited.end(), (**person).id) == row.awaited.end()) continue;
    latest = std::max(latest, row.changed);
    entries += fmt::format(
        "<entry><id>urn:tessera:{0}:{1}</id><title>{2}: you are awaited</title><updated>{3}</updated>"
        "<link href=\"{4}/t/{0}\"/></entry>",
        row.id, row.changed, xml(row.game), rfc3339(row.changed), xml(site));
  }
  call.answer(
      {.body = fmt::format("<?xml version=\"1.0\" encoding=\"utf-8\"?><feed xmlns=\"http://www.w3.org/2005/Atom\">"
                           "<id>urn:tessera:feed:{}</id><title>Tessera: {}</title><updated>{}</updated>{}</feed>",
                           (**person).id, xml((**person).name), rfc3339(latest), entries),
       .type = "application/atom+xml"});
}

}  // namespace tessera::server
