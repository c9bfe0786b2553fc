# SPDX-License-Identifier: Apache-2.0
# Writes the C++ source that holds the texts of lib/base/catalogue. The build runs:
#   cmake -DFOLDER=... -DOUTPUT=... -P Embed.cmake

file(GLOB paths "${FOLDER}/*.md")
list(SORT paths)
set(source "// Made from ${FOLDER} by the build.\n#include \"base/codes.hpp\"\n\n")
string(APPEND source "namespace sme {\n\nstd::span<const CatalogueText> catalogue_texts() {\n")
string(APPEND source "    static constexpr CatalogueText texts[] = {\n")
foreach(path IN LISTS paths)
  get_filename_component(slug "${path}" NAME_WE)
  if(NOT slug STREQUAL "README")
    file(READ "${path}" text)
    string(APPEND source "        {\"${slug}\", R\"_md_(${text})_md_\"},\n")
  endif()
endforeach()
string(APPEND source "    };\n    return texts;\n}\n\n} // namespace sme\n")
file(WRITE "${OUTPUT}" "${source}")
