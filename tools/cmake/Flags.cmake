# SPDX-License-Identifier: Apache-2.0
# The language, the warnings, and the flags of each build type.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

set(SME_SANITIZE "" CACHE STRING "Value of -fsanitize= for all targets")

# Release has no debug information. The vectoriser uses the cost model of -O3, which GCC's -O2 does
# not; the rest of -O3 only costs build time here.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " -fvect-cost-model=dynamic")
endif()
# No NDEBUG: in this build, the assertions of SME and of the standard library are on. Line tables
# are enough for a backtrace and take a third less time than variables, which preset debug adds.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -D_GLIBCXX_ASSERTIONS")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g -D_GLIBCXX_ASSERTIONS")

# The Python module links all parts into a shared library. In every native build, so that it can
# join one later without a second compilation.
if(NOT EMSCRIPTEN)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  add_compile_options(-fno-semantic-interposition)
endif()

# Compiles several sources of a target as one, so that their headers are read once. Preset debug and
# SME_UNITY=OFF compile each source separately.
option(SME_UNITY "Compile sources in batches" ON)
set(CMAKE_UNITY_BUILD ${SME_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)

# Reuses objects of earlier builds if ccache is installed when the build is first configured: to
# start it later would change all commands, and so compile everything again. Assertions name files
# relative to the root, so that an object is the same in every clone.
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
if(NOT DEFINED CCACHE_EXECUTABLE)
  find_program(CCACHE_EXECUTABLE ccache)
endif()
mark_as_advanced(CCACHE_EXECUTABLE)
if(CCACHE_EXECUTABLE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_EXECUTABLE}")
endif()

add_library(sme_warnings INTERFACE)
# clang's -Wconversion includes -Wsign-conversion; with this flag GCC warns of the same code.
target_compile_options(sme_warnings INTERFACE -Wall -Wextra -Wconversion -Wsign-conversion)
if(SME_WERROR)
  target_compile_options(sme_warnings INTERFACE -Werror)
endif()

if(SME_SANITIZE)
  add_compile_options(-fsanitize=${SME_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SME_SANITIZE})
endif()
if(SME_BUILD_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
