// SPDX-License-Identifier: Apache-2.0
#include "engine/slots/reports.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace sme::engine {

/// A control that knows which part of which group uses it.
class Reports::GroupControl final : public Control {
public:
    GroupControl(Reports& reports, std::uint32_t group, unsigned part)
        : reports_{reports}, group_{group}, part_{part} {}

    void halt() override { reports_.halted_.store(true, std::memory_order_relaxed); }
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

void Reports::sort(std::vector<PrintRecord>& prints) const {
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

void Reports::forget() {
    halted_ = failed_ = faulted_ = false;
    faults_.clear();
    prints_.clear();
    kept_.clear();
}

namespace {

void put(std::vector<std::byte>& to, const void* data, std::size_t bytes) {
    const auto* const from = static_cast<const std::byte*>(data);
    to.insert(to.end(), from, from + bytes);
}

void put(std::vector<std::byte>& to, std::uint64_t value) {
    put(to, &value, sizeof value);
}

void put(std::vector<std::byte>& to, std::string_view text) {
    put(to, text.size());
    put(to, text.data(), text.size());
}

/// Reads what `put` wrote.
class Message {
public:
    explicit Message(const std::vector<std::byte>& bytes) : bytes_{bytes} {}
    std::uint64_t number() {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes_.data() + next_, sizeof value);
        next_ += sizeof value;
        return value;
    }
    std::string text() {
        const std::uint64_t size = number();
        next_ += size;
        return {reinterpret_cast<const char*>(bytes_.data() + next_ - size), size};
    }
    /// Another rank has read the same file.
    Location location() {
        Location result;
        if (number() == 0)
            return result;
        const std::string path = text();
        result.source = std::make_shared<Source>(path, text());
        result.begin = static_cast<std::uint32_t>(number());
        result.end = static_cast<std::uint32_t>(number());
        return result;
    }

private:
    const std::vector<std::byte>& bytes_;
    std::size_t next_ = 0;
};

/// A place in a C++ file stays unknown.
void put(std::vector<std::byte>& to, const Location& where) {
    put(to, std::uint64_t{where.source ? 1U : 0U});
    if (!where.source)
        return;
    put(to, where.source->path());
    put(to, where.source->text());
    put(to, std::uint64_t{where.begin});
    put(to, std::uint64_t{where.end});
}

} // namespace

void Reports::put(std::vector<std::byte>& to, const PrintRecord& print) {
    for (const std::uint64_t number :
         {std::uint64_t{print.family}, print.instance, std::uint64_t{print.order}, print.cycle})
        engine::put(to, number);
    engine::put(to, print.line);
}

void Reports::put(std::vector<std::byte>& to, const FaultRecord& fault) {
    for (const std::uint64_t number :
         {std::uint64_t{fault.family}, fault.instance, std::uint64_t{fault.part}, fault.cycle,
          static_cast<std::uint64_t>(fault.what.code),
          static_cast<std::uint64_t>(fault.what.severity)})
        engine::put(to, number);
    engine::put(to, fault.what.where);
    engine::put(to, fault.what.message);
    engine::put(to, std::uint64_t{fault.what.notes.size()});
    for (const Note& note : fault.what.notes) {
        engine::put(to, note.where);
        engine::put(to, note.message);
    }
}

void Reports::join(Transport& transport) {
    std::vector<std::byte> own;
    if (transport.rank() > 0) {
        engine::put(own, std::uint64_t{kept_.size()});
        for (const PrintRecord& print : kept_)
            put(own, print);
        engine::put(own, std::uint64_t{faults_.size()});
        for (const FaultRecord& fault : faults_)
            put(own, fault);
        kept_.clear();
    }
    const std::vector<std::vector<std::byte>> all = transport.gather(own);
    if (transport.rank() > 0)
        return;
    for (unsigned rank = 1; rank < all.size(); ++rank) {
        Message message{all[rank]};
        for (std::uint64_t k = message.number(); k > 0; --k) {
            PrintRecord& print = kept_.emplace_back();
            print.family = static_cast<std::uint32_t>(message.number());
            print.instance = message.number();
            print.order = static_cast<std::uint32_t>(message.number());
            print.cycle = message.number();
            print.line = message.text();
        }
        for (std::uint64_t k = message.number(); k > 0; --k) {
            FaultRecord& fault = faults_.emplace_back();
            fault.family = static_cast<std::uint32_t>(message.number());
            fault.instance = message.number();
            fault.part = static_cast<unsigned>(message.number());
            fault.cycle = message.number();
            fault.what.code = static_cast<Code>(message.number());
            fault.what.severity = static_cast<Severity>(message.number());
            fault.what.where = message.location();
            fault.what.message = message.text();
            for (std::uint64_t n = message.number(); n > 0; --n) {
                const Location where = message.location();
                fault.what.note(where, message.text());
            }
        }
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
