# SPDX-License-Identifier: Apache-2.0
"""Processes that are not in a network file: in Python, or compiled from C and C++."""

from __future__ import annotations

import ctypes
import inspect
import os
import pathlib
import shlex
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any

from sme._sme import CompileError


Function: Any = getattr(ctypes, "_CFuncPtr")


class Process:
    """A process in Python: `step` is called in each cycle with the values of the buses that it
    reads, and returns the value of the bus that it writes, a tuple if it writes several, or None to
    leave a bus unwritten. Values are as everywhere in this package.

    step: a function; an object with a method `step`, which may keep state; a generator, which
    receives a tuple and yields what it writes: its first `yield` yields nothing; or what `compiled`
    returns, a function of ctypes or a `cfunc` of Numba, as described there.
    reads, writes: names of buses, members (`lane[2]`) or whole families.

        def count():
            total, (x,) = 0, (yield)
            while True:
                total += x
                (x,) = yield total

        sme.load("n.yaml", processes=[sme.Process(count(), reads=["x"], writes=["total"])])

    Readers see what it writes in the next cycle, or in the same one for a wire. It takes a call of
    Python in each cycle, about a microsecond, and the interpreter's lock; its state is in no
    checkpoint, and one with state belongs to one simulator. An exception in it ends the run with
    `Fault`, whose `__cause__` it is.

    As a second implementation (`against=[...]`), it writes nothing: what it returns is compared
    with the values of these buses in each cycle, and the first difference raises `CheckFailed`.
    """

    def __init__(
        self,
        step: Any,
        *,
        reads: str | Iterable[str] = (),
        writes: str | Iterable[str] = (),
        name: str = "",
    ) -> None:
        self.reads = [reads] if isinstance(reads, str) else list(reads)
        self.writes = [writes] if isinstance(writes, str) else list(writes)
        called = getattr(step, "__name__", type(step).__name__)
        self.name = name or f"python {called}"
        self._address, self._state = 0, 0
        if inspect.isgenerator(step):
            next(step)
            self._call = lambda *values: step.send(values)
        elif isinstance(step, (Compiled, Function)) or hasattr(step, "address"):
            pointer = ctypes.cast(step, ctypes.c_void_p) if isinstance(step, Function) else None
            self._address = int((pointer.value if pointer else step.address) or 0)
            self._state = getattr(step, "state", 0)
            self._call = step  # keeps it loaded
        else:
            self._call = getattr(step, "step", step)
        if not self._address and not callable(self._call):
            raise TypeError(f"a process is a function, a generator or has a method 'step': {step!r}")


class Compiled:
    """A function in machine code; see `compiled`."""

    def __init__(self, library: ctypes.CDLL, function: str, state: int) -> None:
        self._function = getattr(library, function)
        self.__name__ = function
        self.address: int = ctypes.cast(self._function, ctypes.c_void_p).value or 0
        self.state = state


def compiled(
    source: str | os.PathLike[str],
    *,
    function: str = "step",
    state: int = 0,
    options: Sequence[str] = ("-O2",),
) -> Compiled:
    """Compiles a process in C or C++; returns what `Process` and `Network.process` take.

    source: a file .c, .cpp, .cc or .cxx, which $CC or $CXX (or cc, c++) compiles with `options`; or a
    shared library. function: its name there, without C++'s name mangling:

        struct In { const uint16_t *n; };
        struct Out { uint32_t *twice; };
        extern "C" void step(const In *in, const Out *out, void *state) { *out->twice = 2u * *in->n; }

    `in` and `out` point to a pointer for each bus of reads and writes, in that order: to a value, or
    to all values of a family, one after the other, with the layout of their NumPy dtype. It writes
    every bus of `out`, which is zero before. A C++ exception ends the run with `Fault`. state: how
    many bytes `state` points to, zero before the first cycle, for each simulator; checkpoints keep
    them.

    It runs without the interpreter's lock, as fast as the code is. Code that writes elsewhere, or
    reads what is not there, can crash the program. Raises CompileError with what the compiler says.
    """
    if state < 0:
        raise ValueError(f"the state has 0 bytes or more, not {state}")
    path = os.fspath(source)
    suffix = pathlib.Path(path).suffix
    if suffix not in (".c", ".cc", ".cpp", ".cxx"):
        return Compiled(ctypes.CDLL(path), function, state)
    variable, usual = ("CC", "cc") if suffix == ".c" else ("CXX", "c++")
    command = shlex.split(os.environ.get(variable) or usual)
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "process.so")
        try:
            ran = subprocess.run(
                [*command, *options, "-shared", "-fPIC", "-o", library, path],
                capture_output=True,
                text=True,
            )
        except OSError as error:
            raise CompileError(f"cannot run '{command[0]}': {error}; ${variable} names another") from None
        if ran.returncode != 0:
            raise CompileError(f"{path} does not compile:\n{ran.stderr.strip()}")
        return Compiled(ctypes.CDLL(library), function, state)
