# SPDX-License-Identifier: Apache-2.0
# The library for users: libsme.a, one archive of the parts that implement the public headers,
# installed with these headers, a CMake package (sme::sme) and sme.pc.

include(CMakePackageConfigHelpers)

add_library(sme_library STATIC "")
add_library(sme::sme ALIAS sme_library)
set_target_properties(sme_library PROPERTIES OUTPUT_NAME sme EXPORT_NAME sme LINKER_LANGUAGE CXX)
foreach(part base bits network checkpoint clocked cut engine fst judge kahn lockstep orders run trace)
  get_target_property(type sme_${part} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY") # a header-only part has no objects
    target_sources(sme_library PRIVATE $<TARGET_OBJECTS:sme_${part}>)
  endif()
endforeach()
target_compile_features(sme_library PUBLIC cxx_std_20)
target_include_directories(sme_library PUBLIC
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib/include;${PROJECT_BINARY_DIR}/former>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_link_libraries(sme_library PUBLIC Threads::Threads PRIVATE fmt::fmt ZLIB::ZLIB)

set(SME_OTHER_LIBS "") # libfst or LZ4, if they write FST files; METIS
if(SME_FST_LIBRARY STREQUAL "LIBFST")
  set(SME_OTHER_LIBS "${SME_LIBFST}")
elseif(SME_FST_LIBRARY STREQUAL "FSTCPP")
  set(SME_OTHER_LIBS "${SME_LZ4}")
endif()
if(SME_HAVE_METIS)
  string(APPEND SME_OTHER_LIBS " ${SME_LIBMETIS}")
endif()
separate_arguments(other_libs UNIX_COMMAND "${SME_OTHER_LIBS}")
target_link_libraries(sme_library PRIVATE ${other_libs})

# libsme_load.a: networks in YAML (sme/load.hpp), for programs that use them.
add_library(sme_load_library STATIC "")
add_library(sme::load ALIAS sme_load_library)
set_target_properties(sme_load_library PROPERTIES OUTPUT_NAME sme_load EXPORT_NAME load
  LINKER_LANGUAGE CXX)
foreach(part vcd program expr yaml actors interpret native_code native session loaded_network)
  target_sources(sme_load_library PRIVATE $<TARGET_OBJECTS:sme_${part}>)
endforeach()
target_compile_definitions(sme_load_library INTERFACE
  "$<INSTALL_INTERFACE:SME_LIBRARY_FOLDER=\"$<INSTALL_PREFIX>/${CMAKE_INSTALL_DATADIR}/sme\">")

# libsme_verilog.a: Verilog modules as processes, for programs that use them. The program that
# generates classes from modules serves the build (sme_add_verilog).
add_library(sme_verilog_library STATIC $<TARGET_OBJECTS:sme_verilator> $<TARGET_OBJECTS:sme_verilator_build>
  $<TARGET_OBJECTS:sme_verilator_installation>)
add_library(sme::verilog ALIAS sme_verilog_library)
set_target_properties(sme_verilog_library PROPERTIES OUTPUT_NAME sme_verilog EXPORT_NAME verilog
  LINKER_LANGUAGE CXX)
target_link_libraries(sme_verilog_library PUBLIC sme_library
  PRIVATE fmt::fmt pugixml::pugixml ${CMAKE_DL_LIBS})
target_link_libraries(sme_load_library PUBLIC sme_verilog_library
  PRIVATE fmt::fmt yaml ${CMAKE_DL_LIBS})

set(SME_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/sme")
configure_package_config_file(tools/cmake/smeConfig.cmake.in smeConfig.cmake
  INSTALL_DESTINATION "${SME_PACKAGE_DIR}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(smeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH SME_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/") # the tree may be moved
configure_file(tools/cmake/sme.pc.in sme.pc @ONLY)

install(TARGETS sme_library sme_load_library sme_verilog_library sme_verilog_class EXPORT sme COMPONENT library
  RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/sme")
install(DIRECTORY lib/include/sme DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT library
  FILES_MATCHING PATTERN "*.hpp")
# Headers that were joined with others; their names remain for one release.
foreach(pair archive:simulator bus:network enum:values kahn_barrier:kahn_process kahn_service:kahn_patterns
    kahn_shared:kahn_choice kahn_spawn:untimed kahn_stream:clocked kahn_task:kahn_process kahn_time:untimed
    lockstep:compare orders:compare ports:process struct:values wide:values)
  string(REPLACE ":" ";" names ${pair})
  list(GET names 0 old)
  list(GET names 1 new)
  file(CONFIGURE OUTPUT "former/sme/${old}.hpp"
    CONTENT "#pragma once // include <sme/@new@.hpp> instead\n#include \"sme/@new@.hpp\"\n" @ONLY)
endforeach()
install(DIRECTORY "${PROJECT_BINARY_DIR}/former/sme" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT library)
install(EXPORT sme NAMESPACE sme:: DESTINATION "${SME_PACKAGE_DIR}" FILE smeTargets.cmake
  COMPONENT library)
install(FILES "${PROJECT_BINARY_DIR}/smeConfig.cmake" "${PROJECT_BINARY_DIR}/smeConfigVersion.cmake"
  DESTINATION "${SME_PACKAGE_DIR}" COMPONENT library)
install(FILES tools/cmake/SmeAddVerilog.cmake DESTINATION "${SME_PACKAGE_DIR}" COMPONENT library)
install(FILES hdl/verilator/module/abi.h hdl/verilator/module/context.h hdl/verilator/module/hooks.cpp
  hdl/verilator/module/runtime.h hdl/verilator/module/verilated_vcd_c.h hdl/verilator/module/version.h
  DESTINATION "${SME_PACKAGE_DIR}/verilog" COMPONENT library)
install(FILES "${PROJECT_BINARY_DIR}/sme.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT library)
install(TARGETS sme COMPONENT command)
install(TARGETS sme_verilog_plugin COMPONENT command DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}")
install(TARGETS sme-analysis sme-hardware COMPONENT command DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}")
install(DIRECTORY lib/std DESTINATION "${CMAKE_INSTALL_DATADIR}/sme" COMPONENT command
  FILES_MATCHING PATTERN "*.yaml" PATTERN test EXCLUDE PATTERN diagrams EXCLUDE)
install(FILES "${PROJECT_BINARY_DIR}/sim/cli/sme.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
  COMPONENT command)

# Everything that is installed; tools/sme --install builds it.
add_custom_target(install_targets
  DEPENDS sme_commands report_page sme_library sme_load_library sme_verilog_library sme_verilog_class)
