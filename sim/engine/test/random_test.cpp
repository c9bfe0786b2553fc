// SPDX-License-Identifier: Apache-2.0
//
// Runs random networks of C++ processes in the engine and in a reference interpreter without slots,
// levels or arenas: it records every value written on every bus in every cycle, looks up the
// readable value, and asks a wire's writer when the wire is read.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "processes.hpp"

using namespace sme;

namespace {

struct Pack {
    bool flag;
    std::array<Signed<12>, 2> pair;
    std::uint32_t word;
};

} // namespace

SME_STRUCT(Pack, flag, pair, word)

namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = a * 0x9e37'79b9'7f4a'7c15 + b + 0x1234'5678;
    x ^= x >> 29;
    x *= 0xbf58'476d'1ce4'e5b9;
    return x ^ (x >> 32);
}

// Converts both types of value to bits and back.
std::uint64_t bits_of(Unsigned<5> value) {
    return value;
}
std::uint64_t bits_of(const Pack& value) {
    return std::uint64_t{value.flag} | std::uint64_t{value.word} << 1 |
           (static_cast<std::uint64_t>(value.pair[0]) & 0xfff) << 33 |
           (static_cast<std::uint64_t>(value.pair[1]) & 0xfff) << 45;
}
template <class T> T value_of(std::uint64_t bits) {
    if constexpr (std::is_same_v<T, Pack>)
        return {(bits & 1) != 0,
                {Signed<12>{bits >> 33}, Signed<12>{bits >> 45}},
                static_cast<std::uint32_t>(bits >> 1)};
    else
        return static_cast<T>(bits);
}

/// The behaviour of a process as a pure function, shared by engine and reference.
struct Behaviour {
    std::uint64_t salt;
    bool always; // writes in every cycle; otherwise in about two of three

    std::uint64_t seen(std::uint64_t state, std::uint64_t cycle, std::uint64_t a) const {
        return mixed(mixed(salt, state), mixed(cycle, a));
    }
    std::optional<std::uint64_t> written(std::uint64_t seen) const {
        return always || seen % 3 != 0 ? std::optional{mixed(seen, 1)} : std::nullopt;
    }
    std::uint64_t next_state(std::uint64_t seen) const { return mixed(seen, 2) % 1000; }
};

template <class T> void write(const Out<T>& port, const std::optional<std::uint64_t>& bits) {
    if (!bits)
        return;
    port.write(value_of<T>(~*bits)); // the last write wins
    port.write(value_of<T>(*bits));
}

/// Reads two buses and writes one, all in its step.
template <class A, class B, class Y> class Mixer : public Process {
public:
    Mixer(In<A> a, In<B> b, Out<Y> y, Behaviour does) : a_{a}, b_{b}, y_{y}, does_{does} {}
    void step() {
        const std::uint64_t a = bits_of(a_.read()), b = bits_of(b_.read());
        const std::uint64_t seen = does_.seen(state, cycle(), mixed(a, b));
        write(y_, does_.written(seen));
        state = does_.next_state(seen);
    }
    std::uint64_t state = 0;

private:
    In<A> a_;
    In<B> b_;
    Out<Y> y_;
    Behaviour does_;
};

/// Its wire follows `a` within the cycle; its state and its other output follow both.
template <class A, class B, class Y> class RandomMealy : public Process {
public:
    RandomMealy(In<A> a, In<B> b, Out<Y> y, Out<Y> wire, Behaviour does)
        : a_{a}, b_{b}, y_{y}, wire_{wire}, does_{does} {}
    void comb() const {
        write(wire_, does_.written(does_.seen(state, cycle(), bits_of(a_.read()))));
    }
    void comb_ports(CombinationalPorts& ports) const { ports.reads(a_).writes(wire_); }
    void step() {
        const std::uint64_t a = bits_of(a_.read()), b = bits_of(b_.read());
        const std::uint64_t seen = does_.seen(state, cycle(), mixed(a, b));
        write(y_, does_.written(seen));
        state = does_.next_state(seen);
    }
    std::uint64_t state = 0;

private:
    In<A> a_;
    In<B> b_;
    Out<Y> y_, wire_;
    Behaviour does_;
};

using AnyBus = std::variant<Bus<Unsigned<5>>, Bus<Pack>>;

