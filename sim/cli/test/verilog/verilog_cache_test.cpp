// SPDX-License-Identifier: Apache-2.0
//
// Tests the cache of built modules, and programs and folders that fail.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "wrong_module.hpp"

using namespace sme::test;

TEST_CASE("what was read of a module is kept when its network is wrong") {
    const Wrong wrong{.y = "u9", .before = "XDG_CACHE_HOME=$PWD/cache PATH=$PWD/bin:$PATH"};
    REQUIRE(std::system(("mkdir " + wrong.folder->path("bin")).c_str()) == 0);
    wrong.folder->write("bin/verilator",
                        "#!/bin/sh\ncase \"$*\" in *-only*) echo read >> calls;; esac\n"
                        "exec /usr/bin/verilator \"$@\"\n");
    REQUIRE(std::system(("chmod +x " + wrong.folder->path("bin/verilator")).c_str()) == 0);
    for (int attempt = 0; attempt < 2; ++attempt)
        refused(wrong.run(), 2, "port 'y' of module 'm' has 8 bits");
    CHECK(text_of(wrong.folder->path("calls")) == "read\n");
}

TEST_CASE("missing programs and files say what to do") {
    refused(Wrong{.before = "XDG_CACHE_HOME=$PWD/cache PATH=/nowhere"}.run(), 3,
            "Verilog needs Verilator, which is not in PATH; on Debian: apt-get install verilator "
            "[verilog-missing]");
    refused(Wrong{.before = "XDG_CACHE_HOME=$PWD/cache", .options = "--no-compile"}.run(), 3,
            "module 'm' is not built yet, and --no-compile forbids to start Verilator and a "
            "compiler [verilog-missing]");
    refused(Wrong{.module = "{files: none.v, top: m}"}.run(), 2,
            "there is no file 'none.v' [file-unreadable]");
}

TEST_CASE("a compiler that fails is quoted, and nothing half-built stays") {
    const Wrong wrong{.before = "XDG_CACHE_HOME=$PWD/cache PATH=$PWD/bin:$PATH"};
    REQUIRE(std::system(("mkdir " + wrong.folder->path("bin")).c_str()) == 0);
    wrong.folder->write("bin/c++",
                        "#!/bin/sh\n"
                        "echo \"In file included from $XDG_CACHE_HOME/x/fast.cpp:1:\" >&2\n"
                        "echo \"$XDG_CACHE_HOME/sme/verilog/x/y.h:2: no room\" >&2\nexit 1\n");
    REQUIRE(std::system(("chmod +x " + wrong.folder->path("bin/c++")).c_str()) == 0);
    const Command run = wrong.run(); // starts with the user's line; hides the cache folders
    refused(run, 3, "the compiler ended with code 1 [verilog-build]\n      verilog: {files");
    CHECK(contains(run.err, "note: y.h:2: no room\n"));
    CHECK_FALSE(contains(run.err, "In file included"));
    CHECK_FALSE(contains(run.err, "/sme/verilog/"));
    const Command left{"find " + wrong.folder->path("cache") +
                           " -type f ! -name '*.lock' ! -name object "
                           "! -name module.json",
                       Command::any_program};
    CHECK(left.out == ""); // no output of Verilator or the compiler
}

TEST_CASE("a folder that cannot be written, or is full, is named") {
    refused(Wrong{.before = "XDG_CACHE_HOME=/proc/nothing"}.run(), 3,
            "there is no place to build it, '/proc/nothing/sme/verilog'");
}

