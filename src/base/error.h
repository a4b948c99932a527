/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error.h - an error that the caller owns; libraries fill it, only main prints it
 *
 *	struct rs_error err = { 0 };
 *	if (thing(&err) < 0)
 *		...  err.text is "what: why (what to do)", without "ringside: "
 *
 * The first error stays: one that is set already is not overwritten, because
 * what failed first is what the user has to mend.
 */
#ifndef RS_BASE_ERROR_H
#define RS_BASE_ERROR_H

enum rs_exit { RS_OK = 0, RS_FAILED = 1, RS_USAGE = 2, RS_CHECK_FAILED = 3 };

struct rs_error {
	enum rs_exit status; /* RS_OK: none */
	char text[512];
};

/* Return -1, for "return rs_fail(...)". */
#define rs_fail(err, ...) rs_error_set((err), RS_FAILED, __VA_ARGS__)
#define rs_fail_usage(err, ...) rs_error_set((err), RS_USAGE, __VA_ARGS__)
int rs_error_set(struct rs_error *err, enum rs_exit status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
