#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes keys.csv, the buttons in each frame of two games, and expected.csv, what comes of them.

This is the game on sets of pixels, a step a frame. Its player loses the first game by standing still, and wins the
second one by following the ball. A picture's number is its rows as digits of base 33, the top row first, modulo 2^32.
"""
import argparse
from pathlib import Path

WIDTH, HEIGHT, PADDLE = 32, 16, 6
TEXTS = {
    "ready": "space starts the ball",
    "play": "arrow keys move the paddle",
    "over": "game over: space begins anew",
    "won": "the wall is gone: space begins anew",
}


class Game:
    def __init__(self):
        self.paddle, self.right, self.before, self.frames = (WIDTH - PADDLE) // 2, True, False, 0
        self.deal()

    def deal(self):
        self.bricks = {(column, row) for column in range(8) for row in (3, 4, 5)}
        self.lives = 3
        self.serve("ready")

    def serve(self, phase):
        self.phase, self.down = phase, False

    def frame(self, left, right, start):
        pressed, self.before = start and not self.before, start
        old = self.paddle
        self.paddle = min(max(old + 2 * (right - left), 0), WIDTH - PADDLE)
        if self.phase == "play":
            self.fly(old)
        elif pressed and self.phase == "ready":
            self.phase, self.ball = "play", (old + PADDLE // 2, HEIGHT - 2)
        elif pressed:
            self.deal()
        if self.phase != "play":
            self.ball = (self.paddle + PADDLE // 2, HEIGHT - 2)
        self.frames += 1

    def fly(self, paddle):
        x, y = self.ball
        if y == HEIGHT - 1:
            self.lives -= 1
            self.serve("ready" if self.lives else "over")
            return
        self.right = {0: True, WIDTH - 1: False}.get(x, self.right)
        self.down = self.down or y == 1
        x, y = x + (1 if self.right else -1), y + (1 if self.down else -1)
        if (x // 4, y) in self.bricks:
            self.bricks.remove((x // 4, y))
            self.down = not self.down
            if not self.bricks:
                self.serve("won")
        elif y == HEIGHT - 1 and x in range(paddle, paddle + PADDLE):
            self.down = False
            if x < paddle + 2:
                self.right = False
            elif x >= paddle + PADDLE - 2:
                self.right = True
        else:
            self.ball = (x, y)

    def pixels(self):
        lit = {(2 * life, 0) for life in range(self.lives)}
        lit |= {(4 * column + k, row) for column, row in self.bricks for k in range(3)}
        lit |= {(self.paddle + k, HEIGHT - 1) for k in range(PADDLE)}
        return lit | ({self.ball} if self.phase in ("ready", "play") else set())

    def score(self):
        return 24 - len(self.bricks)

    def row(self):
        lit, number = self.pixels(), 0
        for y in range(HEIGHT):
            number = 33 * number + sum(1 << x for x in range(WIDTH) if (x, y) in lit)
        return f"{self.phase},{self.score()},{self.lives},{number % 2**32}\n"

    def screen(self):
        """The terminal of the program `game`."""
        lit = self.pixels()
        yield f"score {self.score():2}   lives {self.lives}   frame {self.frames}"
        yield "┌" + 2 * WIDTH * "─" + "┐"
        for y in range(HEIGHT):
            yield "│" + "".join("██" if (x, y) in lit else "  " for x in range(WIDTH)) + "│"
        yield "└" + 2 * WIDTH * "─" + "┘"
        yield f"{TEXTS[self.phase]}, q ends"


def player(game):
    """Returns the pressed buttons: left, right, start."""
    start = game.frames % 8 < 4  # held for four frames, which counts once
    if game.phase != "play" or game.games == 1:
        return False, False, start
    part = 1 + game.frames // 29 % 4  # part of the paddle to meet the ball: changes over time
    aim = game.ball[0] + (1 if game.right else -1) - part
    return aim < game.paddle - 1, aim > game.paddle + 1, start


def two_games():
    game, games = Game(), 1
    while not game.phase == "won":
        game.games = games
        keys = player(game)
        before = game.phase
        game.frame(*keys)
        games += before == "over" and game.phase == "ready"
        yield keys


def read(path):
    header, *rows = path.read_text().splitlines()
    assert header == "data.left,data.right,data.start"
    return [tuple(bool(int(cell)) for cell in row.split(",")) for row in rows]


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent, help="where to write (default: here)")
parser.add_argument("--keys", type=Path, help="take the buttons from this record, and write expected.csv only")
parser.add_argument("--screen", metavar="KEYS", help="show the terminal after these keys, such as .sllr; write nothing")
arguments = parser.parse_args()

if arguments.screen is not None:
    game = Game()
    for key in arguments.screen:
        game.frame(key == "l", key == "r", key == "s")
    print("\n".join(game.screen()))
else:
    keys = read(arguments.keys) if arguments.keys else list(two_games())
    if not arguments.keys:
        rows = "".join(",".join(str(int(pressed)) for pressed in frame) + "\n" for frame in keys)
        (arguments.folder / "keys.csv").write_text("data.left,data.right,data.start\n" + rows)
    game, rows = Game(), []
    for frame in keys:
        game.frame(*frame)
        rows.append(game.row())
    (arguments.folder / "expected.csv").write_text("phase,score,lives,picture\n" + "".join(rows))
