// SPDX-License-Identifier: Apache-2.0
//
// Failures of compilers and of the object cache: an incomplete object is never loaded.
#include "native/toolchain/c_compiler.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <sys/stat.h>

#include "native/test/attached.hpp"

using namespace sme;
namespace fs = std::filesystem;

namespace {

constexpr const char* text = "unsigned long two(const void *b) { return 2; }\n";

bool gives_two(const native::Compiled& result) {
    return result.object && result.object->kernel("two") &&
           result.object->kernel("two")(nullptr) == 2;
}

/// The folder of the only object in the cache.
std::string entry(const native::CompilerSettings& settings) {
    std::string found;
    for (const fs::directory_entry& at : fs::directory_iterator{settings.folder})
        if (at.is_directory()) {
            CHECK(found == "");
            found = at.path().string();
        }
    return found;
}

/// Uses a script as the compiler.
native::CompilerSettings with_script(const test::Scratch& scratch, const std::string& script) {
    scratch.write("cc", "#!/bin/sh\n" + script + "\n");
    fs::permissions(scratch.path("cc"), fs::perms::owner_all);
    native::CompilerSettings settings = test::compiler_settings(scratch);
    settings.compiler = scratch.path("cc");
    return settings;
}

} // namespace

TEST_CASE("what was compiled once is taken from the folder") {
    const test::Scratch scratch;
    const native::CompilerSettings settings = test::compiler_settings(scratch);
    const native::Compiled first = native::compile(text, settings);
    CHECK(gives_two(first));
    CHECK_FALSE(first.kept);
    const native::Compiled second = native::compile(text, settings);
    CHECK(gives_two(second));
    CHECK(second.kept);
    CHECK(second.note == "");
    CHECK_FALSE(native::compile(std::string{text} + "/* another */\n", settings).kept);
    for (const fs::directory_entry& at : fs::directory_iterator{settings.folder})
        CHECK(at.path().string().find("making") == std::string::npos); // nothing unfinished remains
}

TEST_CASE("flags of one's own come behind the usual ones, and make another object") {
    const test::Scratch scratch;
    native::CompilerSettings settings = test::compiler_settings(scratch);
    CHECK(gives_two(native::compile(text, settings)));
    settings.more_flags = {"-Dtwo=three"};
    const native::Compiled other = native::compile(text, settings);
    CHECK_FALSE(other.kept);
    REQUIRE(other.object);
    CHECK(static_cast<bool>(other.object->kernel("three")));
}

TEST_CASE("flags that a compiler refuses are left out, and looked for once") {
    const test::Scratch scratch;
    const std::string calls = scratch.path("calls");
    const native::CompilerSettings settings =
        with_script(scratch, "echo \"$*\" >>" + calls +
                                 "\ncase \"$*\" in *-ftree-loop-vectorize* | *-fno-tree-pre*) "
                                 "echo unknown >&2; exit 1 ;; esac\nexec " +
                                 test::c_compiler() + " \"$@\"");
    const auto lines = [&] {
        const std::string text = test::text_of(calls);
        return std::count(text.begin(), text.end(), '\n');
    };
    CHECK(gives_two(native::compile(text, settings)));
    const std::string said = test::text_of(calls);
    const std::string last = said.substr(said.rfind('\n', said.size() - 2) + 1);
    CHECK(test::contains(last, "-march=native"));
    CHECK(test::contains(last, "-fvect-cost-model=dynamic"));
    CHECK_FALSE(test::contains(last, "-ftree-loop-vectorize"));
    const auto before = lines();
    // copies share what was found
    CHECK(gives_two(native::compile(std::string{text} + "/* another */\n",
                                    native::CompilerSettings{settings})));
    CHECK(lines() == before + 1);
    CHECK(test::contains(native::compile("this is no C", settings).problem, "exit code 1: "));
}

