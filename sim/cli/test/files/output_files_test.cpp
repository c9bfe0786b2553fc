// SPDX-License-Identifier: Apache-2.0
//
// Tests which files a run refuses to overwrite, and which paths a network may name.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "../outputs.hpp"

namespace {

using namespace sme::test;
namespace fs = std::filesystem;

constexpr const char* counter = R"(network: counter
buses:
  x: u8
  y: u8
processes:
  p:
    in: y
    out: x
    step:
      x: x + y
inputs:
  y: rows.csv
)";

/// A folder with a network that reads rows.csv.
class Counter : public Scratch {
public:
    explicit Counter(const std::string& more = {}) {
        write("net.yaml", counter + more);
        write("rows.csv", "y\n1\n2\n3\n4\n");
    }
    Command sme(const std::string& arguments) const {
        return Command{"cd " + path() + " && " SME_COMMAND " " + arguments, Command::any_program};
    }
    Command run(const std::string& options) const { return sme("run net.yaml " + options); }
};

/// Checks that the run is refused and existing files are unchanged.
void check_refused(const Counter& folder, const Command& run, const std::string& says,
                   const std::string& code = "not-overwritten") {
    CHECK(run.exit_code == 2);
    CHECK(run.out == "");
    CHECK_MESSAGE(contains(run.err, says), run.err);
    CHECK_MESSAGE(contains(run.err, "[" + code + "]\n"), run.err);
    CHECK(text_of(folder.path("rows.csv")) == "y\n1\n2\n3\n4\n");
    CHECK(text_of(folder.path("net.yaml")).starts_with("network: counter\n"));
    CHECK(parts_in(folder.path()).empty());
}

} // namespace

TEST_CASE("no output takes the place of the network or its data, even by force") {
    const Counter folder;
    fs::create_symlink("net.yaml", folder.path("link.vcd"));
    fs::create_hard_link(folder.path("rows.csv"), folder.path("hard.info"));
    fs::create_directory(folder.path("sub"));
    for (const char* option :
         {"--trace net.yaml", "--results net.yaml", "--junit ./net.yaml", "--profile rows.csv",
          "--checkpoint-every 2 net.yaml", "--trace link.vcd", "--coverage hard.info",
          "--trace sub/../rows.csv"}) {
        CAPTURE(option);
        check_refused(folder, folder.run(option), "is read by this run");
        check_refused(folder, folder.run(option + std::string{" --force"}), "is read by this run");
    }
    check_refused(folder, folder.sme("graph net.yaml -o ./net.yaml"), "DOT or SVG", "bad-option");
    const Counter own{"outputs:\n  net.yaml: {record: x}\n"};
    check_refused(own, own.run("--force"), "net.yaml:14:3: error: 'net.yaml' is read by this run");
    const Counter input{"outputs:\n  rows.csv: {record: x}\n"};
    check_refused(input, input.run(""), "'rows.csv' is read by this run");
    const Counter traced{"run: {trace: rows.csv}\n"};
    check_refused(traced, traced.run(""), "net.yaml:13:14: error: 'rows.csv' is read by this run");
}

TEST_CASE("what a network imports and expects is not written either") {
    const Counter folder{"import: [part.yaml]\noutputs:\n  x.csv: {record: x, expect: want.csv}\n"};
    folder.write("part.yaml", "constants:\n  k: u8 = 1\n");
    folder.write("want.csv", "value\n0\n");
    for (const char* name : {"part.yaml", "want.csv"})
        check_refused(folder, folder.run(std::string{"--force --trace "} + name),
                      "is read by this run");
}

TEST_CASE("no file is written twice in one run") {
    const Counter folder{"outputs:\n  x.csv: {record: x}\n"};
    check_refused(folder, folder.run("--results a.json --junit ./a.json"),
                  "'./a.json' is written twice by this run, as 'a.json'");
    check_refused(folder, folder.run("--trace x.csv"), "'x.csv' is written twice");
    check_refused(folder, folder.run("--results r --trace r.part"), "written twice");
    CHECK_FALSE(fs::exists(folder.path("a.json")));
}

