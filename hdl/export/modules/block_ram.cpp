// SPDX-License-Identifier: Apache-2.0
#include "export/modules/block_ram.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::hdl {

namespace {

/// The wires and registers that use a word of a memory in the cycle of its address, in the
/// order of the module. A register that takes the unmodified word is not in the list: block RAM
/// reads like that.
class SameCycleReads {
public:
    explicit SameCycleReads(const std::string& memory) : memory_{memory} {}

    void look(const rtl::Items& items) {
        for (const rtl::Item& item : items)
            if (const auto* net = std::get_if<rtl::Net>(&item); net && net->value)
                assigned(net->what.name, net->value, false);
            else if (const auto* assign = std::get_if<rtl::Assign>(&item))
                assigned(assign->target.name, assign->value, false);
            else if (const auto* elements = std::get_if<rtl::Elements>(&item))
                look(*elements);
            else if (const auto* process = std::get_if<rtl::Process>(&item))
                each_assignment(process->body, [&](const rtl::Statement& each) {
                    assigned(each.target.name, each.value, each.clocked);
                });
    }
    const std::vector<std::string>& found() const { return found_; }

private:
    void look(const rtl::Elements& elements) {
        const std::string& name = elements.whole.what.name;
        for (const rtl::Elements::Run& run : elements.runs) {
            for (const rtl::Net& net : run.nets)
                assigned(name, net.value, false);
            assigned(name, run.element.value, false);
        }
        for (const rtl::Assign& other : elements.others)
            assigned(name, other.value, false);
    }
    void assigned(const std::string& name, const ExprRef& value, bool clocked) {
        bool reads = false;
        each_place(value, [&](const Place& place) {
            reads = reads || (place.word && place.name == memory_);
        });
        const bool takes_word = value->kind == rtl::Expr::Kind::place && value->place.word &&
                                value->place.whole() && value->place.name == memory_;
        if (reads && !(clocked && takes_word) && name != memory_ &&
            std::find(found_.begin(), found_.end(), name) == found_.end())
            found_.push_back(name);
    }

    const std::string& memory_;
    std::vector<std::string> found_;
};

} // namespace

std::vector<std::string> block_ram_hints(const std::string& process,
                                         const std::vector<Variable>& variables,
                                         const ProcessFamily& family, const rtl::Items& wires,
                                         const rtl::Items& clocked) {
    constexpr std::uint64_t worth = 2048; // bits
    std::vector<std::string> hints;
    for (const Variable& each : variables) {
        if (!each.is_memory || family.memories[each.state->memory].words * each.bits() < worth)
            continue;
        SameCycleReads reads{each.name};
        reads.look(wires);
        reads.look(clocked);
        if (!reads.found().empty())
            hints.push_back(
                fmt::format("'{}' of '{}' is read within a cycle, by '{}'; block RAM needs a state "
                            "that takes the word as it is",
                            each.state->name, process, fmt::join(reads.found(), "', '")));
    }
    return hints;
}

} // namespace sme::hdl
