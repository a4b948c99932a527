/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plugin-crash.h - which plugin a crash came from: its name belongs into the last line that is said
 *
 * Costs nothing while nothing crashes: where each shared object lies is written down when it is loaded, and the
 * return addresses of the thread that crashed are compared with that.
 */
#ifndef RS_ENGINE_PLUGIN_CRASH_H
#define RS_ENGINE_PLUGIN_CRASH_H

#include "ringside/plugin.h"

/* The descriptor of a plugin that has been loaded, and stays so to the end. */
void rs_plugin_crash_add(const struct rs_analysis *a);

#endif
