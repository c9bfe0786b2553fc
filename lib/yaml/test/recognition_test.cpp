// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "base/test/scratch.hpp"
#include "yaml/read/tree.hpp"

using namespace sme;

namespace {
const std::string passwords = "root:x:0:0:root:/root:/bin/bash\n"
                              "ada:x:1000:1000:Ada,,,:/home/ada:/bin/bash\n";
const std::string key = "-----BEGIN OPENSSH PRIVATE KEY-----\n"
                        "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ+/AAAAAAABAAAAMwAAAAtzc2gtZW\n"
                        "QyNTUxOQAAACBz+8/4Jk==\n";
} // namespace

TEST_CASE("a network, a component and a library are known by a section") {
    CHECK(yaml::is_network_text("# a comment\nnetwork: x\n"));
    CHECK(yaml::is_network_text("component : x\n  : broken\n"));
    CHECK(yaml::is_network_text("{\"types\": {}}\n"));
    CHECK(yaml::is_network_text(""));
    CHECK(yaml::is_network_text("# nothing\n"));
    CHECK_FALSE(yaml::is_network_text(passwords));
    CHECK_FALSE(yaml::is_network_text(key));
    CHECK_FALSE(yaml::is_network_text("user: ada\npassword: lovelace\n"));
}

TEST_CASE("rows and words are known by their cells, of which some may be wrong") {
    CHECK(yaml::is_rows_text("a,b.c[0]\n1,-2\n0x1f,true\n"));
    CHECK(yaml::is_rows_text("1,2\n3,?!\n"));
    CHECK_FALSE(yaml::is_rows_text(passwords));
    CHECK_FALSE(yaml::is_rows_text(key));
    CHECK(yaml::is_words_text("12 34 zz // three\n# a comment\n0xff\n"));
    CHECK_FALSE(yaml::is_words_text(passwords));
    CHECK_FALSE(yaml::is_words_text(key));
}

TEST_CASE("a file of value changes begins with a declaration") {
    const test::Scratch folder;
    folder.write("a.vcd", "\n $date today $end\n");
    folder.write("b.vcd", passwords);
    folder.write("a.fst", std::string{"\0\0\0\0\0\0\0\1\x49\0", 10});
    folder.write("b.fst", std::string{"\0\0\0\0\0\0\0\1\x48\0", 10});
    CHECK(yaml::is_changes_file(folder.path("a.fst").c_str()));
    CHECK_FALSE(yaml::is_changes_file(folder.path("b.fst").c_str()));
    CHECK(yaml::is_changes_file(folder.path("a.vcd").c_str()));
    CHECK_FALSE(yaml::is_changes_file(folder.path("b.vcd").c_str()));
}
