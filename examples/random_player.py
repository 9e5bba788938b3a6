#!/usr/bin/env python3
"""Plays random legal moves at a Tessera table. Needs Debian's python3-websockets.

    random_player.py http://127.0.0.1:8080 --host marbles    makes a table, prints its id, sits down and plays
    random_player.py http://127.0.0.1:8080 TABLE             sits down at that table and plays
"""
import asyncio, hashlib, json, random, secrets, sys, urllib.request, zlib
import websockets


def post(url, body, token=None):
    headers = {"Authorization": "Bearer " + token} if token else {}
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


async def play(server, token, table):
    after, ours, state = None, [], {"id": secrets.randbelow(2**40), "waits_for": None, "secrets": {}}
    while True:  # a lost connection is opened again, with the last event that we have
        url = server.replace("http", "ws", 1) + f"/api/tables/{table}/live" + (f"?after={after}" if after else "")
        try:
            async with websockets.connect(url, extra_headers={"Authorization": "Bearer " + token}) as socket:
                state["waits_for"] = None
                async for frame in socket:
                    update = json.loads(zlib.decompress(frame) if isinstance(frame, bytes) else frame)
                    if state["waits_for"] in (update.get("ack"), update.get("refused")):
                        state["waits_for"] = None
                    after, ours = update.get("seq", after), update.get("seats", ours)
                    command = None if state["waits_for"] else answer(update, table, ours, state["secrets"])
                    if command:
                        state["id"] = state["waits_for"] = state["id"] + 1
                        await socket.send(json.dumps({"id": state["id"], **command}))
                    if update.get("turn") == {"over": True}:
                        return update["table"]["over"]
        except (OSError, websockets.WebSocketException):
            await asyncio.sleep(0.2)


def answer(update, table, ours, ours_secret):
    """What to send after an update, if anything."""
    stage, turn = update.get("table", {}), update.get("turn", {})
    if stage.get("stage") == "gathering" and not ours:
        return {"do": "sit", "seat": next(i for i, s in enumerate(stage["seats"]) if not s.keys() & {"person", "bot"})}
    if stage.get("stage") == "drawing" and ours:  # fair dice: first a hash of our contribution, then the contribution
        draw, seat = stage["draw"], ours[0]
        mine = ours_secret.setdefault(draw["number"], secrets.token_hex(32))
        if not draw["hashes"][seat]:
            text = f"tessera/1\n{table}\n{draw['number']}\n{seat}\n{mine}"
            return {"do": "commit", "hash": hashlib.sha256(text.encode()).hexdigest()}
        if all(draw["hashes"][i] for i, s in enumerate(stage["seats"]) if "person" in s) and not draw["contributions"][seat]:
            return {"do": "reveal", "contribution": mine}
    if turn.get("roll") in ours:
        return {"do": "roll"}
    if "legal" in update:
        node, path = update["legal"], []
        while "next" in node:  # down the tree of choices to a leaf
            path.append(random.choice(list(node["next"])))
            node = node["next"][path[-1]]
        return {"do": "move", "move": path}


server, *rest = sys.argv[1:]
token = post(server + "/api/bots", {"name": "Random player"})["token"]
if rest[0] == "--host":
    rest = [post(server + "/api/tables", {"game": rest[1], **json.loads(rest[2] if rest[2:] else "{}")}, token)["id"]]
    print(rest[0], flush=True)
print(json.dumps(asyncio.run(play(server, token, rest[0]))))
