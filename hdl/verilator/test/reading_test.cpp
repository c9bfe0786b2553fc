// SPDX-License-Identifier: Apache-2.0
//
// What reading a module may take, and that it runs nothing but Verilator.
#include <chrono>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/test/scratch.hpp"
#include "verilator/build/arguments.hpp"
#include "verilator/build/builder.hpp"

using namespace sme;
using namespace sme::verilator;
using namespace sme::test;

namespace {

/// What is said when module `t` of a file is read with a limit.
std::string said_of(const std::string& verilog, const ProgramLimit& limit) {
    const Scratch folder;
    folder.write("t.v", verilog);
    VerilogModule module;
    module.top.text = "t";
    module.files.push_back({folder.path("t.v"), {}});
    Settings settings;
    settings.verilator = "/usr/bin/verilator";
    settings.compiler = "/usr/bin/c++";
    settings.reading = limit;
    Diagnostics diagnostics;
    CHECK_FALSE(Builder{settings}.inspect(module, diagnostics).has_value());
    return render(diagnostics);
}

/// Each module holds two of the next: 2^n in all, which takes as long as anybody lets it.
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
                   "'/usr/bin/verilator' took more than 0.7 s, or printed more than"));
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
    CHECK(arguments_of(module) == std::vector<std::string>{"--no-timing", "--assert", "-Wno-fatal",
                                                           "--top-module", "t", "-GN=1",
                                                           "-GA___05F_B___05FC=2", "+incdir+x",
                                                           "-Dx", "-F", "x", "x"});
}

TEST_CASE("networks that are only looked at have limits") {
    CHECK(looking_limit.seconds == 120);
    CHECK(looking_limit.memory_bytes == 4ULL << 30);
    CHECK(looking_limit.file_bytes > 0);
    CHECK(looking_limit.output_bytes > 0);
}
