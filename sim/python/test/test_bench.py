# SPDX-License-Identifier: Apache-2.0
import gc
import random
import warnings

import pytest
import sme
from networks import KINDS, counter


@pytest.fixture
def sim(tmp_path):
    path = tmp_path / "network.yaml"
    path.write_text(KINDS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield sme.load(path)


def test_a_bench_waits_for_cycles(sim):
    async def test(dut):
        dut.x.value = 3
        assert dut.doubled.value == 6 and dut.total.value == 0
        await dut.cycles(2)
        assert dut.total.value == 12
        dut.lane[2].value = -5
        await dut.cycles()
        assert dut.sums[2].value == -3
        assert dut.counter.seen.value[1] == 3 and dut.counter.seen[1].value == 3
        assert dut.packet.colour.value == "red"
        dut.packet.parts[1]["value"].value = -3
        assert dut.packet["parts[1].value"].value == -3 == dut["packet.parts[1].value"].value
        with pytest.raises(TypeError, match="interpreted as an integer"):
            dut.lane[1.5]
        return "done"

    assert sim.bench(test) == "done" and sim.cycle == 3


def test_conditions_and_edges(sim):
    async def test(dut, most):
        dut.x.value = 10
        await dut.until(lambda: dut.total.value >= 100)
        assert sim.cycle == 5

        async def raises():
            await dut.cycles(3)
            dut.flag.value = True

        task = dut.start(raises())
        await dut.rising(dut.flag)
        assert task.done and sim.cycle == 9
        await dut.changed(dut.total)
        assert sim.cycle == 10
        return most

    assert sim.bench(test, 7) == 7


def test_streams(sim):
    values = [random.Random(1).randrange(65536) for _ in range(200)]

    async def test(dut):
        draw = random.Random(2)
        received = []

        async def driver():
            for value in values:
                while draw.random() < 0.3:
                    await dut.cycles()
                await dut.send(dut.a, value)

        async def monitor():
            while len(received) < len(values):
                while draw.random() < 0.5:
                    await dut.cycles()
                received.append(await dut.receive(dut.b))

        dut.start(driver())
        await dut.start(monitor())
        return received

    assert sim.bench(test) == values
    assert 300 < sim.cycle < 600


def test_streams_run_at_full_speed(sim):
    async def test(dut):
        async def driver():
            for k in range(100):
                await dut.send(dut.a, k)

        dut.start(driver())
        return [await dut.receive(dut.b) for _ in range(100)]

    assert sim.bench(test) == list(range(100))
    assert sim.cycle <= 102


def test_tasks_have_results_and_errors(sim):
    async def test(dut):
        async def slow(result):
            await dut.cycles(result)
            if result == 4:
                raise KeyError("four")
            return result

        two, three = dut.start(slow(2)), dut.start(slow(3))
        assert await three == 3 and await two == 2 and sim.cycle == 3
        with pytest.raises(KeyError):
            await dut.start(slow(4))
        forever = dut.start(slow(1000))
        forever.cancel()
        await dut.cycles()

    sim.bench(test)
    assert sim.cycle == 8


def test_an_error_of_a_task_ends_the_bench(sim):
    async def test(dut):
        async def wrong():
            await dut.cycles(2)
            assert dut.total.value == 1, "it is not"

        dut.start(wrong())
        await dut.cycles(100)

    with pytest.raises(AssertionError, match="it is not"):
        sim.bench(test)
    assert sim.cycle == 2


@pytest.mark.filterwarnings("error")
def test_python_warns_of_a_forgotten_await(sim):
    async def test(dut):
        for call in (
            lambda: dut.cycles(3),
            lambda: dut.until(lambda: True),
            lambda: dut.rising(dut.flag),
            lambda: dut.falling(dut.flag),
            lambda: dut.changed(dut.x),
            lambda: dut.send(dut.a, 7),
            lambda: dut.receive(dut.b),
        ):
            with pytest.warns(RuntimeWarning, match=r"coroutine 'Dut.*' was never awaited"):
                call()
                gc.collect()

    sim.bench(test)
    assert sim.cycle == 0


def test_bad_benches(sim, tmp_path):
    async def endless(dut):
        await dut.until(lambda: False)

    with pytest.raises(TimeoutError, match="has not ended after 50 cycles"):
        sim.bench(endless, most=50)

    async def unknown(dut):
        dut.nothing.value = 3

    with pytest.raises(sme.NetworkError, match="no bus 'nothing'"):
        sim.bench(unknown)

    async def assigns(dut):
        dut.x = 3

    with pytest.raises(AttributeError, match="dut.x.value = "):
        sim.bench(assigns)

    async def assigns_a_part(dut):
        dut.a.data = 3

    with pytest.raises(AttributeError, match="data"):
        sim.bench(assigns_a_part)

    async def others(dut):
        import asyncio

        await asyncio.sleep(0)

    with pytest.raises(TypeError, match="awaits what `dut` gives"):
        sim.bench(others)

    def plain(dut):
        return 3

    async def yields(dut):
        yield 3

    for wrong in (plain, yields):
        name = wrong.__name__
        with pytest.raises(TypeError, match=f"a test bench is a coroutine; write 'async def {name}'"):
            sim.bench(wrong)

    async def starts(dut):
        dut.start(plain(dut))

    with pytest.raises(TypeError, match="start takes a coroutine: async def driver"):
        sim.bench(starts)

    async def no_time(dut):
        await dut.cycles(0)

    with pytest.raises(ValueError, match="1 cycle or more"):
        sim.bench(no_time)
    path = tmp_path / "counter.yaml"
    path.write_text(counter())

    async def too_long(dut):
        await dut.cycles(1000)

    with pytest.raises(sme.CheckFailed, match="failed in cycle 300"):
        sme.load(path).bench(too_long)
