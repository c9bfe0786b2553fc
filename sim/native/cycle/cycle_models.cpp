// SPDX-License-Identifier: Apache-2.0
#include "native/cycle/cycle_models.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

#include "native/ir/routine.hpp"

namespace sme::native {

namespace {

constexpr unsigned word_bits = 32; // in a port of several words

/// The bytes of a port, as a Place for passes.
Place in_port() {
    return {.space = Place::Space::other};
}

expr::Scalar type_of(const ModelPort::Scalar& scalar) {
    return {static_cast<std::uint8_t>(scalar.width), scalar.is_signed};
}

std::string ones(unsigned width) {
    return width >= 64 ? "~0ul" : fmt::format("{}ul", (std::uint64_t{1} << width) - 1);
}

/// The type of an access to a port of up to 64 bits, or to one of its words.
const char* access_type(std::size_t bytes) {
    switch (bytes) {
    case 1: return "u8";
    case 2: return "u16";
    case 4: return "u32";
    default: return "u64";
    }
}

std::string shifted(const std::string& text, std::int64_t left) {
    if (left == 0)
        return text;
    return left > 0 ? fmt::format("{} << {}", text, left) : fmt::format("{} >> {}", text, -left);
}

/// Calls visit(offset, bytes, bits begin, bits end) for each word of a port.
template <class Visit>
void for_each_port_word(const ModelPort& port, std::size_t most_bytes, Visit visit) {
    const std::size_t least = port.size <= 8 ? port.size : word_bits / 8;
    std::size_t bytes = 0;
    for (std::size_t offset = 0; offset < port.size; offset += bytes) {
        bytes = std::max(least, std::min(most_bytes, (port.size - offset) / 8 * 8));
        visit(offset, bytes, offset * 8, (offset + bytes) * 8);
    }
}

bool meets(const ModelPort::Scalar& scalar, std::uint64_t begin, std::uint64_t end) {
    return scalar.bit < end && begin < scalar.bit + scalar.width;
}

/// The bits of a scalar in a port, as C. The model writes words one by one, so a compiler must not
/// merge the loads of two words: the processor would stall on them.
std::string bits_of(const std::string& pointer, const ModelPort& port,
                    const ModelPort::Scalar& scalar) {
    std::string result;
    for_each_port_word(
        port, 4,
        [&](std::size_t offset, std::size_t bytes, std::uint64_t begin, std::uint64_t end) {
            if (!meets(scalar, begin, end))
                return;
            const std::string word =
                fmt::format("(u64)*(const {}{} *)({} + {})", port.size > 8 ? "volatile " : "",
                            access_type(bytes), pointer, offset);
            result += (result.empty() ? "" : " | ") +
                      shifted(word, static_cast<std::int64_t>(begin) -
                                        static_cast<std::int64_t>(scalar.bit));
        });
    if (scalar.bit + scalar.width < port.size * 8 || scalar.is_signed)
        result = fmt::format("({}) & {}", result, ones(scalar.width));
    if (scalar.is_signed)
        result =
            fmt::format("(i64)(({}) << {}) >> {}", result, 64 - scalar.width, 64 - scalar.width);
    return result;
}

} // namespace

std::size_t CycleModels::instance_of(const ModelGroup& group, const ScheduledStep& step,
                                     std::uint64_t position, std::uint32_t number) {
    const auto [found, fresh] = numbers_.try_emplace({step.family, position}, instances_.size());
    if (fresh) {
        const auto datum = static_cast<std::uint32_t>(instances_.size());
        Instance& result = instances_.emplace_back();
        result.data = program_.data.name(number, {Datum::Kind::model, datum});
        result.calls = group.model_calls(position);
    }
    return found->second;
}

/// The variable that holds a pointer of an instance.
std::string CycleModels::pointer(std::size_t instance, std::size_t number) const {
    return fmt::format("_m{}_{}_", instance, number);
}

std::string CycleModels::port(std::size_t instance, const ModelPort& port) {
    std::vector<std::byte*>& ports = instances_[instance].ports;
    auto found = std::find(ports.begin(), ports.end(), port.bytes);
    if (found == ports.end())
        found = ports.insert(found, port.bytes);
    return pointer(instance, static_cast<std::size_t>(ModelPointer::first_port) +
                                 static_cast<std::size_t>(found - ports.begin()));
}

std::string CycleModels::call(std::size_t instance, const char* function) const {
    return fmt::format("_m{0}_{1}_(_m{0}_0_);", instance, function);
}

bool CycleModels::shares_code(std::size_t instance) const {
    return std::count_if(instances_.begin(), instances_.end(), [&](const Instance& other) {
               return other.calls.code == instances_[instance].calls.code;
           }) > 1;
}

void CycleModels::add(const ModelGroup& group, const ScheduledStep& step, std::uint32_t number,
                      const std::string& stop) {
    for (std::uint64_t k = 0; k < step.range.count; ++k) {
        const std::uint64_t position = step.range.first + k;
        const std::size_t instance = instance_of(group, step, position, number);
        ModelStep result = group.model_step(step.part, position);
        if (result.settles) {
            settle(instance, result, stop);
            continue;
        }
        instances_[instance].has_edge = true;
        instances_[instance].alone = result.alone;
        instances_[instance].edge = std::move(result);
    }
}

void CycleModels::settle(std::size_t instance, const ModelStep& step, const std::string& stop) {
    if (!step.inputs.empty()) {
        set_inputs(instance, step, true);
        const bool clocked = instances_[instance].calls.clock != nullptr;
        program_.add_effect(fmt::format(
            "if (_m{0}_new_{1}) {{ {2}if (_m{0}_shared_) _m{0}_enter_(_m{0}_0_); {3} "
            "_m{0}_new_ = 0; }}",
            instance, clocked ? fmt::format(" | *_m{}_1_", instance) : "",
            clocked ? fmt::format("*_m{}_1_ = 0; ", instance) : "", call(instance, "eval")));
        program_.add_effect(fmt::format("if (*_m{}_2_) {}", instance, stop));
        may_stop_ = true;
    }
    for (const ModelPort& output : step.outputs) {
        for (const ModelPort::Scalar& scalar : output.scalars) {
            const Id value = shown(instance, output, scalar, false);
            if (scalar.members > 0) {
                program_.add_effect(fmt::format("if ($0 >= {}) {}", scalar.members, stop), {value});
                may_stop_ = true;
            }
            store(scalar.slot, type_of(scalar), value, output.name, false);
            wires_.push_back({scalar.slot, type_of(scalar), value});
        }
        for (const std::uint64_t mark : output.marks) {
            const Id one = program_.routine.constant({1, false}, 1);
            store(mark, {1, false}, one, output.name, false);
            wires_.push_back({mark, {1, false}, one});
        }
    }
}

bool CycleModels::has_edges() const {
    return std::any_of(instances_.begin(), instances_.end(),
                       [](const Instance& one) { return one.has_edge; });
}

/// A C expression, not 0 when a model needs the interpreter after the rising edges.
std::string CycleModels::said() {
    std::string result;
    for (std::size_t k = 0; k < instances_.size(); ++k) {
        if (!instances_[k].has_edge)
            continue;
        result += fmt::format("{}*_m{}_2_", result.empty() ? "" : " | ", k);
        for (const ModelPort& output : instances_[k].edge.outputs)
            for (const ModelPort::Scalar& scalar : output.scalars)
                if (scalar.members > 0)
                    result += fmt::format(" | (({}) >= {}ul)",
                                          bits_of(port(k, output), output, scalar), scalar.members);
    }
    return fmt::format("({}) != 0", result);
}

void CycleModels::add_edges(const std::function<std::string(const std::string&)>& all_said) {
    if (!has_edges())
        return;
    for (std::size_t k = 0; k < instances_.size(); ++k)
        if (instances_[k].has_edge)
            edge(k);
    for (std::size_t k = 0; k < instances_.size(); ++k)
        if (instances_[k].has_edge)
            show_edge(k, true);
    const std::string own = said();
    program_.add_effect(
        fmt::format("const int _said_ = __builtin_expect({}, 0);", all_said ? all_said(own) : own));
    for (const WireValue& wire : wires_)
        program_.add_effect(fmt::format("if (_said_) *({} *)(b->write + {}) = $0;",
                                        slot_type(wire.type), wire.slot),
                            {wire.value});
    const auto first = std::find_if(instances_.begin(), instances_.end(),
                                    [](const Instance& one) { return one.has_edge; });
    program_.add_effect(fmt::format("if (_said_) {{ *_m{}_{}_ = 1; break; }}",
                                    first - instances_.begin(),
                                    static_cast<unsigned>(ModelPointer::ahead)));
    for (std::size_t k = 0; k < instances_.size(); ++k)
        if (instances_[k].has_edge)
            show_edge(k, false);
}

void CycleModels::edge(std::size_t instance) {
    const Instance& one = instances_[instance];
    set_inputs(instance, one.edge, !one.alone);
    std::string text;
    if (one.calls.clock_ps != 0)
        text += fmt::format("_m{0}_time_(_m{0}_0_, (cycle + 1) * {1}ul); ", instance,
                            one.calls.clock_ps);
    text += fmt::format("if (_m{0}_shared_) _m{0}_enter_(_m{0}_0_); ", instance);
    if (one.alone)
        text += call(instance, "cycle");
    else
        text += fmt::format("if (_m{0}_new_ | *_m{0}_1_) {{ *_m{0}_1_ = 0; {1} _m{0}_new_ = 0; }} "
                            "*_m{0}_1_ = 1; {1}",
                            instance, call(instance, "eval"));
    program_.add_effect(text);
}

/// Copies a model's outputs after the rising edge into registers: those kept in the arenas, where
/// an unfinished cycle leaves no trace, or the others.
void CycleModels::show_edge(std::size_t instance, bool in_common) {
    const auto is_meant = [&](std::uint64_t slot) {
        return program_.called_slots.contains(slot) == in_common;
    };
    const std::vector<ModelPort> outputs = instances_[instance].edge.outputs;
    for (const ModelPort& output : outputs) {
        for (const ModelPort::Scalar& scalar : output.scalars)
            if (is_meant(scalar.slot))
                store(scalar.slot, type_of(scalar), shown(instance, output, scalar, !in_common),
                      output.name, !in_common);
        for (const std::uint64_t mark : output.marks)
            if (is_meant(mark))
                store(mark, {1, false}, program_.routine.constant({1, false}, 1), output.name,
                      !in_common);
    }
}

void CycleModels::set_inputs(std::size_t instance, const ModelStep& step, bool compares) {
    const std::vector<ModelPort> inputs = step.inputs;
    for (const ModelPort& input : inputs)
        set_input(instance, input, compares);
}

void CycleModels::set_input(std::size_t instance, const ModelPort& input, bool compares) {
    const std::string pointer = port(instance, input);
    std::vector<Id> values;
    for (const ModelPort::Scalar& scalar : input.scalars) {
        const bool is_wire = scalar.slot >= program_.wires_begin();
        values.push_back(program_.routine.load(
            type_of(scalar),
            fmt::format("*(const {} *)({} + {})", slot_type(type_of(scalar)),
                        is_wire ? "write" : "read", scalar.slot),
            {}, {.space = Place::Space::slot, .at = scalar.slot}, c_name(input.name)));
        program_.add({values.back()});
    }
    for_each_port_word(
        input, 8,
        [&](std::size_t offset, std::size_t bytes, std::uint64_t begin, std::uint64_t end) {
            std::vector<std::size_t> parts;
            for (std::size_t k = 0; k < input.scalars.size(); ++k)
                if (meets(input.scalars[k], begin, end))
                    parts.push_back(k);
            for (std::size_t k = 0; k < parts.size(); ++k) {
                const ModelPort::Scalar& scalar = input.scalars[parts[k]];
                const std::string value = shifted(fmt::format("((u64)$0 & {})", ones(scalar.width)),
                                                  static_cast<std::int64_t>(scalar.bit) -
                                                      static_cast<std::int64_t>(begin));
                std::string text = fmt::format("{}= {};", k == 0 ? "" : "|", value);
                text = fmt::format("_m{}_word_ {}", instance, text);
                if (k + 1 == parts.size()) {
                    const char* const type = access_type(bytes);
                    const std::string place =
                        fmt::format("*({} *)({} + {})", type, pointer, offset);
                    if (compares)
                        text += fmt::format(" _m{}_new_ |= {} != ({})_m{}_word_;", instance, place,
                                            type, instance);
                    text += fmt::format(" {} = ({})_m{}_word_;", place, type, instance);
                }
                const Id result = program_.add_effect("{ " + text + " }", {values[parts[k]]});
                if (parts.size() == 1)
                    inputs_.push_back(result);
            }
        });
}

Id CycleModels::shown(std::size_t instance, const ModelPort& output,
                      const ModelPort::Scalar& scalar, bool late) {
    const Id result =
        program_.routine.load(type_of(scalar), bits_of(port(instance, output), output, scalar), {},
                              in_port(), c_name(output.name));
    program_.routine[result].lasts = late;
    program_.add({result});
    return result;
}

Id CycleModels::store(std::uint64_t slot, expr::Scalar type, Id value, const std::string& name,
                      bool late) {
    const Id result =
        program_.routine.effect(fmt::format("*({} *)(write + {}) = $0;", slot_type(type), slot),
                                {value}, {.space = Place::Space::slot, .at = slot});
    program_.routine[result].type = type;
    program_.routine[result].name = c_name(name);
    program_.routine[result].lasts = late;
    program_.add({result});
    return result;
}

void CycleModels::set_fixed_inputs_once(const std::map<std::uint64_t, std::string>& fed) {
    Routine& routine = program_.routine;
    std::unordered_set<std::uint64_t> written;
    for (const Id id : routine.body) {
        const Node& node = routine[id];
        if (node.kind != Node::Kind::effect || node.place.space != Place::Space::slot)
            continue;
        const Place& from = routine[node.operands[0]].place;
        if (from.space != Place::Space::slot || from.at != node.place.at)
            written.insert(node.place.at);
    }
    std::unordered_set<Id> once;
    for (const Id id : inputs_) {
        const Node& node = routine[id];
        const Node& value = routine[node.operands[0]];
        const bool is_load =
            value.kind == Node::Kind::load && value.place.space == Place::Space::slot;
        if (!is_load || written.contains(value.place.at) || fed.contains(value.place.at) ||
            program_.called_slots.contains(value.place.at))
            continue;
        std::string text = node.text;
        const std::string read = fmt::format(
            "*(const {} *)(b->{} + {})", slot_type(value.type),
            value.place.at >= program_.wires_begin() ? "write" : "read", value.place.at);
        text.replace(text.find("$0"), 2, read);
        fixed_ += "    " + text + "\n";
        once.insert(id);
    }
    std::vector<Id> kept = routine.body;
    std::erase_if(kept, [&](Id id) { return once.contains(id); });
    routine.set_body(std::move(kept));
}

std::string CycleModels::before() const {
    std::string result;
    for (std::size_t k = 0; k < instances_.size(); ++k) {
        const Instance& one = instances_[k];
        const auto declare = [&](const char* type, std::size_t number) {
            result += fmt::format("    {} *const {} = (({} *const *){})[{}];\n", type,
                                  pointer(k, number), type, one.data, number);
        };
        declare("void", static_cast<std::size_t>(ModelPointer::model));
        declare("u8", static_cast<std::size_t>(ModelPointer::clock));
        declare("const u8", static_cast<std::size_t>(ModelPointer::said));
        declare("u8", static_cast<std::size_t>(ModelPointer::dirty));
        declare("u8", static_cast<std::size_t>(ModelPointer::ahead));
        for (const auto& [name, number, more] :
             {std::tuple{"enter", ModelPointer::enter, ""},
              std::tuple{"eval", ModelPointer::eval, ""},
              std::tuple{"cycle", ModelPointer::cycle, ""},
              std::tuple{"time", ModelPointer::set_time, ", u64"}})
            result +=
                fmt::format("    void (*const _m{0}_{1}_)(void *{2}) = ((void (*const *)(void "
                            "*{2})){3})[{4}];\n",
                            k, name, more, one.data, static_cast<unsigned>(number));
        for (std::size_t p = 0; p < one.ports.size(); ++p)
            declare("u8", static_cast<std::size_t>(ModelPointer::first_port) + p);
        result +=
            fmt::format("    const int _m{0}_shared_ = {1};\n    u64 _m{0}_word_ = 0, _m{0}_new_ "
                        "= *_m{0}_3_;\n    (void)_m{0}_word_;\n    _m{0}_enter_(_m{0}_0_);\n",
                        k, shares_code(k) ? 1 : 0);
    }
    return result + fixed_;
}

std::string CycleModels::after() const {
    std::string result;
    for (std::size_t k = 0; k < instances_.size(); ++k)
        result += fmt::format("    *_m{0}_3_ = _m{0}_new_ != 0;\n", k);
    return result;
}

} // namespace sme::native
