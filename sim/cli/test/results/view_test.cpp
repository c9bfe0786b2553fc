// SPDX-License-Identifier: Apache-2.0
//
// Tests "sme view" from the user's view, with a fake viewer; gtkwave_test.cpp uses the real one.
#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>

#include <fmt/format.h>

#include "../command.hpp"
#include "../running.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::Running;
using sme::test::Scratch;
using sme::test::text_of;

struct Counter : Scratch {
    std::string network;
    explicit Counter(const std::string& more = "run: {cycles: 10}\n") {
        write("count.yaml", "network: counter\nbuses:\n  x: u8\nprocesses:\n  p:\n    out: x\n"
                            "    state: {n: u8 = 0}\n    step:\n      n: n + 1\n      x: n\n" +
                                more);
        network = path("count.yaml");
    }
    std::vector<std::string> sorted() const {
        std::vector<std::string> names = files();
        std::sort(names.begin(), names.end());
        return names;
    }
    /// A program named gtkwave that records its arguments, one per line, and ends with `code`.
    std::string with_viewer(int code) const {
        std::filesystem::create_directory(path("bin"));
        write("bin/gtkwave", "#!/bin/sh\necho banner\nprintf '%s\\n' \"$@\" >" + path("arguments") +
                                 "\nexit " + std::to_string(code) + "\n");
        std::filesystem::permissions(path("bin/gtkwave"), std::filesystem::perms::owner_all);
        return "env DISPLAY=:9 PATH=" + path("bin") + ":/usr/bin:/bin " SME_COMMAND " view ";
    }
};

using Files = std::vector<std::string>;

} // namespace

TEST_CASE("a network is run, and its trace and save file lie beside it") {
    const Counter folder{"checks:\n  - at 10: x == 9\nrun: {cycles: 10}\n"};
    const Command view{"view " + folder.network + " --no-open"};
    CHECK(view.exit_code == 0);
    CHECK(view.err == "");
    CHECK(view.out == "counter: 10 cycles of 1 process, 1 bus\n  passed       at 10: x == 9\n"
                      "  wrote        " +
                          folder.path("count.gtkw") + "\n");
    CHECK(folder.sorted() == Files{"count.gtkw", "count.vcd", "count.yaml"});
    CHECK(contains(text_of(folder.path("count.gtkw")), "[dumpfile] \"count.vcd\"\n"));
    CHECK(contains(text_of(folder.path("count.gtkw")), "\n@24\ncounter.x[7:0]\n"));
}

TEST_CASE("files go where they are asked to") {
    const Counter folder;
    std::filesystem::create_directory(folder.path("a"));
    CHECK(
        Command{"view " + folder.network + " --no-open -o " + folder.path("a/b.gtkw")}.exit_code ==
        0);
    CHECK(std::filesystem::exists(folder.path("a/b.vcd")));
    CHECK(Command{"view " + folder.network + " --no-open --trace " + folder.path("t.vcd") + " -o " +
                  folder.path("a/c.gtkw")}
              .exit_code == 0);
    CHECK(contains(text_of(folder.path("a/c.gtkw")), "[dumpfile] \"../t.vcd\"\n"));
    CHECK(folder.sorted() == Files{"a", "count.yaml", "t.vcd"});
}

TEST_CASE("options of a run count") {
    const Counter folder{""};
    CHECK(Command{"view " + folder.network + " --no-open"}.exit_code == 2);
    CHECK(folder.sorted() == Files{"count.yaml"});
    CHECK(Command{"view " + folder.network + " --no-open --cycles 3 --trace-state"}.exit_code == 0);
    CHECK(contains(text_of(folder.path("count.gtkw")), "[color] 5\ncounter.p.n[7:0]\n"));
    CHECK(contains(text_of(folder.path("count.vcd")), "\n#30\n"));
    CHECK_FALSE(contains(text_of(folder.path("count.vcd")), "\n#40\n"));
}

