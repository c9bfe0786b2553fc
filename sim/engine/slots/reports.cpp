// SPDX-License-Identifier: Apache-2.0
#include "engine/slots/reports.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/slots/state.hpp"
#include "runtime/memory_archive.hpp"

namespace sme::engine {

/// A control that knows which part of which group uses it.
class Reports::GroupControl final : public Control {
public:
    GroupControl(Reports& reports, std::uint32_t group, unsigned part)
        : reports_{reports}, group_{group}, part_{part} {}

    void halt() override {
        if (reports_.halts_)
            reports_.halted_.store(true, std::memory_order_relaxed);
    }
    void fail() override { reports_.failed_.store(true, std::memory_order_relaxed); }
    void print(std::uint64_t position, std::uint32_t order, std::string line) override {
        if (!reports_.prints_to_)
            return;
        const std::lock_guard lock{reports_.print_mutex_};
        reports_.prints_.push_back(
            {group_, instance(position), order, std::move(line), reports_.cycle_});
    }
    void fault(std::uint64_t position, const Diagnostic& what) override {
        const std::lock_guard lock{reports_.fault_mutex_};
        reports_.faults_.push_back({group_, instance(position), part_, reports_.cycle_, what});
        reports_.faulted_.store(true, std::memory_order_relaxed);
    }

private:
    std::uint64_t instance(std::uint64_t position) const {
        return static_cast<std::uint64_t>(reports_.layout_.orders[group_].at(position));
    }

    Reports& reports_;
    std::uint32_t group_;
    unsigned part_;
};

Reports::Reports(const Graph& graph, const Layout& layout, PrintSink* prints)
    : graph_{graph}, layout_{layout}, prints_to_{prints} {}
Reports::~Reports() = default;

Control* Reports::add(std::uint32_t group, unsigned part) {
    return &controls_.emplace_back(*this, group, part);
}

bool Reports::has_fault(const PrintRecord& print) const {
    return std::any_of(faults_.begin(), faults_.end(), [&](const FaultRecord& fault) {
        return fault.family == print.family && fault.instance == print.instance;
    });
}

void Reports::sort(std::vector<PrintRecord>& prints) {
    std::sort(prints.begin(), prints.end(), [](const PrintRecord& a, const PrintRecord& b) {
        return std::tie(a.cycle, a.family, a.instance, a.order) <
               std::tie(b.cycle, b.family, b.instance, b.order);
    });
}

void Reports::hand_over() {
    sort(prints_);
    for (PrintRecord& print : prints_)
        if (has_fault(print)) // a faulting instance changes nothing
            continue;
        else if (keeps_prints_)
            kept_.push_back(std::move(print));
        else
            prints_to_->print(print.line);
    prints_.clear();
}

void Reports::forget(std::uint64_t first) {
    clear();
    const auto runs_again = [&](const auto& record) {
        return record.cycle >= first && !graph_.processes[record.family].observer;
    };
    std::erase_if(faults_, runs_again);
    std::erase_if(kept_, runs_again);
    prints_.clear();
}

namespace {

/// Another rank has read the same file. A place in a C++ file stays unknown.
void location_state(Archive& archive, Location& where) {
    bool known = where.source != nullptr;
    archive(known);
    if (!known)
        return;
    std::string path{archive.saves() ? where.source->path() : ""};
    std::string text{archive.saves() ? where.source->text() : ""};
    archive(path, text, where.begin, where.end);
    if (!archive.saves())
        where.source = std::make_shared<Source>(std::move(path), std::move(text));
}

} // namespace

void Reports::PrintRecord::state(Archive& archive) {
    archive(family, instance, order, line, cycle);
}

void Reports::FaultRecord::state(Archive& archive) {
    archive(family, instance, part, cycle, what.code, what.severity, what.message);
    location_state(archive, what.where);
    std::uint64_t notes = what.notes.size();
    archive(notes);
    what.notes.resize(notes);
    for (Note& note : what.notes) {
        location_state(archive, note.where);
        archive(note.message);
    }
}

void Reports::join(Transport& transport) {
    std::vector<std::byte> own;
    if (transport.rank() > 0) {
        Saving{own}(kept_, faults_);
        kept_.clear();
    }
    const std::vector<std::vector<std::byte>> all = transport.gather(own);
    if (transport.rank() > 0)
        return;
    for (unsigned rank = 1; rank < all.size(); ++rank) {
        std::vector<PrintRecord> prints;
        std::vector<FaultRecord> faults;
        Loading{all[rank]}(prints, faults);
        std::move(prints.begin(), prints.end(), std::back_inserter(kept_));
        std::move(faults.begin(), faults.end(), std::back_inserter(faults_));
    }
    sort(kept_);
    for (const PrintRecord& print : kept_)
        if (prints_to_)
            prints_to_->print(print.line);
    kept_.clear();
}

std::optional<Reports::Process> Reports::first_faulted() const {
    const auto first = std::min_element(
        faults_.begin(), faults_.end(), [](const FaultRecord& a, const FaultRecord& b) {
            return std::tie(a.family, a.instance) < std::tie(b.family, b.instance);
        });
    return first == faults_.end() ? std::nullopt
                                  : std::optional<Process>{{first->family, first->instance}};
}

std::vector<Diagnostic> Reports::faults() const {
    std::vector<FaultRecord> sorted = faults_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const FaultRecord& a, const FaultRecord& b) {
        return std::tie(a.family, a.instance, a.part) < std::tie(b.family, b.instance, b.part);
    });
    std::vector<Diagnostic> found;
    const FaultRecord* last = nullptr;
    for (FaultRecord& record : sorted) {
        const bool again =
            last && last->family == record.family && last->instance == record.instance;
        last = &record;
        if (again) // two parts of one process
            continue;
        const ProcessFamily& family = graph_.processes[record.family];
        const Location declared = family.instance_location(record.instance);
        if (!record.what.where.known())
            record.what.where = declared;
        else if (declared.known() && !family.observer)
            record.what.note(declared, fmt::format("'{}' is declared here",
                                                   family.instance_name(record.instance)));
        const std::string process =
            family.observer ? std::string{}
                            : fmt::format(", process '{}'", family.instance_name(record.instance));
        record.what.message =
            fmt::format("in cycle {}{}: {}", record.cycle, process, record.what.message);
        found.push_back(std::move(record.what));
    }
    return found;
}

} // namespace sme::engine
