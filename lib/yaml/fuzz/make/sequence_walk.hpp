// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sme::fuzz {

/// What a sequence reads and writes.
struct SequenceValues {
    unsigned phase = 0; // the cycle, in 4 bits
    unsigned a = 0;     // a state of 8 bits
    unsigned y = 0;     // an output, 0 unless it is written
    bool sends = false;
    unsigned sent = 0;
    std::map<std::string, unsigned> indices;
    std::map<std::string, unsigned> arguments; // of open procedures
};

/// A value as text, and as it is.
struct SequenceValue {
    std::string text;
    std::function<unsigned(const SequenceValues&)> of;
    bool is_fixed = false; // it changes with indices and arguments only
};

struct SequenceItem;
using SequenceItems = std::vector<SequenceItem>;

struct SequenceItem {
    enum class Kind {
        targets,
        wait,
        pause,
        parallel,
        send,
        receive,
        choice,
        match,
        loop,
        repeat,
        call,
        word
    };
    Kind kind = Kind::targets;
    std::string text; // of a word or a call
    bool is_inline = false;
    SequenceValue value;  // condition, number or subject
    std::string index;    // of a repeat
    bool is_for = true;   // else it is written "repeat"
    bool writes_y = true; // else it writes a
    std::optional<SequenceValue> written, lasting;
    unsigned within = 0; // 0: no limit
    std::vector<std::pair<std::optional<SequenceValue>, SequenceItems>> arms;
    SequenceItems body, late;
    bool has_late = false;
};

/// A named sequence; the first may be called everywhere but in the second branch of "parallel".
struct SequenceProcedure {
    std::string name, parameter;
    SequenceItems items;
};

/// Whether the stream that a sequence sends to accepts a value in this phase.
bool stream_accepts(unsigned phase);

/// Does one cycle of a sequence: what it reads becomes what it has written.
using SequenceCycle = std::function<void(SequenceValues& values)>;
/// Follows a sequence, which must outlive the result.
SequenceCycle followed(const SequenceItems& items,
                       const std::vector<SequenceProcedure>& procedures);

} // namespace sme::fuzz
