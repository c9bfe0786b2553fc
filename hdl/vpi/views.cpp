// SPDX-License-Identifier: Apache-2.0
//
// What the written Verilog has no names for: fields of buses ("lane[3].valid", beside the vector
// "lane_valid"), and signals inside the user's Verilog modules.
#include <vpi_user.h>

#include "vpi/objects.hpp"

namespace sme::vpi {

/// Families with more members have no views: a test bench reads their vectors.
static constexpr std::uint64_t most_members = 4096;

void Objects::add_views() {
    for (const BusFamily& bus : graph_.buses) {
        const bool has_fields = bus.bundle || bus.type->kind() == TypeKind::structure;
        if (bus.count > most_members || (!has_fields && !bus.traced && bus.reverse_field.empty()))
            continue;
        if (views_.packed_structs && has_fields && !bus.bundle && bus.shape.kept.empty()) {
            add_packed(bus);
            continue;
        }
        for (std::uint64_t k = 0; k < bus.count; ++k) {
            const std::uint64_t element = bus.first + k;
            std::string name;
            Object* const scope = inner_scope(bus.element_name(element), name);
            add_view(*scope, name, bus, element, *bus.type, 0, 0);
        }
    }
}

/// A bus as a vector, or a family as an array of vectors.
void Objects::add_packed(const BusFamily& bus) {
    std::string name;
    Object* const scope = inner_scope(bus.name, name);
    if (by_name_.count(scope->full_name + "." + name))
        return;
    const std::uint64_t width = bus.type->width_bits();
    Object* const object = make_signal(*scope, name, bus);
    for (std::uint64_t k = 0; k < bus.count; ++k)
        add_words(object->words, bus.first + k, *bus.type, 0, k * width, 0);
    if (!bus.shape.is_single())
        object->dimensions = bus.shape.dimensions;
    fold(*object, bus.count * width);
}

Object* Objects::make_signal(Object& scope, const std::string& name, const BusFamily& bus) {
    Object* const object =
        make(&scope, name, Object::Role::signal, bus.wire() || bus.input ? vpiNet : vpiReg);
    object->input = bus.input;
    object->wire = bus.wire();
    object->port = bus.traced;
    return object;
}

/// The scope of an element that the network calls "stage[1, 2].core.x", which is added if it does
/// not exist; `name` becomes the rest, "x". A member of a family of instances is "unit" in the
/// written Verilog, in a scope that has the member's name.
Object* Objects::inner_scope(const std::string& path, std::string& name) {
    std::string verilog;
    for (const char each : path)
        verilog += each == ',' ? "][" : std::string(each == ' ' ? 0 : 1, each);
    Object* scope = top_;
    std::size_t begin = 0;
    for (std::size_t dot = verilog.find('.'); dot != std::string::npos;
         begin = dot + 1, dot = verilog.find('.', begin)) {
        const std::string part = verilog.substr(begin, dot - begin);
        const auto found = by_name_.find(scope->full_name + "." + part);
        scope = found != by_name_.end() ? found->second
                                        : make(scope, part, Object::Role::scope, vpiGenScope);
        const auto unit = by_name_.find(scope->full_name + ".unit");
        if (unit != by_name_.end() && unit->second->role == Object::Role::scope)
            scope = unit->second;
    }
    name = verilog.substr(begin);
    return scope;
}

/// Names of the written Verilog come first.
void Objects::add_view(Object& scope, const std::string& name, const BusFamily& bus,
                       std::uint64_t element, const Type& type, std::size_t offset,
                       std::uint64_t leaf) {
    const auto found = by_name_.find(scope.full_name + "." + name);
    if (type.kind() == TypeKind::structure) {
        if (found != by_name_.end() && found->second->role != Object::Role::scope)
            return;
        Object* const inside = found != by_name_.end()
                                   ? found->second
                                   : make(&scope, name, Object::Role::scope, vpiGenScope);
        for (const Field& field : type.fields()) {
            add_view(*inside, field.name, bus, element, *field.type, offset + field.offset, leaf);
            leaf += field.type->leaf_count();
        }
        return;
    }
    if (found != by_name_.end() || scope.role != Object::Role::scope)
        return;
    Object* const object = make_signal(scope, name, bus);
    object->is_signed = type.is_signed();
    add_words(object->words, element, type, offset, 0, leaf);
    object->width = type.width_bits();
    if (views_.members)
        fold(*object, type, object->width);
}

} // namespace sme::vpi
