// SPDX-License-Identifier: Apache-2.0
//
// Tests --engine native, from the user's view.
#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "../command.hpp"
#include "../model_copies.hpp"

using namespace sme::test;

namespace {

/// Runs the command with its own cache, after the shell settings `before`.
Command run(const Scratch& folder, const std::string& line, const std::string& before = "") {
    return Command{
        fmt::format("XDG_CACHE_HOME={} {} {} {}", folder.path("cache"), before, SME_COMMAND, line),
        Command::any_program};
}

/// Prints, faults in some instances, writes memories and uses random values.
constexpr const char* eventful = R"(network: eventful
types:
  Word: {value: u32, odd: bool}
buses:
  x[60]: Word
processes:
  p[k < 60]:
    out:
      y: x[k]
    state:
      n: u32
      last: u16[8]
    step:
      n: n + 1
      last[n % 8]: u16(n) ^ random(u16) when n % 3 == 0
      y.value: u32(last[n % 8]) + k
      y.odd: n & 1 == 1
      print: "p {k} at {cycle}" when n == 20 and k % 10 == 3
      assert: n < 25 or k % 20 != 7
)";

/// Runs for any number of cycles.
constexpr const char* lasting = R"(network: lasting
buses:
  x[60]: u32
processes:
  p[k < 60]:
    out:
      y: x[k]
    state:
      n: u32
      last: u16[8]
    step:
      n: n * 1664525 + k
      last[n % 8]: u16(n) ^ random(u16) when n % 3 == 0
      y: u32(last[n % 8]) + n
)";

} // namespace

TEST_CASE("native code gives what the interpreter gives: values, lines, faults and the exit code") {
    const Scratch folder;
    folder.write("network.yaml", eventful);
    const std::string line = "run " + folder.path("network.yaml") + " --cycles 100 --seed 5";
    const Command interpreted = run(folder, line + " --trace " + folder.path("one.vcd"));
    CHECK(interpreted.exit_code == 1);
    CHECK(contains(interpreted.out, "p 3 at 20\np 13 at 20\n"));
    CHECK(contains(interpreted.err, "assert-failed"));
    for (const char* more : {"--threads 1", "--threads 2", "--validate", "--threads 1"}) {
        CAPTURE(more);
        const Command native = run(folder, fmt::format("{} --engine native {} --trace {}", line,
                                                       more, folder.path("two.vcd")));
        CHECK(native.exit_code == 1);
        if (std::string{more} != "--validate")
            CHECK(native.out == interpreted.out);
        CHECK(native.err == interpreted.err);
        CHECK(text_of(folder.path("one.vcd")) == text_of(folder.path("two.vcd")));
    }
}

TEST_CASE("what is compiled is kept, and --stats says so") {
    const Scratch folder;
    const std::string line = "run " + model("cpu") + " --engine native --stats --threads 1";
    CHECK(contains(run(folder, line).err, ", compiled in "));
    CHECK(contains(run(folder, line).err, ", taken from the cache in "));
    CHECK(contains(run(folder, line, "CC=/usr/bin/cc").err, "engine: native"));
    CHECK(contains(run(folder, line, "CC='env cc -g0'").err, "engine: native"));
    CHECK(contains(run(folder, "run " + model("cpu") + " --cycles 20 --stats").err,
                   "engine: interpreted; the run was too short to compile anything\n"));
}

TEST_CASE("every C compiler that is there makes native code for two threads") {
    const Scratch folder;
    folder.write("network.yaml", R"(network: ring
buses:
  x[300]: u32
processes:
  p[k < 300]:
    in: {l: "x[(k + 1) % 300]"}
    out: {y: "x[k]"}
    state: {m: "u16[8]"}
    step:
      m[y % 8]: u16(reverse(l)) ^ u16(popcount(l))
      y: l * 3 + u32(k) + u32(m[l % 8])
)");
    const auto state_after = [&](const std::string& options, const std::string& before) {
        const Command command = run(folder,
                                    "run " + folder.path("network.yaml") +
                                        " --cycles 20000 --stats --checkpoint-every 20000 " +
                                        folder.path("state") + options,
                                    before);
        CHECK(command.exit_code == 0);
        CHECK(contains(command.err, contains(options, "native") ? "engine: native" : "engine: i"));
        return text_of(folder.path("state"));
    };
    const std::string expected = state_after(" --engine interpreted --threads 1", "");
    for (const std::string compiler : {"gcc", "clang", "clang-13", "clang-14", "clang-15",
                                       "clang-16", "clang-17", "clang-18", "clang-19", "tcc"})
        if (Command{"command -v " + compiler, Command::any_program}.exit_code == 0)
            for (const char* threads : {" --threads 1", " --threads 2 --queue static"}) {
                CAPTURE(compiler);
                CHECK((state_after(std::string{" --engine native"} + threads, "CC=" + compiler) ==
                       expected));
            }
}

