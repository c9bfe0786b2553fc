# SPDX-License-Identifier: Apache-2.0
"""Test benches as coroutines.

All tasks run between two cycles, in the order in which they were started, until each of them waits.
Then the network runs a cycle. What tasks wait for is decided right after that cycle, before any of
them goes on, so their order does not matter for it.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Coroutine, Generator
from typing import TYPE_CHECKING, Any, TypeVar

from sme import _sme

if TYPE_CHECKING:
    from sme.simulator import Simulator

Result = TypeVar("Result")


class _Wait:
    """What a task waits for: a cycle, a task that ends, or what `ready()` says after each cycle."""

    def __init__(
        self, ready: Callable[[], Any] | None, at: int | None = None, about_last: bool = False
    ) -> None:
        self.ready = ready
        self.at = at  # the cycle; None: `ready` is asked after each one; -1: within a cycle
        self.about_last = about_last  # asked before anything else, about wires of the last cycle

    def __await__(self) -> Generator[_Wait, None, None]:
        yield self


class Task:
    """A coroutine beside others; `await task` waits until it is done, and returns its result."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._coroutine = coroutine
        self._wait: Any = None
        self.done = False
        self._result: Any = None
        self._awaited = False
        self._error: BaseException | None = None

    def cancel(self) -> None:
        """Ends the task where it waits."""
        if not self.done:
            self.done = True
            self._coroutine.close()

    def __await__(self) -> Generator[_Wait, None, Any]:
        self._awaited = True
        while not self.done:
            yield _Wait(lambda: self.done, at=-1)
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return self._result

    def _step(self) -> None:
        """Runs until it waits or is done."""
        try:
            self._wait = self._coroutine.send(None)
            if not isinstance(self._wait, _Wait):
                raise TypeError(f"a test bench awaits what `dut` gives, not {self._wait!r}")
        except StopIteration as end:
            self.done, self._result = True, end.value
        except BaseException as error:
            self.done, self._error = True, error
            if not self._awaited:
                raise


class Scope:
    """A part of the network: `dut.core`. Its attributes are signals and further parts."""

    def __init__(self, simulator: Simulator, path: str) -> None:
        self.__dict__.update(_simulator=simulator, _path=path)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # dut["_x"] is a signal
            raise AttributeError(name)
        path = f"{self._path}.{name}" if self._path else name
        found = _at(self._simulator, path)
        self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"write dut.{name}.value = ... to set a signal")

    def __getitem__(self, index: Any) -> Any:
        key = f"[]{index!r}"
        if key not in self.__dict__:
            if isinstance(index, str):
                path = f"{self._path}.{index}" if self._path else index
            else:
                path = f"{self._path}{_brackets(index)}"
            self.__dict__[key] = _at(self._simulator, path)
        return self.__dict__[key]

    def __repr__(self) -> str:
        return f"<{self._path or self._simulator.name}>"


def _brackets(index: Any) -> str:
    many = index if isinstance(index, tuple) else (index,)
    return "[" + ", ".join(str(operator.index(each)) for each in many) + "]"


def _at(simulator: Simulator, path: str) -> _sme.Signal | Scope:
    """The signal of that path, or the part of the network."""
    try:
        return simulator.signal(path)
    except _sme.NetworkError:
        begin = path.split("[")[0]
        if any(name.startswith((begin + ".", begin + "[")) for name in simulator.names):
            return Scope(simulator, path)
        raise


