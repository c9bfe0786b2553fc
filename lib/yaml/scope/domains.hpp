// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/clock_rate.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Reads "every n" or "every n offset k", where n and k are constants. `nullopt` after an error was
/// reported.
std::optional<ClockRate> read_clock_rate(const Node& node, Context& context);

/// Loads the clock domains of the network: {fast: 1, slow: every 4 offset 1}.
void load_domains(const Node& section, Context& context);

/// Creates the domains of a component that is loaded by itself: each with its own clock, which
/// rises in every cycle.
void load_domains_alone(const std::vector<Word>& names, Context& context);

/// Binds the domains of the scope inside an instance. False after an error was reported.
bool bind_domains(const ComponentFile& component, const ProcessSyntax& instance, Context& inside,
                  const Context& outer);

/// Returns the domain with a name; `nullopt` after an error was reported.
std::optional<std::uint32_t> find_domain(const Word& name, const Context& context);

/// Returns the cycles in which a domain steps; in a run without a clock, whenever it can.
ClockRate steps_in(std::uint32_t domain, const Context& context);

/// Places everything loaded in the scope during its lifetime into the process's domain.
class InDomain {
public:
    InDomain(const ProcessSyntax& process, Context& context);
    ~InDomain() { context_.domains.own = before_; }
    InDomain(const InDomain&) = delete;
    InDomain& operator=(const InDomain&) = delete;

private:
    Context& context_;
    std::uint32_t before_;
};

/// Places the ports of a family into the domain of its scope, except inputs declared to cross;
/// reports crossings without such an input.
void place_ports(const expr::ProcessView& text, const std::vector<CrossingSyntax>& crossings,
                 ProcessFamily& family, Context& context);

/// Returns the domain in which an element is read; no_domain if it has no reader, or only a
/// crossing one.
std::uint32_t domain_of_readers(const Graph& graph, std::uint64_t element);

/// Makes each delay count the cycles of the domain that writes the bus.
void settle_delays(Context& context);

} // namespace sme::yaml
