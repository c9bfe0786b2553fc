// SPDX-License-Identifier: Apache-2.0
#include "yaml/test/described.hpp"
#include "base/codes.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sme::test {

namespace {

using expr::NodeId;

/// Returns the FNV-1a hash, to shorten long contents.
template <class Values> std::uint64_t digest(const Values& values) {
    std::uint64_t hash = 14695981039346656037u;
    for (const auto value : values)
        hash = (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211u;
    return hash;
}

std::string text_of(const Segments& map) {
    std::string result;
    for (const Segment& run : map.runs())
        result += fmt::format(" {}+{}:{}*{}", run.first, run.count, run.offset, run.stride);
    return result;
}

std::string text_of(const Shape& shape) {
    std::string result;
    for (const Shape::Dimension& each : shape.dimensions)
        result += fmt::format(" {}..+{} {} @{}", each.low, each.count, each.index, each.after);
    return fmt::format("[{}] kept {} {:x}", result, shape.kept.size(), digest(shape.kept));
}

/// Describes the structure of a type, not only its name.
std::string text_of(const Type& type) {
    std::string result =
        fmt::format("{}:{}:{}", type.name(), static_cast<int>(type.kind()), type.width_bits());
    for (const Member& member :
         type.kind() == TypeKind::enumeration ? type.members() : std::vector<Member>{})
        result += fmt::format(" {}={}", member.name, member.value);
    if (type.kind() == TypeKind::array)
        result += fmt::format(" {}x({})", type.count(), text_of(*type.element()));
    if (type.kind() == TypeKind::structure)
        for (const Field& field : type.fields())
            result += fmt::format(" {}{}({})", field.back ? "back " : "", field.name,
                                  text_of(*field.type));
    return result;
}

/// Describes one design, line by line.
class Describer {
public:
    explicit Describer(std::vector<std::string>& lines) : lines_{lines} {}

    template <class... Values> void line(fmt::format_string<Values...> format, Values&&... values) {
        lines_.push_back(fmt::format(format, std::forward<Values>(values)...));
    }

    void program(const char* whose, const expr::Program& program) {
        line("program of {}", whose);
        for (std::size_t k = 0; k < program.nodes.size(); ++k) {
            const expr::Node& node = program.nodes[k];
            line("  {}: op {} {}{} {} {} {} #{}", k, static_cast<int>(node.op),
                 node.type.is_signed ? "i" : "u", node.type.width_bits, node.a, node.b, node.c,
                 node.immediate);
        }
        for (const expr::Table& table : program.tables)
            line("  table {}{} {:x}", table.type.is_signed, table.type.width_bits,
                 digest(table.values));
        for (const expr::FaultSite& site : program.sites)
            line("  site {} {}", info(site.code).slug, site.message);
        for (const expr::PrintLine& print : program.lines)
            for (const expr::PrintLine::Piece& piece : print.pieces)
                line("  print '{}' {} {} {} {}", piece.text, piece.type ? piece.type->name() : "",
                     static_cast<int>(piece.style.base), piece.style.zeros, piece.style.width);
        for (const expr::PartProgram& each : program.parts)
            part(each);
        line("  indices {} {} kept {:x}", program.index_low, program.index_count,
             digest(program.kept));
    }

    void rows(const InputRows& rows) {
        line("rows {} of {}, at end {}, stream {}: {:x}", rows.rows, rows.row_bytes,
             static_cast<int>(rows.at_end), rows.stream, digest(rows.values));
    }

    void checks(const expr::CheckSet& set) {
        for (const expr::Check& check : set.checks)
            line("check {} at {} of '{}', wire {}, then {} {} {}, {} operands",
                 static_cast<int>(check.kind), check.cycle, check.owner, check.reads_wire,
                 check.temporal.then, check.temporal.first, check.temporal.last,
                 check.operands.size());
        program("checks", set.program);
    }

    void recording(const expr::Recording& recording) {
        line("recording {} {} {} wire {} halts {} expects {} {}", recording.path, recording.columns,
             text_of(*recording.type), recording.reads_wire, recording.halt_after,
             recording.has_expected, recording.expected_path);
        for (const std::vector<std::uint64_t>& row : recording.expected)
            line("  {}", row);
        program("recording", recording.program);
    }

    void design(const yaml::Design& design) {
        line("network {}: {} cycles, trace '{}', clock {}, ends {}, halts {}", design.graph.name,
             design.cycles.value_or(0), design.trace, design.clock_ps, design.ends_by_itself,
             design.may_halt);
        for (const BusFamily& bus : design.graph.buses)
            line("bus {} {} {} delay {} rule {} initial {} {:x} input {} bundle {} reverse {}.{} "
                 "role {} state {} at {}",
                 bus.name, text_of(bus.shape), text_of(*bus.type), bus.delay,
                 static_cast<int>(bus.unwritten), bus.has_initial, digest(bus.initial), bus.input,
                 bus.bundle, bus.reverse_of, bus.reverse_field, static_cast<int>(bus.channel.role),
                 bus.state, bus.first);
        for (const ProcessFamily& process : design.graph.processes)
            family(process);
    }

private:
    void part(const expr::PartProgram& part) {
        line("  part {} results {} halts {}", part.nodes, part.results, part.halts);
        for (const expr::Store& store : part.stores)
            line("    store {} {} {} {}", store.port, store.offset, store.value, store.fallback);
        for (const expr::MemoryWrite& write : part.memory_writes)
            line("    write {} {} {} {} {}", write.memory, write.enable, write.word, write.offset,
                 write.value);
        for (const expr::MemoryReset& reset : part.memory_resets)
            line("    reset {} {}", reset.memory, reset.enable);
        for (const expr::FaultCheck& fault : part.faults)
            line("    fault {} {} {}", fault.bad, fault.selected, fault.site);
        for (const expr::Print& print : part.prints)
            line("    print {} {} {}", print.enable, print.line, print.values);
        for (const expr::FieldUse& use : part.reads)
            line("    reads {} {:x}", use.port, use.fields);
        for (const expr::FieldUse& use : part.writes)
            line("    writes {} {:x}", use.port, use.fields);
    }

    void family(const ProcessFamily& process) {
        // the name of a recording is its file name as written; compare its path
        const bool recording = process.observer && process.name.starts_with("output ");
        line("process {} {} count {} observer {} helper {}", recording ? "output" : process.name,
             text_of(process.shape), process.count, process.observer, process.helper);
        for (const Port& port : process.ports)
            line("  port {} {} {} own {} wire {}:{}", port.name, port.output ? "out" : "in",
                 text_of(*port.type), port.own, port.wants_wire, text_of(port.buses));
        for (const Part& each : process.parts) {
            line("  part {}", static_cast<int>(each.kind));
            for (const PortUse& use : each.reads)
                line("    reads {} {:x}", use.port, use.fields);
            for (const PortUse& use : each.writes)
                line("    writes {} {:x}", use.port, use.fields);
        }
        for (const Memory& memory : process.memories)
            line("  memory {} {} {} {} {:x}", memory.name, text_of(*memory.element), memory.words,
                 memory.dimensions, digest(memory.initial));
        for (const MemoryUse& use : process.looks_at)
            line("  looks at {} {} {}", use.family, use.memory, use.instance);
    }

    std::vector<std::string>& lines_;
};

} // namespace

LoadedText load_described(const std::string& path, const SourceRef& source,
                          const std::map<std::string, std::string>& parameters) {
    LoadedText result;
    Describer describer{result.lines};
    const yaml::GroupFactories kinds{[&](const std::shared_ptr<const expr::Program>& program) {
                                         describer.program("a process", *program);
                                         return nullptr;
                                     },
                                     [&](const std::shared_ptr<const InputRows>& rows) {
                                         describer.rows(*rows);
                                         return nullptr;
                                     },
                                     [&](const std::shared_ptr<const expr::CheckSet>& checks) {
                                         describer.checks(*checks);
                                         return nullptr;
                                     },
                                     [&](const std::shared_ptr<const expr::Recording>& recording) {
                                         describer.recording(*recording);
                                         return nullptr;
                                     }};
    yaml::LoadOptions options;
    options.parameters = parameters;
    options.library = std::string{SME_SOURCE_DIR} + "/lib";
    options.against = yaml::Against::components;
    options.look = [&](const yaml::SourceView& network, const Graph&) {
        result.printed = network.print();
    };
    result.design = source ? yaml::load(source, options, kinds, result.diagnostics)
                           : yaml::load(path, options, kinds, result.diagnostics);
    if (result.design)
        describer.design(*result.design);
    return result;
}

std::string difference(const LoadedText& a, const LoadedText& b) {
    const auto [x, y] =
        std::mismatch(a.lines.begin(), a.lines.end(), b.lines.begin(), b.lines.end());
    const auto shown = [](const auto& at, const auto& lines) {
        return at == lines.end() ? std::string{"the end"} : *at;
    };
    if (x == a.lines.end() && y == b.lines.end())
        return {};
    return shown(x, a.lines) + "\n" + shown(y, b.lines);
}

} // namespace sme::test
