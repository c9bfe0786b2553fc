// SPDX-License-Identifier: Apache-2.0
#include "sme/internal/pool.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "network/build.hpp"
#include "sme/network.hpp"

namespace sme::internal {

constinit thread_local Bases bases;

namespace {
/// Ends a step that reads an unwritten `error` bus.
struct ReadUnwritten {};
} // namespace

void throw_read_unwritten() {
    throw ReadUnwritten{};
}

void throw_outside_step(const char* what) {
    throw NetworkError{fmt::format("{} is called outside a step", what)};
}

struct PoolGroupBase::Outputs : sme::Outputs {
    using sme::Outputs::Outputs;
};

namespace {
bool touches_marks(const Build& build) {
    for (const PortSlots& port : build.ports)
        for (const Segment& run : port.buses.runs())
            for (std::uint64_t k = run.first; k < run.end(); ++k) {
                const BusFamily& bus = build.graph.family_of(static_cast<std::uint64_t>(run.at(k)));
                if (bus.has_marks())
                    return true;
                if (run.stride == 1) // skip to the end of this family
                    k += std::min(run.end() - k,
                                  bus.first + bus.count - static_cast<std::uint64_t>(run.at(k))) -
                         1;
            }
    return false;
}
} // namespace

PoolGroupBase::PoolGroupBase(const Build& build)
    : outputs_{std::make_unique<Outputs>(build)}, checked_{touches_marks(build)},
      first_name_{build.family.count > 0 ? build.family.instance_name(0) : std::string{}} {}
PoolGroupBase::~PoolGroupBase() = default;

std::string PoolGroupBase::without_state() const {
    return fmt::format("the class of '{}' does not say what it keeps; give it a "
                       "'template <class Archive> void state(Archive&)'",
                       first_name_);
}

void PoolGroupBase::prepare(unsigned part, Range range, const Frame& frame) const {
    outputs_->prepare(part, range, frame);
}

void PoolGroupBase::report(const Frame& frame, std::uint64_t position,
                           std::exception_ptr exception) {
    Diagnostic fault{};
    fault.severity = Severity::fault;
    fault.code = Code::step_threw;
    try {
        std::rethrow_exception(std::move(exception));
    } catch (const ReadUnwritten&) {
        fault.code = Code::read_unwritten;
        fault.message = "it reads an error bus that was not written";
    } catch (const std::exception& error) {
        fault.message = fmt::format("its step threw an exception: {}", error.what());
    } catch (...) {
        fault.message = "its step threw an exception of an unknown type";
    }
    frame.control->fault(position, fault);
}

std::uint64_t instance_count(const Build& build) {
    return build.family.count;
}

std::size_t port_count(const Build& build) {
    return build.family.ports.size();
}

std::uint64_t source_index(const Build& build, std::uint64_t position) {
    return static_cast<std::uint64_t>(build.order.at(position));
}

std::uint32_t encoded_offset(const Build& build, std::uint32_t port, std::uint64_t position) {
    const auto offset = static_cast<std::uint32_t>(build.ports[port].offsets.at(position));
    const BusFamily& bus = build.bus_at(port, position);
    const bool checked =
        build.family.ports[port].output ? bus.has_marks() : bus.unwritten == Unwritten::error;
    return checked ? offset | presence_flag : offset;
}

} // namespace sme::internal
