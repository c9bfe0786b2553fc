// SPDX-License-Identifier: Apache-2.0
//
// Tests that a saved and resumed run equals an uninterrupted one in values, outputs, checks and
// coverage, with any number of threads.
#include <csignal>
#include <filesystem>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::Scratch;
using sme::test::text_of;

/// Reads the 120 in "fir: 120 cycles of ...".
std::uint64_t cycles_of(const std::string& summary) {
    return std::stoull(summary.substr(summary.find(": ") + 2));
}

std::string without_line(const std::string& text, const std::string& word) {
    std::string result;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("  " + word))
            result += line + '\n';
    return result;
}

/// All outputs of a run in a folder, except its waveform.
struct Written {
    std::string summary, coverage, outputs;
    bool operator==(const Written&) const = default;
};

Written written(const Scratch& folder, const Command& run) {
    Written result{without_line(run.out, "resumed"), text_of(folder.path("coverage.json")), {}};
    for (const std::string& name : folder.files())
        if (contains(name, "output") && name.ends_with(".csv"))
            result.outputs += name + '\n' + text_of(folder.path(name));
    return result;
}

constexpr const char* counter = R"(network: counter
buses:
  x: delay 3 u32
  y: u32
processes:
  count:
    out: x
    state:
      n: u32
      seen: u8[16]
    step:
      n: n + 1
      seen[n % 16]: u8(n % 251) ^ random(u8)
      x: n * 3 + u32(seen[5])
  follow:
    in: x
    out: y
    step:
      y: x ^ y
checks:
  - cover: x > past(x, 5)
  - always: y == y
outputs:
  output.csv: {record: y}
)";

/// Runs a counter for the given number of cycles.
Command count(const Scratch& folder, const std::string& options) {
    return Command{fmt::format("run {} {}", folder.path("network.yaml"), options)};
}

} // namespace

TEST_CASE("every model that is saved in the middle goes on as if nothing had been") {
    const char* const how[] = {"--threads 2 --queue stealing", "--threads 1 --engine native",
                               "--threads 2 --queue atomic --grain 1",
                               "--threads 3 --queue static --orchestration round-robin"};
    std::size_t next = 0;
    for (const char* model :
         {"ring", "rings",  "running_sum",  "fir",        "life",      "ripple", "traffic",
          "sort", "merge",  "reconvergent", "token_ring", "jpeg",      "cpu",    "pipeline",
          "uart", "sha256", "aes",          "riscv",      "validator", "game"}) {
        CAPTURE(model);
        const std::string source = std::string{SME_SOURCE_DIR} + "/models/" + model;
        const Scratch whole, parts;
        whole.copy(source);
        parts.copy(source);
        const std::string watched = " --trace-state --coverage ";
        const Command all{fmt::format(
            "run {0}/network.yaml --trace {0}/all.vcd{1}{0}/coverage.json", whole.path(), watched)};
        REQUIRE(all.exit_code == 0);
        const std::uint64_t middle = cycles_of(all.out) / 2;
        REQUIRE(middle > 0);
        const Command first{
            fmt::format("run {0}/network.yaml --cycles {1} --checkpoint-every {1} {0}/run.ckpt{2}"
                        "{0}/coverage.json",
                        parts.path(), middle, watched)};
        CAPTURE(first.err);
        REQUIRE(contains(first.out, "  saved "));
        const Command rest{fmt::format("run {0}/network.yaml --resume {0}/run.ckpt {1} --trace "
                                       "{0}/rest.vcd{2}{0}/coverage.json",
                                       parts.path(), how[next++ % std::size(how)], watched)};
        CAPTURE(rest.err);
        CHECK(rest.exit_code == 0);
        CHECK(contains(rest.out, fmt::format("from cycle {} on", middle)));
        const Written ours = written(parts, rest), theirs = written(whole, all);
        const auto anywhere = [](std::string text, const Scratch& folder) {
            for (std::size_t at; (at = text.find(folder.path())) != std::string::npos;)
                text.erase(at, folder.path().size());
            return text;
        };
        CHECK(anywhere(ours.summary, parts) == anywhere(theirs.summary, whole));
        CHECK(anywhere(ours.coverage, parts) == anywhere(theirs.coverage, whole));
        CHECK(ours.outputs == theirs.outputs);
        const Command diff{fmt::format("diff {}/all.vcd {}/rest.from-{}.vcd --any-x second",
                                       whole.path(), parts.path(), middle)};
        CAPTURE(diff.out);
        CHECK(diff.exit_code == 0);
    }
}

