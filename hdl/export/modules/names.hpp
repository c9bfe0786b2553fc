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

    /// Takes a name; adds a suffix if the name is taken or a word of Verilog or SystemVerilog
    /// (which Verilator reads).
    std::string take(const std::string& wanted);
    bool has(const std::string& name) const {
        return taken_.count(name) > 0 || (outer_ && outer_->has(name));
    }

private:
    const Names* outer_;
    std::set<std::string> taken_;
    std::map<std::string, int> next_; // by taken name: the next number to try
};

/// Tests whether a Verilog tool reserves a word.
bool is_keyword(const std::string& word);
/// Returns the words of a text, separated by spaces and newlines.
std::set<std::string, std::less<>> words_of(std::string_view text);
/// Returns a name for a port of the top module that avoids Verilator's warning about C++ words.
std::string top_port(const std::string& name);
/// Returns a name of a network, which may contain dots, as a Verilog name.
std::string identifier(std::string name);

} // namespace sme::hdl
