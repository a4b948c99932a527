/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plugin-crash.h - names the plugin that a crash came from in the last message
 *
 * Costs nothing until then: the address range of each shared object is recorded when it is loaded, and the return
 * addresses of the crashed thread are compared with it.
 */
#ifndef RS_ENGINE_PLUGIN_CRASH_H
#define RS_ENGINE_PLUGIN_CRASH_H

#include "ringside/plugin.h"

/* The descriptor of a loaded plugin, which stays loaded. */
void rs_plugin_crash_add(const struct rs_analysis *a);

#endif
