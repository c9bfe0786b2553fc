// SPDX-License-Identifier: Apache-2.0
//
// Checks and channels of large families are observed in loops over all members. A network with few
// members, each observed by itself, must give the same results.
#include <doctest/doctest.h>

#include <regex>

#include <fmt/format.h>

#include "../command.hpp"

using namespace sme::test;

namespace {

constexpr int few = 200, many = 300; // members: observed each by itself, all at once

const std::vector<std::string> ways{"--engine interpreted", "--engine native",
                                    "--engine native --threads 2",
                                    "--engine interpreted --threads 2 --queue atomic --grain 7"};

/// A family of processes and one of instances, both with checks.
std::string checked_text(int members, const std::string& process_check) {
    return fmt::format(R"(network: f
import: [pair.yaml]
parameters: {{n: {}}}
buses:
  x[2, n / 2]: i8
processes:
  p[r < 2, 10 <= k < 10 + n / 2]:
    out: {{x: "x[r, k - 10]"}}
    state: {{s: u16 = k, small: i5 = -3, flag: bool}}
    step: {{s: s + 1, small: small + 1, flag: s % 2 == 1, x: -i8(small) when k % 2 == 0}}
    checks:
      - always: s == u16(cycle) + k and small >= -3 and (not flag or s % 2 == 0)
      - {}
  c[i < n]:
    use: pair
    in: {{e: "x[i % 2, i / 2]"}}
run: {{cycles: 12}}
)",
                       members, process_check);
}

std::string component_text(const std::string& check) {
    return fmt::format(R"(component: pair
in: {{e: i8}}
buses: {{up: u8, down: u8}}
processes:
  a:
    in: {{d: down, e: e}}
    out: {{u: up}}
    state: {{n: u8}}
    step: {{n: n + 1, u: n + d + u8(e != e)}}
  b:
    in: {{u: up}}
    out: {{d: down}}
    step: {{d: u / 2}}
checks:
  - never: a.n > 20
  - {}
)",
                       check);
}

/// The output without the counts, which depend on the number of members.
std::string without_counts(const std::string& text) {
    static const std::regex counts{"[0-9]+ (instances|times?)"};
    return std::regex_replace(text, counts, "N $1");
}

} // namespace

TEST_CASE("checks of all members at once give the results of each member by itself") {
    struct Case {
        std::string process, component, failed; // and the text of the failure
        bool many_fail = false;                 // then the lists of failures differ
    };
    const std::vector<Case> cases{
        {"after 2: small == -3 + i5(cycle)", "always: up + down < 60", ""},
        {"never: k == 77 and r == 1 and cycle == 5", "always: up + down < 60",
         "'never: k == 77 and r == 1 and cycle == 5' failed in cycle 5 in 'p[1, 77]': 'cycle' is "
         "5 "},
        {"always: k != 70 or r == 1 or small < 2", "always: up + down < 60",
         "failed in cycle 5 in 'p[0, 70]': 'small' is 2 "},
        {"at 4: x == 0 or k % 2 == 1 or r == 0", "always: up + down < 60", ""},
        {"at 4: x != 0 or k != 60 or r == 1", "always: up + down < 60",
         "failed in cycle 4 in 'p[0, 60]': 'x' is 0 "},
        {"always: true", "always: a.n < 9 or up > 200 and down > 0", "failed in cycle 9 in 'c[0]'",
         true},
        {"always: any(i < 300, u16(i) + u16(cycle) == s) and (k != 45 or r == 1)",
         "always: up + down < 60", "failed in cycle 0 in 'p[0, 45]' "},
        {"always: past(s) < s or cycle == 0", "cover: up == 3", ""},
        {"always: x >= -9 and x <= 3 or k > 59", "at 3: down < 9 and e <= 1", ""},
    };
    for (const Case& each : cases) {
        CAPTURE(each.process);
        CAPTURE(each.component);
        std::string first;
        for (const int members : {few, many})
            for (const std::string& way : ways) {
                const bool compiles = way.find("native") != std::string::npos;
                if (compiles && (members == few || (&each - cases.data()) % 3 != 1))
                    continue; // takes a while
                CAPTURE(members);
                CAPTURE(way);
                const Scratch folder;
                folder.write("pair.yaml", component_text(each.component));
                folder.write("network.yaml", checked_text(members, each.process));
                const Command run{fmt::format("run {} {}", folder.path("network.yaml"), way)};
                CHECK(run.exit_code == (each.failed.empty() ? 0 : 1));
                CHECK_MESSAGE(contains(run.err, each.failed), run.err);
                std::string text = run.out + run.err;
                for (std::size_t at = text.find(folder.path("")); at != std::string::npos;
                     at = text.find(folder.path("")))
                    text.erase(at, folder.path("").size());
                text = without_counts(text);
                text.erase(0, text.find('\n')); // the numbers of processes and buses
                if (first.empty())
                    first = text;
                if (!each.many_fail)
                    CHECK(text == first);
            }
    }
}

