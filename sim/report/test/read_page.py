# SPDX-License-Identifier: Apache-2.0
"""Reads a report as sim/report/README.md describes it; fails when it is not whole.

    read_page.py FILE.html
"""

import base64
import json
import sys
import zlib
from html.parser import HTMLParser


class Data(HTMLParser):
    """The texts of elements by their id."""

    def __init__(self):
        super().__init__()
        self.texts, self.open, self.ended = {}, None, False

    def handle_starttag(self, tag, attributes):
        self.open = dict(attributes).get("id") if tag == "script" else None

    def handle_data(self, text):
        if self.open:
            self.texts[self.open] = self.texts.get(self.open, "") + text

    def handle_endtag(self, tag):
        self.open, self.ended = None, tag == "html"


def number(data, at):
    """A number and where the next one begins."""
    value, shift = 0, 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def main():
    page = Data()
    with open(sys.argv[1], encoding="utf-8") as file:
        page.feed(file.read())
    assert page.ended
    report = json.loads(page.texts["sme-report"])
    assert report["format"] == "sme report 1"
    waves = report["waves"]
    data = zlib.decompress(base64.b64decode(page.texts["sme-waves"], validate=True))
    at = 0
    for signal in waves["signals"]:
        begin, cycle = at, 0
        width = waves["types"][signal["type"]]["width"]
        for _ in range(signal["changes"]):
            step, at = number(data, at)
            cycle += step // 2
            if step % 2 == 0:
                value, at = number(data, at)
                assert value < 1 << width
        assert cycle < max(waves["to"], 1)
        assert at - begin == signal["bytes"]
    assert at == len(data)


main()
