// SPDX-License-Identifier: Apache-2.0
//
// The start of modules before cycle 0.
#include <cstring>

#include "verilator/run/instance_group.hpp"
#include "verilator/run/moves.hpp"

namespace sme::verilator {

namespace {

/// Returns the bytes that readers see of an element in cycle 0.
std::vector<std::byte> first_value(const BusFamily& bus, std::uint64_t element) {
    const std::size_t size = bus.type->size();
    if (bus.initial.empty())
        return std::vector<std::byte>(size);
    const std::size_t place = bus.initial.size() == size ? 0 : (element - bus.first) * size;
    const auto begin = bus.initial.begin() + static_cast<std::ptrdiff_t>(place);
    return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

void set_input(const BoundPort& port, std::uint64_t instance, Model& model, const Graph& graph,
               const ProcessFamily& family) {
    std::vector<std::byte> values;
    std::vector<std::int64_t> places;
    for (std::uint64_t k = 0; k < port.binding.count; ++k) {
        const auto element =
            static_cast<std::uint64_t>(family.ports[port.binding.port + k].buses.at(instance));
        const std::vector<std::byte> value = first_value(graph.family_of(element), element);
        places.push_back(static_cast<std::int64_t>(values.size()));
        values.insert(values.end(), value.begin(), value.end());
    }
    Moves{port.type, port.binding.count, port.offset, port.elements}.to_port(
        values.data(), places.data(), model.port(port.number));
}

/// Holds the resets while the clocks run, all with the same edges, whatever their rates. At the end
/// each clock has its level at the start of cycle 0.
class Controls {
public:
    Controls(const ModulePlan& plan, Model& model) : plan_{plan}, model_{model} {}

    void run() {
        set_resets(true);
        rest(true);
        rest(false);
        const unsigned cycles = plan_.module.reset_cycles();
        model_.eval();
        for (unsigned cycle = 0; cycle < cycles && !model_.end(); ++cycle)
            for (const bool high : {false, true}) {
                set_clocks(high);
                model_.eval();
            }
        if (cycles > 0 && rest(false) && !model_.end())
            model_.eval();
        set_resets(false);
    }

private:
    void set(std::size_t port, bool high) {
        *model_.port(port) = static_cast<std::byte>(high ? 1 : 0);
    }
    void set_resets(bool active) {
        for (const ModulePlan::Reset& reset : plan_.resets)
            set(reset.port, active == reset.high);
    }
    void set_clocks(bool high) {
        for (const ModulePlan::Clock& clock : plan_.clocks)
            set(clock.port, high);
    }
    /// Tests whether a clock rests high. A clock of every cycle then falls within cycle 0, as in
    /// all others, if that loads a register.
    bool rests_high(const ModulePlan::Clock& clock) const {
        return (plan_.falls || !plan_.has_plain_clock()) && clock.rate.is_high_before(0);
    }
    /// Sets the clocks that rest at this level to it; returns true if there are any.
    bool rest(bool high) {
        bool any = false;
        for (const ModulePlan::Clock& clock : plan_.clocks)
            if (rests_high(clock) == high) {
                set(clock.port, high);
                any = true;
            }
        return any;
    }

    const ModulePlan& plan_;
    Model& model_;
};

} // namespace

std::unique_ptr<Model> started(const ModulePlan& plan, std::uint64_t instance, std::uint64_t seed,
                               const Graph& graph, const ProcessFamily& family) {
    std::vector<std::string> plusargs;
    for (const Placed& text : plan.module.plusargs)
        plusargs.push_back("+" + text.text);
    auto model = std::make_unique<Model>(
        plan.library, plusargs,
        static_cast<std::uint32_t>(plan.module.seed.value_or(seed) * 2654435761U + instance),
        &plan.data_files);
    if (!*model)
        return model;
    for (const BoundPort& port : plan.ports)
        if (!port.binding.output)
            set_input(port, instance, *model, graph, family);
    Controls{plan, *model}.run();
    if (!model->end())
        model->eval();
    return model;
}

} // namespace sme::verilator
