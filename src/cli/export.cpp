#include <fmt/format.h>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "cli/command.hpp"
#include "core/text.hpp"
#include "match/record.hpp"
#include "store/store.hpp"

namespace tessera::cli {
namespace {

struct ExportArguments {
  std::string match;
  std::string database;
  std::string file = "-";
};

void write_record(std::ostream& out, const std::string& match, const std::vector<std::string>& log) {
  out << record_header(match) << '\n';
  for (const std::string& line : log) out << line << '\n';
  out.flush();
}

void export_match(const ExportArguments& arguments) {
  const auto store = open_existing(arguments.database);
  const auto log = store->events(arguments.match);
  if (!log) throw Stop{failed, log.error().sentence};
  const auto row = store->row(arguments.match);
  if (!row) throw Stop{failed, row.error().sentence};
  if (log->empty() || !*row) {
    refuse(Error{fmt::format("there is no match {} in {}", in_quotes(arguments.match), in_quotes(arguments.database))});
  }
  if ((*row)->stage != MatchRow::Stage::over) {
    fmt::print(stderr,
               "This match is not over: the file holds its secret and every hidden hand. Keep it to yourself.\n");
  }
  if (arguments.file == "-") {
    write_record(std::cout, arguments.match, *log);
    if (!std::cout) throw Stop{failed, "the record cannot be written to standard output"};
    return;
  }
  std::ofstream out(arguments.file, std::ios::binary);
  write_record(out, arguments.match, *log);
  if (!out) throw Stop{failed, fmt::format("cannot write {}", in_quotes(arguments.file))};
}

}  // namespace

void add_export(CLI::App& program) {
  CLI::App* command = program.add_subcommand("export", "Write a match to a file, as another server can import it");
  command->footer(
      "The file is the match's log, a line an event: `tessera replay` and `tessera verify` read it too. It names "
      "people\n"
      "by their ids; chat is not in it.\n");
  auto arguments = std::make_shared<ExportArguments>();
  command->add_option("match", arguments->match, "Id of the match, the last part of its link")
      ->required()
      ->type_name("MATCH");
  add_database(*command, arguments->database);
  command->add_option("-o,--output", arguments->file, "The file; - for standard output")
      ->capture_default_str()
      ->type_name("FILE");
  command->callback([arguments] { export_match(*arguments); });
}

}  // namespace tessera::cli
