// SPDX-License-Identifier: Apache-2.0
#include "vpi/objects.hpp"

#include <charconv>

#include <fmt/format.h>
#include <vpi_user.h>

namespace sme::vpi {

void add_words(std::vector<Word>& words, std::uint64_t element, const Type& type,
               std::size_t offset, std::uint64_t low, std::uint64_t leaf) {
    for_each_packed_word(
        type, offset, low,
        [&](const PackedWord& word) {
            words.push_back({element, word.offset, word.bytes, word.leaf, word.bit, word.width,
                             word.scalar->extends_sign()});
        },
        leaf);
}

Objects::Objects(const Graph& graph, const hdl::Exported& exported,
                 const std::vector<std::pair<std::string, std::int64_t>>& parameters,
                 const Views& views)
    : graph_{graph}, views_{views} {
    top_ = make(nullptr, exported.called, Object::Role::scope, vpiModule);
    top_->definition = exported.called;
    for (const hdl::ExportedClock& clock : exported.clocks) {
        clocks_.push_back(make(top_, clock.ports.clock, Object::Role::clock, vpiNet));
        resets_.push_back(make(top_, clock.ports.reset, Object::Role::reset, vpiNet));
        clocks_.back()->input = resets_.back()->input = true;
    }
    for (const hdl::Watched& input : exported.inputs)
        add(input, true);
    for (const auto* all : {&exported.outputs, &exported.watched, &exported.states})
        for (const hdl::Watched& each : *all)
            add(each, false);
    for (const hdl::WatchedMemory& memory : exported.memories)
        add(memory);
    for (const auto& [name, value] : parameters)
        add_parameter(top_, name, value);
    Modules modules;
    for (const hdl::rtl::Module& module : exported.trees)
        modules[module.name] = &module;
    if (const auto found = modules.find(exported.top); found != modules.end())
        add_instances(top_, *found->second, modules);
    add_views();
}

Object* Objects::make(Object* parent, const std::string& name, Object::Role role, int type) {
    all_.push_back(std::make_unique<Object>());
    Object* const object = all_.back().get();
    object->role = role;
    object->type = type;
    object->name = name;
    object->full_name = parent ? parent->full_name + "." + name : name;
    object->parent = parent;
    if (parent)
        parent->children.push_back(object);
    by_name_.emplace(object->full_name, object);
    return object;
}

void Objects::add_parameter(Object* scope, const std::string& name, std::int64_t value) {
    Object* const object = make(scope, name, Object::Role::constant, vpiParameter);
    object->width = 32;
    object->is_signed = true;
    object->value = value;
}

/// The scope of "core[2].unit.sum" below the top module, which is added if it does not exist;
/// `name` becomes the rest, "sum".
Object* Objects::scope_of(const std::string& path, std::string& name) {
    Object* scope = top_;
    std::size_t begin = path.starts_with("dut.") ? 4 : 0;
    for (std::size_t dot = path.find('.', begin); dot != std::string::npos;
         begin = dot + 1, dot = path.find('.', begin)) {
        const std::string part = path.substr(begin, dot - begin);
        const auto found = by_name_.find(scope->full_name + "." + part);
        scope = found != by_name_.end() ? found->second
                                        : make(scope, part, Object::Role::scope,
                                               part.ends_with(']') ? vpiGenScope : vpiModule);
        scope->definition = part;
    }
    name = path.substr(begin);
    return scope;
}

void Objects::add(const hdl::Watched& watched, bool input) {
    std::string name;
    Object* const scope = scope_of(watched.path, name);
    if (by_name_.count(scope->full_name + "." + name))
        return; // an output that is a bus
    Object* const object = make(scope, name, Object::Role::signal, vpiNet);
    object->width = watched.width;
    object->input = true;
    std::uint64_t low = 0;
    const Type* type = nullptr;
    for (const hdl::Watched::Part& part : watched.parts) {
        const BusFamily& bus = graph_.family_of(part.element);
        type = bus.type.get();
        std::size_t offset = 0;
        std::uint64_t leaf = 0;
        for (int k = 0; part.field >= 0 && k < part.field; ++k)
            leaf += bus.type->fields()[static_cast<std::size_t>(k)].type->leaf_count();
        if (part.field >= 0) {
            const Field& field = bus.type->fields()[static_cast<std::size_t>(part.field)];
            type = field.type.get();
            offset = field.offset;
        }
        add_words(object->words, part.element, *type, offset, low, leaf);
        low += part.width;
        object->input = object->input && (input || bus.input);
        object->wire = object->wire || bus.wire();
        object->is_signed = watched.parts.size() == 1 && type->is_signed();
    }
    if (!object->wire && !object->input)
        object->type = vpiReg;
    if (views_.members && type)
        make_array(*object, watched, *type);
}

/// The dimensions of a family whose members the vector consists of, and those of their type.
void Objects::make_array(Object& object, const hdl::Watched& watched, const Type& type) {
    const BusFamily& bus = graph_.family_of(watched.parts[0].element);
    if (!bus.shape.is_single() && bus.count == watched.parts.size() && bus.shape.kept.empty())
        object.dimensions = bus.shape.dimensions;
    else if (watched.parts.size() > 1)
        return;
    fold(object, type, watched.width);
}

void Objects::add(const hdl::WatchedMemory& memory) {
    std::string name;
    Object* const scope = scope_of(memory.path, name);
    if (by_name_.count(scope->full_name + "." + name))
        return;
    const Memory& words = graph_.processes[memory.process].memories[memory.memory];
    const Type& element = *words.element;
    Object* const object =
        make(scope, name, memory.is_addressed ? Object::Role::memory : Object::Role::signal,
             memory.is_addressed ? vpiRegArray : vpiReg);
    object->memory = &memory;
    object->width = memory.is_addressed ? words.words : memory.width * words.words;
    if (memory.is_reset)
        reset_memories_.push_back(&memory);
    if (!memory.is_addressed)
        for (std::uint64_t k = 0; k < words.words; ++k)
            add_words(object->words, 0, element, k * element.size(), k * memory.width, 0);
}

/// The same with the dimensions of the members' type after its own.
void Objects::fold(Object& object, const Type& members, std::uint64_t bits) {
    for (const Type* each = &members; each->kind() == TypeKind::array; each = each->element().get())
        object.dimensions.emplace_back().count = each->count();
    fold(object, bits);
}

/// Makes it an array if it has dimensions; `bits`: of all members.
void Objects::fold(Object& object, std::uint64_t bits) {
    object.width = bits;
    if (object.dimensions.empty())
        return;
    object.role = Object::Role::array;
    object.type = object.type == vpiReg ? vpiRegArray : vpiNetArray;
    object.first = static_cast<std::uint64_t>(object.dimensions[0].low);
    object.width = object.dimensions[0].count;
    object.member = bits / object.width;
}

Object* Objects::member(Object& of, std::int64_t index) {
    using Role = Object::Role;
    const auto place = static_cast<std::uint64_t>(index) - of.first;
    const bool has_members = of.role == Role::memory || of.role == Role::array ||
                             (of.role == Role::signal && of.width > 1);
    if (index < 0 || place >= of.width || !has_members)
        return nullptr;
    Object*& known = members_[{&of, index}];
    if (known)
        return known;
    all_.push_back(std::make_unique<Object>());
    known = all_.back().get();
    known->name = fmt::format("{}[{}]", of.name, index);
    known->full_name = fmt::format("{}[{}]", of.full_name, index);
    known->parent = &of;
    known->input = of.input;
    known->wire = of.wire;
    known->port = of.port;
    known->memory = of.memory;
    if (of.role == Role::memory) {
        const Type& element =
            *graph_.processes[of.memory->process].memories[of.memory->memory].element;
        known->role = Role::signal;
        known->type = vpiReg;
        known->width = of.memory->width;
        add_words(known->words, 0, element, place * element.size(), 0, 0);
    } else if (of.role == Role::array) {
        known->role = Role::signal;
        known->type = of.type == vpiRegArray ? vpiReg : vpiNet;
        known->is_signed = of.is_signed;
        known->dimensions.assign(of.dimensions.begin() + 1, of.dimensions.end());
        for (Word word : of.words)
            if (word.bit / of.member == place) {
                word.bit %= of.member;
                known->words.push_back(word);
            }
        fold(*known, of.member);
    } else {
        known->role = Role::bit;
        known->type = of.type == vpiNet ? vpiNetBit : vpiRegBit;
        known->first = place;
    }
    return known;
}

Object* Objects::find(const std::string& full_name) {
    if (const auto found = by_name_.find(full_name); found != by_name_.end())
        return found->second;
    if (!full_name.ends_with(']'))
        return nullptr;
    const std::size_t open = full_name.rfind('[');
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(full_name.data() + open + 1,
                                              full_name.data() + full_name.size() - 1, index);
    Object* const of = find(full_name.substr(0, open));
    return of && error == std::errc{} && end == full_name.data() + full_name.size() - 1
               ? member(*of, index)
               : nullptr;
}

Object* Objects::constant(std::int64_t value) {
    Object*& known = constants_[value];
    if (!known) {
        all_.push_back(std::make_unique<Object>());
        known = all_.back().get();
        known->role = Object::Role::constant;
        known->type = vpiConstant;
        known->width = 32;
        known->value = value;
        known->is_signed = true;
    }
    return known;
}

} // namespace sme::vpi
