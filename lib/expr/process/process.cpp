// SPDX-License-Identifier: Apache-2.0
//
// A process becomes a program in four steps: first, its step is bound; then the bound assignments
// become one value for each scalar of each output and state; then the wire outputs are grouped by
// the wire inputs they need; finally, each such part gets its nodes and possible faults.
#include "expr/process/process.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/process_scope.hpp"
#include "expr/process/step_binder.hpp"
#include "expr/process/step_lowering.hpp"
#include "expr/program/builder.hpp"
#include "expr/program/parts.hpp"

namespace sme::expr {

namespace {

class ProcessMaker {
public:
    /// Makes ranges of `loops_from` or more steps loops; 0: no loops. Keeps the bound process in
    /// `bound`, unless that is null.
    ProcessMaker(const ProcessView& text, Scope& outer, Diagnostics& diagnostics, bool cover,
                 std::uint64_t loops_from, BoundProcess* bound = nullptr)
        : text_{text}, diagnostics_{diagnostics}, scope_{text, outer, builder_, diagnostics},
          elaborator_{builder_, scope_, diagnostics}, binder_{text, elaborator_}, lowering_{
                                                                                      text,
                                                                                      elaborator_} {
        scope_.set_elaborator(elaborator_);
        Builder::Loops& loops = builder_.loops();
        loops.from = loops_from;
        loops.instances = text.shape.count();
        loops.steps = loops.instances;
        if (cover)
            elaborator_.set_cover(&notes_.emplace(builder_));
        if (bound)
            elaborator_.bind_into(bound->bindings);
        bound_ = bound;
    }

    Program run() {
        try {
            return made();
        } catch (const TooLarge& problem) {
            elaborator_.report(problem);
            return {};
        }
    }

    /// The state of the builder's loops.
    const Builder::Loops& loops() { return builder_.loops(); }
    bool has_random() const { return builder_.random_sites() > 0; }

private:
    Program made() {
        const std::size_t errors = diagnostics_.errors();
        for (const LetText& let : text_.lets)
            if (!scope_.was_used(let.name)) {
                scope_.find(let.name);
                scope_.forget_use(let.name);
            }
        BoundBlock step = binder_.bind(text_.step);
        BoundRef reset;
        if (text_.reset)
            reset = elaborator_.operand(elaborator_.bound_truth(*text_.reset, "a reset"));
        if (scope_.fuel().reported)
            return {};
        lower(step, reset);
        if (bound_) {
            keep_bound(std::move(step));
            bound_->reset = reset;
        }
        if (!text_.clock.is_every_cycle())
            edge_ = builder_.rises(text_.clock);
        if (diagnostics_.errors() != errors)
            return {};
        if (!diagnostics_.has_errors())
            warn_unused();
        make_parts();
        if (notes_)
            make_cover();
        if (diagnostics_.errors() != errors)
            return {};
        return std::move(builder_.program());
    }

    struct Output {
        std::uint32_t port;
        std::uint32_t offset;
        NodeId value;
        NodeId fallback;
        std::uint64_t field;
        NodeId together; // links a value and its mark; unmarked: the value
    };

    /// Faults of ports come first, then those of lets in the order of the file, then the step.
    void lower(const BoundBlock& step, const BoundRef& reset) {
        for (const auto* ports : {&text_.inputs, &text_.outputs})
            for (const PortText& port : *ports)
                if (port.unwritten == Unwritten::error && port.shape.is_single())
                    elaborator_.lowered(scope_.value_of(port.name));
        for (const LetText& let : text_.lets)
            elaborator_.lowered(scope_.value_of(let.name));
        lowering_.run(step);
        if (reset && reset->ok())
            reset_ = elaborator_.lowering().leaves(*reset)[0];
    }

    void keep_bound(BoundBlock step) {
        for (const LetText& let : text_.lets)
            bound_->lets[let.name] = elaborator_.operand(*scope_.find(let.name));
        bound_->step = std::move(step);
    }

    void warn_unused() {
        const auto is_read = [&](const std::string& name) {
            return scope_.was_used(name) || text_.observed.count(name) > 0;
        };
        for (const LetText& let : text_.lets)
            if (!is_read(let.name) && !let.generated)
                diagnostics_.add(Code::unused, let.declared,
                                 fmt::format("'{}' is never used", let.name));
        for (const StateText& state : text_.states)
            if (!is_read(state.name) && !state.generated)
                diagnostics_.add(Code::unused, state.declared,
                                 fmt::format("state '{}' is never read", state.name));
        const auto assigned = [&](std::uint32_t first, std::uint64_t count) {
            const auto found = lowering_.targets().lower_bound({false, first, 0, 0});
            return found != lowering_.targets().end() && !found->first.is_memory &&
                   found->first.place < first + count;
        };
        const auto answered = [&](const PortText& bundle) {
            return std::any_of(text_.outputs.begin(), text_.outputs.end(),
                               [&](const PortText& back) {
                                   return back.reverse_of == bundle.name &&
                                          assigned(back.write_port, back.count());
                               });
        };
        for (const PortText& port : text_.inputs)
            if (!scope_.was_used(port.name) && !(port.bundle && answered(port)))
                diagnostics_.add(Code::unused, port.declared,
                                 fmt::format("input '{}' is never read", port.name));
        for (const PortText& port : text_.outputs)
            if (!assigned(port.write_port, port.count()))
                diagnostics_.add(Code::unused, port.declared,
                                 fmt::format("output '{}' is never written", port.name));
    }

