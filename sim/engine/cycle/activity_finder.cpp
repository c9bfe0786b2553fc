// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/cycle/activity.hpp"
#include "network/build.hpp"

namespace sme::engine {

/// Finds what each part of a network reads and writes.
class Activity::Finder {
public:
    Finder(const Graph& graph, const Layout& layout,
           const std::vector<std::unique_ptr<Group>>& groups, Schedule& schedule,
           std::uint64_t least_operations)
        : graph_{graph}, layout_{layout}, groups_{groups}, schedule_{schedule},
          least_operations_{least_operations}, elements_{graph.bus_count()},
          writers_(graph.buses.size()) {}

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

    void add_output(ActivePart& part, const Segments& offsets, const Segments& elements,
                    bool is_process) {
        const std::size_t first = part.outputs_.size();
        for_each_bus(graph_, elements, [&](const Segment& piece, const BusFamily& bus) {
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
        for_each_bus(graph_, port.buses,
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
        if (!needs || !needs->may_pay(part.needed_.size(), least_operations_))
            return false;
        const ProcessFamily& family = graph_.processes[group];
        if (part.outputs_.size() != family.parts[number].writes.size())
            return false; // instances write buses of different kinds at a port
        for (const PortUse& use : family.parts[number].writes)
            if (is_shared(family.ports[use.port]))
                return false;
        std::set<ActivePart*> read;
        bool fit = true;
        for (const std::uint32_t port : needs->ports) {
            const Segments elements = layout_.port_slots(graph_, group, family.ports[port]).buses;
            std::optional<bool> wire;
            for_each_bus(graph_, elements, [&](const Segment&, const BusFamily& bus) {
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
        for (std::size_t k = 0; k < std::min(part.outputs_.size(), SteadyGroup::max_outputs); ++k)
            part.kept_ |= part.outputs_[k].wire ? 0 : std::uint64_t{1} << k;
        part.skips_ = true;
        return true;
    }

    const Graph& graph_;
    const Layout& layout_;
    const std::vector<std::unique_ptr<Group>>& groups_;
    Schedule& schedule_;
    const std::uint64_t least_operations_;
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
                                       Schedule& schedule, std::uint64_t least_operations) {
    return Finder{graph, layout, groups, schedule, least_operations}.run();
}

} // namespace sme::engine
