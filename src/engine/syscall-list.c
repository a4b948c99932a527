// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/syscall-list.h"

#include <fnmatch.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "engine/internal.h"

/* names: room for RS_MAX_CALL_NUMBERS and a NULL. Returns whether one of them matches. */
static bool list_names(struct rs_syscall_names *n, const char *pattern, const char **names, size_t *nr)
{
	bool fits = false;

	for (int64_t call = 0; call < RS_MAX_CALL_NUMBERS; call++) {
		const char *name = rs_syscall_names_get(n, call);

		if (!name)
			continue;
		names[(*nr)++] = name;
		fits |= fnmatch(pattern, name, 0) == 0;
	}
	return fits;
}

/* A call without a name is shown as syscall_NR. */
static bool syscall_list_is_elsewhere(const char *pattern)
{
	return !strncmp(pattern, "syscall_", 8) || seccomp_syscall_resolve_name(pattern) != __NR_SCMP_ERROR;
}

bool rs_syscall_is_known(const struct rs_trace_info *info, const char *pattern, char *near, size_t size)
{
	const char **names = calloc(RS_MAX_CALL_NUMBERS + 1, sizeof *names), *found = NULL;
	struct rs_call_numbers special[RS_NR_CALL_TABLES];
	struct rs_syscall_names *n = rs_syscall_names_new(info, special);
	size_t nr = 0;
	bool known = true;

	*near = '\0';
	if (names && n) {
		known = list_names(n, pattern, names, &nr) || !nr || syscall_list_is_elsewhere(pattern);
		found = known ? NULL : rs_nearest(pattern, names);
	}
	if (found)
		snprintf(near, size, "%s", found);
	rs_syscall_names_free(n);
	free(names);
	return known;
}
