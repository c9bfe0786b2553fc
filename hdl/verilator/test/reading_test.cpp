// SPDX-License-Identifier: Apache-2.0
//
// The limits for reading a module, and that reading runs only Verilator.
#include <chrono>
#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/test/scratch.hpp"
#include "netlist_of.hpp"
#include "verilator/build/arguments.hpp"
#include "verilator/build/builder.hpp"
#include "verilator/build/installation.hpp"
#include "verilator/build/settings.hpp"

using namespace sme;
using namespace sme::verilator;
using namespace sme::test;

namespace {

/// Returns the messages from reading module `t` of a file with a limit.
std::string said_of(const std::string& verilog, const ProgramLimit& limit) {
    const Scratch folder;
    folder.write("t.v", verilog);
    VerilogModule module;
    module.top.text = "t";
    module.files.push_back({folder.path("t.v"), {}});
    Settings tools = settings();
    tools.reading = limit;
    Diagnostics diagnostics;
    CHECK_FALSE(Builder{tools}.inspect(module, diagnostics).has_value());
    return render(diagnostics);
}

/// Returns modules, each of which holds two of the next: 2^n in all, which can take arbitrarily
/// long.
std::string doubling(unsigned n) {
    std::string text = "module t(input clk, output y); m0 a(clk, y); endmodule\n";
    for (unsigned k = 0; k < n; ++k)
        text += fmt::format("module m{0}(input x, output y); wire n; m{1} a(x, n); m{1} b(n, y);\n"
                            "endmodule\n",
                            k, k + 1);
    return text + fmt::format("module m{}(input x, output y); assign y = ~x; endmodule\n", n);
}

} // namespace

TEST_CASE("a module that takes too long, or too much memory, is given up") {
    const auto begin = std::chrono::steady_clock::now();
    CHECK(contains(said_of(doubling(60), {.seconds = 0.7}),
                   "verilator' took more than 0.7 s, or printed more than"));
    const std::string memory =
        said_of(doubling(60), {.seconds = 20, .memory_bytes = std::uint64_t{150} << 20});
    CAPTURE(memory);
    CHECK(contains(memory, "it may take 150 MiB of memory"));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{20});
}

TEST_CASE("what Verilator is asked to read starts with options that start nothing") {
    VerilogModule module;
    module.top.text = "t";
    module.parameters = {{{"N", {}}, "1"}, {{"A___B__C", {}}, "2"}};
    for (auto* list : {&module.include, &module.define, &module.lists, &module.files})
        list->push_back({"x", {}});
    CHECK(arguments_of(module) ==
          std::vector<std::string>{"--no-timing", "--assert", "-Wno-fatal", "--top-module", "t",
                                   "-GN=1", "-GA___05F_B___05FC=2", "-Ix", "-Dx", "-F", "x", "x",
                                   "-Wwarn-STMTDLY", "-Wwarn-ASSIGNDLY"});
}

TEST_CASE("networks that are only looked at have limits") {
    CHECK(looking_limit.seconds == 120);
    CHECK(looking_limit.memory_bytes == 4ULL << 30);
    CHECK(looking_limit.file_bytes > 0);
    CHECK(looking_limit.output_bytes > 0);
}

TEST_CASE("a Verilator that is too old, or of an unknown version, is refused in a sentence") {
    const Scratch folder;
    std::filesystem::create_directories(folder.path("bin"));
    std::filesystem::create_directories(folder.path("include"));
    folder.write("bin/verilator", "");
    const auto version = [&](const std::string& text) {
        folder.write("include/verilated_config.h", "#define VERILATOR_VERSION \"" + text + "\"\n");
        return installed_beside(folder.path("bin/verilator"));
    };
    CHECK(version("5.006 2023-01-22").version == 5006);
    CHECK(version("5.48").version_text() == "5.048"); // as wheels of PyPI write it
    CHECK(version("5.48").problem().empty());
    CHECK(version("4.228 2022-10-01").problem() ==
          "the Verilator in '" + std::filesystem::canonical(folder.path()).string() +
              "' is 4.228, but 5.006 and newer ones work, tried up to 5.048");
    CHECK(contains(version("devel").problem(), "is of an unknown version, but 5.006"));
    VerilogModule module;
    module.top.text = "t";
    Settings tools = settings();
    tools.verilator = folder.path("bin/verilator");
    Diagnostics diagnostics;
    CHECK_FALSE(Builder{tools}.inspect(module, diagnostics).has_value());
    CHECK(contains(render(diagnostics), "is of an unknown version"));
}

TEST_CASE("a netlist is the same tree in both formats") {
    const auto xml = read_xml(
        "<verilator_xml><files><file id=\"c\" filename=\"t.v\"/></files><netlist>"
        "<module loc=\"c,1,8,1,9\" name=\"t\" topModule=\"1\">"
        "<var loc=\"c,1,16,1,17\" name=\"a\" dtype_id=\"1\" dir=\"input\" origName=\"a\"/>"
        "<if loc=\"c,2,3,2,5\"><varref loc=\"c,2,7,2,8\" name=\"a\" dtype_id=\"1\"/>"
        "<begin/><begin><stop loc=\"c,3,4,3,8\"/></begin></if></module></netlist></verilator_xml>");
    const auto json = read_json(
        R"json({"type":"NETLIST","name":"$root","addr":"(A)","loc":"a,0:0,0:0","modulesp": [
             {"type":"MODULE","name":"t","addr":"(B)","loc":"c,1:8,1:9","level":1,"stmtsp": [
               {"type":"VAR","name":"a","addr":"(C)","loc":"c,1:16,1:17","dtypep":"(D)",
                "origName":"a","direction":"INPUT","childDTypep": []},
               {"type":"IF","name":"","addr":"(E)","loc":"c,2:3,2:5",
                "condp": [{"type":"VARREF","name":"a","addr":"(F)","loc":"c,2:7,2:8","dtypep":"(D)",
                           "access":"RD","varp":"(C)"}],
                "thensp": [],
                "elsesp": [{"type":"STOP","name":"","addr":"(G)","loc":"c,3:4,3:8"}]}]}]})json",
        R"json({"files": {"c": {"filename": "t.v"}}, "pointers": {"(A)": "0x1"}})json");
    REQUIRE((xml && json));
    const auto text = [](const ElementTree& tree) {
        std::string all;
        for (const char* const kind : {"module", "var", "if", "varref", "begin", "stop"})
            for (const Element one : tree.root().below(kind))
                all += fmt::format("{} {} {}:{}:{} {} {} below {}\n", kind, one.name(),
                                   one.place().file, one.place().line, one.place().column,
                                   one.attribute("dir"), one.attribute("topModule"),
                                   one.parent().kind());
        return all;
    };
    CHECK(text(*json) == text(*xml));
    CHECK(contains(text(*xml), "stop  t.v:3:4   below begin\n"));
    CHECK_FALSE(read_json("{\"type\":", "{\"files\":{}}").has_value());
    CHECK_FALSE(read_xml("no text of Verilator").has_value());
}
