// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "network/picture/diagram.hpp"
#include "report/occupancy.hpp"
#include "sme/type.hpp"
#include "trace/timeline.hpp"
#include "trace/waveform/waveform.hpp"

namespace sme::expr {
struct Check;
}
namespace sme::interpret {
struct Verdict;
class RecordingFile;
} // namespace sme::interpret

namespace sme::report {

/// The outcome of a check, of a recorded output, or of a whole run. The pointers are valid as long
/// as the network and its observers.
struct Outcome {
    enum class Kind : std::uint8_t { passed, failed, faulted, skipped };
    Kind kind = Kind::passed;
    std::string name;  // "always: x == 3"
    std::string owner; // the process or component instance of a check; or empty
    Location where;
    std::string word; // "passed", "failed", "not reached", "pending", …
    std::string why;  // explanation unless it passed; several lines
    const expr::Check* check = nullptr;
    const interpret::Verdict* verdict = nullptr; // of a check
    const interpret::RecordingFile* recording = nullptr;

    // Only for the page:
    std::string counts;                 // "evaluated 201 times"
    std::optional<std::uint64_t> cycle; // of the failure, or of the first evaluation
    std::vector<std::string> signals;   // the signals it reads, named as in the waveform
};

/// A run, as the page shows it. Null and empty members are omitted.
struct Report {
    std::string version; // of the simulator
    std::string network;
    std::string ending; // "completed"
    bool good = true;
    std::string command; // that repeats the run
    std::string folder;  // in which to run the command
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<std::string> faults;
    std::vector<Outcome> checks;
    std::vector<Outcome> outputs;
    std::vector<std::string> notes; // omissions with their reasons

    const trace::Waveform* waveform = nullptr; // never null
    std::vector<std::string> wave_notes;       // omissions in the waveform
    std::uint64_t period_ps = 0;

    const Diagram* diagram = nullptr;
    std::string coverage;                       // JSON in the format of --coverage
    std::map<std::string, std::string> sources; // path → text of covered files
    std::string thread_text;                    // in the format of --stats
    std::vector<trace::TimelineEvent> events;
    std::vector<ChannelOccupancy> channels;
};

/// Inserts the report into `page`, the page without data.
std::string page_of(const Report& report, std::string_view page);

/// Appends the changes of a signal in the format of README.md. Returns the number of bytes.
std::size_t append_changes(const trace::Changes& changes, const Type& type, std::string& bytes);

/// Compresses bytes to a zlib stream (RFC 1950), in base64 (RFC 4648).
std::string deflated_base64(std::string_view bytes);

} // namespace sme::report
