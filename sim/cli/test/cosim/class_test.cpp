// SPDX-License-Identifier: Apache-2.0
//
// Process classes and SystemC modules beside a process, through the command.
#include <doctest/doctest.h>

#include "base/find_program.hpp"
#include "half.hpp"

using namespace sme::test;

namespace {

constexpr const char* half_class = R"(#include <cstdlib>
#include <stdexcept>
#include <sme/sme.hpp>

struct Stream { bool valid; std::uint8_t data; };
SME_STRUCT(Stream, valid, data)

/* class Half { Half(sme::In<bool> no); }; */
class Half : public sme::Process {
public:
    Half(sme::In<Stream> a, sme::Out<bool> a_ready, sme::Out<Stream> b, sme::In<bool> b_ready,
         sme::Out<std::uint16_t> total, sme::Out<bool> flag, int first = 5)
        : a_{a}, a_ready_{a_ready}, b_{b}, b_ready_{b_ready}, total_{total}, flag_{flag},
          sum_(static_cast<std::uint16_t>(first)) {}
    void step() {
        const Stream a = a_.read();
        const bool ready = b_ready_.read() && open_;
        a_ready_.write(ready);
        b_.write({a.valid && open_, a.data});
        if (a.valid && ready)
            sum_ = static_cast<std::uint16_t>(sum_ + a.data);
        total_.write(sum_);
        flag_.write((a.data & 1) != 0);
        open_ = !open_;
    }

private:
    sme::In<Stream> a_;
    sme::Out<bool> a_ready_;
    sme::Out<Stream> b_;
    sme::In<bool> b_ready_;
    sme::Out<std::uint16_t> total_;
    sme::Out<bool> flag_;
    std::uint16_t sum_;
    bool open_ = true;
};
int main() { return 1; }
)";

constexpr const char* half_module = R"(#include <systemc.h>
SC_MODULE(Half) {
    sc_in_clk clk;
    sc_in<bool> rst{"rst"}, a_valid, b_ready;
    sc_in<sc_uint<8>> a_data;
    sc_out<bool> a_ready, b_valid, flag; // they follow inputs
    sc_out<sc_uint<8>> b_data;
    sc_out<sc_uint<16>> total;
    sc_signal<bool> open;
    void clocked() {
        open.write(rst.read() || !open.read());
        if (rst.read())
            total.write(5);
        else if (a_valid.read() && a_ready.read())
            total.write(total.read() + a_data.read());
    }
    void follow() {
        b_valid.write(a_valid.read() && open.read());
        b_data.write(a_data.read());
        a_ready.write(b_ready.read() && open.read());
        flag.write(a_data.read()[0]);
    }
    SC_CTOR(Half) {
        SC_METHOD(clocked); // no thread: AddressSanitizer does not know its stack
        sensitive << clk.pos();
        dont_initialize();
        SC_METHOD(follow);
        sensitive << a_valid << a_data << b_ready << open;
    }
};
)";

Command with_class(const std::string& text, const std::string& options) {
    return Folder{}
        .with("network.yaml", half_network)
        .with("half.cpp", text)
        .cosim("--of half --with half.cpp:" + options);
}

} // namespace

TEST_CASE("a process class agrees in the network and with random values") {
    const Command run = with_class(half_class, "Half --threads 2");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "  passed       cover: total > 50"));
    CHECK(contains(run.out, "  agree        half and class 'Half': 300 cycles, 4 of 4 outputs "
                            "moved\n"));
    const Folder named = // by the network
        Folder{}
            .with("network.yaml", replaced(half_network, "      flag: a.data[0]\n",
                                           "      flag: a.data[0]\n"
                                           "    against: {cpp: half.cpp, class: Half}\n"))
            .with("half.cpp", half_class);
    const Command random = named.cosim("--random 500");
    CAPTURE(random.err);
    CHECK(random.exit_code == 0);
    CHECK(contains(random.out, "half and class 'Half': 500 cycles, 4 of 4 outputs moved\n"));
}

TEST_CASE("a defect of a process class is found in its cycle") {
    const Command run = with_class(
        replaced(half_class, "sum_ + a.data", "sum_ + a.data + (a.data == 9 ? 1 : 0)"), "Half");
    CHECK(run.exit_code == 1);
    CHECK(contains(run.err, "'total' is 23 by 'half', but 24 by class 'Half' "
                            "[implementations-differ]"));
    CHECK(contains(run.err, "a = {valid: 1, data: 9}"));
}

