// SPDX-License-Identifier: Apache-2.0
//
// Tests "sme view --live" with a fake viewer that reads the shared memory as GTKWave does;
// gtkwave_live_test.cpp uses the real one.
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>

#include "../command.hpp"
#include "../running.hpp"

using namespace sme;
using test::Command;
using test::contains;
using test::Running;
using test::Scratch;
using test::text_of;

namespace {

/// Records its arguments, reads the shared memory until the text ends with the content of the file
/// 'last', and saves the text in 'read'.
constexpr const char* reader = R"(#!/usr/bin/env python3
import ctypes, sys, time
open("arguments", "w").write(" ".join(sys.argv[1:]))
script = open(sys.argv[5]).read()
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
size = 1 << 20
ring = (ctypes.c_ubyte * size).from_address(libc.shmat(int(sys.argv[2], 16), None, 0))
def take(at, count):
    at %= size
    return bytes(ring[at:at + count]) + bytes(ring[:max(0, at + count - size)])
at, text, last = 0, b"", open("last", "rb").read()
while not text.endswith(last):
    if ring[at % size] == 0:
        time.sleep(0.001)
        continue
    count = int.from_bytes(take(at + 1, 4), "big")
    block = take(at + 5, count)
    assert count < 32768 and block.endswith(b"\n")
    assert b"$enddefinitions" not in block[:-21] # what is behind it would wait for more
    ring[at % size] = 0
    text += block
    at += 5 + count
open("read", "wb").write(text)
assert "setWindowStartTime" in script
)";

struct Live : Scratch {
    explicit Live(const std::string& viewer) {
        write("n.yaml", "network: n\nbuses:\n  x: u32\nprocesses:\n  p:\n    out: x\n"
                        "    step: {x: x * 1664525 + 1013904223}\n");
        std::filesystem::create_directory(path("bin"));
        write("bin/gtkwave", viewer);
        std::filesystem::permissions(path("bin/gtkwave"), std::filesystem::perms::owner_all);
    }
    std::string by() const { return "env DISPLAY=:9 PATH=" + path("bin") + ":/usr/bin:/bin "; }
    Command view(const std::string& options) const {
        return test::run_in(*this, by() + SME_COMMAND " view --live n.yaml " + options);
    }
};

std::string stand_in(const std::string& lines) {
    return "#!/bin/sh\n" + lines + "\n";
}

} // namespace

TEST_CASE(
    "a live viewer gets the whole trace through the shared memory, and the trace is the same") {
    const Live folder{reader};
    REQUIRE(test::sme_in(folder, "run n.yaml --cycles 40000 --trace plain.vcd").exit_code == 0);
    const std::string plain = text_of(folder.path("plain.vcd"));
    REQUIRE(plain.size() > (std::size_t{1} << 20)); // the ring wraps around
    folder.write("last", plain.substr(plain.size() - 20));
    const Command live = folder.view("--cycles 40000");
    CHECK_MESSAGE(live.exit_code == 0, live.err);
    CHECK(live.out == "  wrote        n.gtkw\nn: 40000 cycles of 1 process, 1 bus\n");
    CHECK(text_of(folder.path("n.vcd")) == plain);
    CHECK(text_of(folder.path("read")) == plain);
    const std::string arguments = text_of(folder.path("arguments"));
    CHECK(arguments.starts_with("-I "));
    CHECK(contains(arguments, " n.gtkw -R /proc/"));
    CHECK(contains(text_of(folder.path("n.gtkw")), "[timestart] 0\n"));
}

TEST_CASE("a live viewer that ends, fails or does not read changes nothing of the run") {
    for (const auto& each : {std::pair{"exit 0", 0}, {"exit 7", 3}, {"sleep 1", 0}}) {
        const char* const viewer = each.first;
        const int code = each.second;
        CAPTURE(viewer);
        const Live folder{stand_in(viewer)};
        const Command live = folder.view("--cycles 40000");
        CHECK(live.exit_code == code);
        CHECK(contains(live.err, "/gtkwave' ended with 7") == (code == 3));
        CHECK(contains(live.out, "n: 40000 cycles of 1 process, 1 bus\n"));
        CHECK(contains(text_of(folder.path("n.vcd")), "\n#400000\n"));
    }
}

TEST_CASE("a signal ends the run, and then the live viewer") {
    for (const int number : {SIGTERM, SIGINT}) {
        CAPTURE(number);
        const Live folder{stand_in("echo $$ >number; exec sleep 100")};
        Running run{"view --live n.yaml --cycles 100", folder.path(), folder.by()};
        REQUIRE(run.runs_until([&] { return contains(run.out(), "100 cycles"); }));
        REQUIRE(run.runs_until([&] { return contains(text_of(folder.path("number")), "\n"); }));
        run.signal(number);
        CHECK(run.wait() == 128 + number);
        CHECK_FALSE(test::is_alive(std::stoi(text_of(folder.path("number")))));
        CHECK(std::filesystem::exists(folder.path("n.vcd")));
    }
}

TEST_CASE("Ctrl-C ends a run whose live viewer stays") {
    const Live folder{stand_in("echo $$ >number; while [ ! -e close ]; do sleep 0.01; done")};
    Running run{"view --live n.yaml --cycles 4611686018427387904 --trace-select none,x",
                folder.path(), folder.by()};
    REQUIRE(run.runs_until([&] { return contains(text_of(folder.path("number")), "\n"); }));
    run.signal(SIGINT);
    REQUIRE(run.runs_until([&] { return contains(run.out(), " of 1 process"); }));
    CHECK(test::is_alive(std::stoi(text_of(folder.path("number")))));
    folder.write("close", "");
    CHECK(run.wait() == 128 + SIGINT);
}

TEST_CASE("what cannot be shown live is said before the run") {
    const Live folder{reader};
    CHECK(contains(folder.view("--cycles 9 --trace n.fst").err, "give --trace FILE.vcd"));
    CHECK(contains(folder.view("--cycles 9 --no-open").err, "which '--no-open' does not"));
    CHECK(contains(folder.view("--cycles 9 --surfer").err, "which '--surfer' does not"));
    CHECK(contains(folder.view("--cycles 9 --trace /dev/stdout").err, "FILE.vcd"));
    folder.write("t.vcd", "$var wire 1 ! a $end $enddefinitions $end\n#0\n1!\n");
    CHECK(contains(test::sme_in(folder, "view --live t.vcd").err, "give a network"));
    std::filesystem::remove(folder.path("bin/gtkwave"));
    const Command missing =
        test::run_in(folder, "env DISPLAY=:9 PATH=" + folder.path("bin") +
                                 " " SME_COMMAND " view --live n.yaml --cycles 9");
    CHECK(missing.exit_code == 3);
    CHECK(contains(missing.err, "apt-get install gtkwave"));
    CHECK_FALSE(std::filesystem::exists(folder.path("n.vcd")));
}
