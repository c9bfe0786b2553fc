// SPDX-License-Identifier: Apache-2.0
//
// Files written here by Icarus, Verilator, GHDL, GTKWave's tools and ourselves: our reader finds
// the same as an independent reader (vcdvcd), and files of one run by different tools are equal.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "../../../sim/cli/test/command.hpp"
#include "vcd/reader.hpp"

using namespace sme;
using test::Command;
using test::contains;
using test::Scratch;

namespace {

/// The times and values of a signal, without repetitions.
using Changes = std::vector<std::pair<std::uint64_t, std::string>>;
using Waveform = std::map<std::string, Changes>;

void add(Changes& changes, std::uint64_t time, const std::string& value) {
    if (!changes.empty() && changes.back().first == time)
        changes.back().second = value;
    else
        changes.emplace_back(time, value);
}

void drop_repetitions(Waveform& waveform) {
    const auto same = [](const auto& a, const auto& b) { return a.second == b.second; };
    for (auto& [name, changes] : waveform)
        changes.erase(std::unique(changes.begin(), changes.end(), same), changes.end());
}

Waveform read_by_us(const std::string& path) {
    vcd::Reader reader{path};
    Waveform result;
    std::vector<std::pair<std::string, std::uint32_t>> names;
    for (const vcd::Variable& variable : reader.declarations().variables)
        if (reader.declarations().signals[variable.signal].kind != vcd::Kind::event)
            names.emplace_back(vcd::full_name(reader.declarations(), variable), variable.signal);
    while (reader.more()) {
        const std::uint64_t time = reader.time();
        reader.take();
        for (const auto& [name, signal] : names) {
            if (!reader.has_changed(signal))
                continue;
            const vcd::Value value = reader.value(signal);
            std::string text;
            if (value.kind == vcd::Kind::real)
                text = std::to_string(value.real());
            else
                for (std::uint64_t place = value.width_bits; place-- > 0;)
                    text += vcd::digit_at(value, place);
            add(result[name], time, text);
        }
    }
    CHECK_MESSAGE(!reader.problem(), (reader.problem() ? render(*reader.problem()) : ""));
    drop_repetitions(result);
    return result;
}

/// Expands the other reader's text to all digits: the omitted ones extend the first.
std::string all_digits(std::string text, std::size_t width) {
    for (char& digit : text) {
        const std::string nine = "UWXxZz-LlHh01", four = "xxxxzzx0011"
                                                         "01";
        digit = four[nine.find(digit)];
    }
    const char first = text.front() == '1' ? '0' : text.front();
    return std::string(width - std::min(width, text.size()), first) + text;
}

Waveform read_by_others(const std::string& path, const Waveform& ours) {
    const Command read{SME_PYTHON " " SME_SOURCE_DIR "/validator/diff/test/read_values.py " + path,
                       Command::any_program};
    REQUIRE_MESSAGE(read.exit_code == 0, read.err);
    Waveform result;
    std::istringstream lines{read.out};
    std::string name, value;
    std::uint64_t time = 0;
    while (lines >> name >> time >> value) {
        if (const std::size_t range = name.rfind('['); // "q[7:0]", but not "mem[3]"
            range != std::string::npos && name.find(':', range) != std::string::npos)
            name.erase(range);
        if (const std::size_t escape = name.find('\\'); escape != std::string::npos)
            name.erase(escape, 1);
        const auto known = ours.find(name);
        if (known == ours.end())
            continue; // an event; otherwise the counts below differ
        const std::string& like = known->second.front().second;
        const bool real = contains(like, ".") || contains(like, "nan");
        add(result[name], time,
            real ? std::to_string(std::stod(value)) : all_digits(value, like.size()));
    }
    drop_repetitions(result);
    return result;
}

/// Checks that the values in a file equal the other reader's, and the number of changes.
std::size_t judged(const std::string& path) {
    CAPTURE(path);
    const Waveform ours = read_by_us(path), theirs = read_by_others(path, ours);
    CHECK(ours.size() == theirs.size());
    std::size_t count = 0;
    for (const auto& signal : ours) {
        const auto& name = signal.first;
        const auto& changes = signal.second;
        CAPTURE(name);
        const auto found = theirs.find(name);
        REQUIRE(found != theirs.end());
        CHECK((changes == found->second));
        count += changes.size();
    }
    return count;
}

void run(const Scratch& scratch, const std::string& line) {
    const Command command{"cd " + scratch.path() + " && " + line, Command::any_program};
    INFO(line);
    REQUIRE_MESSAGE(command.exit_code == 0, (command.out + command.err));
}

Command diff(const Scratch& scratch, const std::string& files) {
    return Command{"cd " + scratch.path() + " && " SME_COMMAND " diff " + files,
                   Command::any_program};
}

bool have(const std::string& program) {
    return Command{"command -v " + program, Command::any_program}.exit_code == 0;
}

#define NEEDS(program)                                                                             \
    if (!have(program)) {                                                                          \
        MESSAGE("skipped: there is no " program);                                                  \
        return;                                                                                    \
    }

const char* const module_text = R"(
`timescale 1ns/1ps
module counter(input clk, input [7:0] step, output reg [99:0] sum, output reg [7:0] last);
    reg [3:0] seen[0:3];
    initial begin sum = 0; last = 0; seen[0] = 0; seen[1] = 0; seen[2] = 0; seen[3] = 0; end
    always @(posedge clk) begin
        sum <= {sum[91:0], step} + 1;
        last <= step;
        seen[step[1:0]] <= step[3:0];
    end
endmodule
)";

const char* const icarus_bench = R"(
`timescale 1ns/1ps
module bench;
    reg clk = 0;
    reg [7:0] step = 0;
    wire [99:0] sum; wire [7:0] last;
    real level = 0.5; event tick; reg [0:3] up = 4'b1x0z; reg \odd.name = 1;
    integer k;
    counter dut(clk, step, sum, last);
    initial begin
        $dumpfile("icarus.vcd");
        $dumpvars(0, bench);
        $dumpvars(0, dut.seen[0], dut.seen[1], dut.seen[2], dut.seen[3]);
        for (k = 0; k < 200; k = k + 1) begin
            #5 clk = k & 1;
            step <= k * 37; level = level * 1.01;
            if (k % 7 == 0) -> tick;
        end
`ifdef GAP
        $dumpoff; #10 up = 4'bx; $dumpon; #1 $dumpall;
`endif
        #5 $finish;
    end
endmodule
)";

