// SPDX-License-Identifier: Apache-2.0
//
// The state that later cycles depend on: the next readable value of every bus, the contents of
// delay lines, memories, and other state of groups. It is in source order, so that a checkpoint
// does not depend on the layout. And the decisions of a run about threads.
#include "engine/slots/state.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "bits/packed.hpp"
#include "engine/access.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "engine/engine.hpp"
#include "engine/placement/schedule_file.hpp"
#include "engine/ranks/rank_slots.hpp"
#include "network/build.hpp"
#include "runtime/memory_archive.hpp"
#include "runtime/transport.hpp"
#include "sme/internal/archive.hpp"

namespace sme::engine {

namespace {

constexpr const char* run_key = "the run";

/// Types with the same text have values with the same meaning.
std::string shape_of(const Type& type) {
    switch (type.kind()) {
    case TypeKind::array: return fmt::format("{}[{}]", shape_of(*type.element()), type.count());
    case TypeKind::enumeration: {
        std::string members;
        for (const Member& member : type.members())
            members +=
                fmt::format("{}{} = {}", members.empty() ? "" : ", ", member.name, member.value);
        return fmt::format("enum u{} {{{}}}", type.width_bits(), members);
    }
    case TypeKind::structure: {
        std::string fields;
        for (const Field& field : type.fields())
            fields += fmt::format("{}{}: {}", fields.empty() ? "" : ", ", field.name,
                                  shape_of(*field.type));
        return "{" + fields + "}";
    }
    default: return type.name();
    }
}

std::string shape_of(const BusFamily& bus) {
    const std::string rule = bus.unwritten == Unwritten::error  ? ", an error unless written"
                             : bus.unwritten == Unwritten::hold ? ", held"
                                                                : "";
    return fmt::format("{} of {}, {}{}", bus.count, shape_of(*bus.type),
                       bus.wire() ? "wires" : fmt::format("delay {}", bus.delay), rule);
}

std::string name_of(const ProcessFamily& family) {
    return family.names.empty() ? family.name : family.instance_name(0);
}

/// The instances of a pool have their own names.
std::string shape_of(const ProcessFamily& family) {
    return family.count == 1 || family.names.empty()
               ? fmt::format("{} instances", family.count)
               : fmt::format("{} instances, the last one '{}'", family.count,
                             family.instance_name(family.count - 1));
}

/// Appends a number to equal keys: C++ networks may use a name more than once.
void make_distinct(std::vector<Piece>& pieces) {
    std::map<std::string, unsigned> seen;
    for (Piece& piece : pieces)
        if (const unsigned before = seen[piece.key]++; before > 0)
            piece.key += fmt::format(" ({})", before + 1);
}

} // namespace

void check_kept(const BusFamily& bus, const std::byte* slot) {
    if (const auto wrong = wrong_value(*bus.type, slot))
        throw CheckpointError{*wrong};
    const std::byte* const marks = slot + bus.type->size(); // the marks of written leaves
    if (std::any_of(marks, slot + kept_bytes(bus),
                    [](std::byte mark) { return mark > std::byte{1}; }))
        throw CheckpointError{"what says whether it was written is neither 0 nor 1"};
}

std::size_t kept_bytes(const BusFamily& bus) {
    return bus.type->size() + (bus.unwritten == Unwritten::error ? bus.type->leaf_count() : 0);
}

void Engine::bus_state(Archive& archive, std::size_t bus) {
    const BusFamily& family = graph_.buses[bus];
    const std::size_t kept = kept_bytes(family), slot = slot_size(family);
    // marks added for an auditor are not kept: every leaf counts as written
    const std::size_t marks =
        family.has_marks() && family.unwritten != Unwritten::error ? family.type->leaf_count() : 0;
    std::byte* const base = loop_->read_arena();
    const auto move = [&](const Segments& slots) {
        for (const Segment& run : slots.runs()) {
            const bool together = kept == slot && run.stride == static_cast<std::int64_t>(kept);
            if (together)
                archive.bytes(base + run.offset, run.count * kept);
            for (std::uint64_t k = run.first; k < run.end(); ++k) {
                if (!together)
                    archive.bytes(base + run.at(k), kept);
                if (archive.saves())
                    continue;
                check_kept(family, base + run.at(k));
                std::memset(base + run.at(k) + kept, 1, marks);
            }
        }
    };
    move(layout_.buses[bus].read);
    if (family.delay >= 2)
        move(layout_.buses[bus].written);
}

/// On several ranks, only those of its own instances have their initial words.
void Engine::make_memories() {
    memory_of_.resize(graph_.processes.size());
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f)
        for (const Memory& memory : graph_.processes[f].memories) {
            const ProcessFamily& family = graph_.processes[f];
            const std::size_t each = memory.words * memory.element->size();
            ZeroedBytes words{static_cast<std::size_t>(each * family.count)};
            const auto fill = [&](Range positions) {
                for (std::uint64_t k = 0; k < positions.count; ++k) {
                    const std::uint64_t position = positions.first + k;
                    const auto source = static_cast<std::size_t>(layout_.orders[f].at(position));
                    const std::size_t from = memory.initial.size() == each ? 0 : source * each;
                    std::memcpy(words.data() + position * each, memory.initial.data() + from, each);
                }
            };
            if (!memory.initial.empty() && shares_)
                for (const Span& span : rank_slots_->words(options_.ranks->rank(), f, each))
                    fill({span.offset / each, span.bytes / each});
            else if (!memory.initial.empty())
                fill({0, family.count});
            memory_of_[f].push_back(memory_words_.size());
            memory_words_.push_back(std::move(words));
        }
}

