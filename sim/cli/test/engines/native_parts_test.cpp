// SPDX-License-Identifier: Apache-2.0
//
// Tests native code in several C files, from the user's view.
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "../command.hpp"
#include "../running.hpp"
#include "base/program.hpp"
#include "native/test/many_processes.hpp"

namespace {

using namespace sme::test;

constexpr unsigned many = 384, families = many + many / 4;

/// A folder with a network whose native code fills several files, and a C compiler that runs the
/// script `first` and compiles without optimisation.
class ManyFolder : public Scratch {
public:
    explicit ManyFolder(const std::string& first = "") {
        write("many.yaml", ManyProcesses{many}.text());
        write("cc", "#!/bin/sh\nfor last; do :; done\n[ ! -e $0.fails ] || ! grep -q '" +
                        in_first_part + "' \"$last\" || exit 9\n" + first +
                        "\nexec cc \"$@\" -O0\n");
        std::filesystem::permissions(path("cc"), std::filesystem::perms::owner_all);
    }
    std::string settings() const {
        return fmt::format("XDG_CACHE_HOME={} CC={}", path("cache"), path("cc"));
    }
    Command command(const std::string& arguments) const {
        return Command{
            fmt::format("{} {} run {} {}", settings(), SME_COMMAND, path("many.yaml"), arguments),
            Command::any_program};
    }
    /// Makes the compilation of the first part fail from now on; removes its cache entry.
    void let_first_part_fail() const {
        write("cc.fails", "");
        std::string entry;
        for (const auto& file : std::filesystem::recursive_directory_iterator{path("cache")})
            if (file.path().filename() == "source.c" &&
                contains(text_of(file.path().string()), in_first_part))
                entry = file.path().parent_path().string();
        REQUIRE(entry != "");
        std::filesystem::remove_all(entry);
    }

private:
    inline static const std::string in_first_part = "u64 n_f5_("; // a family
};

/// Returns the report of --stats about engines.
std::string told(const Command& command) {
    return command.err.substr(std::min(command.err.find("engine: "), command.err.size()));
}

} // namespace

TEST_CASE("with --engine native all parts are there before the first cycle, or the command fails") {
    const ManyFolder folder;
    const std::string line = "--cycles 40 --engine native --stats --seed 3 ";
    const Command native = folder.command(line + "--trace " + folder.path("native.vcd") +
                                          " --emit-c " + folder.path("c"));
    INFO(told(native));
    CHECK(native.exit_code == 0);
    CHECK(contains(native.err, fmt::format("engine: native; {} processes as ", families)));
    CHECK(contains(native.err, " C files, written in "));
    CHECK(contains(native.err, ", compiled in "));
    CHECK(contains(folder.command(line).err, ", taken from the cache in "));
    const Command interpreted =
        folder.command("--cycles 40 --engine interpreted --seed 3 --trace " + folder.path("i.vcd"));
    CHECK(interpreted.exit_code == 0);
    const bool same = text_of(folder.path("native.vcd")) == text_of(folder.path("i.vcd"));
    CHECK(same);
    const std::string text = text_of(folder.path("c/many.c")); // all code, once
    CHECK(text.find("struct block {") == text.rfind("struct block {"));
    CHECK(contains(text, "u64 n_f5_("));
    CHECK(contains(text, "u64 n_p0_("));
    folder.let_first_part_fail();
    const Command failed = folder.command(line);
    CHECK(failed.exit_code == 3);
    CHECK(contains(failed.err, "exit code 9 [native-failed]"));
}

TEST_CASE("parts of native code go live one by one, and one that fails is left out") {
    const ManyFolder folder;
    REQUIRE(folder.command("--cycles 1 --engine native").exit_code == 0); // fills the cache
    folder.let_first_part_fail();
    std::uint64_t cycles = 1 << 12;
    const auto last = [&](const std::string& more) {
        return folder.command(fmt::format(
            "--cycles {0} --stats --threads 1 --checkpoint-every {0} {1}", cycles, more));
    };
    Command automatic = last(folder.path("state"));
    while (!contains(automatic.err, "note: part 1 of ") ||
           !contains(automatic.err, "engine: native from cycle ")) { // the others are later
        REQUIRE(cycles < 1 << 26);
        cycles *= 2;
        automatic = last(folder.path("state"));
    }
    INFO(told(automatic));
    CHECK(automatic.exit_code == 0);
    CHECK(contains(automatic.err, " of the native code is left out: '"));
    CHECK(contains(automatic.err, "engine: native from cycle "));
    CHECK(contains(automatic.err, fmt::format(" of {} processes as ", families)));
    CHECK(contains(automatic.err, "  C file 1 of "));
    CHECK(contains(automatic.err, " left out: '"));
    CHECK(contains(automatic.err, " processes native from cycle "));
    const std::string found = text_of(folder.path("state"));
    const Command interpreted = last(folder.path("state") + " --engine interpreted");
    CHECK(interpreted.out == automatic.out);
    const bool same = text_of(folder.path("state")) == found;
    CHECK(same);
}

TEST_CASE("quick code runs single processes until native code is there") {
    if (!sme::find_program("tcc")) {
        MESSAGE("skipped: there is no tcc");
        return;
    }
    const Scratch folder;
    folder.write("many.yaml", ManyProcesses{200}.text());
    std::uint64_t cycles = 1 << 13;
    const auto last = [&](const std::string& compiler, const std::string& more) {
        return Command{fmt::format("XDG_CACHE_HOME={} {} {} run {} --cycles {} --stats --threads 1 "
                                   "--checkpoint-every {} {} {}",
                                   folder.path("cache"), compiler, SME_COMMAND,
                                   folder.path("many.yaml"), cycles, cycles, folder.path("state"),
                                   more),
                       Command::any_program};
    };
    Command quick = last("", "");
    while (!contains(quick.err, "  quick code of ")) {
        REQUIRE(cycles < 1 << 26);
        cycles *= 2;
        quick = last("", "");
    }
    INFO(told(quick));
    CHECK(quick.exit_code == 0);
    const std::string found = text_of(folder.path("state"));
    const Command interpreted = last("", "--engine interpreted");
    CHECK(interpreted.out == quick.out);
    const bool same = text_of(folder.path("state")) == found;
    CHECK(same);
    // a user who chooses a compiler gets no code of another one
    CHECK_FALSE(contains(last("CC=/usr/bin/cc", "").err, "quick code"));
}

TEST_CASE("a signal ends compilers of several parts that hang") {
    const ManyFolder folder{"sleep 1000 &\necho $! >>" + std::string{"\"$HANGING\"\nwait"}};
    const std::string hanging = folder.path("hanging");
    Running run{"run many.yaml --cycles 10 --engine native", folder.path(),
                "env HANGING=" + hanging + " " + folder.settings()};
    REQUIRE(run.runs_until([&] { return !text_of(hanging).empty(); }));
    std::this_thread::sleep_for(std::chrono::milliseconds{50}); // until the others start
    const auto begin = std::chrono::steady_clock::now();
    run.signal(SIGTERM);
    CHECK(run.wait() == 143);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    CHECK(taken.count() < 10); // one second on an idle machine
    std::istringstream numbers{text_of(hanging)};
    for (int number = 0; numbers >> number;)
        CHECK_FALSE(is_alive(number));
}
