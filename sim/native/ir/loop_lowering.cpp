// SPDX-License-Identifier: Apache-2.0
//
// Lowers the loops of a part, one node each. Loop-carried values are variables declared before the
// loop. All steps read the memories as they were before the loop. So memory writes are computed
// once nothing can stop the function, wait in an entry per step, and are committed after the last
// loop.
#include <algorithm>

#include <fmt/format.h>

#include "native/ir/part_lowering.hpp"
#include "native/ir/routine.hpp"

namespace sme::native {

using expr::NodeId;

std::vector<WaitingWrite> waiting_writes(const expr::Program& program,
                                         const expr::PartProgram& part) {
    std::vector<WaitingWrite> result;
    std::uint64_t place = part.memory_writes.size();
    for (const NodeId id : part.nodes)
        if (program.nodes[id].op == expr::Op::loop) {
            const std::uint64_t count = program.loops[program.nodes[id].immediate].count;
            for (const expr::MemoryWrite& write : expr::loop_of(part, id).memory_writes) {
                result.push_back({&write, place, count});
                place += count;
            }
        }
    for (std::size_t k = 0; k < part.memory_writes.size(); ++k)
        result.push_back({&part.memory_writes[k], k, 1});
    return result;
}

std::uint64_t waiting_places(const expr::Program& program, const expr::PartProgram& part) {
    std::uint64_t places = 0;
    for (const WaitingWrite& waiting : waiting_writes(program, part))
        places += waiting.count;
    return places;
}

/// Lowers a loop, for its carried values or for its memory writes, waiting or in place. For memory
/// writes, the carried values are final.
Id PartLowering::loop(const expr::PartLoop& part, LoopFor what) {
    const expr::Loop& loop = program_.loops[node(part.loop).immediate];
    Region inner;
    inner.step = ids_[loop.step] = routine_.add({.kind = Node::Kind::variable,
                                                 .op = expr::Op::step,
                                                 .type = node(loop.step).type,
                                                 .immediate = loop.count - 1,
                                                 .name = "step"});
    if (what == LoopFor::carried)
        for (const std::uint32_t place : part.carried) {
            const expr::Loop::Carried& carried = loop.carried[place];
            const Id start = id_of(carried.start);
            ids_[carried.variable] = routine_.add({.kind = Node::Kind::variable,
                                                   .op = expr::Op::carried,
                                                   .type = node(carried.variable).type,
                                                   .name = "carried"});
            inner.carried.push_back({ids_[carried.variable], start, no_id});
        }
    lower(part.nodes, inner.first);
    if (what == LoopFor::carried)
        for (std::size_t k = 0; k < part.carried.size(); ++k) {
            inner.carried[k].next = id_of(loop.carried[part.carried[k]].next);
            if (part.carried[k] == loop.until)
                inner.until = inner.carried[k].variable;
        }
    else
        write_from_loop(part, what, inner.step, inner.first);
    return routine_.add({.kind = Node::Kind::loop, .op = expr::Op::loop, .immediate = loop.count},
                        std::move(inner));
}

/// Adds the memory writes of a step: in place, or into their waiting entries.
void PartLowering::write_from_loop(const expr::PartLoop& part, LoopFor what, Id step,
                                   std::vector<Id>& to) {
    const std::vector<WaitingWrite> all = waiting_writes(program_, part_);
    for (const expr::MemoryWrite& write : part.memory_writes) {
        if (what == LoopFor::in_place) {
            to.push_back(write_at_once(write));
            continue;
        }
        const auto waits = std::find_if(
            all.begin(), all.end(), [&](const WaitingWrite& each) { return each.write == &write; });
        to.push_back(routine_.effect(
            fmt::format("{0}[{1}ul + $3].word = $0 ? (u64)$1 : ~0ul; {0}[{1}ul + $3].value = "
                        "(u64)$2;",
                        addressing_.collected(), waits->first),
            {id_of(write.enable), id_of(write.word), id_of(write.value), step}));
    }
}

/// True if a loop, with its nested loops, reads no word of a memory except the one that `write`
/// changes in the same step.
bool PartLowering::reads_only(const expr::PartLoop& loop, const expr::MemoryWrite* write,
                              std::uint32_t memory) const {
    return std::all_of(loop.nodes.begin(), loop.nodes.end(), [&](NodeId id) {
        const expr::Node& found = node(id);
        if (found.op == expr::Op::loop)
            return reads_only(expr::loop_of(part_, id), nullptr, memory);
        return found.op != expr::Op::memory_read || found.b != memory ||
               (write && source(found.a) == source(write->word));
    });
}

/// True if neither this loop nor a later one reads a word that this loop writes, except in the step
/// that writes it.
bool PartLowering::is_in_place(const expr::PartLoop& loop) const {
    if (commits_later_)
        return false;
    bool behind = false, fine = true;
    for (const NodeId id : part_.nodes) {
        if (node(id).op != expr::Op::loop || expr::loop_of(part_, id).memory_writes.empty())
            continue;
        const expr::PartLoop& other = expr::loop_of(part_, id);
        behind = behind || other.loop == loop.loop;
        if (!behind)
            continue;
        for (const expr::MemoryWrite& write : loop.memory_writes)
            fine =
                fine && reads_only(other, other.loop == loop.loop ? &write : nullptr, write.memory);
    }
    return fine;
}

void PartLowering::write_loop_memories() {
    std::vector<const expr::PartLoop*> waiting;
    for (const NodeId id : part_.nodes) {
        if (node(id).op != expr::Op::loop)
            continue;
        const expr::PartLoop& part = expr::loop_of(part_, id);
        if (part.memory_writes.empty())
            continue;
        // a waiting write is made after all loops, so later writes must wait, too
        const bool waits = !waiting.empty() || !is_in_place(part);
        made_.writes.push_back(loop(part, waits ? LoopFor::waiting : LoopFor::in_place));
        if (waits)
            waiting.push_back(&part);
    }
    if (commits_later_)
        return;
    for (const WaitingWrite& each : waiting_writes(program_, part_))
        for (const expr::PartLoop* part : waiting)
            for (const expr::MemoryWrite& write : part->memory_writes)
                if (each.write == &write)
                    made_.writes.push_back(write_at_end(each));
}

Id PartLowering::write_at_end(const WaitingWrite& waiting) {
    const expr::MemoryWrite& write = *waiting.write;
    const std::string type = slot_type(type_of(write.value));
    return routine_.effect(fmt::format(
        "for (u64 _s = 0; _s < {0}ul; ++_s) {{ const struct pending *const _p = {1} + {2}ul + _s; "
        "if (_p->word != ~0ul) *({3} *)({4} + _p->word * {5}ul + {6}) = ({3})_p->value; }}",
        waiting.count, addressing_.collected(), waiting.first, type,
        addressing_.memory(write.memory).pointer, places_.memories[write.memory].element->size(),
        write.offset));
}

} // namespace sme::native
