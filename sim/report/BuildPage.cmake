# SPDX-License-Identifier: Apache-2.0
# Bundles the page of reports. Run by the target report_page:
#   cmake -DSOURCE=sim/report/page -DFOLDER=... -DOUTPUT=page.txt -P BuildPage.cmake
# It is bundled in FOLDER, a copy of its sources, and then lies beside OUTPUT as page.html. OUTPUT is
# why npm could not install what it needs, or empty.
include("${CMAKE_CURRENT_LIST_DIR}/../../tools/cmake/NpmInstall.cmake")

cmake_path(REPLACE_EXTENSION OUTPUT html OUTPUT_VARIABLE page)
npm_install("${SOURCE}" "${FOLDER}" problem --omit=dev)
if(problem)
  file(REMOVE "${page}")
else()
  execute_process(COMMAND "${NODE}" bundle.mjs page.html
    WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE failed ERROR_VARIABLE messages)
  if(NOT failed EQUAL 0) # a mistake in the page, which must not pass
    message(FATAL_ERROR "${messages}")
  endif()
  file(RENAME "${FOLDER}/page.html" "${page}")
endif()
file(WRITE "${OUTPUT}" "${problem}")
