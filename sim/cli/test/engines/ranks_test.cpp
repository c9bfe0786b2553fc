// SPDX-License-Identifier: Apache-2.0
//
// A run on several ranks of each MPI of the system, from the user's view: the same files, texts and
// exit codes as on one machine.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../model_copies.hpp"
#include "../ranks.hpp"

using namespace sme::test;

TEST_CASE("a run on several ranks writes the same waveform, prints the same and ends alike") {
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        for (const char* name : {"cpu", "life"}) {
            CAPTURE(name);
            const Scratch folder;
            const std::string line = fmt::format("run {} --cycles 100", model(name));
            const Command alone{line + " --trace " + folder.path("one.vcd")};
            const Command ranks = on_ranks(launcher, ranks_of(launcher),
                                           line + " --trace " + folder.path("ranks.vcd"));
            CAPTURE(ranks.err);
            CHECK(ranks.exit_code == alone.exit_code);
            CHECK(ranks.out == alone.out);
            const bool same = text_of(folder.path("one.vcd")) == text_of(folder.path("ranks.vcd"));
            CHECK(same);
        }
    }
}

TEST_CASE("with ranks, native code runs on all of them, and what is not available is an error") {
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        const std::string line = "run " + model("life") + " --cycles 150 --engine native";
        const Command alone{line}, ranks = on_ranks(launcher, 2, line);
        CAPTURE(ranks.err);
        CHECK(ranks.exit_code == 0);
        CHECK(ranks.out == alone.out);
        if (launcher != launchers().back()) // mpirun of Open MPI takes a second to end
            continue;
        const Command refused = on_ranks(launcher, 2, line + " --validate");
        CHECK(refused.exit_code != 0);
        CHECK(contains(refused.err, "--validate is not available on several ranks"));
        const Command unknown = on_ranks(launcher, 2, line + " --unknown");
        const std::size_t first = unknown.err.find("--unknown"); // of rank 0 alone
        CHECK(first != std::string::npos);
        CHECK(unknown.err.find("'--unknown'", first + 3) == std::string::npos);
        const Command wrong = on_ranks(launcher, 2, "run /nowhere.yaml");
        CHECK(wrong.exit_code != 0);
        CHECK(contains(wrong.err, "/nowhere.yaml"));
    }
}

TEST_CASE("ranks that would not run the same end with an error that names the difference") {
    const Scratch a, b;
    const std::string text = R"(network: n
parameters: {g: 3}
buses:
  t[4]: u32
processes:
  node[k < 4]:
    in: {x: "t[(k + 3) % 4]"}
    out: {y: "t[k]"}
    step: {y: x * u32(g) + 1}
run: {cycles: 6}
)";
    for (const Scratch* folder : {&a, &b}) {
        folder->write("n.yaml", text);
        folder->write("more.yaml", text + (folder == &b ? "# a comment\n" : ""));
        const std::string saved =
            fmt::format("run {} --cycles {} --checkpoint-every 1 {}", folder->path("n.yaml"),
                        folder == &a ? 2 : 3, folder->path("saved"));
        CHECK(Command{saved}.exit_code == 0);
    }
    a.write("both.yaml", text);
    b.write("both.yaml", replaced(text, "+ 1", "+ 2"));
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        const auto run = [&](const std::string& first, const std::string& second) {
            return Command{fmt::format("{}timeout 60 {} -n 1 -wdir {} {} run {} : -n 1 -wdir {} {} "
                                       "run {}",
                                       as_root, launcher, a.path(), SME_COMMAND, first, b.path(),
                                       SME_COMMAND, second),
                           Command::any_program};
        };
        const auto finds = [&](const std::string& first, const std::string& second,
                               const std::string& difference) {
            CAPTURE(first);
            CAPTURE(second);
            const Command refused = run(first, second);
            CAPTURE(refused.err);
            CHECK(refused.exit_code != 0);
            CHECK(refused.exit_code != 124); // timeout
            CHECK(contains(refused.err, "rank 1 differs from rank 0 in " + difference + "; all"));
        };
        finds("both.yaml", "both.yaml", "process 'node' (both.yaml:6:3)");
        finds("n.yaml --seed 1", "n.yaml --seed 2", "the seed");
        if (launcher != launchers().back()) // mpirun of Open MPI takes a second to end
            continue;
        const Command same = run("more.yaml --threads 1 --seed 0", "more.yaml --engine native");
        CAPTURE(same.err);
        CHECK(same.exit_code == 0);
        finds("n.yaml --set g=3", "n.yaml --set g=4", "parameter 'g'");
        finds("n.yaml --set g=3", "n.yaml", "parameter 'g'");
        finds("n.yaml", "n.yaml --cycles 7", "--cycles");
        finds("n.yaml", "n.yaml --stats", "--stats");
        finds("n.yaml", "n.yaml --untimed", "--untimed");
        finds("n.yaml --resume saved", "n.yaml --resume saved", "the checkpoint");
    }
}

