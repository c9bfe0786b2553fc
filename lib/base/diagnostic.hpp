// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/code.hpp"
#include "base/source.hpp"

namespace sme {

/// A second location that belongs to a diagnostic.
struct Note {
    Location where;
    std::string message;
};

/// A finding about the user's input or model. Data only; the caller decides how to print it.
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

/// Collects diagnostics in the order in which they are found. Not thread-safe: one per loader or
/// run.
class Diagnostics {
public:
    /// Further errors are only counted.
    static constexpr std::size_t error_limit = 50;

    /// Adds a finding with the severity of its code in the registry. The reference is valid until
    /// the next `add`. A repeated finding is not added again; a repeated error is still counted.
    Diagnostic& add(Code code, Location where, std::string message);
    /// Adds a finding only if it is the first with this key in its file; others are counted.
    Diagnostic& add_once(const std::string& key, Code code, Location where, std::string message);
    /// Returns true if `add_once` has been called with this key and file.
    bool was_added(const std::string& key, const Location& where) const {
        return keys_.count({where.source, key}) > 0;
    }

    /// While it lives, every finding gets a note with the location that requested the text being
    /// read.
    class Within {
    public:
        Within(Diagnostics& diagnostics, Location where, std::string message);
        ~Within() { diagnostics_.within_.pop_back(); }
        Within(const Within&) = delete;
        Within& operator=(const Within&) = delete;

    private:
        Diagnostics& diagnostics_;
    };

    /// Treats every further warning as an error (`--strict`).
    void make_strict() { strict_ = true; }
    bool is_strict() const { return strict_; }

    bool has_errors() const { return errors_ > 0; }
    std::size_t errors() const { return errors_; }
    std::size_t warnings() const { return warnings_; }
    /// Returns the number of errors counted but not stored.
    std::size_t suppressed() const { return suppressed_; }
    const std::vector<Diagnostic>& all() const { return all_; }

private:
    bool is_repeated(const Diagnostic& found) const;

    std::vector<Diagnostic> all_;
    std::vector<Note> within_;
    std::set<std::pair<SourceRef, std::string>> keys_;
    Diagnostic overflow_{};
    std::size_t errors_ = 0;
    std::size_t warnings_ = 0;
    std::size_t suppressed_ = 0;
    bool strict_ = false;
};

/// Formats a diagnostic for a terminal: the message, the line at its location, a caret, the notes.
/// Ends with a newline.
std::string render(const Diagnostic& diagnostic);

/// Formats all diagnostics, in order.
std::string render(const Diagnostics& diagnostics);

/// Returns ", did you mean 'x'?" with the candidate closest to `name`, or an empty text if none is
/// close.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

} // namespace sme
