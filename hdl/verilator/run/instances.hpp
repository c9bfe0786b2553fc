// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/abilities.hpp"
#include "verilator/run/instance_group.hpp"
#include "verilator/run/port_codec.hpp"

namespace sme::verilator {

/// Bytes with the same layout in a slot and in a port.
struct Copy {
    std::byte* port;
    std::int64_t slot;
    std::size_t bytes;

    void in(const std::byte* base) const { move(port, base + slot); }
    void out(std::byte* base) const { move(base + slot, port); }

private:
    /// Copies frequent sizes inline.
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
    std::vector<std::byte*> at;      // per bound port, in the model
    std::vector<std::int64_t> slots; // per bound port: its elements
    std::vector<Copy> ins;           // for plain cycles
    std::vector<Copy> fixed_ins;     // of these: slots that the network never writes
    std::vector<Copy> outs;
    std::vector<std::byte*> clocks; // ports, in the order of the plan
    bool fresh = true;              // the fixed inputs must be copied
    bool dirty = false;             // an input changed since the last eval
    bool ahead = false;             // has already run the rising edge of the next step
    bool ended = false;
    bool is_here = true;              // false: another rank steps it
    std::vector<std::byte> elsewhere; // its state there
    std::uint64_t source = 0;
    std::vector<std::byte> before; // of outputs with suspects
    std::atomic_flag busy;
};

/// Reports the lines that instances print, and how they end.
class InstanceReports {
public:
    InstanceReports(const ModulePlan& plan, const ProcessFamily& family)
        : plan_{plan}, family_{family} {}

    /// Reports the module's output and its end.
    void flush_output(Instance& instance, std::uint64_t position, const Frame& frame) const {
        if (instance.model->has_said_anything())
            take(instance, position, frame);
    }
    void print(const Instance& instance, const std::vector<std::string>& lines,
               std::uint64_t position, Control& control) const;
    void fault(Code code, std::uint64_t position, const Frame& frame, std::string message,
               const std::vector<std::string>& printed = {}) const;

private:
    void take(Instance& instance, std::uint64_t position, const Frame& frame) const;
    void stopped(const Model::End& end, const std::vector<std::string>& lines,
                 std::uint64_t position, const Frame& frame) const;

    const ModulePlan& plan_;
    const ProcessFamily& family_;
};

/// All instances of a module.
///
/// A settle part sets its inputs, with the clocks low that fall within the cycle. The clock part
/// sets all inputs, settles again if one of them is new, then applies all edges at the end of the
/// cycle at once. A module without wires thus takes two evals a cycle.
class InstanceGroup final : public ModelGroup {
public:
    InstanceGroup(std::shared_ptr<const ModulePlan> plan, const Build& build);

    void step(unsigned part, Range range, const Frame& frame) override;
    void state(Archive& archive) override { state_of(archive, {0, count_}); }
    void state_of(Archive& archive, Range instances) override;
    std::string unsaved() const override;
    void finish(Control& control) override;

    bool is_callable() const override;
    ModelStep model_step(unsigned part, std::uint64_t position) const override;
    ModelCalls model_calls(std::uint64_t position) const override;
    bool is_running() const override;
    void run_ahead() override;
    void look(const Frame& frame) override;
    void reset(const Frame& frame) override;

private:
    /// The position of a bus's validity marks in its slots.
    struct Marks {
        std::size_t offset;
        std::size_t bytes;
    };

    void start(Instance& instance, std::uint64_t position, const Build& build);
    static void state_of(Instance& instance, Archive& archive);
    bool is_plain_output(std::size_t port) const {
        return moves_[port].whole() > 0 && marks_[port].bytes == 0;
    }
    void add_copies(Instance& instance, std::uint64_t position, const Build& build) const;
    const std::int64_t* slots_of(const Instance& instance, std::size_t port) const {
        return instance.slots.data() + first_slot_[port];
    }
    void set_inputs(Instance& instance, const std::vector<std::size_t>& ports,
                    const Frame& frame) const;
    void show(const Instance& instance, const std::vector<std::size_t>& ports,
              std::uint64_t position, const Frame& frame) const;
    void settle(Instance& instance, const SettlePart& part, std::uint64_t position,
                const Frame& frame) const;
    void clock(Instance& instance, std::uint64_t position, const Frame& frame);
    void whole_cycle(Instance& instance, const Frame& frame) const;
    bool must_fall(const Instance& instance, std::uint64_t cycle) const;
    void low(Instance& instance, std::uint64_t cycle) const;
    void edges(const Instance& instance, std::uint64_t cycle) const;
    void watched_cycle(Instance& instance, std::uint64_t position, const Frame& frame);
    void look_for_moves(Instance& instance, std::uint64_t position, const Frame& frame) const;
    void keep_suspects(Instance& instance) const;
    ModelPort model_port(std::size_t port, const Instance& instance) const;

    std::shared_ptr<const ModulePlan> plan_;
    ProcessFamily family_;
    InstanceReports reports_{*plan_, family_};
    std::uint64_t count_;
    std::vector<PortCodec> moves_;
    std::vector<std::size_t> first_slot_;
    std::vector<Marks> marks_;
    std::vector<std::size_t> inputs_;
    std::vector<bool> fixed_;              // bus families that are never written
    std::vector<std::size_t> edge_inputs_; // inputs that no part before the clock sets
    std::vector<std::size_t> odd_inputs_;  // inputs that need more than a copy
    std::vector<std::size_t> odd_outputs_;
    bool watched_ = false; // an output may change while the module settles
    bool settled_ = false; // a part settles the model before the clock part
    bool plain_ = false;   // only registered outputs are observed
    std::unique_ptr<Instance[]> instances_;
    std::vector<std::uint64_t> positions_; // in source order
};

} // namespace sme::verilator
