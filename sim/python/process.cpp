// SPDX-License-Identifier: Apache-2.0
#include "python/process.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "lockstep/comparison.hpp"
#include "network/access.hpp"
#include "network/build.hpp"
#include "network/find.hpp"
#include "python/simulation.hpp"
#include "python/values.hpp"
#include "sme/internal/archive.hpp"

namespace nb = nanobind;

namespace sme::python {

namespace {

/// What a process reads or writes: one bus, or all members of a family.
struct End {
    std::string name;
    std::uint64_t first;
    std::vector<std::uint64_t> shape; // of a family; empty: one bus
    TypeRef type;
    std::size_t marks; // bytes after the value that say that it was written
    std::size_t count = 1;
};

std::size_t marks_of(const BusFamily& bus) {
    return bus.has_marks() ? bus.type->leaf_count() : 0;
}

End end_named(const Graph& graph, const std::string& name) {
    if (const BusFamily* const family = family_named(graph, name))
        return {name,         family->first,     shape_of(family->shape),
                family->type, marks_of(*family), family->count};
    const NamedValue found = value_named(graph, name);
    const BusFamily& bus = graph.family_of(found.element);
    if (bus.state || found.offset != 0 || !(*found.type == *bus.type))
        throw NetworkError{fmt::format("'{}' is part of '{}'; a process reads and writes buses",
                                       name, bus.element_name(found.element))};
    return {name, found.element, {}, found.type, marks_of(bus)};
}

/// A process that is not in the language.
class OutsideProcess : public Group {
public:
    OutsideProcess(std::vector<End> reads, std::vector<End> writes, const Build& build)
        : reads_{std::move(reads)}, writes_{std::move(writes)}, name_{build.family.name},
          outputs_{build} {
        for (const PortSlots& port : build.ports)
            slots_.push_back(port.offsets.at(0));
    }

protected:
    static void report(const std::string& what, Range range, const Frame& frame) {
        Diagnostic fault{Code::step_threw, Severity::fault, {}, {}, {}};
        fault.message = what;
        frame.control->fault(range.first, fault);
    }

    /// Copies the values at an end, one after the other; `slot` is its first one.
    void copy(const End& end, std::size_t slot, const Frame& frame, std::byte* to) const {
        for (std::uint64_t k = 0; k < end.count; ++k, to += end.type->size())
            std::memcpy(to, frame.read + slots_[slot + k], end.type->size());
    }

    static void mark(const End& end, std::byte* slot) {
        std::memset(slot + end.type->size(), 1, end.marks);
    }

    const std::vector<End> reads_, writes_;
    const std::string name_;
    const Outputs outputs_;
    std::vector<std::int64_t> slots_;
};

class PythonProcess final : public OutsideProcess {
public:
    PythonProcess(std::vector<End> reads, std::vector<End> writes, nb::handle step,
                  std::shared_ptr<RaisedError> raised, const Build& build)
        : OutsideProcess{std::move(reads), std::move(writes), build}, step_{step},
          raised_{std::move(raised)} {}

    void step(unsigned part, Range range, const Frame& frame) override {
        outputs_.prepare(part, range, frame);
        const nb::gil_scoped_acquire acquire;
        try {
            run(frame);
        } catch (nb::python_error& error) {
            raised_->error = nb::borrow(error.value());
            const std::string text = error.what(); // the traceback, then the error
            const std::size_t end = text.find_last_not_of('\n') + 1;
            report(text.substr(text.rfind('\n', end - 1) + 1, end), range, frame);
        } catch (const std::exception& error) {
            report(error.what(), range, frame);
        }
    }

