# SPDX-License-Identifier: Apache-2.0
# Installs what the tests of the page need. Run by the build:
#   cmake -DSOURCE=sim/report/page -DFOLDER=... -DOUTPUT=tools.txt -P InstallTools.cmake
# OUTPUT is why they cannot run, or empty.
include("${CMAKE_CURRENT_LIST_DIR}/NpmInstall.cmake")

npm_install("${SOURCE}" "${FOLDER}" problem)
file(WRITE "${OUTPUT}" "${problem}")
