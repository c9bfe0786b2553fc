// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "export/expressions/site.hpp"
#include "export/expressions/translator.hpp"
#include "export/module_set.hpp"
#include "expr/calls/ranges.hpp"
#include "expr/process/hierarchy.hpp"
#include "expr/process/process_scope.hpp"

namespace sme::hdl {

/// A state or an output of a process, in hardware.
struct Variable {
    std::string name;
    TypeRef type; // of one element
    std::uint64_t count = 1;
    const expr::PortText* output = nullptr;
    const expr::StateText* state = nullptr;
    int field = -1; // of an output whose fields are vectors
    bool wire = false;
    bool is_memory = false; // words with an address; any other array is a vector
    Location declared;

    std::uint64_t bits() const { return type->width_bits() * count; }
};

/// The inside of a process: its ports, states and lets, and what its module declares for them.
class ProcessSite final : public Site {
public:
    /// `delayed` tells of an output whether what is written is seen more than a cycle later. The
    /// arrays that are `memories` have words with an address; the others are vectors.
    ProcessSite(const expr::ProcessView& text, expr::Scope& home, ModuleText& module,
                const std::function<bool(const expr::PortText&)>& delayed,
                const std::set<const expr::StateText*>& memories, bool packed);

    std::optional<Term> find(const std::string& name) override;
    expr::Elaborator& elaborator() override { return elaborator_; }
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

    /// The target that an expression names.
    Term target(const expr::Ast& ast);
    /// As `target`; of a memory, or a row of it, all words as parts.
    Term whole_target(const expr::Ast& ast) {
        const Term found = target(ast);
        return found.kind == Term::Kind::memory ? translator_.row(found) : found;
    }

    /// The ranges in the brackets of a target; one step where there is none.
    expr::Unrolled ranges(const expr::Ast& target) {
        return expr::Unrolled::of(expr::ranges_in(target), elaborator_, Integer{1} << 62)
            .value_or(expr::Unrolled{});
    }
    /// Calls visit() for each step, with the indices known.
    template <class Visit> void for_each(const expr::Unrolled& ranges, Visit visit) {
        ranges.for_each(elaborator_, [&] {
            visit();
            return true;
        });
    }

    /// A line that assigns so many words of a memory that they stay a loop, as one over ranges.
    std::optional<expr::Statement> word_by_word(const expr::Statement& statement);

    Translator& translator() { return translator_; }
    const std::vector<Variable>& variables() const { return variables_; }
    const std::vector<ModulePort>& ports() const { return ports_; }
    /// Wires that lets and parts of expressions became, in an order in which they can stand.
    const rtl::Items& wires() const { return wires_; }
    bool uses_index(std::size_t dimension) const { return used_indices_.count(dimension) > 0; }
    const std::string& index_name(std::size_t dimension) const { return index_names_[dimension]; }

private:
    void add_indices();
    void add_input(const expr::PortText& port);
    void add_output(const expr::PortText& port);
    /// What a port is read as, or the target that it is: its vectors as parts.
    static Term whole_of(const expr::PortText& port, const TypeRef& type, std::vector<Term> parts);
    /// An output as its readers see it later, which is an input of the module.
    Term add_seen(const expr::PortText& port);
    void add_state(const expr::StateText& state, bool is_memory);
    /// A port of the module, and the term of it (an array of ports where there are several).
    Term add_port(const expr::PortText& port, const std::string& name, const TypeRef& type,
                  bool output, int field, std::uint32_t graph_port);
    Term let(const expr::LetText& text);
    /// Whether the signal that was added last has the name that a let gave it; it gets the let's
    /// comments.
    bool has_named(const expr::LetText& text, const std::string& name);
    /// Whether something is, maybe through wires, what a clock changes: then a simulator runs a
    /// block that reads it.
    bool changes(const ExprRef& value) const;
    bool changes(const Place& place) const;
    /// The target of "x[i, j]" or "x[i][j]": all indices at once, since of a row of a memory only
    /// a copy has elements.
    Term element_target(const expr::Ast& ast);

    const expr::ProcessView& text_;
    ModuleText& module_;
    const std::function<bool(const expr::PortText&)>& delayed_;
    bool packed_; // structs
    expr::Builder builder_;
    Diagnostics quiet_;
    expr::ProcessScope scope_;
    expr::Elaborator elaborator_;
    std::map<std::string, Term> terms_;
    std::map<std::string, Term> targets_;
    std::map<std::string, std::size_t> indices_;
    std::vector<std::string> index_names_;
    std::set<std::size_t> used_indices_;
    std::map<std::string, Term> seen_; // outputs that are read late: by name, added when asked for
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
