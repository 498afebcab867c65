"""A program that plays Numduel's games: any legal move, found by asking the rules.

Try it: numduel play divisor-line --p2 "program:python3 examples/bot.py"
"""

import json
import random
import sys

import numduel

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "numduel":
        print("ready a bot that moves at random", flush=True)
    elif word == "game":
        key, _, settings = rest.partition(" ")
        game = numduel.new(key, **json.loads(settings))
    elif word == "moves":
        first, *moves = map(int, rest.split())
        position = game.start(first)
        for move in moves:
            position = game.play(position, move)
    elif word == "go":
        print("move", random.choice(game.moves(position)), flush=True)
    elif word == "swap":
        print("swap no", flush=True)
