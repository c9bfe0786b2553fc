// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "expr/syntax/ast.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Adds buses with a constant value and no writer, for a port bound to a value instead of a bus.
/// `shape` is the shape of the bus family in the graph, `members` that of the instances, each of
/// which has `each` elements. `value` has been read without errors. Null after an error was
/// reported.
const BusFamily* add_constant_bus(const ValueSyntax& value, const std::string& port,
                                  std::string name, const TypeRef& type, Shape shape,
                                  const Shape& members, std::uint64_t each, Context& context);

/// Returns true if an input is bound to a value: a map, a list, or an expression that does not
/// begin with the name of a bus.
bool is_constant_value(const ValueSyntax& value, Context& context);

/// Computes the bus element that each instance of a family of processes is bound to, from the index
/// expressions of the binding.
///
/// An expression built from the innermost index with + − * % and / by constants is represented as
/// pieces of straight lines, so the cost does not grow with the family; other expressions are
/// evaluated for each instance.
class Binder {
public:
    Binder(NetworkScope& scope, Diagnostics& diagnostics)
        : scope_{scope}, diagnostics_{diagnostics} {}

    /// Returns the map from family member to position in the view. `fixed` holds indices with one
    /// value (those of array ports); `port` is the name of the port. `nullopt` after an error was
    /// reported.
    std::optional<Segments> bind(const BusView& bus, const expr::Ast& where,
                                 const std::vector<expr::AstRef>& indices, const Shape& shape,
                                 const std::map<std::string, Integer>& fixed);

private:
    /// Values on a line over a run of the innermost index.
    struct Piece {
        std::uint64_t count;
        Integer offset;
        Integer stride;
    };
    using Pieces = std::vector<Piece>;

    std::optional<Pieces> pieces(const expr::Ast& ast, const Shape::Dimension& inner);
    std::optional<Pieces> one_by_one(const expr::Ast& ast, const Shape::Dimension& inner);
    std::optional<Pieces> evaluated(const expr::Ast& ast, const Shape::Dimension& inner);
    static Pieces combined(const Pieces& a, const Pieces& b, int sign);
    static std::optional<Pieces> scaled(const Pieces& a, const Pieces& b);
    template <class Add> static bool cut(const Piece& piece, Integer by, Add add);
    static std::optional<Pieces> remainder(const Pieces& a, Integer by);
    static std::optional<Pieces> quotient(const Pieces& a, Integer by);
    std::optional<Pieces> place(const BusView& bus, const std::vector<expr::AstRef>& indices,
                                const Shape::Dimension& inner);
    bool check_range(const Pieces& values, const BusView& bus, std::size_t dimension,
                     const expr::Ast& ast);

    NetworkScope& scope_;
    Diagnostics& diagnostics_;
    std::map<std::string, Integer> known_;
};

} // namespace sme::yaml
