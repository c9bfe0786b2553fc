// SPDX-License-Identifier: Apache-2.0
//
// Correct runs pass, with any threads, queue and order.
#include <doctest/doctest.h>

#include "judge/test/parts.hpp"
#include "sme/validate.hpp"

using namespace sme;
using namespace sme::test;

TEST_CASE("a run that is right has no violations, with any threads, queue and order") {
    for (const unsigned threads : {1U, 2U, 3U})
        for (const QueueKind queue : all_queues)
            for (const bool shuffled : {false, true}) {
                CAPTURE(threads);
                CAPTURE(shuffled);
                Sample sample;
                Validator validator;
                SimulatorOptions options;
                options.threads = threads;
                options.queue = queue;
                options.auditor = validator.auditor();
                options.serial_levels = false;
                if (shuffled)
                    options.shuffle = threads;
                Simulator simulator{sample.network, options};
                for (int round = 0; round < 20; ++round) {
                    simulator.poke(sample.given, round);
                    simulator.run(Cycles{7});
                }
                simulator.finish();
                for (const Validator::Violation& found : validator.violations())
                    FAIL_CHECK(found.text);
                CHECK(validator.cycles() == 140);
                CHECK(simulator.peek(sample.token[0]) == 140);
            }
}

TEST_CASE("judging changes no value") {
    Sample sample;
    Validator validator;
    Simulator plain{sample.network, {.threads = 1}};
    Simulator judged{sample.network, {.threads = 1, .auditor = validator.auditor()}};
    for (int cycle = 0; cycle < 50; ++cycle) {
        plain.step();
        judged.step();
        for (std::uint64_t k = 0; k < 8; ++k)
            CHECK(plain.peek(sample.token[k]) == judged.peek(sample.token[k]));
        CHECK(plain.peek(sample.held).value == judged.peek(sample.held).value);
        CHECK(plain.peek(sample.pulse).value == judged.peek(sample.pulse).value);
        CHECK(plain.peek(sample.two) == judged.peek(sample.two));
        CHECK(plain.peek(sample.second_wire) == judged.peek(sample.second_wire));
    }
    CHECK(validator.violations().empty());
}

namespace {
class Throws : public Process {
public:
    explicit Throws(In<int> x) : x_{x} {}
    void step() {
        if (x_.read() == 5)
            throw std::runtime_error{"five"};
    }

private:
    In<int> x_;
};
} // namespace

TEST_CASE("a fault of the model is no violation") {
    Sample sample;
    sample.network.add<Throws>("throws", in(sample.token[3]));
    Validator validator;
    Simulator simulator{sample.network, {.threads = 2, .auditor = validator.auditor()}};
    CHECK_THROWS_AS(simulator.run(Cycles{20}), ModelFault);
    CHECK(validator.violations().empty());
    CHECK(validator.cycles() == 5);
}

TEST_CASE("a validator serves one run after another") {
    Validator validator;
    for (const std::uint64_t cycles : {3U, 5U}) {
        Sample sample;
        Simulator simulator{sample.network, {.threads = 1, .auditor = validator.auditor()}};
        simulator.run(Cycles{cycles});
        CHECK(validator.cycles() == cycles);
    }
}
