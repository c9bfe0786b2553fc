// SPDX-License-Identifier: Apache-2.0
#include "native/toolchain/c_module.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "native/emit/c_text.hpp"

namespace sme::native {

namespace {

constexpr std::uint32_t no_plan = ~std::uint32_t{0};
constexpr std::size_t max_fused_statements = 20'000;          // of all fused steps in one file
constexpr std::size_t max_large_fused_statements = 1'000'000; // in several
// in one function of a large network: so few that threads share the functions evenly
constexpr std::size_t max_fused_in_one = 2'000;
constexpr std::size_t statement_bytes = 56; // of C, approximately

/// The interpreter's operations for one instance in a cycle.
std::uint64_t operations_of(const expr::PartProgram& part) {
    return part.nodes.size() + part.stores.size() + part.memory_writes.size();
}

/// The operations for all instances.
std::uint64_t operations_of(const Subject& subject) {
    std::uint64_t sum = 0;
    for (const expr::PartProgram& part : subject.program.parts)
        sum += operations_of(part);
    return sum * subject.places.order.size();
}

/// False if an index selects from slots in so many runs that the choice among them is too much C.
bool selects_from_few_runs(const interpret::ResultsGroup& group) {
    constexpr std::size_t most = 64;
    bool few = true;
    expr::for_each_node(group.program().parts[0], [&](expr::NodeId id) {
        const expr::Node& node = group.program().nodes[id];
        few = few &&
              (node.op != expr::Op::load_at || group.places().ports[node.b].runs().size() <= most);
    });
    return few;
}

/// True if the processes are run one by one: the interpreter runs many instances of a kind faster
/// than code that is not optimised. What waits for the end of the cycle must not be divided between
/// two modules.
bool is_quick(const interpret::ProgramGroup& group) {
    constexpr std::uint64_t most = 16;
    return group.places().order.size() <= most && !group.commits_later();
}

} // namespace

CModule::CModule(const Graph& graph, const std::vector<Group*>& groups, std::uint64_t wires_begin,
                 std::vector<ScheduledStep> steps, const ModuleOptions& options)
    : network_{graph.name}, wires_begin_{wires_begin}, options_{options},
      plan_of_(graph.processes.size(), no_plan), steps_{std::move(steps)}, placed_{
                                                                               options.file_bytes} {
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        const Abilities group = abilities_of(groups[f]);
        if (group.program && options_.quick && !is_quick(*group.program))
            continue;
        if (group.program)
            add({graph.processes[f], *group.program}, f, *group.program);
        else if (group.results && selects_from_few_runs(*group.results))
            write_results({graph.processes[f], *group.results}, f);
    }
    large_ = is_large(graph);
    if (large_)
        place_families();
    else
        placed_.make_one();
    write_fused(graph);
    place_rest();
    if (!options_.quick)
        write_cycle_kernels(graph);
    place_cycle_kernels();
    if (large_)
        weigh_files(graph);
}

void CModule::add(const Subject& subject, std::uint32_t family, interpret::ProgramGroup& group) {
    FamilyPlan result{family, &group, {}, operations_of(subject)};
    plan_of_[family] = static_cast<std::uint32_t>(families_.size());
    for (unsigned part = 0; part < group.program().parts.size(); ++part)
        result.parts.push_back(plan(subject, part));
    families_.push_back(std::move(result));
}

PartPlan CModule::plan(const Subject& subject, unsigned part) {
    const expr::Program& program = subject.program;
    PartPlan result;
    result.counts = part == subject.counting;
    result.shape = shape_of(program.parts[part]);
    result.runs = InstanceRuns::of(program, program.parts[part], subject.places);
    const bool may_alias = aliases(subject, part);
    for (const Pattern& pattern : result.runs.patterns) {
        const auto function = [&](bool some) {
            KernelText kernel = write_kernel(subject, part, result.runs, pattern, may_alias, some,
                                             functions_.tables());
            const std::uint32_t number = functions_.share(subject, kernel.body);
            return PartPlan::Function{number, functions_[number].name, std::move(kernel.data),
                                      large_ && functions_[number].file != CFunction::no_file};
        };
        result.functions.push_back(function(false));
        if (!options_.quick && may_skip(subject, part, options_.least_skipped))
            result.some.push_back(function(true));
    }
    return result;
}

