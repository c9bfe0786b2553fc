// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sme {

/// Files and commands with their output: "$ command" and the lines below it.
struct Example {
    struct File {
        std::string name;
        std::string text;
    };
    std::vector<File> files;
    std::string session;
};

/// The catalogue entry of a code: its meaning, the reason for the rule, the remedy.
struct Explanation {
    std::string text;    // paragraphs
    Example wrong;       // gets this diagnostic
    Example right;       // gets no diagnostic
    std::string problem; // why the entry is invalid; empty if valid
};

/// Parses a catalogue entry; catalogue/README.md describes the format.
Explanation parse_explanation(std::string_view markdown);

/// Returns the entry of a code by its slug. For an unknown slug, `problem` is set.
Explanation explanation(std::string_view slug);

/// Returns the slugs of all entries, in alphabetical order.
std::vector<std::string_view> explained_slugs();

/// A file of catalogue/, embedded at build time.
struct CatalogueText {
    std::string_view slug;
    std::string_view markdown;
};
std::span<const CatalogueText> catalogue_texts();

} // namespace sme
