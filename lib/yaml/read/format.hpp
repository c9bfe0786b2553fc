// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sme::yaml {

struct Form;

/// A key that a section may have: what the loader accepts, what messages list and what the schema
/// says. `format.cpp` holds all of them.
struct Key {
    std::string_view name;
    std::string_view meaning;   // one line: an editor shows it
    const Form* form = nullptr; // what may follow; null: anything
    bool required = false;
    bool argument = false; // something follows the word, as in "at 8" and "if c"
};

/// What may stand in one place of a file: any of the shapes that are given here.
struct Form {
    std::string_view id;                       // its name in the schema
    bool text = false;                         // an expression, a name, a number, a type ...
    std::span<const std::string_view> words{}; // ... and nothing but these, where there are any
    const Form* items = nullptr;               // a list of these
    std::span<const Key> keys{};               // a map with these keys
    const Form* members = nullptr; // a map with keys of the user's own, each followed by this
    bool single = false;           // a map has exactly one entry
    bool filled = false;           // a map has at least one entry
    std::span<const std::string_view> some_of{}; // at least one of these keys is there
    /// What a map is, instead, that has some of the `some_of` of one of these.
    std::span<const Form* const> instead{};
    bool empty = false; // nothing at all may stand here: an empty map
};

/// The sections of the format, each a list of its keys.
namespace format {

extern const std::span<const Key> network;   // a file that says "network: name"
extern const std::span<const Key> component; // a file that says "component: name"
extern const std::span<const Key> library;   // a file that says neither
extern const std::span<const Key> process;
extern const std::span<const Key> function;        // the body of a function that has lets
extern const std::span<const Key> instance;        // a process that uses a component
extern const std::span<const Key> verilog_process; // a process that is a Verilog module
extern const std::span<const Key> against;         // a second implementation
extern const std::span<const Key> verilog;
extern const std::span<const Key> verilog_reset;
extern const std::span<const Key> input;
extern const std::span<const Key> output;
extern const std::span<const Key> run;
extern const std::span<const Key> check;  // "always", "at 8": the key of a check
extern const std::span<const Key> step;   // words that are no targets
extern const std::span<const Key> choice; // words that begin a right-hand side in a map

extern const std::span<const std::string_view> at_end;
constexpr std::string_view expected_rows = "expect"; // of 'halt_after': all that the file has
extern const std::span<const std::string_view> edge;
extern const std::span<const std::string_view> sample;
extern const std::span<const std::string_view> unknown;

} // namespace format

} // namespace sme::yaml
