// SPDX-License-Identifier: Apache-2.0
#include "native/native_group.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace sme::native {

NativeResults::NativeResults(const FusedPlan& plan, Kernel kernel,
                             const interpret::ResultsGroup& group)
    : kernel_{kernel}, group_{group}, results_(group.program().parts[0].results.size()),
      pending_(group.program().parts[0].memory_writes.size(), {no_word, 0}) {
    for (const auto& [family, datum] : plan.data)
        switch (datum.kind) {
        case Datum::Kind::results:
            data_.push_back(reinterpret_cast<std::byte*>(results_.data()));
            break;
        case Datum::Kind::pending:
            data_.push_back(reinterpret_cast<std::byte*>(pending_.data()));
            break;
        default: data_.push_back(pointer_of(group.program(), group.places(), datum));
        }
}

bool NativeResults::run(const Frame& frame, std::vector<std::uint64_t>& values,
                        std::vector<interpret::PendingWrite>* pending) {
    const Block block{frame.read, frame.write, frame.cycle,  0,       0,      1,
                      nullptr,    nullptr,     data_.data(), nullptr, nullptr};
    if (kernel_(&block) != 0)
        return false;
    values.assign(results_.begin(), results_.end());
    for (std::size_t k = 0; k < pending_.size(); ++k) {
        if (pending_[k].word == no_word)
            continue;
        const expr::MemoryWrite& write = group_.program().parts[0].memory_writes[k];
        const MemorySlots& memory = group_.places().memories[write.memory];
        const interpret::PendingWrite result{
            memory.words + pending_[k].word * memory.element->size() + write.offset,
            group_.program().nodes[write.value].type.bytes(), pending_[k].value};
        if (pending)
            pending->push_back(result);
        else
            result.make();
    }
    return true;
}

namespace {

/// The number of instances that are repeated together when one of them needs the interpreter.
constexpr std::uint64_t max_repeated = 1024;

} // namespace

std::byte* pointer_of(const expr::Program& program, const interpret::SlotMap& places,
                      const Datum& datum) {
    // only memories are written
    const auto constant = [](const std::uint64_t* values) {
        return reinterpret_cast<std::byte*>(const_cast<std::uint64_t*>(values));
    };
    switch (datum.kind) {
    case Datum::Kind::memory: return places.memories[datum.number].words;
    case Datum::Kind::table: return constant(program.tables[datum.number].values.data());
    case Datum::Kind::kept: return constant(program.kept.data());
    case Datum::Kind::wrote: return reinterpret_cast<std::byte*>(places.wrote);
    case Datum::Kind::random: return constant(&places.random_family);
    default: return nullptr; // the caller supplies it
    }
}

std::byte* NativeGroup::pointer(const Datum& datum) {
    if (datum.kind == Datum::Kind::pending)
        return reinterpret_cast<std::byte*>(pending_.data());
    if (datum.kind == Datum::Kind::places)
        return reinterpret_cast<std::byte*>(parts_[datum.number].tables.data());
    return pointer_of(group_.program(), group_.places(), datum);
}

std::vector<std::byte*> NativeGroup::pointers(const std::vector<Datum>& data) {
    std::vector<std::byte*> result;
    for (const Datum& datum : data)
        result.push_back(pointer(datum));
    return result;
}

/// Only one part writes memories: the last that computes.
void NativeGroup::make_pending() {
    const expr::Program& program = group_.program();
    for (const expr::PartProgram& part : program.parts)
        if (expr::writes_memories(part)) {
            waiting_ = waiting_writes(program, part);
            places_ = waiting_places(program, part);
            if (group_.commits_later() || shape_of(part).collects)
                pending_.assign(group_.places().order.size() * places_, {no_word, 0});
        }
}

void NativeGroup::step(unsigned part, Range range, const Frame& frame) {
    if (part == plan_.parts.size())
        return commit(frame);
    const InstanceRuns& runs = plan_.parts[part].runs;
    const std::uint64_t end = range.first + range.count;
    for (std::size_t k = runs.at(range.first); k < runs.runs.size(); ++k) {
        const InstanceRun& instances = runs.runs[k];
        if (instances.first >= end)
            return;
        const std::uint64_t first = std::max(instances.first, range.first);
        step_run(part, instances, {first, std::min(instances.end, end) - first}, frame);
    }
}

bool NativeGroup::step_some(unsigned part, Range range, const std::uint8_t* needed,
                            std::uint64_t* changes, const Frame& frame) {
    if (part >= parts_.size() || parts_[part].some.empty())
        return false;
    const PartPlan& plan = plan_.parts[part];
    const std::uint64_t end = range.first + range.count;
    std::vector<std::int64_t> at;
    for (std::size_t k = plan.runs.at(range.first); k < plan.runs.runs.size(); ++k) {
        const InstanceRun& instances = plan.runs.runs[k];
        if (instances.first >= end)
            break;
        const std::uint64_t first = std::max(instances.first, range.first);
        const std::uint64_t count = std::min(instances.end, end) - first;
        if (!std::memchr(needed + first, 1, count))
            continue;
        const Function& function = parts_[part].some[instances.pattern];
        Block block{frame.read,
                    frame.write,
                    frame.cycle,
                    group_.places().random_family,
                    first,
                    count,
                    instances.at.data(),
                    parts_[part].tables.data(),
                    function.data.data(),
                    pending_.data(),
                    group_.places().wrote,
                    needed,
                    changes};
        if (first != instances.first) {
            at = plan.runs.at_position(instances, first);
            block.at = at.data();
        }
        run_some(part, function, block, frame);
    }
    return true;
}

