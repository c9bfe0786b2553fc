// SPDX-License-Identifier: Apache-2.0
#include "native/emit/kernel_writer.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "native/emit/function_splitter.hpp"

namespace sme::native {

namespace {

using Kind = Pattern::Kind;

constexpr std::string_view table_name = "_table"; // and its number, and "_"

/// Instances behind the variables of a kernel: `b`, and `k`, the place in the block.
class KernelSite final : public Site {
public:
    KernelSite(const Subject& subject, const Pieces& pieces, const Pattern& pattern, bool aliases,
               Tables& tables)
        : subject_{subject}, pieces_{pieces}, pattern_{pattern}, aliases_{aliases}, tables_{tables},
          bases_(pieces.ports.size()) {}

    std::string slot(std::uint32_t port, std::uint32_t offset, CType type, bool write) override {
        const std::size_t map = pieces_.map_of(port);
        std::string& base = bases_[map][write ? 1 : 0];
        if (base.empty())
            base = fmt::format("_{}_{}", c_name(subject_.family.ports[port].name),
                               write ? "out" : "in") +
                   fmt::format("{}", map);
        std::string at = base;
        if (pattern_.kind == Kind::line)
            at += fmt::format(" + (i64)k * {}l", pattern_.strides[map]);
        if (offset > 0)
            at += fmt::format(" + {}", offset);
        return fmt::format("*({}{} *)({})", write ? "" : "const ", type.name(), at);
    }

    std::string memory(std::uint32_t number) override {
        const interpret::Places& places = subject_.places;
        const MemorySlots& memory = places.memories[number];
        std::string base = datum({Datum::Kind::memory, number});
        if (number >= places.own_memories)
            return base;
        const std::string position = pattern_.kind == Kind::single ? "b->first" : "(b->first + k)";
        return fmt::format("{} + {} * {}ul", base, position,
                           memory.words_each * memory.element->size());
    }

    std::string table(std::uint32_t number, CType type) override {
        const expr::Table& table = subject_.program.tables[number];
        if (table.values.size() <= Tables::most_values)
            return tables_.name(table, type);
        return fmt::format("((const u64 *){})", datum({Datum::Kind::table, number}));
    }

    std::string instance() override {
        const std::size_t map = pieces_.ports.size();
        switch (pattern_.kind) {
        case Kind::single: return fmt::format("(u64)b->at[{}]", map);
        case Kind::line:
            return fmt::format("(u64)(b->at[{}] + (i64)k * {}l)", map, pattern_.strides[map]);
        default: return fmt::format("(u64)b->table[{}][b->first + k]", map);
        }
    }

    std::string place() override {
        if (subject_.program.kept.empty())
            return instance();
        return fmt::format("((const u64 *){})[{}]", datum({Datum::Kind::kept}), instance());
    }

    std::string random_family() override { return "b->random"; }

    std::string pending(std::size_t number) override {
        if (!subject_.commits_later)
            return {};
        const std::string position = pattern_.kind == Kind::single ? "b->first" : "(b->first + k)";
        return fmt::format("b->pending[{} * PENDING + {}]", position, number);
    }

    std::string collected() override {
        const std::string position = pattern_.kind == Kind::single ? "b->first" : "(b->first + k)";
        return fmt::format("(b->pending + {} * PENDING)", position);
    }

    /// The variables that all this needs, where they stand in the function.
    std::string outside() const {
        std::string made;
        for (std::size_t d = 0; d < data_.size(); ++d)
            made += fmt::format("    u8 *const _data{0} = b->data[{0}];\n", d);
        return made + (pattern_.kind == Kind::table ? "" : bases("    "));
    }
    std::string inside() const { return pattern_.kind == Kind::table ? bases("        ") : ""; }
    const std::vector<Datum>& data() const { return data_; }

private:
    std::string datum(const Datum& wanted) {
        auto found = std::find(data_.begin(), data_.end(), wanted);
        if (found == data_.end())
            found = data_.insert(data_.end(), wanted);
        return fmt::format("_data{}", found - data_.begin());
    }

    std::string bases(const char* indent) const {
        std::string made;
        for (std::size_t map = 0; map < bases_.size(); ++map)
            for (const bool write : {false, true})
                if (!bases_[map][write ? 1 : 0].empty())
                    made += fmt::format("{}{}u8 *{}const {} = b->{} + {};\n", indent,
                                        write ? "" : "const ", aliases_ ? "" : "restrict ",
                                        bases_[map][write ? 1 : 0], write ? "write" : "read",
                                        pattern_.kind == Kind::table
                                            ? fmt::format("b->table[{}][b->first + k]", map)
                                            : fmt::format("b->at[{}]", map));
        return made;
    }

