# SPDX-License-Identifier: Apache-2.0
# Makes the C++ source that holds the page of reports. Run by the build:
#   cmake -DSOURCE=sim/report/page -DFOLDER=... -DOUTPUT=page_text.cpp -P BuildPage.cmake
# The page is bundled in a copy of its sources, FOLDER, where npm installs what package-lock.json
# pins; a copy that is there is used again. Where that fails, the source holds no page and says why.

# Writes a source without a page.
function(give_up why)
  message(WARNING "sme is built without the page of 'sme run --report': ${why}")
  file(WRITE "${OUTPUT}" "// Made by the build, without the page.
#include <string_view>

namespace sme::report {

std::string_view built_page() {
    return {};
}

std::string_view missing_page() {
    return \"${why}\";
}

} // namespace sme::report
")
endfunction()

find_program(NODE node NO_CACHE)
find_program(NPM npm NO_CACHE)
if(NOT NODE OR NOT NPM)
  give_up("node and npm were missing (Debian: apt-get install npm)")
  return()
endif()

file(MAKE_DIRECTORY "${FOLDER}")
file(REMOVE_RECURSE "${FOLDER}/src")
file(COPY "${SOURCE}/" DESTINATION "${FOLDER}" PATTERN test EXCLUDE PATTERN node_modules EXCLUDE)
file(READ "${SOURCE}/package-lock.json" wanted)
set(installed "")
if(EXISTS "${FOLDER}/installed.json")
  file(READ "${FOLDER}/installed.json" installed)
endif()
if(NOT installed STREQUAL wanted)
  execute_process(
    COMMAND "${NPM}" ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
            --fetch-retries=1
    WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
  if(NOT failed EQUAL 0)
    message(STATUS "${said}")
    give_up("'npm ci' failed when it was built, perhaps without a network")
    return()
  endif()
  file(COPY_FILE "${SOURCE}/package-lock.json" "${FOLDER}/installed.json")
endif()
execute_process(COMMAND "${NODE}" bundle.mjs page.html "${OUTPUT}"
  WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE failed ERROR_VARIABLE said)
if(NOT failed EQUAL 0) # a mistake in the page, which must not pass
  message(FATAL_ERROR "${said}")
endif()
