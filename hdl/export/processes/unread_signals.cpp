// SPDX-License-Identifier: Apache-2.0
//
// 1. Collects signals and constants from their declarations; 2. marks the bits of each that are
// read; 3. removes wires and constants without a read bit, until none is left; 4. lists the
// remaining bits.
#include "export/modules/scope_signals.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "export/modules/hdl_value.hpp"
#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"

namespace sme::hdl {

namespace {

using rtl::Items;

/// The bits of a signal or constant that are read.
struct Bits {
    bool is_memory = false; // read as a whole, or not at all
    std::vector<bool> read;

    void read_bits(std::uint64_t low, std::uint64_t high) {
        for (std::uint64_t bit = low; bit <= high && bit < read.size(); ++bit)
            read[bit] = true;
    }
    bool is_read() const { return std::find(read.begin(), read.end(), true) != read.end(); }
};

class Reads {
public:
    explicit Reads(const rtl::Module& module) {
        for (const rtl::Parameter& parameter : module.parameters)
            declare(parameter.what);
        for (const rtl::Port& port : module.ports)
            if (!port.output)
                declare(port.what);
        for (const rtl::Item& item : module.items)
            if (const auto* constant = std::get_if<rtl::Constant>(&item))
                declare(constant->what);
            else if (const auto* net = std::get_if<rtl::Net>(&item); net && !net->what.is_integer)
                declare(net->what, net->words > 0);
            else if (const auto* elements = std::get_if<rtl::Elements>(&item))
                declare(*elements);
        for (const rtl::Item& item : module.items)
            std::visit(*this, item);
    }
    /// Collects the declarations of a function.
    explicit Reads(const rtl::Function& function) {
        for (const auto* all : {&function.inputs, &function.variables})
            for (const rtl::Declared& each : *all)
                if (!each.is_integer)
                    declare(each);
        (*this)(function);
    }

    bool is_read(const std::string& name) const {
        const auto known = all_.find(name);
        return known == all_.end() || known->second.is_read();
    }

    /// Returns the unread bits as slices: of the nets of a run, or of those outside all runs.
    std::vector<std::string> unread(const rtl::Elements::Run* run = nullptr) const {
        std::vector<std::string> result;
        for (const auto& [name, each] : all_) {
            const auto of = runs_.find(name);
            if ((of == runs_.end() ? nullptr : of->second) != run)
                continue;
            const std::uint64_t width = each.read.size();
            for (std::uint64_t bit = 0; bit < width; ++bit) {
                if (each.read[bit])
                    continue;
                std::uint64_t high = bit;
                while (high + 1 < width && !each.read[high + 1])
                    ++high;
                result.push_back(each.is_memory                  ? name + "[0]"
                                 : bit == 0 && high + 1 == width ? name
                                 : bit == high                   ? fmt::format("{}[{}]", name, bit)
                                               : fmt::format("{}[{}:{}]", name, high, bit));
                bit = high;
            }
        }
        return result;
    }

    void operator()(const rtl::Blank&) {}
    void operator()(const rtl::Comment&) {}
    void operator()(const rtl::Constant& constant) { look(constant.value); }
    void operator()(const rtl::Net& net) { look(net.value); }
    void operator()(const rtl::Assign& assign) {
        each_place(assign.target, mark(), false);
        look(assign.value);
    }
    void operator()(const rtl::Process& process) {
        if (process.kind == rtl::Process::Kind::clocked)
            mark()(rtl::Place::all_of(process.clock, 1));
        each_read(process.body, mark());
        wakes(process.body);
    }
    void operator()(const rtl::Function& function) {
        each_read(function.body, mark());
        look(function.value);
    }
    void operator()(const rtl::Instance& instance) { connect(instance, nullptr); }
    void operator()(const rtl::Generate& generate) {
        rtl::each_step(generate.loops,
                       [&](const rtl::Variables& at) { connect(generate.instance, &at); });
    }
    void operator()(const rtl::Elements& elements) {
        for (const rtl::Elements::Run& run : elements.runs)
            each_step(run.loops, [&](const rtl::Variables& at) {
                const auto visit = mark(&at);
                for (const rtl::Net& net : run.nets)
                    each_place(net.value, visit);
                each_place(run.element.value, visit);
            });
        for (const rtl::Assign& other : elements.others)
            look(other.value);
    }

private:
    void declare(const rtl::Declared& what, bool is_memory = false) {
        all_.emplace(
            what.name,
            Bits{is_memory, std::vector<bool>(is_memory || what.is_integer ? 1 : what.width)});
    }

    void declare(const rtl::Elements& elements) {
        declare(elements.whole.what);
        for (const rtl::Elements::Run& run : elements.runs)
            for (const rtl::Net& net : run.nets) {
                declare(net.what);
                runs_[net.what.name] = &run;
            }
    }

