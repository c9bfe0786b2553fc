// SPDX-License-Identifier: Apache-2.0
// Verifies trace files with third-party readers: compares the values that the simulator has in each
// cycle with the values in the file.
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <optional>

#include "sme/sme.hpp"
#include "sme/trace.hpp"
#include "trace_test.hpp"

using trace_test::Scratch;
using trace_test::text_of;

namespace readers_test {

struct Pair {
    std::int8_t low;
    sme::Unsigned<3> high;
};
struct Packet {
    bool valid;
    Pair pair;
    std::array<std::uint16_t, 2> data;
    std::uint64_t sum;
};

} // namespace readers_test

using readers_test::Packet;
using readers_test::Pair;

SME_STRUCT(readers_test::Pair, low, high)
SME_STRUCT(readers_test::Packet, valid, pair, data, sum)

namespace {

using Word = sme::Signed<12>;

/// A pseudo-random value, different in every cycle and sometimes absent.
std::uint64_t noise(std::uint64_t cycle) {
    std::uint64_t x = cycle * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    return x * 0xbf58476d1ce4e5b9u;
}

class Source : public sme::Process {
public:
    Source(sme::Out<Packet> packet, sme::Out<Word> word, sme::Out<std::uint8_t> strict)
        : packet_{packet}, word_{word}, strict_{strict} {}
    void step() {
        const std::uint64_t x = noise(cycle());
        if (x % 4 != 0)
            packet_.write(
                {x % 3 == 0,
                 {static_cast<std::int8_t>(x >> 8), x >> 16},
                 {static_cast<std::uint16_t>(x >> 20), static_cast<std::uint16_t>(x >> 50)},
                 x >> (x & 63)});
        if (x % 5 == 0)
            word_.write(Word{x >> 30});
        if (cycle() % 3 == 0)
            strict_.write(static_cast<std::uint8_t>(x >> 40));
    }

private:
    sme::Out<Packet> packet_;
    sme::Out<Word> word_;
    sme::Out<std::uint8_t> strict_;
};

/// An inverter in a chain of wires.
class Invert : public sme::Process {
public:
    Invert(sme::In<std::uint32_t> x, sme::Out<std::uint32_t> y) : x_{x}, y_{y} {}
    void step() { y_.write(~x_.read() * 3); }

private:
    sme::In<std::uint32_t> x_;
    sme::Out<std::uint32_t> y_;
};

/// Writes the successor of a register's value to it.
class Next : public sme::Process {
public:
    Next(sme::In<std::uint32_t> x, sme::Out<std::uint32_t> y) : x_{x}, y_{y} {}
    void step() { y_.write(x_.read() * 5 + 1); }

private:
    sme::In<std::uint32_t> x_;
    sme::Out<std::uint32_t> y_;
};

constexpr std::uint64_t chain = 120; // more signals than one-character names
constexpr std::uint64_t cycles = 200;

/// Runs a network with many features; writes its trace, and its values by another path. Returns the
/// number of known values.
std::size_t run(const std::string& trace, const std::string& expected) {
    sme::Network network{"every thing"};
    const auto packet = network.bus<Packet>("packet");
    const auto word = network.bus<Word>("deep.word", {.unwritten = sme::Unwritten::hold});
    const auto strict = network.bus<std::uint8_t>(
        "strict", {.unwritten = sme::Unwritten::error, .initial = std::uint8_t{9}});
    const auto late = network.bus<std::uint32_t>("late", {.delay = 3, .initial = 7});
    const auto seed = network.bus<std::uint32_t>("seed", {.initial = 1});
    const auto wire = network.buses<std::uint32_t>("wire", chain, {.delay = 0});
    network.add<Source>("source", sme::out(packet), sme::out(word), sme::out(strict));
    network.add<Next>("next", sme::in(seed), sme::out(seed));
    network.add<Next>("later", sme::in(wire[chain - 1]), sme::out(late));
    for (std::uint64_t k = 0; k < chain; ++k)
        network.add<Invert>(sme::indexed("invert", k), sme::in(k == 0 ? seed : wire[k - 1]),
                            sme::out(wire[k]));

    std::ofstream file{expected};
    const std::string top = "every_thing.";
    file << top << "clock";
    for (const char* name : {"packet.valid", "packet.pair.low", "packet.pair.high", "packet.data_0",
                             "packet.data_1", "packet.sum", "deep.word", "strict", "late", "seed"})
        file << ',' << top << name;
    for (std::uint64_t k = 0; k < chain; ++k)
        file << ',' << top << "wire_" << k;
    file << '\n';

    sme::Simulator simulator{network};
    sme::trace_vcd(simulator, trace);
    std::size_t known = 0;
    for (std::uint64_t cycle = 0; cycle <= cycles; ++cycle) {
        const Packet p = simulator.peek(packet);
        file << 1 << ',' << p.valid << ',' << unsigned{static_cast<std::uint8_t>(p.pair.low)} << ','
             << unsigned{p.pair.high} << ',' << p.data[0] << ',' << p.data[1] << ',' << p.sum << ','
             << (simulator.peek(word) & 0xfff) << ',';
        if (cycle == 0 || (cycle - 1) % 3 == 0)
            file << unsigned{simulator.peek(strict)};
        else
            file << 'x';
        file << ',' << simulator.peek(late) << ',' << simulator.peek(seed);
        known += 11;
        if (cycle < cycles)
            simulator.step();
        for (std::uint64_t k = 0; k < chain; ++k) {
            file << ',';
            if (cycle < cycles) {
                file << simulator.peek(wire[k]);
                ++known;
            }
        }
        file << '\n';
    }
    simulator.finish();
    return 2 * known - 11; // twice per cycle, once after the last
}

std::string shell_word(const std::string& text) {
    return "'" + text + "'";
}

/// Runs a reader on a trace; `nullopt` if the reader is not installed.
std::optional<std::string> judged_by(const std::string& reader, const std::string& trace,
                                     const std::string& expected, const std::string& output) {
    const std::string python = SME_PYTHON;
    if (std::system(
            (shell_word(python) + " -c 'import vcd, vcdvcd, pywellen' 2>/dev/null").c_str()) != 0)
        return std::nullopt;
    const std::string command = shell_word(python) + " " +
                                shell_word(SME_SOURCE_DIR "/sim/trace/test/read_vcd.py") + " " +
                                reader + " " + shell_word(trace) + " " + shell_word(expected) +
                                " 10 >" + shell_word(output) + " 2>&1";
    const int status = std::system(command.c_str());
    const std::string said = text_of(output);
    CHECK_MESSAGE(status == 0, said);
    return said;
}

void check(const std::string& reader, const Scratch& folder, const std::string& trace,
           std::size_t known) {
    const auto said = judged_by(reader, trace, folder.path("expected.csv"), folder.path("said"));
    if (said)
        CHECK(*said == std::to_string(known) + "\n");
    else
        MESSAGE("skipped: no ", reader, " in build/venv (tools/test makes it)");
}

} // namespace

