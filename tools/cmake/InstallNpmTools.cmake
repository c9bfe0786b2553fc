# SPDX-License-Identifier: Apache-2.0
# Installs what tests need of npm, for sme_npm_tools. Run by the build:
#   cmake -DSOURCE=sim/report/page -DFOLDER=... -DOUTPUT=tools.txt -P InstallNpmTools.cmake
# OUTPUT is why they cannot run, or empty.
include("${CMAKE_CURRENT_LIST_DIR}/NpmInstall.cmake")

npm_install("${SOURCE}" "${FOLDER}" problem)
file(WRITE "${OUTPUT}" "${problem}")
