// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "yaml/fuzz/make/rhs_maker.hpp"

namespace sme::fuzz {

using Files = std::vector<std::pair<std::string, std::string>>;

/// Generates the declarations of a file before its buses: types, constants, functions. All of them
/// can be followed.
class DeclarationMaker {
public:
    DeclarationMaker(Maker& maker, Env& constants, Files& files, bool disk)
        : m_{maker}, c_{maker.choices}, constants_{constants}, files_{files}, disk_{disk} {}

    /// Returns a section and adds its declarations to `names`.
    Lines types(Names& names);
    Lines constants(Names& names);
    Lines functions(Names& names);
    /// Adds parameters of a network (numbers, types, files) and their requirements.
    Lines parameters(Names& names);

private:
    std::string field_type(const Names& names, TypeOf& type);
    void enumeration(Names& names, Lines& lines);
    void structure(Names& names, Lines& lines);
    void generic(Names& names, Lines& lines);
    void alias(Names& names, Lines& lines);
    void constant(Names& names, Lines& lines);
    void constant_file(Names& names, Lines& lines);
    void declare(Names& names, const std::string& name, const TypeOf& type, const Bits& value);
    std::string list(const TypeOf& type, Names& names, Bits& all);
    void function(Names& names, Lines& lines);

    Maker& m_;
    Choices& c_;
    Env& constants_;
    Files& files_;
    bool disk_; // constants may come from files
};

} // namespace sme::fuzz
