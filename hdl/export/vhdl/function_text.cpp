// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/function_text.hpp"

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
        switch (function_.kind) {
        case Function::Kind::own: return text + own();
        case Function::Kind::table: return text + table();
        case Function::Kind::quotient:
        case Function::Kind::remainder: return text + division();
        case Function::Kind::population: return text + population();
        case Function::Kind::reverse: break;
        }
        return text + reverse();
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
        // rename a variable that hides a module name that the function may use
        const auto declare = [&](const Declared& each) {
            const bool hides =
                scope_.declared.count(each.name) > 0 || scope_.functions.count(each.name) > 0;
            const std::string& own = scope_.names.of(each.name);
            inside.declared[each.name] = each;
            inside.words.erase(each.name);
            return inside.variables[each.name] = hides ? names_.fresh(own) : own;
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
               enclosed("at : " + type_text(bits, false), "",
                        fmt::format("        return {}(to_index(at));\n", all));
    }

    std::string nothing() const { return result_ == Shape::bit ? "'0'" : "(others => '0')"; }
    std::string zero() const {
        return ExprText{scope_}.value(
            rtl::literal(0, function_.result.width, function_.result.is_signed), result_);
    }

    std::string division() const {
        const bool is_remainder = function_.kind == Function::Kind::remainder;
        const std::string type = type_text(function_.result);
        const std::string inputs = fmt::format("a : {0}; b : {0}", type);
        if (result_ == Shape::bit)
            return enclosed(inputs, "",
                            is_remainder ? "        return '0';\n" : "        return a and b;\n");
        std::string body = fmt::format("        if b = 0 then\n            return {};\n", zero());
        if (result_ == Shape::number)
            body += fmt::format("        elsif b = -1 then\n            return {};\n",
                                is_remainder ? zero() : "-a");
        return enclosed(inputs, "",
                        fmt::format("{}        end if;\n        return a {} b;\n", body,
                                    is_remainder ? "rem" : "/"));
    }

    std::string population() const {
        const std::uint64_t width = function_.inputs[0].width;
        const std::string input = "x : " + type_text(width, false);
        if (width == 1)
            return enclosed(input, "", "        return x;\n");
        return enclosed(input,
                        fmt::format("        variable count : {} := (others => '0');\n",
                                    type_text(function_.result)),
                        "        for k in x'range loop\n            if x(k) = '1' then\n"
                        "                count := count + 1;\n            end if;\n"
                        "        end loop;\n        return count;\n");
    }

    std::string reverse() const {
        const std::uint64_t width = function_.result.width;
        const std::string input = "x : " + type_text(width, false);
        if (width == 1)
            return enclosed(input, "", "        return x;\n");
        return enclosed(
            input, fmt::format("        variable y : {};\n", type_text(function_.result)),
            fmt::format("        for k in x'range loop\n            y(k) := x({} - k);\n"
                        "        end loop;\n        return y;\n",
                        width - 1));
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

} // namespace sme::hdl::vhdl
