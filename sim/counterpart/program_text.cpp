// SPDX-License-Identifier: Apache-2.0
#include "counterpart/program_text.hpp"

#include <fmt/format.h>

namespace sme::counterpart {

namespace {

/// A text as a literal of C++.
std::string literal(const std::string& text) {
    std::string made = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            made += '\\';
        made += c;
    }
    return made + "\"";
}

/// The expression that makes a type.
std::string type_text(const Type& type) {
    std::string list;
    switch (type.kind()) {
    case TypeKind::boolean: return "sme::Type::boolean()";
    case TypeKind::unsigned_integer:
        return fmt::format("sme::Type::unsigned_integer({})", type.width_bits());
    case TypeKind::signed_integer:
        return fmt::format("sme::Type::signed_integer({})", type.width_bits());
    case TypeKind::enumeration:
        for (const Member& member : type.members())
            list += fmt::format("{{{}, {}u}}, ", literal(member.name), member.value);
        return fmt::format("sme::Type::enumeration({}, {}, {{{}}})", literal(type.name()),
                           type.width_bits(), list);
    case TypeKind::structure:
        for (const Field& field : type.fields())
            list +=
                fmt::format("{{{}, {}, 0, false}}, ", literal(field.name), type_text(*field.type));
        return fmt::format("sme::Type::structure(\"\", {{{}}})", list);
    case TypeKind::array:
        return fmt::format("sme::Type::array({}, {})", type_text(*type.element()), type.count());
    }
    return {};
}

} // namespace

Blocks blocks_of(const Interface& interface) {
    constexpr std::size_t alignment = 8;
    Blocks made;
    for (const InterfacePort& port : interface.ports) {
        std::size_t& bytes = port.output ? made.output_bytes : made.input_bytes;
        made.offsets.push_back(bytes);
        bytes += (port.whole()->size() + alignment - 1) / alignment * alignment;
    }
    return made;
}

std::string program_text(const std::string& file, const std::string& class_name, bool systemc,
                         const BoundPins& bound, const Interface& interface, const Graph& graph,
                         std::uint64_t clock_ps) {
    const Blocks blocks = blocks_of(interface);
    const auto pin_text = [&](const BoundPin& pin) {
        const InterfacePort& port = interface.ports[pin.interface_port];
        const BusFamily& bus = graph.family_of(port.elements[0]);
        return fmt::format("{{{}, {}, {}, {}, {}, {}, {}}}", literal(pin.port.name),
                           literal(pin.called), port.output, bus.wire(),
                           bus.unwritten == Unwritten::hold,
                           blocks.offsets[pin.interface_port] + pin.offset, type_text(*pin.type));
    };
    std::string made = fmt::format("#define main main_of_the_file\n#define sc_main "
                                   "sc_main_of_the_file\n#include {}\n#undef main\n#undef "
                                   "sc_main\n#include \"{}.hpp\"\nusing TheClass = {};\n",
                                   literal(file), systemc ? "systemc" : "class", class_name);
    if (systemc) {
        made += fmt::format(
            "extern \"C\" int sc_main(int, char**) {{\n    sme::counterpart::SystemCDriver<"
            "TheClass> it{{{}, {}, {}}};\n",
            blocks.input_bytes, blocks.output_bytes, clock_ps);
        if (bound.control.clock)
            made += fmt::format("    it.clock(&TheClass::{});\n", bound.control.clock->name);
        if (bound.control.reset)
            made += fmt::format("    it.reset(&TheClass::{}, {});\n", bound.control.reset->name,
                                bound.control.reset_active);
        for (const BoundPin& pin : bound.pins)
            made += fmt::format("    it.{}(&TheClass::{}, {});\n",
                                interface.ports[pin.interface_port].output ? "output" : "input",
                                pin.port.name, pin_text(pin));
        return made + "    return it.serve();\n}\n";
    }
    std::string pins, ports;
    for (std::size_t k = 0; k < bound.pins.size(); ++k) {
        pins += fmt::format("        {},\n", pin_text(bound.pins[k]));
        ports += fmt::format("{}it.port({})", k == 0 ? "" : ", ", k);
    }
    return made + fmt::format("int main() {{\n    sme::counterpart::ClassDriver<TheClass> it{{{{\n"
                              "{}    }}, {}, {}}};\n    return it.serve([&] {{ return "
                              "std::make_unique<TheClass>({}); }});\n}}\n",
                              pins, blocks.input_bytes, blocks.output_bytes, ports);
}

} // namespace sme::counterpart
