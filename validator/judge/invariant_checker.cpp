// SPDX-License-Identifier: Apache-2.0
//
// A cycle:
//   begin   the read values are the written ones, those that a delay lets through, or follow the
//           rule for unwritten fields
//   step    its inputs are unchanged, and input wires are written; its outputs are spoilt before it
//           and checked after it
//   end     all parts ran; no read value changed; the written values are as their writers left them
#include "judge/invariant_checker.hpp"

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

InvariantChecker::InvariantChecker() = default;
InvariantChecker::~InvariantChecker() = default;

void InvariantChecker::begin_cycle(const Frame& frame) {
    const bool first = !begun_;
    begun_ = true;
    cycle_ = frame.cycle;
    if (first)
        first_cycle_ = frame.cycle;
    if (first && first_cycle_ > 0)
        expect_loaded(frame);
    else if (first)
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
        if (first)
            add(Invariant::initial, nullptr, element, "it does not begin with its initial value");
        else if (plan.bus->delay >= 2)
            add(Invariant::delay, nullptr, element,
                fmt::format("it does not show the value written {} cycles ago", plan.bus->delay));
        else if (!wiring_->writer(element))
            add(Invariant::unwritten_rule, nullptr, element,
                "no process writes it, but it does not follow its rule");
        else
            add(Invariant::read_matches, nullptr, element,
                "it does not show the value written in the cycle before");
        std::memcpy(expected_.data() + offset, frame.read + offset,
                    plan.slot_bytes); // report once
    }
}

void InvariantChecker::before_step(const StepId& step, const Frame& frame) {
    if (!begun_ || frame.cycle != cycle_)
        return; // observers, after the last cycle
    PartPlan& part = *families_[step.family].parts[step.part];
    part.runs.fetch_add(1, std::memory_order_relaxed);
    steps_.fetch_add(1, std::memory_order_relaxed);
    if (part.ran[step.position].exchange(cycle_ + 1, std::memory_order_acq_rel) == cycle_ + 1)
        add(Invariant::ran_once, &step, {}, "it runs twice");
    for (std::size_t k = 0; k < part.reads.size(); ++k)
        check_read(step, part.reads[k], part.read_slots[step.position * part.reads.size() + k],
                   frame);
    for (std::size_t k = 0; k < part.writes.size(); ++k)
        poison(step, part.writes[k], part.write_slots[step.position * part.writes.size() + k],
               frame);
}

/// Checks that the fields to prepare hold the values read two cycles ago, then spoils them.
void InvariantChecker::poison(const StepId& step, const Use& use, const SlotAt& slot,
                              const Frame& frame) {
    if (!slot.plan->bus->wire() &&
        std::memcmp(frame.write + slot.offset, written_.data() + slot.offset,
                    slot.plan->slot_bytes) != 0)
        add(Invariant::one_writer, nullptr, slot.element,
            fmt::format("it was written before '{}', its writer, ran",
                        wiring_->process_name(step.family, step.position)));
    if (slot.plan->marks == 0 || !families_[step.family].tells)
        return;
    for (std::size_t k = 0; k < slot.plan->leaves.size(); ++k) {
        const Leaf& leaf = slot.plan->leaves[k];
        if (!use.covers(leaf))
            continue;
        std::byte* const bytes = frame.write + slot.offset;
        std::fill_n(bytes + leaf.offset, bytes_of(leaf), spoilt);
        bytes[slot.plan->marks + k] = spoilt;
    }
}

void InvariantChecker::check_read(const StepId& step, const Use& use, const SlotAt& slot,
                                  const Frame& frame) {
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

void InvariantChecker::after_step(const StepId& step, const Frame& frame) {
    if (!begun_ || frame.cycle != cycle_)
        return;
    if (const auto offset = guard_->take())
        add(Invariant::read_constant, &step, wiring_->element_at(*offset),
            "it writes into the values that this cycle reads");
    const PartPlan& part = *families_[step.family].parts[step.part];
    for (std::size_t k = 0; k < part.writes.size(); ++k)
        check_written(step, part.writes[k],
                      part.write_slots[step.position * part.writes.size() + k], frame);
}

std::byte* InvariantChecker::keep(const SlotAt& slot) {
    return (slot.plan->bus->wire() ? expected_.data() : written_.data()) + slot.offset;
}

void InvariantChecker::check_written(const StepId& step, const Use& use, const SlotAt& slot,
                                     const Frame& frame) {
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

void InvariantChecker::check_leaf(const StepId& step, const SlotAt& slot, const Leaf& leaf,
                                  std::size_t number, const Frame& frame) {
    const std::byte* const value = frame.write + slot.offset + leaf.offset;
    const std::byte mark = frame.write[slot.offset + slot.plan->marks + number];
    const std::size_t bytes = bytes_of(leaf);
    const auto field = [&] {
        return leaf.path.empty() ? std::string{"it"} : fmt::format("field '{}'", leaf.path);
    };
    if (mark != std::byte{0} && mark != std::byte{1}) {
        add(Invariant::prepared, &step, slot.element,
            fmt::format("{} is neither prepared nor written", field()));
        return;
    }
    if (mark == std::byte{1}) {
        if (!is_canonical(leaf, value))
            add(Invariant::canonical, &step, slot.element,
                fmt::format("{} gets a value that its type {} does not have", field(),
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
            fmt::format("{} was not written, but {}", field(),
                        hold ? "does not hold its value" : "is not zero"));
}

bool InvariantChecker::is_canonical(const Leaf& leaf, const std::byte* value) const {
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

void InvariantChecker::check_all_ran() {
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

/// Names the buses with changed slots.
void InvariantChecker::check_region(Invariant invariant, const std::byte* actual,
                                    const std::vector<std::byte>& wanted, std::size_t begin,
                                    std::size_t end) {
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
            reads ? "its value changed while processes read it"
                  : "its value was changed after its writer");
    }
}

bool InvariantChecker::end_cycle(const Frame& frame, bool faulted) {
    if (faulted)
        return true; // later levels did not run
    check_all_ran();
    for (const Special& special : specials_) // the engine's own, checked when they are read
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
    if (violations_.size() > max_violations)
        violations_.resize(max_violations);
    return false;
}

void InvariantChecker::add(Invariant invariant, const StepId* step,
                           std::optional<std::uint64_t> element, std::string text) {
    const std::lock_guard lock{mutex_};
    Violation result{invariant, cycle_, {}, {}, std::move(text)};
    if (step)
        result.process = wiring_->process_name(step->family, step->position);
    if (element)
        result.bus = wiring_->graph().bus_name(*element);
    constexpr std::size_t enough = 10'000;
    if (violations_.size() < enough)
        violations_.push_back(std::move(result));
}

} // namespace sme::validator
