// SPDX-License-Identifier: Apache-2.0
//
// 1. Each instance of a step is a unit. 2. The slots and memories that units use are recorded. 3.
//    Units that must be on one thread are joined. 4. The joined units are dealt out in the order of
//    the cut. 5. The registers that several threads use are found.
#include "native/cycle/thread_shares.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "interpret/block/program_group.hpp"
#include "interpret/observers/recorder.hpp"
#include "network/build.hpp"
#include "runtime/abilities.hpp"

namespace sme::native {

namespace {

constexpr std::size_t max_uses = 2'000'000; // of slots and memories by units
constexpr std::size_t max_pieces = 64;      // of one step on one thread
constexpr double max_share = 0.8;           // of one thread; above it, meetings cost too much

class Dealer {
public:
    Dealer(const Graph& graph, const std::vector<ScheduledStep>& steps, std::uint64_t wires_begin,
           const KernelThreads& threads)
        : graph_{graph}, steps_{steps},
          wires_begin_{wires_begin}, threads_{threads.count}, cut_{*threads.cut} {}

    std::optional<ThreadShares> run() {
        for (std::uint32_t number = 0; number < steps_.size(); ++number)
            add_step(number);
        if (!knows_all_ || slots_.size() + words_.size() > max_uses)
            return {};
        join_users(words_, [](const Use&) { return true; });
        join_users(slots_, [this](const Use& use) { return use.begin >= wires_begin_; });
        deal_out();
        if (made_.largest > max_share || !collect())
            return {};
        find_common();
        return std::move(made_);
    }

private:
    using Unit = std::uint32_t;
    struct Use {
        std::uint64_t begin, end;
        Unit unit;
        bool writes;
    };
    struct OneUnit {
        std::uint32_t number; // step number
        std::uint64_t position;
        std::uint64_t count; // instances that must stay together
        double work;
        double place; // in the cut, from 0 to 1
    };

    Unit root(Unit unit) {
        while (joined_[unit] != unit)
            unit = joined_[unit] = joined_[joined_[unit]];
        return unit;
    }
    void join(Unit one, Unit other) {
        joined_[std::max(root(one), root(other))] = root(std::min(root(one), root(other)));
    }

    Unit add_unit(std::uint32_t number, std::uint64_t position, std::uint64_t count, double work,
                  double place) {
        const auto unit = static_cast<Unit>(units_.size());
        units_.push_back({number, position, count, work, place});
        joined_.push_back(unit);
        // the parts of an instance share its state
        const auto [found, fresh] = instances_.try_emplace({steps_[number].group, position}, unit);
        if (!fresh)
            join(found->second, unit);
        return unit;
    }

    void use_slot(Unit unit, std::uint64_t at, std::uint64_t bytes, bool writes) {
        slots_.push_back({at, at + bytes, unit, writes});
    }

    void add_step(std::uint32_t number) {
        const ScheduledStep& step = steps_[number];
        const std::size_t ports =
            step.family < graph_.processes.size() ? graph_.processes[step.family].ports.size() : 1;
        if (slots_.size() + words_.size() + step.range.count * ports > max_uses) {
            knows_all_ = false; // known before it takes memory
            return;
        }
        const Abilities group = abilities_of(steps_[number].group);
        if (group.program)
            add_programs(number, {graph_.processes[steps_[number].family], *group.program});
        else if (group.results)
            add_programs(number, {graph_.processes[steps_[number].family], *group.results});
        else if (group.models)
            add_models(number, *group.models);
        else if (group.copies)
            add_copies(number, group.copies->copy_plan());
        else
            knows_all_ = false; // an observer that must run in every cycle
    }

