// SPDX-License-Identifier: Apache-2.0
//
// Loops of a part: one statement each, a for loop. What a loop carries are variables before it.
// What it writes to memories is computed when nothing rare has been found, waits in a place for
// each step, as all steps read what was there before, and is made behind the last loop.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "native/emit/part_writer.hpp"

namespace sme::native {

using expr::NodeId;

std::vector<WaitingWrite> waiting_writes(const expr::Program& program,
                                         const expr::PartProgram& part) {
    std::vector<WaitingWrite> made;
    std::uint64_t place = part.memory_writes.size();
    for (const NodeId id : part.nodes)
        if (program.nodes[id].op == expr::Op::loop) {
            const std::uint64_t count = program.loops[program.nodes[id].immediate].count;
            for (const expr::MemoryWrite& write : expr::loop_of(part, id).memory_writes) {
                made.push_back({&write, place, count});
                place += count;
            }
        }
    for (std::size_t k = 0; k < part.memory_writes.size(); ++k)
        made.push_back({&part.memory_writes[k], k, 1});
    return made;
}

std::uint64_t waiting_places(const expr::Program& program, const expr::PartProgram& part) {
    std::uint64_t places = 0;
    for (const WaitingWrite& waiting : waiting_writes(program, part))
        places += waiting.count;
    return places;
}

/// The statement of a loop, for what it carries or for what it writes to memories, then or at once.
Statement PartWriter::loop_of(const expr::PartLoop& part, LoopFor what) {
    const expr::Loop& loop = program_.loops[node(part.loop).immediate];
    Statement made;
    const std::string step = names_.unique("step");
    texts_[loop.step] = step;
    if (what == LoopFor::carried) // else they have their last values
        begin_carried(part, made);
    std::vector<Statement> values;
    values.swap(made_.values);
    write_all(part.nodes);
    values.swap(made_.values);
    std::string inside, behind;
    for (const Statement& statement : values) {
        inside += statement.lines("    ");
        made.uses.insert(made.uses.end(), statement.uses.begin(), statement.uses.end());
    }
    if (what == LoopFor::carried)
        carry_on(part, made, inside, behind);
    else
        inside += loop_writes(part, what, step, made);
    made.text += fmt::format("for (u64 {0} = 0; {0} < {1}ul; ++{0}) {{\n{2}{3}}}", step, loop.count,
                             inside, behind);
    std::set<std::string> own{step};
    for (const Statement& statement : values) {
        own.insert(statement.name);
        for (const auto& [name, type] : statement.also)
            own.insert(name);
    }
    for (const auto& [name, type] : made.also)
        own.insert(name);
    std::erase_if(made.uses, [&](const std::string& name) { return own.contains(name); });
    made.loads = true;
    made.work = 1000;
    return made;
}

/// Notes what a loop uses of what stands before it.
void PartWriter::add_uses(Statement& loop, NodeId id) const {
    for (std::string& name : uses({id}))
        loop.uses.push_back(std::move(name));
}

/// The variables that a loop carries, before its first step.
void PartWriter::begin_carried(const expr::PartLoop& part, Statement& made) {
    const expr::Loop& loop = program_.loops[node(part.loop).immediate];
    for (const std::uint32_t place : part.carried) {
        const expr::Loop::Carried& carried = loop.carried[place];
        const CType type = arithmetic_.of(node(carried.variable).type);
        const std::string start = text(carried.start);
        add_uses(made, carried.start);
        const std::string name = texts_[carried.variable] = names_.unique("carried");
        made.text += fmt::format("{} {} = {};\n", type.name(), name, start);
        made.also.emplace_back(name, type);
    }
}

/// Their values after a step: all are computed from those before it.
void PartWriter::carry_on(const expr::PartLoop& part, Statement& made, std::string& inside,
                          std::string& behind) {
    const expr::Loop& loop = program_.loops[node(part.loop).immediate];
    for (const std::uint32_t place : part.carried) {
        const expr::Loop::Carried& carried = loop.carried[place];
        const std::string next = names_.unique("next");
        inside += fmt::format("    const {} {} = {};\n",
                              arithmetic_.of(node(carried.variable).type).name(), next,
                              text(carried.next));
        behind += fmt::format("    {} = {};\n", texts_[carried.variable], next);
        add_uses(made, carried.next);
    }
}

/// What a step writes to memories: at once, or into the places where writes wait.
std::string PartWriter::loop_writes(const expr::PartLoop& part, LoopFor what,
                                    const std::string& step, Statement& made) {
    const std::vector<WaitingWrite> all = waiting_writes(program_, part_);
    std::string lines;
    for (const expr::MemoryWrite& write : part.memory_writes) {
        for (const NodeId id : {write.enable, write.word, write.value})
            add_uses(made, id);
        if (what == LoopFor::in_place) {
            Statement at_once;
            write_at_once(write, Arithmetic::in_slot(node(source(write.value)).type), at_once);
            lines += at_once.lines("    ");
            continue;
        }
        const auto waits = std::find_if(
            all.begin(), all.end(), [&](const WaitingWrite& each) { return each.write == &write; });
        lines += fmt::format("    {0}[{1}ul + {2}].word = {3} ? (u64){4} : ~0ul;\n"
                             "    {0}[{1}ul + {2}].value = (u64){5};\n",
                             site_.collected(), waits->first, step, text(write.enable),
                             text(write.word), text(write.value));
    }
    return lines;
}

void PartWriter::write_loop(NodeId id) {
    const expr::PartLoop& part = expr::loop_of(part_, id);
    if (!part.carried.empty())
        made_.values.push_back(loop_of(part, LoopFor::carried));
}

/// Whether a loop, with those within it, reads no word of a memory but the one that a write of its
/// own step changes.
bool PartWriter::reads_only(const expr::PartLoop& loop, const expr::MemoryWrite* write,
                            std::uint32_t memory) const {
    return std::all_of(loop.nodes.begin(), loop.nodes.end(), [&](NodeId id) {
        const expr::Node& found = node(id);
        if (found.op == expr::Op::loop)
            return reads_only(expr::loop_of(part_, id), nullptr, memory);
        return found.op != expr::Op::memory_read || found.b != memory ||
               (write && source(found.a) == source(write->word));
    });
}

/// Whether no loop from this one on reads a word of what it writes but the one of its own step.
bool PartWriter::is_in_place(const expr::PartLoop& loop) const {
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

void PartWriter::write_loop_memories() {
    std::vector<const expr::PartLoop*> waiting;
    for (const NodeId id : part_.nodes) {
        if (node(id).op != expr::Op::loop)
            continue;
        const expr::PartLoop& part = expr::loop_of(part_, id);
        if (part.memory_writes.empty())
            continue;
        // one that waits is made behind all loops, so those behind it wait, too
        const bool waits = !waiting.empty() || !is_in_place(part);
        made_.writes.push_back(loop_of(part, waits ? LoopFor::waiting : LoopFor::in_place));
        if (waits)
            waiting.push_back(&part);
    }
    if (commits_later_)
        return;
    for (const WaitingWrite& each : waiting_writes(program_, part_))
        for (const expr::PartLoop* part : waiting)
            for (const expr::MemoryWrite& write : part->memory_writes)
                if (each.write == &write)
                    write_at_end(each);
}

void PartWriter::write_at_end(const WaitingWrite& waiting) {
    const expr::MemoryWrite& write = *waiting.write;
    const CType type = Arithmetic::in_slot(node(source(write.value)).type);
    const std::string step = names_.unique("step");
    Statement made;
    made.text = fmt::format("for (u64 {0} = 0; {0} < {1}ul; ++{0})\n"
                            "    if ({2}[{3}ul + {0}].word != ~0ul)\n"
                            "        *({4} *)({5} + {2}[{3}ul + {0}].word * {6}ul + {7}) = "
                            "({4}){2}[{3}ul + {0}].value;",
                            step, waiting.count, site_.collected(), waiting.first, type.name(),
                            site_.memory(write.memory),
                            places_.memories[write.memory].element->size(), write.offset);
    made_.writes.push_back(std::move(made));
}

} // namespace sme::native