TEST_CASE("a run that is killed goes on from its last checkpoint, and its output is whole") {
    const Scratch whole, killed;
    whole.write("network.yaml", counter);
    killed.write("network.yaml", counter);
    for (const int signal : {SIGKILL, SIGINT}) {
        CAPTURE(signal);
        const std::string checkpoint = killed.path("run.ckpt");
        const std::string pid = killed.path("pid");
        std::thread run{[&] {
            const Command started{
                fmt::format("sh -c 'echo $$ > {} && exec {} run {} --cycles 1000000000000 --seed 9 "
                            "--checkpoint-every 3001 {}'",
                            pid, SME_COMMAND, killed.path("network.yaml"), checkpoint),
                Command::any_program};
            CHECK(started.exit_code == 128 + signal);
        }};
        while (!std::filesystem::exists(checkpoint))
            std::this_thread::yield();
        REQUIRE(::kill(std::stoi(text_of(pid)), signal) == 0);
        run.join();
        const std::string resume = " --threads 2 --resume " + checkpoint;
        const Command none = count(killed, "--cycles 1" + resume);
        CHECK(none.exit_code == 2);
        const std::size_t cycle = none.err.find("with cycle ");
        REQUIRE(cycle != std::string::npos);
        const std::string cycles =
            fmt::format("--cycles {}", std::stoull(none.err.substr(cycle + 11)) + 500);
        REQUIRE(count(whole, cycles + " --seed 9").exit_code == 0);
        const Command rest = count(killed, cycles + resume);
        CHECK(rest.exit_code == 0);
        CHECK(rest.err == "");
        const bool same = text_of(killed.path("output.csv")) == text_of(whole.path("output.csv"));
        CHECK(same);
        std::filesystem::remove(checkpoint);
        for (const std::string& name : killed.files())
            CHECK(!name.starts_with("output.csv."));
    }
}

TEST_CASE("a checkpoint is judged as every run is") {
    const Scratch folder;
    folder.write("network.yaml", counter);
    REQUIRE(count(folder, "--cycles 50 --checkpoint-every 25 " + folder.path("c")).exit_code == 0);
    const Command judged = count(folder, "--cycles 90 --validate --resume " + folder.path("c"));
    CHECK(judged.exit_code == 0);
    CHECK(contains(judged.out, "no invariant is broken"));
    const Command saved =
        count(folder, "--cycles 60 --validate --checkpoint-every 30 " + folder.path("d"));
    CHECK(saved.exit_code == 0);
    const Command plain = count(folder, "--cycles 90 --resume " + folder.path("d"));
    CHECK(plain.exit_code == 0);
    const std::string output = text_of(folder.path("output.csv"));
    CHECK(count(folder, "--cycles 90").exit_code == 0);
    CHECK(text_of(folder.path("output.csv")) == output);
}

TEST_CASE("a checkpoint with one byte changed, or cut off anywhere, is refused") {
    const Scratch folder;
    folder.write("network.yaml", counter);
    const std::string path = folder.path("c");
    REQUIRE(count(folder, "--cycles 20 --checkpoint-every 20 " + path).exit_code == 0);
    const std::string good = text_of(path);
    REQUIRE(good.size() > 200);
    unsigned refused = 0, tried = 0;
    const auto refuse = [&](const std::string& bytes) {
        folder.write("bad", bytes);
        const Command run = count(folder, "--cycles 30 --resume " + folder.path("bad"));
        ++tried;
        refused += run.exit_code == 2 && contains(run.err, "[bad-checkpoint]") &&
                   contains(run.err, folder.path("bad"));
    };
    for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 60) {
        std::string bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        refuse(bytes);
        refuse(good.substr(0, at));
    }
    refuse(good + "x");
    refuse("a text");
    MESSAGE("refused ", refused, " of ", tried, " damaged checkpoints");
    CHECK(refused == tried);
}