    void add_programs(std::uint32_t number, const Subject& subject) {
        const ScheduledStep& step = steps_[number];
        const expr::Program& program = subject.program;
        const interpret::SlotMap& places = subject.places;
        if (step.part >= program.parts.size())
            return; // commits memory writes; these belong to the step that decides them
        const expr::PartProgram& part = program.parts[step.part];
        std::vector<bool> reads(places.ports.size()), writes(places.ports.size());
        std::map<std::uint32_t, bool> memories; // and whether they are written
        expr::for_each_node(part, [&](expr::NodeId id) {
            const expr::Node& node = program.nodes[id];
            if (node.op == expr::Op::load)
                reads[node.a] = true;
            else if (node.op == expr::Op::memory_read)
                memories.try_emplace(node.b, false);
        });
        for (const expr::Store& store : part.stores)
            writes[store.port] = true;
        for (const expr::MemoryWrite& write : part.memory_writes)
            memories[write.memory] = true;
        for (std::uint64_t k = 0; k < step.range.count; ++k) {
            const std::uint64_t position = step.range.first + k;
            const auto instance = static_cast<std::uint64_t>(places.order.at(position));
            const Unit unit =
                add_unit(number, position, 1, static_cast<double>(part.nodes.size() + 1),
                         cut_.place(step.family, instance));
            for (std::size_t port = 0; port < places.ports.size(); ++port)
                if (reads[port] || writes[port])
                    use_slot(unit, static_cast<std::uint64_t>(places.ports[port].at(position)),
                             places.slot_bytes[port], writes[port]);
            for (const auto& [memory, written] : memories)
                use_memory(unit, subject.words(memory, position), written);
        }
    }

    void use_memory(Unit unit, const Words& words, bool writes) {
        const auto begin = reinterpret_cast<std::uintptr_t>(words.begin);
        if (words.bytes > 0)
            words_.push_back({begin, begin + words.bytes, unit, writes});
    }

    void add_models(std::uint32_t number, const ModelGroup& group) {
        const ScheduledStep& step = steps_[number];
        for (std::uint64_t k = 0; k < step.range.count; ++k) {
            const std::uint64_t position = step.range.first + k;
            const Unit unit =
                add_unit(number, position, 1, graph_.processes[step.family].operations(),
                         cut_.place(step.family, position));
            const ModelStep result = group.model_step(step.part, position);
            for (const auto* const ports : {&result.inputs, &result.outputs})
                for (const ModelPort& port : *ports) {
                    for (const ModelPort::Scalar& scalar : port.scalars)
                        use_slot(unit, scalar.slot, scalar.bytes, ports == &result.outputs);
                    for (const std::uint64_t mark : port.marks)
                        use_slot(unit, mark, 1, true);
                }
        }
    }

    void add_copies(std::uint32_t number, const CopyPlan& copy) {
        const ScheduledStep& step = steps_[number];
        const std::uint64_t bytes = slot_size(*copy.bus);
        const auto use_all = [&](Unit unit, const Segments& slots, Range range, bool writes) {
            for (std::uint64_t k = range.first;
                 k < std::min(range.first + range.count, slots.size()); ++k)
                use_slot(unit, static_cast<std::uint64_t>(slots.at(k)), bytes, writes);
        };
        const bool whole = copy.kind == CopyPlan::Kind::feed || copy.kind == CopyPlan::Kind::offer;
        if (whole) {
            const Unit unit = add_unit(number, step.range.first, step.range.count, 1, 0);
            use_all(unit, copy.from, {0, copy.from.size()}, false);
            use_all(unit, copy.to, {0, copy.to.size()}, true);
            // on one thread, readers use the rows directly and not the slots
            for (std::uint64_t k = 0; k < copy.to.size(); ++k)
                made_.common.add(static_cast<std::uint64_t>(copy.to.at(k)),
                                 static_cast<std::uint64_t>(copy.to.at(k)) + bytes);
            return;
        }
        for (std::uint64_t k = 0; k < step.range.count; ++k) {
            const Range one{step.range.first + k, 1};
            // copies have no process: their range is spread over all threads
            const Unit unit =
                add_unit(number, one.first, 1, 1,
                         static_cast<double>(k) / static_cast<double>(step.range.count));
            use_all(unit, copy.from, one, false);
            use_all(unit, copy.to, one, true);
        }
    }

