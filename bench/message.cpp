#include "bench/message.hpp"

#include <fmt/format.h>
#include <simdjson.h>
#include <zlib.h>

#include "core/text.hpp"

namespace tessera::bench {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

template <class T>
std::optional<T> member(const simdjson::simdjson_result<element>& found) {
  T value{};
  if (found.get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

std::optional<Turn> turn_of(const element& root) {
  object turn;
  if (root["turn"].get(turn) != simdjson::SUCCESS) return std::nullopt;
  if (const auto seat = member<std::int64_t>(turn["roll"])) return Turn{Phase::chance, static_cast<std::int8_t>(*seat)};
  if (const auto seat = member<std::int64_t>(turn["move"])) {
    return Turn{Phase::decision, static_cast<std::int8_t>(*seat)};
  }
  return Turn{Phase::over, -1};
}

std::optional<Message::Drawing> drawing_of(const element& root) {
  object draw;
  if (member<std::string_view>(root["table"]["stage"]) != "drawing") return std::nullopt;
  if (root["table"]["draw"].get(draw) != simdjson::SUCCESS) return std::nullopt;
  Message::Drawing drawing{.committed = true};
  drawing.number = static_cast<int>(member<std::int64_t>(draw["number"]).value_or(1));
  simdjson::dom::array hashes;
  if (draw["hashes"].get(hashes) != simdjson::SUCCESS) return std::nullopt;
  for (const element hash : hashes) {
    std::string_view text;
    drawing.committed = drawing.committed && hash.get(text) == simdjson::SUCCESS && !text.empty();
  }
  return drawing;
}

bool inflate_all(std::string_view compressed, std::string& plain) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(compressed.size());
  int status = Z_OK;
  std::size_t written = 0;
  while (status == Z_OK) {
    plain.resize(std::max(plain.size(), written + std::size_t{16} * 1024));
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + written);
    stream.avail_out = static_cast<uInt>(plain.size() - written);
    status = inflate(&stream, Z_NO_FLUSH);
    written = stream.total_out;
  }
  inflateEnd(&stream);
  plain.resize(written);
  return status == Z_STREAM_END;
}

}  // namespace

struct Reader::Document {
  simdjson::dom::parser parser;
  element root;
  std::string plain;
};

Reader::Reader() : document_(std::make_unique<Document>()) {}
Reader::~Reader() = default;

Expected<Message> Reader::read(std::string_view frame, bool compressed) {
  if (compressed) {
    if (!inflate_all(frame, document_->plain)) return Error{"the server sent a binary frame that zlib cannot read"};
    frame = document_->plain;
  }
  if (document_->parser.parse(frame.data(), frame.size()).get(document_->root) != simdjson::SUCCESS) {
    return Error{fmt::format("the server sent what is no JSON: {}", in_quotes(frame))};
  }
  const element& root = document_->root;
  Message message;
  message.greeting = root["protocol"].error() == simdjson::SUCCESS;
  message.seq = member<std::uint64_t>(root["seq"]).value_or(0);
  simdjson::dom::array events;
  if (root["events"].get(events) == simdjson::SUCCESS) message.events = static_cast<std::uint32_t>(events.size());
  message.ack = member<std::uint64_t>(root["ack"]);
  if (root["refused"].error() == simdjson::SUCCESS) {
    message.refused = member<std::string_view>(root["why"]).value_or("it did not say why");
  }
  message.turn = turn_of(root);
  message.drawing = drawing_of(root);
  return message;
}

std::string_view Reader::you() const {
  return member<std::string_view>(document_->root["you"]).value_or(std::string_view());
}

std::string Reader::events() const {
  simdjson::dom::array events;
  if (document_->root["events"].get(events) != simdjson::SUCCESS) return {};
  return simdjson::minify(events);
}

std::string Reader::random_choices(Random& random) const {
  object next;
  if (document_->root["legal"]["next"].get(next) != simdjson::SUCCESS) return {};
  std::string choices;
  for (bool more = true; more;) {
    auto choice = next.begin();
    for (std::uint32_t skip = random(static_cast<std::uint32_t>(next.size())); skip > 0; --skip) ++choice;
    choices += (choices.empty() ? '[' : ',') + json_string(choice.key());
    more = choice.value()["next"].get(next) == simdjson::SUCCESS;
  }
  return choices + ']';
}

void Reader::each_play(const std::function<void(std::uint64_t seq, std::string_view play)>& tell) const {
  simdjson::dom::array events;
  if (document_->root["events"].get(events) != simdjson::SUCCESS) return;
  std::uint64_t seq = member<std::uint64_t>(document_->root["seq"]).value_or(0) - events.size();
  for (const element event : events) {
    ++seq;
    auto notation = member<std::string_view>(event["chance"]);
    if (!notation) notation = member<std::string_view>(event["move"]);
    if (notation) tell(seq, fmt::format("{} {}", member<std::int64_t>(event["seat"]).value_or(-1), *notation));
  }
}

}  // namespace tessera::bench
