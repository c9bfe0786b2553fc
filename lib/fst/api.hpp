// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions of the library, under names of our own.
#include <fst_names.h>
#include <fstapi.h>
