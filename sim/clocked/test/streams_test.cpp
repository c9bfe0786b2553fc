// SPDX-License-Identifier: Apache-2.0
//
// Coroutines around processes in YAML, a Verilog module, and processes in C++: channels joined to
// streams.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/program.hpp"
#include "base/test/scratch.hpp"
#include "kahn/test/processes.hpp"
#include "sme/clocked.hpp"
#include "sme/compare.hpp"
#include "sme/load.hpp"

struct ValidByte {
    bool valid;
    std::uint8_t data;
};
SME_STRUCT(ValidByte, valid, data)

using namespace sme;
using namespace sme::test;

namespace {

/// Sends 1, …, n with pauses.
class Source : public KahnProcess {
public:
    Source(int n, std::uint64_t pause, ChannelOut<std::uint8_t> y) : n_{n}, pause_{pause}, y_{y} {}
    KahnTask run() {
        for (int k = 1; k <= n_; ++k) {
            co_await y_.send(static_cast<std::uint8_t>(k));
            co_await sme::clock(pause_);
        }
    }

private:
    int n_;
    std::uint64_t pause_;
    ChannelOut<std::uint8_t> y_;
};

/// Receives n numbers.
class Sink : public KahnProcess {
public:
    Sink(int n, std::uint64_t pause, ChannelIn<std::uint8_t> x) : n_{n}, pause_{pause}, x_{x} {}
    KahnTask run() {
        for (int k = 0; k < n_; ++k) {
            if (auto v = co_await x_.receive())
                values.push_back(*v);
            co_await sme::clock(pause_);
        }
    }
    std::vector<int> values;

private:
    int n_;
    std::uint64_t pause_;
    ChannelIn<std::uint8_t> x_;
};

struct Bench {
    explicit Bench(int n, std::uint64_t source_pause = 0, std::uint64_t sink_pause = 0) {
        kahn.add<Source>("source", n, source_pause, out(to));
        sink.emplace(kahn.add<Sink>("sink", n, sink_pause, in(from)));
    }
    KahnNetwork kahn{"bench"};
    Channel<std::uint8_t> to = kahn.channel<std::uint8_t>("to", Depth{2});
    Channel<std::uint8_t> from = kahn.channel<std::uint8_t>("from", Depth{2});
    std::optional<KahnHandle<Sink>> sink;

    std::vector<JoinedStream> streams() const {
        return {to_stream(to, "raw"), from_stream("done", from)};
    }
};

std::vector<int> one_to(int n, int times = 1) {
    std::vector<int> values;
    for (int k = 1; k <= n; ++k)
        values.push_back(k * times % 256);
    return values;
}

/// A design with the streams raw and done: 'add' doubles, a queue of the library stores.
const char* const design = "network: n\nimport: [std/stream.yaml, std/fifo.yaml]\n"
                           "buses:\n  raw: Stream(u8)\n  held: Stream(u8)\n  done: Stream(u8)\n"
                           "processes:\n"
                           "  queue:\n    use: fifo\n    with: {depth: 3, T: u8}\n"
                           "    in: {x: raw}\n    out: {y: held}\n"
                           "  twice:\n    in: {x: held}\n    out: {y: done}\n    step:\n"
                           "      y.valid: x.valid\n      y.data: x.data * 2\n"
                           "      x.ready: y.ready\n";

} // namespace

TEST_CASE("a network in YAML between two coroutines") {
    const Scratch scratch;
    scratch.write("n.yaml", design);
    for (const std::uint64_t source_pause : {0U, 3U})
        for (const std::uint64_t sink_pause : {0U, 2U})
            for (const unsigned threads : {1U, 2U}) {
                LoadedNetwork network = load(scratch.path("n.yaml"));
                const Bench bench{100, source_pause, sink_pause};
                const ClockedKahn clocked =
                    add_clocked(network, bench.kahn, {.digests = true, .streams = bench.streams()});
                Simulator one{network, {.threads = threads}}, two{network};
                CHECK(one.run(Cycles{10'000}) == two.run(Cycles{10'000}));
                CHECK(one.halted());
                CHECK(clocked.process(one, *bench.sink).values == one_to(100, 2));
                CHECK(clocked.channels(one)[1].digest == clocked.channels(two)[1].digest);
                CHECK(clocked.channels(one)[0].received == 100);
            }
}

