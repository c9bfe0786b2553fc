// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/code.hpp"

namespace sme {

/// The registry of all diagnostics: name in C++, slug, severity, meaning.
#define SME_CODES(X)                                                                               \
    /* the text of a file */                                                                       \
    X(file_unreadable, "file-unreadable", error, "A file could not be opened or read.")            \
    X(file_too_large, "file-too-large", error,                                                     \
      "A file is larger than the loader's limit of 16 MiB (256 MiB for data).")                    \
    X(not_text, "not-text", error,                                                                 \
      "The file holds a byte that no network file can hold: NUL or another control character.")    \
    X(yaml_syntax, "yaml-syntax", error, "The text is not YAML.")                                  \
    X(yaml_too_deep, "yaml-too-deep", error, "Lists and maps are nested more than 64 deep.")       \
    X(yaml_too_many, "yaml-too-many", error, "The file holds more than a million YAML nodes.")     \
    X(yaml_alias, "yaml-alias", error,                                                             \
      "Anchors (&x) and aliases (*x) are not part of the language: a leading & or * is read by "   \
      "YAML, never by the expression.")                                                            \
    X(yaml_tag, "yaml-tag", error, "Tags (!x) are not part of the language.")                      \
    X(yaml_documents, "yaml-documents", error, "A file holds exactly one YAML document.")          \
    X(yaml_flow, "yaml-flow", error,                                                               \
      "An expression with brackets, commas or colons stands in flow style, where YAML cuts it "    \
      "apart; write it in block style, one line per entry.")                                       \
    X(yaml_colon, "yaml-colon", error,                                                             \
      "A colon followed by a space inside an expression is read by YAML as a map.")                \
    X(yaml_quote, "yaml-quote", error, "A quoted text does not end where its value ends.")         \
    X(yaml_null, "yaml-null", error, "A value is missing after the colon.")                        \
    X(duplicate_key, "duplicate-key", error, "The same key stands twice in one map.")              \
    X(unknown_key, "unknown-key", error, "No such key exists here.")                               \
    X(missing_key, "missing-key", error, "A key that must be there is missing.")                   \
    X(wrong_shape, "wrong-shape", error,                                                           \
      "A text stands where a list or map belongs, or the other way round.")                        \
    X(empty_network, "empty-network", error, "A network needs at least one process.")              \
    X(bad_import, "bad-import", error,                                                             \
      "An import names a file that is neither a component nor a library, or imports form a loop.") \
    X(component_loop, "component-loop", error, "A component is made of itself.")                   \
    X(unbound_port, "unbound-port", error, "A port of a component is bound to nothing.")           \
    X(bad_bundle, "bad-bundle", error,                                                             \
      "A type with back fields stands where it cannot: it is for buses and ports, as wires.")      \
    X(bad_channel, "bad-channel", error,                                                           \
      "A channel has no such depth or delay, or only one of its ends is bound.")                   \
    X(bad_actor, "bad-actor", error,                                                               \
      "An actor looks at what its firing does not hold, or is none.")                              \
    X(needs_clock, "needs-clock", error,                                                           \
      "The network is to run without a clock, but a part of it depends on cycles.")                \
    /* expressions */                                                                              \
    X(expression_syntax, "expression-syntax", error, "The expression cannot be read.")             \
    X(number_syntax, "number-syntax", error, "The number cannot be read.")                         \
    X(too_deep, "too-deep", error, "The expression is nested too deep.")                           \
    X(too_large, "too-large", error, "What is asked for is larger than the simulator's limit.")    \
    X(unknown_name, "unknown-name", error, "The name is not declared here.")                       \
    X(duplicate_name, "duplicate-name", error, "A name is declared twice in one scope.")           \
    X(bad_name, "bad-name", error, "A name is [A-Za-z_][A-Za-z0-9_]* and no reserved word.")       \
    X(unknown_type, "unknown-type", error, "The type is not declared.")                            \
    X(bad_type, "bad-type", error, "The type cannot be built.")                                    \
    X(type_mismatch, "type-mismatch", error, "The expression has another type than its place.")    \
    X(width_mismatch, "width-mismatch", error,                                                     \
      "Two integers of different width or sign meet; a cast says which is meant.")                 \
    X(operand_type, "operand-type", error, "The operator is not defined for this type.")           \
    X(needs_type, "needs-type", error, "A number stands where nothing says which type it has.")    \
    X(does_not_fit, "does-not-fit", error, "A number does not fit the type it must take.")         \
    X(not_constant, "not-constant", error, "Only what is known before the run may stand here.")    \
    X(constant_fault, "constant-fault", error,                                                     \
      "A constant expression divides by zero or leaves its range.")                                \
    X(unknown_field, "unknown-field", error, "The struct has no such field.")                      \
    X(bad_index, "bad-index", error, "An index has the wrong type, number or range.")              \
    X(bad_call, "bad-call", error, "A builtin function is called with the wrong arguments.")       \
    X(print_syntax, "print-syntax", error, "What is printed is not a text in quotes with values.") \
    X(let_loop, "let-loop", error, "Lets that need each other form a loop.")                       \
    X(recursion, "recursion", error, "A function comes back to itself.")                           \
    X(bad_pattern, "bad-pattern", error, "A pattern of a match does not fit what it is about.")    \
    X(match_overlap, "match-overlap", error, "Two arms of a match hold for one value.")            \
    X(missing_else, "missing-else", error, "There is not always a value here; add an else.")       \
    /* processes */                                                                                \
    X(bad_target, "bad-target", error, "Only a state or an output can be assigned.")               \
    X(two_writes, "two-writes", error, "One target is written twice in one block.")                \
    X(else_without_if, "else-without-if", error, "An elif or else has no if before it.")           \
    X(bad_range, "bad-range", error, "A family's range cannot be built.")                          \
    X(wire_latch, "wire-latch", error,                                                             \
      "A wire has no register: neither hold nor an initial value.")                                \
    X(bad_delay, "bad-delay", error, "A delay is 0 to 1048576 cycles.")                            \
    /* the network */                                                                              \
    X(two_writers, "two-writers", error, "A bus has more than one writer.")                        \
    X(no_writer, "no-writer", error,                                                               \
      "A bus is read, but nothing writes it and no input feeds it.")                               \
    X(port_type, "port-type", error, "A port and the bus it is bound to have different types.")    \
    X(port_wire, "port-wire", error, "A port that says wire is bound to a bus that is none.")      \
    X(bad_domain, "bad-domain", error, "A clock domain is not there, or not given.")               \
    X(clock_crossing, "clock-crossing", error,                                                     \
      "A process reads a bus of another clock domain without a crossing.")                         \
    X(index_outside, "index-outside", error, "A binding leaves its family of buses.")              \
    X(wire_loop, "wire-loop", error, "Wires form a loop within one cycle.")                        \
    X(network_too_large, "network-too-large", error,                                               \
      "The network needs more than its slots can address.")                                        \
    X(unused, "unused", warning, "Something is declared and never used.")                          \
    X(index_wraps, "index-wraps", warning, "A result with an index can leave its type.")           \
    /* data and runs */                                                                            \
    X(data_syntax, "data-syntax", error, "A data file holds something that cannot be read.")       \
    X(data_range, "data-range", error, "A value in a data file does not fit its type.")            \
    X(data_shape, "data-shape", error, "A data file has the wrong number of rows or columns.")     \
    X(vcd_syntax, "vcd-syntax", error,                                                             \
      "A file of value changes (VCD) holds something that cannot be read.")                        \
    X(vcd_unusual, "vcd-unusual", warning,                                                         \
      "A file of value changes (VCD) holds something that the standard does not allow, but that "  \
      "is read as other readers read it.")                                                         \
    X(nothing_to_compare, "nothing-to-compare", error,                                             \
      "Two files of value changes have no signal or no time in common.")                           \
    X(bad_option, "bad-option", error, "An option of the command or the run section is wrong.")    \
    X(bad_cycles, "bad-cycles", error, "A run has 1 to 2^62 cycles.")                              \
    X(bad_check, "bad-check", error, "A check cannot be read.")                                    \
    X(only_in_checks, "only-in-checks", error, "Only checks look at earlier cycles.")              \
    X(compiler_missing, "compiler-missing", error,                                                 \
      "Native code needs a C compiler, which is not there or not allowed.")                        \
    X(native_failed, "native-failed", error, "Native code could not be compiled or loaded.")       \
    X(bad_checkpoint, "bad-checkpoint", error,                                                     \
      "A run cannot go on from this checkpoint: it is damaged, or of another network.")            \
    X(not_saved, "not-saved", error,                                                               \
      "A process of the network keeps what no checkpoint can hold.")                               \
    X(file_unwritable, "file-unwritable", error, "A file could not be written.")                   \
    X(not_overwritten, "not-overwritten", error,                                                   \
      "An output would write over a file that the run reads, or that is no such output.")          \
    X(outside_folder, "outside-folder", error,                                                     \
      "A network names a file outside of the folders in which it may write, or read.")             \
    /* Verilog */                                                                                  \
    X(verilog_missing, "verilog-missing", error,                                                   \
      "A Verilog module cannot be built: Verilator or a compiler is not there, or not allowed.")   \
    X(verilog_error, "verilog-error", error, "Verilator found a mistake in a Verilog file.")       \
    X(verilog_warning, "verilog-warning", warning, "Verilator warns of something in Verilog.")     \
    X(verilog_build, "verilog-build", error, "A Verilog module could not be built or loaded.")     \
    X(verilog_port, "verilog-port", error,                                                         \
      "A port of a Verilog module and what it is bound to do not fit.")                            \
    X(verilog_sign, "verilog-sign", warning,                                                       \
      "A port of a Verilog module is signed and its bus is not, or the other way round.")          \
    X(verilog_control, "verilog-control", warning,                                                 \
      "A reset of a Verilog module is active at another level than its name says, or a clock or "  \
      "reset keeps one value.")                                                                    \
    X(verilog_follows, "verilog-follows", error,                                                   \
      "An output of a Verilog module follows an input within the cycle, but its bus is no wire.")  \
    /* faults of the model */                                                                      \
    X(deadlock, "deadlock", fault,                                                                 \
      "Actors wait for each other, and nothing will change any more.")                             \
    X(divide_by_zero, "divide-by-zero", fault, "A division or remainder by zero.")                 \
    X(index_fault, "index-fault", fault, "An index outside its array.")                            \
    X(write_conflict, "write-conflict", fault, "Two enabled writes to one element in one cycle.")  \
    X(read_unwritten, "read-unwritten", fault, "A read of an error bus that was not written.")     \
    X(assert_failed, "assert-failed", fault, "An assert did not hold.")                            \
    X(step_threw, "step-threw", fault, "A C++ step threw an exception.")                           \
    X(verilog_stopped, "verilog-stopped", fault,                                                   \
      "A Verilog module stopped: $stop, $fatal, or an assertion that failed.")                     \
    X(verilog_moved, "verilog-moved", fault,                                                       \
      "A registered output of a Verilog module moved within the cycle.")                           \
    X(verilog_value, "verilog-value", fault,                                                       \
      "An output of a Verilog module is no member of the enumeration of its bus.")                 \
    X(check_failed, "check-failed", fault, "A check did not hold.")                                \
    X(not_reached, "not-reached", fault, "A strict run ended before a check was reached.")         \
    X(assumption_unmet, "assumption-unmet", fault,                                                 \
      "No random values were found for which all assumptions hold.")                               \
    X(implementations_differ, "implementations-differ", fault,                                     \
      "Two implementations of a process write different values.")                                  \
    X(record_differs, "record-differs", fault,                                                     \
      "A recorded output differs from the rows it is expected to have.")

enum class Code : int {
#define SME_CODE(name, slug, severity, meaning) name,
    SME_CODES(SME_CODE)
#undef SME_CODE
};

struct CodeInfo {
    Code code;
    std::string_view slug;
    Severity severity;
    std::string_view meaning;
};

/// Returns the registry, in the order of the enumeration.
std::span<const CodeInfo> all_codes();
const CodeInfo& info(Code code);

/// Files and commands with their output: "$ command" and the lines below it.
struct Example {
    struct File {
        std::string name;
        std::string text;
    };
    std::vector<File> files;
    std::string session;
};

/// The catalogue entry of a code: its meaning, the reason for the rule, the remedy.
struct Explanation {
    std::string text;    // paragraphs
    Example wrong;       // gets this diagnostic
    Example right;       // gets no diagnostic
    std::string problem; // why the entry is invalid; empty if valid
};

/// Parses a catalogue entry; catalogue/README.md describes the format.
Explanation parse_explanation(std::string_view markdown);

/// Returns the entry of a code by its slug. For an unknown slug, `problem` is set.
Explanation explanation(std::string_view slug);

/// Returns the slugs of all entries, in alphabetical order.
std::vector<std::string_view> explained_slugs();

/// A file of catalogue/, embedded at build time.
struct CatalogueText {
    std::string_view slug;
    std::string_view markdown;
};
std::span<const CatalogueText> catalogue_texts();

} // namespace sme