TEST_CASE("the viewer gets the trace and the save file, and what it prints is no result") {
    const Counter folder;
    const std::string view = folder.with_viewer(0);
    const Command network{view + folder.network, Command::any_program};
    CHECK(network.exit_code == 0);
    CHECK(text_of(folder.path("arguments")) ==
          folder.path("count.vcd") + "\n" + folder.path("count.gtkw") + "\n");
    CHECK_FALSE(contains(network.out, "banner"));
    const Command trace{view + folder.path("count.vcd"), Command::any_program};
    CHECK(trace.exit_code == 0);
    CHECK(trace.out == "  wrote        " + folder.path("count.gtkw") + "\n");
    const Command dash{"cd " + folder.path("") + " && cp count.vcd ./-x.vcd && " + view +
                           "-- -x.vcd",
                       Command::any_program};
    CHECK(dash.exit_code == 0);
    CHECK(text_of(folder.path("arguments")) == "./-x.vcd\n./-x.gtkw\n");
}

TEST_CASE("a viewer that is missing or fails ends with 3, and the files are there") {
    const Counter folder;
    const std::string nowhere = "env DISPLAY=:9 PATH=" + folder.path("") + " " SME_COMMAND " view ";
    const Command missing{nowhere + folder.network, Command::any_program};
    CHECK(missing.exit_code == 3);
    CHECK(contains(missing.err, "apt-get install gtkwave"));
    CHECK(contains(missing.err, "--no-open"));
    CHECK(folder.sorted() == Files{"count.gtkw", "count.vcd", "count.yaml"});
    const Command failing{folder.with_viewer(7) + folder.network, Command::any_program};
    CHECK(failing.exit_code == 3);
    CHECK(contains(failing.err, "/gtkwave' ended with 7"));
}

TEST_CASE("without a display nothing is run, and how to do without one is said") {
    const Counter folder;
    const std::string view = "env -u WAYLAND_DISPLAY DISPLAY= " SME_COMMAND " view ";
    const Command none{view + folder.network, Command::any_program};
    CHECK(none.exit_code == 2);
    CHECK(contains(none.err, "there is no display to open GTKWave on"));
    CHECK(contains(none.err, "--no-open"));
    CHECK(folder.sorted() == Files{"count.yaml"});
    CHECK(Command{view + folder.network + " --no-open", Command::any_program}.exit_code == 0);
    const Command trace{view + folder.path("count.vcd"), Command::any_program};
    CHECK(trace.exit_code == 2);
    CHECK(contains(trace.err, "there is no display to open GTKWave on"));
}

TEST_CASE("a signal goes on to the viewer, and both end") {
    const Counter folder;
    folder.with_viewer(0);
    for (const auto& each : {std::pair{"HUP", SIGHUP}, {"TERM", SIGTERM}, {"INT", SIGINT}}) {
        const char* const name = each.first;
        const int number = each.second;
        CAPTURE(name);
        folder.write("bin/gtkwave", fmt::format("#!/bin/sh\ntrap 'echo {0} >{1}; exit 0' {0}\n"
                                                "echo $$ >{2}\nwhile :; do sleep 0.01; done\n",
                                                name, folder.path("heard"), folder.path("number")));
        Running run{"view count.yaml --overwrite", folder.path(),
                    "env DISPLAY=:9 PATH=" + folder.path("bin") + ":$PATH"};
        REQUIRE(run.runs_until([&] { return contains(text_of(folder.path("number")), "\n"); }));
        run.signal(number);
        CHECK(run.wait() == 128 + number);
        CHECK(text_of(folder.path("heard")) == std::string{name} + "\n");
        const std::string process = "/proc/" + text_of(folder.path("number"));
        CHECK_FALSE(std::filesystem::exists(process.substr(0, process.size() - 1)));
        std::filesystem::remove(folder.path("number"));
    }
}

TEST_CASE("a run that fails is looked at all the same, and ends as it failed") {
    const Counter folder{"checks:\n  - always: x < 5\nrun: {cycles: 10}\n"};
    const Command view{folder.with_viewer(0) + folder.network, Command::any_program};
    CHECK(view.exit_code == 1);
    CHECK(std::filesystem::exists(folder.path("arguments")));
}

