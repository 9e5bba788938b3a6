"""Hidden hands: nothing that anybody else hears may tell them, by any channel, before they are laid open."""
import itertools, json, re, time

from wire import Person, draw, expect, first_move, new_address, new_table, seated_table



def turned(piece):
    """One name for all turns of a piece."""
    return min(piece[i:] + piece[:i] for i in range(3))


PIECES = sorted({turned("".join(sides)) for sides in itertools.product("BCGPRWX", repeat=3)})


def hand_of(person, table, seat):
    return [kind for _, kind, place in person.check(table)["pieces"] if place == f"hand {seat}"]


def every_channel(person, table):
    """All that this person can be told about the table, heard into `person.heard`."""
    base = f"/api/tables/{table}"
    for path in ("/check", "/check?after=0", "/check?after=0&chat=0", "/check?after=3&wait=1", "/check?after=99999",
                 "/check?after=-1", "/review", "/record", "/hint", "/export", "/events", "/live", ""):
        person.get(base + path)
    for path in ("/api/tables?stage=playing", "/api/tables?stage=over", "/api/me/tables", "/api/me", "/metrics",
                 "/t/" + table):
        person.get(path)
    if person.id:
        person.get(person.post("/api/me/feed", {}).json["feed"])
    for query in ("", "?after=0", "?after=0&plain", "?after=0&seat=0", "?after=0&viewer=0&as=0"):
        live = person.live(table, query)
        live.hear()
        if person.id:
            for do in ("ready", "back", "take_back", "move", "answer"):
                live.command(do, seat=0, move="draw", yes=True)
        live.close()


def named(piece, heard):
    return re.search(rb"(?<![A-Za-z0-9])" + piece.encode() + rb"(?![A-Za-z0-9])", heard)


def channels(server):
    """Another's hand and the bag at a running table of Cubed, by every channel"""
    victim, attacker, stranger, nobody = Person("Victim"), Person("Attacker"), Person("Stranger"), Person()
    table = seated_table([victim, attacker], bots=["simple"], game="cubed", first=0)
    watching = [person.live(table) for person in (attacker, stranger, nobody)]
    heard, checked = bytearray(), 0
    for _ in range(3):
        hand = hand_of(victim, table, 0)
        expect(hand and "?" not in hand, "the owner does not see the own hand")
        for person in (attacker, stranger, nobody):
            every_channel(person, table)
            seen = person.check(table)["pieces"]
            hidden = [piece for piece in seen if piece[2] in ("bag", "hand 0", "hand 2")]
            expect(hidden and all(piece[1] == "?" for piece in hidden), "a hidden piece has a name")
            public = {piece[1].split("/")[0] for piece in seen}
            for piece in set(hand) - public:
                checked += 1
                expect(not named(piece, person.heard), f"{piece} of another's hand was heard")
        for player in (victim, attacker):
            known = player.check(table)
            if known["turn"].get("move") in known["seats"]:
                player.must(table, "move", move=first_move(known["legal"]))
        patience = time.monotonic() + 10
        while victim.check(table)["turn"].get("move") != 0 and time.monotonic() < patience:
            time.sleep(0.05)
    expect(checked > 60, "too few pieces were hidden for this to mean anything")
    for piece in hand_of(attacker, table, 1):
        expect(named(piece, attacker.heard), "not even the own hand is found in what was heard")
    for live, person in zip(watching, (attacker, stranger, nobody)):
        live.command("say", text="x") if person.id else live.say(b"{}")
        live.close()
        heard += person.heard
    laid = {kind.split("/")[0] for _, kind, place in attacker.check(table)["pieces"] if "hand" not in place}
    own = set(hand_of(attacker, table, 1)) | set(hand_of(victim, table, 0))
    victim.must(table, "close")
    log = [json.loads(line) for line in victim.get(f"/api/tables/{table}/record").body.splitlines()]
    secret = next(entry["secret"] for entry in log if entry.get("over"))
    expect(secret.encode() not in heard, "the secret of the dice was heard before the end")
    expect(secret.encode() not in server.log.read_bytes(), "the secret of the dice is in the log")
    bots = next(re.findall(r"[A-Z]{3}", json.dumps(entry["hands"][2])) for entry in log if "hands" in entry)
    expect(set(bots) - laid - own, "nothing is left of the bot's hand")
    for piece in set(bots) - laid - own:
        expect(not named(piece, bytes(attacker.heard)), f"{piece} of the bot's hand was heard")


