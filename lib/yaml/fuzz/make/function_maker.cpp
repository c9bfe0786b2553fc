// SPDX-License-Identifier: Apache-2.0
//
// Functions and parameters.
#include <fmt/format.h>

#include "yaml/fuzz/make/declaration_maker.hpp"

namespace sme::fuzz {

/// Adds name(a, b): an expression, a choice, or lets and a return; typed for its arguments.
void DeclarationMaker::function(Names& names, Lines& lines) {
    FunctionText made;
    made.name = m_.fresh("F");
    Names inside = names;
    inside.values.clear(); // the function's own names come first and are used most
    std::string parameters;
    RhsMaker rhs{m_, inside};
    for (unsigned k = c_.between(1, 3); k > 0; --k) {
        made.parameters.push_back(rhs.terms().some_type());
        made.names.push_back(m_.fresh("x"));
        parameters += (parameters.empty() ? "" : ", ") + made.names.back();
    }
    for (std::size_t k = 0; k < made.names.size(); ++k)
        inside.values.push_back({made.names[k], made.parameters[k], true});
    inside.values.insert(inside.values.end(), names.values.begin(), names.values.end());
    made.result = rhs.terms().some_type();
    const std::string key = fmt::format("{}({})", made.name, parameters);
    if (c_.chance(35)) {
        m_.use(Production::function_body);
        const std::string let = m_.fresh("l");
        const TypeOf type = rhs.terms().some_type();
        const RhsText value = rhs.rhs(type, 2, true);
        inside.values.insert(inside.values.begin(), Name{let, type, true});
        const RhsText result = rhs.rhs(made.result, 2, true);
        lines.push_back(key + ":");
        lines.emplace_back("  let:");
        append(lines, indented(entry(let, value), 4));
        append(lines, indented(entry("return", result)));
        made.meaning = [let, value = whole(value, type->width),
                        result = whole(result, made.result->width)](const Env& env) {
            Env inner{&env, {}};
            inner.values[let] = value(env);
            return result(inner);
        };
    } else {
        const RhsText result = rhs.rhs(made.result, 2, true);
        m_.use(result.below.empty() ? Production::function_expression : Production::function_rhs);
        append(lines, entry(key, result));
        made.meaning = whole(result, made.result->width);
    }
    names.functions.push_back(std::move(made));
}

Lines DeclarationMaker::functions(Names& names) {
    Lines lines;
    const std::string twice = m_.fresh("F"), argument = m_.fresh("x");
    m_.use(Production::untyped_function);
    lines.push_back(fmt::format("{}({}): {} + {}", twice, argument, argument, argument));
    for (const unsigned width : {8u, 33u, 100u}) { // works the same for any integer
        const TypeOf type = integer(width, false);
        names.functions.push_back({twice, {type}, {argument}, type, [argument](const Env& env) {
                                       return added(env.at(argument), env.at(argument));
                                   }});
    }
    for (unsigned k = c_.between(1, 3); k > 0; --k)
        function(names, lines);
    Lines result{"functions:"};
    append(result, indented(lines));
    return result;
}

Lines DeclarationMaker::parameters(Names& names) {
    Lines result{"parameters:"}, conditions;
    for (unsigned k = c_.between(1, 3); k > 0; --k) {
        const std::string name = m_.fresh("n");
        const auto value = static_cast<std::int64_t>(c_.between(1, 30));
        result.push_back(fmt::format("  {}: {}", name, value));
        conditions.push_back(fmt::format("- {} >= {} and {} < 31", name, value, name));
        names.exact.push_back({name, [value](const Env&) { return value; }, value, value});
    }
    Names none;
    if (c_.chance(60)) {
        m_.use(Production::parameter_type);
        const TypeOf type = TermMaker{m_, none}.some_integer();
        const std::string name = m_.fresh("T");
        result.push_back(fmt::format("  {}: type = {}", name, type->text));
        auto own = std::make_shared<Shape>(*type);
        own->text = name;
        names.types.push_back(std::move(own));
    }
    if (disk_ && c_.chance(40)) {
        m_.use(Production::file_parameter);
        const std::string name = m_.fresh("n"), file = m_.fresh("data") + ".hex";
        const Bits value = bits_of(c_.word(), 16);
        files_.emplace_back(file, text_of(value, false).substr(2) + " // one word\n");
        result.push_back(fmt::format("  {}: file = {}", name, file));
        const std::string constant = m_.fresh("c");
        result.emplace_back("constants:");
        result.push_back(fmt::format("  {}: u16[] = file({})", constant, name));
        declare(names, constant, array_of(integer(16, false), 1), value);
    }
    if (c_.chance(60)) {
        result.emplace_back("requires:");
        append(result, indented(conditions));
    }
    return result;
}

} // namespace sme::fuzz
