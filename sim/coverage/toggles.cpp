// SPDX-License-Identifier: Apache-2.0
#include "coverage/toggles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "network/build.hpp"
#include "sme/internal/archive.hpp"

namespace sme::coverage {

// Compares each slot with its previous value, word by word: a bit that changed and is set has
// risen, a bit that changed and is clear has fallen. Evaluates enumerations only if a bit changed.

namespace {

constexpr std::uint32_t no_member = ~std::uint32_t{0};
constexpr std::size_t max_missing = 50; // listed per family

std::uint64_t word_at(const std::byte* from, std::size_t bytes = 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes);
    return word;
}

bool is_of_members(const StateCoverage& state) {
    const std::size_t members = state.type->members().size();
    return state.entered.size() == members &&
           std::all_of(state.transitions.begin(), state.transitions.end(), [&](const auto& each) {
               return each.first.first < members && each.first.second < members;
           });
}

} // namespace

void ToggleObserver::open(const Observed& observed) {
    graph_ = &observed.graph();
    for (std::size_t b = 0; b < graph_->buses.size(); ++b)
        add(b, graph_->buses[b], observed.slots(b));
    arrange();
}

void ToggleObserver::add(std::size_t number, const BusFamily& bus, const Segments& slots) {
    Family& family = families_.emplace_back();
    family.name = bus.name;
    const bool may_be_unwritten = bus.unwritten == Unwritten::error;
    auto presence = static_cast<std::uint32_t>(bus.type->size());
    for (const Leaf& leaf : bus.type->scalars()) {
        const auto words = static_cast<unsigned>(leaf.type->leaf_count());
        Scalar& result = family.scalars.emplace_back();
        result.path = leaf.path;
        result.offset = leaf.offset;
        result.bytes = static_cast<unsigned>(leaf.type->size());
        result.words = words;
        result.width_bits = static_cast<unsigned>(leaf.type->width_bits());
        result.presence = may_be_unwritten ? presence : 0;
        presence += words;
        result.enumeration = leaf.type->kind() == TypeKind::enumeration ? leaf.type : nullptr;
        if (!result.enumeration)
            continue;
        result.state = states_.size();
        ++family.enumerations;
        states_.push_back({bus.name + leaf.path,
                           leaf.type,
                           std::vector<std::uint64_t>(leaf.type->members().size(), 0),
                           {}});
    }
    const std::size_t bytes = slot_size(bus);
    for (const Segment& run : slots.runs()) {
        Row& row = rows_.emplace_back();
        row.family = number;
        row.offset = static_cast<std::size_t>(run.offset);
        row.stride = run.stride;
        row.first = run.first;
        row.count = run.count;
        row.slot_bytes = bytes;
        row.members = members_.size();
        row.wire = bus.wire();
        row.may_be_unwritten = may_be_unwritten;
        members_.resize(members_.size() + run.count * family.enumerations, no_member);
    }
}

/// True if the bits of all bytes count alike.
bool ToggleObserver::is_plain(const Row& row) const {
    return (row.count == 1 || row.stride == static_cast<std::int64_t>(row.slot_bytes)) &&
           !row.may_be_unwritten && families_[row.family].enumerations == 0;
}

/// Joins slots that are close to each other, whatever their buses: a network of many small buses is
/// then compared at the speed of one large one.
void ToggleObserver::arrange() {
    constexpr std::size_t close = 64;
    std::vector<std::size_t> plain;
    for (std::size_t r = 0; r < rows_.size(); ++r)
        (is_plain(rows_[r]) ? plain : slots_).push_back(r);
    std::sort(plain.begin(), plain.end(), [&](std::size_t one, std::size_t other) {
        return rows_[one].offset < rows_[other].offset;
    });
    std::size_t bytes = 0;
    for (const std::size_t r : plain) {
        Row& row = rows_[r];
        const std::size_t end = spans_.empty() ? 0 : spans_.back().offset + spans_.back().bytes;
        if (spans_.empty() || spans_.back().wire != row.wire || row.offset > end + close)
            spans_.push_back({row.offset, bytes, 0, row.wire});
        Span& span = spans_.back();
        row.own = span.own + (row.offset - span.offset);
        span.bytes = std::max(span.bytes, row.offset - span.offset + row.bytes());
        bytes = span.own + span.bytes;
    }
    for (const std::size_t r : slots_) {
        rows_[r].own = bytes;
        bytes += rows_[r].bytes();
    }
    last_.resize(bytes);
    rose_.resize(bytes);
    fell_.resize(bytes);
}

