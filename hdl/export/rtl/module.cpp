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

namespace {

bool same_conditions(const Statement& a, const Statement& b) {
    return std::equal(a.arms.begin(), a.arms.end(), b.arms.begin(), b.arms.end(),
                      [](const Statement::Arm& x, const Statement::Arm& y) {
                          if (!x.condition || !y.condition)
                              return x.condition == y.condition;
                          return verilog(x.condition) == verilog(y.condition);
                      });
}

} // namespace

void add_statements(Statements& to, Statements more) {
    const auto is_chain = [](const Statement& each) { return each.kind == Statement::Kind::chain; };
    const bool joins =
        !to.empty() && is_chain(to.back()) && !more.empty() && is_chain(more.back()) &&
        std::all_of(more.begin(), more.end() - 1,
                    [](const Statement& each) { return each.kind == Statement::Kind::comment; }) &&
        same_conditions(to.back(), more.back());
    if (!joins) {
        append(to, std::move(more));
        return;
    }
    Statement behind = std::move(more.back());
    more.pop_back(); // the comments
    std::vector<Statement::Arm>& arms = to.back().arms;
    append(arms[0].body, std::move(more));
    for (std::size_t k = 0; k < arms.size(); ++k)
        append(arms[k].body, std::move(behind.arms[k].body));
}

} // namespace sme::hdl::rtl
