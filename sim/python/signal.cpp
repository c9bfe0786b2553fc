// SPDX-License-Identifier: Apache-2.0
//
// The values of a simulation, by their paths.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include "network/find.hpp"
#include "python/simulation.hpp"
#include "python/values.hpp"

namespace nb = nanobind;

namespace sme::python {

namespace {

nb::tuple tuple_of(const std::vector<std::uint64_t>& numbers) {
    nb::list result;
    for (const std::uint64_t each : numbers)
        result.append(each);
    return nb::tuple(result);
}

} // namespace

nb::object array_of(const std::vector<std::byte>& values, const Type& type,
                    const std::vector<std::uint64_t>& shape) {
    nb::object array = nb::module_::import_("numpy").attr("empty")(tuple_of(shape), dtype_of(type));
    Py_buffer buffer;
    if (PyObject_GetBuffer(array.attr("view")("u1").ptr(), &buffer, PyBUF_WRITABLE) != 0)
        throw nb::python_error();
    std::copy(values.begin(), values.end(), static_cast<std::byte*>(buffer.buf));
    PyBuffer_Release(&buffer);
    return array;
}

const BusFamily* family_named(const Graph& graph, const std::string& name) {
    const auto found =
        std::find_if(graph.buses.begin(), graph.buses.end(), [&](const BusFamily& bus) {
            return bus.name == name && !bus.shape.dimensions.empty();
        });
    return found == graph.buses.end() ? nullptr : &*found;
}

std::vector<std::uint64_t> shape_of(const Shape& members) {
    return members.kept.empty() ? members.counts() : std::vector{members.count()};
}

namespace {

/// Finds the memory of every member of a family of processes: "core.regs" of core[4].
std::optional<MemoryPlace> memory_of_family(const Graph& graph, const std::string& path) {
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& process = graph.processes[f];
        for (std::size_t m = 0; m < process.memories.size(); ++m)
            if (!process.shape.is_single() && !process.observer &&
                path == process.name + "." + process.memories[m].name)
                return MemoryPlace{{f, 0}, m, true, 0, process.memories[m].element};
    }
    return std::nullopt;
}

} // namespace

/// "x.queue[2].count" for "x[2].count", the number of messages in a channel; "" for other names.
std::string Simulation::place_of_count(const std::string& path) const {
    constexpr std::string_view count = ".count";
    if (!path.ends_with(count) || find_value(network_graph_, path))
        return {};
    const std::string channel = path.substr(0, path.size() - count.size());
    const std::size_t index = std::min(channel.find('['), channel.size());
    const std::string place =
        fmt::format("{}.queue{}{}", channel.substr(0, index), channel.substr(index), count);
    const bool found =
        family_named(network_graph_, place) || find_value(network_graph_, place).has_value();
    return found ? place : std::string{};
}

Signal Simulation::signal(const std::string& path) {
    Signal result;
    if (const std::string place = place_of_count(path); !place.empty()) {
        result = signal(place);
        result.path = path;
        return result;
    }
    result.path = path;
    result.simulation = this;
    if (const BusFamily* const family = family_named(network_graph_, path)) {
        result.kind = Signal::Kind::family;
        result.type = family->type;
        result.element = family->first;
        result.wire = family->wire();
        result.input = family->input;
        result.shape = shape_of(family->shape);
        return result;
    }
    const auto every = memory_of_family(network_graph_, path);
    if (const auto memory = every ? every : find_memory(network_graph_, path)) {
        result.kind = Signal::Kind::memory;
        result.type = memory->type;
        result.offset = memory->offset;
        result.family = memory->process.family;
        result.memory = memory->memory;
        result.instance = memory->process.instance;
        const ProcessFamily& process = network_graph_.processes[result.family];
        if (every)
            result.shape = shape_of(process.shape);
        result.instances = every ? process.shape.count() : 1;
        if (memory->whole) {
            const auto& words = process.memories[result.memory].dimensions;
            result.shape.insert(result.shape.end(), words.begin(), words.end());
        }
        return result;
    }
    const NamedValue found = value_named(network_graph_, path);
    const BusFamily& bus = network_graph_.family_of(found.element);
    result.type = found.type;
    result.element = found.element;
    result.offset = found.offset;
    result.wire = bus.wire();
    result.input = bus.input;
    return result;
}

nb::object Signal::dtype() const {
    return dtype_of(*type);
}

std::uint64_t Signal::count() const {
    std::uint64_t result = 1;
    for (const std::uint64_t each : shape)
        result *= each;
    return result;
}

void Signal::copy(std::byte* to) const {
    if (kind == Kind::memory) {
        const std::size_t each = bytes() / std::max(instances, std::uint64_t{1});
        for (std::uint64_t k = 0; k < instances; ++k)
            std::memcpy(to + k * each,
                        simulation->access().words(family, memory, instance + k) + offset, each);
        return;
    }
    const std::byte* const first = simulation->slot(element) + offset;
    if (kind == Kind::value) {
        std::memcpy(to, first, type->size());
        return;
    }
    const Segments& slots = simulation->slots(simulation->graph().family_of(element));
    const std::int64_t begin = slots.at(0);
    const auto size = static_cast<std::int64_t>(type->size());
    for (const Segment& run : slots.runs())
        if (run.stride == size) {
            std::memcpy(to, first + (run.offset - begin), run.count * type->size());
            to += run.count * type->size();
        } else
            for (std::uint64_t k = run.first; k < run.end(); ++k, to += size)
                std::memcpy(to, first + (run.at(k) - begin), type->size());
}

nb::object Signal::get() const {
    if (wire)
        simulation->access().settle();
    return last();
}

nb::object Signal::last() const {
    if (kind == Kind::value)
        return to_python(*type, simulation->slot(element) + offset);
    std::vector<std::byte> bytes(this->bytes());
    copy(bytes.data());
    return shape.empty() ? to_python(*type, bytes.data()) : array_of(bytes, *type, shape);
}

void Signal::set(nb::handle value) const {
    if (!input)
        throw NetworkError{fmt::format("'{}' is written by the network; inputs are: {}", path,
                                       fmt::join(simulation->inputs(), ", "))};
    const TypeRef all = array_type(type, shape);
    std::vector<std::byte> values(all->size());
    from_python(*all, value, values.data(), path);
    for (std::uint64_t k = 0; k < count(); ++k)
        simulation->access().write(element + k, offset,
                                   {values.data() + k * type->size(), type->size()});
}

nb::object Signal::view(nb::handle owner) const {
    if (wire)
        simulation->access().settle();
    const std::byte* first = nullptr;
    if (kind == Kind::memory)
        first = simulation->access().words(family, memory, instance);
    else
        first = simulation->slot(element);
    bool together = instances == 1;
    if (kind == Kind::family) {
        const auto& runs = simulation->slots(simulation->graph().family_of(element)).runs();
        together = runs.size() == 1 && (runs[0].count == 1 ||
                                        runs[0].stride == static_cast<std::int64_t>(type->size()));
    }
    if (!together)
        throw nb::value_error(fmt::format("the values of '{}' do not lie together, so there "
                                          "is no view of them; '.value' copies them",
                                          path)
                                  .c_str());
    const nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>> raw{
        reinterpret_cast<const std::uint8_t*>(first + offset), {bytes()}, owner};
    return nb::cast(raw).attr("view")(dtype_of(*type)).attr("reshape")(tuple_of(shape));
}

} // namespace sme::python
