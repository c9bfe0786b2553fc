// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "export/vhdl/expr_text.hpp"
#include "export/vhdl/names.hpp"
#include "export/vhdl/vhdl_text.hpp"

namespace sme::hdl::vhdl {

/// The process of a test bench, as a format string: 0 cycles, 1 calls that drive inputs, 2 calls
/// that compare, 3 edges before cycle 0; and assignments: 4 all clocks rise, 5 they fall, 6 resets
/// end, 7 the clocks of this cycle rise. Replace "@name" with a unique name.
extern const char* const bench_process;

const char* const bench_process = R"(    process is
        constant @cycles : natural := {0};
        file @values : std.textio.text is "values/all.hex";
        variable @failed : boolean := false;

        -- the next line of the file
        procedure @take(@x : out unsigned) is
            variable @digits : std.textio.line;
        begin
            std.textio.readline(@values, @digits);
            ieee.numeric_std.hread(@digits, @x);
        end procedure;

        procedure @drive(signal @x : out unsigned) is
            variable @taken : unsigned(@x'length - 1 downto 0);
        begin
            @take(@taken);
            @x <= @taken;
        end procedure;

        procedure @drive(signal @x : out signed) is
            variable @taken : unsigned(@x'length - 1 downto 0);
        begin
            @take(@taken);
            @x <= signed(@taken);
        end procedure;

        procedure @drive(signal @x : out std_logic) is
            variable @taken : unsigned(0 downto 0);
        begin
            @take(@taken);
            @x <= @taken(0);
        end procedure;

        procedure @say(@message : string) is
            variable @said : std.textio.line;
        begin
            std.textio.write(@said, @message);
            std.textio.writeline(std.textio.output, @said);
        end procedure;

        -- compares with the next line, unless the run ends before the bus shows the value
        procedure @check(@actual : unsigned; @cycle : natural; @title : string; @known : boolean) is
            variable @expected : unsigned(@actual'length - 1 downto 0);
            variable @skipped : std.textio.line;
        begin
            if not @known then
                std.textio.readline(@values, @skipped);
                return;
            end if;
            @take(@expected);
            if std_logic_vector(@actual) /= std_logic_vector(@expected) then
                if not @failed then
                    @say("cycle " & integer'image(@cycle) & ": " & @title & " is "
                        & ieee.numeric_std.to_hstring(@actual) & ", but was "
                        & ieee.numeric_std.to_hstring(@expected) & " in the run");
                end if;
                @failed := true;
            end if;
        end procedure;

        procedure @drive_all is
        begin
{1}        end procedure;

        procedure @check_all(@cycle : natural) is
        begin
{2}        end procedure;
    begin
        @drive_all;
        for @edge in 1 to {3} loop -- edges with every reset before cycle 0
            wait for 5 ns;
{4}            wait for 5 ns;
{5}        end loop;
{6}        for @cycle in 0 to @cycles - 1 loop
            if @cycle > 0 then
                @drive_all;
            end if;
            wait for 5 ns; -- everything settles
            @check_all(@cycle);
{7}            wait for 5 ns;
{5}        end loop;
        if @failed then
            @say("FAIL");
        else
            @say("PASS: " & integer'image(@cycles) & " cycles");
        end if;
        wait;
    end process;
)";

std::string bench_name(const Exported& exported) {
    return Names{exported.trees}.fresh(exported.top + "_bench");
}

ExportedFile bench_values(const std::vector<ExportedFile>& values) {
    std::vector<std::size_t> at(values.size());
    ExportedFile result{"values/all.hex", {}};
    while (!values.empty() && at[0] < values[0].text.size())
        for (std::size_t k = 0; k < values.size(); ++k) {
            const std::size_t end = values[k].text.find('\n', at[k]) + 1;
            result.text.append(values[k].text, at[k], end - at[k]);
            at[k] = end;
        }
    return result;
}

namespace {

/// Writes a test bench for one network.
class Bench {
public:
    Bench(const Exported& exported, std::uint64_t cycles)
        : exported_{exported}, cycles_{cycles}, names_{exported.trees}, library_{exported, names_},
          inside_{exported, library_}, top_{top_of(exported)} {}

    std::string write() {
        std::string text = fmt::format("-- Replays a run of '{}' and compares all of its buses in "
                                       "every cycle.\n",
                                       exported_.top);
        if (inside_.width() > 0)
            text += "-- The copies of modules below show the buses inside.\n";
        for (const rtl::Module& module : exported_.trees)
            if (const auto found = inside_.modules().find(module.name);
                found != inside_.modules().end())
                text += "\n" + module_text(module, library_, names_, &found->second);
        return wrapped(text, "--") + bench();
    }

private:
    std::string bench() {
        const std::string name = names_.fresh(exported_.top + "_bench");
        std::string signals, ports, drive, check;
        for (const rtl::Port& port : top_.ports) {
            const std::string& own = names_.of(port.what.name);
            signals += fmt::format("    signal {} : {}{};\n", own, type_text(port.what),
                                   begin_of(port.what.name));
            ports += fmt::format("{0}            {1} => {1}", ports.empty() ? "" : ",\n", own);
        }
        for (const Watched& input : exported_.inputs)
            drive += fmt::format("            @drive({});\n", names_.of(input.path));
        for (const Watched& watched : exported_.watched)
            check += check_of(watched);
        if (inside_.width() > 0)
            signals +=
                fmt::format("    signal {} : unsigned({} downto 0);\n", seen_, inside_.width() - 1);
        return fmt::format(
            "\nlibrary ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\n"
            "\nentity {0} is\nend entity;\n\n"
            "architecture replay of {0} is\n{1}begin\n{2}{3}\n{4}end architecture;\n",
            name, signals, instance(names_.fresh("dut"), names_.of(top_.name), ports, false),
            inside_.width() == 0
                ? ""
                : instance(names_.fresh("inside"), inside_name(top_.name), ports, true),
            named(process(drive, check)));
    }

    std::string instance(const std::string& label, const std::string& entity,
                         const std::string& ports, bool is_inside) const {
        const Scope scope{names_};
        std::string given, connected = ports;
        for (const rtl::Given& each : exported_.parameters) {
            const auto parameter =
                std::find_if(top_.parameters.begin(), top_.parameters.end(),
                             [&](const rtl::Parameter& own) { return own.what.name == each.name; });
            const rtl::Declared& what = parameter->what;
            given += fmt::format(
                "{}{} => {}", given.empty() ? "" : ", ", names_.of(each.name),
                what.is_integer
                    ? ExprText{scope}.integer(each.value)
                    : ExprText{scope}.value(each.value, shape_of(what.width, what.is_signed)));
        }
        if (is_inside) { // only its inside is observed
            connected.clear();
            for (const rtl::Port& port : top_.ports)
                connected += fmt::format("            {} => {},\n", names_.of(port.what.name),
                                         port.output ? "open" : names_.of(port.what.name));
            connected += fmt::format("            shown => {}", seen_);
        }
        return fmt::format(
            "    {} : entity work.{}\n{}        port map (\n{}\n        );\n", label, entity,
            given.empty() ? "" : fmt::format("        generic map ({})\n", given), connected);
    }

    std::string check_of(const Watched& watched) const {
        const rtl::Port* port = output_of(exported_, watched.path);
        std::string actual;
        if (!port) {
            const std::uint64_t low = inside_.low_bit(watched.path);
            actual = fmt::format("{}({} downto {})", seen_, low + watched.width - 1, low);
        } else {
            const std::string& own = names_.of(port->what.name);
            const Shape shape = shape_of(port->what.width, port->what.is_signed);
            actual = shape == Shape::bits  ? own
                     : shape == Shape::bit ? fmt::format("unsigned'(0 => {})", own)
                                           : fmt::format("unsigned({})", own);
        }
        return fmt::format("            @check({}, @cycle, \"{}\", {});\n", actual, watched.title,
                           watched.late == 0 ? "true"
                                             : fmt::format("@cycle + {} < @cycles", watched.late));
    }

    /// Replaces each "@name" with a unique name.
    std::string named(const std::string& text) {
        std::map<std::string, std::string> known;
        std::string result;
        for (std::size_t at = 0; at < text.size();) {
            if (text[at] != '@') {
                result += text[at++];
                continue;
            }
            std::size_t end = at + 1;
            while (end < text.size() &&
                   (std::islower(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
                ++end;
            const auto [name, fresh] = known.try_emplace(text.substr(at + 1, end - at - 1));
            if (fresh)
                name->second = names_.fresh(name->first);
            result += name->second;
            at = end;
        }
        return result;
    }

    /// Returns " := '0'" for a clock, " := '1'" for a reset.
    std::string begin_of(const std::string& port) const {
        for (const ExportedClock& each : exported_.clocks)
            if (port == each.ports.clock || port == each.ports.reset)
                return port == each.ports.clock ? " := '0'" : " := '1'";
        return {};
    }

    std::string process(const std::string& drive, const std::string& check) const {
        const std::string indent(12, ' ');
        std::string rise, fall, end, edges;
        for (const auto& [ports, rate] : exported_.clocks) {
            const std::string& clock = names_.of(ports.clock);
            const std::string rises = fmt::format("{}{} <= '1';\n", indent, clock);
            rise += rises;
            fall += fmt::format("{}{} <= '0';\n", indent, clock);
            end += fmt::format("        {} <= '0';\n", names_.of(ports.reset));
            if (rate.is_every_cycle())
                edges += rises;
            else if (rate.offset < integers)
                edges +=
                    fmt::format("{0}if @cycle{1} = {2} then\n    {3}{0}end if;\n", indent,
                                rate.every < integers ? fmt::format(" mod {}", rate.every) : "",
                                rate.offset, rises);
        }
        const std::string nothing = indent + "null;\n";
        return fmt::format(fmt::runtime(bench_process), cycles_, drive.empty() ? nothing : drive,
                           check.empty() ? nothing : check, exported_.reset_cycles, rise, fall, end,
                           edges);
    }

    const Exported& exported_;
    std::uint64_t cycles_;
    Names names_;
    Library library_;
    ShownInside inside_;
    const rtl::Module& top_;
    std::string seen_ = names_.fresh("seen");
};

} // namespace

std::string bench_text(const Exported& exported, std::uint64_t cycles) {
    return Bench{exported, cycles}.write();
}

} // namespace sme::hdl::vhdl