TEST_CASE("a checkpoint of another network, seed or length is refused with what to do") {
    const Scratch folder;
    folder.write("network.yaml", counter);
    const std::string path = folder.path("c");
    REQUIRE(count(folder, "--cycles 20 --seed 5 --checkpoint-every 20 " + path).exit_code == 0);
    const auto says = [&](const Command& run, int code, const std::string& what) {
        CAPTURE(run.err);
        CHECK(run.exit_code == code);
        CHECK(contains(run.err, what));
    };
    says(count(folder, "--cycles 30 --seed 6 --resume " + path), 2, "has seed 5; leave --seed out");
    says(count(folder, "--cycles 20 --resume " + path), 2, "give --cycles a larger number");
    says(count(folder, "--cycles 30 --resume " + folder.path()), 2, "it is a folder");
    says(count(folder, "--cycles 30 --resume " + folder.path("none")), 2, "No such file");
    says(count(folder, "--cycles 30 --resume /dev/zero"), 2, "not a regular file");
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = counter;
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        folder.write("other.yaml", text.replace(at, from.size(), to));
        return Command{
            fmt::format("run {} --cycles 30 --resume {}", folder.path("other.yaml"), path)};
    };
    says(changed("network: counter", "network: other"), 2, "it is of network 'counter'");
    says(changed("y: u32\n", "y: u32\n  z: u32\n"), 2, "bus 'z' is not in it");
    says(changed("delay 3", "delay 4"), 2, "delay 3 there, but 1 of u32, delay 4 here");
    says(changed("u8[16]", "u8[32]"), 2, "'count.seen'");
    const Command anew = changed("  - always: y == y\n", "");
    CHECK(anew.exit_code == 0);
    CHECK(contains(anew.err, "begun anew in cycle 20"));
}

TEST_CASE("a run goes on when it cannot be saved, and says so") {
    const Scratch folder;
    folder.write("network.yaml", counter);
    const Command run = count(folder, "--cycles 100 --checkpoint-every 10 /dev/full");
    CHECK(run.exit_code == 4);
    CHECK(contains(run.err, "the run goes on, but is not saved in cycle 10"));
    CHECK(contains(run.out, "counter: 100 cycles"));
    const Command nowhere = count(folder, "--cycles 100 --checkpoint-every 10 /nowhere/c");
    CHECK(nowhere.exit_code == 4);
    CHECK(contains(nowhere.err, "/nowhere/c"));
    CHECK(count(folder, "--cycles 9 --checkpoint-every 0 c").exit_code == 2);
    CHECK(count(folder, "--cycles 9 --checkpoint-every 5").exit_code == 2);
}

TEST_CASE("Verilog modules are saved with the network; what cannot be is named at the start") {
    if (Command{"command -v verilator", Command::any_program}.exit_code != 0) {
        MESSAGE("skipped: there is no Verilator");
        return;
    }
    const Scratch folder;
    const auto network = [&](const std::string& module) {
        folder.write("module.sv", module);
        folder.write("network.yaml", R"(network: mixed
buses:
  x: u8
  y[k < 3]: u8
processes:
  source:
    out: x
    step:
      x: x + 7
  dut[k < 3]:
    verilog: {files: [module.sv], top: unit}
    in: {a: x}
    out:
      q: y[k]
outputs:
  output.csv:
    record: y[0]
  output2.csv:
    record: y[2]
)");
    };
    network(R"(module unit(input clk, input [7:0] a, output reg [7:0] q);
    reg [7:0] memory [0:15];
    reg [3:0] place = 0;
    string kept = "";
    always @(posedge clk) begin
        memory[place] <= a ^ 8'($random);
        place <= place + 3;
        q <= q + memory[place ^ 5];
        if (place == 7) kept = {kept, "."};
        if (place == 8) $write("%s", kept);
        if (place == 9) $display("|");
    end
endmodule
)");
    const Command all = count(folder, "--cycles 200");
    CAPTURE(all.err);
    REQUIRE(all.exit_code == 0);
    REQUIRE(contains(all.out, ".|"));
    const auto outputs = [&] {
        return text_of(folder.path("output.csv")) + text_of(folder.path("output2.csv"));
    };
    const std::string output = outputs();
    const Command first = count(folder, "--cycles 93 --checkpoint-every 93 " + folder.path("c"));
    CAPTURE(first.err);
    REQUIRE(first.exit_code == 0);
    const Command rest = count(folder, "--cycles 200 --threads 2 --resume " + folder.path("c"));
    CAPTURE(rest.err);
    CHECK(rest.exit_code == 0);
    CHECK(outputs() == output);
    const auto lines = [](const Command& run) { return run.out.substr(0, run.out.find("mixed:")); };
    CHECK(lines(all).ends_with(lines(rest)));
    CHECK(contains(lines(rest), ".|"));

    network(R"(module unit(input clk, input [7:0] a, output reg [7:0] q);
    reg [7:0] waiting [$];
    reg [7:0] first;
    always @(posedge clk) begin
        waiting.push_back(a);
        if (waiting.size() > 3) first = waiting.pop_front();
        q <= first;
    end
endmodule
)");
    const Command refused = count(folder, "--cycles 9 --checkpoint-every 3 " + folder.path("d"));
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "holds the queue 'waiting', which cannot be saved"));
    CHECK(count(folder, "--cycles 9").exit_code == 0);
}
