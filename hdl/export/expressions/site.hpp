// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "export/expressions/loop_text.hpp"
#include "export/modules/module_text.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::hdl {

/// Where an expression stands: in a module, or in a function of one.
class Site {
public:
    virtual ~Site() = default;
    /// What a name is here; nothing when it is one of the scope around.
    virtual std::optional<Term> find(const std::string& name) = 0;
    /// Tells what expressions mean here; it keeps trees.
    virtual expr::Elaborator& elaborator() = 0;
    /// A variable that has a value from here on; `moves` tells that it is another one in each step
    /// of the loops around.
    virtual std::string keep(const std::string& hint, const Type& type, const ExprRef& value,
                             bool moves) = 0;
    virtual ModuleText& module() = 0;

    /// A variable that loops set; without a type, it is an integer.
    virtual std::string variable(const std::string& hint, const Type* type) = 0;
    /// The loops around what is written now.
    virtual LoopText& loops() = 0;
    /// Sets a variable: what it begins with, and the rest; `moves` as in `keep`.
    virtual void run(rtl::Statement start, rtl::Statements statements, bool moves) = 0;
    virtual Names& names() = 0;
    /// The variable of the loops over elements of arrays that an index stands for.
    virtual std::string element_index(const std::string& index) = 0;
    /// Declares an array and assigns its elements.
    virtual void add(rtl::Elements elements) = 0;
    /// Declares a variable that statements set, all of it whatever they choose.
    virtual void add(rtl::Net variable, rtl::Statements statements) = 0;
};

/// Values of which nothing is known but what they are: one that is like another, and a number.
expr::Value unknown_like(const expr::Value& value, expr::Builder& builder);
expr::Value unknown(Integer low, Integer high, expr::Builder& builder);

} // namespace sme::hdl
