// SPDX-License-Identifier: Apache-2.0
//
// 1. the class is read and its ports are bound, 2. a program around it is compiled, 3. it starts
// and says what it shows before cycle 0, 4. a process of the network talks to it.
#include "counterpart/class_program.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/program.hpp"
#include "counterpart/other_program.hpp"
#include "counterpart/pins.hpp"
#include "counterpart/program_text.hpp"
#include "counterpart/toolkit.hpp"
#include "lockstep/isolated.hpp"
#include "network/build.hpp"

namespace sme::counterpart {

namespace {

/// Where a port's elements lie in the arenas and in a block.
struct Place {
    std::int64_t slot;
    std::size_t block;
    std::size_t value_bytes, slot_bytes;
};

class ClassGroup final : public Group {
public:
    ClassGroup(std::shared_ptr<OtherProgram> program, std::vector<Place> inputs,
               std::vector<Place> outputs, std::shared_ptr<KnownBits> known, Location where,
               std::string what)
        : program_{std::move(program)}, known_{std::move(known)}, inputs_{std::move(inputs)},
          outputs_{std::move(outputs)}, where_{std::move(where)}, what_{std::move(what)} {}

    void step(unsigned, Range range, const Frame& frame) override {
        for (const Place& place : inputs_)
            std::memcpy(program_->inputs.data() + place.block, frame.read + place.slot,
                        place.value_bytes);
        program_->send(frame.cycle);
        const OtherProgram::Said said = program_->listen();
        for (const Place& place : outputs_) {
            std::memcpy(frame.write + place.slot, program_->outputs.data() + place.block,
                        place.value_bytes);
            std::memset(frame.write + place.slot + place.value_bytes, 1,
                        place.slot_bytes - place.value_bytes);
        }
        if (said == OtherProgram::Said::halted)
            frame.control->halt();
        else if (said != OtherProgram::Said::outputs) {
            known_->cycles = frame.cycle; // what it would have written is not compared
            frame.control->fault(range.first, {Code::step_threw,
                                               Severity::fault,
                                               where_,
                                               fmt::format("{}: {}", what_, program_->text),
                                               {}});
        }
    }

    std::string unsaved() const override { return fmt::format("{} is a program", what_); }

private:
    std::shared_ptr<OtherProgram> program_;
    std::shared_ptr<KnownBits> known_;
    std::vector<Place> inputs_, outputs_;
    Location where_;
    std::string what_;
};

/// Of a program that runs already: for one simulator.
class ClassFactory final : public GroupFactory {
public:
    ClassFactory(std::shared_ptr<OtherProgram> program, std::shared_ptr<KnownBits> known,
                 std::vector<std::size_t> blocks, Location where, std::string what)
        : program_{std::move(program)}, known_{std::move(known)}, blocks_{std::move(blocks)},
          where_{std::move(where)}, what_{std::move(what)} {}

    std::unique_ptr<Group> build(const Build& build) const override {
        std::vector<Place> inputs, outputs;
        for (std::uint32_t p = 0; p < build.ports.size(); ++p) {
            const BusFamily& bus = build.bus_at(p, 0);
            (build.family.ports[p].output ? outputs : inputs)
                .push_back(
                    {build.ports[p].offsets.at(0), blocks_[p], bus.type->size(), slot_size(bus)});
        }
        return std::make_unique<ClassGroup>(program_, std::move(inputs), std::move(outputs), known_,
                                            where_, what_);
    }

private:
    std::shared_ptr<OtherProgram> program_;
    std::shared_ptr<KnownBits> known_;
    std::vector<std::size_t> blocks_; // of each port
    Location where_;
    std::string what_;
};

class ClassAdder {
public:
    ClassAdder(const ClassPlace& place, const ClassTools& tools,
               const std::vector<Interface>& members, Graph& graph, Diagnostics& diagnostics)
        : place_{place}, tools_{tools}, members_{members}, interface_{members.at(0)}, graph_{graph},
          diagnostics_{diagnostics} {}

    std::optional<Pair> run() {
        const std::optional<ClassText> text = read_class(place_.file, place_.name, diagnostics_);
        if (!text)
            return std::nullopt;
        text_ = *text;
        what_ = fmt::format("{} '{}'", text_.systemc ? "SystemC module" : "class", place_.name);
        const auto bound =
            bind_pins(text_, place_.name, interface_, place_.clock, place_.reset, diagnostics_);
        if (!bound || !compile(*bound))
            return std::nullopt;
        blocks_ = blocks_of(interface_);
        Pair pair;
        pair.name = interface_.process;
        pair.other = what_;
        pair.where = interface_.where;
        pair.first = interface_.families;
        pair.second.begin = graph_.processes.size();
        for (const Interface& member : members_) {
            program_ = std::make_shared<OtherProgram>(executable_, blocks_.input_bytes,
                                                      blocks_.output_bytes, tools_.unwanted);
            if (!begin())
                return std::nullopt;
            add(member, pair);
        }
        pair.second.end = graph_.processes.size();
        return pair;
    }

    bool building = false;

private:
    bool fail(const std::string& text) {
        building = true;
        diagnostics_.add(Code::class_build, text_.where, text);
        return false;
    }

