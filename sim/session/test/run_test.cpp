// SPDX-License-Identifier: Apache-2.0
//
// Tests runs of the C++ library, which run as in the command, against closed-form results.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <sme/load.hpp>
#include <sme/run.hpp>
#include <sme/trace.hpp>

#include "base/files.hpp"
#include "base/test/scratch.hpp"

using namespace sme;

namespace {

/// Counts the cycles in a state; `more` is further text of the process, `rest` of the file.
LoadedNetwork counter(const test::Scratch& scratch, const std::string& more = "",
                      const std::string& rest = "", const LoadOptions& options = {}) {
    scratch.write("n.yaml", "network: n\n"
                            "buses: {x: u64}\n"
                            "processes:\n"
                            "  counter:\n"
                            "    out: x\n"
                            "    state: {k: u64 = 0}\n"
                            "    step: {k: k + 1, x: 3 * k" +
                                more + "}\n" + rest);
    return load(scratch.path("n.yaml"), options);
}

/// Sets an environment variable during its lifetime.
class Variable {
public:
    Variable(const char* name, const std::string& value) : name_{name} {
        if (const char* const before = std::getenv(name))
            before_ = before;
        ::setenv(name, value.c_str(), 1);
    }
    ~Variable() {
        if (before_)
            ::setenv(name_, before_->c_str(), 1);
        else
            ::unsetenv(name_);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
    std::optional<std::string> before_;
};

bool holds_files(const std::string& folder) {
    std::error_code error;
    return std::filesystem::exists(folder, error) && !std::filesystem::is_empty(folder, error);
}

/// A class that does not declare its state.
class Secret : public Process {
public:
    explicit Secret(Out<int> x) : x_{x} {}
    void step() { x_.write(++next_); }

private:
    Out<int> x_;
    int next_ = 0;
};

} // namespace

TEST_CASE("a run stops when it is told to, and goes on later with the same values") {
    const test::Scratch scratch;
    const LoadedNetwork network = counter(scratch);
    Simulator simulator{network};
    std::vector<std::uint64_t> seen;
    RunOptions options{.execution = Execution::interpreted};
    options.go_on = [&](std::uint64_t cycle) {
        seen.push_back(cycle);
        return seen.size() < 3;
    };
    constexpr std::uint64_t total = 1'000'000;
    CHECK(run(simulator, Cycles{total}, options) == RunEnd::stopped);
    REQUIRE(seen.size() == 3);
    CHECK(seen[0] < seen[1]);
    CHECK(seen[2] == simulator.cycle());
    CHECK(simulator.cycle() < total);
    CHECK_FALSE(simulator.halted());
    CHECK(run(simulator, Cycles{1000 - simulator.cycle()}) == RunEnd::completed);
    CHECK(simulator.cycle() == 1000);
    CHECK(simulator.peek<std::uint64_t>("x") == 3 * 999);
}

TEST_CASE("a run says how it ended, and throws a fault") {
    const test::Scratch scratch;
    const LoadedNetwork halting = counter(scratch, ", halt: k == 7");
    Simulator halted{halting};
    CHECK(run(halted, Cycles{100}) == RunEnd::halted);
    CHECK(halted.cycle() == 8);
    const LoadedNetwork checked = counter(scratch, "", "checks: [{always: x < 30}]\n");
    Simulator failed{checked};
    CHECK(run(failed, Cycles{100}) == RunEnd::check_failed);
    CHECK(checked.checks(failed).at(0).cycle == 11); // 3 * 10 is written in cycle 10
    const LoadedNetwork wrong = counter(scratch, ", assert: k < 5");
    Simulator faulted{wrong};
    CHECK_THROWS_AS(run(faulted, Cycles{100}), ModelFault);
    CHECK(faulted.cycle() == 6);
}

TEST_CASE("a run that is told to stop where it has ended says how it ended") {
    const test::Scratch scratch;
    const RunOptions stopping{.execution = Execution::interpreted,
                              .go_on = [](std::uint64_t cycle) { return cycle == 0; }};
    const LoadedNetwork halting = counter(scratch, ", halt: k == 0");
    Simulator halted{halting};
    CHECK(run(halted, Cycles{100}, stopping) == RunEnd::halted);
    CHECK(halted.cycle() == 1);
    const LoadedNetwork checked = counter(scratch, "", "checks: [{always: x > 0}]\n");
    Simulator failed{checked};
    CHECK(run(failed, Cycles{100}, stopping) == RunEnd::check_failed);
}

TEST_CASE("a run that is told to stop after its last cycle is saved there") {
    const test::Scratch scratch;
    const LoadedNetwork network = counter(scratch);
    RunOptions options{.checkpoint_every = 100, .checkpoint = scratch.path("c")};
    options.go_on = [](std::uint64_t cycle) { return cycle < 200; };
    Simulator simulator{network};
    CHECK(run(simulator, Cycles{200}, options) == RunEnd::completed);
    Simulator second{network};
    second.load(scratch.path("c"));
    CHECK(second.cycle() == 200);
}

TEST_CASE("a run is saved every so many cycles, and another simulator goes on from there") {
    const test::Scratch scratch;
    const LoadedNetwork network = counter(scratch);
    const std::string path = scratch.path("c");
    Simulator simulator{network};
    CHECK(run(simulator, Cycles{250}, {.checkpoint_every = 100, .checkpoint = path}) ==
          RunEnd::completed);
    Simulator second{network, {.threads = 1}};
    CHECK(second.load(path).empty());
    CHECK(second.cycle() == 200);
    CHECK(run(second, Cycles{50}) == RunEnd::completed);
    CHECK(second.peek<std::uint64_t>("counter.k") == 250);
    CHECK(second.peek<std::uint64_t>("x") == simulator.peek<std::uint64_t>("x"));

    Network secrets{"secrets"};
    secrets.add<Secret>("p", out(secrets.bus<int>("x")));
    Simulator kept_secret{secrets};
    CHECK_THROWS_AS(run(kept_secret, Cycles{5}, {.checkpoint_every = 2, .checkpoint = path}),
                    CheckpointError);
    CHECK(kept_secret.cycle() == 0);
}

TEST_CASE("no other run gets a checkpoint's file, also while one is put in the place of another") {
    const test::Scratch scratch;
    const LoadedNetwork network = counter(scratch);
    const std::string path = scratch.path("c");
    std::atomic<bool> saves{false}, taken{false};
    std::jthread other{[&](const std::stop_token& stop) {
        while (!stop.stop_requested())
            if (saves && OutputFile{path}.good())
                taken = true;
    }};
    Simulator simulator{network};
    RunOptions options{.checkpoint_every = 1, .checkpoint = path};
    options.go_on = [&](std::uint64_t cycle) {
        saves = true;
        if (cycle >= 300)
            other = {};
        return cycle < 300;
    };
    CHECK(run(simulator, Cycles{1000}, options) == RunEnd::stopped);
    CHECK_FALSE(taken);
    CHECK(scratch.files() == std::vector<std::string>{"c", "n.yaml"});
}

TEST_CASE("a run that is to be saved needs the name of a file") {
    const test::Scratch scratch;
    const LoadedNetwork network = counter(scratch);
    Simulator simulator{network};
    CHECK_THROWS_WITH_AS(run(simulator, Cycles{5}, {.checkpoint_every = 2}),
                         "a run is saved every 2 cycles, but no file is named; set "
                         "RunOptions::checkpoint",
                         CheckpointError);
    CHECK(simulator.cycle() == 0);
}

TEST_CASE("a simulator that has finished does not say that cycles ran") {
    const test::Scratch scratch;
    const LoadedNetwork network = counter(scratch);
    Simulator simulator{network};
    CHECK(run(simulator, Cycles{5}) == RunEnd::completed);
    simulator.finish();
    CHECK_THROWS_WITH_AS(run(simulator, Cycles{5}),
                         "a simulator that has finished, or of which a run failed, runs no more "
                         "cycles; it has run 5",
                         std::logic_error);
    CHECK(run(simulator, Cycles{0}) == RunEnd::completed);
}

TEST_CASE("a run that cannot be saved goes on, a note says so once, and it throws at its end") {
    const test::Scratch scratch;
    const LoadedNetwork network = counter(scratch);
    Simulator simulator{network};
    std::vector<std::string> notes;
    RunOptions options{.checkpoint_every = 10, .checkpoint = scratch.path("in/c")};
    options.note = [&](const std::string& text) { notes.push_back(text); };
    CHECK_THROWS_AS(run(simulator, Cycles{50}, options), CheckpointError); // no such folder
    std::filesystem::create_directory(scratch.path("in"));
    options.go_on = [&](std::uint64_t) {
        std::filesystem::remove_all(scratch.path("in"));
        return true;
    };
    CHECK_THROWS_AS(run(simulator, Cycles{50}, options), CheckpointError);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].starts_with("the run goes on, but is not saved in cycle 10: "));
    CHECK(simulator.cycle() == 50);
}

