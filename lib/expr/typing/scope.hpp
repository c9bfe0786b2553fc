// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/source.hpp"
#include "expr/bound/bound.hpp"
#include "expr/bound/fuel.hpp"

namespace sme::expr {

/// Tries to elaborate something. Its diagnostics are not shown, and neither is it noted that the
/// fuel ran out, so that this is reported elsewhere.
class Trial {
public:
    explicit Trial(Fuel& fuel) : fuel_{fuel}, reported_{fuel.reported} {}
    ~Trial() { fuel_.reported = reported_; }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    Diagnostics diagnostics;

private:
    Fuel& fuel_;
    bool reported_;
};

/// Remembers values of earlier cycles.
class History {
public:
    virtual ~History() = default;
    /// The maximum number of cycles to look back.
    static constexpr std::uint64_t max_cycles = 65'536;
    /// Returns a typed value as of `cycles` cycles ago, 1 to `max_cycles`; zero before cycle 0. If
    /// it needs too much memory, reports that and returns a broken value.
    virtual BoundExpr past(const BoundExpr& value, std::uint64_t cycles, const Location& where) = 0;
};

/// Returns true for the kinds of names whose values a process reads and writes by its ports.
constexpr bool is_bus(std::string_view kind) {
    return kind == "a bus" || kind == "a port";
}

/// The names visible to an expression.
class Scope {
public:
    virtual ~Scope() = default;
    /// The fuel that all scopes of one file share.
    virtual Fuel& fuel() { return own_fuel_; }
    /// Returns the value of a name, or null if unknown. A broken value has been reported.
    virtual const BoundExpr* find(const std::string& name) = 0;
    /// Returns the type of a name, or null.
    virtual TypeRef find_type(const std::string& name) = 0;
    /// Returns the function of a name, or null.
    virtual const Function* find_function(const std::string&) { return nullptr; }
    /// Returns the type `name(arguments)`: `nullopt` if no generic type has that name, null if the
    /// arguments do not fit, which has been reported.
    virtual std::optional<TypeRef> make_type(const std::string&, const std::vector<TypeRef>&,
                                             const Location&) {
        return std::nullopt;
    }
    /// Returns true if random(T) is allowed here: inside a process.
    virtual bool allows_random() const { return false; }
    /// Returns the history for past values in checks, else null.
    virtual History* history() { return nullptr; }
    /// Adds all names, for "did you mean".
    virtual void names(std::vector<std::string>& into) const = 0;
    virtual void type_names(std::vector<std::string>&) const {}
    virtual void function_names(std::vector<std::string>&) const {}
    /// Returns the kind of a name declared in the network: "a bus", "a port", "a constant", "a
    /// member of Phase". Empty for other names.
    virtual std::string kind_of(const std::string&) const { return {}; }
    /// Explains a bus or a port that has no value here: "'y' is a bus, but 'p' does not list it
    /// under 'in'", with `section` as the last word. Empty for other names.
    virtual std::string why_no_value(const std::string&, std::string_view) const { return {}; }

private:
    Fuel own_fuel_;
};

} // namespace sme::expr
