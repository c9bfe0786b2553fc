// SPDX-License-Identifier: Apache-2.0
#include "yaml/sequences/items.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;
using expr::Block;
using expr::Operator;
using expr::Rhs;
using expr::Statement;
using Kind = SequenceItem::Kind;

Rhs value_of(AstRef value) {
    Rhs rhs;
    rhs.where = value->where;
    rhs.value = std::move(value);
    return rhs;
}

void add_line(Block& block, AstRef target, Rhs rhs, const Location& where) {
    Statement& line = block.statements.emplace_back();
    line.where = where;
    line.target = std::move(target);
    line.rhs = std::move(rhs);
}

void add_line(Block& block, AstRef target, AstRef value, const Location& where) {
    add_line(block, std::move(target), value_of(std::move(value)), where);
}

namespace {

void add_all(Block& block, const Block& more) {
    block.statements.insert(block.statements.end(), more.statements.begin(), more.statements.end());
}

void add_choice(Block& block, const AstRef& condition, Block inner) {
    Statement& choice = block.statements.emplace_back();
    choice.kind = Statement::Kind::choice;
    choice.where = condition->where;
    choice.arms.push_back({condition, {}, condition->where, std::move(inner)});
}

} // namespace

/// Adds the line that makes a point what the next cycle begins with.
void ItemWriter::enter(Block& block, std::uint32_t number) const {
    const Location& where = point(number).where;
    const auto entry = [&](std::uint32_t to) {
        return name_tree(fmt::format("{}:{}", names_.entry, point(to).name), where);
    };
    add_line(block, name_tree(names_.entry, where),
             number == end_.rest ? choice_tree({{name_tree(end_.all, where), entry(end_.begin)},
                                                {nullptr, entry(number)}},
                                               where)
                                 : entry(number),
             where);
}

unsigned ItemWriter::count(const std::vector<std::uint32_t>& items) {
    for (const std::uint32_t number : items)
        for (const AstRef& limit : limits_of(point(number))) {
            const std::optional<Integer> known = values_.constant(limit);
            if (known && (*known < 1 || *known > Integer{1} << 62))
                diagnostics_.add(Code::bad_range, limit->where,
                                 fmt::format("an item takes 1 to 2^62 cycles, but this is {}",
                                             to_string(*known)));
            unsigned width = 1;
            if (!known) {
                const TypeRef type = values_.type_of(limit, "the number of cycles");
                width = type ? static_cast<unsigned>(type->width_bits()) : 1;
            } else
                while (width < 63 && ((*known - 1) >> width) > 0)
                    ++width;
            count_width_ = std::max(count_width_, width);
        }
    return count_width_;
}

/// Returns the numbers of cycles that an item counts to.
std::vector<AstRef> ItemWriter::limits_of(const SequencePoint& item) {
    std::vector<AstRef> limits;
    if (item.kind == Kind::pause && values_.constant(item.condition) != Integer{1})
        limits.push_back(item.condition);
    if (item.within)
        limits.push_back(item.within);
    return limits;
}

Block ItemWriter::block(std::uint32_t number, const SequenceWays& ways, BranchBlocks branches) {
    const SequencePoint& item = point(number);
    Block block = item.lasting;
    Progress progress;
    progress.on_end = item.targets;
    ends_[number] = {}; // also after an error
    switch (item.kind) {
    case Kind::stop:
        if (names_.has_entry || number == end_.rest)
            enter(block, number);
        return block;
    case Kind::targets: break;
    case Kind::all:
        block = std::move(branches.lines);
        progress.complete = branches.complete;
        break;
    case Kind::wait: progress.complete = item.condition; break;
    case Kind::pause:
        if (!limits_of(item).empty())
            progress.complete = reached(item.condition);
        break;
    default: add_transfers(item, block, progress);
    }
    if (!item.within && is_never(progress.complete, item.where))
        return block;
    if (progress.complete && names_.has_entry)
        enter(block, number); // unless it ends
    if (!limits_of(item).empty()) {
        const AstRef count = name_tree(names_.count, item.where);
        const AstRef next = add_tree(count, number_tree(1, item.where));
        const bool wraps = item.kind == Kind::pause &&
                           values_.constant(item.condition) == Integer{1} << count_width_;
        add_line(wraps ? block : progress.more, count, next, item.where);
        if (!wraps) // else it is 0 by itself
            add_line(progress.cleared, count, number_tree(0, item.where), item.where);
    }
    ends_[number] = {progress.complete, item.within ? reached(item.within) : nullptr};
    add_all(progress.on_end, progress.cleared);
    go_on(ways.next, progress.on_end);
    if (!progress.complete && item.lasting.statements.empty()) {
        add_all(block, progress.on_end);
        return block;
    }
    Statement ends;
    ends.kind = Statement::Kind::choice;
    ends.where = item.where;
    if (!progress.complete) // a block of its own, as its lines replace those of the item
        progress.complete = bool_tree(true, item.where);
    ends.arms.push_back({progress.complete, {}, item.where, std::move(progress.on_end)});
    if (item.within) {
        Block late = progress.cleared;
        go_on(ways.late, late);
        ends.arms.push_back({reached(item.within), {}, item.within->where, std::move(late)});
    }
    if (!progress.more.statements.empty())
        ends.arms.push_back({nullptr, {}, item.where, std::move(progress.more)});
    block.statements.push_back(std::move(ends));
    return block;
}

