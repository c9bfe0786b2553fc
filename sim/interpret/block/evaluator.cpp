// SPDX-License-Identifier: Apache-2.0
//
// A block: 1. loads, 2. operations, 3. faults, 4. stores, 5. effects (evaluator_effects.cpp).
#include "interpret/block/evaluator.hpp"

#include <algorithm>
#include <cstring>

#include "bits/integer.hpp"
#include "expr/program/apply.hpp"
#include "interpret/block/compiler.hpp"
#include "interpret/block/scalar_code.hpp"

namespace sme::interpret {

using expr::Op;

namespace {

/// A range of at most this many instances runs faster one by one.
constexpr std::uint64_t max_singles = 4;
constexpr std::uint64_t max_singles_with_loops = 16;
/// Limit for straight code of single instances: instances times nodes.
constexpr std::uint64_t max_single_nodes = 1 << 16;

} // namespace

Evaluator::Evaluator(const expr::Program& program, const expr::PartProgram& part,
                     const SlotMap& places)
    : program_{program}, part_{part}, places_{places} {
    std::uint64_t nodes = 0;
    expr::for_each_node(part, [&](expr::NodeId) { ++nodes; });
    if (places.order.size() <= max_singles || places.order.size() * nodes <= max_single_nodes)
        singles_.resize(places.order.size());
}

Evaluator::~Evaluator() {
    for (const std::atomic<Workspace*>& workspace : idle_)
        delete workspace.load();
}

Evaluator::Workspace::Workspace(const Evaluator& evaluator)
    : scratch(evaluator.scratch_bytes_ + alignment), columns(evaluator.column_offsets_.size()),
      own(columns.size()), faulted(evaluator.block_lanes_) {
    auto begin = reinterpret_cast<std::uintptr_t>(scratch.data());
    begin = (begin + alignment - 1) / alignment * alignment;
    for (std::size_t r = 0; r < columns.size(); ++r)
        columns[r] = own[r] = reinterpret_cast<std::byte*>(begin) + evaluator.column_offsets_[r];
    for (const auto& [reg, value] : evaluator.constants_)
        for (std::size_t k = 0; k < evaluator.block_lanes_; ++k)
            std::memcpy(columns[reg] + k * evaluator.column_bytes_[reg], &value,
                        evaluator.column_bytes_[reg]);
}

/// Each of the first threads has a workspace slot; others take theirs from the overflow. Blocks are
/// compiled on first use: most single processes never need one.
Evaluator::Workspace* Evaluator::take(unsigned thread) {
    std::call_once(compiled_, [this] { Compiler{*this}.run(); });
    // acquire: pairs with the release in give_back
    if (Workspace* found = idle_[thread % at_hand].exchange(nullptr, std::memory_order_acquire))
        return found;
    const std::lock_guard lock{overflow_mutex_};
    if (overflow_.empty())
        return new Workspace{*this};
    Workspace* found = overflow_.back().release();
    overflow_.pop_back();
    return found;
}

void Evaluator::give_back(Workspace* workspace, unsigned thread) {
    if (Workspace* other = idle_[thread % at_hand].exchange(workspace, std::memory_order_acq_rel)) {
        const std::lock_guard lock{overflow_mutex_};
        overflow_.emplace_back(other);
    }
}

/// Only one thread steps a position at a time, so no two threads create the same code.
ScalarCode* Evaluator::single(std::uint64_t position) {
    std::unique_ptr<ScalarCode>& code = singles_[position];
    if (!code)
        code = std::make_unique<ScalarCode>(program_, part_, places_, position);
    return code.get();
}

bool Evaluator::are_singles(Range range) const {
    return !singles_.empty() &&
           range.count <= (part_.loops.empty() ? max_singles : max_singles_with_loops);
}

void Evaluator::run(Range range, const Frame& frame, std::vector<PendingWrite>* pending) {
    if (are_singles(range)) {
        for (std::uint64_t k = range.first; k < range.first + range.count; ++k) {
            ScalarCode& code = *single(k);
            if (code.run(frame, pending)) {
                effects(code, k, frame, pending);
                continue;
            }
            Workspace* const workspace = take(frame.thread);
            block(*workspace, {k, 1}, frame, pending);
            give_back(workspace, frame.thread);
        }
        return;
    }
    Workspace* const workspace = take(frame.thread);
    for (std::uint64_t done = 0; done < range.count; done += block_lanes_)
        block(*workspace,
              {range.first + done, std::min<std::uint64_t>(block_lanes_, range.count - done)},
              frame, pending);
    give_back(workspace, frame.thread);
}

void Evaluator::count(Range range, const Frame& frame, std::uint64_t* counts) {
    if (are_singles(range)) {
        for (std::uint64_t k = range.first; k < range.first + range.count; ++k) {
            single(k)->run(frame, nullptr);
            single(k)->add_results(counts);
        }
        return;
    }
    Workspace* const workspace = take(frame.thread);
    for (std::uint64_t done = 0; done < range.count; done += block_lanes_) {
        const std::uint64_t lanes = std::min<std::uint64_t>(block_lanes_, range.count - done);
        block(*workspace, {range.first + done, lanes}, frame, nullptr);
        for (std::size_t k = 0; k < results_.size(); ++k) {
            const auto& [reg, type] = results_[k];
            const std::byte* const column = workspace->columns[reg];
            if (type.width_bits == 1)
                counts[k] += count_true(column, lanes);
            else // of a loop: the step count
                for (std::uint64_t lane = 0; lane < lanes; ++lane)
                    counts[k] += word_at(column, lane);
        }
    }
    give_back(workspace, frame.thread);
}

void Evaluator::results(const Frame& frame, std::vector<std::uint64_t>& values,
                        std::vector<PendingWrite>* pending) {
    if (exchanged_ && exchanged_(frame, values, pending))
        return;
    if (!singles_.empty() && single(0)->run(frame, pending))
        return single(0)->results(values);
    Workspace* const workspace = take(frame.thread);
    block(*workspace, {0, 1}, frame, pending);
    values.clear();
    for (const auto& [reg, type] : results_) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, workspace->columns[reg], type.bytes());
        values.push_back(canonical(bits, type.width_bits, type.is_signed));
    }
    give_back(workspace, frame.thread);
}

