"""WebSocket frames at the edges of RFC 6455."""
import struct, zlib

from wire import Person, expect, new_table


def opened():
    person = Person("Framer")
    live = person.live(new_table(person, game="cyclone"))
    expect(live.status == 101, f"no socket: {live.head!r}")
    live.hear()
    return live


def each_ends(shapes):
    """Each of these frames must make the server close."""
    person = Person("Framer")
    table = new_table(person, game="cyclone")
    for name, send in shapes.items():
        live = person.live(table)
        live.hear()
        try:
            send(live)
            closed = live.ends()
        except OSError:
            closed = True  # while we were still sending
        expect(closed, f"{name}: the socket stays open")
        live.close()


def forbidden(server):
    """Unmasked frames, reserved bits and opcodes, lengths that lie"""
    each_ends({
        "an unmasked frame": lambda live: live.frame(1, b"{}", masked=False),
        **{f"reserved bits {bits}": lambda live, bits=bits: live.frame(1, b"{}", reserved=bits)
           for bits in (1, 2, 4, 7)},
        **{f"opcode {code}": lambda live, code=code: live.frame(code, b"{}") for code in (3, 7, 11, 15)},
        "a length of 2^63": lambda live: live.frame(1, b"{}", length=2**63),
        "a length of 2^63 - 1": lambda live: live.frame(1, b"{}", length=2**63 - 1),
        "a length of 2^32": lambda live: live.frame(2, b"{}", length=2**32),
        "a message of 16 KiB and a byte": lambda live: live.frame(1, b" " * (16 * 1024 + 1)),
        "two bytes, said in eight": lambda live: live.send_bytes(struct.pack("!BBQ", 0x81, 0xff, 2) + b"\0\0\0\0{}"),
        "two bytes, said in two": lambda live: live.send_bytes(struct.pack("!BBH", 0x81, 0xfe, 2) + b"\0\0\0\0{}")})


def control(server):
    """Control frames: in fragments, too long, with bad close codes and reasons"""
    each_ends({
        "a ping of 126 bytes": lambda live: live.frame(9, b"x" * 126),
        "a ping in fragments": lambda live: live.frame(9, b"x", fin=False),
        "a close in fragments": lambda live: live.frame(8, b"", fin=False),
        "a pong of 64 KiB": lambda live: live.frame(10, b"x" * 65536),
        "a close of one byte": lambda live: live.frame(8, b"x"),
        "a close reason that is no UTF-8": lambda live: live.frame(8, struct.pack("!H", 1000) + b"\xff\xfe"),
        **{f"close {code}": lambda live, code=code: live.frame(8, struct.pack("!H", code))
           for code in (0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65535)}})


def fragments(server):
    """Fragments: continuation without a start, a start within a message, empty ones, large ones in small pieces"""
    def within(live):
        live.frame(1, b"{", fin=False)
        live.frame(1, b"}")

    def without_end(live):
        live.frame(1, b" ", fin=False)
        for _ in range(200):
            live.frame(0, b" " * 1000, fin=False)

    each_ends({"a continuation without a start": lambda live: live.frame(0, b"{}"),
               "a start within a message": within, "fragments without end": without_end})
    live = opened()
    for _ in range(5000):
        live.send_bytes(b"\x01\x80\0\0\0\0" if _ == 0 else b"\x00\x80\0\0\0\0")
    live.frame(9, b"between")
    live.frame(0, b"{}")
    expect("error" in live.hear(), "empty fragments are not put together")


def no_text(server):
    """Text frames that are no UTF-8, also across fragments; binary frames"""
    def split(live):
        live.frame(1, b"\xe2\x82", fin=False)
        live.frame(0, b"\x28")

    each_ends({"a bad byte": lambda live: live.frame(1, b"\xff"),
               "a surrogate": lambda live: live.frame(1, b"\xed\xa0\x80"),
               "an overlong form": lambda live: live.frame(1, b"\xc0\xaf"),
               "a character cut off": lambda live: live.frame(1, b"\xe2\x82"),
               "a bad character in two fragments": split})
    live = opened()
    live.frame(2, zlib.compress(b"{}"))
    expect("error" in live.hear(), "a binary frame was understood")


def bomb(server):
    """A megabyte of zeros in a few bytes, with and without asking for permessage-deflate"""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = (packer.compress(b"\0" * 2**20) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]
    person = Person("Bomber")
    table = new_table(person, game="cyclone")
    for offer in ({}, {"Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"},
                  {"Sec-WebSocket-Extensions": "permessage-deflate; server_max_window_bits=99, x-unknown; a=\"b"}):
        live = person.live(table, headers=offer)
        if live.status != 101:
            continue
        expect(b"permessage-deflate" not in live.head.lower(), "the server unpacks what it is sent")
        live.frame(1, packed, reserved=4)
        expect(live.ends(), "a compressed frame was taken")


def handshakes(server):
    """Handshakes that are none, with an unknown token, or at no table"""
    person = Person("Shaker")
    table = new_table(person, game="cyclone")
    for headers in ({"Sec-WebSocket-Version": "8"}, {"Connection": "close"}, {"Upgrade": "h2c"},
                    {"Sec-WebSocket-Key": "x" * 5000}, {"Authorization": "Bearer nobody"}):
        live = person.live(table, headers=headers)
        expect(live.status != 101, f"a socket with {headers}")
        live.close()
    live = person.live("nosuchtable")
    told = live.hear() if live.status == 101 else {"error": ""}
    expect("error" in told and live.ends(), "a socket at no table")


def half_open(server):
    """A peer that says nothing for half a minute is asked whether it is there, and let go when it does not answer"""
    silent, answering = opened(), opened()
    for live in silent, answering:
        while live.take_frame(timeout=40)[0] != 9:
            pass
    answering.frame(10)
    expect(silent.ends(40), "a peer that is not there keeps its socket")
    expect(not answering.ends(1), "a peer that is there loses its socket")


ATTACKS = [forbidden, control, fragments, no_text, bomb, handshakes]
LONG = [half_open]
