// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>

#include "yaml/test/described.hpp"

namespace sme::test {

inline SourceRef source_of(const std::string& path, const std::string& text) {
    return std::make_shared<Source>(path, text);
}

/// Prints a loaded network, loads the result from the working directory, and compares.
inline void check_same(const LoadedText& loaded) {
    const std::string& text = loaded.printed;
    CAPTURE(text);
    const LoadedText again = load_described("", source_of("printed.yaml", text));
    INFO(render(again.diagnostics));
    REQUIRE(again.design.has_value());
    CHECK(difference(loaded, again) == "");
    CHECK(again.printed == text);
    CHECK(again.diagnostics.warnings() <= loaded.diagnostics.warnings());
}

inline std::string printed(const std::string& text, const std::string& path = "test.yaml",
                           const std::map<std::string, std::string>& parameters = {}) {
    const LoadedText loaded = load_described("", source_of(path, text), parameters);
    INFO(render(loaded.diagnostics));
    REQUIRE(loaded.design.has_value());
    check_same(loaded);
    return loaded.printed;
}

} // namespace sme::test
