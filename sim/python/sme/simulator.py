# SPDX-License-Identifier: Apache-2.0
"""Simulators of network files."""

import os
import warnings

from sme import _sme
from sme.bench import Dut
from sme.rows import Rows


class View:
    """The values of a signal in place, without a copy: `numpy.asarray(view)`, `view[3]`.

    It is read-only and holds until the next run; after that, reading it raises RuntimeError. An
    array that `numpy.asarray` has made from it must not be used after the next run either.
    """

    def __init__(self, simulation, signal):
        self._simulation = simulation
        self._moment = simulation.moment
        self._path = signal.path
        self._array = signal._view()

    def _now(self):
        if self._simulation.moment != self._moment:
            raise RuntimeError(
                f"this view of '{self._path}' is from before the last run; make another one"
            )
        return self._array

    def __array__(self, dtype=None, copy=None):
        array = self._now()
        if copy or (dtype is not None and dtype != array.dtype):
            return array.astype(dtype or array.dtype)
        return array

    def __getitem__(self, index):
        return self._now()[index]

    def __len__(self):
        return len(self._now())

    shape = property(lambda self: self._now().shape)
    dtype = property(lambda self: self._now().dtype)


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
        path,
        *,
        parameters=None,
        test="",
        seed=0,
        drive=(),
        threads=1,
        engine="auto",
        trace="",
        trace_select="",
        trace_state=False,
        write_outputs=False,
        verilog=True,
        allow=(),
        checks=True,
        processes=(),
        against=(),
        text=None,
    ):
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
        self._signals = {}
        self._dut = Dut(self)

    def __repr__(self):
        return f"<sme.Simulator '{self.name}': cycle {self.cycle}, {self.state}>"

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.finish()
        else:  # the files are closed, and the first error counts
            try:
                self.finish()
            except Exception:
                pass

    name = property(lambda self: self._simulation.name, doc="The name of the network.")
    cycle = property(
        lambda self: self._simulation.cycle, doc="The next cycle: how many have been run."
    )
    cycles = property(
        lambda self: self._simulation.cycles,
        doc="How many cycles the file asks for under `run`; None if it does not.",
    )
    ends_by_itself = property(
        lambda self: self._simulation.ends_by_itself,
        doc="Whether a process, an input or an output of the network can end its run.",
    )
    state = property(
        lambda self: self._simulation.state,
        doc="'running', 'halted', 'check failed', 'faulted' or 'finished'.",
    )
    names = property(
        lambda self: self._simulation.names,
        doc="The names of all buses, states and memories; a family has one.",
    )
    inputs = property(
        lambda self: self._simulation.inputs, doc="The names of the buses that you can set."
    )
    dut = property(
        lambda self: self._dut,
        doc="The network as an object: `sim.dut.core.regs.value`; see `bench`.",
    )

    def run(self, cycles=None, *, feed=None, record=()):
        """Runs that many cycles, or as many as the file asks for, or to the end of a network that
        ends by itself.

        Returns how many were run: fewer if a process halts. With `feed` or `record`, returns `Rows`
        instead, a dict of arrays. feed: {input: rows}; cycle k of this run reads row k. record: names; each
        gets an array of the values that its readers saw, shape (cycles run, ...).

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

    def run_until(self, condition, most):
        """Runs until condition() holds, tested before each cycle, at most that many cycles.

        Returns whether it holds.
        """
        while not condition():
            if most <= 0 or self._simulation.run(1) == 0:
                return False
            most -= 1
        return True

    def signal(self, path):
        """The signal of that name: `core.regs[3]`, `lane`, `sample.valid`; of a channel x, `x.count`
        says how many messages are in it.

        Raises NetworkError, with similar names, if there is none.
        """
        found = self._signals.get(path)
        if found is None:
            found = self._signals[path] = self._simulation.signal(path)
        return found

    def __getitem__(self, path):
        """The value of a signal."""
        return self.signal(path).value

    def __setitem__(self, path, value):
        """Sets an input for the next cycle, and until it is set again."""
        self.signal(path).value = value

    def view(self, path):
        """The values of a family or a memory in place; see `View`.

        Raises ValueError if they do not lie together.
        """
        return View(self._simulation, self.signal(path))

    def compile(self):
        """Makes native code now, which runs from the next cycle on, with the same values.

        Raises CompileError if there is no C compiler.
        """
        self._simulation.compile()

    def checks(self):
        """What has become of each check of the network, in the order of the file."""
        return self._simulation.checks()

    def outputs(self):
        """What has become of each recorded output."""
        return self._simulation.outputs()

    def save(self, path):
        """Writes a checkpoint, from which `restore` and `sme run --resume` go on."""
        self._simulation.save(os.fspath(path))

    def restore(self, path):
        """Goes on from a checkpoint of this network, before the first cycle."""
        return self._simulation.load(os.fspath(path))

    def finish(self):
        """Ends the run: observers see the last values, and all files are complete."""
        self._simulation.finish()

    def bench(self, test, *arguments, most=10_000_000):
        """Runs a test bench: `async def test(dut)`; returns what it returns.

        most: the cycles after which it fails with TimeoutError. See `Dut`.
        """
        return self._dut._run(test, arguments, most)


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return os.fspath(value) if hasattr(value, "__fspath__") else str(value)
