// SPDX-License-Identifier: Apache-2.0
//
// The start of modules before cycle 0.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "verilator/run/instance_group.hpp"
#include "verilator/run/instances.hpp"
#include "verilator/run/port_codec.hpp"

namespace sme::verilator {

namespace {

/// Returns the bytes of an element before cycle 0. The rows of a bus that is fed begin with cycle
/// 0, so their edges are those of a wire with the same values.
std::vector<std::byte> initial_value(const Graph& graph, std::uint64_t element) {
    const BusFamily& bus = graph.family_of(element);
    const std::size_t size = bus.type->size();
    if (bus.initial.empty() ||
        std::any_of(graph.processes.begin(), graph.processes.end(),
                    [&](const ProcessFamily& process) { return process.feeds(bus) > 0; }))
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
        const std::vector<std::byte> value = initial_value(graph, element);
        places.push_back(static_cast<std::int64_t>(values.size()));
        values.insert(values.end(), value.begin(), value.end());
    }
    PortCodec{port.type, port.binding.count, port.offset, port.elements}.to_port(
        values.data(), places.data(), model.port(port.number));
}

void set_resets(const ModulePlan& plan, Model& model, bool active) {
    for (const ModulePlan::Reset& reset : plan.resets)
        *model.port(reset.port) = static_cast<std::byte>(active == reset.high);
}

/// Holds the resets while the clocks run, all with the same edges, whatever their rates. At the end
/// each clock has its level at the start of cycle 0.
class Controls {
public:
    Controls(const ModulePlan& plan, Model& model) : plan_{plan}, model_{model} {}

