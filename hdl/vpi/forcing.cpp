// SPDX-License-Identifier: Apache-2.0
//
// Forced values. Registers, inputs and memories keep a written value themselves; a wire gets its
// value anew in each cycle, from a process. A released register keeps its value until the next
// assignment (IEEE 1800, 10.6.2); an input is what it is driven to.
#include <algorithm>
#include <set>
#include <utility>

#include "vpi/simulation.hpp"

namespace sme::vpi {

/// Steps processes, after which forced wires have their forced values again.
class Simulation::Overriding final : public Group {
public:
    Overriding(Group& group, Simulation& simulation) : group_{group}, simulation_{simulation} {}
    void step(unsigned part, Range range, const Frame& frame) override {
        group_.step(part, range, frame);
        simulation_.override_wires();
    }
    void finish(Control& control) override { group_.finish(control); }

private:
    Group& group_;
    Simulation& simulation_;
};

/// Wires have one slot in a cycle, which their readers read later in the same cycle.
void Simulation::override_wires() {
    for (const auto& [object, forced] : forced_)
        if (object->wire)
            store(*object, forced.now);
}

void Simulation::override_writers(const Object& wire) {
    std::set<std::uint64_t> elements;
    for (const Word& word : (wire.role == Object::Role::bit ? *wire.parent : wire).words)
        elements.insert(word.element);
    const auto writes_one = [&](const Port& port) {
        bool found = false;
        for (std::uint64_t k = 0; port.output && k < port.buses.size() && !found; ++k)
            found = elements.count(static_cast<std::uint64_t>(port.buses.at(k))) != 0;
        return found;
    };
    for (std::uint32_t k = 0; k < graph_.processes.size(); ++k) {
        const std::vector<Port>& ports = graph_.processes[k].ports;
        if (overriding_.count(k) || std::none_of(ports.begin(), ports.end(), writes_one))
            continue;
        overriding_[k] = std::make_unique<Overriding>(engine_.group(k), *this);
        engine_.swap_executor({{k, overriding_[k].get()}});
    }
}

std::string Simulation::force(Object& object, const std::string& bits) {
    if (object.wire && object.is_forceable()) {
        forced_[&object] = {bits, {}};
        override_writers(object);
        engine_.access().disturb();
        changed_ = true;
        return {};
    }
    const std::string before = this->bits(object);
    const auto forced = forced_.extract(&object);
    std::string wrong = put(object, bits, true);
    if (wrong.empty())
        forced_[&object] = {bits, forced.empty() ? before : forced.mapped().driven};
    return wrong;
}

void Simulation::release(Object& object) {
    const auto forced = forced_.extract(&object);
    if (!forced)
        return;
    engine_.access().disturb();
    changed_ = true;
    if (object.input)
        store(object, forced.mapped().driven);
}

} // namespace sme::vpi