TEST_CASE("native code has the same values where one message holds several cycles") {
    const Scratch folder;
    folder.write("network.yaml", R"(network: late
buses:
  ring[12]: delay 6 u32
processes:
  node[k < 12]:
    in: {x: "ring[(k + 11) % 12]"}
    out: {y: "ring[k]"}
    state: {time: u32, sum: u32}
    step:
      time: time + 1
      sum: sum * 5 + x
      y: sum + u32(k)
      print: '"{time}: {k} has {sum}" when time % 50 == u32(k)'
)");
    const std::string line =
        "run " + folder.path("network.yaml") + " --cycles 500 --engine native --threads 1";
    const Command alone{line};
    CHECK(contains(alone.out, "451: 1 has "));
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        const Command ranks = on_ranks(launcher, 2, line);
        CAPTURE(ranks.err);
        CHECK(ranks.out == alone.out);
    }
}

TEST_CASE("a trace of few buses makes ranks send only these, and --stats says what wires join") {
    if (launchers().empty())
        return; // find_launchers reports it
    const Scratch folder;
    const Command few =
        on_ranks(launchers().back(), 2,
                 fmt::format("run {} --set nodes=4000 --cycles 2 --stats --trace {} "
                             "--trace-select 'token[3000]'",
                             model("ring"), folder.path("few.vcd")));
    CHECK(contains(few.err, "rank 1: 50 % work, 4 bytes to 1 ranks, 4 bytes to observers"));
    const Command joined = on_ranks(launchers().back(), 2, "run " + model("pipeline") + " --stats");
    CHECK(joined.exit_code == 0);
    CHECK(contains(joined.err, "77 % of the work stays on one rank, as wires (such as 'jump')"));
    CHECK(contains(Command{"predict " + model("pipeline") + " --ranks 2"}.out,
                   "on 2 ranks, 77 % of the work stays on one rank"));
}

TEST_CASE("ranks save what one machine resumes, and the other way round; coverage is the same") {
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        const Scratch folder;
        const auto run = [&](const std::string& more) {
            return fmt::format("run {} {}", model("aes"), more);
        };
        const auto at = [&](const char* name) { return folder.path(name); };
        const auto saved = [&](const char* name) {
            return "--cycles 300 --checkpoint-every 150 " + at(name);
        };
        const auto resumed = [&](const char* name, const char* info) {
            return fmt::format("--resume {} --coverage {}", at(name), at(info));
        };
        const std::string covering = " --coverage ";
        CHECK(Command{run(saved("one")) + covering + at("half.info")}.exit_code == 0);
        CHECK(on_ranks(launcher, 2, run(saved("two")) + covering + at("half.info")).exit_code == 0);
        const bool same = text_of(at("one")) == text_of(at("two"));
        CHECK(same);
        const Command whole{run("--coverage " + at("whole.info"))};
        const Command back{run(resumed("two", "back.info"))};
        const Command forth = on_ranks(launcher, 2, run(resumed("one", "forth.info")));
        CAPTURE(forth.err);
        CHECK(forth.exit_code == 0);
        CHECK(replaced(forth.out, "/one:", "/two:") == back.out);
        CHECK(text_of(at("back.info")) == text_of(at("whole.info")));
        CHECK(text_of(at("forth.info")) == text_of(at("whole.info")));
    }
}

TEST_CASE("modules in Verilog run on all ranks, and each prints once at its end") {
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        const Scratch folder;
        folder.write("count.v", R"(module count(input clk, input rst, input [31:0] a,
                                                output reg [31:0] x);
  always @(posedge clk) begin
    x <= rst ? 0 : a + 1;
    if (!rst && a % 50 == 7) $display("at %0d", a);
  end
  final $display("ended at %0d", x);
endmodule
)");
        folder.write("network.yaml", R"(network: counters
buses:
  x[2]: u32
processes:
  count[k < 2]:
    verilog: {files: count.v, top: count, reset: rst}
    in: {a: "x[(k + 1) % 2]"}
    out: {x: "x[k]"}
)");
        const std::string line = "run " + folder.path("network.yaml") + " --checkpoint-every 50 ";
        const Command alone{line + folder.path("one") + " --cycles 120"};
        const Command ranks = on_ranks(launcher, 2, line + folder.path("two") + " --cycles 120");
        CAPTURE(ranks.err);
        CHECK(contains(alone.out, "count[1]: ended at 120\n"));
        CHECK(ranks.exit_code == 0);
        CHECK(replaced(ranks.out, folder.path("two"), folder.path("one")) == alone.out);
        const bool same = text_of(folder.path("one")) == text_of(folder.path("two"));
        CHECK(same);
    }
}

