// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "expr/typing/elaborator.hpp"
#include "yaml/observe/observer_ports.hpp"

namespace sme::yaml {

/// The names visible to checks and recordings: those of a scope, its buses, its processes and their
/// states ("core.regs", "stage[2].fifo.count"), and `cycle`. Checks may refer to earlier cycles;
/// those of a process also see its own indices, ports, states and lets.
class ObserverScope final : public expr::Scope, private expr::History {
public:
    /// Observes one instance of the scope.
    ObserverScope(Context& context, std::uint64_t instance, ObserverPorts& ports)
        : context_{context}, instance_{instance}, ports_{ports}, elaborator_{ports.builder(), *this,
                                                                             context.diagnostics} {}
    /// Observes one process: `member` of the scope, `number` in its family.
    ObserverScope(Context& context, std::uint64_t instance, ObserverPorts& ports,
                  const Unit& member, std::uint64_t number)
        : ObserverScope{context, instance, ports} {
        process_ = &member;
        number_ = number;
    }

    const expr::Value* find(const std::string& name) override;
    TypeRef find_type(const std::string& name) override { return context_.scope.find_type(name); }
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
    expr::Value past(const expr::Value& value, std::uint64_t cycles,
                     const Location& where) override;
    expr::Value bus(const BusView& view, std::uint64_t instance);
    expr::Value member(const Unit& member, std::uint64_t instance);
    expr::Value insides(const Unit& member, std::uint64_t number);
    expr::Value found_inside(const Unit& member, std::uint64_t number, const std::string& name,
                             const Location& where);
    std::optional<expr::Value> local(const std::string& name);
    std::optional<expr::Value> state(const Unit& member, std::uint64_t number,
                                     const std::string& name);
    std::optional<expr::Value> port(const expr::PortText& port);

    Context& context_;
    std::uint64_t instance_;
    ObserverPorts& ports_;
    expr::Elaborator elaborator_;
    const Unit* process_ = nullptr;
    std::uint64_t number_ = 0;
    bool remembers_ = false;
    std::vector<std::string>* refused_ = nullptr;
    std::map<std::string, expr::Value> values_;
};

/// Loads all checks of the network, its components and its processes, as one observer.
void load_checks(Loading& loading);
/// Reports assumptions that are not conditions on values readable in a cycle.
void check_assumptions(const std::vector<RequirementSyntax>& section, Context& context);
void load_outputs(const std::vector<OutputSyntax>& section, Context& context);
/// Adds an observer for each request in `LoadOptions::probes` and `wants_let`.
void load_probes(Context& network);

} // namespace sme::yaml
