// SPDX-License-Identifier: Apache-2.0
//
// Members of a family differ if `use` is a list, or if a value under `with` uses an index. Each
// member is evaluated; members with equal components and values form a group.
#include "yaml/load/instance_groups.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

namespace {

class Grouping {
public:
    Grouping(const Shape& shape, const ProcessSyntax& body, Context& outer)
        : shape_{shape}, use_{*body.use}, outer_{outer}, diagnostics_{outer.diagnostics} {
        find_varying(body.with);
    }

    std::vector<InstanceGroup> run() {
        if (use_.list && !check_list())
            return {};
        if (!use_.list && varying_.empty())
            return {{shape_, &use_.names[0]}};
        for (std::uint64_t k = 0; k < shape_.count(); ++k)
            if (!add(k))
                return {};
        if (groups_.size() == 1)
            groups_[0].shape = shape_;
        return std::move(groups_);
    }

private:
    void find_varying(const std::vector<GivenSyntax>& with) {
        std::set<std::string> indices;
        for (const Shape::Dimension& dimension : shape_.dimensions)
            if (!dimension.index.empty())
                indices.insert(dimension.index);
        for (const GivenSyntax& each : with)
            if (each.ast && mentions(*each.ast, indices))
                varying_.push_back(&each);
    }

    /// Checks "use: [a, b, a]": a component for each member.
    bool check_list() {
        if (shape_.dimensions.empty()) {
            diagnostics_.add(Code::wrong_shape, use_.where,
                             "this is a list, but the name of a component belongs here");
            return false;
        }
        if (use_.names.size() == shape_.count())
            return true;
        diagnostics_.add(Code::bad_range, use_.where,
                         fmt::format("a list under 'use' names a component for each member, so it "
                                     "has {} names, but here are {}",
                                     shape_.count(), use_.names.size()));
        return false;
    }

    bool add(std::uint64_t member) {
        const Word& use = use_.names[use_.list ? member : 0];
        const std::vector<std::int64_t> at = shape_.indices(member);
        std::map<std::string, Integer> indices;
        for (std::size_t d = 0; d < at.size(); ++d)
            if (!shape_.dimensions[d].index.empty())
                indices[shape_.dimensions[d].index] = at[d];
        std::string key = use.text;
        for (const GivenSyntax* each : varying_)
            if (!add_value(*each, use.text, indices, key))
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

    /// Appends the value for one member. A file parameter adds nothing: its name is the same for
    /// all members.
    bool add_value(const GivenSyntax& varying, const std::string& use,
                   const std::map<std::string, Integer>& indices, std::string& key) {
        if (!outer_.spend(200, varying.text.all()))
            return false;
        const ParameterSyntax::Kind kind = kind_of(use, varying.name.text);
        if (kind == ParameterSyntax::Kind::file)
            return true;
        Constants constants{outer_.scope, diagnostics_};
        for (const auto& [index, value] : indices)
            constants.elaborator().bind(index, expr::Value::number(value));
        if (kind == ParameterSyntax::Kind::number) {
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

    ParameterSyntax::Kind kind_of(const std::string& use, const std::string& parameter) const {
        if (const auto component = outer_.components.find(use);
            component != outer_.components.end())
            for (const ParameterSyntax& declared : component->second->syntax.names.parameters)
                if (declared.name.text == parameter)
                    return declared.kind;
        return ParameterSyntax::Kind::number;
    }

    const Shape& shape_;
    const UseSyntax& use_;
    Context& outer_;
    Diagnostics& diagnostics_;
    std::vector<const GivenSyntax*> varying_;
    std::vector<InstanceGroup> groups_;
    std::map<std::string, std::size_t> group_of_;
    std::vector<TypeRef> types_;
};

} // namespace

std::vector<InstanceGroup> instance_groups(const Shape& shape, const ProcessSyntax& body,
                                           Context& outer) {
    return Grouping{shape, body, outer}.run();
}

} // namespace sme::yaml
