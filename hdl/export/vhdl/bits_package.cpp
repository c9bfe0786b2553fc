// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/bits_package.hpp"

namespace sme::hdl::vhdl {

const char* const bits_package =
    R"(-- Functions of bits that modules written by sme vhdl use beside numeric_std.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package sme_bits is
    -- '1' for what is true
    function truth(condition : boolean) return std_logic;
    -- one of two values
    function choose(condition : boolean; yes, no : std_logic) return std_logic;
    function choose(condition : boolean; yes, no : unsigned) return unsigned;
    function choose(condition : boolean; yes, no : signed) return signed;
    -- the number x, at most 2**31 - 1; with a count 0 where it is not below that
    function to_index(x : unsigned) return natural;
    function to_index(x : std_logic) return natural;
    function to_index(x : unsigned; count : positive) return natural;
    function to_index(x : std_logic; count : positive) return natural;
    -- bits low + width - 1 downto low of x; zero beyond its end
    function pick(x : unsigned; low : natural; width : positive) return unsigned;
    -- the lowest bits of x in two's complement
    function low_bits(x : integer; width : positive) return unsigned;
    -- x so many times
    function fill(x : std_logic; count : positive) return unsigned;
    function repeat(x : unsigned; count : positive) return unsigned;
    -- the lowest bits of a product, as many as a has
    function times(a, b : unsigned) return unsigned;
    function times(a, b : signed) return signed;
    -- a single bit with a sign, and without
    function as_signed(x : std_logic) return signed;
    function as_bit(x : signed) return std_logic;
end package;

package body sme_bits is
    function truth(condition : boolean) return std_logic is
    begin
        if condition then
            return '1';
        end if;
        return '0';
    end function;

    function choose(condition : boolean; yes, no : std_logic) return std_logic is
    begin
        if condition then
            return yes;
        end if;
        return no;
    end function;

    function choose(condition : boolean; yes, no : unsigned) return unsigned is
    begin
        if condition then
            return yes;
        end if;
        return no;
    end function;

    function choose(condition : boolean; yes, no : signed) return signed is
    begin
        if condition then
            return yes;
        end if;
        return no;
    end function;

    function to_index(x : unsigned) return natural is
        constant bits : unsigned(x'length - 1 downto 0) := x;
    begin
        if x'length > 31 then
            if bits(x'length - 1 downto 31) /= 0 then
                return natural'high;
            end if;
            return to_integer(bits(30 downto 0));
        end if;
        return to_integer(x);
    end function;

    function to_index(x : std_logic) return natural is
    begin
        if x = '1' then
            return 1;
        end if;
        return 0;
    end function;

    function to_index(x : unsigned; count : positive) return natural is
    begin
        if x < count then
            return to_index(x);
        end if;
        return 0;
    end function;

    function to_index(x : std_logic; count : positive) return natural is
    begin
        if x = '1' and count > 1 then
            return 1;
        end if;
        return 0;
    end function;

    function pick(x : unsigned; low : natural; width : positive) return unsigned is
    begin
        return resize(shift_right(x, low), width);
    end function;

    function low_bits(x : integer; width : positive) return unsigned is
    begin
        return resize(unsigned(to_signed(x, 32)), width);
    end function;

    function fill(x : std_logic; count : positive) return unsigned is
        constant filled : unsigned(count - 1 downto 0) := (others => x);
    begin
        return filled;
    end function;

    function repeat(x : unsigned; count : positive) return unsigned is
        variable made : unsigned(x'length * count - 1 downto 0);
    begin
        for k in 0 to count - 1 loop
            made(x'length * (k + 1) - 1 downto x'length * k) := x;
        end loop;
        return made;
    end function;

    function times(a, b : unsigned) return unsigned is
    begin
        return resize(a * b, a'length);
    end function;

    function times(a, b : signed) return signed is
    begin
        return signed(resize(unsigned(a * b), a'length));
    end function;

    function as_signed(x : std_logic) return signed is
        constant made : signed(0 downto 0) := (others => x);
    begin
        return made;
    end function;

    function as_bit(x : signed) return std_logic is
    begin
        return x(x'low);
    end function;
end package body;
)";

} // namespace sme::hdl::vhdl
