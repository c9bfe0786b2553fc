// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "expr/program/builder.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/functions.hpp"
#include "expr/typing/scope.hpp"

namespace sme::yaml {

/// The names visible to every expression of a network: parameters, constants and types.
class NetworkScope final : public expr::Scope {
public:
    explicit NetworkScope(expr::Fuel& fuel) : fuel_{fuel} {}

    expr::Fuel& fuel() override { return fuel_; }
    /// Charges the fuel of the file; false if too little is left, which is reported once.
    bool spend(std::uint64_t units, const Location& where, Diagnostics& diagnostics);

    const expr::BoundExpr* find(const std::string& name) override;
    TypeRef find_type(const std::string& name) override;
    const expr::Function* find_function(const std::string& name) override;
    void function_names(std::vector<std::string>& into) const override;
    std::optional<TypeRef> make_type(const std::string& name, const std::vector<TypeRef>& arguments,
                                     const Location& where) override;
    void names(std::vector<std::string>& into) const override;
    void type_names(std::vector<std::string>& into) const override;
    std::string kind_of(const std::string& name) const override;
    std::string why_no_value(const std::string& name, std::string_view section) const override;

    /// Declares a name of the network; reports a duplicate. `kind` is as in `kind_of`.
    bool declare(const std::string& name, const Location& where, std::string kind,
                 Diagnostics& diagnostics);
    /// Reports a name inside a process that the network already has.
    bool check_hiding(const std::string& name, const Location& where, Diagnostics& diagnostics);

    void set_value(const std::string& name, expr::BoundExpr value) {
        values_[name] = std::move(value);
    }
    void drop_value(const std::string& name) { values_.erase(name); }
    void set_type(const std::string& name, TypeRef type) { types_[name] = std::move(type); }
    /// Sets a member of an enumeration; using it marks its type as used.
    void set_member(const Member& member, const TypeRef& type, const std::string& type_name);
    void set_function(expr::FunctionRef function);
    void drop_type(const std::string& name) { types_.erase(name); }
    /// Makes a type from a type with parameters, `Stream(T)`, and its arguments; null after
    /// reporting an error in them.
    using MakeType =
        std::function<TypeRef(const std::vector<TypeRef>& arguments, const Location& where)>;
    void set_generic(const std::string& name, MakeType make) { generics_[name] = std::move(make); }
    void set_file(const std::string& name, std::string path) { files_[name] = std::move(path); }
    /// Returns the path of a file parameter, ready to open, or null.
    const std::string* find_file(const std::string& name);

    /// Imports all values and types of another scope; reports duplicate names.
    void import(NetworkScope& library, Diagnostics& diagnostics);

    /// While an object of this class exists, lookups do not mark names as used.
    class Glance {
    public:
        explicit Glance(NetworkScope& scope) : scope_{scope}, used_{scope.used_} {}
        ~Glance() { scope_.used_.swap(used_); }
        Glance(const Glance&) = delete;
        Glance& operator=(const Glance&) = delete;

    private:
        NetworkScope& scope_;
        std::set<std::string> used_;
    };

    /// Returns unused values and types of this scope, with their declarations.
    std::vector<std::pair<std::string, Location>> unused() const;

private:
    std::map<std::string, expr::BoundExpr> values_;
    std::map<std::string, TypeRef> types_;
    std::map<std::string, expr::FunctionRef> functions_;
    std::map<std::string, MakeType> generics_;
    std::map<std::string, std::string> files_;
    struct Declared {
        Location where;
        std::string kind;
    };
    std::map<std::string, Declared> declared_;
    std::map<std::string, std::string> members_; // for enumerations: member to type name
    std::set<std::string> used_;
    std::set<std::string> imported_;
    expr::Fuel& fuel_; // fuel of the whole network
};

/// Evaluates constants, with a temporary builder.
class Constants {
public:
    Constants(NetworkScope& scope, Diagnostics& diagnostics)
        : elaborator_{builder_, scope, diagnostics} {}
    expr::Elaborator& elaborator() { return elaborator_; }
    expr::Builder& builder() { return builder_; }

private:
    expr::Builder builder_;
    expr::Elaborator elaborator_;
};

/// Returns Stream(T) of std/stream.yaml, which is also the end of a channel of T.
TypeRef stream_of(const TypeRef& message);

/// The names of Stream and Valid for buses generated from channels; no user name can collide with
/// them.
inline constexpr const char* stream_name = ".Stream";
inline constexpr const char* valid_name = ".Valid";
void declare_streams(NetworkScope& scope);

} // namespace sme::yaml