struct BusModel {
    AnyBus handle;
    std::uint32_t delay;
    Unwritten unwritten;
    std::uint64_t initial; // as bits
    std::size_t writer = 0;
    bool by_comb = false;
};

struct ProcessModel {
    std::size_t a, b, y;
    std::optional<std::size_t> wire; // of a Mealy machine
    Behaviour does;
    std::function<std::uint64_t(Simulator&)> state; // reads it from the engine's object
};

/// A random network, described for both implementations.
class Random {
public:
    explicit Random(std::uint32_t seed) : random_{seed} {
        const std::size_t processes = 2 + below(14);
        for (std::size_t k = 0; k < processes; ++k)
            add_outputs(k);
        std::vector<std::size_t> order(processes);
        for (std::size_t k = 0; k < processes; ++k)
            order[k] = k;
        std::shuffle(order.begin(), order.end(), random_);
        for (const std::size_t k : order)
            add_process(k);
    }

    Network network{"random"};
    std::vector<BusModel> buses;
    std::vector<ProcessModel> processes;

private:
    std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }

    void add_outputs(std::size_t k) {
        ProcessModel result{};
        result.does = {random_(), false};
        const bool mealy = k == 0 || below(2) == 0; // the first gives all others a register
        const std::uint32_t delays[] = {0, 0, 1, 1, 2, 3, 7};
        const std::size_t type = below(2);
        result.y = add_bus(type, mealy ? 1 + below(3) : delays[below(7)], k, false);
        if (mealy)
            result.wire = add_bus(type, 0, k, true);
        result.does.always = buses[result.y].unwritten == Unwritten::error ||
                             (result.wire && buses[*result.wire].unwritten == Unwritten::error);
        processes.push_back(result);
    }

    std::size_t add_bus(std::size_t type, std::uint32_t delay, std::size_t writer, bool by_comb) {
        const bool wire = delay == 0;
        const Unwritten rules[] = {Unwritten::zero, Unwritten::error, Unwritten::hold};
        const Unwritten rule = rules[below(wire ? 2 : 3)];
        const bool initial = !wire && (rule == Unwritten::error || below(2) == 0);
        const std::uint64_t bits = random_();
        const auto make = [&]<class T>(T) -> BusModel {
            BusOptions<T> options{delay, rule, std::nullopt};
            if (initial)
                options.initial = value_of<T>(bits);
            const std::string name = "bus" + std::to_string(buses.size());
            const std::uint64_t members = 1 + below(3); // some are elements of a family
            const Bus<T> bus = below(2) ? network.bus<T>(name, options)
                                        : network.buses<T>(name, members, options)[members - 1];
            return {bus, delay, rule, initial ? bits_of(value_of<T>(bits)) : 0, writer, by_comb};
        };
        buses.push_back(type == 0 ? make(Unsigned<5>{}) : make(Pack{}));
        return buses.size() - 1;
    }

    /// A register, or a wire of an earlier process, so that wires form no loop.
    std::size_t input_of(std::size_t process, bool for_wire) {
        while (true) {
            const std::size_t bus = below(buses.size());
            if (buses[bus].delay > 0 || buses[bus].writer < process ||
                (!for_wire && buses[bus].by_comb)) // a step may read any comb's wire
                return bus;
        }
    }

    void add_process(std::size_t k) {
        ProcessModel& result = processes[k];
        const bool step_drives_wire = buses[result.y].delay == 0;
        result.a = input_of(k, true);
        result.b = input_of(k, step_drives_wire);
        const Name name = indexed("process", k);
        std::visit(
            [&]<class A, class B, class Y>(Bus<A> a, Bus<B> b, Bus<Y> y) {
                const auto watch = [&](auto handle) {
                    result.state = [handle](Simulator& simulator) {
                        return simulator.process(handle).state;
                    };
                };
                if (result.wire)
                    watch(network.add<RandomMealy<A, B, Y>>(
                        name, in(a), in(b), out(y),
                        out(std::get<Bus<Y>>(buses[*result.wire].handle)), result.does));
                else
                    watch(network.add<Mixer<A, B, Y>>(name, in(a), in(b), out(y), result.does));
            },
            buses[result.a].handle, buses[result.b].handle, buses[result.y].handle);
    }

    std::mt19937 random_;
};

