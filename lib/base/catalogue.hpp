// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sme {

/// Files, and commands with what they print: "$ command" and the lines below it.
struct Example {
    struct File {
        std::string name;
        std::string text;
    };
    std::vector<File> files;
    std::string session;
};

/// What the catalogue says about one code: what it means, why there is such a rule, what to do.
struct Explanation {
    std::string text;    // paragraphs
    Example wrong;       // gets this diagnostic
    Example right;       // gets none
    std::string problem; // why the entry is none; empty for a good one
};

/// An entry of the catalogue as it is written: catalogue/README.md says how.
Explanation parse_explanation(std::string_view markdown);

/// The entry of a code by its slug. An unknown one has a problem.
Explanation explanation(std::string_view slug);

/// The slugs of all entries, in alphabetical order.
std::vector<std::string_view> explained_slugs();

/// The files of catalogue/, embedded when this is built.
struct CatalogueText {
    std::string_view slug;
    std::string_view markdown;
};
std::span<const CatalogueText> catalogue_texts();

} // namespace sme
