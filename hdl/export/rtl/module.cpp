// SPDX-License-Identifier: Apache-2.0
#include "export/rtl/module.hpp"

#include <algorithm>
#include <iterator>

namespace sme::hdl::rtl {

Statement Statement::comment(std::string text) {
    Statement result;
    result.text = std::move(text);
    return result;
}

Statement Statement::assign(Place target, ExprRef value, bool clocked) {
    Statement result;
    result.kind = Kind::assign;
    result.target = std::move(target);
    result.value = std::move(value);
    result.clocked = clocked;
    return result;
}

Statement Statement::chain(std::vector<Arm> arms) {
    Statement result;
    result.kind = Kind::chain;
    result.arms = std::move(arms);
    return result;
}

Statement Statement::loop(std::string variable, Integer low, Integer end, Statements body,
                          bool bare) {
    Statement result = of(Kind::loop, std::move(body));
    result.variable = std::move(variable);
    result.low = low;
    result.end = end;
    result.bare = bare;
    return result;
}

Statement Statement::of(Kind kind, Statements body) {
    Statement result;
    result.kind = kind;
    result.body = std::move(body);
    return result;
}

void append(Statements& to, Statements more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void append(Items& to, Items more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void add_comments(Items& to, const std::vector<std::string>& comments) {
    for (const std::string& comment : comments)
        to.emplace_back(Comment{comment});
}

void add_comments(Statements& to, const std::vector<std::string>& comments) {
    for (const std::string& comment : comments)
        to.push_back(Statement::comment(comment));
}

} // namespace sme::hdl::rtl