const char* const verilator_main = R"(
#include "Vcounter.h"
#include "verilated.h"
#include "verilated_vcd_c.h"
int main() {
    VerilatedContext context;
    context.traceEverOn(true);
    Vcounter top{&context};
    VerilatedVcdC file;
    top.trace(&file, 99);
    file.set_time_unit("1ns");
    file.open("verilator.vcd");
    file.dump(std::uint64_t{0});
    top.clk = 0; top.step = 0; top.eval(); file.dump(std::uint64_t{1});
    for (int k = 0; k < 200; ++k) {
        top.step = top.step; top.clk = k & 1; top.eval(); // the edge sees the step of before
        top.step = k * 37; top.eval();
        file.dump(std::uint64_t(5 * (k + 1)) * 1000);
    }
    file.close();
}
)";

} // namespace

TEST_CASE("files of Icarus are read as others read them, with gaps, reals and escaped names") {
    NEEDS("iverilog")
    const Scratch scratch;
    scratch.write("counter.v", module_text);
    scratch.write("bench.v", icarus_bench);
    run(scratch, "iverilog -DGAP -o bench counter.v bench.v && vvp bench");
    CHECK(judged(scratch.path("icarus.vcd")) > 500);
    CHECK(diff(scratch, "icarus.vcd icarus.vcd").exit_code == 0);
}

TEST_CASE("files of GTKWave's tools hold the same values as those they were made of") {
    NEEDS("iverilog")
    NEEDS("fst2vcd")
    const Scratch scratch;
    scratch.write("counter.v", module_text);
    scratch.write("bench.v", icarus_bench);
    run(scratch, "iverilog -o bench counter.v bench.v && vvp bench");
    run(scratch, "vcd2fst icarus.vcd icarus.fst && fst2vcd icarus.fst > fst.vcd");
    run(scratch, "vcd2lxt2 icarus.vcd icarus.lxt2 && lxt2vcd icarus.lxt2 > lxt2.vcd");
    run(scratch, "vcd2vzt icarus.vcd icarus.vzt && vzt2vcd icarus.vzt > vzt.vcd");
    for (const char* name : {"fst.vcd", "lxt2.vcd", "vzt.vcd"}) {
        CAPTURE(name);
        CHECK(judged(scratch.path(name)) > 500);
    }
    const Command fst = diff(scratch, "icarus.vcd fst.vcd");
    CHECK_MESSAGE(fst.exit_code == 0, (fst.out + fst.err));
    CHECK(contains(fst.out, "identical: 16 signals"));
    const Command packed = diff(scratch, "icarus.vcd icarus.fst");
    CHECK_MESSAGE(packed.exit_code == 0, (packed.out + packed.err));
    CHECK(contains(packed.out, "identical: 16 signals"));
    // LXT2 and VZT do not support events
    for (const char* name : {"lxt2.vcd", "vzt.vcd"}) {
        const Command same =
            diff(scratch, std::string{"icarus.vcd "} + name + " --ignore '*.tick'");
        CHECK_MESSAGE(same.exit_code == 0, (same.out + same.err));
    }
    run(scratch, "sed '0,/^b1[01]*1 /s//b0 /' fst.vcd > wrong.vcd");
    CHECK(diff(scratch, "icarus.vcd wrong.vcd").exit_code == 1);
}

