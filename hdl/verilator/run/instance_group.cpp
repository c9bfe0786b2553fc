// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/instance_group.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "runtime/memory_archive.hpp"
#include "verilator/run/instances.hpp"

namespace sme::verilator {

namespace {

/// Locks an instance while one of its parts runs: parts may share a level.
class Busy {
public:
    explicit Busy(std::atomic_flag& flag) : flag_{flag} {
        // acquire: sees the previous part's writes to the model
        while (flag_.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~Busy() { flag_.clear(std::memory_order_release); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    std::atomic_flag& flag_;
};

/// Returns for each bus family that the loader created for a value whether it is never written.
std::vector<bool> fixed_buses(const Graph& graph) {
    std::vector<bool> result;
    for (const BusFamily& bus : graph.buses)
        result.push_back(bus.generated && !bus.input && !bus.state);
    const auto number = [&](std::int64_t element) {
        return static_cast<std::size_t>(&graph.family_of(static_cast<std::uint64_t>(element)) -
                                        graph.buses.data());
    };
    for (const ProcessFamily& family : graph.processes)
        for (const Port& port : family.ports)
            for (const Segment& run : port.buses.runs()) {
                if (!port.output || run.count == 0)
                    continue;
                const auto [least, most] = std::minmax({run.at(run.first), run.at(run.end() - 1)});
                std::fill(result.begin() + static_cast<std::ptrdiff_t>(number(least)),
                          result.begin() + static_cast<std::ptrdiff_t>(number(most)) + 1, false);
            }
    return result;
}

std::string joined(const std::vector<std::string>& names) {
    return fmt::format("{}'{}'", names.size() == 1 ? "input " : "one of the inputs ",
                       fmt::join(names, "', '"));
}

} // namespace

InstanceGroup::InstanceGroup(std::shared_ptr<const ModulePlan> plan, const Build& build)
    : plan_{std::move(plan)}, family_{build.family}, count_{build.family.count},
      instances_{std::make_unique<Instance[]>(count_)} {
    std::size_t slots = 0;
    for (const BoundPort& port : plan_->ports) {
        moves_.emplace_back(port.type, port.binding.count, port.offset, port.elements);
        first_slot_.push_back(slots);
        slots += port.binding.count;
        const BusFamily& bus = build.bus_at(port.binding.port, 0);
        marks_.push_back({bus.type->size(), slot_size(bus) - bus.type->size()});
    }
    for (std::size_t port = 0; port < plan_->ports.size(); ++port)
        if (!plan_->ports[port].binding.output)
            inputs_.push_back(port);
    for (const std::size_t port : inputs_)
        if (std::none_of(plan_->settles.begin(), plan_->settles.end(), [&](const SettlePart& part) {
                return std::find(part.inputs.begin(), part.inputs.end(), port) != part.inputs.end();
            }))
            edge_inputs_.push_back(port);
    for (const std::size_t port : inputs_)
        if (moves_[port].whole() == 0)
            odd_inputs_.push_back(port);
    for (const std::size_t port : plan_->registered)
        if (!is_plain_output(port))
            odd_outputs_.push_back(port);
    for (const std::size_t port : plan_->registered)
        watched_ = watched_ || !plan_->ports[port].suspects.empty();
    settled_ =
        std::any_of(plan_->settles.begin(), plan_->settles.end(),
                    [](const SettlePart& part) { return part.falls || !part.inputs.empty(); });
    plain_ = plan_->has_plain_clock() && !settled_ && !watched_ && plan_->inside.empty() &&
             !(plan_->falls && plan_->has_edge_inputs);
    fixed_ = fixed_buses(build.graph);
    positions_.resize(count_);
    for (std::uint64_t position = 0; position < count_; ++position) {
        start(instances_[position], position, build);
        positions_[instances_[position].source] = position;
    }
}

void InstanceGroup::step(unsigned part, Range range, const Frame& frame) {
    const bool alone = plan_->parts() == 1; // no other part uses an instance
    for (std::uint64_t position = range.first; position < range.first + range.count; ++position) {
        Instance& instance = instances_[position];
        std::optional<Busy> busy;
        if (!alone)
            busy.emplace(instance.busy);
        if (part < plan_->settles.size())
            settle(instance, plan_->settles[part], position, frame);
        else
            clock(instance, position, frame);
    }
}

/// Instances of other ranks keep their states as they came.
void InstanceGroup::state_of(Archive& archive, Range instances) {
    for (std::uint64_t k = 0; k < instances.count; ++k) {
        Instance& instance = instances_[positions_[instances.first + k]];
        if (instance.is_here && archive.saves()) {
            instance.elsewhere.clear();
            Saving saving{instance.elsewhere};
            state_of(instance, saving);
        }
        archive(instance.elsewhere);
        if (!instance.is_here)
            continue;
        if (!archive.saves()) {
            Loading loading{instance.elsewhere};
            state_of(instance, loading);
        }
        instance.elsewhere = {};
    }
}

void InstanceGroup::state_of(Instance& instance, Archive& archive) {
    bool there = static_cast<bool>(*instance.model);
    archive(there, instance.dirty, instance.ended);
    if (there != static_cast<bool>(*instance.model))
        throw CheckpointError{"a module ended before the run began"};
    if (there)
        instance.model->state(archive);
    archive(instance.before);
    instance.fresh = true;
}

std::string InstanceGroup::unsaved() const {
    if (!plan_->unsavable.empty())
        return fmt::format("module '{}' of '{}' holds {}, which cannot be saved",
                           plan_->module.top.text, family_.name, plan_->unsavable);
    const auto lacks = [](const Instance& instance) {
        return *instance.model && !instance.model->savable();
    };
    if (std::any_of(instances_.get(), instances_.get() + count_, lacks))
        return fmt::format("module '{}' of '{}' was built without what saving needs; build it "
                           "with SAVABLE, or with VerilogSource::savable",
                           plan_->module.top.text, family_.name);
    return {};
}

void InstanceGroup::finish(Control& control) {
    for (std::uint64_t position = 0; position < count_; ++position) {
        Instance& instance = instances_[position];
        if (!*instance.model)
            continue;
        instance.model->finish();
        reports_.print(instance, instance.model->take_lines(), position, control);
    }
}

void InstanceGroup::start(Instance& instance, std::uint64_t position, const Build& build) {
    instance.source = static_cast<std::uint64_t>(build.order.at(position));
    instance.is_here = !build.is_here || build.is_here(instance.source);
    instance.model = instance.is_here
                         ? started(*plan_, instance.source, build.seed, build.graph, build.family)
                         : std::make_unique<Model>();
    for (const BoundPort& port : plan_->ports) {
        instance.at.push_back(*instance.model ? port.in(*instance.model) : nullptr);
        for (std::uint64_t k = 0; k < port.binding.count; ++k)
            instance.slots.push_back(build.ports[port.binding.port + k].offsets.at(position));
    }
    for (std::size_t k = 0; k < plan_->inside.size() && *instance.model; ++k) {
        const auto port = static_cast<std::uint32_t>(plan_->first_inside + k);
        instance.model->place(plan_->inside[k],
                              static_cast<std::size_t>(build.ports[port].offsets.at(position)),
                              build.bus_at(port, position).type->size());
    }
    if (*instance.model)
        add_copies(instance, position, build);
    for (const ModulePlan::Clock& clock : plan_->clocks)
        instance.clocks.push_back(*instance.model ? instance.model->port(clock.port) : nullptr);
    if (*instance.model && watched_)
        keep_suspects(instance);
}

void InstanceGroup::add_copies(Instance& instance, std::uint64_t position,
                               const Build& build) const {
    const auto copy_of = [&](std::size_t port) {
        return Copy{instance.at[port],
                    slots_of(instance, port)[0] + static_cast<std::int64_t>(moves_[port].offset()),
                    moves_[port].whole()};
    };
    for (const std::size_t port : inputs_)
        if (moves_[port].whole() > 0) {
            const BusFamily& bus = build.bus_at(plan_->ports[port].binding.port, position);
            const auto number = static_cast<std::size_t>(&bus - build.graph.buses.data());
            (fixed_[number] ? instance.fixed_ins : instance.ins).push_back(copy_of(port));
        }
    for (const std::size_t port : plan_->registered)
        if (is_plain_output(port))
            instance.outs.push_back(copy_of(port));
}

void InstanceGroup::set_inputs(Instance& instance, const std::vector<std::size_t>& ports,
                               const Frame& frame) const {
    for (const std::size_t port : ports)
        if (moves_[port].to_port(frame.read, slots_of(instance, port), instance.at[port]))
            instance.dirty = true;
}

void InstanceGroup::show(const Instance& instance, const std::vector<std::size_t>& ports,
                         std::uint64_t position, const Frame& frame) const {
    for (const std::size_t port : ports) {
        const std::int64_t* const slots = slots_of(instance, port);
        const auto wrong = moves_[port].from_port(instance.at[port], frame.write, slots);
        if (marks_[port].bytes > 0)
            for (std::uint64_t k = 0; k < plan_->ports[port].binding.count; ++k)
                std::memset(frame.write + slots[k] + marks_[port].offset, 1, marks_[port].bytes);
        if (wrong)
            reports_.fault(Code::verilog_value, position, frame,
                           fmt::format("output '{}' of module '{}' shows {}",
                                       plan_->ports[port].binding.name, plan_->module.top.text,
                                       *wrong));
    }
}

void InstanceGroup::settle(Instance& instance, const SettlePart& part, std::uint64_t position,
                           const Frame& frame) const {
    if (*instance.model && !instance.ahead) {
        set_inputs(instance, part.inputs, frame);
        if ((!part.inputs.empty() || part.falls) &&
            (instance.dirty || must_fall(instance, frame.cycle)) && !instance.ended)
            low(instance, frame.cycle);
        show(instance, part.outputs, position, frame);
    }
    if (!plan_->has_last_part)
        reports_.flush_output(instance, position, frame);
}

void InstanceGroup::clock(Instance& instance, std::uint64_t position, const Frame& frame) {
    if (*instance.model && !instance.ended && !std::exchange(instance.ahead, false)) {
        if (plan_->uses_time)
            instance.model->set_time((frame.cycle + 1) * plan_->module.clock_ps);
        if (plain_)
            whole_cycle(instance, frame);
        else
            watched_cycle(instance, position, frame);
    }
    for (const Copy& copy : instance.outs)
        copy.out(frame.write);
    if (!odd_outputs_.empty() && *instance.model)
        show(instance, odd_outputs_, position, frame);
    if (watched_ && *instance.model)
        keep_suspects(instance);
    reports_.flush_output(instance, position, frame);
}

/// Runs a cycle without observing the state between the edges.
void InstanceGroup::whole_cycle(Instance& instance, const Frame& frame) const {
    if (std::exchange(instance.fresh, false))
        for (const Copy& copy : instance.fixed_ins)
            copy.in(frame.read);
    for (const Copy& copy : instance.ins)
        copy.in(frame.read);
    for (const std::size_t port : odd_inputs_)
        moves_[port].to_port(frame.read, slots_of(instance, port), instance.at[port]);
    instance.model->cycle(instance.clocks[0]);
}

void InstanceGroup::watched_cycle(Instance& instance, std::uint64_t position, const Frame& frame) {
    set_inputs(instance, inputs_, frame);
    if (instance.dirty || must_fall(instance, frame.cycle))
        low(instance, frame.cycle);
    look_for_moves(instance, position, frame);
    if (!plan_->inside.empty())
        instance.model->show(frame.write);
    edges(instance, frame.cycle);
}

bool InstanceGroup::must_fall(const Instance& instance, std::uint64_t cycle) const {
    for (std::size_t k = 0; k < instance.clocks.size(); ++k)
        if (*instance.clocks[k] != std::byte{0} && plan_->clocks[k].rate.falls_within(cycle))
            return true;
    return false;
}

/// Settles the module with the current inputs.
void InstanceGroup::low(Instance& instance, std::uint64_t cycle) const {
    if (plan_->falls && plan_->has_edge_inputs && instance.dirty)
        instance.model->eval(); // a gate opens before the clock falls
    for (std::size_t k = 0; k < instance.clocks.size(); ++k)
        if (plan_->clocks[k].rate.falls_within(cycle))
            *instance.clocks[k] = std::byte{0};
    instance.model->eval();
    instance.dirty = false;
}

/// Applies all edges at the end of the cycle at once: registers of each clock see the earlier
/// values.
void InstanceGroup::edges(const Instance& instance, std::uint64_t cycle) const {
    bool moved = false;
    for (std::size_t k = 0; k < instance.clocks.size(); ++k) {
        const ClockRate& rate = plan_->clocks[k].rate;
        const bool rises = rate.rises_after(cycle);
        if (!rises && !rate.falls_after(cycle))
            continue;
        *instance.clocks[k] = rises ? std::byte{1} : std::byte{0};
        moved = true;
    }
    if (moved)
        instance.model->eval();
}

/// Checks that registered outputs keep their values while the module settles.
void InstanceGroup::look_for_moves(Instance& instance, std::uint64_t position,
                                   const Frame& frame) const {
    std::size_t place = 0;
    for (const std::size_t port : plan_->registered) {
        const BoundPort& output = plan_->ports[port];
        if (output.suspects.empty())
            continue;
        const std::size_t bytes = output.bytes();
        if (std::memcmp(instance.before.data() + place, instance.at[port], bytes) != 0)
            reports_.fault(
                Code::verilog_moved, position, frame,
                fmt::format("output '{}' of module '{}' moved within the cycle, with {}, but "
                            "the bus that it writes is no wire; declare the bus with 'wire'",
                            output.binding.name, plan_->module.top.text, joined(output.suspects)));
        place += bytes;
    }
}

void InstanceGroup::keep_suspects(Instance& instance) const {
    instance.before.clear();
    for (const std::size_t port : plan_->registered)
        if (!plan_->ports[port].suspects.empty())
            instance.before.insert(instance.before.end(), instance.at[port],
                                   instance.at[port] + plan_->ports[port].bytes());
}

std::unique_ptr<Group> make_group(std::shared_ptr<const ModulePlan> plan, const Build& build) {
    return std::make_unique<InstanceGroup>(std::move(plan), build);
}

} // namespace sme::verilator
