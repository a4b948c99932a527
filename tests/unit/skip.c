// SPDX-License-Identifier: GPL-2.0-or-later
#include "skip.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tracefs/tracefs.h"

/* The function of a test has its name and "_fn". */
void rs_test_skipped(const char *test, const char *why, ...)
{
	size_t len = strlen(test);
	va_list args;

	if (len > 3 && !strcmp(test + len - 3, "_fn"))
		len -= 3;
	printf("\nSKIP %.*s: ", (int)len, test);
	va_start(args, why);
	vprintf(why, args);
	va_end(args);
	printf("\n");
	fflush(stdout); /* a test may end without it */
}

const char *rs_test_cannot_trace(void)
{
	static struct rs_error err;

	err = (struct rs_error){ 0 };
	if (geteuid() == 0 && rs_tracefs_find(&err))
		return NULL;
	return err.status ? err.text : "tracing needs root";
}
