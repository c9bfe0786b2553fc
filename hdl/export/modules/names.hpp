// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace sme::hdl {

/// The identifiers of a module, or of a function in it.
class Names {
public:
    explicit Names(const Names* outer = nullptr) : outer_{outer} {}

    /// Takes a name as it is, or with something behind it when it is taken, or a word of Verilog or
    /// SystemVerilog (which Verilator reads).
    std::string take(const std::string& wanted);
    bool has(const std::string& name) const {
        return taken_.count(name) > 0 || (outer_ && outer_->has(name));
    }

private:
    const Names* outer_;
    std::set<std::string> taken_;
    std::map<std::string, int> next_; // by a name that is taken: the number to try first
};

/// Whether a tool that reads Verilog has a word for itself.
bool is_keyword(const std::string& word);
/// The words of a text, between blanks and line ends.
std::set<std::string, std::less<>> words_of(std::string_view text);
/// What a port of the top module is called, so that Verilator does not warn of a word of C++.
std::string top_port(const std::string& name);
/// A name of a network, which may have dots, as one of Verilog.
std::string identifier(std::string name);

} // namespace sme::hdl
