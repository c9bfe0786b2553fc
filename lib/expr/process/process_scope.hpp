// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "expr/process/process.hpp"
#include "expr/program/builder.hpp"
#include "expr/program/parts.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// Returns one scalar of a state's initial value, for the running instance.
NodeId initial_node(Builder& builder, const ProcessView& text, const StateText& state,
                    const Leaf& leaf);

/// Adds the fields of a slot that is read at a port.
void add_fields(const SlotRef& slot, FieldMap& fields);

/// Returns the value of a bundle from its forward fields and back fields.
BoundExpr bundle_value(const TypeRef& bundle, const BoundExpr& forward,
                       const std::vector<BoundExpr>& reverse_fields);

/// The names inside a process: indices, ports, states and lets.
class ProcessScope final : public Scope {
public:
    ProcessScope(const ProcessView& text, Scope& outer, Builder& builder, Diagnostics& diagnostics);

    const BoundExpr* find(const std::string& name) override;
    TypeRef find_type(const std::string& name) override {
        const TypeRef generated = text_.find_enumeration(name);
        return generated ? generated : outer_.find_type(name);
    }
    const Function* find_function(const std::string& name) override {
        return outer_.find_function(name);
    }
    std::optional<TypeRef> make_type(const std::string& name, const std::vector<TypeRef>& arguments,
                                     const Location& where) override {
        return outer_.make_type(name, arguments, where);
    }
    void names(std::vector<std::string>& into) const override;
    Fuel& fuel() override { return outer_.fuel(); }
    bool allows_random() const override { return true; }
    void type_names(std::vector<std::string>& into) const override { outer_.type_names(into); }
    void function_names(std::vector<std::string>& into) const override {
        outer_.function_names(into);
    }
    std::string why_no_value(const std::string& name, std::string_view section) const override;

    /// Sets the elaborator of lets; call it before the first lookup of a let.
    void set_elaborator(Elaborator& elaborator) { elaborator_ = &elaborator; }

    /// Returns the value of a port, or of a let that was looked up.
    const BoundExpr& value_of(const std::string& name) const { return values_.at(name).value; }
    const FieldMap& fields() const { return fields_; }
    bool was_used(const std::string& name) const {
        const auto known = values_.find(name);
        return known != values_.end() && known->second.is_used;
    }
    void forget_use(const std::string& name) { values_.at(name).is_used = false; }

private:
    BoundExpr port_value(const PortText& port, std::uint32_t element);
    void add_port(const PortText& port);
    void add_state(const StateText& state);
    void add_indices();

    const ProcessView& text_;
    Scope& outer_;
    Builder& builder_;
    Diagnostics& diagnostics_;
    Elaborator* elaborator_ = nullptr;
    struct Named {
        BoundExpr value;
        bool is_used = false;
    };
    std::map<std::string, Named> values_;
    std::map<std::string, const LetText*> lets_;
    std::set<std::string> open_lets_; // in elaboration
    FieldMap fields_;
};

} // namespace sme::expr