void Engine::memory_state(Archive& archive, std::uint32_t family, std::size_t memory) {
    const Memory& found = graph_.processes[family].memories[memory];
    ZeroedBytes& words = memory_words_[memory_of_[family][memory]];
    const std::size_t each = found.words * found.element->size();
    const std::uint64_t count = graph_.processes[family].count;
    std::vector<std::uint64_t> positions(count); // in source order
    for (std::uint64_t k = 0; k < count; ++k)
        positions[static_cast<std::uint64_t>(layout_.orders[family].at(k))] = k;
    if (std::is_sorted(positions.begin(), positions.end()))
        archive.bytes(words.data(), words.size());
    else
        for (const std::uint64_t position : positions)
            archive.bytes(words.data() + position * each, each);
    if (archive.saves())
        return;
    const std::size_t size = found.element->size();
    for (std::size_t at = 0; at + size <= words.size(); at += size)
        if (const auto wrong = wrong_value(*found.element, words.data() + at))
            throw CheckpointError{*wrong};
}

/// An observer decides by itself whether the past values that it keeps still fit.
std::vector<Piece> Engine::pieces() {
    std::vector<Piece> result;
    for (std::size_t b = 0; b < graph_.buses.size(); ++b) {
        const BusFamily& bus = graph_.buses[b];
        if (bus.traced) // its process shows the value again; not every run traces it
            continue;
        const std::string shape = shape_of(bus);
        result.push_back({fmt::format("bus '{}'", bus.name), shape,
                          [this, b](Archive& archive) { bus_state(archive, b); },
                          bus.count * kept_bytes(bus) * (bus.delay >= 2 ? 2 : 1)});
        if (const auto line = delays_.find(b); line != delays_.end())
            result.push_back({fmt::format("what bus '{}' delays", bus.name), shape,
                              [group = line->second](Archive& archive) { group->state(archive); }});
    }
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f) {
        const ProcessFamily& family = graph_.processes[f];
        for (std::size_t m = 0; m < family.memories.size() && !family.observer; ++m) {
            const Memory& memory = family.memories[m];
            result.push_back({fmt::format("memory '{}.{}'", family.name, memory.name),
                              fmt::format("{} of {} words of {}", family.count, memory.words,
                                          shape_of(*memory.element)),
                              [this, f, m](Archive& archive) { memory_state(archive, f, m); },
                              family.count * memory.words * memory.element->size()});
        }
        result.push_back(
            {family.observer ? name_of(family) : fmt::format("process '{}'", name_of(family)),
             shape_of(family),
             [group = groups_[f].get()](Archive& archive) { group->state(archive); }, std::nullopt,
             family.observer});
    }
    make_distinct(result);
    return result;
}

std::vector<std::string> Engine::unsaved() const {
    std::vector<std::string> reasons;
    for (std::uint32_t f = 0; f < graph_.processes.size(); ++f)
        if (std::string reason = groups_[f]->unsaved(); !reason.empty())
            reasons.push_back(std::move(reason));
    return reasons;
}

