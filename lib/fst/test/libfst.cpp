// SPDX-License-Identifier: Apache-2.0
// The system's library, libfst.so, for the tests of code that uses it.
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>

#define LZ4_DISABLE_DEPRECATE_WARNINGS
#define FST_CONFIG_INCLUDE "fst_config.h"
#include <fastlz.c>
#include <fstapi.c>
#include <lz4.c>
