// SPDX-License-Identifier: Apache-2.0
//
// Tests that an untrusted network cannot show foreign files or run programs.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "../outputs.hpp"

namespace {

using namespace sme::test;
namespace fs = std::filesystem;

constexpr const char* secret = "root:x:0:0:root:/root:/bin/bash\ntoken:hunter2\n";

/// A folder with a network, and another with files that the network does not own.
class Stranger : public Scratch {
public:
    explicit Stranger(const std::string& network) {
        write("net.yaml", network);
        outside.write("secret", secret);
        for (const char* name :
             {"link.yaml", "link.csv", "link.hex", "link.vcd", "link.v", "list.f"})
            fs::create_symlink(outside.path("secret"), path(name));
    }
    Command sme(const std::string& arguments, const std::string& path_before = {}) const {
        return Command{"cd " + path() + " && " + path_before + SME_COMMAND " " + arguments,
                       Command::any_program};
    }
    Scratch outside;
};

std::string reading(const std::string& text) {
    return "network: n\n" + text;
}

constexpr const char* process = "buses: {x: u8}\nprocesses:\n  p: {out: x, step: {x: x + 1}}\n";

std::string with_verilog(const std::string& more) {
    return "network: n\nbuses: {x: u8}\nprocesses:\n  p:\n    verilog: {files: m.v, top: m" + more +
           "}\n    out: x\n";
}
constexpr const char* module = "module m(input clk, output reg [7:0] x);\n"
                               "initial x = 0;\nalways @(posedge clk) x <= x + 1;\nendmodule\n";

/// Places a fake Verilator and fake compilers, which only leave a mark, first in PATH.
std::string traps(const Scratch& folder) {
    fs::create_directories(folder.path("bin"));
    for (const char* name :
         {"verilator", "c++", "cc", "gcc", "g++", "gdb", "make", "fst2vcd", "dot",
          "yowasp-wavedrom", "wavedrom-cli", "yosys", "gtkwave", "tcc", "cmake"}) {
        folder.write(std::string{"bin/"} + name,
                     "#!/bin/sh\ntouch " + folder.path(std::string{"ran-"} + name) + "\nexit 1\n");
        fs::permissions(folder.path(std::string{"bin/"} + name), fs::perms::owner_all);
    }
    return "CC= XDG_CACHE_HOME=" + folder.path("cache") + " PATH=" + folder.path("bin") + ":$PATH ";
}

bool any_ran(const Scratch& folder) {
    for (const std::string& name : folder.files())
        if (name.starts_with("ran-"))
            return true;
    return false;
}

} // namespace

TEST_CASE("no diagnostic shows a line of a file that is no network and no data") {
    for (const std::string& text :
         {reading(std::string{"import: [link.yaml]\n"} + process),
          reading(std::string{"constants:\n  k: u8[2] = file(\"link.csv\")\n"} + process),
          reading(std::string{"constants:\n  k: u8[2] = file(\"link.hex\")\n"} + process),
          reading(std::string{process} + "inputs: {x: link.vcd}\n"),
          reading("buses: {x: u8, y: u8}\nprocesses:\n  p: {in: y, out: x, step: {x: y}}\n"
                  "inputs: {y: link.vcd}\n"),
          reading("buses: {x: u8, y: u8}\nprocesses:\n  p: {in: y, out: x, step: {x: y}}\n"
                  "inputs: {y: link.csv}\n"),
          reading(std::string{process} + "outputs:\n  x.csv: {record: x, expect: link.csv}\n"),
          with_verilog(", lists: list.f"), replaced(with_verilog(""), "m.v", "link.v")}) {
        CAPTURE(text);
        const Stranger folder{text};
        folder.write("m.v", module);
        const Command run = folder.sme("check net.yaml");
        CHECK(run.exit_code != 0);
        CHECK(contains(run.err, "error: "));
        CHECK_MESSAGE(!contains(run.err, "root"), run.err);
        CHECK_MESSAGE(!contains(run.err, "hunter2"), run.err);
    }
}