TEST_CASE("an output goes on in a simulator that is loaded, with the rows before") {
    const test::Scratch scratch;
    const std::string rest = "outputs: {" + scratch.path("x.csv") + ": {record: x}}\n";
    const LoadedNetwork network = counter(scratch, "", rest);
    {
        Simulator simulator{network};
        run(simulator, Cycles{3}, {.checkpoint_every = 2, .checkpoint = scratch.path("c")});
    }
    CHECK(test::text_of(scratch.path("x.csv")) == "value\n0\n0\n3\n6\n");
    for (const bool killed : {false, true}) {
        CAPTURE(killed);
        if (killed)
            std::filesystem::rename(scratch.path("x.csv"), scratch.path("x.csv.part"));
        Simulator simulator{network};
        CHECK(simulator.load(scratch.path("c")).empty());
        simulator.run(Cycles{3}); // cycles 2, 3 and 4
        simulator.finish();
        CHECK(network.outputs(simulator).at(0).rows == 6);
        CHECK(test::text_of(scratch.path("x.csv")) == "value\n0\n0\n3\n6\n9\n12\n");
    }
    std::filesystem::remove(scratch.path("x.csv"));
    Simulator simulator{network};
    const std::vector<std::string> anew = simulator.load(scratch.path("c"));
    REQUIRE(anew.size() == 1);
    CHECK(test::contains(anew[0], "x.csv"));
}

