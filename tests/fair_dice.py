"""Recomputes the dice of a record: a second implementation of docs/fair-dice.md and docs/randomness.md.

Usage: python3 fair_dice.py FILE. Prints how many chance events were recomputed; exit code 1 at the first that differs.
"""

import hashlib
import hmac
import json
import sys
from itertools import combinations, permutations

SIDES = {"marbles": 6, "cyclone": 6, "cylinder": 6, "cybo": 12}
HAND_SIZES = {1: 25, 2: 25, 3: 18, 4: 13, 5: 11, 6: 9}
COLOURS = "BCGPR"


class Wrong(Exception):
    pass


def check(holds, sentence):
    if not holds:
        raise Wrong(sentence)


class Words:
    """The random numbers of every stream."""

    def __init__(self, key):
        self.key = key
        self.used = {}

    def word(self, stream):
        position = self.used.get(stream, 0)
        self.used[stream] = position + 1
        block = hmac.new(self.key, f"{stream}\n{position // 8}".encode(), hashlib.sha256).digest()
        start = position % 8 * 4
        return int.from_bytes(block[start : start + 4], "big")

    def number(self, stream, n):
        while True:
            product = self.word(stream) * n
            if product % 2**32 >= 2**32 % n:
                return product // 2**32


def full_bag():
    least = lambda a, b, c: min(a + b + c, b + c + a, c + a + b)
    singles = {least(*three) for three in permutations(COLOURS, 3)}
    doubles = {least(a, a, b) for a, b in permutations(COLOURS, 2)}
    wild = {a + b + "W" for a, b in combinations(COLOURS, 2)}
    blocking = [colour + "XX" for colour in COLOURS] * 2
    return sorted([*singles, *doubles, *wild, *blocking, *(colour * 3 for colour in COLOURS)])


def blocks(piece):
    return piece.endswith("XX")


class Cubed:
    """The bag of the present round, and what moves have to do with it."""

    def __init__(self, words, seats):
        self.words = words
        self.seats = seats
        self.round = -1
        self.bag = []
        self.taken = []  # pieces of which one is to be kept

    def draw(self):
        return self.bag.pop(self.words.number(f"bag {self.round}", len(self.bag)))

    def chance(self, event, moves):
        """The keys that a chance event must have; `moves` came since the last one."""
        for move in moves:
            if move.startswith("keep "):
                self.taken.remove(move[5:])
                self.bag = sorted(self.bag + self.taken)
        if event["chance"] == "deal":
            self.round += 1
            self.bag = full_bag()
            return self.deal_alone() if self.seats == 1 else self.deal()
        if event["chance"].startswith("start "):
            return self.start()
        asked = moves[-1] if moves else ""
        if asked.startswith("take"):
            self.taken = sorted(self.draw() for _ in range(int(asked[4:])))
            return {"chance": " ".join(["draw", *self.taken])}
        return {"chance": "draw " + self.draw()}

    def deal(self):
        hands = [sorted(self.draw() for _ in range(HAND_SIZES[self.seats])) for _ in range(self.seats)]
        return {"chance": "deal", "hands": hands}

    def deal_alone(self):
        hand, out = [], []
        while len(hand) < HAND_SIZES[1]:
            hand.append(self.draw())
            blocking = sorted(filter(blocks, hand))
            if len(blocking) > 3:
                extra = blocking[self.words.number(f"bag {self.round}", 4)]
                hand.remove(extra)
                out.append(extra)
        return {"chance": "deal", "hands": [sorted(hand)], "out": sorted(out)}

    def start(self):
        out = []
        while blocks(piece := self.draw()):
            out.append(piece)
        return {"chance": "start " + piece, "out": sorted(out)}


class Dice:
    def __init__(self, words, sides):
        self.words = words
        self.sides = sides

    def chance(self, event, _moves):
        return {"chance": f"roll {self.words.number('dice ' + str(event['seat']), self.sides) + 1}"}


class Draw:
    """What is published in one draw."""

    def __init__(self, match, number, event):
        self.opening = f"tessera/1\n{match}\n{number}\n"
        self.number = number
        self.secret = event["secret"]
        self.hashes = {}
        self.contributions = {}
        check(self.hash("secret", self.secret) == event["secret_hash"], "the secret does not fit its hash")

    def hash(self, whose, value):
        return hashlib.sha256(f"{self.opening}{whose}\n{value}".encode()).hexdigest()

    def reveal(self, seat, contribution):
        check(self.hash(seat, contribution) == self.hashes[seat], f"seat {seat}'s contribution does not fit its hash")
        self.contributions[seat] = contribution

    def words(self, seats):
        text = self.opening + "".join(self.contributions.get(seat, "-") + "\n" for seat in range(seats))
        return Words(hmac.new(bytes.fromhex(self.secret), text.encode(), hashlib.sha256).digest())


def recompute(lines):
    header, *events = map(json.loads, lines)
    recomputed = 0
    moves = []  # since the last chance event
    for number, event in enumerate(events, 1):
        try:
            if "created" in event:
                settings = event["settings"]
                draw = Draw(header["match"], 1, event)
            elif "redrawn" in event:
                draw = Draw(header["match"], draw.number + 1, event)
            elif "committed" in event:
                draw.hashes[event["seat"]] = event["committed"]
            elif "revealed" in event:
                draw.reveal(event["seat"], event["revealed"])
            elif "begun" in event:
                words = draw.words(settings["seats"])
                if settings["first"] == "drawn":
                    check(event["first"] == words.number("first", settings["seats"]), "another seat begins")
                cubed = settings["game"] == "cubed"
                game = Cubed(words, settings["seats"]) if cubed else Dice(words, SIDES[settings["game"]])
            elif "chance" in event:
                expected = game.chance(event, moves)
                found = {key: event[key] for key in event if key in ("chance", "hands", "out")}
                check(found == expected, f"it has {found} and should have {expected}")
                moves = []
                recomputed += 1
            elif "move" in event:
                moves.append(event["move"])
            elif "taken_back" in event:
                del moves[-event["moves"] :]
            elif "over" in event:
                check(event["secret"] == draw.secret, "another secret than that of the draw")
        except Wrong as wrong:
            raise Wrong(f"event {number}: {wrong}") from None
    return recomputed


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.read().splitlines()
    try:
        print(f"{recompute(lines)} chance events recomputed")
    except Wrong as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    main()
