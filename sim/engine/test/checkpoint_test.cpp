// SPDX-License-Identifier: Apache-2.0
//
// Saves C++ simulators and continues them.
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <unordered_map>

#include <doctest/doctest.h>

#include "base/files.hpp"
#include "base/test/scratch.hpp"
#include "sme/sme.hpp"

struct CheckpointSample {
    bool valid;
    std::uint16_t value;
};
SME_STRUCT(CheckpointSample, valid, value)

namespace {

using sme::Cycles;
using sme::test::contains;
using sme::test::Scratch;

enum class Phase : std::uint8_t { fill, drain };

/// A class with its own state, used as a member of a process.
struct Average {
    double sum = 0;
    std::uint64_t count = 0;
    template <class Archive> void state(Archive& archive) { archive(sum, count); }
};

/// Holds one member of every kind that an archive accepts.
class Keeper : public sme::Process {
public:
    Keeper(sme::In<std::uint32_t> x, sme::Out<std::uint32_t> y, unsigned number)
        : x_{x}, y_{y}, number_{number} {}

    void step() {
        const std::uint32_t x = x_.read();
        const auto random = static_cast<std::uint32_t>(random_());
        waiting_.push_back(x ^ random);
        if (waiting_.size() > 5)
            waiting_.pop_front();
        phase_ = x % 3 == 0 ? Phase::drain : Phase::fill;
        seen_[x % 17].push_back(x);
        names_.insert(std::to_string(x % 13));
        flags_.push_back(x % 2 == 0);
        if (flags_.size() > 9)
            flags_.erase(flags_.begin());
        last_ = x % 5 == 0 ? std::nullopt : std::optional{CheckpointSample{true, 9}};
        average_.sum += x % 101;
        ++average_.count;
        table_[x % 4] += x;
        pair_ = {!pair_.first, sme::Unsigned<5>{x}};
        wide_ = (wide_ << 3) ^ sme::Unsigned<100>{x};
        std::uint32_t sum =
            number_ + static_cast<std::uint32_t>(phase_) + waiting_.front() +
            static_cast<std::uint32_t>(names_.size()) + static_cast<std::uint32_t>(flags_.front()) +
            table_[1] + static_cast<std::uint32_t>(average_.sum) + pair_.second +
            static_cast<std::uint32_t>(wide_.words()[1]) + (last_ ? last_->value : 1U);
        for (const auto& [key, values] : seen_)
            sum += key * static_cast<std::uint32_t>(values.size());
        for (const auto& [key, value] : counts_)
            sum += key * value;
        ++counts_[x % 7];
        y_.write(sum);
    }

    template <class Archive> void state(Archive& archive) {
        archive(random_, waiting_, phase_, seen_, names_, flags_, last_, average_, table_, pair_,
                wide_, counts_);
    }

private:
    sme::In<std::uint32_t> x_;
    sme::Out<std::uint32_t> y_;
    unsigned number_;
    std::mt19937 random_{number_};
    std::deque<std::uint32_t> waiting_;
    Phase phase_ = Phase::fill;
    std::map<std::uint32_t, std::vector<std::uint32_t>> seen_;
    std::set<std::string> names_;
    std::vector<bool> flags_;
    std::optional<CheckpointSample> last_;
    Average average_;
    std::array<std::uint32_t, 4> table_{};
    std::pair<bool, sme::Unsigned<5>> pair_;
    sme::Unsigned<100> wide_;
    std::unordered_map<std::uint32_t, std::uint32_t> counts_;
};

/// Has only ports, so no state to save.
class Adder : public sme::Process {
public:
    Adder(sme::In<std::uint32_t> a, sme::In<std::uint32_t> b, sme::Out<std::uint32_t> sum)
        : a_{a}, b_{b}, sum_{sum} {}
    void step() { sum_.write(a_.read() + b_.read() + 1); }

private:
    sme::In<std::uint32_t> a_, b_;
    sme::Out<std::uint32_t> sum_;
};

/// Has state that it does not save.
class Secret : public sme::Process {
public:
    Secret(sme::In<std::uint32_t> x, sme::Out<std::uint32_t> y) : x_{x}, y_{y} {}
    void step() { y_.write(x_.read() + ++count_); }

private:
    sme::In<std::uint32_t> x_;
    sme::Out<std::uint32_t> y_;
    std::uint32_t count_ = 0;
};

/// Keepers in a ring, with an adder over delays of 0 to 5 cycles between two of them.
struct Ring {
    explicit Ring(unsigned nodes, const char* name = "keepers") : network{name} {
        auto result = network.buses<std::uint32_t>("token", nodes);
        for (unsigned k = 0; k < nodes; ++k) {
            token.push_back(result[k]);
            network.add<Keeper>(sme::indexed("keeper", k), sme::in(result[(k + nodes - 1) % nodes]),
                                sme::out(result[k]), k);
        }
        for (unsigned delay = 0; delay < 6; ++delay) {
            delayed.push_back(network.bus<std::uint32_t>(
                sme::indexed("delayed", delay),
                {.delay = delay,
                 .unwritten =
                     delay > 0 && delay % 2 == 0 ? sme::Unwritten::hold : sme::Unwritten::zero}));
            network.add<Adder>(sme::indexed("adder", delay), sme::in(result[0]), sme::in(result[1]),
                               sme::out(delayed.back()));
        }
        poked = network.input<std::uint32_t>("poked");
        network.add<Adder>("last", sme::in(*poked), sme::in(delayed[5]),
                           sme::out(delayed.emplace_back(network.bus<std::uint32_t>("end"))));
    }

