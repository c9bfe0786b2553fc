# SPDX-License-Identifier: Apache-2.0
"""Networks that a program builds."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Union

from sme import _sme
from sme.process import Process
from sme.simulator import Simulator

Names = Union[str, Iterable[str], Mapping[str, str]]  # of buses, or {port: bus}


class Network:
    """A network that is built part by part, and loaded like one in a file.

    Texts are those of the language: types, steps, checks. Every method that adds a bus or a process
    returns its name, of a family without its members.

        net = sme.Network("mean")
        x, y = net.bus("x", "u8"), net.bus("y", "u8")
        net.process("mean", {"y": "x / 2 + y / 2"}, reads=x, writes=y)
        sim = net.load()

    name: as in a file; imports: components and libraries; folder: where these, data files and
    Verilog modules are looked for.

    Mistakes raise NetworkError; each names the line of the program that added the part.
    """

    def __init__(
        self, name: str, *, imports: Iterable[str] = (), folder: str | os.PathLike[str] = "."
    ) -> None:
        self.name = name
        self.folder = os.fspath(folder)
        self.processes: list[Process] = []  # those that are not in its text
        self._sections: dict[str, Any] = {"import": list(imports)} if imports else {}
        self._places: dict[tuple[str, str | None], str] = {}  # the line that added each entry

    def __repr__(self) -> str:
        return f"<sme.Network '{self.name}'>"

    def __getitem__(self, section: str) -> Any:
        """A section of the file, such as "parameters" or "checks", as a dict or a list."""
        return self._sections[section]

    def __setitem__(self, section: str, value: Any) -> None:
        """Replaces a section of the file: net["checks"] = [{"always": "x < 8"}]."""
        self._sections[section] = value
        self._note(section, None)

    def bus(self, name: str, kind: str) -> str:
        """Adds a bus, a family or a channel: bus("lane[4]", "wire u8"), bus("x", "u8 = 3")."""
        return self._add("buses", name, kind)

    def process(
        self, name: str, step: Any, *, reads: Names = (), writes: Names = (), **sections: Any
    ) -> str:
        """Adds a process.

        step: {bus: expression}, as in a file; or a function, a generator, an object with a method
        `step`, or what `compiled` returns, as for `Process`.
        reads, writes: a name, a list of names, or {port: bus}.
        sections: others of a process in a file, such as state={"n": "u8"}.
        """
        if not isinstance(step, (dict, list)):
            if sections or isinstance(reads, dict) or isinstance(writes, dict):
                raise TypeError(f"process '{name}' has no step of the language, so no ports either")
            self.processes.append(Process(step, reads=reads, writes=writes, name=name))
            return name
        return self._add("processes", name, _bound(reads, writes) | sections | {"step": step})

    def instance(
        self,
        name: str,
        component: str,
        *,
        reads: Names = (),
        writes: Names = (),
        parameters: Mapping[str, Any] | None = None,
        **sections: Any,
    ) -> str:
        """Adds an instance of an imported component; reads, writes: {port: bus}, or names."""
        given: dict[str, Any] = {"with": dict(parameters)} if parameters else {}
        given = {"use": component} | given | _bound(reads, writes)
        return self._add("processes", name, given | sections)

    def verilog(
        self,
        name: str,
        files: str | os.PathLike[str] | list[str],
        *,
        top: str,
        reads: Names = (),
        writes: Names = (),
        **module: Any,
    ) -> str:
        """Adds a Verilog module as a process; module: further keys of `verilog`, such as clock."""
        given = {"verilog": {"files": files, "top": top} | module}
        return self._add("processes", name, given | _bound(reads, writes))

    @property
    def text(self) -> str:
        """The network as a file, without its processes in Python, C and C++; `sme check --print` formats
        it."""
        return self._written()[0]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes `text` into a new file. Raises FileExistsError if it exists."""
        with open(path, "x", encoding="utf-8") as file:
            file.write(self.text)

    @contextlib.contextmanager
    def _file(self) -> Iterator[str]:
        """A file for commands while they run."""
        if self.processes:
            raise ValueError(
                f"the command runs a network as text, but process '{self.processes[0].name}' is not "
                "in its text"
            )
        begin = f".{self.name}-"
        with tempfile.NamedTemporaryFile("w", dir=self.folder, prefix=begin, suffix=".yaml") as file:
            file.write(self.text)
            file.flush()
            yield file.name

    def load(self, **options: Any) -> Simulator:
        """Returns a `Simulator` before cycle 0; options as for `sme.load`."""
        options["processes"] = [*self.processes, *options.get("processes", ())]
        text, places = self._written()
        path = os.path.join(self.folder, self.name)
        try:
            return Simulator(path, text=text, **options)
        except _sme.NetworkError as error:
            raise _sme.NetworkError(_with_places(str(error), path, places)) from None

    def _repr_svg_(self) -> str | None:
        """For notebooks: its graph, if Graphviz can draw it."""
        from sme.commands import CommandFailed, graph

        try:
            return str.__str__(graph(self))
        except (CommandFailed, ValueError, OSError):
            return None

    def _add(self, section: str, name: str, value: Any) -> str:
        entries = self._sections.setdefault(section, {})
        if not isinstance(entries, dict):
            raise TypeError(f"'{section}' is {entries!r}, to which '{name}' cannot be added")
        if name in entries:
            raise ValueError(f"'{name}' is in {section} already")
        entries[name] = value
        self._note(section, name)
        return name.split("[")[0]

    def _note(self, section: str, name: str | None) -> None:
        depth = 1
        while sys._getframe(depth).f_code.co_filename == __file__:
            depth += 1
        frame = sys._getframe(depth)
        self._places[section, name] = f"{frame.f_code.co_filename}:{frame.f_lineno}"

    def _written(self) -> tuple[str, dict[int, str]]:
        """The text, each entry on a line of its own, and the places that added these lines."""
        lines = ["{", f'"network": {json.dumps(self.name)}']
        places: dict[int, str] = {}

        def add(text: str, section: str, name: str | None = None) -> None:
            lines.append(text)
            places[len(lines)] = self._places.get((section, name), "")

        for section, value in self._sections.items():
            lines[-1] += ","
            if isinstance(value, dict) and value:
                add(f"{json.dumps(section)}: {{", section)
                for name, entry in value.items():
                    add(f"  {_json(name)}: {_json(entry)},", section, name)
                lines[-1] = lines[-1][:-1]
                lines.append("}")
            else:
                add(f"{_json(section)}: {_json(value)}", section)
        return "\n".join([*lines, "}", ""]), places


def _bound(reads: Names, writes: Names) -> dict[str, Any]:
    return {key: value for key, value in (("in", reads), ("out", writes)) if value}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays, and paths, as JSON has them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return os.fspath(value)


def _with_places(text: str, path: str, places: dict[int, str]) -> str:
    """Adds to each message where the program has added that line."""

    def place(found: re.Match[str]) -> str:
        added = places.get(int(found[1]), "")
        return f"{added}: {found[0]}" if added else found[0]

    return re.sub(rf"^{re.escape(path)}:(\d+):\d+", place, text, flags=re.MULTILINE)
