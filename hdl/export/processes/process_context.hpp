// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "export/expressions/emit_context.hpp"
#include "export/expressions/translator.hpp"
#include "export/modules/module_set.hpp"
#include "expr/process/hierarchy.hpp"

namespace sme::hdl {

/// A state or an output of a process, as hardware.
struct Variable {
    std::string name;
    TypeRef type; // of one element
    std::uint64_t count = 1;
    const expr::PortText* output = nullptr;
    const expr::StateText* state = nullptr;
    int field = -1; // of an output with fields as vectors
    bool wire = false;
    bool is_memory = false; // addressed words; any other array is a vector
    Location declared;

    std::uint64_t bits() const { return type->width_bits() * count; }
    /// Returns a value of it; one of an enumeration has a name in the module.
    ExprRef constant(const Words& value, ModuleText& module) const;
};

/// The inside of a process: its ports, states and lets, and the declarations of its module.
class ProcessContext final : public EmitContext {
public:
    /// `delayed` returns whether readers see an output more than a cycle after it is written. The
    /// arrays in `memories` have addressed words; the others are vectors.
    ProcessContext(const expr::ProcessView& text, const expr::BoundProcess& bound,
                   ModuleText& module, const std::function<bool(const expr::PortText&)>& delayed,
                   const std::set<const expr::StateText*>& memories, bool packed);

    std::optional<HdlValue> find(const std::string& name) override;
    const expr::BoundExpr* let(const std::string& name) override {
        const auto found = bound_.lets.find(name);
        return found == bound_.lets.end() ? nullptr : found->second.get();
    }
    ModuleText& module() override { return module_; }
    std::string keep(const std::string& hint, const Type& type, const ExprRef& value,
                     bool moves) override;
    std::string variable(const std::string& hint, const Type* type) override;
    LoopText& loops() override { return loops_; }
    Names& names() override { return module_.names(); }
    std::string element_index(const std::string& index) override;
    void add(rtl::Elements elements) override { wires_.emplace_back(std::move(elements)); }
    void add(rtl::Net variable, rtl::Statements statements) override;
    void run(rtl::Statement start, rtl::Statements statements, bool moves) override;

    /// Returns the target of an assignment.
    HdlValue target(const expr::BoundExpr& bound);
    /// Like `target`, but returns a memory, or a row of it, as all its words.
    HdlValue whole_target(const expr::BoundExpr& bound) {
        const HdlValue found = target(bound);
        return found.kind == HdlValue::Kind::memory ? translator_.row(found) : found;
    }

    Translator& translator() { return translator_; }
    const std::vector<Variable>& variables() const { return variables_; }
    const std::vector<ModulePort>& ports() const { return ports_; }
    /// Returns the wires for lets and parts of expressions, in a valid order of declaration.
    const rtl::Items& wires() const { return wires_; }
    bool uses_index(std::size_t dimension) const { return used_indices_.count(dimension) > 0; }
    const std::string& index_name(std::size_t dimension) const { return index_names_[dimension]; }

private:
    void add_indices();
    void add_input(const expr::PortText& port);
    void add_output(const expr::PortText& port);
    /// Combines the vectors of a port, as a value or as a target.
    static HdlValue whole_of(const expr::PortText& port, const TypeRef& type,
                             std::vector<HdlValue> parts);
    /// Adds the delayed view of an output, which is an input of the module.
    HdlValue add_seen(const expr::PortText& port);
    void add_state(const expr::StateText& state, bool is_memory);
    /// Adds a port and returns its term (an array of ports, if there are several).
    HdlValue add_port(const expr::PortText& port, const std::string& name, const TypeRef& type,
                      bool output, int field, std::uint32_t graph_port);
    HdlValue add_let(const expr::LetText& text);
    /// Tests whether the last added signal has the name from a let; if so, it gets the let's
    /// comments.
    bool has_named(const expr::LetText& text, const std::string& name);
    /// Tests whether a value depends on clocked signals, also through wires: then a simulator runs
    /// a block that reads it.
    bool changes(const ExprRef& value) const;
    bool changes(const Place& place) const;
    /// Returns the target of "x[i, j]" or "x[i][j]", with all indices at once, because only a copy
    /// of a memory's row has elements.
    HdlValue element_target(const expr::BoundExpr& bound);

    const expr::ProcessView& text_;
    const expr::BoundProcess& bound_;
    ModuleText& module_;
    const std::function<bool(const expr::PortText&)>& delayed_;
    bool packed_; // structs
    std::map<std::string, HdlValue> terms_;
    std::map<std::string, HdlValue> targets_;
    std::map<std::string, std::size_t> indices_;
    std::vector<std::string> index_names_;
    std::set<std::size_t> used_indices_;
    std::map<std::string, HdlValue> seen_; // outputs read with a delay: by name, added on first use
    std::vector<Variable> variables_;
    std::vector<ModulePort> ports_;
    rtl::Items wires_;
    std::map<std::string, std::string> kept_; // by type and text of the value
    std::map<std::string, std::string> element_indices_;
    std::set<std::string> waking_; // wires that change when the process is reset
    LoopText loops_;
    Translator translator_;
};

} // namespace sme::hdl
