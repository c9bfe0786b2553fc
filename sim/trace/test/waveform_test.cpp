// SPDX-License-Identifier: Apache-2.0
//
// Tests waveforms in memory: small ones by hand, random ones against a CSV trace of the same run.
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <sstream>

#include "trace/tracer.hpp"
#include "trace/waveform/recorder.hpp"
#include "trace_test.hpp"

using sme::Type;
using sme::trace::RecorderOptions;
using sme::trace::Waveform;
using sme::trace::WaveformRecorder;
using trace_test::Buses;
using trace_test::Scratch;
using trace_test::text_of;

namespace {

/// Formats each change as "cycle=value".
std::string changes_of(const sme::trace::Signal& signal) {
    std::string result;
    for (std::size_t k = 0; k < signal.changes.size(); ++k)
        result +=
            (k > 0 ? " " : "") + std::to_string(signal.changes.cycle(k)) + "=" + signal.text(k);
    return result;
}

Buses one_byte(const std::string& name) {
    Buses buses{"n"};
    buses.add(name, Type::unsigned_integer(8));
    buses.lay_out();
    return buses;
}

/// Records a counter that starts at 0, for `cycles` cycles.
Waveform counted(RecorderOptions options, std::uint8_t cycles) {
    Buses buses = one_byte("x");
    WaveformRecorder recorder{std::move(options)};
    recorder.open(buses);
    for (std::uint8_t cycle = 0; cycle <= cycles; ++cycle) {
        buses.set<std::uint8_t>(0, 0, 0, cycle);
        recorder.step(0, {0, 1}, buses.frame(cycle, cycle < cycles));
    }
    recorder.close(cycles);
    CHECK(recorder.problem() == "");
    return recorder.waveform();
}

Buses random_buses() {
    Buses buses{"n"};
    const auto pair = Type::structure(
        "Pair", {{"flag", Type::boolean()}, {"word", Type::array(Type::signed_integer(13), 2)}});
    buses.add("wire", Type::unsigned_integer(8)).delay = 0;
    buses.add("maybe", Type::unsigned_integer(100)).unwritten = sme::Unwritten::error;
    buses.add("stage.pair", pair, {{1, 3, "k"}});
    buses.add("mode", Type::enumeration("Mode", 2, {{"idle", 0}, {"busy", 2}}));
    buses.add("core.count", Type::unsigned_integer(8)).state = true;
    buses.lay_out();
    return buses;
}

/// Changes some values, including the states of `error` buses.
void change(Buses& buses, std::mt19937& random) {
    const auto sometimes = [&] { return random() % 3 == 0; };
    if (sometimes())
        buses.set<std::uint8_t>(0, 0, 0, static_cast<std::uint8_t>(random()));
    if (sometimes()) {
        buses.set<std::uint64_t>(1, 0, 0, random());
        buses.set<std::uint64_t>(1, 0, 8, random());
        buses.set<std::uint8_t>(1, 0, 16, random() % 2);
    }
    for (std::size_t k = 0; k < 3; ++k)
        if (sometimes()) {
            buses.set<std::uint8_t>(2, k, 0, random() % 2);
            buses.set<std::int16_t>(2, k, 4, static_cast<std::int16_t>(random() % 8192) - 4096);
        }
    if (sometimes())
        buses.set<std::uint8_t>(3, 0, 0, random() % 4);
    buses.set<std::uint8_t>(4, 0, 0, static_cast<std::uint8_t>(random() % 2));
}

/// Formats the waveform as a CSV trace of its window.
std::string csv_of(const Waveform& waveform) {
    std::string result = "cycle";
    for (const auto& signal : waveform.signals)
        result += "," + signal.name;
    for (std::uint64_t cycle = waveform.window.from; cycle < waveform.window.to; ++cycle) {
        result += "\n" + std::to_string(cycle);
        for (const auto& signal : waveform.signals) {
            const std::size_t k = signal.changes.at(cycle);
            result += "," + (signal.changes.is_known(k) ? signal.text(k) : "");
        }
    }
    return result + "\n";
}

} // namespace

TEST_CASE("a waveform has the name, the type and the changes of each signal") {
    Buses buses{"n"};
    buses.add("stage",
              Type::structure("S", {{"on", Type::boolean()}, {"at", Type::unsigned_integer(70)}}),
              {{0, 2, "k"}});
    buses.add("w", Type::signed_integer(5)).delay = 0;
    buses.lay_out();
    WaveformRecorder recorder{{.select = "stage[1],w"}};
    recorder.open(buses);
    buses.set<std::uint64_t>(0, 1, 8, 5);
    recorder.step(0, {0, 1}, buses.frame(0));
    buses.set<std::uint64_t>(0, 1, 16, 1);
    buses.set<std::int8_t>(1, 0, 0, -3);
    recorder.step(0, {0, 1}, buses.frame(1));
    recorder.close(2);
    const Waveform& result = recorder.waveform();
    REQUIRE(result.signals.size() == 3);
    CHECK(result.signals[0].name == "stage[1].on");
    CHECK(result.signals[0].path() == std::vector<std::string_view>{"stage[1]", "on"});
    CHECK(changes_of(result.signals[0]) == "0=0");
    CHECK(result.signals[1].type->width_bits() == 70);
    CHECK(result.signals[1].changes.value(1)[0] == 5);
    CHECK(result.signals[1].changes.value(1)[1] == 1);
    CHECK(changes_of(result.signals[1]) == "0=0x000000000000000005 1=0x010000000000000005");
    CHECK(result.signals[2].wire);
    CHECK(changes_of(result.signals[2]) == "0=0 1=-3");
    CHECK(result.changes() == 5);
    CHECK(result.window.to == 2);
}

