// SPDX-License-Identifier: Apache-2.0
//
// 1. Finds all processes of the network, scope by scope: actors, queues, and processes for files.
// 2. Finds what moves in a cycle: an actor that fires or ends, a queue that is filled or emptied.
// 3. Finds which actor waits at which end of which channel, and the actor at the other end.
#include "yaml/observe/observer_scope.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace sme::yaml {

namespace {

using expr::ActorNetwork;

class ActorNetworkLoader {
public:
    using Factory =
        std::function<std::shared_ptr<const GroupFactory>(std::shared_ptr<const ActorNetwork>)>;

    enum class Sees : std::uint8_t {
        waits,    // which actors wait for which
        firings,  // also the messages sent and received by each firing
        messages, // also every message, even in a network without actors
    };
    ActorNetworkLoader(Context& network, Sees sees)
        : network_{network}, graph_{network.design.graph}, sees_{sees},
          made_{std::make_shared<ActorNetwork>()}, ports_{graph_, builder_, observer_} {}

    /// Adds the observer, unless there is nothing to observe. With other processes besides actors,
    /// waiting alone does not imply a deadlock.
    void run(const Factory& factory, const char* name) {
        find_units(network_);
        if ((actors_.empty() && (queues_.empty() || sees_ != Sees::messages)) ||
            (!made_->pure && sees_ == Sees::waits) || !spend())
            return;
        for (const auto& [context, unit, names] : queues_)
            add_queue(*context, *unit, *names);
        for (const auto& [context, unit] : actors_)
            number_actors(*unit);
        for (const auto& [context, unit] : actors_)
            add_actor(*context, *unit);
        finish(factory, name);
    }

private:
    using Found = std::pair<Context*, const Unit*>;
    struct Queue {
        Context* context;
        const Unit* unit;
        const expr::QueueNames* names;
    };

