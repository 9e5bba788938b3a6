"""Plays hundreds of matches through a balancer on several servers, while servers, bus and database fail in turn, and compares
what every player was told with what the database holds. docs/reliability.md says what is promised.

    /usr/bin/python3 tests/reliability PROGRAM [--long] [--seed N] [--json]
"""
import argparse, collections, json, pathlib, random, signal, subprocess, sys, time

import check
from cluster import PATIENCE, Cluster, wait_until
from faults import Faults
from figures import Figures

GAMES = {"cybo": 2, "marbles": 4, "cyclone": 3, "cylinder": 2, "cubed": 2}  # with so many seats
RACE_TURNS = 1000  # and the next match: whoever comes back to one reads its log
MOST_SHOWN = 40  # violations: one lost event makes all that follow it wrong
TO_REST = 60 + PATIENCE  # seconds until all players have been told everything

Form = collections.namedtuple("Form", "faults matches think fast_matches between kills moves most_minutes")
SHORT = Form({"kill": 3, "bus": 1, "bus_silent": 1, "postgres": 1, "postgres_crash": 1, "swallowed": 1, "refused": 1},
             matches=40, think=1, fast_matches=10, between=(0.2, 1), kills=3, moves=1000, most_minutes=2)
LONG = Form({"kill": 200, "bus": 12, "bus_silent": 6, "postgres": 6, "postgres_crash": 3, "swallowed": 6, "refused": 6},
            matches=60, think=1, fast_matches=40, between=(0.2, 3), kills=200, moves=1_000_000, most_minutes=22)


class Crowd:
    """All players: a process a game."""

    def __init__(self, cluster, form):
        self.loads, self.read, self.moves = {}, collections.Counter(), collections.Counter()
        for game, seats in GAMES.items():
            self.loads[game] = cluster.load(game, ["--game", game, "--seats", str(seats), "--matches", str(form.matches),
                                                   "--pace", str(form.think)])
        self.loads["race2"] = cluster.load("race2", ["--matches", str(form.fast_matches), "--option", f"turn_limit={RACE_TURNS}"])

    def count(self):
        """Moves that were acknowledged so far, by game, without what has not been written yet."""
        for game, (_, history) in self.loads.items():
            with history.open("rb") as file:
                file.seek(self.read[game])
                new = file.read()
            new = new[:new.rfind(b"\n") + 1]
            self.read[game] += len(new)
            self.moves[game] += new.count(b'"do":"roll"') + new.count(b'"do":"move"')
        return self.moves

    def plays(self):
        self.check()
        return all(history.exists() for _, history in self.loads.values()) and all(self.count()[game] for game in self.loads)

    def check(self):
        for load, _ in self.loads.values():
            load.check()

    def stop(self):
        """Nobody moves any more, and everybody is told what has happened. What went wrong with that, as sentences."""
        wrong = []
        for load, _ in self.loads.values():
            load.send(signal.SIGINT)
        deadline = time.monotonic() + TO_REST
        for load, _ in self.loads.values():
            try:
                if load.process.wait(max(1, deadline - time.monotonic())) != 0:
                    wrong.append(f"{load.name}: {load.last_words()}")
            except subprocess.TimeoutExpired:
                wrong.append(f"{load.name} does not end")
        return wrong