    std::string unsaved() const override {
        return fmt::format("process '{}' is in Python, and its state is not saved", name_);
    }

private:
    void run(const Frame& frame) {
        std::size_t slot = 0;
        nb::list arguments;
        for (const End& end : reads_) {
            if (end.shape.empty()) {
                arguments.append(to_python(*end.type, frame.read + slots_[slot]));
            } else {
                std::vector<std::byte> all(end.count * end.type->size());
                copy(end, slot, frame, all.data());
                arguments.append(array_of(all, *end.type, end.shape));
            }
            slot += end.count;
        }
        const nb::object result = step_(*nb::tuple(arguments));
        if (writes_.size() > 1 &&
            (!nb::isinstance<nb::tuple>(result) || nb::len(result) != writes_.size()))
            throw nb::type_error(fmt::format("process '{}' returns a tuple of {} values, one for "
                                             "each bus that it writes",
                                             name_, writes_.size())
                                     .c_str());
        for (std::size_t k = 0; k < writes_.size(); ++k)
            write(writes_[k], writes_.size() > 1 ? nb::object(result[k]) : result, slot, frame);
    }

    /// None leaves a bus unwritten.
    void write(const End& end, const nb::object& value, std::size_t& slot, const Frame& frame) {
        if (!value.is_none()) {
            const TypeRef all = array_type(end.type, end.shape);
            std::vector<std::byte> made(all->size());
            from_python(*all, value, made.data(), end.name);
            for (std::uint64_t k = 0; k < end.count; ++k) {
                std::byte* const at = frame.write + slots_[slot + k];
                std::memcpy(at, made.data() + k * end.type->size(), end.type->size());
                mark(end, at);
            }
        }
        slot += end.count;
    }

    const nb::handle step_; // the simulation owns it
    const std::shared_ptr<RaisedError> raised_;
};

/// Code with pointers to the slots, or, for families, to copies of their values.
class CompiledProcess final : public OutsideProcess {
public:
    CompiledProcess(std::vector<End> reads, std::vector<End> writes, ProcessText::Code* code,
                    std::size_t state_bytes, const Build& build)
        : OutsideProcess{std::move(reads), std::move(writes), build}, code_{code},
          state_((state_bytes + 7) / 8), in_(reads_.size()), out_(writes_.size()) {
        for (const std::vector<End>* ends : {&reads_, &writes_})
            for (const End& end : *ends)
                copies_.emplace_back((end.count * end.type->size() + 7) / 8);
        for (std::size_t k = 0; k < reads_.size(); ++k)
            in_[k] = copies_[k].data();
        for (std::size_t k = 0; k < writes_.size(); ++k)
            out_[k] = copies_[reads_.size() + k].data();
    }

    void step(unsigned part, Range range, const Frame& frame) override {
        outputs_.prepare(part, range, frame);
        std::size_t slot = 0;
        for (std::size_t k = 0; k < reads_.size(); slot += reads_[k++].count)
            if (reads_[k].shape.empty())
                in_[k] = frame.read + slots_[slot];
            else
                copy(reads_[k], slot, frame, reinterpret_cast<std::byte*>(copies_[k].data()));
        const std::size_t first = slot;
        for (std::size_t k = 0; k < writes_.size(); slot += writes_[k++].count)
            if (writes_[k].shape.empty())
                out_[k] = frame.write + slots_[slot];
            else
                std::fill(copies_[in_.size() + k].begin(), copies_[in_.size() + k].end(), 0);
        try {
            code_(in_.data(), out_.data(), state_.data());
        } catch (const std::exception& error) {
            report(error.what(), range, frame);
        }
        take(first, frame);
    }

    void state(Archive& archive) override { archive(state_); }

private:
    /// Copies the values of families to their slots, and marks all as written.
    void take(std::size_t slot, const Frame& frame) const {
        for (std::size_t k = 0; k < writes_.size(); ++k) {
            const End& end = writes_[k];
            const auto* value = static_cast<const std::byte*>(out_[k]);
            for (std::uint64_t member = 0; member < end.count; ++member, ++slot) {
                std::byte* const at = frame.write + slots_[slot];
                if (!end.shape.empty())
                    std::memcpy(at, value + member * end.type->size(), end.type->size());
                mark(end, at);
            }
        }
    }