    void begin() {
        set_resets(plan_, model_, true);
        rest(true);
        rest(false);
        model_.eval();
    }
    void run() {
        const unsigned cycles = plan_.module.reset_cycles();
        for (unsigned cycle = 0; cycle < cycles && !model_.end(); ++cycle)
            for (const bool high : {false, true}) {
                set_clocks(high);
                model_.eval();
            }
        if (cycles > 0 && rest(false) && !model_.end())
            model_.eval();
        set_resets(plan_, model_, false);
    }

private:
    void set(std::size_t port, bool high) {
        *model_.port(port) = static_cast<std::byte>(high ? 1 : 0);
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
    const auto set_inputs = [&](bool with_edges) {
        for (const BoundPort& port : plan.ports)
            if (!port.binding.output && port.has_edges == with_edges)
                set_input(port, instance, *model, graph, family);
    };
    Controls controls{plan, *model};
    set_inputs(false);
    controls.begin();
    if (plan.has_edge_inputs && !model->end()) {
        set_inputs(true); // their initial values come with an edge, as in other simulators
        model->eval();
    }
    controls.run();
    if (!model->end())
        model->eval();
    return model;
}

// Calls of instances from native code.

namespace {

/// Returns the number of members of an enumeration with the values 0, 1, 2, …; 0 if every bit
/// pattern is a member; `nullopt` if it has gaps.
std::optional<std::uint64_t> members_of(const Type& type) {
    const std::size_t count = type.members().size();
    for (std::uint64_t value = 0; value < count; ++value)
        if (!type.find_member(value))
            return std::nullopt;
    return type.width_bits() < 64 && count == std::uint64_t{1} << type.width_bits() ? 0 : count;
}

/// Returns the native description of a word of a port; `nullopt` if native code cannot handle it.
std::optional<ModelPort::Scalar> scalar_of(const PackedWord& word, std::int64_t slot) {
    ModelPort::Scalar result{static_cast<std::uint64_t>(slot) + word.offset, word.bytes,
                             word.scalar->extends_sign(), word.bit, word.width};
    if (word.scalar->kind() == TypeKind::enumeration) {
        const auto members = members_of(*word.scalar);
        if (!members)
            return std::nullopt;
        result.members = *members;
    }
    return result;
}

} // namespace

bool InstanceGroup::is_callable() const {
    if (watched_ || !plan_->inside.empty() || plan_->falls ||
        !(plan_->has_plain_clock() || plan_->clocks.empty()) || plan_->has_edge_inputs)
        return false;
    if (std::any_of(plan_->ports.begin(), plan_->ports.end(),
                    [](const BoundPort& port) { return port.elements > 0; }))
        return false; // an unpacked array
    for (std::uint64_t position = 0; position < count_; ++position)
        if (!*instances_[position].model)
            return false;
    return std::all_of(moves_.begin(), moves_.end(), [](const PortCodec& moves) {
        return std::all_of(moves.pieces().begin(), moves.pieces().end(),
                           [](const PortCodec::Piece& piece) { return scalar_of(piece.word, 0); });
    });
}

ModelPort InstanceGroup::model_port(std::size_t port, const Instance& instance) const {
    const BoundPort& bound = plan_->ports[port];
    ModelPort result{
        instance.at[port], PortCodec::port_bytes(bound.width), {}, {}, bound.binding.name};
    const std::int64_t* const slots = slots_of(instance, port);
    for (const PortCodec::Piece& piece : moves_[port].pieces())
        result.scalars.push_back(*scalar_of(piece.word, slots[piece.element]));
    for (std::uint64_t k = 0; bound.binding.output && k < bound.binding.count; ++k)
        for (std::size_t mark = 0; mark < marks_[port].bytes; ++mark)
            result.marks.push_back(static_cast<std::uint64_t>(slots[k]) + marks_[port].offset +
                                   mark);
    return result;
}

ModelStep InstanceGroup::model_step(unsigned part, std::uint64_t position) const {
    const Instance& instance = instances_[position];
    const bool settles = part < plan_->settles.size();
    ModelStep result{settles, !settled_, {}, {}};
    for (const std::size_t port : settles ? plan_->settles[part].inputs : edge_inputs_)
        result.inputs.push_back(model_port(port, instance));
    for (const std::size_t port : settles ? plan_->settles[part].outputs : plan_->registered)
        result.outputs.push_back(model_port(port, instance));
    return result;
}

ModelCalls InstanceGroup::model_calls(std::uint64_t position) const {
    Instance& instance = instances_[position];
    const sme_module_abi& abi = plan_->library->abi();
    auto* const clock =
        instance.clocks.empty() ? nullptr : reinterpret_cast<unsigned char*>(instance.clocks[0]);
    abi.set_clock(instance.model->handle(), clock);
    return {instance.model->handle(),
            clock,
            instance.model->said(),
            &instance.dirty,
            &abi,
            abi.enter,
            abi.entered_eval,
            abi.entered_cycle,
            abi.set_time,
            plan_->uses_time ? plan_->module.clock_ps : 0};
}

bool InstanceGroup::is_running() const {
    return std::none_of(instances_.get(), instances_.get() + count_, [](const Instance& instance) {
        return instance.ended || instance.model->has_said_anything();
    });
}

void InstanceGroup::run_ahead() {
    for (std::uint64_t position = 0; position < count_; ++position)
        instances_[position].ahead = !plan_->clocks.empty();
}

/// The clocks stay as they are: a cycle has not yet begun.
void InstanceGroup::look(const Frame& frame) {
    for (std::uint64_t position = 0; position < count_ && !plan_->inside.empty(); ++position) {
        Instance& instance = instances_[position];
        if (!*instance.model || instance.ended)
            continue;
        set_inputs(instance, inputs_, frame);
        if (instance.dirty)
            instance.model->eval();
        instance.model->show(frame.write);
    }
}

void InstanceGroup::reset(const Frame& frame) {
    for (std::uint64_t position = 0; position < count_ && plan_->has_last_part; ++position) {
        Instance& instance = instances_[position];
        if (!*instance.model || instance.ended)
            continue;
        for (const bool active : {true, false}) {
            set_resets(*plan_, *instance.model, active);
            instance.dirty = true;
            if (active)
                clock(instance, position, frame);
        }
    }
}

void InstanceReports::take(Instance& instance, std::uint64_t position, const Frame& frame) const {
    const std::vector<std::string> lines = instance.model->take_lines();
    const bool ends = instance.model->end() && !instance.ended;
    if (ends && instance.model->end()->how != SME_MODULE_FINISH)
        stopped(*instance.model->end(), lines, position, frame);
    else
        print(instance, lines, position, *frame.control);
    if (ends && instance.model->end()->how == SME_MODULE_FINISH)
        frame.control->halt();
    instance.ended = instance.model->end().has_value();
}

void InstanceReports::print(const Instance& instance, const std::vector<std::string>& lines,
                            std::uint64_t position, Control& control) const {
    const std::string name = family_.instance_name(instance.source);
    std::uint32_t order = 0;
    for (const std::string& line : lines)
        control.print(position, order++, fmt::format("{}: {}", name, line));
}

void InstanceReports::stopped(const Model::End& end, const std::vector<std::string>& lines,
                              std::uint64_t position, const Frame& frame) const {
    const std::string where = end.file.empty() ? "" : fmt::format(" at {}:{}", end.file, end.line);
    constexpr std::size_t shown = 20;
    const std::size_t skipped = lines.size() > shown ? lines.size() - shown : 0;
    const char* const how = end.how == SME_MODULE_INTERRUPTED
                                ? "was interrupted in a loop that had not come to its end, so "
                                  "this cycle is not whole"
                            : end.message.empty() ? "stopped"
                                                  : "failed";
    fault(Code::verilog_stopped, position, frame,
          fmt::format("module '{}' {}{}{}{}", plan_.module.top.text, how, where,
                      end.message.empty() ? "" : ": ", end.message),
          {lines.begin() + static_cast<std::ptrdiff_t>(skipped), lines.end()});
}

void InstanceReports::fault(Code code, std::uint64_t position, const Frame& frame,
                            std::string message, const std::vector<std::string>& printed) const {
    Diagnostic found{code, Severity::fault, {}, std::move(message), {}};
    for (const std::string& line : printed)
        found.note({}, "it printed: " + line);
    frame.control->fault(position, found);
}

} // namespace sme::verilator