/// True if the part both reads and writes wires.
bool CModule::aliases(const Subject& subject, unsigned part) const {
    const expr::Program& program = subject.program;
    const auto is_wire = [&](std::uint32_t port) {
        const auto& runs = subject.places.ports[port].runs();
        return std::any_of(runs.begin(), runs.end(), [&](const Segment& run) {
            return static_cast<std::uint64_t>(run.offset) >= wires_begin_;
        });
    };
    const expr::PartProgram& text = program.parts[part];
    bool reads = false;
    expr::for_each_node(text, [&](expr::NodeId id) {
        reads = reads || (program.nodes[id].op == expr::Op::load && is_wire(program.nodes[id].a));
    });
    return reads && std::any_of(text.stores.begin(), text.stores.end(),
                                [&](const expr::Store& store) { return is_wire(store.port); });
}

void CModule::write_results(const Subject& subject, std::uint32_t family) {
    FusedStepsWriter writer{functions_.unique(fmt::format("results_{}", results_.size() + 1)), 0,
                            wires_begin_, functions_.tables()};
    writer.add_results(subject, family);
    const std::string text = writer.text();
    FusedPlan plan = writer.plan();
    plan.function = functions_.add(
        plan.name,
        fmt::format("\n/* what {} at */\n{}",
                    subject.family.file.empty() ? "checks look" : subject.family.file + " looks",
                    text));
    results_.push_back({family, std::move(plan), operations_of(subject)});
}

const FamilyPlan* CModule::family(std::uint32_t number) const {
    const bool has = number < plan_of_.size() && plan_of_[number] != no_plan;
    return has ? &families_[plan_of_[number]] : nullptr;
}

/// True if the C needs several files. The size of fused steps is estimated, since their text
/// depends on the answer; a cycle kernel is short.
bool CModule::is_large(const Graph& graph) const {
    std::size_t statements = 0;
    for (const ScheduledStep& step : steps_)
        statements += fused_size(graph, step);
    return functions_.bytes() + std::min(statements, max_fused_statements) * statement_bytes >
           options_.file_bytes;
}

/// Places the most expensive families first.
void CModule::place_families() {
    struct Placed {
        std::uint64_t operations;
        std::vector<std::uint32_t> functions;
    };
    std::vector<Placed> all;
    for (FamilyPlan& family : families_) {
        Placed& result = all.emplace_back(Placed{family.operations, {}});
        for (PartPlan& part : family.parts)
            for (auto* const functions : {&part.functions, &part.some})
                for (PartPlan::Function& function : *functions) {
                    result.functions.push_back(function.number);
                    function.elsewhere = true;
                }
    }
    for (const ResultsPlan& results : results_)
        all.push_back({results.operations, {results.fused.function}});
    std::stable_sort(all.begin(), all.end(), [](const Placed& one, const Placed& other) {
        return one.operations > other.operations;
    });
    for (const Placed& placed : all)
        for (const std::uint32_t function : placed.functions)
            placed_.place(functions_[function], function);
}

/// Places the remaining functions, in separate files if there are several.
void CModule::place_rest() {
    placed_.close();
    for (std::uint32_t k = 0; k < functions_.size(); ++k)
        placed_.place(functions_[k], k);
}

/// Functions that only the kernel of one thread calls, by name, are in its file.
void CModule::place_cycle_kernels() {
    if (!cycle_kernels_.empty()) {
        placed_.open();
        for (std::uint32_t k = 0; k <= cycle_kernels_[0].threads[0].function; ++k)
            placed_.place(functions_[k], k);
    }
    place_rest();
}

/// Computes the benefit of each file. Single processes whose steps are fused need their own
/// functions only when several threads run.
void CModule::weigh_files(const Graph& graph) {
    benefits_.resize(files().size());
    std::vector<bool> in_fused(plan_of_.size(), true);
    std::uint32_t next = 0; // next step to examine
    const auto leave_out = [&](std::uint32_t end) {
        for (; next < end; ++next)
            if (const FamilyPlan* const plan = family(steps_[next].family))
                in_fused[plan->family] = false;
    };
    for (const FusedPlan& fused : fused_) {
        leave_out(fused.first);
        for (; next < fused.end; ++next) {
            const ScheduledStep& step = steps_[next];
            const FamilyPlan& plan = *family(step.family);
            const Subject subject{graph.processes[plan.family], *plan.group};
            if (step.part >= plan.parts.size())
                continue;
            if (are_single(subject, step))
                benefits_[functions_[fused.function].file].in_fused +=
                    operations_of(subject.program.parts[step.part]) * step.range.count;
            else
                in_fused[plan.family] = false;
        }
    }
    leave_out(static_cast<std::uint32_t>(steps_.size()));
    const auto add = [&](std::uint32_t function, std::uint64_t operations, bool covered) {
        Benefit& benefit = benefits_[functions_[function].file];
        benefit.alone += operations;
        benefit.beside_fused += covered ? 0 : operations;
    };
    for (const FamilyPlan& plan : families_)
        if (!plan.parts.empty() && !plan.parts.back().functions.empty())
            add(plan.parts.back().functions.back().number, plan.operations,
                in_fused[plan.family] && !steps_.empty());
    for (const ResultsPlan& results : results_)
        add(results.fused.function, results.operations, false);
}

