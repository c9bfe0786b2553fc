// SPDX-License-Identifier: Apache-2.0
//
// Random steps: printed as YAML, they are read back unchanged.
#include <doctest/doctest.h>

#include <random>

#include "expr/test/random_tree.hpp"
#include "yaml/print/text_printer.hpp"
#include "yaml/syntax/readers.hpp"

using namespace sme;
using expr::Block;
using expr::Pattern;
using expr::Rhs;
using expr::Statement;

namespace {

bool same(const expr::AstRef& a, const expr::AstRef& b) {
    return (!a && !b) || (a && b && test::same(*a, *b));
}

bool same(const Pattern& a, const Pattern& b) {
    return same(a.value, b.value) && a.bits == b.bits && a.mask == b.mask && a.digits == b.digits;
}

bool same(const Rhs& a, const Rhs& b);
bool same(const Rhs::FieldRhs& a, const Rhs::FieldRhs& b);
bool same(const Rhs::Arm& a, const Rhs::Arm& b);
bool same(const expr::PrintPiece& a, const expr::PrintPiece& b);
bool same(const Statement& a, const Statement& b);
bool same(const Statement::Arm& a, const Statement::Arm& b);

template <class Item> bool same(const std::vector<Item>& a, const std::vector<Item>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Item& x, const Item& y) { return same(x, y); });
}

bool same(const Rhs& a, const Rhs& b) {
    return a.kind == b.kind && same(a.value, b.value) && same(a.when, b.when) &&
           same(a.list, b.list) && same(a.fields, b.fields) && same(a.arms, b.arms);
}

bool same(const Rhs::FieldRhs& a, const Rhs::FieldRhs& b) {
    return a.name == b.name && same(a.rhs, b.rhs);
}

bool same(const Rhs::Arm& a, const Rhs::Arm& b) {
    return same(a.condition, b.condition) && same(a.patterns, b.patterns) && same(a.rhs, b.rhs);
}

bool same(const expr::PrintPiece& a, const expr::PrintPiece& b) {
    return a.text == b.text && same(a.value, b.value) && a.style.base == b.style.base &&
           a.style.zeros == b.style.zeros && a.style.width == b.style.width;
}

bool same(const Statement& a, const Statement& b) {
    return a.kind == b.kind && same(a.target, b.target) && same(a.rhs, b.rhs) &&
           same(a.pieces, b.pieces) && same(a.subject, b.subject) && same(a.arms, b.arms);
}

bool same(const Statement::Arm& a, const Statement::Arm& b) {
    return same(a.condition, b.condition) && same(a.patterns, b.patterns) &&
           same(a.block.statements, b.block.statements);
}

/// Random steps that the reader can produce, with or without meaning.
class RandomStep {
public:
    explicit RandomStep(unsigned seed) : random_{seed}, trees_{seed} {}

    Block block(int depth) {
        Block result;
        for (unsigned k = below(4); k-- > 0;)
            result.statements.push_back(statement(depth));
        return result;
    }

private:
    unsigned below(unsigned n) {
        return std::uniform_int_distribution<unsigned>{0, n - 1}(random_);
    }
    expr::AstRef tree() { return trees_.expression(static_cast<int>(below(3))); }

    Statement statement(int depth) {
        Statement result;
        switch (below(depth > 0 ? 6 : 4)) {
        case 0:
            result.kind = below(2) == 0 ? Statement::Kind::halt : Statement::Kind::assertion;
            result.rhs = rhs(depth);
            break;
        case 1: print(result); break;
        case 4:
            result.kind = Statement::Kind::choice;
            for (unsigned k = below(3) + 1; k-- > 0;)
                result.arms.push_back({tree(), {}, {}, block(depth - 1)});
            if (below(2) == 0)
                result.arms.push_back({nullptr, {}, {}, block(depth - 1)});
            break;
        case 5:
            result.kind = Statement::Kind::match;
            result.subject = tree();
            for (unsigned k = 0; k <= below(3); ++k)
                result.arms.push_back({nullptr, patterns(k), {}, block(depth - 1)});
            break;
        default: result.target = trees_.target(static_cast<int>(below(3))); result.rhs = rhs(depth);
        }
        return result;
    }

