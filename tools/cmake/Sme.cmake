# SPDX-License-Identifier: Apache-2.0
# The kinds of targets in this project. Each folder calls these functions with explicit source
# lists.

# The include roots of the parts: <sme/network.hpp>, "base/diagnostic.hpp",
# "engine/slots/layout.hpp".
set(SME_INCLUDE_ROOTS lib/include lib sim hdl validator)
list(TRANSFORM SME_INCLUDE_ROOTS PREPEND "${PROJECT_SOURCE_DIR}/")

# sme_glob(<variable> <pattern>)
# Sets the variable to the matching files of this folder. The build looks for new ones when a folder
# that holds such files has changed; CONFIGURE_DEPENDS of file(GLOB) would make every call of ninja
# run a check.
function(sme_glob variable pattern)
  file(GLOB found "${CMAKE_CURRENT_SOURCE_DIR}/${pattern}")
  set(folders "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(file IN LISTS found)
    get_filename_component(folder "${file}" DIRECTORY)
    list(APPEND folders "${folder}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folders})
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# sme_compile_cold(<target>)
# Compiles the target at -Og in a release, which builds in half of the time, because its run time is
# negligible.
function(sme_compile_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
endfunction()

# sme_compile_hot(<target>)
# Compiles the target as the build type says.
function(sme_compile_hot target)
endfunction()

# sme_compile_warm(<target>)
# Compiles the target at -O1 in a release: a third faster to build, and its run time, that of loading
# a network, grows by 1 %.
function(sme_compile_warm target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# sme_precompile(<target> <kind>)
# Compiles the standard headers once for all parts of a kind (cold, warm or hot), which share flags.
# Not with ccache, which would find no object again, nor where objects are compared with others.
function(sme_precompile target kind)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR NOT CMAKE_BUILD_TYPE STREQUAL "Release"
      OR CMAKE_CXX_COMPILER_LAUNCHER OR EMSCRIPTEN OR NOT SME_UNITY)
    return()
  endif()
  set(headers sme_headers_${kind})
  if(NOT TARGET ${headers})
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/${headers}.cpp" CONTENT "")
    add_library(${headers} OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/${headers}.cpp")
    target_link_libraries(${headers} PRIVATE fmt::fmt)
    target_precompile_headers(${headers} PRIVATE <algorithm> <array> <atomic> <condition_variable>
      <cstdint> <filesystem> <fstream> <functional> <map> <memory> <mutex> <optional> <set> <span>
      <sstream> <string> <thread> <unordered_map> <variant> <vector> <fmt/format.h>)
    cmake_language(CALL sme_compile_${kind} ${headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

# sme_part(<name> [COLD|WARM] [SOURCES files...] [USES targets...] [PRIVATE_USES targets...])
# Adds one part of the project: the library sme_<name>, alias sme::<name>. USES are the parts and
# packages that its headers need, PRIVATE_USES those that only its sources need. Without sources it
# is header-only. COLD, WARM: see sme_compile_cold and sme_compile_warm.
function(sme_part name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;WARM" "" "SOURCES;USES;PRIVATE_USES")
  sme_no_leftovers(sme_part ${name} "${arg_UNPARSED_ARGUMENTS}")
  if(arg_SOURCES)
    add_library(sme_${name} STATIC ${arg_SOURCES})
    target_include_directories(sme_${name} PUBLIC ${SME_INCLUDE_ROOTS})
    target_link_libraries(sme_${name} PUBLIC ${arg_USES} PRIVATE sme_warnings ${arg_PRIVATE_USES})
    set(kind hot)
    if(arg_COLD)
      set(kind cold)
    elseif(arg_WARM)
      set(kind warm)
    endif()
    cmake_language(CALL sme_compile_${kind} sme_${name})
    sme_precompile(sme_${name} ${kind})
  else()
    add_library(sme_${name} INTERFACE)
    target_include_directories(sme_${name} INTERFACE ${SME_INCLUDE_ROOTS})
    target_link_libraries(sme_${name} INTERFACE ${arg_USES} ${arg_PRIVATE_USES})
  endif()
  add_library(sme::${name} ALIAS sme_${name})
endfunction()

# sme_test(<area> [COMMAND] [LONG] SOURCES files... [USES targets...])
# Adds the doctest executable test_<area> and the ctest test <area>, which runs in the source root.
# COMMAND: the test runs the sme command, which is built with it. LONG: the test takes ten seconds
# or more and starts before the others, so that it does not run alone at the end. A test that prints
# "skipped: ", because something that it needs is missing, and does not fail counts as skipped
# (test_main.cpp). The test has the definitions SME_SOURCE_DIR, SME_BINARY_DIR, SME_COMMAND (the
# path of the sme command) and SME_PYTHON (the interpreter with the packages of
# tools/requirements.txt, which tools/test creates).
function(sme_test area)
  if(NOT SME_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "COMMAND;LONG" "" "SOURCES;USES")
  sme_no_leftovers(sme_test ${area} "${arg_UNPARSED_ARGUMENTS}")
  if(NOT TARGET sme_test_main)
    add_library(sme_test_main OBJECT "${PROJECT_SOURCE_DIR}/tools/cmake/test_main.cpp")
    target_link_libraries(sme_test_main PUBLIC doctest::doctest)
  endif()
  add_executable(test_${area} ${arg_SOURCES})
  set_target_properties(test_${area} PROPERTIES UNITY_BUILD_BATCH_SIZE 5) # cores share large tests
  target_include_directories(test_${area} PRIVATE ${SME_INCLUDE_ROOTS})
  target_link_libraries(test_${area} PRIVATE sme_test_main ${arg_USES} sme_warnings)
  sme_compile_cold(test_${area})
  target_compile_definitions(test_${area} PRIVATE
    DOCTEST_CONFIG_SUPER_FAST_ASSERTS # fast to compile
    "SME_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"" "SME_BINARY_DIR=\"${PROJECT_BINARY_DIR}\""
    "SME_COMMAND=\"${PROJECT_BINARY_DIR}/sim/cli/sme\""
    "SME_PYTHON=\"${PROJECT_SOURCE_DIR}/build/venv/bin/python3\"")
  add_test(NAME ${area} COMMAND test_${area} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${area} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77
    ENVIRONMENT "XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/cache") # built modules of Verilog
  if(arg_COMMAND)
    add_dependencies(test_${area} sme_commands)
  endif()
  if(arg_LONG)
    set_tests_properties(${area} PROPERTIES COST 50)
  endif()
endfunction()

# sme_npm_tools(<name> <source> files...)
# Adds the target <name>, which copies the files of the folder <source> into the folder <name> of
# the build and lets npm install there the packages that its package-lock.json pins, for tests. The
# file <name>.txt next to the folder holds the reason for a failure, or is empty.
function(sme_npm_tools name source)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  set(scripts "${PROJECT_SOURCE_DIR}/tools/cmake")
  add_custom_command(OUTPUT "${folder}.txt"
    COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${source}" "-DFOLDER=${folder}" "-DOUTPUT=${folder}.txt"
            -P "${scripts}/InstallNpmTools.cmake"
    DEPENDS ${ARGN} "${scripts}/InstallNpmTools.cmake" "${scripts}/NpmInstall.cmake"
    COMMENT "Installing ${name} by npm" VERBATIM)
  add_custom_target(${name} DEPENDS "${folder}.txt")
endfunction()

# sme_model(<name> SOURCES files... [USES targets...])
# Adds a network written in C++: the executable <name> (target model_<name>), which sees only the
# public headers and models/support.
function(sme_model name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;USES")
  sme_no_leftovers(sme_model ${name} "${arg_UNPARSED_ARGUMENTS}")
  add_executable(model_${name} ${arg_SOURCES})
  set_target_properties(model_${name} PROPERTIES OUTPUT_NAME ${name})
  target_link_libraries(model_${name} PRIVATE ${arg_USES} model_support sme::sme sme_warnings)
endfunction()

# sme_fuzz(<name> SOURCES files... CORPUS folder [USES targets...])
# Adds the libFuzzer executable fuzz_<name>, which tools/fuzz runs; only in preset asan.
function(sme_fuzz name)
  if(NOT SME_BUILD_FUZZ)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CORPUS" "SOURCES;USES")
  sme_no_leftovers(sme_fuzz ${name} "${arg_UNPARSED_ARGUMENTS}")
  add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_include_directories(fuzz_${name} PRIVATE ${SME_INCLUDE_ROOTS})
  target_link_libraries(fuzz_${name} PRIVATE ${arg_USES} sme_warnings)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  if(NOT TARGET fuzz_targets)
    add_custom_target(fuzz_targets)
  endif()
  add_dependencies(fuzz_targets fuzz_${name})
  file(REAL_PATH "${arg_CORPUS}" corpus)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/fuzz_targets/${name}"
    CONTENT "$<TARGET_FILE:fuzz_${name}>\n${corpus}\n")
endfunction()

# Makes a mistyped keyword an error instead of a silently ignored source file.
function(sme_no_leftovers function name leftovers)
  if(leftovers)
    message(FATAL_ERROR "${function}(${name}): unknown arguments: ${leftovers}")
  endif()
endfunction()
