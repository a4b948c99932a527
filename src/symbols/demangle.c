// SPDX-License-Identifier: GPL-2.0-or-later
/* demangle - the readable name of a C++ or Rust function */
#include "symbols/demangle.h"

#include <libiberty/demangle.h>
#include <string.h>

#define MAX_MANGLED 4096u /* work and result grow faster than the name */

/*
 * Rust first: its old names are valid C++ names as well, with a hash at the end. Without the arguments of C++
 * functions, as perf shows them: with them a name takes several lines.
 */
char *rs_demangle(const char *name)
{
	char *readable;

	if ((name[0] != '_' || (name[1] != 'Z' && name[1] != 'R')) || strlen(name) > MAX_MANGLED)
		return NULL;
	readable = rust_demangle(name, DMGL_NO_OPTS);
	return readable ? readable : cplus_demangle_v3(name, DMGL_NO_OPTS);
}
