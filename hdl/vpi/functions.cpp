// SPDX-License-Identifier: Apache-2.0
//
// The functions of VPI (IEEE 1800-2017, clause 38) that libraries call.
#include <cstdarg>
#include <cstdio>
#include <set>

#include <fmt/format.h>
#include <vpi_user.h>

#include "vpi/library.hpp"
#include "vpi/simulation.hpp"
#include "vpi/values.hpp"

namespace sme::vpi {

namespace {

struct Iterator : Node {
    Iterator() : Node{Kind::iterator} {}
    std::vector<Object*> objects;
    std::size_t next = 0;
};

vpiHandle handle(Node* node) {
    return reinterpret_cast<vpiHandle>(node);
}

/// The object behind a handle; null for others, which `problem` then names.
Object* object_of(vpiHandle given) {
    auto* const node = reinterpret_cast<Node*>(given);
    if (node && node->node == Node::Kind::object)
        return static_cast<Object*>(node);
    problem() = "this handle is no object";
    return nullptr;
}

bool is_a(const Object& object, int relation) {
    switch (relation) {
    case vpiInternalScope: return object.role == Object::Role::scope;
    case vpiModule: return object.type == vpiModule;
    case vpiNet: return object.type == vpiNet;
    case vpiReg: return object.type == vpiReg;
    case vpiRegArray: return object.type == vpiRegArray;
    case vpiNetArray: return object.type == vpiNetArray;
    case vpiParameter: return object.type == vpiParameter;
    default: return false;
    }
}

constexpr int instance = 745; // vpiInstance of SystemVerilog (Annex K)

const char* type_name(int type) {
    switch (type) {
    case vpiModule: return "vpiModule";
    case vpiGenScope: return "vpiGenScope";
    case vpiNet: return "vpiNet";
    case vpiNetBit: return "vpiNetBit";
    case vpiReg: return "vpiReg";
    case vpiRegBit: return "vpiRegBit";
    case vpiRegArray: return "vpiRegArray";
    case vpiNetArray: return "vpiNetArray";
    case vpiParameter: return "vpiParameter";
    case vpiConstant: return "vpiConstant";
    default: return "vpiUndefined";
    }
}

/// Prints the problem of a write, each text once: libraries seldom ask for it.
void show_problem() {
    static std::set<std::string> shown;
    if (!problem().empty() && shown.insert(problem()).second)
        fmt::print(stderr, "error: {}\n", problem());
}

} // namespace

void keep_functions() {}

} // namespace sme::vpi

using namespace sme::vpi;

