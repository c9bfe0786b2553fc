// SPDX-License-Identifier: Apache-2.0
#include "network/checks/check.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme {

namespace {

class Checker {
public:
    Checker(const Graph& graph, Diagnostics& diagnostics)
        : graph_{graph}, diagnostics_{diagnostics} {}

    std::optional<Analysis> run() {
        if (graph_.process_count() == 0)
            diagnostics_.add(Code::empty_network, graph_.declared,
                             fmt::format("network '{}' has no process", graph_.name));
        check_names();
        for (const ProcessFamily& family : graph_.processes)
            for (const Port& port : family.ports)
                check_port(family, port);
        if (diagnostics_.has_errors())
            return std::nullopt;
        Writers writers = Writers::of(graph_, diagnostics_);
        for (const ProcessFamily& family : graph_.processes)
            for (const Port& port : family.ports)
                check_written(family, port, writers);
        if (graph_.domains.size() > 1)
            for (const ProcessFamily& family : graph_.processes)
                for (const Port& port : family.ports)
                    check_crossing(family, port, writers);
        if (diagnostics_.has_errors())
            return std::nullopt;
        check_used(writers);
        Levels levels = Levels::of(graph_, writers, diagnostics_);
        if (diagnostics_.has_errors())
            return std::nullopt;
        return Analysis{std::move(writers), std::move(levels)};
    }

private:
    void check_names() {
        std::set<std::string> seen;
        Parts buses, processes;
        for (const BusFamily& bus : graph_.buses)
            if (!seen.insert(bus.name).second && !buses.apart(bus, graph_.buses))
                report_twice("bus", bus.name, bus.declared);
        seen.clear();
        std::vector<Names> runs;
        for (const ProcessFamily& family : graph_.processes) {
            if (family.names.empty() && !seen.insert(family.name).second &&
                !processes.apart(family, graph_.processes))
                report_twice("process", family.name, family.declared);
            for (std::size_t k = 0; k < family.names.size(); ++k) {
                const ProcessFamily::NameRun& run = family.names[k];
                const std::uint64_t end =
                    k + 1 < family.names.size() ? family.names[k + 1].first : family.count;
                if (run.indexed)
                    runs.push_back({&run, run.index + (end - run.first)});
                else if (!seen.insert(run.text).second)
                    report_twice("process", run.text, run.declared);
            }
        }
        check_indexed(runs);
    }

    /// Families with a common name: parts of one family, each of which keeps different members.
    class Parts {
    public:
        /// Returns whether no member has the name of a member of an earlier family.
        template <class Family, class Families>
        bool apart(const Family& family, const Families& all) {
            if (family.shape.kept.empty())
                return false;
            auto [members, fresh] = members_.try_emplace(family.name);
            if (fresh) {
                const auto first = std::find_if(all.begin(), all.end(), [&](const Family& each) {
                    return each.name == family.name;
                });
                if (first->shape.kept.empty() || !add(*first, members->second))
                    return false;
            }
            return add(family, members->second);
        }

    private:
        template <class Family>
        static bool add(const Family& family, std::set<std::string>& members) {
            for (std::uint64_t k = 0; k < family.count; ++k)
                if (!members.insert(family.shape.element_name(family.name, k)).second)
                    return false;
            return true;
        }

        std::map<std::string, std::set<std::string>> members_;
    };

    /// The names text[index] … text[end − 1].
    struct Names {
        const ProcessFamily::NameRun* run;
        std::uint64_t end;
    };

    void check_indexed(std::vector<Names>& runs) {
        std::stable_sort(runs.begin(), runs.end(), [](const Names& a, const Names& b) {
            return std::tie(a.run->text, a.run->index) < std::tie(b.run->text, b.run->index);
        });
        for (std::size_t k = 1; k < runs.size(); ++k) {
            const ProcessFamily::NameRun& run = *runs[k].run;
            if (run.text != runs[k - 1].run->text || run.index >= runs[k - 1].end)
                continue;
            report_twice("process", fmt::format("{}[{}]", run.text, run.index), run.declared);
            runs[k].end = std::max(runs[k].end, runs[k - 1].end);
        }
    }