    /// Calls visit(first, end) for uses of overlapping bytes.
    template <class Visit> static void for_each_place(std::vector<Use>& uses, Visit visit) {
        std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
            return std::tie(a.begin, a.unit) < std::tie(b.begin, b.unit);
        });
        for (std::size_t first = 0; first < uses.size();) {
            std::uint64_t end = uses[first].end;
            std::size_t next = first + 1;
            for (; next < uses.size() && uses[next].begin < end; ++next)
                end = std::max(end, uses[next].end);
            visit(first, next);
            first = next;
        }
    }

    template <class Keeps> void join_users(std::vector<Use>& uses, Keeps keeps) {
        for_each_place(uses, [&](std::size_t first, std::size_t end) {
            const auto begin = uses.begin() + static_cast<std::ptrdiff_t>(first);
            const auto behind = uses.begin() + static_cast<std::ptrdiff_t>(end);
            if (keeps(*begin) &&
                std::any_of(begin, behind, [](const Use& use) { return use.writes; }))
                for (std::size_t k = first + 1; k < end; ++k)
                    join(uses[first].unit, uses[k].unit);
        });
    }

    /// Assigns each unit to a thread: each thread in turn gets its share of the work.
    void deal_out() {
        std::map<Unit, double> work; // of joined units
        for (Unit unit = 0; unit < units_.size(); ++unit)
            work[root(unit)] += units_[unit].work;
        std::vector<Unit> order;
        for (const auto& [unit, its_work] : work)
            order.push_back(unit);
        std::stable_sort(order.begin(), order.end(),
                         [&](Unit a, Unit b) { return units_[a].place < units_[b].place; });
        std::vector<double> costs, loads(threads_);
        for (const Unit unit : order)
            costs.push_back(work[unit]);
        const std::vector<unsigned> shares = shares_of(costs, threads_);
        std::map<Unit, unsigned> threads;
        double all = 0;
        for (std::size_t k = 0; k < order.size(); ++k) {
            threads[order[k]] = shares[k];
            loads[shares[k]] += costs[k];
            all += costs[k];
        }
        for (Unit unit = 0; unit < units_.size(); ++unit)
            thread_of_.push_back(threads.at(root(unit)));
        made_.largest = *std::max_element(loads.begin(), loads.end()) / std::max(all, 1.0);
    }

    bool collect() {
        made_.pieces.resize(threads_);
        std::map<std::pair<unsigned, std::uint32_t>, std::size_t> pieces;
        for (Unit unit = 0; unit < units_.size(); ++unit) {
            const OneUnit& one = units_[unit];
            std::vector<ThreadShares::Piece>& all = made_.pieces[thread_of_[unit]];
            if (!all.empty() && all.back().number == one.number &&
                all.back().range.first + all.back().range.count == one.position) {
                all.back().range.count += one.count;
                continue;
            }
            all.push_back({one.number, {one.position, one.count}});
            if (++pieces[{thread_of_[unit], one.number}] > max_pieces)
                return false;
        }
        return true;
    }

    void find_common() {
        for_each_place(slots_, [&](std::size_t first, std::size_t end) {
            bool several = false, written = false;
            std::uint64_t until = 0;
            for (std::size_t k = first; k < end; ++k) {
                several = several || thread_of_[slots_[k].unit] != thread_of_[slots_[first].unit];
                written = written || slots_[k].writes;
                until = std::max(until, slots_[k].end);
            }
            if (several && written)
                made_.common.add(slots_[first].begin, until);
        });
    }

    const Graph& graph_;
    const std::vector<ScheduledStep>& steps_;
    const std::uint64_t wires_begin_;
    const unsigned threads_;
    const Cut& cut_;
    bool knows_all_ = true; // each step can be analysed
    std::vector<OneUnit> units_;
    std::vector<Unit> joined_; // a unit on the same thread, or itself
    std::map<std::pair<Group*, std::uint64_t>, Unit> instances_; // first unit of each instance
    std::vector<Use> slots_, words_;
    std::vector<unsigned> thread_of_;
    ThreadShares made_;
};

} // namespace

std::optional<ThreadShares> share_out(const Graph& graph, const std::vector<ScheduledStep>& steps,
                                      std::uint64_t wires_begin, const KernelThreads& threads) {
    return Dealer{graph, steps, wires_begin, threads}.run();
}

} // namespace sme::native
