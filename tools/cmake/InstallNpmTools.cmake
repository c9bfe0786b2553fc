# SPDX-License-Identifier: Apache-2.0
# Installs the npm packages that tests need, for sme_npm_tools. The build runs:
#   cmake -DSOURCE=sim/report/page -DFOLDER=... -DOUTPUT=tools.txt -P InstallNpmTools.cmake
# OUTPUT receives the reason why they cannot run, or is empty.
include("${CMAKE_CURRENT_LIST_DIR}/NpmInstall.cmake")

npm_install("${SOURCE}" "${FOLDER}" problem)
file(WRITE "${OUTPUT}" "${problem}")
