// SPDX-License-Identifier: Apache-2.0
#include "trace/collect/memories.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "trace/collect/selection.hpp"

namespace sme::trace {

namespace {

/// The first and the last index.
struct IndexRange {
    std::uint64_t low;
    std::uint64_t high;
};

std::optional<std::uint64_t> index_of(std::string_view text) {
    std::uint64_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional{index}
                                                                    : std::nullopt;
}

/// Parses "3", "2..5" or "*", for an index below `count`; `nullopt` if invalid or out of range.
std::optional<IndexRange> range_of(std::string_view text, std::uint64_t count) {
    if (text == "*")
        return IndexRange{0, count - 1};
    const std::size_t dots = text.find("..");
    const auto low = index_of(text.substr(0, dots));
    const auto high = dots == std::string_view::npos ? low : index_of(text.substr(dots + 2));
    if (!low || !high || *low > *high || *low >= count)
        return std::nullopt;
    return IndexRange{*low, std::min(*high, count - 1)};
}

/// The words of a memory that a pattern selects, as an index range for each dimension.
using Box = std::vector<IndexRange>;

/// Parses "0..3, 7", the text in brackets after a memory with these dimensions. Missing indices
/// select all.
std::optional<Box> box_of(std::string_view inner, const std::vector<std::uint64_t>& dimensions) {
    Box box;
    for (std::size_t begin = 0; begin <= inner.size();) {
        const std::size_t end = std::min(inner.find(',', begin), inner.size());
        if (box.size() == dimensions.size())
            return std::nullopt;
        const auto range = range_of(inner.substr(begin, end - begin), dimensions[box.size()]);
        if (!range)
            return std::nullopt;
        box.push_back(*range);
        begin = end + 1;
    }
    while (box.size() < dimensions.size())
        box.push_back({0, dimensions[box.size()] - 1});
    return box;
}

/// Appends the words of a box, at most `room`; true if all fit.
bool append_box(const Box& box, const std::vector<std::uint64_t>& dimensions, std::uint64_t room,
                std::vector<std::uint64_t>& words) {
    std::vector<std::uint64_t> at;
    for (const IndexRange& range : box)
        at.push_back(range.low);
    while (true) {
        if (room-- == 0)
            return false;
        std::uint64_t word = 0;
        for (std::size_t d = 0; d < at.size(); ++d)
            word = word * dimensions[d] + at[d];
        words.push_back(word);
        std::size_t d = at.size();
        while (d > 0 && at[d - 1] == box[d - 1].high) {
            --d;
            at[d] = box[d].low;
        }
        if (d == 0)
            return true;
        ++at[d - 1];
    }
}

class MemoryChooser {
public:
    MemoryChooser(const Graph& graph, std::string_view patterns)
        : graph_{graph}, patterns_{split_patterns(patterns)}, matched_(patterns_.size(), false) {
        for (const std::string& pattern : patterns_)
            selections_.emplace_back(pattern);
    }

    MemoryChoice choose() {
        for (std::uint32_t f = 0; f < graph_.processes.size(); ++f)
            if (has_own_memories(graph_.processes[f]))
                for (std::uint32_t m = 0; m < graph_.processes[f].memories.size(); ++m)
                    add(f, m);
        for (std::size_t k = 0; k < patterns_.size(); ++k)
            if (!matched_[k])
                made_.unmatched.push_back(patterns_[k]);
        return std::move(made_);
    }

private:
    void add(std::uint32_t f, std::uint32_t m) {
        const ProcessFamily& family = graph_.processes[f];
        const Memory& memory = family.memories[m];
        TracedWords traced{{}, f, m};
        BusFamily& words = traced.words;
        words.name = fmt::format("{}.{}", family.name, memory.name);
        Shape own;
        for (const std::uint64_t count : memory.dimensions)
            own.dimensions.push_back({0, count, {}});
        Shape outer = family.shape;
        outer.kept.clear(); // the indices of all words would need too much memory
        words.shape = nested(outer, family.name.size(), own);
        words.type = memory.element;
        words.unwritten = Unwritten::hold;
        words.state = true;
        words.declared = memory.declared;
        for (std::uint64_t k = 0; k < family.count; ++k)
            add_instance(family, memory, k, words.shape.kept);
        if (words.shape.kept.empty())
            return;
        words.count = words.shape.count();
        made_.memories.push_back(std::move(traced));
    }

