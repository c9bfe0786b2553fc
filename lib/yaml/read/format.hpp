// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sme::yaml {

struct Form;

/// A key of a section: used by the loader, by messages and by the schema. All keys are in
/// `format.cpp`.
struct Key {
    std::string_view name;
    std::string_view meaning;   // one line, shown by editors
    const Form* form = nullptr; // form of the value; null: any
    bool required = false;
    bool argument = false; // an argument follows the word, as in "at 8" and "if c"
};

/// The allowed values in one place of a file: any of the shapes given here.
struct Form {
    std::string_view id;                       // name in the schema
    bool text = false;                         // an expression, a name, a number, a type ...
    std::span<const std::string_view> words{}; // ... restricted to these words, if any
    const Form* items = nullptr;               // a list of these
    std::span<const Key> keys{};               // a map with these keys
    const Form* members = nullptr; // a map with user-defined keys, each followed by this
    bool single = false;           // a map has exactly one entry
    bool filled = false;           // a map has at least one entry
    std::span<const std::string_view> some_of{}; // at least one of these keys is required
    /// Alternative forms for a map: it has a form's shape if it has some of that form's `some_of`.
    std::span<const Form* const> instead{};
    bool empty = false; // may be empty: an empty map
};

/// The sections of the format, each with its keys.
namespace format {

extern const std::span<const Key> network;   // a file with "network: name"
extern const std::span<const Key> component; // a file with "component: name"
extern const std::span<const Key> library;   // a file with neither
extern const std::span<const Key> process;
extern const std::span<const Key> function;
extern const std::span<const Key> procedure;       // with parameters
extern const std::span<const Key> instance;        // a process that uses a component
extern const std::span<const Key> verilog_process; // a process that is a Verilog module
extern const std::span<const Key> against;         // a second implementation
extern const std::span<const Key> verilog;
extern const std::span<const Key> verilog_reset;
extern const std::span<const Key> input;
extern const std::span<const Key> output;
extern const std::span<const Key> run;
extern const std::span<const Key> test;
extern const std::span<const Key> check;  // "always", "at 8": the key of a check
extern const std::span<const Key> step;   // words that are not targets
extern const std::span<const Key> choice; // words that begin a right-hand side in a map

extern const std::span<const std::string_view> at_end;
constexpr std::string_view random_input = "random";  // value of an input
constexpr std::string_view open_input = "open";      // the same
constexpr std::string_view expected_rows = "expect"; // value of 'halt_after': all rows of the file
extern const std::span<const std::string_view> edge;
extern const std::span<const std::string_view> sample;
extern const std::span<const std::string_view> unknown;

} // namespace format

} // namespace sme::yaml
