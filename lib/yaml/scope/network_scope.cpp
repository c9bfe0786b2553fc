// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/network_scope.hpp"

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::yaml {

using expr::BoundExpr;

const expr::BoundExpr* NetworkScope::find(const std::string& name) {
    const auto found = values_.find(name);
    if (found == values_.end())
        return nullptr;
    used_.insert(name);
    if (const auto member = members_.find(name); member != members_.end())
        used_.insert(member->second);
    return &found->second;
}

void NetworkScope::set_member(const Member& member, const TypeRef& type,
                              const std::string& type_name) {
    set_value(member.name, expr::member_named(type, member.value));
    members_[member.name] = type_name;
}

TypeRef NetworkScope::find_type(const std::string& name) {
    const auto found = types_.find(name);
    if (found == types_.end())
        return nullptr;
    used_.insert(name);
    return found->second;
}

const expr::Function* NetworkScope::find_function(const std::string& name) {
    const auto found = functions_.find(name);
    if (found == functions_.end())
        return nullptr;
    used_.insert(name);
    return found->second.get();
}

void NetworkScope::set_function(expr::FunctionRef function) {
    const std::string name = function->name;
    functions_[name] = std::move(function);
}

void NetworkScope::function_names(std::vector<std::string>& into) const {
    for (const auto& [name, function] : functions_)
        into.push_back(name);
}

std::optional<TypeRef> NetworkScope::make_type(const std::string& name,
                                               const std::vector<TypeRef>& arguments,
                                               const Location& where) {
    const auto found = generics_.find(name);
    if (found == generics_.end())
        return std::nullopt;
    used_.insert(name);
    return found->second(arguments, where);
}

const std::string* NetworkScope::find_file(const std::string& name) {
    const auto found = files_.find(name);
    if (found == files_.end())
        return nullptr;
    used_.insert(name);
    return &found->second;
}

bool NetworkScope::spend(std::uint64_t units, const Location& where, Diagnostics& diagnostics) {
    if (!fuel_.reported && fuel_.spend(units))
        return true;
    if (!fuel_.reported)
        diagnostics.add(Code::too_large, where,
                        "loading all this takes longer than any network may; use smaller families "
                        "and arrays, and indices of the form 'k + 1' or '(k + 1) % n'");
    fuel_.reported = true;
    return false;
}

void NetworkScope::names(std::vector<std::string>& into) const {
    for (const auto& [name, value] : values_)
        into.push_back(name);
}

void NetworkScope::type_names(std::vector<std::string>& into) const {
    for (const auto& [name, type] : types_)
        into.push_back(name);
    for (const auto& [name, make] : generics_)
        into.push_back(name);
}

void NetworkScope::import(NetworkScope& library, Diagnostics& diagnostics) {
    for (const auto& [name, own] : library.declared_) {
        if (library.imported_.count(name)) // imports are not transitive
            continue;
        const auto known = declared_.find(name);
        if (known != declared_.end() && known->second.where.source == own.where.source &&
            known->second.where.begin == own.where.begin)
            continue; // imported twice
        if (!declare(name, own.where, own.kind, diagnostics))
            continue;
        imported_.insert(name);
        if (const auto value = library.values_.find(name); value != library.values_.end())
            values_.insert(*value);
        if (const auto type = library.types_.find(name); type != library.types_.end())
            types_.insert(*type);
        if (const auto generic = library.generics_.find(name); generic != library.generics_.end())
            generics_.insert(*generic);
        if (const auto function = library.functions_.find(name);
            function != library.functions_.end())
            functions_.insert(*function);
    }
}

std::string NetworkScope::kind_of(const std::string& name) const {
    const auto found = declared_.find(name);
    return found == declared_.end() ? std::string{} : found->second.kind;
}

std::string NetworkScope::why_no_value(const std::string& name, std::string_view) const {
    return expr::is_bus(kind_of(name))
               ? fmt::format("'{}' is {}, which has no value before the run", name, kind_of(name))
               : std::string{};
}

bool NetworkScope::declare(const std::string& name, const Location& where, std::string kind,
                           Diagnostics& diagnostics) {
    const auto [known, fresh] = declared_.try_emplace(name, Declared{where, std::move(kind)});
    if (!fresh)
        diagnostics.add(Code::duplicate_name, where, fmt::format("'{}' is declared twice", name))
            .note(known->second.where, "it is declared here, too");
    return fresh;
}

bool NetworkScope::check_hiding(const std::string& name, const Location& where,
                                Diagnostics& diagnostics) {
    if (!values_.count(name) && !types_.count(name) && !files_.count(name) &&
        !functions_.count(name) && !generics_.count(name))
        return true;
    diagnostics
        .add(Code::duplicate_name, where,
             fmt::format("'{}' is already {}, and names hide nothing", name, kind_of(name)))
        .note(declared_[name].where, "it is declared here");
    return false;
}

std::vector<std::pair<std::string, Location>> NetworkScope::unused() const {
    std::vector<std::pair<std::string, Location>> found;
    for (const auto& [name, own] : declared_)
        if ((values_.count(name) || types_.count(name) || files_.count(name) ||
             functions_.count(name) || generics_.count(name)) &&
            !members_.count(name) && !used_.count(name) && !imported_.count(name))
            found.emplace_back(name, own.where);
    return found;
}

} // namespace sme::yaml