    bool compile(const BoundPins& bound) {
        if (!tools_.forbidden_by.empty())
            return fail(
                fmt::format("{} has to be compiled, which {} forbids", what_, tools_.forbidden_by));
        if (tools_.compiler.empty())
            return fail(fmt::format("{} has to be compiled, but there is no C++ "
                                    "compiler 'c++' in PATH",
                                    what_));
        const Toolkit toolkit = toolkit_for(text_.systemc);
        if (!toolkit.problem.empty())
            return fail(fmt::format("{} cannot be built: {}", what_, toolkit.problem));
        const std::string source = tools_.folder + "/program.cpp";
        std::error_code error;
        const std::string file = std::filesystem::absolute(place_.file, error).string();
        std::ofstream{source} << program_text(file, place_.name, text_.systemc, bound, interface_,
                                              graph_, place_.clock_ps);
        executable_ = tools_.folder + "/program";
        std::vector<std::string> arguments{"-std=c++20", "-O1", "-o", executable_, source};
        arguments.insert(arguments.end(), toolkit.arguments.begin(), toolkit.arguments.end());
        ProgramLimit limit;
        limit.unwanted = tools_.unwanted;
        const ProgramEnd end =
            run_program(toolkit.compiler.empty() ? tools_.compiler : toolkit.compiler, arguments,
                        ProgramStreams::all_taken, {}, &limit);
        if (end.good())
            return true;
        return fail(fmt::format("{} cannot be compiled: {}", what_,
                                end.problem.empty() ? first_lines(end.output) : end.problem));
    }

    /// Of what a compiler says: its first error and what is around it.
    static std::string first_lines(const std::string& output) {
        constexpr int most = 12;
        const std::size_t error =
            std::min({output.find("error: "), output.find("undefined reference"),
                      output.find("multiple definition"), output.find("cannot find")});
        std::size_t from = error == std::string::npos ? 0 : output.rfind('\n', error) + 1;
        std::string made;
        for (int k = 0; k < most && from < output.size(); ++k) {
            const std::size_t end = std::min(output.find('\n', from), output.size());
            made += (k == 0 ? "" : "\n") + output.substr(from, end - from);
            from = end + 1;
        }
        return made;
    }

    /// What it shows before the first cycle is what its buses show then.
    bool begin() {
        switch (program_->listen()) {
        case OtherProgram::Said::outputs:
        case OtherProgram::Said::halted: return true;
        case OtherProgram::Said::unfitting:
            for (std::size_t from = 0; from < program_->text.size();) {
                const std::size_t end =
                    std::min(program_->text.find('\n', from), program_->text.size());
                diagnostics_.add(Code::port_type, text_.where,
                                 program_->text.substr(from, end - from));
                from = end + 1;
            }
            return false;
        default:
            diagnostics_.add(Code::class_build, text_.where,
                             fmt::format("{} cannot begin: {}", what_, program_->text));
            return false;
        }
    }

    /// The program that has begun, beside one member.
    void add(const Interface& member, Pair& pair) {
        const Shadows shadows = add_shadows(member, what_, graph_);
        ProcessFamily family;
        family.name =
            members_.size() == 1 ? place_.name : fmt::format("{} of {}", place_.name, member.name);
        family.helper = true;
        family.declared = member.where;
        Part& part = family.parts.emplace_back();
        std::vector<std::size_t> blocks;
        std::size_t outputs = 0;
        for (std::size_t p = 0; p < member.ports.size(); ++p) {
            const InterfacePort& port = member.ports[p];
            const std::vector<std::uint64_t>& elements =
                port.output ? shadows.outputs[outputs++] : port.elements;
            for (std::size_t k = 0; k < elements.size(); ++k) {
                Port made;
                made.name = port.name;
                made.output = port.output;
                made.type = port.type;
                made.buses = Segments::affine(1, static_cast<std::int64_t>(elements[k]), 0);
                (port.output ? part.writes : part.reads)
                    .push_back({static_cast<std::uint32_t>(family.ports.size())});
                family.ports.push_back(std::move(made));
                blocks.push_back(blocks_.offsets[p] + k * port.type->size());
                if (port.output && text_.systemc && !graph_.family_of(elements[k]).wire())
                    lockstep::set_initial(graph_, elements[k],
                                          program_->outputs.data() + blocks.back());
            }
        }
        auto known = std::make_shared<KnownBits>();
        known->cycles = ~std::uint64_t{0};
        const Pair& own = shadows.pair;
        pair.known.insert(pair.known.end(), own.outputs.size(), known);
        pair.outputs.insert(pair.outputs.end(), own.outputs.begin(), own.outputs.end());
        pair.inputs.insert(pair.inputs.end(), own.inputs.begin(), own.inputs.end());
        family.kind =
            std::make_shared<ClassFactory>(program_, known, std::move(blocks), text_.where, what_);
        graph_.processes.push_back(std::move(family));
    }

    const ClassPlace& place_;
    const ClassTools& tools_;
    const std::vector<Interface>& members_;
    const Interface& interface_; // of the first, which the others are like
    Graph& graph_;
    Diagnostics& diagnostics_;
    ClassText text_;
    std::string what_;
    std::string executable_;
    Blocks blocks_;
    std::shared_ptr<OtherProgram> program_;
};

} // namespace

std::optional<Pair> add_class(const ClassPlace& place, const ClassTools& tools,
                              const std::vector<Interface>& members, Graph& graph,
                              Diagnostics& diagnostics, bool& building) {
    ClassAdder adder{place, tools, members, graph, diagnostics};
    auto made = adder.run();
    building = adder.building;
    return made;
}

} // namespace sme::counterpart
