// SPDX-License-Identifier: Apache-2.0
//
// 1. All processes of the network, scope by scope: actors and queues, and what stands for files.
// 2. What moves in a cycle: an actor that fires or ends, a queue that is filled or emptied.
// 3. Who waits at which end of which channel, and who is at the other end.
#include "yaml/observe/deadlock.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "yaml/observe/observer_ports.hpp"
#include "yaml/observe/observer_scope.hpp"

namespace sme::yaml {

namespace {

using expr::DeadlockCheck;

bool ends_with(const std::string& name, const char* ending) {
    return name.ends_with(ending);
}

class DeadlockLoader {
public:
    explicit DeadlockLoader(Context& network)
        : network_{network}, graph_{network.design.graph},
          check_{std::make_shared<DeadlockCheck>()}, ports_{graph_, builder_, observer_} {}

    void run() {
        find_units(network_);
        if (!pure_ || actors_.empty() || !network_.kinds.deadlock || !spend())
            return;
        for (const auto& [context, unit] : queues_)
            add_queue(*context, *unit);
        for (const auto& [context, unit] : actors_)
            number_actors(*unit);
        for (const auto& [context, unit] : actors_)
            add_actor(*context, *unit);
        finish();
    }

private:
    using Found = std::pair<Context*, const Unit*>;

    /// Names with a dot are those that channels made.
    void find_units(Context& scope) {
        for (auto& [name, unit] : scope.members) {
            const bool made = name.find('.') != name.npos;
            const bool queue = ends_with(name, ".queue");
            each_group(unit, [&](const Unit& group) {
                if (queue)
                    queues_.emplace_back(&scope, &group);
                else if (group.text && group.text->is_actor && group.family) {
                    actors_.emplace_back(group.inside ? group.inside.get() : &scope, &group);
                    pure_ = pure_ && group.text->is_pure;
                } else if (group.inside && !group.text)
                    find_units(*group.inside);
                else
                    pure_ = pure_ && made;
            });
        }
    }
    template <class Use> static void each_group(const Unit& unit, Use use) {
        for (const Unit& group : unit.groups)
            use(group);
        if (unit.groups.empty())
            use(unit);
    }

