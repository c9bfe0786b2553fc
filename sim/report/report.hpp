// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "network/picture/diagram.hpp"
#include "report/fills.hpp"
#include "trace/timeline.hpp"
#include "trace/waveform/waveform.hpp"

namespace sme::report {

/// What became of a check or of an output.
struct Outcome {
    enum class Kind : std::uint8_t { passed, failed, faulted, skipped };
    Kind kind = Kind::passed;
    std::string word; // "passed", "not reached"
    std::string name; // "always: x == 3"
    std::string of;   // the process or instance that it belongs to; or empty
    std::string why;
    std::string file; // where it is written; or empty
    std::uint32_t line = 0;
    std::string counts;                 // "evaluated 201 times"
    std::optional<std::uint64_t> cycle; // of the failure; of the first time
    std::vector<std::string> signals;   // that it looks at, as the waveform names them
};

/// A run, as the page shows it. What is null or empty does not stand there.
struct Report {
    std::string version; // of the program
    std::string network;
    std::string ending; // "completed"
    bool good = true;
    std::string command; // that repeats the run
    std::string folder;  // in which
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<std::string> faults;
    std::vector<Outcome> checks;
    std::vector<Outcome> outputs;
    std::vector<std::string> notes; // what is not there, and why

    const trace::Waveform* waveform = nullptr; // never null
    std::vector<std::string> wave_notes;       // what of it is not there
    std::uint64_t period_ps = 0;

    const Diagram* diagram = nullptr;
    std::string coverage;                       // as JSON, as --coverage writes it
    std::map<std::string, std::string> sources; // path → text, of what is covered
    std::string thread_text;                    // as --stats prints it
    std::vector<trace::TimelineEvent> events;
    std::vector<ChannelFill> channels;
};

/// The whole page with the report; what `page` holds is the page without data.
std::string page_of(const Report& report, std::string_view page);

} // namespace sme::report