TEST_CASE("what is sent in t is offered in t + 1, and ready holds where there was room") {
    // 'source' sends in 0, 1, …; the queue and 'from' pass one per cycle. A number sent in 0 is
    // offered to the queue in 1, by the queue in 2, enters 'from' in 2, and is received in 3: 100
    // numbers in 0 to 102.
    const Scratch scratch;
    scratch.write("n.yaml", design);
    LoadedNetwork network = load(scratch.path("n.yaml"));
    const Bench bench{100};
    add_clocked(network, bench.kahn, {.streams = bench.streams()});
    Simulator simulator{network};
    CHECK(simulator.run(Cycles{10'000}) == 103);
}

TEST_CASE("no order of processes changes a bus, and the judge finds nothing") {
    const Scratch scratch;
    scratch.write("n.yaml", design);
    LoadedNetwork network = load(scratch.path("n.yaml"));
    const Bench bench{30, 1, 2};
    add_clocked(network, bench.kahn, {.streams = bench.streams()});
    const auto difference = compare_orders(network, Cycles{200}, 8);
    CHECK_MESSAGE(!difference, (difference ? difference->text : ""));
}

TEST_CASE("a Verilog module between two coroutines") {
    if (!find_program("verilator")) {
        MESSAGE("skipped: no Verilator");
        return;
    }
    const Scratch scratch;
    scratch.write("n.yaml", "network: n\nimport: [std/stream.yaml]\n"
                            "buses:\n  raw: Stream(u8)\n  done: Stream(u8)\nprocesses:\n"
                            "  queue:\n    verilog: {files: " SME_SOURCE_DIR
                            "/hdl/rtl/fifo.v, top: fifo, reset: rst, parameters: {depth: 4}}\n"
                            "    in: {x: raw}\n    out: {y: done}\n");
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const std::string folder = cache ? std::string{cache} + "/sme/verilog" : scratch.path("kept");
    LoadedNetwork network =
        load(scratch.path("n.yaml"), {.verilog = VerilogTools{.folder = folder}});
    const Bench bench{200, 0, 1};
    const ClockedKahn clocked = add_clocked(network, bench.kahn, {.streams = bench.streams()});
    Simulator simulator{network};
    simulator.run(Cycles{10'000});
    CHECK(simulator.halted());
    CHECK(clocked.process(simulator, *bench.sink).values == one_to(200));
}

TEST_CASE("wires of a network in C++ are streams as well") {
    const Bench bench{50};
    Network network{"n"};
    const BusOptions<ValidByte> wire{.delay = 0};
    const BusOptions<bool> ready_wire{.delay = 0};
    auto through = network.bus<ValidByte>("through", wire);
    auto ready = network.bus<bool>("through.ready", ready_wire);
    const ClockedKahn clocked = add_clocked(network, bench.kahn,
                                            {.streams = {to_stream(bench.to, through, ready),
                                                         from_stream(through, ready, bench.from)}});
    Simulator simulator{network};
    simulator.run(Cycles{10'000});
    CHECK(simulator.halted());
    CHECK(clocked.process(simulator, *bench.sink).values == one_to(50));
}

TEST_CASE("who waits for a stream is not in a deadlock, but a ring inside is") {
    const Scratch scratch;
    scratch.write("n.yaml", design);
    LoadedNetwork network = load(scratch.path("n.yaml"));
    Bench bench{10};
    KahnNetwork& kahn = bench.kahn;
    auto more = kahn.channel<std::uint8_t>("more");
    kahn.add<Sink>("waits", 1, std::uint64_t{0}, in(more));
    kahn.add<Source>("late", 1, std::uint64_t{0}, out(more));
    add_clocked(
        network, kahn,
        {.halts = false, .streams = {to_stream(bench.to, "raw"), from_stream("done", bench.from)}});
    Simulator simulator{network};
    CHECK(simulator.run(Cycles{500}) == 500);

    LoadedNetwork other = load(scratch.path("n.yaml"));
    Bench again{10};
    auto ring = again.kahn.channel<std::uint8_t>("ring");
    const auto waits = [](ChannelIn<std::uint8_t> x, ChannelOut<std::uint8_t> y) -> KahnTask {
        auto v = co_await x.receive();
        co_await y.send(*v);
    };
    again.kahn.add<Lambda<decltype(waits), ChannelIn<std::uint8_t>, ChannelOut<std::uint8_t>>>(
        "self", waits, in(ring), out(ring));
    add_clocked(other, again.kahn, {.streams = again.streams()});
    Simulator stuck{other};
    CHECK_THROWS_WITH_AS(stuck.run(Cycles{10'000}),
                         doctest::Contains("'self' waits to receive from 'ring'"), ModelFault);
}

TEST_CASE("streams that do not fit, and channels that are open") {
    const Scratch scratch;
    scratch.write("n.yaml", design);
    LoadedNetwork network = load(scratch.path("n.yaml"));
    const Bench bench{3};
    const auto refused = [&](std::vector<JoinedStream> streams, const char* why) {
        CHECK_THROWS_WITH_AS(add_clocked(network, bench.kahn, {.streams = std::move(streams)}),
                             doctest::Contains(why), NetworkError);
    };
    refused({}, "no process reads channel 'to'");
    refused({to_stream(bench.to, "raw"), from_stream("nothing", bench.from)},
            "the network 'n' has no stream 'nothing'");
    refused({to_stream(bench.from, "raw"), from_stream("done", bench.from)},
            "no process writes channel 'from', which is joined to a stream");
    refused({to_stream(bench.to, "raw"), to_stream(bench.to, "raw")}, "is joined to two streams");
    KahnNetwork wide{"wide"};
    auto words = wide.channel<int>("words");
    wide.add<Count>("count", 0, 3, out(words));
    CHECK_THROWS_WITH_AS(add_clocked(network, wide, {.streams = {to_stream(words, "raw")}}),
                         doctest::Contains("carries i32, but the stream 'raw' has u8"),
                         NetworkError);
    CHECK_THROWS_WITH_AS(Untimed{bench.kahn}, doctest::Contains("no process reads channel 'to'"),
                         NetworkError);
}
