// SPDX-License-Identifier: Apache-2.0
//
// Tests the output and exit codes of the command; validator/diff/test tests the comparison itself.
#include <doctest/doctest.h>

#include <string>

#include "../command.hpp"

using sme::test::Command;
using sme::test::contains;
using sme::test::Scratch;

namespace {

const std::string first =
    "$timescale 1 ns $end\n$scope module top $end\n$var wire 8 ! x [7:0] $end\n"
    "$var wire 1 \" y $end\n$upscope $end\n$enddefinitions $end\n"
    "#0\nb0 !\n0\"\n#5\nb1 !\n#10\n1\"\nb1x !\n#15\nb11 !\n";

std::string changed(std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
}

} // namespace

TEST_CASE("equal files are identical, different ones are told apart") {
    const Scratch scratch;
    scratch.write("a.vcd", first);
    scratch.write("b.vcd", changed(first, "b1 !", "b101 !"));
    const std::string here = "cd " + scratch.path() + "; ";
    const std::string sme = SME_COMMAND;
    const Command same{here + sme + " diff a.vcd a.vcd", Command::any_program};
    CHECK(same.out == "identical: 2 signals compared from 0 ns to 15 ns\n");
    CHECK(same.err == "");
    CHECK(same.exit_code == 0);
    const Command differ{here + sme + " diff a.vcd b.vcd", Command::any_program};
    CHECK(differ.out == "5 ns  top.x: 0x1 in a.vcd, 0x5 in b.vcd\n"
                        "1 difference of 1 signal: 2 signals compared from 0 ns to 15 ns\n");
    CHECK(differ.exit_code == 1);
    scratch.write("c.vcd", changed(changed(first, "b1x !", "b10 !"), "b11 !", "b0 !"));
    const Command one{here + sme + " diff a.vcd c.vcd --max-differences 1", Command::any_program};
    CHECK(one.out ==
          "10 ns  top.x: 0b0000001x in a.vcd, 0x2 in c.vcd\n"
          "1 difference of 1 signal: 2 signals compared from 0 ns to 10 ns; --max-differences N "
          "shows more\n");
    CHECK(Command{here + sme + " diff a.vcd c.vcd --most=1", Command::any_program}.out == one.out);
    const Command any{here + sme + " diff a.vcd c.vcd --any-x first --ignore top.z",
                      Command::any_program};
    CHECK(contains(any.out, "15 ns  top.x: 0x3 in a.vcd, 0x0 in c.vcd\n1 difference"));
    const Command pipe{here + "cat a.vcd | " + sme + " diff a.vcd /dev/stdin",
                       Command::any_program};
    CHECK(pipe.exit_code == 0);
}

TEST_CASE("names and times are brought together as asked") {
    const Scratch scratch;
    std::string late = changed(first, "module top", "module TOP");
    for (const auto& [from, to] :
         {std::pair{"#15", "#17"}, {"#10", "#12"}, {"#5", "#7"}, {"#0", "#2"}})
        late = changed(late, from, to);
    scratch.write("a.vcd", first);
    scratch.write("b.vcd", late);
    const std::string files = "diff " + scratch.path("a.vcd") + " " + scratch.path("b.vcd");
    const Command none{files};
    CHECK(none.exit_code == 2);
    CHECK(contains(none.err, "have no signal in common that is compared; --map 'TOP=top' may help "
                             "[nothing-to-compare]"));
    CHECK(Command{files + " --map TOP=top"}.exit_code == 1);
    CHECK(Command{files + " --map TOP=top --shift 2ns"}.exit_code == 0);
    CHECK(Command{files + " --map TOP=top --select top.y --ignore top.x --shift 2ns"}.exit_code ==
          0);
}

TEST_CASE("what only one file has is a note, or with --strict a difference") {
    const Scratch scratch;
    scratch.write("a.vcd", first);
    scratch.write("b.vcd", changed(changed(first, "y $end", "other $end"), "#15\nb11 !\n", ""));
    const std::string files = "diff " + scratch.path("a.vcd") + " " + scratch.path("b.vcd");
    const Command notes{files};
    CHECK(notes.exit_code == 0);
    CHECK(contains(notes.out, "1 signal compared from 0 ns to just before 10 ns"));
    CHECK(contains(notes.err, "note: 1 signal only in " + scratch.path("a.vcd") + ": 'top.y'\n"));
    CHECK(
        contains(notes.err, "note: 1 signal only in " + scratch.path("b.vcd") + ": 'top.other'\n"));
    CHECK(contains(notes.err, "goes on, but " + scratch.path("b.vcd") + " ends at 10 ns\n"));
    const Command strict{files + " --strict"};
    CHECK(strict.exit_code == 1);
    CHECK(contains(strict.out, "no value differs, but see above"));
    CHECK(contains(strict.err, "difference: 1 signal only in"));
}