TEST_CASE("actors end in the same cycle, however many there are") {
    std::string first;
    for (const int members : {few, many, 100'000})
        for (const std::string& way : ways) {
            CAPTURE(members);
            CAPTURE(way);
            const Scratch folder;
            folder.write(
                "network.yaml",
                fmt::format("network: b\nchannels:\n  c[{0}]: u8\n  d[{0}]: depth 0 u8\n"
                            "processes:\n"
                            "  s[k < {0}]:\n    out: {{y: 'c[k]'}}\n    state: {{n: u8}}\n"
                            "    step: {{y: n, n: n + 1}}\n    done: n == 3\n"
                            "  m[k < {0}]:\n    in: {{x: 'c[k]'}}\n    out: {{y: 'd[k]'}}\n"
                            "    step: {{y: x + 1}}\n"
                            "  r[k < {0}]:\n    in: {{x: 'd[k]'}}\n    state: {{m: u8}}\n"
                            "    step: {{m: m + x}}\nrun: {{cycles: 50}}\n",
                            members));
            if (members != many && way.find("native") != std::string::npos)
                continue; // takes a while
            const Command run{fmt::format("run {} {}", folder.path("network.yaml"), way)};
            CHECK(run.exit_code == 0);
            const std::string cycles = run.out.substr(0, run.out.find(" of "));
            if (first.empty())
                first = cycles;
            CHECK(contains(run.out, "halted"));
            CHECK(cycles == first);
        }
}

TEST_CASE("members whose slots lie in many runs are observed") {
    // the even processes run first, then the odd ones
    const auto out = [](int members, const std::string& way) {
        const Scratch folder;
        folder.write("network.yaml",
                     fmt::format("network: n\nbuses:\n  c[2 * {0}]: wire u8\nprocesses:\n"
                                 "  head[k < {0}]:\n    out: {{o: 'c[{0} + k]'}}\n"
                                 "    state: {{q: u8}}\n    step: {{q: q + 1, o: q}}\n"
                                 "  p[k < {0}]:\n"
                                 "    in: {{f: 'c[if k % 2 == 0 then {0} + k else k - 1]'}}\n"
                                 "    out: {{o: 'c[k]'}}\n    state: {{s: u8}}\n"
                                 "    step: {{o: f + 1, s: f}}\n"
                                 "    checks:\n      - never: s == 7 and k == 101\n"
                                 "run: {{cycles: 20}}\n",
                                 members));
        const Command run{fmt::format("run {} {}", folder.path("network.yaml"), way)};
        CHECK(run.exit_code == 1);
        CHECK(contains(run.err, "in 'p[101]': 's' is 7 "));
        const std::string lines = run.out.substr(run.out.find('\n'));
        return without_counts(lines);
    };
    const std::string expected = out(few, "--engine interpreted");
    CHECK(out(many, "--engine interpreted") == expected);
    CHECK(out(6000, "--engine native") == expected);
}