    const Subject& subject_;
    const Pieces& pieces_;
    const Pattern& pattern_;
    const bool aliases_;
    Tables& tables_;
    std::vector<std::array<std::string, 2>> bases_; // of each map: read, written
    std::vector<Datum> data_;
};

std::string indented(const Statement& statement) {
    return statement.lines("        ");
}

/// A loop over the block.
std::string loop(const PartText& text, const PartShape& shape, const KernelSite& site) {
    std::string body = site.inside();
    for (const Statement& value : text.values)
        body += indented(value);
    for (const Statement& rare : text.rare)
        body += shape.stepwise ? fmt::format("        if ({}) return lanes - k;\n", rare.text)
                               : fmt::format("        rare |= {};\n", rare.text);
    for (const Statement& store : text.stores)
        body += indented(store);
    for (const Statement& write : text.writes)
        body += indented(write);
    const bool collects = shape.may_stop && !shape.stepwise;
    // the count stands in a variable: what is stored might else be seen as part of the block, and
    // the loop would be no vector loop
    return fmt::format(
        "u64 NAME(const struct block *b)\n{{\n    const u64 lanes = b->count;\n{}{}    for "
        "(u64 k = 0; k < lanes; ++k) {{\n{}    }}\n    return {};\n}}\n",
        site.outside(), collects ? "    u8 rare = 0;\n" : "", body,
        collects ? "rare ? lanes : 0" : "0");
}

std::string straight(PartText&& text, const KernelSite& site) {
    FunctionSplitter made{"NAME", "const struct block *b", "b", site.outside()};
    for (Statement& value : text.values)
        made.add(std::move(value));
    for (Statement& rare : text.rare) {
        rare.text = fmt::format("if ({}) return 1;", rare.text);
        made.add(std::move(rare));
    }
    for (Statement& store : text.stores)
        made.add(std::move(store));
    for (Statement& write : text.writes)
        made.add(std::move(write));
    return made.text();
}

/// Whether loops of the part can become vector code.
bool is_plain(const expr::Program& program, const expr::PartProgram& part) {
    bool reads = false;
    expr::for_each_node(
        part, [&](expr::NodeId id) { reads = reads || expr::is_read(program.nodes[id].op); });
    return !reads;
}

} // namespace

std::string Tables::name(const expr::Table& table, CType type) {
    std::string values;
    for (std::size_t k = 0; k < table.values.size(); ++k)
        values += fmt::format("{}{}{},", k % 16 == 0 ? "\n    " : " ",
                              Arithmetic{1}.literal(table.type, table.values[k]), "");
    const auto [known, fresh] = known_.try_emplace(type.name() + values, texts_.size());
    std::string name = fmt::format("{}{}_", table_name, known->second + 1);
    if (fresh)
        texts_.push_back(
            fmt::format("static const {} {}[] = {{{}}};\n", type.name(), name, values));
    return name;
}

std::string Tables::text(const std::vector<const std::string*>& functions) const {
    if (texts_.empty())
        return {};
    std::vector<bool> named(texts_.size());
    for (const std::string* const function : functions)
        for (std::size_t at = 0; (at = function->find(table_name, at)) != std::string::npos;) {
            at += table_name.size();
            std::size_t number = 0;
            std::from_chars(function->data() + at, function->data() + function->size(), number);
            if (number >= 1 && number <= named.size())
                named[number - 1] = true;
        }
    std::string made;
    for (std::size_t k = 0; k < texts_.size(); ++k)
        if (named[k])
            made += texts_[k];
    return made;
}

PartShape shape_of(const expr::PartProgram& part) {
    PartShape shape;
    shape.stepwise = expr::writes_memories(part) || !part.memory_resets.empty();
    shape.loops = !part.loops.empty();
    shape.collects = std::any_of(part.loops.begin(), part.loops.end(),
                                 [](const auto& loop) { return !loop.memory_writes.empty(); });
    shape.may_stop = !part.faults.empty() || !part.halts.empty() || !part.memory_resets.empty() ||
                     !part.prints.empty();
    return shape;
}

KernelText write_kernel(const Subject& subject, unsigned part, const Pieces& pieces,
                        const Pattern& pattern, bool aliases, Tables& tables) {
    const expr::Program& program = subject.program;
    const expr::PartProgram& text = program.parts[part];
    const PartShape shape = shape_of(text);
    const bool narrow = shape.loops || (pattern.kind == Pattern::Kind::line && !shape.stepwise &&
                                        is_plain(program, text));
    const Arithmetic arithmetic{narrow ? 1U : 4U};
    KernelSite site{subject, pieces, pattern, aliases, tables};
    Names names;
    PartText made = PartWriter{subject, part, arithmetic, site, names}.run();
    KernelText kernel;
    kernel.body = pattern.kind == Pattern::Kind::single ? straight(std::move(made), site)
                                                        : loop(made, shape, site);
    for (std::size_t at = 0; (at = kernel.body.find("PENDING", at)) != std::string::npos;)
        kernel.body.replace(at, 7, std::to_string(waiting_places(program, text)) + "ul");
    kernel.data = site.data();
    return kernel;
}

} // namespace sme::native
