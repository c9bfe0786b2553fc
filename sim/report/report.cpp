// SPDX-License-Identifier: Apache-2.0
#include "report/report.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <zlib.h>

#include "network/picture/diagram.hpp"

namespace sme::report {

namespace {

/// Appends 7 bits per byte, the lowest first; all but the last byte have their highest bit set
/// (LEB128).
void append_number(std::uint64_t number, std::string& bytes) {
    for (; number >= 0x80; number >>= 7)
        bytes += static_cast<char>(number | 0x80);
    bytes += static_cast<char>(number);
}

/// The same for a number of several words, the lowest first.
void append_number(std::vector<std::uint64_t> words, std::string& bytes) {
    const auto is_zero_behind = [&](std::size_t k) {
        for (; k < words.size(); ++k)
            if (words[k] != 0)
                return false;
        return true;
    };
    while (words[0] >= 0x80 || !is_zero_behind(1)) {
        bytes += static_cast<char>(words[0] | 0x80);
        for (std::size_t k = 0; k < words.size(); ++k)
            words[k] = words[k] >> 7 | (k + 1 < words.size() ? words[k + 1] << 57 : 0);
    }
    bytes += static_cast<char>(words[0]);
}

/// Appends the bits of a value, without sign extension.
void append_value(std::span<const std::uint64_t> value, const Type& type, std::string& bytes) {
    if (value.size() > 1)
        return append_number(std::vector<std::uint64_t>(value.begin(), value.end()), bytes);
    const std::uint64_t width = type.width_bits();
    append_number(width < 64 ? value[0] & ((std::uint64_t{1} << width) - 1) : value[0], bytes);
}

} // namespace

std::size_t append_changes(const trace::Changes& changes, const Type& type, std::string& bytes) {
    const std::size_t before = bytes.size();
    std::uint64_t last = 0;
    for (std::size_t k = 0; k < changes.size(); ++k) {
        const std::uint64_t step = changes.cycle(k) - last;
        last = changes.cycle(k);
        append_number(step * 2 + (changes.is_known(k) ? 0 : 1), bytes);
        if (changes.is_known(k))
            append_value(changes.value(k), type, bytes);
    }
    return bytes.size() - before;
}

std::string deflated_base64(std::string_view bytes) {
    uLongf size = ::compressBound(static_cast<uLong>(bytes.size()));
    std::vector<Bytef> packed(size);
    if (::compress2(packed.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                    static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION) != Z_OK)
        throw std::bad_alloc{}; // only fails without memory, as the buffer is large enough
    static constexpr char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((size + 2) / 3 * 4);
    for (std::size_t k = 0; k < size; k += 3) {
        std::uint32_t group = 0;
        for (std::size_t n = 0; n < 3; ++n)
            group = group << 8 | (k + n < size ? packed[k + n] : 0u);
        for (std::size_t n = 0; n < 4; ++n)
            text += k + n <= size ? digits[group >> (18 - 6 * n) & 63u] : '=';
    }
    return text;
}

// Writes the JSON and the bytes described in README.md into the page.

namespace {

using Json = nlohmann::ordered_json;

std::string_view word_of(Outcome::Kind kind) {
    switch (kind) {
    case Outcome::Kind::passed: return "passed";
    case Outcome::Kind::failed: return "failed";
    case Outcome::Kind::faulted: return "faulted";
    case Outcome::Kind::skipped: return "skipped";
    }
    return "";
}

/// The signals of a waveform and of channels, with their bytes concatenated.
class WaveWriter {
public:
    explicit WaveWriter(const trace::Waveform& waveform) {
        for (const trace::Signal& signal : waveform.signals) {
            numbers_.emplace(signal.name, signals_.size());
            Json result = add(signal.name, signal.changes, signal.type);
            if (signal.state)
                result["state"] = true;
            if (signal.wire)
                result["wire"] = true;
            if (signal.clock > 0)
                result["clock"] = signal.clock;
            signals_.push_back(std::move(result));
        }
    }

    /// Adds the fill level of a channel; returns the index of the signal.
    std::size_t add(const ChannelOccupancy& fill) {
        signals_.push_back(add(fill.name, fill.messages, Type::unsigned_integer(64)));
        return signals_.size() - 1;
    }

    /// The indices of the signals with these names; omits unknown names.
    Json numbers(const std::vector<std::string>& names) const {
        Json result = Json::array();
        for (const std::string& name : names)
            if (const auto found = numbers_.find(name); found != numbers_.end())
                result.push_back(found->second);
        return result;
    }

    Json signals() const { return signals_; }
    Json types() const { return types_; }
    std::string text() const { return deflated_base64(bytes_); }

private:
    Json add(const std::string& name, const trace::Changes& changes, const TypeRef& type) {
        Json result{{"name", name}, {"type", number_of(type)}, {"changes", changes.size()}};
        result["bytes"] = append_changes(changes, *type, bytes_);
        return result;
    }

    std::size_t number_of(const TypeRef& type) {
        const auto [found, fresh] = known_.try_emplace(type.get(), types_.size());
        if (fresh)
            types_.push_back(json_of(*type));
        return found->second;
    }

    static Json json_of(const Type& type) {
        Json result{{"text", type.name()}, {"kind", kind_of(type)}, {"width", type.width_bits()}};
        if (type.is_fixed())
            result["fraction"] = type.fraction_bits();
        for (const Member& member : type.members())
            result["members"].push_back({std::to_string(member.value), member.name});
        return result;
    }

    static std::string_view kind_of(const Type& type) {
        switch (type.kind()) {
        case TypeKind::boolean: return "bool";
        case TypeKind::signed_integer: return "signed";
        case TypeKind::enumeration: return "enum";
        default: return "unsigned";
        }
    }