    /// Marks a place as read; in a run, for the element at these values of its variables.
    std::function<void(const rtl::Place&)> mark(const rtl::Variables* at = nullptr) {
        return [this, at](const rtl::Place& place) {
            const auto known = all_.find(place.name);
            if (known == all_.end())
                return;
            if (known->second.is_memory)
                return known->second.read_bits(0, 0);
            const auto by =
                at && place.moved ? rtl::integer_value(*place.moved, *at) : std::nullopt;
            if (by) {
                const std::uint64_t low = place.low + static_cast<std::uint64_t>(*by);
                known->second.read_bits(low, low + place.width - 1);
            } else if (place.moved || place.whole())
                known->second.read_bits(0, place.total);
            else
                known->second.read_bits(place.low, place.low + place.width - 1);
        };
    }
    void look(const ExprRef& expr, const rtl::Variables* at = nullptr) {
        if (expr)
            each_place(expr, mark(at));
    }
    void connect(const rtl::Instance& instance, const rtl::Variables* at) {
        for (const rtl::Given& given : instance.parameters)
            look(given.value);
        for (const rtl::Connection& each : instance.connections)
            if (!each.driven)
                look(each.to, at);
            else if (each.to)
                driven(each.to);
    }
    /// Marks the indices of a target that an instance drives.
    void driven(const ExprRef& expr) {
        if (expr->kind == rtl::Expr::Kind::place)
            each_place(expr->place, mark(), false);
        for (const ExprRef& operand : expr->operands)
            driven(operand);
    }
    /// Marks `rst` as read by woken blocks.
    void wakes(const rtl::Statements& statements) {
        for (const rtl::Statement& each : statements)
            if (each.kind == rtl::Statement::Kind::wake)
                mark()(rtl::Place::all_of("rst", 1));
    }

    std::map<std::string, Bits> all_;
    std::map<std::string, const rtl::Elements::Run*> runs_; // by net
};

/// Returns the name of an item that may be removed (a wire with a value, a constant, or a net `set`
/// by its own block), else null.
const std::string* removable(const rtl::Item& item, const std::set<std::string>& set) {
    if (const auto* constant = std::get_if<rtl::Constant>(&item))
        return &constant->what.name;
    if (const auto* elements = std::get_if<rtl::Elements>(&item))
        return &elements->whole.what.name;
    if (const auto* process = std::get_if<rtl::Process>(&item))
        return process->sets.empty() ? nullptr : &process->sets;
    const auto* net = std::get_if<rtl::Net>(&item);
    return net && (net->value || set.count(net->what.name) > 0) ? &net->what.name : nullptr;
}

/// Removes unread items with the comments above; returns true if it removed any.
bool remove_once(rtl::Module& module) {
    const Reads reads{module};
    Items left, notes;
    bool any = false;
    std::set<std::string> set; // by their own blocks
    for (const rtl::Item& item : module.items)
        if (const auto* process = std::get_if<rtl::Process>(&item))
            set.insert(process->sets);
    for (rtl::Item& item : module.items)
        if (auto* elements = std::get_if<rtl::Elements>(&item))
            for (rtl::Elements::Run& run : elements->runs)
                any = std::erase_if(
                          run.nets,
                          [&](const rtl::Net& net) { return !reads.is_read(net.what.name); }) > 0 ||
                      any;
    for (rtl::Item& item : module.items) {
        if (std::holds_alternative<rtl::Comment>(item)) {
            notes.push_back(std::move(item));
            continue;
        }
        const std::string* const name = removable(item, set);
        if (name && !reads.is_read(*name))
            any = true;
        else {
            append(left, std::move(notes));
            left.push_back(std::move(item));
        }
        notes.clear();
    }
    append(left, std::move(notes));
    module.items = std::move(left);
    return any;
}

/// Tests whether a text contains a word that is not part of a longer one.
bool has_word(const std::string& text, const std::string& word) {
    const auto is_letter = [&](std::size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size()))
            return true;
    return false;
}

} // namespace

void remove_unread(rtl::Module& module) {
    while (remove_once(module)) {
    }
    for (rtl::Item& item : module.items)
        if (auto* function = std::get_if<rtl::Function>(&item); function && function->words.empty())
            function->is_partly_read = !Reads{*function}.unread().empty();
    const Reads reads{module};
    module.unread = reads.unread();
    std::vector<rtl::Elements::Run*> partly_read;
    for (rtl::Item& item : module.items)
        if (auto* elements = std::get_if<rtl::Elements>(&item))
            for (rtl::Elements::Run& run : elements->runs)
                if (run.unread = reads.unread(&run); !run.unread.empty())
                    partly_read.push_back(&run);
    if (module.unread.empty() && partly_read.empty())
        return;
    std::string name = "unused";
    const std::string text = verilog(module);
    while (has_word(text, name))
        name += "_";
    if (!module.unread.empty())
        module.unused = name;
    for (rtl::Elements::Run* run : partly_read)
        run->unused = name + "_here";
}

} // namespace sme::hdl