TEST_CASE("an option that fits no signal says so, and changes nothing") {
    const Scratch scratch;
    scratch.write("a.vcd", first);
    const Command idle{"diff " + scratch.path("a.vcd") + " " + scratch.path("a.vcd") +
                       " --strict --ignore top.z --ignore top.y --select top --select TOP --map "
                       "TOP.dut=top"};
    CHECK(idle.exit_code == 0);
    CHECK(idle.out == "identical: 1 signal compared from 0 ns to 15 ns\n");
    CHECK(idle.err == "note: --map 'TOP.dut=top' fits no signal of the second file\n"
                      "note: --select 'TOP' fits no signal of either file\n"
                      "note: --ignore 'top.z' fits no signal of either file\n");
}

TEST_CASE("what the standard does not allow is read with a warning for each kind") {
    const Scratch scratch;
    scratch.write("a.vcd", changed(changed(first, "#5\n", "#5.0\n"), "b1x !", "b0b1x !"));
    scratch.write("b.vcd", first);
    const Command same{"diff " + scratch.path("a.vcd") + " " + scratch.path("b.vcd")};
    CHECK(same.exit_code == 0);
    CHECK(same.err ==
          scratch.path("a.vcd") +
              ":10:1: warning: a time is a whole number of ticks; the digits after its point are "
              "ignored [vcd-unusual]\n  #5.0\n  ^~~~\n" +
              scratch.path("a.vcd") +
              ":14:1: warning: the digits of a vector begin with '0b', which is left out "
              "[vcd-unusual]\n  b0b1x !\n  ^~~~~\n");
    const Command self{"diff " + scratch.path("a.vcd") + " " + scratch.path("a.vcd")};
    CHECK(self.err == same.err);
}

TEST_CASE("wrong options, wrong files and missing files have exit codes of their own") {
    const Scratch scratch;
    scratch.write("a.vcd", first);
    scratch.write("wrong.vcd", changed(first, "b1x !", "b12 !"));
    const std::string a = "diff " + scratch.path("a.vcd") + " ";
    const Command wrong{a + scratch.path("wrong.vcd")};
    CHECK(wrong.exit_code == 2);
    CHECK(contains(wrong.err, "wrong.vcd:14:1: error: 'b12' is no vector of the digits 0, 1, x and "
                              "z [vcd-syntax]"));
    CHECK(Command{a + scratch.path("none.vcd")}.exit_code == 4);
    CHECK(contains(Command{a}.err, "'sme diff' takes two arguments, FILE.vcd|FILE.fst "
                                   "FILE.vcd|FILE.fst, but 1 are given"));
    for (const char* option : {"--max-differences 0", "--shift 5", "--any-x none", "--tolerance -1",
                               "--tolerance x", "--map TOP", "--map 'a=*'"}) {
        CAPTURE(option);
        const Command bad{a + scratch.path("a.vcd") + " " + option};
        CHECK(bad.exit_code == 2);
        CHECK(contains(bad.err, "[bad-option]"));
    }
    // the first trace ends before the second begins
    scratch.write("late.vcd",
                  changed(first, "#0\n", "#7\n").substr(0, first.find("#5")) + "#8\n1\"\n");
    scratch.write("early.vcd", first.substr(0, first.find("#10")));
    const Command apart{"diff " + scratch.path("early.vcd") + " " + scratch.path("late.vcd")};
    CHECK(apart.exit_code == 2);
    CHECK(contains(apart.err, "have no time in common"));
}

TEST_CASE("values of our own files are decimal, with their signs and cycles") {
    const Scratch scratch;
    scratch.write("n.yaml", "network: n\nparameters: {by: 1}\nbuses: {y: i16, z: u8}\nprocesses:\n"
                            "  p: {out: [y, z], step: {y: y - by, z: u8(by) + 199}}\n"
                            "run: {cycles: 3}\n");
    const std::string here = "cd " + scratch.path() + "; ";
    const std::string sme = SME_COMMAND;
    const Command differ{here + sme + " run n.yaml --trace a.vcd >/dev/null; " + sme +
                             " run n.yaml --set by=2 --trace b.fst >/dev/null; " + sme +
                             " diff a.vcd b.fst --max-differences 3",
                         Command::any_program};
    CHECK(contains(differ.out, "10 ns (cycle 1)  n.y: -1 in a.vcd, -2 in b.fst\n"
                               "10 ns (cycle 1)  n.z: 200 in a.vcd, 201 in b.fst\n"
                               "20 ns (cycle 2)  n.y: -2 in a.vcd, -4 in b.fst\n"));
}
