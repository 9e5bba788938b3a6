"""Plays scenes at a real server and collects one message of every kind of the protocol, by name. protocol_test.py
compares them with docs/fixtures; scripts/fixtures writes those."""
import asyncio, hashlib, json, os, signal, subprocess, tempfile, urllib.error, urllib.request, zlib
import websockets

MOST_SECONDS = 60
KINDS = """created sat stood bot_sat removed handed_over started committed revealed redrawn begun chance move asked
answered taken_back auto_roll ready resigned paused resumed came left out_of_time stand_in back over rematch""".split()


class Server:
    """The program, serving from a new database at a free port."""

    def __init__(self, program):
        self.told = []  # all messages of all sockets
        self.folder = tempfile.TemporaryDirectory()
        database = os.path.join(self.folder.name, "tessera.db")
        self.process = subprocess.Popen([program, "serve", "--port", "0", "--database", database],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    def request(self, method, path, body=None, who=None):
        """What is asked and answered; `who` has headers."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, who or {}, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=MOST_SECONDS)
        except urllib.error.HTTPError as refused:
            answer = refused
        with answer:
            told = {"request": f"{method} {path}", "status": answer.status, "answer": json.load(answer)}
        return told if body is None else {"request": told.pop("request"), "body": body, **told}

    def bot(self, name):
        return {"Authorization": "Bearer " + self.request("POST", "/api/bots", {"name": name})["answer"]["token"]}

    def table(self, who, **settings):
        return self.request("POST", "/api/tables", settings, who)["answer"]["id"]


def follow(pieces, effects):
    """Does to a list of pieces what effects say, as docs/protocol.md has it."""
    for effect in effects:
        if "path" not in effect:
            continue
        start, end = effect["path"][0], effect["path"][-1]
        if "sweep" in effect:
            gone = [piece for piece in pieces if piece[2] == start]
        else:
            seats = (next(iter(effect.values())), -1)
            gone = [p for p in pieces if p[0] in seats and p[1:] == [effect.get("piece", ""), start]][-1:]
            assert gone, f"{effect}, but there are only {pieces}"
        pieces[:] = [piece for piece in pieces if not any(piece is one for one in gone)]
        pieces += [[seat, effect.get("becomes", kind), end] for seat, kind, _ in gone]


class Player:
    """One socket at a table. Keeps what it is told, merged, as every client does."""

    def __init__(self, server, table, who=None):
        self.server, self.table, self.who = server, table, who
        self.known, self.told, self.number = {}, [], 0

    async def connect(self, after=""):
        url = f"{self.server.url.replace('http', 'ws')}/api/tables/{self.table}/live?after={after}"
        self.socket = await websockets.connect(url, extra_headers=self.who or {})
        return await self.listen()

    async def listen(self):
        frame = await asyncio.wait_for(self.socket.recv(), MOST_SECONDS)
        message = json.loads(zlib.decompress(frame) if isinstance(frame, bytes) else frame)
        self.told.append(message)
        self.server.told.append(message)
        self.known.update({"legal": None, **message} if "events" in message else message)
        if "pieces" not in message:
            for event in message.get("events", []):
                follow(self.known.get("pieces", []), event.get("effects", []))
        return message

    async def expect_board(self):
        """Following effects has led to the position that the server has."""
        other = Player(self.server, self.table, self.who)
        told = await other.connect()
        await other.socket.close()
        while self.known["seq"] < told["seq"]:
            await self.listen()
        assert sorted(self.known["pieces"]) == sorted(told["pieces"]), self.known["table"]["game"]

    async def until(self, wanted):
        while not wanted(message := await self.listen()):
            pass
        return message

    async def event(self, kind):
        """The message that tells of such an event."""
        return await self.until(lambda message: any(kind in event for event in message.get("events", [])))

    async def do(self, what, **members):
        """Sends a command, and is what answers it."""
        self.number += 1
        await self.socket.send(json.dumps({"id": self.number, "do": what, **members}))
        return await self.until(lambda m: self.number in (m.get("ack"), m.get("refused")) or "error" in m)

    def hash_of(self, seat):
        draw = self.known["table"]["draw"]
        text = f"tessera/1\n{self.table}\n{draw['number']}\n{seat}\n{seat:064x}"
        return hashlib.sha256(text.encode()).hexdigest()

    async def commit(self, seat):
        return await self.do("commit", seat=seat, hash=self.hash_of(seat))

    async def reveal(self, seat):
        return await self.do("reveal", seat=seat, contribution=f"{seat:064x}")

    def first_move(self):
        node, choices = self.known["legal"], []
        while "next" in node:
            choice, node = next(iter(node["next"].items()))
            choices.append(choice)
        return choices


async def people(server, found):
    """Requests that need no game."""
    ann = server.bot("Ann")
    table = server.table(ann, game="cybo")
    code = server.request("GET", f"/api/tables/{table}/check")["answer"]["code"]
    requests = {
        "server": ("GET", "/api"),
        "health": ("GET", "/api/health"),
        "games": ("GET", "/api/games"),
        "opponents": ("GET", "/api/opponents"),
        "new_bot": ("POST", "/api/bots", {"name": "My bot"}),
        "new_visitor": ("POST", "/api/me", {"name": "Ann"}),
        "me": ("GET", "/api/me", None, ann),
        "nobody": ("GET", "/api/me"),
        "private_link": ("POST", "/api/me/link", {}, ann),
        "feed": ("POST", "/api/me/feed", {}, ann),
        "webhook": ("POST", "/api/me/webhook", {"url": "https://example.org/called"}, ann),
        "guest": ("POST", "/api/guests", {"name": "Bob"}, ann),
        "new_table": ("POST", "/api/tables", {"game": "cybo", "seats": 2}, ann),
        "code": ("GET", f"/api/codes/{code}"),
        "lobby": ("GET", "/api/tables?stage=gathering&limit=1"),
        "command": ("POST", f"/api/tables/{table}/commands", {"id": 1, "do": "sit", "seat": 0}, ann),
        "command_refused": ("POST", f"/api/tables/{table}/commands", {"id": 2, "do": "roll"}, ann),
        "command_wrong": ("POST", f"/api/tables/{table}/commands", {"id": 3, "do": "dance"}, ann),
        "command_nowhere": ("POST", "/api/tables/nosuch/commands", {"id": 4, "do": "roll"}, ann),
        "check": ("GET", f"/api/tables/{table}/check?after=1", None, ann),
        "logout": ("POST", "/api/logout", {}),
    }
    for name, request in requests.items():
        found["rest_" + name] = server.request(*request)


async def gathering(server, found):
    """Seats are taken and left; a draw begins again; the host closes the table."""
    headers = [server.bot("Ann"), server.bot("Bob")]
    table = server.table(headers[0], game="cyclone", seats=3)
    ann, bob = Player(server, table, headers[0]), Player(server, table, headers[1])
    found["greeting_gathering"] = await ann.connect()
    await bob.connect()
    found["error"] = await ann.do("dance")
    found["refused"] = await ann.do("roll")
    await ann.do("sit", seat=0, hash=ann.hash_of(0))
    await ann.do("stand")
    found["table_gathering"] = ann.known["table"]
    found["update_sat"] = await ann.do("sit", seat=0, hash=ann.hash_of(0))
    found["refused_with_arguments"] = await bob.do("sit", seat=0)
    await ann.do("bot", seat=1, bot="random")
    await ann.do("remove", seat=1)
    await bob.do("sit", seat=1)
    await ann.event("sat")
    await ann.do("start", bot="simple")
    await bob.event("started")
    await bob.commit(1)
    found["update_committed"] = await ann.event("committed")
    found["table_drawing"] = ann.known["table"]
    await ann.reveal(0)
    found["update_redrawn"] = await ann.do("remove", seat=1)
    found["update_closed"] = await ann.do("close")


async def race(server, found):
    """Two players and a spectator, with clocks: rolls, moves, questions, chat; a resignation and a rematch."""
    headers = [server.bot("Ann"), server.bot("Bob")]
    table = server.table(headers[0], game="cyclone", seats=2, first=0, pace={"bank": 600, "increment": 10})
    ann, bob, cat = Player(server, table, headers[0]), Player(server, table, headers[1]), Player(server, table)
    for player in (ann, bob, cat):
        await player.connect()
    await ann.do("sit", seat=0)
    await bob.do("sit", seat=1)
    await ann.event("started")
    await ann.commit(0)
    await bob.commit(1)
    await ann.event("committed")
    await ann.reveal(0)
    await bob.event("revealed")
    found["update_begun"] = await bob.reveal(1)
    found["table_playing"] = bob.known["table"]
    await ann.event("begun")
    found["update_roll"] = await ann.do("roll")
    found["ack"] = await repeat(ann)
    found["greeting_playing"] = await Player(server, table, headers[0]).connect()
    found["greeting_after"] = await Player(server, table, headers[0]).connect(after=0)
    found["greeting_spectator"] = await Player(server, table).connect()
    found["rest_hint"] = await ask(server, f"/api/tables/{table}/hint", headers[0])
    while ann.known["turn"] == {"move": 0}:
        found["update_move"] = await ann.do("move", move=ann.first_move())
    await ann.expect_board()
    found["update_move_seen"] = await cat.until(lambda message: message.get("turn") == {"roll": 1})
    await ann.do("auto_roll", on=True)
    found["update_paused"] = await ann.do("pause")
    await ann.do("resume")
    found["update_asked"] = await ann.do("stop")
    await bob.event("asked")
    await bob.do("answer", yes=False)
    found["ack_chat"] = await ann.do("say", text="hello")
    found["chat"] = await bob.until(lambda m: "chat" in m and "protocol" not in m)
    await ann.do("hand_over", seat=1)
    await bob.event("handed_over")
    await bob.do("mute", person=ann.known["you"], on=True)
    found["update_over"] = await bob.do("resign")
    await ann.event("over")
    found["update_rematch"] = await ann.do("rematch")
    found["rest_review_underway"] = await ask(server, f"/api/tables/{table}/review")
    while (review := await ask(server, f"/api/tables/{table}/review"))["status"] == 202:
        await asyncio.sleep(0.2)
    found["rest_review"] = review


async def hidden_hands(server, _):
    """Two players of Cubed keep their boards true, each as they see it."""
    headers = [server.bot("Ann"), server.bot("Bob")]
    table = server.table(headers[0], game="cubed", seats=2, options={"rounds": 1})
    players = [Player(server, table, who) for who in headers]
    for seat, player in enumerate(players):
        await player.connect()
        await player.do("sit", seat=seat)
    await players[0].event("started")
    for seat, player in enumerate(players):
        await player.commit(seat)
    await players[0].event("committed")
    await players[0].reveal(0)
    await players[1].event("revealed")
    await players[1].reveal(1)
    await players[0].event("begun")
    for _ in range(30):
        mover = next((player for player in players if player.known["legal"]), None)
        if mover is None:
            break
        await mover.do("move", move=mover.first_move())
        for player in players:
            await player.expect_board()


async def ask(server, path, who=None):
    """What takes the server a while; meanwhile the other scenes go on."""
    return await asyncio.to_thread(server.request, "GET", path, None, who)


async def repeat(player):
    player.number -= 1
    return await player.do("roll")


async def shared_device(server, found):
    """Two hands at one device; a move is taken back with consent."""
    headers = server.bot("Ann")
    guest = server.request("POST", "/api/guests", {"name": "Gus"}, headers)["answer"]["id"]
    table = server.table(headers, game="cubed", seats=2, first=0)
    ann = Player(server, table, headers)
    await ann.connect()
    await ann.do("sit", seat=0)
    await ann.do("sit", seat=1, guest=guest)
    for seat in (0, 1):
        await ann.commit(seat)
    for seat in (0, 1):
        await ann.reveal(seat)
    found["update_dealt"] = ann.told[-1]  # nobody is ready: it shows no hand
    found["update_ready"] = await ann.do("ready", seat=0)
    found["update_lay"] = await ann.do("move", seat=0, move=ann.first_move())
    await ann.do("ready", seat=1)
    await ann.do("move", seat=1, move=ann.first_move())
    found["update_take_back_asked"] = await ann.do("take_back", seat=0)
    found["update_taken_back"] = await ann.do("answer", seat=1, yes=True)


async def absence(server, found):
    """A player goes away and comes back; another runs out of time, and a bot plays that turn."""
    headers = [server.bot("Ann"), server.bot("Bob")]
    table = server.table(headers[0], game="cyclone", seats=2, first=0, pace={"bank": 10}, away="turn")
    ann, bob = Player(server, table, headers[0]), Player(server, table, headers[1])
    await ann.connect()
    await bob.connect()
    await ann.do("sit", seat=0)
    await bob.do("sit", seat=1)
    await ann.event("started")
    await ann.commit(0)
    await bob.commit(1)
    await ann.event("committed")
    await ann.reveal(0)
    await bob.event("revealed")
    await bob.reveal(1)
    await bob.socket.close()
    found["update_left"] = await ann.event("left")
    await bob.connect(after=bob.known["seq"])
    found["update_came"] = await ann.event("came")
    found["update_out_of_time"] = await ann.event("out_of_time")
    found["update_back"] = await ann.event("back")


async def correspondence(server, found):
    """Days a turn, against a bot, to the end."""
    headers = server.bot("Ann")
    table = server.table(headers, game="cybo", seats=2, pace={"days": 3})
    ann = Player(server, table, headers)
    await ann.connect()
    await ann.do("sit", seat=0)
    await ann.do("start")
    await ann.commit(0)
    await ann.reveal(0)
    found["update_days"] = ann.told[-1]
    await asyncio.sleep(0.1)
    found["rest_my_tables"] = server.request("GET", "/api/me/tables?limit=1", None, headers)
    await ann.do("auto_roll", on=True)
    while True:
        await ann.expect_board()
        if ann.known["table"]["stage"] == "over":
            break
        if ann.known.get("legal"):
            await ann.do("move", move=ann.first_move())
        else:
            await ann.listen()
    found["table_over"] = ann.known["table"]
    await asyncio.sleep(0.1)
    found["rest_my_finished_tables"] = server.request("GET", "/api/me/tables?over=true", None, headers)


async def close_code(player, messages=()):
    """With what the server closes after such messages."""
    try:
        for message in messages:
            await player.socket.send(message)
        while True:
            await player.listen()
    except websockets.ConnectionClosed as closed:
        return closed.rcvd.code


async def closes(server, _):
    """Who sends too large a message is cut off, and who asks for a table that does not exist."""
    table = server.table(server.bot("Ann"), game="cybo")
    player = Player(server, table)
    await player.connect()
    assert await close_code(player, ["x" * 20_000]) == 1009
    nowhere = Player(server, "nosuch")
    assert "error" in await nowhere.connect()
    assert await close_code(nowhere) == 1008


async def stop(server, found):
    table = server.table(server.bot("Ann"), game="cybo")
    cat = Player(server, table)
    await cat.connect()
    server.process.send_signal(signal.SIGTERM)
    found["stopping"] = await cat.listen()
    assert await close_code(cat) == 1012


def event_name(event):
    """Its kind; those that have members of their own are told apart."""
    kind = next(kind for kind in KINDS if kind in event)
    what = " " + event["chance"].split()[0] if kind == "chance" else " drawn" if "first" in event else ""
    return kind + what + (" by a bot" if event.get("bot") is True else "")


def collect(program):
    """Every message by name; and `events`, the longest one of each kind."""
    found, events = {}, {}

    async def play(server):
        scenes = (people, gathering, race, hidden_hands, shared_device, absence, correspondence, closes)
        await asyncio.gather(*(scene(server, found) for scene in scenes))
        await stop(server, found)

    with Server(program) as server:
        asyncio.run(play(server))
    for event in (event for message in server.told for event in message.get("events", [])):
        name = event_name(event)
        if len(str(event)) > len(str(events.get(name, ""))):
            events[name] = event
    return {**found, "events": events}