std::vector<std::size_t> CModule::order(bool one_thread) const {
    std::vector<std::size_t> result(files().size());
    std::iota(result.begin(), result.end(), std::size_t{0});
    if (!large_)
        return result;
    const auto worth = [&](std::size_t file) {
        const Benefit& benefit = benefits_[file];
        return one_thread ? benefit.in_fused + benefit.beside_fused : benefit.alone;
    };
    std::stable_sort(result.begin(), result.end(),
                     [&](std::size_t one, std::size_t other) { return worth(one) > worth(other); });
    return result;
}

/// The number of statements of a fused step; 0 if it cannot be fused.
std::size_t CModule::fused_size(const Graph& graph, const ScheduledStep& step) const {
    const FamilyPlan* const plan = family(step.family);
    if (!plan)
        return 0;
    return FusedStepsWriter::size(
        {graph.processes[plan->family], *plan->group},
        step.part < plan->parts.size() ? &plan->parts[step.part] : nullptr, step);
}

/// Fuses as many consecutive steps as possible.
void CModule::write_fused(const Graph& graph) {
    const std::size_t max_in_one =
        large_ ? std::clamp<std::size_t>(options_.file_bytes / statement_bytes, 1, max_fused_in_one)
               : ~std::size_t{0};
    std::size_t left = large_ ? max_large_fused_statements : max_fused_statements;
    std::optional<FusedStepsWriter> writer;
    const auto finish = [&] {
        if (writer && writer->steps() > 0)
            add_fused(*writer);
        writer.reset();
    };
    for (std::uint32_t k = 0; k < steps_.size(); ++k) {
        const ScheduledStep& step = steps_[k];
        const std::size_t size = fused_size(graph, step);
        if (size == 0 || size > left || step.apart ||
            (writer && writer->statements() + size > max_in_one))
            finish();
        if (size == 0 || size > left)
            continue;
        const FamilyPlan& plan = *family(step.family);
        const Subject subject{graph.processes[plan.family], *plan.group};
        const PartPlan* const part =
            step.part < plan.parts.size() ? &plan.parts[step.part] : nullptr;
        if (writer && !writer->accepts(subject, part))
            finish();
        if (!writer)
            writer.emplace(functions_.unique(fmt::format("steps_{}", fused_.size() + 1)), k,
                           wires_begin_, functions_.tables());
        if (part)
            writer->add(subject, *part, step);
        else
            writer->add_commit(subject, plan.family);
        left -= size;
    }
    finish();
}

void CModule::add_fused(FusedStepsWriter& writer) {
    const std::string text = writer.text();
    FusedPlan plan = writer.plan();
    plan.function = functions_.add(
        plan.name, fmt::format("\n/* what follows in a cycle on one thread: steps {} to {} */\n{}",
                               plan.first, plan.end - 1, text));
    fused_.push_back(std::move(plan));
}

std::string CModule::text_of(const std::vector<std::uint32_t>& functions) const {
    std::vector<const std::string*> texts;
    for (const std::uint32_t number : functions)
        texts.push_back(&functions_[number].text);
    std::string result = fmt::format("/* network {} */\n\n{}\n{}", network_, prelude(),
                                     functions_.tables().text(texts));
    for (const std::string* const text : texts)
        result += *text;
    return result;
}

std::string CModule::text(std::size_t file) const {
    return text_of(files()[file]);
}

std::string CModule::text() const {
    std::vector<std::uint32_t> all;
    for (const std::vector<std::uint32_t>& file : files())
        all.insert(all.end(), file.begin(), file.end());
    return text_of(all);
}

} // namespace sme::native
