// SPDX-License-Identifier: GPL-2.0-or-later
/* library - a library that is loaded when it is needed */
#include "base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "base/memory-watch.h"

int rs_library_load(const char *file, const char *package, const struct rs_library_symbol *symbols,
		    struct rs_error *err)
{
	void *library;

	errno = 0;
	library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!library && rs_memory_library_failed())
		return rs_fail(err, "cannot load %s: out of memory", file);
	if (!library)
		return rs_fail(err, "cannot load %s: it is not installed (install the package %s)", file,
			       package);
	for (const struct rs_library_symbol *s = symbols; s->name; s++) {
		void *at = dlsym(library, s->name);

		if (!at)
			return rs_fail(err, "%s has no %s: it is too old (install a newer package %s)", file,
				       s->name, package);
		memcpy(s->to, &at, sizeof at); /* a function's address: dlsym returns it as data */
	}
	return 0;
}
