// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/code.hpp"
#include "base/source.hpp"

namespace sme {

/// A second place that belongs to a diagnostic.
struct Note {
    Location where;
    std::string message;
};

/// One finding about the user's input or model: data only; who prints it decides how.
struct Diagnostic {
    Code code;
    Severity severity;
    Location where;
    std::string message;
    std::vector<Note> notes;

    Diagnostic& note(Location at, std::string text) {
        notes.push_back({std::move(at), std::move(text)});
        return *this;
    }
};

/// Collects diagnostics in the order they were found. Not thread-safe: one per loader or run.
class Diagnostics {
public:
    /// Past this many errors further ones are only counted.
    static constexpr std::size_t error_limit = 50;

    /// Adds a finding with the severity that its code has in the registry. The reference is valid
    /// until the next `add`. What was given already is not given again; an error still counts.
    Diagnostic& add(Code code, Location where, std::string message);

    /// While it lives, every finding gets a note: where the text that is read now was asked for.
    class Within {
    public:
        Within(Diagnostics& diagnostics, Location where, std::string message);
        ~Within() { diagnostics_.within_.pop_back(); }
        Within(const Within&) = delete;
        Within& operator=(const Within&) = delete;

    private:
        Diagnostics& diagnostics_;
    };

    /// Treats every warning from now on as an error (`--strict`).
    void make_strict() { strict_ = true; }
    bool is_strict() const { return strict_; }

    bool has_errors() const { return errors_ > 0; }
    std::size_t errors() const { return errors_; }
    std::size_t warnings() const { return warnings_; }
    /// Errors that were counted but not kept.
    std::size_t suppressed() const { return suppressed_; }
    const std::vector<Diagnostic>& all() const { return all_; }

private:
    bool is_repeated(const Diagnostic& found) const;

    std::vector<Diagnostic> all_;
    std::vector<Note> within_;
    Diagnostic overflow_{};
    std::size_t errors_ = 0;
    std::size_t warnings_ = 0;
    std::size_t suppressed_ = 0;
    bool strict_ = false;
};

/// The diagnostic as text for a terminal: the message, the line it points at, a caret, the notes.
/// Ends with a line end.
std::string render(const Diagnostic& diagnostic);

/// All of them, one after another.
std::string render(const Diagnostics& diagnostics);

/// ", did you mean 'x'?" for the candidate nearest to `name`, or nothing when none is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

} // namespace sme
