# SPDX-License-Identifier: Apache-2.0
# sme_add_verilog(<target> FILES <file>... TOP <module> [PARAMETERS NAME=VALUE...]
#                 [INCLUDE <folder>...] [DEFINE NAME[=text]...] [LISTS <file>...] [PLUSARGS text...]
#                 [CLOCK <clock>...] [RESET <reset>...] [RESET_LOW] [RESET_CYCLES <n>] [TRACE_INSIDE]
#                 [SAVABLE])
#
# Adds the library <target>: the Verilog module TOP as the process class <target>, declared in
# <target>.hpp. Verilator generates it when the project is built, and again when one of the files
# that Verilator reads changes. <target> must be a C++ name. A program links the library and calls
#   network.add<target>("name", {.port = sme::in(bus), ...});
# PARAMETERS, INCLUDE, DEFINE and LISTS (Verilator's -f) go to Verilator; the other keywords have
# the meaning of <sme/verilog.hpp>. A clock is a port, or "port every 2 offset 1"; a reset is a
# port, or "port low". RESET_LOW and RESET_CYCLES apply to all resets. File names are relative to
# the calling CMakeLists.txt.
#
# The includer of this file sets SME_VERILOG_FOLDER, the folder of abi.h and related files, and
# defines the targets sme::verilog and sme::verilog_class.

set(SME_VERILOG_FAST_SOURCES 0 1 2 3) # the number that hdl/verilator/class writes

function(sme_add_verilog target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RESET_LOW;TRACE_INSIDE;SAVABLE" "TOP;RESET_CYCLES"
    "FILES;PARAMETERS;INCLUDE;DEFINE;LISTS;PLUSARGS;CLOCK;RESET")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "sme_add_verilog(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT target MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "sme_add_verilog(${target}): the target names a class, so it must be a "
      "name of C++: letters, digits and _, a letter first")
  endif()
  if(NOT arg_TOP OR NOT (arg_FILES OR arg_LISTS))
    message(FATAL_ERROR "sme_add_verilog(${target}): it needs TOP <module>, and FILES <file>...")
  endif()
  sme_verilator_runtime()

  set(arguments --verilator "${SME_VERILATOR_PROGRAM}" --top "${arg_TOP}")
  set(depends "")
  foreach(file IN LISTS arg_FILES arg_LISTS)
    file(REAL_PATH "${file}" path)
    if(NOT EXISTS "${path}")
      message(FATAL_ERROR "sme_add_verilog(${target}): there is no file '${file}'")
    endif()
    list(APPEND depends "${path}")
    if(file IN_LIST arg_LISTS)
      list(APPEND arguments --list "${path}")
    else()
      list(APPEND arguments --file "${path}")
    endif()
  endforeach()
  foreach(folder IN LISTS arg_INCLUDE)
    file(REAL_PATH "${folder}" path)
    list(APPEND arguments --include "${path}")
  endforeach()
  foreach(word PARAMETERS DEFINE PLUSARGS CLOCK RESET RESET_CYCLES)
    string(TOLOWER "${word}" option)
    string(REGEX REPLACE "s$" "" option "${option}")
    string(REPLACE "_cycle" "-cycles" option "${option}")
    foreach(value IN LISTS arg_${word})
      list(APPEND arguments "--${option}" "${value}")
    endforeach()
  endforeach()
  if(arg_RESET_LOW)
    list(APPEND arguments --reset-low on)
  endif()
  if(arg_TRACE_INSIDE)
    list(APPEND arguments --trace-inside on)
    set(traced 1)
  else()
    set(traced 0)
  endif()

  set(savable 0)
  if(arg_SAVABLE)
    list(APPEND arguments --savable on)
    set(savable 1)
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}_verilog")
  set(sources "${folder}/${target}_class.cpp" "${folder}/${target}_slow.cpp")
  foreach(number IN LISTS SME_VERILOG_FAST_SOURCES)
    list(APPEND sources "${folder}/${target}_fast${number}.cpp")
  endforeach()
  add_custom_command(OUTPUT "${folder}/${target}.hpp" ${sources}
    COMMAND sme::verilog_class ${target} "${folder}" ${arguments}
    DEPENDS sme::verilog_class ${depends}
    DEPFILE "${folder}/${target}.d"
    COMMENT "Verilating module ${arg_TOP}" VERBATIM)
  add_library(${target} STATIC "${folder}/${target}.hpp" ${sources})
  target_include_directories(${target} SYSTEM PUBLIC "${folder}")
  target_link_libraries(${target} PUBLIC sme::verilog PRIVATE sme_verilator_runtime)
  target_compile_options(${target} PRIVATE ${SME_VERILATED_OPTIONS})
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF) # whatever the project sets
  target_compile_definitions(${target} PRIVATE VM_TRACE=${traced} VM_TRACE_VCD=${traced}
    VM_SAVABLE=${savable})
endfunction()

# Adds Verilator's runtime, once for all modules of the project; sets SME_VERILATOR_PROGRAM and
# SME_VERILATED_OPTIONS for the caller.
function(sme_verilator_runtime)
  find_program(SME_VERILATOR_PROGRAM verilator)
  mark_as_advanced(SME_VERILATOR_PROGRAM)
  if(NOT SME_VERILATOR_PROGRAM)
    message(FATAL_ERROR "sme_add_verilog needs Verilator; on Debian: apt-get install verilator")
  endif()
  # Generated code: no warnings, optimised in every build type.
  set(options -w -O3 -faligned-new)
  if(SME_SANITIZE)
    list(APPEND options -fno-sanitize=all)
  endif()
  set(SME_VERILATED_OPTIONS "${options}" PARENT_SCOPE)
  if(TARGET sme_verilator_runtime)
    return()
  endif()
  execute_process(COMMAND "${SME_VERILATOR_PROGRAM}" --getenv VERILATOR_ROOT
    OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS "${root}/include/verilated_config.h" version REGEX "define VERILATOR_VERSION \"")
  if(NOT version MATCHES "\"([0-9]+)\\.0*([0-9]+)")
    message(FATAL_ERROR "the version of the Verilator in '${root}' is unknown")
  endif()
  math(EXPR version "${CMAKE_MATCH_1} * 1000 + ${CMAKE_MATCH_2}") # 5006 for 5.006
  set(sources "${SME_VERILOG_FOLDER}/hooks.cpp")
  foreach(name verilated verilated_threads verilated_probdist verilated_save)
    if(EXISTS "${root}/include/${name}.cpp")
      list(APPEND sources "${root}/include/${name}.cpp")
    endif()
  endforeach()
  add_library(sme_verilator_runtime STATIC ${sources})
  target_include_directories(sme_verilator_runtime SYSTEM PUBLIC
    "${SME_VERILOG_FOLDER}" "${root}/include" "${root}/include/vltstd")
  set_target_properties(sme_verilator_runtime PROPERTIES UNITY_BUILD OFF) # its sources collide
  target_compile_features(sme_verilator_runtime PUBLIC cxx_std_17)
  find_package(Threads REQUIRED)
  target_link_libraries(sme_verilator_runtime PUBLIC Threads::Threads)
  target_compile_options(sme_verilator_runtime PRIVATE ${options}
    -include "${SME_VERILOG_FOLDER}/runtime.h")
  target_compile_definitions(sme_verilator_runtime
    PUBLIC VERILATOR=1 SME_VERILATOR=${version} VM_COVERAGE=0 VM_SC=0 VM_TRACE_FST=0 VL_USER_FINISH VL_USER_STOP
           VL_USER_FATAL VL_USER_WARN
    PRIVATE VM_TRACE=1 VM_TRACE_VCD=1)
endfunction()
