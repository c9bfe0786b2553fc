// SPDX-License-Identifier: Apache-2.0
#include "engine/cycle/activity.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "network/build.hpp"
#include "runtime/abilities.hpp"

namespace sme::engine {

namespace {

/// Calls visit(first, count) for each run of positions with non-zero bytes; runs with fewer than
/// `gap` zeros between them are one.
template <class Visit>
void for_each_set(const std::uint8_t* bytes, Range range, std::uint64_t gap, Visit visit) {
    const std::uint64_t end = range.first + range.count;
    const auto next_set = [&](std::uint64_t k) {
        for (std::uint64_t eight = 0; k + 8 <= end; k += 8)
            if (std::memcpy(&eight, bytes + k, 8); eight != 0)
                break;
        while (k < end && bytes[k] == 0)
            ++k;
        return k;
    };
    for (std::uint64_t first = next_set(range.first); first < end;) {
        std::uint64_t last = first, next = first;
        do {
            last = next;
            next = next_set(last + 1);
        } while (next < end && next - last <= gap);
        visit(Range{first, last + 1 - first});
        first = next;
    }
}

bool differ(const std::byte* one, const std::byte* other, std::size_t bytes) {
    const auto as = [&]<class Word>(Word) {
        Word a = 0, b = 0;
        std::memcpy(&a, one, sizeof(Word));
        std::memcpy(&b, other, sizeof(Word));
        return a != b;
    };
    switch (bytes) {
    case 1: return *one != *other;
    case 2: return as(std::uint16_t{});
    case 4: return as(std::uint32_t{});
    case 8: return as(std::uint64_t{});
    default: return std::memcmp(one, other, bytes) != 0;
    }
}

} // namespace

/// Calls visit for each run of an output, clipped to the range.
template <class Visit> void ActivePart::for_each_run(Output& output, Range range, Visit visit) {
    const std::uint64_t end = range.first + range.count;
    auto run = output.runs.begin();
    if (output.runs.size() > 1)
        run = std::upper_bound(run, output.runs.end(), range.first,
                               [](std::uint64_t at, const Run& one) { return at < one.end(); });
    for (; run != output.runs.end() && run->first < end; ++run) {
        const std::uint64_t first = std::max(run->first, range.first), skipped = first - run->first;
        visit(Run{first, std::min(run->end(), end) - first, run->offset + skipped * output.bytes,
                  run->element + skipped * static_cast<std::uint64_t>(run->stride), run->stride});
    }
}

void ActivePart::step(Group& group, unsigned part, Range range, const Frame& frame) {
    constexpr std::uint64_t max_gap = 3; // a call costs more than that many idle instances
    Activity::Steps& steps = activity_.counts_[frame.thread].steps;
    steps.all += range.count;
    if (!skips_ || activity_.all_)
        return step_and_compare(group, part, range, frame);
    find_needed(range);
    clear_changes(range);
    std::uint64_t stepped = 0;
    for_each_set(needed_.data(), range, max_gap, [&](Range busy) {
        stepped += busy.count;
        // also of idle ones in a gap, so nothing is left to copy
        std::memset(needed_.data() + busy.first, 1, busy.count);
        step_and_compare(group, part, busy, frame);
    });
    steps.skipped += range.count - stepped;
    copy_outputs(range, frame);
}

void ActivePart::step_and_compare(Group& group, unsigned part, Range range, const Frame& frame) {
    keep_wires(range, frame);
    group.step(part, range, frame);
    compare(range, frame);
}

void ActivePart::after_step(Range range, const Frame& frame) {
    activity_.counts_[frame.thread].steps.all += range.count;
    compare(range, frame);
}

/// A wire has one slot for both arenas.
void ActivePart::keep_wires(Range range, const Frame& frame) {
    for (Output& output : outputs_)
        if (output.wire)
            for_each_run(output, range, [&](const Run& run) {
                std::memcpy(output.before.data() + run.first * output.bytes,
                            frame.read + run.offset, run.count * output.bytes);
            });
}

void ActivePart::compare(Range range, const Frame& frame) {
    std::memset(any_[activity_.now_].data() + range.first, 0, range.count);
    for (Output& output : outputs_)
        for_each_run(output, range, [&](const Run& run) {
            compare(output, run,
                    output.wire ? output.before.data() + run.first * output.bytes
                                : frame.read + run.offset,
                    frame.write + run.offset);
        });
    if (wrote_)
        for (std::uint64_t k = range.first; k < range.first + range.count; ++k)
            activity_.changed_[activity_.now_][wrote_element_ + k] = std::exchange(wrote_[k], 0);
}

void ActivePart::compare(const Output& output, const Run& run, const std::byte* before,
                         const std::byte* after) {
    constexpr std::uint64_t few = 4; // otherwise they are first compared together
    std::uint8_t* changed = activity_.changed_[activity_.now_].data() + run.element;
    std::uint8_t* const any = any_[activity_.now_].data() + run.first;
    if (run.count > few && std::memcmp(before, after, run.count * output.bytes) == 0) {
        mark_unchanged(output, run);
        return;
    }
    for (std::uint64_t k = 0; k < run.count; ++k, changed += run.stride) {
        const bool differs =
            differ(before + k * output.bytes, after + k * output.bytes, output.bytes);
        if (!output.delayed)
            *changed = differs ? 1 : 0;
        any[k] |= static_cast<std::uint8_t>(differs && !output.wire ? 1 : 0);
    }
}

void ActivePart::mark_unchanged(const Output& output, const Run& run) {
    std::uint8_t* changed = activity_.changed_[activity_.now_].data() + run.element;
    if (output.delayed)
        return;
    if (run.stride == 1)
        std::memset(changed, 0, run.count);
    else
        for (std::uint64_t k = 0; k < run.count; ++k, changed += run.stride)
            *changed = 0;
}

void ActivePart::find_needed(Range range) {
    std::memset(needed_.data() + range.first, 0, range.count);
    for (const Input& input : inputs_) {
        const std::uint8_t* const changed =
            activity_.changed_[input.wire ? activity_.now_ : 1 - activity_.now_].data();
        sme::for_each_run(input.elements, range.first, range.count, [&](const Segment& run) {
            const std::uint8_t* from = changed + run.offset;
            std::uint8_t* const to = needed_.data() + run.first;
            if (run.stride == 1)
                for (std::uint64_t k = 0; k < run.count; ++k)
                    to[k] |= from[k];
            else if (run.stride != 0)
                for (std::uint64_t k = 0; k < run.count; ++k, from += run.stride)
                    to[k] |= *from;
            else if (*from != 0)
                std::memset(to, 1, run.count);
        });
    }
}

void ActivePart::clear_changes(Range range) {
    for (Output& output : outputs_)
        for_each_run(output, range, [&](const Run& run) { mark_unchanged(output, run); });
    if (wrote_)
        std::memset(activity_.changed_[activity_.now_].data() + wrote_element_ + range.first, 0,
                    range.count);
    std::memset(any_[activity_.now_].data() + range.first, 0, range.count);
}

/// Of instances that did not run: what changed in the cycle before.
void ActivePart::copy_outputs(Range range, const Frame& frame) {
    std::uint8_t* const changed = any_[1 - activity_.now_].data();
    for (std::uint64_t k = range.first; k < range.first + range.count; ++k)
        changed[k] &= static_cast<std::uint8_t>(needed_[k] ^ 1);
    for_each_set(changed, range, 1, [&](Range some) {
        for (Output& output : outputs_)
            if (!output.wire)
                for_each_run(output, some, [&](const Run& run) {
                    std::memcpy(frame.write + run.offset, frame.read + run.offset,
                                run.count * output.bytes);
                });
    });
}

Activity::~Activity() = default;

void Activity::begin_cycle(std::uint64_t cycle) {
    all_ = std::exchange(disturbed_, false) || cycle != next_cycle_;
    next_cycle_ = cycle + 1;
    now_ = 1 - now_;
}

Activity::Steps Activity::steps() const {
    Steps sum;
    for (const Count& count : counts_) {
        sum.all += count.steps.all;
        sum.skipped += count.steps.skipped;
    }
    return sum;
}

/// Finds what each part of a network reads and writes.
class Activity::Finder {
public:
    Finder(const Graph& graph, const Layout& layout,
           const std::vector<std::unique_ptr<Group>>& groups, Schedule& schedule)
        : graph_{graph}, layout_{layout}, groups_{groups}, schedule_{schedule},
          elements_{graph.bus_count()}, writers_(graph.buses.size()) {}

