// SPDX-License-Identifier: Apache-2.0
//
// The compiled part of the Python package `sme`. The package itself, in Python, is what users see.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/disk_cache.hpp"
#include "python/simulation.hpp"
#include "session/loading.hpp"

namespace nb = nanobind;

namespace {

using namespace sme;
using python::Signal;
using python::Simulation;

const char* word_of(CheckResult::Kind kind) {
    switch (kind) {
    case CheckResult::Kind::not_reached: return "not reached";
    case CheckResult::Kind::passed: return "passed";
    case CheckResult::Kind::failed: return "failed";
    case CheckResult::Kind::faulted: return "faulted";
    default: return "pending";
    }
}

/// What sme.Process has in it.
python::ProcessText process_of(nb::handle given) {
    python::ProcessText result;
    result.name = nb::cast<std::string>(given.attr("name"));
    for (nb::handle name : nb::object(given.attr("reads")))
        result.reads.push_back(nb::cast<std::string>(name));
    for (nb::handle name : nb::object(given.attr("writes")))
        result.writes.push_back(nb::cast<std::string>(name));
    result.step = given.attr("_call");
    const auto address = nb::cast<std::uintptr_t>(given.attr("_address"));
    result.code = reinterpret_cast<python::ProcessText::Code*>(address);
    result.state_bytes = nb::cast<std::size_t>(given.attr("_state"));
    return result;
}

Simulation::Options options_of(const nb::dict& given) {
    Simulation::Options result;
    const auto take = [&](const char* name, auto& into) {
        if (given.contains(name) && !nb::try_cast(given[name], into))
            throw nb::type_error(
                (std::string{"the option '"} + name + "' has a value of another kind").c_str());
    };
    take("parameters", result.load.parameters);
    take("library", result.load.library);
    take("write_outputs", result.load.write_outputs);
    take("allow", result.load.allow);
    take("seed", result.load.seed);
    take("size", result.load.size);
    take("test", result.load.test);
    take("driven", result.load.driven);
    take("threads", result.simulator.threads);
    take("checks", result.load.checks);
    take("native", result.native);
    take("interpreted", result.interpreted);
    take("trace", result.trace);
    take("trace_select", result.trace_select);
    take("trace_state", result.trace_state);
    result.simulator.seed = result.load.seed;
    for (auto [name, into] :
         {std::pair{"processes", &result.processes}, std::pair{"against", &result.against}})
        if (given.contains(name))
            for (nb::handle each : given[name])
                into->push_back(process_of(each));
    if (given.contains("text") && !given["text"].is_none())
        result.load.text = nb::cast<std::string>(given["text"]);
    if (given.contains("verilog") && nb::cast<bool>(given["verilog"])) {
        result.load.verilog.emplace().folder = session::cache_folder("verilog");
        if (is_of_another(result.load.verilog->folder))
            result.load.verilog->folder.clear(); // its code would be executed
    }
    if (given.contains("warning"))
        result.load.warning = [call = nb::object(given["warning"])](const std::string& text) {
            call(text);
        };
    return result;
}

/// For Python's garbage collector: the objects that a simulation and a signal refer to.
int traverse_simulation(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self))
        for (const nb::object& each : nb::inst_ptr<Simulation>(self)->kept())
            Py_VISIT(each.ptr());
    return 0;
}

int clear_simulation(PyObject* self) {
    std::vector<nb::object> kept;
    kept.swap(nb::inst_ptr<Simulation>(self)->kept());
    return 0;
}

int traverse_signal(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self))
        return 0;
    const Signal& signal = *nb::inst_ptr<Signal>(self);
    Py_VISIT(signal.owner.ptr());
    for (const auto& [name, part] : signal.parts)
        Py_VISIT(part.ptr());
    return 0;
}

int clear_signal(PyObject* self) {
    std::map<std::string, nb::object> parts;
    parts.swap(nb::inst_ptr<Signal>(self)->parts);
    return 0;
}

PyType_Slot simulation_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_simulation)},
                                  {Py_tp_clear, reinterpret_cast<void*>(clear_simulation)},
                                  {0, nullptr}};
PyType_Slot signal_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_signal)},
                              {Py_tp_clear, reinterpret_cast<void*>(clear_signal)},
                              {0, nullptr}};

