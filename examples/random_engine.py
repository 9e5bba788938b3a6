#!/usr/bin/env python3
"""An engine for Tessera (docs/engine-protocol.md) that makes any legal move.

    tessera play cyclone --engine 1=examples/random_engine.py
    tessera arena cyclone --players 1,examples/random_engine.py
"""
import json
import random
import sys


def say(text):
    print(text, flush=True)


def main():
    position = []  # the seat transcript, one JSON object a line
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "hello":
            say("name Any Move")
            say("option seed 0")
            say("ready")
        elif word == "option":
            name, _, value = rest.partition(" ")
            if name == "seed":
                random.seed(int(value))
        elif word == "position":
            position = []
        elif word.startswith("{"):
            position.append(json.loads(line))
        elif word == "go":
            legal = position[-1]["legal"]  # the last line is ours: {"seat":0,"legal":[…]}
            say("move " + random.choice(legal))
        elif word == "quit":
            return


main()