void Evaluator::block(Workspace& workspace, Range range, const Frame& frame,
                      std::vector<PendingWrite>* pending) {
    workspace.collected.clear();
    load(workspace, range, frame);
    compute(workspace, range, frame);
    const bool faulted = !faults_.empty() && find_faults(workspace, range, frame);
    store(workspace, range, frame, faulted);
    effects(workspace, range, frame, faulted, pending);
}

namespace {

/// Copies scalars from one regular run of addresses to another.
void copy_strided(std::byte* to, std::int64_t to_stride, const std::byte* from,
                  std::int64_t from_stride, std::size_t count, unsigned bytes) {
    const auto copy = [&](auto word) {
        using Word = decltype(word);
        for (std::size_t k = 0; k < count; ++k) {
            std::memcpy(&word, from, sizeof(Word));
            std::memcpy(to, &word, sizeof(Word));
            from += from_stride;
            to += to_stride;
        }
    };
    if (to_stride == bytes && from_stride == bytes) {
        std::memcpy(to, from, count * bytes);
        return;
    }
    switch (bytes) {
    case 1: return copy(std::uint8_t{});
    case 2: return copy(std::uint16_t{});
    case 4: return copy(std::uint32_t{});
    default: return copy(std::uint64_t{});
    }
}

} // namespace

