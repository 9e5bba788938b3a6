"""Other people's seats: every command, from whoever has no right to it."""
import pathlib, re

from wire import Person, expect, first_move, new_table, seated_table

HASH = "0" * 64
MEMBERS = {  # what each command needs to be one at all
    "sit": {"seat": 0, "hash": HASH}, "stand": {"seat": 0}, "bot": {"seat": 0, "bot": "random"}, "remove": {"seat": 0},
    "hand_over": {"seat": 0}, "start": {"bot": "random"}, "commit": {"seat": 0, "hash": HASH},
    "reveal": {"seat": 0, "contribution": HASH}, "roll": {"seat": 0}, "auto_roll": {"seat": 0, "on": True},
    "move": {"seat": 0, "move": "pass"}, "take_back": {"seat": 0}, "stop": {"seat": 0},
    "answer": {"seat": 0, "yes": True}, "resign": {"seat": 0}, "ready": {"seat": 0}, "back": {"seat": 0}, "pause": {},
    "resume": {}, "close": {}, "rematch": {}, "mute": {"person": ""}}


def every_command(table, victim, attackers):
    """Nobody of these may do anything to seat 0, or as the host."""
    before = victim.check(table)
    for attacker in attackers:
        live = attacker.live(table)
        for do, members in MEMBERS.items():
            members = {**members, **({"person": victim.id} if do == "mute" else {})}
            answer = attacker.command(table, do, **members)
            expect(answer.status in (400, 401, 403, 409), f"{do} over REST: {answer.status} {answer.body!r}")
            told = live.command(do, **members)
            expect("ack" not in told, f"{do} over a socket: {told}")
        live.close()
    after = victim.check(table)
    for member in ("stage", "host", "draw", "paused", "asked"):
        expect(before["table"].get(member) == after["table"].get(member), f"{member} has changed")
    expect(before["table"]["seats"][0] == after["table"]["seats"][0], "the seat has changed")
    for member in ("turn", "pieces"):
        expect(before.get(member) == after.get(member), f"{member} has changed")


def documented(server):
    """Every command of docs/protocol.md is tried below"""
    page = pathlib.Path("docs/protocol.md").read_text()
    rows = page[page.index("| do | members |"):page.index("### Questions")]
    first = " ".join(row.split("|")[1] for row in rows.splitlines() if row.startswith("| `"))
    names = set(re.findall(r"`(\w+)`", first))
    expect(names - {"say"} == MEMBERS.keys(), f"not the same: {names ^ MEMBERS.keys()}")


def before_the_game(seats):
    """With two of so many seats taken; with two in all the draw has begun."""
    victim, neighbour = Person("Victim"), Person("Neighbour")
    table = new_table(victim, game="cyclone", seats=seats)
    victim.must(table, "sit", seat=0)
    neighbour.must(table, "sit", seat=1)
    every_command(table, victim, [neighbour, Person("Stranger"), Person()])


def gathering(server):
    """Another's seat before the start: every command of a stranger, a nobody and a neighbour"""
    before_the_game(seats=3)


def drawing(server):
    """Another's seat in the draw: every command of a stranger, a nobody and a neighbour"""
    before_the_game(seats=2)


def playing(server):
    """Another's seat in the game: every command of a stranger, a nobody and a neighbour"""
    victim, neighbour = Person("Victim"), Person("Neighbour")
    table = seated_table([victim, neighbour], game="cyclone", first=0)
    attackers = [neighbour, Person("Stranger"), Person()]
    every_command(table, victim, attackers)
    victim.must(table, "roll")
    if (legal := victim.check(table).get("legal")):
        for attacker in attackers:
            answer = attacker.command(table, "move", seat=0, move=first_move(legal))
            expect(answer.status != 200, "a legal move for another was made")
    victim.must(table, "stop")
    every_command(table, victim, [Person("Stranger"), Person()])


def over(server):
    """A finished table: every command of a stranger and a nobody"""
    victim = Person("Victim")
    table = seated_table([victim], bots=["random"], game="cyclone", first=0)
    victim.must(table, "close")
    every_command(table, victim, [Person("Stranger"), Person()])


def guests(server):
    """Sitting down as another's guest, or as another person"""
    victim, attacker = Person("Victim"), Person("Attacker")
    guest = victim.post("/api/guests", {"name": "Child"}).json["id"]
    table = new_table(victim, game="cyclone", seats=2)
    for claimed in (guest, victim.id, victim.id + "~", "~", guest[:-1], attacker.id + "~/../" + victim.id,
                    attacker.id + "~zzzz", attacker.id + "~' OR '1'='1"):
        answer = attacker.command(table, "sit", seat=0, guest=claimed)
        expect(answer.status == 409, f"{claimed!r}: {answer.body!r}")
    expect(victim.check(table)["table"]["seats"] == [{}, {}], "somebody sits")


def removed(server):
    """Coming back to a seat from which the host has removed somebody"""
    victim, attacker = Person("Victim"), Person("Attacker")
    table = new_table(victim, game="cyclone", seats=2)
    attacker.must(table, "sit", seat=1)
    victim.must(table, "remove", seat=1)
    expect(attacker.command(table, "sit", seat=1).status == 409, "the removed sits again")


def strange_seats(server):
    """Seats that there are not: negative, huge, fractions, texts, lists"""
    victim = Person("Victim")
    table = seated_table([victim, Person("Neighbour")], game="cyclone", first=0)
    for seat in (-1, 2, 255, 256, 2**31, 2**32, 2**63, 2**64, -2**63, 0.5, 1e300, "0", [0], {}, None, True):
        for do in ("roll", "resign", "remove", "take_back", "auto_roll"):
            answer = victim.command(table, do, seat=seat, on=True)
            expect(answer.status in (400, 409), f"{do} of {seat!r}: {answer.status} {answer.body!r}")


def replayed(server):
    """Command numbers of another, repeated: nothing is acknowledged to the wrong person or done twice"""
    victim, attacker = Person("Victim"), Person("Attacker")
    table = seated_table([victim, attacker], game="cyclone", first=0)
    body = {"id": victim.next_id(), "do": "roll"}
    path = f"/api/tables/{table}/commands"
    expect(victim.post(path, body).status == 200, "an honest roll was refused")
    seq = victim.check(table)["seq"]
    for _ in range(3):
        expect(attacker.post(path, body).status == 409, "another's command was acknowledged")
        expect(victim.post(path, body).status == 200, "a repeated command is not acknowledged")
    for number in (-1, 2**53, 2**64, 1.5, "7", None):
        expect(victim.post(path, {"id": number, "do": "resign"}).status == 400, f"number {number}")
    expect(victim.check(table)["seq"] == seq, "a replayed command did something")


ATTACKS = [documented, gathering, drawing, playing, over, guests, removed, strange_seats, replayed]
