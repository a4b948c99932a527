/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log.h - what ringside does and why, by domain, to standard error: --debug plan,source
 *
 *	RS_LOG(RS_LOG_PLAN, "clock %s, %u KiB a CPU", clock, kib);
 *
 * It is for bug reports from machines that we do not have. A domain that is off costs one branch that is
 * predicted; a line is made and written by the calling thread. Log decisions and what they rest on: what was
 * asked for, what was found, what was refused and why. Never log in the path of an event or of a page: a
 * system call there changes what is measured, and would be traced.
 */
#ifndef RS_BASE_LOG_H
#define RS_BASE_LOG_H

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/* A domain is one row here and in log.c. */
enum rs_log_domain {
	RS_LOG_PLAN,
	RS_LOG_TRACEFS,
	RS_LOG_SOURCE,
	RS_LOG_MATCH,
	RS_LOG_RANGE,
	RS_LOG_PLUGIN,
	RS_LOG_RPC,
	RS_LOG_BUDGET,
	RS_NR_LOG_DOMAINS
};

extern uint32_t rs_log_enabled; /* a bit for each domain; set before there are other threads */

#define RS_LOG(domain, ...) \
	do { \
		if (__builtin_expect(rs_log_enabled & 1u << (domain), 0)) \
			rs_log_write((domain), __VA_ARGS__); \
	} while (0)

void rs_log_write(enum rs_log_domain domain, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "plan,source" or "all". -1: err names a word that is no domain. */
int rs_log_enable(const char *domains, struct rs_error *err);

/* --debug help: a line for each domain. */
void rs_log_list(struct rs_buf *out);

#endif