void Engine::save(checkpoint::Writer& to) {
    if (exchange_) {
        order({Order::Kind::collect});
        collect();
    }
    std::uint64_t cycle = loop_->cycle();
    to.record(run_key, graph_.name, [&](Archive& archive) { archive(cycle, options_.run.seed); });
    for (const Piece& piece : pieces())
        if (piece.bytes)
            to.record(piece.key, piece.shape, *piece.bytes, piece.state);
        else
            to.record(piece.key, piece.shape, piece.state);
}

SavedRun saved_run(const checkpoint::Reader& from) {
    SavedRun result;
    from.restore(run_key, [&](Archive& archive) { archive(result.cycle, result.seed); });
    result.network = from.find(run_key)->shape;
    return result;
}

std::vector<std::string> Engine::load(const checkpoint::Reader& from) {
    const SavedRun run = saved_run(from);
    if (run.network != graph_.name)
        from.fail(
            fmt::format("it is of network '{}', but this one is '{}'", run.network, graph_.name));
    if (run.seed != options_.run.seed)
        from.fail(
            fmt::format("its run has seed {}, but this one has {}", run.seed, options_.run.seed));
    std::vector<std::string> anew;
    std::set<std::string, std::less<>> known;
    const std::vector<Piece> all = pieces();
    for (const Piece& piece : all) {
        known.insert(piece.key);
        const checkpoint::Reader::Record* const record = from.find(piece.key);
        if (piece.observer)
            continue;
        if (!record)
            from.fail(fmt::format("{} is not in it; the network was changed", piece.key));
        if (record->shape != piece.shape)
            from.fail(fmt::format("{} is {} there, but {} here; the network was changed", piece.key,
                                  record->shape, piece.shape));
        from.restore(piece.key, piece.state);
    }
    for (const auto& [key, record] : from.records())
        if ((key.starts_with("bus '") || key.starts_with("process '")) && !known.contains(key))
            from.fail(fmt::format("it holds {}, which is not here; the network was changed", key));
    for (const Piece& piece : all) {
        const checkpoint::Reader::Record* const record = from.find(piece.key);
        if (!piece.observer)
            continue;
        try {
            if (!record)
                from.fail(piece.key + " is not in it");
            from.restore(piece.key, piece.state);
        } catch (const CheckpointError& error) {
            anew.emplace_back(error.what());
        }
    }
    loop_->begin_at(run.cycle);
    equal_unwritten();
    access_->disturb();
    return anew;
}

std::byte* Engine::words_of(std::uint32_t family, std::size_t memory, std::uint64_t instance) {
    const Memory& found = graph_.processes[family].memories[memory];
    return memory_words_[memory_of_[family][memory]].data() +
           layout_.orders[family].index_of(static_cast<std::int64_t>(instance)) * found.words *
               found.element->size();
}

std::function<const std::byte*(std::uint32_t, std::size_t, std::uint64_t)> Engine::words() {
    return [this](std::uint32_t family, std::size_t number, std::uint64_t instance) {
        return words_of(family, number, instance);
    };
}

Snapshot Engine::snapshot() {
    Snapshot result;
    result.cycle = loop_->cycle();
    for (const Piece& piece : pieces()) {
        std::vector<std::byte>& record = result.records[piece.key];
        if (piece.bytes)
            record.reserve(*piece.bytes);
        Saving archive{record};
        piece.state(archive);
    }
    return result;
}

void Engine::restore(const Snapshot& from) {
    for (const Piece& piece : pieces()) {
        const auto record = from.records.find(piece.key);
        if (record == from.records.end()) {
            if (piece.observer)
                continue;
            throw CheckpointError{fmt::format("{} is not in it", piece.key)};
        }
        Loading archive{record->second};
        piece.state(archive);
    }
    loop_->begin_at(from.cycle);
    equal_unwritten();
    access_->disturb();
}

void Engine::repeat(SavedSchedule saved) {
    options_.run.threads = saved.threads;
    options_.run.queue = saved.queue;
    options_.run.wait = saved.wait;
    options_.run.grain = saved.grain;
    options_.run.adaptive = false;
    repeats_ = std::make_unique<SavedSchedule>(std::move(saved));
}

SavedSchedule Engine::decided() const {
    SavedSchedule result;
    result.queue = options_.run.queue;
    result.wait = options_.run.wait;
    result.grain = options_.run.grain;
    if (orchestrator_ && orchestrator_->threads() > 1) {
        result.threads = orchestrator_->threads();
        result.table = orchestrator_->chunks();
        result.placement = orchestrator_->placement();
    }
    return result;
}

} // namespace sme::engine