    void add_instance(const ProcessFamily& family, const Memory& memory, std::uint64_t instance,
                      std::vector<std::uint64_t>& kept) {
        std::string name = family.instance_name(instance) + "." + memory.name;
        std::vector<std::uint64_t> words;
        bool cut = false;
        for (std::size_t k = 0; k < patterns_.size(); ++k)
            cut = match(k, name, memory.dimensions, words) || cut;
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        if (cut && words.size() < memory.words)
            made_.cuts.push_back({std::move(name), memory.words});
        const std::uint64_t member =
            family.shape.kept.empty() ? instance : family.shape.kept[instance];
        for (const std::uint64_t word : words) {
            made_.too_many = made_.too_many || all_words_ == MemoryChoice::max_all_words;
            if (made_.too_many)
                return;
            ++all_words_;
            kept.push_back(member * memory.words + word);
        }
    }

    /// Adds the words that a pattern selects; true if it omits some.
    bool match(std::size_t pattern, std::string name, const std::vector<std::uint64_t>& dimensions,
               std::vector<std::uint64_t>& words) {
        std::erase(name, ' ');
        const std::string& text = patterns_[pattern];
        Box all;
        for (const std::uint64_t count : dimensions)
            all.push_back({0, count - 1});
        if (selections_[pattern].matches(name)) {
            matched_[pattern] = true;
            return !append_box(all, dimensions, MemoryChoice::max_words, words);
        }
        const std::size_t bracket = text.rfind('[');
        if (bracket == std::string::npos || !text.ends_with(']') ||
            !fits_name(std::string_view{text}.substr(0, bracket), name))
            return false;
        const auto box = box_of(
            std::string_view{text}.substr(bracket + 1, text.size() - bracket - 2), dimensions);
        if (!box)
            return false;
        matched_[pattern] = true;
        append_box(*box, dimensions, MemoryChoice::max_all_words + 1, words);
        return false;
    }

    const Graph& graph_;
    const std::vector<std::string> patterns_;
    std::vector<Selection> selections_; // one per pattern
    std::vector<bool> matched_;
    std::uint64_t all_words_ = 0;
    MemoryChoice made_;
};

} // namespace

MemoryChoice choose_memories(const Graph& graph, std::string_view patterns) {
    return patterns.empty() ? MemoryChoice{} : MemoryChooser{graph, patterns}.choose();
}

bool has_own_memories(const ProcessFamily& family) {
    return !family.observer && !family.helper && !family.memories.empty();
}

TracedWords traced_let(const std::string& name, const TypeRef& type, const std::byte* value) {
    TracedWords traced;
    traced.words.name = name;
    traced.words.type = type;
    traced.words.unwritten = Unwritten::error;
    traced.words.state = true;
    traced.let = value;
    return traced;
}

PlacedWords place_words(const TracedWords& traced, const Observed& observed) {
    if (traced.let)
        return {traced.let, Segments::affine(1, 0, 0)};
    const ProcessFamily& family = observed.graph().processes[traced.family];
    const std::uint64_t each = family.memories[traced.memory].words;
    const auto bytes = static_cast<std::int64_t>(traced.words.type->size());
    PlacedWords placed;
    const std::vector<std::uint64_t>& kept = traced.words.shape.kept;
    const std::byte* words = nullptr;
    std::uint64_t member = ~std::uint64_t{0};
    for (int pass = 0; pass < 2; ++pass, member = ~std::uint64_t{0}) // 1. the first, 2. offsets
        for (const std::uint64_t at : kept) {
            if (at / each != member) {
                member = at / each;
                words = observed.memory(traced.family, traced.memory,
                                        family.shape.member(member).value_or(0));
                if (pass == 0)
                    placed.first = placed.first ? std::min(placed.first, words) : words;
            }
            if (pass == 1)
                placed.offsets.append(words - placed.first +
                                      static_cast<std::int64_t>(at % each) * bytes);
        }
    return placed;
}

} // namespace sme::trace
