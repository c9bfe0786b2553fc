// SPDX-License-Identifier: Apache-2.0
//
// Compares aes_farm with FIPS 197 and the OpenSSL command.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "base/program.hpp"
#include "program.hpp"

using sme::test::Command;
using sme::test::model;
using sme::test::Scratch;
using sme::test::text_of;
using namespace std::string_literals;

TEST_CASE("aes_farm: the example of FIPS 197, appendix C.1") {
    const Scratch scratch;
    scratch.write("plain", "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"s);
    const Command run =
        model("aes_farm --workers 1 --key 000102030405060708090a0b0c0d0e0f --input " +
              scratch.path("plain") + " --output " + scratch.path("cipher"));
    CHECK(run.exit_code == 0);
    CHECK(text_of(scratch.path("cipher")) ==
          "\x69\xc4\xe0\xd8\x6a\x7b\x04\x30\xd8\xcd\xb7\x80\x70\xb4\xc5\x5a"s);
}

TEST_CASE("aes_farm: any number of workers, runners and threads encrypts as OpenSSL does") {
    const Scratch scratch;
    std::string plain(16 * 16384, '\0');
    std::uint32_t seed = 1;
    for (char& byte : plain)
        byte = static_cast<char>((seed = seed * 1664525U + 1013904223U) >> 24U);
    scratch.write("plain", plain);
    const Command openssl{
        "openssl enc -aes-128-ecb -nopad -K 2b7e151628aed2a6abf7158809cf4f3c -in " +
            scratch.path("plain") + " -out " + scratch.path("expected"),
        Command::any_program};
    if (openssl.exit_code == 127) {
        MESSAGE("skipped: openssl is not installed");
        return;
    }
    REQUIRE(openssl.exit_code == 0);
    for (const char* way : {"--workers 1", "--workers 3 --runners 2", "--workers 128 --runners 2",
                            "--workers 16384", "--workers 20 --threads"}) {
        CAPTURE(way);
        const Command run =
            model("aes_farm --key 2B7E151628AED2A6ABF7158809CF4F3C --input " +
                  scratch.path("plain") + " --output " + scratch.path("cipher") + " " + way);
        CHECK(run.exit_code == 0);
        CHECK(text_of(scratch.path("cipher")) == text_of(scratch.path("expected")));
    }
}

TEST_CASE("aes_farm: cores in Verilog encrypt as the workers do") {
    if (!sme::find_program("verilator")) {
        MESSAGE("skipped: Verilator is not installed");
        return;
    }
    const Scratch scratch;
    const std::string options = "aes_farm --workers 3 --bytes 640 --passes 2 --output ";
    REQUIRE(model(options + scratch.path("programs")).exit_code == 0);
    const Command run = model(options + scratch.path("cores") +
                              " --cores " SME_SOURCE_DIR "/models/aes_farm/cores.yaml");
    CHECK(run.exit_code == 0);
    CHECK(run.err == "");
    CHECK(text_of(scratch.path("cores")) == text_of(scratch.path("programs")));
}

TEST_CASE("aes_farm: what it cannot work with") {
    const Scratch scratch;
    scratch.write("empty", "");
    scratch.write("odd", "seventeen bytes..");
    const auto says = [&](const std::string& options, const std::string& text) {
        CAPTURE(options);
        const Command run = model("aes_farm " + options);
        CHECK(run.exit_code == 2);
        CHECK(run.out == "");
        CHECK(run.err.find(text) != std::string::npos);
    };
    says("--workers 0", "--workers '0': give a whole number from 1 to 1000000");
    says("--workers 3 --bytes 32", "3 workers have only 2 blocks of 16 bytes");
    says("--workers -1", "--workers '-1': give a whole number");
    says("--key 12", "--key '12': give 32 hexadecimal digits");
    says("--input " + scratch.path("none"), "there is no such file");
    says("--input " + scratch.path("empty"), "is empty");
    says("--input " + scratch.path("."), "is no file");
    says("--input " + scratch.path("odd"), "a block of 17 bytes: AES takes a multiple of 16");
    says("--speed 9", "unrecognised option '--speed'; --help lists the options");
    const Command full = model("aes_farm --output " + scratch.path("no/such/folder"));
    CHECK(full.exit_code == 1);
    CHECK(full.err.find("could not be written") != std::string::npos);
}
