// SPDX-License-Identifier: Apache-2.0
//
// Settle: the inputs that a part reads, with the clock low. Clock: all inputs, settled once more if
// one of them is new, then the rising edge. So a module that has no wires takes two evals a cycle.
#include "verilator/run/instance_group.hpp"

#include <atomic>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "verilator/run/moves.hpp"

namespace sme::verilator {

namespace {

/// Held while a part of an instance runs: parts may have one level.
class Busy {
public:
    explicit Busy(std::atomic_flag& flag) : flag_{flag} {
        // acquire: what the part before wrote into the model
        while (flag_.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~Busy() { flag_.clear(std::memory_order_release); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    std::atomic_flag& flag_;
};

/// Bytes that are the same in a slot and in a port.
struct Copy {
    std::byte* port;
    std::int64_t slot;
    std::size_t bytes;

    void in(const std::byte* base) const { move(port, base + slot); }
    void out(std::byte* base) const { move(base + slot, port); }

private:
    /// Sizes that are frequent need no call.
    void move(std::byte* to, const std::byte* from) const {
        switch (bytes) {
        case 1: *to = *from; return;
        case 2: std::memcpy(to, from, 2); return;
        case 4: std::memcpy(to, from, 4); return;
        case 8: std::memcpy(to, from, 8); return;
        case 16: std::memcpy(to, from, 16); return;
        default: std::memcpy(to, from, bytes); return;
        }
    }
};

struct Instance {
    std::unique_ptr<Model> model;
    std::vector<std::byte*> at;      // of each bound port, in the model
    std::vector<std::int64_t> slots; // of each bound port, its elements
    std::vector<Copy> ins;           // of a cycle that is plain
    std::vector<Copy> outs;
    std::byte* clock = nullptr;
    bool dirty = false; // an input changed since the last eval
    bool ended = false;
    std::uint64_t source = 0;
    std::vector<std::int64_t> inside; // slots of the signals
    std::vector<std::byte> before;    // of outputs under suspicion
    std::atomic_flag busy;
};

class InstanceGroup final : public Group {
public:
    InstanceGroup(std::shared_ptr<const ModulePlan> plan, const Build& build)
        : plan_{std::move(plan)}, family_{build.family}, count_{build.family.count},
          instances_{std::make_unique<Instance[]>(count_)} {
        std::size_t slots = 0;
        for (const BoundPort& port : plan_->ports) {
            moves_.emplace_back(port.type, port.binding.count, port.offset);
            first_slot_.push_back(slots);
            slots += port.binding.count;
            const BusFamily& bus = build.bus_at(port.binding.port, 0);
            marks_.push_back({bus.type->size(), slot_size(bus) - bus.type->size()});
        }
        for (std::size_t port = 0; port < plan_->ports.size(); ++port)
            if (!plan_->ports[port].binding.output)
                inputs_.push_back(port);
        for (const std::size_t port : inputs_)
            if (moves_[port].whole() == 0)
                odd_inputs_.push_back(port);
        for (const std::size_t port : plan_->registered)
            if (!is_plain_output(port))
                odd_outputs_.push_back(port);
        for (const std::size_t port : plan_->registered)
            watched_ = watched_ || !plan_->ports[port].suspects.empty();
        plain_ =
            plan_->clock && plan_->settles.empty() && !watched_ && plan_->wave.signals().empty();
        for (std::size_t signal = 0; signal < plan_->wave.signals().size(); ++signal)
            inside_bytes_.push_back(slot_size(
                build.bus_at(static_cast<std::uint32_t>(plan_->first_inside + signal), 0)));
        positions_.resize(count_);
        for (std::uint64_t position = 0; position < count_; ++position) {
            start(instances_[position], position, build);
            positions_[instances_[position].source] = position;
        }
    }

    void step(unsigned part, Range range, const Frame& frame) override {
        const bool alone = plan_->parts() == 1; // nobody else touches an instance
        for (std::uint64_t position = range.first; position < range.first + range.count;
             ++position) {
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

    void state(Archive& archive) override {
        for (std::uint64_t source = 0; source < count_; ++source) {
            Instance& instance = instances_[positions_[source]];
            bool there = static_cast<bool>(*instance.model);
            archive(there, instance.dirty, instance.ended);
            if (there != static_cast<bool>(*instance.model))
                throw CheckpointError{"a module ended before the run began"};
            if (there)
                instance.model->state(archive);
            archive(instance.before);
        }
    }

    std::string unsaved() const override {
        if (!plan_->unsavable.empty())
            return fmt::format("module '{}' of '{}' holds {}, which cannot be saved",
                               plan_->module.top.text, family_.name, plan_->unsavable);
        if (count_ > 0 && *instances_[0].model && !instances_[0].model->savable())
            return fmt::format("module '{}' of '{}' was built without what saving needs; build it "
                               "with SAVABLE, or with VerilogSource::savable",
                               plan_->module.top.text, family_.name);
        return {};
    }

    void finish(Control& control) override {
        for (std::uint64_t position = 0; position < count_; ++position) {
            Instance& instance = instances_[position];
            if (!*instance.model)
                continue;
            instance.model->finish();
            print(instance, instance.model->take_lines(), position, control);
        }
    }

private:
    /// Where the marks of a bus lie in its slots.
    struct Marks {
        std::size_t offset;
        std::size_t bytes;
    };

    void start(Instance& instance, std::uint64_t position, const Build& build) {
        instance.source = static_cast<std::uint64_t>(build.order.at(position));
        instance.model = started(*plan_, instance.source, build.seed, build.graph, build.family);
        for (const BoundPort& port : plan_->ports) {
            instance.at.push_back(*instance.model ? instance.model->port(port.number) : nullptr);
            for (std::uint64_t k = 0; k < port.binding.count; ++k)
                instance.slots.push_back(build.ports[port.binding.port + k].offsets.at(position));
        }
        for (std::size_t signal = 0; signal < inside_bytes_.size(); ++signal)
            instance.inside.push_back(
                build.ports[plan_->first_inside + signal].offsets.at(position));
        if (*instance.model)
            add_copies(instance);
        if (*instance.model && plan_->clock)
            instance.clock = instance.model->port(*plan_->clock);
        if (*instance.model && watched_)
            keep_suspects(instance);
    }

    bool is_plain_output(std::size_t port) const {
        return moves_[port].whole() > 0 && marks_[port].bytes == 0;
    }

    void add_copies(Instance& instance) const {
        const auto copy_of = [&](std::size_t port) {
            return Copy{instance.at[port],
                        slots_of(instance, port)[0] +
                            static_cast<std::int64_t>(moves_[port].offset()),
                        moves_[port].whole()};
        };
        for (const std::size_t port : inputs_)
            if (moves_[port].whole() > 0)
                instance.ins.push_back(copy_of(port));
        for (const std::size_t port : plan_->registered)
            if (is_plain_output(port))
                instance.outs.push_back(copy_of(port));
    }

    const std::int64_t* slots_of(const Instance& instance, std::size_t port) const {
        return instance.slots.data() + first_slot_[port];
    }

    void set_inputs(Instance& instance, const std::vector<std::size_t>& ports,
                    const Frame& frame) const {
        for (const std::size_t port : ports)
            if (moves_[port].to_port(frame.read, slots_of(instance, port), instance.at[port]))
                instance.dirty = true;
    }

    void show(const Instance& instance, const std::vector<std::size_t>& ports,
              std::uint64_t position, const Frame& frame) const {
        for (const std::size_t port : ports) {
            const std::int64_t* const slots = slots_of(instance, port);
            const auto wrong = moves_[port].from_port(instance.at[port], frame.write, slots);
            if (marks_[port].bytes > 0)
                for (std::uint64_t k = 0; k < plan_->ports[port].binding.count; ++k)
                    std::memset(frame.write + slots[k] + marks_[port].offset, 1,
                                marks_[port].bytes);
            if (wrong)
                fault(Code::verilog_value, position, frame,
                      fmt::format("output '{}' of module '{}' shows {}",
                                  plan_->ports[port].binding.name, plan_->module.top.text, *wrong));
        }
    }

    static void low(Instance& instance) {
        if (instance.clock)
            *instance.clock = std::byte{0};
        instance.model->eval();
        instance.dirty = false;
    }
    static bool is_high(const Instance& of) { return of.clock && *of.clock != std::byte{0}; }

    void settle(Instance& instance, const SettlePart& part, std::uint64_t position,
                const Frame& frame) const {
        if (*instance.model) {
            set_inputs(instance, part.inputs, frame);
            if (!part.inputs.empty() && (instance.dirty || is_high(instance)) && !instance.ended)
                low(instance);
            show(instance, part.outputs, position, frame);
        }
        if (!plan_->clock)
            say(instance, position, frame);
    }

    void clock(Instance& instance, std::uint64_t position, const Frame& frame) {
        if (*instance.model && !instance.ended) {
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
        say(instance, position, frame);
    }

    /// Nothing is looked at between the edges.
    void whole_cycle(Instance& instance, const Frame& frame) const {
        for (const Copy& copy : instance.ins)
            copy.in(frame.read);
        for (const std::size_t port : odd_inputs_)
            moves_[port].to_port(frame.read, slots_of(instance, port), instance.at[port]);
        instance.model->cycle(instance.clock);
    }

    void watched_cycle(Instance& instance, std::uint64_t position, const Frame& frame) {
        set_inputs(instance, inputs_, frame);
        if (instance.dirty || is_high(instance))
            low(instance);
        look_for_moves(instance, position, frame);
        if (!plan_->wave.signals().empty())
            show_inside(instance, frame);
        if (instance.clock) {
            *instance.clock = std::byte{1};
            instance.model->eval();
        }
    }

    void show_inside(Instance& instance, const Frame& frame) const {
        plan_->wave.read(
            instance.model->wave(frame.cycle), [&](std::size_t signal, std::string_view digits) {
                put_digits(digits, frame.write + instance.inside[signal], inside_bytes_[signal]);
            });
    }

    /// An output of a register keeps its value while the module settles.
    void look_for_moves(Instance& instance, std::uint64_t position, const Frame& frame) const {
        std::size_t place = 0;
        for (const std::size_t port : plan_->registered) {
            const BoundPort& output = plan_->ports[port];
            if (output.suspects.empty())
                continue;
            const std::size_t bytes = Moves::port_bytes(output.width);
            if (std::memcmp(instance.before.data() + place, instance.at[port], bytes) != 0)
                fault(Code::verilog_moved, position, frame,
                      fmt::format("output '{}' of module '{}' moved within the cycle, with {}, but "
                                  "the bus that it writes is no wire; declare the bus with 'wire'",
                                  output.binding.name, plan_->module.top.text,
                                  joined(output.suspects)));
            place += bytes;
        }
    }

    void keep_suspects(Instance& instance) const {
        instance.before.clear();
        for (const std::size_t port : plan_->registered)
            if (!plan_->ports[port].suspects.empty())
                instance.before.insert(instance.before.end(), instance.at[port],
                                       instance.at[port] +
                                           Moves::port_bytes(plan_->ports[port].width));
    }

    static std::string joined(const std::vector<std::string>& names) {
        return fmt::format("{}'{}'", names.size() == 1 ? "input " : "one of the inputs ",
                           fmt::join(names, "', '"));
    }

    /// What the module printed, and how it ended.
    void say(Instance& instance, std::uint64_t position, const Frame& frame) const {
        if (!instance.model->has_said_anything())
            return;
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

    void print(const Instance& instance, const std::vector<std::string>& lines,
               std::uint64_t position, Control& control) const {
        const std::string name = family_.instance_name(instance.source);
        std::uint32_t order = 0;
        for (const std::string& line : lines)
            control.print(position, order++, fmt::format("{}: {}", name, line));
    }

    void stopped(const Model::End& end, const std::vector<std::string>& lines,
                 std::uint64_t position, const Frame& frame) const {
        const std::string where =
            end.file.empty() ? "" : fmt::format(" at {}:{}", end.file, end.line);
        constexpr std::size_t shown = 20;
        const std::size_t skipped = lines.size() > shown ? lines.size() - shown : 0;
        const char* const how = end.how == SME_MODULE_INTERRUPTED
                                    ? "was interrupted in a loop that had not come to its end, so "
                                      "this cycle is not whole"
                                : end.message.empty() ? "stopped"
                                                      : "failed";
        fault(Code::verilog_stopped, position, frame,
              fmt::format("module '{}' {}{}{}{}", plan_->module.top.text, how, where,
                          end.message.empty() ? "" : ": ", end.message),
              {lines.begin() + static_cast<std::ptrdiff_t>(skipped), lines.end()});
    }

    void fault(Code code, std::uint64_t position, const Frame& frame, std::string message,
               const std::vector<std::string>& printed = {}) const {
        Diagnostic found{code, Severity::fault, {}, std::move(message), {}};
        for (const std::string& line : printed)
            found.note({}, "it printed: " + line);
        frame.control->fault(position, found);
    }

    std::shared_ptr<const ModulePlan> plan_;
    ProcessFamily family_;
    std::uint64_t count_;
    std::vector<Moves> moves_;
    std::vector<std::size_t> first_slot_;
    std::vector<Marks> marks_;
    std::vector<std::size_t> inside_bytes_;
    std::vector<std::size_t> inputs_;
    std::vector<std::size_t> odd_inputs_; // those that are more than a copy
    std::vector<std::size_t> odd_outputs_;
    bool watched_ = false; // an output may move while the module settles
    bool plain_ = false;   // nothing is looked at but registered outputs
    std::unique_ptr<Instance[]> instances_;
    std::vector<std::uint64_t> positions_; // in source order
};

} // namespace

std::unique_ptr<Group> make_group(std::shared_ptr<const ModulePlan> plan, const Build& build) {
    return std::make_unique<InstanceGroup>(std::move(plan), build);
}

} // namespace sme::verilator