/// When the function stops at an instance, the interpreter runs that one; it does not tell what
/// changed.
void NativeGroup::run_some(unsigned part, const Function& function, Block block,
                           const Frame& frame) {
    std::vector<std::int64_t> at;
    while (const std::uint64_t left = function.kernel(&block)) {
        const std::uint64_t stopped = block.first + block.count - left;
        leave(part, {stopped, 1}, frame);
        block.changes[stopped] = ~std::uint64_t{0};
        block.first = stopped + 1;
        block.count = left - 1;
        if (block.count == 0)
            return;
        const InstanceRuns& runs = plan_.parts[part].runs;
        at = runs.at_position(runs.runs[runs.at(stopped)], block.first);
        block.at = at.data();
    }
}

void NativeGroup::step_run(unsigned part, const InstanceRun& instances, Range range,
                           const Frame& frame) {
    const PartPlan& plan = plan_.parts[part];
    const Pattern& pattern = plan.runs.patterns[instances.pattern];
    const Function& function = parts_[part].functions[instances.pattern];
    Block block{
        frame.read,           frame.write,     frame.cycle,          group_.places().random_family,
        range.first,          range.count,     instances.at.data(),  parts_[part].tables.data(),
        function.data.data(), pending_.data(), group_.places().wrote};
    if (plan.counts)
        block.counts = group_.counters(frame.thread);
    const bool whole = !plan.shape.may_stop || plan.shape.stepwise || range.count <= max_repeated;
    const bool moves =
        pattern.kind == Pattern::Kind::line && (range.first != instances.first || !whole);
    if (!moves && whole)
        return run(part, function, block, frame);
    // most calls are for few instances, so they should not allocate
    constexpr std::size_t few = 64;
    std::array<std::int64_t, few> local;
    std::vector<std::int64_t> many(instances.at.size() > few ? instances.at.size() : 0);
    std::int64_t* const at = many.empty() ? local.data() : many.data();
    std::copy(instances.at.begin(), instances.at.end(), at);
    block.at = at;
    const std::uint64_t end = range.first + range.count;
    while (block.first < end) {
        block.count = whole ? range.count : std::min(max_repeated, end - block.first);
        for (std::size_t m = 0; moves && m < instances.at.size(); ++m)
            at[m] = instances.at[m] +
                    static_cast<std::int64_t>(block.first - instances.first) * pattern.strides[m];
        run(part, function, block, frame);
        block.first += block.count;
    }
}

/// When the function stops, the interpreter runs the rest of the block, or that instance only.
void NativeGroup::run(unsigned part, const Function& function, Block block, const Frame& frame) {
    const PartPlan& plan = plan_.parts[part];
    std::vector<std::int64_t> at;
    while (block.count > 0) {
        const std::uint64_t left = function.kernel(&block);
        if (left == 0) [[likely]]
            return;
        const std::uint64_t done = block.count - left;
        const std::uint64_t leaves = plan.shape.stepwise ? 1 : left;
        leave(part, {block.first + done, leaves}, frame);
        block.first += done + leaves;
        block.count = left - leaves;
        const InstanceRun& instances = plan.runs.runs[plan.runs.at(block.first - 1)];
        const Pattern& pattern = plan.runs.patterns[instances.pattern];
        if (block.count == 0 || pattern.kind != Pattern::Kind::line)
            continue;
        at = plan.runs.at_position(instances, block.first);
        block.at = at.data();
    }
}

NativeGroup::OneStep NativeGroup::one_step(unsigned part, std::uint64_t position) {
    OneStep result;
    result.group_ = this;
    result.part_ = part;
    result.block_.first = position;
    result.block_.count = 1;
    const PartPlan& plan = plan_.parts[part];
    const InstanceRun& instances = plan.runs.runs[plan.runs.at(position)];
    const Function& function = parts_[part].functions[instances.pattern];
    result.at_ = plan.runs.at_position(instances, position);
    result.kernel_ = function.kernel;
    result.block_.random = group_.places().random_family;
    result.block_.table = parts_[part].tables.data();
    result.block_.data = function.data.data();
    result.block_.pending = pending_.data();
    result.block_.wrote = group_.places().wrote;
    result.counts_ = plan.counts;
    return result;
}

void NativeGroup::OneStep::run(const Frame& frame) {
    block_.read = frame.read;
    block_.write = frame.write;
    block_.cycle = frame.cycle;
    block_.at = at_.data();
    if (counts_)
        block_.counts = group_->group_.counters(frame.thread);
    if (kernel_(&block_) != 0)
        group_->leave(part_, {block_.first, 1}, frame);
}

void NativeGroup::leave(unsigned part, Range range, const Frame& frame) {
    if (group_.commits_later())
        left_.store(true, std::memory_order_relaxed); // read after the barrier before commits
    group_.step(part, range, frame);
}

void NativeGroup::commit(const WaitingWrite& waiting, std::uint64_t position) {
    const expr::MemoryWrite& write = *waiting.write;
    const MemorySlots& memory = group_.places().memories[write.memory];
    const std::size_t stride = memory.element->size();
    const unsigned bytes = group_.program().nodes[write.value].type.bytes();
    Pending* const first = pending_.data() + position * places_ + waiting.first;
    for (Pending* each = first; each != first + waiting.count; ++each) {
        if (each->word == no_word)
            continue;
        const std::uint64_t word = position * memory.words_each + each->word;
        std::memcpy(memory.words + word * stride + write.offset, &each->value, bytes);
        each->word = no_word;
    }
}

void NativeGroup::commit(const Frame& frame) {
    for (std::uint64_t position = 0; position < group_.places().order.size(); ++position)
        for (const WaitingWrite& waiting : waiting_)
            commit(waiting, position);
    if (left_.exchange(false, std::memory_order_relaxed))
        group_.step(static_cast<unsigned>(plan_.parts.size()), {0, 1}, frame);
}

} // namespace sme::native
