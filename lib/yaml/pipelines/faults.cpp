// SPDX-License-Identifier: Apache-2.0
#include "yaml/pipelines/faults.hpp"

#include <set>

#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

bool is_conversion(const Ast& call) {
    const Ast& callee = *call.operands[0];
    return callee.kind == Ast::Kind::name && callee.text.size() > 1 &&
           (callee.text[0] == 'u' || callee.text[0] == 'i') &&
           callee.text.find_first_not_of("0123456789", 1) == callee.text.npos;
}

namespace {

class FaultSearch {
public:
    explicit FaultSearch(const FaultScope& lets) : lets_{lets} {}

    bool in(const AstRef& tree) {
        visitor_(tree);
        return found_;
    }
    bool in(const expr::Rhs& rhs) {
        visitor_(rhs);
        return found_;
    }

private:
    void look(const Ast& tree) {
        found_ = found_ || tree.kind == Ast::Kind::index ||
                 (tree.kind == Ast::Kind::binary &&
                  (tree.op == expr::Operator::divide || tree.op == expr::Operator::remainder)) ||
                 (tree.kind == Ast::Kind::call && !is_conversion(tree));
        if (tree.kind == Ast::Kind::name && seen_.insert(tree.text).second)
            if (const auto let = lets_.find(tree.text); let != lets_.end())
                visitor_(*let->second);
    }

    const FaultScope& lets_;
    bool found_ = false;
    std::set<std::string> seen_;
    const Rewriter visitor_{[this](const AstRef& tree) -> AstRef {
        look(*tree);
        return nullptr;
    }};
};

} // namespace

bool may_fault(const AstRef& tree, const FaultScope& lets) {
    return FaultSearch{lets}.in(tree);
}

bool may_fault(const expr::Rhs& rhs, const FaultScope& lets) {
    return FaultSearch{lets}.in(rhs);
}

} // namespace sme::yaml
