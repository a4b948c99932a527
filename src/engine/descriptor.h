/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descriptor.h - checks the descriptor of an analysis, built-in or external, so that the engine can rely on it
 */
#ifndef RS_ENGINE_DESCRIPTOR_H
#define RS_ENGINE_DESCRIPTOR_H

#include "base/error.h"
#include "ringside/plugin.h"

/*
 * rs_descriptor_check - -1 with the first thing that is wrong: ABI (before anything
 * else is looked at), names, limits, columns that are named and not there, what a
 * kind of view needs. Nobody behind it checks again.
 */
int rs_descriptor_check(const struct rs_analysis *a, struct rs_error *err);

#endif
