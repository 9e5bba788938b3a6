"""Choosing the dice: contributions that are late, other than promised, or another's."""
import secrets

from wire import Person, commitment, expect, new_table


def drawing_table():
    victim, attacker = Person("Victim"), Person("Attacker")
    table = new_table(victim, game="cyclone", seats=2, first=0)
    victim.must(table, "sit", seat=0)
    attacker.must(table, "sit", seat=1)
    return victim, attacker, table, victim.check(table)["table"]["draw"]["number"]


def refused(answer, what):
    expect(answer.status in (400, 409), f"{what}: {answer.body!r}")


def late(server):
    """Committing after a reveal, revealing before a commitment, committing twice"""
    victim, attacker, table, number = drawing_table()
    mine, theirs = secrets.token_hex(32), secrets.token_hex(32)
    other = secrets.token_hex(32)
    refused(attacker.command(table, "reveal", contribution=mine), "a reveal without a commitment")
    victim.must(table, "commit", hash=commitment(table, number, 0, theirs))
    refused(victim.command(table, "reveal", contribution=theirs), "a reveal that the other could still answer")
    attacker.must(table, "commit", hash=commitment(table, number, 1, mine))
    refused(attacker.command(table, "commit", hash=commitment(table, number, 1, other)), "a second commitment")
    victim.must(table, "reveal", contribution=theirs)
    refused(attacker.command(table, "commit", hash=commitment(table, number, 1, other)), "a commitment after a reveal")
    for wrong in (other, theirs, mine.upper(), mine[:-1], mine + "0", " " + mine, "", "g" * 64, mine[:-1] + "\0"):
        refused(attacker.command(table, "reveal", contribution=wrong), f"another contribution, {wrong!r}")
    for do in ("stand", "sit"):
        refused(attacker.command(table, do, seat=1), f"{do} in the middle of a draw")
    attacker.must(table, "reveal", contribution=mine)
    refused(attacker.command(table, "reveal", contribution=mine), "a second reveal")
    expect(victim.check(table)["table"]["stage"] == "playing", "the game has not begun")


def copied(server):
    """Copying another's commitment to reveal the same afterwards, and revealing for another"""
    victim, attacker, table, number = drawing_table()
    theirs = secrets.token_hex(32)
    hash = commitment(table, number, 0, theirs)
    victim.must(table, "commit", hash=hash)
    attacker.must(table, "commit", hash=hash)
    refused(attacker.command(table, "reveal", seat=0, contribution=theirs), "a reveal for another's seat")
    victim.must(table, "reveal", contribution=theirs)
    refused(attacker.command(table, "reveal", contribution=theirs), "a copied contribution")
    expect(victim.check(table)["table"]["stage"] == "drawing", "the game has begun on a copied contribution")


def secret(server):
    """The server's own share before the game: only its hash is told, and the hash does not change"""
    victim, attacker, table, number = drawing_table()
    hash = attacker.check(table)["table"]["draw"]["secret_hash"]
    shares = [secrets.token_hex(32) for _ in range(2)]
    for seat, person in enumerate((victim, attacker)):
        person.must(table, "commit", hash=commitment(table, number, seat, shares[seat]))
    expect(attacker.check(table)["table"]["draw"]["secret_hash"] == hash, "the server has changed its mind")
    for seat, person in enumerate((victim, attacker)):
        person.must(table, "reveal", contribution=shares[seat])
    attacker.check(table, "?after=0")
    heard = bytes(attacker.heard)
    victim.must(table, "close")
    told = victim.check(table)["table"]["over"]["secret"]
    expect(told.encode() not in heard, "the secret was told before the end")
    expect(server.verified(victim.get(f"/api/tables/{table}/record").body), "the record is not true")


def forged_hashes(server):
    """Hashes that are none"""
    victim, attacker, table, number = drawing_table()
    for hash in ("", "0", "0" * 63, "0" * 65, "G" * 64, "A" * 64, "0" * 63 + "\0", None, 0, [], "' OR 1=1 --"):
        refused(attacker.command(table, "commit", hash=hash), f"the hash {hash!r}")


ATTACKS = [late, copied, secret, forged_hashes]
