"""Being somebody else: cookies, tokens, keys, passwords, other sites' pages."""
import base64, socket
import xml.etree.ElementTree as tree

import wire
from wire import Person, expect, new_table, raw, seated_table


def who(cookie=None, token=None):
    """Whom the server takes somebody for who shows this."""
    stranger = Person()
    if cookie is not None:
        stranger.headers["Cookie"] = cookie
    if token is not None:
        stranger.headers["Authorization"] = token
    answer = stranger.get("/api/me")
    return answer.json["id"] if answer.status == 200 and answer.json else None


def cookies(server):
    """Forged, truncated, swapped and mixed-up cookies"""
    victim, attacker = Person("Victim", program=False), Person("Attacker", program=False)
    person, signature = victim.cookie.rsplit(".", 1)
    theirs = attacker.cookie.rsplit(".", 1)[1]
    expect(who(f"tessera={victim.cookie}") == victim.id, "an honest cookie is not believed")
    forged = [f"{person}.{theirs}", person, f"{person}.", f"{person}.{'0' * len(signature)}",
              f"{person}.{signature[:-1]}", f"{person}.{signature}0", f"{person}.{signature.swapcase()}",
              f".{signature}", f"{person}{signature}",
              f"{person} .{signature}", f"{person}%00.{signature}", f"{attacker.id}.{person}.{theirs}", "." * 2000,
              f"{person}.{signature[:-1]}{'0' if signature[-1] != '0' else '1'}", "\"" + victim.cookie + "\""]
    for cookie in forged:
        if cookie != victim.cookie:  # a signature of digits alone has no other case
            expect(who(f"tessera={cookie}") != victim.id, f"believed: {cookie}")
    for header in (f"xtessera={victim.cookie}", f"tessera ={victim.cookie}", f"Tessera={victim.cookie}"):
        expect(who(header) is None, f"believed: {header}")


def tokens(server):
    """Tokens cut, of another kind, as cookies, and a cookie as a token"""
    victim, browser = Person("Victim"), Person("Browser", program=False)
    link = browser.post("/api/me/link", {}).json["key"]
    feed = browser.post("/api/me/feed", {}).json["feed"].rsplit("/", 1)[1]
    expect(who(token=f"Bearer {victim.token}") == victim.id, "an honest token is not believed")
    for token in (victim.token[:-1], victim.token + "0", victim.token.swapcase(), victim.id, link, feed, browser.cookie,
                  "", "null", "*", "%"):
        expect(who(token=f"Bearer {token}") is None, f"believed: {token}")
    basic = base64.b64encode(f"{victim.id}:{victim.token}".encode()).decode()
    expect(who(token=f"Basic {basic}") is None and who(f"tessera={victim.token}") is None, "a token of another form")
    nobody = Person()
    for key in (feed, victim.token, link[:-1], "", browser.id):
        expect(nobody.post("/api/back", {"key": key}).status == 401, f"a link was made of {key}")
    for key in (link, victim.token, feed[:-1]):
        expect(nobody.get(f"/api/feed/{key}").status == 404, f"a feed was made of {key}")
    browser.post("/api/me/link", {})
    expect(nobody.post("/api/back", {"key": link}).status == 401, "an old link works after a new one was made")


def passwords(server):
    """Logging in with no, wrong, empty and crafted passwords; taking a name that has one"""
    victim, attacker = Person("Passworded", program=False), Person("Attacker", program=False)
    expect(victim.post("/api/me/password", {"password": "correct horse"}).status == 200, "no password can be set")
    for password in ("", "wrong horse", "correct horse\0", "correct hors", "' OR '1'='1", "x" * 10000):
        expect(attacker.post("/api/login", {"name": "Passworded", "password": password}).status == 401, repr(password))
    for password in (None, 1, [], {}, True):
        expect(attacker.post("/api/login", {"name": "Passworded", "password": password}).status == 400, repr(password))
    attacker.post("/api/me", {"name": "Passworded"})
    expect(attacker.post("/api/me/password", {"password": "my own one"}).status == 409, "the name was taken over")
    expect(attacker.post("/api/login", {"name": "Passworded", "password": "my own one"}).status == 401, "and used")
    for password in ("short", "x" * 129):
        expect(attacker.post("/api/me/password", {"password": password}).status == 400, "a password of this length")


