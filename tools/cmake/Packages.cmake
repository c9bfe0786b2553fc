# SPDX-License-Identifier: Apache-2.0
# Debian packages, by CPack: `cpack --config build/release/CPackConfig.cmake` writes sme (the
# command), sme-mpi (its plug-ins for MPI) and libsme-dev (the C++ library) into build/release.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sme)
set(CPACK_PACKAGE_CONTACT "The SME developers <sme@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command library)
if(SME_MPI_PLUGINS)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # the libraries that the programs need
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME sme)
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "gcc | clang, graphviz")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "tcc, verilator, gtkwave")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION
  "The command sme: runs networks of processes in YAML, checks them, and writes waveforms, Verilog and VHDL.")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME sme-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS OFF) # one of the two will do
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "sme, openmpi-bin | mpich")
set(CPACK_COMPONENT_MPI_DESCRIPTION "Runs of the command sme on several machines, by Open MPI or MPICH.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsme-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "g++, libfmt-dev, zlib1g-dev, libyaml-dev, libpugixml-dev")
if(SME_HAVE_METIS)
  string(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS ", libmetis-dev")
endif()
if(SME_FST_LIBRARY STREQUAL "FSTCPP")
  string(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS ", liblz4-dev")
endif()
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "cmake, sme")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
  "The C++ library: headers, archives, a CMake package and sme.pc, for networks in C++ and programs that load networks.")
include(CPack)
