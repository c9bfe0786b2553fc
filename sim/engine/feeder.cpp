// SPDX-License-Identifier: Apache-2.0
#include "engine/feeder.hpp"

#include <algorithm>
#include <cstring>

#include "network/build.hpp"
#include "runtime/abilities.hpp"
#include "sme/internal/archive.hpp"

namespace sme::engine {

namespace {

class Feeder final : public CopyingGroup {
public:
    Feeder(std::shared_ptr<const InputRows> rows, const Build& build) : rows_{std::move(rows)} {
        for (std::uint32_t p = 0; p < build.ports.size(); ++p) {
            const BusFamily& bus = build.bus_at(p, 0);
            bus_ = &bus;
            offsets_.push_back(build.ports[p].offsets.at(0));
            wire_ = bus.wire();
            value_bytes_ = bus.type->size();
            slot_bytes_ = slot_size(bus);
        }
    }

    void step(unsigned, Range, const Frame& frame) override {
        const std::uint64_t shown =
            wire_ ? frame.cycle : frame.cycle + 1; // the cycle in which it is read
        const std::byte* row = row_at(rows_->row_in(shown));
        std::byte* const base = frame.write;
        for (std::size_t k = 0; k < offsets_.size(); ++k) {
            std::byte* const slot = base + offsets_[k];
            if (row)
                std::memcpy(slot, row + k * value_bytes_, value_bytes_);
            else
                std::memset(slot, 0, value_bytes_);
            std::memset(slot + value_bytes_, row ? 1 : 0, slot_bytes_ - value_bytes_);
        }
        // the run ends with the cycle of the last row
        if (rows_->at_end == AtEnd::halt && rows_->row_in(frame.cycle + 1) >= rows_->rows)
            frame.control->halt();
    }

    CopyPlan copy_plan() override {
        Segments to;
        for (const std::int64_t offset : offsets_)
            to.append(offset);
        return {CopyPlan::Kind::feed, bus_, {}, std::move(to), nullptr, 0, rows_.get()};
    }

private:
    const std::byte* row_at(std::uint64_t row) const {
        if (row >= rows_->rows)
            switch (rows_->at_end) {
            case AtEnd::halt:
                if (rows_->row_behind && row == rows_->rows)
                    break;
                return nullptr;
            case AtEnd::zero: return nullptr;
            case AtEnd::hold: row = rows_->rows - 1; break;
            case AtEnd::repeat: row %= rows_->rows; break;
            }
        return rows_->values.data() + row * rows_->row_bytes;
    }

    std::shared_ptr<const InputRows> rows_;
    const BusFamily* bus_ = nullptr; // of any fed element; all have the same type
    std::vector<std::int64_t> offsets_;
    std::size_t value_bytes_ = 0;
    std::size_t slot_bytes_ = 0;
    bool wire_ = false;
};

/// Offers rows on a stream bundle: part 0 writes the wires, part 1 checks whether the row was
/// accepted.
class StreamFeeder final : public CopyingGroup {
public:
    StreamFeeder(std::shared_ptr<const InputRows> rows, const Build& build)
        : rows_{std::move(rows)}, bus_{build.bus_at(0, 0)}, slot_{build.ports[0].offsets.at(0)},
          ready_{build.ports[1].offsets.at(0)} {}

    void step(unsigned part, Range, const Frame& frame) override {
        if (part == 0) {
            std::byte* const slot = frame.write + slot_;
            if (next_ < rows_->rows)
                std::memcpy(slot, rows_->values.data() + next_ * rows_->row_bytes,
                            rows_->row_bytes);
            else
                std::memset(slot, 0, rows_->row_bytes);
        } else if (next_ < rows_->rows && rows_->rate.rises_after(frame.cycle) &&
                   frame.read[ready_] != std::byte{0})
            take(frame);
    }

    void state(Archive& archive) override { archive(next_); }

    CopyPlan copy_plan() override {
        return {CopyPlan::Kind::offer,
                &bus_,
                Segments::affine(1, ready_, 0),
                Segments::affine(1, slot_, 0),
                nullptr,
                0,
                rows_.get(),
                &next_};
    }

private:
    void take(const Frame& frame) {
        ++next_;
        if (next_ < rows_->rows)
            return;
        switch (rows_->at_end) {
        case AtEnd::halt: frame.control->halt(); break;
        case AtEnd::zero: break;
        case AtEnd::hold: --next_; break;
        case AtEnd::repeat: next_ = 0; break;
        }
    }

    std::shared_ptr<const InputRows> rows_;
    const BusFamily& bus_;
    std::int64_t slot_;
    std::int64_t ready_;
    std::uint64_t next_ = 0; // the offered row
};

} // namespace

std::shared_ptr<const GroupFactory> feeder(std::shared_ptr<const InputRows> rows) {
    return rows->stream ? factory_of<StreamFeeder>(std::move(rows))
                        : factory_of<Feeder>(std::move(rows));
}

} // namespace sme::engine