nb::object signal_of(nb::handle simulation, const std::string& path) {
    Signal signal = nb::cast<Simulation&>(simulation).signal(path);
    signal.owner = nb::borrow(simulation);
    return nb::cast(std::move(signal));
}

/// The signal of a part: a field, an element, a member.
nb::object part_of(nb::handle self, const std::string& part) {
    Signal& signal = nb::cast<Signal&>(self);
    const auto known = signal.parts.find(part);
    if (known != signal.parts.end())
        return known->second;
    return signal.parts[part] = signal_of(signal.owner, signal.path + part);
}

/// "3", or "1, 2" for a tuple.
std::string text_of_index(nb::handle index) {
    std::string text;
    const auto add = [&](nb::handle each) {
        const nb::object number = nb::steal(PyNumber_Index(each.ptr()));
        if (!number.is_valid())
            throw nb::python_error();
        text += (text.empty() ? "" : ", ") + nb::cast<std::string>(nb::str(number));
    };
    if (nb::isinstance<nb::tuple>(index))
        for (nb::handle each : index)
            add(each);
    else
        add(index);
    return text;
}

/// Translates an exception of C++ into one of Python.
template <class Exception> void translate(nb::module_& module, const char* name, PyObject* base) {
    nb::exception<Exception>(module, name, base); // registers itself
}

/// Lets Python copy a result and send it to other processes; `members` refers to all its members.
template <class Result, class Members>
void add_pickling(nb::class_<Result>& bound, const Members& members) {
    const auto copies = [=](Result& result) {
        return std::apply([](auto&... each) { return std::make_tuple(each...); }, members(result));
    };
    using State = decltype(copies(std::declval<Result&>()));
    bound.def("__getstate__", copies);
    bound.def("__setstate__",
              [=](Result& result, const State& state) { members(*new (&result) Result) = state; });
}

void bind_results(nb::module_& module) {
    nb::class_<CheckResult> checks(module, "Check", "The outcome of a check of the network.");
    checks
        .def_prop_ro(
            "state", [](const CheckResult& check) { return word_of(check.kind); },
            "'passed', 'failed', 'faulted' (its evaluation), 'not reached' or 'pending' (a "
            "temporal condition is open)")
        .def_ro("text", &CheckResult::text, "the check as written")
        .def_ro("owner", &CheckResult::owner, "the instance that contains it; '': the network")
        .def_ro("place", &CheckResult::place, "file:line:column")
        .def_ro("cycle", &CheckResult::cycle,
                "of the failure or fault, or of the first hit of `eventually` and `cover`")
        .def_ro("evaluated", &CheckResult::evaluated, "in how many cycles")
        .def_ro("values", &CheckResult::values, "of a failure or fault: (operand, value)")
        .def("__repr__", [](const CheckResult& check) {
            return std::string{"<"} + word_of(check.kind) + ": " + check.text + ">";
        });
    add_pickling(checks, [](CheckResult& result) {
        return std::tie(reinterpret_cast<std::uint8_t&>(result.kind), result.text, result.owner,
                        result.place, result.cycle, result.evaluated, result.values);
    });
    nb::class_<OutputResult> outputs(module, "Output", "A recorded output of the network.");
    outputs.def_ro("path", &OutputResult::path)
        .def_ro("rows", &OutputResult::rows, "recorded so far")
        .def_ro("expected_rows", &OutputResult::expected_rows, "None: nothing is expected")
        .def_ro("difference", &OutputResult::difference, "the first one, or ''")
        .def_ro("problem", &OutputResult::problem, "why the file cannot be written, or ''")
        .def_ro("faulted", &OutputResult::faulted,
                "the cycle in which the evaluation of a row faulted, or None");
    add_pickling(outputs, [](OutputResult& result) {
        return std::tie(result.path, result.rows, result.expected_rows, result.difference,
                        result.problem, result.faulted);
    });
}

