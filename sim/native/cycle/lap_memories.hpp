// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "native/emit/part_writer.hpp"
#include "native/emit/statement.hpp"

namespace sme::native {

/// Which memories a lap uses, and how: small ones whose words are all known by number are variables
/// of the function, like registers.
class LapMemories {
public:
    explicit LapMemories(Names& names) : names_{names} {}

    /// All that a step of one instance uses, or of all instances; then `decide`; before anything is
    /// written.
    void look(const Subject& subject, const expr::PartProgram& part, std::uint64_t position);
    void look(const Subject& subject, const expr::PartProgram& part);
    /// Which of them become variables.
    void decide();

    /// The words of a memory that an instance sees.
    struct Words {
        const std::byte* begin;
        std::size_t bytes;
        /// Whether they have a byte in common.
        bool meet(const Words& other) const {
            const std::less<const std::byte*> before{};
            return before(other.begin, begin + bytes) && before(begin, other.begin + other.bytes);
        }
    };
    static Words words_of(const Subject& subject, std::uint32_t memory, std::uint64_t position);

    /// Whether these words are variables.
    bool has_variables(const Words& words) const;
    /// The scalar at an offset in them, which `base` points to: its variable.
    std::string variable(const Words& words, std::size_t offset, CType type,
                         const std::string& base, bool written);

    /// Whether nothing else that was looked at reaches into these bytes.
    bool is_alone(const std::byte* begin, std::size_t bytes) const;

    /// Whether each variable is of one type.
    bool is_fit() const { return fit_; }
    std::string before() const;
    std::string after() const;

private:
    static constexpr std::size_t most_variables = 256; // a compiler takes long for more

    struct Use {
        const std::byte* begin;
        std::size_t bytes;
        std::size_t scalars;
        bool by_number; // all words that are read or written are constants
        bool variables = false;
    };
    struct Variable {
        std::string name;
        CType type;
        std::string place; // in memory
        bool written = false;
    };
    void add(Use use);

    Names& names_;
    std::vector<Use> uses_;
    std::vector<Variable> variables_;                 // in the order in which they are first used
    std::map<const std::byte*, std::size_t> numbers_; // by place
    bool fit_ = true;
};

} // namespace sme::native
