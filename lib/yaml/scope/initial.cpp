// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/initial.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/rhs_value.hpp"
#include "expr/typing/structs.hpp"
#include "yaml/data/input_row.hpp"

namespace sme::yaml {

using expr::Ast;

namespace {

/// The fuel charged for each scalar.
constexpr std::uint64_t leaf_fuel = 30;

void put_scalar(const Type& type, std::uint64_t value, std::vector<std::byte>& slots) {
    if (type.size() == 1)
        return slots.push_back(static_cast<std::byte>(value));
    const auto* begin = reinterpret_cast<const std::byte*>(&value); // little-endian, like all slots
    slots.insert(slots.end(), begin, begin + type.size());
}

} // namespace

std::string Initials::path_of(const std::string& written) {
    const std::string* parameter = scope_.find_file(written);
    return parameter ? *parameter : path_beside(written, place_.folder);
}

std::optional<std::string> Initials::path_to_read(const std::string& written,
                                                  const Location& where) {
    std::string path = path_of(written);
    if (!note_read(files_, path, where, diagnostics_))
        return std::nullopt;
    return path;
}

bool Initials::file_leaves(const Ast& ast, const Type& element, std::uint64_t count,
                           std::uint64_t in_row, const std::string& what,
                           std::vector<std::uint64_t>& into) {
    const std::optional<std::string> path = path_to_read(ast.text, ast.where);
    std::optional<DataFile> file = path ? read_data(*path, ast.where, diagnostics_) : std::nullopt;
    if (!file)
        return false;
    DataColumns columns;
    const std::size_t scalars = element.scalars().size();
    const std::size_t wide = file->row_count() > 0 ? file->row(0).size() : 0;
    const std::uint64_t each = in_row > 1 && wide == scalars * in_row ? in_row : 1;
    for (std::uint64_t k = 0; k < each; ++k)
        for (const Leaf& scalar : element.scalars())
            columns.add(scalar, each > 1 ? fmt::format("[{}]", k) : "", "value");
    const std::size_t quote = what.find('\'');
    columns.also.emplace_back(1, what.substr(quote + 1, what.rfind('\'') - quote - 1));
    const std::string needs = fmt::format("{} of {} has", each > 1 ? "a row" : "an element", what);
    if (!settle_header(*file, columns, needs, diagnostics_) ||
        !scope_.spend(20 * file->values.size(), ast.where, diagnostics_))
        return false;
    into.reserve(into.size() + file->values.size());
    for (std::size_t r = 0; r < file->row_count(); ++r)
        if (!add_row(*file, r, columns, needs, into, diagnostics_))
            return false;
    const std::uint64_t rows = file->row_count() * each; // elements
    if (count != 0 && rows > count) {
        diagnostics_.add(Code::data_shape, ast.where,
                         fmt::format("'{}' has {} elements, but {} has {}", file->source->path(),
                                     rows, what, count));
        return false;
    }
    if (rows == 0) {
        diagnostics_.add(Code::data_shape, ast.where,
                         fmt::format("'{}' holds no value", file->source->path()));
        return false;
    }
    return true;
}

bool Initials::list_leaves(Constants& constants, const Ast& ast, const TypeRef& type,
                           const std::string& what, std::vector<std::uint64_t>& into) {
    if (type->kind() != TypeKind::array || ast.operands.size() > type->count()) {
        diagnostics_.add(Code::data_shape, ast.where,
                         fmt::format("a list of {} values does not fit {}, which is {}",
                                     ast.operands.size(), what, type->name()));
        return false;
    }
    for (const expr::AstRef& operand : ast.operands)
        if (!leaves(constants, *operand, type->element(), what, into))
            return false;
    return true;
}

/// Fields that the map omits are zero.
bool Initials::field_leaves(Constants& constants, const Ast& ast, const TypeRef& type,
                            std::vector<std::uint64_t>& into) {
    const auto places =
        expr::fields_given(ast.operands, *type, true, ast.where, constants.elaborator());
    if (!places)
        return false;
    const std::size_t begin = into.size();
    into.resize(begin + type->leaf_count(), 0);
    for (std::size_t k = 0; k < ast.operands.size(); ++k) {
        std::vector<std::uint64_t> field;
        if (!leaves(constants, *ast.operands[k]->operands[0], type->fields()[(*places)[k]].type,
                    fmt::format("field '{}'", ast.operands[k]->text), field))
            return false;
        std::copy(field.begin(), field.end(),
                  into.begin() +
                      static_cast<std::ptrdiff_t>(begin + expr::first_leaf(*type, (*places)[k])));
    }
    return true;
}

/// Appends one value for each element of an array.
bool Initials::equal_leaves(Constants& constants, const Ast& ast, const Type& array,
                            const std::string& what, std::vector<std::uint64_t>& into) {
    std::vector<std::uint64_t> one;
    if (!leaves(constants, ast, array.element(), what, one))
        return false;
    for (std::uint64_t k = 0; k < array.count(); ++k)
        into.insert(into.end(), one.begin(), one.end());
    return true;
}

/// Appends the value of an expression.
bool Initials::value_leaves(Constants& constants, const Ast& ast, const TypeRef& type,
                            const std::string& what, std::vector<std::uint64_t>& into) {
    expr::Elaborator& elaborator = constants.elaborator();
    TypeRef element = type;
    while (element->kind() == TypeKind::array)
        element = element->element();
    expr::BoundExpr value = elaborator.evaluate(ast, element);
    if (value.form == expr::Form::constants && *value.constants()->type == *type) {
        into.insert(into.end(), value.constants()->leaves.begin(), value.constants()->leaves.end());
        return true;
    }
    value = elaborator.loaded(std::move(value), ast.where);
    if (!value.ok())
        return false;
    if (type->kind() == TypeKind::array && (value.is_number() || !(*value.type == *type)))
        return equal_leaves(constants, ast, *type, what, into);
    value = elaborator.fit(std::move(value), type, ast.where, what);
    if (!value.ok())
        return false;
    for (const expr::NodeId leaf : value.leaves) {
        const auto known = constants.builder().constant_value(leaf);
        if (!known) {
            diagnostics_.add(Code::not_constant, ast.where,
                             "an initial value is known before the run, but this is not");
            return false;
        }
        into.push_back(*known);
    }
    return true;
}

/// Appends the scalars of a value. For an array, one value may apply to all elements; short lists
/// and files are padded with zero.
bool Initials::leaves(Constants& constants, const Ast& ast, const TypeRef& type,
                      const std::string& what, std::vector<std::uint64_t>& into) {
    const std::size_t begin = into.size();
    if (!scope_.spend(leaf_fuel * type->leaf_count(), ast.where, diagnostics_))
        return false;
    if (ast.kind == Ast::Kind::fields && type->kind() == TypeKind::array)
        return equal_leaves(constants, ast, *type, what, into);
    if (ast.kind == Ast::Kind::fields && type->kind() == TypeKind::structure)
        return field_leaves(constants, ast, type, into);
    if (ast.kind == Ast::Kind::list) {
        if (!list_leaves(constants, ast, type, what, into))
            return false;
    } else if (ast.kind == Ast::Kind::file) {
        if (type->kind() != TypeKind::array) {
            diagnostics_.add(
                Code::type_mismatch, ast.where,
                fmt::format("file(...) fills an array, but {} is {}", what, type->name()));
            return false;
        }
        TypeRef element = type;
        std::uint64_t count = 1, last = 1;
        for (; element->kind() == TypeKind::array; element = element->element())
            count *= last = element->count();
        if (!file_leaves(ast, *element, count, count == last ? 1 : last, what, into))
            return false;
    } else
        return value_leaves(constants, ast, type, what, into);
    into.resize(begin + type->leaf_count(), 0);
    return true;
}

std::shared_ptr<const expr::ConstantArray>
Initials::constant(const Ast& ast, const TypeRef& type, bool unsized, const std::string& what) {
    auto result = std::make_shared<expr::ConstantArray>();
    Constants constants{scope_, diagnostics_};
    if (!unsized) {
        result->type = type;
        return leaves(constants, ast, type, what, result->leaves) ? result : nullptr;
    }
    if (ast.kind == Ast::Kind::file) {
        if (!file_leaves(ast, *type, 0, 1, what, result->leaves))
            return nullptr;
        result->type = Type::array(type, result->leaves.size() / type->leaf_count());
        return result;
    }
    if (ast.kind != Ast::Kind::list) {
        diagnostics_.add(Code::bad_type, ast.where,
                         "T[] takes its length from a list or a file(...)");
        return nullptr;
    }
    result->type = Type::array(type, ast.operands.size());
    return leaves(constants, ast, result->type, what, result->leaves) ? result : nullptr;
}

bool mentions(const Ast& ast, const std::set<std::string>& names) {
    if (ast.kind == Ast::Kind::name && names.count(ast.text))
        return true;
    return std::any_of(ast.operands.begin(), ast.operands.end(),
                       [&](const expr::AstRef& operand) { return mentions(*operand, names); });
}

std::optional<std::vector<std::byte>> Initials::slots(const Ast& ast, const TypeRef& type,
                                                      const Shape& shape, const std::string& what) {
    std::set<std::string> indices;
    for (const Shape::Dimension& dimension : shape.dimensions)
        if (!dimension.index.empty())
            indices.insert(dimension.index);
    std::vector<std::byte> bytes;
    std::vector<std::uint64_t> values;
    if (!mentions(ast, indices)) {
        Constants constants{scope_, diagnostics_};
        if (!leaves(constants, ast, type, what, values))
            return std::nullopt;
        put_leaves(*type, values.data(), bytes);
        return bytes;
    }
    return each_slot(ast, type, shape, what);
}

namespace {

/// Iterates over the indices of a family's members, in order.
class Members {
public:
    explicit Members(const Shape& shape) : shape_{shape}, count_{shape.count()} {
        if (count_ > 0)
            at_ = shape.indices(0);
    }
    const std::vector<std::int64_t>& at() const { return at_; }
    std::uint64_t number() const { return number_; }
    bool done() const { return number_ == count_; }
    void next() {
        if (++number_ == count_)
            return;
        if (!shape_.kept.empty()) {
            at_ = shape_.indices(number_);
            return;
        }
        for (std::size_t d = at_.size(); d-- > 0;) {
            const Shape::Dimension& dimension = shape_.dimensions[d];
            if (++at_[d] < dimension.low + static_cast<std::int64_t>(dimension.count))
                return;
            at_[d] = dimension.low;
        }
    }

private:
    const Shape& shape_;
    const std::uint64_t count_;
    std::vector<std::int64_t> at_;
    std::uint64_t number_ = 0;
};

} // namespace

std::optional<expr::Formula> Initials::formula(const Ast& ast, const TypeRef& type,
                                               const Shape& shape) {
    std::vector<expr::Formula::Index> indices;
    for (const Shape::Dimension& dimension : shape.dimensions) {
        const auto low = Integer{dimension.low}, count = static_cast<Integer>(dimension.count);
        indices.push_back({dimension.index, {low, low + std::max(count, Integer{1}) - 1}});
    }
    const NetworkScope::Glance glance{scope_}; // the evaluating elaborator marks names as used
    return expr::Formula::of(ast, type, indices, scope_);
}

std::optional<std::vector<std::byte>> Initials::each_slot(const Ast& ast, const TypeRef& type,
                                                          const Shape& shape,
                                                          const std::string& what) {
    std::optional<expr::Formula> formula = this->formula(ast, type, shape);
    expr::Fuel& fuel = scope_.fuel();
    std::optional<Constants> constants;
    constexpr std::uint64_t most = 4096; // evaluations until renewal: it keeps all nodes
    static_assert(most * expr::Formula::max_nodes < expr::Elaborator::max_nodes,
                  "what formulas know is not too large for the elaborator");
    std::uint64_t made_at = 0;
    std::vector<std::byte> bytes;
    std::vector<std::uint64_t> values;
    for (Members member{shape}; !member.done(); member.next()) {
        if (const auto value = formula ? formula->evaluate(member.at()) : std::nullopt) {
            const std::uint64_t units = leaf_fuel + formula->fuel();
            if (!fuel.reported && units <= fuel.left) {
                fuel.spend(units);
                put_scalar(*type, *value, bytes);
                continue;
            }
        }
        if (!constants || member.number() / most != made_at / most) {
            constants.emplace(scope_, diagnostics_);
            made_at = member.number();
        }
        for (std::size_t d = 0; d < member.at().size(); ++d)
            constants->elaborator().bind(shape.dimensions[d].index,
                                         expr::BoundExpr::number(member.at()[d]));
        values.clear();
        if (!leaves(*constants, ast, type, what, values))
            return std::nullopt;
        put_leaves(*type, values.data(), bytes);
    }
    return bytes;
}

expr::BoundExpr value_of(const Ast& ast, expr::Elaborator& elaborator, const std::string& advice) {
    if (ast.kind == Ast::Kind::fields) {
        std::vector<expr::FieldValue> fields;
        for (const expr::AstRef& operand : ast.operands) {
            fields.push_back({operand->text, operand->where,
                              value_of(*operand->operands[0], elaborator, advice)});
            if (!fields.back().value.ok())
                return {};
        }
        return expr::struct_of(fields, advice, elaborator);
    }
    if (ast.kind != Ast::Kind::list)
        return elaborator.loaded(elaborator.evaluate(ast), ast.where);
    std::vector<expr::BoundExpr> elements;
    std::vector<Location> where;
    for (const expr::AstRef& operand : ast.operands) {
        elements.push_back(value_of(*operand, elaborator, advice));
        where.push_back(operand->where);
    }
    return expr::array_of(std::move(elements), where, elaborator);
}

} // namespace sme::yaml
