// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/make/network_maker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "yaml/fuzz/look_back.hpp"
#include "yaml/fuzz/make/component_maker.hpp"
#include "yaml/fuzz/make/feature_maker.hpp"
#include "yaml/fuzz/make/idle_processes.hpp"
#include "yaml/fuzz/make/pipeline_maker.hpp"
#include "yaml/fuzz/make/sequence_maker.hpp"
#include "yaml/fuzz/make/trouble_maker.hpp"

namespace sme::fuzz {

namespace {

class NetworkMaker {
public:
    NetworkMaker(Choices& choices, bool disk, Want want) : c_{choices}, disk_{disk}, want_{want} {}

    Generated make() {
        made_.cycles = c_.between(4, 12);
        library();
        home_.globals = library_;
        domains();
        for (unsigned k = c_.between(1, 3); k > 0; --k)
            processes();
        imports_ += components();
        if (c_.chance(50))
            add_idle_processes(m_, c_, home_);
        FeatureMaker features{m_, files_, made_.cycles, disk_};
        features.add(home_);
        made_.may_fault = made_.may_fault || features.may_fault() || want_ == Want::trouble;
        if (want_ == Want::trouble)
            TroubleMaker{m_, made_.cycles}.add(home_);
        follow();
        look_back();
        record();
        if (domains_.empty() && c_.chance(30)) // in a domain, it would not step in every cycle
            add_sequence(m_, c_, home_, made_.cycles);
        if (domains_.empty() && c_.chance(50))
            add_pipeline(m_, c_, home_, made_.cycles);
        write(features);
        made_.files = std::move(files_);
        return std::move(made_);
    }

private:
    void library();
    void domains();
    DomainName some_domain();
    void processes();
    void where_pair(const ProcessPlan& both);
    void keep(ProcessSyntax text);
    std::string components();
    void follow();
    void sample(unsigned cycle, bool wires);
    void check(unsigned cycle, const std::string& place, const TypeOf& type, const Bits& value,
               bool of_bus);
    void look_back();
    void record();
    void write(const FeatureMaker& features);
    void add_files();