    void report_twice(const char* what, const std::string& name, const Location& where) {
        diagnostics_.add(Code::duplicate_name, where,
                         fmt::format("the {} '{}' is declared twice", what, name));
    }

    /// Returns a segment with the same values in ascending order, from index 0.
    static Segment ascending(const Segment& segment) {
        if (segment.stride >= 0)
            return {0, segment.count, segment.offset, segment.stride};
        return {0, segment.count, segment.at(segment.end() - 1), -segment.stride};
    }

    /// Returns the part of an ascending segment after a family of buses that contains one of its
    /// values.
    static Segment behind(const Segment& values, const BusFamily& bus) {
        if (values.stride == 0)
            return {0, 0, 0, 0};
        const auto inside = static_cast<std::int64_t>(bus.first + bus.count) - values.offset;
        const std::int64_t skipped = (inside + values.stride - 1) / values.stride;
        const auto skip = std::min(static_cast<std::uint64_t>(skipped), values.count);
        return {0, values.count - skip, values.offset + skipped * values.stride, values.stride};
    }

    /// Returns the instance that a segment of its port binds to a value of the segment.
    static std::uint64_t instance_of(const Segment& segment, std::int64_t value) {
        return segment.first +
               (segment.stride == 0
                    ? 0
                    : static_cast<std::uint64_t>((value - segment.offset) / segment.stride));
    }

    /// Checks that every bus bound to a port exists and has the port's type.
    void check_port(const ProcessFamily& family, const Port& port) {
        for (const Segment& segment : port.buses.runs()) {
            if (!check_inside(family, port, segment))
                return;
            for (Segment rest = ascending(segment); rest.count > 0;) {
                const BusFamily& bus = graph_.family_of(static_cast<std::uint64_t>(rest.offset));
                if (!check_fit(family, port, instance_of(segment, rest.offset), bus))
                    return;
                rest = behind(rest, bus);
            }
        }
    }

    bool check_inside(const ProcessFamily& family, const Port& port, const Segment& segment) {
        const auto count = static_cast<std::int64_t>(graph_.bus_count());
        for (const std::uint64_t k : {segment.first, segment.end() - 1})
            if (segment.at(k) < 0 || segment.at(k) >= count) {
                diagnostics_.add(Code::index_outside, family.port_location(port, k),
                                 fmt::format("port '{}' of '{}' is bound to no bus", port.name,
                                             family.instance_name(k)));
                return false;
            }
        return true;
    }

    bool check_fit(const ProcessFamily& family, const Port& port, std::uint64_t instance,
                   const BusFamily& bus) {
        std::string problem;
        Code code = Code::port_type;
        const std::string process = family.instance_name(instance);
        if (!(*port.type == *bus.type)) {
            const auto [wanted, given] = distinct_names(*port.type, *bus.type);
            problem = fmt::format("port '{}' of '{}' is {}, but bus '{}' is {}", port.name, process,
                                  wanted, bus.name, given);
        } else if (port.wants_wire && !bus.wire()) {
            code = Code::port_wire;
            problem = fmt::format("port '{}' of '{}' is a wire, but bus '{}' is a register of "
                                  "delay {}; declare the bus 'wire'",
                                  port.name, process, bus.name, bus.delay);
        } else if (port.output && bus.input) {
            code = Code::two_writers;
            problem = fmt::format("bus '{}' is written by '{}', but it is also an input", bus.name,
                                  process);
        } else
            return true;
        diagnostics_.add(code, family.port_location(port, instance), problem)
            .note(bus.declared, fmt::format("'{}' is declared here", bus.name));
        return false;
    }

