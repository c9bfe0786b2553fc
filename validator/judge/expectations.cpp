// SPDX-License-Identifier: Apache-2.0
//
// The judge's expectations before the first cycle, and for the reads of each cycle.
#include <algorithm>
#include <cstring>
#include <tuple>

#include <fmt/format.h>

#include "judge/invariant_checker.hpp"

namespace sme::validator {

void InvariantChecker::open(const Audited& run) {
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

void InvariantChecker::close() {
    guard_.reset();
}

void InvariantChecker::make_parts() {
    for (std::uint32_t f = 0; f < wiring_->graph().processes.size(); ++f) {
        const ProcessFamily& family = wiring_->graph().processes[f];
        FamilyPlan& plan = families_.emplace_back();
        plan.tells = !family.helper;
        for (const Part& part : family.parts) {
            auto result = std::make_unique<PartPlan>();
            for (const PortUse& use : part.reads)
                result->reads.push_back({use.port, use.fields});
            for (const PortUse& use : part.writes)
                result->writes.push_back({use.port, use.fields});
            result->judged = part.kind != Part::Kind::commit;
            for (std::uint64_t k = 0; result->judged && k < family.count; ++k) {
                for (const Use& use : result->reads)
                    result->read_slots.push_back(wiring_->slot(f, use.port, k));
                for (const Use& use : result->writes)
                    result->write_slots.push_back(wiring_->slot(f, use.port, k));
            }
            result->ran = std::make_unique<std::atomic<std::uint64_t>[]>(family.count);
            plan.parts.push_back(std::move(result));
        }
    }
}

void InvariantChecker::make_specials() {
    for (std::uint64_t element = 0; element < wiring_->graph().bus_count(); ++element) {
        const BusPlan& plan = wiring_->plan_of(element);
        if (plan.bus->wire() || (plan.bus->delay == 1 && wiring_->writer(element)))
            continue;
        Special special{
            element, wiring_->read_offset(element), wiring_->written_offset(element), {}};
        special.ring.resize(plan.bus->delay * plan.slot_bytes);
        specials_.push_back(std::move(special));
    }
}

/// Checks that readers of a bus read one slot, and that no two buses share one.
void InvariantChecker::check_layout() {
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

/// Expects the initial values in cycle 0.
void InvariantChecker::expect_first(const Frame& frame) {
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
            std::fill_n(slot.begin() + static_cast<std::ptrdiff_t>(plan.marks), plan.leaves.size(),
                        std::byte{1});
        for (const std::size_t offset :
             {wiring_->read_offset(element), wiring_->written_offset(element)})
            std::copy(slot.begin(), slot.end(),
                      expected_.begin() + static_cast<std::ptrdiff_t>(offset));
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

/// Expects a checkpoint's contents in the first cycle after it.
void InvariantChecker::expect_loaded(const Frame& frame) {
    std::copy_n(frame.read, wires_begin_, expected_.begin());
}

/// Returns the expected value of a delayed bus, or of one without a writer.
void InvariantChecker::expect(Special& special, std::uint64_t cycle, const Frame& frame) {
    const BusPlan& plan = wiring_->plan_of(special.element);
    std::byte* const read = expected_.data() + special.read;
    if (plan.bus->input) { // the user may have changed it since the last cycle
        std::memcpy(read, frame.read + special.read, plan.slot_bytes);
        return;
    }
    if (plan.bus->delay >= 2) {
        std::byte* const ring = special.ring.data();
        const std::uint64_t delay = plan.bus->delay;
        // written in the previous cycle: readers see it `delay` cycles later
        std::byte* const place = ring + (cycle - 1) % delay * plan.slot_bytes;
        const std::byte* const due = ring + cycle % delay * plan.slot_bytes;
        if (wiring_->writer(special.element))
            std::memcpy(place, expected_.data() + special.written, plan.slot_bytes);
        else if (plan.bus->unwritten != Unwritten::hold)
            std::memset(place, 0, plan.slot_bytes);
        const bool was_loaded = first_cycle_ > 0 && cycle < first_cycle_ + delay;
        std::memcpy(read, was_loaded ? frame.read + special.read : due, plan.slot_bytes);
        return;
    }
    if (plan.bus->unwritten == Unwritten::hold)
        std::memcpy(read, written_.data() + special.read, plan.slot_bytes); // of the previous cycle
    else
        std::memset(read, 0, plan.slot_bytes);
}

void InvariantChecker::expect_next(const Frame& frame) {
    // the written values are read next; those of wires are only in `expected_`
    std::swap_ranges(written_.begin(), written_.end(), expected_.begin());
    for (Special& special : specials_)
        expect(special, frame.cycle, frame);
}

} // namespace sme::validator
