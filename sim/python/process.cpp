// SPDX-License-Identifier: Apache-2.0
#include "python/process.hpp"

#include <cstring>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "network/access.hpp"
#include "network/build.hpp"
#include "network/find.hpp"
#include "python/simulation.hpp"
#include "python/values.hpp"

namespace nb = nanobind;

namespace sme::python {

namespace {

/// A value that a process reads or writes: one bus, or all members of a family.
struct End {
    std::string name;
    std::uint64_t first;
    std::vector<std::uint64_t> shape; // of a family; empty: one bus
    TypeRef type;
    std::uint64_t count = 1;
};

End end_named(const Graph& graph, const std::string& name) {
    if (const BusFamily* const family = family_named(graph, name))
        return {name, family->first, shape_of(*family), family->type, family->count};
    const NamedValue found = value_named(graph, name);
    const BusFamily& bus = graph.family_of(found.element);
    if (bus.state || found.offset != 0 || !(*found.type == *bus.type))
        throw NetworkError{fmt::format("'{}' is part of '{}'; a process reads and writes buses",
                                       name, bus.element_name(found.element))};
    return {name, found.element, {}, found.type, 1};
}

class PythonProcess final : public Group {
public:
    PythonProcess(std::vector<End> reads, std::vector<End> writes, nb::object step,
                  std::shared_ptr<RaisedError> raised, const Build& build)
        : reads_{std::move(reads)}, writes_{std::move(writes)}, step_{std::move(step)},
          raised_{std::move(raised)}, outputs_{build}, name_{build.family.name} {
        for (const PortSlots& port : build.ports)
            slots_.push_back(port.offsets.at(0));
    }

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
                arguments.append(to_python(*end.type, frame.read + slots_[slot++]));
                continue;
            }
            std::vector<std::byte> all(static_cast<std::size_t>(end.count) * end.type->size());
            for (std::uint64_t k = 0; k < end.count; ++k)
                std::memcpy(all.data() + k * end.type->size(), frame.read + slots_[slot++],
                            end.type->size());
            arguments.append(array_of(all, *end.type, end.shape));
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
        for (std::uint64_t k = 0; k < end.count; ++k, ++slot) {
            if (value.is_none())
                continue;
            std::byte* const at = frame.write + slots_[slot];
            std::vector<std::byte> made(std::max<std::size_t>(end.type->size(), 8));
            from_python(*end.type, end.shape.empty() ? value : nb::object(value[k]), made.data(),
                        end.name);
            std::memcpy(at, made.data(), end.type->size());
        }
    }

    void report(const std::string& what, Range range, const Frame& frame) const {
        Diagnostic fault{Code::step_threw, Severity::fault, {}, {}, {}};
        fault.message = what;
        frame.control->fault(range.first, fault);
    }

    const std::vector<End> reads_, writes_;
    const nb::object step_;
    const std::shared_ptr<RaisedError> raised_;
    const Outputs outputs_;
    const std::string name_;
    std::vector<std::int64_t> slots_;
};

} // namespace

void add_process(Network& network, const ProcessText& process,
                 const std::shared_ptr<RaisedError>& raised) {
    Graph& graph = NetworkAccess::graph(network);
    ProcessFamily family;
    family.name = process.name;
    family.parts.emplace_back();
    std::vector<End> ends[2];
    for (const bool output : {false, true})
        for (const std::string& name : output ? process.writes : process.reads) {
            const End end = end_named(graph, name);
            if (output && end.shape.size() > 1)
                throw NetworkError{fmt::format("'{}' has several dimensions; a process in Python "
                                               "writes families of one",
                                               name)};
            for (std::uint64_t k = 0; k < end.count; ++k) {
                Port port;
                port.name = end.count == 1 ? name : fmt::format("{}[{}]", name, k);
                port.output = output;
                port.type = end.type;
                port.buses = Segments::affine(1, static_cast<std::int64_t>(end.first + k), 0);
                port.domain = graph.family_of(end.first).domain;
                Part& part = family.parts.front();
                (output ? part.writes : part.reads)
                    .push_back({static_cast<std::uint32_t>(family.ports.size())});
                family.ports.push_back(std::move(port));
            }
            ends[output ? 1 : 0].push_back(end);
        }
    family.kind = factory_of<PythonProcess>(ends[0], ends[1], process.step, raised);
    graph.processes.push_back(std::move(family));
}

} // namespace sme::python
