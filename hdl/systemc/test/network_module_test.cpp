// SPDX-License-Identifier: Apache-2.0
//
// Networks as SystemC modules: compares each cycle with a plain simulator of the same network.
#include <array>
#include <random>
#include <sstream>
#include <string>

#include <sme/sme.hpp>

#include "platform.hpp"
#include "systemc/network_module.hpp"

using sc_core::sc_signal;
using sme::systemc::NetworkModule;
using namespace sme::test;

namespace {

struct Pixel {
    bool valid;
    std::int16_t x;
    std::array<std::uint8_t, 3> color;
};

bool operator==(const Pixel& a, const Pixel& b) {
    return a.valid == b.valid && a.x == b.x && a.color == b.color;
}
std::ostream& operator<<(std::ostream& stream, const Pixel& pixel) {
    return stream << pixel.x;
}

} // namespace

SME_STRUCT(Pixel, valid, x, color)

namespace sc_core { // required by sc_signal<Pixel>; found here because Pixel's own namespace is
                    // unnamed
inline void sc_trace(sc_trace_file*, const Pixel&, const std::string&) {}
} // namespace sc_core

namespace {

using Small = sme::Unsigned<12>;
using Odd = sme::Signed<7>;

/// Mixes its inputs into its state.
class Mixer : public sme::Process {
public:
    Mixer(sme::In<bool> on, sme::In<Small> a, sme::In<Odd> b, sme::In<std::uint64_t> c,
          sme::In<Pixel> p, sme::Out<Small> d, sme::Out<Odd> e, sme::Out<std::uint64_t> f,
          sme::Out<Pixel> q)
        : on_{on}, a_{a}, b_{b}, c_{c}, p_{p}, d_{d}, e_{e}, f_{f}, q_{q} {}
    void step() {
        const Pixel p = p_.read();
        if (on_.read())
            sum_ += c_.read() + a_.read();
        d_.write(a_.read() + static_cast<int>(sum_ & 0xff));
        e_.write(b_.read() - 1);
        f_.write(sum_);
        q_.write(
            {!p.valid, static_cast<std::int16_t>(p.x + 1), {p.color[2], p.color[0], p.color[1]}});
    }

private:
    sme::In<bool> on_;
    sme::In<Small> a_;
    sme::In<Odd> b_;
    sme::In<std::uint64_t> c_;
    sme::In<Pixel> p_;
    sme::Out<Small> d_;
    sme::Out<Odd> e_;
    sme::Out<std::uint64_t> f_;
    sme::Out<Pixel> q_;
    std::uint64_t sum_ = 0;
};

class Pass : public sme::Process {
public:
    Pass(sme::In<Small> x, sme::Out<Small> y) : x_{x}, y_{y} {}
    void step() { y_.write(x_.read() ^ 1); }

private:
    sme::In<Small> x_;
    sme::Out<Small> y_;
};

/// Inputs and outputs of every kind, a wire, and a bus with a delay of three cycles.
struct Mixed {
    sme::Network network{"mixed"};
    sme::Bus<bool> on = network.input<bool>("on");
    sme::Bus<Small> a = network.input<Small>("a");
    sme::Bus<Odd> b = network.input<Odd>("b");
    sme::Bus<std::uint64_t> c = network.input<std::uint64_t>("c");
    sme::Bus<Pixel> p = network.input<Pixel>("p");
    sme::Bus<Small> d = network.bus<Small>("d", {.initial = Small{9}});
    sme::Bus<Odd> e = network.bus<Odd>("e");
    sme::Bus<std::uint64_t> f = network.bus<std::uint64_t>("f");
    sme::Bus<Pixel> q = network.bus<Pixel>("q");
    sme::Bus<Small> wire = network.bus<Small>("wire", {.delay = 0});
    sme::Buses<Small> late = network.buses<Small>("late", 2, {.delay = 3});
    Mixed() {
        network.add<Mixer>("mixer", sme::in(on), sme::in(a), sme::in(b), sme::in(c), sme::in(p),
                           sme::out(d), sme::out(e), sme::out(f), sme::out(q));
        network.add<Pass>("pass", sme::in(a), sme::out(wire));
        network.add<Pass>("late", sme::in(d), sme::out(late[1]));
    }
};

} // namespace

