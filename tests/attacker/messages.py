"""HTTP at its edges: paths, sizes, depths, requests inside requests."""
import gzip, json, zlib
from concurrent.futures import ThreadPoolExecutor

from wire import Person, expect, new_table, raw, statuses

PASSWD = b"root:"


def paths(server):
    """Path tricks on static files"""
    index = Person().get("/").body
    targets = ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd",
               "/%252e%252e/etc/passwd", "/..\\..\\..\\etc\\passwd", "/..%5c..%5cetc%5cpasswd", "//etc/passwd",
               "/assets/../../../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets//etc/passwd",
               "/index.html%00.js", "/assets/%00", "/%00", "/.git/config", "/tessera.db", "/assets/../tessera.db",
               "/%c0%ae%c0%ae/etc/passwd",
               "/\u202e".encode().decode("latin-1"), "/" + "a/" * 2000, "/./././", "/%", "/%zz", "/%2", "/;/etc/passwd",
               "file:///etc/passwd", "http://127.0.0.1/etc/passwd", "*", "etc/passwd", "/api/../etc/passwd",
               "/api/tables/../../etc/passwd", "/api/tables/%2e%2e%2fme/check", "/?../../etc/passwd"]
    for target in targets:
        answer = raw(f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode("latin-1"))
        codes = statuses(answer)
        expect(len(codes) == 1 and codes[0] in (200, 400, 404, 426, 431), f"{target[:60]}: {answer[:80]!r}")
        body = answer.partition(b"\r\n\r\n")[2]
        expect(PASSWD not in answer and b"SQLite format" not in answer, f"a file of the machine: {target}")
        expect(codes[0] != 200 or body == index, f"{target[:60]} has something else than the page")
    for method in ("PUT", "DELETE", "TRACE", "CONNECT", "PATCH", "PROPFIND"):
        answer = raw(f"{method} / HTTP/1.1\r\nHost: x\r\nX-Canary: echoed\r\nConnection: close\r\n\r\n".encode())
        expect(statuses(answer) in ([405], [400]) and b"echoed" not in answer, f"{method}: {answer[:80]!r}")


def answers(shapes, timeout):
    """All at once: most of the time goes into waiting for what must not come."""
    with ThreadPoolExecutor(len(shapes)) as pool:
        return list(zip(shapes, pool.map(lambda shape: raw(shape, timeout=timeout), shapes.values())))


def huge(server):
    """Huge headers, bodies, addresses and numbers of headers"""
    post = b"POST /api/me HTTP/1.1\r\nHost: x\r\n"
    shapes = {"a header of a megabyte": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 2**20,
              "an address of a megabyte": b"GET /" + b"a" * 2**20,
              "a hundred thousand headers": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 100000,
              "a method of a megabyte": b"G" * 2**20,
              "a body of a megabyte": post + b"Content-Length: 1048576\r\n\r\n" + b"a" * 2**20,
              "a body of 2^63": post + b"Content-Length: 9223372036854775808\r\n\r\n",
              "a body of 2^64": post + b"Content-Length: 18446744073709551616\r\n\r\n",
              "a negative body": post + b"Content-Length: -1\r\n\r\n",
              "a chunk of 2^64": post + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
              "chunks without end": post + b"Transfer-Encoding: chunked\r\n\r\n400\r\n" +
                                    (b"a" * 1024 + b"\r\n400\r\n") * 100}
    for name, answer in answers(shapes, 3):
        expect(not answer or statuses(answer)[0] in (400, 413, 431), f"{name}: {answer[:80]!r}")