void Evaluator::load(Workspace& workspace, Range range, const Frame& frame) const {
    for (const Load& load : loads_) {
        const Segments& slots = places_.ports[load.port];
        const Segment& run = slots.runs()[slots.run_of(range.first)];
        if (run.stride == load.bytes && range.first + range.count <= run.end()) {
            workspace.columns[load.to] =
                const_cast<std::byte*>(frame.read) + run.at(range.first) + load.offset;
            continue;
        }
        std::byte* const column = workspace.own[load.to];
        workspace.columns[load.to] = column;
        for_each_run(slots, range.first, range.count, [&](const Segment& piece) {
            copy_strided(column + (piece.first - range.first) * load.bytes, load.bytes,
                         frame.read + piece.offset + load.offset, piece.stride, piece.count,
                         load.bytes);
        });
    }
}

void Evaluator::compute(Workspace& workspace, Range range, const Frame& frame) const {
    for (const StoreTo& store : stores_)
        if (store.direct) {
            const Segments& slots = places_.ports[store.port];
            const Segment& run = slots.runs()[slots.run_of(range.first)];
            const bool fits = (run.stride == store.bytes || range.count == 1) &&
                              range.first + range.count <= run.end();
            workspace.columns[store.from] =
                fits ? frame.write + run.at(range.first) + store.offset : workspace.own[store.from];
        }
    compute(workspace, range, frame, 0, instructions_.size());
}

void Evaluator::compute(Workspace& workspace, Range range, const Frame& frame, std::size_t first,
                        std::size_t end) const {
    std::byte* const* const columns = workspace.columns.data();
    for (std::size_t k = first; k < end; ++k) {
        const Instruction& next = instructions_[k];
        if (next.kernel)
            next.kernel(columns[next.d], columns[next.a], columns[next.b], columns[next.c],
                        range.count, next.immediate);
        else if (next.op == Op::loop) {
            const LoopOf& loop = loops_[next.number];
            run_loop(loop, k + 1, workspace, range, frame);
            k = loop.end - 1;
        } else
            compute_special(next, workspace, range, frame);
    }
}

namespace {

void fill(std::byte* column, unsigned bytes, std::size_t count, std::uint64_t value) {
    for (std::size_t k = 0; k < count; ++k)
        std::memcpy(column + k * bytes, &value, bytes);
}

} // namespace

void Evaluator::move(const std::vector<std::pair<Register, Register>>& moves, Workspace& workspace,
                     std::size_t count) const {
    for (const auto& [to, from] : moves)
        std::memcpy(workspace.columns[to], workspace.columns[from], column_bytes_[to] * count);
}

void Evaluator::run_loop(const LoopOf& loop, std::size_t first, Workspace& workspace, Range range,
                         const Frame& frame) const {
    move(loop.starts, workspace, range.count);
    for (std::uint64_t step = 0; step < loop.count; ++step) {
        fill(workspace.columns[loop.step], column_bytes_[loop.step], range.count, step);
        compute(workspace, range, frame, first, loop.end);
        for (const WriteTo& write : loop.writes)
            for (std::size_t lane = 0; lane < range.count; ++lane)
                if (const auto result = write_of(write, workspace, range, lane))
                    workspace.collected.emplace_back(lane, *result);
        move(loop.nexts, workspace, range.count);
        if (loop.until && std::memchr(workspace.columns[*loop.until], 0, range.count) == nullptr)
            return;
    }
}

