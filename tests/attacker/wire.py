"""What an attacker speaks with: requests and WebSockets down to the byte, each from an address of its own."""
import base64, hashlib, http.client, itertools, json, os, re, secrets, socket, struct, threading, time, zlib

PORT = 0  # of the server, once it runs
addresses = (f"127.0.{a}.{b}" for a in itertools.count(1) for b in range(1, 255))
lock = threading.Lock()


class GotThrough(Exception):
    pass


def expect(holds, what):
    if not holds:
        raise GotThrough(what)


def new_address():
    """The loopback has many: limits that count by address do not mix the attacks up."""
    with lock:
        return next(addresses)


def dial(source, timeout=5):
    return socket.create_connection(("127.0.0.1", PORT), timeout, (source, 0))


def raw(data, source=None, timeout=3):
    """All that the server answers to these bytes until it closes, or says nothing for `timeout` seconds."""
    answer = b""
    with dial(source or new_address(), timeout) as connection:
        try:
            connection.sendall(data)
        except OSError:
            pass  # it may have answered before it had all
        try:
            while part := connection.recv(65536):
                answer += part
        except OSError:
            pass
    return answer


def statuses(answer):
    return [int(code) for code in re.findall(rb"(?:^|\r\n\r\n|\})HTTP/1\.1 (\d{3})", answer)]


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


class Person:
    """Somebody with a name, or (without one) nobody. Everything that is heard is kept in `heard`."""

    def __init__(self, name=None, program=True):
        self.source, self.headers, self.heard, self.id = new_address(), {}, bytearray(), None
        self.number = secrets.randbelow(2**40)
        if name is None:
            return
        made = self.post("/api/bots" if program else "/api/me", {"name": name})
        expect(made.status == 200, f"{name!r} is not welcome: {made.body!r}")
        self.id = made.json["id"]
        if program:
            self.token = made.json["token"]
            self.headers["Authorization"] = f"Bearer {self.token}"
        else:
            self.cookie = made.headers["Set-Cookie"].split(";")[0].split("=", 1)[1]
            self.headers["Cookie"] = f"tessera={self.cookie}"

    def ask(self, method, path, body=None, headers=None, timeout=20):
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout, source_address=(self.source, 0))
        try:
            data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
            connection.request(method, path, data, {**self.headers, **(headers or {})})
            got = connection.getresponse()
            answer = Answer(got.status, got.headers, got.read())
        finally:
            connection.close()
        self.heard += answer.body + b"\n" + str(answer.headers).encode()
        return answer

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body, **more):
        return self.ask("POST", path, body, **more)

    def next_id(self):
        self.number += 1
        return self.number

    def command(self, table, do, **members):
        return self.post(f"/api/tables/{table}/commands", {"id": self.next_id(), "do": do, **members})

    def must(self, table, do, **members):
        """An honest command, which has to work for the attack to mean anything."""
        answer = self.command(table, do, **members)
        expect(answer.status == 200, f"an honest {do} was refused: {answer.body!r}")
        return answer

    def check(self, table, query=""):
        return self.get(f"/api/tables/{table}/check{query}").json

    def live(self, table, query="", headers=None):
        return Live(self, f"/api/tables/{table}/live{query}", headers)


class Live:
    """A WebSocket whose every bit is ours to set."""

    def __init__(self, person, path, headers=None):
        self.person, self.connection, self.rest = person, dial(person.source), b""
        lines = {"Host": f"127.0.0.1:{PORT}", "Upgrade": "websocket", "Connection": "Upgrade",
                 "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), "Sec-WebSocket-Version": "13",
                 **person.headers, **(headers or {})}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.connection.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
        while b"\r\n\r\n" not in self.rest:
            part = self.connection.recv(65536)
            if not part:
                break
            self.rest += part
        self.head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.status = int(self.head.split(b" ")[1]) if self.head else 0
        person.heard += self.head

    def send_bytes(self, data):
        self.connection.sendall(data)

    def frame(self, opcode, payload=b"", fin=True, reserved=0, masked=True, length=None):
        """`length`: what the frame claims, whatever its payload has."""
        size = len(payload) if length is None else length
        first = (0x80 if fin else 0) | reserved << 4 | opcode
        mark = 0x80 if masked else 0
        if size < 126:
            head = struct.pack("!BB", first, mark | size)
        elif size < 65536:
            head = struct.pack("!BBH", first, mark | 126, size)
        else:
            head = struct.pack("!BBQ", first, mark | 127, size)
        mask = os.urandom(4) if masked else b""
        body = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)) if masked else payload
        self.send_bytes(head + mask + body)

    def say(self, message):
        self.frame(1, message if isinstance(message, bytes) else json.dumps(message).encode())

    def take(self, count):
        while len(self.rest) < count:
            part = self.connection.recv(65536)
            if not part:
                raise ConnectionError("closed")
            self.rest += part
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def take_frame(self, timeout=5):
        self.connection.settimeout(timeout)
        first, size = self.take(2)
        if size & 127 == 126:
            size = struct.unpack("!H", self.take(2))[0]
        elif size & 127 == 127:
            size = struct.unpack("!Q", self.take(8))[0]
        payload = self.take(size)
        if first & 15 == 2:
            payload = zlib.decompress(payload)
        self.person.heard += payload
        return first & 15, payload

    def hear(self, timeout=5):
        """The next message; pings are answered."""
        while True:
            opcode, payload = self.take_frame(timeout)
            if opcode in (1, 2):
                return json.loads(payload)
            if opcode == 9:
                self.frame(10, payload)
            if opcode == 8:
                raise ConnectionError("closed")

    def command(self, do, **members):
        """Answers what came of it: a message with `ack`, `refused` or `error`."""
        number = self.person.next_id()
        self.say({"id": number, "do": do, **members})
        while True:
            told = self.hear()
            if number in (told.get("ack"), told.get("refused")) or "error" in told:
                return told

    def ends(self, timeout=5):
        """Whether the server closes within that time."""
        until = time.monotonic() + timeout
        try:
            while (left := until - time.monotonic()) > 0:
                if self.take_frame(left)[0] == 8:
                    return True
            return False
        except TimeoutError:
            return False
        except (OSError, zlib.error):
            return True

    def close(self):
        self.connection.close()


def commitment(table, number, seat, contribution):
    return hashlib.sha256(f"tessera/1\n{table}\n{number}\n{seat}\n{contribution}".encode()).hexdigest()


def new_table(host, **settings):
    made = host.post("/api/tables", settings)
    expect(made.status == 201, f"no table: {made.body!r}")
    return made.json["id"]


def draw(table, players):
    """Everybody, by seat, commits and reveals; the game begins."""
    number = players[0].check(table)["table"]["draw"]["number"]
    shares = [secrets.token_hex(32) for _ in players]
    for seat, player in enumerate(players):
        player.must(table, "commit", seat=seat, hash=commitment(table, number, seat, shares[seat]))
    for seat, player in enumerate(players):
        player.must(table, "reveal", seat=seat, contribution=shares[seat])


def seated_table(players, bots=(), **settings):
    """A table that plays: the first player is the host, the bots sit behind the players."""
    table = new_table(players[0], seats=len(players) + len(bots), **settings)
    for i, bot in enumerate(bots):
        players[0].must(table, "bot", seat=len(players) + i, bot=bot)
    for seat, player in enumerate(players):
        player.must(table, "sit", seat=seat)
    draw(table, players)
    return table


def first_move(tree):
    choices = []
    while "next" in tree:
        choice, tree = next(iter(tree["next"].items()))
        choices.append(choice)
    return choices
