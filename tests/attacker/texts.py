"""Texts that break pages, logs or databases."""
import json
from urllib.parse import quote

from wire import Person, expect, new_table, raw, seated_table

HIDDEN = ["\0", "\n", "\r", "\t", "\x1b[31m", "\x7f", "\x85", "\xad", "\u200b", "\u200d", "\u200e", "\u202e", "\u2066",
          "\u2028", "\u2029", "\u2060", "\ufeff", "\u061c", "\U000e0041", "\ufff9", "\u180e", "\u034f", "\u115f",
          "\u1160", "\u17b4", "\u3164", "\uffa0", "\U000e0100"]
BLANK = ["", " ", "\u00a0", "\u2003\u2003", "\u3000", "\u2800", "\ufe0f"]
MARKUP = ["<script>alert(1)</scrip", "\"><img src=x onerror=1>", "{{7*7}}${7*7}", "';--", "\\\" \\u0000 %s%n",
          "</title><b>", "javascript:alert(1)", "\",\"admin\":true,\"", "\U0001f600" * 24]
SQL = ["' OR '1'='1", "'; DROP TABLE people; --", "\" OR \"\"=\"", "1; DELETE FROM facts", "%", "_", "\\'; --",
       "x' UNION SELECT 1--", "$1", "?1", "\xed\xa0\x80"]


def hidden_names(server):
    """Names and chat with characters that control, turn or hide text, and names that nobody sees"""
    speaker = Person("Speaker", program=False)
    table = new_table(speaker, game="cyclone")
    for character in HIDDEN:
        for text in (f"An{character}n", f"{character}Ann", f"Ann{character}"):
            expect(speaker.post("/api/me", {"name": text}).status == 400, f"the name {text!r}")
            expect(speaker.post("/api/guests", {"name": text}).status == 400, f"the guest {text!r}")
        expect(speaker.command(table, "say", text=f"hi{character}there").status == 409, f"chat with {character!r}")
        speaker.source = Person().source
    for text in BLANK:
        expect(speaker.post("/api/me", {"name": text}).status == 400, f"the name {text!r}")
        expect(speaker.command(table, "say", text=text).status == 409, f"chat of {text!r}")
    expect(speaker.get("/api/me").json["name"] == "Speaker", "the name has changed")


def bytes_that_are_no_text(server):
    """Names and messages that are no UTF-8"""
    speaker = Person("Speaker")
    table = new_table(speaker, game="cyclone")
    for bad in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x28\xa1", b"\x80", b"\xf0\x9f\x98"):
        expect(speaker.post("/api/me", b'{"name":"A' + bad + b'"}').status == 400, f"the name {bad!r}")
        said = b'{"id":%d,"do":"say","text":"A%s"}' % (speaker.next_id(), bad)
        expect(speaker.post(f"/api/tables/{table}/commands", said).status == 400, f"chat of {bad!r}")
    for escaped in (r'"\ud800"', r'"\udfff\ud800"', r'"\u0000"'):
        expect(speaker.post("/api/me", b'{"name":' + escaped.encode() + b"}").status == 400, escaped)


def markup(server):
    """Markup in names and chat stays text: in JSON, in the feed, and in no page"""
    victim = Person("Victim")
    page = victim.get("/").body
    for text in MARKUP:
        writer = Person(text)
        expect(writer.get("/api/me").json["name"] == text, f"{text!r} was changed")
        table = seated_table([writer, victim], game="cyclone")
        writer.must(table, "say", text=text)
        heard = victim.check(table)
        expect(heard["people"][writer.id] == text and heard["chat"][-1]["text"] == text, f"{text!r} was changed")
        answer = victim.get(f"/t/{table}")
        expect(answer.body == page, "a page has something of a table in it")
        for path in ("/api/me", f"/api/tables/{table}/check"):
            headers = writer.get(path).headers
            expect(headers["Content-Type"].startswith("application/json"), "JSON of another type")
            expect(headers["X-Content-Type-Options"] == "nosniff" and "script-src" not in
                   headers["Content-Security-Policy"] and "unsafe" not in headers["Content-Security-Policy"], "headers")
        victim.source = Person().source


