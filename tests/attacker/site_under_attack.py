"""The server under attack, and the honest game that must go on meanwhile."""
import json, pathlib, subprocess, tempfile, threading, time

import wire
from wire import Person, draw, expect, first_move, new_table


class Server:
    def __init__(self, program):
        self.program, self.logged, self.folder = program, 0, tempfile.TemporaryDirectory()
        self.database = str(pathlib.Path(self.folder.name) / "tessera.db")
        self.log = pathlib.Path(self.folder.name) / "log"
        self.process = subprocess.Popen([program, "serve", "--port", "0", "--database", self.database, "--log", "json"],
                                        stdout=subprocess.PIPE, stderr=self.log.open("wb"), text=True)
        wire.PORT = int(self.process.stdout.readline().strip().rsplit(":", 1)[1])

    def owner_key(self):
        made = subprocess.run([self.program, "admin", "owner-key", "--database", self.database], capture_output=True, text=True)
        return made.stdout.split()[-1]

    def verified(self, record):
        file = pathlib.Path(self.folder.name) / "record"
        file.write_bytes(record)
        return subprocess.run([self.program, "verify", str(file)], capture_output=True).returncode == 0

    def stop(self):
        self.process.terminate()
        return self.process.wait(20)


class HonestGame(threading.Thread):
    """Two people at a quiet table over sockets, game after game. `harm`: what went wrong for them."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.harm, self.events, self.games, self.stopping = server, None, 0, 0, False

    def run(self):
        try:
            people = [Person("Ann"), Person("Bob")]
            while not self.stopping:
                self.play(people)
        except Exception as error:  # whatever it is, an honest player was harmed
            self.harm = repr(error)

    def play(self, people):
        table = new_table(people[0], game="cybo", seats=2, first=0, listed=False)
        for seat, person in enumerate(people):
            person.must(table, "sit", seat=seat)
        sockets = [person.live(table) for person in people]
        draw(table, people)
        known = [{}, {}]
        while not self.stopping:
            for seat, live in enumerate(sockets):
                self.listen(live, known[seat])
            if known[0]["table"]["stage"] == "over":
                record = people[0].get(f"/api/tables/{table}/record").body
                expect(self.server.verified(record), "the honest game's record is not true")
                self.games += 1
                break
            (do, seat), = ((do, seat) for do, seat in known[0]["turn"].items())
            sockets[seat].say({"id": people[seat].next_id(), "do": do,
                               **({"move": first_move(known[seat]["legal"])} if do == "move" else {})})
            awaited = known[0]["seq"]
            for each, live in enumerate(sockets):
                while known[each]["seq"] <= awaited:
                    self.take(live.hear(timeout=15), known[each])
            time.sleep(0.1)
        for live in sockets:
            live.close()

    def listen(self, live, known):
        """What has come by now; at the beginning, until the game has begun."""
        while "turn" not in known:
            self.take(live.hear(timeout=15), known)

    def take(self, told, known):
        expect("refused" not in told and "error" not in told, f"an honest player heard {told}")
        if "events" in told and "protocol" not in told:
            expect(told["seq"] == known["seq"] + len(told["events"]), f"events are missing before {told['seq']}")
            self.events += len(told["events"])
            known["legal"] = None
        known.update(told)

    def unharmed(self):
        """Why the game does not go on; nothing if it does."""
        before, patience = self.events, time.monotonic() + 15
        while self.events == before and self.harm is None and time.monotonic() < patience:
            time.sleep(0.02)
        return self.harm or (None if self.events > before else "the honest game stands still")


def log_problem(server):
    """Of what has been logged since the last time: one JSON object a line, and nothing that somebody else began."""
    text = server.log.read_bytes()[server.logged:]
    server.logged += len(text)
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            return f"no JSON in the log: {line!r}"
        if not line.startswith(b'{"time":"20') or not {"time", "level", "event"} <= entry.keys():
            return f"a strange line in the log: {line!r}"
    return None