void ToggleObserver::step(unsigned, Range, const Frame& frame) {
    for (const Span& span : spans_)
        if (!span.wire || frame.wires_settled)
            look_at_slot(frame.read + span.offset, span.own, span.bytes, !any_);
    for (const std::size_t r : slots_)
        if (!rows_[r].wire || frame.wires_settled)
            look(rows_[r], frame.read, !any_);
    any_ = true;
}

void ToggleObserver::look(const Row& row, const std::byte* read, bool first) {
    const bool members = families_[row.family].enumerations > 0;
    const std::byte* now = read + row.offset;
    for (std::uint64_t k = 0; k < row.count; ++k, now += row.stride) {
        const std::size_t own = row.own + k * row.slot_bytes;
        if (!first && std::memcmp(now, &last_[own], row.slot_bytes) == 0)
            continue;
        if (row.may_be_unwritten)
            look_at_unwritten(row, now, own, first);
        else
            look_at_slot(now, own, row.slot_bytes, first);
        if (members)
            look_at_members(row, now, k);
    }
}

void ToggleObserver::look_at_slot(const std::byte* now, std::size_t own, std::size_t bytes,
                                  bool first) {
    std::byte* const last = &last_[own];
    std::byte* const rose = &rose_[own];
    std::byte* const fell = &fell_[own];
    if (!first) // without branches, for vector code
        for (std::size_t k = 0; k < bytes; ++k) {
            rose[k] |= now[k] & ~last[k];
            fell[k] |= last[k] & ~now[k];
        }
    std::memcpy(last, now, bytes);
}

/// The bits of a scalar that was never written cannot rise: its first written value is the
/// reference.
void ToggleObserver::look_at_unwritten(const Row& row, const std::byte* now, std::size_t own,
                                       bool first) {
    slot_.assign(&last_[own], &last_[own] + row.slot_bytes);
    if (first)
        std::fill(slot_.begin(), slot_.end(), std::byte{0});
    for (const Scalar& scalar : families_[row.family].scalars) {
        if (now[scalar.presence] == std::byte{0})
            continue;
        std::memcpy(&slot_[scalar.offset], now + scalar.offset, scalar.bytes);
        if (last_[own + scalar.presence] == std::byte{0}) // its first value
            std::memcpy(&last_[own + scalar.offset], now + scalar.offset, scalar.bytes);
        slot_[scalar.presence] = last_[own + scalar.presence] = std::byte{1};
    }
    const std::vector<std::byte> seen = slot_;
    look_at_slot(seen.data(), own, row.slot_bytes, first);
}

void ToggleObserver::look_at_members(const Row& row, const std::byte* slot, std::uint64_t place) {
    const Family& family = families_[row.family];
    std::uint32_t* last = &members_[row.members + place * family.enumerations];
    for (const Scalar& scalar : family.scalars) {
        if (!scalar.enumeration)
            continue;
        std::uint32_t& was = *last++;
        if (scalar.presence != 0 && slot[scalar.presence] == std::byte{0})
            continue;
        const std::uint64_t value = word_at(slot + scalar.offset, scalar.bytes);
        const std::vector<Member>& members = scalar.enumeration->members();
        if (was != no_member && members[was].value == value)
            continue;
        const auto found = std::find_if(members.begin(), members.end(), [&](const Member& member) {
            return member.value == value;
        });
        if (found == members.end())
            continue;
        const auto is = static_cast<std::uint32_t>(found - members.begin());
        StateCoverage& state = states_[scalar.state];
        ++state.entered[is];
        if (was != no_member)
            ++state.transitions[{was, is}];
        was = is;
    }
}

