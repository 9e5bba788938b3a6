"""Goes through a server as an attacker who knows docs/protocol.md and nothing else. docs/security.md lists the attacks.

    /usr/bin/python3 tests/attacker PROGRAM [PART OF A NAME]

Starts its own server on the loopback. After each attack the server must be in health, and an honest game going on.
"""
import sys, threading

import dice, floods, frames, hands, identities, messages, seats, texts
from site_under_attack import HonestGame, Server, log_problem
from wire import Person

THEMES = [seats, hands, identities, dice, texts, messages, frames, floods]


def attempt(attack, server):
    """Why it got through; nothing if it did not."""
    try:
        attack(server)
        return None
    except Exception as error:  # an attack that cannot be carried out shows nothing
        return f"{type(error).__name__}: {error}"


def main(program, wanted=""):
    server = Server(program)
    honest, watcher, failed, count = HonestGame(server), Person(), [], 0

    def report(name, why):
        nonlocal count
        count += 1
        print(f"{'THROUGH ' if why else 'stopped '} {name}{': ' + why if why else ''}", flush=True)
        if why:
            failed.append(name)

    def title(attack):
        return attack.__doc__.strip().rstrip(".")

    try:
        honest.start()
        waiting = []  # those that mostly wait, for up to a minute, run beside the others
        for attack in (a for theme in THEMES for a in getattr(theme, "LONG", []) if wanted in title(a)):
            result = []
            thread = threading.Thread(target=lambda a=attack, r=result: r.append(attempt(a, server)), daemon=True)
            thread.start()
            waiting.append((attack, thread, result))
        for attack in (a for theme in THEMES for a in theme.ATTACKS if wanted in title(a)):
            why = attempt(attack, server)
            if why is None and watcher.get("/api/health").status != 200:
                why = "the server is no longer in health"
            report(title(attack), why or honest.unharmed() or log_problem(server))
        for attack, thread, result in waiting:
            thread.join(90)
            report(title(attack), result[0] if result else "it did not come to an end")
        report("An honest game meanwhile", honest.unharmed())
        honest.stopping = True
        honest.join(10)
        if not wanted:  # else there was no time for one
            report("Honest games to the end, with true records", None if honest.games else "not one was finished")
        code = server.stop()
        report("The server stops in order", f"it ended with {code}" if code else log_problem(server))
    finally:
        server.process.kill()
    print(f"{count} attacks, none got through" if not failed else
          f"{count} attacks, {len(failed)} got through: {'; '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
