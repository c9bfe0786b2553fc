// SPDX-License-Identifier: Apache-2.0
// Compares the reports of the finder with a direct comparison of every scalar.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include "trace/collect/change_finder.hpp"
#include "trace/collect/chunk_ring.hpp"

using namespace sme::trace;

namespace {

/// Equidistant slots of one layout.
struct Placed {
    std::vector<TracedLeaf> leaves;
    std::size_t slot_bytes;
    sme::Segment offsets;
    bool wire = false;
    std::uint32_t signal = 0; // the first signal, assigned by Model
};

using Shown = std::vector<std::string>; // by signal

class Model {
public:
    explicit Model(std::vector<Placed> rows) : rows_{std::move(rows)} {
        for (Placed& row : rows_) {
            row.signal = signals_;
            signals_ += static_cast<std::uint32_t>(row.offsets.count * row.leaves.size());
            const auto wires = row.wire ? std::optional<std::uint64_t>{row.signal} : std::nullopt;
            finder_.add(row.leaves, row.slot_bytes, row.offsets, wires, row.signal);
            for (std::uint64_t k = 0; k < row.offsets.count; ++k)
                arena_.resize(std::max(arena_.size(), at(row, k) + row.slot_bytes));
        }
        finder_.prepare();
    }

    std::vector<std::byte>& arena() { return arena_; }

    /// Runs the finder, and compares its report with the expected changes. Returns the number of
    /// changes.
    std::size_t look(bool first, bool wires_settled = true) {
        ChunkRing ring;
        const sme::Frame frame{arena_.data(), nullptr, 0, nullptr, wires_settled};
        first ? finder_.find_all(frame, ring) : finder_.find(frame, ring);
        ring.finish();
        const Shown now = show(wires_settled);
        std::size_t changes = 0;
        std::vector<std::uint32_t> found;
        std::string value;
        for (auto chunk = ring.next(); !chunk.empty(); chunk = ring.next())
            for (const Record& record : chunk) {
                value += text(record);
                if (record.format & Record::more)
                    continue;
                found.push_back(record.signal);
                CHECK(value == now[record.signal]);
                value.clear();
            }
        std::vector<std::uint32_t> expected;
        for (std::uint32_t signal = 0; signal < signals_; ++signal)
            if (first || now[signal] != before_[signal])
                expected.push_back(signal);
        CHECK(found == expected);
        changes = expected.size();
        before_ = now;
        return changes;
    }

private:
    static std::size_t at(const Placed& row, std::uint64_t k) {
        return static_cast<std::size_t>(row.offsets.offset +
                                        static_cast<std::int64_t>(k) * row.offsets.stride);
    }
    static std::string text(const Record& record) {
        return record.format & Record::unknown
                   ? "x"
                   : std::to_string(record.value) + (record.format & Record::more ? "," : "");
    }
    Shown show(bool wires_settled) const {
        Shown shown;
        for (const Placed& row : rows_)
            for (std::uint64_t k = 0; k < row.offsets.count; ++k)
                for (const TracedLeaf& leaf : row.leaves) {
                    const std::byte* slot = &arena_[at(row, k)];
                    std::string text; // the highest word first
                    for (unsigned word = leaf.words; word-- > 0;) {
                        std::uint64_t value = 0; // little-endian, like this machine
                        std::memcpy(&value, slot + leaf.offset + word * leaf.bytes, leaf.bytes);
                        text += std::to_string(value) + (word > 0 ? "," : "");
                    }
                    const bool known = leaf.presence == 0 || slot[leaf.presence] != std::byte{0};
                    const bool kept = row.wire && !wires_settled && !before_.empty();
                    shown.push_back(kept                                     ? before_[shown.size()]
                                    : known && !(row.wire && !wires_settled) ? text
                                                                             : "x");
                }
        return shown;
    }

    std::vector<Placed> rows_;
    ChangeFinder finder_;
    std::vector<std::byte> arena_;
    std::uint32_t signals_ = 0;
    Shown before_;
};

std::vector<TracedLeaf> words(std::size_t count, std::uint8_t bytes) {
    std::vector<TracedLeaf> result;
    for (std::uint32_t k = 0; k < count; ++k)
        result.push_back({k * bytes, bytes, static_cast<std::uint8_t>(8 * bytes)});
    return result;
}

} // namespace

TEST_CASE("every change is found, at every density and in every layout, and nothing else") {
    Model model{{
        {words(1, 1), 1, {0, 200, 0, 1}},
        {words(1, 2), 2, {0, 101, 256, 2}},
        {words(1, 4), 4, {0, 300, 512, 4}},
        {words(1, 8), 8, {0, 17, 2048, 8}},
        {words(1, 4), 4, {0, 9, 3000, 20}},                                    // with gaps
        {words(1, 4), 4, {0, 5, 3540, -4}},                                    // backwards
        {words(300, 1), 300, {0, 3, 4096, 300}},                               // arrays
        {{{0, 1, 1}, {2, 2, 12}, {8, 8, 64}}, 16, {0, 40, 5120, 16}},          // structs
        {{{2, 2, 16}}, 16, {0, 10, 5760, 16}},                                 // a field of them
        {{{0, 4, 32, 8}, {4, 4, 32, 9}}, 12, {0, 30, 6144, 12}},               // error buses
        {{{0, 8, 36, 0, 3}}, 24, {0, 20, 6720, 24}},                           // wide values
        {{{0, 1, 8}, {8, 8, 64, 0, 20}, {168, 2, 9}}, 176, {0, 4, 7200, 176}}, // in a struct
        {{{0, 8, 5, 16, 2}}, 24, {0, 4, 7904, 24}},                            // and an error bus
        {words(1, 1), 1, {0, 1, 6600, 0}}, // neighbours of one type
        {words(1, 1), 1, {0, 1, 6601, 0}},
        {words(1, 4), 4, {0, 50, 8192, 4}, true}, // wires
    }};
    std::mt19937 random{1};
    std::size_t changes = model.look(true);
    for (int round = 0; round < 60; ++round) {
        // changes between one byte and all bytes
        const std::size_t bytes = std::size_t{1} << (random() % 14);
        for (std::size_t k = 0; k < bytes; ++k)
            model.arena()[random() % model.arena().size()] = static_cast<std::byte>(random() % 3);
        changes += model.look(false, round % 5 != 4);
    }
    CHECK(changes > 10'000);
    model.look(false);
    CHECK(model.look(false) == 0);
}

TEST_CASE("wires that have no value at first are unknown") {
    Model model{{{words(1, 1), 1, {0, 3, 0, 1}, true}, {words(1, 1), 1, {0, 3, 3, 1}}}};
    CHECK(model.look(true, false) == 6);
}
