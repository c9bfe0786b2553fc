// SPDX-License-Identifier: Apache-2.0
//
// The window ends with a complete line, so words need no check for its end. Only an item on several
// lines may continue after the window; it is then parsed again with more of the file.
#include "vcd/scanner.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "vcd/real_number.hpp"

namespace sme::vcd {

namespace {

enum class Start : std::uint8_t { other, blank, digit, vector, real, text, time, keyword };

constexpr std::array<Start, 256> make_starts() {
    std::array<Start, 256> starts{};
    for (std::size_t c = 0; c <= ' '; ++c)
        starts[c] = Start::blank;
    for (const char c : {'0', '1', 'x', 'X', 'z', 'Z', 'u', 'U', 'w', 'W', 'l', 'L', 'h', 'H', '-'})
        starts[static_cast<unsigned char>(c)] = Start::digit;
    const auto set = [&](char c, Start start) { starts[static_cast<unsigned char>(c)] = start; };
    set('b', Start::vector);
    set('B', Start::vector);
    set('r', Start::real);
    set('R', Start::real);
    set('s', Start::text);
    set('S', Start::text);
    set('#', Start::time);
    set('$', Start::keyword);
    return starts;
}

constexpr std::array<Start, 256> starts = make_starts();

Start start_of(char c) {
    return starts[static_cast<unsigned char>(c)];
}

const char* end_of_word(const char* at) {
    while (!is_blank(*at))
        ++at;
    return at;
}

std::string shown(const char* begin, const char* end) {
    return std::string{begin, std::min(end, begin + 40)};
}

/// Returns the first byte that is not a digit of a vector; tests eight at a time.
const char* end_of_digits(const char* at) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    while (true) {
        const std::uint64_t strange = (load_eight(at) ^ ('0' * ones)) & (0xfe * ones);
        if (strange == 0) {
            at += 8;
            continue;
        }
        at += std::countr_zero(strange) / 8;
        if (plain_digit(*at) == '\0')
            return at;
        ++at;
    }
}

} // namespace

const char* Scanner::fail(const char* begin, const char* end, std::string message) {
    if (!store())
        return nullptr; // an earlier item is wrong
    if (cursor_.in_cut_line(begin))
        cut_ = true; // the file ends within it
    else
        problem_ = cursor_.problem(begin, end, std::move(message));
    return nullptr;
}

const char* Scanner::not_whole() {
    incomplete_ = true;
    return nullptr;
}

bool Scanner::read_on() {
    if (!store())
        return false;
    if (cursor_.read_on())
        return true;
    if (!cursor_.good())
        problem_ = cursor_.problem_at_end({});
    return false;
}

/// Handles a code that does not follow immediately, or is not declared.
const char* Scanner::far_code(const char* at, std::uint32_t& signal) {
    while (at < cursor_.whole() && is_blank(*at)) // it may be on the next line
        ++at;
    if (at == cursor_.whole())
        return not_whole();
    const char* end = nullptr;
    signal = codes_.find(at, end);
    if (signal == CodeTable::none)
        return fail(at, end, fmt::format("no variable has the code '{}'", shown(at, end)));
    return end;
}

// These three take most of the time; inlining makes them a single loop.
[[gnu::always_inline]] inline const char* Scanner::code(const char* at, std::uint32_t& signal) {
    const char* end = nullptr;
    signal = codes_.find(at, end);
    return signal != CodeTable::none ? end : far_code(at, signal);
}

[[gnu::always_inline]] inline bool Scanner::wait(std::uint32_t signal, const char* begin,
                                                 std::size_t length) {
    signals_.fetch(signal);
    waiting_[waits_++] = {begin, static_cast<std::uint32_t>(length), signal};
    return waits_ < waiting_.size() || store();
}

[[gnu::always_inline]] inline const char* Scanner::digit(const char* at) {
    std::uint32_t signal = 0;
    const char* const end = code(at + 1, signal);
    return end && wait(signal, at, 0) ? end : nullptr;
}

