// SPDX-License-Identifier: Apache-2.0
//
// A cycle:
//   begin   what is read is what was written, what a delay lets through, or the rule for unwritten
//   step    its inputs are as they were, wires among them written; its outputs are spoilt before
//           and looked at after it
//   end     everything ran; nothing that is read has changed; what was written is as it was left
#include "judge/judge.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include <fmt/format.h>

namespace sme::validator {

namespace {

constexpr std::byte spoilt{0xa5};

std::size_t bytes_of(const Leaf& leaf) {
    return leaf.type->size();
}

bool all_are(const std::byte* bytes, std::size_t count, std::byte what) {
    return std::all_of(bytes, bytes + count, [&](std::byte byte) { return byte == what; });
}

} // namespace

Judge::Judge() = default;
Judge::~Judge() = default;

void Judge::open(const Audited& run) {
    wiring_ = std::make_unique<Wiring>(run);
    guard_ = std::make_unique<Guard>(run.read_mappings());
    wires_begin_ = run.wires_begin();
    expected_.assign(run.arena_bytes(), std::byte{0});
    written_.assign(wires_begin_, std::byte{0});
    families_.clear();
    specials_.clear();
    violations_.clear();
    begun_ = false;
    cycles_ = 0;
    steps_ = 0;
    make_parts();
    make_specials();
    check_layout();
}

void Judge::close() {
    guard_.reset();
}

void Judge::make_parts() {
    for (const ProcessFamily& family : wiring_->graph().processes) {
        FamilyPlan& plan = families_.emplace_back();
        plan.tells = !family.helper;
        for (const Part& part : family.parts) {
            auto made = std::make_unique<PartPlan>();
            for (const PortUse& use : part.reads)
                made->reads.push_back({use.port, use.fields});
            for (const PortUse& use : part.writes)
                made->writes.push_back({use.port, use.fields});
            made->judged = part.kind != Part::Kind::commit;
            made->ran = std::make_unique<std::atomic<std::uint64_t>[]>(family.count);
            plan.parts.push_back(std::move(made));
        }
    }
}

void Judge::make_specials() {
    for (std::uint64_t element = 0; element < wiring_->graph().bus_count(); ++element) {
        const BusPlan& plan = wiring_->plan_of(element);
        if (plan.bus->wire() || (plan.bus->delay == 1 && wiring_->writer(element)))
            continue;
        Special special{element, wiring_->read_offset(element), wiring_->written_offset(element),
                        {}};
        special.ring.resize(plan.bus->delay * plan.slot_bytes);
        specials_.push_back(std::move(special));
    }
}

/// Readers of a bus read one slot, and no two buses share one.
void Judge::check_layout() {
    std::vector<std::tuple<std::size_t, std::size_t, std::uint64_t>> slots; // begin, end, element
    for (std::uint64_t element = 0; element < wiring_->graph().bus_count(); ++element) {
        const std::size_t bytes = wiring_->plan_of(element).slot_bytes;
        const std::size_t read = wiring_->read_offset(element);
        const std::size_t written = wiring_->written_offset(element);
        slots.emplace_back(read, read + bytes, element);
        if (written != read)
            slots.emplace_back(written, written + bytes, element);
    }
    std::sort(slots.begin(), slots.end());
    for (std::size_t k = 1; k < slots.size(); ++k)
        if (std::get<0>(slots[k]) < std::get<1>(slots[k - 1]))
            add(Invariant::same_for_all, nullptr, std::get<2>(slots[k]),
                fmt::format("it lies in the slot of '{}', too",
                            wiring_->graph().bus_name(std::get<2>(slots[k - 1]))));
    for (std::uint32_t f = 0; f < families_.size(); ++f) {
        const ProcessFamily& family = wiring_->graph().processes[f];
        for (std::uint32_t p = 0; p < family.ports.size(); ++p)
            for (std::uint64_t k = 0; !family.ports[p].output && k < family.count; ++k) {
                const SlotAt slot = wiring_->slot(f, p, k);
                const StepId step{f, 0, k};
                if (slot.offset != wiring_->read_offset(slot.element))
                    add(Invariant::same_for_all, &step, slot.element,
                        "it reads another slot than others");
            }
    }
}

/// Cycle 0: initial values.
void Judge::expect_first(const Frame& frame) {
    const Graph& graph = wiring_->graph();
    for (std::uint64_t element = 0; element < graph.bus_count(); ++element) {
        const BusPlan& plan = wiring_->plan_of(element);
        const BusFamily& bus = *plan.bus;
        if (bus.wire())
            continue;
        std::vector<std::byte> slot(plan.slot_bytes, std::byte{0});
        const std::size_t bytes = bus.type->size();
        if (!bus.initial.empty()) {
            const std::size_t from =
                bus.initial.size() == bytes ? 0 : (element - bus.first) * bytes;
            std::copy_n(bus.initial.begin() + static_cast<std::ptrdiff_t>(from), bytes,
                        slot.begin());
        }
        if (plan.marks != 0 && bus.has_initial)
            std::fill_n(slot.begin() + static_cast<std::ptrdiff_t>(plan.marks),
                        plan.leaves.size(), std::byte{1});
        for (const std::size_t offset :
             {wiring_->read_offset(element), wiring_->written_offset(element)})
            std::copy(slot.begin(), slot.end(), expected_.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    for (Special& special : specials_) {
        const BusPlan& plan = wiring_->plan_of(special.element);
        for (std::size_t at = 0; at < special.ring.size(); at += plan.slot_bytes)
            std::memcpy(special.ring.data() + at, expected_.data() + special.read, plan.slot_bytes);
        if (plan.bus->input)
            std::memcpy(expected_.data() + special.read, frame.read + special.read,
                        plan.slot_bytes);
    }
}

/// What is read of a delayed bus, or of one without a writer.
void Judge::expect(const Special& special, std::uint64_t cycle, const Frame& frame) {
    const BusPlan& plan = wiring_->plan_of(special.element);
    std::byte* const read = expected_.data() + special.read;
    if (plan.bus->input) { // the user's, who may have changed it since the last cycle
        std::memcpy(read, frame.read + special.read, plan.slot_bytes);
        return;
    }
    if (plan.bus->delay >= 2) {
        auto* const ring = const_cast<std::byte*>(special.ring.data());
        const std::uint64_t delay = plan.bus->delay;
        // written in the cycle before: to be read `delay` cycles after that
        std::byte* const place = ring + (cycle - 1) % delay * plan.slot_bytes;
        const std::byte* const due = ring + cycle % delay * plan.slot_bytes;
        if (wiring_->writer(special.element))
            std::memcpy(place, expected_.data() + special.written, plan.slot_bytes);
        else if (plan.bus->unwritten != Unwritten::hold)
            std::memset(place, 0, plan.slot_bytes);
        std::memcpy(read, due, plan.slot_bytes);
        return;
    }
    if (plan.bus->unwritten == Unwritten::hold)
        std::memcpy(read, written_.data() + special.read, plan.slot_bytes); // of the cycle before
    else
        std::memset(read, 0, plan.slot_bytes);
}

void Judge::expect_next(const Frame& frame) {
    // what was written is to be read; the wires' part is only in `expected_`
    std::swap_ranges(written_.begin(), written_.end(), expected_.begin());
    for (const Special& special : specials_)
        expect(special, frame.cycle, frame);
}

void Judge::begin_cycle(const Frame& frame) {
    const bool first = !begun_;
    begun_ = true;
    cycle_ = frame.cycle;
    if (first)
        expect_first(frame);
    else
        expect_next(frame);
    for (const FamilyPlan& family : families_)
        for (const auto& part : family.parts)
            part->runs.store(0, std::memory_order_relaxed);
    if (std::memcmp(frame.read, expected_.data(), wires_begin_) == 0)
        return;
    for (std::uint64_t element = 0; element < wiring_->graph().bus_count(); ++element) {
        const BusPlan& plan = wiring_->plan_of(element);
        const std::size_t offset = wiring_->read_offset(element);
        if (plan.bus->wire() ||
            std::memcmp(frame.read + offset, expected_.data() + offset, plan.slot_bytes) == 0)
            continue;
        if (first || frame.cycle < plan.bus->delay)
            add(Invariant::initial, nullptr, element, "it does not begin with its initial value");
        else if (plan.bus->delay >= 2)
            add(Invariant::delay, nullptr, element,
                fmt::format("it does not show what was written {} cycles ago", plan.bus->delay));
        else if (!wiring_->writer(element))
            add(Invariant::unwritten_rule, nullptr, element,
                "nobody writes it, but it does not follow its rule");
        else
            add(Invariant::read_matches, nullptr, element,
                "it does not show what was written in the cycle before");
    }
}

void Judge::before_step(const StepId& step, const Frame& frame) {
    if (!begun_ || frame.cycle != cycle_)
        return; // observers, after the last cycle
    PartPlan& part = *families_[step.family].parts[step.part];
    part.runs.fetch_add(1, std::memory_order_relaxed);
    steps_.fetch_add(1, std::memory_order_relaxed);
    if (part.ran[step.position].exchange(cycle_ + 1, std::memory_order_acq_rel) == cycle_ + 1)
        add(Invariant::ran_once, &step, {}, "it runs twice");
    for (const Use& use : part.reads)
        check_read(step, use, frame);
    if (!families_[step.family].tells)
        return;
    for (const Use& use : part.writes) {
        const SlotAt slot = wiring_->slot(step.family, use.port, step.position);
        if (slot.plan->marks == 0)
            continue;
        for (std::size_t k = 0; k < slot.plan->leaves.size(); ++k) {
            const Leaf& leaf = slot.plan->leaves[k];
            if (!use.covers(leaf))
                continue;
            std::byte* const bytes = frame.write + slot.offset;
            std::fill_n(bytes + leaf.offset, bytes_of(leaf), spoilt);
            bytes[slot.plan->marks + k] = spoilt;
        }
    }
}

void Judge::check_read(const StepId& step, const Use& use, const Frame& frame) {
    const SlotAt slot = wiring_->slot(step.family, use.port, step.position);
    const std::byte* const read = frame.read + slot.offset;
    const std::byte* const wanted = expected_.data() + slot.offset;
    if (!slot.plan->bus->wire()) {
        if (std::memcmp(read, wanted, slot.plan->slot_bytes) != 0)
            add(Invariant::read_constant, &step, slot.element,
                "what it reads has changed in this cycle");
        return;
    }
    if (wiring_->graph().processes[step.family].observer && !frame.wires_settled)
        return;
    const std::optional<WireWriter>& writer = wiring_->writer(slot.element);
    if (!writer)
        return;
    const auto& parts = families_[writer->family].parts;
    for (const auto& part : parts)
        for (const Use& written : part->writes)
            if (written.port == writer->port && (written.fields & use.fields) != 0 &&
                part->ran[writer->position].load(std::memory_order_acquire) != cycle_ + 1) {
                add(Invariant::wire_order, &step, slot.element,
                    fmt::format("it reads the wire before '{}' has written it",
                                wiring_->process_name(writer->family, writer->position)));
                return;
            }
    for (const Leaf& leaf : slot.plan->leaves)
        if (use.covers(leaf) &&
            std::memcmp(read + leaf.offset, wanted + leaf.offset, bytes_of(leaf)) != 0) {
            add(Invariant::wire_settled, &step, slot.element,
                "the wire has another value than its writer left");
            return;
        }
}

void Judge::after_step(const StepId& step, const Frame& frame) {
    if (!begun_ || frame.cycle != cycle_)
        return;
    if (const auto offset = guard_->take())
        add(Invariant::read_constant, &step, wiring_->element_at(*offset),
            "it writes into what is read in this cycle");
    for (const Use& use : families_[step.family].parts[step.part]->writes)
        check_written(step, use, frame);
}

std::byte* Judge::keep(const SlotAt& slot) {
    return (slot.plan->bus->wire() ? expected_.data() : written_.data()) + slot.offset;
}

void Judge::check_written(const StepId& step, const Use& use, const Frame& frame) {
    const SlotAt slot = wiring_->slot(step.family, use.port, step.position);
    const std::byte* const bytes = frame.write + slot.offset;
    std::byte* const kept = keep(slot);
    const std::size_t marks = slot.plan->marks;
    const bool tells = families_[step.family].tells && marks != 0;
    for (std::size_t k = 0; k < slot.plan->leaves.size(); ++k) {
        const Leaf& leaf = slot.plan->leaves[k];
        if (!use.covers(leaf))
            continue;
        if (tells)
            check_leaf(step, slot, leaf, k, frame);
        if (slot.plan->bus->wire())
            std::memcpy(kept + leaf.offset, bytes + leaf.offset, bytes_of(leaf));
    }
    if (!slot.plan->bus->wire())
        std::memcpy(kept, bytes, slot.plan->slot_bytes);
}

void Judge::check_leaf(const StepId& step, const SlotAt& slot, const Leaf& leaf,
                       std::size_t number, const Frame& frame) {
    const std::byte* const value = frame.write + slot.offset + leaf.offset;
    const std::byte mark = frame.write[slot.offset + slot.plan->marks + number];
    const std::size_t bytes = bytes_of(leaf);
    const std::string field = leaf.path.empty() ? "it" : fmt::format("field '{}'", leaf.path);
    if (mark != std::byte{0} && mark != std::byte{1}) {
        add(Invariant::prepared, &step, slot.element,
            fmt::format("{} is neither prepared nor written", field));
        return;
    }
    if (mark == std::byte{1}) {
        if (!is_canonical(leaf, value))
            add(Invariant::canonical, &step, slot.element,
                fmt::format("{} gets a value that its type {} does not have", field,
                            leaf.type->name()));
        return;
    }
    const bool hold = slot.plan->bus->unwritten == Unwritten::hold;
    const bool follows =
        hold ? std::memcmp(value, frame.read + slot.offset + leaf.offset, bytes) == 0
             : all_are(value, bytes, std::byte{0});
    if (!follows)
        add(all_are(value, bytes, spoilt) ? Invariant::prepared : Invariant::unwritten_rule, &step,
            slot.element,
            fmt::format("{} was not written, but {}", field,
                        hold ? "does not hold its value" : "is not zero"));
}

bool Judge::is_canonical(const Leaf& leaf, const std::byte* value) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, value, bytes_of(leaf));
    const auto width = static_cast<unsigned>(leaf.type->width_bits());
    const auto stored = static_cast<unsigned>(8 * bytes_of(leaf));
    if (leaf.type->kind() == TypeKind::enumeration)
        return leaf.type->find_member(bits) != nullptr;
    if (width == stored)
        return true;
    const std::uint64_t above = bits >> (leaf.type->is_signed() ? width - 1 : width);
    const std::uint64_t ones =
        (~std::uint64_t{0} >> (64 - stored)) >> (leaf.type->is_signed() ? width - 1 : width);
    return above == 0 || (leaf.type->is_signed() && above == ones);
}

void Judge::check_all_ran() {
    for (std::uint32_t f = 0; f < families_.size(); ++f)
        for (unsigned p = 0; p < families_[f].parts.size(); ++p) {
            const PartPlan& part = *families_[f].parts[p];
            const std::uint64_t count = wiring_->graph().processes[f].count;
            if (!part.judged || part.runs.load(std::memory_order_relaxed) == count)
                continue;
            for (std::uint64_t k = 0; k < count; ++k)
                if (part.ran[k].load(std::memory_order_relaxed) != cycle_ + 1) {
                    const StepId step{f, p, k};
                    add(Invariant::ran_once, &step, {}, "it does not run");
                }
        }
}

/// Names the buses whose slots are not as they were.
void Judge::check_region(Invariant invariant, const std::byte* actual,
                         const std::vector<std::byte>& wanted, std::size_t begin, std::size_t end) {
    if (std::memcmp(actual + begin, wanted.data() + begin, end - begin) == 0)
        return;
    const bool reads = invariant == Invariant::read_constant;
    for (std::uint64_t element = 0; element < wiring_->graph().bus_count(); ++element) {
        const std::size_t offset =
            reads ? wiring_->read_offset(element) : wiring_->written_offset(element);
        const std::size_t bytes = wiring_->plan_of(element).bus->type->size();
        if (offset < begin || offset >= end ||
            std::memcmp(actual + offset, wanted.data() + offset, bytes) == 0)
            continue;
        add(invariant, nullptr, element,
            reads ? "what is read of it changed while processes ran"
                  : "what its writer left was changed afterwards");
    }
}

bool Judge::end_cycle(const Frame& frame, bool faulted) {
    if (faulted)
        return true; // later levels did not run
    check_all_ran();
    for (const Special& special : specials_) // the engine's own, judged when they are read
        for (const std::size_t offset : {special.read, special.written})
            if (offset == special.read || !wiring_->writer(special.element))
                std::memcpy(written_.data() + offset, frame.write + offset,
                            wiring_->plan_of(special.element).slot_bytes);
    const std::size_t end = expected_.size();
    check_region(Invariant::read_constant, frame.read, expected_, 0, wires_begin_);
    check_region(Invariant::one_writer, frame.write, written_, 0, wires_begin_);
    check_region(Invariant::wire_settled, frame.read, expected_, wires_begin_, end);
    ++cycles_;
    if (violations_.empty())
        return true;
    std::sort(violations_.begin(), violations_.end(), [](const Violation& a, const Violation& b) {
        return std::tie(a.invariant, a.process, a.bus, a.text) <
               std::tie(b.invariant, b.process, b.bus, b.text);
    });
    if (violations_.size() > most_violations)
        violations_.resize(most_violations);
    return false;
}

void Judge::add(Invariant invariant, const StepId* step, std::optional<std::uint64_t> element,
                std::string text) {
    const std::lock_guard lock{mutex_};
    Violation made{invariant, cycle_, {}, {}, std::move(text)};
    if (step)
        made.process = wiring_->process_name(step->family, step->position);
    if (element)
        made.bus = wiring_->graph().bus_name(*element);
    constexpr std::size_t enough = 10'000;
    if (violations_.size() < enough)
        violations_.push_back(std::move(made));
}

} // namespace sme::validator