    std::vector<std::uint32_t> values(const sme::Simulator& simulator) const {
        std::vector<std::uint32_t> result;
        for (const auto& bus : token)
            result.push_back(simulator.peek(bus));
        for (const auto& bus : delayed)
            result.push_back(simulator.peek(bus));
        return result;
    }

    sme::Network network;
    std::vector<sme::Bus<std::uint32_t>> token, delayed;
    std::optional<sme::Bus<std::uint32_t>> poked;
};

std::string error_of(const auto& call) {
    try {
        call();
    } catch (const sme::CheckpointError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("a simulator that is loaded has the same values in every later cycle") {
    const Scratch folder;
    const Ring ring{40};
    for (const std::uint64_t when : {1u, 2u, 7u, 100u}) {
        CAPTURE(when);
        sme::Simulator whole{ring.network, {.threads = 1, .seed = 3}};
        whole.run(Cycles{when});
        whole.poke(*ring.poked, 77u);
        whole.save(folder.path("c"));
        sme::Simulator loaded{ring.network, {.threads = 2, .seed = 3}};
        loaded.load(folder.path("c"));
        CHECK(loaded.cycle() == when);
        CHECK(ring.values(loaded) == ring.values(whole));
        for (int cycle = 0; cycle < 30; ++cycle) {
            whole.step();
            loaded.step();
            REQUIRE(ring.values(loaded) == ring.values(whole));
        }
        sme::Simulator fresh{ring.network, {.threads = 1, .seed = 3}};
        fresh.run(Cycles{30});
        CHECK(ring.values(fresh) != ring.values(whole));
    }
}

TEST_CASE("two checkpoints of one state are the same bytes") {
    const Scratch folder;
    const Ring ring{5};
    sme::Simulator first{ring.network, {.threads = 1}}, second{ring.network, {.threads = 2}};
    first.run(Cycles{50});
    second.run(Cycles{50});
    first.save(folder.path("a"));
    second.save(folder.path("b"));
    CHECK(sme::test::text_of(folder.path("a")) == sme::test::text_of(folder.path("b")));
}

TEST_CASE("a class that does not say what it keeps is named") {
    const Scratch folder;
    sme::Network network{"secrets"};
    const auto x = network.bus<std::uint32_t>("x"), y = network.bus<std::uint32_t>("y");
    network.add<Secret>("hidden", sme::in(x), sme::out(y));
    network.add<Secret>("other", sme::in(y), sme::out(x));
    sme::Simulator simulator{network};
    simulator.run(Cycles{3});
    const std::string error = error_of([&] { simulator.save(folder.path("c")); });
    CHECK(contains(error, "'hidden'"));
    CHECK(contains(error, "template <class Archive> void state(Archive&)"));
    CHECK(folder.files().empty());
}

TEST_CASE("a checkpoint of another network, or at a wrong time, is refused") {
    const Scratch folder;
    const Ring ring{5}, longer{6}, renamed{5, "others"};
    sme::Simulator saved{ring.network};
    saved.run(Cycles{4});
    saved.save(folder.path("c"));
    const auto load = [&](const Ring& into, std::uint64_t seed = 0) {
        sme::Simulator simulator{into.network, {.seed = seed}};
        return error_of([&] { simulator.load(folder.path("c")); });
    };
    CHECK(load(ring) == "");
    CHECK(contains(load(longer), "bus 'token' is 5 of u32, delay 1 there, but 6 of u32"));
    CHECK(contains(load(renamed), "it is of network 'keepers'"));
    CHECK(contains(load(ring, 2), "its run has seed 0, but this one has 2"));
    CHECK(contains(error_of([&] { saved.load(folder.path("c")); }), "make another simulator"));
    CHECK(contains(error_of([&] { saved.save("/nowhere/c"); }), "/nowhere/c"));
    CHECK(contains(error_of([&] { saved.save("/dev/full"); }), "No space"));
}

TEST_CASE("no run saves into a checkpoint that another one is writing") {
    const Scratch folder;
    const Ring ring{5};
    sme::Simulator saved{ring.network};
    saved.run(Cycles{4});
    {
        const sme::OutputFile other{folder.path("c")};
        CHECK(contains(error_of([&] { saved.save(folder.path("c")); }),
                       "another run writes it now, into '" + folder.path("c.part") + "'"));
    }
    CHECK(error_of([&] { saved.save(folder.path("c")); }) == "");
}
