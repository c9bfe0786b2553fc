// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/feature_maker.hpp"

#include <fmt/format.h>

namespace sme::fuzz {

void FeatureMaker::add(Home& home) {
    if (c_.chance(50))
        streams(home);
    if (c_.chance(25))
        stream_family(home);
    if (c_.chance(25))
        wire_chain(home);
    if (disk_ && c_.chance(50))
        input(home);
    if (c_.chance(30))
        unwritten(home);
    if (c_.chance(70))
        busy(home);
    checks(home);
}

/// Returns a generated type with back fields, or that of the standard library.
std::string FeatureMaker::stream_type() {
    if (!stream_.empty())
        return stream_;
    m_.use(Production::bundle);
    if (c_.chance(60)) {
        imports_ += ", std/stream.yaml";
        return stream_ = "Stream";
    }
    stream_ = m_.fresh("B");
    const std::string parameter = m_.fresh("T");
    types_.push_back(fmt::format("{}({}): {{valid: bool, data: {}, back ready: bool}}", stream_,
                                 parameter, parameter));
    return stream_;
}

void FeatureMaker::producer(Home& home, const std::string& bus, const TypeOf& data) {
    const std::string count = m_.fresh("s");
    Names names = home.globals;
    names.known = false;
    names.values = {{count, integer(16, false), false}};
    StepMaker steps{m_, names};
    append(home.process_lines, {m_.fresh("p") + ":", "  out: " + bus, "  state:",
                                fmt::format("    {}: u16 = {}", count, c_.below(9)), "  step:"});
    append(home.process_lines,
           indented(entry(bus + ".valid", steps.rhs().rhs(boolean(), 2, false)), 4));
    append(home.process_lines, indented(entry(bus + ".data", steps.rhs().rhs(data, 2, false)), 4));
    home.process_lines.push_back(
        fmt::format("    {}: {} + 1 when {}.valid and {}.ready", count, count, bus, bus));
}

void FeatureMaker::consumer(Home& home, const std::string& bus, const TypeOf& data) {
    const std::string seen = m_.fresh("s"), turn = m_.fresh("s");
    Names names = home.globals;
    names.known = false;
    names.values = {{turn, integer(3, false), false}};
    RhsMaker rhs{m_, names};
    append(home.process_lines,
           {m_.fresh("p") + ":", "  in: " + bus,
            "  state:", fmt::format("    {}: {}{}", seen, data->text, ""),
            fmt::format("    {}: u3", turn), "  step:", fmt::format("    {}: {} + 1", turn, turn),
            fmt::format("    {}: {}.data when {}.valid and {}.ready", seen, bus, bus, bus)});
    append(home.process_lines, indented(entry(bus + ".ready", rhs.rhs(boolean(), 2, false)), 4));
}

void FeatureMaker::between(Home& home, const std::string& from, const std::string& to,
                           const TypeOf& data) {
    m_.use(Production::std_component);
    const bool fifo = c_.chance(60);
    imports_ += fifo ? ", std/fifo.yaml" : ", std/skid_buffer.yaml";
    append(home.process_lines,
           {m_.fresh("p") + ":", fifo ? "  use: fifo" : "  use: skid_buffer",
            fifo ? fmt::format("  with: {{depth: {}, T: {}}}", c_.between(2, 5), data->text)
                 : fmt::format("  with: {{T: {}}}", data->text),
            "  in: {x: " + from + "}", "  out: {y: " + to + "}"});
}

/// Adds a producer, a component of the standard library, and a consumer.
void FeatureMaker::streams(Home& home) {
    const std::string type = stream_type(), first = m_.fresh("b"), second = m_.fresh("b");
    Names none;
    const TypeOf data = TermMaker{m_, none}.some_integer();
    const bool two = type == "Stream" && c_.chance(70);
    home.bus_lines.push_back(fmt::format("{}: {}({})", first, type, data->text));
    if (two)
        home.bus_lines.push_back(fmt::format("{}: {}({})", second, type, data->text));
    const bool fed = disk_ && c_.chance(30);
    if (fed) {
        m_.use(Production::input_bundle);
        const std::string file = m_.fresh("data") + ".csv";
        std::string rows = "data\n";
        for (unsigned k = c_.between(1, 5); k > 0; --k)
            rows += text_of(bits_of(c_.word(), data->width), data->is_signed) + "\n";
        files_.emplace_back(file, rows);
        inputs_.push_back(fmt::format("{}: {{file: {}, at_end: zero}}", first, file));
    } else
        producer(home, first, data);
    if (two)
        between(home, first, second, data);
    consumer(home, two ? second : first, data);
}

void FeatureMaker::stream_family(Home& home) {
    m_.use(Production::bundle_family);
    const std::string type = stream_type(), lane = m_.fresh("b"), index = m_.fresh("k");
    const unsigned count = c_.between(1, 4);
    home.bus_lines.push_back(fmt::format("{}[{}]: {}(u9)", lane, count, type));
    append(home.process_lines,
           {fmt::format("{}[{} < {}]:", m_.fresh("p"), index, count),
            fmt::format("  out: {{o: \"{}[{}]\"}}", lane, index), "  state: {s: u9}",
            "  step:", fmt::format("    o: {{valid: true, data: s}}"),
            fmt::format("    s: s + {} + 1 when o.ready", index), m_.fresh("p") + ":",
            "  in: " + lane, "  step:"});
    const std::string range = m_.fresh("n");
    home.process_lines.push_back(fmt::format("    {}[{} < {}].ready: {}[{}].data % 3 != 1", lane,
                                             range, count, lane, range));
}

/// Adds a chain of wires through one family within a cycle; the first member differs.
void FeatureMaker::wire_chain(Home& home) {
    m_.use(Production::wire_chain);
    const std::string chain = m_.fresh("b"), index = m_.fresh("k");
    const unsigned count = c_.between(2, 40);
    Names names = home.globals;
    names.known = false;
    names.random = true;
    names.values = {{"x", integer(16, false), false}};
    RhsMaker rhs{m_, names};
    home.bus_lines.push_back(fmt::format("{}[{}]: wire u16", chain, count));
    append(home.process_lines, {m_.fresh("p") + ":", fmt::format("  out: {{y: \"{}[0]\"}}", chain),
                                "  step:", "    y: random(u16)",
                                fmt::format("{}[{} < {}]:", m_.fresh("p"), index, count),
                                fmt::format("  where: {} > 0", index),
                                fmt::format("  in: {{x: \"{}[{} - 1]\"}}", chain, index),
                                fmt::format("  out: {{y: \"{}[{}]\"}}", chain, index), "  step:"});
    append(home.process_lines, indented(entry("y", rhs.rhs(integer(16, false), 3, false)), 4));
}

/// Adds an input with one row a cycle, and its behaviour after the last row.
void FeatureMaker::input(Home& home) {
    constexpr const char* ends[] = {"halt", "zero", "hold", "repeat"};
    const std::string bus = m_.fresh("b"), seen = m_.fresh("b");
    const bool hex = c_.chance(50), wire = c_.chance(30);
    m_.use(hex ? Production::input_hex : Production::input_csv);
    const unsigned width = c_.between(4, 40), end = c_.below(4);
    const std::string file = m_.fresh("data") + (hex ? ".hex" : ".csv");
    std::string rows;
    for (unsigned k = c_.between(1, end == 0 ? cycles_ + 3 : 6); k > 0; --k) {
        const Bits value = bits_of(c_.word(), width);
        rows += (hex ? text_of(value, false).substr(2) : std::to_string(number_of(value))) + "\n";
    }
    files_.emplace_back(file, rows);
    may_fault_ = may_fault_ || end == 0;
    home.bus_lines.push_back(fmt::format("{}: {}u{}", bus, wire ? "wire " : "", width));
    home.bus_lines.push_back(fmt::format("{}: hold u{}", seen, width));
    append(home.process_lines, {m_.fresh("p") + ":", "  in: " + bus, "  out: " + seen,
                                "  step:", fmt::format("    {}: {} ^ {}", seen, bus, seen)});
    inputs_.push_back(end == 0 && c_.chance(50)
                          ? fmt::format("{}: {}", bus, file)
                          : fmt::format("{}: {{file: {}, at_end: {}}}", bus, file, ends[end]));
    outputs_.push_back(fmt::format("{}.csv:", m_.fresh("rows")));
    outputs_.push_back("  record: " + seen);
    outputs_.push_back(fmt::format("  when: {}[0] or cycle % 2 == 0", seen));
    if (c_.chance(20)) {
        outputs_.push_back(fmt::format("  halt_after: {}", c_.between(1, 9)));
        may_fault_ = true;
    }
}

/// Adds an error bus that is written and read only in some cycles.
void FeatureMaker::unwritten(Home& home) {
    m_.use(Production::unwritten_rule_read);
    const std::string bus = m_.fresh("b"), turn = m_.fresh("b"), seen = m_.fresh("b");
    const bool careless = c_.chance(15);
    may_fault_ = may_fault_ || careless;
    append(home.bus_lines, {fmt::format("{}: error u8", bus), fmt::format("{}: bool", turn),
                            fmt::format("{}: u8", seen)});
    append(home.process_lines,
           {m_.fresh("p") + ":", fmt::format("  out: [{}, {}]", bus, turn), "  state: {s: u8}",
            "  step:", "    s: s + 1", fmt::format("    {}: s % 3 == 1", turn),
            fmt::format("    {}: s when s % 3 == 1", bus), m_.fresh("p") + ":",
            fmt::format("  in: [{}, {}]", bus, turn), fmt::format("  out: {}", seen), "  step:",
            fmt::format("    {}: {} when {}{}", seen, bus, turn,
                        careless ? " or random(u4) == 0" : "")});
}

/// Adds a process that prints, asserts, may halt the run, and may fault.
void FeatureMaker::busy(Home& home) {
    m_.use(Production::print_values);
    const std::string count = m_.fresh("s"), value = m_.fresh("s");
    Names names = home.globals;
    names.known = false;
    names.random = true;
    TermMaker terms{m_, names};
    const TypeOf type = terms.some_type();
    names.values.push_back({count, integer(8, false), false});
    if (type->has_zero())
        names.values.push_back({value, type, false});
    terms.set_budget(12);
    append(home.process_lines, {m_.fresh("p") + ":", "  state:", fmt::format("    {}: u8", count)});
    if (type->has_zero())
        home.process_lines.push_back(fmt::format("    {}: {}", value, type->text));
    append(home.process_lines, {"  step:", fmt::format("    {}: {} + 1", count, count)});
    if (type->has_zero())
        home.process_lines.push_back(fmt::format("    {}: {}", value, terms.term(type, 2).text));
    const std::string shown = terms.term(terms.some_integer(), 1).text;
    home.process_lines.push_back(fmt::format("    print: \"at {{cycle}}: {{{}}} {{{}:x}}\"{}",
                                             type->has_zero() ? value : count, shown,
                                             c_.chance(50) ? " when " + count + " % 2 == 1" : ""));
    home.process_lines.push_back(fmt::format("    assert: {} < 200", count));
    if (c_.chance(30)) {
        m_.use(Production::early_halt);
        may_fault_ = true;
        home.process_lines.push_back(
            fmt::format("    halt: {} == {}", count, c_.between(1, cycles_ + 4)));
    } else
        home.process_lines.push_back(fmt::format("    halt: {} > 200", count));
    if (!c_.chance(15))
        return;
    m_.use(Production::fault);
    may_fault_ = true;
    append(home.process_lines, {fmt::format("    if {} > {}:", count, c_.below(cycles_)),
                                fmt::format("      assert: random(u3) != {}", c_.below(8))});
}

void FeatureMaker::checks(Home& home) {
    for (const BusName& bus : home.buses) {
        if (!bus.counts.empty() || !c_.chance(20))
            continue;
        constexpr const char* kinds[] = {"always", "never", "after", "eventually by", "cover"};
        const unsigned kind = c_.below(5);
        std::string key = kinds[kind];
        if (kind == 2 || kind == 3)
            key += fmt::format(" {}", c_.between(1, cycles_));
        home.check_lines.push_back(fmt::format("- {}: {} {} {} {} cycle >= 0", key, bus.name,
                                               kind == 1 ? "!=" : "==", bus.name,
                                               kind == 1 ? "and" : "or"));
    }
    if (disk_ || c_.chance(50))
        home.check_lines.emplace_back("- cover: cycle == 1");
}

} // namespace sme::fuzz