    std::unique_ptr<Activity> run() {
        for (const Item& item : schedule_.items)
            if (!item.observer && !commits(item) && !found_.contains({item.group, item.part}))
                add(item.group, item.part);
        for (auto& [key, part] : found_)
            if (link(key.first, key.second, *part))
                used_.insert(part);
        if (used_.empty())
            return nullptr;
        for (std::vector<std::uint8_t>& changed : made_->changed_)
            changed.assign(elements_, 0);
        made_->counts_.resize(max_threads);
        for (Item& item : schedule_.items)
            if (const auto part = found_.find({item.group, item.part});
                part != found_.end() && used_.contains(part->second))
                item.activity = part->second;
        return std::move(made_);
    }

private:
    bool commits(const Item& item) const {
        return item.group < graph_.processes.size() &&
               graph_.processes[item.group].parts[item.part].kind == Part::Kind::commit;
    }

    void add(std::uint32_t group, unsigned part) {
        auto& made = made_->parts_.emplace_back(std::make_unique<ActivePart>(*made_));
        found_[{group, part}] = made.get();
        std::uint64_t count = 0;
        if (group >= graph_.processes.size()) {
            const CopyPlan copy = abilities_of(groups_[group].get()).copies->copy_plan();
            count = copy.to.size();
            add_output(*made, copy.to,
                       Segments::affine(count, static_cast<std::int64_t>(copy.bus->first), 1),
                       false);
        } else {
            const ProcessFamily& family = graph_.processes[group];
            count = family.count;
            for (const PortUse& use : family.parts[part].writes) {
                if (!written_.insert({group, use.port}).second)
                    share(family.ports[use.port]);
                const PortSlots slots = layout_.port_slots(graph_, group, family.ports[use.port]);
                add_output(*made, slots.offsets, slots.buses, true);
            }
            SteadyGroup* const steady = abilities_of(groups_[group].get()).steady;
            if (steady && (made->wrote_ = steady->wrote(part))) {
                made->wrote_element_ = elements_;
                wrote_[group] = made.get();
                elements_ += count;
            }
        }
        made->needed_.assign(count, 0);
        for (std::vector<std::uint8_t>& any : made->any_)
            any.assign(count, 0);
    }