void ToggleObserver::state(Archive& archive) {
    std::array<std::vector<std::byte>, 3> kinds{in_order(last_), in_order(rose_), in_order(fell_)};
    const std::vector<std::size_t> own{kinds[0].size(), members_.size(), states_.size()};
    std::vector<std::size_t> sizes = own;
    archive(sizes);
    if (sizes != own)
        throw CheckpointError{"other buses are watched"};
    // validates everything before using any of it
    bool any = any_;
    archive(any);
    for (std::vector<std::byte>& bytes : kinds)
        archive.bytes(bytes.data(), bytes.size());
    std::vector<std::uint32_t> members = members_;
    std::vector<StateCoverage> states = states_;
    archive(members);
    for (StateCoverage& state : states)
        archive(state.entered, state.transitions);
    if (archive.saves())
        return;
    if (!are_members(members) || !std::all_of(states.begin(), states.end(), is_of_members))
        throw CheckpointError{"it holds what is no member of an enumeration"};
    any_ = any;
    std::size_t at = 0;
    for (const Row& row : rows_) {
        std::memcpy(&last_[row.own], &kinds[0][at], row.bytes());
        std::memcpy(&rose_[row.own], &kinds[1][at], row.bytes());
        std::memcpy(&fell_[row.own], &kinds[2][at], row.bytes());
        at += row.bytes();
    }
    members_ = std::move(members);
    states_ = std::move(states);
}

/// The bytes of all slots in the order of the buses, which does not depend on the layout.
std::vector<std::byte> ToggleObserver::in_order(const std::vector<std::byte>& bytes) const {
    std::vector<std::byte> result;
    for (const Row& row : rows_) {
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(row.own);
        result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(row.bytes()));
    }
    return result;
}

/// True if these can be the last members, one for each enumeration of each slot.
bool ToggleObserver::are_members(const std::vector<std::uint32_t>& members) const {
    if (members.size() != members_.size())
        return false;
    for (const Row& row : rows_) {
        std::size_t at = row.members;
        for (std::uint64_t k = 0; k < row.count; ++k)
            for (const Scalar& scalar : families_[row.family].scalars)
                if (scalar.enumeration && members[at] != no_member &&
                    members[at] >= scalar.enumeration->members().size())
                    return false;
                else
                    at += scalar.enumeration ? 1 : 0;
    }
    return true;
}

void ToggleObserver::close(std::uint64_t) {
    for (const Row& row : rows_) {
        if (toggles_.size() <= row.family) {
            toggles_.resize(row.family + 1);
            toggles_[row.family].name = families_[row.family].name;
        }
        sum(row, toggles_[row.family], graph_->buses[row.family]);
    }
}

void ToggleObserver::sum(const Row& row, ToggleCoverage& into, const BusFamily& bus) const {
    for (std::uint64_t k = 0; k < row.count; ++k)
        for (const Scalar& scalar : families_[row.family].scalars) {
            const std::size_t at = row.own + k * row.slot_bytes + scalar.offset;
            for (unsigned w = 0; w < scalar.words; ++w) {
                const unsigned bits = std::min(scalar.width_bits - 64 * w, 64u);
                const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
                const std::size_t size = scalar.words > 1 ? 8 : scalar.bytes;
                const std::uint64_t rose = word_at(&rose_[at + 8 * w], size) & mask;
                const std::uint64_t fell = word_at(&fell_[at + 8 * w], size) & mask;
                into.bits += bits;
                into.rose += static_cast<std::uint64_t>(std::popcount(rose));
                into.fell += static_cast<std::uint64_t>(std::popcount(fell));
                for (std::uint64_t rest = mask & ~(rose & fell);
                     rest != 0 && into.missing.size() < max_missing; rest &= rest - 1) {
                    const auto bit = static_cast<unsigned>(std::countr_zero(rest));
                    const bool up = (rose >> bit & 1) != 0, down = (fell >> bit & 1) != 0;
                    into.missing.push_back(fmt::format(
                        "{}{}{} never {}", bus.element_name(bus.first + row.first + k), scalar.path,
                        scalar.width_bits == 1 ? "" : fmt::format("[{}]", 64 * w + bit),
                        !up && !down ? "moved"
                        : up         ? "fell"
                                     : "rose"));
                }
            }
        }
}

} // namespace sme::coverage
