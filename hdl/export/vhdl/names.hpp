// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "export/rtl/module.hpp"

namespace sme::hdl::vhdl {

/// The name of something that is not written here, as VHDL can say it: "Sum" or "\sum_\". What
/// differs by capitals only from another of `all` needs them.
std::string exact_name(const std::string& name, const std::vector<std::string>& all);

/// The identifiers of modules in VHDL, where capitals make no difference and underscores stand
/// between other characters only. A name that is none of VHDL, or differs from another one by
/// capitals only, is changed or becomes an extended identifier: "\Sum\".
class Names {
public:
    explicit Names(const std::vector<rtl::Module>& modules);

    const std::string& of(const std::string& name) const;
    /// A name that nothing has yet.
    std::string fresh(const std::string& wanted);

private:
    void add(const std::string& name);

    std::set<std::string> all_; // before they are given one of VHDL
    std::map<std::string, std::string> known_;
    std::set<std::string> taken_;    // in small letters
    std::set<std::string> extended_; // identifiers
};

} // namespace sme::hdl::vhdl
