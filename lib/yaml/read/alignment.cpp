// SPDX-License-Identifier: Apache-2.0
#include "yaml/read/alignment.hpp"

#include <algorithm>

#include "yaml/read/plain_maps.hpp"

namespace sme::yaml {

namespace {

/// Returns the length of the UTF-8 character with this first byte.
std::size_t utf8_length(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/// Walks the raw text in parallel with the value.
class Aligner {
public:
    Aligner(const SourceRef& source, std::string_view raw, std::size_t begin,
            const std::string& value)
        : raw_{raw}, value_{value}, at_{begin} {
        made_.text = {source, value, {}};
        made_.text.offsets.reserve(value.size() + 1);
    }

    Aligned run() {
        const char first = here();
        if (first == '"' || first == '\'') {
            quote_ = first;
            ++at_;
        } else if (first == '|' || first == '>')
            at_ = std::min(raw_.find('\n', at_), raw_.size());
        while (made_.text.offsets.size() < value_.size())
            step();
        made_.text.offsets.push_back(static_cast<std::uint32_t>(std::min(at_, raw_.size())));
        while (quote_ != '\0' && at_ < raw_.size() && (is_blank(here()) || is_joined()))
            ++at_;
        made_.end = at_;
        return std::move(made_);
    }

private:
    char here(std::size_t ahead = 0) const {
        return at_ + ahead < raw_.size() ? raw_[at_ + ahead] : '\0';
    }
    void put(std::size_t bytes) {
        const std::size_t room = value_.size() - made_.text.offsets.size();
        made_.text.offsets.insert(made_.text.offsets.end(), std::min(bytes, room),
                                  static_cast<std::uint32_t>(std::min(at_, raw_.size())));
    }

    /// Advances by one character of the value.
    void step() {
        const char c = value_[made_.text.offsets.size()];
        if (!is_blank(c))
            while (at_ < raw_.size() && here() != c && (is_blank(here()) || is_joined()))
                ++at_;
        if (quote_ == '"' && here() == '\\' && !is_joined())
            return escape(c);
        put(1);
        if (quote_ == '\'' && c == '\'')
            at_ += 2;
        else if (at_ < raw_.size() && (here() == c || is_blank(c)))
            ++at_;
    }

    /// Returns true at a backslash that joins its line with the next one.
    bool is_joined() const {
        return quote_ == '"' && here() == '\\' &&
               (here(1) == '\n' || (here(1) == '\r' && here(2) == '\n'));
    }

    void escape(char c) {
        put(utf8_length(c));
        const char kind = here(1);
        at_ += kind == 'x' ? 4 : kind == 'u' ? 6 : kind == 'U' ? 10 : 2;
    }

    std::string_view raw_;
    const std::string& value_;
    std::size_t at_;
    char quote_ = '\0';
    Aligned made_;
};

} // namespace

Aligned align(const SourceRef& source, std::string_view raw, std::size_t begin,
              const std::string& value) {
    return Aligner{source, raw, begin, value}.run();
}

} // namespace sme::yaml