    Choices& c_;
    bool disk_; // the network may use files
    Want want_;
    Generated made_;
    Maker m_{c_, made_.coverage};
    Env constants_;
    Files files_;
    Follower follower_;
    Names library_;
    Home home_;
    std::string imports_;
    Lines parameters_;
    std::vector<Watched> watched_;
    std::vector<std::vector<Bits>> history_; // values of the first element of each followed bus
    Lines recorded_;
    Lines assumed_; // under `assume`
    std::vector<DomainName> domains_;
};

void section(std::string& text, const char* key, const Lines& lines) {
    if (lines.empty())
        return;
    text += fmt::format("{}:\n", key);
    for (const std::string& line : lines)
        text += "  " + line + "\n";
}

/// Generates a file of types, constants and functions that the network and its components import.
void NetworkMaker::library() {
    DeclarationMaker declarations{m_, constants_, files_, disk_};
    Lines lines = declarations.types(library_);
    append(lines, declarations.constants(library_));
    append(lines, declarations.functions(library_));
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    files_.emplace_back("library.yaml", text);
    imports_ = "library.yaml";
}

/// Generates no domains, or several; the first steps in every cycle, as features require.
void NetworkMaker::domains() {
    if (!c_.chance(50))
        return;
    for (unsigned k = 0; k < c_.between(2, 3); ++k) {
        DomainName result{m_.fresh("d"), k};
        if (k > 0) {
            result.every = c_.between(1, 4);
            result.offset = c_.below(result.every);
        }
        domains_.push_back(std::move(result));
    }
}

DomainName NetworkMaker::some_domain() {
    if (domains_.empty())
        return {};
    DomainName result = m_.one_of(domains_);
    if (result.number == 0 && c_.chance(50))
        result.name = "";
    return result;
}

void NetworkMaker::keep(ProcessSyntax text) {
    if (want_ != Want::quiet && c_.chance(40)) {
        m_.use(Production::check_in_process);
        const std::string& state = text.states[0].text;
        text.checks = {fmt::format("- always: {} == {}", state, state)};
    }
    append(home_.process_lines, ProcessMaker{m_, follower_, constants_}.lines(text));
    if (!text.known)
        return;
    Watched watched{{}, text.followed, text.states};
    for (const auto& at : text.members.all()) {
        std::string place = text.name;
        for (std::size_t d = 0; d < at.size(); ++d)
            place += fmt::format("{}{}", d == 0 ? "[" : ", ", at[d]);
        watched.places.push_back(at.empty() ? place : place + "]");
    }
    watched_.push_back(std::move(watched));
}

void NetworkMaker::processes() {
    if (parameters_.empty()) {
        DeclarationMaker declarations{m_, constants_, files_, disk_};
        parameters_ = declarations.parameters(home_.globals);
    }
    ProcessPlan plan;
    plan.domain = some_domain();
    plan.known = c_.chance(75);
    plan.faults = !plan.known && c_.chance(30);
    made_.may_fault = made_.may_fault || !plan.known; // a random index reads two different values
    if (c_.chance(60)) {
        constexpr unsigned sizes[] = {2, 3, 5, 8, 40};
        plan.members = {{m_.fresh("k")}, {sizes[c_.below(5)]}, {0}};
        if (c_.chance(35)) {
            plan.members.indices.push_back(m_.fresh("k"));
            plan.members.counts = {c_.between(1, 4), c_.between(1, 4)};
            plan.members.lows.push_back(0);
        }
        if (c_.chance(35)) {
            m_.use(Production::family_low);
            plan.members.lows[c_.below(static_cast<unsigned>(plan.members.lows.size()))] =
                c_.between(1, 3);
        }
        if (plan.members.counts[0] > 1 && c_.chance(25))
            return where_pair(plan);
    } else if (c_.chance(40)) { // one process writes a whole family
        ProcessMaker maker{m_, follower_, constants_};
        const Members family{{m_.fresh("k")}, {c_.between(2, 4)}, {0}};
        plan.known = true;
        plan.faults = false;
        plan.outputs = {maker.bus(family, true, true, home_)};
        plan.outputs[0].domain = plan.domain.number;
    }
    ProcessMaker maker{m_, follower_, constants_};
    keep(maker.process(plan, home_));
    home_.buses.insert(home_.buses.end(), plan.outputs.begin(), plan.outputs.end());
}

/// Adds two families that divide the members of one bus between them.
void NetworkMaker::where_pair(const ProcessPlan& both) {
    const Members& members = both.members;
    ProcessMaker maker{m_, follower_, constants_};
    BusName shared = maker.bus(members, true, false, home_);
    shared.domain = both.domain.number;
    for (const unsigned rest : {0u, 1u}) {
        ProcessPlan plan;
        plan.domain = both.domain;
        plan.members = members;
        const std::string index = m_.fresh("k");
        plan.members.indices[0] = index;
        if (members.indices.size() == 2)
            plan.members.indices[1] = m_.fresh("k");
        plan.members.where = fmt::format("{} % 2 == {}", index, rest);
        plan.members.keep = [rest](const std::vector<unsigned>& at) { return at[0] % 2 == rest; };
        plan.outputs = {shared};
        keep(maker.process(plan, home_));
    }
    home_.buses.push_back(shared);
}

std::string NetworkMaker::components() {
    std::string result;
    for (unsigned k = c_.below(3); k > 0; --k)
        result += ", " + ComponentMaker{m_, follower_, constants_, files_}.use(
                             library_, "library.yaml", home_, watched_, domains_);
    return result;
}

/// Runs the followed processes, and adds their values as checks.
void NetworkMaker::follow() {
    for (unsigned cycle = 0; cycle <= made_.cycles; ++cycle) {
        sample(cycle, false);
        history_.emplace_back();
        for (const BusName& bus : home_.buses)
            history_.back().push_back(bus.known ? follower_.bus(bus.followed).now[0] : Bits{});
        if (cycle == made_.cycles)
            break;
        follower_.cycle(constants_);
        sample(cycle, true);
    }
}

void NetworkMaker::sample(unsigned cycle, bool wires) {
    const unsigned percent = cycle == made_.cycles ? 60 : 12;
    for (const BusName& bus : home_.buses) {
        if (!bus.known || bus.wire != wires || !c_.chance(percent))
            continue;
        const unsigned element = bus.counts.empty() ? 0 : c_.below(bus.count());
        std::string place = bus.name;
        if (bus.counts.size() == 1)
            place += fmt::format("[{}]", bus.lows[0] + element);
        if (bus.counts.size() == 2)
            place += fmt::format("[{}, {}]", bus.lows[0] + element / bus.counts[1],
                                 bus.lows[1] + element % bus.counts[1]);
        m_.use(Production::check_bus);
        check(cycle, place, bus.type, follower_.bus(bus.followed).now[element], true);
    }
    for (const Watched& watched : watched_) {
        if (wires || !c_.chance(percent))
            continue;
        const unsigned instance = c_.below(static_cast<unsigned>(watched.places.size()));
        const Name& state = m_.one_of(watched.states);
        const std::string& place = watched.places[instance];
        m_.use(place.find('.') != place.npos ? Production::check_inside : Production::check_state);
        check(cycle, place + "." + state.text, state.type,
              follower_.process(watched.followed).instances[instance].states.at(state.text), false);
    }
}

/// Adds a check of one scalar in a value.
void NetworkMaker::check(unsigned cycle, const std::string& place, const TypeOf& type,
                         const Bits& value, bool of_bus) {
    std::string at = place;
    TypeOf part = type;
    Bits bits = value;
    while (!part->is_scalar()) {
        const bool array = part->kind == Shape::Kind::array;
        const unsigned k =
            c_.below(array ? part->count : static_cast<unsigned>(part->fields.size()));
        at += array ? fmt::format("[{}]", k) : "." + part->fields[k].first;
        const unsigned low = array ? k * part->element->width : field_low(*part, k);
        part = array ? part->element : part->fields[k].second;
        bits = cut(bits, low, part->width);
    }
    std::string expected = number_text(bits, part->is_signed);
    if (part->kind == Shape::Kind::boolean)
        expected = bits[0] ? "true" : "false";
    if (part->kind == Shape::Kind::enumeration) {
        const auto member =
            std::find_if(part->members.begin(), part->members.end(),
                         [&](const auto& each) { return each.second == number_of(bits); });
        if (member == part->members.end())
            return; // not written, and 0 is not a member
        expected = member->first;
    }
    home_.check_lines.push_back(fmt::format("- at {}: {} == {}", cycle, at, expected));
    if (of_bus && assumed_.size() < 2) // a run does not evaluate assumptions
        assumed_.push_back(fmt::format("- {} == {}", at, expected));
}

/// Adds checks of earlier cycles for the first element of each followed bus.
void NetworkMaker::look_back() {
    for (std::size_t k = 0; k < home_.buses.size(); ++k) {
        const BusName& bus = home_.buses[k];
        if (!bus.known || bus.wire || bus.type->has_enumeration())
            continue;
        std::string place = bus.name;
        for (std::size_t d = 0; d < bus.lows.size(); ++d)
            place += fmt::format("{}{}", d == 0 ? "[" : ", ", bus.lows[d]);
        place += bus.lows.empty() ? "" : "]";
        std::vector<Bits> values;
        for (const std::vector<Bits>& at : history_)
            values.push_back(at[k]);
        for (unsigned n = c_.below(3); n > 0; --n)
            home_.check_lines.push_back(LookBack{m_, place, bus.type, values}.check());
    }
}

/// Records rows of a followed bus, and writes a file of expected rows.
void NetworkMaker::record() {
    for (std::size_t k = 0; disk_ && k < home_.buses.size(); ++k) {
        const BusName& bus = home_.buses[k];
        if (!bus.known || bus.wire || !bus.counts.empty() || !bus.type->is_integer() ||
            bus.type->is_wide() || !c_.chance(40))
            continue;
        std::string rows;
        const auto most = static_cast<std::uint64_t>(c_.between(0, 20));
        const bool all = c_.chance(50);
        DomainName domain; // no name: in all cycles
        if (!domains_.empty() && c_.chance(70)) {
            m_.use(Production::rows_of_domain);
            domain = m_.one_of(domains_);
        }
        for (std::size_t cycle = 0; cycle < history_.size(); ++cycle)
            if (const Bits& value = history_[cycle][k];
                cycle % domain.every == domain.offset && (all || number_of(value) > most))
                rows += (bus.type->is_signed && value.back() ? text_of(value, true)
                                                             : std::to_string(number_of(value))) +
                        "\n";
        if (rows.empty())
            continue;
        const std::string name = m_.fresh("rows");
        recorded_.push_back(fmt::format("{}.csv:", name));
        recorded_.push_back(fmt::format("  record: {}", bus.name));
        if (!all)
            recorded_.push_back(
                fmt::format("  when: u{}({}) > {}", std::max(bus.type->width, 5u), bus.name, most));
        if (!domain.name.empty())
            recorded_.push_back("  domain: " + domain.name);
        recorded_.push_back(fmt::format("  expect: {}_expected.csv", name));
        files_.emplace_back(name + "_expected.csv", rows);
    }
}

/// Moves some of the imported files into the network itself.
void NetworkMaker::add_files() {
    Lines inner;
    const bool all = !disk_ || c_.chance(40);
    for (std::size_t k = 0; k < files_.size();) {
        const auto& [name, contents] = files_[k];
        // files outside cannot import a file inside the network
        if (!name.ends_with(".yaml") || !(all || (name != "library.yaml" && c_.chance(20)))) {
            ++k;
            continue;
        }
        inner.push_back(name + ":");
        for (std::size_t begin = 0; begin < contents.size();) {
            const std::size_t end = contents.find('\n', begin);
            inner.push_back("  " + contents.substr(begin, end - begin));
            begin = end + 1;
        }
        files_.erase(files_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    section(made_.text, "files", inner);
}

void NetworkMaker::write(const FeatureMaker& features) {
    std::string& text = made_.text;
    text = fmt::format("network: generated\nimport: [{}{}]\n", imports_, features.imports());
    for (const std::string& line : parameters_)
        text += line + "\n";
    append(home_.type_lines, features.types());
    section(text, "types", home_.type_lines);
    if (c_.chance(50))
        text += fmt::format("clock: {} ns\n", c_.between(1, 50));
    Lines clocks;
    for (const DomainName& domain : domains_)
        clocks.push_back(
            fmt::format("{}: every {}{}", domain.name, domain.every,
                        domain.offset == 0 ? "" : fmt::format(" offset {}", domain.offset)));
    section(text, "domains", clocks);
    section(text, "buses", home_.bus_lines);
    section(text, "processes", home_.process_lines);
    section(text, "inputs", features.inputs());
    append(recorded_, features.outputs());
    if (want_ != Want::quiet) {
        section(text, "outputs", recorded_);
        section(text, "assume", assumed_);
        section(text, "checks", home_.check_lines);
    }
    text += c_.chance(50) ? fmt::format("run: {{cycles: {}}}\n", made_.cycles)
                          : fmt::format("run:\n  cycles: {}\n  trace: run.vcd\n", made_.cycles);
    if (made_.cycles % 3 == 0) // no choice: the networks of known seeds stay as they are
        text +=
            fmt::format("tests:\n  t_again[t_n < 2]:\n    seeds: 1..3\n    assume: [1 + 1 == 2]\n"
                        "    run: {{cycles: {}}}\n",
                        made_.cycles);
    add_files();
}

} // namespace

Generated generate(Choices& choices, bool disk, Want want) {
    return NetworkMaker{choices, disk, want}.make();
}

} // namespace sme::fuzz
