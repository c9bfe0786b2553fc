// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/bench_process.hpp"

namespace sme::hdl::vhdl {

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

} // namespace sme::hdl::vhdl
