#!/usr/bin/env python3
"""Plays random legal moves at a Tessera table, which it makes or joins. Needs Debian's python3-websockets.
    random_player.py http://127.0.0.1:8080 --host marbles '{"seats":2}'
    random_player.py http://127.0.0.1:8080 TABLE"""
import asyncio, hashlib, json, random, secrets, sys, urllib.request, websockets, zlib

server, *wanted = sys.argv[1:]
headers, contributions = {}, {}  # contributions to the fair dice, by the number of the draw

def post(path, body):
    request = urllib.request.Request(server + path, json.dumps(body).encode(), headers)
    return json.load(urllib.request.urlopen(request))

def choose(known):  # the command to send as things stand, if any
    table, ours = known["table"], known["seats"]
    if table["stage"] == "gathering" and not ours:
        return {"do": "sit", "seat": table["seats"].index({})}
    if table["stage"] == "drawing" and ours:  # fair dice: first the hash of our contribution, then the contribution
        draw, seat, people = table["draw"], ours[0], sum("person" in taken for taken in table["seats"])
        mine = contributions.setdefault(draw["number"], secrets.token_hex(32))
        if not draw["hashes"][seat]:
            text = f"tessera/1\n{table['id']}\n{draw['number']}\n{seat}\n{mine}"
            return {"do": "commit", "hash": hashlib.sha256(text.encode()).hexdigest()}
        if people == sum(hash is not None for hash in draw["hashes"]) and not draw["contributions"][seat]:
            return {"do": "reveal", "contribution": mine}
    if known.get("turn", {}).get("roll") in ours:
        return {"do": "roll"}
    if known.get("legal"):  # down the tree of choices to a leaf
        node, choices = known["legal"], []
        while "next" in node:
            choice, node = random.choice(list(node["next"].items()))
            choices.append(choice)
        return {"do": "move", "move": choices}

async def play(url):
    known, number = {}, secrets.randbelow(2**40)
    while True:  # a lost connection is opened again, after the last event that we have
        awaited = chosen_at = None  # one command at a time, and one to the same state of things
        try:
            async with websockets.connect(f"{url}?after={known.get('seq', '')}", extra_headers=headers) as live:
                async for frame in live:
                    told = json.loads(zlib.decompress(frame) if isinstance(frame, bytes) else frame)
                    known.update({"legal": None, **told} if "events" in told else told)
                    if "table" not in known:
                        sys.exit(told["error"])
                    if known["table"]["stage"] == "over":
                        return known["table"]["over"]
                    if "protocol" in told or awaited in (told.get("ack"), told.get("refused")):
                        awaited = None
                    if awaited is None and chosen_at != known["seq"] and (command := choose(known)):
                        number, awaited, chosen_at = number + 1, number + 1, known["seq"]
                        await live.send(json.dumps({"id": number, **command}))
        except (OSError, websockets.WebSocketException):
            await asyncio.sleep(0.2)

headers["Authorization"] = "Bearer " + post("/api/bots", {"name": "Random player"})["token"]
if wanted[0] == "--host":
    wanted = [post("/api/tables", {"game": wanted[1], **json.loads(wanted[2] if wanted[2:] else "{}")})["id"]]
print(wanted[0], flush=True)
print(json.dumps(asyncio.run(play(f"{server.replace('http', 'ws', 1)}/api/tables/{wanted[0]}/live"))))
