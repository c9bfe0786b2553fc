# SPDX-License-Identifier: Apache-2.0
# What this build has, printed once at the end of configuring.

message(STATUS "sme ${PROJECT_VERSION}: ${CMAKE_BUILD_TYPE}, "
  "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
if(SME_SANITIZE)
  message(STATUS "  sanitizers   ${SME_SANITIZE}")
endif()
foreach(option TESTS MODELS BENCH FUZZ)
  string(TOLOWER ${option} label)
  string(SUBSTRING "${label}             " 0 12 label)
  message(STATUS "  ${label} ${SME_BUILD_${option}}")
endforeach()
message(STATUS "  Verilator    ${SME_HAVE_VERILATOR} (SME_VERILATOR=${SME_VERILATOR})")
message(STATUS "  SystemC      ${SME_HAVE_SYSTEMC} (SME_SYSTEMC=${SME_SYSTEMC})")
