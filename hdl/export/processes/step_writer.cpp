// SPDX-License-Identifier: Apache-2.0
#include "export/processes/process_module.hpp"

#include <algorithm>
#include <bit>

#include "export/verilog/verilog_text.hpp"

namespace sme::hdl {

namespace {

bool same_conditions(const rtl::Statement& a, const rtl::Statement& b) {
    return std::equal(a.arms.begin(), a.arms.end(), b.arms.begin(), b.arms.end(),
                      [](const rtl::Statement::Arm& x, const rtl::Statement::Arm& y) {
                          if (!x.condition || !y.condition)
                              return x.condition == y.condition;
                          return rtl::verilog(x.condition) == rtl::verilog(y.condition);
                      });
}

/// Appends statements. If both parts end in, and start with, chains of the same conditions, merges
/// the bodies of equal conditions. Nonblocking assignments mean the same in either form.
void add_statements(rtl::Statements& to, rtl::Statements more) {
    const auto is_chain = [](const rtl::Statement& each) {
        return each.kind == rtl::Statement::Kind::chain;
    };
    const bool joins = !to.empty() && is_chain(to.back()) && !more.empty() &&
                       is_chain(more.back()) &&
                       std::all_of(more.begin(), more.end() - 1,
                                   [](const rtl::Statement& each) {
                                       return each.kind == rtl::Statement::Kind::comment;
                                   }) &&
                       same_conditions(to.back(), more.back());
    if (!joins) {
        rtl::append(to, std::move(more));
        return;
    }
    rtl::Statement behind = std::move(more.back());
    more.pop_back(); // the comments
    std::vector<rtl::Statement::Arm>& arms = to.back().arms;
    rtl::append(arms[0].body, std::move(more));
    for (std::size_t k = 0; k < arms.size(); ++k)
        rtl::append(arms[k].body, std::move(behind.arms[k].body));
}

} // namespace

using expr::BoundCondition;
using expr::BoundRhs;
using expr::BoundStatement;
using expr::Rhs;
using expr::Statement;

rtl::Statements StepWriter::block(const expr::BoundBlock& block) {
    Statements result;
    for (const BoundStatement& statement : block)
        if (statement.kind == Statement::Kind::assign)
            add_statements(result, assign(statement));
        else if (statement.kind == Statement::Kind::choice)
            add_statements(result, choice(statement));
        else if (statement.kind == Statement::Kind::match)
            add_statements(result, match(statement));
    return result;
}

bool StepWriter::is_wanted(const HdlValue& target) const {
    if (target.place)
        return variables_.count(target.place->name) > 0;
    return std::any_of(target.parts.begin(), target.parts.end(),
                       [&](const HdlValue& part) { return is_wanted(part); });
}

rtl::Statements StepWriter::assign(const BoundStatement& statement) {
    Statements result;
    std::vector<LoopRange> loops;
    if (!statement.indices.empty())
        loops = translator_.open_loop(statement.indices);
    for (const expr::BoundLine& line : statement.lines) {
        const HdlValue target = context_.whole_target(*line.target.tree);
        if (is_wanted(target))
            append(result, offer(line.rhs, target));
    }
    if (!statement.indices.empty()) {
        Statements lines = translator_.close_loop(statement.indices);
        if (!result.empty()) {
            append(lines, std::move(result));
            result = for_loops(loops, std::move(lines));
        }
    }
    if (result.empty())
        return result;
    std::vector<std::string> comments = comments_above(statement.where);
    if (const std::string behind = comment_behind(statement.where); !behind.empty())
        comments.push_back(behind);
    Statements all;
    add_comments(all, comments);
    append(all, std::move(result));
    return all;
}

rtl::Statements StepWriter::set(const HdlValue& target, const HdlValue& value) {
    Statements result;
    if (target.place) {
        return is_wanted(target) ? set_element(*target.place, value) : result;
    }
    if (target.type->kind() == TypeKind::array && !target.parts.empty()) { // words of a memory
        const Place whole = *translator_.placed(value, "words").place;
        const std::uint64_t width = target.parts[0].type->width_bits();
        for (std::size_t word = 0; word < target.parts.size(); ++word)
            append(result, set(target.parts[word], HdlValue::at(target.parts[word].type,
                                                                whole.part(word * width, width))));
        return result;
    }
    HdlValue source = value;
    if (source.parts.empty())
        source = translator_.placed(source, "record");
    for (std::size_t k = 0; k < target.parts.size(); ++k)
        if (target.parts[k].kind != HdlValue::Kind::none && is_wanted(target.parts[k]))
            append(result,
                   set(target.parts[k], translator_.field(source, target.type->fields()[k].name)));
    return result;
}

/// Writes a `case` with an assignment for each element that a computed index may select: synthesis
/// makes shifters of slices that move.
rtl::Statements StepWriter::set_element(const Place& place, const HdlValue& value) {
    std::uint64_t count = 1;
    for (const Place::Step& step : place.steps)
        count *= std::min(step.count, max_selected + 1);
    if (place.steps.empty() || count > max_selected)
        return {rtl::Statement::assign(place, Translator::code(value), clocked_)};
    const Place::Step& step = place.steps[0];
    const HdlValue source =
        value.is_literal() ? value : translator_.placed(value, place.name + "_next");
    rtl::Statement result;
    result.kind = rtl::Statement::Kind::cases;
    result.value = step.index;
    for (std::uint64_t k = 0; k < step.count; ++k)
        result.arms.push_back({nullptr,
                               {rtl::literal(static_cast<Integer>(k), step.index->width)},
                               false,
                               set_element(place.with_first(k), source)});
    if (!std::has_single_bit(step.count))
        result.arms.push_back({nullptr, {}, true, {}});
    return {std::move(result)};
}

/// Returns the type of values for a target.
static TypeRef target_type(const HdlValue& target) {
    return target.type && target.type->is_bundle() ? target.type->forward() : target.type;
}

rtl::Statements StepWriter::offer(const BoundRhs& rhs, const HdlValue& target) {
    if (!is_wanted(target) || rhs.when.never_holds())
        return {};
    Statements body = offer_always(rhs, target);
    if (rhs.when.always_holds() || body.empty())
        return body;
    return conditions({{&rhs.when, std::move(body)}});
}

rtl::Statements StepWriter::offer_always(const BoundRhs& rhs, const HdlValue& target) {
    switch (rhs.kind) {
    case Rhs::Kind::expression:
        if (target.place)
            translator_.name_next(target.place->name + (clocked_ ? "_next" : "_value"));
        return set(target, translator_.value_as(*rhs.value, target_type(target)));
    case Rhs::Kind::first:
    case Rhs::Kind::choice: {
        Bodies bodies;
        for (const BoundRhs::Entry& entry : rhs.entries)
            bodies.emplace_back(&entry.condition, offer(entry.rhs, target));
        return conditions(std::move(bodies));
    }
    case Rhs::Kind::match: {
        std::vector<CaseArm> arms;
        for (std::size_t k = 0; k < rhs.entries.size(); ++k)
            arms.push_back({&rhs.match->arms[k], rhs.entries[k].possible,
                            [&, k] { return offer(rhs.entries[k].rhs, target); }});
        return cases(*rhs.value, arms);
    }
    case Rhs::Kind::fields: break;
    }
    Statements result;
    for (const BoundRhs::Entry& field : rhs.entries)
        if (const HdlValue part = translator_.field(target, field.field);
            part.kind != HdlValue::Kind::none)
            append(result, offer(field.rhs, part));
    return result;
}

rtl::Statements StepWriter::conditions(Bodies bodies) {
    // the text after the last body with an effect has no effect
    std::size_t end = bodies.size();
    while (end > 0 && bodies[end - 1].second.empty())
        --end;
    std::vector<rtl::Statement::Arm> arms;
    for (std::size_t k = 0; k < end; ++k) {
        auto& [condition, body] = bodies[k];
        std::optional<bool> known = condition->known;
        ExprRef test;
        if (!known) {
            const HdlValue value = translator_.value(*condition->value);
            if (value.is_literal()) // a comparison with the limit of a range
                known = *value.literal != 0;
            else
                test = Translator::code(value);
        }
        if (known == false)
            continue;
        if (known && arms.empty())
            return std::move(body);
        arms.push_back({std::move(test), {}, false, std::move(body)});
        if (known)
            break;
    }
    if (arms.empty())
        return {};
    return {rtl::Statement::chain(std::move(arms))};
}

rtl::Statements StepWriter::choice(const BoundStatement& statement) {
    Bodies bodies;
    for (const BoundStatement::Arm& arm : statement.arms)
        bodies.emplace_back(&arm.condition, block(arm.block));
    return conditions(std::move(bodies));
}

rtl::Statements StepWriter::match(const BoundStatement& statement) {
    std::vector<CaseArm> arms;
    for (std::size_t k = 0; k < statement.arms.size(); ++k)
        arms.push_back({&statement.match->arms[k], statement.arms[k].possible,
                        [&, k] { return block(statement.arms[k].block); }});
    return cases(*statement.match->subject, arms);
}

rtl::Statements StepWriter::cases(const expr::BoundExpr& subject,
                                  const std::vector<CaseArm>& arms) {
    const auto is_possible = [](const CaseArm& arm) { return arm.possible; };
    if (std::count_if(arms.begin(), arms.end(), is_possible) == 1)
        return std::find_if(arms.begin(), arms.end(), is_possible)->body();
    const HdlValue tested = translator_.value(subject);
    rtl::Statement result;
    result.kind = rtl::Statement::Kind::cases;
    bool any = false;
    for (std::size_t k = 0; k < arms.size(); ++k) {
        rtl::Statement::Arm arm;
        for (const expr::BoundPattern& pattern : *arms[k].patterns) {
            const Translator::Label found = translator_.pattern(pattern, tested);
            if (found.item)
                arm.labels.push_back(found.item);
            result.is_open = result.is_open || found.open; // some pattern has don't-care bits
        }
        // a value that is no member of an enumeration takes the else, or the last arm
        arm.is_last = arms[k].patterns->empty() || k + 1 == arms.size();
        if (arm.labels.empty() && !arm.is_last)
            continue;
        arm.body = arms[k].body();
        any = any || !arm.body.empty();
        result.arms.push_back(std::move(arm));
    }
    if (!any)
        return {};
    result.value = Translator::code(tested);
    return {std::move(result)};
}

namespace {

/// The bits of a variable that a step assigns in every cycle.
class AssignedBits {
public:
    AssignedBits(const Variable& variable, ProcessContext& context)
        : variable_{variable}, context_{context} {}

