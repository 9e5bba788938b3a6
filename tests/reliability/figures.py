"""How long players could not go on, by the fault that kept them from it."""
import bisect, statistics

FOLLOWS_WITHIN = 10  # seconds: a connection that is lost later than this after a fault was lost for another reason
SHORT = 0.05  # seconds: not worth noting as a silence


class Figures:
    """Is given every line of the histories, as the checker is. `faults`: in the order of their beginnings."""

    def __init__(self, faults):
        self.faults, self.begins = faults, [fault["begin"] for fault in faults]
        self.away = {}  # by place: when the connection was lost
        self.back = {}  # by place of a closed loop: the same, for those who have one again and wait for something to happen
        self.heard = {}  # by place: when something was last told
        self.absences = []  # fault or None, seconds until the player was greeted again
        self.standstills = []  # the same, in a closed loop, until something happened
        self.silences = {}  # by fault and place: the longest

    def fault_at(self, time):
        """The number of the latest fault before, if it can have to do with it."""
        number = bisect.bisect_right(self.begins, time) - 1
        return number if number >= 0 and time < self.faults[number]["end"] + FOLLOWS_WITHIN else None

    def line(self, line, closed_loop):
        place, now = (line["match"], line["seat"]), line["t"]
        if "lost" in line:
            self.away[place] = now
        elif place in self.away and "resumed" in line:
            lost = self.away.pop(place)
            self.absences.append((self.fault_at(lost), now - lost))
            if closed_loop:
                self.back.setdefault(place, lost)
        if closed_loop and (line.get("events") or "ack" in line):
            if place in self.back:
                lost = self.back.pop(place)
                self.standstills.append((self.fault_at(lost), now - lost))
            self.silent(place, self.heard.get(place, now), now)
            self.heard[place] = now

    def silent(self, place, since, now):
        if now - since < SHORT:
            return
        number = bisect.bisect_right(self.begins, now) - 1
        if number >= 0 and since < self.faults[number]["end"]:
            key = number, place
            self.silences[key] = max(self.silences.get(key, 0), now - since)

    def summary(self):
        kinds = {}
        for kind in dict.fromkeys(fault["kind"] for fault in self.faults):
            numbers = {number for number, fault in enumerate(self.faults) if fault["kind"] == kind}
            greeted = [seconds for number, seconds in self.absences if number in numbers]
            went_on = [seconds for number, seconds in self.standstills if number in numbers]
            silences = [silence for (number, _), silence in self.silences.items() if number in numbers]
            kinds[kind] = {"count": len(numbers), "players_cut_off": len(greeted), **spread("greeted", greeted),
                           **spread("went_on", went_on), **spread("silence", silences)}
        return {"faults": kinds, "cut_off_without_a_fault": sum(fault is None for fault, _ in self.absences)}


def spread(name, seconds):
    if not seconds:
        return {}
    return {f"{name}_s_median": round(statistics.median(seconds), 3), f"{name}_s_worst": round(max(seconds), 3)}