TEST_CASE("a network in SystemC shows what a plain simulator shows, in every cycle") {
    for (const unsigned threads : {1U, 3U}) {
        const Platform platform;
        const Mixed mixed;
        sme::Simulator plain{mixed.network, {.threads = 1}};
        Clock clock;
        sc_signal<bool> on;
        sc_signal<sc_dt::sc_uint<12>> a;
        sc_signal<sc_dt::sc_int<7>> b;
        sc_signal<std::uint64_t> c;
        sc_signal<Pixel> p;
        sc_signal<sc_dt::sc_uint<12>> d;
        sc_signal<sc_dt::sc_biguint<12>> wire;
        sc_signal<sc_dt::sc_bv<12>> late;
        sc_signal<sc_dt::sc_bigint<7>> e;
        sc_signal<sc_dt::sc_bv<64>> f;
        sc_signal<sc_dt::sc_bv<41>> q;
        sc_signal<std::uint8_t> red;
        NetworkModule module{"mixed", mixed.network, {.threads = threads}};
        module.clk(clock.signal);
        module.in<bool>("on")(on);
        module.in<sc_dt::sc_uint<12>>("a")(a);
        module.in<sc_dt::sc_int<7>>("b")(b);
        module.in<std::uint64_t>("c")(c);
        module.in<Pixel>("p")(p);
        module.out<sc_dt::sc_uint<12>>("d")(d);
        module.out<sc_dt::sc_bigint<7>>("e")(e);
        module.out<sc_dt::sc_bv<64>>("f")(f);
        module.out<sc_dt::sc_bv<41>>("q")(q);
        module.out<std::uint8_t>("q.color[1]")(red);
        module.out<sc_dt::sc_biguint<12>>("wire")(wire);
        module.out<sc_dt::sc_bv<12>>("late[1]")(late);
        CHECK(std::string{module.out<sc_dt::sc_bv<12>>("late[1]").name()} == "mixed.late_1");

        std::mt19937_64 random{threads};
        clock.signal.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        CHECK(d.read() == 9); // before the first edge: the bus's initial value
        for (int t = 0; t < 500; ++t) {
            const std::uint64_t bits = random();
            const Pixel pixel{(bits & 1) != 0,
                              static_cast<std::int16_t>(bits >> 1),
                              {static_cast<std::uint8_t>(bits >> 17),
                               static_cast<std::uint8_t>(bits >> 25),
                               static_cast<std::uint8_t>(bits >> 33)}};
            on.write((bits >> 41 & 1) != 0);
            a.write(bits >> 42 & 0xfff);
            b.write(static_cast<int>(bits >> 54 & 0x7f) - 64);
            c.write(~bits);
            p.write(pixel);
            clock.cycle();
            plain.poke(mixed.on, (bits >> 41 & 1) != 0);
            plain.poke(mixed.a, Small{bits >> 42 & 0xfff});
            plain.poke(mixed.b, Odd{static_cast<int>(bits >> 54 & 0x7f) - 64});
            plain.poke(mixed.c, ~bits);
            plain.poke(mixed.p, pixel);
            plain.step();
            CAPTURE(t);
            REQUIRE(d.read().to_uint64() == plain.peek(mixed.d));
            REQUIRE(e.read().to_int64() == plain.peek(mixed.e));
            REQUIRE(f.read().to_uint64() == plain.peek(mixed.f));
            REQUIRE(wire.read().to_uint64() == plain.peek(mixed.wire));
            REQUIRE(late.read().to_uint64() == plain.peek(mixed.late[1]));
            // valid leftmost, then x, then the colors with element 0 rightmost
            const Pixel seen = plain.peek(mixed.q);
            REQUIRE(q.read()[40].to_bool() == seen.valid);
            REQUIRE(static_cast<std::int16_t>(q.read().range(39, 24).to_uint()) == seen.x);
            REQUIRE(q.read().range(23, 16).to_uint() == seen.color[2]);
            REQUIRE(q.read().range(7, 0).to_uint() == seen.color[0]);
            REQUIRE(red.read() == seen.color[1]);
        }
        CHECK(module.cycle() == 500);
    }
}