TEST_CASE("a waveform holds the cycles of its window only, with all values at its start") {
    const Waveform result = counted({.window = {3, 6}}, 10);
    CHECK(result.window.from == 3);
    CHECK(result.window.to == 6);
    CHECK(result.cycles == 10);
    CHECK(changes_of(result.signals[0]) == "3=3 4=4 5=5");
    CHECK(result.signals[0].changes.at(2) == sme::trace::Changes::none);
    CHECK(result.signals[0].changes.at(4) == 1);
    CHECK(result.signals[0].changes.at(9) == 2);
    CHECK(counted({.window = {20, 30}}, 10).window.to == 0);
    CHECK(counted({}, 3).window.to == 4); // includes the cycle after the last
}

TEST_CASE("a waveform of the last cycles begins with the values that hold there") {
    CHECK(changes_of(counted({.last = 3}, 10).signals[0]) == "7=7 8=8 9=9 10=10");
    const Waveform result = counted({.last = 30}, 10);
    CHECK(result.window.from == 0);
    CHECK(result.window.to == 11);
    CHECK(result.signals[0].changes.size() == 11);
}

TEST_CASE("a waveform has as many signals and changes as fit the memory, and says what it lacks") {
    const Waveform cut = counted({.max_bytes = 2000}, 250);
    CHECK(cut.cut_short);
    CHECK(cut.signals_left_out == 0);
    CHECK(cut.window.to > 10);
    CHECK(cut.window.to < 200);
    CHECK(cut.signals[0].changes.size() == cut.window.to); // a change in each cycle

    Buses buses{"n"};
    buses.add("x", Type::boolean(), {{0, 1000, "k"}});
    buses.lay_out();
    WaveformRecorder recorder{{.max_bytes = 20'000}};
    recorder.open(buses);
    recorder.step(0, {0, 1}, buses.frame(0));
    const Waveform& part = recorder.waveform();
    CHECK(part.signals.size() > 20);
    CHECK(part.signals.size() < 300);
    CHECK(part.signals_left_out == 1000 - part.signals.size());
}

TEST_CASE("the clocks of a waveform are that of the network and those of its domains") {
    Buses buses{"n"};
    buses.add_domain("fast", {1, 0});
    buses.add_domain("slow", {4, 1});
    buses.add("x", Type::boolean()).domain = 1;
    buses.add("y", Type::boolean());
    buses.lay_out();
    WaveformRecorder recorder{{}};
    recorder.open(buses);
    const Waveform& result = recorder.waveform();
    REQUIRE(result.clocks.size() == 3);
    CHECK(result.clocks[0].name == "clock");
    CHECK(result.clocks[0].rate.is_every_cycle());
    CHECK(result.clocks[1].name == "fast");
    CHECK(result.clocks[2].rate == sme::ClockRate{4, 1});
    CHECK(result.signals[0].clock == 2);
    CHECK(result.signals[1].clock == 0);
}

TEST_CASE("a selection that no bus matches is a problem of the recorder") {
    const Buses buses = one_byte("x");
    WaveformRecorder recorder{{.select = "y*"}};
    recorder.open(buses);
    CHECK(recorder.problem() == "no bus matches 'y*'");
}

TEST_CASE("a waveform has the values of a CSV trace of the same run") {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Scratch folder;
        std::mt19937 random{seed};
        Buses buses = random_buses();
        sme::trace::TracerOptions options;
        options.format = &sme::trace::format_of("run.csv");
        options.state = true;
        sme::trace::Tracer tracer{folder.path("run.csv"), options};
        WaveformRecorder recorder{{.state = true}};
        tracer.open(buses);
        recorder.open(buses);
        constexpr std::uint64_t cycles = 50;
        for (std::uint64_t cycle = 0; cycle <= cycles; ++cycle) {
            change(buses, random);
            tracer.step(0, {0, 1}, buses.frame(cycle, cycle < cycles));
            recorder.step(0, {0, 1}, buses.frame(cycle, cycle < cycles));
        }
        tracer.close(cycles);
        recorder.close(cycles);
        CHECK(csv_of(recorder.waveform()) == text_of(folder.path("run.csv")));
    }
}

TEST_CASE("a recorder that keeps the end forgets the first cycles") {
    RecorderOptions options;
    options.keeps_end = true;
    options.max_bytes = 1024;
    const Waveform waveform = counted(options, 200);
    CHECK_FALSE(waveform.cut_short);
    CHECK(waveform.window.to == 201);
    CHECK(waveform.forgotten == waveform.window.from);
    const sme::trace::Changes& changes = waveform.signals.at(0).changes;
    // a change takes at least 16 bytes; after dropping half, the changes fill a quarter of the
    // memory
    CHECK(changes.size() <= 64);
    REQUIRE(changes.size() >= 10);
    CHECK(waveform.window.from == 201 - changes.size());
    for (std::size_t k = 0; k < changes.size(); ++k) {
        CHECK(changes.cycle(k) == waveform.window.from + k);
        CHECK(waveform.signals[0].text(k) == std::to_string(waveform.window.from + k));
    }
}

TEST_CASE("what holds where the kept cycles begin is a change there") {
    sme::trace::Changes changes{1};
    for (const std::uint64_t cycle : {0u, 10u, 30u})
        changes.add(cycle, std::array<std::uint64_t, 1>{cycle + 1});
    changes.add_unknown(50);
    changes.forget_before(20);
    REQUIRE(changes.size() == 3);
    CHECK(changes.cycle(0) == 20);
    CHECK(changes.value(0)[0] == 11);
    CHECK(changes.cycle(1) == 30);
    changes.forget_before(60);
    REQUIRE(changes.size() == 1);
    CHECK(changes.cycle(0) == 60);
    CHECK_FALSE(changes.is_known(0));
}
