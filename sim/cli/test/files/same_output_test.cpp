// SPDX-License-Identifier: Apache-2.0
//
// Tests two simultaneous runs with the same output: the second is refused when it starts.
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "../outputs.hpp"
#include "../running.hpp"

namespace {

using namespace sme::test;
namespace fs = std::filesystem;

} // namespace

TEST_CASE("a run whose output another run writes is refused, and the other ends whole") {
    const EndlessModel folder{"life"};
    Running first{folder.run() + all_options() + " --threads 1", folder.path()};
    REQUIRE_MESSAGE(first.runs_until([&] { return size_of(folder.path("run.vcd.part")) > 10'000; }),
                    first.err());
    std::string bare = text_of(folder.path("network.yaml")); // without recorded output
    const std::size_t begin = bare.find("outputs:");
    folder.write("bare.yaml", bare.erase(begin, bare.find("checks:") - begin));
    for (const Output& output : outputs) {
        CAPTURE(output.file);
        const std::string network = output.option ? "bare.yaml" : "network.yaml";
        const Command second{"cd " + folder.path() + " && " SME_COMMAND " run " + network +
                                 " --cycles 20 --threads 1" + options_of(output),
                             Command::any_program};
        CHECK(second.exit_code == 4);
        CHECK_MESSAGE(contains(second.err, std::string{"another run writes it now, into '"}),
                      second.err);
        CHECK(contains(second.err, std::string{output.file} + ".part' [file-unwritable]"));
        CHECK(second.out == "");
    }
    first.signal(SIGTERM);
    CHECK(first.wait() == 143);
    for (const Output& output : outputs)
        check_whole(output, folder.path(output.file));
    CHECK(parts_in(folder.path()).empty());
}

TEST_CASE("a run that goes on does not take what another run is writing") {
    const EndlessModel folder{"life"};
    REQUIRE(Command{"cd " + folder.path() + " && " SME_COMMAND " " + folder.run("20") +
                        " --checkpoint-every 10 c",
                    Command::any_program}
                .exit_code == 0);
    fs::remove(folder.path("output.csv"));
    Running first{folder.run(), folder.path()};
    REQUIRE(first.runs_until([&] { return size_of(folder.path("output.csv.part")) > 10'000; }));
    const Command second{"cd " + folder.path() + " && " SME_COMMAND " " + folder.run("40") +
                             " --resume c",
                         Command::any_program};
    CHECK(second.exit_code == 4);
    CHECK(contains(second.err, "another run writes it now"));
    CHECK_FALSE(fs::exists(folder.path("output.csv.earlier")));
    first.signal(SIGTERM);
    CHECK(first.wait() == 143);
    check_csv(folder.path("output.csv"));
}