void Evaluator::compute_special(const Instruction& next, Workspace& workspace, Range range,
                                const Frame& frame) const {
    std::byte* const d = workspace.columns[next.d];
    const std::byte* const a = workspace.columns[next.a];
    switch (next.op) {
    case Op::index: return fill_index(d, next.bytes, next.immediate, range);
    case Op::cycle: return fill(d, next.bytes, range.count, frame.cycle);
    case Op::random: return fill_random(d, next, range, frame.cycle);
    case Op::load_at: {
        const Segments& slots = places_.ports[next.number];
        for (std::size_t k = 0; k < range.count; ++k) {
            const std::uint64_t at = word_at(a, k);
            std::memcpy(d + k * next.bytes,
                        frame.read + slots.at(at < slots.size() ? at : 0) + next.immediate,
                        next.bytes);
        }
        return;
    }
    case Op::memory_read: {
        const MemorySlots& memory = places_.memories[next.number];
        const std::size_t word_bytes = memory.element->size();
        const bool own = next.number < places_.own_memories;
        for (std::size_t k = 0; k < range.count; ++k) {
            std::uint64_t word = word_at(a, k);
            word = word < memory.words_each ? word : 0;
            const std::uint64_t base = own ? (range.first + k) * memory.words_each : 0;
            std::memcpy(d + k * next.bytes,
                        memory.words + (base + word) * word_bytes + next.immediate, next.bytes);
        }
        return;
    }
    default: break; // table_read
    }
    const std::vector<std::uint64_t>& values = program_.tables[next.number].values;
    for (std::size_t k = 0; k < range.count; ++k) {
        const std::uint64_t at = word_at(a, k);
        std::memcpy(d + k * next.bytes, &values[at < values.size() ? at : 0], next.bytes);
    }
}

void Evaluator::fill_index(std::byte* column, unsigned bytes, std::uint64_t dimension,
                           Range range) const {
    std::uint64_t inner = 1; // how many instances share an index value
    for (std::size_t d = dimension + 1; d < program_.index_count.size(); ++d)
        inner *= program_.index_count[d];
    const std::uint64_t count = program_.index_count[dimension];
    const auto low = static_cast<std::uint64_t>(program_.index_low[dimension]);
    for_each_run(places_.order, range.first, range.count, [&](const Segment& run) {
        for (std::uint64_t k = 0; k < run.count; ++k) {
            auto instance = static_cast<std::uint64_t>(run.at(run.first + k));
            if (!program_.kept.empty())
                instance = program_.kept[instance];
            const std::uint64_t value = low + instance / inner % count;
            std::memcpy(column + (run.first + k - range.first) * bytes, &value, bytes);
        }
    });
}

void Evaluator::fill_random(std::byte* column, const Instruction& next, Range range,
                            std::uint64_t cycle) const {
    for_each_run(places_.order, range.first, range.count, [&](const Segment& run) {
        for (std::uint64_t k = 0; k < run.count; ++k) {
            const auto instance = static_cast<std::uint64_t>(run.at(run.first + k));
            const std::uint64_t bits = expr::random_bits(
                expr::random_stream(places_.random_family, instance, next.immediate), cycle);
            const std::uint64_t value = canonical(bits, next.number >> 1, (next.number & 1) != 0);
            std::memcpy(column + (run.first + k - range.first) * next.bytes, &value, next.bytes);
        }
    });
}

void Evaluator::store(Workspace& workspace, Range range, const Frame& frame, bool faulted) const {
    for (const StoreTo& store : stores_) {
        std::byte* const column = workspace.columns[store.from];
        if (faulted) { // a faulting instance writes nothing
            const std::byte* const fallback = workspace.columns[store.fallback];
            if (store.direct)
                for (std::size_t k = 0; k < range.count; ++k)
                    if (workspace.faulted[k])
                        std::memcpy(column + k * store.bytes, fallback + k * store.bytes,
                                    store.bytes);
        }
        const bool in_place = store.direct && column != workspace.own[store.from];
        if (!in_place)
            for_each_run(places_.ports[store.port], range.first, range.count,
                         [&](const Segment& run) {
                             copy_strided(frame.write + run.offset + store.offset, run.stride,
                                          column + (run.first - range.first) * store.bytes,
                                          store.bytes, run.count, store.bytes);
                         });
        if (faulted && !store.direct)
            for (std::size_t k = 0; k < range.count; ++k)
                if (workspace.faulted[k])
                    std::memcpy(frame.write + places_.ports[store.port].at(range.first + k) +
                                    store.offset,
                                workspace.columns[store.fallback] + k * store.bytes, store.bytes);
    }
}

} // namespace sme::interpret
