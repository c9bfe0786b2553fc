// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Everything needed to describe and run a network of processes. Traces are in <sme/trace.hpp>.

#include "sme/network.hpp"
#include "sme/process.hpp"
#include "sme/simulator.hpp"
#include "sme/type.hpp"
#include "sme/values.hpp"
