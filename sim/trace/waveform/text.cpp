// SPDX-License-Identifier: Apache-2.0
//
// 1. list    the lines: groups and signals, with the values as texts
// 2. measure the common width of cycles, from the values; a value that lasts may span several
//    cycles
// 3. draw    as many cycles as fit on a line, then the next ones below
#include "trace/waveform/waveform.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sme::trace {

namespace {

struct Glyphs {
    const char *high, *low, *rises, *falls, *border, *mark, *cut;
};
constexpr Glyphs unicode{"▔", "▁", "╱", "╲", "│", "▲", "…"};
constexpr Glyphs ascii{"~", "_", "/", "\\", "|", "^", ">"};

/// Counts the characters of a text.
std::size_t length(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// The first characters of a text.
std::string first_of(std::string_view text, std::size_t count) {
    std::size_t end = 0;
    for (; end < text.size(); ++end)
        if ((text[end] & 0xc0) != 0x80 && count-- == 0)
            break;
    return std::string{text.substr(0, end)};
}

/// The last characters of a text.
std::string last_of(std::string_view text, std::size_t count) {
    const std::size_t skip = length(text) - count;
    return std::string{text.substr(first_of(text, skip).size())};
}

std::string repeated(std::string_view text, std::size_t count) {
    std::string result;
    for (std::size_t k = 0; k < count; ++k)
        result += text;
    return result;
}

class Drawing {
public:
    Drawing(const Waveform& waveform, const WaveformLook& look)
        : waveform_{waveform}, look_{look}, glyphs_{look.ascii ? ascii : unicode} {
        list(grouped(waveform), 0);
        measure();
    }

    std::string draw() const {
        std::string result;
        for (std::uint64_t from = waveform_.window.from; from < waveform_.window.to;
             from += page_cycles_)
            result += (result.empty() ? "" : "\n") +
                      page({from, std::min(waveform_.window.to, from + page_cycles_)});
        return result;
    }

private:
    struct Line {
        std::string label;
        const Signal* signal; // null: a group
    };
    static constexpr std::size_t gap = 2; // between names and values

    void list(const std::vector<WaveformRow>& rows, std::size_t depth) {
        for (const WaveformRow& row : rows) {
            lines_.push_back({std::string(2 * depth, ' ') + row.label, row.signal});
            list(row.rows, depth + 1);
        }
    }

    void measure() {
        names_ = std::string_view{"cycle"}.size();
        for (const WaveformLook::Mark& mark : look_.marks)
            if (waveform_.window.holds(mark.cycle))
                names_ = std::max(names_, length(mark.label));
        for (const Line& line : lines_)
            names_ = std::max(names_, length(line.label));
        names_ = std::min(names_, std::max<std::size_t>(look_.columns * 2 / 5, 8));
        const std::size_t room =
            look_.columns > names_ + gap + 8 ? look_.columns - names_ - gap : 8;
        cycle_ = 2;
        for (const Line& line : lines_)
            if (line.signal)
                cycle_ = std::max(cycle_, needed_by(*line.signal));
        constexpr std::size_t least_cycles = 4; // per line, even if values are long
        cycle_ = std::min(cycle_, std::max<std::size_t>(room / least_cycles, 2));
        page_cycles_ = std::max<std::size_t>(room / cycle_, 1);
    }

    /// The width of a cycle with which each value fits the cycles in which it holds.
    std::size_t needed_by(const Signal& signal) const {
        std::size_t widest = 2;
        if (is_level(signal))
            return widest;
        const Changes& changes = signal.changes;
        for (std::size_t k = 0; k < changes.size(); ++k) {
            const std::uint64_t end =
                k + 1 < changes.size() ? changes.cycle(k + 1) : waveform_.window.to;
            const std::size_t cycles = end - changes.cycle(k);
            widest = std::max(widest, (length(shown_value(signal, k)) + 3 + cycles - 1) / cycles);
        }
        return widest;
    }

    std::string page(const Window& cycles) const {
        std::string result = text_line("cycle", numbers(cycles));
        for (const WaveformLook::Mark& mark : look_.marks)
            if (cycles.holds(mark.cycle))
                result +=
                    text_line(mark.label,
                              std::string((mark.cycle - cycles.from) * cycle_, ' ') + glyphs_.mark);
        for (const Line& line : lines_)
            result +=
                text_line(line.label, !line.signal             ? std::string{}
                                      : is_level(*line.signal) ? levels(*line.signal, cycles)
                                                               : values(*line.signal, cycles));
        return result;
    }

    std::string text_line(const std::string& label, const std::string& rest) const {
        const std::size_t size = length(label);
        std::string line = size <= names_ ? label + std::string(names_ - size, ' ')
                                          : glyphs_.cut + last_of(label, names_ - 1);
        line += std::string(gap, ' ') + rest;
        line.erase(line.find_last_not_of(' ') + 1);
        return line + "\n";
    }

    /// The cycle numbers, as many as fit.
    std::string numbers(const Window& cycles) const {
        const std::uint64_t every = numbered_cycles(std::to_string(cycles.to - 1).size() + 2);
        std::string result;
        for (std::uint64_t cycle = cycles.from; cycle < cycles.to; ++cycle)
            if (cycle % every == 0) {
                result.resize((cycle - cycles.from) * cycle_, ' ');
                result += std::to_string(cycle);
            }
        return result;
    }

    /// The distance between cycle numbers that fit: 1, 2, 5, 10, ...
    std::uint64_t numbered_cycles(std::size_t characters) const {
        for (std::uint64_t ten = 1;; ten *= 10)
            for (const std::uint64_t every : {ten, 2 * ten, 5 * ten})
                if (every * cycle_ >= characters)
                    return every;
    }

    std::string levels(const Signal& signal, const Window& cycles) const {
        std::string result;
        std::optional<Level> before;
        for (std::uint64_t cycle = cycles.from; cycle < cycles.to; ++cycle) {
            const Level now = level(signal.changes, signal.changes.at(cycle));
            result += edge(before.value_or(now), now);
            result += repeated(line(now), cycle_ - 1);
            before = now;
        }
        return result;
    }

    enum class Level : std::uint8_t { low, high, unknown };

    static Level level(const Changes& changes, std::size_t k) {
        if (!changes.is_known(k))
            return Level::unknown;
        return changes.value(k)[0] != 0 ? Level::high : Level::low;
    }
    const char* line(Level level) const {
        return level == Level::unknown ? "x" : level == Level::high ? glyphs_.high : glyphs_.low;
    }
    const char* edge(Level before, Level now) const {
        if (before == now)
            return line(now);
        if (before == Level::unknown || now == Level::unknown)
            return glyphs_.border;
        return now == Level::high ? glyphs_.rises : glyphs_.falls;
    }

    std::string values(const Signal& signal, const Window& cycles) const {
        std::string result;
        for (std::uint64_t cycle = cycles.from; cycle < cycles.to;) {
            const std::size_t k = signal.changes.at(cycle);
            const std::uint64_t end = k + 1 < signal.changes.size()
                                          ? std::min(signal.changes.cycle(k + 1), cycles.to)
                                          : cycles.to;
            const bool begins = signal.changes.cycle(k) == cycle;
            result += begins ? glyphs_.border : " ";
            result += cell(shown_value(signal, k), (end - cycle) * cycle_ - 1);
            cycle = end;
        }
        return result;
    }

    /// Formats a value to `width` characters, with a space on both sides if it fits.
    std::string cell(const std::string& text, std::size_t width) const {
        const std::size_t size = length(text);
        if (size > width)
            return first_of(text, width - 1) + glyphs_.cut;
        const std::string result = (size + 2 <= width ? " " : "") + text;
        return result + std::string(width - length(result), ' ');
    }

    const Waveform& waveform_;
    const WaveformLook& look_;
    const Glyphs glyphs_;
    std::vector<Line> lines_;
    std::size_t names_ = 0;       // in characters
    std::size_t cycle_ = 0;       // in characters
    std::size_t page_cycles_ = 1; // per line
};

} // namespace

std::string waveform_text(const Waveform& waveform, const WaveformLook& look) {
    return Drawing{waveform, look}.draw();
}

namespace {

using Json = nlohmann::ordered_json;

class Writer {
public:
    explicit Writer(const Waveform& waveform) : waveform_{waveform} {}

