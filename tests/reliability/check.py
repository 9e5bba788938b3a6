"""Compares what players were told with what the database holds. Knows docs/protocol.md, docs/records.md and the table
`entries` of docs/store.md, and nothing of the server.

    /usr/bin/python3 tests/reliability/check.py DATABASE HISTORY…

DATABASE is an address for psql, each HISTORY a file of `tessera load --history`. Prints what was compared and every
violation; exits with 1 when there is one.
"""
import json, subprocess, sys

KINDS = set("""created sat stood bot_sat removed handed_over started committed revealed redrawn begun chance move asked answered
taken_back auto_roll ready resigned paused resumed came left out_of_time stand_in back over rematch""".split())
MADE_FOR_THE_VIEWER = {"effects", "shown", "bot"}  # of a seen event: not in the log
ABOUT_THE_WRITING = {"at", "by", "id"}  # of a logged event: not seen
PRESENCE = {"came", "left"}
BROUGHT_ABOUT = {"roll": "chance", "move": "move", "sit": "sat", "commit": "committed", "reveal": "revealed"}


def kind_of(event):
    return next((key for key in event if key in KINDS), None)


def fits(seen, logged):
    """Whether it is the same but for what is hidden, which is shown as `?`."""
    if seen == "?" or seen == logged:
        return True
    if isinstance(seen, list):
        return isinstance(logged, list) and len(seen) == len(logged) and all(map(fits, seen, logged))
    if isinstance(seen, str) and isinstance(logged, str) and "?" in seen:
        return fits(seen.split(" "), logged.split(" ")) if " " in seen else False
    return False


class Log:
    """The log of one match, event by event."""

    def __init__(self, match):
        self.match, self.events, self.commands, self.violations = match, {}, {}, []
        self.last, self.at, self.over = 0, 0, False

    def entry(self, follows, last, lines):
        if follows != self.last:
            self.violations.append(f"{self.match}: an entry follows event {follows}, the one before ends with {self.last}")
        lines = lines.split("\n")
        if last != follows + len(lines):
            self.violations.append(f"{self.match}: an entry of {len(lines)} events after {follows} claims to end with {last}")
        for sequence, line in enumerate(lines, follows + 1):
            self.event(sequence, json.loads(line))
        self.last = last

    def event(self, sequence, event):
        if "id" in event:
            first = self.commands.setdefault((event.get("by"), event["id"]), sequence)
            if first != sequence:
                self.violations.append(f"{self.match}: command {event['id']} of {event.get('by')} was carried out twice: "
                                       f"events {first} and {sequence}")
        if event["at"] < self.at:
            self.violations.append(f"{self.match}: event {sequence} is earlier than the one before")
        self.at = event["at"]
        self.over = self.over or kind_of(event) == "over"
        self.events[sequence] = {key: value for key, value in event.items() if key not in ABOUT_THE_WRITING}

    def end(self):
        """The last event that everybody who stayed to the end was told: who goes away brings about further ones."""
        end = self.last
        while end in self.events and kind_of(self.events[end]) in PRESENCE:
            end -= 1
        return end


class Seat:
    """What one player was told at one match."""

    def __init__(self, person, position):
        self.person, self.position, self.connected = person, position, True
        self.acknowledged = set()


