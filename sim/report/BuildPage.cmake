# SPDX-License-Identifier: Apache-2.0
# Bundles the page of reports. The target report_page runs it:
#   cmake -DSOURCE=sim/report/page -DFOLDER=... -DOUTPUT=page.txt -P BuildPage.cmake
# Bundles in FOLDER, a copy of the sources, and puts page.html beside OUTPUT. OUTPUT receives the
# reason if npm cannot install its packages, and is otherwise empty.
include("${CMAKE_CURRENT_LIST_DIR}/../../tools/cmake/NpmInstall.cmake")

cmake_path(REPLACE_EXTENSION OUTPUT html OUTPUT_VARIABLE page)
npm_install("${SOURCE}" "${FOLDER}" problem --omit=dev)
if(problem)
  file(REMOVE "${page}")
else()
  execute_process(COMMAND "${NODE}" bundle.mjs page.html
    WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE failed ERROR_VARIABLE messages)
  if(NOT failed EQUAL 0) # an error in the page, which must fail the build
    message(FATAL_ERROR "${messages}")
  endif()
  file(RENAME "${FOLDER}/page.html" "${page}")
endif()
file(WRITE "${OUTPUT}" "${problem}")
