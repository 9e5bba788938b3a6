"""Too many and too slow: the others are served meanwhile."""
import threading, time

from wire import Person, dial, expect, new_address, new_table, raw, statuses


def served(within=5):
    """How somebody else fares."""
    start = time.monotonic()
    expect(Person().get("/api/health", timeout=within).status == 200, "others are not served")
    expect(time.monotonic() - start < within, "others are served slowly")


def ends(connection, timeout):
    connection.settimeout(timeout)
    try:
        while connection.recv(65536):
            pass
        return True
    except TimeoutError:
        return False
    except OSError:
        return True


def ten_thousand(server):
    """Ten thousand connections from one address: 200 stay, others are served"""
    source, held, refused = new_address(), [], 0
    for i in range(10000):
        try:
            connection = dial(source)
        except OSError:
            refused += 1
            continue
        if len(held) < 250:
            held.append(connection)
        else:
            connection.close()
        if i % 2500 == 0:
            served()
    served()
    open_ones = 0
    for connection in held:
        connection.settimeout(0.005)
        try:
            open_ones += connection.recv(1) != b""
        except TimeoutError:
            open_ones += 1
        except OSError:
            pass
    expect(open_ones == 200, f"{open_ones} connections of one address stay open")
    for connection in held:
        connection.close()
    time.sleep(0.2)
    with dial(source) as again:
        again.sendall(b"GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        expect(again.recv(20).startswith(b"HTTP/1.1 200"), "the address is not let in again")


def flood_of_requests(server):
    """A flood of requests is turned away, and only its sender's"""
    answered = len(statuses(raw(b"GET /api HTTP/1.1\r\nHost: x\r\n\r\n" * 2000)))
    expect(1 <= answered < 1000, f"of 2000 requests at once {answered} were answered")
    served()


def flood_of_tables(server):
    """One person's tables without end"""
    person = Person("Hoarder")
    codes = [person.post("/api/tables", {"game": "cyclone", "listed": False}).status for _ in range(60)]
    expect(codes.count(201) == 50 and codes[-1] == 429, f"{codes.count(201)} tables were made")


def flood_of_messages(server):
    """A flood of messages and pings slows its sender only"""
    person = Person("Flooder")
    live = person.live(new_table(person, game="cyclone"))
    live.connection.settimeout(1)
    try:
        for _ in range(3000):
            live.say({"id": person.next_id(), "do": "roll"})
            live.frame(9, b"x" * 125)
    except OSError:
        pass
    served()
    live.close()


def logins(server):
    """A flood of logins delays no game and no page"""
    attackers = [threading.Thread(target=lambda: Person().post("/api/login", {"name": "Ann", "password": "x" * 8}))
                 for _ in range(20)]
    for attacker in attackers:
        attacker.start()
    served()
    for attacker in attackers:
        attacker.join()


def slow_headers(server):
    """Requests a byte at a time are closed in half a minute, and others served meanwhile"""
    connections = [dial(new_address()) for _ in range(3)]
    starts = [b"GET / HT", b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{", b""]
    start, gone = time.monotonic(), [False] * 3
    for connection, begin in zip(connections, starts):
        connection.sendall(begin)
    while not all(gone) and time.monotonic() - start < 40:
        time.sleep(1)
        served()
        for i, connection in enumerate(connections):
            try:
                if not gone[i] and starts[i]:
                    connection.sendall(b"a")
                gone[i] = gone[i] or ends(connection, 0.01)
            except OSError:
                gone[i] = True
    expect(all(gone), f"after 40 seconds {gone.count(False)} slow requests are still there")


def slow_reader(server):
    """Somebody who asks much and reads nothing is cut off"""
    connection = dial(new_address())
    connection.settimeout(1)
    try:
        while True:
            connection.sendall(b"GET /api/games HTTP/1.1\r\nHost: x\r\n\r\n" * 50)
    except OSError:
        pass
    time.sleep(35)
    served()
    expect(ends(connection, 3), "it is still there")


ATTACKS = [ten_thousand, flood_of_requests, flood_of_tables, flood_of_messages, logins]
LONG = [slow_headers, slow_reader]