    void check_written(const ProcessFamily& family, const Port& port, const Writers& writers) {
        if (port.output)
            return;
        for (const Segment& segment : port.buses.runs())
            for (Segment rest = ascending(segment); rest.count > 0;) {
                const std::int64_t element = writers.first_unwritten(rest);
                if (element < 0)
                    break;
                const BusFamily& bus = graph_.family_of(static_cast<std::uint64_t>(element));
                if (!bus.input) {
                    report_unwritten(family, port, instance_of(segment, element), bus,
                                     static_cast<std::uint64_t>(element), writers);
                    return;
                }
                rest = behind(rest, bus);
            }
    }

    /// Checks that a bus read in one clock domain is written in the same domain.
    void check_crossing(const ProcessFamily& family, const Port& port, const Writers& writers) {
        if (port.output || port.domain == no_domain)
            return;
        for (std::uint64_t k = 0; k < port.buses.size(); ++k) {
            const auto element = static_cast<std::uint64_t>(port.buses.at(k));
            const Writers::Run* const run = writers.find(element);
            if (!run)
                continue;
            const ProcessFamily& writer = graph_.processes[run->family];
            const Port& from = writer.ports[run->port];
            if (from.domain == no_domain || from.domain == port.domain)
                continue;
            return report_crossing(family, port, k, writer, from,
                                   run->instance + (element - run->first));
        }
    }

    void report_crossing(const ProcessFamily& family, const Port& port, std::uint64_t instance,
                         const ProcessFamily& writer, const Port& from, std::uint64_t of) {
        const auto element = static_cast<std::uint64_t>(port.buses.at(instance));
        const BusFamily& bus = graph_.family_of(element);
        if (bus.channel)
            return report_channel(family, port, instance, bus, from.domain);
        const BusFamily* const bundle = graph_.bundle_of(bus);
        const BusFamily* const whole = bundle ? bundle : bus.bundle ? &bus : nullptr;
        if (whole && !crossing_bundles_.insert(whole).second)
            return;
        const std::string& here = graph_.domains[from.domain].name;
        const std::string source =
            writer.helper
                ? fmt::format("is fed for the domain '{}'; feed a bus of its own, or", here)
                : fmt::format("'{}' in the domain '{}' writes;", writer.instance_name(of), here);
        diagnostics_
            .add(Code::clock_crossing, family.port_location(port, instance),
                 fmt::format("'{}' in the clock domain '{}' reads '{}', which {} {}",
                             family.instance_name(instance), graph_.domains[port.domain].name,
                             graph_.bus_name(element), source, crossing_for(bus, whole != nullptr)))
            .note(bus.declared, fmt::format("'{}' is declared here", bus.name));
    }

    /// Reports a channel once; `bus` is one of its buses.
    void report_channel(const ProcessFamily& family, const Port& port, std::uint64_t instance,
                        const BusFamily& bus, std::uint32_t writer) {
        if (!crossing_channels_.insert(bus.channel.channel).second)
            return;
        const ChannelFamily& channel = graph_.channels[bus.channel.channel];
        const auto element = static_cast<std::uint64_t>(port.buses.at(instance));
        const BusFamily* const bundle = graph_.bundle_of(bus); // of a reverse field
        diagnostics_
            .add(
                Code::clock_crossing, family.port_location(port, instance),
                fmt::format(
                    "channel '{}' is sent to in the clock domain '{}', but received from "
                    "in '{}'; put a std/async_fifo.yaml between them",
                    (bundle ? bundle : &bus)->shape.element_name(channel.name, element - bus.first),
                    graph_.domains[bundle ? port.domain : writer].name,
                    graph_.domains[bundle ? writer : port.domain].name))
            .note(channel.declared, fmt::format("'{}' is declared here", channel.name));
    }

    /// Returns the standard component that moves a bus to another domain.
    static const char* crossing_for(const BusFamily& bus, bool bundle) {
        if (bundle)
            return "put a std/async_fifo.yaml between them";
        if (bus.type->kind() == TypeKind::boolean)
            return "put a std/synchroniser.yaml between them";
        return "put a std/handshake.yaml between them, or a std/async_fifo.yaml for values in "
               "every cycle";
    }

