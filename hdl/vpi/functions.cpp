// SPDX-License-Identifier: Apache-2.0
//
// The functions of VPI (IEEE 1800-2017, clause 38) that libraries call.
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <set>

#include <fmt/format.h>
#include <vpi_user.h>

#include "vpi/library.hpp"
#include "vpi/simulation.hpp"

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
    case vpiParameter: return object.type == vpiParameter;
    default: return false;
    }
}

constexpr int instance = 745; // vpiInstance of SystemVerilog (Annex K)

/// Text that is valid until the 16th call after this one: callers combine several texts.
char* kept(std::string text) {
    static std::array<std::string, 16> last;
    static std::size_t next = 0;
    std::string& place = last.at(next++ % last.size());
    place = std::move(text);
    return place.data();
}

std::uint64_t low_word(const std::string& bits) {
    std::uint64_t word = 0;
    for (const char bit : bits)
        word = word << 1 | (bit == '1' ? 1 : 0);
    return word;
}

const char* type_name(int type) {
    switch (type) {
    case vpiModule: return "vpiModule";
    case vpiGenScope: return "vpiGenScope";
    case vpiNet: return "vpiNet";
    case vpiNetBit: return "vpiNetBit";
    case vpiReg: return "vpiReg";
    case vpiRegBit: return "vpiRegBit";
    case vpiRegArray: return "vpiRegArray";
    case vpiParameter: return "vpiParameter";
    case vpiConstant: return "vpiConstant";
    default: return "vpiUndefined";
    }
}

/// A value given to an object, as bits; x and z, which the network does not have, are 0.
std::string bits_of(const s_vpi_value& value, const Object& object) {
    std::string bits(object.width, '0');
    const auto set = [&](std::uint64_t place, bool one) {
        if (place < bits.size())
            bits[bits.size() - 1 - place] = one ? '1' : '0';
    };
    switch (value.format) {
    case vpiBinStrVal: {
        const std::size_t length = std::strlen(value.value.str);
        for (std::size_t k = 0; k < length; ++k)
            set(length - 1 - k, value.value.str[k] == '1');
        break;
    }
    case vpiScalarVal: set(0, value.value.scalar == vpi1); break;
    case vpiIntVal:
        for (std::uint64_t k = 0; k < bits.size(); ++k)
            set(k, k < 32 ? (value.value.integer >> k & 1) != 0 : value.value.integer < 0);
        break;
    case vpiVectorVal:
        for (std::uint64_t k = 0; k < bits.size(); ++k) {
            const s_vpi_vecval& word = value.value.vector[k / 32];
            set(k, (word.aval >> k % 32 & 1) != 0 && (word.bval >> k % 32 & 1) == 0);
        }
        break;
    case vpiStringVal: {
        const std::size_t length = std::strlen(value.value.str);
        for (std::uint64_t k = 0; k < 8 * length; ++k)
            set(k, (value.value.str[length - 1 - k / 8] >> k % 8 & 1) != 0);
        break;
    }
    default: problem() = fmt::format("values of format {} cannot be written", value.format);
    }
    return bits;
}

/// Prints the problem of a write, each text once: libraries seldom ask for it.
void show_problem() {
    static std::set<std::string> shown;
    if (!problem().empty() && shown.insert(problem()).second)
        fmt::print(stderr, "error: {}\n", problem());
}

/// The number of 4-bit digits, the highest first.
std::string hexadecimal(const std::string& bits) {
    std::string result;
    const std::string padded = std::string((4 - bits.size() % 4) % 4, '0') + bits;
    for (std::size_t k = 0; k < padded.size(); k += 4)
        result += "0123456789abcdef"[low_word(padded.substr(k, 4))];
    return result;
}

std::string characters(const std::string& bits) {
    std::string result;
    const std::string padded = std::string((8 - bits.size() % 8) % 8, '0') + bits;
    for (std::size_t k = 0; k < padded.size(); k += 8)
        if (const auto c = static_cast<char>(low_word(padded.substr(k, 8))); c != 0)
            result += c;
    return result;
}

void fill_vector(const std::string& bits, s_vpi_value& value) {
    static std::vector<s_vpi_vecval> words;
    words.assign((bits.size() + 31) / 32, {0, 0});
    for (std::size_t k = 0; k < bits.size(); ++k)
        if (bits[bits.size() - 1 - k] == '1')
            words[k / 32].aval |= decltype(words[0].aval){1}
                                  << k % 32; // headers differ in its type
    value.value.vector = words.data();
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
    const std::string bits = simulation()->bits(*object);
    if (value->format == vpiObjTypeVal)
        value->format = object->width == 1 ? vpiScalarVal : vpiVectorVal;
    switch (value->format) {
    case vpiBinStrVal: value->value.str = kept(bits); break;
    case vpiHexStrVal: value->value.str = kept(hexadecimal(bits)); break;
    case vpiStringVal: value->value.str = kept(characters(bits)); break;
    case vpiScalarVal: value->value.scalar = bits.back() == '1' ? vpi1 : vpi0; break;
    case vpiIntVal: {
        std::string low = bits.size() > 32 ? bits.substr(bits.size() - 32) : bits;
        if (object->is_signed)
            low.insert(0, 32 - low.size(), low.front());
        value->value.integer = static_cast<PLI_INT32>(low_word(low));
        break;
    }
    case vpiRealVal: value->value.real = static_cast<double>(low_word(bits)); break;
    case vpiVectorVal: fill_vector(bits, *value); break;
    default: problem() = fmt::format("values have no format {}", value->format);
    }
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
    const bool array = object->role == Object::Role::memory;
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
        const bool members = object->role == Object::Role::memory
                                 ? relation == vpiReg || relation == vpiMemoryWord
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
