// SPDX-License-Identifier: Apache-2.0
#include "base/program.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include <doctest/doctest.h>
#include <pthread.h>

#include "scratch.hpp"

using namespace sme;

TEST_CASE("what a program prints is returned, its standard error when that is asked for, too") {
    const ProgramEnd both =
        run_program("/bin/sh", {"-c", "echo out; echo err >&2; exit 3"}, ProgramStreams::all_taken);
    CHECK(both.problem.empty());
    CHECK(both.output == "out\nerr\n");
    CHECK(both.exit_code == 3);
    CHECK_FALSE(both.good());
}

TEST_CASE("a program reads the text that it is given, however long") {
    const std::string text(300'000, 'x');
    const ProgramEnd end = run_program("/bin/cat", {}, ProgramStreams::output_taken, text);
    CHECK(end.good());
    CHECK(end.output == text);
}

TEST_CASE("a program that is not there is a problem, one that a signal ends a code") {
    CHECK(run_program("/nowhere/x", {}, ProgramStreams::all_taken).problem ==
          "cannot run '/nowhere/x': No such file or directory");
    CHECK(run_program("/bin/sh", {"-c", "kill -TERM $$"}, ProgramStreams::all_taken).exit_code ==
          128 + SIGTERM);
}

TEST_CASE("a program that takes too long is stopped, with those that it started") {
    const ProgramLimit limit{0.2};
    for (const char* script :
         {"sleep 100", "sleep 100 & echo out; wait", "exec >&- 2>&-; sleep 100"}) {
        CAPTURE(script);
        const ProgramEnd end =
            run_program("/bin/sh", {"-c", script}, ProgramStreams::all_taken, {}, &limit);
        CHECK(end.stopped);
        CHECK_FALSE(end.good());
    }
    const ProgramEnd quick =
        run_program("/bin/sh", {"-c", "echo out"}, ProgramStreams::all_taken, {}, &limit);
    CHECK(quick.good());
    CHECK(quick.output == "out\n");
    CHECK_FALSE(quick.stopped);
}

TEST_CASE("a program has no more memory, file and output than its limits say") {
    const test::Scratch folder;
    const auto run = [](const std::string& script, const ProgramLimit& limit) {
        return run_program("/bin/sh", {"-c", script}, ProgramStreams::all_taken, {}, &limit);
    };
    const ProgramLimit memory{.memory_bytes = 64 << 20};
    CHECK(run("sleep 0.05; head -c 100 /dev/zero | tail -c 100 | wc -c", memory).good());
    CHECK_FALSE(
        run("sleep 0.05; exec dd bs=200M count=1 if=/dev/zero of=/dev/null", memory).good());
    const ProgramLimit file{.file_bytes = 1000};
    CHECK_FALSE(run("sleep 0.05; exec head -c 2000 /dev/zero >" + folder.path("f"), file).good());
    CHECK(std::filesystem::file_size(folder.path("f")) == 1000);
    const ProgramLimit output{.seconds = 20, .output_bytes = 100'000};
    const ProgramEnd end = run("yes", output);
    CHECK(end.stopped);
    CHECK(end.output.size() > 100'000);
    CHECK(end.output.size() < 100'000'000);
}

TEST_CASE("a program that nobody wants any more is stopped") {
    const std::atomic<bool> unwanted{true};
    const ProgramLimit limit{0, &unwanted, 5};
    CHECK(run_program("/bin/sleep", {"100"}, ProgramStreams::all_taken, {}, &limit).stopped);
}

namespace {

/// Returns whether the process whose number a script wrote is running: an ended one may still be
/// listed.
bool is_alive(const std::string& file) {
    const std::string number = test::text_of(file);
    if (number.empty() || number.back() != '\n')
        return false;
    const std::string state =
        test::text_of("/proc/" + number.substr(0, number.size() - 1) + "/stat");
    return !state.empty() && !test::contains(state, ") Z ");
}

/// An upper bound: a program that was not stopped takes longer.
template <class Use> double seconds_of(Use use) {
    const auto begin = std::chrono::steady_clock::now();
    use();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

TEST_CASE("a signal to the thread that listens to a program leaves its limit as it was") {
    struct sigaction action {
    }, before{};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGUSR1, &action, &before);
    std::atomic<bool> unwanted{false};
    const ProgramLimit limit{0, &unwanted};
    ProgramEnd end;
    std::thread listens{
        [&] { end = run_program("/bin/sleep", {"100"}, ProgramStreams::all_taken, {}, &limit); }};
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    for (int k = 0; k < 3; ++k) {
        ::pthread_kill(listens.native_handle(), SIGUSR1);
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    unwanted = true;
    CHECK(seconds_of([&] { listens.join(); }) < 10);
    CHECK(end.stopped);
    ::sigaction(SIGUSR1, &before, nullptr);
}

TEST_CASE("a program that is stopped may remove what it wrote; one that will not end is killed") {
    const test::Scratch folder;
    const ProgramLimit limit{0.1};
    const std::string result = folder.path("made");
    run_program("/bin/sh",
                {"-c", "trap 'rm " + result + "; exit 0' TERM; touch " + result +
                           "; while :; do sleep 0.01; done"},
                ProgramStreams::all_taken, {}, &limit);
    CHECK(folder.files().empty());
    const std::string number = folder.path("number");
    for (const char* rest : {"wait", "exit 0"}) {
        CAPTURE(rest);
        const ProgramEnd end = run_program(
            "/bin/sh",
            {"-c", "trap '' TERM; sleep 100 & echo $! >" + number + "; " + std::string{rest}},
            ProgramStreams::all_taken, {}, &limit);
        CHECK(end.stopped);
        for (int k = 0; k < 1000 && is_alive(number); ++k) // until the system has ended it
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        CHECK_FALSE(is_alive(number));
    }
}

TEST_CASE("all programs that run can be killed at once, with those that they started") {
    const test::Scratch folder;
    const std::string number = folder.path("number");
    const ProgramLimit limit{100};
    ProgramEnd end;
    std::atomic<bool> ended{false};
    std::thread listens{[&] {
        end = run_program("/bin/sh", {"-c", "sleep 100 & echo $! >" + number + "; wait"},
                          ProgramStreams::all_taken, {}, &limit);
        ended = true;
    }};
    for (int k = 0; k < 10000 && !is_alive(number); ++k)
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    while (!ended) { // the program may run before run_program knows its number
        kill_programs();
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    listens.join();
    CHECK(end.exit_code == 128 + SIGKILL);
    CHECK_FALSE(end.stopped);
    kill_programs(); // nothing left to kill
}

TEST_CASE("a program that nobody wants is not even started") {
    const test::Scratch folder;
    const std::atomic<bool> unwanted{true};
    const ProgramLimit limit{0, &unwanted};
    CHECK(run_program("/usr/bin/touch", {folder.path("x")}, ProgramStreams::all_taken, {}, &limit)
              .stopped);
    CHECK(folder.files().empty());
}