TEST_CASE("Ctrl-C while a module is built ends the command in good order") {
    const Wrong wrong{.before = "XDG_CACHE_HOME=$PWD/cache PATH=$PWD/bin:$PATH"};
    REQUIRE(std::system(("mkdir " + wrong.folder->path("bin")).c_str()) == 0);
    // a compiler that is interrupted, as any process in the terminal's process group is
    wrong.folder->write("bin/c++", "#!/bin/sh\nkill -INT $PPID $$\nsleep 5\n");
    REQUIRE(std::system(("chmod +x " + wrong.folder->path("bin/c++")).c_str()) == 0);
    const Command run = wrong.run();
    CHECK(run.exit_code == 130);
    const bool said =
        contains(run.err, "signal 2 ended the compiler") || contains(run.err, "' was interrupted");
    CHECK(said);
    const Command left{"find " + wrong.folder->path("cache") +
                           " -type f ! -name '*.lock' "
                           "! -name object ! -name module.json",
                       Command::any_program};
    CHECK(left.out == ""); // only the description of the module
}

TEST_CASE("damaged modules are built again") {
    const Wrong wrong{.before = "XDG_CACHE_HOME=$PWD/cache"};
    REQUIRE(wrong.run().exit_code == 0);
    const std::string kept = wrong.folder->path("cache") + "/sme/verilog/";
    const std::string all = kept + "*/object", // includes the runtime, which takes seconds to build
        modules = "$(grep -L '\"identity\": \"runtime' " + kept +
                  "*/module.json | sed 's/module.json$/object/')";
    for (const auto& [damage, files] :
         {std::pair{"truncate -s 1000 $f", all},
          std::pair{"printf x | dd of=$f bs=1 seek=99 conv=notrunc", modules},
          std::pair{": > ${f%object}module.json", modules}, std::pair{"rm $f", modules}}) {
        const std::string how = damage; // clang cannot capture bindings
        CAPTURE(how);
        const Command damaged{
            fmt::format("for f in {}; do {}; echo $f; done | wc -l", files, damage),
            Command::any_program};
        REQUIRE(damaged.out == (files == all ? "3\n" : "2\n"));
        const Command again = wrong.run();
        CAPTURE(again.err);
        CHECK(again.exit_code == 0);
    }
}

TEST_CASE("a module that others could have put into the cache is not loaded") {
    const Wrong wrong{.before = "XDG_CACHE_HOME=$PWD/cache"};
    REQUIRE(wrong.run().exit_code == 0);
    const std::string line = fmt::format("cd {} && XDG_CACHE_HOME=$PWD/cache {} run network.yaml "
                                         "--cycles 5 --no-compile",
                                         wrong.folder->path(), SME_COMMAND);
    CHECK(Command{line, Command::any_program}.exit_code == 0);
    const std::string whole = fmt::format("cd {}/sme/verilog && ", wrong.folder->path("cache"));
    const auto change = [&](const char* how) {
        REQUIRE(Command{whole + how, Command::any_program}.exit_code == 0);
        refused(Command{line, Command::any_program}, 3, "is not built yet, and --no-compile");
    };
    change("chmod g+w */object");
    change("chmod g-w */object; for f in */object; do chmod o+w ${f%object}; done");
    if (::geteuid() == 0)
        change("chmod -R go-w .; chown 65534 */object");
}

TEST_CASE("without a home there is no cache, and nothing of one in a folder for all") {
    const Wrong wrong{.before = "HOME= XDG_CACHE_HOME= TMPDIR=$PWD", .options = "--no-compile"};
    refused(wrong.run(), 3, "is not built yet, and --no-compile");
    CHECK(wrong.folder->files().size() == 2);
}

TEST_CASE("several starts at once build one module, and all run") {
    const Wrong wrong;
    REQUIRE(wrong.run().exit_code == 0); // fills the cache
    const Command all{fmt::format("cd {} && export XDG_CACHE_HOME=$PWD/cache; for k in 1 2 3 4; do "
                                  "( {} run network.yaml --cycles 5 || echo failed ) & done; wait",
                                  wrong.folder->path(), SME_COMMAND),
                      Command::any_program};
    CHECK_FALSE(contains(all.out, "failed"));
    const Command kept{"ls " + wrong.folder->path("cache") + "/sme/verilog | grep -vc lock",
                       Command::any_program};
    CHECK(kept.out == "3\n"); // the module, its description, and the runtime
}
