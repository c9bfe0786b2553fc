// SPDX-License-Identifier: Apache-2.0
#include "native/emit/function_splitter.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

namespace sme::native {

namespace {

std::string line_of(const Statement& statement) {
    return (statement.comment.empty() ? "" : "    /* " + statement.comment + " */\n") +
           statement.lines("    ");
}

/// What a statement gives values to.
std::vector<std::pair<std::string, CType>> values_of(const Statement& statement) {
    std::vector<std::pair<std::string, CType>> made = statement.also;
    if (!statement.name.empty())
        made.emplace_back(statement.name, statement.type);
    return made;
}

} // namespace

std::string FunctionSplitter::text() const {
    return statements_.size() <= most_statements + most_statements / 2 ? whole() : in_parts();
}

std::string FunctionSplitter::whole() const {
    std::string made = fmt::format("u64 {}({})\n{{\n{}", name_, parameter_, opening_);
    for (const Statement& statement : statements_)
        made += line_of(statement);
    return made + "    return 0;\n}\n";
}

std::string FunctionSplitter::in_parts() const {
    std::map<std::string, std::size_t> defined; // name → function
    std::map<std::string, CType> shared;
    for (std::size_t k = 0; k < statements_.size(); ++k) {
        const std::size_t part = k / most_statements;
        for (const std::string& used : statements_[k].uses)
            if (const auto found = defined.find(used);
                found != defined.end() && found->second != part)
                shared.try_emplace(used);
        for (const auto& [name, type] : values_of(statements_[k]))
            defined[name] = part;
    }
    for (const Statement& statement : statements_)
        for (const auto& [name, type] : values_of(statement))
            if (const auto found = shared.find(name); found != shared.end())
                found->second = type;
    std::string fields, functions, calls;
    for (const auto& [name, type] : shared)
        fields += fmt::format("    {} {};\n", type.name(), name);
    for (std::size_t first = 0; first < statements_.size(); first += most_statements) {
        const std::size_t part = first / most_statements;
        std::set<std::string> imported;
        std::string body;
        for (std::size_t k = first; k < statements_.size() && k < first + most_statements; ++k) {
            const Statement& statement = statements_[k];
            for (const std::string& used : statement.uses)
                if (const auto found = shared.find(used); found != shared.end() &&
                                                          defined.at(used) != part &&
                                                          imported.insert(used).second)
                    body +=
                        fmt::format("    const {0} {1} = t->{1};\n", found->second.name(), used);
            body += line_of(statement);
            for (const auto& [name, type] : values_of(statement))
                if (shared.contains(name))
                    body += fmt::format("    t->{0} = {0};\n", name);
        }
        functions += fmt::format("static __attribute__((noinline)) u64 _part{1}_of_{0}({2}, struct "
                                 "{0}_values *t)\n{{\n{3}{4}    return 0;\n}}\n\n",
                                 name_, part + 1, parameter_, opening_, body);
        calls += fmt::format("    if ((stopped = _part{1}_of_{0}({2}, &t))) return stopped;\n",
                             name_, part + 1, argument_);
    }
    if (fields.empty())
        fields = "    u8 none;\n";
    return fmt::format("struct {0}_values {{\n{1}}};\n\n{2}u64 {0}({3})\n{{\n    struct {0}_values "
                       "t;\n    u64 stopped;\n{4}    return 0;\n}}\n",
                       name_, fields, functions, parameter_, calls);
}

} // namespace sme::native