def json_shapes(server):
    """JSON a hundred thousand deep, numbers beyond all bounds, members twice"""
    person = Person("Shaper")
    table = new_table(person, game="cyclone")
    path = f"/api/tables/{table}/commands"
    for body in (b"[" * 100000, b"[" * 16000, b'{"a":' * 3000, b'{"name":' + b"[" * 8000 + b"]" * 8000 + b"}", b"",
                 b"null", b"[]", b"1e400", b'{"name":1e400}', b'{"name":NaN}', b'"', b"\0",
                 b'{"name":"a","name":1}', b"\xef\xbb\xbf{}"):
        for where in ("/api/me", "/api/tables", path, "/api/login", "/api/guests"):
            try:
                status = person.post(where, body).status
            except OSError:
                continue  # cut off in the middle of a body that is too large
            expect(status in (400, 401, 413), f"{where} with {body[:30]!r}: {status}")
    for member, value in (("seats", 1e400), ("seats", 2**63), ("seats", -1), ("first", 2**64),
                          ("pace", {"bank": 1e308}), ("pace", {"bank": 2**62, "increment": 2**62}),
                          ("pace", {"days": 2**62}), ("pace", {"days": -1}), ("options", {"arm": 2**63}),
                          ("options", {"arm": 1e30}), ("listed", "yes"), ("unknown", 1)):
        body = json.dumps({"game": "cyclone", member: value}).replace("Infinity", "1e400").encode()
        expect(person.post("/api/tables", body).status == 400, f"a table with {member} {value}")
    live = person.live(table)
    live.hear()
    for text in (b"[" * 16000, b'{"id":1e400,"do":"roll"}', b'{"id":99999999999999999999,"do":"roll"}', b"{}",
                 b'{"do":[]}'):
        live.say(text)
        expect("error" in live.hear(), f"{text[:30]!r} is no error")


def bombs(server):
    """Decompression bombs: compressed bodies are not unpacked"""
    person = Person("Bomber")
    for coding, body in (("gzip", gzip.compress(b"\0" * 10**7)), ("deflate", zlib.compress(b"\0" * 10**7)),
                         ("gzip", gzip.compress(b'{"name":"Unpacked"}')), ("br", b"\0" * 100)):
        answer = person.post("/api/me", body, headers={"Content-Encoding": coding})
        expect(answer.status in (400, 413, 415), f"{coding}: {answer.status}")
    expect(person.get("/api/me").json["name"] == "Bomber", "a body was unpacked")


def smuggling(server):
    """Requests inside requests: two lengths, length and chunks, folded lines, bare line feeds"""
    inner = b"GET /api/smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
    start = b"POST /api/logout HTTP/1.1\r\nHost: x\r\n"
    shapes = {
        "length and chunks": start + b"Content-Length: %d\r\n" % (5 + len(inner)) +
                             b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner,
        "chunks and length": start + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + inner,
        "two lengths": start + b"Content-Length: 0\r\nContent-Length: %d\r\n\r\n" % len(inner) + inner,
        "a list of lengths": start + b"Content-Length: 0, %d\r\n\r\n" % len(inner) + inner,
        "a signed length": start + b"Content-Length: +0\r\n\r\n" + inner,
        "a length in hex": start + b"Content-Length: 0x0\r\n\r\n" + inner,
        "an unknown coding": start + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + inner,
        "chunked twice": start + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + inner,
        "a space before the colon": start + b"Content-Length : %d\r\n\r\n" % len(inner) + inner,
        "bare line feeds": start.replace(b"\r\n", b"\n") + b"Content-Length: 0\n\n" + inner,
        "a bare line feed within": start + b"X: y\nContent-Length: %d\r\n\r\n" % len(inner) + inner,
        "a bare carriage return": start + b"X: y\rContent-Length: %d\r\n\r\n" % len(inner) + inner,
        "a NUL in a header": start + b"X: \0\r\nContent-Length: 0\r\n\r\n" + inner}
    for name, answer in answers(shapes, 1):
        expect(len(statuses(answer)) <= 1 and b"nothing at this path" not in answer, f"{name}: {answer!r}")
    folded = raw(start + b"X: y\r\n Content-Length: %d\r\nContent-Length: 0\r\n\r\n" % len(inner) + inner, timeout=1)
    expect(statuses(folded) in ([400], [200, 404]), f"a folded line: {folded!r}")  # a fold is no header of its own


def headers(server):
    """Answers cannot be split: line ends in addresses, names and codes come back in no header"""
    evil = "%0d%0aSet-Cookie:%20tessera=evil%0d%0a"
    for target in (f"/{evil}", f"/api/{evil}", f"/api/tables/{evil}/record", f"/api/codes/{evil}", f"/assets/{evil}"):
        answer = raw(f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        expect(b"\r\nset-cookie" not in answer.lower(), f"{target} sets a cookie")
    answer = raw(b"GET / HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n")
    expect(b"evil.example" not in answer, "the page has the asker's Host in it")


ATTACKS = [paths, huge, json_shapes, bombs, smuggling, headers]