TEST_CASE("files of Verilator are read as others read them, and are those of Icarus") {
    NEEDS("verilator")
    NEEDS("iverilog")
    const Scratch scratch;
    scratch.write("counter.v", module_text);
    scratch.write("bench.v", icarus_bench);
    scratch.write("main.cpp", verilator_main);
    run(scratch, "iverilog -o bench counter.v bench.v && vvp bench");
    run(scratch, "verilator -Wno-fatal --x-assign 0 --x-initial 0 --cc --exe --build --trace "
                 "-MAKEFLAGS 'OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0' counter.v main.cpp "
                 ">build.log && obj_dir/Vcounter");
    CHECK(judged(scratch.path("verilator.vcd")) > 500);
    const std::string maps = " --map TOP.counter=bench.dut --select 'bench.dut'";
    const Command same = diff(scratch, "icarus.vcd verilator.vcd" + maps);
    CHECK_MESSAGE(same.exit_code == 0, (same.out + same.err));
    CHECK(contains(same.out, "identical: 8 signals compared"));
    const Command unmapped = diff(scratch, "icarus.vcd verilator.vcd");
    CHECK(unmapped.exit_code == 2);
    CHECK(contains(unmapped.err, "--map 'TOP.counter=bench.dut' may help"));
    run(scratch, "sed -i 's/sum\\[91:0\\], step} + 1/sum[91:0], step} + 2/' counter.v && "
                 "iverilog -o bench counter.v bench.v && vvp bench");
    const Command wrong = diff(scratch, "icarus.vcd verilator.vcd --max-differences 1" + maps);
    CHECK(wrong.exit_code == 1);
    CHECK(
        contains(wrong.out, "10000 ps  bench.dut.sum: 0x2 in icarus.vcd, 0x1 in verilator.vcd\n"));
}

TEST_CASE("files of GHDL are read as others read them") {
    NEEDS("ghdl")
    const Scratch scratch;
    scratch.write("bench.vhd", R"(
library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity bench is end;
architecture a of bench is
    signal clk : std_logic := '0';
    signal count : unsigned(7 downto 0) := (others => 'U');
    signal all_nine : std_logic_vector(0 to 8) := "UX01ZWLH-";
    signal number : integer := -1;
    signal level : real := 0.5;
    signal flag : boolean;
begin
    process begin
        for k in 0 to 99 loop wait for 5 ns; clk <= not clk; end loop;
        wait;
    end process;
    process(clk) begin
        if rising_edge(clk) then
            if number < 0 then count <= x"07"; else count <= count + 37; end if;
            number <= number + 1; level <= level * 1.1; flag <= not flag;
            all_nine <= all_nine(1 to 8) & all_nine(0);
        end if;
    end process;
end;
)");
    run(scratch, "ghdl -a bench.vhd && ghdl -e bench && ghdl -r bench --vcd=ghdl.vcd && "
                 "ghdl -r bench --fst=ghdl.fst");
    CHECK(judged(scratch.path("ghdl.vcd")) > 300);
    CHECK(diff(scratch, "ghdl.vcd ghdl.vcd").exit_code == 0);
    // into FST, GHDL 2 writes no scope for the entity, and no integers or reals
    const std::string files = "ghdl.vcd ghdl.fst --ignore '*.number' --ignore '*.level'";
    const Command whole = diff(scratch, files);
    const Command packed = whole.exit_code == 0 ? whole : diff(scratch, files + " --map =bench");
    CHECK_MESSAGE(packed.exit_code == 0, (packed.out + packed.err));
}

TEST_CASE("our traces are read as others read them, and are those of our Verilog in Icarus") {
    NEEDS("iverilog")
    const Scratch scratch;
    scratch.write("pair.yaml", R"(network: pair
buses:
  a: u8
  b: i12
  odd: bool
processes:
  up:
    out: [a, odd]
    state:
      n: u8 = 200
    step:
      n: n + 7
      a: n
      odd: n[0]
  down:
    in: a
    out: b
    step:
      b: i12(a) - 100
run: {cycles: 150}
)");
    run(scratch, SME_COMMAND " run pair.yaml --trace ours.vcd && " SME_COMMAND
                             " verilog pair.yaml -o written");
    CHECK(judged(scratch.path("ours.vcd")) > 300);
    scratch.write("dump.v", "module dump; initial begin $dumpfile(\"../icarus.vcd\"); "
                            "$dumpvars(0, pair_bench); end endmodule\n");
    run(scratch, "cd written && iverilog -o bench -s pair_bench -s dump -f files.f pair_bench.v "
                 "../dump.v && vvp bench");
    const Command same = diff(scratch, "ours.vcd icarus.vcd --map pair_bench.dut=pair --shift 5ns");
    CHECK_MESSAGE(same.exit_code == 0, (same.out + same.err));
    CHECK(contains(same.out, "identical: 3 signals compared"));
    CHECK(contains(same.err, "only in ours.vcd: 'pair.clock'"));
    CHECK(diff(scratch, "ours.vcd icarus.vcd --map pair_bench.dut=pair").exit_code == 1);
}