TEST_CASE("fields of an input have ports of their own, and those without are zero") {
    const Platform platform;
    const Mixed mixed;
    Clock clock;
    sc_signal<bool> on;
    sc_signal<sc_dt::sc_bv<12>> a;
    sc_signal<sc_dt::sc_bv<7>> b;
    sc_signal<sc_dt::sc_biguint<64>> c;
    sc_signal<std::int16_t> x;
    sc_signal<sc_dt::sc_uint<8>> second;
    sc_signal<sc_dt::sc_bv<41>> q;
    NetworkModule module{"mixed", mixed.network};
    module.clk(clock.signal);
    module.in<bool>("on")(on);
    module.in<sc_dt::sc_bv<12>>("a")(a);
    module.in<sc_dt::sc_bv<7>>("b")(b);
    module.in<sc_dt::sc_biguint<64>>("c")(c);
    module.in<std::int16_t>("p.x")(x);
    module.in<sc_dt::sc_uint<8>>("p.color[1]")(second);
    module.out<sc_dt::sc_bv<41>>("q")(q);
    x.write(-3);
    second.write(0xab);
    clock.cycle();
    // {not valid, x + 1, color 2 … 0}; element 2 is color 1 of the input
    CHECK(q.read().to_string() == "1"
                                  "1111111111111110"
                                  "10101011"
                                  "00000000"
                                  "00000000");
}

TEST_CASE("wide values, enumerations and arrays of a YAML network are exact") {
    const Platform platform;
    Clock clock;
    sc_signal<sc_dt::sc_biguint<100>> wide;
    sc_signal<sc_dt::sc_bv<100>> shifted;
    sc_signal<sc_dt::sc_uint<2>> color;
    sc_signal<sc_dt::sc_bv<2>> after;
    sc_signal<sc_dt::sc_bv<9>> three;
    sc_signal<sc_dt::sc_uint<3>> middle;
    const Scratch folder; // the files that the ports replace
    folder.write("wide.csv", "value\n1\n");
    folder.write("color.csv", "green\n");
    folder.write("three.csv", "[0],[1],[2]\n1,2,3\n");
    NetworkModule module{"kinds", yaml(R"(network: kinds
types:
  Color: [red, green, blue]
buses:
  wide: u100
  shifted: u100
  color: Color
  after: Color
  three: u3[3]
  turned: u3[3]
processes:
  shift:
    in: wide
    out: shifted
    step:
      shifted: (wide << 1) ^ 1
  next:
    in: color
    out: after
    step:
      after:
        match color:
          red: green
          green: blue
          blue: red
  turn:
    in: three
    out: turned
    step:
      turned: array(k < 3, three[2 - k])
inputs:
  wide: wide.csv
  color: color.csv
  three: three.csv
)",
                                       folder.path("kinds.yaml"))};
    module.clk(clock.signal);
    module.in<sc_dt::sc_biguint<100>>("wide")(wide);
    module.in<sc_dt::sc_uint<2>>("color")(color);
    module.in<sc_dt::sc_bv<9>>("three")(three);
    module.out<sc_dt::sc_bv<100>>("shifted")(shifted);
    module.out<sc_dt::sc_bv<2>>("after")(after);
    module.out<sc_dt::sc_uint<3>>("turned[1]")(middle);
    sc_dt::sc_biguint<100> high = 1;
    high <<= 98;
    for (const std::uint64_t low : {0x0123456789abcdefU, 0xfedcba9876543210U}) {
        wide.write(high + low);
        color.write(2);
        three.write("011010001"); // element 0 is 1, element 1 is 2
        clock.cycle();
        CHECK(shifted.read().range(99, 96).to_uint() == 8);
        CHECK(shifted.read().range(95, 65).to_uint() == 0);
        CHECK(shifted.read().range(64, 1).to_uint64() == low);
        CHECK(shifted.read()[0].to_bool());
        CHECK(after.read() == "00");
        CHECK(middle.read() == 2);
    }
    color.write(3);
    CHECK(contains(report_of([&] { clock.cycle(); }),
                   "input 'color' of network 'kinds': 3 is no member of Color"));
    CHECK(module.ended());
}

