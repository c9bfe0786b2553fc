// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/vhdl_text.hpp"

#include <fmt/format.h>

namespace sme::hdl::vhdl {

using rtl::Declared;
using rtl::Expr;
using rtl::ExprRef;
using rtl::Function;

namespace {

class FunctionText {
public:
    FunctionText(const Function& function, const Scope& scope, Names& names)
        : function_{function}, scope_{scope}, names_{names}, result_{shape_of(
                                                                 function.result.width,
                                                                 function.result.is_signed)},
          name_{scope.names.of(function.result.name)} {}

    std::string write() {
        std::string text = "\n";
        for (const std::string& comment : function_.comments)
            text += comment_line("    ", comment);
        return text + (function_.words.empty() ? own() : table());
    }

private:
    std::string enclosed(const std::string& inputs, const std::string& variables,
                         const std::string& body) const {
        return fmt::format("    function {0}({1}) return {2} is\n{3}    begin\n{4}"
                           "    end function;\n",
                           name_, inputs, type_mark(result_), variables, body);
    }

    std::string own() {
        Scope inside = scope_;
        std::string inputs, variables;
        const auto declare = [&](const Declared& each) {
            inside.declared[each.name] = each;
            return inside.variables[each.name] = scope_.names.of(each.name);
        };
        for (const Declared& input : function_.inputs)
            inputs += fmt::format("{}{} : {}", inputs.empty() ? "" : "; ", declare(input),
                                  type_text(input));
        for (const Declared& variable : function_.variables)
            if (!variable.is_integer) // integers are declared by their loop
                variables += fmt::format("        variable {} : {};\n", declare(variable),
                                         type_text(variable));
        std::string body;
        if (!function_.body.empty())
            body = StatementText{inside, names_}.block(function_.body, "        ");
        return enclosed(inputs, variables, body + returned(ExprText{inside}));
    }

    /// Returns the result: the first of a chain whose condition holds.
    std::string returned(const ExprText& expr) const {
        std::string text;
        ExprRef at = function_.value;
        for (; at->kind == Expr::Kind::select; at = at->operands[2])
            text += fmt::format("        {} {} then\n            return {};\n",
                                text.empty() ? "if" : "elsif", expr.condition(at->operands[0]),
                                expr.value(at->operands[1], result_));
        if (!text.empty())
            text += "        end if;\n";
        return text + fmt::format("        return {};\n", expr.value(at, result_));
    }

    /// Writes a word for each value of the index.
    std::string table() {
        const std::uint64_t bits = function_.inputs[0].width;
        const std::string type = names_.fresh(name_ + "_words"), all = names_.fresh(name_ + "_all");
        const ExprText expr{scope_};
        std::string words;
        for (std::size_t k = 0; k < function_.words.size(); ++k)
            if (function_.words[k])
                words +=
                    fmt::format("        {} => {},\n", k, expr.value(function_.words[k], result_));
        return fmt::format("    type {0} is array (0 to {1}) of {2};\n"
                           "    constant {3} : {0} := (\n{4}        others => {5});\n",
                           type, (std::uint64_t{1} << bits) - 1, type_text(function_.result), all,
                           words, nothing()) +
               enclosed(fmt::format("{} : {}", input(0), type_text(bits, false)), "",
                        fmt::format("        return {}(to_index({}));\n", all, input(0)));
    }

    std::string nothing() const { return result_ == Shape::bit ? "'0'" : "(others => '0')"; }

    const std::string& input(std::size_t number) const {
        return scope_.names.of(function_.inputs[number].name);
    }

    const Function& function_;
    const Scope& scope_;
    Names& names_;
    Shape result_;
    const std::string& name_;
};

} // namespace

std::string function_text(const Function& function, const Scope& scope, Names& names) {
    return FunctionText{function, scope, names}.write();
}

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