    void print(Statement& result) {
        result.kind = Statement::Kind::print;
        static constexpr std::string_view letters = "ab {}\"\\\n\t:#'";
        for (unsigned k = below(4); k-- > 0;) {
            expr::PrintPiece piece;
            if (result.pieces.empty() || result.pieces.back().value)
                for (unsigned n = below(5) + 1; n-- > 0;)
                    piece.text += letters[below(static_cast<unsigned>(letters.size()))];
            else {
                piece.value = tree();
                piece.style = {static_cast<expr::PrintStyle::Base>(below(5)), below(2) == 0,
                               below(20)};
            }
            result.pieces.push_back(std::move(piece));
        }
        if (below(2) == 0)
            result.rhs.when = tree();
    }

    /// Returns the patterns of an arm; they differ from those of earlier arms.
    std::vector<Pattern> patterns(unsigned arm) {
        std::vector<Pattern> result(below(2) + 1);
        for (Pattern& pattern : result)
            if (below(3) == 0) {
                pattern.digits = arm + 2;
                pattern.mask = 1;
                pattern.bits = below(2);
            } else {
                auto number = std::make_shared<expr::Ast>();
                number->kind = expr::Ast::Kind::number;
                number->value = 10 * arm + below(10);
                pattern.value = number;
            }
        return result;
    }

    Rhs rhs(int depth) {
        Rhs result;
        const unsigned kind = below(depth > 0 ? 8 : 3);
        if (kind < 4) {
            result.value = tree();
            result.when = below(2) == 0 ? tree() : nullptr;
            const bool is_map = result.value->kind == expr::Ast::Kind::fields;
            return is_map && !result.when ? expr::fields_of(*result.value) : result;
        }
        result.kind = static_cast<Rhs::Kind>(kind - 3);
        switch (result.kind) {
        case Rhs::Kind::expression:
        case Rhs::Kind::first:
            result.kind = Rhs::Kind::first;
            for (unsigned k = below(3) + 1; k-- > 0;)
                result.list.push_back(rhs(depth - 1));
            break;
        case Rhs::Kind::fields:
            for (unsigned k = below(4); k-- > 0;)
                result.fields.push_back({"field_" + std::to_string(k), {}, rhs(depth - 1)});
            break;
        case Rhs::Kind::choice:
            for (unsigned k = below(3) + 1; k-- > 0;)
                result.arms.push_back({tree(), {}, {}, rhs(depth - 1)});
            if (below(2) == 0)
                result.arms.push_back({nullptr, {}, {}, rhs(depth - 1)});
            break;
        case Rhs::Kind::match:
            result.value = tree();
            for (unsigned k = 0; k <= below(3); ++k)
                result.arms.push_back({nullptr, patterns(k), {}, rhs(depth - 1)});
            break;
        }
        return result;
    }

    std::mt19937 random_;
    test::RandomTree trees_;
};

/// A scope without names.
struct Nowhere {
    yaml::LoadOptions options;
    yaml::GroupFactories kinds;
    Diagnostics diagnostics;
    yaml::Loading loading{options, kinds, diagnostics};
    yaml::Context context{loading, {}};
};

} // namespace

TEST_CASE("random steps are read back as they were printed") {
    Nowhere nowhere;
    yaml::TextPrinter printer{nowhere.context};
    for (unsigned seed = 0; seed < 5'000; ++seed) {
        const Block result = RandomStep{seed}.block(static_cast<int>(seed % 4));
        yaml::Document map = yaml::Document::map();
        map.set("step", printer.step(result));
        const std::string text = yaml::write(map);
        CAPTURE(text);
        Diagnostics diagnostics;
        const auto tree =
            yaml::parse_tree(std::make_shared<Source>("step.yaml", text), diagnostics);
        INFO(render(diagnostics));
        REQUIRE(tree.has_value());
        const Block read = yaml::read_step(*tree->find("step"), diagnostics);
        INFO(render(diagnostics));
        REQUIRE_FALSE(diagnostics.has_errors());
        REQUIRE(same(result.statements, read.statements));
        yaml::Document again = yaml::Document::map();
        again.set("step", printer.step(read));
        REQUIRE(yaml::write(again) == text);
    }
}
