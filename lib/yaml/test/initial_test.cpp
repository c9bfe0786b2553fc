// SPDX-License-Identifier: Apache-2.0
//
// Initial values that use the indices of a family: formulas must give the values and diagnostics of
// the elaborator. Formulas do not support u65, so networks that differ only in u64 and u65 are
// loaded in both ways.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "engine/feeder.hpp"
#include "interpret/block/program_group.hpp"
#include "yaml/design.hpp"

using namespace sme;

namespace {

struct Loaded {
    std::optional<yaml::Design> design;
    std::string said;
};

Loaded load(const std::string& text, std::uint64_t work) {
    const yaml::GroupFactories kinds{interpret::program_factory, engine::feeder, {}, {}};
    yaml::LoadOptions options;
    options.work = work;
    Diagnostics diagnostics;
    Loaded result;
    result.design =
        yaml::load(std::make_shared<Source>("test.yaml", text), options, kinds, diagnostics);
    result.said = render(diagnostics);
    return result;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
        text.replace(at, from.size(), to);
    return text;
}

/// Returns a network with one family of buses, and one of processes with a state, with that initial
/// value.
std::string network(const std::string& value, const std::string& where = "true") {
    return fmt::format(R"(network: starts
constants:
  seldom: u8 = 9
  never: u8 = 3
  board: u8[12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
buses:
  cell[-2 <= x < 4, y < 2]: hold u8 = {}
processes:
  watch[-2 <= x < 4, y < 2]:
    where: {}
    in: {{now: "cell[x, y]"}}
    state:
      seen: u8 = {}
    step:
      seen: now
)",
                       value, where, value);
}

constexpr std::uint64_t enough = 1'000'000'000;

/// Loads in both ways; returns the diagnostics, and stores the values of the buses in `bytes`.
std::string both(const std::string& text, std::uint64_t work, std::string* bytes = nullptr) {
    CAPTURE(text);
    CAPTURE(work);
    const Loaded fast = load(text, work);
    const Loaded slow = load(replaced(text, "u64", "u65"), work);
    CHECK(fast.said == replaced(slow.said, "u65", "u64"));
    REQUIRE(fast.design.has_value() == slow.design.has_value());
    if (!fast.design)
        return fast.said;
    REQUIRE(fast.design->graph.buses.size() == slow.design->graph.buses.size());
    for (std::size_t b = 0; b < fast.design->graph.buses.size(); ++b)
        CHECK(fast.design->graph.buses[b].initial == slow.design->graph.buses[b].initial);
    if (bytes)
        for (const std::byte value : fast.design->graph.buses[0].initial)
            *bytes += fmt::format("{} ", std::to_integer<int>(value));
    return fast.said;
}

} // namespace

TEST_CASE("each member of a family begins with the value for its own indices") {
    std::string bytes;
    CHECK(both(network("board[(x + 2) * 2 + y] + u8(u64(0))"), enough, &bytes).find("error") ==
          std::string::npos);
    CHECK(bytes == "3 1 4 1 5 9 2 6 5 3 5 8 ");
    bytes.clear();
    both(network("u8(u64(10 * x + y))", "(x + y) % 2 != 0"), enough, &bytes);
    CHECK(bytes == "236 237 246 247 0 1 10 11 20 21 30 31 ");
    bytes.clear();
    both(network("if x < 0 then seldom elif x > 0 and y == 1 and 8 / x > 3 then "
                 "u8(u64(8)) / u8(x) else u8(1)"),
         enough, &bytes);
    CHECK(bytes == "9 9 9 9 1 1 1 8 1 4 1 1 ");
}

TEST_CASE("a name counts as used when one member needs it") {
    const std::string said = both(
        network("if x == 3 and y == 1 then seldom elif x > 3 then never else u8(u64(2))"), enough);
    CHECK(said.find("'never'") != std::string::npos);
    CHECK(said.find("'seldom'") == std::string::npos);
    CHECK(said.find("'board'") != std::string::npos);
}

TEST_CASE("what is wrong with the value of one member is reported as it ever was") {
    struct Row {
        const char* value;
        const char* said;
    };
    for (const Row& row : {
             Row{"x * 100 + 200 + (if u64(1) == 1 then 0 else 1)",
                 "test.yaml:7:39: error: 'cell' is u8, and 300 does not fit it (0 to 255)"},
             {"u8(8) / u8(2 - x) + u8(u64(0))",
              "test.yaml:7:39: error: an initial value is known before"},
             {"u8(6 / x) + u8(u64(0))", "test.yaml:7:42: error: 6 / 0 divides by zero"},
             {"board[u8(x + 2 + u64(8) + u64(y))]", "test.yaml:7:39: error: "},
             {"board[x + 10] + u8(u64(0))",
              "test.yaml:7:45: error: the index is 12, but must be 0 to 11"},
             {"u8(u64(1) << x)", "test.yaml:7:52: error: a shift count is not negative"},
             {"nowhere[x] + u8(u64(0))", "test.yaml:7:39: error: nothing is named 'nowhere'"},
             {"u64(x)", "test.yaml:7:39: error: 'cell' is u8, but this expression is u64"},
         }) {
        const std::string said = both(network(row.value), enough);
        CAPTURE(said);
        CHECK(said.find(row.said) != std::string::npos);
    }
}

TEST_CASE("values that formulas find count as work like all others") {
    const std::string text =
        network("board[(x + 2) * 2 + y] + (if x > 0 and y == 1 then u8(u64(x)) else u8(0))");
    std::uint64_t least = 0, most = enough; // loads with `most`, not with `least`
    while (most - least > 1) {
        const std::uint64_t middle = least + (most - least) / 2;
        (load(text, middle).design ? most : least) = middle;
    }
    CHECK(both(text, most) == both(text, enough));
    CHECK(both(text, least).find("[too-large]") != std::string::npos);
    const std::uint64_t step = most / 400 + 1;
    for (std::uint64_t work = 0; work < most; work += step)
        both(text, work);
}
