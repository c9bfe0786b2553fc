// SPDX-License-Identifier: Apache-2.0
#include "export/modules/condition_chain.hpp"

#include <optional>
#include <vector>

#include "export/expressions/loop_text.hpp"

namespace sme::hdl {

namespace {

/// "if (a) begin … end else begin … end", taken apart.
struct ConditionChain {
    std::string notes; // comments above it
    std::vector<std::string> heads;
    std::vector<std::string> bodies;

    std::string text(const std::string& indent) const {
        std::string made = notes;
        for (std::size_t k = 0; k < heads.size(); ++k)
            made += indent + (k == 0 ? "" : "end else ") + heads[k] + "begin\n" + bodies[k];
        return made + indent + "end\n";
    }
};

/// Nothing where the statements are anything but one chain.
std::optional<ConditionChain> chain_of(const std::string& statements, const std::string& indent) {
    ConditionChain made;
    bool ended = false;
    for (std::size_t begin = 0; begin < statements.size();) {
        const std::size_t end = statements.find('\n', begin) + 1;
        const std::string line = statements.substr(begin, end - begin);
        begin = end;
        const std::string own = line.substr(std::min(indent.size(), line.size()));
        const bool opens = own.ends_with(" begin\n");
        const std::string head = opens ? own.substr(0, own.size() - 6) : std::string{};
        if (ended)
            return std::nullopt;
        if (made.heads.empty() && own.starts_with("// "))
            made.notes += line;
        else if (opens && made.heads.empty() && own.starts_with("if ("))
            made.heads.push_back(head);
        else if (opens && !made.heads.empty() && own.starts_with("end else "))
            made.heads.push_back(head.substr(9));
        else if (own == "end\n" && !made.heads.empty())
            ended = true;
        else if (!made.heads.empty() && own.starts_with(" "))
            made.bodies.back() += line;
        else
            return std::nullopt;
        made.bodies.resize(made.heads.size());
    }
    return ended ? std::optional{made} : std::nullopt;
}

} // namespace

void add_statements(std::string& text, const std::string& statements, const std::string& indent) {
    const std::size_t last = text.rfind("\n" + indent + "if (");
    const std::size_t at = last != std::string::npos           ? last + 1
                           : text.starts_with(indent + "if (") ? 0
                                                               : std::string::npos;
    if (at == std::string::npos) {
        text += statements;
        return;
    }
    auto before = chain_of(text.substr(at), indent);
    const auto behind = chain_of(statements, indent);
    if (!before || !behind || before->heads != behind->heads) {
        text += statements;
        return;
    }
    for (std::size_t k = 0; k < before->bodies.size(); ++k) {
        if (k == 0)
            before->bodies[k] += indented(behind->notes, "    ");
        before->bodies[k] += behind->bodies[k];
    }
    text.erase(at);
    text += before->text(indent);
}

} // namespace sme::hdl