TEST_CASE("a simulator that writes no outputs is saved and loaded, too") {
    const test::Scratch scratch;
    const LoadedNetwork network =
        counter(scratch, "", "outputs: {" + scratch.path("x.csv") + ": {record: x}}\n",
                {.write_outputs = false});
    Simulator first{network}, second{network};
    first.run(Cycles{3});
    first.save(scratch.path("c"));
    CHECK(second.load(scratch.path("c")).empty());
    second.run(Cycles{2});
    second.finish();
    CHECK(network.outputs(second).at(0).rows == 6);
    CHECK_FALSE(std::filesystem::exists(scratch.path("x.csv")));
}

TEST_CASE("a long run becomes native while it runs, with the same values") {
    if (!std::filesystem::exists("/usr/bin/cc")) {
        MESSAGE("skipped: no C compiler");
        return;
    }
    const test::Scratch scratch;
    const Variable cache{"XDG_CACHE_HOME", scratch.path("cache")};
    const LoadedNetwork network = counter(scratch);
    Simulator simulator{network};
    const auto begin = std::chrono::steady_clock::now();
    RunOptions options;
    options.go_on = [&](std::uint64_t) {
        return !holds_files(scratch.path("cache/sme/native")) &&
               std::chrono::steady_clock::now() - begin < std::chrono::seconds{30};
    };
    CHECK(run(simulator, Cycles{std::uint64_t{1} << 60}, options) == RunEnd::stopped);
    CHECK(holds_files(scratch.path("cache/sme/native")));
    run(simulator, Cycles{1000});
    CHECK(simulator.peek<std::uint64_t>("counter.k") == simulator.cycle());
    CHECK(simulator.peek<std::uint64_t>("x") == 3 * (simulator.cycle() - 1));
}

TEST_CASE("a compiler that is too slow for one run is started again by the next") {
    if (!std::filesystem::exists("/usr/bin/cc")) {
        MESSAGE("skipped: no C compiler");
        return;
    }
    const test::Scratch scratch;
    const Variable cache{"XDG_CACHE_HOME", scratch.path("cache")};
    scratch.write("slow_once", "#!/bin/sh\n"
                               "if mkdir '" +
                                   scratch.path("begun") +
                                   "' 2>/dev/null; then sleep 30; fi\n"
                                   "/usr/bin/cc \"$@\" && mkdir '" +
                                   scratch.path("compiled") + "'\n");
    std::filesystem::permissions(scratch.path("slow_once"), std::filesystem::perms::owner_all);
    const Variable compiler{"CC", scratch.path("slow_once")};
    const LoadedNetwork network = counter(scratch);
    Simulator simulator{network};
    const auto is_compiled = [&] { return std::filesystem::exists(scratch.path("compiled")); };
    RunOptions options;
    options.go_on = [&](std::uint64_t) { // simulates a slow model
        std::this_thread::sleep_for(std::chrono::milliseconds{30});
        return !is_compiled();
    };
    CHECK(run(simulator, Cycles{20}, options) == RunEnd::completed);
    CHECK(std::filesystem::exists(scratch.path("begun")));
    CHECK_FALSE(is_compiled());
    CHECK(run(simulator, Cycles{300}, options) == RunEnd::stopped);
    CHECK(is_compiled());
    CHECK(simulator.peek<std::uint64_t>("counter.k") == simulator.cycle());
}

TEST_CASE("without a compiler a run goes on interpreted, unless native code is asked for") {
    const test::Scratch scratch;
    const Variable compiler{"CC", "no-such-compiler"};
    const LoadedNetwork network = counter(scratch);
    Simulator simulator{network};
    std::vector<std::string> notes;
    RunOptions options;
    options.note = [&](const std::string& text) { notes.push_back(text); };
    options.go_on = [&](std::uint64_t) { return notes.empty(); };
    CHECK(run(simulator, Cycles{std::uint64_t{1} << 60}, options) == RunEnd::stopped);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].starts_with("the run goes on interpreted: native code needs a C compiler"));
    CHECK(simulator.peek<std::uint64_t>("counter.k") == simulator.cycle());
    options.execution = Execution::native;
    CHECK_THROWS_AS(run(simulator, Cycles{1}, options), CompileError);
}

TEST_CASE("a trace has the clock of the network file, and states where they are asked for") {
    const test::Scratch scratch;
    const LoadedNetwork network = counter(scratch, "", "clock: 1500 ps\nrun: {cycles: 3}\n");
    {
        Simulator simulator{network};
        trace_vcd(simulator, scratch.path("n.vcd"),
                  {.clock_ps = network.clock_ps(), .state = true});
        CHECK(run(simulator, Cycles{*network.cycles()}) == RunEnd::completed);
    }
    const std::string text = test::text_of(scratch.path("n.vcd"));
    CHECK(test::contains(text, "$timescale 1 ps $end"));
    CHECK(test::contains(text, "#4500\n")); // after three cycles
    CHECK(test::contains(text, " k "));
}
