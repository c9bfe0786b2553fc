// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "expr/program/program.hpp"
#include "native/emit/c_text.hpp"
#include "native/ir/routine.hpp"

namespace sme::native {

/// The constant arrays of the network, each one once.
class Tables {
public:
    /// Returns the name of an array with these values.
    std::string name(const expr::Table& table);
    /// The C of the arrays that these functions name.
    std::string text(const std::vector<const std::string*>& functions) const;

    /// Longer tables are not written; kernels find them through `data`.
    static constexpr std::size_t max_values = 4096;

private:
    std::map<std::string, std::size_t> known_; // values → number
    std::vector<std::string> texts_;
};

/// Writes the nodes of a routine as C statements. Nodes get their names when they are written.
class Emitter {
public:
    Emitter(Routine& routine, const Arithmetic& arithmetic)
        : routine_{routine}, arithmetic_{arithmetic}, names_(routine.size()) {}

    /// Writes statements, one or more lines each, with `indent` spaces before each line.
    std::string block(const std::vector<Id>& ids, unsigned indent);
    std::string statement(Id id, unsigned indent);

    /// The C text of a value: a name or a number.
    std::string text(Id id) const;
    /// The values that a statement assigns to names that later statements may use.
    std::vector<Id> defined(Id id) const;
    CType type(Id id) const { return arithmetic_.of(routine_[id].type); }

private:
    const std::string& name(Id id);
    std::string operation(const Node& node) const;
    std::string filled(const Node& node) const;
    std::string loop(const Node& node, unsigned indent);
    std::string branch(const Node& node, unsigned indent);
    std::string arm(const Region& region, bool first, unsigned indent);

    Routine& routine_;
    Arithmetic arithmetic_;
    std::vector<std::string> names_; // by value
};

/// A C function `u64 name(parameter)` that begins with `opening`. It returns 0, or the value that a
/// statement of its body returns.
struct FunctionFrame {
    std::string name;
    std::string parameter; // "const struct block *b"
    std::string argument;  // "b"
    std::string opening;
};

/// The maximum number of statements of one function.
inline constexpr std::size_t max_function_statements = 400;

/// Writes a routine as a function. A long routine becomes several functions of a few hundred
/// statements each, since the time of a compiler grows faster than the length of a function; the
/// last one has the given name. Values used across functions pass through a struct.
std::string split_function(Routine& routine, const Arithmetic& arithmetic,
                           const FunctionFrame& frame);

} // namespace sme::native