class Dut(Scope):
    """The network under test. `dut.x`, `dut.lane[3]` and `dut.core.regs` are signals.

    `dut.x.value` reads and sets them; names that are also methods here are written `dut["cycles"]`.
    The methods are awaited in a test bench:

        async def test(dut):
            dut.x.value = 3
            await dut.cycles(2)
            assert dut.y.value == 5

        sme.load("network.yaml").bench(test)
    """

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator, "")
        self.__dict__.update(_tasks=[], _most=0)

    async def cycles(self, count: int = 1) -> None:
        """Waits that many cycles."""
        if count < 1:
            raise ValueError(f"a wait is 1 cycle or more, but this is {count}")
        await _Wait(None, at=self._simulator.cycle + count)

    async def until(self, condition: Callable[[], Any]) -> None:
        """Waits until condition() holds after a cycle, at least one."""
        await _Wait(condition)

    async def rising(self, signal: _sme.Signal) -> None:
        """Waits until a signal is true, after it was not."""
        await self._edge(signal, True)

    async def falling(self, signal: _sme.Signal) -> None:
        """Waits until a signal is not true, after it was."""
        await self._edge(signal, False)

    async def changed(self, signal: _sme.Signal) -> None:
        """Waits until a signal has another value than now."""
        before = signal.value
        await _Wait(lambda: not _equal(signal.value, before))

    def _edge(self, signal: _sme.Signal, to: bool) -> _Wait:
        last = [bool(signal.value)]

        def happened() -> bool:
            before, last[0] = last[0], bool(signal.value)
            return before != to and last[0] == to

        return _Wait(happened)

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> Task:
        """Starts a task beside this one, which first runs when this one waits. Returns a `Task`."""
        if not inspect.iscoroutine(coroutine):
            raise TypeError("start takes a coroutine: async def driver(dut), dut.start(driver(dut))")
        task = Task(coroutine)
        self._tasks.append(task)
        return task

    async def send(self, stream: _sme.Signal, value: Any) -> None:
        """Offers a message on a stream that nothing in the network writes, until it is taken."""
        stream.value = {"valid": True, "data": value}
        ready = stream.ready
        await _Wait(lambda: ready._last, about_last=True)
        stream.value = {"valid": False, "data": value}

    async def receive(self, stream: _sme.Signal) -> Any:
        """Takes the next message of a stream that nothing in the network reads."""
        ready, valid, data = stream.ready, stream.valid, stream.data
        taken: list[Any] = []
        ready.value = True

        def happened() -> bool:
            if valid._last:
                taken.append(data._last)
            return bool(taken)

        await _Wait(happened, about_last=True)
        ready.value = False
        return taken[0]

    def _run(
        self,
        test: Callable[..., Coroutine[Any, Any, Result]],
        arguments: tuple[Any, ...],
        most: int,
    ) -> Result:
        coroutine = test(self, *arguments)
        if not inspect.iscoroutine(coroutine):
            name = getattr(test, "__name__", "test")
            more = " without 'yield'" if inspect.isasyncgen(coroutine) else ""
            raise TypeError(f"a test bench is a coroutine; write 'async def {name}'{more}")
        main = Task(coroutine)
        main._awaited = True
        self.__dict__.update(_tasks=[main], _most=self._simulator.cycle + most)
        try:
            self._step_all(self._tasks)
            while not main.done:
                self._advance()
        finally:
            for task in self._tasks:
                task.cancel()
        if main._error is not None:
            raise main._error
        result: Result = main._result
        return result

    def _step_all(self, ready: list[Task]) -> None:
        """Runs tasks until all wait for a cycle, also those that they start or finish."""
        tasks = self._tasks
        while ready:
            for task in ready:
                if not task.done:
                    task._step()
            ready = [
                task
                for task in tasks
                if not task.done
                and (task._wait is None or (task._wait.at == -1 and task._wait.ready()))
            ]
        tasks[:] = [task for task in tasks if not task.done]

    def _advance(self) -> None:
        """Runs the network up to the next cycle that a task waits for."""
        simulation = self._simulator._simulation
        cycle = simulation.cycle
        target = self._most
        for task in self._tasks:
            wait = task._wait
            if wait.at is None:
                target = cycle + 1
                break
            if 0 <= wait.at < target:
                target = wait.at
        if cycle >= self._most:
            raise TimeoutError(f"the test bench has not ended after {cycle} cycles")
        if simulation.run(target - cycle) < target - cycle:
            raise RuntimeError(
                f"the network {simulation.state} in cycle {simulation.cycle - 1}, before the test "
                "bench has ended"
            )
        waits = [task._wait for task in self._tasks]
        done = {id(wait): wait.ready() for wait in waits if wait.about_last}
        for wait in waits:
            if not wait.about_last:
                done[id(wait)] = wait.at == target if wait.at is not None else wait.ready()
        self._step_all([task for task in self._tasks if done[id(task._wait)]])


def _equal(one: Any, other: Any) -> bool:
    same = one == other
    return bool(same.all()) if hasattr(same, "all") else bool(same)
