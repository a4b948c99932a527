// SPDX-License-Identifier: GPL-2.0-or-later
/* error - an error that the caller owns; libraries fill it, only main prints it */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

int rs_error_set(struct rs_error *err, enum rs_exit status, const char *fmt, ...)
{
	va_list ap;

	if (!err || err->status != RS_OK)
		return -1;
	err->status = status;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof err->text, fmt, ap);
	va_end(ap);
	return -1;
}
