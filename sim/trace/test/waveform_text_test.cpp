// SPDX-License-Identifier: Apache-2.0
//
// Compares waveforms as text with pictures drawn by hand.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "sme/type.hpp"
#include "trace/waveform/waveform.hpp"

using sme::Type;
using sme::TypeRef;
using sme::trace::Changes;
using sme::trace::Signal;
using sme::trace::Waveform;
using sme::trace::WaveformLook;

namespace {

constexpr std::int64_t unknown = -99;

/// A value, and the cycle from which it holds.
using At = std::pair<std::uint64_t, std::int64_t>;

Signal signal(std::string name, TypeRef type, const std::vector<At>& changes) {
    Signal result{std::move(name), std::move(type), false, false, 0, Changes{1}};
    for (const auto& [cycle, value] : changes) {
        const auto word = static_cast<std::uint64_t>(value);
        if (value == unknown)
            result.changes.add_unknown(cycle);
        else
            result.changes.add(cycle, {&word, 1});
    }
    return result;
}

Waveform waveform(std::vector<Signal> signals, std::uint64_t from, std::uint64_t to) {
    Waveform result;
    result.signals = std::move(signals);
    result.window = {from, to};
    return result;
}

} // namespace

TEST_CASE("a waveform as text has levels, values in cells, and groups") {
    const TypeRef bit = Type::boolean();
    const TypeRef mode = Type::enumeration("Mode", 1, {{"idle", 0}, {"on", 1}});
    const Waveform result =
        waveform({signal("a.ready", bit, {{0, 1}}),
                  signal("a.data", Type::unsigned_integer(8), {{0, 0}, {2, 7}, {3, 200}}),
                  signal("a.valid", bit, {{0, 0}, {2, 1}, {4, 0}}),
                  signal("b.maybe", bit, {{0, unknown}, {2, 1}, {3, unknown}}),
                  signal("mode", mode, {{0, 0}, {3, 1}}),
                  signal("low", Type::signed_integer(8), {{0, -2}, {4, unknown}})},
                 0, 5);
    CHECK(waveform_text(result, {}) == "cycle    0   1   2   3   4\n"
                                       "a\n"
                                       "  valid  ▁▁▁▁▁▁▁▁╱▔▔▔▔▔▔▔╲▁▁▁\n"
                                       "  data   │ 0     │ 7 │ 200\n"
                                       "  ready  ▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔\n"
                                       "b.maybe  xxxxxxxx│▔▔▔│xxxxxxx\n"
                                       "mode     │ idle      │ on\n"
                                       "low      │ -2            │ x\n");
    WaveformLook look;
    look.ascii = true;
    look.marks = {{"failed", 3}};
    CHECK(waveform_text(result, look) == "cycle    0   1   2   3   4\n"
                                         "failed               ^\n"
                                         "a\n"
                                         "  valid  ________/~~~~~~~\\___\n"
                                         "  data   | 0     | 7 | 200\n"
                                         "  ready  ~~~~~~~~~~~~~~~~~~~~\n"
                                         "b.maybe  xxxxxxxx|~~~|xxxxxxx\n"
                                         "mode     | idle      | on\n"
                                         "low      | -2            | x\n");
}

TEST_CASE("a waveform that is wider than a line is cut into several, with what still holds") {
    const Waveform result =
        waveform({signal("count", Type::unsigned_integer(8), {{8, 1}, {11, 22}, {12, 3}})}, 8, 14);
    WaveformLook look;
    look.columns = 30; // 7 for the names, 23 for four cycles of 5
    CHECK(waveform_text(result, look) == "cycle  8    9    10   11\n"
                                         "count  │ 1            │ 22\n"
                                         "\n"
                                         "cycle  12   13\n"
                                         "count  │ 3\n");
    look.columns = 24; // 17: a value may use the space of cycles that do not fit
    CHECK(waveform_text(result, look) == "cycle  8   9   10  11\n"
                                         "count  │ 1         │22\n"
                                         "\n"
                                         "cycle  12  13\n"
                                         "count  │ 3\n");
    const Waveform later =
        waveform({signal("count", Type::unsigned_integer(8), {{8, 1}, {13, 2}})}, 8, 14);
    look.columns = 23; // 16: four cycles of 4
    CHECK(waveform_text(later, look) == "cycle  8   9   10  11\n"
                                        "count  │ 1\n"
                                        "\n"
                                        "cycle  12  13\n"
                                        "count    1 │ 2\n");
}

TEST_CASE("a long value is cut, and so is a long name, whose end is kept") {
    const Waveform result =
        waveform({signal("processor.fetched_instruction", Type::unsigned_integer(64),
                         {{0, 0x1234567890abcdef}})},
                 0, 1);
    WaveformLook look;
    look.columns = 30;
    CHECK(waveform_text(result, look) == "cycle         0\n"
                                         "…instruction  │0x…\n");
}

TEST_CASE("values are decimal up to 16 bits, hexadecimal above, and signed ones decimal") {
    const auto shown = [](TypeRef type, std::int64_t value) {
        return sme::trace::shown_value(signal("x", std::move(type), {{0, value}}), 0);
    };
    CHECK(shown(Type::unsigned_integer(16), 65535) == "65535");
    CHECK(shown(Type::unsigned_integer(17), 65535) == "0xffff");
    CHECK(shown(Type::unsigned_integer(64), 0) == "0x0");
    CHECK(shown(Type::signed_integer(40), -7) == "-7");
    Signal wide{"x", Type::unsigned_integer(130), false, false, 0, Changes{3}};
    const std::vector<std::uint64_t> words{0xabc, 0x1, 0x0};
    wide.changes.add(0, words);
    CHECK(sme::trace::shown_value(wide, 0) == "0x10000000000000abc");
}

TEST_CASE("numbers of cycles stand where there is room for them") {
    const Waveform result = waveform({signal("x", Type::boolean(), {{98, 0}, {100, 1}})}, 98, 106);
    CHECK(waveform_text(result, {}) == "cycle      100       105\n"
                                       "x      ▁▁▁▁╱▔▔▔▔▔▔▔▔▔▔▔\n");
}
