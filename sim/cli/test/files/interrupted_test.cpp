// SPDX-License-Identifier: Apache-2.0
//
// Tests interrupted runs: SIGINT and SIGTERM end them in good order with complete files; SIGKILL
// leaves no partial file under a final name.
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "../outputs.hpp"
#include "../running.hpp"

namespace {

using namespace sme::test;
namespace fs = std::filesystem;

constexpr std::uintmax_t some_bytes = 10'000;  // two threads on a busy machine are slow
constexpr std::uintmax_t many_bytes = 300'000; // more than a buffer

/// Waits until the network runs and its trace grows.
bool is_under_way(Running& run, const Scratch& folder, std::uintmax_t bytes = some_bytes) {
    return run.runs_until([&] {
        return size_of(folder.path("run.vcd.part")) > bytes &&
               fs::exists(folder.path("output.csv.part"));
    });
}

/// Reads the number before a word in a text.
std::uint64_t number_before(const std::string& text, const std::string& word) {
    const std::size_t end = text.find(word);
    if (end == std::string::npos)
        return 0;
    const std::size_t begin = text.find_last_not_of("0123456789", end - 1) + 1;
    return std::stoull("0" + text.substr(begin, end - begin));
}

void check_all_whole(const Scratch& folder) {
    for (const Output& output : outputs) {
        CAPTURE(output.file);
        check_whole(output, folder.path(output.file));
    }
    CHECK(parts_in(folder.path()).empty());
}

} // namespace

TEST_CASE("a signal ends a run after the cycle, and every file is whole") {
    for (const char* model : {"life", "ripple", "riscv"})
        for (const int number : {SIGINT, SIGTERM}) {
            CAPTURE(model);
            CAPTURE(number);
            const EndlessModel folder{model};
            const bool judged = number == SIGTERM; // also with --validate
            Running run{folder.run() + all_options() + (judged ? " --validate" : " --threads 2"),
                        folder.path()};
            REQUIRE_MESSAGE(is_under_way(run, folder), run.err());
            run.signal(number);
            CHECK(run.wait() == 128 + number);
            CHECK(contains(run.out(), ", interrupted\n"));
            check_all_whole(folder);
            const std::uint64_t cycles = number_before(run.out(), " cycles of");
            CHECK(contains(text_of(folder.path("results.json")),
                           "\"cycles\": " + std::to_string(cycles) +
                               ",\n  \"ending\": \"interrupted\""));
            CHECK(contains(text_of(folder.path("junit.xml")), "errors=\"1\""));
            // all cycles are traced: a clock rises and falls in each; the end has its own time
            CHECK(times_in(text_of(folder.path("run.vcd"))) == 2 * cycles + 1);
        }
}

TEST_CASE("a signal ends a run with its last cycles kept, whole") {
    const EndlessModel folder{"life"};
    Running run{folder.run() + " --trace run.vcd --keep-last 1000", folder.path()};
    REQUIRE(run.runs_until([&] { return size_of(folder.path("output.csv.part")) > some_bytes; }));
    run.signal(SIGINT);
    CHECK(run.wait() == 130);
    CHECK(contains(run.out(), "  kept         run.vcd: cycles "));
    check_whole(outputs[0], folder.path("run.vcd"));
    CHECK(times_in(text_of(folder.path("run.vcd"))) == 2001);
    check_csv(folder.path("output.csv"));
    CHECK(parts_in(folder.path()).empty());
}

TEST_CASE("a signal ends the run of 'sme view', with its trace and the file for the viewer") {
    const EndlessModel folder{"life"};
    Running run{"view network.yaml --no-open -o run.gtkw --cycles 4611686018427387904",
                folder.path()};
    REQUIRE(is_under_way(run, folder));
    run.signal(SIGTERM);
    CHECK(run.wait() == 143);
    check_whole(outputs[0], folder.path("run.vcd"));
    CHECK(contains(text_of(folder.path("run.gtkw")), "[dumpfile] \"run.vcd\"\n"));
    CHECK(parts_in(folder.path()).empty());
    // its first line holds a digest of the rest; without it, another run would not replace the file
    const Command again{"view --no-open " + folder.path("run.vcd")};
    CHECK(again.exit_code == 0);
    CHECK(again.err == "");
}

TEST_CASE("a signal while 'sme verilog' runs the network leaves nothing") {
    const EndlessModel folder{"life"};
    Running run{"verilog network.yaml -o written --cycles 40000000", folder.path()};
    constexpr std::uint64_t many_pages = 4'000; // 2,500 loaded; the run keeps bus values
    REQUIRE(run.runs_until([&] { return run.pages() > many_pages; }));
    CHECK(parts_in(folder.path()).empty());
    run.signal(SIGINT);
    CHECK(run.wait() == 130);
    CHECK_FALSE(fs::exists(folder.path("written")));
    CHECK_FALSE(fs::exists(folder.path("output.csv")));
    CHECK(parts_in(folder.path()).empty());
}

