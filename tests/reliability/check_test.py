"""The checker finds what is forged into a true history and log, and nothing in the true ones.

    /usr/bin/python3 tests/reliability/check_test.py
"""
import copy, json, unittest

from check import Checker
from figures import Figures

LOG = [{"by": "ann", "created": True, "secret_hash": "h", "secret": "s", "settings": {}},
       {"by": "ann", "id": 1, "seat": 0, "sat": "ann"},
       {"by": "bob", "id": 1, "seat": 1, "sat": "bob"},
       {"begun": True, "first": 0},
       {"chance": "deal", "hands": [["BCG"], ["BXX"]]},
       {"by": "ann", "id": 2, "seat": 0, "chance": "draw BCG BXX"},
       {"by": "ann", "id": 3, "seat": 0, "move": "give BCG s1"},
       {"by": "bob", "id": 2, "seat": 1, "chance": "roll 4"}]
LOG = [{"at": at, **event} for at, event in enumerate(LOG, 100)]


def seen(*events):
    return list(events)


DEAL = {"chance": "deal", "hands": [["BCG"], ["?"]], "effects": [{"draw": 0}]}
HISTORY = [
    {"t": 1, "match": "m", "seat": 0, "opened": 1, "you": "ann"},
    {"t": 1, "match": "m", "seat": 0, "seq": 2, "ack": 1, "do": "sit", "events": seen({"seat": 0, "sat": "ann"})},
    {"t": 1, "match": "m", "seat": 1, "opened": 2, "you": "bob"},
    {"t": 2, "match": "m", "seat": 1, "seq": 5, "ack": 1, "do": "sit", "events": seen(
        {"seat": 1, "sat": "bob"}, {"begun": True, "first": 0}, {"chance": "deal", "hands": [["?"], ["BXX"]]})},
    {"t": 2, "match": "m", "seat": 0, "seq": 4, "events": seen({"seat": 1, "sat": "bob"}, {"begun": True, "first": 0})},
    {"t": 2, "match": "m", "seat": 0, "seq": 5, "events": seen(DEAL)},
    {"t": 3, "match": "m", "seat": 0, "seq": 6, "ack": 2, "do": "roll", "events": seen({"seat": 0, "chance": "draw BCG BXX"})},
    {"t": 3, "match": "m", "seat": 1, "seq": 6, "events": seen({"seat": 0, "chance": "draw ? ?"})},
    {"t": 4, "match": "m", "seat": 0, "lost": "reset"},
    {"t": 5, "match": "m", "seat": 0, "resumed": 7, "after": 6, "events": seen({"seat": 0, "move": "give BCG s1"})},
    {"t": 5, "match": "m", "seat": 0, "seq": 7, "ack": 3, "do": "move"},
    {"t": 5, "match": "m", "seat": 1, "seq": 7, "events": seen({"seat": 0, "move": "give ? s1"})},
    {"t": 6, "match": "m", "seat": 1, "refused": 7, "why": "It is seat 0's turn."},
    {"t": 6, "match": "m", "seat": 1, "seq": 8, "ack": 2, "do": "roll", "events": seen({"seat": 1, "chance": "roll 4"})},
    {"t": 6, "match": "m", "seat": 0, "seq": 8, "events": seen({"seat": 1, "chance": "roll 4"})},
]
LOST = {"t": 8, "match": "m", "seat": 1, "lost": "reset"}


def entries(log, cuts=(0, 1, 3, 6)):
    ends = [*cuts[1:], len(log)]
    return [(begin, end, "\n".join(json.dumps(event) for event in log[begin:end])) for begin, end in zip(cuts, ends)]


def checked(history=HISTORY, log=None, rows=None):
    checker = Checker()
    for row in entries(LOG if log is None else log) if rows is None else rows:
        checker.entry("m", *row)
    for line in history:
        checker.line(line)
    return checker


def violations(**forged):
    return checked(**forged).finish()


