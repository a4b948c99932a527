// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static int error_format_message(struct rs_error *err, enum rs_exit status, const char *fmt, va_list ap)
{
	if (err && err->status == RS_OK) {
		err->status = status;
		vsnprintf(err->text, sizeof err->text, fmt, ap);
	}
	return -1;
}

int rs_fail(struct rs_error *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_format_message(err, RS_FAILED, fmt, ap);
	va_end(ap);
	return -1;
}

int rs_fail_usage(struct rs_error *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_format_message(err, RS_USAGE, fmt, ap);
	va_end(ap);
	return -1;
}