TEST_CASE(
    "a signal while 'sme verilog' writes ends it when all is written; a kill leaves no list") {
    const EndlessModel folder{"life"};
    const std::string files = folder.path("written/files.f");
    const auto writes = [&](Running& run) {
        return run.runs_until([&] { return fs::exists(folder.path("written/values")); });
    };
    const std::string command = "verilog network.yaml -o written --cycles 20000";
    Running run{command, folder.path()};
    REQUIRE(writes(run));
    run.signal(SIGTERM);
    const int code = run.wait(); // it may already have completed
    CHECK((code == 143 || code == 0));
    CHECK(fs::exists(files));
    CHECK(fs::exists(folder.path("written/life_bench.v")));
    CHECK(parts_in(folder.path()).empty());

    // into the existing folder: removes its list first and writes it last
    Running killed{command, folder.path()};
    if (killed.runs_until([&] { return !fs::exists(files); })) {
        killed.signal(SIGKILL);
        if (killed.wait() == 137)
            CHECK_FALSE(fs::exists(files));
    }
    const Command again{"verilog " + folder.path("network.yaml") + " --cycles 20 -o " +
                        folder.path("written")};
    CHECK(again.exit_code == 0);
    CHECK(fs::exists(files));
    CHECK(parts_in(folder.path("written")).empty());
    if (is_there("iverilog"))
        CHECK(Command{"cd " + folder.path("written") +
                          " && iverilog -g2005 -o b $(cat files.f) life_bench.v && vvp -n b",
                      Command::any_program}
                  .out.find("PASS") != std::string::npos);
}

TEST_CASE("a signal to 'sme graph' leaves a whole picture or none") {
    const Scratch folder;
    std::string text = "network: wide\nbuses:\n";
    for (int k = 0; k < 3000; ++k)
        text += "  b" + std::to_string(k) + ": u8\n";
    text += "processes:\n";
    for (int k = 0; k < 3000; ++k)
        text += "  p" + std::to_string(k) + ": {out: b" + std::to_string(k) + ", step: {b" +
                std::to_string(k) + ": 1}}\n";
    folder.write("network.yaml", text);
    const Command whole{"graph " + folder.path("network.yaml") + " -o " + folder.path("whole.dot")};
    CHECK(whole.exit_code == 0);
    Running run{"graph network.yaml -o picture.dot", folder.path()};
    CHECK(run.runs_until([&] { return contains(run.err(), "warning"); }));
    run.signal(SIGINT);
    const int code = run.wait();
    CHECK((code == 130 || code == 0));
    CHECK(parts_in(folder.path()).empty());
    if (fs::exists(folder.path("picture.dot")))
        CHECK(text_of(folder.path("picture.dot")) == text_of(folder.path("whole.dot")));
}

TEST_CASE("a killed run leaves nothing under a final name, and the next run starts over it") {
    for (const char* model : {"life", "ripple", "riscv"}) {
        CAPTURE(model);
        const EndlessModel folder{model};
        Running run{folder.run() + all_options(), folder.path()};
        REQUIRE_MESSAGE(is_under_way(run, folder, many_bytes), run.err());
        run.signal(SIGKILL);
        CHECK(run.wait() == 137);
        for (const Output& output : outputs) {
            CAPTURE(output.file);
            if (output.appears != Output::replaced)
                CHECK_FALSE(fs::exists(folder.path(output.file)));
        }
        const std::string part = folder.path("run.vcd.part");
        CHECK(times_in(text_of(part)) > 100);
        check_vcd(part, true);
        for (const Output& output : outputs)
            if (fs::exists(folder.path(output.file)))
                check_whole(output, folder.path(output.file));

        Running next{folder.run("1000") + all_options(), folder.path()};
        CHECK(next.wait() == 0);
        check_all_whole(folder);
        CHECK(times_in(text_of(folder.path("run.vcd"))) == 2001);
    }
}

TEST_CASE("a trace can be opened from its first byte on, and what is slow to come is there, too") {
    const Scratch folder;
    folder.write("network.yaml", R"(network: slow
buses:
  x: u32
  y[200000]: u64
processes:
  p:
    out: x
    step:
      x: x + 1
  q[k < 200000]:
    out: {y: "y[k]"}
    step:
      y: (u64(k) * 77) % 1000 / 3
)");
    Running run{"run network.yaml --cycles 4611686018427387904 --trace run.vcd --trace-select x "
                "--threads 1 --engine interpreted",
                folder.path()};
    const std::string part = folder.path("run.vcd.part");
    REQUIRE(run.runs_until([&] { return size_of(part) > 0; }));
    fs::copy_file(part, folder.path("early.vcd"));
    check_vcd(folder.path("early.vcd"), true);
    // a buffer of normal size would take a quarter of an hour to fill
    REQUIRE(run.runs_until([&] { return times_in(text_of(part)) > 2; }));
    run.signal(SIGKILL);
    CHECK(run.wait() == 137);
    CHECK(size_of(part) < 200'000);
    check_vcd(part, true);
}
