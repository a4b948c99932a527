/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kallsyms.h - the names of the kernel's data and functions, from the text of /proc/kallsyms
 *
 *	struct rs_kallsyms *s = rs_kallsyms_new(fd, text, len, false); // reads all of it: when the first name
 *	                                                               // is wanted
 *	rs_kallsyms_variable(s, addr, buf, sizeof buf);                // "tasklist_lock", "rcu_state+0x840"
 *	rs_kallsyms_free(s);
 */
#ifndef RS_SYMBOLS_KALLSYMS_H
#define RS_SYMBOLS_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_KALLSYMS_TEXT 144 /* the kernel's longest names are cut */

struct rs_kallsyms;

/*
 * False: no symbol can be there, so that the text need not be read, which takes 50 ms. Known of x86-64: the
 * kernel and its modules are in the last 2 GiB (Documentation/arch/x86/x86_64/mm.rst); most locks are on the
 * heap below. machine: as uname -m; NULL unknown.
 */
bool rs_kallsyms_may_name(const char *machine, uint64_t addr);
/*
 * Reads the file fd, if that is above 0, else the text. functions: keeps the names of functions, too, which
 * takes twice the time. Without kallsyms there are no names. NULL: no memory; the functions below take that,
 * and find no names.
 */
struct rs_kallsyms *rs_kallsyms_new(int fd, const char *text, size_t len, bool functions);
void rs_kallsyms_free(struct rs_kallsyms *s);
/* False: no known symbol of data is there. */
bool rs_kallsyms_variable(const struct rs_kallsyms *s, uint64_t addr, char *buf, size_t size_bytes);
/*
 * False: no known function is there. *module: "[ext4]", "" for the kernel itself. Both are valid as long as
 * s.
 */
bool rs_kallsyms_function(const struct rs_kallsyms *s, uint64_t addr, const char **name, const char **module);

#endif
