/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plugins.h - all analyses: the built-in ones and those in shared objects
 *
 * A shared object NAME.so exports its descriptor as rs_analysis_NAME (a dash is an
 * underscore there), just as plugins/NAME.c does. It is looked for in the folders of
 * RINGSIDE_PLUGIN_PATH, then in ../lib/ringside/plugins beside the program's own.
 */
#ifndef RS_ENGINE_PLUGINS_H
#define RS_ENGINE_PLUGINS_H

#include "base/buf.h"
#include "base/error.h"
#include "ringside/plugin.h"

/* Those that are linked in, in sorted order, ends with NULL (made at build time). */
const struct rs_analysis *const *rs_builtin_analyses(void);

/*
 * rs_plugins_load - once, before there is a thread and while the rights are what
 * the user gave: from then on rs_plugins_all() has them too. What is refused is named
 * in notes, a line each with the reason; the rest goes on. reserved: words that no
 * analysis or view may be called, ends with NULL.
 */
void rs_plugins_load(const char *const *reserved, struct rs_buf *warnings);

/*
 * descriptor.c: checks the descriptor of an analysis, so that the engine need not check it again. -1 with the
 * first violation: the ABI (before all else), names, limits, columns that are named and missing, what a kind
 * of view needs.
 */
int rs_descriptor_check(const struct rs_analysis *a, struct rs_error *err);

#endif
