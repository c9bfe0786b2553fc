# SPDX-License-Identifier: Apache-2.0
# The build by Emscripten (tools/web): the libraries that load and interpret a network, on one
# thread, and the program that runs one. A page can start no program and map no memory twice.

# Counts and sizes are 64 bits wide. Addresses of 32 bits hold them: a network has at most 2 GiB of
# buses and 1 GiB of memories (network-too-large), and every loader has a limit of work.
target_compile_options(sme_warnings INTERFACE -Wno-shorten-64-to-32)
add_compile_options(-fwasm-exceptions)
add_link_options(-fwasm-exceptions)

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(yaml REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)

set(SME_BUILD_TESTS OFF)
set(SME_FST_LIBRARY OFF)
set(SME_HAVE_METIS OFF)
add_subdirectory(lib)
add_subdirectory(sim/checkpoint)
add_subdirectory(sim/cut)
add_subdirectory(sim/engine)
add_subdirectory(sim/interpret)
add_subdirectory(sim/session/run)
add_subdirectory(sim/web)