class Check(unittest.TestCase):
    def finds(self, words, **forged):
        found = violations(**forged)
        self.assertTrue(any(words in violation for violation in found), f"'{words}' is not among {found}")

    def history(self, number, **members):
        """The true history with other members in one line, or without those that are None."""
        forged = copy.deepcopy(HISTORY)
        forged[number].update(members)
        forged[number] = {key: value for key, value in forged[number].items() if value is not None}
        return forged

    def without(self, number):
        return HISTORY[:number] + HISTORY[number + 1:]

    def log(self, number, **members):
        forged = copy.deepcopy(LOG)
        forged[number - 1].update(members)
        return forged

    def test_what_is_true_passes(self):
        self.assertEqual(violations(), [])

    def test_who_goes_away_after_the_end_is_not_told_of_it(self):
        self.assertEqual(violations(log=LOG + [{"at": 200, "seat": 0, "left": True}]), [])

    def test_the_counts(self):
        self.assertEqual(checked().counts(), {"matches": 1, "events_in_logs": 8, "events_told": 13, "commands_acknowledged": 5,
                                            "moves_acknowledged": 3, "resumed": 1, "cut_off_after_the_end": 0, "refused": 1})

    # ── The log ──

    def test_a_gap_between_entries(self):
        rows = entries(LOG)
        self.finds("an entry follows event 3, the one before ends with 1", rows=rows[:1] + rows[2:])

    def test_an_entry_with_fewer_events_than_it_claims(self):
        rows = entries(LOG)
        rows[-1] = (rows[-1][0], rows[-1][1] + 1, rows[-1][2])
        self.finds("claims to end with 9", rows=rows)

    def test_a_command_that_was_carried_out_twice(self):
        self.finds("command 2 of ann was carried out twice", log=LOG + [{**LOG[5], "at": 200}])

    def test_the_same_number_of_another_person_is_another_command(self):
        self.assertEqual([each for each in violations() if "twice" in each], [])

    def test_time_that_runs_backwards(self):
        self.finds("event 6 is earlier", log=self.log(6, at=50))

    # ── What was told ──

    def test_an_event_that_was_told_and_is_lost(self):
        self.finds("which is not in the log", log=LOG[:7])

    def test_an_acknowledged_command_that_is_missing(self):
        lost = self.log(8)
        del lost[7]["id"]
        self.finds("command 2 (roll) was acknowledged, and is not in the log", log=lost)

    def test_a_command_of_another_person(self):
        self.finds("is not in the log", log=self.log(8, by="ann", id=9))

    def test_a_command_that_did_something_else(self):
        self.finds("and the log has", history=self.history(13, do="move"))

    def test_an_acknowledgement_before_its_time(self):
        self.finds("command 3 was acknowledged at event 6, and is event 7", history=self.history(10, seq=6))

    def test_a_refused_command_that_was_carried_out(self):
        self.finds("was refused, and carried out", history=self.history(12, refused=2))

    def test_a_changed_roll(self):
        self.finds("was told event 8 as", log=self.log(8, chance="roll 5"))

    def test_another_seat(self):
        self.finds("was told event 8 as", history=self.history(14, events=[{"seat": 0, "chance": "roll 4"}]))

    def test_another_kind(self):
        self.finds("was told event 8 as", history=self.history(14, events=[{"seat": 1, "move": "roll 4"}]))

    def test_another_public_member(self):
        self.finds("was told event 4 as", log=self.log(4, first=1))

    def test_a_changed_hand_of_ones_own(self):
        self.finds("was told event 5 as", log=self.log(5, hands=[["BBB"], ["BXX"]]))

    def test_a_hidden_draw_of_another_size(self):
        self.finds("was told event 6 as", log=self.log(6, chance="draw BCG BXX CCC"))

    def test_a_doubled_update(self):
        self.finds("twice or out of order", history=HISTORY + [HISTORY[-1]])

    def test_events_again_after_a_resume_that_asked_for_later_ones(self):
        again = [{"seat": 0, "chance": "draw BCG BXX"}, {"seat": 0, "move": "give BCG s1"}]
        self.finds("twice or out of order", history=self.history(9, events=again))

    def test_reordered_updates(self):
        swapped = list(HISTORY)
        swapped[4], swapped[5] = swapped[5], swapped[4]
        self.finds("was not told the events from 3 to 4", history=swapped)
        self.finds("twice or out of order", history=swapped)

    def test_an_update_that_was_left_out(self):
        self.finds("was not told the events from 6 to 6", history=self.without(7))

    def test_a_resume_without_what_was_missed(self):
        self.finds("was not told the events from 7 to 7", history=self.history(9, events=None))

    def test_a_greeting_on_an_open_socket_may_leave_events_out(self):
        open_socket = self.history(9, events=None)
        del open_socket[8]
        self.assertEqual(violations(history=open_socket), [])

    def test_a_log_that_went_back(self):
        self.finds("then that there are 5", history=self.history(9, resumed=5, events=[]))

    def test_a_player_who_was_not_told_the_end(self):
        self.finds("seat 0: was told the events up to 7, the log has 8", history=self.without(14))

    def test_a_player_who_did_not_come_back(self):
        self.finds("seat 1: did not come back", history=HISTORY + [LOST])

    def test_who_was_told_that_it_is_over_need_not_come_back(self):
        end = [{"t": 7, "match": "m", "seat": seat, "seq": 9, "events": seen({"over": "played"})} for seat in (0, 1)]
        over = {"history": HISTORY + end + [LOST], "log": LOG + [{"at": 200, "over": "played"}]}
        checker = checked(**over)
        self.assertEqual(checker.finish(), [])
        self.assertEqual(checker.counts()["cut_off_after_the_end"], 1)

    def test_a_match_that_is_not_there(self):
        self.finds("knows nothing of this match", rows=[])


class FiguresOfFaults(unittest.TestCase):
    def test_the_time_from_a_lost_connection_to_the_next_thing_told(self):
        figures = Figures([{"kind": "kill", "begin": 3.5, "end": 4.5}])
        for line in HISTORY:
            figures.line(line, closed_loop=True)
        kill = figures.summary()["faults"]["kill"]
        self.assertEqual((kill["count"], kill["players_cut_off"], kill["greeted_s_worst"], kill["went_on_s_worst"]), (1, 1, 1, 1))
        self.assertEqual(kill["silence_s_worst"], 2)

    def test_a_loss_long_after_a_fault_is_not_its_own(self):
        figures = Figures([{"kind": "kill", "begin": -30, "end": -20}])
        for line in HISTORY:
            figures.line(line, closed_loop=False)
        summary = figures.summary()
        self.assertEqual((summary["cut_off_without_a_fault"], summary["faults"]["kill"]["players_cut_off"]), (1, 0))


if __name__ == "__main__":
    unittest.main()
