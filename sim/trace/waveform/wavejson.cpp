// SPDX-License-Identifier: Apache-2.0
#include "trace/waveform/wavejson.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "trace/waveform/groups.hpp"

namespace sme::trace {

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
        Json made;
        made["signal"] = std::move(signals);
        made["head"] = {{"text", title}, {"tick", window.from}};
        if (!foot.empty())
            made["foot"] = {{"text", foot}};
        made["config"] = {{"hscale", hscale_}};
        return made;
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
        std::string made(waveform_.window.to - waveform_.window.from, '.');
        for (std::size_t k = 0; k < signal.changes.size(); ++k)
            made[signal.changes.cycle(k) - waveform_.window.from] =
                signal.changes.is_known(k) ? known(k) : 'x';
        return made;
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
    std::string made = "[";
    for (std::size_t k = 0; k < signals.size(); ++k) {
        made += k > 0 ? ",\n" + indent : "\n" + indent;
        made += signals[k].is_array() ? text_of(signals[k], depth + 1) : signals[k].dump();
    }
    return made + "]";
}

} // namespace

std::string wavejson(const Waveform& waveform, const std::string& title, const std::string& foot) {
    const Json made = Writer{waveform}.write(title, foot);
    std::string text = "{\"signal\": " + text_of(made["signal"], 1);
    for (const char* const key : {"head", "foot", "config"})
        if (made.contains(key))
            text += ",\n \"" + std::string{key} + "\": " + made[key].dump();
    return text + "}\n";
}

} // namespace sme::trace
