// SPDX-License-Identifier: Apache-2.0
//
// Members of a family differ where `use` is a list, or where a value under `with` uses an index.
// Each member is evaluated; those with equal components and values make a group.
#include "yaml/load/instance_groups.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/parser.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

namespace {

class Grouping {
public:
    Grouping(const Shape& shape, const Node& body, Context& outer)
        : shape_{shape}, use_{*body.find("use")}, outer_{outer}, diagnostics_{outer.diagnostics} {
        if (const Node* with = body.find("with"); with && with->is_map())
            find_varying(*with);
    }

    std::vector<InstanceGroup> run() {
        if (use_.is_list() && !check_list())
            return {};
        if (!use_.is_list() && varying_.empty())
            return {{shape_, &use_}};
        for (std::uint64_t k = 0; k < shape_.count(); ++k)
            if (!add(k))
                return {};
        if (groups_.size() == 1)
            groups_[0].shape = shape_;
        return std::move(groups_);
    }

private:
    struct Varying {
        std::string parameter;
        const Node* value;
        expr::AstRef ast;
    };

    void find_varying(const Node& with) {
        std::set<std::string> indices;
        for (const Shape::Dimension& dimension : shape_.dimensions)
            if (!dimension.index.empty())
                indices.insert(dimension.index);
        Diagnostics quiet; // what cannot be read is reported when it is evaluated
        for (const auto& [key, value] : with.entries)
            if (const expr::AstRef ast =
                    value.is_text() ? expr::parse_expression(value.text, quiet) : nullptr;
                ast && mentions(*ast, indices))
                varying_.push_back({key.text.text, &value, ast});
    }

    /// "use: [a, b, a]" names a component for each member.
    bool check_list() {
        if (shape_.dimensions.empty()) {
            wrong_shape(use_, "the name of a component", diagnostics_);
            return false;
        }
        if (use_.items.size() == shape_.count())
            return true;
        diagnostics_.add(Code::bad_range, use_.where,
                         fmt::format("a list under 'use' names a component for each member, so it "
                                     "has {} names, but here are {}",
                                     shape_.count(), use_.items.size()));
        return false;
    }

    bool add(std::uint64_t member) {
        const Node& use = use_.is_list() ? use_.items[member] : use_;
        const std::vector<std::int64_t> at = shape_.indices(member);
        std::map<std::string, Integer> indices;
        for (std::size_t d = 0; d < at.size(); ++d)
            if (!shape_.dimensions[d].index.empty())
                indices[shape_.dimensions[d].index] = at[d];
        std::string key = use.text.text;
        for (const Varying& each : varying_)
            if (!add_value(each, use.text.text, indices, key))
                return false;
        const auto [found, fresh] = group_of_.try_emplace(std::move(key), groups_.size());
        if (fresh) {
            if (groups_.size() == Limits::instance_groups) {
                diagnostics_.add(
                    Code::too_large, use_.where,
                    fmt::format("the members of a family have at most {} different sets of "
                                "parameters; give what differs to an input, as in "
                                "'in: {{gain: k + 1}}'",
                                Limits::instance_groups));
                return false;
            }
            groups_.push_back({Shape{shape_.dimensions}, &use, std::move(indices)});
        }
        groups_[found->second].shape.kept.push_back(shape_.kept.empty() ? member
                                                                        : shape_.kept[member]);
        return true;
    }

    /// Appends what the value is for one member. A file has a name, which is the same for all.
    bool add_value(const Varying& varying, const std::string& use,
                   const std::map<std::string, Integer>& indices, std::string& key) {
        if (!outer_.spend(200, varying.value->where))
            return false;
        const ParameterText::Kind kind = kind_of(use, varying.parameter);
        if (kind == ParameterText::Kind::file)
            return true;
        Constants constants{outer_.scope, diagnostics_};
        for (const auto& [index, value] : indices)
            constants.elaborator().bind(index, expr::Value::number(value));
        if (kind == ParameterText::Kind::number) {
            const auto value = constants.elaborator().constant(*varying.ast, "a parameter");
            if (value)
                key += ' ' + to_string(*value);
            return value.has_value();
        }
        const TypeRef type = constants.elaborator().type(*varying.ast);
        if (!type)
            return false;
        auto known = std::find_if(types_.begin(), types_.end(),
                                  [&](const TypeRef& each) { return *each == *type; });
        if (known == types_.end())
            known = types_.insert(known, type);
        key += fmt::format(" type {}", known - types_.begin());
        return true;
    }

    ParameterText::Kind kind_of(const std::string& use, const std::string& parameter) const {
        const auto component = outer_.components.find(use);
        const Node* parameters = component != outer_.components.end()
                                     ? component->second->root.find("parameters")
                                     : nullptr;
        const Node* declared = parameters ? parameters->find(parameter) : nullptr;
        return declared && declared->is_text() ? parameter_text(declared->text).kind
                                               : ParameterText::Kind::number;
    }

    const Shape& shape_;
    const Node& use_;
    Context& outer_;
    Diagnostics& diagnostics_;
    std::vector<Varying> varying_;
    std::vector<InstanceGroup> groups_;
    std::map<std::string, std::size_t> group_of_;
    std::vector<TypeRef> types_;
};

} // namespace

std::vector<InstanceGroup> instance_groups(const Shape& shape, const Node& body, Context& outer) {
    return Grouping{shape, body, outer}.run();
}

} // namespace sme::yaml
