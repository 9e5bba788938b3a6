/// The program as a person runs it: output, exit codes, wrong input.
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "games/registry.hpp"
#include "store/store.hpp"

namespace tessera {
namespace {

TEST_F(Cli, HelpVersionAndList) {
  EXPECT_TRUE(has(run("").out, "replay"));
  EXPECT_TRUE(run("--version").out.starts_with("tessera "));
  const std::string list = run("games").out;
  for (const GameInfo* game : all_games()) {
    EXPECT_TRUE(has(list, std::string(game->name)));
    const Ran rules = run("rules " + std::string(game->name));
    EXPECT_EQ(rules.exit_code, 0);
    EXPECT_TRUE(has(rules.out, "## Options"));
    EXPECT_TRUE(has(rules.out, "- turn_limit: 1 to 2147483647; default 10000"));
  }
  for (const char* command : {"games", "rules", "play", "trace", "replay", "verify", "perft", "bench", "arena",
                              "engine", "review", "train"}) {
    const Ran help = run(std::string(command) + " --help");
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_TRUE(has(help.out, "Usage: tessera")) << help.out;
  }
}

TEST_F(Cli, WrongInputIsRefusedInASentence) {
  expect_refused("nonsense", "nonsense");
  expect_refused("trace", "game");
  expect_refused("trace chess", "there is no game 'chess'");
  expect_refused("trace marbles --seats 9", "2, 3, 4, 5 or 6 seats");
  expect_refused("trace marbles --seats two", "two");
  expect_refused("trace marbles --option spaces", "NAME=VALUE");
  expect_refused("trace marbles --option spaces=99", "option spaces takes 8 to 16, not '99'");
  expect_refused("trace marbles --option colour=red", "has no option 'colour'");
  expect_refused("trace marbles --seed -1", "seed");
  expect_refused("rules", "game");
  expect_refused("rules chess", "chess");
  expect_refused("perft marbles", "--depth");
  expect_refused("perft marbles --depth -3", "depth");
  expect_refused("bench chess", "chess");
  expect_refused("replay", "file");
  expect_refused("replay " + path("missing"), "cannot open");
  expect_refused("verify", "file");
  expect_refused("verify " + path("missing"), "cannot open");
  expect_refused("play", "name a game");
  expect_refused("play marbles --human 2", "--human takes seats from 0 to 1");
  expect_refused("play marbles --resume " + path("missing"), "cannot open");
  expect_refused("play marbles --bot 0=5", "--bot takes a seat that no person plays");
  expect_refused("play marbles --engine 1=no_such_program", "there is no program");
  expect_refused("arena marbles", "name the players");
  expect_refused("arena marbles --players 1,2 --ladder", "name the players");
  expect_refused("arena marbles --players 1,nobody", "there is no player 'nobody'");
  expect_refused("arena marbles --players 1,2,3", "cannot share 2 sides");
  expect_refused("arena marbles --players 1,2 --until 20", "until");
  expect_refused("engine --level 9", "there is no player");
  expect_refused("review " + path("missing"), "cannot open");
  expect_refused("train cybo", "nothing to learn");
  expect_refused("train marbles --from " + path("missing"), "cannot open");
}

TEST_F(Cli, ReplayJudgesTranscripts) {
  const std::string good = run("trace cyclone --seed 5").out;
  EXPECT_EQ(run("replay -", good).exit_code, 0);
  EXPECT_TRUE(has(run("replay -", good + good).out, "2 games"));

  std::vector<std::string> lines;
  std::istringstream text(good);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  const auto joined = [&] {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  };

  const std::string result = lines.back();
  lines.pop_back();
  const Ran unfinished = run("replay -", joined());
  EXPECT_EQ(unfinished.exit_code, 3);
  EXPECT_TRUE(has(unfinished.out, "unfinished"));
  lines.push_back(result);

  const std::string move = lines[2];
  lines[2] = move.substr(0, move.rfind("\"move\"")) + R"("move":"a1>a9"})";
  const Ran changed = run("replay -", joined());
  EXPECT_EQ(changed.exit_code, 1);
  EXPECT_TRUE(has(changed.err, "line 3")) << changed.err;
  EXPECT_TRUE(has(changed.err, "'a1>a9' is not a legal move")) << changed.err;

  lines[2] = R"({"seat":0,)" + move.substr(move.find("\"move\""));
  EXPECT_EQ(run("replay -", joined()).exit_code, 0) << "legal may be left out";
  lines[2] = R"({ "seat":0,)" + move.substr(move.find("\"move\""));
  const Ran spaced = run("replay -", joined());
  EXPECT_EQ(spaced.exit_code, 1);
  EXPECT_TRUE(has(spaced.err, "column 2")) << spaced.err;
  lines[2] = "{broken";
  EXPECT_EQ(run("replay -", joined()).exit_code, 1);
  lines[2] = move;
  lines[1] = R"({"seat":1,"chance":"roll 4"})";
  EXPECT_TRUE(has(run("replay -", joined()).err, "expected a chance event of seat 0"));
  lines[1] = R"({"seat":0,"chance":"roll 7"})";
  EXPECT_TRUE(has(run("replay -", joined()).err, "'roll 1' to 'roll 6'"));
  lines[0] = R"({"game":"cyclone","seats":2,"options":{"arm":99}})";
  EXPECT_EQ(run("replay -", joined()).exit_code, 1);

  EXPECT_EQ(run("replay -", "").exit_code, 2);
  EXPECT_EQ(run("replay -", "not a transcript\n").exit_code, 2);
  EXPECT_EQ(run("replay " + path("")).exit_code, 2) << "a folder";
}

TEST_F(Cli, EveryGameIsTracedAndReplayed) {
  for (const GameInfo* game : all_games()) {
    write("transcript", run("trace " + std::string(game->name) + " --games 3 --seed 7 --option turn_limit=150").out);
    const Ran ran = run("replay " + path("transcript"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(has(ran.out, "sound: 3 games")) << ran.out;
  }
}

TEST_F(Cli, EveryGameIsPlayedToItsEnd) {
  std::string ones;
  for (int i = 0; i < 20000; ++i) ones += "1\n";
  for (const GameInfo* game : all_games()) {
    const std::string name(game->name);
    const Ran ran = run("play " + name + " --seed 3 --option turn_limit=60 --save " + path(name), ones);
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_TRUE(has(ran.out, "Scores: seat 0:"))
        << ran.out.substr(ran.out.size() - std::min<std::size_t>(ran.out.size(), 500));
    EXPECT_EQ(run("replay " + path(name)).exit_code, 0) << "what was saved is a finished transcript";
    EXPECT_EQ(run("play --resume " + path(name)).exit_code, 2) << "a finished game is not resumed";
    EXPECT_EQ(run("play " + name + " --save " + path(name)).exit_code, 2) << "a file is not overwritten";
  }
}

TEST_F(Cli, AGameIsSavedResumedAndTakenBack) {
  const std::string play = "play marbles --human all --seed 11 --save ";
  EXPECT_EQ(run(play + path("game"), "1\n1\n1\nquit\n").exit_code, 0);
  EXPECT_EQ(run("replay " + path("game")).exit_code, 3);
  const std::string saved = read("game");

  // The same seed goes on with the same dice as if nobody had left.
  run("play --resume " + path("game") + " --human all --seed 11 --save " + path("resumed"), "1\n1\nquit\n");
  run(play + path("whole"), "1\n1\n1\n1\n1\nquit\n");
  EXPECT_EQ(read("resumed"), read("whole"));
  EXPECT_TRUE(read("resumed").starts_with(saved));

  // Taking back and moving again gives the same dice: nobody rolls twice.
  run(play + path("undone"), "1\n1\n1\nundo\n1\nquit\n");
  EXPECT_EQ(read("undone"), saved);

  const Ran odd = run(play + path("odd"), "99\nnonsense\nundo\nlog\nhelp\nlist\nsave\n\nquit\n");
  EXPECT_EQ(odd.exit_code, 0);
  EXPECT_TRUE(has(odd.out, "There are choices 1 to"));
  EXPECT_TRUE(has(odd.out, "'nonsense' is not a legal move"));
  EXPECT_TRUE(has(odd.out, "nothing to take back"));
  EXPECT_TRUE(has(odd.out, "Kept in"));
  EXPECT_TRUE(has(run(play + path("no/such/folder"), "quit\n").out, "cannot be written"));
}

TEST_F(Cli, PeopleWhoShareAKeyboardDoNotSeeEachOthersHands) {
  const Ran ran = run("play cubed --human 0,1 --seed 2 --save " + path("game"), "\ndraw\n1\n\nquit\n");
  const std::size_t second = ran.out.find("Seat 1 is next. Hand over");
  ASSERT_NE(second, std::string::npos) << ran.out;
  EXPECT_TRUE(has(ran.out.substr(0, second), "Seat 0 is next. Hand over"));

  // Seat 0 has drawn a piece in its first turn: seat 1 is told that, but not which.
  const std::string saved = read("game");
  const std::size_t drawn = saved.find("\"chance\":\"draw ") + 15;
  ASSERT_LT(drawn, saved.size());
  EXPECT_TRUE(has(ran.out.substr(0, second), "draw " + saved.substr(drawn, 3))) << ran.out;
  EXPECT_TRUE(has(ran.out.substr(second), "draw ?")) << ran.out;
  EXPECT_FALSE(has(ran.out.substr(second), "draw " + saved.substr(drawn, 3)));
}

TEST_F(Cli, PerftAndBench) {
  EXPECT_EQ(run("perft cyclone --depth 1").out, "6\n");
  const Ran ran = run("bench cyclone --seconds 0.01 --json");
  const auto rows = nlohmann::json::parse(ran.out);
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& row : rows) {
    EXPECT_GT(row["transitions_per_s"].get<double>(), 0);
    EXPECT_GT(row["playouts_per_s"].get<double>(), 0);
    EXPECT_GT(row["mean_length"].get<double>(), 1);
    EXPECT_GT(row["state_bytes"].get<int>(), 0);
    EXPECT_EQ(row["signature"].get<std::string>().size(), 16U);
  }
  EXPECT_EQ(nlohmann::json::parse(run("bench cyclone --seconds 0.01 --json").out)[0]["signature"],
            rows[0]["signature"]);
}

TEST_F(Cli, TheArenaMeasuresAndGoesOn) {
  const auto arena = [&](const std::string& more) { return run("arena cyclone --option turn_limit=80 " + more); };
  const auto json = nlohmann::json::parse(arena("--players 3,random --games 7 --json").out);
  EXPECT_EQ(json["games"], 8) << "whole blocks";
  ASSERT_EQ(json["players"].size(), 2U);
  for (const auto& player : json["players"]) {
    EXPECT_LE(player["low"], player["win_rate"]);
    EXPECT_LE(player["win_rate"], player["high"]);
    EXPECT_GE(player["ms_per_move"], 0);
  }
  EXPECT_EQ(json["players"][0]["name"], "3");

  const std::string kept = " --resume " + path("journal");
  EXPECT_EQ(arena("--players 3,random --games 4" + kept).exit_code, 0);
  const std::string before = read("journal");
  const auto resumed = nlohmann::json::parse(arena("--players 3,random --games 8 --json" + kept).out);
  EXPECT_EQ(resumed["players"][0]["win_rate"], json["players"][0]["win_rate"]);
  EXPECT_TRUE(read("journal").starts_with(before));

  // Ctrl-C, once: what there is, and nothing lost.
  const Ran interrupted = run_program("timeout --foreground --preserve-status -s INT 2 " TESSERA_PROGRAM,
                                      "arena cyclone --players 2,random --games 100000000 --resume " + path("long"));
  EXPECT_EQ(interrupted.exit_code, 1);
  EXPECT_TRUE(has(interrupted.out, "(interrupted)")) << interrupted.out;
  EXPECT_TRUE(has(interrupted.err, "the same command goes on from")) << interrupted.err;
  EXPECT_TRUE(has(read("long"), R"({"block":0,)"));

  const Ran forfeits = arena("--players 3 --games 2 --engine 'sh -c \"exit 3\"'");
  EXPECT_EQ(forfeits.exit_code, 0);
  EXPECT_TRUE(has(forfeits.out, "forfeited 2 games; the last because it ended (exit code 3)")) << forfeits.out;
}

TEST_F(Cli, EnginesPlayAtTheTerminal) {
  std::string ones;
  for (int i = 0; i < 2000; ++i) ones += "1\n";
  const std::string play = "play cyclone --seed 3 --option turn_limit=20 --engine ";
  const std::string engine = std::string(TESSERA_PROGRAM) + " engine --level 2";
  EXPECT_TRUE(has(run(play + "1='" + engine + "'", ones).out, "Scores: seat 0:"));
  EXPECT_TRUE(has(run(play + "1=examples/random_engine.py", ones).out, "Scores: seat 0:"));
  const Ran forfeits = run(play + "1='sh -c \"read line; kill -KILL \\$\\$\"'", ones);
  EXPECT_TRUE(has(forfeits.out, "Seat 1 forfeits: its engine failed; it crashed (signal 9)")) << forfeits.out;
  const Ran spoken = run("engine", "hello 1\ngo\nquit\n");
  EXPECT_TRUE(spoken.out.starts_with("name Tessera")) << spoken.out;
  EXPECT_TRUE(has(spoken.out, "ready\nerror there is no position")) << spoken.out;
}

TEST_F(Cli, AGameIsReviewed) {
  write("game", run("trace marbles --seed 3").out);
  const Ran ran = run("review " + path("game") + " --reviewer 4");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "Seat 0's chance of winning after each event"));
  EXPECT_TRUE(has(ran.out, "would have won"));
  EXPECT_TRUE(has(ran.out, "own moves"));
  const auto json = nlohmann::json::parse(run("review " + path("game") + " --reviewer 4 --json").out);
  EXPECT_TRUE(json["over"]);
  EXPECT_EQ(json["seats"].size(), 2U);
  EXPECT_EQ(run("review -", "nonsense\n").exit_code, 2);
  EXPECT_EQ(run("review -", run("trace cyclone --games 2").out).exit_code, 2) << "two games";
}

TEST_F(Cli, TrainingStopsGoesOnAndIsReproducible) {
  const std::string train = "train cyclone --option turn_limit=100 --seed 5 ";
  const std::string whole = run(train + "--games 6").out;
  EXPECT_TRUE(whole.starts_with("// Written by: tessera train cyclone --option turn_limit=100 --games 6 --seed 5\n"))
      << whole;
  EXPECT_EQ(run(train + "--games 6").out, whole);
  EXPECT_EQ(run(train + "--games 3 --resume " + path("training")).exit_code, 0);
  EXPECT_EQ(run(train + "--games 6 --resume " + path("training") + " --out " + path("weights")).out, "");
  EXPECT_EQ(read("weights"), whole);
  expect_refused("train cyclone --seed 6 --games 9 --resume " + path("training"), "holds another training");
  expect_refused("train marbles --games 1 --from " + path("weights"), "no file of weights of marbles");
  write("short", "namespace tessera::cyclone {\nlearned_weights{\n 1,\n};\n");
  expect_refused("train cyclone --games 1 --from " + path("short"), "has 28 weights, not 1");
}

TEST_F(Cli, ExportWritesTheLogAndWarnsOfSecrets) {
  MatchRow row{.id = "m1", .code = "lamo-kiru", .game = "marbles", .summary = "{}"};
  const std::string database = " --database " + path("tessera.db");
  {
    const auto store = open_store(path("tessera.db"));
    ASSERT_TRUE(store);
    const Append append{.match = "m1", .expected = 0, .events = {R"({"a":1})", R"({"b":"☃"})"}, .row = row};
    ASSERT_TRUE((*store)->append({&append, 1}));
  }
  const std::string record = R"({"tessera":"record","version":1,"match":"m1"})"
                             "\n{\"a\":1}\n{\"b\":\"☃\"}\n";
  const Ran playing = run("export m1" + database);
  EXPECT_EQ(playing.exit_code, 0);
  EXPECT_EQ(playing.out, record);
  EXPECT_NE(playing.err.find("not over"), std::string::npos);

  row.stage = MatchRow::Stage::over;
  const Append ended{.match = "m1", .expected = 2, .events = {}, .row = row};
  ASSERT_TRUE((*open_store(path("tessera.db")))->append({&ended, 1}));
  const Ran over = run("export m1 -o " + path("record") + database);
  EXPECT_EQ(over.exit_code, 0);
  EXPECT_EQ(over.out + over.err, "");
  EXPECT_EQ(read("record"), record);
}

TEST_F(Cli, ExportRefusesWhatIsNotThere) {
  expect_refused("export m1 --database " + path("absent.db"), "absent.db");
  EXPECT_FALSE(std::filesystem::exists(path("absent.db")));
  ASSERT_TRUE(open_store(path("tessera.db")));
  expect_refused("export m1 --database " + path("tessera.db"), "m1");
}

}  // namespace
}  // namespace tessera
