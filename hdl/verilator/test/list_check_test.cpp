// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/list_check.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/test/scratch.hpp"

using namespace sme;
using test::contains;
using test::Scratch;

namespace {

/// Returns the messages for a list with this text, in a folder with a.v and sub/b.v.
std::string said(const std::string& text, std::vector<std::string>* reads = nullptr) {
    const Scratch folder;
    folder.write("a.v", "module a; endmodule\n");
    std::filesystem::create_directory(folder.path("sub"));
    std::filesystem::create_directory(folder.path("sub+more"));
    folder.write("sub/b.v", "module b; endmodule\n");
    folder.write("sub/more.f", "b.v\n");
    folder.write("sub/defs.svh", "`define A 1\n");
    folder.write("sub/cfg.h", "`define B 1\n");
    folder.write("sub/evil.f", "b.v --exe\n");
    folder.write("list.f", text);
    VerilogModule module;
    module.lists.push_back({folder.path("list.f"), {}});
    Diagnostics diagnostics;
    verilator::check_lists(module, diagnostics, [&](const std::string& path) {
        if (reads)
            reads->push_back(path.substr(folder.path().size() + 1));
    });
    return render(diagnostics);
}

} // namespace

TEST_CASE("a list has names of Verilog files and harmless options") {
    std::vector<std::string> reads;
    CHECK(said("// --pipe-filter x\n# --exe\n/* --exe\n --cc */ a.v\n+define+W=8 +incdir+inc\n"
               "-y sub -Wno-WIDTH -DX=1 --sv +libext+.v\n-F sub/more.f\n",
               &reads) == "");
    CHECK(reads == std::vector<std::string>{"list.f", "a.v", "sub", "sub/more.f", "sub/b.v"});
}

TEST_CASE("lists as vendors write them: headers, variables of the environment, definitions") {
    ::setenv("SME_TEST_FOLDER", "sub", 1);
    for (const char* const name :
         {"$SME_TEST_FOLDER", "${SME_TEST_FOLDER}", "$(SME_TEST_FOLDER)"}) {
        std::vector<std::string> reads;
        CHECK(said(fmt::format("+incdir+a+b // c\n+define+A=1+B\n{0}/b.v\n-F {0}/more.f\n"
                               "sub/defs.svh\nsub/cfg.h\n-v {0}/b.v\n+libext+.v+.sv\n",
                               name),
                   &reads) == "");
        CHECK(reads == std::vector<std::string>{"list.f", "sub/b.v", "sub/more.f", "sub/b.v",
                                                "sub/defs.svh", "sub/cfg.h", "sub/b.v"});
    }
    const Scratch folder;
    folder.write("list.f", "$SME_TEST_FOLDER/$SME_NO_SUCH/$$.v\n");
    VerilogModule module;
    module.lists.push_back({folder.path("list.f"), {}});
    CHECK(verilator::variables_of_lists(module) == "SME_TEST_FOLDER=sub\n");
    CHECK(verilator::substituted("a$SME_NO_SUCH${SME_TEST_FOLDER}.v") == "a$SME_NO_SUCHsub.v");
}

TEST_CASE("a list with another option is refused, however it is written") {
    for (const std::string option :
         {"--pipe-filter", "-pipe-filter", "\"--pipe-filter\"", "--pipe\\-filter", "--exe",
          "-CFLAGS", "--Mdir", "-o", "--xml-output", "--build", "-LDFLAGS", "--compiler",
          "a.v\t--exe", "//a.v--exe \n--exe", "/**/--exe", "-y --exe", "+dump"}) {
        CAPTURE(option);
        const std::string text = said(option + " \"touch /tmp/x\"\n");
        CHECK(contains(text, "[bad-option]"));
        CHECK(contains(text, "of '"));
    }
    CHECK(contains(said("-F sub/evil.f\n"), "'--exe' in line 1 of '"));
    CHECK(contains(said("+incdir+sub+more\n"), "where newer Verilators end the name; write -I"));
    CHECK(said("-Isub+more +incdir+sub+sub\n") == "");
    CHECK(contains(said("a.v\n--pipe-filter 'sh x'\n"), "'--pipe-filter' in line 2 of '"));
}

TEST_CASE("a list that is another file is refused, and not shown") {
    const std::string text = said("root:x:0:0:root:/root:/bin/bash\n");
    CHECK(contains(text, "line 1 of '"));
    CHECK_FALSE(contains(text, "root:"));
    CHECK(contains(said("gone.v\n"), "there is no file '"));
    CHECK(contains(said("x.cpp\n"), "neither an option nor a file of Verilog"));
    CHECK(contains(said("-F list.f\n"), "lists name each other too deeply"));
}