class Proof:
    def __init__(self, cluster, form, seed):
        self.cluster, self.form, self.random = cluster, form, random.Random(seed)
        self.faults = Faults(cluster, self.random, self.pause)
        self.begun, self.said = time.monotonic(), 0

    def say(self, what):
        print(f"{time.monotonic() - self.begun:7.1f} s  {what}", file=sys.stderr, flush=True)

    def pause(self, seconds):
        time.sleep(seconds)
        self.crowd.check()
        if time.monotonic() - self.said > 10:
            self.said = time.monotonic()
            self.say(f"{self.kills()} kills, {len(self.faults.happened)} faults, {self.crowd.count().total():,} moves")

    def kills(self):
        return sum(fault["kind"] == "kill" for fault in self.faults.happened)

    def run(self):
        self.cluster.start()
        self.say(f"{len(self.cluster.servers)} servers behind {self.cluster.balancer.url}")
        self.crowd = Crowd(self.cluster, self.form)
        wait_until(self.crowd.plays, "a move in every game")
        self.say("everybody plays")
        deck = [kind for kind, count in self.form.faults.items() for _ in range(count)]
        self.random.shuffle(deck)
        while time.monotonic() - self.begun < 60 * self.form.most_minutes and (deck or not self.reached()):
            self.pause(self.random.uniform(*self.form.between))
            self.faults.inflict(deck.pop() if deck else "kill")
        self.pause(1)
        self.say("everybody comes to rest")
        wrong = self.crowd.stop()
        self.say("comparing")
        return self.compare(wrong)

    def reached(self):
        return self.kills() >= self.form.kills and self.crowd.count().total() >= self.form.moves

    def compare(self, wrong):
        checker, figures = check.Checker(), Figures(self.faults.happened)
        check.read_logs(checker, self.cluster.postgres.url("tessera"))
        for game, (_, history) in self.crowd.loads.items():
            for line in check.read_history(history):
                checker.line(line)
                figures.line(line, closed_loop=game == "race2")
        violations = wrong + checker.finish()
        if not self.reached():
            violations.append(f"{self.kills()} kills and {checker.moves} moves were too few for a proof")
        return violations, {"servers": len(self.cluster.servers), "seconds": round(time.monotonic() - self.begun),
                            "kills": self.kills(), **checker.counts(), "violations": len(violations), **figures.summary()}


def as_text(figures):
    lines = [f"{value:>12,}  {name.replace('_', ' ')}" for name, value in figures.items() if name != "faults"]
    names = "greeted", "went_on", "silence"
    lines.append(f"{'':>16}{'times':>6}{'cut off':>9}{'greeted again, s':>18}{'went on, s':>18}{'silence, s':>18}")
    for kind, values in figures["faults"].items():
        spreads = [[values.get(f"{name}_s_{which}") for which in ("median", "worst")] for name in names]
        shown = ["–" if median is None else f"{median:.2f} … {worst:.2f}" for median, worst in spreads]
        lines.append(f"{kind:<16}{values['count']:>6}{values['players_cut_off']:>9}" + "".join(f"{each:>18}" for each in shown))
    lines.append("(median … worst; the last two of race2, where everybody moves at once; silence: a seat's longest in a fault)")
    return "\n".join(lines)


def tell_violations(violations, file):
    file.write_text("\n".join(violations))
    print("\n".join(violations[:MOST_SHOWN]), file=sys.stderr)
    if len(violations) > MOST_SHOWN:
        print(f"and {len(violations) - MOST_SHOWN} more: {file}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(prog="tests/reliability", description=__doc__.split("\n\n")[0])
    parser.add_argument("program", help="the built tessera")
    parser.add_argument("--long", action="store_true", help="200 kills and a million moves, in about a quarter of an hour")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000), help="of the faults")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # also where whoever started it ignores them
        signal.signal(number, signal.default_int_handler)
    print(f"seed {arguments.seed}", file=sys.stderr)
    cluster = Cluster(str(pathlib.Path(arguments.program).resolve()))
    failed = True
    try:
        violations, figures = Proof(cluster, LONG if arguments.long else SHORT, arguments.seed).run()
        figures = {"seed": arguments.seed, **figures}
        print(json.dumps(figures) if arguments.json else as_text(figures))
        failed = bool(violations)
        tell_violations(violations, cluster.folder / "violations")
    except KeyboardInterrupt:
        failed = False
        print("interrupted: nothing is proved", file=sys.stderr)
        return 130
    except RuntimeError as error:
        print(error, file=sys.stderr)
    finally:
        cluster.stop()
        if failed:
            print(f"logs and histories are in {cluster.folder}", file=sys.stderr)
        else:
            cluster.remove()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