    Json signals_ = Json::array(), types_ = Json::array();
    std::map<std::string, std::size_t, std::less<>> numbers_;
    std::map<const Type*, std::size_t> known_;
    std::string bytes_;
};

Json json_of(const Outcome& outcome, const WaveWriter& waves) {
    Json result{{"kind", word_of(outcome.kind)}, {"word", outcome.word}, {"name", outcome.name}};
    if (!outcome.owner.empty())
        result["of"] = outcome.owner;
    if (!outcome.why.empty() && outcome.why != outcome.word)
        result["why"] = outcome.why;
    if (outcome.where.source) {
        result["file"] = outcome.where.source->path();
        result["line"] = outcome.where.source->position(outcome.where.begin).line;
    }
    if (outcome.cycle)
        result["cycle"] = *outcome.cycle;
    result["counts"] = outcome.counts;
    result["signals"] = waves.numbers(outcome.signals);
    return result;
}

Json json_of(const Diagram& diagram) {
    Json result{{"dot", to_dot(diagram)}, {"edges", Json::array()}};
    for (const Diagram::Edge& edge : diagram.edges)
        result["edges"].push_back({{"from", edge.from},
                                   {"to", edge.to},
                                   {"buses", edge.buses},
                                   {"activity", edge.activity},
                                   {"uses", edge.uses}});
    return result;
}

Json threads_of(const Report& report) {
    Json names = Json::array({"wait"}), events = Json::array();
    std::map<std::string, std::size_t> known;
    std::uint64_t start = std::numeric_limits<std::uint64_t>::max();
    for (const trace::TimelineEvent& event : report.events)
        start = std::min(start, event.begin_ns);
    for (const trace::TimelineEvent& event : report.events) {
        std::size_t name = 0;
        if (!event.waits) {
            const auto [found, fresh] = known.try_emplace(event.name, names.size());
            if (fresh)
                names.push_back(event.name);
            name = found->second;
        }
        events.push_back({event.thread, name, event.begin_ns - start, event.end_ns - start,
                          event.cycle, event.level});
    }
    return {{"text", report.thread_text}, {"names", names}, {"events", events}};
}

Json json_of(const ChannelOccupancy& channel, WaveWriter& waves) {
    Json result{
        {"name", channel.name},         {"depth", channel.depth}, {"latency", channel.latency},
        {"bits", channel.bits},         {"type", channel.type},   {"sender", channel.sender},
        {"receiver", channel.receiver}, {"sent", channel.sent},   {"most", channel.most},
        {"full", channel.full},         {"empty", channel.empty}, {"cycles", channel.cycles}};
    result["mean"] = channel.cycles == 0
                         ? 0.0
                         : static_cast<double>(channel.sum) / static_cast<double>(channel.cycles);
    result["fill"] = waves.add(channel);
    if (channel.declared.source) {
        result["file"] = channel.declared.source->path();
        result["line"] = channel.declared.source->position(channel.declared.begin).line;
    }
    return result;
}

Json waves_json(const Report& report, const WaveWriter& waves) {
    const trace::Waveform& waveform = *report.waveform;
    Json result{{"from", waveform.window.from},
                {"to", waveform.window.to},
                {"period_ps", report.period_ps},
                {"notes", report.wave_notes},
                {"clocks", Json::array()}};
    for (const trace::WaveformClock& clock : waveform.clocks)
        result["clocks"].push_back(
            {{"name", clock.name}, {"every", clock.rate.every}, {"offset", clock.rate.offset}});
    result["types"] = waves.types();
    result["signals"] = waves.signals();
    return result;
}

Json json_of(const Report& report, WaveWriter& waves) {
    Json result{
        {"format", "sme report 1"}, {"version", report.version}, {"network", report.network},
        {"ending", report.ending},  {"ok", report.good},         {"command", report.command},
        {"folder", report.folder},  {"facts", report.facts},     {"faults", report.faults},
        {"checks", Json::array()},  {"outputs", Json::array()},  {"notes", report.notes}};
    for (const Outcome& check : report.checks)
        result["checks"].push_back(json_of(check, waves));
    for (const Outcome& output : report.outputs)
        result["outputs"].push_back(json_of(output, waves));
    result["channels"] = nullptr;
    for (const ChannelOccupancy& channel : report.channels)
        result["channels"].push_back(json_of(channel, waves));
    result["waves"] = waves_json(report, waves);
    result["graph"] = report.diagram ? json_of(*report.diagram) : Json(nullptr);
    result["coverage"] = report.coverage.empty() ? Json(nullptr) : Json::parse(report.coverage);
    result["sources"] = report.sources;
    result["threads"] = report.thread_text.empty() ? Json(nullptr) : threads_of(report);
    return result;
}

/// Escapes JSON for a script element: nothing in it looks like an end tag.
std::string in_element(const Json& json) {
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at))
        text.replace(at, 1, "\\u003c"); // '<' occurs only in strings
    return text;
}

} // namespace

std::string page_of(const Report& report, std::string_view page) {
    constexpr std::string_view mark = "<!-- data -->";
    WaveWriter waves{*report.waveform};
    const std::string json = in_element(json_of(report, waves));
    const std::size_t at = page.find(mark);
    std::string result{page.substr(0, at)};
    result += "<script type=\"application/json\" id=\"sme-report\">" + json + "</script>\n";
    result += "<script type=\"text/plain\" id=\"sme-waves\">" + waves.text() + "</script>";
    return result += page.substr(at + mark.size());
}

} // namespace sme::report