    /// Calls visit(positions, bus family) for each piece of a port whose elements are of one
    /// family.
    template <class Visit> void for_each_bus(const Segments& elements, Visit visit) const {
        for (const Segment& run : elements.runs())
            for (std::uint64_t k = run.first; k < run.end();) {
                const auto element = static_cast<std::uint64_t>(run.at(k));
                const BusFamily& bus = graph_.family_of(element);
                std::uint64_t count = run.end() - k;
                if (run.stride > 0)
                    count = std::min(count, (bus.first + bus.count - 1 - element) /
                                                    static_cast<std::uint64_t>(run.stride) +
                                                1);
                else if (run.stride < 0)
                    count = std::min(
                        count, (element - bus.first) / static_cast<std::uint64_t>(-run.stride) + 1);
                visit(Segment{k, count, run.at(k), run.stride}, bus);
                k += count;
            }
    }

    void add_output(ActivePart& part, const Segments& offsets, const Segments& elements,
                    bool is_process) {
        const std::size_t first = part.outputs_.size();
        for_each_bus(elements, [&](const Segment& piece, const BusFamily& bus) {
            const auto bytes = static_cast<std::uint32_t>(slot_size(bus));
            const bool delayed = is_process && bus.delay >= 2;
            auto output = std::find_if(part.outputs_.begin() + static_cast<std::ptrdiff_t>(first),
                                       part.outputs_.end(), [&](const ActivePart::Output& one) {
                                           return one.bytes == bytes && one.wire == bus.wire() &&
                                                  one.delayed == delayed;
                                       });
            if (output == part.outputs_.end())
                output = part.outputs_.insert(output, {{}, bytes, bus.wire(), delayed, {}});
            if (bus.wire())
                output->before.resize(offsets.size() * bytes);
            sme::for_each_run(offsets, piece.first, piece.count, [&](const Segment& slots) {
                const bool together = slots.stride == static_cast<std::int64_t>(bytes);
                const std::uint64_t count = together ? slots.count : 1;
                for (std::uint64_t k = slots.first; k < slots.end(); k += count)
                    output->runs.push_back({k, count, static_cast<std::uint64_t>(slots.at(k)),
                                            static_cast<std::uint64_t>(piece.at(k)), piece.stride});
            });
            writers_[number_of(bus)].insert(&part);
        });
    }