TEST_CASE("vcdvcd and pyvcd read the values that the simulator showed") {
    const Scratch folder;
    const std::size_t known = run(folder.path("run.vcd"), folder.path("expected.csv"));
    for (const char* reader : {"vcdvcd", "pyvcd"})
        check(reader, folder, folder.path("run.vcd"), known);
}

TEST_CASE("GTKWave's converters keep the values that the simulator showed") {
    const Scratch folder;
    const std::size_t known = run(folder.path("run.vcd"), folder.path("expected.csv"));
    if (std::system("command -v vcd2fst >/dev/null && command -v fst2vcd >/dev/null") != 0) {
        MESSAGE("skipped: no vcd2fst");
        return;
    }
    const std::string vcd = shell_word(folder.path("run.vcd"));
    const std::string fst = shell_word(folder.path("run.fst"));
    REQUIRE(std::system(("vcd2fst " + vcd + " " + fst + " >/dev/null 2>&1").c_str()) == 0);
    REQUIRE(std::system(("fst2vcd " + fst + " >" + shell_word(folder.path("back.vcd"))).c_str()) ==
            0);
    check("vcdvcd", folder, folder.path("back.vcd"), known);
}

TEST_CASE("wellen reads the values that the simulator showed from an FST file") {
    const Scratch folder;
    const std::size_t known = run(folder.path("run.fst"), folder.path("expected.csv"));
    check("wellen", folder, folder.path("run.fst"), known);
}

TEST_CASE("GTKWave's converter reads them from an FST file") {
    const Scratch folder;
    const std::size_t known = run(folder.path("run.fst"), folder.path("expected.csv"));
    if (std::system("command -v fst2vcd >/dev/null") != 0) {
        MESSAGE("skipped: no fst2vcd");
        return;
    }
    const std::string fst = shell_word(folder.path("run.fst"));
    REQUIRE(std::system(("fst2vcd " + fst + " >" + shell_word(folder.path("back.vcd"))).c_str()) ==
            0);
    check("vcdvcd", folder, folder.path("back.vcd"), known);
}
