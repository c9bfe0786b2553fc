-- SPDX-License-Identifier: Apache-2.0
--
-- VUnit runs this test bench. It has random stalls at both ends, and a scoreboard.
library ieee;
use ieee.math_real.all;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
library vunit_lib;
context vunit_lib.vunit_context;

entity tb_fifo is
    generic (runner_cfg : string; depth : positive; seed : positive);
end entity;

architecture bench of tb_fifo is
    signal clk, x_valid, y_ready, x_ready, y_valid : std_logic := '0';
    signal rst : std_logic := '1';
    signal x_data, y_data : unsigned(31 downto 0) := (others => '0');
begin
    clk <= not clk after 5 ns;

    design : entity work.fifo
        generic map (depth => depth)
        port map (clk, rst, x_valid, y_ready, x_data, x_ready, y_valid, y_data);

    main : process
        type words is array (0 to depth) of unsigned(31 downto 0);
        variable waiting : words;
        variable first, count, received : natural := 0;
        variable one : positive := seed;
        variable other : positive := 7;
        variable offers : boolean := false;
        variable number : real;
        impure function draw return real is
        begin
            uniform(one, other, number);
            return number;
        end function;
        variable high, low : natural;
    begin
        test_runner_setup(runner, runner_cfg);
        wait until rising_edge(clk);
        wait until rising_edge(clk);
        rst <= '0';
        for cycle in 1 to 2000 loop
            if not offers and draw < 0.7 then
                offers := true;
                high := integer(floor(draw * 65536.0));
                low := integer(floor(draw * 65536.0));
                x_data <= to_unsigned(high, 16) & to_unsigned(low, 16);
            end if;
            x_valid <= '1' when offers else '0';
            y_ready <= '1' when draw < 0.6 else '0';
            wait for 1 ns;
            if y_valid = '1' and y_ready = '1' then
                check(count > 0, "a value comes out that did not go in");
                check(waiting(first) = y_data, "another value comes out");
                first := (first + 1) mod (depth + 1);
                count := count - 1;
                received := received + 1;
            end if;
            if offers and x_ready = '1' then
                waiting((first + count) mod (depth + 1)) := x_data;
                count := count + 1;
                offers := false;
            end if;
            wait until rising_edge(clk);
        end loop;
        check(received > 500);
        test_runner_cleanup(runner);
    end process;
end architecture;
