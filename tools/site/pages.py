# SPDX-License-Identifier: Apache-2.0
"""Makes the pages of the site from the documents of the tree."""

import os
import re
import shutil
from pathlib import Path, PurePosixPath

from slugs import slug

FENCE = re.compile(r"^( *)(```+)(.*)$")
LINK = re.compile(r"(\]\(|<img src=\"|<a href=\")([^)\"\s]+)(\)|\")")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
ITEM = re.compile(r"^ *([-*]|\d+\.) ")
CODE_ROW = re.compile(r'X\(\w+, "([\w-]+)", (\w+), ((?:"(?:[^"\\]|\\.)*" ?)+)\)')


def lines_of(text: str):
    """(line, whether it is code or a fence) of a Markdown text."""
    end = None
    for line in text.splitlines():
        fence = FENCE.match(line)
        if end is None and fence:
            end = fence[2]
            yield line, True
        elif end is not None:
            if line.strip() == end:
                end = None
            yield line, True
        else:
            yield line, False


def shown(heading: str):
    """The text of a heading without its links."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)


def fence_line(line: str):
    """```yaml no-run becomes ```yaml, ```yaml a.yaml gets a title."""
    indent, marks, info = FENCE.match(line).groups()
    words = info.split()
    if not words:
        return line
    if words[0] == "sh":
        words[0] = "console"  # commands behind a prompt, and what they print
    title = f' title="{words[1]}"' if len(words) > 1 and "." in words[1] else ""
    return f"{indent}{marks}{words[0]}{title}"


def outside_code(line: str, change):
    """The line with `change` applied to what stands outside of code spans."""
    made, at = "", 0
    for code in CODE.finditer(line):
        made += change(line[at:code.start()]) + code[0].replace("\\|", "|")
        at = code.end()
    return made + change(line[at:])


def rendered(text: str, direct):
    """The text as MkDocs takes it: GitHub lets a list follow a paragraph at once, and indents what
    belongs to an item by less. `direct` makes a link's target from the old one."""
    made, before = [], ""
    for line, is_code in lines_of(text):
        if is_code:
            made.append(fence_line(line) if FENCE.match(line) else line)
        else:
            if ITEM.match(line) and before.strip() and not ITEM.match(before) and before[0] != " ":
                made.append("")
            # the text of a link may be code, so only the text between links is searched for code
            line = outside_code(line, lambda part: part)
            made.append(LINK.sub(lambda link: link[1] + direct(link[2]) + link[3], line))
        before = line
    return "\n".join(made) + "\n"


class Pages:
    """Writes pages below `out`; knows where each document of the tree went."""

    def __init__(self, root: Path, out: Path, documents: list):
        self.root, self.out = root, out
        self.documents = set(documents)
        self.language = {}  # heading of LANGUAGE.md -> its page
        self.copied = set()
        self.read_language()

    def read_language(self):
        """Parts LANGUAGE.md at its headings of the second level."""
        self.parts = [("", [])]
        for line, is_code in lines_of((self.root / "LANGUAGE.md").read_text()):
            if not is_code and line.startswith("## "):
                self.parts.append((shown(line[3:]), []))
            self.parts[-1][1].append(line)
        for title, lines in self.parts:
            page = f"language/{slug(title)}.md" if title else "language/index.md"
            for line, is_code in lines_of("\n".join(lines)):
                if not is_code and line.startswith("#"):
                    self.language[slug(shown(line.lstrip("#").strip()))] = page

    def target(self, source: Path, page: str, link: str):
        """Where a link of a document leads on its page."""
        path, mark, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            return link
        file = Path(os.path.normpath(source.parent / path)) if path else source
        if file == Path("LANGUAGE.md"):
            goal = self.language.get(anchor, "language/index.md")
        elif (self.root / file).is_dir():
            while file / "README.md" not in self.documents: # tests belong to their part
                file = file.parent
            goal = self.page_of(file / "README.md")
        elif file in self.documents:
            goal = self.page_of(file)
        else:
            goal = self.copy(file)
        return os.path.relpath(goal, PurePosixPath(page).parent) + mark + anchor

    def page_of(self, document: Path):
        if document.parent == Path("lib/base/catalogue") and document.name != "README.md":
            return f"diagnostics/{document.name}"
        if document.name == "README.md":
            return str(document.with_name("index.md"))
        return str(document)

    def copy(self, file: Path):
        """A file that a document shows: beside the pages, and as text where browsers would not
        show it."""
        shows = file.suffix in (".png", ".svg", ".jpg", ".html")
        goal = file if shows else file.with_name(file.name + ".txt")
        if goal not in self.copied:
            self.copied.add(goal)
            (self.out / goal).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / file, self.out / goal)
        return str(goal)

    def write(self, page: str, text: str, source: Path):
        path = self.out / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rendered(text, lambda link: self.target(source, page, link)))

    def write_documents(self):
        for document in sorted(self.documents):
            page = self.page_of(document)
            if document != Path("LANGUAGE.md") and not page.startswith("diagnostics/"):
                self.write(page, (self.root / document).read_text(), document)

    def write_language(self):
        """A page for each concept; the head of the document is the index. The pages' titles."""
        titles = []
        for title, lines in self.parts:
            text = "\n".join(lines)
            page = f"language/{slug(title)}.md" if title else "language/index.md"
            if title:
                titles.append((title.replace("`", ""), page))
                text = text[1:]  # a heading of the first level
            self.write(page, text, Path("LANGUAGE.md"))
        return titles

    def write_diagnostics(self):
        """A page for each code, and an index of them by severity. The pages' titles."""
        table = re.sub(r"\s*\\\n\s*", " ", (self.root / "lib/base/codes.hpp").read_text())
        codes = [(name, kind, meaning.strip().replace('" "', "").strip('"'))
                 for name, kind, meaning in CODE_ROW.findall(table)]
        without = {path.stem for path in (self.root / "lib/base/catalogue").glob("*.md")} - \
            {name for name, _, _ in codes} - {"README"}
        if without:
            raise SystemExit(f"docs: codes.hpp has no row for {', '.join(sorted(without))}")
        index = "# Diagnostics\n\nA message ends with its code in brackets. `sme explain CODE` prints " \
                "what stands here.\n"
        for severity in ("error", "warning", "fault"):
            index += f"\n## {severity.capitalize()}s\n\n| code | meaning |\n|---|---|\n"
            for name, kind, meaning in codes:
                if kind == severity:
                    index += f"| [{name}](catalogue/{name}.md) | {meaning} |\n"
        self.write("diagnostics/index.md", index.replace("catalogue/", "lib/base/catalogue/"), Path("x"))
        for name, kind, meaning in codes:
            document = Path(f"lib/base/catalogue/{name}.md")
            text = f"# {name}\n\n*{kind.capitalize()}:* {meaning}\n\n{(self.root / document).read_text()}"
            self.write(f"diagnostics/{name}.md", text, document)
        return [(name, f"diagnostics/{name}.md") for name, _, _ in sorted(codes)]
