// SPDX-License-Identifier: Apache-2.0
#include "trace/collect/last_cycles.hpp"

#include <algorithm>

namespace sme::trace {

void RecordList::make_room() {
    const auto size = static_cast<std::size_t>(next_ - begin_);
    const auto capacity = std::max<std::size_t>(2 * static_cast<std::size_t>(end_ - begin_), 256);
    std::unique_ptr<Record[]> larger{new Record[capacity]};
    std::copy(begin_, next_, larger.get());
    memory_ = std::move(larger);
    begin_ = memory_.get();
    next_ = begin_ + size;
    end_ = begin_ + capacity;
}

void LastCycles::take(const Frame& frame, ChangeFinder& finder) {
    const bool begins = stretches_.empty();
    RecordList first; // values that `Stretch::values` does not tell: of a fault in the first cycle
    if (begins) {
        first.append({frame.cycle, 0, Record::cycle_begins});
        finder.find_all(frame, first);
    } else {
        RecordList& changes = stretches_.back()->changes;
        const std::size_t before = changes.records().size();
        changes.append({frame.cycle, 0, Record::cycle_begins});
        finder.find(frame, changes);
        changes_ += changes.records().size() - before - 1;
    }
    if (!begins && (frame.cycle < stretches_.back()->first + stretch_ || !frame.wires_settled))
        return; // some wires may have no value after a fault, which ends the run
    std::unique_ptr<Stretch> next;
    if (stretches_.size() > 1 && stretches_[1]->first + cycles_ <= frame.cycle) {
        next = std::move(stretches_.front()); // reuse its memory
        stretches_.pop_front();
        next->changes.clear();
    } else
        next = std::make_unique<Stretch>();
    next->first = frame.cycle;
    next->values = finder.shadow();
    next->wires = !begins || frame.wires_settled;
    if (!next->wires)
        for (const Record& record : first.records())
            next->changes.append(record);
    stretches_.push_back(std::move(next));
}

std::uint64_t LastCycles::first(std::uint64_t ran) const {
    const std::uint64_t begin = stretches_.empty() ? 0 : stretches_.front()->first;
    return std::max(begin, ran > cycles_ ? ran - cycles_ : 0);
}

namespace {

/// The current values of all signals, as records in a pool.
class Values {
public:
    void take(std::span<const Record> records) {
        for (std::size_t k = 0; k < records.size();) {
            const std::size_t begin = pool_.size();
            const std::uint32_t signal = records[k].signal;
            do
                pool_.push_back(records[k]);
            while ((records[k++].format & Record::more) != 0);
            if (signal >= place_.size())
                place_.resize(signal + 1, none);
            place_[signal] = begin;
        }
    }
    void give(std::vector<Record>& into) const {
        for (const std::size_t begin : place_)
            for (std::size_t at = begin; at != none;) {
                into.push_back(pool_[at]);
                at = (pool_[at].format & Record::more) != 0 ? at + 1 : none;
            }
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};
    std::vector<Record> pool_;
    std::vector<std::size_t> place_;
};

} // namespace

std::vector<Record> LastCycles::records(std::uint64_t ran, const ChangeFinder& finder) const {
    std::vector<Record> result;
    if (stretches_.empty())
        return result;
    const std::uint64_t wanted = first(ran);
    auto from = stretches_.begin();
    while (std::next(from) != stretches_.end() && (*std::next(from))->first <= wanted)
        ++from;
    Values values;
    {
        RecordList all;
        finder.values((*from)->values, (*from)->wires, all);
        values.take(all.records());
    }
    bool begun = false;
    const auto begin = [&] {
        result.push_back({wanted, 0, Record::cycle_begins});
        values.give(result);
        begun = true;
    };
    for (; from != stretches_.end(); ++from) {
        std::span<const Record> rest = (*from)->changes.records();
        while (!rest.empty() && !begun) { // cycle by cycle
            const bool later = rest[0].value > wanted;
            if (later)
                break;
            const auto end = std::find_if(rest.begin() + 1, rest.end(), [](const Record& record) {
                return (record.format & Record::cycle_begins) != 0;
            });
            values.take({rest.begin() + 1, end});
            rest = {end, rest.end()};
        }
        if (!begun && !rest.empty())
            begin();
        result.insert(result.end(), rest.begin(), rest.end());
    }
    if (!begun)
        begin();
    return result;
}

} // namespace sme::trace