TEST_CASE("after a failure the window and the marker are at the cycle that failed") {
    // a cycle takes 10 ticks, and the window 20 cycles, two thirds of them before the failure
    const Counter check{"checks:\n  - always: x < 105\n  - at 103: x == 9\nrun: {cycles: 200}\n"};
    CHECK(Command{"view " + check.network + " --no-open"}.exit_code == 1);
    const std::string failed = text_of(check.path("count.gtkw")); // at 1030, in the last cycle
    CHECK(contains(failed, "[timestart] 840\n"));                 // the trace ends at 1040
    CHECK(contains(failed, " 1030\n[sst_width]"));
    // the index is out of range in cycle 150, the last of the trace, which ends at 1510
    const Scratch fault;
    fault.write("f.yaml", "network: f\nbuses: {x: u8}\nprocesses:\n  p:\n    out: x\n"
                          "    state: {n: u8 = 0, table: 'u8[150]'}\n"
                          "    step:\n      n: n + 1\n      x: table[n]\n"
                          "run: {cycles: 400}\n");
    CHECK(Command{"view " + fault.path("f.yaml") + " --no-open"}.exit_code == 1);
    CHECK(contains(text_of(fault.path("f.gtkw")), "[timestart] 1310\n"));
    CHECK(contains(text_of(fault.path("f.gtkw")), " 1500\n[sst_width]"));
    const Counter fine{"run: {cycles: 200}\n"};
    CHECK(Command{"view " + fine.network + " --no-open"}.exit_code == 0);
    CHECK(contains(text_of(fine.path("count.gtkw")), "[timestart] 0\n"));
    CHECK(contains(text_of(fine.path("count.gtkw")), " -1\n[sst_width]"));
}

TEST_CASE("memories that a trace of states leaves out are named") {
    const Scratch folder;
    folder.write("m.yaml", "network: m\nbuses: {x: u8}\nprocesses:\n  p:\n"
                           "    out: x\n    state: {n: u8 = 0, ram: 'u8[16]'}\n"
                           "    step:\n      n: n + 1\n      ram[u4(n)]: n\n      x: ram[3]\n"
                           "run: {cycles: 3}\n");
    const std::string run = "run " + folder.path("m.yaml") + " --trace " + folder.path("m.vcd");
    const std::string note =
        "note: the trace leaves out memories: 'p.ram' (16 words); give --trace-memory GLOB as "
        "well\n";
    CHECK(contains(Command{run + " --trace-state"}.err, note));
    CHECK(contains(Command{run + " --trace-state --trace-select 'p*'"}.err, note));
    CHECK_FALSE(contains(Command{run + " --trace-state --trace-select 'x,p.n'"}.err, "note: the"));
    CHECK_FALSE(contains(Command{run}.err, "note: the"));
    CHECK_FALSE(contains(Command{run + " --trace-state --trace-memory p.ram"}.err, "note: the"));
    CHECK(
        contains(Command{"view " + folder.path("m.yaml") + " --no-open --trace-state"}.err, note));
}

TEST_CASE("a save file that somebody changed is kept") {
    const Counter folder;
    CHECK(Command{"view " + folder.network + " --no-open"}.exit_code == 0);
    folder.write("count.gtkw", "[*] mine\n");
    const Command kept{"view " + folder.network + " --no-open"};
    CHECK(kept.exit_code == 0);
    CHECK(contains(kept.err, "count.gtkw' is kept as you changed it; --overwrite"));
    CHECK_FALSE(contains(kept.out, "wrote"));
    CHECK(text_of(folder.path("count.gtkw")) == "[*] mine\n");
    CHECK(Command{"view " + folder.network + " --no-open --overwrite"}.exit_code == 0);
    CHECK(text_of(folder.path("count.gtkw")) != "[*] mine\n");
}

