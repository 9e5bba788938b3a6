"""Real messages have exactly the members and types of docs/fixtures, and docs/protocol.md (of a review docs/review.md)
names every member.

    protocol_test.py PROGRAM    (from the repository's root)
"""
import json, pathlib, re, sys

from protocol_scenes import KINDS, collect, event_name

MAPS = {"next", "people", "options"}  # objects whose keys are names or ids, not members
EFFECTS = "move send_home sweep finish lay draw give put_back show pass again score round win".split()

fixtures = {file.stem: json.loads(file.read_text()) for file in pathlib.Path("docs/fixtures").glob("*.json")}


def type_of(value):
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


def differences(expected, real, where):
    """How `real` has another form than `expected`, as sentences."""
    if type_of(expected) != type_of(real):
        return [f"{where}: {type_of(real)} instead of {type_of(expected)}"]
    if isinstance(real, list):
        return [p for i, element in enumerate(real) for p in like_one_of(expected, element, f"{where}[{i}]")]
    if not isinstance(real, dict):
        return []
    problems = [f"{where}: '{key}' is only in one of them" for key in (expected.keys() ^ real.keys()) - {"effects"}]
    for key in real.keys() & expected.keys():
        inside = f"{where}.{key}"
        if key in MAPS and isinstance(real[key], dict):
            for name, value in real[key].items():
                problems += like_one_of(expected[key].values(), value, f"{inside}.{name}")
        elif key == "events" and isinstance(real[key], list) and where != "rest_review.answer":
            for event in real[key]:
                name = event_name(event)
                problems += differences(fixtures["events"].get(name, {}), event, f"{inside} {name}")
        elif key != "effects":
            problems += differences(expected[key], real[key], inside)
    return problems + [f"{where}: no effect is {effect}" for effect in real.get("effects", []) if not is_effect(effect)]


def like_one_of(options, value, where):
    """An element must be like one that the fixture has; where that has none, it may be anything."""
    found = [differences(option, value, where) for option in options]
    return min(found, key=len) if found else []


def is_effect(effect):
    types = {"path": list, "piece": str, "becomes": str, "points": int}
    kinds = [key for key in effect if key in EFFECTS]
    return len(kinds) == 1 and isinstance(effect[kinds[0]], int) and all(
        isinstance(value, types.get(key, type(None))) for key, value in effect.items() if key != kinds[0])


def members(value):
    """The names of all members, however deep."""
    if isinstance(value, list):
        return set().union(*map(members, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    inside = [members(list(v.values()) if k in MAPS and isinstance(v, dict) else v) for k, v in value.items()]
    return set(value.keys()).union(*inside)


real = collect(sys.argv[1])
problems = [f"'{name}' is only in one of fixtures and scenes" for name in fixtures.keys() ^ real.keys()]
for name in fixtures.keys() & real.keys() - {"events"}:
    problems += differences(fixtures[name], real[name], name)
    if fixtures[name].get("status") != real[name].get("status"):
        problems.append(f"{name}: status {real[name]['status']} instead of {fixtures[name]['status']}")
for name in fixtures["events"].keys() ^ real["events"].keys():
    problems.append(f"the event '{name}' is only in one of fixtures and scenes")
told = set().union(*real["events"].values())
# Tests of the web client read there what it must have words for.
described = [[{**game, "rules": ""} for game in one["rest_games"]["answer"]["games"]] for one in (fixtures, real)]
if described[0] != described[1] or fixtures["rest_opponents"] != real["rest_opponents"]:
    problems.append("games or opponents are described in other words: run scripts/fixtures")
problems += [f"no scene has the event '{kind}'" for kind in KINDS if kind not in told]
pages = "".join(pathlib.Path(page).read_text() for page in ("docs/protocol.md", "docs/review.md"))
named = set(re.findall(r'[`"]([a-z_0-9]+)[`"]', pages))
messages = [fixture if name != "events" else list(fixture.values()) for name, fixture in fixtures.items()]
messages = [message.get("answer", message) if isinstance(message, dict) else message for message in messages]
problems += [f"docs/protocol.md does not name the member '{key}'" for key in sorted(members(messages) - named)]
print("\n".join(sorted(problems)) or f"{len(fixtures)} fixtures")
sys.exit(1 if problems else 0)
