# SPDX-License-Identifier: Apache-2.0
# Tools that some parts work with when they are there. AUTO takes what is found, ON insists, OFF
# does not look. Sets SME_HAVE_VERILATOR (with VERILATOR_EXECUTABLE) and SME_HAVE_SYSTEMC (with the
# target sme::systemc).

set(SME_VERILATOR AUTO CACHE STRING "Work with Verilator: AUTO, ON or OFF")
set(SME_SYSTEMC AUTO CACHE STRING "Work with SystemC: AUTO, ON or OFF")

# Applies AUTO, ON or OFF to what was found.
function(sme_optional option found)
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  if(NOT ${option} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "${option} is '${${option}}', but must be AUTO, ON or OFF")
  endif()
  if(${option} STREQUAL "ON" AND NOT found)
    message(FATAL_ERROR "${option} is ON, but it was not found")
  endif()
  string(REPLACE "SME_" "SME_HAVE_" have ${option})
  if(found AND NOT ${option} STREQUAL "OFF")
    set(${have} ON PARENT_SCOPE)
  else()
    set(${have} OFF PARENT_SCOPE)
  endif()
endfunction()

set(VERILATOR_FOUND OFF)
if(NOT SME_VERILATOR STREQUAL "OFF")
  find_program(VERILATOR_EXECUTABLE verilator)
  mark_as_advanced(VERILATOR_EXECUTABLE)
  if(VERILATOR_EXECUTABLE)
    set(VERILATOR_FOUND ON)
  endif()
endif()
sme_optional(SME_VERILATOR ${VERILATOR_FOUND})

set(SYSTEMC_FOUND OFF)
if(NOT SME_SYSTEMC STREQUAL "OFF")
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET systemc)
  endif()
  if(NOT SYSTEMC_FOUND) # unset, or 0
    set(SYSTEMC_FOUND OFF)
  endif()
endif()
sme_optional(SME_SYSTEMC ${SYSTEMC_FOUND})
if(SME_HAVE_SYSTEMC)
  # The packaged library is built as C++17 and checks that by a symbol's name.
  add_library(sme_systemc INTERFACE)
  add_library(sme::systemc ALIAS sme_systemc)
  target_link_libraries(sme_systemc INTERFACE PkgConfig::SYSTEMC)
  target_compile_definitions(sme_systemc INTERFACE SC_CPLUSPLUS=201703L)
endif()

# The library for FST files: C that comes with Verilator, compiled into lib/fst.
find_path(SME_FST_FOLDER fstapi.c
  HINTS ENV VERILATOR_ROOT PATHS /usr/share/verilator /usr/local/share/verilator
  PATH_SUFFIXES include/gtkwave DOC "The folder of fstapi.c, which comes with Verilator")
mark_as_advanced(SME_FST_FOLDER)
if(NOT SME_FST_FOLDER)
  message(FATAL_ERROR "there is no fstapi.c, with which FST files are written and read; it comes "
    "with Verilator (Debian: apt-get install verilator), else set SME_FST_FOLDER to its folder")
endif()