TEST_CASE("a compiler that is missing, fails, hangs or is killed is a problem that is said") {
    const test::Scratch scratch;
    native::CompilerSettings missing = test::compiler_settings(scratch);
    missing.compiler = "/nowhere/cc";
    CHECK(native::compile(text, missing).problem ==
          "cannot run '/nowhere/cc': No such file or directory");
    CHECK(native::compile("this is no C", test::compiler_settings(scratch))
              .problem.find("ended with exit code 1: ") != std::string::npos);
    const native::Compiled failed =
        native::compile(text, with_script(scratch, "echo broken; exit 9"));
    CHECK(failed.problem.ends_with("cc' ended with exit code 9: broken"));
    CHECK_FALSE(failed.object);
    native::CompilerSettings hangs = with_script(scratch, "sleep 1000");
    hangs.seconds = 0.2;
    CHECK(native::compile(text, hangs).problem.find("took longer than 0.2 s") != std::string::npos);
    CHECK(native::compile(text, with_script(scratch, "kill -KILL $$"))
              .problem.ends_with("ended with exit code 137"));
    CHECK(native::compile(text, with_script(scratch, "exit 0")).problem.find("exit code 0") !=
          std::string::npos);
    const std::atomic<bool> unwanted{true};
    native::CompilerSettings stopped = test::compiler_settings(scratch);
    stopped.unwanted = &unwanted;
    CHECK(native::compile(text, stopped).problem == "it was interrupted");
    CHECK(entry(test::compiler_settings(scratch)) == "");
}

TEST_CASE("an object that is half-written is not loaded") {
    const test::Scratch scratch;
    // half of an object, as on a full disk, from a compiler that reports success
    const std::string half = R"(for last; do :; done
while [ "$1" != -o ]; do shift; done
/usr/bin/cc -shared -fPIC -w -o "$2.whole" "$last" && head -c 3000 "$2.whole" > "$2")";
    const native::Compiled result = native::compile(text, with_script(scratch, half));
    CHECK_FALSE(result.object);
    CHECK(result.problem.find("cannot be loaded") != std::string::npos);
    CHECK(entry(test::compiler_settings(scratch)) == "");
}

TEST_CASE("what is damaged, of another text, or someone else's is compiled again") {
    const test::Scratch scratch;
    const native::CompilerSettings settings = test::compiler_settings(scratch);
    REQUIRE(gives_two(native::compile(text, settings)));
    const std::string at = entry(settings);
    const auto damaged = [&](const char* what, auto damage) {
        CAPTURE(what);
        damage();
        const native::Compiled again = native::compile(text, settings);
        CHECK(gives_two(again));
        CHECK_FALSE(again.kept);
        CHECK(native::compile(text, settings).kept);
    };
    damaged("cut", [&] { fs::resize_file(at + "/object", 2000); });
    damaged("empty", [&] { fs::resize_file(at + "/object", 0); });
    damaged("one byte", [&] {
        std::string object = test::text_of(at + "/object");
        object[object.size() / 2] ^= 1;
        scratch.write("other", object);
        fs::rename(scratch.path("other"), at + "/object");
        fs::permissions(at + "/object", fs::perms::owner_read);
    });
    damaged("gone", [&] { fs::remove(at + "/whole.txt"); });
    damaged("other source", [&] {
        fs::remove(at + "/source.c");
        scratch.write("native/" + fs::path{at}.filename().string() + "/source.c", "int x;\n");
    });
    damaged("others may write", [&] { fs::permissions(at + "/object", fs::perms::all); });
    damaged("a link", [&] {
        fs::copy_file(at + "/object", scratch.path("mine"));
        fs::remove(at + "/object");
        fs::permissions(scratch.path("mine"), fs::perms::all);
        fs::create_symlink(scratch.path("mine"), at + "/object");
    });
}

TEST_CASE("where nothing can be kept, it is compiled all the same, with a note") {
    const test::Scratch scratch;
    native::CompilerSettings settings = test::compiler_settings(scratch);
    scratch.write("file", "");
    settings.folder = scratch.path("file/native");
    const native::Compiled result = native::compile(text, settings);
    CHECK(gives_two(result));
    CHECK(result.note.find("Not a directory") != std::string::npos);
}

TEST_CASE("many at once with one folder all get what they want") {
    const test::Scratch scratch;
    const native::CompilerSettings settings = test::compiler_settings(scratch);
    std::atomic<unsigned> good{0}, compiled{0};
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < 8; ++k)
        threads.emplace_back([&] {
            for (unsigned n = 0; n < 5; ++n) {
                const native::Compiled result = native::compile(text, settings);
                good += gives_two(result);
                compiled += !result.kept;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(good == 40);
    CHECK(compiled == 1);
}
