// SPDX-License-Identifier: Apache-2.0
//
// One definition for each form that the tables reach, and for each kind of file; at the top level,
// a choice between the kinds of files.
#include "yaml/print/schema.hpp"

#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "yaml/print/document.hpp"
#include "yaml/read/format.hpp"
#include "yaml/syntax/readers.hpp"

namespace sme::yaml {

namespace {

class SchemaWriter {
public:
    Json run() {
        Json root = Json::map();
        root.set("$schema", Json::text("http://json-schema.org/draft-07/schema#"));
        root.set("type", Json::text("object"));
        choose_between_files(root);
        for (std::size_t k = 0; k < waiting_.size(); ++k) // grows as definitions need others
            definitions_.set(waiting_[k]->id, definition(*waiting_[k]));
        root.set("definitions", std::move(definitions_));
        return root;
    }

private:
    /// Selects the kind of file by its keys.
    void choose_between_files(Json& root) {
        Json names = Json::list();
        for (const Key& key : format::library)
            names.push(Json::text(key.name));
        root.set("if", Json::map().set("required", Json::texts({"component"})));
        root.set("then", file("component", format::component));
        Json only = Json::map();
        only.set("minProperties", Json::word("1"))
            .set("propertyNames", Json::map().set("enum", std::move(names)));
        Json networks = Json::map();
        networks.set("if", Json::map().set("required", Json::texts({"of"})))
            .set("then", file("test", test_file_keys()))
            .set("else", file("network", format::network));
        root.set("else", Json::map()
                             .set("if", std::move(only))
                             .set("then", file("library", format::library))
                             .set("else", std::move(networks)));
    }

    Json file(const std::string& name, std::span<const Key> keys) {
        Json result = Json::map().set("type", Json::text("object"));
        describe_map(result, keys, nullptr);
        definitions_.set(name + "_file", std::move(result));
        return reference(name + "_file");
    }

    static Json reference(const std::string& id) {
        return Json::map().set("$ref", Json::text("#/definitions/" + id));
    }
    Json reference(const Form& form) {
        if (seen_.insert(form.id).second)
            waiting_.push_back(&form);
        return reference(std::string{form.id});
    }

    /// Adds the constraints of a map; they do not apply to other values.
    void describe_map(Json& result, std::span<const Key> keys, const Form* members) {
        Json properties = Json::map(), patterns = Json::map(), needed = Json::list();
        for (const Key& key : keys) {
            Json value = Json::map().set("description", Json::text(key.meaning));
            if (key.form)
                value.set("allOf", Json::list({reference(*key.form)}));
            if (key.argument) // "at 8", "if(a)"
                patterns.set("^" + std::string{key.name} + "[ (]", std::move(value));
            else
                properties.set(key.name, std::move(value));
            if (key.required)
                needed.push(Json::text(key.name));
        }
        if (properties.size() > 0)
            result.set("properties", std::move(properties));
        if (patterns.size() > 0)
            result.set("patternProperties", std::move(patterns));
        if (needed.size() > 0)
            result.set("required", std::move(needed));
        result.set("additionalProperties", members ? reference(*members) : Json::word("false"));
    }

    static Json has_some_of(const Form& form) {
        Json ways = Json::list();
        for (const std::string_view name : form.some_of)
            ways.push(Json::map().set("required", Json::texts({name})));
        return ways;
    }

    Json definition(const Form& form) {
        Json result = shapes(form);
        for (std::size_t k = form.instead.size(); k-- > 0;) {
            Json keyed = Json::map();
            keyed.set("type", Json::text("object")).set("anyOf", has_some_of(*form.instead[k]));
            result = Json::map()
                         .set("if", std::move(keyed))
                         .set("then", reference(*form.instead[k]))
                         .set("else", std::move(result));
        }
        return result;
    }

    /// Merges all shapes: each keyword of JSON Schema applies only to values of its own type.
    Json shapes(const Form& form) {
        const bool map = !form.keys.empty() || form.members;
        Json types = Json::list(), result = Json::map();
        if (form.text) // YAML tools turn some texts into numbers and bools
            for (const char* type : {"string", "number", "boolean"})
                types.push(Json::text(type));
        if (form.items)
            types.push(Json::text("array"));
        if (map)
            types.push(Json::text("object"));
        if (form.empty)
            types.push(Json::text("null"));
        result.set("type", std::move(types));
        if (!form.words.empty() && (form.items || map)) // a pattern is for texts only
            result.set("pattern", Json::text(fmt::format("^({})$", fmt::join(form.words, "|"))));
        else if (!form.words.empty()) {
            Json words = Json::list();
            for (const std::string_view word : form.words)
                words.push(Json::text(word));
            result.set("enum", std::move(words));
        }
        if (form.items)
            result.set("items", reference(*form.items));
        if (map)
            describe_map(result, form.keys, form.members);
        if (form.single || form.filled)
            result.set("minProperties", Json::word("1"));
        if (form.single)
            result.set("maxProperties", Json::word("1"));
        if (!form.some_of.empty())
            result.set("anyOf", has_some_of(form));
        return result;
    }

    Json definitions_ = Json::map();
    std::vector<const Form*> waiting_;
    std::set<std::string_view> seen_;
};

} // namespace

std::string schema() {
    return SchemaWriter{}.run().dump() + "\n";
}

} // namespace sme::yaml