extern "C" {

PLI_INT32 vpi_chk_error(p_vpi_error_info info) {
    if (problem().empty())
        return 0;
    static std::string text;
    text = problem();
    static char product[] = "sme", code[] = "", file[] = "";
    if (info)
        *info = {vpiRun, vpiError, text.data(), product, code, file, 0};
    return vpiError;
}

PLI_INT32 vpi_control(PLI_INT32 operation, ...) {
    problem().clear();
    if (operation != vpiFinish && operation != vpiStop)
        return 0;
    simulation()->finish();
    return 1;
}

PLI_INT32 vpi_free_object(vpiHandle given) {
    auto* const node = reinterpret_cast<Node*>(given);
    if (node && node->node == Node::Kind::iterator)
        delete static_cast<Iterator*>(node);
    return 1;
}

PLI_INT32 vpi_release_handle(vpiHandle given) {
    return vpi_free_object(given);
}

PLI_INT32 vpi_get(PLI_INT32 property, vpiHandle given) {
    problem().clear();
    if (property == vpiTimePrecision || property == vpiTimeUnit)
        return precision;
    const Object* const object = object_of(given);
    if (!object)
        return vpiUndefined;
    switch (property) {
    case vpiType: return object->type;
    case vpiSize: return static_cast<PLI_INT32>(object->width);
    case vpiVector: return object->role == Object::Role::signal && object->width > 1;
    case vpiScalar: return object->role != Object::Role::signal || object->width == 1;
    case vpiSigned: return object->is_signed;
    case vpiConstType: return vpiDecConst;
    case vpiNetType: return vpiWire;
    case vpiDirection: return object->input ? vpiInput : vpiNoDirection;
    case vpiTopModule: return object->parent == nullptr;
    default: return 0;
    }
}

PLI_BYTE8* vpi_get_str(PLI_INT32 property, vpiHandle given) {
    problem().clear();
    const Object* const object = object_of(given);
    if (!object)
        return nullptr;
    switch (property) {
    case vpiName: return object->name.empty() ? nullptr : kept(object->name);
    case vpiFullName: return object->name.empty() ? nullptr : kept(object->full_name);
    case vpiDefName: return object->definition.empty() ? nullptr : kept(object->definition);
    case vpiType: return kept(type_name(object->type));
    default: return nullptr;
    }
}

void vpi_get_time(vpiHandle, p_vpi_time time) {
    const std::uint64_t now = simulation()->time();
    time->high = static_cast<PLI_UINT32>(now >> 32);
    time->low = static_cast<PLI_UINT32>(now);
    time->real = static_cast<double>(now);
}

void vpi_get_value(vpiHandle given, p_vpi_value value) {
    problem().clear();
    const Object* const object = object_of(given);
    if (!object)
        return;
    show_value(*object, simulation()->bits(*object), *value);
}

PLI_INT32 vpi_get_vlog_info(p_vpi_vlog_info info) {
    Arguments& arguments = library_arguments();
    *info = {arguments.count(), arguments.all(), arguments.product(), arguments.version()};
    return 1;
}

vpiHandle vpi_handle(PLI_INT32 relation, vpiHandle given) {
    problem().clear();
    Object* const object = object_of(given);
    if (!object)
        return nullptr;
    const auto bound = [&](std::uint64_t value) {
        return handle(simulation()->objects().constant(static_cast<std::int64_t>(value)));
    };
    const std::uint64_t last = object->first + object->width - 1;
    const bool array = object->role == Object::Role::memory || object->role == Object::Role::array;
    switch (relation) {
    case vpiLeftRange: return bound(array ? object->first : last);
    case vpiRightRange: return bound(array ? last : object->first);
    case vpiScope:
    case vpiParent:
    case vpiModule: return handle(object->parent);
    default: return nullptr;
    }
}

vpiHandle vpi_handle_by_index(vpiHandle given, PLI_INT32 index) {
    problem().clear();
    Object* const object = object_of(given);
    return object ? handle(simulation()->objects().member(*object, index)) : nullptr;
}

vpiHandle vpi_handle_by_name(PLI_BYTE8* name, vpiHandle scope) {
    problem().clear();
    std::string path = name;
    if (scope)
        if (const Object* const around = object_of(scope))
            path = around->full_name + "." + path;
    return handle(simulation()->objects().find(path));
}

vpiHandle vpi_iterate(PLI_INT32 relation, vpiHandle given) {
    problem().clear();
    auto found = std::make_unique<Iterator>();
    Objects& objects = simulation()->objects();
    if (!given) {
        if (relation == vpiModule || relation == instance)
            found->objects.push_back(objects.top());
    } else if (Object* const object = object_of(given)) {
        for (Object* const child : object->children)
            if (is_a(*child, relation))
                found->objects.push_back(child);
        const bool members =
            object->role == Object::Role::memory || object->role == Object::Role::array
                ? relation == vpiReg || relation == vpiNet || relation == vpiMemoryWord
                : relation == vpiBit && object->role == Object::Role::signal;
        for (std::uint64_t k = 0; members && k < object->width; ++k)
            found->objects.push_back(
                objects.member(*object, static_cast<std::int64_t>(object->first + k)));
    }
    return found->objects.empty() ? nullptr : handle(found.release());
}

vpiHandle vpi_scan(vpiHandle given) {
    problem().clear();
    auto* const iterator = static_cast<Iterator*>(reinterpret_cast<Node*>(given));
    if (iterator->next < iterator->objects.size())
        return handle(iterator->objects[iterator->next++]);
    delete iterator; // as the standard says
    return nullptr;
}

vpiHandle vpi_put_value(vpiHandle given, p_vpi_value value, p_vpi_time, PLI_INT32 flags) {
    problem().clear();
    Object* const object = object_of(given);
    if (!object)
        return nullptr;
    const int how = flags & 0xff;
    if (how == vpiReleaseFlag) {
        simulation()->release(*object);
        return nullptr;
    }
    const std::string bits = bits_of(*value, *object);
    if (!problem().empty())
        return nullptr;
    problem() = how == vpiForceFlag ? simulation()->force(*object, bits)
                                    : simulation()->put(*object, bits, how == vpiNoDelay);
    show_problem();
    return nullptr;
}

vpiHandle vpi_register_cb(p_cb_data data) {
    problem().clear();
    switch (data->reason) {
    case cbValueChange:
        if (!object_of(data->obj))
            return nullptr;
        break;
    case cbStartOfSimulation:
    case cbEndOfSimulation:
    case cbAfterDelay:
    case cbReadWriteSynch:
    case cbReadOnlySynch:
    case cbNextSimTime: break;
    default:
        problem() = fmt::format("callbacks for reason {} are not supported", data->reason);
        return nullptr;
    }
    return handle(simulation()->add(*data));
}

PLI_INT32 vpi_remove_cb(vpiHandle given) {
    problem().clear();
    if (simulation()->remove(reinterpret_cast<const Node*>(given)))
        return 1;
    problem() = "this handle is no callback, or its callback is over";
    return 0;
}

PLI_INT32 vpi_vprintf(PLI_BYTE8* format, va_list arguments) {
    return std::vprintf(format, arguments);
}

PLI_INT32 vpi_printf(PLI_BYTE8* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const PLI_INT32 printed = vpi_vprintf(format, arguments);
    va_end(arguments);
    return printed;
}

PLI_INT32 vpi_flush() {
    return std::fflush(stdout);
}

} // extern "C"
