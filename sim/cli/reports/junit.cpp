// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/junit.hpp"

#include <algorithm>
#include <sstream>

namespace sme::cli {

namespace {

/// The length in bytes of the first character of a text, if XML 1.0 allows it; else 0.
std::size_t character(std::string_view text) {
    const auto byte = [&](std::size_t k) -> unsigned {
        return k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
    };
    const unsigned first = byte(0);
    if (first < 0x80)
        return first >= 0x20 || first == '\n' || first == '\t' ? 1 : 0;
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    char32_t code = first & (0x7fu >> size);
    for (std::size_t k = 1; k < size; ++k) {
        if ((byte(k) & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte(k) & 0x3f);
    }
    constexpr char32_t least[] = {0x80, 0x800, 0x10000};
    const bool none = first < 0xc2 || code < least[size - 2] || code > 0x10ffff ||
                      (code >= 0xd800 && code <= 0xdfff) || code == 0xfffe || code == 0xffff;
    return none ? 0 : size;
}

} // namespace

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t size = character(text);
        result += size > 0 ? text.substr(0, size) : "?";
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return result;
}

JunitSuite::JunitSuite(const std::string& name, const Counts& counts) {
    pugi::xml_node head = document_.append_child(pugi::node_declaration);
    head.append_attribute("version") = "1.0";
    head.append_attribute("encoding") = "UTF-8";
    pugi::xml_node suites = document_.append_child("testsuites");
    suite_ = suites.append_child("testsuite");
    suite_.append_attribute("name") = printable(name).c_str();
    for (pugi::xml_node node : {suites, suite_}) {
        node.append_attribute("tests") = counts.tests;
        node.append_attribute("failures") = counts.failures;
        node.append_attribute("errors") = counts.errors;
        node.append_attribute("skipped") = counts.skipped;
    }
}

pugi::xml_node JunitSuite::add_case(const std::string& classname, const std::string& name) {
    pugi::xml_node result = suite_.append_child("testcase");
    result.append_attribute("classname") = printable(classname).c_str();
    result.append_attribute("name") = printable(name).c_str();
    return result;
}

std::string JunitSuite::text() const {
    std::ostringstream text;
    document_.save(text, "  ");
    return text.str();
}

} // namespace sme::cli