TEST_CASE(
    "--partition repeats a division, which may be changed, and refuses one that does not fit") {
    if (launchers().empty())
        return;
    const std::string launcher = launchers().back();
    const Scratch folder;
    folder.write("network.yaml", R"(network: split
buses:
  a: u8
  b: wire u8
  c: u8
processes:
  count: {out: a, step: {a: a + 1}}
  double: {in: a, out: b, step: {b: a * 2}}
  add: {in: b, out: c, step: {c: c + b}}
)");
    const std::string file = folder.path("parts.json");
    const auto run = [&](unsigned ranks) {
        return on_ranks(launcher, ranks,
                        fmt::format("run {} --cycles 20 --show c --partition {}",
                                    folder.path("network.yaml"), file));
    };
    const Command first = run(2);
    CAPTURE(first.err);
    CHECK(first.exit_code == 0);
    const std::string text = text_of(file);
    CHECK(contains(text, "\"network\": \"split\""));
    const std::string rank = contains(text, "[\"count\",[[0,1,0]]]") ? "0" : "1";
    const std::string other = rank == "0" ? "1" : "0";
    const auto with = [&](const char* name, const std::string& from, const std::string& to) {
        const std::string row = fmt::format("[\"{}\",[[0,1,", name);
        folder.write("parts.json", replaced(text, row + from, row + to));
        return run(2);
    };
    // 'double' and 'add' are joined by a wire, on the other rank than 'count'
    const Command changed = with("count", rank, other);
    CHECK(changed.exit_code == 0);
    CHECK(changed.out == first.out);
    const Command apart = with("add", other, rank);
    CHECK(apart.exit_code != 0);
    CHECK(contains(apart.err, "wire 'b' joins them"));
    CHECK(contains(with("add", other, "7").err, "is on rank 7, but there are 2"));
    CHECK(contains(Command{"run " + folder.path("network.yaml") + " --partition x.json"}.err,
                   "which mpirun starts"));
}

TEST_CASE("predict tells what ranks would bring for a link that is given or measured") {
    const std::string line =
        fmt::format("predict {} --set nodes=20000 --ranks 2,50000", model("ring"));
    const Command given{line + " --latency 7000 --bandwidth 25000"};
    CHECK(given.exit_code == 0);
    CHECK(contains(given.out, "       2      50.01"));
    CHECK(contains(given.out, "50000 more than there are processes"));
    CHECK(contains(given.out, "7000 ns and 25.00 Gbit/s (as given)"));
    CHECK(contains(given.out, "  rank 1: node["));
    if (!launchers().empty()) {
        const Command measured = on_ranks(launchers().back(), 2, line);
        CHECK(contains(measured.out, "(measured between two ranks)"));
    }
    const Command alone{"predict " + model("ring") + " --latency 7"};
    CHECK(alone.exit_code == 2);
    CHECK(contains(alone.err, "give --ranks N as well"));
    CHECK(contains(Command{"predict " + model("ring") + " --ranks 0"}.err,
                   "--ranks is a row of whole numbers from 1"));
}

TEST_CASE("graph colours processes by rank, and families that are divided with stripes") {
    const Command cpu{"graph " + model("cpu") + " --ranks 2"};
    CHECK(cpu.exit_code == 0);
    CHECK(contains(cpu.out, "alu\\nrank 1\", style=filled, fillcolor=\"0.382 0.3 1.0\""));
    const Command ring{"graph " + model("ring") + " --set nodes=4000 --ranks 3"};
    CHECK(contains(ring.out, "ranks 0 to 2"));
    CHECK(contains(ring.out, "style=striped, fillcolor=\"0.000 0.3 1.0;0.3"));
    const Command two{"graph " + model("cpu") + " --ranks 2,3"};
    CHECK(two.exit_code == 2);
    CHECK(contains(two.err, "is one whole number"));
}
