// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace sme::trace {

/// The name with everything but A-Z, a-z, 0-9 and _ replaced by _: what viewers accept.
std::string sanitised(std::string_view name);

/// The name as it may stand in a comment: nothing in it ends the comment or the line.
std::string for_comment(std::string_view name);

/// The short name of a signal in the value changes: base 94, '!' to '~', least significant digit
/// first, dense and increasing.
std::string identifier(std::uint32_t signal);

/// An index at the end of a name: "_3", "_m1" for −1.
void append_index(std::string& name, std::int64_t index);

/// The names of one scope. Members of a family are never stored: a family keeps all names that
/// consist of its own and of numbers.
class NameSet {
public:
    /// Takes a name for a single thing: the one that is wanted, or one made from it.
    std::string place(const std::string& wanted);
    /// Takes a name for a family, to which indices are appended.
    std::string place_family(const std::string& wanted);

private:
    bool is_free(const std::string& name) const;
    bool is_free_for_family(const std::string& name) const;
    void block_families(const std::string& name);

    std::unordered_set<std::string> singles_;
    std::unordered_set<std::string> families_;
    std::unordered_set<std::string> blocked_; // as names of families
};

} // namespace sme::trace