[[gnu::always_inline]] inline const char* Scanner::digits(const char* at) {
    const char* begin = at + 1;
    const char* digits_end = end_of_digits(begin);
    if (digits_end == begin || !is_blank(*digits_end)) [[unlikely]] {
        const bool prefix = begin[0] == '0' && (begin[1] == 'b' || begin[1] == 'B');
        begin += prefix ? 2 : 0;
        digits_end = end_of_digits(begin);
        if (digits_end == begin || !is_blank(*digits_end))
            return no_digits(at, end_of_word(at));
        cursor_.warn(Unusual::vector_prefix, at, digits_end,
                     "the digits of a vector begin with '0b', which is left out");
    }
    std::uint32_t signal = 0;
    const char* const end = code(digits_end + (*digits_end == ' ' ? 1 : 0), signal);
    const auto length = static_cast<std::size_t>(digits_end - begin);
    return end && wait(signal, begin - 1, length) ? end : nullptr;
}

/// Handles a word that begins like a vector but has no digits; allowed for variables declared with
/// width 0.
const char* Scanner::no_digits(const char* at, const char* word_end) {
    std::uint32_t signal = 0;
    if (word_end == at + 1) {
        const char* const end = code(word_end, signal);
        if (!end || !store())
            return nullptr;
        if (signals_.has_no_width(signal) && signals_.set_digit(signal, '0'))
            return end;
    }
    return fail(at, word_end,
                fmt::format("'{}' is no vector of the digits 0, 1, x and z", shown(at, word_end)));
}

bool Scanner::store() {
    const std::size_t count = waits_;
    waits_ = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const Waiting& one = waiting_[k];
        if (one.length == 0 ? signals_.set_digit(one.signal, *one.begin)
                            : signals_.set_bits(one.signal, one.begin + 1, one.length))
            continue;
        fail(one.begin, end_of_word(one.begin),
             one.length == 0
                 ? "this variable has no values of one digit"
                 : fmt::format("a vector of {} digits does not fit this variable", one.length));
        return false;
    }
    return true;
}

const char* Scanner::real(const char* at) {
    const char* const word_end = end_of_word(at);
    const char* const begin = at + (at[1] == '+' ? 2 : 1);
    const std::optional<double> value =
        real_number({begin, static_cast<std::size_t>(word_end - begin)});
    if (!value)
        return fail(at, word_end, fmt::format("'{}' is no real number", shown(at, word_end)));
    std::uint32_t signal = 0;
    const char* const end = code(word_end, signal);
    if (!end || !store())
        return nullptr;
    if (!signals_.set_real(signal, *value))
        return fail(at, end, "this variable has no real values");
    return end;
}

/// Returns the end of a text with blanks: the last word of its line is the code of a variable that
/// accepts it. Null if the text is one word, or there is no such code.
const char* Scanner::end_of_text(const char* at, std::uint32_t& signal) const {
    const char* line_end = std::find(at, cursor_.whole(), '\n');
    while (line_end > at && is_blank(line_end[-1]))
        --line_end;
    const char* last = line_end;
    while (last > at && !is_blank(last[-1]))
        --last;
    const char* end = nullptr;
    if (last == at)
        return nullptr;
    signal = codes_.find(last, end);
    return signal != CodeTable::none && end == line_end && signals_.takes_texts(signal) ? last - 1
                                                                                        : nullptr;
}

/// Sets a text; for a real, only if the text is not a number.
bool Scanner::set_text(std::uint32_t signal, const char* begin, const char* end) {
    if (signals_.is_real(signal)) {
        if (const auto value = real_number({begin, static_cast<std::size_t>(end - begin)}))
            return signals_.set_real(signal, *value);
        cursor_.warn(Unusual::text_of_real, begin - 1, end_of_word(end + 1),
                     "a real has a text as its value, which is compared as a text");
    }
    return signals_.set_text(signal, {begin, static_cast<std::size_t>(end - begin)});
}

const char* Scanner::text(const char* at) {
    const char* word_end = end_of_word(at);
    std::uint32_t signal = 0;
    const char* end = nullptr;
    if (const char* const text_end = end_of_text(at, signal); text_end && text_end > word_end) {
        if (!store())
            return nullptr;
        end = end_of_word(text_end + 1);
        word_end = text_end;
        cursor_.warn(Unusual::text_blanks, at, end,
                     "a text holds blanks; the last word of the line is taken for the code");
    } else {
        end = code(word_end, signal);
        if (!end || !store())
            return nullptr;
    }
    if (!set_text(signal, at + 1, word_end))
        return fail(at, end, "this variable has no texts as values");
    return end;
}