def owner(server):
    """The owner's commands without the owner's key"""
    victim = Person("Victim")
    for person in (Person(), Person("Attacker"), Person("Browser", program=False)):
        for what in ("close", "ban", "unban", "mute", "unmute"):
            answer = person.post(f"/api/owner/{what}", {"name": "Victim", "person": victim.id, "address": "127.0.0.1"})
            expect(answer.status == 403, f"{what}: {answer.status}")
    expect(victim.get("/api/me").status == 200, "somebody was banned")


def other_sites(server):
    """Pages of other sites: wrong, null and look-alike origins, preflights, Host tricks"""
    victim = Person("Victim", program=False)
    table = new_table(victim, game="cyclone")
    own = f"http://127.0.0.1:{wire.PORT}"
    origins = ("http://evil.example", "null", f"https://127.0.0.1:{wire.PORT}", "http://127.0.0.1",
               own + ".evil.example", own + "/", own + "@evil.example", "file://", own.upper(), own + " " + own)
    for origin in origins:
        headers = {"Origin": origin}
        expect(victim.post("/api/me", {"name": "Mallory"}, headers=headers).status == 403, f"POST from {origin}")
        expect(victim.live(table, headers=headers).status == 403, f"a socket from {origin}")
        seen = victim.get("/api/me", headers=headers).headers
        expect(not any(name.lower().startswith("access-control") for name in seen), f"{origin} may read")
        asked = victim.ask("OPTIONS", "/api/me", headers={**headers, "Access-Control-Request-Method": "POST"})
        expect(asked.status in (403, 404, 405) and "Access-Control-Allow-Origin" not in asked.headers, "a preflight")
    expect(victim.get("/api/me").json["name"] == "Victim", "another site has renamed somebody")
    expect(victim.live(table, headers={"Origin": own}).status == 101, "the own page is refused")
    answer = victim.post("/api/me", {"name": "Mallory"}, headers={"Origin": own, "Host": "evil.example"})
    expect(answer.status == 403, "an origin that is not the host")
    flags = victim.post("/api/me", {"name": "Victim"}).headers["Set-Cookie"]
    expect("HttpOnly" in flags and "SameSite=Lax" in flags, flags)


def forwarded(server):
    """X-Forwarded-For of a stranger changes nobody's address: the limit holds"""
    requests = "".join(f"GET /api HTTP/1.1\r\nX-Forwarded-For: 10.0.{i // 200}.{i % 200}\r\n\r\n"
                       for i in range(1500))
    answered = len(wire.statuses(raw(requests.encode())))
    expect(1 <= answered < 1000, f"of 1500 requests at once {answered} were answered")


def feed_host(server):
    """A Host header with markup does not break the feed"""
    victim = Person("<b>&\"'</title>")
    seated_table([victim, Person("Other")], game="cyclone", first=0)
    path = victim.post("/api/me/feed", {}).json["feed"]
    body = victim.get(path, headers={"Host": "\"><script>alert(1)</script>&"}).body
    parsed = tree.fromstring(body)
    expect(b"<script" not in body and b"<b>" not in body, "markup stands in the feed")
    expect("<b>&\"'</title>" in parsed.find("{http://www.w3.org/2005/Atom}title").text, "the name is not whole")


def webhooks(server):
    """Webhooks into the server's own machine and network"""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(9)
    port = listener.getsockname()[1]
    hosts = ("127.0.0.1", "localhost", "2130706433", "0x7f000001", "0", "127.1", "0177.0.0.1", "127.0.0.1.")
    for host in hosts:
        person = Person("Caller")
        person.post("/api/me/webhook", {"url": f"http://{host}:{port}/"})
        seated_table([person, Person("Other")], game="cyclone", first=0, pace={"days": 1})
    try:
        listener.accept()
        expect(False, "the server has called a port of its own machine")
    except TimeoutError:
        pass
    for url in ("file:///etc/passwd", "gopher://x/", "ftp://x/", "http://", "http://a@b/", "http://a\r\nX: y/", "//x",
                "http://x:99999/", "javascript:alert(1)", "http://x y/", "http://" + "x" * 600):
        expect(Person("Caller").post("/api/me/webhook", {"url": url}).status == 400, f"accepted: {url}")


ATTACKS = [cookies, tokens, passwords, owner, other_sites, forwarded, feed_host]
LONG = [webhooks]
