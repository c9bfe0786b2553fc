// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// The clock domains of the network: {fast: 1, slow: every 4 offset 1}.
void load_domains(const Node& section, Context& context);

/// The domains of a component that is loaded by itself: each a clock of its own in every cycle.
void load_domains_alone(const std::vector<Word>& names, Context& context);

/// Gives the scope inside an instance its domains. False when something was reported.
bool bind_domains(const ComponentFile& component, const ProcessSyntax& instance, Context& inside,
                  const Context& outer);

/// The domain of a name; nothing when it was reported.
std::optional<std::uint32_t> find_domain(const Word& name, const Context& context);

/// When what is in a domain steps; in a run without a clock, whenever it can.
ClockRate steps_in(std::uint32_t domain, const Context& context);

/// While this lives, what is loaded in the scope is in the domain that the process names.
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

/// Puts the ports of a family into the domain of its scope, but for inputs that say that they
/// cross; reports crossings without such an input.
void place_ports(const expr::ProcessView& text, const std::vector<CrossingSyntax>& crossings,
                 ProcessFamily& family, Context& context);

/// The domain in which an element is read; none: nothing reads it, or what reads it crosses.
std::uint32_t domain_of_readers(const Graph& graph, std::uint64_t element);

/// A delay counts the cycles of the domain that writes the bus.
void settle_delays(Context& context);

} // namespace sme::yaml
