// SPDX-License-Identifier: Apache-2.0
#include "export/modules/block_ram.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "export/modules/names.hpp"

namespace sme::hdl {

namespace {

/// Where "memory[" stands in a line; npos when it does not.
std::size_t find_word(std::string_view line, const std::string& memory) {
    for (std::size_t at = line.find(memory + "["); at != std::string_view::npos;
         at = line.find(memory + "[", at + 1))
        if (at == 0 || !is_name_char(line[at - 1]))
            return at;
    return std::string_view::npos;
}

/// The last name before a place: "    wire [7:0] word" gives "word".
std::string name_before(std::string_view line) {
    if (const std::size_t bracket = line.find('[', line.find_last_of(' ') + 1);
        bracket != std::string_view::npos)
        line = line.substr(0, bracket);
    std::size_t begin = line.size();
    while (begin > 0 && is_name_char(line[begin - 1]))
        --begin;
    return std::string{line.substr(begin)};
}

/// "memory[…];" and nothing else.
bool is_whole_word(std::string_view value, const std::string& memory) {
    if (find_word(value, memory) != 0)
        return false;
    int depth = 0;
    for (std::size_t at = memory.size(); at < value.size(); ++at) {
        depth += value[at] == '[' ? 1 : value[at] == ']' ? -1 : 0;
        if (depth == 0)
            return value.substr(at + 1) == ";";
    }
    return false;
}

/// The wires and registers that use a word of a memory in the cycle of its address, in the order of
/// the text. A register that takes the word as it is does not: that is how block RAM reads.
std::vector<std::string> same_cycle_reads(const std::string& text, const std::string& memory) {
    std::vector<std::string> found;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view{text}.substr(begin, end - begin);
        begin = end + 1;
        const bool is_register = line.find(" <= ") != std::string_view::npos;
        const std::size_t sign = is_register ? line.find(" <= ") : line.find(" = ");
        if (sign == std::string_view::npos)
            continue;
        const std::string_view value = line.substr(sign + (is_register ? 4 : 3));
        if (find_word(value, memory) == std::string_view::npos ||
            (is_register && is_whole_word(value, memory)))
            continue;
        std::string name = name_before(line.substr(0, sign));
        if (name != memory && std::find(found.begin(), found.end(), name) == found.end())
            found.push_back(std::move(name));
    }
    return found;
}

} // namespace

std::vector<std::string> block_ram_hints(const std::string& process,
                                         const std::vector<Variable>& variables,
                                         const ProcessFamily& family, const std::string& text) {
    constexpr std::uint64_t worth = 2048; // bits
    std::vector<std::string> hints;
    for (const Variable& each : variables) {
        if (!each.is_memory || family.memories[each.state->memory].words * each.bits() < worth)
            continue;
        if (const auto reads = same_cycle_reads(text, each.name); !reads.empty())
            hints.push_back(
                fmt::format("'{}' of '{}' is read within a cycle, by '{}'; block RAM needs a state "
                            "that takes the word as it is",
                            each.state->name, process, fmt::join(reads, "', '")));
    }
    return hints;
}

} // namespace sme::hdl
