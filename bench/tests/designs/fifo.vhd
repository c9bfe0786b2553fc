-- SPDX-License-Identifier: Apache-2.0
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity fifo is
    generic (depth : positive);
    port (
        clk, rst, x_valid, y_ready : in std_logic;
        x_data : in unsigned(31 downto 0);
        x_ready, y_valid : out std_logic;
        y_data : out unsigned(31 downto 0)
    );
end entity;

architecture rtl of fifo is
    type words is array (0 to depth - 1) of unsigned(31 downto 0);
    signal mem : words;
    signal head, tail : natural range 0 to depth - 1 := 0;
    signal count : natural range 0 to depth := 0;
    signal free, full : std_logic;
begin
    free <= '1' when count /= depth else '0';
    full <= '1' when count /= 0 else '0';
    x_ready <= free;
    y_valid <= full;
    y_data <= mem(head);
    process (clk)
        variable left : natural range 0 to depth;
    begin
        if rising_edge(clk) then
            left := count;
            if full = '1' and y_ready = '1' then
                head <= (head + 1) mod depth;
                left := left - 1;
            end if;
            if x_valid = '1' and free = '1' then
                mem(tail) <= x_data;
                tail <= (tail + 1) mod depth;
                left := left + 1;
            end if;
            count <= left;
            if rst = '1' then
                head <= 0;
                tail <= 0;
                count <= 0;
            end if;
        end if;
    end process;
end architecture;
