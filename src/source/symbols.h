/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbols.h - the names of the kernel's data, from the text of /proc/kallsyms
 *
 *	struct rs_symbols *s = rs_symbols_new(source);     // reads all of it: when the first name is wanted
 *	rs_symbols_name(s, addr, buf, sizeof buf);         // "tasklist_lock", "rcu_state+0x840"
 *	rs_symbols_free(s);
 */
#ifndef RS_SOURCE_SYMBOLS_H
#define RS_SOURCE_SYMBOLS_H

#include "source/source.h"

#define RS_SYMBOL_TEXT 144 /* the kernel's longest names are cut */

struct rs_symbols;

/*
 * False: no symbol can be there, so that the text need not be read, which takes 50 ms. Known of x86-64: the kernel and its
 * modules are in the last 2 GiB (Documentation/arch/x86/x86_64/mm.rst); most locks are on the heap below.
 */
bool rs_symbols_may_name(const struct rs_source *source, uint64_t addr);
/* Never fails: without kallsyms, or without memory, there are no names. */
struct rs_symbols *rs_symbols_new(struct rs_source *source);
void rs_symbols_free(struct rs_symbols *s);
/* False: no known symbol of data is there. */
bool rs_symbols_name(const struct rs_symbols *s, uint64_t addr, char *buf, size_t size_bytes);

#endif