/// Truncates bits to the width of the bus type.
std::uint64_t on_bus(const BusModel& bus, std::uint64_t bits) {
    return std::visit([&]<class T>(Bus<T>) { return bits_of(value_of<T>(bits)); }, bus.handle);
}

/// Simulates two phases per cycle, directly from the definition of the model.
class Reference {
public:
    explicit Reference(const Random& model)
        : model_{model}, history_(model.buses.size()), states_(model.processes.size(), 0) {}

    /// The value that readers of a registered bus see in the coming cycle.
    std::uint64_t registered(std::size_t b) const {
        const BusModel& bus = model_.buses[b];
        return cycle_ < bus.delay ? bus.initial : history_[b][cycle_ - bus.delay];
    }
    /// The value of a wire in the current cycle.
    std::uint64_t wire(std::size_t b) const {
        const BusModel& bus = model_.buses[b];
        const ProcessModel& writer = model_.processes[bus.writer];
        const std::uint64_t a = read(writer.a);
        return settled(bus, writer, bus.by_comb ? a : mixed(a, read(writer.b)));
    }
    void step() {
        std::vector<std::uint64_t> states;
        std::vector<std::uint64_t> wires(model_.buses.size(), 0);
        for (std::size_t p = 0; p < model_.processes.size(); ++p) {
            const ProcessModel& process = model_.processes[p];
            const std::uint64_t seen =
                process.does.seen(states_[p], cycle_, mixed(read(process.a), read(process.b)));
            states.push_back(process.does.next_state(seen));
            if (model_.buses[process.y].delay > 0)
                keep(process.y, process.does.written(seen));
        }
        for (std::size_t b = 0; b < model_.buses.size(); ++b)
            if (model_.buses[b].delay == 0)
                wires[b] = wire(b);
        last_wires = std::move(wires);
        states_ = std::move(states);
        ++cycle_;
    }
    std::uint64_t state(std::size_t p) const { return states_[p]; }

    std::vector<std::uint64_t> last_wires; // by bus, in the last cycle

private:
    std::uint64_t read(std::size_t b) const {
        return model_.buses[b].delay == 0 ? wire(b) : registered(b);
    }
    std::uint64_t settled(const BusModel& bus, const ProcessModel& writer, std::uint64_t in) const {
        const auto bits = writer.does.written(writer.does.seen(states_[bus.writer], cycle_, in));
        return bits ? on_bus(bus, *bits) : 0;
    }
    void keep(std::size_t b, const std::optional<std::uint64_t>& bits) {
        const BusModel& bus = model_.buses[b];
        std::uint64_t kept = 0;
        if (bits)
            kept = on_bus(bus, *bits);
        else if (bus.unwritten == Unwritten::hold)
            kept = cycle_ == 0 ? bus.initial : history_[b].back();
        history_[b].push_back(kept);
    }

    const Random& model_;
    std::vector<std::vector<std::uint64_t>> history_; // by bus and cycle
    std::vector<std::uint64_t> states_;
    std::uint64_t cycle_ = 0;
};

std::uint64_t peeked(const Simulator& simulator, const BusModel& bus) {
    return std::visit([&](auto handle) { return bits_of(simulator.peek(handle)); }, bus.handle);
}

} // namespace

TEST_CASE("random networks agree with the definition on every bus, in every cycle") {
    std::size_t wires = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        const Random model{seed};
        Reference reference{model};
        Simulator simulator{model.network};
        for (std::uint64_t t = 0; t < 25; ++t) {
            CAPTURE(t);
            for (std::size_t b = 0; b < model.buses.size(); ++b) {
                CAPTURE(b);
                const BusModel& bus = model.buses[b];
                if (bus.delay > 0)
                    REQUIRE(peeked(simulator, bus) == reference.registered(b));
                else if (t > 0) {
                    REQUIRE(peeked(simulator, bus) == reference.last_wires[b]);
                    ++wires;
                }
            }
            for (std::size_t p = 0; p < model.processes.size(); ++p)
                REQUIRE(model.processes[p].state(simulator) == reference.state(p));
            simulator.step();
            reference.step();
        }
    }
    CHECK(wires > 10'000);
}