    bool spend() {
        std::uint64_t instances = 0;
        for (const auto* found : {&actors_, &queues_})
            for (const auto& [context, unit] : *found)
                instances += unit->family ? graph_.processes[*unit->family].count : 0;
        return instances <= max_instances && network_.spend(5'000 * instances, graph_.declared);
    }

    const ProcessFamily& family(const Unit& unit) const { return graph_.processes[*unit.family]; }

    /// Calls use(scope, k) for each instance of a process.
    template <class Use> void each_instance(Context& context, const Unit& unit, Use use) {
        const std::uint64_t count = family(unit).count;
        const std::uint64_t scopes = context.around.count();
        for (std::uint64_t k = 0; k < count; ++k) {
            ObserverScope scope{context, k / std::max<std::uint64_t>(1, count / scopes), ports_,
                                unit, k};
            use(scope, k);
        }
    }

    static expr::NodeId value(ObserverScope& scope, const std::string& name) {
        const expr::Value* const found = scope.find(name);
        return found && !found->leaves.empty() ? found->leaves[0] : expr::no_node;
    }

    std::uint32_t result(expr::NodeId node) {
        results_.push_back(node);
        return static_cast<std::uint32_t>(results_.size()); // 0 is whether nothing moves
    }

    void moves(expr::NodeId node) {
        if (node != expr::no_node)
            moves_ = moves_ == expr::no_node ? node : builder_.any_of(moves_, node);
    }

    /// The bus element at the forward fields of a port of an instance.
    std::uint64_t element(const Unit& unit, const expr::PortText& port, std::uint64_t k) const {
        return static_cast<std::uint64_t>(family(unit).ports[port.read_port].buses.at(k));
    }

    void add_queue(Context& context, const Unit& unit) {
        if (!unit.family || !unit.text)
            return;
        Context& inside = unit.inside ? *unit.inside : context;
        each_instance(inside, unit, [&](ObserverScope& scope, std::uint64_t k) {
            moves(value(scope, "push"));
            moves(value(scope, "pop"));
            const expr::NodeId count = value(scope, "count");
            if (const auto& states = unit.text->states;
                std::any_of(states.begin(), states.end(),
                            [](const auto& state) { return state.name == "there"; }))
                moves(builder_.logical_not(
                    builder_.operation(expr::Op::equal, {1, false}, count, value(scope, "there"))));
            const auto number = static_cast<std::uint32_t>(check_->queues.size());
            check_->queues.push_back({family(unit).memories.at(0).words, result(count)});
            const std::uint64_t in = element(unit, unit.text->inputs.at(0), k);
            const auto out =
                std::find_if(unit.text->outputs.begin(), unit.text->outputs.end(),
                             [](const expr::PortText& port) { return port.bundle != nullptr; });
            filled_[in] = number;
            emptied_[element(unit, *out, k)] = number;
            behind_[in] = element(unit, *out, k);
        });
    }

    void number_actors(const Unit& unit) {
        for (std::uint64_t k = 0; k < family(unit).count; ++k) {
            const auto number = static_cast<std::uint32_t>(check_->actors.size());
            check_->actors.push_back({family(unit).instance_name(k), DeadlockCheck::none});
            for (const expr::PortText& port : unit.text->inputs)
                if (port.bundle)
                    receivers_[element(unit, port, k)] = number;
            for (const expr::PortText& port : unit.text->outputs)
                if (port.bundle)
                    senders_[end_behind(element(unit, port, k))] = number;
        }
    }

    /// The receiving end of the channel to which is sent at an element.
    std::uint64_t end_behind(std::uint64_t element) const {
        const auto found = behind_.find(element);
        return found == behind_.end() ? element : found->second;
    }

    template <class Map> static std::uint32_t at(const Map& map, std::uint64_t key) {
        const auto found = map.find(key);
        return found == map.end() ? DeadlockCheck::none : found->second;
    }

    void add_actor(Context& context, const Unit& unit) {
        each_instance(context, unit, [&](ObserverScope& scope, std::uint64_t k) {
            moves(value(scope, "fires"));
            moves(value(scope, "ends"));
            const auto actor = next_actor_++;
            const auto& states = unit.text->states;
            if (std::any_of(states.begin(), states.end(),
                            [](const auto& state) { return state.name == "done"; })) {
                const expr::NodeId done = value(scope, "done");
                check_->actors[actor].done = result(done);
                also_done(done);
            } else
                all_end_ = false;
            for (const expr::PortText& port : unit.text->inputs)
                if (port.bundle) {
                    const std::uint64_t end = element(unit, port, k);
                    check_->waits.push_back({actor, at(senders_, end), at(emptied_, end), false,
                                             graph_.bus_name(end), graph_.family_of(end).declared,
                                             result(value(scope, port.name + ".waits"))});
                }
            for (const expr::PortText& port : unit.text->outputs)
                if (port.bundle) {
                    const std::uint64_t in = element(unit, port, k);
                    const std::uint64_t end = end_behind(in);
                    check_->waits.push_back({actor, at(receivers_, end), at(filled_, in), true,
                                             graph_.bus_name(end), graph_.family_of(end).declared,
                                             result(value(scope, port.name + ".waits"))});
                }
        });
    }

    void also_done(expr::NodeId done) {
        done_ = done_ == expr::no_node ? done : builder_.all_of(done_, done);
    }

    void finish() {
        expr::NodeId stuck = builder_.logical_not(moves_);
        if (all_end_) // else all being done is no end
            stuck = builder_.all_of(stuck, builder_.logical_not(done_));
        results_.insert(results_.begin(), stuck);
        std::vector<expr::Root> roots;
        for (const expr::NodeId node : results_) {
            if (node == expr::no_node)
                return; // something was wrong, and reported
            roots.push_back({node});
        }
        check_->reads_wire = ports_.reads_wire(results_);
        check_->where = graph_.declared;
        observer_.name = "the search for deadlocks";
        observer_.observer = true;
        observer_.declared = graph_.declared;
        finish_observer(ports_, roots, check_->program, observer_);
        observer_.kind = network_.kinds.deadlock(check_);
        graph_.processes.push_back(std::move(observer_));
    }

    static constexpr std::uint64_t max_instances = 10'000;

    Context& network_;
    Graph& graph_;
    std::shared_ptr<DeadlockCheck> check_;
    expr::Builder builder_;
    ProcessFamily observer_;
    ObserverPorts ports_;
    std::vector<Found> actors_, queues_;
    std::map<std::uint64_t, std::uint32_t> filled_, emptied_;    // queues, by the ends of channels
    std::map<std::uint64_t, std::uint64_t> behind_;              // sending end → receiving end
    std::map<std::uint64_t, std::uint32_t> senders_, receivers_; // actors, by receiving ends
    std::vector<expr::NodeId> results_;
    expr::NodeId moves_ = expr::no_node;
    expr::NodeId done_ = expr::no_node;
    std::uint32_t next_actor_ = 0;
    bool pure_ = true;
    bool all_end_ = true;
};

} // namespace

void load_deadlock_check(Context& network) {
    DeadlockLoader{network}.run();
}

} // namespace sme::yaml
