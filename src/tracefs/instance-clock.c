// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracefs/instance-clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "base/thread.h"
#include "tracefs/tracefs-file.h"

/* Does not use rs_tracefs_file_write: the write takes tens of milliseconds, and a command may be launched meanwhile. */
static void *write_clock(void *arg)
{
	struct rs_instance *in = arg;
	int fd = rs_tracefs_file_open(in->tracefs, "trace_clock", O_WRONLY);

	in->clock_failed = fd < 0 ? fd : rs_tracefs_file_write_fd(fd, in->clock);
	if (fd >= 0)
		close(fd);
	return NULL;
}

static bool is_set(const struct rs_instance *in)
{
	char *now = tracefs_get_clock(in->tracefs);
	bool is = now && !strcmp(now, in->clock);

	free(now);
	return is;
}

int rs_instance_clock_begin(struct rs_instance *in, const char *clock, struct rs_error *err)
{
	int failed;

	in->clock = clock;
	if (!clock || is_set(in))
		return 0;
	failed = rs_thread_begin(&in->clock_writer, 0, write_clock, in);
	if (failed)
		return rs_fail(err, "cannot make a thread: %s", rs_thread_why(failed));
	in->clock_is_due = true;
	return 0;
}

static int instance_clock_fail_unknown(const struct rs_instance *in, struct rs_error *err)
{
	char *clocks = rs_tracefs_read(in->path, "trace_clock", NULL);

	rs_fail_usage(err, "this kernel has no trace clock '%s' (it has: %.*s)", in->clock,
		      clocks ? (int)strcspn(clocks, "\n") : 0, clocks ? clocks : "");
	free(clocks);
	return -1;
}

int rs_instance_await_clock(struct rs_instance *in, struct rs_error *err)
{
	if (in->clock_is_due)
		pthread_join(in->clock_writer, NULL);
	in->clock_is_due = false;
	if (in->clock_failed == -EINVAL)
		return instance_clock_fail_unknown(in, err);
	if (in->clock_failed)
		return rs_fail(err, "cannot set the trace clock '%s': %s", in->clock, strerror(-in->clock_failed));
	return 0;
}
