# SPDX-License-Identifier: Apache-2.0
# Optional tools of some parts. AUTO uses a tool if it is found, ON requires it, OFF does not look
# for it. Sets SME_HAVE_VERILATOR (with VERILATOR_EXECUTABLE), SME_HAVE_METIS (with SME_LIBMETIS),
# SME_HAVE_SYSTEMC (with the target sme::systemc), SME_HAVE_VPI (with SME_VPI_FOLDER) and
# SME_HAVE_BINDINGS (with nanobind).

set(SME_VERILATOR AUTO CACHE STRING "Work with Verilator: AUTO, ON or OFF")
set(SME_METIS AUTO CACHE STRING "Divide networks with METIS: AUTO, ON or OFF")
set(SME_SYSTEMC AUTO CACHE STRING "Work with SystemC: AUTO, ON or OFF")

# Applies AUTO, ON or OFF to the result of a search.
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

set(SME_BINDINGS AUTO CACHE STRING "Build the Python module: AUTO, ON or OFF")
set(SME_BINDINGS_PYTHON "${PROJECT_SOURCE_DIR}/build/venv/bin/python3" CACHE FILEPATH
  "The Python for which the module is built; it has nanobind")
if(DEFINED SKBUILD) # pip builds a wheel
  set(SME_BINDINGS_PYTHON "${Python_EXECUTABLE}")
endif()
set(NANOBIND_FOUND OFF)
if(NOT SME_BINDINGS STREQUAL "OFF" AND EXISTS "${SME_BINDINGS_PYTHON}")
  execute_process(COMMAND "${SME_BINDINGS_PYTHON}" -m nanobind --cmake_dir
    OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    RESULT_VARIABLE failed)
  if(failed EQUAL 0)
    set(Python_EXECUTABLE "${SME_BINDINGS_PYTHON}")
    find_package(Python 3.10 QUIET COMPONENTS Interpreter Development.Module
      OPTIONAL_COMPONENTS Development.SABIModule) # one wheel for 3.12 and all later ones
    find_package(nanobind CONFIG QUIET)
    if(Python_Development.Module_FOUND AND nanobind_FOUND)
      set(NANOBIND_FOUND ON)
    endif()
  endif()
endif()
sme_optional(SME_BINDINGS ${NANOBIND_FOUND})

set(VERILATOR_FOUND OFF)
if(NOT SME_VERILATOR STREQUAL "OFF")
  find_program(VERILATOR_EXECUTABLE verilator)
  mark_as_advanced(VERILATOR_EXECUTABLE)
  if(VERILATOR_EXECUTABLE)
    set(VERILATOR_FOUND ON)
  endif()
endif()
sme_optional(SME_VERILATOR ${VERILATOR_FOUND})

find_library(SME_LIBMETIS metis)
find_path(SME_METIS_FOLDER metis.h)
mark_as_advanced(SME_LIBMETIS SME_METIS_FOLDER)
set(METIS_FOUND OFF)
if(SME_LIBMETIS AND SME_METIS_FOLDER)
  set(METIS_FOUND ON)
endif()
sme_optional(SME_METIS ${METIS_FOUND})

set(SME_VPI AUTO CACHE STRING "Build sme vpi, which needs vpi_user.h: AUTO, ON or OFF")
find_path(SME_VPI_FOLDER vpi_user.h HINTS /usr/share/verilator /usr/include/iverilog
  PATH_SUFFIXES include/vltstd DOC "The folder of vpi_user.h, which comes with Verilator")
mark_as_advanced(SME_VPI_FOLDER)
set(VPI_FOUND OFF)
if(SME_VPI_FOLDER)
  set(VPI_FOUND ON)
endif()
sme_optional(SME_VPI ${VPI_FOUND})

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
  # The packaged library is built as C++17 and checks that by the name of a symbol.
  add_library(sme_systemc INTERFACE)
  add_library(sme::systemc ALIAS sme_systemc)
  target_link_libraries(sme_systemc INTERFACE PkgConfig::SYSTEMC)
  # SystemC 3.0 marks SC_HAS_PROCESS as deprecated, which 2.3 requires.
  target_compile_definitions(sme_systemc INTERFACE SC_CPLUSPLUS=201703L SC_ALLOW_DEPRECATED_IEEE_API)
endif()

# The library for FST files (lib/fst): the first one found, or the one that SME_FST names.
#   FSTAPI  C sources of Verilator up to 5.046, compiled into lib/fst
#   LIBFST  libfst of the system, which has fstWriterCreate: Debian's libfst-dev is another library
#   FSTCPP  C++ sources of newer Verilators, compiled into lib/fst
# GTKWave's fst2vcd reads the files.
set(SME_FST AUTO CACHE STRING "The library for FST files: AUTO, FSTAPI, LIBFST, FSTCPP or OFF")
set_property(CACHE SME_FST PROPERTY STRINGS AUTO FSTAPI LIBFST FSTCPP OFF)
set(verilator_root "")
if(VERILATOR_EXECUTABLE)
  execute_process(COMMAND "${VERILATOR_EXECUTABLE}" --getenv VERILATOR_ROOT
    OUTPUT_VARIABLE verilator_root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(verilator_roots
  HINTS ENV VERILATOR_ROOT "${verilator_root}" PATHS /usr/share/verilator /usr/local/share/verilator)
find_path(SME_FST_FOLDER fstapi.c ${verilator_roots} PATH_SUFFIXES include/gtkwave
  DOC "The folder of fstapi.c, which comes with Verilator")
find_path(SME_FSTCPP_FOLDER fstcpp/fstcpp_writer.cpp ${verilator_roots} PATH_SUFFIXES include
  DOC "The folder of fstcpp, which comes with newer Verilators")
find_path(SME_LZ4_FOLDER lz4.h)
find_library(SME_LZ4 lz4)
find_path(SME_LIBFST_FOLDER fstapi.h PATH_SUFFIXES libfst)
find_library(SME_LIBFST fst)
mark_as_advanced(SME_FST_FOLDER SME_FSTCPP_FOLDER SME_LZ4_FOLDER SME_LZ4 SME_LIBFST_FOLDER SME_LIBFST)
set(SME_HAVE_FSTAPI OFF)
set(SME_HAVE_LIBFST OFF)
set(SME_HAVE_FSTCPP OFF)
if(SME_FST_FOLDER)
  set(SME_HAVE_FSTAPI ON)
endif()
if(SME_LIBFST_FOLDER AND SME_LIBFST)
  include(CheckCXXSymbolExists)
  set(CMAKE_REQUIRED_INCLUDES "${SME_LIBFST_FOLDER}")
  set(CMAKE_REQUIRED_LIBRARIES "${SME_LIBFST}")
  check_cxx_symbol_exists(fstWriterCreate fstapi.h SME_LIBFST_WRITES)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(SME_HAVE_LIBFST ${SME_LIBFST_WRITES})
endif()
if(SME_FSTCPP_FOLDER AND SME_LZ4_FOLDER AND SME_LZ4)
  set(SME_HAVE_FSTCPP ON)
endif()
set(SME_FST_LIBRARY OFF)
foreach(library FSTAPI LIBFST FSTCPP)
  if(NOT SME_FST_LIBRARY AND SME_HAVE_${library} AND SME_FST MATCHES "^(AUTO|${library})$")
    set(SME_FST_LIBRARY ${library})
  endif()
endforeach()
if(NOT SME_FST_LIBRARY AND NOT SME_FST MATCHES "^(AUTO|OFF)$")
  message(FATAL_ERROR "SME_FST is ${SME_FST}, but that was not found")
endif()
