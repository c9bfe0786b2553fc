# SPDX-License-Identifier: Apache-2.0
"""Finds dead links inside a finished site."""

from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class PageReader(HTMLParser):
    """The links of a page, with their lines, and the names in it that links may lead to."""

    def __init__(self):
        super().__init__()
        self.links, self.names = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.names.add(value)
            elif name in ("href", "src") and value:
                self.links.append((value, self.getpos()[0]))


def read(path: Path):
    page = PageReader()
    page.feed(path.read_text(errors="replace"))
    return page


def problems(site: Path):
    """A line for each link of a page that leads to no file or to no name in it. What Doxygen links
    within its own pages, below cpp, is its own affair."""
    site = site.resolve()
    page_of = lru_cache(maxsize=None)(read)
    for path in sorted(site.rglob("*.html")):
        # the links of the error page begin at the root of a server
        if path.relative_to(site).parts[0] in ("cpp", "404.html"):
            continue
        for link, line in page_of(path).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target = target / "index.html"
            place = f"{path.relative_to(site)}:{line}"
            if not target.exists():
                yield f"{place}: the link '{link}' leads to no file"
            elif parts.fragment and target.suffix == ".html" and \
                    unquote(parts.fragment) not in page_of(target).names:
                yield f"{place}: the link '{link}' leads to no heading"