void bind_signal(nb::module_& module) {
    nb::class_<Signal>(module, "Signal", nb::type_slots(signal_slots),
                       "A value of a simulation: a bus, a family of buses, a field, a state or a "
                       "memory.")
        .def_prop_rw("value", &Signal::get, &Signal::set,
                     "The value that readers see in the next cycle: a bool, an int, the name of a "
                     "member of an enumeration, or a NumPy array (a copy). Only inputs can be set.",
                     nb::for_getter(nb::sig("def value(self) -> typing.Any")),
                     nb::for_setter(nb::sig("def value(self, value: typing.Any, /) -> None")))
        .def(
            "__getattr__",
            [](nb::handle self, const std::string& name) {
                if (name.starts_with('_'))
                    throw nb::attribute_error(name.c_str());
                return part_of(self, "." + name);
            },
            nb::sig("def __getattr__(self, name: str, /) -> Signal"))
        .def(
            "__getitem__",
            [](nb::handle self, nb::handle index) {
                if (nb::isinstance<nb::str>(index))
                    return part_of(self, "." + nb::cast<std::string>(index));
                return part_of(self, "[" + text_of_index(index) + "]");
            },
            nb::sig("def __getitem__(self, index: typing.Any, /) -> Signal"))
        .def_prop_ro("_last", &Signal::last, nb::sig("def _last(self) -> typing.Any"))
        .def(
            "_view", [](nb::handle self) { return nb::cast<const Signal&>(self).view(self); },
            nb::sig("def _view(self) -> typing.Any"))
        .def_ro("path", &Signal::path)
        .def_ro("shape", &Signal::shape, "of a family or a memory; [] otherwise")
        .def_prop_ro(
            "type", [](const Signal& signal) { return signal.type->name(); },
            "as in the network: 'u8', 'Sample'")
        .def_prop_ro("dtype", &Signal::dtype, nb::sig("def dtype(self) -> typing.Any"),
                     "the NumPy dtype of one value")
        .def_ro("is_wire", &Signal::wire)
        .def_ro("is_input", &Signal::input, "whether it can be set")
        .def("__repr__", [](const Signal& signal) {
            return "<signal " + signal.path + ": " + signal.type->name() + ">";
        });
}

} // namespace

NB_MODULE(_sme, module) {
#ifdef NDEBUG
    nb::set_leak_warnings(false); // an interactive session may keep simulators until its end
#endif
    module.doc() = "The compiled part of the package sme.";
    translate<NetworkError>(module, "NetworkError", PyExc_ValueError);
    translate<CompileError>(module, "CompileError", PyExc_RuntimeError);
    translate<CheckpointError>(module, "CheckpointError", PyExc_OSError);
    translate<ObserverError>(module, "TraceError", PyExc_OSError);

    bind_results(module);
    bind_signal(module);
    module.def(
        "tests",
        [](const std::string& path, const nb::dict& options) {
            std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>> result;
            for (const TestEntry& each : tests_of(path, options_of(options).load))
                result.emplace_back(each.name, each.first_seed, each.last_seed);
            return result;
        },
        nb::sig("def tests(path: str, options: dict[str, typing.Any], /) -> list[tuple[str, int, "
                "int]]"));

    nb::class_<Simulation>(module, "Simulation", nb::type_slots(simulation_slots))
        .def(
            "__init__",
            [](Simulation* self, const std::string& path, const nb::dict& options) {
                new (self) Simulation{path, options_of(options)};
            },
            nb::sig("def __init__(self, path: str, options: dict[str, typing.Any], /) -> None"))
        .def("run", &Simulation::run)
        .def("run_rows", &Simulation::run_rows,
             nb::sig("def run_rows(self, cycles: int, feed: dict[str, typing.Any], "
                     "record: typing.Any, /) -> dict[str, typing.Any]"))
        .def("finish", &Simulation::finish)
        .def("compile", &Simulation::compile)
        .def("signal", &signal_of, nb::sig("def signal(self, path: str, /) -> Signal"))
        .def("checks", &Simulation::checks)
        .def("outputs", &Simulation::outputs)
        .def("save", &Simulation::save)
        .def("load", &Simulation::load)
        .def_prop_ro("moment", &Simulation::moment)
        .def_prop_ro("cycle", &Simulation::cycle)
        .def_prop_ro("state", &Simulation::state)
        .def_prop_ro("cycles", &Simulation::cycles)
        .def_prop_ro("ends_by_itself", &Simulation::ends_by_itself)
        .def_prop_ro("name", &Simulation::name)
        .def_prop_ro("names", &Simulation::names)
        .def_prop_ro("inputs", &Simulation::inputs);
}