TEST_CASE("a mistake in a real component or table is shown with its line") {
    const Stranger folder{reading(std::string{"import: [../part.yaml]\n"} + process)};
    const std::string part = folder.outside.path("part.yaml");
    folder.outside.write("part.yaml", "component: c\nout:\n  y: nothing\nstep: {y: 1}\n");
    folder.write("net.yaml", replaced(text_of(folder.path("net.yaml")), "../part.yaml", part) +
                                 "  q: {use: c, out: {y: x}}\n");
    const Command run = folder.sme("check net.yaml");
    CHECK(run.exit_code == 2);
    CHECK_MESSAGE(contains(run.err, "  y: nothing\n"), run.err);
}

TEST_CASE("with --safe a network reads only below its own folder, and --allow adds to that") {
    const Stranger folder{reading(std::string{"import: [part.yaml]\n"} + process)};
    folder.outside.write("part.yaml", "constants:\n  k: u8 = 1\n");
    fs::create_symlink(folder.outside.path("part.yaml"), folder.path("part.yaml"));
    CHECK(folder.sme("check net.yaml").exit_code == 0);
    const Command refused = folder.sme("check net.yaml --safe");
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "net.yaml:2:10: error: with --safe a network reads only below"));
    CHECK(contains(refused.err, "[outside-folder]\n"));
    CHECK(folder.sme("check net.yaml --safe --allow " + folder.outside.path()).exit_code == 0);
    const Stranger standard{reading("import: [std/fifo.yaml]\n" + std::string{process})};
    const Command library = standard.sme("check net.yaml --safe");
    CHECK_MESSAGE(library.exit_code == 0, library.err);
}

TEST_CASE("with --safe no program is started, and what asks for one is refused") {
    const Stranger folder{reading(process)};
    const std::string path = traps(folder);
    CHECK(folder.sme("run net.yaml --safe --cycles 3000000 --threads 1", path).exit_code == 0);
    CHECK_FALSE(any_ran(folder));
    for (const char* options : {"--safe --force", "--safe --engine native"}) {
        const Command both = folder.sme(std::string{"run net.yaml --cycles 5 "} + options);
        CHECK(both.exit_code == 2);
        CHECK(contains(both.err, "give one of them [bad-option]"));
    }
    const Stranger verilog{with_verilog("")};
    verilog.write("m.v", module);
    const std::string before = traps(verilog);
    for (const char* command :
         {"check net.yaml --safe", "run net.yaml --safe --cycles 5", "predict net.yaml --safe"}) {
        CAPTURE(command);
        const Command run = verilog.sme(command, before);
        CHECK(run.exit_code == 3);
        CHECK_MESSAGE(contains(run.err, "[verilog-missing]\n"), run.err);
        CHECK_FALSE(any_ran(verilog));
    }
}

TEST_CASE("with --safe neither FST files nor options start a program") {
    const Stranger folder{reading("buses: {x: u8, y: u8}\nprocesses:\n"
                                  "  p: {in: y, out: x, step: {x: y}}\ninputs: {y: in.fst}\n")};
    folder.write("make.yaml", reading(std::string{process} + "run: {cycles: 5}\n"));
    const std::string path = traps(folder) + "DISPLAY=:9 ";
    if (folder.sme("run make.yaml --trace in.fst").exit_code != 0)
        return; // built without FST
    fs::copy(folder.path("in.fst"), folder.path("named.vcd"));
    std::string packed = "\xfe" + std::string(20, '\0');
    folder.write("packed.fst", packed);
    for (const char* name : {"in.fst", "named.vcd", "packed.fst"}) {
        folder.write("net.yaml", replaced(text_of(folder.path("net.yaml")), "in.fst", name));
        for (const char* command : {"check", "run", "validate", "graph", "test"}) {
            CAPTURE(command);
            const Command run = folder.sme(std::string{command} + " net.yaml --safe", path);
            CHECK(run.exit_code != 0);
            CHECK_MESSAGE(
                contains(run.err + run.out, "but --safe starts no program; write it as VCD"),
                run.err);
        }
        folder.write("net.yaml", replaced(text_of(folder.path("net.yaml")), name, "in.fst"));
    }
    for (const char* command :
         {"run make.yaml --wavedrom a.svg", "run make.yaml --graph a.svg",
          "graph make.yaml -o a.svg", "verilog make.yaml -o v --report", "view make.yaml",
          "view in.fst --no-open", "cosim make.yaml --reference in.fst",
          "cosim make.yaml --reference named.vcd"}) {
        CAPTURE(command);
        const Command run = folder.sme(std::string{command} + " --safe", path);
        CHECK(run.exit_code == 2);
        CHECK_MESSAGE(contains(run.err, "'--safe' starts no program, which '"), run.err);
    }
    const Command traced = folder.sme("view make.yaml --no-open --trace a.fst --safe", path);
    CHECK(contains(traced.err, "fst2vcd reads FST files; give --trace FILE.vcd [bad-option]"));
    for (const char* command : {"view make.yaml --no-open", "run make.yaml --trace a.fst"})
        CHECK(folder.sme(std::string{command} + " --safe", path).exit_code == 0);
    folder.sme("run make.yaml --report a.html --safe", path); // the page may have to be built first
    CHECK_FALSE(any_ran(folder));
}