TEST_CASE("a process class that throws or crashes is a fault of its cycle") {
    const std::string wrong =
        replaced(half_class, "const bool ready",
                 "if (cycle() == 7) { if (a.valid) throw std::runtime_error{\"no more\"}; "
                 "std::abort(); }\n        const bool ready");
    const Command run = with_class(wrong, "Half");
    CHECK(run.exit_code == 1);
    CHECK(contains(run.err, "in cycle 7, process 'Half': class 'Half': "));
    CHECK((contains(run.err, "no more") || contains(run.err, "signal 6")));
    CHECK(contains(run.out, "half and class 'Half': 7 cycles"));
}

TEST_CASE("ports that do not fit are named, with their places") {
    const auto refused = [&](const std::string& from, const std::string& to,
                             const std::string& says, const std::string& options = "Half") {
        CAPTURE(from);
        const Command run = with_class(replaced(half_class, from, to), options);
        CAPTURE(run.err);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, says));
    };
    refused("sme::Out<bool> flag,", "sme::Out<bool> flags,",
            "half.cpp:12:56: error: 'half' has no port 'flags', did you mean 'flag'? "
            "[unknown-name]");
    refused("sme::Out<bool> flag,", "sme::Out<bool> flags,",
            "class 'Half' lacks a port of 'half': flag [unbound-port]");
    refused("sme::Out<bool> flag,", "sme::In<bool> flag,",
            "'flag' is an input, but 'flag' of 'half' is an output [port-type]");
    refused("int first = 5", "int first",
            "'first' of the constructor of 'Half' is no port and has no default");
    refused("class Half :", "class Halve :", "'half.cpp' has no class 'Half', did you mean");
    refused("Half", "Half", "'Half' is a process class, which has neither clock nor reset",
            "Half --clock clk");
    const Command type =
        with_class(replaced(replaced(half_class, "std::uint16_t> total,", "std::int16_t> total,"),
                            "std::uint16_t> total_;", "std::int16_t> total_;"),
                   "Half");
    CHECK(type.exit_code == 2);
    CHECK(contains(type.err, "'total' is i16, but 'total' of the process is u16 [port-type]"));
}

TEST_CASE("what cannot be compiled has the compiler's words and exit code 3") {
    const Command run = with_class(replaced(half_class, "bool ready =", "bool ready"), "Half");
    CHECK(run.exit_code == 3);
    CHECK(contains(run.err, "class 'Half' cannot be compiled: "));
    CHECK(contains(run.err, "half.cpp:18:"));
    CHECK(contains(run.err, "[class-build]"));
    const Command safe = with_class(half_class, "Half --safe");
    CHECK(safe.exit_code == 3);
    CHECK(contains(safe.err, "class 'Half' has to be compiled, which --safe forbids"));
}

TEST_CASE("a SystemC module agrees, with wires and a reset, and a defect is found") {
    const Command run = with_class(half_module, "Half");
    if (run.exit_code == 3 && contains(run.err, "without SystemC")) {
        MESSAGE("skipped: there is no SystemC");
        return;
    }
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "half and SystemC module 'Half': 300 cycles, 4 of 4 outputs moved\n"));
    const Command wrong = with_class(replaced(half_module, "total.read() + a_data",
                                              "total.read() + (a_data.read() == 255) + a_data"),
                                     "Half --random 3000 --handshake a");
    CHECK(wrong.exit_code == 1);
    CHECK(contains(wrong.err, "by SystemC module 'Half' [implementations-differ]"));
    CHECK(contains(wrong.err, "a = {valid: 1, data: 255}"));
    const Command type = with_class(
        replaced(half_module, "sc_out<sc_uint<16>> total", "sc_out<sc_int<16>> total"), "Half");
    CHECK(type.exit_code == 2);
    CHECK(contains(type.err, "'total' is sc_int<16>, but 'total' of the process is u16"));
    const Command reset = with_class(half_module, "Half --reset rts");
    CHECK(reset.exit_code == 2);
    CHECK(contains(reset.err, "--reset: module 'Half' has no port 'rts', did you mean 'rst'?"));
}
