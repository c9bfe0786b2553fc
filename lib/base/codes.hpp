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
      "A network file is larger than 16 MiB (see --load-limit), or a data file than 256 MiB.")     \
    X(not_text, "not-text", error,                                                                 \
      "The file contains NUL or another control character, so it is not text.")                    \
    X(yaml_syntax, "yaml-syntax", error, "The text is not valid YAML.")                            \
    X(yaml_too_deep, "yaml-too-deep", error, "Lists and maps are nested more than 64 deep.")       \
    X(yaml_too_many, "yaml-too-many", error, "The file contains more than a million YAML nodes.")  \
    X(yaml_alias, "yaml-alias", error,                                                             \
      "The language has no anchors (&x) and aliases (*x); YAML reads a leading & or * before "     \
      "the expression does.")                                                                      \
    X(yaml_tag, "yaml-tag", error, "The language has no tags (!x).")                               \
    X(yaml_documents, "yaml-documents", error, "A file must contain exactly one YAML document.")   \
    X(yaml_flow, "yaml-flow", error,                                                               \
      "YAML splits an expression with brackets, commas or colons in flow style; write it in "      \
      "block style, one line per entry.")                                                          \
    X(yaml_colon, "yaml-colon", error,                                                             \
      "YAML reads a colon followed by a space inside an expression as a map.")                     \
    X(yaml_quote, "yaml-quote", error, "A quoted text does not end where its value ends.")         \
    X(yaml_null, "yaml-null", error, "A value is missing after the colon.")                        \
    X(duplicate_key, "duplicate-key", error, "A map has the same key twice.")                      \
    X(unknown_key, "unknown-key", error, "The section has no key of this name.")                   \
    X(missing_key, "missing-key", error, "A required key is missing.")                             \
    X(wrong_shape, "wrong-shape", error,                                                           \
      "A key has a text where a list or map belongs, or vice versa.")                              \
    X(empty_network, "empty-network", error, "A network needs at least one process.")              \
    X(bad_import, "bad-import", error,                                                             \
      "An import names a file that is neither a component nor a library, or imports form a loop.") \
    X(component_loop, "component-loop", error, "A component contains itself.")                     \
    X(unbound_port, "unbound-port", error, "An instance does not bind a port of its component.")   \
    X(bad_bundle, "bad-bundle", error,                                                             \
      "A type with back fields is used where it is not allowed: it is only for buses and ports, "  \
      "as wires.")                                                                                 \
    X(bad_channel, "bad-channel", error,                                                           \
      "The depth or delay of a channel is not valid, or only one of its ends is bound.")           \
    X(bad_actor, "bad-actor", error,                                                               \
      "An actor reads outside its firing rule, or is not a valid actor.")                          \
    X(needs_clock, "needs-clock", error,                                                           \
      "The network cannot run without a clock: a part of it depends on cycles.")                   \
    /* expressions */                                                                              \
    X(expression_syntax, "expression-syntax", error, "The expression is not valid.")               \
    X(number_syntax, "number-syntax", error, "The number is not valid.")                           \
    X(too_deep, "too-deep", error, "The expression is nested too deep.")                           \
    X(too_large, "too-large", error, "The requested size exceeds the simulator's limit.")          \
    X(unknown_name, "unknown-name", error, "The name is not declared in this scope.")              \
    X(duplicate_name, "duplicate-name", error, "A name is declared twice in one scope.")           \
    X(bad_name, "bad-name", error, "A name is [A-Za-z_][A-Za-z0-9_]* and not a reserved word.")    \
    X(unknown_type, "unknown-type", error, "The type is not declared.")                            \
    X(bad_type, "bad-type", error, "The type cannot exist.")                                       \
    X(type_mismatch, "type-mismatch", error, "The expression does not have the required type.")    \
    X(width_mismatch, "width-mismatch", error,                                                     \
      "Two integers of different width or sign meet; a cast states the intent.")                   \
    X(operand_type, "operand-type", error, "The operator is not defined for this type.")           \
    X(needs_type, "needs-type", error,                                                             \
      "A plain number needs a type here, but nothing determines it.")                              \
    X(does_not_fit, "does-not-fit", error, "A number does not fit its type.")                      \
    X(not_constant, "not-constant", error, "Only values known before the run are allowed here.")   \
    X(constant_fault, "constant-fault", error,                                                     \
      "A constant expression divides by zero or leaves its range.")                                \
    X(unknown_field, "unknown-field", error, "The struct has no such field.")                      \
    X(bad_index, "bad-index", error,                                                               \
      "An index has the wrong type or range, or the number of indices is wrong.")                  \
    X(bad_call, "bad-call", error, "A builtin function is called with the wrong arguments.")       \
    X(print_syntax, "print-syntax", error,                                                         \
      "The argument of print is not a text in quotes with values in braces.")                      \
    X(let_loop, "let-loop", error, "Lets depend on each other in a loop.")                         \
    X(recursion, "recursion", error, "A function calls itself, directly or through others.")       \
    X(bad_pattern, "bad-pattern", error,                                                           \
      "A pattern does not fit the value that its match selects by.")                               \
    X(match_overlap, "match-overlap", error, "Two arms of a match hold for one value.")            \
    X(missing_else, "missing-else", error,                                                         \
      "A value is needed here even if no condition holds; add an else.")                           \
    /* processes */                                                                                \
    X(bad_target, "bad-target", error, "Only a state or an output can be assigned.")               \
    X(two_writes, "two-writes", error, "A block writes one target twice.")                         \
    X(else_without_if, "else-without-if", error, "An elif or else does not follow an if.")         \
    X(bad_range, "bad-range", error, "A range is not valid.")                                      \
    X(bad_sequence, "bad-sequence", error, "A sequence cannot go on, or an item is not valid.")    \
    X(bad_pipeline, "bad-pipeline", error, "A stage of a pipeline is not valid.")                  \
    X(wire_latch, "wire-latch", error,                                                             \
      "A wire has no register, so it has neither hold nor an initial value.")                      \
    X(bad_delay, "bad-delay", error, "A delay must be 0 to 1048576 cycles.")                       \
    /* the network */                                                                              \
    X(two_writers, "two-writers", error, "A bus has more than one writer.")                        \
    X(no_writer, "no-writer", error,                                                               \
      "A bus is read, but nothing writes it and no input feeds it.")                               \
    X(open_input, "open-input", error, "A run needs a source for an open input.")                  \
    X(port_type, "port-type", error, "A port and its bus have different types.")                   \
    X(port_wire, "port-wire", error, "A port declared wire is bound to a bus that is not a wire.") \
    X(bad_domain, "bad-domain", error, "A clock domain does not exist, or is not given.")          \
    X(clock_crossing, "clock-crossing", error,                                                     \
      "A process reads a bus of another clock domain without a crossing.")                         \
    X(index_outside, "index-outside", error,                                                       \
      "The index of a binding lies outside its family of buses.")                                  \
    X(wire_loop, "wire-loop", error, "Wires form a loop within one cycle.")                        \
    X(network_too_large, "network-too-large", error,                                               \
      "The network exceeds the simulator's limits.")                                               \
    X(unused, "unused", warning, "Something is declared and never used.")                          \
    X(index_wraps, "index-wraps", warning, "A result computed with an index can exceed its type.") \
    /* data and runs */                                                                            \
    X(data_syntax, "data-syntax", error, "A data file contains text that cannot be read.")         \
    X(data_range, "data-range", error, "A value in a data file does not fit its type.")            \
    X(data_shape, "data-shape", error, "A data file has the wrong number of rows or columns.")     \
    X(vcd_syntax, "vcd-syntax", error,                                                             \
      "A VCD file (value change dump) contains text that cannot be read.")                         \
    X(vcd_unusual, "vcd-unusual", warning,                                                         \
      "A VCD file (value change dump) contains something that the standard does not allow; it "    \
      "is read as other readers do.")                                                              \
    X(nothing_to_compare, "nothing-to-compare", error,                                             \
      "Two VCD or FST files have no signal or no time in common.")                                 \
    X(bad_option, "bad-option", error, "An option of the command or of the run section is wrong.") \
    X(bad_cycles, "bad-cycles", error, "A run has 1 to 2^62 cycles.")                              \
    X(bad_check, "bad-check", error, "A check is not valid.")                                      \
    X(only_in_checks, "only-in-checks", error, "Only checks can read values of earlier cycles.")   \
    X(compiler_missing, "compiler-missing", error,                                                 \
      "Native code needs a C compiler, which is missing or not allowed.")                          \
    X(native_failed, "native-failed", error, "Native code could not be compiled or loaded.")       \
    X(bad_checkpoint, "bad-checkpoint", error,                                                     \
      "A run cannot resume from this checkpoint: it is damaged, or from another network.")         \
    X(not_saved, "not-saved", error,                                                               \
      "A process of the network has state that no checkpoint can hold.")                           \
    X(file_unwritable, "file-unwritable", error, "A file could not be written.")                   \
    X(not_overwritten, "not-overwritten", error,                                                   \
      "An output would overwrite a file that the run reads, or a file of another kind.")           \
    X(outside_folder, "outside-folder", error,                                                     \
      "A network names a file outside the folders that it may write or read.")                     \
    /* Verilog */                                                                                  \
    X(verilog_missing, "verilog-missing", error,                                                   \
      "A Verilog module cannot be built: Verilator or a compiler is missing or not allowed.")      \
    X(verilog_error, "verilog-error", error, "Verilator found a mistake in a Verilog file.")       \
    X(verilog_warning, "verilog-warning", warning, "Verilator warns about a Verilog file.")        \
    X(verilog_build, "verilog-build", error, "A Verilog module could not be built or loaded.")     \
    X(verilog_port, "verilog-port", error, "A port of a Verilog module does not fit its binding.") \
    X(verilog_sign, "verilog-sign", warning,                                                       \
      "A port of a Verilog module is signed and its bus is not, or vice versa.")                   \
    X(verilog_control, "verilog-control", warning,                                                 \
      "A reset of a Verilog module is active at another level than its name says, or a clock or "  \
      "reset is constant.")                                                                        \
    X(verilog_follows, "verilog-follows", error,                                                   \
      "An output of a Verilog module follows an input within the cycle, but its bus is not a "     \
      "wire.")                                                                                     \
    /* faults of the model */                                                                      \
    X(deadlock, "deadlock", fault, "Actors wait for each other, and nothing can change any more.") \
    X(divide_by_zero, "divide-by-zero", fault, "The divisor of a division or remainder is zero.")  \
    X(index_fault, "index-fault", fault, "An index lies outside its array.")                       \
    X(write_conflict, "write-conflict", fault,                                                     \
      "Two enabled writes change one element in one cycle.")                                       \
    X(read_unwritten, "read-unwritten", fault,                                                     \
      "A process reads an error bus that was not written.")                                        \
    X(assert_failed, "assert-failed", fault, "An assert did not hold.")                            \
    X(step_threw, "step-threw", fault, "A C++ step threw an exception.")                           \
    X(verilog_stopped, "verilog-stopped", fault,                                                   \
      "A Verilog module stopped: $stop, $fatal, or a failed assertion.")                           \
    X(verilog_moved, "verilog-moved", fault,                                                       \
      "A registered output of a Verilog module changed within the cycle.")                         \
    X(verilog_value, "verilog-value", fault,                                                       \
      "An output of a Verilog module is not a member of the enumeration of its bus.")              \
    X(check_failed, "check-failed", fault, "A check did not hold.")                                \
    X(not_reached, "not-reached", fault, "A strict run ended before a check was reached.")         \
    X(assumption_unmet, "assumption-unmet", fault,                                                 \
      "No random values were found that satisfy the rule, or all assumptions.")                    \
    X(implementations_differ, "implementations-differ", fault,                                     \
      "Two implementations of a process write different values.")                                  \
    X(record_differs, "record-differs", fault, "A recorded output differs from its expected rows.")

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