    /// Adds every scalar of one slot and, if marked, whether it was written.
    void add_slot(std::uint32_t write_port, const TypeRef& type, bool marked,
                  std::vector<Output>& outputs) {
        const std::vector<Leaf> leaves = type->leaves();
        for (std::uint32_t k = 0; k < leaves.size(); ++k) {
            const TargetKey key{false, write_port, no_node, k};
            const NodeId fallback = lowering_.fallback(key);
            const auto found = lowering_.targets().find(key);
            const bool assigned = found != lowering_.targets().end();
            const NodeId value = assigned ? found->second.value : fallback;
            const std::uint64_t field = std::min<std::uint64_t>(leaves[k].field, 63);
            const NodeId written = assigned ? found->second.written : builder_.boolean(false);
            outputs.push_back({write_port, leaves[k].offset, value, fallback, field, value});
            if (!marked)
                continue;
            outputs.back().together = written; // both belong to one part
            outputs.push_back({write_port, static_cast<std::uint32_t>(type->size()) + k, written,
                               builder_.boolean(false), field, value});
        }
    }

    /// Returns the wires that an output needs.
    std::vector<FieldUse> wires_behind(const Output& output) {
        std::map<std::uint32_t, std::uint64_t> found;
        if (!elaborator_.spend(builder_.size(), text_.outputs[0].declared))
            return {};
        for (const NodeId id : reachable(builder_, {{output.value}, {output.together}}))
            if (const Node& node = builder_.node(id); node.op == Op::load && is_wire(node.a)) {
                const std::uint64_t field = scope_.fields().at({node.a, node.immediate});
                found[node.a] |= std::uint64_t{1} << std::min<std::uint64_t>(field, 63);
            }
        std::vector<FieldUse> uses;
        for (const auto& [port, fields] : found)
            uses.push_back({port, fields});
        return uses;
    }

    bool is_wire(std::uint32_t read_port) const {
        const auto among = [&](const std::vector<PortText>& ports) {
            return std::any_of(ports.begin(), ports.end(), [&](const PortText& port) {
                const auto within = [&](std::uint32_t first) {
                    return read_port >= first && read_port < first + port.count();
                };
                return port.wire &&
                       (within(port.read_port) ||
                        std::any_of(
                            port.reverse_fields.begin(), port.reverse_fields.end(),
                            [&](const ReverseField& back) { return within(back.read_port); }));
            });
        };
        return among(text_.inputs) || among(text_.outputs);
    }

    void make_parts() {
        std::map<std::vector<FieldUse>, std::vector<Output>> wires;
        std::vector<Output> rest;
        for (const PortText& port : text_.outputs)
            for (std::uint32_t k = 0; k < port.count(); ++k) {
                std::vector<Output> outputs;
                add_slot(port.write_port + k, port.type,
                         port.marked || port.unwritten == Unwritten::error, outputs);
                if (!port.wire) {
                    rest.insert(rest.end(), outputs.begin(), outputs.end());
                    continue;
                }
                // one part writes all of a field: readers track slots by field
                std::map<std::uint64_t, std::map<std::uint32_t, std::uint64_t>> behind;
                for (const Output& output : outputs)
                    for (const FieldUse& use : wires_behind(output))
                        behind[output.field][use.port] |= use.fields;
                for (const Output& output : outputs) {
                    std::vector<FieldUse> uses;
                    for (const auto& [read_port, fields] : behind[output.field])
                        uses.push_back({read_port, fields});
                    wires[std::move(uses)].push_back(output);
                }
            }
        for (const StateText& state : text_.states)
            if (!state.is_memory) {
                const std::size_t first = rest.size();
                add_slot(state.write_port, state.type, false, rest);
                add_reset(state, rest.begin() + static_cast<std::ptrdiff_t>(first));
            }
        if (edge_)
            for (Output& output : rest)
                hold_between_edges(output);
        for (const auto& [needs, outputs] : wires)
            add_part(outputs, false);
        add_part(rest, true);
    }

    /// Coverage needs no faults of its own: other parts check them.
    void make_cover() {
        PartProgram part;
        CoverPlan plan = notes_->plan(part.results, edge_);
        if (plan.points.empty())
            return;
        plan.part = static_cast<std::uint32_t>(builder_.program().parts.size());
        finish_quiet_part(builder_, scope_.fields(), part);
        builder_.program().parts.push_back(std::move(part));
        builder_.program().cover = std::move(plan);
    }

    /// While reset holds, a state takes its initial value; the step's assignments are ignored.
    void add_reset(const StateText& state, std::vector<Output>::iterator output) {
        if (!reset_)
            return;
        for (const Leaf& leaf : state.type->leaves()) {
            const NodeId initial = initial_node(builder_, text_, state, leaf);
            output->value = builder_.select(*reset_, initial, output->value);
            ++output;
        }
    }