TEST_CASE("the FIR filter of the models gives its expected results to samples from SystemC") {
    const Platform platform;
    const std::string folder = SME_SOURCE_DIR "/models/fir/";
    Clock clock;
    sc_signal<bool> x_valid;
    sc_signal<std::int16_t> x_value;
    sc_signal<bool> y_valid;
    sc_signal<std::int32_t> y_value;
    NetworkModule fir{"fir", graph_of(std::make_shared<sme::Source>(
                                 folder + "network.yaml", text_of(folder + "network.yaml")))};
    fir.clk(clock.signal);
    fir.in<bool>("x.valid")(x_valid);
    fir.in<std::int16_t>("x.value")(x_value);
    fir.out<bool>("y.valid")(y_valid);
    fir.out<std::int32_t>("y.value")(y_value);
    std::istringstream samples{text_of(folder + "samples.csv")};
    std::istringstream expected{text_of(folder + "expected.csv")};
    std::string line;
    std::getline(samples, line);
    std::getline(expected, line);
    int results = 0;
    while (std::getline(samples, line)) {
        const bool valid = line[0] == '1';
        x_valid.write(valid);
        x_value.write(static_cast<std::int16_t>(std::stoi(line.substr(2))));
        clock.cycle();
        REQUIRE(y_valid.read() == valid);
        if (!valid)
            continue;
        std::getline(expected, line);
        REQUIRE(y_value.read() == std::stoi(line));
        ++results;
    }
    CHECK(results == 3562);
}

TEST_CASE("what does not fit is refused with both names") {
    const Platform platform;
    const Mixed mixed;
    NetworkModule module{"mixed", mixed.network};
    CHECK(contains(
        report_of([&] { module.in<sc_dt::sc_uint<11>>("a"); }),
        "'a' of network 'mixed' is u12, but its port is sc_uint<11>; write a type of 12 bits"));
    CHECK(contains(report_of([&] { module.in<sc_dt::sc_int<12>>("a"); }),
                   "is u12, but its port is sc_int<12>"));
    CHECK(contains(report_of([&] { module.out<std::uint8_t>("e"); }), "is i7, but its port is u8"));
    CHECK(contains(report_of([&] { module.out<sc_dt::sc_uint<41>>("q"); }),
                   "but its port is sc_uint<41>"));
    CHECK(contains(report_of([&] { module.in<bool>("nothing"); }), "has no bus 'nothing'"));
    CHECK(contains(report_of([&] { module.out<bool>("q.color[3]"); }), "has no bus 'q.color[3]'"));
    CHECK(contains(report_of([&] { module.out<bool>("q.color[1]x"); }), "has no bus"));
    CHECK(contains(report_of([&] { module.out<bool>("late"); }), "has no bus 'late'"));
    CHECK(contains(report_of([&] { module.in<sc_dt::sc_uint<12>>("d"); }),
                   "is written by a process"));
    module.in<sc_dt::sc_bv<41>>("p");
    CHECK(contains(report_of([&] { module.in<bool>("p.valid"); }),
                   "'p' and 'p.valid' of network 'mixed' are parts of each other"));
    module.in<sc_dt::sc_bv<12>>("a");
    CHECK(contains(report_of([&] { module.in<sc_dt::sc_uint<12>>("a"); }),
                   "asked for twice, the second time as sc_uint<12>"));
}

TEST_CASE("an input without a port is an error when elaboration ends") {
    const Platform platform;
    const MoodyNetwork moody;
    Clock clock;
    NetworkModule module{"moody", moody.network};
    module.clk(clock.signal);
    CHECK(contains(report_of([&] { clock.cycle(); }), "input 'x' of network 'moody' has no port"));
}

TEST_CASE("a network with mistakes is refused with its diagnostics") {
    const Platform platform;
    sme::Network network{"open"};
    const auto x = network.bus<int>("x");
    network.add<Moody>("twice", sme::in(x), sme::out(network.bus<int>("y")));
    CHECK(contains(report_of([&] {
                       NetworkModule module{"open", network};
                   }),
                   "no process writes it"));
}