TEST_CASE("what cannot be looked at is said") {
    const Counter folder;
    folder.write("broken.vcd", "no trace");
    const Command broken{"view " + folder.path("broken.vcd")};
    CHECK(broken.exit_code == 2);
    CHECK(contains(broken.err, "no VCD file"));
    CHECK(Command{"view " + folder.path("none.vcd")}.exit_code == 2);
    CHECK(Command{"view " + folder.path("none.yaml")}.exit_code == 2);
    CHECK(Command{"view"}.exit_code == 2);
    CHECK(contains(Command{"view x.vcd --cycles 3"}.err, "for a network"));
    CHECK(contains(Command{"view x.vcd --set a=3"}.err, "for a network"));
    CHECK(contains(Command{"view " + folder.network + " -o x.sav"}.err, "FILE.gtkw"));
    CHECK(contains(Command{"view " + folder.network + " --trace x.lxt"}.err, "FILE.vcd"));
    CHECK(contains(Command{"view " + folder.network + " --trace x.csv"}.err, "FILE.vcd"));
    const std::string help = Command{"view --help"}.out;
    CHECK(contains(help, "--trace FILE.vcd|FILE.fst "));
    CHECK_FALSE(contains(help, ".csv"));
    CHECK(Command{"view " + folder.network + " --no-open --trace-select nothing"}.exit_code == 2);
    const Command nowhere{"view " + folder.network + " --no-open -o " + folder.path("none/x.gtkw")};
    CHECK(nowhere.exit_code == 4);
    CHECK(folder.sorted() == Files{"broken.vcd", "count.yaml"});
}

TEST_CASE("for Surfer the names of enumerations lie beside the trace, and GTKWave is not opened") {
    const Scratch folder;
    folder.write("e.yaml", "network: e\ntypes:\n  Phase: [idle, run, done]\nbuses: {x: Phase}\n"
                           "processes:\n  p:\n    out: x\n    step: {x: if x == idle then run "
                           "else done}\nrun: {cycles: 3}\n");
    const Command view{"env -u DISPLAY -u WAYLAND_DISPLAY " SME_COMMAND " view " +
                           folder.path("e.yaml") + " --surfer",
                       Command::any_program};
    CHECK_MESSAGE(view.exit_code == 0, view.err);
    const std::string mapping = folder.path(".surfer/mappings/e.Phase.txt");
    CHECK(contains(view.out, "  wrote        " + mapping + "\n"));
    CHECK(contains(text_of(mapping), "\nName = e.Phase\nBits = 2\n0 idle\n1 run\n2 done\n"));
    folder.write(".surfer/mappings/e.Phase.txt", "0[red] idle\n");
    const Command again{"view " + folder.path("e.yaml") + " --surfer"};
    CHECK(contains(again.err, "e.Phase.txt' is kept as you changed it"));
    CHECK(text_of(mapping) == "0[red] idle\n");
    const Command trace{"view " + folder.path("e.vcd") + " --surfer"};
    CHECK(trace.exit_code == 0);
    CHECK(contains(trace.err, "note: no signal is known to be of an enumeration"));
}

TEST_CASE("signals are shown in the radix that is asked for, of a network and of a trace") {
    const Counter folder;
    const std::string hex = "\n@22\ncounter.x[7:0]\n";
    CHECK(Command{"view " + folder.network + " --no-open --radix x=hex"}.exit_code == 0);
    CHECK(contains(text_of(folder.path("count.gtkw")), hex));
    const std::string trace = "view " + folder.path("count.vcd") + " --no-open --radix ";
    CHECK(Command{trace + "u8=hex"}.exit_code == 0);
    CHECK(contains(text_of(folder.path("count.gtkw")), hex));
    CHECK(contains(Command{trace + "y=hex"}.err, "--radix: no signal that is shown is called 'y'"));
    const Command wrong{trace + "x=octal"};
    CHECK(wrong.exit_code == 2);
    CHECK(contains(wrong.err, "GLOB=RADIX with one of bin, dec, signed, hex, but this is"));
}