    ProcessText::Code* const code_;
    std::vector<std::uint64_t> state_;
    std::vector<const void*> in_;
    std::vector<void*> out_;
    std::vector<std::vector<std::uint64_t>> copies_; // [end]: the values of a family
};

/// Adds a process between these ends.
void add(Graph& graph, const ProcessText& process, const std::vector<End>& reads,
         const std::vector<End>& writes, const std::shared_ptr<RaisedError>& raised) {
    ProcessFamily family;
    family.name = process.name;
    Part& part = family.parts.emplace_back();
    for (const bool output : {false, true})
        for (const End& end : output ? writes : reads) {
            if (output && end.shape.size() > 1)
                throw NetworkError{fmt::format("'{}' has several dimensions; a process in Python "
                                               "writes families of one",
                                               end.name)};
            for (std::uint64_t k = 0; k < end.count; ++k) {
                Port port;
                port.name = end.count == 1 ? end.name : fmt::format("{}[{}]", end.name, k);
                port.output = output;
                port.type = end.type;
                port.buses = Segments::affine(1, static_cast<std::int64_t>(end.first + k), 0);
                port.domain = graph.family_of(end.first).domain;
                (output ? part.writes : part.reads)
                    .push_back({static_cast<std::uint32_t>(family.ports.size())});
                family.ports.push_back(std::move(port));
            }
        }
    if (process.code)
        family.kind = factory_of<CompiledProcess>(reads, writes, process.code, process.state_bytes);
    else
        family.kind = factory_of<PythonProcess>(reads, writes, nb::handle{process.step}, raised);
    graph.processes.push_back(std::move(family));
}

std::vector<End> ends_named(const Graph& graph, const std::vector<std::string>& names) {
    std::vector<End> result;
    for (const std::string& name : names)
        result.push_back(end_named(graph, name));
    return result;
}

bool is_written(const Graph& graph, const End& end) {
    const auto writes = [&](const Port& port) {
        for (std::uint64_t k = 0; port.output && k < port.buses.size(); ++k)
            if (static_cast<std::uint64_t>(port.buses.at(k)) - end.first < end.count)
                return true;
        return false;
    };
    return std::any_of(graph.processes.begin(), graph.processes.end(), [&](const auto& process) {
        return std::any_of(process.ports.begin(), process.ports.end(), writes);
    });
}

/// Adds buses like those of an end, for a second implementation.
End add_copy(Graph& graph, const End& end, const std::string& process) {
    const BusFamily& old = graph.family_of(end.first);
    BusFamily copy = old;
    copy.name = fmt::format("{}.against.{}", process, end.name);
    copy.generated = true;
    copy.bundle = false; // the forward fields alone
    copy.reverse_field.clear();
    copy.channel = {};
    copy.input = false;
    if (end.shape.empty()) {
        copy.shape = {};
        copy.initial = old.initial.empty() ? old.initial : lockstep::initial_of(graph, end.first);
    }
    End result = end;
    result.first = graph.add(std::move(copy)).first;
    return result;
}

} // namespace

void add_process(Network& network, const ProcessText& process,
                 const std::shared_ptr<RaisedError>& raised) {
    Graph& graph = NetworkAccess::graph(network);
    add(graph, process, ends_named(graph, process.reads), ends_named(graph, process.writes),
        raised);
}

std::shared_ptr<const Agreement> add_against(Network& network, const ProcessText& process,
                                             const std::shared_ptr<RaisedError>& raised) {
    Graph& graph = NetworkAccess::graph(network);
    const std::vector<End> reads = ends_named(graph, process.reads);
    Pair pair;
    pair.name = process.name;
    std::vector<End> copies;
    for (const End& end : ends_named(graph, process.writes)) {
        if (!is_written(graph, end))
            throw NetworkError{
                fmt::format("nothing in the network writes '{}', so there is nothing "
                            "to compare '{}' with",
                            end.name, process.name)};
        copies.push_back(add_copy(graph, end, process.name));
        for (std::uint64_t k = 0; k < end.count; ++k)
            pair.outputs.push_back({end.first + k, copies.back().first + k});
    }
    for (const End& end : reads)
        for (std::uint64_t k = 0; k < end.count; ++k)
            pair.inputs.push_back(end.first + k);
    add(graph, process, reads, copies, raised);
    return lockstep::add_comparison(graph, pair);
}

} // namespace sme::python
