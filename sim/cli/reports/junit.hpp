// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pugixml.hpp>

namespace sme::cli {

/// Replaces characters that XML 1.0 does not allow with '?'.
std::string printable(std::string_view text);

/// A report in JUnit XML, with one suite.
class JunitSuite {
public:
    struct Counts {
        std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
    };
    JunitSuite(const std::string& name, const Counts& counts);

    pugi::xml_node add_case(const std::string& classname, const std::string& name);
    std::string text() const;

private:
    pugi::xml_document document_;
    pugi::xml_node suite_;
};

} // namespace sme::cli