    /// Several parts write different fields of these buses.
    void share(const Port& port) {
        for_each_bus(port.buses,
                     [&](const Segment&, const BusFamily& bus) { shared_.insert(number_of(bus)); });
    }

    std::size_t number_of(const BusFamily& bus) const {
        return static_cast<std::size_t>(&bus - graph_.buses.data());
    }

    bool is_shared(const Port& port) const {
        return shared_.contains(
            number_of(graph_.family_of(static_cast<std::uint64_t>(port.buses.at(0)))));
    }

    /// Finds the inputs of a part; false if its instances always run.
    bool link(std::uint32_t group, unsigned number, ActivePart& part) {
        if (group >= graph_.processes.size())
            return false;
        const SteadyGroup* const steady = abilities_of(groups_[group].get()).steady;
        const auto needs = steady ? steady->needs(number) : std::nullopt;
        if (!needs || needs->operations * part.needed_.size() < SteadyGroup::least_operations)
            return false;
        const ProcessFamily& family = graph_.processes[group];
        for (const PortUse& use : family.parts[number].writes)
            if (is_shared(family.ports[use.port]))
                return false;
        std::set<ActivePart*> read;
        bool fit = true;
        for (const std::uint32_t port : needs->ports) {
            const Segments elements = layout_.port_slots(graph_, group, family.ports[port]).buses;
            std::optional<bool> wire;
            for_each_bus(elements, [&](const Segment&, const BusFamily& bus) {
                fit = fit && wire.value_or(bus.wire()) == bus.wire() &&
                      !shared_.contains(number_of(bus));
                wire = bus.wire();
                read.insert(writers_[number_of(bus)].begin(), writers_[number_of(bus)].end());
            });
            part.inputs_.push_back({elements, wire.value_or(false)});
        }
        if (!fit)
            return false;
        used_.insert(read.begin(), read.end());
        if (const auto wrote = wrote_.find(group); needs->memories && wrote != wrote_.end()) {
            used_.insert(wrote->second);
            part.inputs_.push_back(
                {Segments::affine(family.count,
                                  static_cast<std::int64_t>(wrote->second->wrote_element_), 1),
                 false});
        }
        part.skips_ = true;
        return true;
    }

    const Graph& graph_;
    const Layout& layout_;
    const std::vector<std::unique_ptr<Group>>& groups_;
    Schedule& schedule_;
    std::unique_ptr<Activity> made_{new Activity};
    std::uint64_t elements_;                                          // of `changed_`
    std::map<std::pair<std::uint32_t, unsigned>, ActivePart*> found_; // by group and part
    std::map<std::uint32_t, ActivePart*> wrote_; // by family: the part that writes memories
    std::vector<std::set<ActivePart*>> writers_; // by bus family
    std::set<std::pair<std::uint32_t, std::uint32_t>> written_; // ports, by family
    std::set<std::size_t> shared_;                              // bus families
    std::set<ActivePart*> used_; // those that leave out instances, and those that they read
};

std::unique_ptr<Activity> Activity::of(const Graph& graph, const Layout& layout,
                                       const std::vector<std::unique_ptr<Group>>& groups,
                                       Schedule& schedule) {
    return Finder{graph, layout, groups, schedule}.run();
}

} // namespace sme::engine
