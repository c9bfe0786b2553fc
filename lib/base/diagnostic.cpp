// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/source.hpp"

namespace sme {

Diagnostic& Diagnostics::add(Code code, Location where, std::string message) {
    Severity severity = info(code).severity;
    if (strict_ && severity == Severity::warning)
        severity = Severity::error;
    // The innermost request first.
    Diagnostic result{
        code, severity, std::move(where), std::move(message), {within_.rbegin(), within_.rend()}};
    const bool error = info(code).severity != Severity::warning;
    if ((!error || result.where.known()) && is_repeated(result)) {
        errors_ += error;
        return overflow_ = std::move(result);
    }
    if (severity == Severity::warning)
        ++warnings_;
    else if (++errors_ > error_limit) {
        ++suppressed_;
        return overflow_ = std::move(result);
    }
    return all_.emplace_back(std::move(result));
}

Diagnostic& Diagnostics::add_once(const std::string& key, Code code, Location where,
                                  std::string message) {
    if (keys_.insert({where.source, key}).second)
        return add(code, std::move(where), std::move(message));
    errors_ += info(code).severity != Severity::warning;
    return overflow_ = {code, info(code).severity, std::move(where), std::move(message), {}};
}

/// A file read for several instances would otherwise warn for each, and a condition used in several
/// places would be reported in each.
bool Diagnostics::is_repeated(const Diagnostic& found) const {
    return std::any_of(all_.begin(), all_.end(), [&](const Diagnostic& known) {
        return known.code == found.code && known.where.source == found.where.source &&
               known.where.begin == found.where.begin && known.message == found.message;
    });
}

Diagnostics::Within::Within(Diagnostics& diagnostics, Location where, std::string message)
    : diagnostics_{diagnostics} {
    diagnostics.within_.push_back({std::move(where), std::move(message)});
}

namespace {

std::string_view word(Severity severity) {
    switch (severity) {
    case Severity::warning: return "warning";
    case Severity::error: return "error";
    case Severity::fault: return "fault";
    }
    return "";
}

bool inside_character(std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

/// Returns the number of columns of a text: its characters, some of which have several bytes.
std::size_t columns(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
        count += inside_character(text, at) ? 0u : 1u;
    return count;
}

/// Returns the line at a location with a caret under it; long lines are cut around the caret.
std::string excerpt(const Location& where) {
    constexpr std::size_t widest = 100;
    if (!where.source)
        return {};
    const auto at = where.source->position(where.begin);
    std::string line{where.source->line(at.line)};
    if (line.empty())
        return {};
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    const std::size_t begin = std::min<std::size_t>(at.column - 1, line.size());
    const std::size_t wanted = where.end > where.begin ? where.end - where.begin : 1;
    std::size_t from = 0, to = line.size();
    if (line.size() > widest) {
        from = std::min(begin > widest / 2 ? begin - widest / 2 : 0, line.size() - widest);
        to = from + widest;
        while (inside_character(line, from))
            ++from;
        while (inside_character(line, to))
            ++to;
    }
    const std::string_view shown = std::string_view{line}.substr(from, to - from);
    const std::string_view before = shown.substr(0, std::min(begin - from, shown.size()));
    const std::string_view marked = shown.substr(before.size(), wanted);
    const std::string_view left = from > 0 ? "..." : "", right = to < line.size() ? "..." : "";
    const std::size_t length = std::max<std::size_t>(1, columns(marked));
    return fmt::format("  {}{}{}\n  {}^{}\n", left, shown, right,
                       std::string(left.size() + columns(before), ' '),
                       std::string(length - 1, '~'));
}

std::string headline(const Location& where, std::string_view kind, std::string_view message,
                     std::string_view slug) {
    std::string place = describe(where);
    if (!place.empty())
        place += ": ";
    return slug.empty() ? fmt::format("{}{}: {}\n", place, kind, message)
                        : fmt::format("{}{}: {} [{}]\n", place, kind, message, slug);
}

} // namespace

std::string render(const Diagnostic& diagnostic) {
    std::string text = headline(diagnostic.where, word(diagnostic.severity), diagnostic.message,
                                info(diagnostic.code).slug);
    text += excerpt(diagnostic.where);
    for (const Note& note : diagnostic.notes)
        text += headline(note.where, "note", note.message, {}) + excerpt(note.where);
    return shown_text(text);
}

std::string render(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.all())
        text += render(diagnostic);
    if (diagnostics.suppressed() > 0)
        text += fmt::format("{} more errors are not shown\n", diagnostics.suppressed());
    return text;
}

namespace {

/// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one
/// text into the other.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last.back();
}

} // namespace

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
    if (name.size() > 64)
        return {};
    constexpr std::size_t max_candidates = 5000; // bounds the time for any file
    const std::string* nearest = nullptr;
    // Of three letters only one may differ: with two, almost any word would match.
    const std::size_t max_wrong =
        name.size() <= 3 ? 1 : std::min<std::size_t>(3, name.size() / 3 + 1);
    std::size_t best = max_wrong + 1;
    for (std::size_t k = 0; k < std::min(candidates.size(), max_candidates); ++k) {
        const std::string& candidate = candidates[k];
        const bool other_kind = // "x.ready" is not meant by "x_ready"
            candidate.find('.') != candidate.npos && name.find('.') == name.npos;
        if (candidate.size() > 64 || other_kind)
            continue;
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < best && distance < std::min(name.size(), candidate.size())) {
            best = distance;
            nearest = &candidate;
        }
    }
    return nearest ? fmt::format(", did you mean '{}'?", *nearest) : std::string{};
}

} // namespace sme
