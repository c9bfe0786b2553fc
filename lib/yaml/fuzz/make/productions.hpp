// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace sme::fuzz {

/// All constructs of the generator except keys, operators and built-in functions. A test counts
/// each, so it notices a construct that is never generated.
#define SME_PRODUCTIONS(X)                                                                         \
    /* values */                                                                                   \
    X(decimal)                                                                                     \
    X(hexadecimal)                                                                                 \
    X(binary_digits)                                                                               \
    X(underscores)                                                                                 \
    X(negative_number)                                                                             \
    X(long_number)                                                                                 \
    X(bare_number)                                                                                 \
    X(typed_number)                                                                                \
    X(boolean_literal)                                                                             \
    X(bare_member)                                                                                 \
    X(dotted_member)                                                                               \
    X(type_of_width)                                                                               \
    X(name)                                                                                        \
    X(index_value)                                                                                 \
    X(parameter_value)                                                                             \
    X(field)                                                                                       \
    X(element)                                                                                     \
    X(bit)                                                                                         \
    X(slice)                                                                                       \
    X(one_slice)                                                                                   \
    X(wide_product)                                                                                \
    X(fixed_point)                                                                                 \
    X(fixed_compared)                                                                              \
    X(fixed_narrowed)                                                                              \
    X(decimal_point)                                                                               \
    X(wide_value)                                                                                  \
    X(wide_bit)                                                                                    \
    X(wide_slice)                                                                                  \
    X(port_element)                                                                                \
    X(memory_word)                                                                                 \
    X(table_read)                                                                                  \
    X(conditional)                                                                                 \
    X(conditional_elif)                                                                            \
    X(bare_branch)                                                                                 \
    X(function_call)                                                                               \
    X(integer_cast)                                                                                \
    X(wide_cast)                                                                                   \
    X(packed_cast)                                                                                 \
    X(unpacked_cast)                                                                               \
    X(construct)                                                                                   \
    X(construct_map)                                                                               \
    X(update)                                                                                      \
    X(equal_structs)                                                                               \
    X(equal_arrays)                                                                                \
    X(equal_members)                                                                               \
    X(bool_operator)                                                                               \
    X(two_ranges)                                                                                  \
    X(exact_arithmetic)                                                                            \
    X(parentheses)                                                                                 \
    /* right-hand sides */                                                                         \
    X(rhs_expression)                                                                              \
    X(rhs_when)                                                                                    \
    X(rhs_list)                                                                                    \
    X(rhs_fields)                                                                                  \
    X(rhs_partial_fields)                                                                          \
    X(rhs_if)                                                                                      \
    X(rhs_elif)                                                                                    \
    X(rhs_match)                                                                                   \
    X(block_scalar)                                                                                \
    X(folded_scalar)                                                                               \
    X(quoted_scalar)                                                                               \
    X(longer_lines)                                                                                \
    /* patterns */                                                                                 \
    X(pattern_number)                                                                              \
    X(pattern_list)                                                                                \
    X(pattern_bits)                                                                                \
    X(pattern_member)                                                                              \
    X(pattern_boolean)                                                                             \
    X(pattern_constant)                                                                            \
    X(match_all)                                                                                   \
    X(match_else)                                                                                  \
    /* steps */                                                                                    \
    X(target_whole)                                                                                \
    X(target_field)                                                                                \
    X(target_bit)                                                                                  \
    X(target_chosen_bit)                                                                           \
    X(target_slice)                                                                                \
    X(target_element)                                                                              \
    X(target_row)                                                                                  \
    X(target_range)                                                                                \
    X(target_two_ranges)                                                                           \
    X(target_port_element)                                                                         \
    X(step_list)                                                                                   \
    X(step_empty)                                                                                  \
    X(step_if)                                                                                     \
    X(step_elif)                                                                                   \
    X(step_else)                                                                                   \
    X(step_match)                                                                                  \
    X(step_nested)                                                                                 \
    X(two_chains)                                                                                  \
    X(sampled_input)                                                                               \
    X(stable_input)                                                                                \
    X(domains_of_component)                                                                        \
    X(rows_of_domain)                                                                              \
    /* types */                                                                                    \
    X(alias)                                                                                       \
    X(structure)                                                                                   \
    X(nested_structure)                                                                            \
    X(generic)                                                                                     \
    X(generic_use)                                                                                 \
    X(bundle)                                                                                      \
    X(enumeration)                                                                                 \
    X(enumeration_width)                                                                           \
    X(enumeration_zeroless)                                                                        \
    X(array)                                                                                       \
    X(array_two)                                                                                   \
    X(array_of_structs)                                                                            \
    X(parameter_type)                                                                              \
    /* declarations */                                                                             \
    X(wire)                                                                                        \
    X(delay)                                                                                       \
    X(hold)                                                                                        \
    X(error_rule)                                                                                  \
    X(initial)                                                                                     \
    X(initial_index)                                                                               \
    X(initial_list)                                                                                \
    X(initial_words)                                                                               \
    X(memory)                                                                                      \
    X(memory_two)                                                                                  \
    X(constant_scalar)                                                                             \
    X(constant_list)                                                                               \
    X(constant_nested)                                                                             \
    X(constant_unsized)                                                                            \
    X(constant_struct)                                                                             \
    X(constant_hex)                                                                                \
    X(constant_column)                                                                             \
    X(constant_bytes)                                                                              \
    X(file_parameter)                                                                              \
    X(let)                                                                                         \
    X(let_array)                                                                                   \
    X(let_array_two)                                                                               \
    X(function_expression)                                                                         \
    X(function_rhs)                                                                                \
    X(function_body)                                                                               \
    X(untyped_function)                                                                            \
    /* the network */                                                                              \
    X(single_process)                                                                              \
    X(family)                                                                                      \
    X(family_two)                                                                                  \
    X(family_low)                                                                                  \
    X(where_family)                                                                                \
    X(shifted_binding)                                                                             \
    X(whole_family_port)                                                                           \
    X(range_port)                                                                                  \
    X(range_port_two)                                                                              \
    X(names_list)                                                                                  \
    X(one_name)                                                                                    \
    X(own_output)                                                                                  \
    X(single_component)                                                                            \
    X(composite)                                                                                   \
    X(instance_family)                                                                             \
    X(bound_value)                                                                                 \
    X(type_parameter)                                                                              \
    X(number_parameter)                                                                            \
    X(std_component)                                                                               \
    X(wire_port)                                                                                   \
    X(bundle_family)                                                                               \
    X(wire_chain)                                                                                  \
    X(input_hex)                                                                                   \
    X(input_csv)                                                                                   \
    X(input_bundle)                                                                                \
    X(check_in_process)                                                                            \
    X(check_in_component)                                                                          \
    X(check_state)                                                                                 \
    X(check_bus)                                                                                   \
    X(check_inside)                                                                                \
    X(past_value)                                                                                  \
    X(stable_value)                                                                                \
    X(rose_value)                                                                                  \
    X(fell_value)                                                                                  \
    X(temporal_within)                                                                             \
    X(temporal_in)                                                                                 \
    X(temporal_window)                                                                             \
    X(sequence)                                                                                    \
    X(pipeline)                                                                                    \
    X(print_values)                                                                                \
    X(guarded_fault)                                                                               \
    X(fault)                                                                                       \
    X(early_halt)                                                                                  \
    X(random_value)                                                                                \
    X(unwritten_rule_read)

enum class Production : unsigned char {
#define SME_PRODUCTION(name) name,
    SME_PRODUCTIONS(SME_PRODUCTION)
#undef SME_PRODUCTION
};

inline constexpr std::array production_names{
#define SME_PRODUCTION(name) std::string_view{#name},
    SME_PRODUCTIONS(SME_PRODUCTION)
#undef SME_PRODUCTION
};

/// Counts the uses of each production.
class Coverage {
public:
    void count(Production production) { ++counts_[static_cast<std::size_t>(production)]; }
    unsigned of(std::size_t production) const { return counts_[production]; }
    void add(const Coverage& other) {
        for (std::size_t k = 0; k < counts_.size(); ++k)
            counts_[k] += other.counts_[k];
    }

private:
    std::array<unsigned, production_names.size()> counts_{};
};

} // namespace sme::fuzz