    Json write(const std::string& title, const std::string& foot) {
        Json signals = Json::array();
        const Window& window = waveform_.window;
        std::string clock(window.to - window.from, '.');
        if (!clock.empty())
            clock[0] = 'p';
        signals.push_back({{"name", waveform_.clocks.at(0).name}, {"wave", clock}});
        for (const WaveformRow& row : grouped(waveform_))
            signals.push_back(row_of(row));
        Json result;
        result["signal"] = std::move(signals);
        result["head"] = {{"text", title}, {"tick", window.from}};
        if (!foot.empty())
            result["foot"] = {{"text", foot}};
        result["config"] = {{"hscale", hscale_}};
        return result;
    }

private:
    Json row_of(const WaveformRow& row) {
        if (row.signal)
            return is_level(*row.signal) ? level_of(row) : values_of(row);
        Json group = Json::array({row.label});
        for (const WaveformRow& member : row.rows)
            group.push_back(row_of(member));
        return group;
    }

    Json level_of(const WaveformRow& row) const {
        return {{"name", row.label}, {"wave", wave_of(*row.signal, [&](std::size_t k) {
                                          return row.signal->changes.value(k)[0] != 0 ? '1' : '0';
                                      })}};
    }

    Json values_of(const WaveformRow& row) {
        const Signal& signal = *row.signal;
        Json data = Json::array();
        const std::string wave = wave_of(signal, [&](std::size_t k) {
            const std::uint64_t end =
                k + 1 < signal.changes.size() ? signal.changes.cycle(k + 1) : waveform_.window.to;
            const std::string text = shown_value(signal, k);
            make_room(text, end - signal.changes.cycle(k));
            data.push_back(text);
            return '=';
        });
        return {{"name", row.label}, {"wave", wave}, {"data", std::move(data)}};
    }

