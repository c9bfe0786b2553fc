// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "export/expressions/array_loops.hpp"
#include "export/modules/module_text.hpp"
#include "expr/bound/bound.hpp"

namespace sme::hdl {

/// The context of an expression: a module, or a function in a module.
class EmitContext {
public:
    virtual ~EmitContext() = default;
    /// Returns the meaning of a name here; `nullopt` if the surrounding scope defines it.
    virtual std::optional<HdlValue> find(const std::string& name) = 0;
    /// Returns the value of a let; null if it is no let.
    virtual const expr::BoundExpr* let(const std::string& name) = 0;
    /// Declares a variable that holds a value from here on; `moves`: it differs in each step of the
    /// surrounding loops.
    virtual std::string keep(const std::string& hint, const Type& type, const ExprRef& value,
                             bool moves) = 0;
    virtual ModuleText& module() = 0;

    /// Declares a variable that loops assign; an integer if it has no type.
    virtual std::string variable(const std::string& hint, const Type* type) = 0;
    /// Returns the open loops.
    virtual LoopText& loops() = 0;
    /// Assigns a variable: its start value, then the rest; `moves` as in `keep`.
    virtual void run(rtl::Statement start, rtl::Statements statements, bool moves) = 0;
    virtual Names& names() = 0;
    /// Returns the variable for an index in a loop over array elements.
    virtual std::string element_index(const std::string& index) = 0;
    /// Declares an array and assigns its elements.
    virtual void add(rtl::Elements elements) = 0;
    /// Declares a variable that the statements assign completely on every path.
    virtual void add(rtl::Net variable, rtl::Statements statements) = 0;
};

} // namespace sme::hdl
