// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "export/expressions/loop_text.hpp"
#include "export/modules/module_text.hpp"
#include "expr/program/builder.hpp"
#include "expr/typing/value.hpp"

namespace sme::hdl {

/// Where an expression stands: in a module, or in a function of one.
class Site {
public:
    virtual ~Site() = default;
    /// What a name is here; nothing when it is one of the scope around.
    virtual std::optional<Term> find(const std::string& name) = 0;
    /// As `find`, for those who ask what is known before the run; made with `builder`.
    virtual std::optional<expr::Value> value(const std::string& name) = 0;
    /// The names around: parameters, constants, types and functions.
    virtual expr::Scope& home() = 0;
    virtual expr::Builder& builder() = 0;
    /// A variable that has the value of a text from here on.
    virtual std::string keep(const std::string& hint, const Type& type,
                             const std::string& text) = 0;
    virtual ModuleText& module() = 0;

    /// A variable that loops set; `type` is what stands before its name, "integer ".
    virtual std::string variable(const std::string& hint, const std::string& type) = 0;
    /// The loops around what is written now.
    virtual LoopText& loops() = 0;
    /// Sets a variable: statements for what it begins with, and the rest.
    virtual void run(const std::string& variable, const std::string& start,
                     const std::string& statements) = 0;
};

/// A value of which nothing is known but what it is.
expr::Value opaque(const Term& term, expr::Builder& builder);

} // namespace sme::hdl