class Checker:
    """Is given the logs, then every line of the histories in the order of its file, then asked for the violations."""

    def __init__(self):
        self.logs, self.seats, self.violations = {}, {}, []
        self.told = self.acknowledged = self.moves = self.resumed = self.refused = self.cut_off_after_the_end = 0

    def entry(self, match, follows, last, lines):
        if match not in self.logs:
            self.logs[match] = Log(match)
        self.logs[match].entry(follows, last, lines)

    def line(self, line):
        place = line["match"], line["seat"]
        log, seat = self.logs.get(line["match"]), self.seats.get(place)
        if log is None:
            if seat is None:
                self.seats[place] = Seat(line.get("you"), 0)
                self.wrong(line, "the database knows nothing of this match")
        elif "opened" in line:
            self.seats[place] = Seat(line["you"], line["opened"])
        elif "lost" in line:
            seat.connected = False
        elif "resumed" in line:
            self.greeted_again(line, seat, log)
        elif "refused" in line:
            self.refused += 1
            if (seat.person, line["refused"]) in log.commands:
                self.wrong(line, f"command {line['refused']} was refused, and carried out")
        else:
            self.update(line, seat, log)

    def greeted_again(self, line, seat, log):
        self.resumed += 1
        if line["resumed"] < seat.position:
            self.wrong(line, f"was told events up to {seat.position}, and then that there are {line['resumed']}")
        # A socket that stays open is greeted once more after a failure to write: then events may be left out.
        if not seat.connected or "events" in line:
            self.follow(line, line["resumed"], seat, log)
        seat.position, seat.connected = line["resumed"], True

    def update(self, line, seat, log):
        if "events" in line:
            self.follow(line, line["seq"], seat, log)
            seat.position = line["seq"]
        if "ack" in line:
            self.acknowledge(line, seat, log)

    def follow(self, line, last, seat, log):
        events = line.get("events", [])
        first = last - len(events) + 1
        if first <= seat.position:
            self.wrong(line, f"was told event {first} twice or out of order: it had been told those up to {seat.position}")
        elif first > seat.position + 1:
            self.wrong(line, f"was not told the events from {seat.position + 1} to {first - 1}")
        for sequence, event in enumerate(events, first):
            self.compare(line, sequence, event, log)

    def compare(self, line, sequence, seen, log):
        self.told += 1
        if sequence not in log.events:
            return self.wrong(line, f"was told event {sequence}, which is not in the log: {seen}")
        logged = log.events[sequence]
        if logged.get("seat") != seen.get("seat") or kind_of(logged) != kind_of(seen):
            return self.wrong(line, f"was told event {sequence} as {seen}, the log has {logged}")
        for key, value in seen.items():
            if key not in MADE_FOR_THE_VIEWER and not (key in logged and fits(value, logged[key])):
                return self.wrong(line, f"was told event {sequence} as {seen}, the log has {logged}")

    def acknowledge(self, line, seat, log):
        ack, do = line["ack"], line["do"]
        if ack in seat.acknowledged:  # it was repeated, and acknowledged again
            return
        seat.acknowledged.add(ack)
        self.acknowledged += 1
        self.moves += do in ("roll", "move")
        sequence = log.commands.get((seat.person, ack))
        if sequence is None:
            return self.wrong(line, f"command {ack} ({do}) was acknowledged, and is not in the log")
        if sequence > line["seq"]:
            self.wrong(line, f"command {ack} was acknowledged at event {line['seq']}, and is event {sequence}")
        event = log.events[sequence]
        if event.get("seat") != line["seat"] or kind_of(event) != BROUGHT_ABOUT.get(do, kind_of(event)):
            self.wrong(line, f"command {ack} ({do}) was acknowledged, and the log has {event} for it")

    def wrong(self, line, what):
        self.violations.append(f"{line['match']} seat {line['seat']} at {line['t']}: {what}")

    def finish(self):
        """All violations, in the end."""
        for log in self.logs.values():
            self.violations += log.violations
        for (match, number), seat in self.seats.items():
            log = self.logs.get(match)
            if log is None:
                continue
            if seat.position < log.end():
                self.violations.append(f"{match} seat {number}: was told the events up to {seat.position}, "
                                       f"the log has {log.end()}")
            if not seat.connected and log.over:
                self.cut_off_after_the_end += 1
            elif not seat.connected:
                self.violations.append(f"{match} seat {number}: did not come back, and the match is not over")
        return self.violations

    def counts(self):
        return {"matches": len({match for match, _ in self.seats}),
                "events_in_logs": sum(len(log.events) for log in self.logs.values()), "events_told": self.told, "commands_acknowledged": self.acknowledged, "moves_acknowledged": self.moves,
                "resumed": self.resumed, "cut_off_after_the_end": self.cut_off_after_the_end, "refused": self.refused}


def read_logs(checker, database):
    """Rows of psql: JSON, one a line, so that no text needs escaping."""
    sql = ("COPY (SELECT json_build_array(match, follows, last, lines) FROM entries ORDER BY match, follows) TO STDOUT "
           "WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')")
    rows = subprocess.Popen(["psql", "-X", "-q", "-d", database, "-c", sql], stdout=subprocess.PIPE, text=True)
    for row in rows.stdout:
        checker.entry(*json.loads(row))
    if rows.wait() != 0:
        raise RuntimeError("psql could not read the logs")


def read_history(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def main(database, *histories):
    checker = Checker()
    read_logs(checker, database)
    for history in histories:
        for line in read_history(history):
            checker.line(line)
    violations = checker.finish()
    for name, count in checker.counts().items():
        print(f"{count:>12}  {name.replace('_', ' ')}")
    print("\n".join(violations) or f"{0:>12}  violations")
    return 1 if violations else 0


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        sys.exit(0 if "-h" in sys.argv or "--help" in sys.argv else 2)
    sys.exit(main(*sys.argv[1:]))
