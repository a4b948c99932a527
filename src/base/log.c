// SPDX-License-Identifier: GPL-2.0-or-later
/* log - what ringside does and why, by domain, to standard error: --debug plan,source */
#include "base/log.h"
#include "base/monotonic.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOG_LINE_BYTES 1024
#define LOG_FIRST_FD 3

static const struct {
	const char *name, *summary;
} domains[RS_NR_LOG_DOMAINS] = {
	[RS_LOG_PLAN] = { "plan",
			  "events chosen and refused, clock, buffers, what is narrowed in the kernel" },
	[RS_LOG_TRACEFS] = { "tracefs", "where it is mounted, the instance, what could not be set" },
	[RS_LOG_SOURCE] = { "source", "recordings and live buffers: version, page size, clock, lost events" },
	[RS_LOG_MATCH] = { "match",
			   "analyses that are off, and what was left unmatched or discarded at the end" },
	[RS_LOG_RANGE] = { "range", "time ranges that are read again, and how long that took" },
	[RS_LOG_PLUGIN] = { "plugin", "plugins loaded and refused" },
	[RS_LOG_RPC] = { "rpc", "messages between screens and engine: their beginning and size" },
	[RS_LOG_BUDGET] = { "budget", "what tracing costs, and decisions about it" },
};

uint32_t rs_log_enabled;

static int log_fd = -1;
static uint64_t log_begin_ns;

/* Bytes of a file or a client must not control the terminal. */
static void log_escape(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			*text = '?';
}

/* In one write: lines of several threads and processes do not mix. */
void rs_log_write(enum rs_log_domain domain, const char *fmt, ...)
{
	uint64_t us = (rs_monotonic_ns() - log_begin_ns) / 1000;
	char line[LOG_LINE_BYTES];
	int saved = errno, head;
	size_t len;
	va_list ap;

	head = snprintf(line, sizeof line, "ringside: [%5u.%06u] %s: ", (unsigned int)(us / 1000000),
			(unsigned int)(us % 1000000), domains[domain].name);
	va_start(ap, fmt);
	vsnprintf(line + head, sizeof line - (size_t)head - 1, fmt, ap);
	va_end(ap);
	log_escape(line);
	len = strlen(line);
	line[len++] = '\n';
	(void)!write(log_fd, line, len);
	errno = saved;
}

static int log_find(const char *name, size_t len)
{
	for (int i = 0; i < RS_NR_LOG_DOMAINS; i++)
		if (strlen(domains[i].name) == len && !memcmp(domains[i].name, name, len))
			return i;
	return -1;
}

static int log_fail_unknown(const char *name, size_t len, struct rs_error *err)
{
	struct rs_buf all = RS_BUF_INIT;

	for (int i = 0; i < RS_NR_LOG_DOMAINS; i++)
		rs_buf_printf(&all, "%s, ", domains[i].name);
	rs_fail_usage(err, "--debug '%.*s': no such domain (%sall)", (int)(len < 40 ? len : 40), name,
		      all.data);
	rs_buf_done(&all);
	return -1;
}

int rs_log_enable(const char *list, struct rs_error *err)
{
	uint32_t enabled = 0;

	for (const char *at = list; at; at = *at ? at + 1 : NULL) {
		size_t len = strcspn(at, ",");
		int domain = log_find(at, len);

		if (len == 3 && !memcmp(at, "all", 3))
			enabled |= (1u << RS_NR_LOG_DOMAINS) - 1;
		else if (domain < 0)
			return log_fail_unknown(at, len, err);
		else
			enabled |= 1u << domain;
		at += len;
	}
	/* A descriptor of its own: the engine of the screens has no standard error. */
	if (log_fd < 0)
		log_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, LOG_FIRST_FD);
	if (log_fd < 0)
		return rs_fail(err, "cannot write to standard error: %s", strerror(errno));
	log_begin_ns = rs_monotonic_ns();
	rs_log_enabled = enabled;
	return 0;
}

void rs_log_list(struct rs_buf *out)
{
	for (int i = 0; i < RS_NR_LOG_DOMAINS; i++)
		rs_buf_printf(out, "%-8s %s\n", domains[i].name, domains[i].summary);
	rs_buf_puts(out, "all      all of these\n");
}