    /// Keeps a register's value in cycles without a rising clock edge.
    void hold_between_edges(Output& output) {
        const auto state =
            std::find_if(text_.states.begin(), text_.states.end(), [&](const StateText& each) {
                return !each.is_memory && each.write_port == output.port;
            });
        if (state != text_.states.end() && state->every_cycle)
            return;
        const std::uint32_t port = state == text_.states.end() ? output.port : state->read_port;
        const NodeId now = builder_.leaf(
            {Op::load, builder_.node(output.value).type, port, no_node, no_node, output.offset});
        output.value = builder_.select(*edge_, output.value, now);
    }

    /// Returns `condition`, restricted to clock edges.
    NodeId at_edge(NodeId condition) {
        return edge_ ? builder_.operation(Op::logical_and, {1, false}, *edge_, condition)
                     : condition;
    }

    /// Returns the condition under which memories are not written.
    NodeId memories_wait() {
        if (!edge_)
            return reset_.value_or(no_node);
        const NodeId between = builder_.logical_not(*edge_);
        return reset_ ? builder_.operation(Op::logical_or, {1, false}, between, *reset_) : between;
    }

    void add_part(const std::vector<Output>& outputs, bool is_update) {
        PartProgram part;
        std::vector<Root> roots;
        std::map<std::uint32_t, std::uint64_t> writes;
        for (const Output& output : outputs) {
            part.stores.push_back({output.port, output.offset, output.value, output.fallback});
            roots.push_back({output.value});
            roots.push_back({output.fallback});
            writes[output.port] |= std::uint64_t{1} << output.field;
        }
        for (const auto& [port, fields] : writes)
            part.writes.push_back({port, fields});
        if (is_update)
            add_effects(part, roots);
        if (roots.empty() && loops_.empty())
            return;
        finish_part(builder_, roots, scope_.fields(), part, loops_);
        loops_.clear();
        builder_.program().parts.push_back(std::move(part));
    }

    void add_effects(PartProgram& part, std::vector<Root>& roots) {
        const StepLowering::MemoryWrites written = lowering_.memory_writes(memories_wait());
        loops_ = written.loops;
        for (const MemoryWrite& write : written.writes) {
            part.memory_writes.push_back(write);
            roots.push_back({write.enable});
            roots.push_back({write.word, write.enable});
            roots.push_back({write.value, write.enable});
        }
        for (const StateText& state : text_.states)
            if (state.is_memory && reset_) {
                part.memory_resets.push_back({state.memory, at_edge(*reset_)});
                roots.push_back({part.memory_resets.back().enable});
            }
        for (const NodeId assertion : lowering_.assertions())
            roots.push_back({at_edge(assertion)});
        for (const NodeId wanted : lowering_.halts()) {
            const NodeId halt = at_edge(wanted);
            part.halts.push_back(halt);
            roots.push_back({halt});
        }
        for (Print print : lowering_.prints()) {
            print.enable = at_edge(print.enable);
            part.prints.push_back(print);
            roots.push_back({print.enable});
            for (const NodeId value : print.values)
                roots.push_back({value, print.enable});
        }
        const auto place = [&](const Print& print) {
            return builder_.program().lines[print.line].where.begin;
        };
        std::sort(part.prints.begin(), part.prints.end(),
                  [&](const Print& a, const Print& b) { return place(a) < place(b); });
    }

    const ProcessView& text_;
    Diagnostics& diagnostics_;
    Builder builder_;
    ProcessScope scope_;
    Elaborator elaborator_;
    StepBinder binder_;
    StepLowering lowering_;
    std::optional<CoverNotes> notes_;
    std::optional<NodeId> reset_;
    std::optional<NodeId> edge_;  // true when the clock rises; nullopt: every cycle
    std::vector<LoopRoot> loops_; // loops of the current part
    BoundProcess* bound_ = nullptr;
};

} // namespace

Program build_process(const ProcessView& text, Scope& outer, Diagnostics& diagnostics, bool cover,
                      BoundProcess* bound) {
    Fuel& fuel = outer.fuel();
    const Diagnostics before = diagnostics;
    const Fuel at_first = fuel;
    ProcessMaker looped{text, outer, diagnostics, cover, fuel.loops_from, bound};
    Program result = looped.run();
    // Unrolls a process with expressions that must know their index, up to a limit, and a process
    // with random(T), whose numbers depend on the order of elaboration.
    const Builder::Loops& loops = looped.loops();
    const bool unrolls = loops.failed || (looped.has_random() && loops.longest > 0);
    if (!unrolls || loops.longest > Fuel::max_unrolled)
        return result;
    const Diagnostics found = std::exchange(diagnostics, before);
    fuel = at_first;
    BoundProcess own;
    Program unrolled =
        ProcessMaker{text, outer, diagnostics, cover, 0, bound ? &own : nullptr}.run();
    if (fuel.reported) {
        diagnostics = found;
        return result;
    }
    if (bound)
        *bound = std::move(own);
    return unrolled;
}

} // namespace sme::expr