TEST_CASE("check, graph and predict start no compiler and run no Verilog unless asked") {
    if (!is_there("verilator"))
        return;
    const Stranger folder{with_verilog("")};
    folder.write("m.v", replaced(module, "initial x = 0;",
                                 "initial begin x = 0; $system(\"touch ran-verilog\"); end"));
    const std::string path = traps(folder);
    fs::remove(folder.path("bin/verilator"));
    for (const char* command : {"check net.yaml", "graph net.yaml", "predict net.yaml"}) {
        CAPTURE(command);
        const Command run = folder.sme(command, path);
        CHECK(run.exit_code == (contains(command, "predict") ? 3 : 0));
        CHECK_FALSE(any_ran(folder));
    }
    CHECK(contains(folder.sme("predict net.yaml", path).err, "only with --compile"));
    folder.sme("predict net.yaml --compile", path);
    CHECK(any_ran(folder));
}

TEST_CASE("a list of arguments for Verilator starts no program") {
    if (!is_there("verilator"))
        return;
    const Stranger folder{with_verilog(", lists: evil.f")};
    folder.write("m.v", module);
    folder.write("evil.f", "--pipe-filter \"sh -c 'touch " + folder.path("ran-shell") + "'\"\n");
    for (const char* command : {"check net.yaml", "run net.yaml --cycles 5"}) {
        const Command run = folder.sme(command);
        CHECK(run.exit_code != 0);
        CHECK_MESSAGE(contains(run.err, "'--pipe-filter' in line 1 of 'evil.f' is not allowed in a "
                                        "list"),
                      run.err);
        CHECK_FALSE(any_ran(folder));
    }
}

TEST_CASE(
    "names and texts that a network gives Verilator are no commands, nor are those in Verilog") {
    if (!is_there("verilator"))
        return;
    const Stranger folder{R"(network: n
buses: {x: u8}
processes:
  p:
    verilog:
      files: ["`touch ran-file`;touch ran-part .v", "--pipe-filter=touch ran-filter.v"]
      top: m
      parameters:
        P: "\"'$(touch ran-parameter)`touch ran-quote`\""
      define: ["A=$(touch ran-define);touch ran-line|touch ran-pipe", "B=1\ntouch ran-next"]
      include: ["`touch ran-include`", "--gdb"]
    out: x
)"};
    folder.write("`touch ran-file`;touch ran-part .v",
                 R"(import "DPI-C" function int system(input string command);
module m #(parameter P = "") (input clk, output reg [7:0] x);
  function automatic int start(); return $system("touch ran-function"); endfunction
  initial begin
    x = 0;
    $system("touch ran-system");
    void'(system("touch ran-dpi"));
  end
  always @(posedge clk) x <= x + 1;
  inner i();
`include "hidden.vh"
`systemc_implementation
#include "/dev/tty"
`verilog
endmodule
)");
    folder.write("--pipe-filter=touch ran-filter.v", "module inner; endmodule\n");
    for (const char* name : {"`touch ran-include`", "--gdb"})
        fs::create_directories(folder.path(name));
    folder.write("--gdb/hidden.vh", "// found\n");
    const std::string path = traps(folder);
    fs::remove(folder.path("bin/verilator"));
    for (const char* command : {"check net.yaml", "graph net.yaml", "predict net.yaml"}) {
        CAPTURE(command);
        const Command run = folder.sme(command, path);
        CHECK_MESSAGE(run.exit_code == (contains(command, "predict") ? 3 : 0), run.err);
        CHECK_FALSE(any_ran(folder));
    }
}
