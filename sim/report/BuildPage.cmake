# SPDX-License-Identifier: Apache-2.0
# Makes the C++ source that holds the page of reports. Run by the build:
#   cmake -DSOURCE=sim/report/page -DFOLDER=... -DOUTPUT=page_text.cpp -P BuildPage.cmake
# The page is bundled in a copy of its sources, FOLDER. Where npm cannot install what it needs, the
# source holds no page and says why.
include("${CMAKE_CURRENT_LIST_DIR}/../../tools/cmake/NpmInstall.cmake")

npm_install("${SOURCE}" "${FOLDER}" problem --omit=dev)
if(problem)
  file(REMOVE "${FOLDER}/page.html")
  message(WARNING "sme is built without the page of 'sme run --report': ${problem}")
  file(WRITE "${OUTPUT}" "// Made by the build, without the page.
#include \"report/report.hpp\"

namespace sme::report {

std::string_view built_page() {
    return {};
}

std::string_view missing_page() {
    return \"${problem}\";
}

} // namespace sme::report
")
  return()
endif()
execute_process(COMMAND "${NODE}" bundle.mjs page.html "${OUTPUT}"
  WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE failed ERROR_VARIABLE said)
if(NOT failed EQUAL 0) # a mistake in the page, which must not pass
  message(FATAL_ERROR "${said}")
endif()
