// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/vhdl_text.hpp"

#include <algorithm>
#include <charconv>

namespace sme::hdl::vhdl {

namespace {

constexpr std::string_view top_path = "dut.";

/// Removes and returns the text before the first dot.
std::string first_of(std::string& path) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    std::string result = path.substr(0, dot);
    path.erase(0, std::min(dot + 1, path.size()));
    return result;
}

/// Splits "node[-3]" into "node" and -3.
std::int64_t taken_index(std::string& name) {
    const std::size_t bracket = name.find('[');
    std::int64_t value = 0;
    std::from_chars(name.data() + bracket + 1, name.data() + name.size(), value);
    name.erase(bracket);
    return value;
}

} // namespace

const rtl::Module& top_of(const Exported& exported) {
    return *std::find_if(exported.trees.begin(), exported.trees.end(),
                         [&](const rtl::Module& module) { return module.name == exported.top; });
}

const rtl::Port* output_of(const Exported& exported, const std::string& path) {
    const std::string name = path.starts_with(top_path) ? path.substr(top_path.size()) : path;
    const rtl::Module& top = top_of(exported);
    const auto found = std::find_if(top.ports.begin(), top.ports.end(), [&](const rtl::Port& port) {
        return port.output && port.what.name == name;
    });
    return found == top.ports.end() ? nullptr : &*found;
}

ShownInside::ShownInside(const Exported& exported, const Library& library)
    : exported_{exported}, library_{library} {
    for (const Watched& watched : exported.watched)
        if (!output_of(exported, watched.path))
            add(*library_.modules.at(exported.top), watched.path.substr(top_path.size()));
    measure(*library_.modules.at(exported.top));
    std::erase_if(shown_, [](const auto& each) { return each.second.width == 0; });
}

std::uint64_t ShownInside::members_of(const rtl::Generate& generate) {
    std::uint64_t result = 1;
    for (const rtl::Generate::Loop& loop : generate.loops)
        result *= static_cast<std::uint64_t>(loop.end - loop.low);
    return result;
}

ShownInside::Step ShownInside::step(const rtl::Module& module, std::string& path) const {
    Step result;
    result.label = first_of(path);
    const bool is_family = result.label.find('[') != std::string::npos;
    std::int64_t index = is_family ? taken_index(result.label) : 0;
    for (const rtl::Item& item : module.items) {
        result.item = &item;
        const auto* instance = std::get_if<rtl::Instance>(&item);
        if (!is_family && instance && instance->name == result.label) {
            result.instance = instance;
            return result;
        }
        const auto* generate = std::get_if<rtl::Generate>(&item);
        if (!is_family || !generate || generate->loops[0].label != result.label)
            continue;
        result.instance = &generate->instance;
        result.members = members_of(*generate);
        for (std::size_t d = 0; d < generate->loops.size(); ++d) {
            const rtl::Generate::Loop& loop = generate->loops[d];
            std::string name = first_of(path); // "at_1[2]", or the instance after the last loop
            result.member = result.member * static_cast<std::uint64_t>(loop.end - loop.low) +
                            static_cast<std::uint64_t>(index - loop.low);
            if (d + 1 < generate->loops.size())
                index = taken_index(name);
        }
        return result;
    }
    return result;
}

void ShownInside::add(const rtl::Module& module, std::string path) {
    if (path.find('.') != std::string::npos) {
        const Step inner = step(module, path);
        shown_[module.name]; // shows the vector of its instance
        add(*library_.modules.at(inner.instance->module), path);
        return;
    }
    std::vector<std::string>& signals = shown_[module.name].signals;
    if (std::find(signals.begin(), signals.end(), path) == signals.end())
        signals.push_back(path);
}

std::uint64_t ShownInside::width_of(const rtl::Module& module, const std::string& signal) {
    for (const rtl::Port& port : module.ports)
        if (port.what.name == signal)
            return port.what.width;
    for (const rtl::Item& item : module.items)
        if (const auto* net = std::get_if<rtl::Net>(&item); net && net->what.name == signal)
            return net->what.width;
    return 0;
}

std::uint64_t ShownInside::measure(const rtl::Module& module) {
    const auto found = shown_.find(module.name);
    if (found == shown_.end() || found->second.width > 0)
        return found == shown_.end() ? 0 : found->second.width;
    Shown& shown = found->second;
    std::uint64_t width = 0;
    for (const std::string& signal : shown.signals)
        width += width_of(module, signal);
    const auto add_bits = [&](const std::string& label, const rtl::Instance& instance,
                              std::uint64_t members) {
        const auto module = library_.modules.find(instance.module);
        if (module == library_.modules.end()) // a component
            return;
        if (const std::uint64_t bits = members * measure(*module->second); bits > 0) {
            shown.bits[label] = bits;
            width += bits;
        }
    };
    for (const rtl::Item& item : module.items)
        if (const auto* instance = std::get_if<rtl::Instance>(&item))
            add_bits(instance->name, *instance, 1);
        else if (const auto* generate = std::get_if<rtl::Generate>(&item))
            add_bits(generate->loops[0].label, generate->instance, members_of(*generate));
    return shown.width = width;
}

std::uint64_t ShownInside::width() const {
    const auto found = shown_.find(exported_.top);
    return found == shown_.end() ? 0 : found->second.width;
}

std::uint64_t ShownInside::low_bit(const std::string& watched) const {
    std::string path = watched.substr(top_path.size());
    const rtl::Module* module = library_.modules.at(exported_.top);
    std::uint64_t base = 0; // of the vector that `module` shows
    while (path.find('.') != std::string::npos) {
        const Shown& shown = shown_.at(module->name);
        const Step inner = step(*module, path);
        std::uint64_t behind = 0; // width that the instances after it show
        bool is_after = false;
        for (const rtl::Item& item : module->items) {
            const auto* instance = std::get_if<rtl::Instance>(&item);
            const auto* generate = std::get_if<rtl::Generate>(&item);
            if (&item == inner.item)
                is_after = true;
            else if (is_after && (instance || generate)) {
                const auto bits =
                    shown.bits.find(instance ? instance->name : generate->loops[0].label);
                behind += bits == shown.bits.end() ? 0 : bits->second;
            }
        }
        const std::uint64_t each = shown_.at(inner.instance->module).width;
        base += behind + inner.member * each;
        module = library_.modules.at(inner.instance->module);
    }
    const Shown& shown = shown_.at(module->name);
    std::uint64_t low = shown.width;
    for (const std::string& signal : shown.signals) {
        low -= width_of(*module, signal);
        if (signal == path)
            break;
    }
    return base + low;
}

} // namespace sme::hdl::vhdl
