# SPDX-License-Identifier: Apache-2.0
# npm_install(<source> <folder> <problem> [arguments...])
# Copies an npm project to a folder of the build and lets npm install there the packages that its
# package-lock.json pins, unless they are present. Sets the variable to the reason for a failure, or
# to the empty string.
function(npm_install source folder problem)
  set(${problem} "" PARENT_SCOPE)
  find_program(NODE node NO_CACHE)
  find_program(NPM npm NO_CACHE)
  if(NOT NODE OR NOT NPM)
    set(${problem} "node and npm were missing (Debian: apt-get install npm)" PARENT_SCOPE)
    return()
  endif()
  set(NODE "${NODE}" PARENT_SCOPE)
  file(MAKE_DIRECTORY "${folder}")
  file(REMOVE_RECURSE "${folder}/src" "${folder}/test")
  file(COPY "${source}/" DESTINATION "${folder}" PATTERN node_modules EXCLUDE)
  file(READ "${source}/package-lock.json" wanted)
  set(installed "")
  if(EXISTS "${folder}/installed.json")
    file(READ "${folder}/installed.json" installed)
  endif()
  if(installed STREQUAL wanted)
    return()
  endif()
  execute_process(
    COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
            ${ARGN}
    WORKING_DIRECTORY "${folder}" TIMEOUT 300 RESULT_VARIABLE failed OUTPUT_QUIET
    ERROR_VARIABLE said)
  if(failed EQUAL 0)
    file(COPY_FILE "${source}/package-lock.json" "${folder}/installed.json")
  else()
    message(STATUS "${said}")
    set(${problem} "'npm ci' failed when it was built, perhaps without a network" PARENT_SCOPE)
  endif()
endfunction()
