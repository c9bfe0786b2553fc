// SPDX-License-Identifier: Apache-2.0
//
// The tables of the format, and the only definition of each key's name: the loader looks up keys
// here, and the schema is generated from them.
#include "yaml/read/format.hpp"

#include <array>

namespace sme::yaml {

namespace {

constexpr Key required(Key key) {
    key.required = true;
    return key;
}
constexpr Key with_argument(Key key) {
    key.argument = true;
    return key;
}

// The forms of values after a key. Forms refer to tables, and tables to forms.
constexpr Form text{.id = "text", .text = true};
constexpr Form texts{.id = "texts", .items = &text};
constexpr Form named_texts{.id = "named_texts", .members = &text, .empty = true};
constexpr Form one_or_more{.id = "one_or_more", .text = true, .items = &text};
extern const Form known_value;
constexpr Form known_values{.id = "known_values", .members = &known_value, .empty = true};
constexpr std::array<std::string_view, 2> crossing_words{"sampled", "stable"};
constexpr Form crossing{.id = "crossing", .text = true, .words = crossing_words};
constexpr Form crossings{.id = "crossings", .members = &crossing, .empty = true};
constexpr Form ports{.id = "ports", .text = true, .items = &text, .members = &known_value};

extern const Form against_form, verilog_form, clock_form, reset_form, resets_form, trace_form,
    active_form, sequence, sequence_arms, branches, procedures, stages, stall_form, type, types,
    right_hand_side, right_hand_sides, right_hand_side_arms, block, block_arms, functions,
    processes, at_end_form, edge_form, sample_form, unknown_form, inputs, outputs, checks, run_form,
    tests, files_form;

constexpr Key import_key =
    Key{"import", "files whose names are used here: [stream.yaml, fifo.yaml]", &texts};
constexpr Key parameters_key =
    Key{"parameters", "numbers, types and files that --set and 'with' can change: {depth: 16}",
        &named_texts};
constexpr Key requires_key = Key{"requires", "conditions that the parameters must meet", &texts};
constexpr Key types_key =
    Key{"types", "names for types: another name, a struct or an enumeration", &types};
constexpr Key constants_key =
    Key{"constants", "values known before the run: {name: type = value}", &known_values};
constexpr Key functions_key =
    Key{"functions", "expressions with a name and arguments: {name(a): value}", &functions};
constexpr Key buses_key =
    Key{"buses", "the buses: {name: [wire | delay n] [hold | error] type [= initial value]}",
        &named_texts};
constexpr Key channels_key =
    Key{"channels", "the channels: {name: [depth n] [delay n] type}", &named_texts};
constexpr Key processes_key =
    Key{"processes", "the processes, each with in, out, state, let and step", &processes};
constexpr Key checks_key = Key{"checks", "what must hold: [always: c, at 8: c, ...]", &checks};
constexpr Key state_key =
    Key{"state", "what it keeps between cycles: {name: type = initial value}", &named_texts};
constexpr Key let_key = Key{"let", "names for values within a cycle", &right_hand_sides};
constexpr Key step_key = Key{"step", "what it does in a cycle: {target: value}", &block};
constexpr Key sequence_key =
    Key{"sequence", "what it does one after the other: [{target: value}, wait: condition, ...]",
        &sequence};
constexpr Key procedures_key =
    Key{"procedures", "sequences that items call: {name: {in: {parameter: type}, sequence: [...]}}",
        &procedures};
constexpr Key pipeline_key =
    Key{"pipeline",
        "what it does in stages, each a cycle after the one before: [{name: value}, ..., {target: "
        "value}]",
        &stages};
constexpr Key stall_key =
    Key{"stall", "of a pipeline: whole (default), or bubble, which closes gaps", &stall_form};
constexpr Key balance_key =
    Key{"balance", "of a pipeline: how many stages to add where its paths are longest", &text};
constexpr Key reset_key =
    Key{"reset", "a condition: while it holds, states take their initial values", &text};

constexpr Key receive_key =
    Key{"receive", "of an actor: from which channels a firing receives, {channel: condition}",
        &named_texts};
constexpr Key take_key =
    Key{"take", "of an actor: which values it takes, not only looks at: {channel: condition}",
        &named_texts};
constexpr Key done_key =
    Key{"done", "of an actor: a condition; the firing in which it holds is the last one", &text};

constexpr Key where_key =
    Key{"where", "which members of the family there are: a condition on its indices", &text};
constexpr Key use_key =
    Key{"use", "the component of this instance; of a family, too, one for each member in a list",
        &one_or_more};
constexpr Key with_key = Key{
    "with",
    "values for the component's parameters: {name: value}; they may use the indices of a family",
    &named_texts};

constexpr Key domain_key = Key{"domain", "the clock domain it steps in, or the first one", &text};
constexpr Key crosses_key =
    Key{"crosses",
        "the inputs that it reads from another clock domain: {x: sampled}, or stable for what "
        "does not change while it is read",
        &crossings};

constexpr Key against_key = Key{
    "against", "a second implementation, which 'sme cosim' runs beside this one", &against_form};
constexpr Key verilog_key = Key{"verilog", "the Verilog module that this is", &verilog_form};

constexpr std::array network_keys{
    required(Key{"network", "the name of the network", &text}),
    import_key,
    parameters_key,
    requires_key,
    types_key,
    constants_key,
    functions_key,
    Key{"clock", "the time of a cycle in traces: 10 ns", &text},
    Key{"domains", "the clock domains: {fast: 1, slow: every 4 offset 1}", &named_texts},
    buses_key,
    channels_key,
    processes_key,
    Key{"inputs",
        "what feeds buses: {bus: file}, {bus: {cycle: value}}, {bus: random} or {bus: open}; or a "
        "list of open inputs, [bus, bus]",
        &inputs},
    Key{"outputs", "files of recorded rows: {file: {record: value}}", &outputs},
    Key{"assume", "conditions that random inputs meet: [condition, ...]", &texts},
    checks_key,
    Key{"run", "how long to run, and the trace", &run_form},
    Key{"tests", "runs with other parameters and checks: {name: {set: ..., ...}}", &tests},
    Key{"files", "files inside this one, for import: {name: {component: name, in: ...}}",
        &files_form},
};

constexpr std::array component_keys{
    required(Key{"component", "the name of the component", &text}),
    import_key,
    parameters_key,
    requires_key,
    types_key,
    constants_key,
    functions_key,
    Key{"domains", "its clock domains, which instances bind: [write, read]", &texts},
    Key{"in", "the ports it reads: {name: type}", &named_texts},
    Key{"out", "the ports it writes: {name: type}", &named_texts},
    buses_key,
    channels_key,
    processes_key,
    state_key,
    let_key,
    step_key,
    sequence_key,
    procedures_key,
    pipeline_key,
    stall_key,
    balance_key,
    reset_key,
    crosses_key,
    receive_key,
    take_key,
    done_key,
    checks_key,
};

constexpr std::array library_keys{
    import_key,
    types_key,
    constants_key,
    functions_key,
};

constexpr std::array process_keys{
    Key{"in", "the buses it reads: a name, a list of names, or {port: bus}", &ports},
    Key{"out", "the buses it writes: a name, a list of names, or {port: bus}", &ports},
    state_key,
    let_key,
    step_key,
    sequence_key,
    procedures_key,
    pipeline_key,
    stall_key,
    balance_key,
    reset_key,
    domain_key,
    crosses_key,
    receive_key,
    take_key,
    done_key,
    Key{"checks", "what must hold: [always: c, at 8: c, ...]; its own names are seen directly",
        &checks},
    where_key,
    use_key,
    with_key,
    verilog_key,
    against_key,
};

constexpr std::array function_keys{
    Key{"let", "names for values in the function", &right_hand_sides},
    required(Key{"return", "the value of the function", &right_hand_side}),
};

constexpr std::array instance_keys{
    Key{"in", "what its inputs are bound to: {port: bus}", &ports},
    Key{"out", "what its outputs are bound to: {port: bus}", &ports},
    where_key,
    required(use_key),
    with_key,
    domain_key,
    Key{"domains", "which domains the component's are: {write: fast, read: slow}", &named_texts},
    against_key,
};

constexpr std::array against_keys{
    Key{"in", "what its inputs are bound to, where that is not as above: {port: bus}", &ports},
    Key{"out", "what its outputs are bound to, where that is not as above: {port: bus}", &ports},
    use_key,
    with_key,
    verilog_key,
    Key{"waveform", "a .vcd or .fst in which another implementation was recorded", &text},
    Key{"scope", "of a waveform: the scope that has the ports; without it, the only one", &text},
    Key{"clock", "of a waveform: the clock; clk or clock", &text},
    Key{"reset", "of a waveform: the reset, NAME or NAME=0; rst or reset", &text},
};

constexpr std::array verilog_process_keys{
    Key{"in", "what the module's inputs are bound to: {port: bus}", &ports},
    Key{"out", "what the module's outputs are bound to: {port: bus}", &ports},
    where_key,
    Key{"checks", "what must hold: [always: c, at 8: c, ...]; its ports are seen directly",
        &checks},
    required(verilog_key),
    domain_key,
    against_key,
};

constexpr std::array verilog_keys{
    required(Key{"files", "the files of Verilog and C; * and ? fit any text", &one_or_more}),
    required(Key{"top", "the name of the module", &text}),
    Key{"parameters", "values for the module's parameters: {name: value}", &named_texts},
    Key{"clock", "the port of the clock, or several: {a: every 1, b: every 2 offset 1}",
        &clock_form},
    Key{"reset", "the port of the reset, or a list: {port: rst, active: high, cycles: 2}",
        &resets_form},
    Key{"include", "folders in which `include looks for files", &one_or_more},
    Key{"define", "macros: [NAME, NAME=text]", &one_or_more},
    Key{"lists", "files of more arguments, as in Verilator's -F", &one_or_more},
    Key{"plusargs", "what $test$plusargs and $value$plusargs find: [name=value]", &one_or_more},
    Key{"trace", "inside: the module's own signals are traced, too", &trace_form},
    Key{"lint", "off, or rules of Verilator that do not warn: [WIDTH]", &one_or_more},
    Key{"unbound", "what inputs read that are not bound: a number, such as 0", &text},
};
constexpr std::array<std::string_view, 1> trace_words{"inside"};

constexpr std::array verilog_reset_keys{
    required(Key{"port", "the port of the reset", &text}),
    Key{"active", "the value that resets: high (default) or low", &active_form},
    Key{"cycles", "how many cycles it is held before cycle 0: 2", &text},
};
constexpr std::array<std::string_view, 2> active_words{"high", "low"};

constexpr std::array input_keys{
    required(Key{"file",
                 "rows: row r is what readers see in cycle r; .csv, .hex, .vcd, .fst or bytes",
                 &text}),
    Key{"at_end", "after the last row: halt (default), zero (default of a stream), hold or repeat",
        &at_end_form},
    Key{"signal", "in a waveform: the bus; without it, the one of that name", &text},
    Key{"clock", "in a waveform: what ticks once a cycle; without it, 'clock' in the top scope",
        &text},
    Key{"edge", "in a waveform: where a cycle ends, rising (default) or falling", &edge_form},
    Key{"sample", "in a waveform: a row holds the values before (default) an edge, or after it",
        &sample_form},
    Key{"unknown", "in a waveform: what an x or z is: an error (default), or zero", &unknown_form},
};
constexpr std::array<std::string_view, 4> at_end_words{"halt", "zero", "hold", "repeat"};
constexpr std::array<std::string_view, 2> edge_words{"rising", "falling"};
constexpr std::array<std::string_view, 2> sample_words{"before", "after"};
constexpr std::array<std::string_view, 2> unknown_words{"error", "zero"};

constexpr std::array output_keys{
    required(Key{"record", "the value of each row, or a map of several", &known_value}),
    Key{"when", "the condition for a row; all cycles when it is left out", &text},
    Key{"domain", "the clock domain in whose cycles there are rows; all when left out", &text},
    Key{"expect", "a file with the rows that must come out", &text},
    Key{"halt_after",
        "the run ends with this many rows: a number, or 'expect' for all of that file", &text},
};

constexpr std::array test_keys{
    Key{"set", "values for the network's parameters: {name: value}", &named_texts},
    Key{"seeds", "the seeds of its runs: 7, or 1..20", &text},
    Key{"inputs", "what feeds buses, besides the network's inputs or instead", &inputs},
    Key{"outputs", "files of rows, besides the network's outputs or instead", &outputs},
    Key{"assume", "conditions that random inputs meet, besides the network's", &texts},
    state_key,
    let_key,
    Key{"sequence",
        "what it feeds to the network, one after the other, and expects; the run ends with it",
        &sequence},
    procedures_key,
    Key{"checks", "what must hold, besides the network's checks", &checks},
    Key{"run", "how long to run, and the trace", &run_form},
};
constexpr std::array run_keys{
    Key{"cycles", "how many cycles a run has: 1 to 2^62", &text},
    Key{"trace", "the file of the waveform", &text},
};

constexpr std::array keys_of_check{
    Key{"always", "this holds in every cycle, or follows: a then b within 3", &text},
    Key{"never", "this holds in no cycle", &text},
    Key{"cover", "this holds in at least one cycle", &text},
    with_argument(Key{"at", "this holds in that cycle", &text}),
    with_argument(Key{"after", "this holds in every cycle from that one on", &text}),
    with_argument(Key{"eventually by", "this holds in some cycle up to that one", &text}),
};

constexpr std::array choice_keys{
    with_argument(Key{"if", "the first value whose condition holds", &right_hand_side}),
    with_argument(Key{"elif", "a value for when no condition above holds", &right_hand_side}),
    with_argument(Key{"match", "the value of the matching pattern", &right_hand_side_arms}),
    Key{"else", "the value when nothing above holds", &right_hand_side},
};

constexpr std::array step_keys{
    with_argument(Key{"if", "lines for when the condition holds", &block}),
    with_argument(Key{"elif", "lines for when this condition holds and none above does", &block}),
    with_argument(
        Key{"match", "lines by the value of an expression: {pattern: lines}", &block_arms}),
    Key{"else", "lines for when nothing above holds", &block},
    Key{"halt", "the run ends after a cycle in which this holds", &right_hand_side},
    Key{"assert", "a fault when this does not hold", &right_hand_side},
    Key{"print", "a line of text with values: \"at {cycle}: {x:02x}\" when condition", &text},
};

constexpr std::array item_keys{
    Key{"set", "targets for one cycle, or for each cycle of wait, pause, send or receive", &block},
    Key{"expect", "a fault when this does not hold, in one cycle or as the item ends", &text},
    Key{"wait", "until the condition holds", &text},
    Key{"pause", "for this number of cycles", &text},
    Key{"send", "a value to a stream, until it is accepted: {port: value}", &right_hand_sides},
    Key{"receive", "a value from a stream, once there is one: {target: port}", &named_texts},
    Key{"then", "in the cycle in which the item ends: {target: value}", &block},
    Key{"within", "the most cycles that it takes", &text},
    with_argument(Key{"if", "items for when the condition holds", &sequence}),
    with_argument(
        Key{"elif", "items for when this condition holds and none above does", &sequence}),
    Key{"else", "items for when nothing above holds, or when 'within' is over", &sequence},
    with_argument(
        Key{"match", "items by the value of an expression: {pattern: items}", &sequence_arms}),
    with_argument(Key{"while", "items to repeat while the condition holds", &sequence}),
    with_argument(Key{"for", "items for each value of an index: 'for k < 4'", &sequence}),
    Key{"repeat", "how often to do the items under 'do'", &text},
    Key{"index", "a name for the number of rounds done", &text},
    Key{"do", "the items to repeat", &sequence},
    Key{"parallel", "sequences at the same time, until all have ended: [[...], [...]]", &branches},
    Key{"call", "the items of a procedure: name(argument, ...)", &text},
    Key{"inline", "a copy of the items of a procedure: name(argument, ...)", &text},
    Key{"name", "the name of this item, in waveforms and reports", &text},
};

constexpr std::array procedure_keys{
    Key{"in", "its parameters: {name: type}", &named_texts},
    required(Key{"sequence", "its items", &sequence}),
};

// Forms that refer to each other.
constexpr Form known_value{
    .id = "known_value", .text = true, .items = &known_value, .members = &known_value};
constexpr Form type{.id = "type", .text = true, .items = &text, .members = &type};
constexpr Form types{.id = "types", .members = &type, .empty = true};
constexpr Form right_hand_side{.id = "value",
                               .text = true,
                               .items = &right_hand_side,
                               .keys = choice_keys,
                               .members = &right_hand_side};
constexpr Form right_hand_sides{.id = "values", .members = &right_hand_side, .empty = true};
constexpr Form right_hand_side_arms{
    .id = "value_arms", .members = &right_hand_side, .filled = true};
constexpr Form lines{.id = "lines", .keys = step_keys, .members = &right_hand_side};
constexpr Form block{.id = "step", .items = &lines, .keys = step_keys, .members = &right_hand_side};
constexpr Form block_arms{.id = "step_arms", .members = &block, .filled = true};
constexpr std::array<std::string_view, 5> bare_items{"stop", "restart", "break", "continue",
                                                     "return"};
constexpr Form sequence_item{.id = "sequence_item",
                             .text = true,
                             .words = bare_items,
                             .keys = item_keys,
                             .members = &right_hand_side};
constexpr Form sequence{.id = "sequence", .items = &sequence_item};
constexpr Form sequence_arms{.id = "sequence_arms", .members = &sequence, .filled = true};
constexpr Form stages{.id = "stages", .items = &right_hand_sides};
constexpr std::array<std::string_view, 2> stall_words{"whole", "bubble"};
constexpr Form stall_form{.id = "stall", .text = true, .words = stall_words};
constexpr Form branches{.id = "branches", .items = &sequence};
constexpr std::array<std::string_view, 1> procedure_marks{"sequence"};
constexpr Form procedure_body{
    .id = "procedure_body", .keys = procedure_keys, .some_of = procedure_marks};
constexpr std::array<const Form*, 1> procedure_kinds{&procedure_body};
constexpr Form procedure{.id = "procedure", .items = &sequence_item, .instead = procedure_kinds};
constexpr Form procedures{.id = "procedures", .members = &procedure, .empty = true};
constexpr std::array<std::string_view, 2> body_marks{"let", "return"};
constexpr Form function_body{.id = "function_body", .keys = function_keys, .some_of = body_marks};
constexpr std::array<const Form*, 1> function_kinds{&function_body};
constexpr Form function{.id = "function",
                        .text = true,
                        .items = &right_hand_side,
                        .keys = choice_keys,
                        .members = &right_hand_side,
                        .instead = function_kinds};
constexpr Form functions{.id = "functions", .members = &function, .empty = true};
constexpr std::array<std::string_view, 1> instance_marks{"use"};
constexpr Form instance{.id = "instance", .keys = instance_keys, .some_of = instance_marks};
constexpr std::array<std::string_view, 1> verilog_marks{"verilog"};
constexpr Form verilog_process{
    .id = "verilog_process", .keys = verilog_process_keys, .some_of = verilog_marks};
constexpr Form against_form{.id = "against", .keys = against_keys};
constexpr Form verilog_form{.id = "verilog", .keys = verilog_keys};
constexpr Form clock_form{.id = "clock", .text = true, .members = &text, .empty = true};
constexpr Form resets_form{
    .id = "resets", .text = true, .items = &reset_form, .keys = verilog_reset_keys};
constexpr Form reset_form{.id = "reset", .text = true, .keys = verilog_reset_keys};
constexpr Form trace_form{.id = "trace", .text = true, .words = trace_words};
constexpr Form active_form{.id = "active", .text = true, .words = active_words};
constexpr std::array<std::string_view, 3> process_marks{"step", "sequence", "pipeline"};
constexpr std::array<const Form*, 2> process_kinds{&instance, &verilog_process};
constexpr Form process{
    .id = "process", .keys = process_keys, .some_of = process_marks, .instead = process_kinds};
constexpr Form processes{.id = "processes", .members = &process, .empty = true};
constexpr Form at_end_form{.id = "at_end", .text = true, .words = at_end_words};
constexpr Form edge_form{.id = "edge", .text = true, .words = edge_words};
constexpr Form sample_form{.id = "sample", .text = true, .words = sample_words};
constexpr Form unknown_form{.id = "unknown", .text = true, .words = unknown_words};
constexpr std::array<std::string_view, 1> input_marks{"file"};
constexpr Form input_file{.id = "input_file", .keys = input_keys, .some_of = input_marks};
constexpr std::array<const Form*, 1> file_input{&input_file};
constexpr Form input{.id = "input", .text = true, .members = &known_value, .instead = file_input};
constexpr Form inputs{.id = "inputs", .items = &text, .members = &input, .empty = true};
constexpr Form output{.id = "output", .keys = output_keys};
constexpr Form outputs{.id = "outputs", .members = &output, .empty = true};
constexpr Form check{.id = "check", .keys = keys_of_check, .single = true};
constexpr Form checks{.id = "checks", .items = &check};
constexpr Form run_form{.id = "run", .keys = run_keys, .empty = true};
constexpr Form test{.id = "test", .keys = test_keys, .empty = true};
constexpr Form tests{.id = "tests", .members = &test, .empty = true};
constexpr std::array<std::string_view, 1> component_marks{"component"};
constexpr Form inner_component{
    .id = "inner_component", .keys = component_keys, .some_of = component_marks};
constexpr std::array<const Form*, 1> file_kinds{&inner_component};
constexpr Form inner_file{.id = "inner_file", .keys = library_keys, .instead = file_kinds};
constexpr Form files_form{.id = "files", .members = &inner_file, .empty = true};

} // namespace

namespace format {

constinit const std::span<const Key> network{network_keys};
constinit const std::span<const Key> component{component_keys};
constinit const std::span<const Key> library{library_keys};
constinit const std::span<const Key> process{process_keys};
constinit const std::span<const Key> function{function_keys};
constinit const std::span<const Key> procedure{procedure_keys};
constinit const std::span<const Key> instance{instance_keys};
constinit const std::span<const Key> verilog_process{verilog_process_keys};
constinit const std::span<const Key> against{against_keys};
constinit const std::span<const Key> verilog{verilog_keys};
constinit const std::span<const Key> verilog_reset{verilog_reset_keys};
constinit const std::span<const Key> input{input_keys};
constinit const std::span<const Key> output{output_keys};
constinit const std::span<const Key> run{run_keys};
constinit const std::span<const Key> test{test_keys};
constinit const std::span<const Key> check{keys_of_check};
constinit const std::span<const Key> step{step_keys};
constinit const std::span<const Key> choice{choice_keys};
constinit const std::span<const std::string_view> at_end{at_end_words};
constinit const std::span<const std::string_view> edge{edge_words};
constinit const std::span<const std::string_view> sample{sample_words};
constinit const std::span<const std::string_view> unknown{unknown_words};

} // namespace format

} // namespace sme::yaml