    /// One character per cycle; `known` gives the character for the first cycle of a change.
    template <class Known> std::string wave_of(const Signal& signal, Known known) const {
        std::string result(waveform_.window.to - waveform_.window.from, '.');
        for (std::size_t k = 0; k < signal.changes.size(); ++k)
            result[signal.changes.cycle(k) - waveform_.window.from] =
                signal.changes.is_known(k) ? known(k) : 'x';
        return result;
    }

    /// Widens cycles so that a text fits into `cycles` of them.
    void make_room(const std::string& text, std::uint64_t cycles) {
        constexpr std::size_t cycle_px = 40, character_px = 9, border_px = 14, widest = 8;
        const std::size_t room_px = cycle_px * cycles;
        const std::size_t needed = (text.size() * character_px + border_px + room_px - 1) / room_px;
        hscale_ = std::clamp(needed, hscale_, widest);
    }

    const Waveform& waveform_;
    std::size_t hscale_ = 1; // width of a cycle in units of WaveDrom
};

/// Formats one line per signal.
std::string text_of(const Json& signals, std::size_t depth) {
    const std::string indent(2 * depth, ' ');
    std::string result = "[";
    for (std::size_t k = 0; k < signals.size(); ++k) {
        result += k > 0 ? ",\n" + indent : "\n" + indent;
        result += signals[k].is_array() ? text_of(signals[k], depth + 1) : signals[k].dump();
    }
    return result + "]";
}

} // namespace

std::string wavejson(const Waveform& waveform, const std::string& title, const std::string& foot) {
    const Json result = Writer{waveform}.write(title, foot);
    std::string text = "{\"signal\": " + text_of(result["signal"], 1);
    for (const char* const key : {"head", "foot", "config"})
        if (result.contains(key))
            text += ",\n \"" + std::string{key} + "\": " + result[key].dump();
    return text + "}\n";
}

} // namespace sme::trace
