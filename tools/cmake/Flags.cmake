# SPDX-License-Identifier: Apache-2.0
# The language, the warnings, and what each build type means here.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

set(SME_SANITIZE "" CACHE STRING "Value of -fsanitize= for all targets")

# Release carries no debug information; the vectoriser may weigh costs as at -O3, which GCC's -O2
# does not let it, and the rest of -O3 only costs build time here.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " -fvect-cost-model=dynamic")
endif()
# No NDEBUG: this is the build in which assertions, ours and the library's, are on. Line tables are
# enough for a backtrace and take a third less time than variables, which preset debug adds.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -D_GLIBCXX_ASSERTIONS")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g -D_GLIBCXX_ASSERTIONS")

# Several sources of a target are compiled as one: their headers are read once. Preset debug and
# SME_UNITY=OFF compile each by itself.
option(SME_UNITY "Compile sources in batches" ON)
set(CMAKE_UNITY_BUILD ${SME_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)

# Objects of an earlier build, where ccache is installed. Assertions name files relative to the root,
# so that an object is the same in every clone.
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
find_program(CCACHE_EXECUTABLE ccache)
mark_as_advanced(CCACHE_EXECUTABLE)
if(CCACHE_EXECUTABLE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_EXECUTABLE}")
endif()

add_library(sme_warnings INTERFACE)
# clang's -Wconversion includes -Wsign-conversion; asking GCC for it shows both the same code.
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
