// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "native/emit/statement.hpp"

namespace sme::native {

/// Writes a long row of statements as functions of a few hundred each: compilers take much more
/// than twice the time for twice the function. Values that one function needs of another go through
/// a struct.
class FunctionSplitter {
public:
    /// Every function takes `parameter` ("const struct block *b") and begins with `opening`.
    FunctionSplitter(std::string name, std::string parameter, std::string argument,
                     std::string opening)
        : name_{std::move(name)}, parameter_{std::move(parameter)}, argument_{std::move(argument)},
          opening_{std::move(opening)} {}

    void add(Statement statement) { statements_.push_back(std::move(statement)); }
    bool empty() const { return statements_.empty(); }

    /// All functions; the last one is called `name`. It returns 0, or what a statement returned.
    std::string text() const;

    /// Of one function.
    static constexpr std::size_t most_statements = 400;

private:
    std::string whole() const;
    std::string in_parts() const;

    std::string name_, parameter_, argument_, opening_;
    std::vector<Statement> statements_;
};

} // namespace sme::native