const char* Scanner::one_change(const char* at) {
    switch (start_of(*at)) {
    case Start::real: return real(at);
    case Start::text: return text(at);
    default: break;
    }
    const char* const end = end_of_word(at);
    return fail(at, end,
                *at == 'p' || *at == 'P'
                    ? "values of $dumpports (extended VCD) are not read"
                    : fmt::format("'{}' is no change of a value", shown(at, end)));
}

bool Scanner::read_time() {
    const char* const at = cursor_.at;
    const char* const end = end_of_word(at);
    std::uint64_t time = 0;
    auto [digits_end, error] = std::from_chars(at + 1, end, time);
    if (error == std::errc{} && *digits_end == '.') {
        cursor_.warn(Unusual::time_fraction, at, end,
                     "a time is a whole number of ticks; the digits after its point are ignored");
        digits_end =
            std::find_if_not(digits_end + 1, end, [](char c) { return '0' <= c && c <= '9'; });
    }
    if (error != std::errc{} || digits_end != end) {
        fail(at, end,
             fmt::format("'{}' is no time: a whole number up to 2^64 - 1 behind '#'",
                         shown(at, end)));
        return false;
    }
    if (timed_ && time < time_) {
        fail(at, end, fmt::format("time goes backwards: {} comes after {}", time, time_));
        return false;
    }
    time_ = time;
    first_time_ = begun_ ? first_time_ : time;
    timed_ = begun_ = true;
    cursor_.at = end;
    return true;
}

/// Parses a keyword; `at` is at its '$'.
void Scanner::keyword() {
    const char* const begin = cursor_.at;
    const std::string_view word = cursor_.word();
    const bool repeats = word == "$dumpvars" || word == "$dumpall" || word == "$dumpon";
    if (word == "$end")
        signals_.repeat_values(false);
    else if (repeats || word == "$dumpoff") {
        off_ = word == "$dumpoff" || (off_ && word != "$dumpon");
        signals_.repeat_values(true);
    } else if (word == "$enddefinitions" || word == "$var" || word == "$scope")
        fail(begin, cursor_.at, fmt::format("'{}' belongs before the values", word));
    else if (!cursor_.skip_section()) {
        cut_ = cursor_.good();
        if (!cut_)
            problem_ = cursor_.problem_at_end({});
    }
}

bool Scanner::find() {
    while (!problem_ && !cut_) {
        if (!cursor_.skip_blanks()) {
            if (!cursor_.good())
                problem_ = cursor_.problem_at_end({});
            return false;
        }
        if (*cursor_.at == '#')
            read_time();
        else if (std::string_view{cursor_.at,
                                  static_cast<std::size_t>(cursor_.whole() - cursor_.at)}
                     .starts_with("$comment"))
            keyword();
        else
            return begun_ = true;
    }
    return false;
}

void Scanner::take() {
    const char *at = cursor_.at, *whole = cursor_.whole();
    const std::uint64_t now = time_;
    while (true) {
        if (at == whole) {
            cursor_.at = at;
            if (!read_on())
                return;
            at = cursor_.at;
            whole = cursor_.whole();
        }
        const char* const begin = at;
        switch (start_of(*at)) {
        case Start::blank: ++at; continue;
        case Start::digit: at = digit(at); break;
        case Start::vector: at = digits(at); break;
        case Start::time:
        case Start::keyword:
            cursor_.at = at;
            if (!store())
                return;
            if (*at == '$')
                keyword();
            else if (!read_time() || time_ != now)
                return;
            at = problem_ || cut_ ? nullptr : cursor_.at;
            whole = cursor_.whole();
            break;
        default: at = one_change(at); break;
        }
        if (at)
            continue;
        cursor_.at = begin;
        if (!incomplete_)
            return;
        incomplete_ = false;
        if (!read_on()) {
            cut_ = !problem_;
            return;
        }
        at = cursor_.at;
        whole = cursor_.whole();
    }
}

} // namespace sme::vcd
