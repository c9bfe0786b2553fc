// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <csignal>

#include <sys/resource.h>

#include "sme/sme.hpp"
#include "sme/trace.hpp"
#include "trace/tracer.hpp"
#include "trace_test.hpp"

using sme::trace::Tracer;
using trace_test::Buses;
using trace_test::Scratch;
using trace_test::text_of;

namespace {

class Stepper : public sme::Process {
public:
    Stepper(sme::In<std::uint32_t> x, sme::Out<std::uint32_t> y) : x_{x}, y_{y} {}
    void step() { y_.write(x_.read() * 5 + 1); }

private:
    sme::In<std::uint32_t> x_;
    sme::Out<std::uint32_t> y_;
};

sme::Network ring(std::uint64_t nodes) {
    sme::Network network{"ring"};
    const auto token = network.buses<std::uint32_t>("token", nodes);
    for (std::uint64_t k = 0; k < nodes; ++k)
        network.add<Stepper>(sme::indexed("node", k), sme::in(token[(k + nodes - 1) % nodes]),
                             sme::out(token[k]));
    return network;
}

/// Limits the size of this program's files temporarily.
class SmallFiles {
public:
    explicit SmallFiles(rlim_t bytes) : handler_{std::signal(SIGXFSZ, SIG_IGN)} {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const struct rlimit small { bytes, before_.rlim_max };
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallFiles() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

private:
    struct rlimit before_ {};
    void (*handler_)(int);
};

void fill(Buses& buses) {
    buses.add("y", sme::Type::unsigned_integer(8));
    buses.lay_out();
}

} // namespace

TEST_CASE("the file appears under its name only when the run has finished") {
    const Scratch folder;
    const sme::Network network = ring(10);
    sme::Simulator simulator{network};
    sme::trace_vcd(simulator, folder.path("run.vcd"));
    simulator.run(sme::Cycles{20});
    CHECK(std::filesystem::exists(folder.path("run.vcd.part")));
    CHECK_FALSE(std::filesystem::exists(folder.path("run.vcd")));
    simulator.finish();
    CHECK_FALSE(std::filesystem::exists(folder.path("run.vcd.part")));
    CHECK(text_of(folder.path("run.vcd")).find("\n#200\n") != std::string::npos);
}

TEST_CASE("a second trace of one name is refused before its run, and the first ends whole") {
    const Scratch folder;
    const std::string path = folder.path("run.vcd");
    const sme::Network network = ring(10);
    sme::Simulator first{network}, second{network};
    sme::trace_vcd(first, path);
    CHECK_THROWS_WITH_AS(
        sme::trace_vcd(second, path),
        ("cannot open '" + path + "': another run writes it now, into '" + path + ".part'").c_str(),
        sme::NetworkError);
    first.run(sme::Cycles{20});
    first.finish();
    CHECK(text_of(path).find("\n#200\n") != std::string::npos);
}

TEST_CASE("two runs write the same bytes") {
    const Scratch folder;
    const sme::Network network = ring(100);
    for (const char* name : {"one.vcd", "two.vcd"}) {
        sme::Simulator simulator{network};
        sme::trace_vcd(simulator, folder.path(name));
        simulator.run(sme::Cycles{2000});
    }
    const std::string one = text_of(folder.path("one.vcd"));
    CHECK(one.size() > 100 * 2000 * 4);
    CHECK(one == text_of(folder.path("two.vcd")));
}

TEST_CASE("a file in a folder that is missing is refused before the run") {
    const Scratch folder;
    const sme::Network network = ring(2);
    sme::Simulator simulator{network};
    const std::string path = folder.path("none/run.vcd");
    CHECK_THROWS_WITH_AS(sme::trace_vcd(simulator, path),
                         ("cannot open '" + path + "': No such file or directory").c_str(),
                         sme::NetworkError);
    CHECK(simulator.run(sme::Cycles{3}) == 3);
}

TEST_CASE("a full disk is said before the run, when not even the declarations fit") {
    if (!std::filesystem::exists("/dev/full")) {
        MESSAGE("skipped: no /dev/full");
        return;
    }
    const sme::Network network = ring(1000);
    sme::Simulator simulator{network};
    auto owned = std::make_unique<Tracer>("/dev/full", sme::trace::TracerOptions{});
    CHECK(owned->good());
    CHECK_THROWS_WITH_AS(simulator.attach(std::move(owned)),
                         "cannot write '/dev/full': No space left on device", sme::ObserverError);
}

TEST_CASE("a disk that fills up stops the trace, not the run, and what was traced is kept") {
    const Scratch folder;
    const sme::Network network = ring(1000);
    sme::Simulator simulator{network};
    const std::string path = folder.path("run.vcd");
    auto owned = std::make_unique<Tracer>(path, sme::trace::TracerOptions{});
    const Tracer& tracer = *owned;
    simulator.attach(std::move(owned));
    {
        const SmallFiles limit{1'000'000};
        CHECK(simulator.run(sme::Cycles{2000}) == 2000); // far more than the ring holds
        CHECK_THROWS_AS(simulator.finish(), sme::ObserverError);
    }
    CHECK_FALSE(tracer.good());
    CHECK(tracer.problem() == "cannot write '" + path +
                                  "': File too large; the earlier lines are in '" + path +
                                  ".part'");
    CHECK_FALSE(std::filesystem::exists(path));
    const std::string kept = text_of(path + ".part");
    CHECK(kept.size() > 999'000);
    CHECK(kept.size() <= 1'000'000);
    CHECK(kept.back() == '\n');
}

TEST_CASE("what was traced can be read while the run goes on, and stays when it is given up") {
    const Scratch folder;
    Buses buses{"n"};
    fill(buses);
    const std::string part = folder.path("run.vcd.part");
    {
        Tracer tracer{folder.path("run.vcd"), {}};
        tracer.open(buses);
        CHECK(text_of(part).ends_with("$enddefinitions $end\n"));
        tracer.step(0, {0, 1}, buses.frame(0));
        tracer.step(0, {0, 1}, buses.frame(1));
        tracer.flush();
        tracer.abandon();
        CHECK(tracer.problem() == "'" + folder.path("run.vcd") +
                                      "' is not finished; the earlier lines are in '" + part + "'");
        tracer.step(0, {0, 1}, buses.frame(2));
        tracer.close(3);
    }
    CHECK(text_of(part).ends_with("#10\n1!\n"));
    CHECK(folder.files() == std::vector<std::string>{"run.vcd.part"});
}

TEST_CASE("a file that cannot get its name is a problem after the run, and stays beside it") {
    const Scratch folder;
    Buses buses{"n"};
    fill(buses);
    std::filesystem::create_directories(folder.path("sub"));
    Tracer tracer{folder.path("sub/run.vcd"), {}};
    tracer.open(buses);
    tracer.step(0, {0, 1}, buses.frame(0));
    std::filesystem::create_directories(folder.path("sub/run.vcd")); // blocks the file's path
    tracer.close(1);
    CHECK(tracer.problem().starts_with("cannot finish '"));
    CHECK(tracer.problem().ends_with("; the earlier lines are in '" +
                                     folder.path("sub/run.vcd.part") + "'"));
    CHECK(text_of(folder.path("sub/run.vcd.part")).ends_with("\n#10\n"));
}

TEST_CASE("a tracer that is dropped in the middle of a run leaves nothing behind") {
    const Scratch folder;
    Buses buses{"n"};
    fill(buses);
    {
        Tracer tracer{folder.path("run.vcd"), {}};
        tracer.open(buses);
        tracer.step(0, {0, 1}, buses.frame(0));
    }
    CHECK(folder.files().empty());
}

TEST_CASE("times that pass 63 bits are a problem, and there is no file") {
    const Scratch folder;
    Buses buses{"n"};
    fill(buses);
    sme::trace::TracerOptions options;
    options.period = {std::uint64_t{1} << 61, sme::trace::TimeUnit::nanoseconds};
    Tracer tracer{folder.path("run.vcd"), options};
    tracer.open(buses);
    for (std::uint64_t cycle = 0; cycle <= 3; ++cycle)
        tracer.step(0, {0, 1}, buses.frame(cycle));
    CHECK(tracer.good());
    tracer.step(0, {0, 1}, buses.frame(4)); // 2^63
    CHECK(tracer.problem() ==
          "the times in '" + folder.path("run.vcd") + "' pass 63 bits in cycle 4");
    tracer.step(0, {0, 1}, buses.frame(5));
    tracer.close(5);
    CHECK_FALSE(tracer.good());
    CHECK(folder.files().empty());
}

TEST_CASE("a selection that matches nothing is refused") {
    const Scratch folder;
    const sme::Network network = ring(2);
    {
        sme::Simulator simulator{network};
        sme::TraceOptions options;
        options.select = "tokem*";
        CHECK_THROWS_WITH_AS(sme::trace_vcd(simulator, folder.path("run.vcd"), options),
                             "no bus matches 'tokem*'", sme::ObserverError);
        simulator.run(sme::Cycles{3});
    }
    CHECK(folder.files().empty());
}

TEST_CASE("a clock period of zero is refused, and no file is begun") {
    const Scratch folder;
    const sme::Network network = ring(2);
    sme::Simulator simulator{network};
    sme::TraceOptions options;
    options.clock_ns = 0;
    CHECK_THROWS_WITH_AS(sme::trace_vcd(simulator, folder.path("run.vcd"), options),
                         "the clock period is zero", sme::NetworkError);
    CHECK(folder.files().empty());
}

TEST_CASE("the tracer counts signals and changes, without the clock and the first values") {
    const Scratch folder;
    const sme::Network network = ring(7);
    sme::Simulator simulator{network};
    auto owned = std::make_unique<Tracer>(folder.path("run.vcd"), sme::trace::TracerOptions{});
    const Tracer& tracer = *owned;
    simulator.attach(std::move(owned));
    CHECK(tracer.signals() == 7);
    simulator.run(sme::Cycles{10});
    simulator.finish();
    CHECK(tracer.changes() == 70); // every bus in every cycle from 1 to 10
}