    void find_units(Context& scope) {
        for (auto& [name, unit] : scope.members) {
            const ChannelRole role = unit.channel.role;
            const expr::QueueNames* const names = unit.queue;
            each_group(unit, [&](const Unit& group) {
                if (names)
                    queues_.push_back({&scope, &group, names});
                else if (group.process && group.process->actor && group.family) {
                    actors_.emplace_back(group.context ? group.context.get() : &scope, &group);
                    made_->pure = made_->pure && group.process->actor->is_pure;
                } else if (group.context && !group.process)
                    find_units(*group.context);
                else
                    made_->pure = made_->pure && role != ChannelRole::none;
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
        const auto add = [&](const Unit& unit) {
            instances += unit.family ? graph_.processes[*unit.family].count : 0;
        };
        for (const Found& actor : actors_)
            add(*actor.second);
        for (const Queue& queue : queues_)
            add(*queue.unit);
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
        const expr::BoundExpr* const found = scope.find(name);
        return found && found->ok() ? scope.elaborator().lowering().leaves(*found)[0]
                                    : expr::no_node;
    }

    std::uint32_t result(expr::NodeId node) {
        results_.push_back(node);
        return static_cast<std::uint32_t>(results_.size()); // result 0 is whether nothing moves
    }

    /// Adds a result that is true only at the edges of the process's clock.
    std::uint32_t result_at_edge(const Unit& unit, expr::NodeId node) {
        const ClockRate& clock = unit.process->clock;
        return result(clock.is_every_cycle() || node == expr::no_node
                          ? node
                          : builder_.all_of(builder_.rises(clock), node));
    }

    void moves(expr::NodeId node) {
        if (node != expr::no_node)
            moves_.push_back(node);
    }

    /// Returns the bus element of the forward fields of a port of an instance.
    std::uint64_t element(const Unit& unit, const expr::PortText& port, std::uint64_t k) const {
        return static_cast<std::uint64_t>(family(unit).ports[port.read_port].buses.at(k));
    }

    void add_queue(Context& context, const Unit& unit, const expr::QueueNames& names) {
        if (!unit.family || !unit.process)
            return;
        Context& inside = unit.context ? *unit.context : context;
        each_instance(inside, unit, [&](ObserverScope& scope, std::uint64_t k) {
            const expr::NodeId push = value(scope, names.push), pop = value(scope, names.pop);
            moves(push);
            moves(pop);
            const expr::NodeId count = value(scope, names.count);
            if (names.arrived)
                moves(builder_.logical_not(builder_.operation(expr::Op::equal, {1, false}, count,
                                                              value(scope, names.arrived))));
            const std::uint64_t in = element(unit, unit.process->inputs.at(0), k);
            const auto out =
                std::find_if(unit.process->outputs.begin(), unit.process->outputs.end(),
                             [](const expr::PortText& port) { return port.bundle != nullptr; });
            const std::uint64_t end = element(unit, *out, k);
            behind_[in] = end;
            ActorNetwork::Channel& channel = made_->channels[channel_of(end)];
            channel.depth = family(unit).memories.at(0).words;
            channel.latency =
                names.latency ? static_cast<std::uint64_t>(scope.find(names.latency)->low) : 1;
            channel.count = result(count);
            if (!sees_firings())
                return;
            channel.pushed = result_at_edge(unit, push);
            channel.popped = result_at_edge(unit, pop);
            const std::vector<expr::NodeId>& leaves = ports_.element(end).leaves;
            channel.offered = result_at_edge(unit, leaves.at(0));
            if (sees_ == Sees::messages)
                for (std::size_t leaf = 1; leaf < leaves.size(); ++leaf)
                    if (const std::uint32_t word = result(leaves[leaf]); leaf == 1)
                        channel.message = word;
        });
    }

    bool sees_firings() const { return sees_ != Sees::waits; }

    /// Returns the number of the channel with this receiving end.
    std::uint32_t channel_of(std::uint64_t end) {
        const auto [found, added] =
            channels_.emplace(end, static_cast<std::uint32_t>(made_->channels.size()));
        if (added) {
            ActorNetwork::Channel channel;
            channel.name = graph_.bus_name(end);
            channel.declared = graph_.family_of(end).declared;
            channel.type = graph_.family_of(end).type->fields().at(1).type; // data, after valid
            channel.bits = channel.type->width_bits();
            made_->channels.push_back(std::move(channel));
        }
        return found->second;
    }

    void number_actors(const Unit& unit) {
        for (std::uint64_t k = 0; k < family(unit).count; ++k) {
            const auto number = static_cast<std::uint32_t>(made_->actors.size());
            made_->actors.push_back({family(unit).instance_name(k)});
            for (const expr::PortText& port : unit.process->inputs)
                if (unit.process->actor->find(port.name))
                    made_->channels[channel_of(element(unit, port, k))].receiver = number;
            for (const expr::PortText& port : unit.process->outputs)
                if (unit.process->actor->find(port.name))
                    made_->channels[channel_of(end_behind(element(unit, port, k)))].sender = number;
        }
    }

    /// Returns the receiving end of the channel with this sending end.
    std::uint64_t end_behind(std::uint64_t element) const {
        const auto found = behind_.find(element);
        return found == behind_.end() ? element : found->second;
    }

    void add_actor(Context& context, const Unit& unit) {
        each_instance(context, unit, [&](ObserverScope& scope, std::uint64_t k) {
            const expr::ActorNames& names = *unit.process->actor;
            const expr::NodeId fires = value(scope, names.fires), ends = value(scope, names.ends);
            moves(fires);
            moves(ends);
            const auto number = next_actor_++;
            ActorNetwork::Actor& actor = made_->actors[number];
            if (sees_firings()) {
                actor.fires = result_at_edge(unit, fires);
                actor.ends = result_at_edge(unit, ends);
            }
            if (!names.done.empty()) {
                const expr::NodeId done = value(scope, names.done);
                actor.done = result(done);
                done_.push_back(done);
            } else
                made_->all_end = false;
            for (const auto* ports : {&unit.process->inputs, &unit.process->outputs})
                for (const expr::PortText& port : *ports)
                    if (const expr::ActorNames::End* const end = names.find(port.name))
                        add_end(scope, number, *end, ports == &unit.process->outputs,
                                element(unit, port, k));
        });
    }

    void add_end(ObserverScope& scope, std::uint32_t actor, const expr::ActorNames::End& names,
                 bool sends, std::uint64_t at) {
        ActorNetwork::End end{actor, channel_of(sends ? end_behind(at) : at), sends};
        end.waits = result(value(scope, names.waits));
        if (sees_firings() && !names.wanted.empty())
            end.wanted = result(value(scope, names.wanted));
        made_->ends.push_back(end);
    }

    void finish(const Factory& factory, const char* name) {
        expr::NodeId stuck = builder_.logical_not(builder_.any_of(std::move(moves_)));
        if (made_->all_end && !done_.empty()) // else no end of the run
            stuck = builder_.all_of(stuck, builder_.logical_not(builder_.all_of(std::move(done_))));
        results_.insert(results_.begin(), stuck);
        std::vector<expr::Root> roots;
        for (const expr::NodeId node : results_) {
            if (node == expr::no_node)
                return; // an error was reported
            roots.push_back({node});
        }
        made_->reads_wire = ports_.reads_wire(results_);
        made_->where = graph_.declared;
        observer_.name = name;
        observer_.observer = true;
        observer_.declared = graph_.declared;
        finish_observer(ports_, roots, made_->program, observer_);
        observer_.kind = factory(made_);
        graph_.processes.push_back(std::move(observer_));
    }

    static constexpr std::uint64_t max_instances = 10'000;

    Context& network_;
    Graph& graph_;
    Sees sees_;
    std::shared_ptr<ActorNetwork> made_;
    expr::Builder builder_;
    ProcessFamily observer_;
    ObserverPorts ports_;
    std::vector<Found> actors_;
    std::vector<Queue> queues_;
    std::map<std::uint64_t, std::uint32_t> channels_; // by their receiving ends
    std::map<std::uint64_t, std::uint64_t> behind_;   // sending end → receiving end
    std::vector<expr::NodeId> results_;
    std::vector<expr::NodeId> moves_; // one holds while something moves
    std::vector<expr::NodeId> done_;
    std::uint32_t next_actor_ = 0;
};

} // namespace

void load_actor_network(Context& network) {
    using Sees = ActorNetworkLoader::Sees;
    const GroupFactories& kinds = network.kinds;
    // Stalls can stop all, and so can a sender outside.
    if (kinds.deadlock && !network.loading.options.stalls && !network.design.has_open_channel)
        ActorNetworkLoader{network, Sees::waits}.run(kinds.deadlock, "the search for deadlocks");
    if (kinds.watch)
        ActorNetworkLoader{network, kinds.watch_messages ? Sees::messages : Sees::firings}.run(
            kinds.watch, "what actors do");
}

} // namespace sme::yaml
