// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Everything needed to describe and run a network of processes. Traces are in <sme/trace.hpp>.

#include "sme/archive.hpp"
#include "sme/enum.hpp"
#include "sme/network.hpp"
#include "sme/ports.hpp"
#include "sme/process.hpp"
#include "sme/simulator.hpp"
#include "sme/struct.hpp"
#include "sme/type.hpp"
#include "sme/values.hpp"
#include "sme/wide.hpp"
