# SPDX-License-Identifier: Apache-2.0
# Writes the C++ source that holds the files of a new project, without their licence lines. The
# build runs:
#   cmake -DFOLDER=... -DOUTPUT=... -P EmbedProject.cmake

file(GLOB paths "${FOLDER}/*")
list(SORT paths)
set(source "// Made from ${FOLDER} by the build.\n#include \"cli/project/project_files.hpp\"\n\n")
string(APPEND source "namespace sme::cli {\n\nstd::span<const ProjectFile> project_files() {\n")
string(APPEND source "    static constexpr ProjectFile files[] = {\n")
foreach(path IN LISTS paths)
  get_filename_component(name "${path}" NAME)
  file(READ "${path}" text)
  string(REGEX REPLACE "^[^\n]*SPDX[-]License-Identifier:[^\n]*\n" "" text "${text}")
  string(APPEND source "        {\"${name}\", R\"_file_(${text})_file_\"},\n")
endforeach()
string(APPEND source "    };\n    return files;\n}\n\n} // namespace sme::cli\n")
file(WRITE "${OUTPUT}" "${source}")
