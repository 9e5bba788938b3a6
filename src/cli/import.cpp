#include <fmt/format.h>
#include <iterator>

#include "cli/command.hpp"
#include "cli/record_file.hpp"
#include "core/text.hpp"
#include "server/site.hpp"
#include "server/words.hpp"
#include "store/store.hpp"

namespace tessera::cli {
namespace {

struct ImportArguments {
  std::string file;
  std::string database;
};

void import_match(const ImportArguments& arguments) {
  Record record;
  with_input(arguments.file, [&](std::istream& file, const std::string& name) {
    record = read_record(std::string(std::istreambuf_iterator<char>(file), {}), name);
  });
  const Match match = check_record(record, arguments.file, {});

  auto store = open_store(arguments.database);
  if (!store) throw Stop{failed, store.error().sentence};
  const auto existing = (*store)->row(record.id);
  if (!existing) throw Stop{failed, existing.error().sentence};
  if (*existing) {
    refuse(Error{fmt::format("match {} is in {} already", in_quotes(record.id), in_quotes(arguments.database))});
  }
  const Append append{.match = record.id,
                      .expected = 0,
                      .events = std::move(record.log),
                      .row = row_of(match, server::make_code(), server::now())};
  const auto outcome = (*store)->append({&append, 1});
  if (!outcome) throw Stop{failed, outcome.error().sentence};
  if (outcome->front() == Appended::stale) throw Stop{failed, "another program has just taken its place; try again"};
  fmt::print("{}: {} events\n", append.match, append.events.size());
}

}  // namespace

void add_import(CLI::App& program) {
  CLI::App* command = program.add_subcommand("import", "Take in a match that `tessera export` wrote");
  command->footer(
      "Every event is checked against the rules first, every die recomputed. A match that is there already is "
      "refused.\n"
      "Names and chat do not travel: they are not part of a match.\n");
  auto arguments = std::make_shared<ImportArguments>();
  command->add_option("file", arguments->file, "The file")->required()->type_name("FILE");
  add_database(*command, arguments->database);
  command->callback([arguments] { import_match(*arguments); });
}

}  // namespace tessera::cli