def oracle(server):
    """Guessing pieces: what is said about a wrong guess is said about a right one"""
    victim, attacker, stranger = Person("Victim"), Person("Attacker"), Person("Stranger")
    table = seated_table([victim, attacker], game="cubed", first=0)
    own = set(map(turned, hand_of(attacker, table, 1)))
    hand = set(map(turned, hand_of(victim, table, 0))) - own
    laid = set()
    for turn in range(2):
        for person, seat in ((attacker, 1), (attacker, 0), (stranger, 0)):
            said = {True: set(), False: set()}
            person.source = new_address()  # a hundred guesses each
            for piece in PIECES:
                if piece in own or piece in laid:
                    continue
                answer = person.command(table, "move", seat=seat, move=f"{piece}@0,0/0")
                expect(answer.status in (400, 409), f"a move with {piece}: {answer.body!r}")
                said[piece in hand].add((answer.status, re.sub(rb"\b[BCGPRWX]{3}\b", b"PIECE", answer.body)))
            expect(said[True] and said[False], "nothing was guessed")
            expect(not said[True] - said[False], f"a right guess is told apart: {said[True] - said[False]}")
        if turn == 0:
            legal = victim.check(table)["legal"]
            victim.must(table, "move", move=first_move(legal))
            left = set(map(turned, hand_of(victim, table, 0))) - own
            hand, laid = left, hand - left


def before_the_end(server):
    """Record, review and hint of a game that is going on, and what their refusals say"""
    victim, attacker = Person("Victim"), Person("Attacker")
    table = seated_table([victim, attacker], game="cubed", first=0)
    for person in (attacker, victim, Person()):
        for path in ("record", "review"):
            expect(person.get(f"/api/tables/{table}/{path}").status == 409, f"{path} before the end")
    expect(attacker.get(f"/api/tables/{table}/hint").status == 409, "a hint when it is another's move")
    expect(Person("Stranger").get(f"/api/tables/{table}/hint").status == 409, "a hint for a stranger")
    expect(Person().get(f"/api/tables/{table}/hint").status == 401, "a hint for nobody")


def gallery(server):
    """What the gallery says is not heard by who plays, before the end"""
    victim, attacker, watcher = Person("Victim"), Person("Attacker"), Person("Watcher")
    table = seated_table([victim, attacker], game="cubed", first=0)
    live = attacker.live(table)
    watcher.must(table, "say", text="canary-in-the-gallery")
    every_channel(attacker, table)
    live.command("say", text="here")
    expect(b"canary-in-the-gallery" not in attacker.heard, "a player hears the gallery")


def shared_device(server):
    """At a shared device a hand is shown after `ready` only, and only to that device"""
    victim, attacker = Person("Victim"), Person("Attacker")
    guest = victim.post("/api/guests", {"name": "Child"}).json["id"]
    table = new_table(victim, game="cubed", seats=3, first=0)
    victim.must(table, "sit", seat=0)
    victim.must(table, "sit", seat=1, guest=guest)
    attacker.must(table, "sit", seat=2)
    draw(table, [victim, victim, attacker])
    expect(set(hand_of(victim, table, 0)) == {"?"}, "a hand is shown before `ready`")
    victim.must(table, "ready", seat=0)
    hand = hand_of(victim, table, 0)
    expect("?" not in hand and set(hand_of(victim, table, 1)) == {"?"}, "not just one hand is shown")
    every_channel(attacker, table)
    own = set(hand_of(attacker, table, 2))
    expect(not any(named(piece, attacker.heard) for piece in set(hand) - own), "a shared device's hand was heard")


ATTACKS = [channels, oracle, before_the_end, gallery, shared_device]
