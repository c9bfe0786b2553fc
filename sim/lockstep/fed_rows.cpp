// SPDX-License-Identifier: Apache-2.0
#include "lockstep/random_rows.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "lockstep/comparison.hpp"
#include "network/build.hpp"

namespace sme::lockstep {

namespace {

class Recorder final : public Group {
public:
    Recorder(std::shared_ptr<FedRows> into, const Build& build) : into_{std::move(into)} {
        into_->rows.clear();
        for (std::uint32_t p = 0; p < into_->elements.size(); ++p) {
            slots_.push_back({build.ports[p].offsets.at(0), build.bus_at(p, 0).type->size()});
            bytes_ = std::max(bytes_, into_->offsets[p] + slots_[p].second);
        }
    }

    void step(unsigned, Range, const Frame& frame) override {
        if (!frame.wires_settled) // the run has ended
            return;
        std::vector<std::byte>& row = into_->rows.emplace_back(bytes_);
        for (std::size_t p = 0; p < slots_.size(); ++p)
            std::memcpy(row.data() + into_->offsets[p], frame.read + slots_[p].first,
                        slots_[p].second);
    }

private:
    std::shared_ptr<FedRows> into_;
    std::vector<std::pair<std::int64_t, std::size_t>> slots_;
    std::size_t bytes_ = 0;
};

/// Part 0 writes the wires of a row; the last part writes the registers of the next one.
class Feeder final : public Group {
public:
    Feeder(std::shared_ptr<FedRows> rows, const RandomRules& rules, const Build& build)
        : rows_{std::move(rows)}, rules_{build.graph, rows_->elements, rules, 0} {
        const std::vector<std::uint64_t>& elements = rows_->elements;
        const std::vector<RandomRules::Handshake>& handshakes = rules.handshakes;
        for (std::uint32_t p = 0; p < elements.size(); ++p) {
            const BusFamily& bus = build.bus_at(p, 0);
            slots_.push_back(
                {build.ports[p].offsets.at(0), bus.type->size(), slot_size(bus), bus.wire()});
        }
        for (std::size_t k = 0; k < handshakes.size(); ++k)
            handshakes_.push_back(
                {static_cast<std::size_t>(
                     std::find(elements.begin(), elements.end(), handshakes[k].element) -
                     elements.begin()),
                 handshakes[k].valid, build.ports[elements.size() + k].offsets.at(0)});
        for (std::size_t k = 0; k < rules_.lookback().elements().size(); ++k)
            seen_.push_back(build.ports[elements.size() + handshakes.size() + k].offsets.at(0));
        rows_->broke = !seen_.empty() && !rules_.allows(rows_->rows[0]);
    }

    void step(unsigned part, Range, const Frame& frame) override {
        const std::size_t last = rows_->rows.size() - 1;
        const auto cycle = static_cast<std::size_t>(std::min<std::uint64_t>(frame.cycle, last));
        const std::vector<std::byte>& now = rows_->rows[cycle];
        if (part == 0) {
            put(now, true, frame);
            return;
        }
        const std::vector<std::byte>& next = rows_->rows[std::min(cycle + 1, last)];
        for (const Handshake& each : handshakes_) {
            const std::size_t at = rows_->offsets[each.place];
            if (now[at + each.valid] != std::byte{0} && frame.read[each.ready] == std::byte{0} &&
                std::memcmp(now.data() + at, next.data() + at, slots_[each.place].value) != 0)
                rows_->broke = true;
        }
        if (!seen_.empty()) {
            rules_.lookback().note([&](std::size_t k) { return frame.read + seen_[k]; });
            rows_->broke = rows_->broke || !rules_.allows(next);
        }
        put(next, false, frame);
    }

private:
    struct Slot {
        std::int64_t offset;
        std::size_t value, bytes;
        bool wire;
    };
    struct Handshake {
        std::size_t place;
        std::uint32_t valid;
        std::int64_t ready;
    };

    void put(const std::vector<std::byte>& row, bool wires, const Frame& frame) const {
        for (std::size_t p = 0; p < slots_.size(); ++p) {
            const Slot& slot = slots_[p];
            if (slot.wire != wires)
                continue;
            std::memset(frame.write + slot.offset, 1, slot.bytes);
            std::memcpy(frame.write + slot.offset, row.data() + rows_->offsets[p], slot.value);
        }
    }

    std::shared_ptr<FedRows> rows_;
    RandomRows rules_;
    std::vector<Slot> slots_;
    std::vector<Handshake> handshakes_;
    std::vector<std::int64_t> seen_; // offsets of the elements to look back at
};

} // namespace

void add_recorder(Graph& graph, std::shared_ptr<FedRows> into) {
    ProcessFamily observer = feeder_of(graph, into->elements, "recorder");
    observer.observer = true;
    Part& part = observer.parts[0];
    std::swap(part.reads, part.writes);
    for (Port& port : observer.ports)
        port.output = false;
    observer.kind = factory_of<Recorder>(std::move(into));
    graph.processes.push_back(std::move(observer));
}

void add_feeder(Graph& graph, std::shared_ptr<FedRows> rows, const RandomRules& rules) {
    shorten_delays(graph, rows->elements);
    ProcessFamily source = ruled_feeder_of(graph, rows->elements, rules, "fed rows");
    source.kind = factory_of<Feeder>(std::move(rows), rules);
    graph.processes.push_back(std::move(source));
}

void begin_with(const FedRows& rows, Graph& graph) {
    for (std::size_t p = 0; p < rows.elements.size(); ++p)
        if (!graph.family_of(rows.elements[p]).wire())
            set_initial(graph, rows.elements[p], rows.rows[0].data() + rows.offsets[p]);
}

} // namespace sme::lockstep
