// SPDX-License-Identifier: Apache-2.0
#include "python/simulation.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "base/file_access.hpp"
#include "base/source.hpp"
#include "lockstep/comparison.hpp"
#include "network/access.hpp"
#include "python/values.hpp"
#include "session/run/run.hpp"
#include "sme/trace.hpp"
#include "trace/format.hpp"

namespace nb = nanobind;

namespace sme::python {

namespace {

[[noreturn]] void refuse_thread() {
    throw std::runtime_error{"this simulator is in use by another thread; a simulator belongs to "
                             "one thread at a time"};
}

/// Lets one call at a time use a simulation.
class Use {
public:
    explicit Use(std::atomic<bool>& busy) : busy_{busy} {
        if (busy_.exchange(true))
            refuse_thread();
    }
    ~Use() { busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

private:
    std::atomic<bool>& busy_;
};

/// Refuses to write over a file of another kind, or over the network.
void claim(const std::string& path, const std::string& what, const std::string& network,
           const std::function<bool(std::string_view begin)>& fits) {
    FileAccess files;
    files.note_read(network);
    std::string problem; // for the command
    switch (files.claim({path, what, false, fits}, problem)) {
    case FileAccess::Refusal::none: return;
    case FileAccess::Refusal::is_read:
        throw nb::value_error(
            fmt::format("'{}' is the network that runs, not {}", path, what).c_str());
    default:
        throw nb::value_error(
            fmt::format("'{}' exists and is not {}; delete it, or choose another name", path, what)
                .c_str());
    }
}

/// Raises an exception of the package, with the cycle and what went wrong in it.
[[noreturn]] void raise(const char* name, const std::string& text, std::uint64_t cycle,
                        const nb::list& what, const nb::object& cause = {}) {
    const nb::object type = nb::module_::import_("sme.errors").attr(name);
    const nb::object error = type(text, cycle, what);
    if (cause.is_valid()) {
        error.attr("__cause__") = cause;
        error.attr("__suppress_context__") = true;
    }
    PyErr_SetObject(type.ptr(), error.ptr());
    throw nb::python_error();
}

/// What is fed to an input: an array or a list of rows, or a dict of these for a struct.
nb::object rows_of(nb::handle given, const std::string& name, std::uint64_t cycles) {
    if (nb::isinstance<nb::dict>(given)) {
        nb::dict fields;
        for (const auto& [key, each] : nb::cast<nb::dict>(given))
            fields[key] = rows_of(
                each, fmt::format("{}.{}", name, nb::cast<std::string>(nb::str(key))), cycles);
        return fields;
    }
    nb::object rows = nb::borrow(given);
    if (!nb::isinstance<nb::list>(rows) && !nb::isinstance<nb::tuple>(rows))
        rows = nb::module_::import_("numpy").attr("asarray")(rows);
    if (nb::hasattr(rows, "ndim") && nb::cast<int>(rows.attr("ndim")) == 0)
        throw nb::type_error(
            fmt::format("'{}' is fed a row for each cycle; give an array or a list of rows", name)
                .c_str());
    if (nb::len(rows) < cycles)
        throw nb::value_error(
            fmt::format("'{}' has {} rows, but {} cycles are to run", name, nb::len(rows), cycles)
                .c_str());
    return rows;
}

nb::object row_of(nb::handle rows, std::uint64_t cycle) {
    if (!nb::isinstance<nb::dict>(rows))
        return rows[cycle];
    nb::dict fields;
    for (const auto& [key, each] : nb::cast<nb::dict>(rows))
        fields[key] = row_of(each, cycle);
    return fields;
}

/// Runs shorter than this do without the preparations of longer ones.
constexpr std::uint64_t short_run = 256;

} // namespace

Simulation::Simulation(const std::string& path, Options options)
    : path_{path}, network_{sme::load(path, options.load)}, network_graph_{network_.graph()},
      execution_{options.interpreted ? Execution::interpreted : Execution::automatic} {
    options.simulator.print = [this](const std::string& line) { prints_.push_back(line); };
    for (const ProcessText& process : options.processes) {
        add_process(network_, process, raised_);
        kept_.push_back(process.step);
    }
    for (const ProcessText& process : options.against) {
        agreements_.push_back(add_against(network_, process, raised_));
        kept_.push_back(process.step);
    }
    lockstep::make_inputs(NetworkAccess::graph(network_));
    simulator_ = std::make_unique<Simulator>(network_, options.simulator);
    if (!options.trace.empty()) {
        if (!options.trace.ends_with(".vcd") && !options.trace.ends_with(".fst"))
            throw nb::value_error(
                fmt::format("a trace is a file .vcd or .fst, not '{}'", options.trace).c_str());
        const trace::Format& format = trace::format_of(options.trace);
        claim(options.trace, std::string{format.what}, path, [&](std::string_view begin) {
            begin.remove_prefix(std::min(begin.find_first_not_of(" \t\r\n"), begin.size()));
            return std::any_of(format.begins.begin(), format.begins.end(),
                               [&](std::string_view each) { return begin.starts_with(each); });
        });
        TraceOptions trace;
        trace.clock_ps = network_.clock_ps();
        trace.select = options.trace_select;
        trace.state = options.trace_state;
        trace_vcd(*simulator_, options.trace, trace);
    }
    if (options.native)
        sme::compile(*simulator_);
}

Simulation::~Simulation() = default;

void Simulation::check_free() const {
    if (busy_.load(std::memory_order_relaxed))
        refuse_thread();
}

Simulator& Simulation::simulator() {
    if (finished_)
        throw std::runtime_error{"this simulator has finished; load another one"};
    return *simulator_;
}

std::string Simulation::name() const {
    return network_graph_.name;
}

std::string Simulation::state() const {
    if (finished_)
        return "finished";
    const RunEnd end = SimulatorAccess::engine(*simulator_).ending();
    if (end == RunEnd::completed || end == RunEnd::stopped)
        return "running";
    std::string word{session::ending_of(end).word};
    std::replace(word.begin(), word.end(), '-', ' ');
    return word;
}

void Simulation::show_prints() {
    if (prints_.empty())
        return;
    const nb::object print = nb::module_::import_("builtins").attr("print");
    for (const std::string& line : prints_)
        print(line);
    prints_.clear();
}

/// Throws what ended the run, if that is an error.
void Simulation::check_end() {
    if (SimulatorAccess::engine(*simulator_).ending() != RunEnd::check_failed)
        return;
    std::string text;
    nb::list failed;
    std::uint64_t when = cycle() - 1;
    for (const CheckResult& check : network_.checks(*simulator_)) {
        if (!check.has_failed())
            continue;
        failed.append(check);
        text += fmt::format("{}{}: the check '{}' failed in cycle {}", text.empty() ? "" : "\n",
                            check.place, check.text, check.cycle);
        for (std::size_t k = 0; k < check.values.size(); ++k)
            text += fmt::format("{}'{}' is {}", k == 0 ? ": " : ", ", check.values[k].first,
                                check.values[k].second);
    }
    for (const OutputResult& output : network_.outputs(*simulator_))
        if (!output.difference.empty())
            text +=
                fmt::format("{}{}: {}", text.empty() ? "" : "\n", output.path, output.difference);
    for (const auto& agreement : agreements_)
        if (agreement->difference) {
            text += (text.empty() ? "" : "\n") + agreement->text();
            when = agreement->difference->cycle;
        }
    raise("CheckFailed", text, when, failed);
}

void Simulation::raise_fault(const std::string& text) const {
    nb::list findings;
    for (const Diagnostic& fault : SimulatorAccess::engine(*simulator_).faults())
        findings.append(nb::make_tuple(std::string{info(fault.code).slug}, fault.message,
                                       describe(fault.where)));
    const nb::object cause = std::move(raised_->error); // it may refer to this simulation
    if (cause.is_valid() && PyObject_IsInstance(cause.ptr(), PyExc_Exception) == 0) {
        PyErr_SetObject(cause.type().ptr(), cause.ptr()); // Ctrl-C or exit(), no mistake
        throw nb::python_error();
    }
    raise("Fault", text, cycle() - 1, findings, cause);
}

std::uint64_t Simulation::run(std::uint64_t cycles) {
    const Use use{busy_};
    Simulator& simulator = this->simulator();
    if (const std::string ended = state(); ended == "faulted" || ended == "check failed")
        throw std::runtime_error{fmt::format("this run has ended ({}) and cannot go on", ended)};
    ++moment_;
    const std::uint64_t before = simulator.cycle();
    bool interrupted = false;
    try {
        nb::gil_scoped_release release;
        if (cycles < short_run)
            simulator.run(Cycles{cycles});
        else if (!simulator.halted()) {
            RunOptions options;
            options.execution = execution_;
            options.go_on = [&](std::uint64_t) {
                nb::gil_scoped_acquire acquire;
                show_prints();
                interrupted = PyErr_CheckSignals() != 0;
                return !interrupted;
            };
            sme::run(simulator, Cycles{cycles}, options);
        }
    } catch (const ModelFault& fault) {
        show_prints();
        raise_fault(fault.what());
    }
    if (interrupted)
        throw nb::python_error();
    show_prints();
    check_end();
    return simulator.cycle() - before;
}

nb::dict Simulation::run_rows(std::uint64_t cycles, const nb::dict& feed,
                              const nb::object& record) {
    struct Fed {
        Signal signal;
        nb::object rows;
    };
    std::vector<Fed> fed;
    for (const auto& [key, value] : feed) {
        Fed one{signal(nb::cast<std::string>(key)), {}};
        if (!one.signal.input)
            throw NetworkError{fmt::format("'{}' is no input", one.signal.path)};
        one.rows = rows_of(value, one.signal.path, cycles);
        fed.push_back(std::move(one));
    }
    std::vector<Signal> seen;
    for (nb::handle path : record)
        seen.push_back(signal(nb::cast<std::string>(path)));
    std::vector<std::vector<std::byte>> rows(seen.size());
    std::uint64_t done = 0;
    for (; done < cycles && state() == "running"; ++done) {
        for (const Fed& one : fed)
            one.signal.set(row_of(one.rows, done));
        const auto copy = [&](bool wires) {
            for (std::size_t k = 0; k < seen.size(); ++k)
                if (seen[k].wire == wires) {
                    const std::size_t end = static_cast<std::size_t>(done) * seen[k].bytes();
                    rows[k].resize(end + seen[k].bytes());
                    seen[k].copy(rows[k].data() + end);
                }
        };
        copy(false);
        if (run(1) == 0)
            break;
        copy(true);
    }
    nb::dict result;
    for (std::size_t k = 0; k < seen.size(); ++k) {
        std::vector<std::uint64_t> shape{done};
        shape.insert(shape.end(), seen[k].shape.begin(), seen[k].shape.end());
        rows[k].resize(seen[k].bytes() * static_cast<std::size_t>(done));
        result[seen[k].path.c_str()] = array_of(rows[k], *seen[k].type, shape);
    }
    return result;
}

void Simulation::finish() {
    if (finished_)
        return;
    const bool ended = simulator_->halted();
    simulator().finish();
    show_prints();
    finished_ = true;
    if (!ended)
        check_end(); // it shows in the last values
}

void Simulation::save(const std::string& path) {
    claim(path, "a checkpoint", path_,
          [](std::string_view begin) { return begin.starts_with("SME checkpoint\n"); });
    simulator().save(path);
}

std::vector<CheckResult> Simulation::checks() {
    return network_.checks(*simulator_);
}

std::vector<OutputResult> Simulation::outputs() {
    return network_.outputs(*simulator_);
}

const std::byte* Simulation::slot(std::uint64_t element) const {
    check_free();
    return SimulatorAccess::engine(*simulator_).access().value(element);
}

const Segments& Simulation::slots(const BusFamily& bus) const {
    const auto place = static_cast<std::size_t>(&bus - network_graph_.buses.data());
    return SimulatorAccess::engine(*simulator_).layout().buses[place].read;
}

engine::Access& Simulation::access() {
    check_free();
    return SimulatorAccess::engine(simulator()).access();
}

std::vector<std::string> Simulation::names() const {
    std::vector<std::string> result;
    for (const BusFamily& bus : network_graph_.buses)
        if (!bus.generated)
            result.push_back(bus.name);
    for (const ProcessFamily& process : network_graph_.processes)
        for (const Memory& memory : process.memories)
            if (!process.observer && !process.helper)
                result.push_back(fmt::format("{}.{}", process.name, memory.name));
    return result;
}

std::vector<std::string> Simulation::inputs() const {
    std::vector<std::string> result;
    for (const BusFamily& bus : network_graph_.buses)
        if (bus.input)
            result.push_back(bus.name);
    return result;
}

} // namespace sme::python
