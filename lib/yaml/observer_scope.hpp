// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "expr/builder.hpp"
#include "expr/elaborator.hpp"
#include "expr/parts.hpp"
#include "yaml/declarations.hpp"

namespace sme::yaml {

/// The names that checks and recordings see: those of the network, its buses, the states of its
/// processes, and `cycle`. What is used becomes a port or a memory of an observer.
class ObserverScope final : public expr::Scope {
public:
    ObserverScope(Context& context, expr::Builder& builder, ProcessFamily& observer)
        : context_{context}, builder_{builder}, observer_{observer} {}

    const expr::Value* find(const std::string& name) override;
    TypeRef find_type(const std::string& name) override { return context_.scope.find_type(name); }
    const expr::Function* find_function(const std::string& name) override {
        return context_.scope.find_function(name);
    }
    void function_names(std::vector<std::string>& into) const override {
        context_.scope.function_names(into);
    }
    void names(std::vector<std::string>& into) const override;
    expr::Work& work() override { return context_.scope.work(); }
    void type_names(std::vector<std::string>& into) const override {
        context_.scope.type_names(into);
    }

    const expr::FieldMap& fields() const { return fields_; }
    /// Whether a program reads a wire.
    bool reads_wire(const std::vector<expr::NodeId>& nodes) const;

private:
    expr::Value bus(const BusFamily& bus);
    expr::Value bus_element(const BusFamily& bus, std::uint64_t flat);
    expr::Value process(std::size_t family);
    expr::Value member(std::size_t family, std::uint64_t instance, const std::string& name,
                       const Location& where);

    Context& context_;
    expr::Builder& builder_;
    ProcessFamily& observer_;
    std::map<std::string, expr::Value> values_;
    std::map<std::uint64_t, expr::Value> elements_; // of each bus element that is used
    expr::FieldMap fields_;
};

/// Makes the observer's program of results; each is wanted when its condition (or no_node) holds.
void finish_observer(ObserverScope& scope, expr::Builder& builder,
                     const std::vector<expr::Root>& results, expr::Program& program,
                     ProcessFamily& observer);

void load_checks(const Node& section, Context& context);
void load_outputs(const Node& section, Context& context);

} // namespace sme::yaml
