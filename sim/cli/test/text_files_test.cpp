// SPDX-License-Identifier: Apache-2.0
//
// Tests headers and byte-order marks in the text files that the command reads.
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "network_file.hpp"

using sme::test::Command;
using sme::test::contains;
using sme::test::File;
using sme::test::text_of;

namespace {

const char* const fed = "network: fed\nbuses: {y: i32, z: i32}\ninputs: {y: in.csv}\n"
                        "outputs: {o.csv: {record: y}}\nprocesses:\n"
                        "  p: {in: y, out: z, step: {z: y}}\n";

} // namespace

TEST_CASE("the first line of a CSV file is a value, the header that belongs there, or an error") {
    const File file{fed};
    for (const char* const header : {"", "value\n", "y\n", "in\n", "# text\n", "\"y\"\n"}) {
        CAPTURE(header);
        file.write("in.csv", header + std::string{"3\n5\n6\n"});
        file.run_well();
        CHECK(text_of(file.path("o.csv")) == "value\n3\n5\n6\n0\n");
    }
    for (const auto& [first, said] :
         {std::pair{"+3", "in.csv:1:1: error: '+3' is no number; write 3 [data-syntax]"},
          std::pair{"\"7\"", "in.csv:1:1: error: '\"7\"' is no number; write 7 [data-syntax]"},
          std::pair{".5", "in.csv:1:1: error: '.5' is no number [data-syntax]"},
          std::pair{"#3", "in.csv:1:1: error: '#3' is no number; a comment begins with '# '"},
          std::pair{"TRUE", "in.csv:1:1: error: 'TRUE' is no number; write true [data-syntax]"},
          std::pair{"samples", "in.csv:1:1: error: 'in.csv' has the columns 'samples', but 'y' "
                               "needs 'y'; write this header, or none [data-shape]"}}) {
        file.write("in.csv", first + std::string{"\n5\n6\n"});
        const Command refused = file.run("run network.yaml");
        CHECK(refused.exit_code == 2);
        CHECK_MESSAGE(contains(refused.err, said), refused.err);
    }
    const File constant{"network: c\nconstants:\n  t: u8[2] = file(t.csv)\nbuses: {x: u8}\n"
                        "processes:\n  p: {out: x, step: {x: \"t[1]\"}}\nrun: {cycles: 2}\n"};
    constant.write("t.csv", "t\n1\n2\n");
    constant.run_well();
    for (const char* const name : {"t", "value", "other"}) { // of the constant, of all, of the file
        const File other{"network: c\nconstants:\n  t: u8[2] = file(other.csv)\nbuses: {x: u8}\n"
                         "processes:\n  p: {out: x, state: {m: \"u8[2] = file(m.csv)\"}, "
                         "step: {x: \"t[1] + m[0]\"}}\nrun: {cycles: 2}\n"};
        other.write("other.csv", name + std::string{"\n1\n2\n"});
        other.write("m.csv", "m\n1\n2\n");
        other.run_well();
        other.write("m.csv", "t\n1\n2\n");
        CHECK(contains(other.run("check network.yaml").err, "m.csv:1:1: error: 'm.csv' has the "));
    }
    constant.write("t.csv", "taps\n1\n2\n");
    CHECK(contains(constant.run("check network.yaml").err, "t.csv:1:1: error: 't.csv' has the "
                                                           "columns 'taps', but an element of"));
}

TEST_CASE("a byte-order mark is read in every text") {
    const std::string mark = "\xef\xbb\xbf";
    const File file{mark + fed};
    file.write("in.csv", mark + "3\n5\n6\n");
    file.run_well();
    CHECK(text_of(file.path("o.csv")) == "value\n3\n5\n6\n0\n");
    file.write("in.hex", mark + "3 5 6\n");
    CHECK(file.run("run network.yaml --trace t.vcd").exit_code == 0);
    file.write("marked.vcd", mark + text_of(file.path("t.vcd")));
    CHECK(file.run("diff t.vcd marked.vcd").exit_code == 0);
    CHECK(file.run("view marked.vcd --no-open").exit_code == 0);
    CHECK(contains(text_of(file.path("marked.gtkw")), "fed.clock"));
    file.write("library.yaml", mark + "types: {T: i32}\n");
    file.write("network.yaml",
               std::string{"network: fed\nimport: [library.yaml]\nconstants:\n  c: "
                           "u8[3] = file(in.hex)\nbuses: {y: T, z: T}\ninputs: "
                           "{y: in.csv}\nprocesses:\n  p: {in: y, out: z, step: {z: y}}\n"
                           "checks:\n  - at 2: y == 6 and c[2] == 6\n"});
    file.run_well();
    file.write("commands", mark + "step\n");
    CHECK(file.run("debug network.yaml --commands commands").exit_code == 0);
    CHECK(file.run("run network.yaml --cycles 3 --threads 2 --schedule s.json").exit_code == 0);
    file.write("s.json", mark + text_of(file.path("s.json")));
    CHECK(file.run("run network.yaml --cycles 3 --threads 2 --schedule s.json").exit_code == 0);
    file.write("in.csv", std::string{"\xff\xfe"
                                     "3\0\n\0",
                                     6});
    CHECK(contains(file.run("run network.yaml").err, "it is written in UTF-16; save it as UTF-8"));
}
