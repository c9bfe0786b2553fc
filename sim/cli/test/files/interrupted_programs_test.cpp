// SPDX-License-Identifier: Apache-2.0
//
// Tests signals while the command waits for another program, and while a Verilog module hangs: one
// signal ends the command and all programs that it started.
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>

#include "../outputs.hpp"
#include "../running.hpp"

namespace {

using namespace sme::test;
namespace fs = std::filesystem;

constexpr double soon_s = 1; // normally; a busy machine may take 10 times as long

/// True if the process whose number a file holds is running.
bool is_alive_in(const std::string& file) {
    int number = 0;
    return std::istringstream{text_of(file)} >> number && is_alive(number);
}

/// A folder with a program that hangs and has started another, whose number is in 'number'.
class HangingProgram : public Scratch {
public:
    explicit HangingProgram(const std::string& name) {
        fs::create_directory(path("bin"));
        write("bin/" + name, "#!/bin/sh\nsleep 1000 &\necho $! >'" + path("number") + "'\nwait\n");
        fs::permissions(path("bin/" + name), fs::perms::owner_all);
    }
    std::string by() const {
        return "env HOME=" + path() + " TMPDIR=" + path() + " XDG_CACHE_HOME=" + path("cache") +
               " PATH=" + path("bin") + ":$PATH CC=" + path("bin/cc");
    }
    bool runs() const {
        const std::string number = text_of(path("number"));
        return !number.empty() && number.back() == '\n';
    }

    /// Sends one signal while the command waits for the program.
    void check_ended(const std::string& arguments, int number) const {
        CAPTURE(arguments);
        CAPTURE(number);
        Running run{arguments, path(), by()};
        REQUIRE(run.runs_until([&] { return runs(); }));
        const auto begin = std::chrono::steady_clock::now();
        run.signal(number);
        CHECK(run.wait() == 128 + number);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        CHECK(taken.count() < 10 * soon_s);
        CHECK_FALSE(is_alive_in(path("number")));
        for (const auto& left : fs::directory_iterator{path()})
            CHECK_FALSE(contains(left.path().filename().string(), "sme-"));
        fs::remove(path("number"));
    }
};

constexpr const char* count_yaml = R"(network: count
buses:
  n: u32
processes:
  count:
    out: n
    step:
      n: n + 1
)";

constexpr const char* module_yaml = R"(network: loop
buses:
  n: u8
processes:
  loop:
    verilog: {files: loop.v, top: loop}
    out: n
)";

} // namespace

TEST_CASE("a signal ends a C compiler that hangs, with what it started, and the run") {
    const HangingProgram folder{"cc"};
    folder.write("network.yaml", count_yaml);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        folder.check_ended("run network.yaml --cycles 10 --engine native", number);
    folder.check_ended("run network.yaml --cycles 4611686018427387904", SIGTERM);
}

TEST_CASE("a signal ends a run that waits for another one's C compiler") {
    const HangingProgram folder{"cc"};
    folder.write("network.yaml", count_yaml);
    const std::string arguments = "run network.yaml --cycles 10 --engine native";
    Running first{arguments, folder.path(), folder.by()};
    REQUIRE(first.runs_until([&] { return folder.runs(); }));
    Running second{arguments, folder.path(), folder.by()};
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
    second.signal(SIGTERM);
    CHECK(second.wait() == 143);
    first.signal(SIGTERM);
    CHECK(first.wait() == 143);
    CHECK_FALSE(is_alive_in(folder.path("number")));
}

TEST_CASE("a signal ends a Verilator and a C++ compiler that hang") {
    for (const char* name : {"verilator", "c++"}) {
        if (!is_there("verilator"))
            return;
        const HangingProgram folder{name};
        folder.write("network.yaml", module_yaml);
        folder.write("loop.v", "module loop(input clk, output reg [7:0] n);\n"
                               "  always @(posedge clk) n <= n + 1;\nendmodule\n");
        folder.check_ended("run network.yaml --cycles 10", SIGTERM);
        folder.check_ended("run network.yaml --cycles 10", SIGHUP);
        if (std::string{name} == "verilator")
            folder.check_ended("check network.yaml", SIGINT);
    }
}

TEST_CASE("a signal ends Graphviz when it hangs") {
    const HangingProgram folder{"dot"};
    folder.write("network.yaml", count_yaml);
    folder.check_ended("graph network.yaml -o x.svg", SIGTERM);
    CHECK_FALSE(fs::exists(folder.path("x.svg")));
}

TEST_CASE("SIGHUP ends a run in good order, but not one of nohup") {
    const EndlessModel folder{"life"};
    const auto is_under_way = [&] { return size_of(folder.path("output.csv.part")) > 10'000; };
    Running run{folder.run() + " --results results.json", folder.path()};
    REQUIRE(run.runs_until(is_under_way));
    run.signal(SIGHUP);
    CHECK(run.wait() == 129);
    CHECK(contains(run.out(), ", interrupted\n"));
    CHECK(contains(text_of(folder.path("results.json")), "\"ending\": \"interrupted\""));
    CHECK(parts_in(folder.path()).empty());
    Running other{folder.run(), folder.path(), "nohup"};
    REQUIRE(other.runs_until(is_under_way));
    other.signal(SIGHUP);
    other.signal(SIGTERM);
    CHECK(other.wait() == 143);
}

TEST_CASE("a signal ends a Verilog module in a loop without an end; a loop that ends is whole") {
    if (!is_there("verilator"))
        return;
    const Scratch folder;
    folder.write("loop.v", "module loop(input clk, output reg [7:0] n);\n"
                           "  reg [15:0] k;\n"
                           "  always @(posedge clk) begin\n"
                           "    n <= n + 1;\n"
                           "    for (k = 0; k < 30000 || $test$plusargs(\"endless\"); k = k + 1)\n"
                           "      n <= n + k[7:0];\n"
                           "  end\nendmodule\n");
    for (const bool endless : {false, true}) {
        CAPTURE(endless);
        folder.write("network.yaml",
                     endless ? replaced(module_yaml, "top: loop", "top: loop, plusargs: [endless]")
                             : module_yaml);
        Running run{"run network.yaml --cycles 4611686018427387904 --trace x.vcd", folder.path()};
        REQUIRE(run.runs_until([&] { return size_of(folder.path("x.vcd.part")) > 0; }));
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
        const auto begin = std::chrono::steady_clock::now();
        run.signal(SIGTERM);
        CHECK(run.wait() == 143);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        CHECK(taken.count() < 10 * soon_s);
        CHECK(contains(run.out(), endless ? "ended by a fault" : ", interrupted\n"));
        CHECK(contains(run.err(), "in cycle 0, process 'loop': module 'loop' was interrupted in a "
                                  "loop that had not come to its end") == endless);
        check_whole(outputs[0], folder.path("x.vcd"));
    }
}
