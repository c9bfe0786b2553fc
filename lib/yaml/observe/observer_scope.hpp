// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "yaml/observe/observer_ports.hpp"
#include "yaml/scope/context.hpp"
#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// Adds the observers of actors and channels: the deadlock detector, for a network of only actors
/// and channels (other processes may act in any cycle), and the observer of
/// `GroupFactories::watch`.
void load_actor_network(Context& network);

/// Loads the inputs section: each fed family of buses gets a process that writes its rows.
void load_inputs(const std::vector<InputSyntax>& section, Context& context);

/// Halts a network in which all actors can end, when they are done and the messages they sent to
/// other processes have been received.
void load_actors_done(Context& network);

/// Returns the members of a shape by index, each created on demand; `what` names them in messages.
expr::BoundExpr family_of(const char* what, const Shape& shape,
                          std::function<expr::BoundExpr(std::uint64_t flat)> element,
                          Diagnostics& diagnostics);

/// The names visible to checks and recordings: those of a scope, its buses, its processes and their
/// states ("core.regs", "stage[2].fifo.count"), and `cycle`. Checks may refer to earlier cycles;
/// those of a process also see its own indices, ports, states and lets.
class ObserverScope final : public expr::Scope, private expr::History {
public:
    /// Observes one instance of the scope.
    ObserverScope(Context& context, std::uint64_t instance, ObserverPorts& ports)
        : ObserverScope{context, one(instance), ports, context.diagnostics} {}
    /// Observes one process: `member` of the scope, `number` in its family.
    ObserverScope(Context& context, std::uint64_t instance, ObserverPorts& ports,
                  const Unit& member, std::uint64_t number)
        : ObserverScope{context, instance, ports} {
        process_ = &member;
        numbers_ = one(number);
    }
    /// Observes one of many instances: the one at a position known only at run time. `instances`
    /// maps a position to an instance of the scope. For a process, the position is its number in
    /// the family of `process`; otherwise that is null.
    ObserverScope(Context& context, Segments instances, ObserverPorts& ports, const Unit* process,
                  expr::NodeId position, Diagnostics& diagnostics)
        : ObserverScope{context, std::move(instances), ports, diagnostics} {
        process_ = process;
        numbers_ = Segments::identity(instances_.size());
        position_ = position;
    }

    /// Returns true for the name of an index of the observed process.
    bool is_index(const std::string& name) const;
    /// False if something was needed that can be observed only in each instance by itself.
    bool is_foldable() const { return foldable_; }

    const expr::BoundExpr* find(const std::string& name) override;
    TypeRef find_type(const std::string& name) override {
        const TypeRef generated = process_ ? process_->process->find_enumeration(name) : nullptr;
        return generated ? generated : context_.scope.find_type(name);
    }
    const expr::Function* find_function(const std::string& name) override {
        return context_.scope.find_function(name);
    }
    void function_names(std::vector<std::string>& into) const override {
        context_.scope.function_names(into);
    }
    std::optional<TypeRef> make_type(const std::string& name, const std::vector<TypeRef>& arguments,
                                     const Location& where) override {
        return context_.scope.make_type(name, arguments, where);
    }
    void names(std::vector<std::string>& into) const override;
    expr::Fuel& fuel() override { return context_.scope.fuel(); }
    void type_names(std::vector<std::string>& into) const override {
        context_.scope.type_names(into);
    }

    expr::Elaborator& elaborator() { return elaborator_; }
    /// Allows expressions to refer to earlier cycles from now on.
    void remember() { remembers_ = true; }
    /// Makes `cycle` and names of processes broken values from now on; adds the requested names to
    /// `refused`, which outlives this.
    void keep_to_buses(std::vector<std::string>& refused) { refused_ = &refused; }
    expr::History* history() override { return remembers_ ? this : nullptr; }

private:
    ObserverScope(Context& context, Segments instances, ObserverPorts& ports,
                  Diagnostics& diagnostics)
        : context_{context}, instances_{std::move(instances)}, ports_{ports},
          diagnostics_{diagnostics}, elaborator_{ports.builder(), *this, diagnostics} {}

    /// The numbers of instances are functions of the position; of a single instance, constants.
    static Segments one(std::uint64_t number) {
        return Segments::affine(1, static_cast<std::int64_t>(number), 0);
    }
    bool is_folded() const { return position_ != expr::no_node; }
    /// Returns a broken value, and notes that these instances cannot be observed at once.
    expr::BoundExpr unfoldable() {
        foldable_ = false;
        return {};
    }
    expr::BoundExpr element(const Segments& elements);
    expr::BoundExpr past(const expr::BoundExpr& value, std::uint64_t cycles,
                         const Location& where) override;
    expr::BoundExpr bus(const BusView& view, const Segments& instances);
    expr::BoundExpr bus(const BusView& view, const Segments& instances, std::uint64_t place);
    expr::BoundExpr member(const Unit& member, const Segments& instances);
    expr::BoundExpr insides(const Unit& member, const Segments& numbers);
    expr::BoundExpr found_inside(const Unit& member, const Segments& numbers,
                                 const std::string& name, const Location& where);
    std::optional<expr::BoundExpr> local(const std::string& name);
    std::optional<expr::BoundExpr> let(const Unit& member, const Segments& numbers,
                                       const std::string& name);
    std::optional<expr::BoundExpr> state(const Unit& member, const Segments& numbers,
                                         const std::string& name);
    std::optional<expr::BoundExpr> port(const expr::PortText& port);
    expr::BoundExpr index(std::size_t dimension);

    Context& context_;
    Segments instances_; // position → instance of the scope
    ObserverPorts& ports_;
    Diagnostics& diagnostics_;
    expr::Elaborator elaborator_;
    const Unit* process_ = nullptr;
    Segments numbers_; // position → number of the process
    expr::NodeId position_ = expr::no_node;
    bool foldable_ = true;
    bool remembers_ = false;
    std::vector<std::string>* refused_ = nullptr;
    std::map<std::string, expr::BoundExpr> values_;
    /// The scopes of processes whose lets are observed, by family and number.
    std::map<std::pair<std::size_t, std::uint64_t>, std::unique_ptr<ObserverScope>> processes_;
};

/// Loads all checks of the network, its components and its processes, as one observer.
void load_checks(Loading& loading);
/// Reports assumptions that are not conditions on values readable in a cycle.
void check_assumptions(const std::vector<RequirementSyntax>& section, Context& context);
void load_outputs(const std::vector<OutputSyntax>& section, Context& context);
/// Adds an observer for each request in `LoadOptions::probes` and `wants_let`.
void load_probes(Context& network);

} // namespace sme::yaml