/// Reports a condition that is known to be false.
bool ItemWriter::is_never(const AstRef& complete, const Location& where) {
    if (values_.truth(complete) != false)
        return false;
    diagnostics_.add(Code::bad_sequence, where,
                     "this waits for what never holds, so the sequence never goes on; 'stop' "
                     "rests until reset");
    return true;
}

/// Returns the condition that an item has lasted this number of cycles.
AstRef ItemWriter::reached(const AstRef& cycles) {
    const AstRef count = name_tree(names_.count, cycles->where);
    if (const std::optional<Integer> known = values_.constant(cycles))
        return binary_tree(Operator::equal, count, number_tree(*known - 1, cycles->where));
    const AstRef type = name_tree(fmt::format("u{}", count_width_ + 1), cycles->where);
    return binary_tree(Operator::greater_equal,
                       add_tree(call_tree(type, {count}), number_tree(1, cycles->where)),
                       call_tree(type, {cycles}));
}

/// Adds the step to the next items to a block.
void ItemWriter::go_on(const SequencePath& path, Block& block) const {
    if (!path.decision) {
        const Location& where = point(path.to).where;
        enter(block, path.to);
        for (const auto& [index, value] : path.sets)
            add_line(block, name_tree(state_of(index), where), value, where);
        return;
    }
    Statement decision;
    decision.kind = path.condition ? Statement::Kind::match : Statement::Kind::choice;
    decision.where = path.decision->where;
    decision.subject = path.condition;
    for (const SequencePath::Arm& arm : path.arms) {
        Block inner;
        go_on(arm.path, inner);
        decision.arms.push_back({arm.condition, *arm.patterns, arm.where, std::move(inner)});
    }
    block.statements.push_back(std::move(decision));
}

/// Adds a send or a receive. Of several ports, each is done once: a state keeps which are.
void ItemWriter::add_transfers(const SequencePoint& item, Block& block, Progress& progress) {
    const bool sends = item.kind == Kind::send;
    const bool several = item.ports.size() > 1;
    for (std::size_t k = 0; k < item.ports.size(); ++k) {
        const SequenceItem::End& written = item.ports[k];
        const std::optional<End> end = end_of(written, sends);
        if (!end)
            continue;
        const Location& where = written.where;
        const AstRef always = bool_tree(true, where);
        const auto field = [&](const char* name) { return field_tree(end->port, name); };
        const AstRef done = several ? done_flag(k, where) : nullptr;
        const AstRef offers = several ? not_tree(done) : always;
        AstRef accepted = sends ? end->has_ready ? field("ready") : nullptr : field("valid");
        if (sends) {
            add_line(block, field("valid"), offers, where);
            add_line(block, field("data"), written.value, where);
        } else if (end->has_ready)
            add_line(block, field("ready"), offers, where);
        if (several) {
            accepted = or_tree(done, accepted ? accepted : always);
            add_line(progress.more, done, accepted, where);
            add_line(progress.cleared, done, bool_tree(false, where), where);
        }
        if (!sends) {
            Block taken;
            add_line(taken, written.target, field("data"), where);
            if (several)
                add_choice(block, and_tree(not_tree(done), field("valid")), std::move(taken));
            else {
                add_all(taken, progress.on_end);
                progress.on_end = std::move(taken);
            }
        }
        progress.complete = and_tree(progress.complete, accepted);
    }
}

AstRef ItemWriter::done_flag(std::size_t number, const Location& where) {
    if (flags_.size() == number)
        flags_.push_back(fmt::format("{}{}", names_.done, number));
    return name_tree(flags_[number], where);
}