    void report_unwritten(const ProcessFamily& family, const Port& port, std::uint64_t instance,
                          const BusFamily& bus, std::uint64_t element, const Writers& writers) {
        if (const BusFamily* bundle = graph_.bundle_of(bus))
            return report_unread_bundle(family, port, instance, *bundle, bus, element);
        const bool is_whole = bus.declared.source && bus.name.find('.') == std::string::npos &&
                              !writers.any(bus.first, bus.count); // of a network file
        const std::string hint =
            is_whole ? fmt::format("; if it comes from outside, write 'inputs: [{}]'", bus.name)
                     : "";
        diagnostics_
            .add(
                Code::no_writer, family.port_location(port, instance),
                fmt::format("'{}' reads bus '{}', but no process writes it and no input feeds it{}",
                            family.instance_name(instance), graph_.bus_name(element), hint))
            .note(bus.declared, fmt::format("'{}' is declared here", bus.name));
    }

    /// The reader of a bundle writes its reverse fields. If the reader is missing, the error is in
    /// the network, not in the component that reads the back fields.
    void report_unread_bundle(const ProcessFamily& family, const Port& port, std::uint64_t instance,
                              const BusFamily& bundle, const BusFamily& back,
                              std::uint64_t element) {
        if (!unread_bundles_.insert(&bundle).second)
            return;
        const std::string name = graph_.bus_name(element - back.first + bundle.first);
        diagnostics_
            .add(Code::no_writer, bundle.declared,
                 fmt::format("no process reads bus '{}', so nothing writes its back field '{}'; "
                             "bind it to an input of a process",
                             name, back.reverse_field))
            .note(family.port_location(port, instance),
                  fmt::format("'{}' reads the back field here", family.instance_name(instance)));
    }

    /// Returns for each port whether a step of the family reads it.
    static std::vector<bool> ports_read(const ProcessFamily& family) {
        std::vector<bool> read(family.ports.size(), false);
        for (const Part& part : family.parts)
            for (const PortUse& use : part.reads)
                read[use.port] = true;
        return read;
    }

    /// Warns of buses without a reader. An observer is a reader, and so is the process that writes
    /// the bus if its step reads it.
    void check_used(const Writers& writers) {
        std::vector<bool> read(graph_.buses.size(), false);
        for (const ProcessFamily& family : graph_.processes) {
            const std::vector<bool> used = ports_read(family);
            for (std::size_t p = 0; p < family.ports.size(); ++p)
                if (const Port& port = family.ports[p]; !port.output && (!port.own || used[p]))
                    for (const Segment& segment : port.buses.runs())
                        mark(segment, read);
        }
        for (std::size_t b = 0; b < graph_.buses.size(); ++b) {
            const BusFamily& bus = graph_.buses[b];
            const BusFamily* const bundle = graph_.bundle_of(bus);
            const bool is_outside = bundle && bundle->open;
            if (read[b] || bus.state || bus.generated || is_outside)
                continue;
            const bool written = bus.input || writers.find(bus.first);
            diagnostics_.add(
                Code::unused, bus.declared,
                fmt::format("nothing {} bus '{}'", written ? "reads" : "uses", bus.name));
        }
    }

    void mark(const Segment& segment, std::vector<bool>& read) {
        for (Segment rest = ascending(segment); rest.count > 0;) {
            const BusFamily& bus = graph_.family_of(static_cast<std::uint64_t>(rest.offset));
            read[static_cast<std::size_t>(&bus - graph_.buses.data())] = true;
            rest = behind(rest, bus);
        }
    }

    const Graph& graph_;
    Diagnostics& diagnostics_;
    std::set<const BusFamily*> unread_bundles_; // already reported
    std::set<const BusFamily*> crossing_bundles_;
    std::set<std::uint32_t> crossing_channels_;
};

} // namespace

std::optional<Analysis> analyse(const Graph& graph, Diagnostics& diagnostics) {
    return Checker{graph, diagnostics}.run();
}

} // namespace sme
