// SPDX-License-Identifier: Apache-2.0
#include "export/names.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "network/find.hpp"

namespace sme::hdl {

namespace {

/// Returns a path of the test bench as one below the top module.
std::string below_top(const std::string& path) {
    return path.starts_with("dut.") ? path.substr(4) : path;
}

/// Returns the lowest bit of a part of a value, given by its offset and size in bytes.
std::uint64_t low_bit(const Type& type, std::size_t offset, std::size_t size) {
    if (offset == 0 && type.size() == size)
        return 0;
    if (type.kind() == TypeKind::array) {
        const Type& element = *type.element();
        return offset / element.size() * element.width_bits() +
               low_bit(element, offset % element.size(), size);
    }
    std::uint64_t low = type.width_bits(); // the first field is leftmost
    for (const Field& field : type.fields()) {
        low -= field.type->width_bits();
        if (offset < field.offset + field.type->size())
            return low + low_bit(*field.type, offset - field.offset, size);
    }
    return 0;
}

/// Returns the path of the scalar in a value that contains a bit: ".value[2]".
std::string scalar_at(const Type& type, std::uint64_t bit) {
    for (const Leaf& scalar : type.scalars()) {
        const std::uint64_t low = low_bit(type, scalar.offset, scalar.type->size());
        if (bit >= low && bit < low + scalar.type->width_bits())
            return scalar.path;
    }
    return {};
}

} // namespace

HardwareNames::HardwareNames(const Graph& graph, const Exported& exported)
    : graph_{graph}, exported_{exported} {
    for (const auto* all : {&exported.inputs, &exported.outputs, &exported.watched})
        for (const Watched& watched : *all)
            add(watched);
    for (const Watched& state : exported.states)
        add(state);
}

void HardwareNames::add(const Watched& watched) {
    if (!vectors_.emplace(below_top(watched.path), &watched).second)
        return;
    std::uint64_t low = 0;
    for (const Watched::Part& part : watched.parts) {
        carriers_.emplace(part.element, Carrier{&watched, &part, low});
        low += part.width;
    }
}

TypeRef HardwareNames::type_of(const Watched::Part& part) const {
    const TypeRef& type = graph_.family_of(part.element).type;
    return part.field < 0 ? type : type->fields()[static_cast<std::size_t>(part.field)].type;
}

std::string HardwareNames::name_of(const Watched::Part& part) const {
    const BusFamily& family = graph_.family_of(part.element);
    const std::string name = family.element_name(part.element);
    return part.field < 0
               ? name
               : name + "." + family.type->fields()[static_cast<std::size_t>(part.field)].name;
}

std::string HardwareNames::word_name(const WatchedMemory& memory, std::uint64_t word) const {
    const ProcessFamily& process = graph_.processes[memory.process];
    const Memory& array = memory_of(memory);
    Shape words;
    for (const std::uint64_t count : array.dimensions)
        words.dimensions.push_back({0, count, {}});
    return process.instance_name(memory.instance) + "." + words.element_name(array.name, word);
}

std::vector<HardwareBits> HardwareNames::find(const std::string& path) const {
    std::vector<HardwareBits> result;
    if (const std::optional<NamedValue> value = find_value(graph_, path)) {
        const auto [begin, end] = carriers_.equal_range(value->element);
        for (auto at = begin; at != end; ++at) {
            const Carrier& carrier = at->second;
            const TypeRef type = type_of(*carrier.part);
            const std::size_t first =
                carrier.part->field < 0
                    ? 0
                    : graph_.family_of(value->element)
                          .type->fields()[static_cast<std::size_t>(carrier.part->field)]
                          .offset;
            const std::string signal = below_top(carrier.vector->path);
            if (value->offset >= first &&
                value->offset + value->type->size() <= first + type->size())
                result.push_back(
                    {signal,
                     {},
                     carrier.low + low_bit(*type, value->offset - first, value->type->size()),
                     value->type->width_bits()});
            else if (value->offset <= first &&
                     first + type->size() <= value->offset + value->type->size())
                result.push_back({signal, {}, carrier.low, carrier.part->width});
        }
        return result;
    }
    const std::optional<MemoryPlace> place = find_memory(graph_, path);
    for (const WatchedMemory& memory : exported_.memories) {
        if (!place || place->whole || memory.process != place->process.family ||
            memory.instance != place->process.instance || memory.memory != place->memory)
            continue;
        const Type& element = *memory_of(memory).element;
        const std::uint64_t word = place->offset / element.size();
        const std::uint64_t low =
            low_bit(element, place->offset % element.size(), place->type->size());
        HardwareBits bits{below_top(memory.path), {}, low, place->type->width_bits()};
        if (memory.is_addressed)
            bits.word = word;
        else
            bits.low += word * memory.width;
        result.push_back(std::move(bits));
    }
    return result;
}

std::optional<std::string> HardwareNames::path_of(const std::string& signal, std::uint64_t bit,
                                                  std::optional<std::uint64_t> word) const {
    if (const auto found = vectors_.find(signal); found != vectors_.end()) {
        std::uint64_t low = 0;
        for (const Watched::Part& part : found->second->parts) {
            if (bit < low + part.width)
                return name_of(part) + scalar_at(*type_of(part), bit - low);
            low += part.width;
        }
        return std::nullopt;
    }
    for (const WatchedMemory& memory : exported_.memories) {
        if (below_top(memory.path) != signal || memory.is_addressed != word.has_value())
            continue;
        const std::uint64_t at = word.value_or(bit / memory.width);
        if (at >= memory_of(memory).words || (word && bit >= memory.width))
            return std::nullopt;
        return word_name(memory, at) +
               scalar_at(*memory_of(memory).element, word ? bit : bit % memory.width);
    }
    return std::nullopt;
}

std::string
HardwareNames::json(const std::function<std::string(const std::string&)>& in_vhdl) const {
    using Json = nlohmann::ordered_json;
    Json all = Json::array();
    const auto entry = [&](const std::string& signal, const std::string& first,
                           const std::string& last) {
        Json result;
        result["first"] = first;
        if (last != first)
            result["last"] = last;
        result["verilog"] = signal;
        if (in_vhdl)
            result["vhdl"] = in_vhdl(signal);
        return result;
    };
    for (const auto& [signal, watched] : vectors_) {
        std::uint64_t low = 0;
        for (std::size_t k = 0; k < watched->parts.size();) {
            const Watched::Part& first = watched->parts[k];
            std::size_t end = k + 1;
            while (end < watched->parts.size() &&
                   watched->parts[end].element == first.element + (end - k))
                ++end;
            Json run = entry(signal, name_of(first), name_of(watched->parts[end - 1]));
            run["low"] = low;
            run["width"] = first.width;
            all.push_back(std::move(run));
            low += first.width * (end - k);
            k = end;
        }
    }
    for (const WatchedMemory& memory : exported_.memories) {
        Json words = entry(below_top(memory.path), word_name(memory, 0),
                           word_name(memory, memory_of(memory).words - 1));
        if (memory.is_addressed)
            words["words"] = memory_of(memory).words;
        else
            words["low"] = 0;
        words["width"] = memory.width;
        all.push_back(std::move(words));
    }
    Json result;
    result["format"] = "sme names 1";
    result["network"] = graph_.name;
    result["top"] = exported_.top;
    result["vectors"] = std::move(all);
    return result.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace sme::hdl