std::optional<ItemWriter::End> ItemWriter::end_of(const SequenceItem::End& written, bool sends) {
    const Ast* const name = bus_name(written.port);
    const auto& ports = sends ? text_.outputs : text_.inputs;
    const auto found = std::find_if(ports.begin(), ports.end(), [&](const auto& port) {
        return name && port.name == name->text;
    });
    const auto fail = [&](std::string message) {
        diagnostics_.add(Code::bad_sequence, written.port->where, std::move(message));
        return std::nullopt;
    };
    const char* const verb = sends ? "sends to" : "receives from";
    if (found == ports.end())
        return fail(fmt::format("'{}' {} a stream or a channel, which the process has under "
                                "'{}'; this is none",
                                sends ? "send" : "receive", sends ? "goes to" : "takes from",
                                sends ? "out" : "in"));
    const Type& type = found->bundle ? *found->bundle : *found->type;
    const auto has = [&](const char* field, bool back) {
        const int at = type.kind() == TypeKind::structure ? type.find_field(field) : -1;
        return at >= 0 && type.fields()[static_cast<std::size_t>(at)].back == back;
    };
    if (!has("valid", false) || !has("data", false))
        return fail(fmt::format(
            "an item {} streams and channels, but '{}' is {}; {}", verb, name->text, type.name(),
            sends ? fmt::format("write it as a target, '- {{{}: ...}}'", name->text)
                  : "read its name where its value is wanted"));
    return End{written.port, has("ready", true)};
}

namespace {

/// Calls visit(name, where) for the targets of a block.
template <class Visit> void for_each_target(const Block& block, const Visit& visit) {
    for (const Statement& statement : block.statements) {
        if (statement.target)
            visit(base_of(*statement.target).text, statement.where);
        for (const Statement::Arm& arm : statement.arms)
            for_each_target(arm.block, visit);
    }
}

} // namespace

std::map<std::string, Location> targets_of(const Block& block) {
    std::map<std::string, Location> result;
    for_each_target(block, [&](const std::string& name, const Location& where) {
        result.emplace(name, where);
    });
    return result;
}

namespace {

/// Calls visit(name, where) for what the items of a graph write, and those of its branches.
template <class Visit> void for_each_target(const SequenceGraph& graph, const Visit& visit) {
    for (const SequencePoint& each : graph.points) {
        for_each_target(each.targets, visit);
        for_each_target(each.lasting, visit);
        for (const SequenceItem::End& end : each.ports)
            for (const AstRef& target : {end.target, end.port})
                if (const Ast* const name = bus_name(target))
                    visit(name->text, end.where);
    }
    for (const SequenceGraph& branch : graph.branches)
        for_each_target(branch, visit);
}

/// Reports targets of two branches of a parallel item.
void check_branches(const SequenceGraph& graph, Diagnostics& diagnostics) {
    for (const SequencePoint& each : graph.points) {
        std::map<std::string, std::pair<std::size_t, Location>> written;
        for (const std::size_t number : each.branches)
            for_each_target(graph.branches[number],
                            [&](const std::string& name, const Location& where) {
                                const auto& [branch, first] =
                                    written.emplace(name, std::pair{number, where}).first->second;
                                if (branch != number)
                                    diagnostics
                                        .add(Code::two_writes, where,
                                             fmt::format("'{}' is written by two sequences that "
                                                         "run at the same time",
                                                         name))
                                        .note(first, "the other one writes it here");
                            });
    }
    for (const SequenceGraph& branch : graph.branches)
        check_branches(branch, diagnostics);
}

void add_indices(const SequenceGraph& graph, std::set<std::string>& into) {
    for (const SequenceIndex& index : graph.indices)
        into.insert(index.name);
    for (const SequenceGraph& branch : graph.branches)
        add_indices(branch, into);
}

} // namespace

void check_targets(const SequenceGraph& graph, const expr::Block* step, Diagnostics& diagnostics) {
    const std::map<std::string, Location> stepped =
        step ? targets_of(*step) : std::map<std::string, Location>{};
    std::set<std::string> indices;
    add_indices(graph, indices);
    const auto check_index = [&](const std::string& name, const Location& where) {
        if (indices.count(name) > 0)
            diagnostics.add(Code::bad_target, where,
                            fmt::format("'{}' is {}", name,
                                        name.find('.') == name.npos
                                            ? "the index of a loop, which counts by itself"
                                            : "a parameter, which keeps the value of the call"));
    };
    for (const auto& [name, where] : stepped)
        check_index(name, where);
    for_each_target(graph, [&](const std::string& name, const Location& where) {
        check_index(name, where);
        if (const auto found = stepped.find(name); found != stepped.end())
            diagnostics
                .add(Code::two_writes, where,
                     fmt::format("'{}' is written here and by the step; a target belongs to "
                                 "one of both",
                                 name))
                .note(found->second, "the step writes it here");
    });
    check_branches(graph, diagnostics);
}

} // namespace sme::yaml