    std::vector<bool> of(const expr::BoundBlock& block) {
        std::vector<bool> bits(variable_.bits());
        for (const BoundStatement& statement : block) {
            if (statement.indices.empty())
                for (const expr::BoundLine& line : statement.lines)
                    if (has_fixed_place(*line.target.tree))
                        add(line.rhs, context_.target(*line.target.tree), bits);
            const bool is_complete =
                statement.kind == Statement::Kind::match ||
                (!statement.arms.empty() && statement.arms.back().condition.always_holds());
            if (is_complete)
                add_common(statement.arms, bits);
        }
        return bits;
    }

private:
    /// Tests whether no index in a target is computed during the run.
    static bool has_fixed_place(const expr::BoundExpr& target) {
        if (target.kind == expr::BoundExpr::Kind::leaf)
            return true;
        return has_fixed_place(*target.operands[0]) &&
               std::all_of(target.operands.begin() + 1, target.operands.end(),
                           [](const expr::BoundRef& index) { return index->is_constant(); });
    }

    /// Tests whether a right-hand side has a value in every cycle.
    static bool is_complete(const BoundRhs& rhs) {
        if (!rhs.when.always_holds() || rhs.kind == Rhs::Kind::fields)
            return false;
        for (const BoundRhs::Entry& entry : rhs.entries) {
            if (entry.condition.never_holds() || !entry.possible)
                continue;
            if (!is_complete(entry.rhs))
                return false;
            if (rhs.kind != Rhs::Kind::match && entry.condition.always_holds())
                return true;
        }
        return rhs.kind == Rhs::Kind::expression || rhs.kind == Rhs::Kind::match;
    }

