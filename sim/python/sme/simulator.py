# SPDX-License-Identifier: Apache-2.0
"""Simulators of network files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Coroutine, Iterable, Mapping
from types import TracebackType
from typing import Any, TypeVar, overload

import numpy

from sme import _sme
from sme.bench import Dut
from sme.process import Process
from sme.rows import Rows

Result = TypeVar("Result")


class View:
    """The values of a signal in place, without a copy: `numpy.asarray(view)`, `view[3]`.

    It is read-only and holds until the next run; after that, reading it raises RuntimeError. An
    array that `numpy.asarray` has made from it must not be used after the next run either.
    """

    def __init__(self, simulation: _sme.Simulation, signal: _sme.Signal) -> None:
        self._simulation = simulation
        self._moment = simulation.moment
        self._path = signal.path
        self._array: numpy.ndarray[Any, Any] = getattr(signal, "_view")()

    def _now(self) -> numpy.ndarray[Any, Any]:
        if self._simulation.moment != self._moment:
            raise RuntimeError(
                f"this view of '{self._path}' is from before the last run; make another one"
            )
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
        array = self._now()
        if copy or (dtype is not None and dtype != array.dtype):
            return array.astype(dtype or array.dtype)
        return array

    def __getitem__(self, index: Any) -> Any:
        return self._now()[index]

    def __len__(self) -> int:
        return len(self._now())

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._now().shape)

    @property
    def dtype(self) -> numpy.dtype[Any]:
        result: numpy.dtype[Any] = self._now().dtype
        return result


class Simulator:
    """Runs a network file (`sme.load`). One thread at a time may use it.

    parameters: values of the network's parameters, by name: numbers or texts, as for `--set`.
    test: the name of one of its tests: the network is loaded as that test runs it.
    seed: of random values.
    drive: buses that the network feeds by `inputs`, but that you want to set yourself. Buses that
        no process writes can be set in any case; `inputs` lists all of them. Of a channel x, you
        then set the sending end, "x.in", and it never ends.
    threads: 1 unless you say otherwise; 0 lets measurements decide. All give the same values.
    engine: 'auto' (a long run becomes native when it is compiled), 'interpreted', or 'native'
        (compiled before the first cycle).
    trace: the file of a waveform, .vcd or .fst, which is complete after `finish`; trace_select:
        the names of the buses in it, as patterns; trace_state: with the states of processes.
    write_outputs: write the files of the network's `outputs`; they are compared in any case.
    checks: False leaves out the checks and outputs of the network, which may be about its own inputs.
    verilog: build Verilog modules with Verilator; without it, networks with Verilog are refused.
    allow: more files and folders that the network may write.
    processes: more processes (`Process`); they write buses that no other process writes.
    against: second implementations (`Process`) of what writes a bus in the network.
    text: the text of the network, instead of that of the file `path`, whose folder it has.

    Raises NetworkError with all mistakes in the file, and their places.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        parameters: Mapping[str, Any] | None = None,
        test: str = "",
        seed: int = 0,
        drive: str | Iterable[str] = (),
        threads: int = 1,
        engine: str = "auto",
        trace: str | os.PathLike[str] = "",
        trace_select: str = "",
        trace_state: bool = False,
        write_outputs: bool = False,
        verilog: bool = True,
        allow: Iterable[str | os.PathLike[str]] = (),
        checks: bool = True,
        processes: Iterable[Process] = (),
        against: Iterable[Process] = (),
        text: str | None = None,
    ) -> None:
        if engine not in ("auto", "interpreted", "native"):
            raise ValueError(f"engine is 'auto', 'interpreted' or 'native', not '{engine}'")
        options = {
            "parameters": {name: _text(value) for name, value in (parameters or {}).items()},
            "test": test,
            "seed": seed,
            "driven": [drive] if isinstance(drive, str) else list(drive),
            "threads": threads,
            "native": engine == "native",
            "interpreted": engine == "interpreted",
            "trace": os.fspath(trace),
            "trace_select": trace_select,
            "trace_state": trace_state,
            "write_outputs": write_outputs,
            "verilog": verilog,
            "checks": checks,
            "processes": list(processes),
            "against": list(against),
            "text": text,
            "allow": [os.fspath(each) for each in allow],
            "warning": lambda text: warnings.warn(text.rstrip("\n"), stacklevel=2),
        }
        library = os.path.join(os.path.dirname(__file__), "share", "sme")
        if os.path.isdir(library):
            options["library"] = library
        self._simulation = _sme.Simulation(os.fspath(path), options)
        self._signals: dict[str, _sme.Signal] = {}
        self._dut = Dut(self)

    def __repr__(self) -> str:
        return f"<sme.Simulator '{self.name}': cycle {self.cycle}, {self.state}>"

    def __enter__(self) -> Simulator:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.finish()
        else:  # the files are closed, and the first error counts
            try:
                self.finish()
            except Exception:
                pass

    @property
    def name(self) -> str:
        """The name of the network."""
        return self._simulation.name

    @property
    def cycle(self) -> int:
        """The next cycle: how many have been run."""
        return self._simulation.cycle

    @property
    def cycles(self) -> int | None:
        """How many cycles the file asks for under `run`; None if it does not."""
        return self._simulation.cycles

    @property
    def ends_by_itself(self) -> bool:
        """Whether a process, an input or an output of the network can end its run."""
        return self._simulation.ends_by_itself

    @property
    def state(self) -> str:
        """'running', 'halted', 'check failed', 'faulted' or 'finished'."""
        return self._simulation.state

    @property
    def names(self) -> list[str]:
        """The names of all buses, states and memories; a family has one."""
        return self._simulation.names

    @property
    def inputs(self) -> list[str]:
        """The names of the buses that you can set."""
        return self._simulation.inputs

    @property
    def dut(self) -> Dut:
        """The network as an object: `sim.dut.core.regs.value`; see `bench`."""
        return self._dut

    @overload
    def run(self, cycles: int | None = None) -> int: ...

    @overload
    def run(
        self,
        cycles: int | None = None,
        *,
        feed: Mapping[str, Any] | None = None,
        record: str | Iterable[str] = (),
    ) -> Rows: ...

    def run(
        self,
        cycles: int | None = None,
        *,
        feed: Mapping[str, Any] | None = None,
        record: str | Iterable[str] = (),
    ) -> int | Rows:
        """Runs that many cycles, or as many as the file asks for, or to the end of a network that
        ends by itself.

        Returns how many were run: fewer if a process halts. With `feed` or `record`, returns `Rows`
        instead, a dict of arrays. feed: {input: rows}; cycle k of this run reads row k; rows are an
        array, a list, or for a struct a dict of the rows of its fields. record: names;
        each gets an array of the values that its readers saw, shape (cycles run, ...).

        The interpreter runs other threads meanwhile, and Ctrl-C raises KeyboardInterrupt. Raises
        Fault if a process breaks a rule, and CheckFailed if a check of the network or an expected
        output fails; both name the cycle and the place.
        """
        if cycles is None:
            cycles = self._simulation.cycles
            if cycles is None and self._simulation.ends_by_itself:
                cycles = 1 << 62
            if cycles is None:
                raise ValueError("the network does not say how long it runs; give the cycles")
        if cycles < 0:
            raise ValueError(f"a run has 0 cycles or more, but this is {cycles}")
        if feed or record:
            names = [record] if isinstance(record, str) else list(record)
            first = self._simulation.cycle
            return Rows(self._simulation.run_rows(cycles, dict(feed or {}), names), first)
        return self._simulation.run(cycles)

    def run_until(self, condition: Callable[[], Any], most: int) -> bool:
        """Runs until condition() holds, tested before each cycle, at most that many cycles.

        Returns whether it holds.
        """
        while not condition():
            if most <= 0 or self._simulation.run(1) == 0:
                return False
            most -= 1
        return True

    def signal(self, path: str) -> _sme.Signal:
        """The signal of that name: `core.regs[3]`, `lane`, `sample.valid`; of a channel x, `x.count`
        says how many messages are in it.

        Raises NetworkError, with similar names, if there is none.
        """
        found = self._signals.get(path)
        if found is None:
            found = self._signals[path] = self._simulation.signal(path)
        return found

    def __getitem__(self, path: str) -> Any:
        """The value of a signal."""
        return self.signal(path).value

    def __setitem__(self, path: str, value: Any) -> None:
        """Sets an input for the next cycle, and until it is set again."""
        self.signal(path).value = value

    def view(self, path: str) -> View:
        """The values of a family or a memory in place; see `View`.

        Raises ValueError if they do not lie together.
        """
        return View(self._simulation, self.signal(path))

    def compile(self) -> None:
        """Makes native code now, which runs from the next cycle on, with the same values.

        Raises CompileError if there is no C compiler.
        """
        self._simulation.compile()

    def checks(self) -> list[_sme.Check]:
        """What has become of each check of the network, in the order of the file."""
        return self._simulation.checks()

    def outputs(self) -> list[_sme.Output]:
        """What has become of each recorded output."""
        return self._simulation.outputs()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a checkpoint, from which `restore` and `sme run --resume` go on."""
        self._simulation.save(os.fspath(path))

    def restore(self, path: str | os.PathLike[str]) -> list[str]:
        """Goes on from a checkpoint of this network, before the first cycle; returns warnings."""
        return self._simulation.load(os.fspath(path))

    def finish(self) -> None:
        """Ends the run: observers see the last values, and all files are complete."""
        self._simulation.finish()

    def bench(
        self,
        test: Callable[..., Coroutine[Any, Any, Result]],
        *arguments: Any,
        most: int = 10_000_000,
    ) -> Result:
        """Runs a test bench: `async def test(dut)`; returns what it returns.

        most: the cycles after which it fails with TimeoutError. See `Dut`.
        """
        return self._dut._run(test, arguments, most)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return os.fspath(value) if hasattr(value, "__fspath__") else str(value)