TEST_CASE("an existing file is written over by an output of its own kind, or by force") {
    const Counter folder{"outputs:\n  x.csv: {record: x}\n"};
    for (int k = 0; k < 2; ++k) { // the second time, each file exists
        const Command run = folder.run(
            "--trace t.vcd --results r.json --junit j.xml --coverage c.info --coverage c.json "
            "--profile p.json --checkpoint-every 2 k --schedule s.json --emit-c c");
        CHECK_MESSAGE(run.exit_code == 0, run.err);
        CHECK(folder.sme("graph net.yaml -o g.dot").exit_code == 0);
        CHECK(folder.sme("verilog net.yaml -o v").exit_code == 0);
        CHECK(folder.sme("vhdl net.yaml -o w").exit_code == 0);
        CHECK(folder.sme("view net.yaml --no-open").exit_code == 0);
    }
    for (const char* file : {"t.vcd", "r.json", "j.xml", "c.info", "p.json", "k", "g.dot", "v/p.v",
                             "v/files.f", "w/p.vhd", "w/files.f", "x.csv"})
        folder.write(file, "a letter to a friend\n");
    for (const std::string command :
         {"run net.yaml --trace t.vcd", "run net.yaml --results r.json",
          "run net.yaml --junit j.xml", "run net.yaml --coverage c.info",
          "run net.yaml --coverage ./c.json --results c.json", "run net.yaml --profile p.json",
          "run net.yaml --checkpoint-every 2 k", "graph net.yaml -o g.dot", "verilog net.yaml -o v",
          "vhdl net.yaml -o w", "run net.yaml"}) {
        CAPTURE(command);
        const Command run = folder.sme(command);
        CHECK(run.exit_code == 2);
        CHECK_MESSAGE(contains(run.err, "[not-overwritten]"), run.err);
    }
    CHECK(text_of(folder.path("t.vcd")) == "a letter to a friend\n");
    const Command forced = folder.run("--force --trace t.vcd --results r.json --junit j.xml "
                                      "--profile p.json --checkpoint-every 2 k");
    CHECK_MESSAGE(forced.exit_code == 0, forced.err);
    CHECK(text_of(folder.path("t.vcd")).starts_with("$version"));
    CHECK(folder.sme("verilog net.yaml -o v --force").exit_code == 0);
    CHECK(folder.sme("vhdl net.yaml -o w --force").exit_code == 0);
}

TEST_CASE("a run saves into the checkpoint that it goes on from, but into no other file it reads") {
    const Counter folder;
    REQUIRE(folder.run("--cycles 3 --checkpoint-every 2 c").exit_code == 0);
    const Command on = folder.run("--resume c --checkpoint-every 1 c --cycles 4");
    CHECK_MESSAGE(on.exit_code == 0, on.err);
    check_refused(folder, folder.run("--resume c --results c --force"), "'c' is read by this run");
}

TEST_CASE("a network writes only below its own folder or the working folder") {
    const Scratch home;
    fs::create_directories(home.path("loaded/inside"));
    fs::create_directory_symlink(home.path(), home.path("loaded/link"));
    const auto run = [&](const std::string& name, const std::string& options = {}) {
        home.write("loaded/net.yaml",
                   std::string{counter} + "outputs:\n  " + name + ": {record: x}\n");
        home.write("loaded/rows.csv", "y\n1\n");
        return Command{"cd " + home.path("loaded/inside") + " && " SME_COMMAND " run ../net.yaml " +
                           options,
                       Command::any_program};
    };
    for (const std::string& name :
         {std::string{"../x.csv"}, home.path("x.csv"), std::string{"link/x.csv"},
          std::string{".bashrc"}, std::string{".config/x.csv"}}) {
        CAPTURE(name);
        const Command refused = run(name);
        CHECK(refused.exit_code == 2);
        CHECK_MESSAGE(contains(refused.err, "../net.yaml:14:3: error: a network writes only below"),
                      refused.err);
        CHECK(contains(refused.err, "[outside-folder]\n"));
    }
    CHECK_FALSE(fs::exists(home.path("x.csv")));
    CHECK_FALSE(fs::exists(home.path("loaded/.bashrc")));
    CHECK(run("x.csv").exit_code == 0);
    CHECK(run("inside/x.csv").exit_code == 0);
    CHECK(run("../x.csv", "--allow ../..").exit_code == 0);
    CHECK(run(home.path("y.csv"), "--allow " + home.path("y.csv")).exit_code == 0);
    CHECK(fs::exists(home.path("y.csv")));
    home.write("loaded/net.yaml", std::string{counter} + "run: {trace: ../t.vcd}\n");
    for (const char* command : {"run ../net.yaml", "view ../net.yaml --no-open"}) {
        const Command refused{"cd " + home.path("loaded/inside") + " && " SME_COMMAND " " + command,
                              Command::any_program};
        CHECK(refused.exit_code == 2);
        CHECK(contains(refused.err, "net.yaml:13:14: error: a network writes only below"));
    }
    CHECK(Command{"cd " + home.path("loaded/inside") +
                      " && " SME_COMMAND " run ../net.yaml --trace ../../t.vcd",
                  Command::any_program}
              .exit_code == 0);
}

TEST_CASE("commands that do not run a network leave its outputs alone") {
    const Counter folder{"outputs:\n  /nowhere/x.csv: {record: x}\n"};
    folder.write("x.csv.part", "left by a run that was killed\n");
    CHECK(folder.sme("check net.yaml").exit_code == 0);
    CHECK(folder.sme("graph net.yaml").exit_code == 0);
    CHECK(folder.sme("predict net.yaml --threads 1").exit_code == 0);
    CHECK(folder.sme("verilog net.yaml -o v").exit_code == 0);
    CHECK(text_of(folder.path("x.csv.part")) == "left by a run that was killed\n");
}