    void add(const BoundRhs& rhs, const HdlValue& target, std::vector<bool>& bits) {
        if (rhs.kind == Rhs::Kind::fields && rhs.when.always_holds())
            for (const BoundRhs::Entry& field : rhs.entries)
                add(field.rhs, context_.translator().field(target, field.field), bits);
        else if (is_complete(rhs))
            add(target, bits);
    }

    void add(const HdlValue& target, std::vector<bool>& bits) {
        for (const HdlValue& part : target.parts)
            add(part, bits);
        if (!target.place || target.place->name != variable_.name || target.place->moved)
            return;
        const auto begin = bits.begin() + static_cast<std::ptrdiff_t>(target.place->low);
        std::fill(begin, begin + static_cast<std::ptrdiff_t>(target.place->width), true);
    }

    /// Adds the bits that all arms assign.
    void add_common(const std::vector<BoundStatement::Arm>& arms, std::vector<bool>& bits) {
        std::vector<bool> common(bits.size(), true);
        for (const BoundStatement::Arm& arm : arms) {
            if (!arm.possible)
                continue;
            const std::vector<bool> own = of(arm.block);
            for (std::size_t bit = 0; bit < bits.size(); ++bit)
                common[bit] = common[bit] && own[bit];
        }
        for (std::size_t bit = 0; bit < bits.size(); ++bit)
            bits[bit] = bits[bit] || common[bit];
    }

    const Variable& variable_;
    ProcessContext& context_;
};

} // namespace

bool is_always_assigned(const Variable& variable, const expr::BoundBlock& step,
                        ProcessContext& context) {
    const std::vector<bool> bits = AssignedBits{variable, context}.of(step);
    return std::find(bits.begin(), bits.end(), false) == bits.end();
}

} // namespace sme::hdl
