// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "export/rtl/module.hpp"

namespace sme::hdl::vhdl {

/// Returns a VHDL spelling for the name of an external item: "Sum" or "\sum_\". A name that differs
/// from another in `all` only by case becomes an extended identifier.
std::string exact_name(const std::string& name, const std::vector<std::string>& all);

/// The identifiers of modules in VHDL, which ignores case and allows underscores only between other
/// characters. A name that VHDL does not allow, or that differs from another one only by case, is
/// changed or becomes an extended identifier: "\Sum\".
class Names {
public:
    explicit Names(const std::vector<rtl::Module>& modules);

    const std::string& of(const std::string& name) const;
    /// Returns an unused name.
    std::string fresh(const std::string& wanted);

private:
    void add(const std::string& name);

    std::set<std::string> all_; // names before their translation to VHDL
    std::map<std::string, std::string> known_;
    std::set<std::string> taken_;    // in lower case
    std::set<std::string> extended_; // identifiers
};

} // namespace sme::hdl::vhdl