def databases(server):
    """SQL in every string that the protocol takes"""
    victim, attacker = Person("Victim", program=False), Person("Attacker", program=False)
    victim.post("/api/me/password", {"password": "correct horse"})
    table = seated_table([attacker, Person("Other")], game="cyclone")
    for sql in SQL:
        attacker.source = Person().source
        q = quote(sql, safe="")
        for path in ("tables/{}/check", "tables/{}/record", "tables/{}/review", "tables/{}/hint", "codes/{}",
                     "feed/{}"):
            status = attacker.get("/api/" + path.format(q)).status
            expect(status == 404, f"{path} of {sql!r}: {status}")
        for member in ("stage", "before", "limit"):
            status = attacker.get(f"/api/tables?{member}={q}").status
            expect(status == 400, f"{member} {sql!r}: {status}")
        for path, body, allowed in (("/api/login", {"name": sql, "password": sql}, 401),
                                    ("/api/back", {"key": sql}, 401),
                                    ("/api/login", {"name": "Victim", "password": sql}, 401),
                                    ("/api/me/webhook", {"url": sql}, 400), ("/api/tables", {"game": sql}, 400),
                                    ("/api/tables", {"game": "cyclone", "options": {sql: 1}}, 400),
                                    ("/api/tables", {"game": "cyclone", "first": sql}, 400),
                                    ("/api/tables", {"game": "cyclone", "away": {"bot": sql}}, 400)):
            status = attacker.post(path, body).status
            expect(status == allowed, f"{path} {body}: {status}")
        for do, member in (("sit", "guest"), ("bot", "bot"), ("commit", "hash"), ("reveal", "contribution"),
                           ("move", "move"), ("mute", "person"), (sql, "x")):
            status = attacker.command(table, do, **{"seat": 0, member: sql}).status
            expect(status in (400, 409), f"{do} with {member} {sql!r}: {status}")
        expect(who_is(f"tessera={sql}.{sql}") is None, "a cookie")
        if all(0x20 <= ord(c) < 0x7f for c in sql):
            attacker.must(table, "say", text=sql)
            expect(attacker.check(table)["chat"][-1]["text"] == sql, f"{sql!r} was not said as it is")
            expect(Person(sql).get("/api/me").json["name"] == sql, f"{sql!r} is not a name as it is")
    back = Person().post("/api/login", {"name": "Victim", "password": "correct horse"})
    expect(back.status == 200 and back.json["id"] == victim.id, "the victim is no longer there")


def who_is(cookie):
    stranger = Person()
    stranger.headers["Cookie"] = cookie.encode("latin-1", "replace").decode("latin-1")
    return stranger.get("/api/me").json


def log_lines(server):
    """Line ends in what is logged begin no line of their own"""
    owner = Person()
    owner.headers["Authorization"] = f"Bearer {server.owner_key()}"
    forged = "\n{\"time\":\"2000-01-01T00:00:00Z\",\"level\":\"info\",\"event\":\"forged\"}\r\n"
    for body in ({"name": forged}, {"person": forged}):
        expect(owner.post("/api/owner/mute", body).status == 200, "the owner's key does not work")
    owner.post("/api/owner/mute", b"\xff\xfe" + forged.encode())
    raw(b"GET /" + forged.encode().replace(b"\r\n", b"").replace(b"\n", b"%0a") + b" HTTP/1.1\r\nHost: a\r\n\r\n")
    lines = server.log.read_bytes().splitlines()
    expect(any(b"the owner has decided" in line for line in lines), "nothing was logged")
    for line in lines:
        expect(json.loads(line)["event"] != "forged", "a forged line")


ATTACKS = [hidden_names, bytes_that_are_no_text, markup, databases, log_lines]