TEST_CASE("compiled code remains valid when the file moves or its lines do") {
    const Scratch folder;
    folder.write("network.yaml", lasting);
    folder.write("moved.yaml", "# one line more\n" + std::string{lasting});
    const auto compiled = [&](const char* name) {
        return run(folder, fmt::format("run {} --cycles 9 --engine native --stats --threads 1",
                                       folder.path(name)))
            .err;
    };
    CHECK(contains(compiled("network.yaml"), ", compiled in "));
    CHECK(contains(compiled("moved.yaml"), ", taken from the cache in "));
}

TEST_CASE("the C of a network does not depend on the addresses of its memories") {
    const Scratch folder;
    const auto emitted = [&](const std::string& environment) {
        const Command writes =
            run(folder,
                "run " + model("aes") + " --engine native --threads 1 --emit-c " + folder.path("c"),
                environment + " CC='env cc -O0'");
        CHECK(writes.exit_code == 0);
        return text_of(folder.path("c/aes.c"));
    };
    const std::string usual = emitted("");
    CHECK(contains(usual, "_word_1"));
    CHECK(usual == emitted("MALLOC_TOP_PAD_=1 MALLOC_MMAP_THRESHOLD_=4096"));
}

TEST_CASE("the C of a memory of arrays does not grow with the memory") {
    const Scratch folder;
    const auto emitted = [&](unsigned words) {
        folder.write("network.yaml", fmt::format(R"(network: palette
types:
  Colour: u8[3]
buses:
  at: u16
  colour: Colour
processes:
  count:
    out: at
    step:
      at: at + 1
  palette:
    in: at
    out: colour
    state:
      memory: Colour[{}]
    step:
      memory[at % {}]: array(k < 3, memory[(at + 7) % {}][k] + u8(k) + u8(at))
      colour: memory[(at + 1) % {}]
)",
                                                 words, words, words, words));
        const Command done =
            run(folder, "run " + folder.path("network.yaml") +
                            " --cycles 10 --engine interpreted --emit-c " + folder.path("c"));
        CHECK(done.exit_code == 0);
        return text_of(folder.path("c/palette.c")).size();
    };
    const std::size_t few = emitted(10'000);
    CHECK(few > 1000);
    CHECK(emitted(60'000) < few + 100); // larger numbers have more digits
}

TEST_CASE("--emit-c writes C that names what the network names, and compiles without a warning") {
    const Scratch folder;
    const Command emitted =
        run(folder, "run " + model("running_sum") + " --emit-c " + folder.path("c"));
    CHECK(emitted.exit_code == 0);
    const std::string text = text_of(folder.path("c/running_sum.c"));
    CHECK(contains(text, "/* accumulator */"));
    CHECK(contains(text, "u64 n_accumulator_("));
    CHECK(contains(text, "const u32 n_raw_value = "));
    CHECK(contains(text, "const u32 n_so_far = "));
    const Command compiled{"cc -std=gnu11 -Wall -Wextra -Wno-unused-function -Werror -c -o " +
                               folder.path("c/o") + " " + folder.path("c/running_sum.c"),
                           Command::any_program};
    CHECK(compiled.err == "");
    CHECK(compiled.exit_code == 0);
    CHECK(run(folder, "run " + model("ring") + " --emit-c /proc/nowhere").exit_code == 4);
}

TEST_CASE("without a compiler that works, --engine native ends with 3 and says why") {
    const Scratch folder;
    const std::string line = "run " + model("ring") + " --cycles 3 --engine native";
    const auto fails = [&](const Command& command, const char* text) {
        CHECK(command.exit_code == 3);
        CHECK(command.out == "");
        CHECK(contains(command.err, text));
    };
    fails(run(folder, line + " --no-compile"), "[compiler-missing]");
    fails(run(folder, line, "PATH=/nowhere"), "there is no cc in PATH");
    fails(run(folder, line, "CC=/bin/false"), "ended with exit code 1 [native-failed]");
    fails(run(folder, line, "CC=/nowhere/cc"), "No such file or directory [native-failed]");
    fails(run(folder, line, "CC=no-such-compiler"),
          "but CC is 'no-such-compiler', whose first word is no program in PATH "
          "[compiler-missing]");
    CHECK(run(folder, "run " + model("ring") + " --engine nativ").exit_code == 2);
}

TEST_CASE("a long run begins interpreted and goes on native, with the same state at its end") {
    const Scratch folder;
    folder.write("network.yaml", lasting);
    std::uint64_t cycles = 1 << 18;
    const auto last = [&](const std::string& more) {
        return run(folder, fmt::format("run {0} --cycles {1} --stats --checkpoint-every {1} {2}",
                                       folder.path("network.yaml"), cycles, more));
    };
    Command automatic = last(folder.path("a"));
    while (!contains(automatic.err, "engine: native from cycle ") && cycles < 1 << 30) {
        cycles *= 2;
        automatic = last(folder.path("a") + " --threads 2");
    }
    CAPTURE(automatic.err);
    CHECK(contains(automatic.err, "engine: native from cycle "));
    CHECK(automatic.exit_code == 0);
    const Command interpreted = last(folder.path("b") + " --engine interpreted");
    CHECK(contains(interpreted.err, "engine: interpreted; as --engine says"));
    const bool same = text_of(folder.path("a")) == text_of(folder.path("b"));
    CHECK(same);
}

TEST_CASE("a compiler that takes longer than the rest of the run is given up") {
    const Scratch folder;
    folder.write("network.yaml", lasting);
    folder.write("slow", "#!/bin/sh\n[ \"$1\" = --version ] || sleep 1000\n");
    std::filesystem::permissions(folder.path("slow"), std::filesystem::perms::owner_all);
    Command command = run(folder, "--version");
    const std::string what = "engine: interpreted; the compiler was given up: it had taken ";
    for (std::uint64_t cycles = 1 << 19; !contains(command.err, what) && cycles < 1 << 30;
         cycles *= 2)
        command = run(
            folder, fmt::format("run {} --cycles {} --stats", folder.path("network.yaml"), cycles),
            "CC=" + folder.path("slow"));
    CHECK(contains(command.err, what));
    CHECK(command.exit_code == 0);
}

TEST_CASE("a long run without a compiler goes on interpreted, with a note") {
    const Scratch folder;
    folder.write("network.yaml", lasting);
    const auto notes = [&](const std::string& before, const std::string& more,
                           const std::string& what) {
        CAPTURE(what);
        Command command = run(folder, "--version");
        for (std::uint64_t cycles = 1 << 18; !contains(command.err, what) && cycles < 1 << 30;
             cycles *= 2)
            command = run(folder,
                          fmt::format("run {} --cycles {} --stats {}", folder.path("network.yaml"),
                                      cycles, more),
                          before);
        CHECK(contains(command.err, what));
        CHECK(command.exit_code == 0);
    };
    notes("PATH=/nowhere", "", "note: the run goes on interpreted: native code needs a C compiler");
    notes("CC=/bin/false", "", "note: the run goes on interpreted: ");
    notes("", "--no-compile",
          "\nengine: interpreted; native code needs a C compiler, which "
          "--no-compile forbids to start");
    notes("", "--validate", "engine: interpreted; the judge looks at each step");
}

TEST_CASE("a cache that cannot be used is noted, and the run goes on") {
    const Scratch folder;
    folder.write("cache", "a file");
    const Command command = run(folder, "run " + model("running_sum") + " --engine native");
    CHECK(command.exit_code == 0);
    CHECK(contains(command.err, "note: native code is not kept: "));
}

TEST_CASE("without a home, and in that of another user, native code is not kept anywhere") {
    const Scratch folder;
    const std::string line = fmt::format("TMPDIR={} {} run {} --engine native", folder.path(),
                                         SME_COMMAND, model("running_sum"));
    const Command none{"HOME= XDG_CACHE_HOME= " + line, Command::any_program};
    CHECK(none.exit_code == 0);
    CHECK(contains(none.err, "note: native code is not kept: neither HOME nor XDG_CACHE_HOME"));
    CHECK(folder.files().empty());
    if (::geteuid() != 0)
        return;
    std::filesystem::create_directory(folder.path("home"));
    REQUIRE(::chown(folder.path("home").c_str(), 65534, 65534) == 0);
    const Command another{"XDG_CACHE_HOME= HOME=" + folder.path("home") + " " + line,
                          Command::any_program};
    CHECK(another.exit_code == 0);
    CHECK(contains(another.err, "belongs to another user"));
    CHECK(std::filesystem::is_empty(folder.path("home")));
}

TEST_CASE("two commands at once with one empty cache both run") {
    const Scratch folder;
    folder.write("network.yaml", lasting); // writes no file, so that two runs can share a folder
    const std::string line =
        fmt::format("XDG_CACHE_HOME={} {} run {} --cycles 9 --engine native --stats",
                    folder.path("cache"), SME_COMMAND, folder.path("network.yaml"));
    const Command both{fmt::format("{} & {}; wait $!", line, line), Command::any_program};
    CHECK(both.exit_code == 0);
    const std::size_t first = both.err.find("engine: native");
    CHECK(first != both.err.npos);
    CHECK(both.err.find("engine: native", first + 1) != both.err.npos);
}
